"""The rules of Pig (facts: Neller and Presser, "Optimal Play of the Dice Game Pig", 2004)."""

from pathlib import Path

from sim.chance import draw, mix, noise_key
from sim.compiled import compiled
from sim.contract import WHOLE, Game
from sim.pig import PLAYERS, TITLE
from sim.pig.state import ASKS, COMPONENTS, NUMBERS, OPTION, OUTCOME, SEATS, SIGNATURES, STATE

HERE = Path(__file__).parent


@compiled(SIGNATURES.deal, HERE)
def deal(components, state, players, key):
    """Set the table."""
    state.key, state.noise, state.players = key, noise_key(key), players


@compiled(SIGNATURES.advance, HERE)
def advance(components, state, options):
    """Offer to hold or to roll, until somebody has reached the goal."""
    if state.stepping and state.told < state.decision:
        state.told = state.decision
        return -1
    for seat in range(state.players):
        if state.score[seat] >= components.goal:
            return 0
    for act in range(2):
        options[act].act, options[act].thing = act, 0
    return 2


@compiled(SIGNATURES.apply, HERE)
def apply(components, state, option):
    """Roll, or hold and pass the die on."""
    state.decision += 1
    seat, face = state.player, 0
    if option.act:
        state.rolls[seat] += 1
        face = 1 + draw(state.key, state.person[seat] << 32 | state.rolls[seat], components.faces)
        state.turn = 0 if face == components.ruin else state.turn + face
    state.event = face
    if not option.act or face == components.ruin:
        state.score[seat] += state.turn
        state.turns[seat] += 1
        state.turn, state.player = 0, (seat + 1) % state.players


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
        outcome.numbers[seat, 0] = state.turns[seat]


GAME = Game(
    name="pig", title=TITLE, version="1", players=PLAYERS, seats=SEATS, dtypes=(COMPONENTS, STATE, OPTION, OUTCOME),
    signatures=SIGNATURES, most_options=2, asks=ASKS, deal=deal, advance=advance, apply=apply, imagine=imagine, tally=tally,
    numbers=NUMBERS, categories={}, folder=HERE, things={}, places={}, headings={"turns": "Turns"}, titles={},
)  # fmt: skip
