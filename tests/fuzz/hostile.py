"""What the fuzz tests share: commands as small as they go, values and files that nobody should give, and what a refusal
must be like."""

import contextlib
import io
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer.main
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from scripts import app as all_commands
from scripts import cli
from scripts import options as o

# CHAPTERHOUSE_FUZZ=20 looks at twenty times as many examples, and at other ones each time.
MORE = int(os.environ.get("CHAPTERHOUSE_FUZZ", "1"))

# Each command with so little to do that a value that happens to be right costs nothing.
SMALL: dict[str, list[str]] = {
    "games": [],
    "strategies": ["pig"],
    "components": ["pig"],
    "replay": ["pig"],
    "play": ["pig"],
    "resume": ["run"],
    "new": ["mygame"],
    "prove": ["pig"],
} | {name: question.small.split() for name, question in all_commands.questions().items()}
LOG = "game,players,seat,score,winner\n1,2,1,100,yes\n1,2,2,80,no\n"
SUFFIXES = (".csv", ".toml", ".json", ".jsonl", ".py", ".txt", ".parquet", "")


def examples(number: int) -> settings:
    """Return the settings of a fuzz test that looks at so many examples: always the same ones, unless more are asked
    for."""
    slow = [
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.large_base_example,
        HealthCheck.function_scoped_fixture,
    ]
    return settings(
        max_examples=number * MORE, derandomize=MORE == 1, database=None, deadline=None, suppress_health_check=slow
    )


all_commands.add_commands([])

# --- what is given ----------------------------------------------------------------------------------------------------


def options(command: str) -> list[tuple[str, bool]]:
    """Return the options of a command: each of its names, and whether a value goes with it."""
    group = typer.main.get_command(all_commands.app)
    return [
        (name, not getattr(parameter, "is_flag", False))
        for parameter in group.commands[command].params  # type: ignore[attr-defined]
        for name in parameter.opts
        if name.startswith("--")
    ]


def commands() -> list[str]:
    """Return the names of all commands."""
    return list(typer.main.get_command(all_commands.app).commands)  # type: ignore[attr-defined]


def harmless(text: str) -> bool:
    """Return whether a value can't be a number of games, threads or trials that would take long."""
    with contextlib.suppress(o.WrongInputError):
        return not o.whole("", text, 5, o.MOST_GAMES)
    return True


PATHS = [
    f"{stem}{suffix}"
    for suffix in SUFFIXES
    for stem in (
        "folder",
        "empty",
        "binary",
        "loop",
        "nowhere",
        "fifo",
        "zero",
        "absent",
        "absent/absent",
        "a" * 300,
        "new\nline",
        "n\0l",
    )
]
WORDS = [
    "", " ", "\n", "\0", "\t", "-", "--", "-1", "0", "1", "2", "3", "4", "+1", "1_0", "٣", "²", "0x1", "1e3", "1e999",
    "-1e999", "inf", "nan", "NaN",
    "-inf", "0.5", "0.0", "1.0", "5e-324",
    str(2**63), str(2**64 - 1), str(2**64), "-" + "9" * 400, "9" * 400, "9" * 5000, "true", "null", "[]",
    "x" * 10_000, "\u202eabc", "\ud800", "\udcff", "\x1b[31m", "a\rb", "\u2028", "😀", "pig", "Pig", "chess", "../pig",
    "moesteiro ", "hold_at", "hold_at\nhold_at", "hold_at,hold=1e999", "hold_at,hold=nan", "hold_at,hold=",
    "hold_at,=1", "hold_at,hold=1,hold=2", "optimal",
    "random_legal,x=1", "rollout:hold_at@1", "rollout:hold_at@0", "search:@1", "search:search:hold_at@1", ":", "@",
    "rollout:", ",", "weighted",
    "goal=50", "goal=", "=5", "=", "goal", "goal=5=5", "goal=1e999", "goal=" + "9" * 29, "goal=" + "9" * 5000,
    "goal=-1", "goal=0", "goal.x=1",
    "goal..=1", "ruin=true", "a." * 3000 + "a=1", "rules=1", "rules.x=1", "goal=1\ngoal=2", "goal=\0", "goal\u202e=1",
    "goal=٣", "goal=1..3",
    "goal=3..1", "goal=1..3:0", "goal=1,1", "goal=1,x", "goal=1,,2", "goal=0..999999999", "goal=50..52:2", "goal=-9..9",
    "seats", "seat:1", "seat:9", "seat:", "seat:٣", "score", "lead", "worth:x", "power:", "number:turns", "number:",
    "each", "all", "1,2", "2,1", "1,1", ",1",
    "1,", "kings", "=cmd|' /C calc'!A0", "<script>alert(1)</script>", "'\"&", "--json", "-x", "%s%n", "{0}", "$(true)",
    "~", "*", "tcp://127.0.0.1:1", "threads",
]  # fmt: skip
VALUES = st.one_of(
    st.sampled_from(WORDS),
    st.sampled_from(PATHS),
    st.sampled_from(
        ["/", ".", "..", "/dev/null", "/dev/full", "/proc", "/proc/self", "//", "./.", "log.csv", "log.csv/x"]
    ),
    st.integers().map(str),
    st.floats().map(str),
    st.text(max_size=30),
    st.text(st.characters(codec=None), max_size=8),
).filter(harmless)


def value_of(name: str) -> st.SearchStrategy[str]:
    """Return values for an option; where what is right would start further processes, only what is wrong."""
    return VALUES.filter(wrong) if name in ("--timeout", "--backend") else VALUES


def wrong(text: str) -> bool:
    """Return whether this is neither a number of seconds nor a backend."""
    with contextlib.suppress(ValueError):
        return not float(text) > 0
    return text not in ("loky", "dask")


def world(folder: Path) -> None:
    """Make a folder anew with all that a path should not lead to, and a run that is finished."""
    if folder.exists():
        shutil.rmtree(folder)
    run = folder.with_name("run")
    if not run.exists():
        assert ask(["seats", "pig", "--games", "4", "--run", str(run), "--json"]).status == 0
    shutil.copytree(run, folder / "run")
    (folder / "log.csv").write_text(LOG, encoding="utf-8")
    for suffix in SUFFIXES:
        (folder / f"folder{suffix}").mkdir()
        (folder / f"empty{suffix}").touch()
        (folder / f"binary{suffix}").write_bytes(bytes(range(256)) * 4)
        if os.name != "nt":
            (folder / f"loop{suffix}").symlink_to(f"loop{suffix}")
            (folder / f"nowhere{suffix}").symlink_to(f"target{suffix}")
            (folder / f"zero{suffix}").symlink_to("/dev/zero")
            os.mkfifo(folder / f"fifo{suffix}")


def contents(folder: Path) -> dict[str, object]:
    """Return what lies in a folder, at any depth: path → bytes of a file, target of a link, kind of anything else."""
    found: dict[str, object] = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = Path(place, name)
            if path.is_symlink():
                found[str(path)] = str(path.readlink())
            else:
                found[str(path)] = path.read_bytes() if path.is_file() else oct(path.stat().st_mode)
    return found


# --- what comes of it -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """What a command has said."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """What was said on standard error, line by line, as a terminal breaks lines."""
        return self.err.rstrip("\n").split("\n")


@contextlib.contextmanager
def caught() -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Catch what is printed; there is nothing to read."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), "utf-8", errors="replace", newline="", write_through=True) for _ in range(2)
    )
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            yield out, err
    finally:
        sys.stdin = before


def ask(words: Sequence[str]) -> Told:
    """Run one command; whatever it raises is a failure of the test."""
    with caught() as (out, err):
        status = cli.run(list(words))
    texts = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return Told(status, *texts)


def check_refusal(told: Told, *, lines: int | None = 1) -> None:
    """Assert that a refusal is what it should be.

    Args:
        lines: how many it may have; None: several, each for something that is wrong.
    """
    assert told.status == 2
    assert told.out == ""
    assert told.err.endswith("\n")
    assert lines is None or len(told.lines) == lines, told.err
    for line in told.lines:
        assert line.startswith("chapterhouse: "), told.err
        assert line.isprintable(), told.err
        assert len(line) < 1_500, told.err
