"""The record of a model: every value where kernels look for it, and one line where there is no place for it."""

from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import from_dtype, njit, types
from pydantic import Field, create_model

from sim.printed.components import ComponentsError, TomlRow, TomlTable, read
from sim.printed.record import derived, packed, record_of

Small = Annotated[int, Field(ge=-99, le=99)]
Order = Literal["first", "second", "third"]


class Tile(TomlTable):
    """A tile."""

    vp: Small
    name: str
    order: Order

    @derived
    def double(self) -> int:
        """Twice the points."""
        return 2 * self.vp


class Dear(Tile):
    """A tile that derives more."""

    gold: bool

    @derived
    def value(self) -> int:
        """Points and gold."""
        return self.double + self.gold


class Pair(TomlRow):
    """Two tiles."""

    left: Tile
    right: Tile


class Decks(TomlRow):
    """Two decks."""

    red: list[Small] = Field(min_length=1, max_length=3)
    blue: list[Small] = Field(min_length=1, max_length=3)


class Numbers(TomlTable):
    """Everything at once."""

    plain: Small
    switch: bool
    order: Order
    words: list[Order] = Field(min_length=2, max_length=2)
    name: str
    names: list[str]
    steps: list[Small] = Field(max_length=4)
    rows: list[Annotated[list[Small], Field(max_length=3)]] = Field(max_length=2)
    table: list[Annotated[list[Small], Field(min_length=2, max_length=2)]] = Field(min_length=2, max_length=2)
    tiles: list[Tile] = Field(max_length=3)
    dear: Dear
    pair: Pair
    decks: Decks

    @derived
    def sums(self) -> Annotated[list[Annotated[list[int], Field(min_length=2, max_length=2)]], Field(max_length=3)]:
        """Points of a tile and that of the pair on its left."""
        return [[tile.vp, self.pair.left.vp] for tile in self.tiles]


SMALL, TEXT = st.integers(-99, 99), st.text(max_size=2)
WORD = st.sampled_from(["first", "second", "third"])
TILE = {"vp": SMALL, "name": TEXT, "order": WORD}


def table(model: type[TomlTable], entries: dict[str, Any]) -> Any:
    """All values of a model, from those of its fields."""
    return st.fixed_dictionaries(entries).map(lambda found: model(**found))


def lists(entries: Any, least: int, most: int) -> Any:
    """All lists of a length."""
    return st.lists(entries, min_size=least, max_size=most)


ALL = {
    "plain": SMALL, "switch": st.booleans(), "order": WORD, "words": lists(WORD, 2, 2), "name": TEXT,
    "names": lists(TEXT, 0, 2), "steps": lists(SMALL, 0, 4), "rows": lists(lists(SMALL, 0, 3), 0, 2),
    "table": lists(lists(SMALL, 2, 2), 2, 2), "tiles": lists(table(Tile, TILE), 0, 3),
    "dear": table(Dear, TILE | {"gold": st.booleans()}),
    "pair": table(Pair, {side: table(Tile, TILE) for side in ("left", "right")}),
    "decks": table(Decks, {deck: lists(SMALL, 1, 3) for deck in ("red", "blue")}),
}  # fmt: skip
BLANK = np.zeros(1, record_of(Tile))[0]


@given(numbers=table(Numbers, ALL))
def test_every_value_has_its_place(numbers):
    record = packed(numbers)[0]
    order = ["first", "second", "third"].index

    def check(part, is_):
        assert (part.vp, part.order, part.double) == (is_.vp, order(is_.order), 2 * is_.vp)
        assert "name" not in part.dtype.names

    assert (record.plain, record.switch, record.order) == (numbers.plain, numbers.switch, order(numbers.order))
    assert record.words.tolist() == [order(word) for word in numbers.words]
    assert not {"name", "names"} & set(record.dtype.names)
    assert record.n_steps == len(numbers.steps)
    assert record.steps.tolist() == numbers.steps + [0] * (4 - len(numbers.steps))
    assert record.n_rows == len(numbers.rows)
    assert record.n_in_rows.tolist() == [len(row) for row in numbers.rows] + [0] * (2 - len(numbers.rows))
    rows = [row + [0] * (3 - len(row)) for row in numbers.rows]
    assert record.rows.tolist() == rows + [[0, 0, 0]] * (2 - len(rows))
    assert record.table.tolist() == numbers.table
    assert "n_table" not in record.dtype.names
    assert record.n_tiles == len(numbers.tiles)
    for n in range(3):
        if n < len(numbers.tiles):
            check(record.tiles[n], numbers.tiles[n])
        else:
            assert record.tiles[n].tobytes() == BLANK.tobytes()
    check(record.dear, numbers.dear)
    assert (record.dear.gold, record.dear.value) == (numbers.dear.gold, 2 * numbers.dear.vp + numbers.dear.gold)
    check(record.pair[0], numbers.pair.left)
    check(record.pair[1], numbers.pair.right)
    decks = numbers.decks.red, numbers.decks.blue
    assert record.n_in_decks.tolist() == [len(deck) for deck in decks]
    assert record.decks.tolist() == [deck + [0] * (3 - len(deck)) for deck in decks]
    assert record.n_sums == len(numbers.tiles)
    assert record.sums[: record.n_sums].tolist() == [[each.vp, numbers.pair.left.vp] for each in numbers.tiles]


EXAMPLE = {
    "plain": 7, "switch": True, "order": "third", "words": ["second", "first"], "name": "", "names": [],
    "steps": [5, 6], "rows": [[1, 2, 3], [4]], "table": [[1, 2], [3, 4]],
    "tiles": [{"vp": 8, "name": "", "order": "second"}],
    "dear": {"vp": 9, "name": "", "order": "first", "gold": True},
    "pair": {side: {"vp": vp, "name": "", "order": "first"} for side, vp in (("left", 10), ("right", 11))},
    "decks": {"red": [12], "blue": [13, 14]},
}  # fmt: skip


def seen(c, entry):
    """Read every sort of field."""
    return (
        c.plain, c.switch, c.order, c.words[entry], c.n_steps, c.steps[entry], c.n_in_rows[entry], c.rows[entry, 0],
        c.table[entry, 1], c.tiles[0].vp, c.tiles[0].double, c.dear.value, c.pair[entry].vp, c.decks[entry, 0],
        c.n_in_decks[entry], c.sums[0, entry],
    )  # fmt: skip


def test_kernels_read_what_python_reads():
    record = packed(Numbers(**EXAMPLE))[0]
    kernel = njit(types.UniTuple(types.int64, 16)(from_dtype(record_of(Numbers)), types.int64))(seen)
    found = [
        (7, 1, 2, 1, 2, 5, 3, 1, 2, 8, 16, 19, 10, 12, 1, 8),
        (7, 1, 2, 0, 2, 6, 1, 4, 4, 8, 16, 19, 11, 13, 2, 10),
    ]
    for entry in range(2):
        assert seen(record, entry) == kernel(record, entry) == found[entry]


def model(base=TomlTable, **fields: Any) -> type[TomlTable]:
    """A model of a few fields."""
    return create_model("Model", __base__=base, **{name: (sort, ...) for name, sort in fields.items()})


def test_a_game_without_numbers_has_a_record_all_the_same():
    """Of no bytes it could not be sent: np.frombuffer refuses such records."""
    texts = model(name=str, rows=Annotated[list[str], Field(max_length=2)])
    outer = model(inner=texts, row=model(TomlRow, left=str, right=texts))
    record = packed(outer(inner={"name": "", "rows": []}, row={"left": "", "right": {"name": "", "rows": []}}))
    assert record.dtype.names == ()
    assert len(np.frombuffer(record.tobytes(), record.dtype)) == 1
    kernel = njit(types.int64(from_dtype(record.dtype), types.int64))(lambda components, n: n)
    assert kernel(record[0], 3) == 3


class Unsaid(TomlTable):
    """Derives something and does not say what."""

    @derived
    def more(self):
        """One."""
        return 1


SORTS = "a whole number, bool, Literal of words, text, table (TomlTable, TomlRow) or list of these"


@pytest.mark.parametrize(
    ("refused", "line"),
    [
        (model(goal=float), f"Model.goal: found float; allowed {SORTS}"),
        (model(goal=int | None), f"Model.goal: found int | None; allowed {SORTS}"),
        (model(goal=Literal[1, 2]), f"Model.goal: found typing.Literal[1, 2]; allowed {SORTS}"),
        (model(goal=dict[str, int]), f"Model.goal: found dict[str, int]; allowed {SORTS}"),
        (model(goal=Annotated[list[float], Field(max_length=2)]), f"Model.goal.1: found float; allowed {SORTS}"),
        (
            model(goal=list[int]),
            "Model.goal: found a list of any length; allowed a list with max_length, the most entries that it may have",
        ),
        *(
            (
                model(**{name: int}),
                f"Model.{name}: found a name that NumPy's records have themselves; allowed another name",
            )
            for name in ("round", "sum", "put", "item", "shape")
        ),
        (
            model(part=model(round=int)),
            "Model.round: found a name that NumPy's records have themselves; allowed another name",
        ),
        (
            model(n_goal=int, goal=Annotated[list[int], Field(max_length=2)]),
            "Model.n_goal: found two fields; allowed another name: one says how long a list is",
        ),
        (
            model(TomlRow, goal=int, other=Tile),
            "Model.other: found another sort of value than before it; allowed entries of one sort, or a TomlTable",
        ),
        (Unsaid, f"Unsaid.more: found no annotation of the result; allowed {SORTS}"),
    ],
    ids=lambda value: value.partition(";")[0] if isinstance(value, str) else "",
)
@pytest.mark.filterwarnings("ignore:Field name")
def test_what_no_record_can_hold_is_refused(refused, line):
    outer = model(part=refused)
    with pytest.raises(ComponentsError) as error:
        record_of(outer)
    assert str(error.value) == f"tests/test_record.py: {line}"


class Wrong(TomlTable):
    """Derives fewer entries than it says."""

    most: int

    @derived
    def entries(self) -> Annotated[list[int], Field(min_length=2, max_length=3)]:
        """As many as `most` says."""
        return [0] * self.most


@pytest.mark.parametrize("most", [0, 1, 4])
def test_a_derived_list_has_the_length_that_it_says(most):
    with pytest.raises(ComponentsError, match=f"Wrong.entries: found {most} entries; allowed 2 to 3 entries"):
        packed(Wrong(most=most))


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**5000], ids=["high", "low", "huge"])
def test_a_number_beyond_64_bits_is_refused(value):
    with pytest.raises(ComponentsError, match=r"Wrong.most: found .*; allowed a whole number of 64 bits"):
        packed(Wrong(most=value))


def test_pig():
    components = read("pig", changes=["goal=50", "faces=8", "ruin=2"])
    assert components.record.shape == (1,)
    assert isinstance(components.record, np.recarray)
    assert (components.record[0].goal, components.record[0].faces, components.record[0].ruin) == (50, 8, 2)
