"""Component files and changes that can't be used: each ends as one clear line, whatever is in them."""

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sim.printed.components import ComponentsError, read

FUZZ = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
BASE = read("moesteiro")


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
    assert "None" not in line
    return line


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
    ("start.seat4.labour=6", "start.seat4.labour", "at most 5 steps"),
    ("start.seat2.construction=8", "start.seat2.construction", "at most 7 steps"),
    ("start.seat1.food=8", "start.seat1.food", "at most 7 steps"),
    ("start.seat4.wood=21", "start.seat4.wood", "0 to 20"),
]


@pytest.mark.parametrize(("change", "key", "said"), BAD_CHANGES)
def test_changes_that_are_refused(change, key, said):
    line = refusal(changes=[change])
    assert line.startswith(f"--set: {key}: found ")
    assert said in line
    assert len(line) < 400


def test_a_wrong_change_is_not_hidden_by_a_later_one():
    assert refusal(changes=["kings.afonso_v.vp=x", "kings.afonso_v.vp=2"]).startswith(
        "--set: kings.afonso_v.vp: found 'x'"
    )


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
    (
        "[[source]]\npaths = ['kings.*.vp']\nsource = 'guess'",
        "source.1.source",
        "rulebook or published or assumed or given",
    ),
    ("[[source]]\npaths = ['kings.*.vp']\nsorce = 'given'", "source.1.source", "allowed"),
    ("[[source]]\npaths = ['kings.*.vp']\nsource = 'published'", "source.1.note", "name of the publication"),
    ("[[source]]\npaths = ['kings.*.vp']\nsource = 'assumed'\nlow = 1", "source.1.high", "low and high"),
    ("[[source]]\npaths = ['kings.*.vp']\nsource = 'assumed'\nlow = 3\nhigh = 1", "source.1.low", "up to high = 1"),
    (
        "[[source]]\npaths = ['kings.*.vp']\nsource = 'assumed'\nlow = 1\nhigh = 4",
        "kings.joao_i.vp",
        "its assumed range",
    ),
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
    ("path,value\nkings.afonso_v.vp,", "line 2: value", "a value in every row"),
    ("path,value\n,3", "line 2: path", "a path in every row"),
    ("path,value\nkings.afonso_v.vp,2\nkings.afonso_v.vp,3", "line 3: kings.afonso_v.vp", "a second row, after line 2"),
    ("path,value\nkings.afonso_v.vp,2\nKings.afonso_v.vp,3", "line 3: Kings.afonso_v.vp", "a second row, after line 2"),
    ("path,value\na\u202eb,2\na\u202eb,3", "line 3: a\\u202eb", "a second row, after line 2"),
    ("path,value\nkings.afonso_v.vp,2,given", "line 2", "3 cells"),
    ("", "file", "found nothing; allowed a table with the columns path and value"),
    ("key,value\na,b", "line 1", "no column 'path'; allowed a heading with path and value"),
    ('path,value\n"kings', "line 2", "a stray quotation mark"),
    ("path,value,mine\nkings.afonso_v.vp,2,maybe", "line 2: mine", "found 'maybe'; allowed x, no or nothing"),
    ("path,value,shipped,source\nkings.afonso_v.vp,3,3,guess", "kings.afonso_v.vp.source", "rulebook or published"),
    ("path,value,shipped,source\nkings.afonso_v.vp,3,3,published", "kings.afonso_v.vp.note", "name of the publication"),
    ("path,value,shipped,source\nkings.afonso_v.vp,3,3,assumed", "kings.afonso_v.vp", "low and high"),
    (
        "path,value,shipped,source,low,high\nkings.afonso_v.vp,3,3,assumed,4,5",
        "kings.afonso_v.vp",
        "4 to 5, its assumed range",
    ),
    (
        "path,value,shipped,source,low,high\nkings.afonso_v.vp,3,3,assumed,x,5",
        "kings.afonso_v.vp.low",
        "a whole number",
    ),
    ("path,value,shipped,source\nkings.afonso_v.vp,3,3,ruling", "kings.afonso_v.vp.source", "rulebook or published"),
    ("path,value\nrules.reshuffle,maybe", "rules.reshuffle", "found 'maybe'; allowed true or false"),
    ("path,value\nkings.afonso_v.vp,1.000", "kings.afonso_v.vp", "found '1.000'; allowed a whole number"),
    ("path,value\ncrane.steps,4", "crane.steps", "one value for a list"),
    ("path,value,source\ntracks.labour.vp,13,length", "tracks.labour.vp.12", "found nothing"),
    ("path,value,source\ntracks.labour.vp,1000000,length", "tracks.labour.vp", "its length"),
    ("path,value,source\nkings,6,length", "kings", "a list and its length"),
    ("path,value,source\nvillage.spaces,5,length", "village.spaces.5", "3 to 5"),
    ("path,value,source\nvillage.spaces.0,3,length", "village.spaces.0", "its length"),
]


@pytest.mark.parametrize(("text", "key", "said"), BAD_CSV)
def test_csv_that_is_refused(tmp_path, text, key, said):
    file = written(tmp_path, text, "mine.csv")
    line = refusal(file)
    assert line.startswith(f"{file}: {key}: found ")
    assert said in line


def test_rows_with_the_same_fault_are_one_line(tmp_path):
    rows = "".join(f"construction.a.{n}.vp,\nconstruction.a.{n}.steps,1\n" for n in range(1, 21))
    file = written(tmp_path, f"path,value\n{rows},7\n", "mine.csv")
    with pytest.raises(ComponentsError) as caught:
        read("moesteiro", [file])
    told = (
        "20 rows have no value (lines 2, 4, 6, 8, 10 and 15 more); allowed a value in every row (and 1 more kind of "
        "problem)"
    )
    assert str(caught.value) == f"{file}: {told}"


def test_files_that_can_not_be_read(tmp_path):
    (tmp_path / "folder.toml").mkdir()
    for file, said in [
        (tmp_path / "none.toml", "no such file"),
        (tmp_path / "folder.toml", "is a directory"),
        (tmp_path, "the suffix ''"),
        (written(tmp_path, "", "mine.doc"), "the suffix '.doc'; allowed .csv, .tsv, .tab, .txt or .toml"),
        (
            written(tmp_path, "", "mine.xlsx"),
            "found a spreadsheet; allowed .csv, .tsv, .tab, .txt or .toml (save it as CSV)",
        ),
        (written(tmp_path, b"PK\x03\x04", "mine.csv"), "found a spreadsheet; allowed a table (save it as CSV)"),
        (written(tmp_path, b"a = '\xe9'", "latin.toml"), "UTF-8"),
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


@pytest.mark.slow
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
@given(
    st.lists(
        st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=6).map("".join), st.characters(categories=["Cs"])),
        max_size=3,
    )
)
def test_any_change(changes):
    reads_or_refuses(changes=changes)
