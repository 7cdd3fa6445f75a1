"""Questions asked from Python: keywords and values instead of what is typed, with the same checks (`chapterhouse`, docs/api.md)."""

import inspect
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from scripts import options as o
from scripts.app import question
from scripts.progress import silent
from scripts.question import Finding, Question

WRITTEN = ("out_folder", "json")  # what a finding does for itself, see `Finding.write` and `Finding.to_dict`


def ask(name: str, quiet: bool, **values: Any) -> Finding:
    """Ask a question.

    Args:
        name: of the command. quiet: whether progress is not told. values: by keyword, see `keywords`; None as if not given.

    Raises:
        ValueError: something can't be used; the text is the line that the command line would print.
        KeyboardInterrupt: it came before there was anything to tell; later it ends the question early, with what was found.
    """
    asked = question(name)
    given = typed(asked, values)
    try:
        o.readable([text for value in given.values() for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)])
        with silent(quiet):
            return asked.find(given)
    except o.WrongInputError as error:
        raise ValueError("\n".join(error.lines)) from None
    except o.StoppedError as error:
        raise KeyboardInterrupt(str(error)) from None


def keywords(asked: Question) -> dict[str, tuple[str, Any, Any]]:
    """Return keyword → name in the question, type and default of all that it takes: an option's name with _ for -; --set is `changes`."""
    known = [(own.name, own.annotation, own.default) for own in asked.own]
    known += [(name, how, usual) for name, (how, usual) in asked.options.items() if name not in WRITTEN]
    found = {}
    for name, annotation, usual in known:
        flag = o.flag(annotation)
        keyword = "changes" if flag == "--set" else flag.removeprefix("--").replace("-", "_") or name
        found[keyword] = (name, get_args(annotation)[0], usual)
    return found


def typed(asked: Question, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return what would have been typed for these values, or stands there if nothing is; by name in the question, with `game`."""
    given: dict[str, Any] = {"game": _text(values["game"])}
    for keyword, (name, kind, usual) in keywords(asked).items():
        value, several = values.get(keyword), list[str] in (kind, *get_args(kind))
        if value is None:
            given[name] = None if usual is inspect.Parameter.empty else usual
        elif kind is bool:
            given[name] = bool(value)
        elif several and isinstance(value, Mapping):
            given[name] = [f"{path}={_text(new)}" for path, new in value.items()]
        elif several:
            given[name] = [_text(one) for one in ([value] if isinstance(value, str) or not isinstance(value, Iterable) else value)]
        else:
            given[name] = _text(value)
    return given


def _text(value: Any) -> str:
    """Return a value as it is typed: several with commas, a table as path=values."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_text(item)}" for key, item in value.items())
    if isinstance(value, Iterable):
        return ",".join(map(_text, value))
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
