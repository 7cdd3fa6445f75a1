"""Abbates on the contract: the actions of a phase, one after the other."""

from pathlib import Path

from numba import njit

from sim.abbates import abbots, arcade, ask, garden, offers, rounds, scoring, solo, taking
from sim.abbates import state as layout
from sim.abbates.components import Model
from sim.abbates.state import CATEGORIES, GARDEN_PHASES, HENRICUS, LOOK, NO_EFFECT, ROUNDS
from sim.abbates.words.names import TITLES
from sim.chance import mix, noise_key
from sim.compiled import compiled
from sim.contract import Course, Game, Signatures, Things
from sim.phases import entries
from sim.printed.record import record_of

HERE = Path(__file__).parent
SIGNATURES = Signatures(record_of(Model), layout.STATE, layout.OPTION, layout.OUTCOME)
VERSION = "2"

# Stages, in the order of a game; a stage asks until it has nothing more to ask.
(
    MISSIONS, CORNERS, CARDS, PLACES, ACTION, ORDER, TAKE, FILL, NEXT_PHASE, END_ROUND, NEXT_ROUND, SCORE, OVER,
) = range(13)  # fmt: skip

# Events worth telling (state.event), after which a stepping game pauses.
EVENTS = ("setup", "cards", "taking", "filled", "round", "scoring")
(EVENT_SETUP, EVENT_CARDS, EVENT_TAKING, EVENT_FILLED, EVENT_ROUND, EVENT_SCORING) = range(len(EVENTS))


@njit(forceinline=True)
def is_over(state):
    """Return whether the game is over."""
    return state.stage == OVER


@compiled(SIGNATURES.set_up, HERE)
def set_up(components, state, players, key):
    """Set the table (state is blank but for what `sim.contract` names)."""
    state.key, state.noise = key, noise_key(key)
    rounds.set_up(components, state, players, key)
    state.stage = MISSIONS


@njit
def end_phase(components, state):
    """Clear the cards away; the pawn of Henricus steps down."""
    if state.players == 1 and (components.rules.henricus_step or (state.ranked > 0 and state.ranking[0] == HENRICUS)):
        solo.step_down(state)
    abbots.clear(state)


@njit
def move_on(components, state):
    """Set up the next stage; return the event worth telling that has just ended, see `sim.phases`."""
    stage = state.stage
    state.turn = 0
    if stage == MISSIONS:
        state.stage = CORNERS
    elif stage == CORNERS:
        rounds.begin_round(components, state)
        state.stage = CARDS
        return EVENT_SETUP
    elif stage == CARDS:
        abbots.rank(state)
        state.slots = 0
        state.stage = PLACES
    elif stage == PLACES:
        abbots.win(components, state)
        if state.this_phase == GARDEN_PHASES:
            rounds.take_corner(components, state)
            state.stage = END_ROUND
        else:
            arcade.begin_action(state)
            state.stage = ACTION
        return EVENT_CARDS
    elif stage in (ACTION, ORDER):
        state.stage = TAKE
    elif stage == TAKE:
        state.stage = FILL
        return EVENT_TAKING
    elif stage == FILL:
        garden.fill(components, state)
        end_phase(components, state)
        state.stage = NEXT_PHASE
        return EVENT_FILLED
    elif stage == NEXT_PHASE:
        state.this_phase += 1
        state.stage = CARDS
    elif stage == END_ROUND:
        end_phase(components, state)
        rounds.end_round(components, state)
        state.stage = NEXT_ROUND if state.this_round < ROUNDS - 1 else SCORE
        return EVENT_ROUND
    elif stage == NEXT_ROUND:
        state.this_round += 1
        state.this_phase = 0
        rounds.begin_round(components, state)
        state.stage = CARDS
    elif stage == SCORE:
        scoring.score_end(components, state)
        state.stage = OVER
        return EVENT_SCORING
    return -1


@njit(forceinline=True)
def next_card(components, state, words):
    """Offer the cards of the next player who has to play one. Returns their number, 0 if all have played."""
    while state.turn < state.sitting:
        seat = (state.starting + state.turn) % state.sitting
        state.player, state.asks = seat, ask.ABBOT
        if seat == HENRICUS and state.players == 1:
            solo.play(components, state)
        else:
            n = abbots.offer_cards(components, state, words)
            if n > 0:
                return n
            abbots.play_none(state, seat)
        state.turn += 1
    return 0


@njit(forceinline=True)
def next_options(components, state, words):
    """Fill the options of the present stage, without an event in between.

    Returns:
        Their number, or 0 if the stage has come to its end.
    """
    stage = state.stage
    if stage == CARDS:
        return next_card(components, state, words)
    if stage == TAKE:
        return taking.offer_next(components, state, words)
    if stage == ACTION:
        if state.effect == NO_EFFECT or state.ranked == 0 or (state.players == 1 and state.ranking[0] == HENRICUS):
            return 0
        state.player = state.ranking[0]
        return arcade.offer_action(components, state, words)
    if stage == ORDER:
        return arcade.offer_order(state, words)
    if stage == PLACES:
        dealt = state.turn < state.players and rounds.is_dealt(state, ask.PLACE)
        return rounds.offer_places(state, words) if dealt else 0
    if stage == MISSIONS:
        asked = components.rules.missions and (state.choice > 1 or rounds.is_dealt(state, ask.MISSION))
        return rounds.offer_missions(state, words) if asked and state.turn < state.players else 0
    if stage == CORNERS:
        dealt = state.turn < state.players and rounds.is_dealt(state, ask.CORNER)
        return rounds.offer_corners(state, words) if dealt else 0
    return 0


@njit(forceinline=True)
def carry_out(components, state, option):
    """Carry out an option of the present stage."""
    stage, seat = state.stage, state.player
    if stage == CARDS:
        abbots.play_card(components, state, int(option.thing))
        state.turn += 1
    elif stage == TAKE:
        taking.place(state, option)
    elif stage == ACTION:
        if option.act:
            arcade.act(components, state, option)
        state.turn += 1
        if option.act and state.effect == LOOK:
            state.stage, state.turn = ORDER, 0
    elif stage == ORDER:
        garden.put_next(state, int(option.thing))
        state.turn += 1
    elif stage == PLACES:
        rounds.take_place(state, seat, int(option.thing))
    elif stage == MISSIONS:
        state.mission[seat] = option.thing
        state.turn += 1
    elif stage == CORNERS:
        state.dealt_corner[seat] = option.thing
        state.turn += 1


advance, apply = entries(SIGNATURES, HERE, offers, is_over, next_options, move_on, carry_out, carry_out)


@compiled(SIGNATURES.imagine, HERE)
def imagine(components, state, player, key):
    """Redraw what a player can't know: the piles, missions and starting cards of the others."""
    state.key, state.noise = mix(key), noise_key(key)
    rounds.imagine(components, state, player, state.key)


@compiled(SIGNATURES.tally, HERE)
def tally(components, state, outcome):
    """Fill the outcome of a finished game."""
    scoring.count(components, state, outcome)


@compiled(SIGNATURES.standing, HERE)
def standing(components, state, seat):
    """Return the score that a seat would have if the game were over now."""
    return scoring.standing(components, state, seat)


def _labels(prefix):
    return tuple(name for name in CATEGORIES if name.startswith(prefix))


GAME = Game.of(
    layout,
    SIGNATURES,
    (set_up, advance, apply, imagine, tally),
    version=VERSION,
    asks=ask.ASKS,
    things={
        "missions": Things(
            categories=("mission",),
            asks="mission",
            by_study=True,
            powers=("missions.{thing}.vp", "missions.{thing}.halves"),
            invented=("missions.{thing}.rows",),
        ),
        "corners": Things(
            categories=_labels("corner.round"),
            dealt=("corner.dealt",),
            asks="corner",
            by_study=True,
            powers=("corners.{thing}.vp", "corners.{thing}.per_card"),
        ),
        "places": Things(categories=_labels("place."), asks="place", by_study=True, by_players=True),
    },
    places={"Order of playing": _labels("start.")},
    phases={
        "abbot card": ("abbot",),
        "arcade action": ("look", "order", "swap", "exchange", "move", "line", "remove"),
        "garden card": ("take",),
        "card drawn blind": ("blind",),
        "mission": ("mission",),
    },
    headings={
        "action": "Arcade actions taken",
        "kind": "Garden cards at the end, by the place of their kind",
        "corner": "Corner cards won",
        "phases_won": "Phases won",
        "distance": "Steps from the general at the end",
        "halved": "Minus points halved",
        "empty": "Squares left empty",
        "overbuilt": "Cards built over",
        "blind": "Cards drawn blind",
        "benedicts_earned": "Benedict cards earned",
        "benedicts_played": "Benedict cards played",
        "forced_duplicate": "Values played again for want of others",
        "without_card": "Phases without a card to play",
    },
    titles=TITLES,
    hidden=layout.HIDDEN,
    course=Course(rounds="this_round", moments=ROUNDS - 1, standing=standing, automaton=True),
    chance=garden.CHANCE,
)
