"""The house rules: imports point one way, no analysis or report names a game, and what is slow to import is imported
where it is used."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sim import registry

HOME = Path(__file__).parent.parent
ORDER = ("sim", "strategies", "analyses", "reports", "scripts")
SLOW = ("numba", "numpy", "pandas", "matplotlib", "pyarrow", "joblib", "jinja2", "sim.printed.components")
# what `chapterhouse new` copies is somebody's own
FILES = [path for layer in ORDER for path in sorted((HOME / layer).rglob("*.py")) if "templates" not in path.parts]


def imported(path):
    """The modules that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            yield node.module or ""


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(HOME).as_posix())
def test_imports_point_one_way(path):
    layer = ORDER.index(path.relative_to(HOME).parts[0])
    above = {name for name in imported(path) if name.split(".")[0] in ORDER[layer + 1 :]}
    assert not above


@pytest.mark.slow
def test_no_module_is_named_by_a_text():
    """In a wheel our modules are below another package: `__package__`, `registry.package` and `catalog.package` know
    which."""
    texts = [
        (path.name, node.value)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        # which no wheel holds
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and path.name != "bench.py"
    ]
    ours = re.compile(rf"(from |import )?({'|'.join(ORDER)})\.[\w.]*( import .*)?")
    assert not [(name, text) for name, text in texts if ours.fullmatch(text)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [path for path in FILES if path.relative_to(HOME).parts[0] == "sim"], ids=lambda path: path.stem
)
def test_no_game_knows_another(path):
    parts = path.relative_to(HOME).parts
    mine = parts[1] if len(parts) > 2 else None
    others = {f"sim.{game}" for game in registry.names() if game != mine}
    assert not {name for name in imported(path) if ".".join(name.split(".")[:2]) in others}


@pytest.mark.parametrize("layer", ["analyses", "reports"])
def test_no_analysis_and_no_report_names_a_game(layer):
    names = re.compile(rf"\b({'|'.join(registry.names())})\b", re.IGNORECASE)
    found = [
        path.name
        for path in (HOME / layer).rglob("*")
        if path.suffix in (".py", ".html", ".css", ".jinja") and names.search(path.read_text("utf-8"))
    ]
    assert not found


def test_tables_that_people_write_are_read_in_one_place():
    """A file that a spreadsheet has saved must mean the same to every command."""
    readers = [
        path.name for path in FILES if re.search(r"read_csv\(|csv\.(reader|DictReader)\(", path.read_text("utf-8"))
    ]
    assert readers == ["sheets.py"]


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(HOME).as_posix())
def test_a_file_says_what_it_is_for(path):
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)) or not text.strip()


# where texts are made legible on their way out
GATES = {"sim/legible.py": {"print"}, "scripts/output.py": {"print", "Console"}}
# of scripts; they show nobody's files
TOOLS = ("bench", "bench_peers", "bench_phases", "bootstrap", "coverage", "mutate", "planted")


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(HOME).as_posix())
def test_nothing_is_printed_but_through_a_gate(path):
    calls = [node.func for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    names = {call.id for call in calls if isinstance(call, ast.Name)} & {"print", "Console"}
    assert names <= GATES.get(path.relative_to(HOME).as_posix(), set()) or path.stem in TOOLS


@pytest.mark.slow
@pytest.mark.parametrize("words", [["games"], ["games", "--json"], ["--version"], ["--help"]])
def test_what_is_slow_to_import_is_imported_where_it_is_used(words):
    code = (
        f"import sys\nfrom scripts.cli import run\nassert run({words!r}) == 0\nprint(*sorted(sys.modules), "
        "file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True)
    assert not set(SLOW) & set(done.stderr.split())


@pytest.mark.slow
def test_an_answer_for_machines_needs_no_tables_and_no_other_command():
    words = ["seats", "pig", "--games", "10", "--json"]
    code = f"import sys\nfrom scripts.cli import run\nrun({words!r})\nprint(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True)
    unused = {
        "pandas",
        "pyarrow",
        "rich",
        "matplotlib",
        "jinja2",
        "joblib",
        "cloudpickle",
        "scipy.linalg",
        "scripts.commands.worth",
    }
    assert not unused & set(done.stderr.split())


@pytest.mark.slow
def test_what_is_loaded_is_never_looked_through_for_garbage_and_what_follows_is():
    code = (
        "import gc\nfrom scripts.cli import main\ntry: main()\nfinally: print(gc.isenabled(), gc.get_freeze_count() "
        "> 50_000)"
    )
    words = [sys.executable, "-c", code, "seats", "pig", "--games", "10", "--json"]
    done = subprocess.run(words, cwd=HOME, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True True"


@pytest.mark.slow
def test_playing_needs_no_pictures():
    code = (
        "import sys\nfrom scripts.cli import run\nrun(['seats', 'pig', '--games', "
        "'10'])\nprint(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True)
    assert not {"matplotlib", "jinja2"} & set(done.stderr.split())
