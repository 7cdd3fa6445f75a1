"""Files from a user: we read them whole, if they are files of a sensible size. A pipe or a device might never end."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

MOST_BYTES = 100_000_000
ENDINGS = (".py", ".toml")  # of the files that make a game
ASIDE = ("__pycache__", "tests")  # folders that are no part of a game; nor is any whose name begins with a dot


def given_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the contents of a file.

    Raises:
        OSError: we can't read it, it is not a regular file, or it holds more than `most` bytes; `strerror` says which.
        ValueError: no file can have this name.
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


def files_below(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files below a folder that can make a game: name below the folder, and path; in no order."""
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in ASIDE and not name.startswith(".")]
        for name in names:
            path = Path(above, name)
            if path.suffix in ENDINGS:
                yield path.relative_to(folder).as_posix(), path
