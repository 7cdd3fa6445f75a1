"""A wheel beside other people's code: what it holds, and that it plays from a folder with somebody's own `sim`."""

import ast
import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from scripts.bootstrap import programs_folder, python_of
from sim.imports import below
from tests.helpers import guest_pig

HOME = Path(__file__).parent.parent
OURS = ("sim", "strategies", "analyses", "reports", "scripts")
WORDS = ["seats", "pig", "--games", "2000", "--json"]
STRATEGY = """\"\"\"Hold as hold_at does, through a helper of the game's own.\"\"\"

import sim.pig.state
from sim.pig.state import STATE
from strategies.pig import hold_at

WEIGHTS = hold_at.WEIGHTS
choose = hold_at.choose
assert sim.pig.state.STATE is STATE
"""


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from sim import registry\n", "from chapterhouse.sim import registry\n"),
        ("from sim.a import (\n    b,\n)", "from chapterhouse.sim.a import (\n    b,\n)"),
        ("from\\\n  sim import a", "from\\\n  chapterhouse.sim import a"),
        ("import sim", "import chapterhouse.sim as sim"),
        ("import sim.a", "import chapterhouse.sim.a, chapterhouse.sim as sim"),
        ("import os, sim.a as b, sys", "import os, chapterhouse.sim.a as b, sys"),
        ("def f():\n\tx = '–'; from sim import a\n", "def f():\n\tx = '–'; from chapterhouse.sim import a\n"),
        ("if A:\r\n\tfrom sim import a\r\nB = '''\r\nfrom sim'''", "if A:\r\n\tfrom chapterhouse.sim import a\r\nB = "
        "'''\r\nfrom sim'''"),
        ("'\x0c\u2028'\nfrom sim import a", "'\x0c\u2028'\nfrom chapterhouse.sim import a"),
        ("from . import sim\nfrom .sim import a\n", "from . import sim\nfrom .sim import a\n"),
        ("import simple\nfrom os import sim  # from sim import a", "import simple\nfrom os import sim  # from sim "
        "import a"),
    ],
)  # fmt: skip
def test_only_our_imports_change(source, expected):
    assert below("chapterhouse", source, ["sim"]) == expected
    assert below("", source, ["sim"]) == source


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """An environment with the wheel and this one's libraries, but not the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    env = folder / "env"
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=HOME,
        check=True,
        capture_output=True,
    )
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", env], check=True)
    (wheel,) = folder.glob("*.whl")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "-q",
        "--python",
        python_of(env),
        "install",
        "--no-index",
        "--no-deps",
        "--no-compile",
        wheel,
    ]
    subprocess.run(pip, check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(env), "platbase": str(env)}))
    # Of a folder that a .pth file names, .pth files are not read, so the checkout stays away.
    (packages / "libraries.pth").write_text("\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}))
    return env, packages


@pytest.fixture(scope="module")
def hers(tmp_path_factory):
    """A folder with packages of the same names as ours."""
    folder = tmp_path_factory.mktemp("hers")
    for name in ("sim", "scripts", "reports"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(f"WHOSE = 'hers: {name}'\n")
    return folder


@pytest.fixture
def run(installed, hers):
    """A function that runs a program of the environment in her folder: its words → what it prints."""

    def run(program, *words):
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            [program, *map(str, words)], cwd=hers, env=environment, capture_output=True, text=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.slow
def test_a_wheel_has_one_name_and_all_files(installed):
    _, packages = installed
    assert {path.name for path in packages.iterdir() if path.is_dir() and not path.name.endswith(".dist-info")} == {
        "chapterhouse"
    }
    there = packages / "chapterhouse"
    left_out = {
        path
        for folder in OURS
        for path in (HOME / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    left_out = {
        path.relative_to(HOME).as_posix() for path in left_out if not (there / path.relative_to(HOME)).is_file()
    }
    assert left_out == {
        f"scripts/{name}.py"
        for name in (
            "bench",
            "bench_peers",
            "bench_phases",
            "bench_report",
            "bench_strength",
            "bootstrap",
            "mutate",
            "planted",
        )
    }
    # what `chapterhouse new` copies stays as it is
    for path in (path for path in there.rglob("*.py") if "templates" not in path.parts):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = (
                [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else [a.name for a in getattr(node, "names", ()) if isinstance(node, ast.Import)]
            )
            assert not {name.partition(".")[0] for name in names} & set(OURS), path


def unproved(answer):
    """Return answers as if nobody had proved the game: a checkout's Pig may be proved, and a wheel's not."""
    return re.sub(r'"proved": "[^"]*"', '"proved": "not proved"', answer)


@pytest.mark.slow
def test_python_plays_beside_her_packages(run, installed, hers, command):
    """The interface, as a script without a guard, with threads and other processes."""
    (hers / "job.py").write_text(
        "import signal, sys\nbefore = list(sys.path), signal.getsignal(signal.SIGINT)\nimport json, chapterhouse\n"
        "for backend in ('threads', 'loky'):\n"
        "    found = chapterhouse.seats('pig', games=2000, jobs=2, backend=backend)\n"
        "    print(json.dumps(found.to_dict(), indent=2))\n"
        "assert len(found._repr_html_()) > 10_000\n"
        "import sim, scripts\nassert (sim.WHOSE, scripts.WHOSE) == ('hers: sim', 'hers: scripts')\n"
        "assert (sys.path, signal.getsignal(signal.SIGINT)) == before\n"
    )
    assert unproved(run(python_of(installed[0]), "job.py")) == 2 * unproved(command(*WORDS)[1])


@pytest.mark.slow
def test_the_command_line_plays_beside_her_packages(run, installed, hers, command):
    expected = unproved(command(*WORDS)[1])
    program = programs_folder(installed[0]) / "chapterhouse"
    (hers / "mine.py").write_text(STRATEGY)
    assert unproved(run(program, *WORDS)) == expected
    words = ["-m", "chapterhouse", *WORDS, "--backend", "loky", "--jobs", 2]
    assert unproved(run(python_of(installed[0]), *words)) == expected
    mine = json.loads(run(program, *WORDS, "--strategy", "mine.py", "--backend", "loky"))
    assert mine["seats"] == json.loads(expected)["seats"]


@pytest.mark.slow
@pytest.mark.parametrize("form", [[], ["--many"]], ids=["one", "many"])
def test_a_game_of_ones_own_plays_beside_her_packages(run, installed, form):
    program, name = programs_folder(installed[0]) / "chapterhouse", f"race{len(form)}"
    run(program, "new", name, *form)
    words = ["seats", f"./{name}", "--games", 400, "--json"]
    assert json.loads(run(program, *words)) == json.loads(run(program, *words, "--backend", "loky", "--jobs", 2))


@pytest.mark.slow
def test_a_wheel_plays_a_game_of_hers(run, installed, hers, command):
    """Its files import ours as in a checkout, though she has a `sim` of her own."""
    race = guest_pig(hers)
    assert "from sim.chance import" in (race / "turns.py").read_text("utf-8")
    expected = json.loads(command(*WORDS)[1])["seats"]
    program = programs_folder(installed[0]) / "chapterhouse"
    for words in ([], ["--backend", "loky", "--jobs", 2]):
        assert json.loads(run(program, "seats", "./race", *WORDS[2:], *words))["seats"] == expected
