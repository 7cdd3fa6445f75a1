"""A component file with other numbers in it: comments and sources stay, every changed number says what it was."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim import registry
from sim.legible import legible_line
from sim.printed.component_files import parse_toml, read_text
from sim.printed.model import leaves, lists, shown

if TYPE_CHECKING:
    from sim.printed.components import Components, Number


def own_file(game: str, given: "list[Path]") -> tuple[str, "list[Path]"]:
    """Return the text that a proposal is written into: the last file of a user's that holds every value, else the
    game's own.

    Args:
        game: name. given: the user's component files.

    Returns:
        The text, and the files that give the components of this text alone.
    """
    from sim.printed.components import FILE, read

    whole = {keys for keys, _ in leaves(read(game).model.model_dump())}
    for file in reversed(given):
        if file.suffix.lower() == ".toml":
            text = read_text(file)
            if whole <= {keys for keys, _ in leaves(parse_toml(text, str(file)))}:
                return text, [file]
    return registry.text(game, FILE) or "", []


def rewritten(
    text: str, printed: "Components", wanted: "Components", proposed: Mapping[str, Any], head: list[str]
) -> str:
    """Return the text of a component file with other numbers in it.

    Args:
        text: of a TOML file that holds every value. printed: the components that it gives. wanted: those that the new
            text gives.
        proposed: path → value before, of the numbers that are proposed; whatever else differs is the user's.
        head: lines of a comment for the top.

    Raises:
        ImportError: the library is missing.
    """
    import tomlkit

    document = tomlkit.parse(text)
    old, new = printed.model.model_dump(), wanted.model.model_dump()
    lengths = {keys: len(entries) for keys, entries in lists(old)}
    longer = [keys for keys, entries in lists(new) if lengths.get(keys) != len(entries)]
    for keys in longer:
        _put(document, keys, _find(new, keys), "has another length")
    before = dict(leaves(old))
    for keys, value in leaves(new):
        path = ".".join(keys)
        if (before.get(keys) != value or path in proposed) and not any(keys[: len(start)] == start for start in longer):
            _put(document, keys, value, f"was {shown(proposed.get(path, before[keys]))}")
    sources = document.setdefault("source", tomlkit.aot())
    for entry in _sources(printed, wanted, proposed):
        table = tomlkit.table()
        table.update(entry)
        table.trivia.indent = "\n"
        sources.append(table)
    return (
        "".join(f"# {legible_line(line)}".rstrip() + "\n" for line in head)
        + ("\n" if head else "")
        + tomlkit.dumps(document)
    )


def _find(node: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        node = node[int(key) - 1] if isinstance(node, list) else node[key]
    return node


def _put(document: Any, keys: tuple[str, ...], value: Any, words: str) -> None:
    """Write a value, and what it was behind its line."""
    import tomlkit
    from tomlkit.items import Table

    *above, last = keys
    parent = _find(document, tuple(above))
    parent[int(last) - 1 if isinstance(parent, list) else last] = value
    # The last thing on the way that has a line of its own: inner tables and lists share one.
    node, line = document, 0
    while line < len(keys) and isinstance(node, (tomlkit.TOMLDocument, Table)):
        node, line = node.item(keys[line]), line + 1
    rest = ".".join(keys[line:])
    already = node.trivia.comment.removeprefix("#").strip()
    said = f"{rest} {words}".strip()
    node.comment(f"{already}; {said}" if already else said)


def _sources(printed: "Components", wanted: "Components", proposed: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a [[source]] entry for each proposed number, and for each origin of the user's own."""
    entries = [
        {"paths": [path], "source": "given", "note": f"proposed by chapterhouse balance; was {shown(before)}"}
        for path, before in proposed.items()
        if path in wanted.numbers
    ]
    others: dict[tuple[Any, ...], list[str]] = {}
    for path, number in wanted.numbers.items():
        origin = _origin(number)
        if path not in proposed and (path not in printed.numbers or _origin(printed.numbers[path]) != origin):
            others.setdefault(origin, []).append(path)
    for (source, low, high, note), found in others.items():
        entry = {"paths": found, "source": source, "low": low, "high": high, "note": note}
        entries.append({key: value for key, value in entry.items() if value not in (None, "")})
    return entries


def _origin(number: "Number") -> tuple[str, int | None, int | None, str]:
    return number.source, number.low, number.high, number.note
