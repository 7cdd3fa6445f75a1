"""The runner: the same result for any number of jobs and any batch, distinct games, and what Ctrl-C keeps."""

import dataclasses

import numpy as np
import pytest

from sim import registry
from sim.chance import block_key
from sim.outcomes import Sums
from sim.runner import looks, play, run


def same(a: Sums, b: Sums) -> bool:
    return all(np.array_equal(getattr(a, field.name), getattr(b, field.name)) for field in dataclasses.fields(Sums))


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.names())
def test_jobs_and_batches_change_nothing(study, game):
    asked = study(game, 3, "random_legal")
    base = run(asked, games=6000, jobs=1, batch=6000, keep_rows=True)
    for jobs, batch in ((2, 1000), (2, 2501), (1, 7)):
        games = 6000 if batch > 7 else 60
        part = run(asked, games=games, jobs=jobs, batch=batch, keep_rows=True)
        assert part.rows is not None
        assert part.rows.equals(base.rows[: len(part.rows)])
        assert games < 6000 or same(part.sums, base.sums)


def test_a_run_until_decided_does_not_depend_on_jobs_and_batches_either(study):
    asked = study("pig", 2, "hold_at", "optimal")

    def decided(sums):
        return sums.blocks > 2000

    first, second = (run(asked, decided=decided, jobs=jobs, batch=batch) for jobs, batch in ((1, 5000), (2, 640)))
    assert first.sums.blocks == 2530  # 500, 750, 1125, 1687, 2530
    assert same(first.sums, second.sums)


def test_any_game_is_played_again_from_its_number(study):
    asked = study("pig", 3, "hold_at")
    many, _ = play(asked, 0, 300)
    one, _ = play(asked, 123, 1)
    assert one[0].tobytes() == many[123].tobytes()


def test_all_games_of_a_run_are_distinct(study):
    """Each block has a key of its own, and in each of its games everybody sits elsewhere."""
    players = 3
    outcomes, _ = play(study("pig", players, "random_legal"), 0, 30_000)
    blocks = np.arange(len(outcomes)) // players
    keys = [int(block_key(np.uint64(1), block)) for block in blocks]
    games = set(zip(keys, map(tuple, outcomes["person"][:, :players].tolist())))
    assert len(games) == len(outcomes)
    assert len(set(keys)) == len(outcomes) // players


def test_everybody_sits_everywhere_equally_often_and_in_every_order(study):
    outcomes, _ = play(study("pig", 3, "random_legal"), 0, 9000)
    persons = outcomes["person"][:, :3]
    for seat in range(3):
        assert np.bincount(persons[:, seat]).tolist() == [3000] * 3
    assert len({tuple(order) for order in persons.tolist()}) == 6


def test_several_strategies_are_drawn_into_the_seats(study):
    names = ["hold_at,hold=15", "hold_at,hold=20", "hold_at,hold=25", "random_legal"]
    run_ = run(study("pig", 2, *names), games=4000)
    entries = run_.sums.entries[5:, 0]
    assert entries.sum() == 2 * run_.games
    assert np.all(np.abs(entries - 2000) < 200)


def test_games_are_rounded_up_to_whole_blocks(study):
    played = run(study("pig", 3, "hold_at"), games=100)
    assert (played.games, played.sums.blocks) == (102, 34)


def test_looks_are_fixed_in_advance():
    assert list(looks(2000, fixed=False)) == [500, 750, 1125, 1687, 2000]
    assert list(looks(2000, fixed=True)) == [2000]
    assert list(looks(100, fixed=False)) == [100]


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_keeps_what_was_played(study, third_time, jobs):
    stopped = run(study("pig", 2, "hold_at"), games=1_000_000, jobs=jobs, batch=1000, keep_rows=True, watch=third_time)
    assert stopped.interrupted
    assert stopped.games == sum(third_time) == 3000
    assert stopped.rows is not None
    assert stopped.rows["win_share"].sum() == 3000
    assert stopped.sums.columns[0, 0, 0] == 60 * 3000
