"""What follows from the printed numbers of Moesteiro, against what its component file says."""

import pytest

from sim.moesteiro.purse import MATERIALS
from sim.moesteiro.state import BONUSES
from sim.printed.components import read
from tests.moesteiro.tools import amounts

BASE = read("moesteiro")
RECORD = BASE.record[0]


def test_open_spaces_by_number_of_players():
    assert RECORD.areas.open.tolist() == [[5, 3, 3, 5, 3], [5, 4, 4, 5, 3], [5, 4, 5, 5, 3]]
    changed = read("moesteiro", changes=["areas.closed.players3.forest=1"]).record[0]
    assert changed.areas.open.tolist() == [[5, 3, 3, 5, 3], [4, 4, 4, 5, 3], [5, 4, 5, 5, 3]]


def test_neutral_workers_by_number_of_players():
    assert RECORD.areas.neutral.tolist() == [[2, 0, 0, 1, 0], [1, 0, 0, 1, 0], [0, 0, 0, 0, 0]]


def test_goods_are_purses():
    assert [amounts(event.goods) for event in RECORD.rounds.events[:2]] == [(1, 1, 0, 0), (0, 0, 0, 0)]
    changes = [f"start.seat3.{material}={n + 1}" for n, material in enumerate(MATERIALS)]
    starts = read("moesteiro", changes=changes).record[0].start
    assert [amounts(seat.goods) for seat in starts] == [(0, 0, 0, 0), (0, 0, 0, 0), (1, 2, 3, 4), (0, 0, 0, 0)]
    for packed, tile in zip(RECORD.village.tiles, BASE.model.village.tiles, strict=True):
        assert amounts(packed.goods) == (tile.wood, tile.stone, 0, 0)


def test_the_construction_tiles_of_set_a_come_before_those_of_set_b():
    tiles = [*BASE.model.construction.a, *BASE.model.construction.b]
    for packed, tile in zip(RECORD.construction.tiles, tiles, strict=True):
        assert amounts(packed.goods) == tuple(getattr(tile, material) for material in MATERIALS)
        for name in ("vp", "steps", "food", "labour", "stonework", "glass"):
            assert packed[name] == getattr(tile, name)


def test_prices_of_the_quarry_by_material():
    changes = ["quarry.stone_pips=4", "quarry.lintel_pips=5", "quarry.column_pips=6"]
    assert read("moesteiro", changes=changes).record[0].quarry.pips.tolist() == [0, 4, 5, 6]


def test_points_of_sets_by_size():
    assert RECORD.sets.of_size.tolist() == [0, 1, 4, 9, 16, 25]


def test_the_last_space_of_the_labour_track():
    assert RECORD.tracks.labour.last == 10


def test_the_spaces_of_the_village_row_by_row():
    village = RECORD.village
    assert (village.rows, village.row_spaces) == (4, 4)
    spaces = [(3, "lintel"), (3, "stonework"), (3, "glass"), (2, "column"), (5, "construction"), (5, "stone")]
    assert [(space.vp, BONUSES[space.bonus]) for space in village.space[:6]] == spaces
    assert [space.vp for space in village.space[12:18]] == [9, 9, 8, 10, 0, 0]


@pytest.mark.parametrize(
    ("changes", "tiles"),
    [
        ((), [7, 7, 7, 0, 7, 7, 0, 0]),
        (("stonework.tiles=23", "stonework.kinds=4", "glass.tiles=8", "glass.kinds=3"), [6, 6, 6, 5, 3, 3, 2, 0]),
    ],
)
def test_the_tiles_of_a_box_are_of_equal_numbers_as_nearly_as_it_goes(changes, tiles):
    assert read("moesteiro", changes=changes).record[0].tiles.tolist() == tiles
