"""The rules of Mygame: the five functions that every game has (sim/contract.py of chapterhouse says what each does)."""

from pathlib import Path

from sim.chance import draw, mix, noise_key
from sim.compiled import compiled
from sim.contract import WHOLE, Game, Signatures
from sim.printed.record import record_of

from . import state as layout
from .components import Model
from .state import counts

HERE = Path(__file__).parent
SIGNATURES = Signatures(record_of(Model), layout.STATE, layout.OPTION, layout.OUTCOME)


@compiled(SIGNATURES.set_up, HERE)
def set_up(components, state, players, key):
    """Set the table for a new game: seat 0 begins, and everybody stands on space 0."""
    state.key, state.noise, state.players = key, noise_key(key), players


@compiled(SIGNATURES.advance, HERE)
def advance(components, state, options):
    """Write down what the next player may choose, and return how many options there are: 0 when the game is over."""
    if state.stepping and state.told < state.decision:  # somebody follows the game: stop after each decision
        state.told = state.decision
        return -1
    for seat in range(state.players):
        if state.score[seat] >= components.home:
            return 0
    for pace in range(2):
        options[pace].pace, options[pace].thing = pace, 0
    return 2


@compiled(SIGNATURES.apply, HERE)
def apply(components, state, option):
    """Carry out what the player has chosen, and say who is next."""
    state.decision += 1
    seat = state.player
    moved = components.steps
    if option.pace == 1:
        # Chance has an address: `draw(state.key, address, n)` gives 0 to n − 1, always the same at the same address. So
        # every draw of a game needs an address of its own; here the number of the turn is one.
        roll = 1 + draw(state.key, state.turns, components.faces)
        state.runs[seat] += 1
        moved = roll
        if roll <= components.stumble:
            state.stumbles[seat] += 1
            moved = 0
    state.score[seat] += moved
    state.turns += 1
    state.player = (seat + 1) % state.players


@compiled(SIGNATURES.imagine, HERE)
def imagine(components, state, player, key):
    """Redraw what nobody can know: the rolls to come."""
    state.key, state.noise = mix(key), noise_key(key)


@compiled(SIGNATURES.tally, HERE)
def tally(components, state, outcome):
    """Count the game when it is over: scores, shares of the win (they add up to WHOLE), and what NUMBERS names."""
    for seat in range(state.players):
        outcome.score[seat] = state.score[seat]
        outcome.share[seat] = WHOLE if state.score[seat] >= components.home else 0
        done = counts(outcome.numbers[seat])
        done.runs = state.runs[seat]
        done.stumbles = state.stumbles[seat]


GAME = Game.of(
    layout, SIGNATURES, (set_up, advance, apply, imagine, tally), version="1", asks=layout.ASKS,
    headings={"runs": "Runs", "stumbles": "Stumbles"},
)  # fmt: skip
