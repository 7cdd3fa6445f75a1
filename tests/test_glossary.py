"""The glossary (docs/glossary.md) and the names in the code use the same words."""

import ast
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

import pytest

HOME = Path(__file__).parent.parent
LAYERS = ("sim", "strategies", "analyses", "reports", "scripts")
# what `chapterhouse new` copies is somebody's own
FILES = [path for layer in LAYERS for path in sorted((HOME / layer).rglob("*.py")) if "templates" not in path.parts]
GLOSSARY = HOME / "docs" / "glossary.md"
DOCUMENTS = [path for path in (*sorted(HOME.glob("*.md")), *sorted((HOME / "docs").glob("*.md"))) if path != GLOSSARY]
HEADING = ["term", "meaning", "in code", "not"]
# Each game has its own of these, by design.
ONE_A_GAME = {"Model", "Rules", "Tabletop", "Teller"}
# Owed: names that the glossary refuses, and classes that a term names and that stand for something else. When you
# rename one, take it out.
REFUSED = {"Printing", "printings"}
FOREIGN = {"scripts/bench_peers.py"}  # in the words of the library that it measures


def rows():
    """The rows of the tables: term, meaning, names in code, words that we do not use."""
    for line in GLOSSARY.read_text("utf-8").splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            assert len(cells) == len(HEADING), line
            if cells != HEADING and set(line) - set("|-"):
                term, meaning, code, refused = cells
                yield (
                    term,
                    meaning,
                    re.findall(r"`([\w.]+)`", code),
                    [word.strip() for word in refused.split(",") if word.strip()],
                )


ROWS = list(rows())


@cache
def tree(path):
    """A file, parsed."""
    return ast.parse(path.read_text("utf-8"))


def named(body):
    """What a module or a class defines by itself: name → node."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name, node
        for target in (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        ):
            yield from ((name.id, node) for name in ast.walk(target) if isinstance(name, ast.Name))


def stands(name):
    """Whether a dotted name is a package, a module, or something that one defines, however deep in its classes."""
    parts = name.split(".")
    for at in range(len(parts), 0, -1):
        place = HOME.joinpath(*parts[:at])
        path = next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)
        if path is None:
            continue
        body = tree(path).body
        for part in parts[at:]:
            node = dict(named(body)).get(part)
            if node is None:
                return False
            body = getattr(node, "body", [])
        return True
    return False


def public():
    """The public modules, classes and functions of the code, methods too, each with its file."""
    for path in FILES:
        where = path.relative_to(HOME).as_posix()
        if path.stem != "__init__":
            yield path.stem, where
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield node.name, where


def words(name):
    """The words of a name in snake or camel case, in small letters, without the s of a plural."""
    found = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return " ".join(word.lower().removesuffix("s") for word in found)


def test_the_tables_are_whole():
    assert len(ROWS) > 50
    assert [term for term, meaning, code, _ in ROWS if not (meaning.endswith(".") and code)] == []


def test_no_two_rows_share_a_term():
    assert [term for term, count in Counter(words(term) for term, *_ in ROWS).items() if count > 1] == []


def test_no_word_is_used_and_refused():
    assert {words(term) for term, *_ in ROWS} & {words(word) for *_, refused in ROWS for word in refused} == set()


@pytest.mark.parametrize(("term", "code"), [(term, code) for term, _, code, _ in ROWS], ids=[term for term, *_ in ROWS])
def test_what_a_row_names_is_in_the_code(term, code):
    assert [name for name in code if not stands(name)] == []


def test_a_name_that_is_not_there_is_found():
    assert stands("sim.runner.Study.seed")
    assert not stands("sim.runner.Study.sead")
    assert not stands("sim.runner.Studio")
    assert not stands("sim.rummer")


def test_a_class_name_stands_for_one_thing():
    places = defaultdict(list)
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(path.relative_to(HOME).as_posix())
    several = {name: found for name, found in places.items() if len(found) > 1 and name not in ONE_A_GAME}
    assert several == {}


def test_a_class_that_is_named_by_a_term_is_what_the_term_means():
    """The folder of a game follows its rulebook's words instead."""
    homes = {
        words(term): [f"{place.replace('.', '/')}.py" for name in code for place in (name, name.rpartition(".")[0])]
        for term, _, code, _ in ROWS
    }
    games = {path.parent for path in (HOME / "sim").glob("*/turns.py")}
    found = [
        f"{path.relative_to(HOME)}: {node.name}"
        for path in FILES
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ClassDef) and path.parent not in games
        if node.name.lower() in homes and path.relative_to(HOME).as_posix() not in homes[node.name.lower()]
    ]
    assert found == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_no_document_uses_a_word_that_the_glossary_refuses(path):
    prose = re.sub(r"^ {4}.*$|`[^`]*`", "", path.read_text("utf-8"), flags=re.MULTILINE)
    assert [word for *_, refused in ROWS for word in refused if re.search(rf"\b{word}s?\b", prose, re.IGNORECASE)] == []


def test_no_name_is_a_word_that_the_glossary_refuses():
    refused = {words(word): term for term, *_, several in ROWS for word in several}
    found = {
        f"{where}: {name} (say {refused[word]})"
        for name, where in public()
        for word in refused
        if not name.startswith("_")
        and name not in REFUSED
        and where not in FOREIGN
        and re.search(rf"\b{re.escape(word)}\b", words(name))
    }
    assert sorted(found) == []
