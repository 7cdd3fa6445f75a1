"""Run a command of chapterhouse in an environment that sets itself up.

    python3 scripts/bootstrap.py                         set up only
    python3 scripts/bootstrap.py chapterhouse --help     set up if needed, then run the command
    python3 scripts/bootstrap.py pytest

The environment is the folder .venv beside pyproject.toml, filled from requirements.lock, hashes checked. It needs
Python 3.11 or later and nothing else. A stamp in .venv says what it was made from: while that holds, the command starts
at once.
"""

# Python 3.7 to 3.10 must get as far as main() to be told that they are too old.
from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
STAMP = "chapterhouse.stamp"
NOT_STARTED = 2
NOT_SET_UP = 69  # EX_UNAVAILABLE; what the commands' own statuses mean stands in docs/exit-status.md


class SetupError(Exception):
    """The environment could not be made; the message is one line."""


def too_old(version: tuple[int, ...]) -> str | None:
    """Say why this Python can't be used.

    Args:
        version: a tuple like sys.version_info.

    Returns:
        One line, or None when the Python will do.
    """
    if tuple(version[:2]) >= OLDEST_PYTHON:
        return None
    return "chapterhouse needs Python {}.{} or later; this is Python {}.{}".format(*OLDEST_PYTHON, *version[:2])


def programs_folder(venv: Path, system: str = os.name) -> Path:
    """Return the folder of a virtual environment's programs on this system ("nt" or "posix")."""
    return venv / ("Scripts" if system == "nt" else "bin")


def python_of(venv: Path, system: str = os.name) -> Path:
    """Return the path of a virtual environment's Python on this system ("nt" or "posix")."""
    return programs_folder(venv, system) / ("python.exe" if system == "nt" else "python")


def python_name() -> str:
    """Return what tells this Python from others that can't share an environment, like "cpython-311"."""
    return sys.implementation.cache_tag or sys.implementation.name


def fingerprint(root: Path) -> str:
    """Return the stamp that an environment for this checkout must carry.

    Its first word stands for what can't be changed in place: the Python, and where the checkout lies (the environment's
    programs hold absolute paths). Its second word stands for what pip can bring up to date.

    Raises:
        SetupError: pyproject.toml or the lock is missing.
    """
    place = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    digest = hashlib.sha256()
    for name in ("pyproject.toml", "requirements.lock"):
        try:
            content = (root / name).read_bytes()
        except OSError as error:
            raise SetupError(
                f"{root / name} can't be read ({error.strerror}); is this a checkout of chapterhouse?"
            ) from error
        digest.update(b"%d\n" % len(content) + content)
    return f"{python_name()}-{place} {digest.hexdigest()}\n"


def read_stamp(venv: Path) -> str:
    """Return the stamp of an environment, or "" when it has none, because it is missing or unfinished."""
    try:
        return (venv / STAMP).read_text(encoding="ascii")
    except (OSError, ValueError):
        return ""


def write_stamp(venv: Path, stamp: str) -> None:
    """Stamp an environment, whole or not at all."""
    draft = venv / (STAMP + ".new")
    draft.write_text(stamp, encoding="ascii")
    draft.replace(venv / STAMP)


def child_environment(venv: Path, environment: Mapping[str, str], system: str = os.name) -> dict[str, str]:
    """Return the caller's environment variables as an activated virtual environment would have them.

    PYTHONHOME and PYTHONPATH are left out: they would mix other packages with the locked ones.
    """
    child = {name: value for name, value in environment.items() if name not in ("PYTHONHOME", "PYTHONPATH")}
    child["VIRTUAL_ENV"] = str(venv)
    separator = ";" if system == "nt" else ":"
    child["PATH"] = separator.join([str(programs_folder(venv, system)), environment.get("PATH") or os.defpath])
    return child


def call(command: list[str], failure: str, environment: dict[str, str]) -> None:
    """Run one step of the set-up, its output on stderr so that stdout belongs to the command alone.

    Raises:
        SetupError: with the line `failure`, when the step fails.
    """
    import subprocess

    sys.stderr.flush()
    try:
        status = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=environment, check=False
        ).returncode
    except OSError as error:
        raise SetupError(f"{failure} ({error.strerror})") from error
    if status != 0:
        raise SetupError(failure)


def install(root: Path, venv: Path, fresh: bool) -> None:
    """Fill the environment from the lock, then install the project itself editable.

    Args:
        root: the checkout.
        venv: the folder of the environment.
        fresh: make the environment anew, whatever the folder holds.

    Raises:
        SetupError: a step failed; its own messages have gone to stderr.
    """
    environment = child_environment(venv, os.environ)
    if fresh:
        # The base Python, because with .venv activated sys.executable is one of the files to be replaced.
        base = getattr(sys, "_base_executable", None) or sys.executable
        call(
            [base, "-I", "-m", "venv", "--clear", str(venv)],
            f"no virtual environment could be made in {venv}",
            environment,
        )
    pip = [
        str(python_of(venv)),
        "-I",
        "-m",
        "pip",
        "install",
        "-qq",
        "--disable-pip-version-check",
        "--no-input",
        "--no-user",
    ]
    # The lock is complete, but for what pyproject.toml leaves out (tool.uv).
    lock = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "-r", str(root / "requirements.lock")]
    call(pip + lock, "pip could not install requirements.lock (see above); nothing is set up", environment)
    project = ["--no-deps", "--no-build-isolation", "--editable", str(root)]
    call(pip + project, "pip could not install chapterhouse itself (see above); nothing is set up", environment)


@contextlib.contextmanager
def one_at_a_time(root: Path) -> Iterator[None]:
    """Hold back other set-ups of this checkout; on Windows, which lacks flock, they are not held back."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    # A file that is there anyway, so that no lock file is left lying about; closing it lets the next one go on.
    with (root / "pyproject.toml").open("rb") as held:
        with contextlib.suppress(OSError):
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def is_ready(venv: Path, stamp: str) -> bool:
    """Tell whether an environment is finished, made for this stamp, and its Python still there."""
    return read_stamp(venv) == stamp and python_of(venv).exists()


def set_up(root: Path, venv: Path, installer: Callable[[Path, Path, bool], None] = install) -> bool:
    """Make the environment ready; costs next to nothing when it is.

    Args:
        root: the checkout.
        venv: the folder of the environment.
        installer: called as install is, when there is something to do.

    Returns:
        True when something had to be installed.

    Raises:
        SetupError: it could not be done; the environment then carries no stamp and the next call begins anew.
    """
    stamp = fingerprint(root)
    if is_ready(venv, stamp):
        return False
    with one_at_a_time(root):
        stamp = fingerprint(root)
        if is_ready(venv, stamp):  # another call was faster
            return False
        # A finished environment is brought up to date in place; an unfinished one can't be trusted.
        fresh = read_stamp(venv).split(" ")[0] != stamp.split(" ")[0] or not python_of(venv).exists()
        news = (
            "Setting up chapterhouse in .venv (once, about a minute) …"
            if fresh
            else "Bringing chapterhouse's .venv up to date …"
        )
        print(news, file=sys.stderr, flush=True)
        (venv / STAMP).unlink(missing_ok=True)
        installer(root, venv, fresh)
        write_stamp(venv, stamp)
    return True


def run(command: list[str], environment: dict[str, str]) -> int:
    """Run a command in the caller's folder; on POSIX it takes the place of this process.

    Args:
        command: the words of the command; the first is looked for along PATH, the environment's own programs first.
        environment: the environment variables that it gets.

    Returns:
        Its exit status (on POSIX only when it can't be started).
    """
    try:
        if os.name != "nt":
            os.execvpe(command[0], command, environment)
        import shutil
        import subprocess

        found = shutil.which(command[0], path=environment["PATH"])
        if found is None:
            raise FileNotFoundError(2, "no such program")
        return subprocess.call([found, *command[1:]], env=environment)
    except FileNotFoundError:
        return complain(f"{command[0]}: no such command, neither in .venv nor on the path", NOT_STARTED)
    except (OSError, ValueError) as error:
        return complain(f"{command[0]}: can't be run ({getattr(error, 'strerror', None) or error})", NOT_STARTED)


def complain(line: str, status: int) -> int:
    """Print one line on stderr and return the exit status."""
    print(f"bootstrap: {line}", file=sys.stderr)
    return status


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Set up the environment of a checkout if needed, then run a command in it.

    Args:
        arguments: the command and its arguments; none to set up only.
        root: the checkout.

    Returns:
        The command's exit status; 69 when the set-up fails; 2 when the Python is too old or the command can't be run.
    """
    refusal = too_old(sys.version_info[:2])
    if refusal:
        return complain(refusal, NOT_STARTED)
    if arguments and arguments[0] in ("-h", "--help"):
        print((__doc__ or "").strip())
        return 0
    if arguments and (not arguments[0] or arguments[0].startswith("-")):
        return complain(f"{arguments[0]!r} is no command; type: python3 {sys.argv[0]} COMMAND ARGS...", NOT_STARTED)
    venv = root / ".venv"
    try:
        set_up(root, venv)
    except SetupError as error:
        return complain(str(error), NOT_SET_UP)
    except OSError as error:
        return complain(f"the set-up in {venv} failed: {error}", NOT_SET_UP)
    except KeyboardInterrupt:
        return complain("interrupted; the next call begins the set-up anew", 130)
    if not arguments:
        print(f"chapterhouse is set up. Next, type: python3 {sys.argv[0]} chapterhouse --help")
        return 0
    return run(arguments, child_environment(venv, os.environ))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
