"""Draws from piles: each tile that is left is equally likely, and the construction tiles come level by level in any
order."""

from collections import Counter
from itertools import product

import icepool
import numpy as np
import pytest

from sim.moesteiro.state import CONSTRUCTION_TILES, KINDS, NONE, ROUNDS, VILLAGE_TILES
from tests.exact.many import CLOSE, FAR, begun, counted, draws, misfit

HALF = KINDS // 2
ONE_EACH, NOTHING = [1] * HALF, [0] * KINDS
LEVEL_ONE = 8


def piles(glass: bool, counts, others=ONE_EACH) -> list[int]:
    """Return tiles of all kinds: these counts for one sort of tile, `others` for the other sort."""
    return [*others, *counts] if glass else [*counts, *others]


def check_draws(glass: bool, counts, drawn: np.ndarray, discarded=NOTHING) -> None:
    """Check that each kind is drawn at as many values of the random event as there are tiles of it: that is count /
    total, exactly.

    Args:
        glass, counts: the tiles that can be drawn. drawn: see `draws`. discarded: what is to lie on the discards
            afterwards.
    """
    total, kind_at = sum(counts), {}
    for value, kind, *after in drawn.tolist():
        assert kind_at.setdefault(value, kind) == kind
        expected = piles(glass, counts)
        expected[kind] -= 1
        assert after == [*expected, *discarded]
    assert sorted(kind_at) == list(range(total))  # every value came up
    assert Counter(kind_at.values()) == {kind + HALF * glass: n for kind, n in enumerate(counts) if n}


@pytest.mark.parametrize("glass", [False, True])
def test_each_kind_is_drawn_by_as_many_events_as_it_has_tiles(glass):
    for counts in product(range(4), repeat=HALF):
        if any(counts):
            check_draws(glass, counts, draws(piles(glass, counts), NOTHING, glass))


@pytest.mark.parametrize("glass", [False, True])
@pytest.mark.parametrize("counts", [(21, 0, 0, 0), (0, 0, 0, 99), (7, 7, 7, 0), (1, 20, 3, 40)])
def test_larger_piles(glass, counts):
    check_draws(glass, counts, draws(piles(glass, counts), NOTHING, glass, keys=4_000))


@pytest.mark.parametrize("glass", [False, True])
def test_an_empty_pile_gives_nothing_and_keeps_the_discards(glass):
    discarded = [2, 0, 1, 3, 1, 4, 0, 2]
    pile = piles(glass, [0] * HALF)
    for changes, rest in (((), discarded), (("rules.reshuffle=true",), NOTHING)):
        drawn = draws(pile, rest, glass, changes)
        assert (drawn[:, 1] == NONE).all()
        assert (drawn[:, 2:] == [*pile, *rest]).all()


@pytest.mark.parametrize("glass", [False, True])
def test_discards_make_a_new_pile_by_a_switch(glass):
    for counts in product(range(3), repeat=HALF):
        if any(counts):
            gone, others = piles(glass, counts, [3] * HALF), piles(glass, [0] * HALF, [3] * HALF)
            drawn = draws(piles(glass, [0] * HALF), gone, glass, ("rules.reshuffle=true",))
            check_draws(glass, counts, drawn, discarded=others)
    # Not before the pile has run out.
    gone = [3] * KINDS
    check_draws(
        glass, (1, 0, 2, 0), draws(piles(glass, (1, 0, 2, 0)), gone, glass, ("rules.reshuffle=true",)), discarded=gone
    )


# --- displays ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "kinds", "each", "slots"), [("crane", range(3), 7, 5), ("window", (4, 5), 7, 3)])
def test_the_first_tiles_on_a_display(name, kinds, each, slots):
    seen = counted(begun(4).shown[name][:, 0, :slots])
    assert misfit(seen, icepool.Deck(dict.fromkeys(kinds, each)).sequence(slots)) < CLOSE
    # Were they put back after each draw, more of them would be of one kind.
    assert misfit(seen, icepool.tupleize(*[icepool.Die(kinds)] * slots)) > FAR


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "name", "tiles"), [
    ((), "crane", {0: 7, 1: 7, 2: 7}),
    ((), "window", {4: 7, 5: 7}),
    (("stonework.tiles=23", "stonework.kinds=4"), "crane", {0: 6, 1: 6, 2: 6, 3: 5}),
    (("glass.tiles=9", "glass.kinds=1"), "window", {4: 9}),
])  # fmt: skip
def test_every_tile_of_the_box_comes_up_once(changes, name, tiles):
    slots, total = {"crane": 5, "window": 3}[name], sum(tiles.values())
    shown = begun(4, changes).shown[name]
    assert (shown[:, :, slots:] == NONE).all()
    in_turn = shown[:, :, :slots].reshape(len(shown), -1)
    shown_in_all = min(total, in_turn.shape[1])
    assert (in_turn[:, :shown_in_all] != NONE).all()
    assert (in_turn[:, shown_in_all:] == NONE).all()
    if shown_in_all == total:
        for kind, number in tiles.items():
            assert ((in_turn == kind).sum(1) == number).all()
    else:
        left = icepool.Deck(tiles).deal(total - shown_in_all).expand()
        seen = counted(np.stack([number - (in_turn == kind).sum(1) for kind, number in tiles.items()], 1))
        assert misfit(seen, left.map(lambda kinds: tuple(kinds.count(kind) for kind in tiles))) < CLOSE


def test_village_tiles_come_in_any_order_and_once_each():
    in_turn = begun(4).shown["village"][:, :, :4].reshape(-1, 4 * ROUNDS)
    assert (np.diff(np.sort(in_turn, 1), axis=1) > 0).all()
    assert ((in_turn >= 0) & (in_turn < VILLAGE_TILES)).all()
    exact = icepool.Deck(range(VILLAGE_TILES)).sequence(2)
    for pair in ((0, 1), (3, 4), (18, 19), (0, 19)):
        assert misfit(counted(in_turn[:, pair]), exact) < CLOSE


# --- construction tiles -----------------------------------------------------------------------------------------------


def sites(*changes: str, on_show: int = 4) -> np.ndarray:
    """Return the construction tiles in the order in which they come up: (keys, tiles)."""
    shown = begun(4, changes).shown["site"]
    assert (shown[:, :, on_show:] == NONE).all()
    return shown[:, :, :on_show].reshape(len(shown), -1)


@pytest.mark.slow
@pytest.mark.parametrize("level_one", [0, 1, 3, 8, 12, 20])
@pytest.mark.parametrize(("chosen", "base"), [("a", 0), ("b", CONSTRUCTION_TILES)])
def test_level_one_comes_first_and_each_tile_once(level_one, chosen, base):
    in_turn = sites(f"construction.level_one={level_one}", f"rules.construction_set={chosen}") - base
    assert (np.sort(in_turn[:, :level_one], 1) == np.arange(level_one)).all()
    assert (np.sort(in_turn[:, level_one:], 1) == np.arange(level_one, CONSTRUCTION_TILES)).all()


@pytest.mark.slow
@pytest.mark.parametrize("level_one", [3, 4, 5])
def test_all_orders_of_a_level_are_equally_likely(level_one):
    seen = counted(sites(f"construction.level_one={level_one}")[:, :level_one])
    assert misfit(seen, icepool.Deck(range(level_one)).sequence(level_one)) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("pair", [(0, 1), (0, 7), (3, 4), (8, 9), (11, 12), (18, 19), (7, 8)])
def test_any_two_of_the_printed_levels(pair):
    levels = [range(LEVEL_ONE) if place < LEVEL_ONE else range(LEVEL_ONE, CONSTRUCTION_TILES) for place in pair]
    one_level = levels[0] == levels[1]
    exact = icepool.Deck(levels[0]).sequence(2) if one_level else icepool.tupleize(*map(icepool.Die, levels))
    assert misfit(counted(sites()[:, pair]), exact) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("on_show", [1, 3])
def test_fewer_tiles_on_show(on_show):
    in_turn = sites(f"construction.on_show={on_show}", on_show=on_show)
    first = in_turn[:, : min(LEVEL_ONE, in_turn.shape[1])]
    assert (first < LEVEL_ONE).all()
    assert (in_turn[:, LEVEL_ONE:] >= LEVEL_ONE).all()
    assert (np.diff(np.sort(in_turn, 1), axis=1) > 0).all()
    assert misfit(counted(in_turn[:, :2]), icepool.Deck(range(LEVEL_ONE)).sequence(2)) < CLOSE


@pytest.mark.slow
def test_in_a_mixed_set_each_number_comes_from_a_or_b_by_itself():
    in_turn = sites("rules.construction_set=mixed")
    assert (np.sort(in_turn % CONSTRUCTION_TILES, 1) == np.arange(CONSTRUCTION_TILES)).all()
    by_number = np.zeros_like(in_turn)
    np.put_along_axis(by_number, in_turn % CONSTRUCTION_TILES, in_turn // CONSTRUCTION_TILES, 1)
    coin = icepool.Die([0, 1])
    for numbers in (range(8), range(8, 14), range(14, 20)):
        assert misfit(counted(by_number[:, numbers]), icepool.tupleize(*[coin] * len(numbers))) < CLOSE
    assert misfit(counted(by_number.sum(1)), CONSTRUCTION_TILES @ coin) < CLOSE
    assert misfit(counted(by_number.sum(1)), coin.map(lambda side: CONSTRUCTION_TILES * side)) > FAR  # one coin for all
