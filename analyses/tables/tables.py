"""Tables by name. Each becomes a pandas frame on first use, so printing its rows needn't wait for pandas."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from analyses import frames as pd

Columns = dict[str, Any]  # name → list or 1-d array, all of one length


def stacked(parts: Sequence[Columns]) -> Columns:
    """Return columns one below the other."""
    found: Columns = {}
    for name in parts[0]:
        pieces = [part[name] for part in parts]
        found[name] = np.concatenate(pieces) if isinstance(pieces[0], np.ndarray) else list(chain(*pieces))
    return found


def frame(columns: Columns) -> "pd.DataFrame":
    """Return columns as a frame."""
    return pd.DataFrame(columns)


class Tables(Mapping[str, Any]):
    """Tables by name, as frames (`tables[name]`) or as columns."""

    def __init__(self, makers: Mapping[str, Callable[[], Columns]]):
        """Note how to make the columns of each; nothing is made yet."""
        self._names = tuple(makers)
        self.columns = cache(lambda name: makers[name]())
        self._frame = cache(lambda name: frame(self.columns(name)))

    def __getitem__(self, name: str) -> "pd.DataFrame":
        return self._frame(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names  # without making it

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a table, each by column."""
        columns = self.columns(name)
        values = [part.tolist() if isinstance(part, np.ndarray) else part for part in columns.values()]
        return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]
