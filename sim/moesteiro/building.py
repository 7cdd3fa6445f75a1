"""Building the monastery: the purchase at the end of the construction track, the tile, the materials put in."""

from numba import njit

from sim.moesteiro.beginning import sort_order
from sim.moesteiro.dice import EMPTY
from sim.moesteiro.offers import offer
from sim.moesteiro.purse import MATERIALS, common, mix_after, piece, pieces
from sim.moesteiro.state import FROM_BUILDING, FROM_UNFINISHED, GLASS_KINDS, NONE, PURCHASES, STONEWORK_KINDS
from sim.moesteiro.tracks import PURCHASE_DRAW, address, draw_glass, draw_stonework, gain, labour_left, tiles_left


@njit
def order_by_construction(components, state):
    """Set the building order: the King who builds first, then the lowest on the construction track, ties in turn
    order."""
    for seat in range(state.players):
        state.keys[seat] = state.construction[seat] * 8 + state.turn_at[seat, state.this_round]
        if components.kings[state.king[seat]].builds_first:
            state.keys[seat] -= 1 << 20
    sort_order(state)


@njit(forceinline=True)
def offer_purchases(components, state, words):
    """Offer to a player at the end of the construction track to buy one item that is there with labour steps, or
    none."""
    seat = state.player
    if state.construction[seat] < components.tracks.construction.last:
        return 0
    n = offer(words, 0)
    for thing in range(len(PURCHASES) if components.rules.purchase_tiles else len(MATERIALS)):
        price, there = components.purchase[thing], True
        if thing == len(MATERIALS):
            there = tiles_left(components, state, 0, STONEWORK_KINDS) > 0
        elif thing > len(MATERIALS):
            there = tiles_left(components, state, STONEWORK_KINDS, GLASS_KINDS) > 0
        if price <= state.labour[seat] and there:
            n = offer(
                words, n, thing=thing, act=1, steps=-price, goods=piece(thing, 1) if thing < len(MATERIALS) else 0
            )
    return n


@njit
def purchase(components, state, option):
    """Pay the labour steps and take the item: materials from the supply, tiles from the pile."""
    if option.act:
        seat, thing = state.player, int(option.thing)
        labour_left(components, state, seat, -int(option.steps))
        state.purchased[seat, thing] += 1
        state.purse[seat] += option.goods
        if thing >= len(MATERIALS):
            where = address(PURCHASE_DRAW, state.this_round, state.person[seat])
            kind = (
                draw_stonework(components, state, where)
                if thing == len(MATERIALS)
                else draw_glass(components, state, where)
            )
            if kind != NONE:
                state.tiles[seat, kind] += 1


@njit(forceinline=True)
def tiles_of(state, seat, first, kinds):
    """Return how many tiles of some kinds a player holds."""
    held = 0
    for kind in range(first, first + kinds):
        held += state.tiles[seat, kind]
    return held


@njit(forceinline=True)
def stonework_of(state, seat):
    """Return how many stonework tiles a player holds."""
    return tiles_of(state, seat, 0, STONEWORK_KINDS)


@njit(forceinline=True)
def glass_of(state, seat):
    """Return how many stained glass tiles a player holds."""
    return tiles_of(state, seat, STONEWORK_KINDS, GLASS_KINDS)


@njit(forceinline=True)
def icons_paid(state, seat, tile):
    """Return whether the player can pay every icon of a construction tile."""
    return (
        tile.food <= state.food[seat]
        and tile.labour <= state.labour[seat]
        and (tile.stonework == 0 or tile.stonework <= stonework_of(state, seat))
        and (tile.glass == 0 or tile.glass <= glass_of(state, seat))
    )


@njit(forceinline=True)
def can_complete(state, seat, tile):
    """Return whether the player, with all the materials, would complete a tile: all its steps made, every icon paid."""
    return tile.steps <= state.construction[seat] and icons_paid(state, seat, tile)


@njit(forceinline=True)
def offer_building(components, state, words):
    """Offer to pass, and each construction tile on show that the player can put something on or complete."""
    seat = state.player
    n = offer(words, 0)
    for i in range(components.construction.on_show):
        if state.site[i] != NONE:
            tile = components.construction.tiles[state.site[i]]
            useful = common(state.purse[seat], tile.goods)
            if useful > 0 or (tile.goods == 0 and can_complete(state, seat, tile)):
                n = offer(words, n, thing=int(state.site[i]), act=1, space=i, goods=useful)
    return n


@njit(forceinline=True)
def build(components, state, option):
    """Take a construction tile and move down its steps, as far as possible."""
    seat, at = state.player, int(option.space)
    state.chosen = int(option.thing)
    state.site[at] = NONE
    steps = components.construction.tiles[state.chosen].steps
    state.unused = max(0, steps - state.construction[seat])  # steps that could not be made
    state.construction[seat] -= steps - state.unused


@njit(forceinline=True)
def offer_materials(components, state, words):
    """Offer each mix of materials to put on the tile: any or all of what it asks for and the player has."""
    seat, n = state.player, 0
    tile = components.construction.tiles[state.chosen]
    completes = state.unused == 0 and icons_paid(state, seat, tile)
    most, put = common(state.purse[seat], tile.goods), 0
    while True:
        act = 1 if completes and put == tile.goods else 0
        if put > 0 or act:
            n = offer(words, n, act=act, goods=put)
        put = mix_after(put, most)
        if put == 0:
            return n


@njit(forceinline=True)
def put_in(components, state, option):
    """Put the materials on the tile and pay its icons; what has to be discarded is asked for next (state.owed), then
    the points come."""
    seat = state.player
    tile = components.construction.tiles[state.chosen]
    state.purse[seat] -= option.goods
    state.builder[state.chosen] = seat if option.act else seat + 4
    state.due = tile.vp if option.act else components.construction.unfinished_vp * -pieces(option.goods)
    # on an incomplete tile icons are owed as far as they can be paid (a switch)
    if option.act or components.rules.incomplete_icons:
        state.food[seat] -= min(tile.food, state.food[seat])
        labour_left(components, state, seat, min(tile.labour, state.labour[seat]))
        state.owed[0] = min(tile.stonework, stonework_of(state, seat))
        state.owed[1] = min(tile.glass, glass_of(state, seat))


@njit(forceinline=True)
def offer_discards(state, words):
    """Offer the kinds of tile that can be given up for an icon, stonework first; 0 when nothing is owed."""
    n, seat = 0, state.player
    if state.owed[0] > 0:
        for kind in range(STONEWORK_KINDS):
            if state.tiles[seat, kind] > 0:
                n = offer(words, n, thing=kind, act=1)
    elif state.owed[1] > 0:
        for kind in range(STONEWORK_KINDS, STONEWORK_KINDS + GLASS_KINDS):
            if state.tiles[seat, kind] > 0:
                n = offer(words, n, thing=kind, act=1)
    return n


@njit(forceinline=True)
def discard(state, option):
    """Give up a tile for an icon."""
    kind = int(option.thing)
    state.tiles[state.player, kind] -= 1
    state.discarded[kind] += 1
    state.owed[0 if kind < STONEWORK_KINDS else 1] -= 1


@njit(forceinline=True)
def score_tile(state):
    """Score the construction tile that has been paid for."""
    gain(state, state.player, FROM_BUILDING if state.due > 0 else FROM_UNFINISHED, abs(state.due))


@njit
def finish_round(state):
    """Return the dice and the Kings, empty the quarry, and clear away the village and construction tiles that are
    left."""
    for seat in range(state.players):
        state.after[seat, state.this_round] = state.score[seat]
    state.row[:] = EMPTY
    state.dice[:] = 0
    state.king[:] = NONE
    state.taken = 0
    state.lintels = state.columns = 0
    state.village[:] = NONE
    state.site[:] = NONE
