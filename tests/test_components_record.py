"""What is printed in Moesteiro reaches the engine's record: every number, every rule."""

import numpy as np
import pytest

from sim.moesteiro.components import SWITCH_RULES, Rules
from sim.moesteiro.purse import MATERIALS
from sim.moesteiro.state import BONUSES, SWITCHES
from sim.printed.components import ComponentsError, read

BASE = read("moesteiro")


def amounts(purse):
    return [int(purse) >> 12 * lane & 0xFFF for lane in range(4)]


def test_the_record():
    record = BASE.record[0]
    assert BASE.record.shape == (1,)
    assert isinstance(BASE.record, np.recarray)
    assert record["king"]["number"].tolist() == [1, 2, 3, 4, 5, 6]
    powers = ("labour", "vp", "stone", "gift", "construction", "builds_first")
    assert [[int(record["king"][power][n]) for power in powers] for n in range(6)] == np.diag(
        [1, 3, 1, 1, 2, 1]
    ).tolist()
    assert record["spaces"][2:].tolist() == [[5, 3, 3, 5, 3], [5, 4, 4, 5, 3], [5, 4, 5, 5, 3]]
    assert record["neutral"][2:].tolist() == [[2, 0, 0, 1, 0], [1, 0, 0, 1, 0], [0, 0, 0, 0, 0]]
    assert record["workers"].tolist() == [2, 2, 3, 2, 1]
    assert record["masters"].tolist() == [1, 1, 1, 2, 2]
    assert amounts(record["round_goods"][0]) == [1, 1, 0, 0]
    assert record["quarry_highest_from"] == 3
    assert record["labour_vp"][: record["labour_last"] + 1].tolist() == [0, 0, 1, 2, 3, 4, 5, 7, 8, 10, 12]
    assert record["tiles"].tolist() == [7, 7, 7, 0, 7, 7, 0, 0]
    assert record["set_vp"].tolist() == [0, 1, 4, 9, 16, 25]
    for n, tile in enumerate(BASE.model.construction.a + BASE.model.construction.b):
        packed = record["construction_tile"][n]
        assert amounts(packed["price"]) == [getattr(tile, material) for material in MATERIALS]
        for name in ("vp", "steps", "food", "labour", "stonework", "glass"):
            assert packed[name] == getattr(tile, name)
    for n, tile in enumerate(BASE.model.village.tiles):
        assert (*amounts(record["village_tile"]["price"][n]), record["village_tile"]["pips"][n]) == (
            tile.wood,
            tile.stone,
            0,
            0,
            tile.pips,
        )
    assert BONUSES[record["space"]["bonus"][record["row_spaces"]]] == BASE.model.village.spaces[1][0].bonus


@pytest.mark.slow
def test_every_number_reaches_the_record():
    for path, n in BASE.numbers.items():
        others = (
            (n.value + 1, n.value - 1, n.value + 9)
            if isinstance(n.value, int)
            else [word for word in BONUSES if word != n.value][:1]
        )
        for value in others:
            try:
                changed = read("moesteiro", changes=[f"{path}={value}"])
            except ComponentsError:
                continue
            assert changed.record.tobytes() != BASE.record.tobytes(), path
            break
        else:
            assert path in ("tracks.labour.start", "areas.spaces.crane"), path  # these go together with others


def test_every_rule_reaches_the_record():
    assert tuple(SWITCH_RULES) == SWITCHES
    assert [f"rules.{rule}" for rule in (*SWITCH_RULES.values(), "construction_set")] == [
        f"rules.{rule}" for rule in BASE.rules
    ]
    assert not any(BASE.record[0][switch] for switch in (*SWITCHES, "construction_set"))
    for switch, rule in SWITCH_RULES.items():
        value = "true" if BASE.rules[rule] is False else Rules.model_fields[rule].annotation.__args__[1]
        record = read("moesteiro", changes=[f"rules.{rule}={value}"]).record[0]
        assert [name for name in (*SWITCHES, "construction_set") if record[name]] == [switch]
    assert [
        read("moesteiro", changes=[f"rules.construction_set={s}"]).record[0]["construction_set"]
        for s in ("a", "b", "mixed")
    ] == [
        0,
        1,
        2,
    ]
