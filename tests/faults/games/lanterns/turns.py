"""The rules of Lanterns."""

from pathlib import Path

from sim.chance import mix, noise_key
from sim.compiled import compiled
from sim.contract import ChanceSource, Game, Signatures
from sim.printed.record import record_of

from . import dealing, scoring, tricks
from . import state as layout
from .components import MOST_CARDS, Model
from .state import CARD

HERE = Path(__file__).parent
SIGNATURES = Signatures(record_of(Model), layout.STATE, layout.OPTION, layout.OUTCOME)
shuffle_deck, deal, redraw = dealing.shuffle_deck, dealing.deal, dealing.redraw
offer_cards, offer_prizes, lay = tricks.offer_cards, tricks.offer_prizes, tricks.lay
taker, take_prize = tricks.taker, tricks.take_prize
share_win, count = scoring.share_win, scoring.count


@compiled(SIGNATURES.set_up, HERE)
def set_up(components, state, players, key):
    """Shuffle, and deal the hands; seat 0 leads."""
    state.key, state.noise, state.players = key, noise_key(key), players
    shuffle_deck(components, state)
    deal(components, state)


@compiled(SIGNATURES.advance, HERE)
def advance(components, state, options):
    """Ask for a card or, when all have laid one, ask the taker for a prize."""
    if state.stepping and state.told < state.decision:
        state.told = state.decision
        return -1
    if state.taken == components.tricks:
        return 0
    while True:
        if state.laid == state.players:
            state.player = taker(components, state)
            return offer_prizes(state, options)
        n = offer_cards(state, options)
        if n > 1:
            return n
        if state.stepping:
            state.decision -= 1  # a choice without an alternative is told, but not counted
            return n
        lay(state, options[0])


@compiled(SIGNATURES.apply, HERE)
def apply(components, state, option):
    """Lay a card, or take a prize."""
    state.decision += 1
    if state.asks == CARD:
        lay(state, option)
    else:
        take_prize(components, state, option)


@compiled(SIGNATURES.imagine, HERE)
def imagine(components, state, player, key):
    """Redraw the deck and the hands of the others."""
    state.key, state.noise = mix(key), noise_key(key)
    redraw(state, player, key)


@compiled(SIGNATURES.tally, HERE)
def tally(components, state, outcome):
    """Count the points; the most win."""
    count(components, state, outcome)
    share_win(components, state, outcome)


GAME = Game.of(
    layout, SIGNATURES, (set_up, advance, apply, imagine, tally), version="1", asks=layout.ASKS,
    things={}, places={}, headings={name: name.capitalize() for name in ("tricks", "leads", "highest")}, titles={},
    hidden={"": ("deck", "hand")}, chance=(ChanceSource("deck", "the order of the deck", ((0, MOST_CARDS),)),),
)  # fmt: skip
