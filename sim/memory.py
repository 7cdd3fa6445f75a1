"""Games that were played once need not be played again: a longer run of the same task takes over what a shorter one
played."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy.rec  # noqa: F401  else cloudpickle writes its class out until somebody has imported it, and by name later

Played = dict[int, tuple[int, Any]]  # number of the first block → how many, and what they added up to


@dataclass
class Memory:
    """Parts that `sim.runner.gather` has added up, by task and first block.

    Attributes:
        learning: whether it takes in more of them.
    """

    learning: bool = True
    _parts: dict[bytes, Played] = field(default_factory=dict)

    def of(self, task: Callable[[int, int], Any]) -> Played:
        """Return the parts of a task. A task is the same if it would look the same to another process."""
        import cloudpickle

        name = hashlib.sha256(cloudpickle.dumps(task)).digest()
        return self._parts.setdefault(name, {}) if self.learning else self._parts.get(name, {})


_memory: ContextVar[Memory | None] = ContextVar("memory", default=None)


def memory() -> Memory | None:
    """Return the memory of this thread, if it has one."""
    return _memory.get()


@contextmanager
def remembering() -> Iterator[Memory]:
    """Remember what is played inside; gives the memory."""
    made = Memory()
    token = _memory.set(made)
    try:
        yield made
    finally:
        _memory.reset(token)
