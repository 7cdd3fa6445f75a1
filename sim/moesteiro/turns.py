"""Moesteiro on the contract: the phases of a round, one after the other."""

from pathlib import Path

from numba import njit

from sim.chance import mix, noise_key
from sim.compiled import compiled
from sim.contract import Course, Game, Signatures, Things
from sim.moesteiro import actions, ask, beginning, building, offers, placing, scoring
from sim.moesteiro import state as layout
from sim.moesteiro.components import Model
from sim.moesteiro.dice import EMPTY, NEUTRAL, key_at, owner_at, pips
from sim.moesteiro.state import (
    AREAS,
    CATEGORIES,
    CONSTRUCTION_TILES,
    FROM_START,
    KINDS,
    LAST,
    NONE,
    NUMBERS,
    ROUNDS,
    VILLAGE,
    VILLAGE_TILES,
)
from sim.moesteiro.tracks import CHANCE, gain, labour_right
from sim.moesteiro.words.names import KINGS as KING_TITLES
from sim.phases import entries
from sim.printed.record import record_of

HERE = Path(__file__).parent
SIGNATURES = Signatures(record_of(Model), layout.STATE, layout.OPTION, layout.OUTCOME)
VERSION = "2"

# Phases, in the order of a round; a phase asks until it has nothing more to ask.
(
    BEGIN, TRACKS, ROLL, DISPLAYS_EARLY, KINGS, GIFT, DISPLAYS, PLACE, ACT, SPACE, PICK, UNUSED,
    BUILDERS, PURCHASE, BUILD, MATERIALS, DISCARD, FINISH, SCORE, OVER,
) = range(20)  # fmt: skip

AGAIN = -1  # in place of a number of options

# Events worth telling (state.event), after which a stepping game pauses.
EVENTS = ("begin", "roll", "displays", "kings", "placing", "area", "building", "scoring")
(EVENT_BEGIN, EVENT_ROLL, EVENT_DISPLAYS, EVENT_KINGS, EVENT_PLACING, EVENT_AREA, EVENT_BUILDING, EVENT_SCORING) = (
    range(len(EVENTS))
)

# What a die of each area is asked (state.AREAS), a byte for each: a tuple would be set up whenever `advance` is
# entered.
ASK_AREA = ask.FOREST | ask.VILLAGE << 8 | ask.QUARRY << 16 | ask.CRANE << 24 | ask.WINDOW << 32


@njit(forceinline=True)
def is_over(state):
    """Return whether the game is over."""
    return state.phase == OVER


@compiled(SIGNATURES.set_up, HERE)
def set_up(components, state, players, key):
    """Set the table (state is blank but for `person`)."""
    state.key, state.noise, state.players = key, noise_key(key), players
    for seat in range(players):
        extra = components.start[seat]
        state.purse[seat], state.food[seat] = extra.goods, extra.food
        state.labour[seat] = components.tracks.labour.start + extra.labour
        state.construction[seat] = components.tracks.construction.start + extra.construction
        state.height[seat] = players - seat  # seat 1 on top of the stack
        gain(state, seat, FROM_START, extra.vp)
    state.arrivals = players
    state.keys[players:] = LAST
    for kind in range(KINDS):
        state.pile[kind] = components.tiles[kind]
    for display in (state.village, state.crane, state.window, state.site):
        display[:] = NONE
    for i in range(VILLAGE_TILES):
        state.village_pile[i] = i
    state.village_left = VILLAGE_TILES
    for i in range(CONSTRUCTION_TILES):
        state.site_pile[i] = i
    state.site_left[0] = components.construction.level_one
    state.site_left[1] = CONSTRUCTION_TILES - components.construction.level_one
    state.row[:] = EMPTY
    state.king[:] = NONE
    state.space_owner[:] = NONE
    state.space_tile[:] = NONE
    state.builder[:] = NONE
    state.phase = BEGIN


@njit
def move_on(components, state):
    """Set up the next phase; return the event worth telling that has just ended, see `sim.phases`."""
    phase = state.phase
    state.turn = 0
    if phase == BEGIN:
        beginning.begin_round(components, state)
        state.phase = TRACKS
    elif phase == TRACKS:
        state.phase = ROLL
        return EVENT_BEGIN
    elif phase == ROLL:
        beginning.roll(components, state)
        state.phase = DISPLAYS_EARLY
        return EVENT_ROLL
    elif phase == DISPLAYS_EARLY:
        state.phase = KINGS
        beginning.order_by_labour(state)
        if components.rules.displays:
            beginning.fill_displays(components, state)
            return EVENT_DISPLAYS
    elif phase == KINGS:
        beginning.order_by_kings(components, state)
        state.phase = DISPLAYS
        return EVENT_KINGS
    elif phase == DISPLAYS:
        state.phase = PLACE
        if not components.rules.displays:
            beginning.fill_displays(components, state)
            return EVENT_DISPLAYS
    elif phase == PLACE:
        state.phase = ACT
        state.area = 0
        return EVENT_PLACING
    elif phase == ACT:
        state.area += 1
        if state.area == len(AREAS):
            state.phase = BUILDERS
        return EVENT_AREA
    elif phase == BUILDERS:
        building.order_by_construction(components, state)
        state.phase = PURCHASE
    elif phase == PURCHASE:
        state.phase = FINISH
    elif phase == FINISH:
        building.finish_round(state)
        state.this_round += 1
        state.phase = BEGIN if state.this_round < ROUNDS else SCORE
        return EVENT_BUILDING
    elif phase == SCORE:
        scoring.score_end(components, state)
        state.phase = OVER
        return EVENT_SCORING
    return -1


@njit(forceinline=True)
def next_turn(state, phase):
    """Pass on to the next die or player of a phase."""
    state.turn += 1
    state.phase = phase


@njit(forceinline=True)
def end_action(state):
    """Ask for the labour step if the die has pips left; else the next die acts."""
    if state.unused > 0:
        state.phase = UNUSED
    else:
        next_turn(state, ACT)


@njit(forceinline=True)
def end_building(state):
    """Ask which tile is discarded while one is owed; else the tile is scored and the next player builds."""
    if state.owed[0] + state.owed[1] > 0:
        state.phase = DISCARD
    else:
        building.score_tile(state)
        next_turn(state, PURCHASE)


@njit(forceinline=True)
def end_choice(state):
    """Ask for a piece of the King's gift while one is to come; else the next player chooses."""
    if state.owed[0] > 0:
        state.phase = GIFT
    else:
        next_turn(state, KINGS)


@njit(forceinline=True)
def next_options(components, state, words):
    """Fill the options of the present phase, without an event in between.

    Returns:
        Their number, 0 if the phase has come to its end, AGAIN if it goes on with another die, player or phase.
    """
    phase = state.phase
    if phase == PLACE:
        state.player = state.order[state.turn]
        if state.in_hand[state.player] == 0:
            return 0
        state.asks = ask.PLACE
        return placing.offer_placements(components, state, words)
    if phase == ACT:
        if state.turn == state.dice[state.area]:
            return 0
        owner = owner_at(state.row[state.area], state.turn)
        if owner == NEUTRAL:
            state.turn += 1
            return AGAIN
        key = key_at(state.row[state.area], state.turn)
        state.player, state.value, state.asks = owner, pips(key), ASK_AREA >> 8 * state.area & 0xFF
        return actions.offer_actions(components, state, words, state.area, key)
    if phase == UNUSED:
        state.asks = ask.UNUSED
        return actions.offer_unused(components, state, words)
    elif phase == SPACE:
        state.asks = ask.SPACE
        return actions.offer_spaces(components, state, words)
    elif phase == PICK:
        state.asks = ask.PICK
        n = actions.offer_picks(components, state, words)
        if n > 0:
            return n
        end_action(state)
        return AGAIN
    elif phase == PURCHASE:
        if state.turn == state.players:
            return 0
        state.player, state.asks = state.order[state.turn], ask.PURCHASE
        n = building.offer_purchases(components, state, words)
        if n > 0:
            return n
        state.phase = BUILD
        return AGAIN
    elif phase == BUILD:
        state.asks = ask.BUILD
        return building.offer_building(components, state, words)
    elif phase == MATERIALS:
        state.asks = ask.MATERIALS
        return building.offer_materials(components, state, words)
    elif phase == DISCARD:
        state.asks = ask.DISCARD
        return building.offer_discards(state, words)
    elif phase == TRACKS:
        if state.turn == state.players:
            return 0
        state.player, state.asks = state.order[state.turn], ask.TRACKS
        n = beginning.offer_tracks(components, state, words)
        if n > 0:
            return n
        state.turn = state.players
        return AGAIN
    elif phase == KINGS:
        if state.turn == state.players:
            return 0
        state.player, state.asks = state.order[state.turn], ask.KING
        return beginning.offer_kings(state, words)
    elif phase == GIFT:
        state.asks = ask.GIFT
        return beginning.offer_gift(words)
    else:
        return 0


@njit(forceinline=True)
def carry_out(components, state, option):
    """Carry out an option of the present phase."""
    phase, seat = state.phase, state.player
    if phase == PLACE:
        placing.place(components, state, option)
    elif phase == ACT:
        actions.act(components, state, option)
        if option.act and state.area == VILLAGE:
            state.phase = SPACE
        else:
            end_action(state)
    elif phase == UNUSED:
        labour_right(components, state, seat, int(option.steps))
        next_turn(state, ACT)
    elif phase == SPACE:
        if actions.settle(components, state, int(option.space)):
            state.phase = PICK
        else:
            end_action(state)
    elif phase == PICK:
        actions.pick(state, option)
        end_action(state)
    elif phase == PURCHASE:
        building.purchase(components, state, option)
        state.phase = BUILD
    elif phase == BUILD:
        if option.act:
            building.build(components, state, option)
            state.phase = MATERIALS
        else:
            next_turn(state, PURCHASE)
    elif phase == MATERIALS:
        building.put_in(components, state, option)
        end_building(state)
    elif phase == DISCARD:
        building.discard(state, option)
        end_building(state)
    elif phase == TRACKS:
        beginning.move_on_tracks(components, state, seat, int(option.thing))
        state.turn += 1
    elif phase == KINGS:
        beginning.take_king(components, state, seat, int(option.thing))
        end_choice(state)
    elif phase == GIFT:
        state.purse[seat] += option.goods
        state.owed[0] -= 1
        end_choice(state)


@njit
def carry_out_only(components, state, only):
    """Carry out a choice without an alternative; a function of its own, so that `advance` has less to prepare when
    there is one."""
    carry_out(components, state, only)


advance, apply = entries(SIGNATURES, HERE, offers, is_over, next_options, move_on, carry_out, carry_out_only)


@compiled(SIGNATURES.imagine, HERE)
def imagine(components, state, player, key):
    """Redraw what is still to come: dice and piles. All else in Moesteiro lies open."""
    state.key, state.noise = mix(key), noise_key(key)


@compiled(SIGNATURES.tally, HERE)
def tally(components, state, outcome):
    """Fill the outcome of a finished game."""
    scoring.count(components, state, outcome)


@compiled(SIGNATURES.standing, HERE)
def standing(components, state, seat):
    """Return the score of a seat at the end of the last round that is over."""
    return state.after[seat, state.this_round - 1]


def absent(components):
    """Return the names of the numbers that these components leave out: the other construction set, spaces beyond the
    village's."""
    rows, spaces = components.village.rows, components.village.row_spaces
    board = {f"village_space.{row + 1}.{space + 1}" for row in range(rows) for space in range(spaces)}
    kept = {("a", "b")[components.rules.construction_set]} if components.rules.construction_set < 2 else {"a", "b"}
    names = {name for name in NUMBERS if name.startswith("village_space.") and name not in board}
    names |= {
        name
        for name in NUMBERS
        if name.startswith(("completed.", "unfinished.")) and name.partition(".")[2][0] not in kept
    }
    if not components.rules.purchase_tiles:
        names |= {"purchase.stonework", "purchase.glass"}
    return names


GAME = Game.of(
    layout,
    SIGNATURES,
    (set_up, advance, apply, imagine, tally),
    version=VERSION,
    asks=ask.ASKS,
    things={
        "kings": Things(
            categories=tuple(name for name in CATEGORIES if name.startswith("king.")),
            asks="king",
            powers=tuple(
                f"kings.{{thing}}.{power}"
                for power in ("labour", "vp", "stone", "gift", "construction", "builds_first")
            ),
            number="kings.{thing}.number",
        )
    },
    places={
        "King choice": tuple(name for name in CATEGORIES if name.startswith("king_choice.")),
        "Turn order": tuple(name for name in CATEGORIES if name.startswith("turn_order.")),
    },
    absent=absent,
    course=Course(rounds="this_round", moments=ROUNDS, standing=standing),
    chance=CHANCE,
    phases={
        "King choice": ("king", "gift", "tracks"),
        "placing dice": ("place",),
        "forest and fields": ("forest",),
        "village": ("village", "space", "pick"),
        "quarry": ("quarry",),
        "construction site": ("crane",),
        "stained glass window": ("window",),
        "steps for unused pips": ("unused",),
        "building": ("purchase", "build", "materials", "discard"),
    },
    headings={
        "dice": "Dice placed by area",
        "passes": "Passes by area",
        "pips_bought": "Pips bought with labour steps",
        "purchase": "Purchases at the end of the construction track",
        "village_tile": "Village tiles bought",
        "village_space": "Village spaces built on",
        "completed": "Construction tiles completed",
        "unfinished": "Construction tiles left incomplete",
    },
    titles={
        **KING_TITLES,
        "forest": "forest and fields",
        "crane": "construction site",
        "window": "stained glass window",
        "track": "end of the labour track",
        "labour": "beyond the labour track",
        "food": "beyond the food track",
        "building": "completed construction tiles",
        "unfinished": "incomplete construction tiles",
        "sets": "sets of tiles",
        "kings": "Kings",
        "village": "village",
    },
)
