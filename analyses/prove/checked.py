"""Records for games that are played with the JIT off: an index below 0 is refused there, as numba's bounds checks do,
where Python would count from the end."""

from typing import Any

import numpy as np


class CheckedArray(np.ndarray):
    """An array in which no index counts from the end."""

    def __getitem__(self, index: Any) -> Any:
        refuse(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        refuse(index)
        super().__setitem__(index, value)


class CheckedRecord(np.record):  # type: ignore[misc]
    """A record whose arrays are checked ones."""

    def __getattribute__(self, name: str) -> Any:
        field = np.void.__getattribute__(self, "dtype").fields.get(name)
        if field is None:
            return np.void.__getattribute__(self, name)
        found = np.void.getfield(self, *field[:2])
        if isinstance(found, np.ndarray):
            return checked(found) if found.dtype.names else found.view(CheckedArray)
        return found.view((CheckedRecord, found.dtype)) if isinstance(found, np.void) else found


def refuse(index: Any) -> None:
    """Raise IndexError for an index, or one of several, that is below 0."""
    for one in index if isinstance(index, tuple) else (index,):
        if isinstance(one, int | np.integer) and one < 0:
            raise IndexError(f"index {one}")


def checked(array: Any) -> Any:
    """Return the same memory as checked records."""
    return array.view(np.ndarray).view(np.dtype((CheckedRecord, array.dtype))).view(CheckedArray)


def records(dtype: np.dtype, n: int) -> Any:
    """Return `n` blank checked records, as `sim.contract.records` makes them."""
    return checked(np.zeros(n, dtype))
