"""Files of machine code: numba's own, but we check the checksum of each before we unpickle or run it.

    32 bytes    SHA-256 of where the file belongs (its folder and name), and of the rest
    the rest    numba's pickle of a compiled function

numba keeps an index beside the code. Here the name of a file says which function, signature and processor it is for, so
each file stands alone: it is complete or missing, and two processes that compile at once can't lose each other's
entries. A damaged file counts as missing: we compile the function again, and a good file takes its place.
"""

import hashlib
import os
import pickle
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import caching

from sim.given import given_bytes
from sim.legible import say

SEAL = hashlib.sha256().digest_size  # bytes


def base() -> Path:
    """Return this user's cache folder; it may not exist, or not be writable."""
    if chosen := os.environ.get("CHAPTERHOUSE_CACHE"):
        return Path(chosen)
    try:
        return Path.home() / ".cache" / "chapterhouse"
    except RuntimeError:  # a user without a home
        return Path(os.devnull) / "chapterhouse"


@cache
def tell(folder: Path, what: str) -> None:
    """Say on standard error what is wrong with a folder, once."""
    say(f"chapterhouse: {folder}: {what}")


def sealed(path: Path, body: bytes) -> bytes:
    """Return the checksum of a file that belongs at `path`."""
    place = f"{path.parent.parent.name}/{path.parent.name}/{path.name}"
    return hashlib.sha256(os.fsencode(place) + b"\0" + body).digest()


class CodePlace(caching.UserProvidedCacheLocator):
    """Where numba looks for a function: in `numba.config.CACHE_DIR`, even if we can only read it, and wherever the
    source lies: the folder's name tells what is in the source."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """Return the folder for the functions of a file."""
        return Path(py_file).parent.name

    def ensure_cache_path(self) -> None:
        """Do nothing: `save` makes the folder."""


class CodeFile(caching.IndexDataCacheFile):
    """The machine code of one function, a file for each signature and processor."""

    def _path(self, key: Any) -> Path:
        name = hashlib.sha256(repr((self._source_stamp, key)).encode()).hexdigest()[:16]
        return Path(self._cache_path, f"{self._index_name.removesuffix('.nbi')}.{name}.nbc")

    def load(self, key: Any) -> Any:
        """Return what is saved under a key; None if there is nothing, or nothing that we can trust."""
        path = self._path(key)
        try:
            data = given_bytes(path)
        except OSError:  # nothing is there, or something else than a file
            return None
        body = data[SEAL:]
        with suppress(Exception):  # of pickle, where the file is as it was written, but not what reads it
            if data[:SEAL] == sealed(path, body):
                return pickle.loads(body)
        tell(path.parents[1], "damaged; machine code is made anew")
        return None

    def save(self, key: Any, data: Any) -> None:
        """Save something under a key, if possible."""
        path = self._path(key)
        body = self._dump(data)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir() and not path.is_symlink():  # which no file can replace
                shutil.rmtree(path)
            with self._open_for_write(str(path)) as file:
                file.write(sealed(path, body) + body)
        except OSError as error:
            why = (error.strerror or type(error).__name__).lower()
            tell(path.parents[2], f"can't be written ({why}); machine code is made anew in each run")
