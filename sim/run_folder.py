"""A run in a folder: the sums of its batches, each in its own file that is complete or missing, with their rows next to
them.

    batches/0000000000000.batch       header and sums of the blocks from 0 on; the file is written last, so what it
                                      names is there
    rows/part-0000000000000.parquet   the rows of the same blocks, if rows are kept

A file holds some batches of the runner. Only the number of its first block decides how many, not jobs or speed: few at
first, then a 64th of all that came before. So little is lost if somebody kills a run, and 10⁹ games still make about a
thousand files. A file never goes beyond a look (`sim.runner.looks`), so a continued run stops after the same block as
one that never stopped.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sim import registry
from sim.files import TEMPORARY, FolderError, refuse_to_write, write_whole
from sim.given import given_bytes
from sim.outcomes import Sums
from sim.rows_file import Rows, TableFile, Turns
from sim.runner import BlockResult, Keeper, Span, Study, play, spans

BATCHES, ROWS = "batches", "rows"
MAGIC = b"chapterhouse batch 1\n"
ARRAYS = ("entries", "columns", "cells", "ties", "used")
LEAST, SHARE, MOST, MOST_WITH_ROWS, FINEST = 4, 64, 400, 40, 1024  # of the batches in a file: see `files`


class DamagedError(Exception):
    """A file of batches does not hold what it should; its text says what is wrong, in a few words."""


def files(first: int, end: int, size: int, with_rows: bool) -> Iterator[Span]:
    """Yield first number and count of the blocks of each file from block `first` up to `end`.

    Args:
        first, end: blocks. size: blocks of a batch. with_rows: whether rows are kept, which are large.
    """
    while first < end:
        before = first // size
        batches = max(LEAST, min(before // SHARE, MOST_WITH_ROWS if with_rows else MOST), before // FINEST)
        blocks = min(batches * size, end - first)
        yield first, blocks
        first += blocks


@dataclass(frozen=True)
class Kept:
    """Where the batches of a run are, and what they must contain.

    Attributes:
        folder: of the run. study: digest of what is played. blank: sums of no block. with_rows: whether rows are kept.
    """

    folder: Path
    study: str
    blank: Sums
    with_rows: bool

    def path(self, first: int) -> Path:
        """Return the file whose first block is `first`."""
        return self.folder / BATCHES / f"{first:013}.batch"

    def part(self, first: int) -> Path:
        """Return the file of the rows of the same blocks."""
        return self.folder / ROWS / f"part-{first:013}.parquet"

    def write(self, first: int, sums: Sums) -> None:
        """Write the sums of the blocks from `first` on, after their rows.

        Raises:
            FolderError: they can't be written.
        """
        arrays = [getattr(sums, name) for name in ARRAYS]
        head = {"study": self.study, "first": first, "blocks": sums.blocks, "decisions": sums.decisions}
        head |= {"rows": _mark(self.part(first)) if self.with_rows else None}
        head |= {"arrays": {name: list(array.shape) for name, array in zip(ARRAYS, arrays)}}
        body = json.dumps(head).encode() + b"\n" + b"".join(array.astype("<i8").tobytes() for array in arrays)
        write_whole(self.path(first), MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body)

    def read(self, first: int, blocks: int | None = None) -> Sums:
        """Return the sums of some blocks, everything checked; `blocks`: how many it must be.

        Raises:
            FileNotFoundError: they are not there. DamagedError: the file, or that of the rows, does not hold what it
                should.
        """
        data = given_bytes(self.path(first))
        if not data.startswith(MAGIC):
            raise DamagedError("not a file of batches, or cut off")
        mark, _, body = data[len(MAGIC) :].partition(b"\n")
        if hashlib.sha256(body).hexdigest().encode() != mark:
            raise DamagedError("its contents do not fit its checksum")
        text, _, numbers = body.partition(b"\n")
        head = _header(text)
        if head["study"] != self.study:
            raise DamagedError("it belongs to another run")
        if (head["first"], head["blocks"]) != (first, blocks or head["blocks"]):
            raise DamagedError(f"it holds blocks {head['first']} to {head['first'] + head['blocks'] - 1}")
        if self.with_rows and (not self.part(first).is_file() or _mark(self.part(first)) != head["rows"]):
            raise DamagedError(f"{ROWS}/{self.part(first).name} is missing or was changed")
        shapes = {name: getattr(self.blank, name).shape for name in ARRAYS}
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
        if head["arrays"] != {name: list(shape) for name, shape in shapes.items()} or len(numbers) != 8 * ends[-1]:
            raise DamagedError("its sums are of another kind")
        flat = np.frombuffer(numbers, "<i8").astype(np.int64)
        parts = [part.reshape(shape) for part, shape in zip(np.split(flat, ends[:-1]), shapes.values())]
        return Sums(head["blocks"], head["decisions"], *parts)

    def begin(self) -> None:
        """Make the folders, and remove what was left half written.

        Raises:
            FolderError: that can't be done, or would be done somewhere else.
        """
        for name in (BATCHES, ROWS) if self.with_rows else (BATCHES,):
            path = self.folder / name
            if path.is_symlink():  # what is written into a run stays in it
                raise FolderError(f"{path}: a link; allowed the folder that a run has made")
            try:
                path.mkdir(exist_ok=True)
                for draft in path.glob(f".*{TEMPORARY}"):
                    draft.unlink()
            except OSError as error:
                refuse_to_write(path, error)

    def there(self) -> set[int]:
        """Return the first blocks of all files, whatever they hold."""
        names = (path.stem for path in (self.folder / BATCHES).glob("*.batch"))
        return {int(name) for name in names if name.isdecimal() and name == f"{int(name):013}"}


def _header(text: bytes) -> dict[str, Any]:
    """Return the header of a file of batches.

    Raises:
        DamagedError: it is none, whatever its checksum says.
    """
    try:
        found = json.loads(text)
    except (RecursionError, ValueError):
        found = None
    if not isinstance(found, dict) or found.keys() != {"study", "first", "blocks", "decisions", "rows", "arrays"}:
        raise DamagedError("it has no header")
    for name, least in (("first", 0), ("blocks", 1), ("decisions", 0)):
        if type(found[name]) is not int or not least <= found[name] < 2**63:
            raise DamagedError(f"its header says {name} {found[name]!r:.40}")
    return found


def _mark(path: Path) -> dict[str, Any]:
    """Return size and checksum of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return {"file": path.name, "bytes": path.stat().st_size, "sha256": digest.hexdigest()}


class Store(Keeper):
    """Keeps a run in a folder, and knows which results are already there.

    Attributes:
        good, written: numbers of files that were there and of those that were written.
    """

    def __init__(
        self,
        kept: Kept,
        rows: Rows | None = None,
        say: Callable[[str], None] = lambda line: None,
        found: Callable[[int], None] = lambda blocks: None,
        before: Callable[[], None] = lambda: None,
        finished: bool = False,
    ):
        """Use a folder.

        Args:
            kept: where and what. rows: what a row holds, if rows are kept.
            say: called with a line on each damaged or missing file.
            found: called with each number of blocks that we find.
            before: called once, before anything is played or written.
            finished: whether all files have been there, so that none can be missing because it was never written.
        """
        self.good, self.written = 0, 0
        self.wants_rows = rows is not None
        self._kept, self._rows, self._say, self._found, self._finished = kept, rows, say, found, finished
        self._before: Callable[[], None] | None = before
        self._turns = Turns()
        self._file: TableFile | None = None
        self._sums = kept.blank  # of the file that is being filled
        self._wanted: dict[int, int] = {}  # first block → blocks, of the files that are not there

    def known(self, first: int, end: int, size: int) -> tuple[Iterable[Sums], Iterable[Span]]:
        """Return the sums that are there, and the batches of the files that are not or are damaged."""
        last = max(self._kept.there(), default=-1)
        found, todo = self._kept.blank, []
        for at, blocks in files(first, end, size, self._rows is not None):
            try:
                found = found + self._kept.read(at, blocks)
                self.good += 1
                continue
            except FileNotFoundError:
                if at < last or self._finished:
                    self._say(f"{self._kept.path(at)}: missing; its games are played again")
            except (DamagedError, OSError) as error:
                why = str(getattr(error, "strerror", None) or error).lower()
                self._say(f"{self._kept.path(at)}: damaged ({why}); its games are played again")
            todo.append((at, blocks))
        self._found(found.blocks)
        if todo and self._before is not None:
            self._before()
            self._before = None
        return [found], self._turns.handed_out(self._batches(todo, size))

    def _batches(self, todo: list[Span], size: int) -> Iterator[Span]:
        for first, blocks in todo:
            self._wanted[first] = blocks
            yield from spans(first, first + blocks, size)

    def rows(self, first: int, outcomes: Any) -> Any:
        """Return the rows of a batch, when its turn is near."""
        self._turns.wait(first)
        return self._rows.table(first * self._rows.players, outcomes) if self._rows else None

    def keep(self, first: int, blocks: int, played: BlockResult) -> None:
        """Write the sums and rows of each file as soon as all its batches, and all files before it, are there."""
        for at, found in self._turns.back(first, (first, played)):
            self._add(at, found)

    def _add(self, first: int, played: BlockResult) -> None:
        start = first - self._sums.blocks  # of the file that is being filled
        if self._rows:
            self._file = self._file or TableFile(self._kept.part(start), self._rows.schema)
            self._file.add(played.rows)
        self._sums = self._sums + played.sums
        if self._sums.blocks < self._wanted[start]:
            return
        if self._file:
            self._file.close()
        self._kept.write(start, self._sums)
        self.written += 1
        self._file, self._sums = None, self._kept.blank
        del self._wanted[start]

    def stop(self) -> None:
        """Let nobody wait any more, and leave no half file behind."""
        self._turns.stop()
        if self._file:
            self._file.discard()
            self._file = None


def same_as_before(kept: Kept, study: Study, batch: int) -> int | None:
    """Play the games of the first good file again.

    Args:
        kept: where it lies. study: what is played. batch: games in a batch.

    Returns:
        How many were played, 0 if there is no good file; None if other sums came of them.
    """
    game, size = registry.load(study.game), max(1, batch // study.players)
    for first in sorted(kept.there()):
        try:
            before = kept.read(first)
        except (DamagedError, OSError):
            continue
        if before.blocks > next(files(first, 2**62, size, kept.with_rows))[1]:
            continue  # no run has written that
        sums = kept.blank
        for at, blocks in spans(first, first + before.blocks, size):
            outcomes, decisions = play(study, at * study.players, blocks * study.players)
            sums = sums + Sums.of(game, outcomes, study.players, len(study.entrants), decisions)
        same = sums.decisions == before.decisions
        same = same and all(np.array_equal(getattr(sums, name), getattr(before, name)) for name in ARRAYS)
        return sums.blocks * study.players if same else None
    return 0
