"""Component files: what is wrong is one clear line, what is right comes back with its source, its digest and the engine's record."""

import csv
import io
import random
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.components import COLUMNS, ComponentsError, read, to_csv
from sim.moesteiro.components import SWITCH_RULES, Rules
from sim.moesteiro.purse import MATERIALS
from sim.moesteiro.state import BONUSES, SWITCHES

FUZZ = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
BASE = read("moesteiro")


def amounts(purse):
    return [int(purse) >> 12 * lane & 0xFFF for lane in range(4)]


def written(tmp_path, text, name="mine.toml"):
    file = tmp_path / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return file


def refusal(*files, changes=()):
    with pytest.raises(ComponentsError) as caught:
        read("moesteiro", files, changes)
    line = str(caught.value)
    assert "\n" not in line
    assert line.isprintable()
    assert re.search(r": found .+; allowed .+", line), line
    assert "pydantic" not in line.lower()
    assert "Input should" not in line
    return line


# --- the default tables ---------------------------------------------------------------------------------------------------------------


def test_every_number_has_a_source_and_the_rules_are_not_counted():
    assert BASE.total == len(BASE.numbers) == sum(isinstance(n.value, int) for n in BASE.numbers.values()) + 16  # 16 words: the bonuses
    assert BASE.assumed == sum(n.source == "assumed" for n in BASE.numbers.values())
    assert 0 < BASE.assumed < BASE.total
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
    ranges = {path: (n.low, n.high) for path, n in BASE.numbers.items() if n.low is not None and not path.startswith("kings.")}
    for _ in range(10):
        drawn = read("moesteiro", changes=[f"{path}={chance.randint(*ends)}" for path, ends in ranges.items()])
        assert drawn.total == BASE.total


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
    assert (pig.total, pig.assumed, pig.rules) == (3, 0, {})
    assert {path: n.value for path, n in pig.numbers.items()} == {"goal": 100, "faces": 6, "ruin": 1}
    assert pig.numbers["goal"].source == "published"
    assert read("pig", changes=["goal=50"]).record[0]["goal"] == 50


# --- replacing ------------------------------------------------------------------------------------------------------------------------


def test_a_file_holds_only_what_differs(tmp_path):
    mine = read(
        "moesteiro", [written(tmp_path, "[kings.afonso_v]\nvp = 2\n[village.tiles.7]\npips = 1\n[crane]\nsteps = [4, 2, 2, 1, 1]\n")]
    )
    changed = {path for path in BASE.numbers if mine.numbers[path].value != BASE.numbers[path].value}
    assert changed == {"kings.afonso_v.vp", "village.tiles.7.pips", "crane.steps.1"}
    assert {path for path, n in mine.numbers.items() if n.source == "given"} == changed | {f"crane.steps.{n}" for n in range(1, 6)}
    assert mine.assumed == BASE.assumed - 6
    assert list(mine.numbers) == list(BASE.numbers)


def test_a_file_may_bring_its_own_sources(tmp_path):
    entry = '[[source]]\npaths = ["kings.*.number"]\nsource = "published"\nnote = "a photograph"\n'
    mine = read("moesteiro", [written(tmp_path, "[kings]\nafonso_v.number = 3\nduarte.number = 2\n" + entry)])
    assert {mine.numbers[f"kings.{king}.number"].source for king in ("afonso_v", "duarte", "joao_i")} == {"published"}
    assert mine.numbers["kings.duarte.number"].note == "a photograph"


def test_later_files_and_changes_win(tmp_path):
    first, second = written(tmp_path, "kings.afonso_v.vp = 5", "a.toml"), written(tmp_path, "path,value\nkings.afonso_v.vp,6\n", "b.csv")
    assert read("moesteiro", [first, second]).numbers["kings.afonso_v.vp"].value == 6
    assert read("moesteiro", [second, first]).numbers["kings.afonso_v.vp"].value == 5
    changed = read("moesteiro", [first, second], ["kings.afonso_v.vp=7", "kings.afonso_v.vp=8"])
    assert changed.numbers["kings.afonso_v.vp"].value == 8
    assert changed.numbers["kings.afonso_v.vp"].source == "given"


def test_numbers_that_only_go_together_in_the_end_may_stand_in_two_places(tmp_path):
    swapped = read("moesteiro", [written(tmp_path, "kings.manuel_i.number = 1")], ["kings.joao_i.number=6"])
    assert swapped.record[0]["king"]["number"].tolist() == [6, 2, 3, 4, 5, 1]


def test_the_digest_changes_if_and_only_if_a_value_does(tmp_path):
    assert re.fullmatch("[0-9a-f]{16}", BASE.digest)
    same = written(tmp_path, 'kings.afonso_v.vp = 3\n[[source]]\npaths = ["*.*.*"]\nsource = "given"\n')
    assert read("moesteiro", [same]).digest == BASE.digest
    paths = ["kings.afonso_v.vp", "start.seat4.labour", "construction.b.20.glass", "village.tiles.1.pips", "rounds.events.2.tracks"]
    digests = {read("moesteiro", changes=[f"{path}={BASE.numbers[path].value + 1}"]).digest for path in paths}
    digests |= {read("moesteiro", changes=[change]).digest for change in ("rules.reshuffle=true", "rules.displays=before_kings")}
    assert len(digests | {BASE.digest}) == 8


def test_csv_round_trip(tmp_path):
    longer = "tracks.labour = { start = 6, vp = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }\nrules.reshuffle = true\nwindow.pips = [0, 1]\n"
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
    assert all(row["source"] == "assumed" for row in rows[: BASE.assumed])
    assert not any(row["source"] == "assumed" for row in rows[BASE.assumed :])
    assert [row["path"] for row in rows[: BASE.assumed]] == [path for path, n in BASE.numbers.items() if n.source == "assumed"]
    assert [row["path"] for row in rows if row["source"] == "ruling"] == [f"rules.{rule}" for rule in BASE.rules]


def test_a_csv_row_with_the_old_value_still_brings_its_source(tmp_path):
    mine = read("moesteiro", [written(tmp_path, "path,value,source,low,high,note\nkings.joao_i.number,1,given,,,my copy\n", "mine.csv")])
    assert mine.digest == BASE.digest
    assert mine.assumed == BASE.assumed - 1
    assert mine.numbers["kings.joao_i.number"].note == "my copy"


# --- what is refused ------------------------------------------------------------------------------------------------------------------

BAD_CHANGES = [
    ("kings.afonso_w.vp=2", "kings.afonso_w", "did you mean afonso_v?"),
    ("kings.afonso_v.vpp=2", "kings.afonso_v.vpp", "did you mean vp?"),
    ("king.afonso_v.vp=2", "king", "did you mean kings?"),
    ("kings.afonso_v.vp=x", "kings.afonso_v.vp", "found 'x'; allowed a whole number from 0 to 99"),
    ("kings.afonso_v.vp=2.5", "kings.afonso_v.vp", "found '2.5'"),
    ("kings.afonso_v.vp=true", "kings.afonso_v.vp", "found true"),
    ("kings.afonso_v.vp=-1", "kings.afonso_v.vp", "found -1"),
    ("kings.afonso_v.vp=100", "kings.afonso_v.vp", "0 to 99"),
    ("kings.afonso_v.vp=" + "9" * 5000, "kings.afonso_v.vp", "0 to 99"),
    ("kings.afonso_v.vp=", "kings.afonso_v.vp", "path=value"),
    ("kings.afonso_v.vp", "kings.afonso_v.vp", "path=value"),
    ("kings.afonso_v=2", "kings.afonso_v", "one of its entries: number, labour"),
    ("=2", "''", "path=value"),
    ("kings.afonso_v.vp.x=2", "kings.afonso_v.vp.x", "no keys here"),
    ("kings.manuel_i.number=2", "kings.manuel_i.number", "afonso_v, manuel_i"),
    ("kings.manuel_i.builds_first=2", "kings.manuel_i.builds_first", "0 to 1"),
    ("village.tiles.25.pips=1", "village.tiles.25", "1 to 24"),
    ("village.tiles.0.pips=1", "village.tiles.0", "1 to 24"),
    ("village.spaces.1.1.bonus=gold", "village.spaces.1.1.bonus", "wood or stone"),
    ("rules.displays=later", "rules.displays", "after_kings or before_kings"),
    ("rules.reshuffle=1", "rules.reshuffle", "true or false"),
    ("tracks.labour.start=4", "tracks.labour.start", "5, the middle of 11"),
    ("window.pips.3=1", "window.pips.3", "do not fall"),
    ("window.pips.1=3", "window.pips.1", "do not fall"),
    ("areas.neutral.players3.crane=5", "areas.neutral.players3.crane", "a free space"),
    ("areas.closed.players2.village=4", "areas.closed.players2.village", "a free space"),
    ("areas.spaces.quarry=2", "areas.spaces.quarry", "a free space"),
    ("areas.spaces.crane=6", "areas.spaces.crane", "6 slots, 5 numbers"),
    ("forest.near_spaces=6", "forest.near_spaces", "the spaces of the forest, 5"),
    ("quarry.stone_pips=0", "quarry.stone_pips", "1 to 9"),
    ("quarry.lintel_divisor=0", "quarry.lintel_divisor", "1 to 99"),
    ("dice.master.1=7", "dice.master.1", "1 to 6"),
    ("rounds.events.3.workers=6", "rounds.events.3.workers", "1 to 6 workers and masters"),
    ("rounds.events.1.masters=7", "rounds.events.1.masters", "0 to 6"),
    ("construction.level_one=21", "construction.level_one", "0 to 20"),
    ("construction.a.20.wood=16", "construction.a.20.wood", "128 are the most"),
    ("stonework.tiles=4", "stonework.tiles", "at least as many as are on show, 5"),
    ("glass.kinds=5", "glass.kinds", "1 to 4"),
    ("tracks.construction.start=10", "tracks.construction.start", "up to last"),
    ("start.seat4.wood=21", "start.seat4.wood", "0 to 20"),
]


@pytest.mark.parametrize(("change", "key", "said"), BAD_CHANGES)
def test_changes_that_are_refused(change, key, said):
    line = refusal(changes=[change])
    assert line.startswith(f"--set: {key}: found ")
    assert said in line
    assert len(line) < 400


def test_a_wrong_change_is_not_hidden_by_a_later_one():
    assert refusal(changes=["kings.afonso_v.vp=x", "kings.afonso_v.vp=2"]).startswith("--set: kings.afonso_v.vp: found 'x'")


BAD_TOML = [
    ("[kings.afonso_w]\nvp = 2", "kings.afonso_w", "did you mean afonso_v?"),
    ("[kings.afonso_v]\nvp = '2'", "kings.afonso_v.vp", "found '2'; allowed a whole number"),
    ("[kings.afonso_v]\nvp = 2.0", "kings.afonso_v.vp", "found 2.0"),
    ("[kings.afonso_v]\nvp = true", "kings.afonso_v.vp", "found true"),
    ("[kings.afonso_v]\nvp = 1979-05-27", "kings.afonso_v.vp", "0 to 99"),
    ("[kings.afonso_v]\nvp = [2]", "kings.afonso_v.vp", "found a list with 1 entries"),
    ("[kings.afonso_v]\nvp.x = 2", "kings.afonso_v.vp", "found a table"),
    ("kings.afonso_v.vp = 0x" + "f" * 6000, "kings.afonso_v.vp", "found a huge number"),
    ("kings = 3", "kings", "a table with the keys joao_i"),
    ("crane = []", "crane", "a table with the keys steps, last_wood"),
    ('"a\\nb" = 3', "'a\\nb'", "rules"),
    ("crane.steps = [1, 2, 'x', 1, 1]", "crane.steps.3", "0 to 9"),
    ("crane.steps = 3", "crane.steps", "a list of 1 to 6 entries"),
    ("crane.steps = [1, 1]", "crane.steps", "5 slots, 2 numbers"),
    ("crane.steps.9 = 3", "crane.steps.9", "1 to 5"),
    ("tracks.labour.vp = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]", "tracks.labour.vp", "an odd number"),
    ("tracks.labour.vp = [0, 1, 2, 3, 4, 5, 6, 7, 8]", "tracks.labour.vp", "start = 4"),
    ("tracks.labour.vp = [0]", "tracks.labour.vp", "9 to 15"),
    ("village.tiles = [{ wood = 1, stone = 1, pips = 0 }]", "village.tiles", "a list of 24"),
    ("construction.a = [{ vp = 1 }]", "construction.a.1.wood", "found nothing"),
    ("rounds.events.1 = {workers = 0, masters = 0}", "rounds.events.1.masters", "1 to 6 workers"),
    ("[kings\nvp = 2", "line 1", "TOML"),
    ("[kings.afonso_v]\nvp = ", "line 2", "TOML"),
    ("x = " + "[" * 5000, "file", "TOML"),
    ("source = 3", "source", "[[source]]"),
    ("[source]\na = 3", "source", "[[source]]"),
    ("source = [3]", "source.1", "a table with the keys paths, source"),
    ("[[source]]\npaths = ['kings.*.nose']\nsource = 'given'", "source.1.paths", "matches no number"),
    ("[[source]]\npaths = ['kings.*.vp']\nsource = 'guess'", "source.1.source", "rulebook or published or assumed or given"),
    ("[[source]]\npaths = ['kings.*.vp']\nsorce = 'given'", "source.1.source", "allowed"),
    ("[[source]]\npaths = ['kings.*.vp']\nsource = 'published'", "source.1.note", "name of the publication"),
    ("[[source]]\npaths = ['kings.*.vp']\nsource = 'assumed'\nlow = 1", "source.1.high", "low and high"),
    ("[[source]]\npaths = ['kings.*.vp']\nsource = 'assumed'\nlow = 3\nhigh = 1", "source.1.low", "up to high = 1"),
    ("[[source]]\npaths = ['kings.*.vp']\nsource = 'assumed'\nlow = 1\nhigh = 4", "kings.joao_i.vp", "its assumed range"),
    ("[[source]]\npaths = 'kings'\nsource = 'given'", "source.1.paths", "a list"),
]


@pytest.mark.parametrize(("text", "key", "said"), BAD_TOML)
def test_toml_that_is_refused(tmp_path, text, key, said):
    file = written(tmp_path, text)
    line = refusal(file)
    if not key.startswith("kings.joao_i"):  # what an entry makes wrong may have been written elsewhere
        assert line.startswith(f"{file}: {key}: found ")
    assert f": {key}: found " in line
    assert said in line


BAD_CSV = [
    ("path,value\nkings.afonso_w.vp,2", "kings.afonso_w", "did you mean afonso_v?"),
    ("path,value\nkings.afonso_v.vp,two", "kings.afonso_v.vp", "found 'two'; allowed a whole number"),
    ("path,value\nkings.afonso_v.vp,", "kings.afonso_v.vp", "a value in every row"),
    ("path,value\n,3", "line 2", "a path in every row"),
    ("path,value\nkings.afonso_v.vp,2\nkings.afonso_v.vp,3", "kings.afonso_v.vp", "a second row, line 3"),
    ("path,value\nkings.afonso_v.vp,2,given", "line 2", "3 cells"),
    ("", "line 1", "path, value, source"),
    ("key,value\na,b", "line 1", "path, value, source"),
    ("path,value,vale\na,b,c", "line 1", "path, value, source"),
    ('path,value\n"kings', "line 2", "not CSV"),
    ("path,value,source\nkings.afonso_v.vp,2,guess", "kings.afonso_v.vp.source", "rulebook or published"),
    ("path,value,source\nkings.afonso_v.vp,2,published", "kings.afonso_v.vp.note", "name of the publication"),
    ("path,value,source\nkings.afonso_v.vp,2,assumed", "kings.afonso_v.vp", "low and high"),
    ("path,value,source,low,high\nkings.afonso_v.vp,2,assumed,3,5", "kings.afonso_v.vp", "3 to 5, its assumed range"),
    ("path,value,source,low,high\nkings.afonso_v.vp,2,assumed,x,5", "kings.afonso_v.vp.low", "a whole number"),
    ("path,value,source\nrules.displays,after_kings,given", "rules.displays", "ruling"),
    ("path,value,source\nkings.afonso_v.vp,2,ruling", "kings.afonso_v.vp.source", "rulebook or published"),
    ("path,value,source\ntracks.labour.vp,13,length", "tracks.labour.vp.12", "found nothing"),
    ("path,value,source\ntracks.labour.vp,1000000,length", "tracks.labour.vp", "its length"),
    ("path,value,source\nkings,6,length", "kings", "a list and its length"),
    ("path,value,source\nvillage.spaces,5,length", "village.spaces.5", "3 to 5"),
]


@pytest.mark.parametrize(("text", "key", "said"), BAD_CSV)
def test_csv_that_is_refused(tmp_path, text, key, said):
    file = written(tmp_path, text, "mine.csv")
    line = refusal(file)
    assert line.startswith(f"{file}: {key}: found ")
    assert said in line


def test_files_that_can_not_be_read(tmp_path):
    (tmp_path / "folder.toml").mkdir()
    for file, said in [
        (tmp_path / "none.toml", "no such file"),
        (tmp_path / "folder.toml", "is a directory"),
        (tmp_path, "the suffix ''"),
        (written(tmp_path, "", "mine.xlsx"), "allowed .toml or .csv"),
        (written(tmp_path, b"a = '\xe9'", "latin.toml"), "UTF-8"),
        (written(tmp_path, b"path,value\n\xff\xfe", "latin.csv"), "UTF-8"),
        (Path("a\0b.toml"), "not a file name"),
        (Path("a\nb.toml"), "a\\nb.toml"),
    ]:
        assert said in refusal(file)


def test_an_unknown_game_is_refused():
    for game in ("chess", "../pig", "sim.pig", ""):
        with pytest.raises(ComponentsError, match="an unknown game"):
            read(game)


PATHS = [*BASE.numbers, *(f"rules.{rule}" for rule in BASE.rules)]
MARKS = ["kings", "source", "[[source]]", "paths", "low", "length", "=", ".", ",", "\n", "[", "]", "{", "}", '"']
PIECES = st.one_of(st.sampled_from([*PATHS, *MARKS]), st.text(max_size=6))
VALUES = st.one_of(st.integers(), st.booleans(), st.text(max_size=9), st.floats(), st.lists(st.integers(), max_size=3))


def reads_or_refuses(files=(), changes=()):
    try:
        read("moesteiro", files, changes)
    except ComponentsError as error:
        line = str(error)
    else:
        line = "read"
    assert line.isprintable()


@FUZZ
@given(st.binary(max_size=80), st.sampled_from(["toml", "csv"]))
def test_any_bytes(tmp_path, content, suffix):
    reads_or_refuses([written(tmp_path, content, f"mine.{suffix}")])


@FUZZ
@given(st.lists(PIECES, max_size=12).map("".join), st.sampled_from(["toml", "csv"]))
def test_any_text(tmp_path, content, suffix):
    reads_or_refuses([written(tmp_path, content, f"mine.{suffix}")])


@FUZZ
@given(st.lists(st.tuples(st.sampled_from(PATHS), VALUES), min_size=1, max_size=3))
def test_any_value_at_a_known_path(tmp_path, pairs):
    lines = [f"{path} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for path, value in pairs]
    reads_or_refuses([written(tmp_path, "\n".join(lines))])
    table = io.StringIO()
    csv.writer(table).writerows([("path", "value"), *pairs])
    reads_or_refuses([written(tmp_path, table.getvalue(), "mine.csv")])
    reads_or_refuses(changes=[f"{path}={value}" for path, value in pairs])


@FUZZ
@given(st.lists(st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=6).map("".join), st.characters(categories=["Cs"])), max_size=3))
def test_any_change(changes):
    reads_or_refuses(changes=changes)


# --- the record -----------------------------------------------------------------------------------------------------------------------


def test_the_record():
    record = BASE.record[0]
    assert BASE.record.shape == (1,)
    assert isinstance(BASE.record, np.recarray)
    assert record["king"]["number"].tolist() == [1, 2, 3, 4, 5, 6]
    powers = ("labour", "vp", "stone", "gift", "construction", "builds_first")
    assert [[int(record["king"][power][n]) for power in powers] for n in range(6)] == np.diag([1, 3, 1, 1, 2, 1]).tolist()
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
        assert (*amounts(record["village_tile"]["price"][n]), record["village_tile"]["pips"][n]) == (tile.wood, tile.stone, 0, 0, tile.pips)
    assert BONUSES[record["space"]["bonus"][record["row_spaces"]]] == BASE.model.village.spaces[1][0].bonus


def test_every_number_reaches_the_record():
    for path, n in BASE.numbers.items():
        others = (n.value + 1, n.value - 1, n.value + 9) if isinstance(n.value, int) else [word for word in BONUSES if word != n.value][:1]
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
    assert [f"rules.{rule}" for rule in (*SWITCH_RULES.values(), "construction_set")] == [f"rules.{rule}" for rule in BASE.rules]
    assert not any(BASE.record[0][switch] for switch in (*SWITCHES, "construction_set"))
    for switch, rule in SWITCH_RULES.items():
        value = "true" if BASE.rules[rule] is False else Rules.model_fields[rule].annotation.__args__[1]
        record = read("moesteiro", changes=[f"rules.{rule}={value}"]).record[0]
        assert [name for name in (*SWITCHES, "construction_set") if record[name]] == [switch]
    assert [read("moesteiro", changes=[f"rules.construction_set={s}"]).record[0]["construction_set"] for s in ("a", "b", "mixed")] == [
        0,
        1,
        2,
    ]


def test_the_file_keeps_the_order_of_the_model():
    text = Path(__file__).parents[1].joinpath("sim/moesteiro/components.toml").read_text("utf-8")
    assert [key for key in tomllib.loads(text) if key != "source"] == list(type(BASE.model).model_fields)
