"""Files that are complete or missing, and a folder that one process has to itself."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NoReturn

LOCK = "lock"
TEMPORARY = ".tmp"
NOT_WRITABLE = (errno.EROFS, errno.EACCES, errno.EPERM)


class FolderError(Exception):
    """We can't use a folder, or write a file in it; its text is one line."""


class NotWrittenError(FolderError):
    """The system refuses to write: the disk is full, or this user may not write there."""


def refuse_to_write(path: Path, error: OSError) -> NoReturn:
    """Raise NotWrittenError for an error of the system."""
    raise NotWrittenError(f"{path}: {str(error.strerror or error).lower().splitlines()[0]}") from error


def temporary(path: Path) -> Path:
    """Return the temporary file next to a file, in which we write it."""
    return path.with_name(f".{path.name}{TEMPORARY}")


def open_new(draft: Path) -> BinaryIO:
    """Open a new file for writing. Anything already there is removed, because a link or a pipe would lead somewhere
    else.

    Raises:
        OSError: it can't be written.
    """
    draft.unlink(missing_ok=True)
    return draft.open("xb")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file. It holds all of `data` or its old contents, whenever the process or the machine stops.

    Raises:
        NotWrittenError: it can't be written.
    """
    draft = temporary(path)
    try:
        with open_new(draft) as file:
            file.write(data)
        settle(draft, path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink()
        refuse_to_write(path, error)


def settle(draft: Path, path: Path) -> None:
    """Give a finished file or folder its name: nobody finds it before all of it is on the disk."""
    for made in (draft, *draft.rglob("*")) if draft.is_dir() else (draft,):
        sync(made)
    draft.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk before anything that comes later."""
    if path.is_dir() and os.name == "nt":
        return  # there a folder can't be opened, and names need no care
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def owned(folder: Path, *, to_read: bool = False) -> Iterator[None]:
    """Lock a folder for this process; the lock ends with the process, however that ends.

    Args:
        folder: it. to_read: go on, too, where nothing can be written; there a lock that can't be had is not needed.

    Raises:
        FolderError: another process has it, its lock is no file, or nothing can be written there.
    """
    path = folder / LOCK
    try:
        file = _lock_file(path, to_read)
    except OSError as error:
        refuse_to_write(path, error)
    if file is None:
        yield
        return
    with file:
        try:
            _lock(file)
        except OSError as error:
            if file.writable() or isinstance(error, BlockingIOError):
                raise FolderError(f"{folder}: another process plays into it") from None
        yield


def _lock_file(path: Path, to_read: bool) -> BinaryIO | None:
    """Open the lock of a folder, made if need be; where nothing can be written, only to be read, or None if there is
    none.

    Raises:
        FolderError: it is no file. OSError: it can't be opened.
    """
    try:
        if not stat.S_ISREG(path.lstat().st_mode):  # a pipe would wait for ever, a link lead somewhere else
            raise FolderError(f"{path}: not a regular file; allowed the one that a run has made")
    except FileNotFoundError:
        pass
    safe = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | safe, 0o666), "r+b")
    except OSError as error:
        if not to_read or error.errno not in NOT_WRITABLE:
            raise
    try:
        return os.fdopen(os.open(path, os.O_RDONLY | safe), "rb")
    except OSError:
        return None


def _lock(file: BinaryIO) -> None:
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
