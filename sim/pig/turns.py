"""The rules of Pig (facts: Neller and Presser, "Optimal Play of the Dice Game Pig", 2004)."""

from pathlib import Path

import numpy as np

from sim.chance import draw, mix, noise_key
from sim.compiled import compiled
from sim.contract import WHOLE, ChanceSource, Course, Game, Signatures
from sim.pig import state as layout
from sim.pig.components import Model
from sim.pig.state import counts
from sim.printed.record import record_of

HERE = Path(__file__).parent
SIGNATURES = Signatures(record_of(Model), layout.STATE, layout.OPTION, layout.OUTCOME)


@compiled(SIGNATURES.set_up, HERE)
def set_up(components, state, players, key):
    """Set the table."""
    state.key, state.noise, state.players = key, noise_key(key), players


@compiled(SIGNATURES.advance, HERE)
def advance(components, state, options):
    """Offer to hold or to roll, until somebody has reached the goal."""
    if state.stepping and state.told < state.decision:
        state.told = state.decision
        return -1
    before = state.player - 1 if state.player else state.players - 1  # nobody else can have got there
    if state.score[before] >= components.goal:
        return 0
    for act in range(2):
        options[act].act, options[act].thing = act, 0
    return 2


@compiled(SIGNATURES.apply, HERE)
def apply(components, state, option):
    """Roll, or hold and pass the die on."""
    state.decision += 1
    # What is chosen is calculated with, not branched on: a processor can't guess it, and loses more by a wrong guess
    # than all this takes.
    seat, rolled = state.player, option.act
    state.rolls[seat] += rolled
    key = state.key * np.uint64(rolled)  # who holds reads no event of the game
    face = rolled * (1 + draw(key, state.person[seat] << 32 | state.rolls[seat], components.faces))
    state.event = face
    if face == components.ruin:  # as good as to hold nothing
        state.turn, rolled = 0, 0
    held = 1 - rolled
    state.score[seat] += held * state.turn
    state.turns[seat] += held
    state.turn = rolled * (state.turn + face)
    after = seat + held
    state.player = after if after < state.players else 0


@compiled(SIGNATURES.imagine, HERE)
def imagine(components, state, player, key):
    """Forget the rolls to come."""
    state.key, state.noise = mix(key), noise_key(key)


@compiled(SIGNATURES.tally, HERE)
def tally(components, state, outcome):
    """The one who has reached the goal wins."""
    for seat in range(state.players):
        outcome.score[seat] = state.score[seat]
        outcome.share[seat] = WHOLE if state.score[seat] >= components.goal else 0
        counts(outcome.numbers[seat]).turns = state.turns[seat]


GAME = Game.of(
    layout, SIGNATURES, (set_up, advance, apply, imagine, tally), version="1", asks=layout.ASKS,
    headings={"turns": "Turns"}, course=Course(every=25),
    chance=(ChanceSource("die", "the die", ((0, layout.SEATS << 32),)),),
)  # fmt: skip
