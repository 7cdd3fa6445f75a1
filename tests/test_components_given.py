"""Given numbers: what somebody has entered is theirs, whatever else the file says; tables come back the same from every
spreadsheet."""

import csv
import io
from importlib.resources import files

import pytest

from sim.printed import printings
from sim.printed.component_files import COLUMNS
from sim.printed.components import ComponentsError, Counts, read, to_csv

BASE = read("moesteiro")
RANGE = "construction.a.3.steps"  # assumed, 1 to 5


def table(game="moesteiro", changes=(), **cells):
    """The rows that `components` writes; cells: path with _ for . → cells to change."""
    rows = list(csv.DictReader(io.StringIO(to_csv(read(game, changes=changes)), newline="")))
    for row in rows:
        row.update(cells.get(row["path"].replace(".", "_"), {}))
    return rows


def written(rows, columns=COLUMNS, **dialect):
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\r\n", **dialect)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.fixture
def back(tmp_path):
    """A function that reads components from text or bytes."""

    def read_back(text, name="mine.csv", game="moesteiro", changes=()):
        file = tmp_path / name
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read(game, [file], changes)

    return read_back


def given(components):
    return {path for path, number in components.numbers.items() if number.source == "given"}


def same(a, b):
    return (a.digest, a.numbers, a.rules, a.settled) == (b.digest, b.numbers, b.rules, b.settled)


# --- whose a number is ------------------------------------------------------------------------------------------------


def test_a_value_that_was_changed_is_given_whatever_its_source_says(back):
    edited = {
        RANGE.replace(".", "_"): {"value": "4"},
        "kings_joao_i_number": {"value": "2"},
        "kings_afonso_v_number": {"value": "1"},
    }
    mine = back(written(table(**edited)))
    assert mine.counts == Counts(BASE.counts.assumed - 3, 3, BASE.counts.numbers)
    assert given(mine) == {RANGE, "kings.joao_i.number", "kings.afonso_v.number"}
    assert mine.numbers["kings.joao_i.number"].note == BASE.numbers["kings.joao_i.number"].note
    assert mine.remarks == ()
    assert {path: n for path, n in mine.numbers.items() if path not in given(mine)} == {
        path: n for path, n in BASE.numbers.items() if path not in given(mine)
    }


def test_an_untouched_table_gives_nothing(back):
    untouched = back(written(table()))
    assert same(untouched, BASE)
    assert untouched.counts == BASE.counts == Counts(537, 0, 718)
    assert (untouched.remarks, untouched.settled) == ((), frozenset())


def test_the_range_that_was_guessed_refuses_no_real_number(back):
    low, high = BASE.numbers[RANGE].low, BASE.numbers[RANGE].high
    mine = back(written(table(**{RANGE.replace(".", "_"): {"value": "9"}})))
    assert not low <= mine.numbers[RANGE].value <= high
    assert (mine.numbers[RANGE].source, mine.numbers[RANGE].low) == ("given", None)
    # what the engine can carry still holds
    with pytest.raises(ComponentsError, match="allowed a whole number from 0 to 9"):
        back(written(table(**{RANGE.replace(".", "_"): {"value": "10"}})))


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["x", "X", "yes", "TRUE", "WAHR", "sí", "1", "✓", "ok"])
def test_a_mark_says_that_a_value_is_right_as_it_is(back, mark):
    mine = back(
        written(
            table(
                **{
                    RANGE.replace(".", "_"): {"mine": mark},
                    "rules_reshuffle": {"mine": mark},
                    "crane_steps": {"mine": mark},
                }
            )
        )
    )
    assert mine.digest == BASE.digest
    assert given(mine) == {RANGE}
    assert mine.settled == {"rules.reshuffle", "crane.steps"}
    assert same(back(to_csv(mine)), mine)  # the mark is written again


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["no", "FALSE", "0", "-", " "])
def test_a_mark_that_says_no(back, mark):
    assert same(back(written(table(**{RANGE.replace(".", "_"): {"mine": mark}}))), BASE)


def test_what_a_change_or_a_table_without_shipped_names_is_given_even_if_it_is_equal(back):
    value = BASE.numbers[RANGE].value
    changed = read("moesteiro", changes=[f"{RANGE}={value}", "rules.reshuffle=false"])
    assert (changed.digest, given(changed), changed.settled) == (BASE.digest, {RANGE}, {"rules.reshuffle"})
    short = back(f"path,value,source,low,high\n{RANGE},{value},assumed,1,5\nrules.reshuffle,false,,,\n")
    assert (short.digest, given(short), short.settled) == (BASE.digest, {RANGE}, {"rules.reshuffle"})
    assert (
        "it has no column shipped, so all its numbers count as yours, though the source of 1 says otherwise"
        in short.remarks[0]
    )
    assert given(back(f"path,value\n{RANGE},{value}\n")) == {RANGE}
    assert back(f"path,value\n{RANGE},{value}\n").remarks == ()


def test_numbers_of_a_toml_file_are_given_unless_it_says_otherwise(back):
    steps = "[crane]\nsteps = [3, 2, 2, 1, 1]\n[rules]\nreshuffle = false\n"
    mine = back(steps, "mine.toml")
    assert given(mine) == {f"crane.steps.{n}" for n in range(1, 6)}
    assert mine.settled == {"crane.steps", "rules.reshuffle"}
    guess = '[[source]]\npaths = ["crane.steps.*"]\nsource = "assumed"\nlow = 0\nhigh = 5\n'
    other = back(steps + guess, "mine.toml")
    assert (given(other), other.settled, other.counts.assumed) == (set(), {"rules.reshuffle"}, BASE.counts.assumed)


def test_a_copy_of_the_games_own_file_gives_what_was_changed_in_it(back):
    text = files("sim.moesteiro").joinpath("components.toml").read_text("utf-8")
    assert same(back(text, "mine.toml"), BASE)
    edited = text.replace("{ vp = 10, steps = 1,", "{ vp = 10, steps = 9,", 1).replace(
        "steps = [3, 2, 2, 1, 1]", "steps = [4, 2, 2, 1, 1]"
    )
    mine = back(edited, "mine.toml")
    assert (given(mine), mine.settled) == (
        {"construction.a.1.steps", "crane.steps.1"},
        {"construction.a", "crane.steps"},
    )
    assert mine.counts == Counts(535, 2, 718)


@pytest.mark.slow
@pytest.mark.parametrize("cell", ["04-Jan", "", "#REF!"])
def test_a_cell_of_what_was_shipped_that_is_no_value_is_named(back, cell):
    """A spreadsheet has made something else of it: the number counts as given, and that is said."""
    mine = back(written(table(**{RANGE.replace(".", "_"): {"shipped": cell}})))
    assert (given(mine), len(mine.remarks)) == ({RANGE}, 1)
    assert f"its column shipped says for {RANGE}; the file's values count as yours" in mine.remarks[0]


@pytest.mark.slow
def test_numbers_of_another_release_are_never_lost(back):
    """Shipped then 2, now 1: whether the file has the old value, the new one or a third, it is played and counts as
    given."""
    column, now = RANGE.replace(".", "_"), BASE.numbers[RANGE].value
    for value in (now + 1, now, now + 2):
        mine = back(written(table(**{column: {"value": str(value), "shipped": str(now + 1)}})))
        assert (mine.numbers[RANGE].value, given(mine)) == (value, {RANGE})
        remark = (
            f"what the game ships is not what its column shipped says for {RANGE}; the file's values count as yours"
        )
        assert [line.partition("mine.csv: ")[2] for line in mine.remarks] == [remark] * (value == now + 1)
    old = back(written(table(**{column: {"value": str(now + 1), "shipped": str(now + 1), "mine": "no"}})))
    assert (old.numbers[RANGE].value, given(old), old.remarks) == (now + 1, set(), ())
    # who has put a number into both columns has entered it
    both = back(written(table(**{column: {"value": "9", "shipped": "9"}})))
    assert (both.numbers[RANGE].value, given(both)) == (9, {RANGE})


def test_what_a_toml_file_calls_assumed_or_published_stays_so_in_a_table(back):
    text = "crane.steps = [2, 2, 2, 1, 1, 1]\nareas.spaces.crane = 6\nsets.vp.1 = 2\n"
    text += '[[source]]\npaths = ["crane.steps.*"]\nsource = "assumed"\nlow = 0\nhigh = 3\n'
    text += '[[source]]\npaths = ["sets.vp.1"]\nsource = "published"\nnote = "=a review"\n'
    mine = back(text, "mine.toml")
    assert (given(mine), mine.settled) == ({"areas.spaces.crane"}, frozenset())
    again = back(to_csv(mine))
    assert (same(again, mine), again.remarks) == (True, ())
    edited = list(csv.DictReader(io.StringIO(to_csv(mine), newline="")))
    next(row for row in edited if row["path"] == "crane.steps.1")["value"] = "4"
    assert given(back(written(edited))) == {"areas.spaces.crane", "crane.steps.1"}


@pytest.mark.slow
def test_other_words_about_a_value_that_was_not_changed(back):
    column = RANGE.replace(".", "_")
    wider = back(written(table(**{column: {"low": "0", "high": "9"}})))
    assert (wider.numbers[RANGE].source, wider.numbers[RANGE].low, wider.numbers[RANGE].high) == ("assumed", 0, 9)
    seen = back(written(table(**{column: {"source": "Published", "low": "", "high": "", "note": "a review"}})))
    assert (seen.numbers[RANGE].source, seen.counts) == ("published", Counts(536, 0, 718))
    assert given(back(written(table(**{column: {"source": "given"}})))) == {RANGE}
    for columns in (
        ("path", "value", "shipped"),
        ("path", "value", "shipped", "source"),
        ("shipped", "low", "source", "value", "path"),
    ):
        bare = back(written([row for row in table() if row["source"] not in ("length", "ruling")], columns))
        assert (bare.digest, bare.counts, given(bare)) == (BASE.digest, BASE.counts, set())
        assert {p: (n.low, n.high) for p, n in bare.numbers.items()} == {
            p: (n.low, n.high) for p, n in BASE.numbers.items()
        }
    with pytest.raises(ComponentsError, match="allowed 2 to 5, its assumed range"):
        back(written(table(**{column: {"low": "2"}})))


@pytest.mark.slow
def test_lengths_and_rules_are_no_numbers_but_can_be_given(back):
    rows = table("moesteiro", ["rules.displays=before_kings"])
    kinds = [row["source"] for row in rows]
    assert len(rows) - kinds.count("length") - kinds.count("ruling") == BASE.counts.numbers
    assert [row["shipped"] for row in rows if row["path"] == "rules.displays"] == ["after_kings"]
    shorter = [row for row in table(window_pips={"value": "2"}) if row["path"] != "window.pips.3"]
    mine = back(written(shorter))
    assert (len(mine.model.window.pips), mine.counts.given, mine.settled) == (2, 0, {"window.pips"})
    longer = [*table(window_pips={"value": "4"}), {"path": "window.pips.4", "value": "6"}]
    mine = back(written(longer))
    assert (mine.numbers["window.pips.4"].value, given(mine), mine.settled) == (6, {"window.pips.4"}, {"window.pips"})
    assert same(back(to_csv(mine)), mine)


def test_how_many_are_whose_in_words():
    said = {
        Counts(537, 0, 718): "537 of 718 numbers are placeholders",
        Counts(535, 2, 718): "2 numbers are yours, 535 are placeholders",
    }
    said |= {
        Counts(1, 0, 3): "1 of 3 numbers is a placeholder",
        Counts(1, 1, 3): "1 number is yours, 1 is a placeholder",
    }
    for counts, words in said.items():
        assert (str(counts), counts.notice) == (words, f"stand-in game: {words}")
    assert str(Counts(0, 3, 3)) == Counts(0, 3, 3).notice == "3 numbers are yours, none is a placeholder"
    assert (str(Counts(0, 0, 3)), Counts(0, 0, 3).notice) == ("none of 3 numbers is a placeholder", "")


# --- robustness draws none of them ------------------------------------------------------------------------------------


def moved(components):
    """All paths that any of 40 printings changes."""
    scheme = printings.read(components.game)
    inputs = scheme.inputs(components)
    return {path for number in range(40) for path in scheme.draw(components, inputs, 1, number).changes}


@pytest.mark.slow
def test_given_numbers_are_never_drawn(back):
    assert {RANGE, "purchase.wood", "window.pips", "rules.reshuffle", "rules.displays"} <= moved(BASE)
    cells = {"value": "9"}, {"mine": "x"}
    edited = {
        RANGE.replace(".", "_"): cells[0],
        "purchase_wood": cells[1],
        "rules_reshuffle": cells[1],
        "window_pips": cells[1],
    }
    mine = back(written(table(**edited)), changes=["rules.displays=after_kings"])
    assert not {RANGE, "purchase.wood", "window.pips", "rules.reshuffle", "rules.displays"} & moved(mine)
    assert {"construction.a.4.steps", "purchase.stone", "rules.window_cost"} <= moved(mine)
    assert not any(
        path.startswith("rules.")
        for path in moved(back("path,value\n" + "".join(f"rules.{r},{_(v)}\n" for r, v in BASE.rules.items())))
    )


def _(value):
    return str(value).upper()


# --- through every spreadsheet ----------------------------------------------------------------------------------------


def retyped(rows, change):
    return [{column: change(column, cell) for column, cell in row.items()} for row in rows]


def numbers_as(mark):
    return lambda column, cell: (
        f"{cell}{mark}0" if cell.isdigit() and column in ("value", "shipped", "low", "high") else cell
    )


def booleans_as(yes, no):
    return lambda column, cell: {"true": yes, "false": no}.get(cell, cell)


HABITS = {
    "as it is": lambda rows: written(rows),
    "Excel": lambda rows: "\ufeff" + written(retyped(rows, booleans_as("TRUE", "FALSE"))),
    "Excel, German": lambda rows: written(retyped(rows, booleans_as("WAHR", "FALSCH")), delimiter=";").encode("cp1252"),
    "Excel, Unicode text": lambda rows: written(retyped(rows, booleans_as("VRAI", "FAUX")), delimiter="\t").encode(
        "utf-16"
    ),
    "Excel, Russian": lambda rows: written(retyped(rows, booleans_as("ИСТИНА", "ЛОЖЬ")), delimiter=";").encode(
        "cp1251", "replace"
    ),
    "sep=": lambda rows: "sep=|\r\n" + written(rows, delimiter="|"),
    "LibreOffice": lambda rows: written(retyped(rows, booleans_as("TRUE", "FALSE")), quoting=csv.QUOTE_ALL),
    "Numbers": lambda rows: "Table 1;;;;;;;;\r\n" + written(retyped(rows, numbers_as(",")), delimiter=";"),
    "Google Sheets": lambda rows: (
        written(retyped(rows, booleans_as("TRUE", "FALSE"))).replace("\r\n", ",,,\r\n") + ",,,,,,,,,,,\r\n" * 20
    ),
    "pandas": lambda rows: written(
        [{**row, "": n} for n, row in enumerate(retyped(rows, numbers_as(".")))], ("", *COLUMNS)
    ),
    "decimal places": lambda rows: written(retyped(rows, numbers_as(".0"))),
    "sorted, other order": lambda rows: written(sorted(rows, key=lambda row: row["note"]), COLUMNS[::-1]),
    "old Macintosh": lambda rows: written(rows).replace("\r\n", "\r").encode("mac_roman", "replace"),
    "from the bottom up": lambda rows: written(rows[::-1], delimiter=";"),
    "capitals": lambda rows: written(
        [{**row, "path": row["path"].capitalize(), "source": row["source"].upper()} for row in rows]
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("game", ["moesteiro", "abbates", "pig"])
@pytest.mark.parametrize("habit", HABITS)
def test_components_come_back_the_same(back, habit, game):
    changes = {
        "moesteiro": [
            "rules.reshuffle=true",
            "rules.displays=before_kings",
            f"{RANGE}=9",
            "start.seat2.vp=3",
            "kings.joao_i.number=1",
        ],
        "abbates": ["rules.palms=false", "abbots.white.3=1", "ora.low_last=6"],
        "pig": ["goal=50"],
    }[game]
    components = read(game, changes=changes)
    again = back(HABITS[habit](table(game, changes)), game=game)
    plain = {path: (n.value, n.source, n.low, n.high) for path, n in components.numbers.items()}
    assert again.digest == components.digest
    assert {path: (n.value, n.source, n.low, n.high) for path, n in again.numbers.items()} == plain
    assert (again.rules, again.settled, again.counts) == (components.rules, components.settled, components.counts)
    assert again.record.tobytes() == components.record.tobytes()
    if not habit.startswith(("Excel, R", "old")):  # there notes have lost letters
        assert again.numbers == components.numbers


# --- files as people have them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "path", "value"),
    [
        ("path,value\nrules.reshuffle,FALSE\n", "rules.reshuffle", False),
        ("path,value\nkings.afonso_v.vp,2.0\n", "kings.afonso_v.vp", 2),
        ("path,value,,\nkings.afonso_v.vp,2,,\n", "kings.afonso_v.vp", 2),
        ("My Kings\n\nPath;Value;Remark\nkings.afonso_v.vp;2,0;at last\n", "kings.afonso_v.vp", 2),
        ("path,value\nrules.displays,Before Kings\n", "rules.displays", "before_kings"),
        ("path,value,note\n,,the Kings:\nkings.afonso_v.vp,2,\n", "kings.afonso_v.vp", 2),
        ("path,value\nkings\n# all of them\nkings.afonso_v.vp,2\n", "kings.afonso_v.vp", 2),
    ],
)
def test_files_as_people_have_them(back, text, path, value):
    mine = back(text)
    assert (mine.rules[path[6:]] if path.startswith("rules.") else mine.numbers[path].value) == value


@pytest.mark.parametrize("suffix", [".csv", ".CSV", ".tsv", ".txt"])
def test_tables_may_be_called_as_spreadsheets_call_them(back, suffix):
    assert back("path\tvalue\nkings.afonso_v.vp\t2\n", f"mine{suffix}").numbers["kings.afonso_v.vp"].value == 2
