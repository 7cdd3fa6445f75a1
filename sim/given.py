"""Files that a user gives: read whole, if they are files of a sensible size; a pipe or a device would never come to an end."""

import errno
from pathlib import Path

MOST_BYTES = 100_000_000


def given_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return what a file holds.

    Raises:
        OSError: it can't be read, is not a regular file, or holds more than `most` bytes; `strerror` says which.
        ValueError: that can't be the name of a file.
    """
    if not path.is_file() and not path.is_dir() and path.exists():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    with path.open("rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {most} bytes", str(path))
    return data


def given_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark, all line ends as `\\n`.

    Raises:
        OSError, ValueError: see `given_bytes`; a ValueError also if it is not UTF-8.
    """
    return given_bytes(path, most).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
