"""What is wrong with a file of a game from elsewhere, in one line: file, line, what was found, what to write."""

import ast
import os
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

LONGEST = 300  # letters of somebody else's message
# What kernels can't hold → what to write instead.
INSTEAD: Mapping[str, str] = {
    "a text": "a whole number, as the index of a name that stands outside the function",
    "a dict": "an array, or a field of the state, with a place for each key, where keys are whole numbers",
    "a set": "an array, or a field of the state, with a 0 or a 1 for each thing that may be in it",
    "a list": "an array, or a field of the state, of a fixed size, and a number that says how many places are in use",
    "a class": "fields of the state",
    "an import": "the import at the top of the file",
    "a file": "what it holds, read at the top of the file",
}
NODES: Mapping[type[ast.AST], str] = {
    ast.Dict: "a dict", ast.DictComp: "a dict", ast.Set: "a set", ast.SetComp: "a set", ast.List: "a list",
    ast.ListComp: "a list", ast.JoinedStr: "a text", ast.ClassDef: "a class", ast.Import: "an import",
    ast.ImportFrom: "an import", ast.With: "a file",
}  # fmt: skip
# What numba calls them, in the order in which they are looked for: a list of texts is a list.
WORDS = {
    "a dict": r"\bDictType\b|\bdict\b|build_map", "a set": r"\bset\(|build_set", "a list": r"\blist\(|build_list",
    "a text": r"unicode_type|Literal\[str\]", "a file": r"'open'",
}  # fmt: skip


class GameError(Exception):
    """We can't use a game from elsewhere; its text is one line."""


def unread(error: Exception, place: str) -> str:
    """Return why a file is no Python; place: what it is called."""
    if isinstance(error, SyntaxError):
        return f"{place}: line {error.lineno}: {error.msg}"
    return f"{place}: not a text file in UTF-8"


def raised(error: BaseException, texts: Mapping[str, str], place: Callable[[str], str], file: str) -> str:
    """Return in one line what a file of a game has raised when it was imported, and where.

    Args:
        error: what was raised. texts: path → text of the files of the game. place: path → what people call such a file.
        file: path of the one that was imported.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename in texts]
    at, line = (own[-1].filename, own[-1].lineno or 0) if own else (file, 0)
    if any(f"{os.sep}numba{os.sep}" in frame.filename for frame in frames):
        return _uncompiled(error, texts, place, at, line)
    return f"{place(at)}: {_line(line)}{_named(error)}"


def _line(number: int) -> str:
    return f"line {number}: " if number else ""


def _named(error: BaseException) -> str:
    words = " ".join(str(error).split())
    return f"{type(error).__name__}: {words}"[:LONGEST] if words else type(error).__name__


def _uncompiled(
    error: BaseException, texts: Mapping[str, str], place: Callable[[str], str], file: str, line: int
) -> str:
    """Return why numba can't compile a function that begins in this line of a file."""
    message = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    trees = {path: _tree(text) for path, text in texts.items() if path.endswith(".py")}
    known = re.findall(r'File "(.+?)", line (\d+)', message) + re.findall(r"(?:at|from) (\S.*?) \((\d+)\)", message)
    name = re.search(r"name '(\w+)' is not defined|Untyped global name '(\w+)'", message)
    at = [(path, int(number)) for found, number in known if (path := str(Path(found).resolve())) in texts]
    if isinstance(error, KeyError) and not at:  # numba says no more of a field that a record hasn't
        field = str(error.args[0])
        at = [found for path, tree in trees.items() for found in _uses(path, tree, ast.Attribute, "attr", field)]
        why, instead = f"no field {field!r}", "one of the record's"
    elif name and name[1]:
        at = at or [found for path, tree in trees.items() for found in _uses(path, tree, ast.Name, "id", name[1])]
        why, instead = f"nothing called {name[1]!r}", "a name that the file defines or imports"
    elif name and "<class 'function'>" in message:
        why, instead = f"{name[2]}, which isn't compiled", f"@njit (from numba) above `def {name[2]}`"
    elif "No conversion from none to" in message and "return_value" in message:
        why, instead = "a way to its end without a number", "a return with a number there too"
    else:
        here, number = (at or [(file, line)])[0]
        kind = _kind(message, trees[here], number) if here in trees else ""
        why = f"{kind}, which numba can't compile here" if kind else f"what numba can't compile: {_telling(message)}"
        instead = INSTEAD.get(kind, "")
    here, number = (at or [(file, line)])[0]
    return f"{place(here)}: {_line(number)}found {why}"[: 2 * LONGEST] + f"; write {instead}" * bool(instead)


def _tree(text: str) -> ast.Module:
    """Return the syntax tree of a file; an empty one where it is no Python, since then the fault lies in another."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _uses(path: str, tree: ast.AST, kind: type[ast.AST], field: str, name: str) -> Iterator[tuple[str, int]]:
    """Yield path and line where a name occurs."""
    for node in ast.walk(tree):
        if isinstance(node, kind) and getattr(node, field) == name:
            yield path, node.lineno  # type: ignore[attr-defined]


def _kind(message: str, tree: ast.AST, line: int) -> str:
    """Return what it is that a kernel can't hold: by what numba says, else by what stands in this line; "" for anything
    else."""
    first = message.partition("There are")[0]
    for kind, pattern in WORDS.items():
        if re.search(pattern, first):
            return kind
    for node in ast.walk(tree):
        if type(node) in NODES and getattr(node, "lineno", 0) == line:
            return NODES[type(node)]
    return ""


def _telling(message: str) -> str:
    """Return the part of a message of numba's that says what is wrong, in one line."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Failed in", "During:", "- ", "^"))]
    return re.split(r'\s(?:There are \d+ candidate|File "|<source elided>)', " ".join(telling))[0][:LONGEST]
