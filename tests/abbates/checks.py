"""A referee: random games in which the laws of conservation and the legality of every option are checked at each
decision, compiled."""

from functools import partial

import numpy as np
from numba import njit

from sim.abbates import ask
from sim.abbates.state import (
    BEANS,
    BENEDICT,
    CARDS,
    GARDEN_PHASES,
    HENRICUS,
    LOOKED_AT,
    LOW_PILE,
    MISSION_NAMES,
    NONE,
    PHASES,
    PILES,
    REFILL,
    ROUNDS,
    SIDE,
    SOURCE_DISCARD,
    SOURCE_LINE,
    SOURCE_REFILL,
    SOURCES,
    SQUARES,
    VALUES,
)
from sim.abbates.turns import GAME
from tests.referee import FINE, SHARED_LAWS, compile_referee, watch

LAWS = (
    *SHARED_LAWS,
    "every garden card is somewhere, once",
    "as many cards in the pile as are counted",
    "the garden is filled as long as there is a pile",
    "an abbot card is in one place",
    "an abbot card that is gone stays away",
    "Benedict cards are those that were earned",
    "on top of each pile of Henricus lies one of its cards",
    "the general stands at white beans and the points card",
    "an abbot stands at the beans of the portrait",
    "one winner a phase, whose card is in the Chapter Room",
    "one owner of a corner card, who has its points",
    "missions are distinct",
    "only cards that are held, of no value that was played",
    "only what is there",
    "only squares of the general's line",
    "the score is the sum of its sources",
)
(
    GARDEN, PILE, FILLED, PLACES, GONE, BENEDICTS, TOPS, GENERAL, ABBOT, WINNER, CORNERS, MISSIONS, HELD, THERE, LINE,
    SUM,
) = range(len(SHARED_LAWS), len(LAWS))  # fmt: skip
REMOVED = CARDS  # of the notes; below that, how many of each card lie beneath others on the portraits


@njit
def bits(members):
    """Return how many members a bit set has."""
    count = 0
    for value in range(VALUES):
        count += members >> value & 1
    return count


@njit
def add(row, n, count):
    """Count the first n cards of a row."""
    for i in range(n):
        if row[i] != NONE:
            count[row[i]] += 1


@njit
def full(row):
    """Return whether a card lies on each place of a row."""
    empty = 0
    for card in row:
        empty += card == NONE
    return empty == 0


@njit
def broken_by_garden_cards(c, s, covered):
    """Return the law about garden cards that is broken, or FINE; covered: (CARDS,) cards that lie beneath others on the
    portraits."""
    count = covered.copy()
    add(s.garden, SQUARES, count)
    add(s.refill, REFILL, count)
    add(s.points_card, len(s.points_card), count)
    add(s.known, s.known_left, count)
    add(s.discard, s.discarded, count)
    add(s.starting_card, s.players, count)
    for seat in range(s.players):
        add(s.portrait[seat], SQUARES, count)
    if s.card != NONE:
        count[s.card] += 1
    for card in range(CARDS):
        count[card] += s.pile[card] + s.henricus[card]
        if s.pile[card] < 0 or s.henricus[card] < 0 or count[card] != c.garden.cards[card]:
            return GARDEN
    if s.pile.sum() != s.pile_left or s.known_left < 0 or s.known_left > LOOKED_AT:
        return PILE
    if s.asks == ask.ABBOT and s.pile_left + s.known_left > 0 and not (full(s.garden) and full(s.refill)):
        return FILLED
    return FINE


@njit
def in_chapter_room(s, seat):
    """Return whether the card that a seat has played in this phase has won it: all have played, then."""
    return s.asks != ask.ABBOT and s.ranked > 0 and s.ranking[0] == seat


@njit
def held(c, s, seat):
    """Return the abbot cards of a seat that are in play, as a bit set, or −1 if one is in two places."""
    played = 1 << s.played[seat] if s.played[seat] < BENEDICT and not in_chapter_room(s, seat) else 0
    whole = 0
    for part in (s.hand[seat], s.lost[seat], s.room[seat], played):
        if whole & part != 0 or part >> BENEDICT != 0 or part & 1 != 0:
            return -1
        whole |= part
    return whole


@njit
def tops_lie_on_their_piles(s):
    """Return whether on top of each pile of Henricus lies one of its cards, on an empty one none."""
    fine = True
    for pile in range(len(PILES)):
        low, top = pile == LOW_PILE, s.top[pile]
        values = s.hand[HENRICUS] & (0b11111110 if low else ~0b11111110)
        benedicts = s.low_benedicts if low else s.benedicts[HENRICUS]
        if top == NONE:
            fine &= values == 0 and benedicts == 0
        else:
            fine &= benedicts > 0 if top == BENEDICT else values >> top & 1 == 1
    return fine


@njit
def broken_by_abbot_cards(c, s, before, removed):
    """Return the law about abbot cards and pawns that is broken, or FINE; removed: cards taken out of the Chapter Room
    so far."""
    general, in_room, won = 0, removed, 0
    for card in s.points_card:
        if card != NONE:
            general += card % BEANS
    for seat in range(s.sitting):
        now = held(c, s, seat)
        if now < 0:
            return PLACES
        if now & ~held(c, before, seat) != 0:
            return GONE
        benedicts = (
            s.benedicts[seat]
            + s.lost_benedicts[seat]
            + s.room_benedicts[seat]
            + (s.played[seat] == BENEDICT and not in_chapter_room(s, seat))
        )
        first = 0
        if s.players == 1 and seat == HENRICUS:
            benedicts += s.low_benedicts
            first = c.solo.levels[c.rules.solo_level].low_benedicts + c.solo.levels[c.rules.solo_level].high_benedicts
        if (
            min(s.benedicts[seat], s.lost_benedicts[seat], s.room_benedicts[seat]) < 0
            or benedicts > first + s.earned[seat]
        ):
            return BENEDICTS
        beans = 0
        for square in range(SQUARES):
            if s.portrait[seat, square] != NONE:
                beans += s.portrait[seat, square] % BEANS
        if s.players == 1 and seat == HENRICUS:
            for card in range(CARDS):
                beans += s.henricus[card] * (card % BEANS)
        if s.abbot[seat] != beans:
            return ABBOT
        for value in range(1, BENEDICT):
            general += (s.room[seat] >> value & 1) * c.abbots.white[value - 1]
        general += s.room_benedicts[seat] * c.abbots.white[BENEDICT - 1]
        in_room += bits(s.room[seat]) + s.room_benedicts[seat]
        won += s.won[seat]
    if general != s.general:
        return GENERAL
    if s.players == 1 and not tops_lie_on_their_piles(s):
        return TOPS
    phases = PHASES * s.this_round + s.this_phase
    return WINNER if in_room != won or won > phases + 1 else FINE


@njit
def broken_by_corners(c, s):
    """Return the law about corner cards and missions that is broken, or FINE. Each win of a corner is told once the
    round is over."""
    # Where an early corner card counts cards in the Chapter Room, later cards there hide what it was worth.
    early = c.corners[0].per_card + c.corners[1].per_card + c.corners[2].per_card > 0
    for seat in range(s.sitting):
        points = 0
        for number in range(ROUNDS):
            if s.corner_owner[number] == seat:
                points += c.corners[number].vp
                if number >= s.this_round and s.this_phase < PHASES - 1:
                    return CORNERS
                if c.corners[number].per_card != 0:
                    points += (
                        c.corners[number].per_card * (bits(s.room[seat]) + s.room_benedicts[seat]) * c.benedicts.vp
                    )
        if points != s.corner_vp[seat] and not early:
            return CORNERS
    taken = 0
    for seat in range(s.players):
        if s.mission[seat] != NONE:
            if taken >> s.mission[seat] & 1 or s.mission[seat] >= len(MISSION_NAMES):
                return MISSIONS
            taken |= 1 << s.mission[seat]
    return FINE


@njit
def barred(s, value):
    """Return whether a value has been played in this phase."""
    found = False
    for seat in range(s.sitting):
        found |= s.played[seat] == value
    return found


@njit
def holds(s, seat, value):
    """Return whether a player has a card of a value in the hand."""
    return s.benedicts[seat] > 0 if value == BENEDICT else s.hand[seat] >> value & 1 == 1


@njit
def illegal_abbot(c, s, value):
    """Return whether a player may not play a card of a value."""
    seat = s.player
    if not holds(s, seat, value):
        return True
    if not barred(s, value):
        return False
    if c.rules.forced_duplicate == 1:
        return True
    free = False
    for other in range(1, VALUES):
        free |= holds(s, seat, other) and not barred(s, other)
    return free


@njit
def illegal(c, s, o):
    """Return the law that an option breaks, or FINE."""
    seat, asks, thing, other, square = s.player, s.asks, np.int64(o.thing), np.int64(o.other), np.int64(o.square)
    line = GARDEN_PHASES * s.this_round + s.this_phase
    if asks == ask.ABBOT:
        return HELD if illegal_abbot(c, s, thing) else FINE
    if asks in (ask.TAKE, ask.BLIND):
        if square not in c.line[line]:
            return LINE
        if asks == ask.BLIND:
            return FINE if thing == s.card else THERE
        if o.source == SOURCE_LINE:
            return FINE if other in c.line[s.taking] and s.garden[other] == thing else THERE
        if o.source == SOURCE_REFILL:
            return FINE if s.refill[other] == thing else THERE
        top = other == s.discarded - 1
        there = (
            o.source == SOURCE_DISCARD
            and other < s.discarded
            and s.discard[other] == thing
            and (top or c.rules.discard_pick == 0)
        )
        return FINE if there else THERE
    if not o.act and asks not in (ask.MISSION, ask.ORDER):
        return FINE
    if asks == ask.ORDER:
        return FINE if thing in s.known[: s.known_left] else THERE
    if asks == ask.SWAP:
        return FINE if s.portrait[seat, square] != NONE and s.refill[other] != NONE else THERE
    if asks == ask.EXCHANGE:
        return FINE if square in c.line[line] and s.garden[square] != NONE and s.refill[other] != NONE else THERE
    if asks == ask.MOVE:
        return (
            FINE if square < other and s.portrait[seat, square] != NONE and s.portrait[seat, other] != NONE else THERE
        )
    if asks == ask.LINE:
        return FINE if 0 <= other < 2 * SIDE and not same_squares(c.line[other], c.line[line]) else THERE
    if asks == ask.REMOVE:
        there = s.room_benedicts[other] > 0 if thing == BENEDICT else s.room[other] >> thing & 1 == 1
        return FINE if other < s.sitting and there else THERE
    return FINE


@njit
def same_squares(a, b):
    """Return whether two lines are of the same squares."""
    return (a[0] == b[0] and a[2] == b[2]) or (a[0] == b[2] and a[2] == b[0])


@njit
def same(a, b):
    """Return whether two options are the same choice."""
    return (
        a.thing == b.thing and a.act == b.act and a.square == b.square and a.source == b.source and a.other == b.other
    )


@njit
def note(s, o, notes):
    """Count the card that an option is going to cover on a portrait, or the one that it takes out of the Chapter
    Room."""
    if s.asks in (ask.TAKE, ask.BLIND):
        beneath = s.portrait[s.player, o.square]
        if beneath != NONE:
            notes[beneath] += 1
    elif s.asks == ask.REMOVE and o.act:
        notes[REMOVED] += 1


@njit
def broken_by_position(c, s, before, notes):
    """Return the law that is broken at a decision, or FINE."""
    law = broken_by_garden_cards(c, s, notes[:CARDS])
    if law == FINE:
        law = broken_by_abbot_cards(c, s, before, notes[REMOVED])
    return broken_by_corners(c, s) if law == FINE else law


@njit
def broken_by_change(c, s, before, o):
    """Return FINE: what an option changes is seen at the next decision."""
    return FINE


@njit
def broken_at_the_end(c, s, before, notes):
    """Return the law that is broken at the end of a game, or FINE."""
    for seat in range(s.players):
        empty = 0
        for square in range(SQUARES):
            empty += s.portrait[seat, square] == NONE
        s.abbot[seat] -= empty * c.track.empty_square  # the last steps; what stands now is checked as before
        if s.points[seat].sum() != s.score[seat] or len(s.points[seat]) != len(SOURCES):
            return SUM
        if s.distance[seat] != abs(s.abbot[seat] + empty * c.track.empty_square - s.general):
            return SUM
    won, without = 0, 0
    for seat in range(s.sitting):
        won += s.won[seat]
        without += s.without_card[seat]
        if s.lost[seat] != 0 or s.lost_benedicts[seat] != 0 or s.played[seat] != NONE:
            return GONE
    # A phase without a winner is one in which nobody had a card.
    if won > ROUNDS * PHASES or (s.players > 1 and (ROUNDS * PHASES - won) * s.sitting > without):
        return WINNER
    return broken_by_position(c, s, before, notes)


REFEREE = compile_referee(
    GAME, __file__, illegal=illegal, same=same, note=note, broken_by_position=broken_by_position,
    broken_by_change=broken_by_change, broken_at_the_end=broken_at_the_end, most_decisions=500,
)  # fmt: skip
watched = partial(watch, GAME, REFEREE, LAWS)
