"""Questions from Python: keywords and values instead of typed options, with the same checks (docs/api.md)."""

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, get_args

from scripts import app
from scripts import options as o
from scripts.commands.replay import ReplayRequest, ToldGame, told
from scripts.progress import silent
from scripts.question import Finding
from sim import registry
from sim.faults import GameError

# Given to each function; and what a finding does by itself.
APART = ("game", "out_folder", "figures", "form", "brief", "out_file", "quiet", "json")
RENAMED = {"--set": "changes", "--game": "number"}


def ask(name: str, quiet: bool, **values: Any) -> Finding:
    """Ask a question.

    Args:
        name: of the command. quiet: whether to say nothing about progress.
        values: by keyword, see `keywords`; None as if nobody had given it.

    Raises:
        ValueError: something can't be used; the text is the line that the command would print.
        KeyboardInterrupt: it came before there was anything to tell. Later it ends the question early.
    """
    asked = app.question(name)
    with _refusals(), silent(quiet):
        return asked.find(typed(asked.command(), values))


def tell(**values: Any) -> ToldGame:
    """Tell one game; values: by keyword, as for `chapterhouse replay`.

    Raises:
        ValueError: see `ask`.
    """
    with _refusals():
        given = typed(app.replay, values)
        strategies, file = o.played(given.pop("strategy"), given.pop("unproved")), given.pop("file")
        return told(ReplayRequest(**given, strategies=strategies), file)


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except o.WrongInputError as error:
        raise ValueError("\n".join(error.lines)) from None
    except GameError as error:
        raise ValueError(str(error)) from None
    except o.StoppedError as error:
        raise KeyboardInterrupt(str(error)) from None


def keywords(command: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """Return keyword → parameter of a command: an option's name with _ for -; --set is `changes`, --game `number`."""
    found = {}
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in APART:
            flag = o.flag(parameter.annotation)
            found[RENAMED.get(flag) or flag.removeprefix("--").replace("-", "_") or name] = parameter
    return found


def typed(command: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what people would type for these values, by name of the command's parameters, defaults included.

    Raises:
        WrongInputError: a text can't be written as UTF-8.
    """
    given: dict[str, Any] = {"game": _game(values["game"])}
    for keyword, parameter in keywords(command).items():
        value, kind = values.get(keyword), get_args(parameter.annotation)[0]
        if value is None:
            given[parameter.name] = parameter.default if parameter.default is not parameter.empty else None
        elif kind is bool:
            given[parameter.name] = bool(value)
        elif list[str] in (kind, *get_args(kind)):
            given[parameter.name] = _texts(value)
        else:
            given[parameter.name] = _text(value)
    o.readable(
        [
            text
            for value in given.values()
            for text in (value if isinstance(value, list) else [value])
            if isinstance(text, str)
        ]
    )
    return given


def _game(value: Any) -> str:
    """Return what people would type for a game: a name, or a path with a separator in it."""
    text = _text(value)
    return text if isinstance(value, str) or registry.is_path(text) else f".{os.sep}{text}"


def _texts(value: Any) -> list[str]:
    """Return what people would type for a repeatable option: path=value for each entry of a table, and with the name of
    the table before it where tables lie in one."""
    if isinstance(value, Mapping):
        tables = [(f"{key}:", item) if isinstance(item, Mapping) else ("", {key: item}) for key, item in value.items()]
        return [f"{name}{key}={_text(item)}" for name, table in tables for key, item in table.items()]
    return [_text(item) for item in ([value] if isinstance(value, str) or not isinstance(value, Iterable) else value)]


def _text(value: Any) -> str:
    """Return a value as people type it: several with commas between them."""
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ",".join(_texts(value))
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
