"""Rows, one for each game and seat, streamed to Parquet or CSV while the games run, in the order of the games.

Every number keeps its own narrow type, straight from the outcome records: a row of the main game has some 130 of them,
and going through pandas took as long as playing. We don't look numbers up in dictionaries, which would cost twice as
much; compression takes care of them.
"""

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.contract import WHOLE, Game
from sim.files import NotWrittenError, open_new, refuse_to_write, settle, temporary
from sim.outcomes import COURSE_EVERY, Sums, course_columns
from sim.runner import BlockResult, Keeper, Span, spans

if TYPE_CHECKING:
    import pyarrow as pa

GROUP = 80_000  # rows that a file holds together; fewer, and Parquet's own marks cost more than the numbers
WINDOW = 16 + (os.cpu_count() or 1)  # batches that may be ahead of the first one that is not yet finished


class Rows:
    """What a row holds, and how outcomes become rows."""

    def __init__(
        self,
        game: Game,
        players: int,
        strategies: tuple[str, ...],
        constants: dict[str, str] | None = None,
        absent: Collection[str] = (),
        course: bool = True,
        written: Callable[[str], str] = str,
    ):
        """Prepare the columns.

        Args:
            game: the game. players: seats in use. strategies: names. constants: columns with the same text in every
                row.
            absent: numbers that have no column, see `Game`: with them rows would cost a seventh more.
            course: whether there are columns for the game's course.
            written: text → how it is written, see `sim.printed.formulas`.
        """
        import pyarrow as pa

        self.players = players
        self._numbers = np.array([number for number, name in enumerate(game.numbers) if name not in absent], np.int64)
        self._constants = {name: pa.array([written(text)]) for name, text in (constants or {}).items()}
        self._strategies = pa.array(list(map(written, strategies)), pa.string())
        self._labels = [pa.array(list(map(written, labels)), pa.string()) for labels in game.categories.values()]
        one_of = pa.dictionary(pa.int8(), pa.string())
        fields = [pa.field(name, kind, False) for name, kind in _head(pa)]
        fields += [pa.field("strategy", one_of, False)]
        fields += [pa.field(name, one_of) for name in game.categories]  # without a value where none was had
        fields += [
            pa.field("score", pa.int32(), False),
            pa.field("win_share", pa.float64(), False),
            pa.field("place", pa.int8(), False),
        ]
        fields += [pa.field(name, pa.int16(), False) for name in game.numbers if name not in absent]
        self._moments = game.course.moments if course else 0
        # without a value after the last moment of a game
        fields += [pa.field(name, pa.int32(), name != COURSE_EVERY) for name in course_columns(self._moments)]
        fields += [pa.field(name, one_of, False) for name in self._constants]
        self.schema = pa.schema(fields)

    def table(self, first: int, outcomes: Any) -> "pa.Table":
        """Return the rows of some games.

        Args:
            first: number of the first game. outcomes: records of games first, first + 1, …
        """
        import pyarrow as pa

        n, games = self.players, len(outcomes)
        number = np.repeat(np.arange(first, first + games), n)
        score = outcomes["score"][:, :n]
        better = np.zeros((games, n), np.int8)
        for seat in range(n):
            better += score[:, [seat]] > score
        columns: list[Any] = [
            number,
            number // n,
            (number % n).astype(np.int8),
            np.tile(np.arange(1, n + 1, dtype=np.int8), games),
        ]
        columns += [
            (outcomes["person"][:, :n] + 1).astype(np.int8).ravel(),
            _coded(outcomes["strategy"][:, :n], self._strategies),
        ]
        had = _columns(outcomes["categories"][:, :n], np.arange(len(self._labels)))
        columns += [_coded(had[i], labels) for i, labels in enumerate(self._labels)]
        columns += [
            score.astype(np.int32).ravel(),
            outcomes["share"][:, :n].ravel() / WHOLE,
            better.ravel() + np.int8(1),
        ]
        columns += list(_columns(outcomes["numbers"][:, :n], self._numbers))
        if self._moments:
            columns.append(np.repeat(outcomes["every"], n))
            told = np.repeat(outcomes["moments"], n)
            course = outcomes["course"]
            columns += [pa.array(course[:, i, :n].ravel(), mask=told <= i) for i in range(self._moments)]
        columns += [_coded(np.zeros(games * n, np.int8), text) for text in self._constants.values()]
        return pa.Table.from_arrays(
            [pa.array(column) if isinstance(column, np.ndarray) else column for column in columns], schema=self.schema
        )


def _columns(values: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Return numbers by game, seat and kind as one row for each of some kinds; piece by piece, which the processor's
    caches like."""
    flat = np.ascontiguousarray(values).reshape(-1, values.shape[2])
    turned = np.empty((len(kinds), len(flat)), values.dtype)
    for at in range(0, len(flat), 256):
        turned[:, at : at + 256] = flat[at : at + 256].T[kinds]
    return turned


def _head(pa: Any) -> list[tuple[str, Any]]:
    """Return the columns that say which row it is."""
    return [
        ("game", pa.int64()),
        ("block", pa.int64()),
        ("rotation", pa.int8()),
        ("seat", pa.int8()),
        ("person", pa.int8()),
    ]


def _coded(codes: np.ndarray, labels: Any) -> Any:
    """Return a column of labels from their numbers, −1 for none."""
    import pyarrow as pa

    flat = codes.astype(np.int8).ravel()
    return pa.DictionaryArray.from_arrays(pa.array(flat, mask=flat < 0 if flat.min(initial=0) < 0 else None), labels)


class TableFile:
    """A file of rows that appears only once it is finished."""

    def __init__(self, path: Path, schema: "pa.Schema"):
        """Begin it; path: ends in .parquet or .csv.

        Raises:
            FolderError: it can't be written.
        """
        self.path, self._draft = path, temporary(path)
        self._as_text = path.suffix.lower() == ".csv"
        self._schema = _with_text(schema) if self._as_text else schema
        self._waiting: list[Any] = []
        with self._or_nothing():
            self._file = open_new(self._draft)
            self._writer = self._made()

    def _made(self) -> Any:
        from pyarrow import csv, parquet

        if self._as_text:
            return csv.CSVWriter(self._file, self._schema)
        labelled = [field.name for field in self._schema if not _is_number(field.type)]
        return parquet.ParquetWriter(
            self._file,
            self._schema,
            compression="lz4",
            use_dictionary=labelled,
            write_statistics=False,
            write_batch_size=2 * GROUP,
        )

    @contextmanager
    def _or_nothing(self) -> Iterator[None]:
        """Leave nothing behind when the system refuses."""
        try:
            yield
        except OSError as error:
            self.discard()
            refuse_to_write(self.path, error)

    def add(self, table: "pa.Table") -> None:
        """Add rows, after all that were added before."""
        self._waiting.append(table)
        if sum(map(len, self._waiting)) >= GROUP:
            self._write()

    def _write(self) -> None:
        import pyarrow as pa

        if not self._waiting:
            return
        table = pa.concat_tables(self._waiting)
        self._waiting = []
        with self._or_nothing():
            if self._as_text:
                self._writer.write_table(table.cast(self._schema))
            else:
                self._writer.write_table(table, row_group_size=len(table))

    def close(self) -> None:
        """Write what is left, and give the file its name."""
        self._write()
        with self._or_nothing():
            self._writer.close()
            self._file.close()
            settle(self._draft, self.path)

    def discard(self) -> None:
        """Leave nothing behind."""
        with suppress(AttributeError, OSError):  # it may have failed before there was one
            self._writer.close()
        with suppress(AttributeError, OSError):
            self._file.close()
        with suppress(OSError):
            self._draft.unlink()


def _is_number(kind: Any) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _with_text(schema: Any) -> Any:
    """Return a schema with labels as text, as CSV has them."""
    import pyarrow as pa

    return pa.schema(
        [field if _is_number(field.type) else pa.field(field.name, pa.string(), field.nullable) for field in schema]
    )


class Turns:
    """Puts the results of threads back into the order in which they were handed out, and lets nobody get far ahead."""

    def __init__(self) -> None:
        self._turn: dict[int, int] = {}  # first block → place in the order
        self._early: dict[int, Any] = {}  # by place
        self._next, self._count, self._stopped = 0, 0, False
        self._changed = threading.Condition()

    def handed_out(self, batches: Iterable[Span]) -> Iterator[Span]:
        """Yield batches, and remember their order."""
        for batch in batches:
            with self._changed:
                self._turn[batch[0]] = self._count
                self._count += 1
            yield batch

    def wait(self, first: int) -> None:
        """Wait until the batch that begins with this block is not far ahead of the first one that is not back."""
        if threading.current_thread() is threading.main_thread():
            return  # which takes them back
        with self._changed:
            turn = self._turn[first]
            self._changed.wait_for(lambda: self._stopped or turn < self._next + WINDOW)

    def back(self, first: int, what: Any) -> list[Any]:
        """Take back the result of a batch; return all results whose turn has come."""
        with self._changed:
            self._early[self._turn.pop(first)] = what
            ready = []
            while self._next in self._early:
                ready.append(self._early.pop(self._next))
                self._next += 1
            self._changed.notify_all()
        return ready

    def stop(self) -> None:
        """Let nobody wait any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def rest(self) -> list[Any]:
        """Return the results that are back while an earlier one is not, in order."""
        return [self._early.pop(turn) for turn in sorted(self._early)]


class RowsFile(Keeper):
    """Keeps the rows of a run in one file, in the order of the games. If somebody stops the run, it keeps those of the
    games that count.

    If we can't write them, the games go on, because we still want their sums. We say so once, and `close` raises it.
    """

    wants_rows = True

    def __init__(self, path: Path, rows: Rows, say: Callable[[str], None] = lambda line: None):
        """Begin the file; say: told in one line that it can't be written any more.

        Raises:
            FolderError: it can't be written at all.
        """
        self._file, self._rows, self._turns, self._say = TableFile(path, rows.schema), rows, Turns(), say
        self._trouble: NotWrittenError | None = None

    def known(self, first: int, end: int, size: int) -> tuple[Iterable[Sums], Iterable[Span]]:
        """Know of no block."""
        return (), self._turns.handed_out(spans(first, end, size))

    def rows(self, first: int, outcomes: Any) -> Any:
        """Return the rows of a batch, when its turn is near."""
        self._turns.wait(first)
        return self._rows.table(first * self._rows.players, outcomes)

    def keep(self, first: int, blocks: int, played: BlockResult) -> None:
        """Write the rows of a batch as soon as all before them are."""
        self._add(self._turns.back(first, played.rows))

    def _add(self, tables: list[Any]) -> None:
        if self._trouble is not None:
            return
        try:
            for table in tables:
                self._file.add(table)
        except NotWrittenError as error:
            self._trouble = error
            self._say(f"{error}; the games go on without their rows")

    def stop(self) -> None:
        """Let nobody wait any more."""
        self._turns.stop()

    def close(self) -> None:
        """Finish the file.

        Raises:
            NotWrittenError: it can't be written.
        """
        self._add(self._turns.rest())
        if self._trouble is not None:
            raise self._trouble
        self._file.close()

    def discard(self) -> None:
        """Leave nothing behind."""
        self._file.discard()
