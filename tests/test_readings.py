"""Other readings on the same chance: sums of differences against plain numpy, known answers, and the same result for
any jobs and batch."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from analyses.paired import Difference
from analyses.readings import measure, others, seats_table, table
from analyses.request import Request
from analyses.statistics import compared, verdict
from analyses.survey import line_up
from sim import registry
from sim.outcomes import COLUMNS, Sums
from sim.paired import Paired, block_totals, moments, play_pairs
from sim.printed import components
from sim.runner import Study, play, run
from tests.helpers import request

PLAYERS = 3


def study(*changes, players=PLAYERS, names=("random_legal",), seed=5):
    printed = components.read("moesteiro", changes=changes)
    return Study("moesteiro", players, line_up("moesteiro", names, players), printed.record, seed)


def difference(paired: Paired, at: int = 1, sequential: bool = False) -> Difference:
    first = paired.studies[0]
    names = tuple(entrant.name for entrant in first.entrants)
    return Difference(registry.load(first.game), first.players, names, paired, at, sequential)


# --- sums -------------------------------------------------------------------------------------------------------------


def test_block_totals_add_up_to_the_sums():
    game, asked = registry.load("moesteiro"), study(names=("random_legal", "random_legal"))
    outcomes, decisions = play(asked, 30, 600)
    sums = Sums.of(game, outcomes, PLAYERS, 2, decisions)
    entries, totals = block_totals(game, outcomes, PLAYERS, 2, (*COLUMNS, *game.numbers))
    assert entries.shape[0] == 200
    assert np.array_equal(entries.sum(axis=0), sums.entries[:, 0])
    assert np.array_equal((entries**2).sum(axis=0), sums.entries[:, 1])
    assert np.array_equal(moments(entries, totals), sums.columns)


@pytest.mark.slow
def test_jobs_and_batches_change_nothing():
    studies = [study(), study("rules.pass_steps=up_to_two"), study("rules.reshuffle=true")]
    names = ("share", "score", "points.village")
    base = play_pairs(studies, names, 901, jobs=1, batch=10_000)
    assert (base.blocks, base.games, base.interrupted) == (301, 903, False)
    for jobs, batch in ((1, 100), (2, 7), (2, 250)):
        again = play_pairs(studies, names, 901, jobs=jobs, batch=batch)
        assert np.array_equal(again.changes, base.changes)
        assert np.array_equal(again.altered, base.altered)
        assert all(np.array_equal(a.columns, b.columns) for a, b in zip(again.sums, base.sums))
    for one, sums in zip(studies, base.sums):
        assert np.array_equal(run(one, games=901).sums.columns, sums.columns)
    assert not base.changes[0].any()
    assert base.altered[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["share", "score", "margin", "place", "points.village"])
def test_changes_are_those_of_plain_numpy(name):
    names = ("random_legal", "random_legal")
    studies = [study(names=names), study("rules.pass_steps=up_to_two", names=names)]
    found = difference(play_pairs(studies, (name,), 1500, batch=200))
    rows = [run(one, games=1500, keep_rows=True).rows for one in studies]
    column = "win_share" if name == "share" else name
    if name == "margin":
        for frame in rows:
            best = frame.groupby("game")["score"].nlargest(2).groupby("game").agg(["max", "min"])
            top, second = frame["game"].map(best["max"]), frame["game"].map(best["min"])
            frame["margin"] = frame["score"] - np.where(frame["score"] == top, second, top)
    groups = [*found.before.seats, *found.before.line_up]
    change = found.change(groups, name)
    z = NormalDist().inv_cdf(1 - 0.05 / (2 * len(groups)))
    for at in range(len(groups)):
        mine = [
            f["seat"] == at + 1 if at < PLAYERS else f["strategy"] == f["strategy"].cat.categories[at - PLAYERS]
            for f in rows
        ]
        before, after = (f[column].where(m, 0).groupby(f["block"]).sum().to_numpy(float) for f, m in zip(rows, mine))
        n = mine[0].groupby(rows[0]["block"]).sum().to_numpy(float)
        mean = (after - before).sum() / n.sum()
        s = np.sqrt(((after - before - mean * n) ** 2).sum() / (len(n) - 1)) / n.mean()
        half = z * s / np.sqrt(len(n))
        assert (change.value[at], change.low[at], change.high[at]) == pytest.approx(
            (mean, mean - half, mean + half), abs=1e-9
        )
        # there a block always has the same number of entries, so it is the plain mean of a paired sample
        if at < PLAYERS:
            paired = (after - before) / PLAYERS
            assert mean == pytest.approx(paired.mean())
            assert s == pytest.approx(paired.std(ddof=1))
            apart = (before / PLAYERS).var(ddof=1) + (after / PLAYERS).var(ddof=1)
            assert found.saved(groups, name)[at] == pytest.approx(apart / paired.var(ddof=1))


def test_only_studies_that_meet_the_same_chance_are_paired():
    for other in (study(seed=6), study(players=4), study(names=("random_legal", "random_legal"))):
        with pytest.raises(ValueError, match="same game, players, strategies and seed"):
            play_pairs([study(), other], ("share",), 30)


# --- known answers ----------------------------------------------------------------------------------------------------


def test_points_given_to_a_seat_are_found_exactly():
    """Who plays at random plays on in the same way, so that seat 1 has 30 points more in every game, and nobody else
    has."""
    paired = play_pairs([study(), study("start.seat1.vp=30")], ("share", "score"), 3000)
    found = difference(paired)
    score, share = found.change(found.before.seats, "score"), found.change(found.before.seats, "share")
    assert score.value.tolist() == [30, 0, 0]
    assert share.low[0] > 0.1
    assert np.all(share.high[1:] < 0)
    assert share.value.sum() == pytest.approx(0)
    assert paired.altered[1] == paired.games
    assert np.isnan(found.saved([1], "score")[0])


def planted(changes=(), games=3000, vary=(), watch=lambda games: None, **asked):
    """The readings of a game with some changes, in which every other reading is replaced by a planted change."""

    class Planted(Request):
        def with_changes(self, *more):
            return super().with_changes(*(vary or more))

    given = request(
        "moesteiro", players=str(PLAYERS), changes=list(changes), strategy=["random_legal"], seed="5", **asked
    )
    return measure(Planted(**vars(given)), PLAYERS, given.line_up(PLAYERS), games, watch)


@pytest.mark.slow
def test_a_reading_that_never_matters_changes_nothing_at_all():
    found = planted(["stonework.tiles=99", "glass.tiles=99"])
    effect = found.find("reshuffle", "true")
    assert effect is not None
    assert (effect.verdict, effect.sure) == (found.verdict, False)
    assert effect.altered == 0
    assert not effect.seats["change"].any()
    assert effect.seats["win_share_before"].tolist() == effect.seats["win_share_after"].tolist()
    assert effect.score_change[0] == 0
    assert np.all((effect.seats["low"] < 0) & (effect.seats["high"] > 0))
    assert found.find("pass_steps", "up_to_two").altered > 0.5
    assert found.find("displays", "after_kings") is None


@pytest.mark.slow
def test_a_verdict_that_changes_is_found():
    found = planted(vary=["start.seat2.vp=60"], margin="0.3")
    assert found.verdict.word == "balanced"
    for effect in found.effects:
        assert (effect.verdict.word, effect.word, effect.sure) == ("unbalanced", "changes", True)
        assert effect.most["seat"] == 2
        assert effect.most["low"] < effect.most["change"] < effect.most["high"]
        assert effect.score_change[0] == pytest.approx(20)
    assert found.all_games == found.games * 12


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        (1.0, 1.0, "same"),
        (1.3, 0.7, "same"),
        (1.0, 1.3, "changes"),
        (1.3, 1.0, "changes"),
        (1.1, 1.3, "undecided"),
        (1.0, 1.1, "undecided"),
        (1.1, 1.1, "undecided"),
    ],
)
def test_a_verdict_is_the_same_or_changes_only_where_both_are_decided(before, after, word):
    first, second = (
        verdict([i, 2 - i], [i - 0.05, 1.95 - i], [i + 0.05, 2.05 - i], 0.1, 1000) for i in (before, after)
    )
    assert compared(first.word, second.word) == word


def test_the_readings_that_are_tried_are_those_that_are_not_played():
    usual = others(components.read("moesteiro"))
    changed = others(components.read("moesteiro", changes=["rules.displays=before_kings"]))
    assert ("displays", "before_kings") in [(ruling.switch, value) for ruling, value in usual]
    assert ("displays", "after_kings") in [(ruling.switch, value) for ruling, value in changed]
    assert len(usual) == len(changed) == 11
    assert "construction_set" not in {ruling.switch for ruling, _ in usual}
    assert others(components.read("pig")) == []


def test_tables_hold_what_was_found():
    found = planted(games=600)
    rows, seats = table(found), seats_table(found)
    assert len(rows) == len(found.effects) == 11
    assert len(seats) == 11 * PLAYERS
    for row, effect in zip(rows.itertuples(), found.effects):
        mine = seats[(seats["switch"] == row.switch) & (seats["value"] == row.value)]
        assert row.change == mine["change"].iloc[row.seat - 1]
        assert abs(row.change) == pytest.approx(mine["change"].abs().max())
        assert (row.score_before, row.score_after, row.altered) == (
            effect.score_before,
            effect.score_after,
            effect.altered,
        )
        assert row.score_after - row.score_before == pytest.approx(row.score_change)


@pytest.mark.slow
def test_ctrl_c_keeps_blocks_that_all_have_played():
    heard = []

    def watch(games):
        heard.append(games)
        if len(heard) == 3:
            raise KeyboardInterrupt

    found = planted(games=1_000_000, watch=watch)
    assert found.interrupted
    assert found.sequential
    assert found.all_games == sum(heard)
    fixed = replace(found, played=replace(found.played, sequential=False))
    assert fixed.blocks == found.games // PLAYERS
    widths = [effect.seats["high"] - effect.seats["low"] for effect in found.effects]
    narrower = planted(games=found.games)
    assert narrower.blocks == found.blocks
    for width, effect in zip(widths, narrower.effects):
        assert np.all(width > effect.seats["high"] - effect.seats["low"])
