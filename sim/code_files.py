"""Files of machine code: numba's own, but none is unpickled or run before its checksum has been looked at.

    32 bytes    SHA-256 of where the file belongs (its folder and name), and of the rest
    the rest    numba's pickle of a compiled function

numba keeps an index beside the code; here the name of a file says which function, signature and processor it is for. So a file stands for
itself: it is there wholly or not at all, and two processes that compile at once can't lose each other's entries. A file that is not as it
should be counts as one that is not there: the function is compiled, and a good file takes its place.
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
    """Return this user's folder for what can be made anew; it need not exist, and perhaps can't be written."""
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


class Place(caching.UserProvidedCacheLocator):
    """Where numba looks for a function: in `numba.config.CACHE_DIR`, be it that it can only be read."""

    def ensure_cache_path(self) -> None:
        """Do nothing: who saves makes the folder."""


class CodeFile(caching.IndexDataCacheFile):
    """The machine code of one function, a file for each signature and processor."""

    def _path(self, key: Any) -> Path:
        name = hashlib.sha256(repr((self._source_stamp, key)).encode()).hexdigest()[:16]
        return Path(self._cache_path, f"{self._index_name.removesuffix('.nbi')}.{name}.nbc")

    def load(self, key: Any) -> Any:
        """Return what was saved under a key; None if there is nothing, or nothing that can be trusted."""
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
        """Keep something under a key, if that can be done."""
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
