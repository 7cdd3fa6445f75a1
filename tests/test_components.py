"""Components: every number comes back with its source and its digest, and files and changes replace what they say."""

import csv
import io
import random
import re
import tomllib
from pathlib import Path

import pytest

from sim.moesteiro.state import BONUSES
from sim.printed.component_files import COLUMNS
from sim.printed.components import read, to_csv

BASE = read("moesteiro")


def written(tmp_path, text, name="mine.toml"):
    file = tmp_path / name
    file.write_text(text, "utf-8")
    return file


# --- the default tables -----------------------------------------------------------------------------------------------


def test_every_number_has_a_source_and_the_rules_are_not_counted():
    assert (
        BASE.counts.numbers == len(BASE.numbers) == sum(isinstance(n.value, int) for n in BASE.numbers.values()) + 16
    )  # 16 words: the bonuses
    assert BASE.counts.assumed == sum(n.source == "assumed" for n in BASE.numbers.values())
    assert 0 < BASE.counts.assumed < BASE.counts.numbers
    assert not any(path.startswith("rules.") for path in BASE.numbers)
    assert {n.source for n in BASE.numbers.values()} == {"rulebook", "published", "assumed"}
    assert all(n.note for n in BASE.numbers.values() if n.source == "published")


def test_assumed_numbers_lie_in_their_ranges():
    for path, n in BASE.numbers.items():
        if n.source == "assumed" and isinstance(n.value, int):
            assert n.low < n.high, path
            assert n.low <= n.value <= n.high, path


def test_assumed_numbers_can_be_drawn_anew():
    chance = random.Random(1)
    ranges = {
        path: (n.low, n.high) for path, n in BASE.numbers.items() if n.low is not None and not path.startswith("kings.")
    }
    for _ in range(10):
        drawn = read("moesteiro", changes=[f"{path}={chance.randint(*ends)}" for path, ends in ranges.items()])
        assert drawn.counts.numbers == BASE.counts.numbers


@pytest.mark.parametrize(("set_", "n"), [(s, n) for s in "ab" for n in range(1, 21)])
def test_construction_tiles_follow_the_formula_that_stands_above_them(set_, n):
    tile = getattr(BASE.model.construction, set_)[n - 1]
    weight = {"wood": 3, "stone": 3, "lintel": 5, "column": 7, "food": 3, "labour": 2, "stonework": 3, "glass": 3}
    assert abs(tile.vp - 3 - tile.steps - sum(w * getattr(tile, thing) for thing, w in weight.items())) <= 1
    things = sum(getattr(tile, thing) for thing in weight)
    low, high, few, many = (8, 16, 2, 3) if n <= BASE.model.construction.level_one else (14, 30, 3, 6)
    assert low <= tile.vp <= high
    assert few <= things <= many


def test_village():
    tiles = [(t.wood, t.stone, t.pips) for t in BASE.model.village.tiles]
    assert (0, 2, 0) in tiles
    assert len(set(tiles)) == 24
    assert all(1 <= wood + stone <= 4 and 2 <= wood + stone + pips <= 5 for wood, stone, pips in tiles)
    spaces = [space for row in BASE.model.village.spaces for space in row]
    assert {space.bonus for space in spaces} == set(BONUSES)
    assert any(space.vp == 5 for space in spaces)


def test_pig():
    pig = read("pig")
    assert (pig.counts, pig.rules) == ((0, 0, 3), {})
    assert {path: n.value for path, n in pig.numbers.items()} == {"goal": 100, "faces": 6, "ruin": 1}
    assert pig.numbers["goal"].source == "published"
    assert read("pig", changes=["goal=50"]).record[0]["goal"] == 50


def test_the_file_keeps_the_order_of_the_model():
    text = Path(__file__).parents[1].joinpath("sim/moesteiro/components.toml").read_text("utf-8")
    assert [key for key in tomllib.loads(text) if key != "source"] == list(type(BASE.model).model_fields)


# --- replacing --------------------------------------------------------------------------------------------------------


def test_a_file_holds_only_what_differs(tmp_path):
    mine = read(
        "moesteiro",
        [
            written(
                tmp_path, "[kings.afonso_v]\nvp = 2\n[village.tiles.7]\npips = 1\n[crane]\nsteps = [4, 2, 2, 1, 1]\n"
            )
        ],
    )
    changed = {path for path in BASE.numbers if mine.numbers[path].value != BASE.numbers[path].value}
    assert changed == {"kings.afonso_v.vp", "village.tiles.7.pips", "crane.steps.1"}
    assert {path for path, n in mine.numbers.items() if n.source == "given"} == changed | {
        f"crane.steps.{n}" for n in range(1, 6)
    }
    assert mine.counts.assumed == BASE.counts.assumed - 6
    assert list(mine.numbers) == list(BASE.numbers)


def test_a_file_may_bring_its_own_sources(tmp_path):
    entry = '[[source]]\npaths = ["kings.*.number"]\nsource = "published"\nnote = "a photograph"\n'
    mine = read("moesteiro", [written(tmp_path, "[kings]\nafonso_v.number = 3\nduarte.number = 2\n" + entry)])
    assert {mine.numbers[f"kings.{king}.number"].source for king in ("afonso_v", "duarte", "joao_i")} == {"published"}
    assert mine.numbers["kings.duarte.number"].note == "a photograph"


def test_later_files_and_changes_win(tmp_path):
    first, second = (
        written(tmp_path, "kings.afonso_v.vp = 5", "a.toml"),
        written(tmp_path, "path,value\nkings.afonso_v.vp,6\n", "b.csv"),
    )
    assert read("moesteiro", [first, second]).numbers["kings.afonso_v.vp"].value == 6
    assert read("moesteiro", [second, first]).numbers["kings.afonso_v.vp"].value == 5
    changed = read("moesteiro", [first, second], ["kings.afonso_v.vp=7", "kings.afonso_v.vp=8"])
    assert changed.numbers["kings.afonso_v.vp"].value == 8
    assert changed.numbers["kings.afonso_v.vp"].source == "given"


def test_numbers_that_only_go_together_in_the_end_may_stand_in_two_places(tmp_path):
    swapped = read("moesteiro", [written(tmp_path, "kings.manuel_i.number = 1")], ["kings.joao_i.number=6"])
    assert swapped.record[0]["kings"]["number"].tolist() == [6, 2, 3, 4, 5, 1]


def test_the_digest_changes_if_and_only_if_a_value_does(tmp_path):
    assert re.fullmatch("[0-9a-f]{16}", BASE.digest)
    same = written(tmp_path, 'kings.afonso_v.vp = 3\n[[source]]\npaths = ["*.*.*"]\nsource = "given"\n')
    assert read("moesteiro", [same]).digest == BASE.digest
    paths = [
        "kings.afonso_v.vp",
        "start.seat4.labour",
        "construction.b.20.glass",
        "village.tiles.1.pips",
        "rounds.events.2.tracks",
    ]
    digests = {read("moesteiro", changes=[f"{path}={BASE.numbers[path].value + 1}"]).digest for path in paths}
    digests |= {
        read("moesteiro", changes=[change]).digest for change in ("rules.reshuffle=true", "rules.displays=before_kings")
    }
    assert len(digests | {BASE.digest}) == 8


@pytest.mark.slow
def test_csv_round_trip(tmp_path):
    longer = (
        "tracks.labour = { start = 6, vp = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }\nrules.reshuffle = "
        "true\nwindow.pips = [0, 1]\n"
    )
    spaces = ", ".join(['[{ vp = 1, bonus = "none" }, { vp = 2, bonus = "glass" }, { vp = 3, bonus = "none" }]'] * 5)
    entry = '[[source]]\npaths = ["window.pips.*"]\nsource = "assumed"\nlow = 0\nhigh = 5\nnote = "a, \\"b\\"\\n; c"\n'
    own = f"village.spaces = [{spaces}]\n{entry}"
    for n, first in enumerate(([], [written(tmp_path, longer)], [written(tmp_path, own, "own.toml")])):
        for delimiter in ",;":
            components = read("moesteiro", first, ["start.seat2.vp=3"])
            text = to_csv(components)
            if delimiter == ";":
                out = io.StringIO()
                csv.writer(out, delimiter=";").writerows(csv.reader(io.StringIO(text, newline="")))
                text = "\ufeff" + out.getvalue()
            again = read("moesteiro", [written(tmp_path, text, f"mine{n}.csv")])
            assert again.digest == components.digest
            assert again.numbers == components.numbers
            assert again.rules == components.rules
            assert list(again.numbers) == list(components.numbers)
            assert again.record.tobytes() == components.record.tobytes()


def test_csv_shows_assumed_numbers_first():
    rows = list(csv.DictReader(io.StringIO(to_csv(BASE))))
    assert tuple(rows[0]) == COLUMNS
    assert all(row["source"] == "assumed" for row in rows[: BASE.counts.assumed])
    assert not any(row["source"] == "assumed" for row in rows[BASE.counts.assumed :])
    assert [row["path"] for row in rows[: BASE.counts.assumed]] == [
        path for path, n in BASE.numbers.items() if n.source == "assumed"
    ]
    assert [row["path"] for row in rows if row["source"] == "ruling"] == [f"rules.{rule}" for rule in BASE.rules]


def test_a_csv_row_with_the_old_value_still_brings_its_source(tmp_path):
    mine = read(
        "moesteiro",
        [written(tmp_path, "path,value,source,low,high,note\nkings.joao_i.number,1,given,,,my copy\n", "mine.csv")],
    )
    assert mine.digest == BASE.digest
    assert mine.counts.assumed == BASE.counts.assumed - 1
    assert mine.numbers["kings.joao_i.number"].note == "my copy"
