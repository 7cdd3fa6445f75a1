"""The numbers of a game in one file → the texts that a game of many files keeps beside its rules."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sim.legible import legible_line
from sim.onefile.author import Numbers, Printed
from sim.printed.model import Keys


def components(model: type[Numbers]) -> str:
    """Return components.toml: every number with its value, and where it is from."""
    lines = list(_table(model, ()))
    for keys, printed in _numbers(model):
        if keys[0] == "rules":
            continue
        paths = [".".join(keys) + ".*" * isinstance(printed.value, list)]
        lines += ["", "[[source]]", f"paths = {json.dumps(paths)}", f"source = {json.dumps(printed.source)}"]
        lines += [f"{end} = {value}" for end in ("low", "high") if (value := getattr(printed, end)) is not None]
        lines += [f"note = {_text(printed.note)}"] * bool(printed.note)
    return "\n".join(lines) + "\n"


def meanings(model: type[Numbers]) -> str:
    """Return meanings.toml: what each number is, in words."""
    found: dict[str, str] = {}
    for keys, printed in _numbers(model):
        path, words = ".".join(keys), printed.words.replace("{", "(").replace("}", ")")
        several = isinstance(printed.value, list)
        found[path + ".*" * several] = words + ", no. {1}" * several
    return "\n".join(["[meanings]", *(f"{json.dumps(path)} = {_text(words)}" for path, words in found.items())]) + "\n"


def levers(chosen: Mapping[str, tuple[int, int]]) -> str:
    """Return levers.toml: the numbers that may change to balance the game, each with its ends."""
    entries = [
        ["[[lever]]", f"path = {_text(path)}", f"low = {low}", f"high = {high}"] for path, (low, high) in chosen.items()
    ]
    return "\n".join(line for entry in entries for line in (*entry, ""))


def _numbers(model: type[Numbers], keys: Keys = ()) -> Iterator[tuple[Keys, Printed]]:
    """Yield path and number of all fields of a model, those of its tables too."""
    for name, printed in model.__printed__.items():
        yield (*keys, name), printed
    for name, table in _tables(model):
        yield from _numbers(table, (*keys, name))


def _tables(model: type[Numbers]) -> Iterator[tuple[str, type[Numbers]]]:
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Numbers):
            yield name, field.annotation


def _table(model: type[Numbers], keys: Keys) -> Iterator[str]:
    """Yield the lines of a table: values first, then the tables below it."""
    for name, printed in model.__printed__.items():
        words = legible_line(" ".join(printed.words.split()))
        yield f"{name} = {_value(printed.value)}" + f" # {words}" * bool(words)
    for name, table in _tables(model):
        yield from ("", f"[{'.'.join((*keys, name))}]", *_table(table, (*keys, name)))


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return str(value).lower() if isinstance(value, bool | int) else _text(str(value))


def _text(text: str) -> str:
    """Return a text as TOML writes it, on one line."""
    return json.dumps(" ".join(text.split()), ensure_ascii=False).replace("\x7f", "\\u007f")
