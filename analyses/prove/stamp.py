"""What has been proved on this machine, and when; kept in the user's cache with the digest of the game's files."""

import hashlib
import json
import os
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from sim import registry
from sim.files import NotWrittenError, write_whole
from sim.given import given_bytes


def path(name: str) -> Path:
    """Return the file for a game; it may not exist."""
    from sim.code_files import base  # numba comes with it

    home = os.fsencode(registry.home(name).resolve())
    return base() / "proved" / f"{hashlib.sha256(home).hexdigest()[:32]}.json"


def keep(name: str, version: str) -> None:
    """Keep that a game as it stands has been proved today; version: of the program that did it."""
    file = path(name)
    kept = {"digest": registry.digest(name), "date": date.today().isoformat(), "version": version}
    with suppress(OSError, NotWrittenError):  # then it counts as not proved
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, json.dumps(kept).encode())


def forget(name: str) -> None:
    """Forget that a game has been proved: now something was found."""
    with suppress(OSError):
        path(name).unlink(missing_ok=True)


def words(name: str) -> str:
    """Return whether a game has been proved, in words: "proved on 2026-12-01 with chapterhouse 0.2.0", "not proved", or
    "changed since it was proved on …"."""
    try:
        kept: dict[str, Any] = json.loads(given_bytes(path(name)))
        day, version = date.fromisoformat(kept["date"]).isoformat(), str(kept["version"])[:40]
        same = kept["digest"] == registry.digest(name)
    except (ArithmeticError, KeyError, OSError, RecursionError, TypeError, ValueError):
        return "not proved"
    return f"proved on {day} with {version}" if same else f"changed since it was proved on {day}"
