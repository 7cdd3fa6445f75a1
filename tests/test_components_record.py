"""What is printed reaches the kernels: each value of components.toml lies in the record where its path leads, and
nowhere else.

What a game derives is for the game's own tests.
"""

import tomllib
from collections.abc import Iterator
from typing import Any, get_args

import numpy as np
import pytest
from pydantic.fields import FieldInfo

from sim import registry
from sim.printed.components import Components, ComponentsError, TomlRow, TomlTable, read

GAMES = registry.names()


def leaves(record: Any, field: FieldInfo, path: str = "") -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Yield path, value and words (if it is one of several) of all that lies in a record, by a model's fields; of
    lists all entries that they may have."""
    sort: Any = field.annotation
    if isinstance(sort, type) and issubclass(sort, TomlTable):
        for n, (name, below) in enumerate(sort.model_fields.items()):
            is_row = issubclass(sort, TomlRow)
            if is_row or name in record.dtype.names:  # free text is not
                yield from leaves(record[n] if is_row else record[name], below, f"{path}.{name}")
    elif isinstance(record, np.ndarray):
        for n, entry in enumerate(record, 1):
            yield from leaves(entry, FieldInfo.from_annotation(get_args(sort)[0]), f"{path}.{n}")
    else:
        yield path.removeprefix("."), int(record), get_args(sort)


def lying(components: Components) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Return value and words of all that lies in the record of some components, by path."""
    field = FieldInfo.from_annotation(type(components.model))
    return {path: (value, words) for path, value, words in leaves(components.record[0], field)}


def written(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield path and value of all that a table of a TOML file holds."""
    if isinstance(node, dict | list):
        for key, child in node.items() if isinstance(node, dict) else enumerate(node, 1):
            yield from written(child, f"{path}.{key}")
    else:
        yield path.removeprefix("."), node


def file_of(game: str) -> dict[str, Any]:
    """Return what a game's components.toml says, by path, but for the sources."""
    tables = tomllib.loads((registry.home(game) / "components.toml").read_text(encoding="utf-8"))
    return dict(written({key: table for key, table in tables.items() if key != "source"}))


def plain(value: Any, words: tuple[str, ...]) -> int:
    """Return a value of the file as kernels see it."""
    return words.index(value) if isinstance(value, str) else int(value)


@pytest.mark.parametrize("game", GAMES)
def test_the_record_holds_what_the_file_says(game):
    components = read(game)
    assert components.record.shape == (1,)
    assert isinstance(components.record, np.recarray)
    lies, says = lying(components), file_of(game)
    texts = {path for path in says if path not in lies}
    assert all(isinstance(says[path], str) for path in texts)
    for path, (value, words) in lies.items():
        assert value == (plain(says[path], words) if path in says else 0), path  # 0 behind the end of a list


def changed(base: Components, path: str, value: Any, words: tuple[str, ...]) -> Components | None:
    """Return the components with another value at a path; None if every other one needs more changes than this."""
    if words:
        others = [word for word in words if word != value]
    else:
        others = [str(not value).lower()] if isinstance(value, bool) else [value + 1, value - 1, value + 9]
    for other in others:
        try:
            return read(base.game, changes=[f"{path}={other}"])
        except ComponentsError:
            continue
    return None


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_number_and_every_rule_reaches_its_place(game):
    base = read(game)
    lies, alone = lying(base), 0
    for path, value in file_of(game).items():
        if path in lies:
            other = changed(base, path, value, lies[path][1])
            if other is not None:
                alone += 1
                now = lying(other)
                assert {at for at in lies if now[at] != lies[at]} == {path}
                assert now[path][0] == plain(dict(written(other.model.model_dump()))[path], lies[path][1])
    assert alone > 0.9 * len(lies.keys() & file_of(game).keys())  # the others go together with more numbers


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_rule_has_a_number_of_its_own(game):
    for path, (_, words) in lying(read(game)).items():
        for number, word in enumerate(words if path.startswith("rules.") else ()):
            assert lying(read(game, changes=[f"{path}={word}"]))[path][0] == number
