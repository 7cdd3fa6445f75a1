"""Batches of a run: rows stream to a file, batches come back in order, and nothing piles up in memory."""

import threading
import tracemalloc
from _thread import interrupt_main
from contextlib import closing
from time import sleep

import numpy as np
import pandas as pd
import pytest

from sim import registry
from sim.cluster import AHEAD
from sim.rows_file import WINDOW, Rows, RowsFile, Turns
from sim.runner import StrategyError, gather, run, spans


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("game", registry.names())
def test_streamed_rows_are_those_in_memory(study, tmp_path, game, suffix):
    asked = study(game, 3, "random_legal")
    names, absent = ("random_legal",), set(registry.load(game).absent(asked.components[0]))
    keeper = RowsFile(tmp_path / f"rows.{suffix}", Rows(registry.load(game), 3, names, {"replay": "say, it"}, absent))
    streamed = run(asked, games=9000, jobs=2, batch=700, keeper=keeper)
    keeper.close()
    there = run(asked, games=9000, jobs=1, keep_rows=True)
    assert same_sums(streamed.sums, there.sums)
    found = pd.read_csv(keeper._file.path) if suffix == "csv" else pd.read_parquet(keeper._file.path)
    kept = [name for name in there.rows if name not in absent]
    assert [*kept, "replay"] == list(found)
    assert not there.rows[sorted(absent)].to_numpy().any()
    assert set(found["replay"]) == {"say, it"}
    for name in kept:
        column, other = found[name], there.rows[name]
        if other.dtype.kind in "fi":
            np.testing.assert_allclose(column, other.astype(float), rtol=1e-15)
        else:
            assert (
                column.astype(object).where(column.notna(), "").tolist()
                == other.astype(object).where(other.notna(), "").tolist()
            )
    assert [path.name for path in tmp_path.iterdir()] == [f"rows.{suffix}"]


def same_sums(a, b):
    return a.blocks == b.blocks and all(
        np.array_equal(getattr(a, n), getattr(b, n)) for n in ("entries", "columns", "cells", "ties", "used")
    )


def test_rows_of_a_stopped_run_are_those_that_count(study, tmp_path, pig):
    heard = []

    def watch(games):
        heard.append(games)
        if len(heard) == 5:
            raise KeyboardInterrupt

    keeper = RowsFile(tmp_path / "rows.parquet", Rows(pig, 2, ("hold_at",)))
    with closing(keeper):
        stopped = run(study("pig", 2, "hold_at"), games=1_000_000, jobs=2, batch=1000, keeper=keeper, watch=watch)
    assert stopped.interrupted
    rows = pd.read_parquet(tmp_path / "rows.parquet")
    assert len(rows) == 2 * stopped.games == 2 * sum(heard)
    assert rows["game"].is_monotonic_increasing
    assert rows["win_share"].sum() == stopped.games
    assert rows["score"].sum() == stopped.sums.columns[0, 1, 0]


def test_batches_come_back_in_order_and_nobody_is_far_ahead():
    turns = Turns()
    batches = list(turns.handed_out(spans(10, 10 + 3 * WINDOW, 1)))
    first, far = batches[0][0], batches[WINDOW][0]
    waited = threading.Thread(target=turns.wait, args=(far,), daemon=True)
    waited.start()
    assert turns.back(first + 1, "b") == []
    waited.join(0.2)
    assert waited.is_alive()  # the first one is not back
    assert turns.back(first, "a") == ["a", "b"]
    waited.join(10)
    assert not waited.is_alive()
    stuck = threading.Thread(target=turns.wait, args=(batches[-1][0],), daemon=True)
    stuck.start()
    turns.stop()
    stuck.join(10)
    assert not stuck.is_alive()
    turns.back(first + 3, "d")
    assert turns.rest() == ["d"]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_added_up_does_not_stay_in_memory(jobs):
    class Part:
        def __init__(self, blocks):
            self.blocks, self.bytes = blocks, np.ones(1_000_000, np.int8)

        def __add__(self, other):
            return Part(self.blocks + other.blocks)

    tracemalloc.start()
    try:
        total, _ = gather(lambda first, blocks: Part(blocks), Part(0), 1000, size=1, jobs=jobs)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert total.blocks == 1000
    assert most < 100_000_000  # all parts together would be a thousand million


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_parts_do_not_pile_up_where_taking_them_is_slower(jobs):
    made, waiting, taken = [], [], []

    def task(first, blocks):
        made.append(first)
        return blocks

    def watch(blocks):
        sleep(0.005)
        taken.append(blocks)
        waiting.append(len(made) - len(taken))

    assert gather(task, 0, 300, size=1, jobs=jobs, watch=watch) == (300, False)
    assert max(waiting) <= AHEAD * jobs


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 2])
def test_ctrl_c_is_heard_though_a_batch_never_ends(most):
    ended = threading.Event()
    threading.Timer(0.3, interrupt_main).start()
    try:
        assert gather(lambda first, blocks: ended.wait(60) and blocks, 0, most, size=1, jobs=2) == (0, True)
    finally:
        ended.set()


def test_what_is_wrong_with_a_single_batch_is_said():
    with pytest.raises(StrategyError, match="wrong"):
        gather(lambda first, blocks: exec("raise StrategyError('wrong')", globals()), 0, 1, size=1)
