"""A referee: random games in which the laws of conservation and the legality of every option are checked at each
decision, compiled."""

from functools import partial

import numpy as np
from numba import njit

from sim.moesteiro import ask
from sim.moesteiro.dice import FREE, NEUTRAL, is_worker, key_at, owner_at, pips
from sim.moesteiro.purse import COLUMN, LINTEL, WOOD, amount, can_pay, common, goods, piece
from sim.moesteiro.state import AREAS, CONSTRUCTION_TILES, KINDS, NONE, ROUNDS, SOURCES, STONEWORK_KINDS, VILLAGE_TILES
from sim.moesteiro.turns import GAME
from tests.referee import FINE, SHARED_LAWS, compile_referee, watch

LAWS = (
    *SHARED_LAWS,
    "a track within its ends",
    "no purse below nothing",
    "the score is the sum of its sources",
    "a score never falls",
    "dice stand by the placing rule",
    "no more dice than spaces",
    "every die is in hand or in an area",
    "stonework and glass: box = pile + display + players + discards",
    "Kings are distinct",
    "each village tile and space once",
    "each construction tile once",
    "quarry not below nothing",
    "bought pips: die up to 6, labour down to 0",
    "lintels and columns up to what the quarry holds",
    "only what can be paid",
    "only what is there and free",
    "goods move by the option only",
    "labour moves by the option only",
    "five Kings and all the dice at the end",
)
(
    TRACKS, PURSE, SUM, FALL, SORTED, SPACES, DICE, TILES, KINGS, VILLAGE, SITE, QUARRY, PIPS, STOCK, PAY, THERE, GOODS,
    LABOUR, COUNTS,
) = range(len(SHARED_LAWS), len(LAWS))  # fmt: skip


@njit
def broken_by_players(c, s, before):
    """Return the law about tracks, purses and scores that is broken, or FINE."""
    for seat in range(s.players):
        inside = 0 <= s.food[seat] <= c.tracks.food.last and 0 <= s.labour[seat] <= c.tracks.labour.last
        if not (inside and 0 <= s.construction[seat] <= c.tracks.construction.last):
            return TRACKS
        held, whole = s.purse[seat], 0
        for material in range(4):
            if amount(held, material) > 500:
                return PURSE
            whole += piece(material, amount(held, material))
        if held < 0 or whole != held:
            return PURSE
        total = 0
        for source in range(len(SOURCES)):
            total += s.points[seat, source]
        if total != s.score[seat]:
            return SUM
        if s.score[seat] < before.score[seat]:
            return FALL
    if s.lintels < 0 or s.columns < 0:
        return QUARRY
    return FINE


@njit
def broken_by_dice(c, s):
    """Return the law about dice that is broken, or FINE."""
    workers, masters, full = np.zeros(5, np.int64), np.zeros(5, np.int64), True
    for area in range(len(AREAS)):
        row, n = s.row[area], s.dice[area]
        if n > c.areas.open[s.players - 2, area]:
            return SPACES
        full &= n == c.areas.open[s.players - 2, area]
        neutral = 0
        for place in range(7):
            key, owner = key_at(row, place), owner_at(row, place)
            if (place > 0 and key < key_at(row, place - 1)) or (key == FREE >> 3) != (place >= n):
                return SORTED
            if place < n:
                if owner == NEUTRAL:
                    neutral += 1
                elif owner >= s.players:
                    return DICE
                workers[owner] += is_worker(key)
                masters[owner] += 1 - is_worker(key)
        if s.asks != ask.TRACKS and neutral != c.areas.neutral[s.players - 2, area]:
            return DICE
    for seat in range(s.players):
        for place in range(s.in_hand[seat]):
            key = key_at(s.hand[seat], place)
            if owner_at(s.hand[seat], place) != seat or not 1 <= pips(key) <= 6:
                return DICE
            workers[seat] += is_worker(key)
            masters[seat] += 1 - is_worker(key)
        there = s.asks != ask.TRACKS
        absent, missing = (
            there * c.rounds.events[s.this_round].workers - workers[seat],
            there * c.rounds.events[s.this_round].masters - masters[seat],
        )
        # a die may have passed once no area had a space
        if absent < 0 or missing < 0 or (absent + missing > 0 and not full):
            return DICE
    return FINE


@njit
def broken_by_tiles(c, s):
    """Return the law about tiles and Kings that is broken, or FINE."""
    count = np.zeros(KINDS, np.int64)
    for i in range(8):
        if s.crane[i] != NONE:
            count[s.crane[i]] += 1
        if s.window[i] != NONE:
            count[s.window[i]] += 1
    for kind in range(KINDS):
        count[kind] += s.pile[kind] + s.discarded[kind]
        for seat in range(s.players):
            count[kind] += s.tiles[seat, kind]
            if s.tiles[seat, kind] < 0:
                return TILES
        if count[kind] != c.tiles[kind] or s.pile[kind] < 0 or s.discarded[kind] < 0:
            return TILES
    taken = 0
    for seat in range(s.players):
        if s.king[seat] != NONE:
            if taken >> s.king[seat] & 1:
                return KINGS
            taken |= 1 << s.king[seat]
    if s.taken != taken:
        return KINGS
    seen = np.zeros(VILLAGE_TILES, np.int64)
    for i in range(s.village_left):
        seen[s.village_pile[i]] += 1
    for i in range(8):
        if s.village[i] != NONE:
            seen[s.village[i]] += 1
    for i in range(len(s.space_tile)):
        if (s.space_tile[i] == NONE) != (s.space_owner[i] == NONE):
            return VILLAGE
        if s.space_tile[i] != NONE:
            seen[s.space_tile[i]] += 1
    if seen.max() > 1:
        return VILLAGE
    seen = np.zeros(CONSTRUCTION_TILES, np.int64)
    for i in range(s.site_left[0]):
        seen[s.site_pile[i]] += 1
    for i in range(s.site_left[1]):
        seen[s.site_pile[c.construction.level_one + i]] += 1
    for i in range(8):
        if s.site[i] != NONE:
            seen[s.site[i] % CONSTRUCTION_TILES] += 1
            if c.rules.construction_set < 2 and s.site[i] // CONSTRUCTION_TILES != c.rules.construction_set:
                return SITE
    for i in range(len(s.builder)):
        if s.builder[i] != NONE:
            seen[i % CONSTRUCTION_TILES] += 1
    return SITE if seen.max() > 1 else FINE


@njit
def illegal(c, s, o):
    """Return the law that an option breaks, or FINE."""
    seat, asks, thing, space = s.player, s.asks, np.int64(o.thing), np.int64(o.space)
    if o.bought < 0 or o.bought > s.labour[seat] or (o.bought > 0 and s.value + o.bought > 6) or o.food < 0:
        return PIPS
    if asks == ask.KING and s.taken >> thing & 1:
        return THERE
    if asks == ask.PLACE and o.act:
        found = False
        for place in range(s.in_hand[seat]):
            found |= key_at(s.hand[seat], place) == o.die
        return FINE if found and s.dice[thing] < c.areas.open[s.players - 2, thing] else THERE
    if asks == ask.FOREST and o.act:
        price = c.forest.near_pips if s.turn < c.forest.near_spaces else c.forest.far_pips
        cost = o.goods * price + o.food * c.forest.food_pips
        return FINE if 0 < cost <= s.value + o.bought else PAY
    if asks == ask.VILLAGE and o.act:
        if s.village[space] != thing:
            return THERE
        tile = c.village.tiles[thing]
        return (
            FINE
            if tile.goods == o.goods and can_pay(s.purse[seat], o.goods) and tile.pips <= s.value + o.bought
            else PAY
        )
    if asks == ask.SPACE:
        open_rows = s.food[seat] // c.tracks.food.per_row + 1
        there = (
            s.space_owner[space] == NONE
            and space // c.village.row_spaces < open_rows
            and space < c.village.rows * c.village.row_spaces
        )
        return FINE if there else THERE
    if asks == ask.QUARRY and o.act:
        if amount(o.goods, LINTEL) > s.lintels or amount(o.goods, COLUMN) > s.columns:
            return STOCK
        cost = 0
        for material in range(1, 4):
            cost += amount(o.goods, material) * c.quarry.pips[material]
        return FINE if 0 < cost <= s.value + o.bought and amount(o.goods, WOOD) == 0 else PAY
    if asks == ask.CRANE and o.act:
        return FINE if space == s.turn and s.crane[space] == thing else THERE
    if asks == ask.WINDOW and o.act:
        if s.window[space] != thing or thing == NONE:
            return THERE
        return FINE if c.rules.window_cost or c.window.pips[space] <= s.value + o.bought else PAY
    if asks == ask.PICK:
        display = s.crane[space] if thing < STONEWORK_KINDS else s.window[space]
        return FINE if display == thing else THERE
    if asks == ask.PURCHASE and o.act:
        return FINE if -o.steps <= s.labour[seat] and s.construction[seat] == c.tracks.construction.last else PAY
    if asks == ask.BUILD and o.act:
        return FINE if s.site[space] == thing else THERE
    if asks == ask.MATERIALS:
        return FINE if can_pay(common(s.purse[seat], c.construction.tiles[s.chosen].goods), o.goods) else PAY
    if asks == ask.DISCARD:
        return FINE if s.tiles[seat, thing] > 0 else THERE
    return FINE


@njit
def same(a, b):
    """Return whether two options are the same choice."""
    return (
        a.goods == b.goods and a.thing == b.thing and a.act == b.act and a.die == b.die
        and a.space == b.space and a.bought == b.bought and a.food == b.food and a.steps == b.steps
    )  # fmt: skip


@njit
def note(s, o, notes):
    """Write down nothing: no law needs what was before the last decision."""


@njit
def broken_by_position(c, s, before, notes):
    """Return the law that is broken at a decision, or FINE."""
    law = broken_by_players(c, s, before)
    if law == FINE:
        law = broken_by_dice(c, s)
    if law == FINE and s.asks != ask.SPACE and s.asks != ask.MATERIALS:  # one tile is between display and place
        law = broken_by_tiles(c, s)
    return law


@njit
def broken_by_change(c, s, before, o):
    """Return the law that carrying out an option has broken, or FINE."""
    player, asks = before.player, before.asks
    for seat in range(s.players):
        change, steps = s.purse[seat] - before.purse[seat], s.labour[seat] - before.labour[seat]
        if seat != player:
            if change != 0 or steps != 0:
                return GOODS if change != 0 else LABOUR
            continue
        expected = 0
        if asks in (ask.FOREST, ask.QUARRY, ask.GIFT, ask.PURCHASE):
            expected = o.goods
        elif asks in (ask.VILLAGE, ask.MATERIALS):
            expected = -o.goods
        elif asks == ask.SPACE:
            bonus = c.village.space[o.space].bonus
            expected = piece(bonus - 1, 1) if 1 <= bonus <= 4 else 0
        elif asks == ask.CRANE and o.act and o.space == c.crane.n_steps - 1:
            expected = c.crane.last_wood
        elif asks == ask.KING:
            expected = goods(0, c.kings[o.thing].stone, 0, 0)
        if change != expected:
            return GOODS
        wanted = o.steps - o.bought
        if asks == ask.SPACE:
            wanted = 1 if c.village.space[o.space].bonus == 6 else 0
        elif asks == ask.KING:
            wanted = c.kings[o.thing].labour
        elif asks == ask.TRACKS:
            wanted = o.thing >> 1 & 1
        elif asks == ask.MATERIALS:
            tile = c.construction.tiles[before.chosen]
            wanted = -min(tile.labour, before.labour[seat]) if o.act or c.rules.incomplete_icons else 0
        if steps != min(wanted, c.tracks.labour.last - before.labour[seat]):
            return LABOUR
    taken = o.goods if asks == ask.QUARRY else 0
    if before.lintels - s.lintels != amount(taken, LINTEL) or before.columns - s.columns != amount(taken, COLUMN):
        return GOODS
    return FINE


@njit
def broken_at_the_end(c, s, before, notes):
    """Return the law that is broken at the end of a game, or FINE."""
    if s.this_round != 5 or broken_by_players(c, s, before) != FINE or broken_by_tiles(c, s) != FINE:
        return COUNTS
    everything, most, room = 0, 0, c.areas.open[s.players - 2].sum() - c.areas.neutral[s.players - 2].sum()
    for r in range(ROUNDS):
        hand = c.rounds.events[r].workers + c.rounds.events[r].masters
        everything, most = everything + hand, max(most, hand)
    for_all = most * s.players <= room
    for seat in range(s.players):
        placed = 0
        for area in range(len(AREAS)):
            placed += s.placed[seat, area]
        if placed > everything or (for_all and placed < everything):
            return COUNTS
        for r in range(5):
            for other in range(seat):
                if s.kings[seat, r] == s.kings[other, r]:
                    return COUNTS
    return FINE


REFEREE = compile_referee(
    GAME, __file__, illegal=illegal, same=same, note=note, broken_by_position=broken_by_position,
    broken_by_change=broken_by_change, broken_at_the_end=broken_at_the_end, most_decisions=1_500,
)  # fmt: skip
watched = partial(watch, GAME, REFEREE, LAWS)
