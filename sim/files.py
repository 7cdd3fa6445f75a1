"""Files that are there wholly or not at all, and a folder that one process has for itself."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

LOCK = "lock"
TEMPORARY = ".tmp"


class FolderError(Exception):
    """A folder or a file in it can't be used or written; its text is one line."""


class NotWrittenError(FolderError):
    """The system refuses to write: the disk is full, or the folder is not for this user."""


def refuse_to_write(path: Path, error: OSError) -> NoReturn:
    """Raise NotWrittenError for what the system has said."""
    raise NotWrittenError(f"{path}: {str(error.strerror or error).lower().splitlines()[0]}") from error


def temporary(path: Path) -> Path:
    """Return the file beside another one in which it is written."""
    return path.with_name(f".{path.name}{TEMPORARY}")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it holds all of `data` or what it held before, whenever the process or the machine stops.

    Raises:
        NotWrittenError: it can't be written.
    """
    draft = temporary(path)
    try:
        with draft.open("wb") as file:
            file.write(data)
        settle(draft, path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        refuse_to_write(path, error)


def settle(draft: Path, path: Path) -> None:
    """Give a finished file or folder its name: nobody finds it there before all of it is on the disk."""
    for made in (draft, *draft.rglob("*")) if draft.is_dir() else (draft,):
        sync(made)
    draft.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk before anything that comes later."""
    if path.is_dir() and os.name == "nt":
        return  # there a folder can't be opened, and names need no care
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def owned(folder: Path) -> Iterator[None]:
    """Have a folder for oneself; the lock ends with the process, however that ends.

    Raises:
        FolderError: another process has it, or nothing can be written there.
    """
    path = folder / LOCK
    try:
        file = path.open("ab")
    except OSError as error:
        refuse_to_write(path, error)
    with file:
        try:
            _lock(file)
        except OSError:
            raise FolderError(f"{folder}: another process plays into it") from None
        yield


def _lock(file: Any) -> None:
    """Take the lock of an open file.

    Raises:
        OSError: another process has it.
    """
    if os.name == "nt":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
