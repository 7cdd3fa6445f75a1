"""A change on the same chance: nothing where nothing can matter, planted effects exactly, the same as plain numpy and
other commands."""

from dataclasses import replace

import numpy as np
import pytest

from analyses.compare.compare import compare, differences, tables, total
from analyses.compare.order import _places, play_mix
from analyses.compare.revision import Revision
from analyses.compare.things import deal_both, game_counts
from analyses.compare.tuned import generations, plan, retune, usual
from analyses.compare.whole import FAIRER, LESS_FAIR, SAME, UNDECIDED, fairness, play
from analyses.evidence import Estimate
from analyses.line import analyse
from analyses.tuning import Tuning
from analyses.worth.worth import measure
from sim import registry
from sim.printed.components import read
from sim.runner import StrategyError, run
from strategies import catalog
from tests.helpers import request

KING = 30  # points, for the King that gives 3


def revised(*changes, game="moesteiro", players=4, names=("random_legal",), games=2000, jobs=1, retune=None):
    given = {
        "players": str(players),
        "games": str(games),
        "seed": "5",
        "changes": changes,
        "strategy": names,
        "jobs": str(jobs),
    }
    asked = request(game, **given)
    return Revision(read(game), asked, asked.line_up(players), retune)


def whole_games(revision):
    return play(revision.studies(revision.entrants), revision.request)[0]


def dealt(revision):
    return deal_both(revision.studies(revision.entrants), "kings", revision.request)


# --- whole games ------------------------------------------------------------------------------------------------------


def test_what_is_not_used_changes_nothing_at_all():
    found = compare(revised("construction.b.1.vp=9", games=300))
    whole, (things,), order = found.whole, found.things, found.order
    assert [path for path, *_ in found.changes] == ["construction.b.1.vp"]
    assert (whole.altered, whole.word, whole.fairness.word) == (
        0,
        "same" if whole.before.word != "undecided" else "undecided",
        SAME,
    )
    for frame in (whole.seats, whole.sources, whole.growth, whole.uses, things.things, order.strategies):
        assert not frame["change"].any()
        assert np.all((frame["low"] <= 0) & (frame["high"] >= 0))
    assert (whole.score.change, whole.lead.change, things.fairness.word, order.swaps) == (0, 0, SAME, ())
    assert np.isnan([whole.saved, whole.score_saved, *things.things["games_saved"]]).all()
    assert whole.before == whole.after
    assert found.all_games == total(found.revision)


def test_points_given_to_a_seat_are_found_where_they_come_from():
    """Who plays at random plays on in the same way, so that nothing else changes."""
    found = whole_games(revised("start.seat4.vp=5"))
    assert found.seats["low"].iloc[3] > 0.02
    assert (found.seats["change"].iloc[:3] < 0).all()
    assert found.seats["change"].sum() == pytest.approx(0)
    assert found.seats["score_change"].tolist() == [0, 0, 0, 5]
    moved = found.sources[found.sources["change"] != 0]
    assert list(zip(moved["seat"], moved["source"], moved["change"])) == [("all", "start", 1.25), ("4", "start", 5)]
    assert not found.uses["change"].any()
    assert found.score.change == 1.25
    assert found.saved > 3  # on a change that leaves the games as they are, pairs save most
    assert (found.seats["correlation"] > 0.5).all()


def test_before_and_after_are_what_each_game_shows_alone():
    plan = revised("rules.pass_steps=up_to_two", players=3, games=600)
    found = whole_games(plan)
    for when, part in (("before", plan.before), ("after", plan.after)):
        line, _ = analyse(
            registry.load("moesteiro"), 3, plan.entrants, part, plan.request.seed, games=600, margin=0.1, jobs=1
        )
        assert getattr(found, when) == line.verdict
        assert found.seats[f"win_share_{when}"].tolist() == pytest.approx(line.tables["seats"]["win_share"].tolist())
        assert found.seats[f"low_{when}"].tolist() == pytest.approx(line.tables["seats"]["low"].tolist())
        own = found.sources[found.sources["seat"] == "all"]
        assert own[when].tolist() == pytest.approx(line.tables["sources"]["points"].tolist())
        assert found.uses[when].tolist() == pytest.approx(line.tables["uses"]["mean"].tolist())
        assert found.growth[when].is_monotonic_increasing
    assert (found.uses["after"] - found.uses["before"]).tolist() == pytest.approx(found.uses["change"].tolist())


def test_the_lead_is_that_of_the_best_over_the_second():
    plan = revised("start.seat2.vp=9", players=3, games=900)
    lead = whole_games(plan).lead
    means = []
    for study in plan.studies(plan.entrants):
        rows = run(study, games=900, keep_rows=True).rows
        best = np.sort(rows["score"].to_numpy().reshape(-1, 3), axis=1)
        leads = (best[:, 2] - best[:, 1]).reshape(-1, 3).mean(axis=1)  # of blocks
        means.append(leads)
    change = means[1] - means[0]
    half = 1.959964 * change.std(ddof=1) / np.sqrt(len(change))
    assert (lead.before, lead.after) == pytest.approx((means[0].mean(), means[1].mean()))
    assert (lead.change, lead.low, lead.high) == pytest.approx(
        (change.mean(), change.mean() - half, change.mean() + half), abs=1e-6
    )


# --- things -----------------------------------------------------------------------------------------------------------


def test_a_king_with_many_points_is_worth_more():
    found = dealt(revised(f"kings.afonso_v.vp={KING}", games=1200))
    table = found.things.set_index("thing")
    afonso, others = table.loc["afonso_v"], table.drop("afonso_v")
    assert afonso["low"] > 0.3
    assert afonso["worth_after"] > afonso["worth_before"] + 0.3
    assert (others["change"] < 0).all()
    # Of others one in all but a sixth or so of the games meets the holder: he leads by 27 more, and they by less.
    assert afonso["points_low"] > 15
    assert afonso["points_high"] < 2 * 27
    assert table["change"].sum() == pytest.approx(0)
    assert (afonso["verdict_after"], found.after) == ("unbalanced", "unbalanced")
    assert found.fairness.word == LESS_FAIR


def test_worth_is_that_of_the_worth_command():
    plan = revised(f"kings.afonso_v.vp={KING}", games=1200)
    found = dealt(plan)
    assert (found.games, found.blocks) == (1200, 200)
    for when, part in (("before", plan.before), ("after", plan.after)):
        alone = measure(
            part, "kings", 4, plan.entrants, plan.request.seed, powers=False, games=1200, free=False, margin=0.1, jobs=1
        )
        for name, other in (
            ("worth", "worth"),
            ("low", "low"),
            ("high", "high"),
            ("points", "points"),
            ("verdict", "verdict"),
        ):
            mine, theirs = found.things[f"{name}_{when}"].tolist(), alone.things[other].tolist()
            assert mine == (theirs if name == "verdict" else pytest.approx(theirs))


@pytest.mark.slow
def test_jobs_change_nothing():
    plan = revised(f"kings.afonso_v.vp={KING}", games=300)
    one, two = compare(plan), compare(replace(plan, request=replace(plan.request, jobs=2)))
    frames, others = tables(one), tables(two)
    assert list(frames) == list(others)
    for name, frame in frames.items():
        assert frame.equals(others[name]), name
    assert (one.whole.fairness, one.order.swaps, one.all_games) == (two.whole.fairness, two.order.swaps, two.all_games)


# --- fairness ---------------------------------------------------------------------------------------------------------


def estimate(*values, half=0.02):
    values = np.array(values, float)
    return Estimate(values, values - half, values + half)


@pytest.mark.parametrize(
    ("before", "after", "half", "word"),
    [
        ((0.3, -0.3), (0.1, -0.1), 0.02, FAIRER),
        ((0.1, -0.1), (0.3, -0.3), 0.02, LESS_FAIR),
        ((0.1, -0.1), (0.12, -0.12), 0.02, UNDECIDED),
        ((0.3, -0.1, -0.2), (-0.1, 0.3, -0.2), 0.02, UNDECIDED),  # another one is as far out
        ((0.3, 0.0, -0.3), (-0.3, 0.0, 0.3), 0.02, UNDECIDED),
        ((-0.3, 0.1, 0.2), (0.2, -0.05, -0.15), 0.02, FAIRER),
    ],
)
def test_fairer_is_who_is_nearer_to_a_fair_share(before, after, half, word):
    change = np.subtract(after, before)
    found = fairness(estimate(*before, half=half), estimate(*after, half=half), estimate(*change, half=2 * half))
    assert found.word == word
    assert found.change[0] == pytest.approx(np.abs(after).max() - np.abs(before).max())
    assert found.change[1] <= found.change[0] <= found.change[2]


def test_the_change_of_the_furthest_is_known_as_closely_as_its_own():
    """A small change of one that is clearly furthest counts, however wide the intervals before and after are."""
    before, after = estimate(0.1, -0.4, 0.3, half=0.04), estimate(0.1, -0.38, 0.28, half=0.04)
    sure = fairness(before, after, estimate(0, 0.02, -0.02, half=0.01))
    assert (sure.word, sure.first, sure.last) == (FAIRER, 1, 1)
    assert sure.change == pytest.approx((-0.02, -0.03, -0.01))
    assert fairness(before, after, estimate(0, 0.02, -0.02, half=0.03)).word == UNDECIDED
    near = estimate(0.39, -0.4, half=0.04)  # which of the two is furthest is not known
    assert fairness(near, estimate(0.37, -0.38, half=0.04), estimate(-0.02, 0.02, half=0.01)).word == UNDECIDED


# --- strategies -------------------------------------------------------------------------------------------------------


def test_strategies_that_overtake_are_found():
    """Whoever holds at 3 beats whoever never holds in a long game, and loses a very short one against him."""
    names = ("hold_at,hold=3", "hold_at,hold=99")
    short = revised("goal=6", game="pig", players=2, names=names, games=1200)
    found = play_mix(short.studies(short.entrants), short.request)
    assert found.swaps == ((names[1], names[0]),)
    assert (found.ranked("before"), found.ranked("after")) == (list(names), list(names[::-1]))
    assert found.strategies["change"].tolist() == pytest.approx(
        [-found.strategies["change"].iloc[1], found.strategies["change"].iloc[1]]
    )
    assert not found.holds
    table = compare(short).order.strategies
    assert table.equals(found.strategies)  # several that were asked for meet in the whole games


def test_places_are_those_that_the_intervals_leave():
    best, worst = _places(estimate(0.5, 0.3, 0.29, 0.1))
    assert (best.tolist(), worst.tolist()) == ([1, 2, 2, 4], [1, 3, 3, 4])


# --- tuned anew -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", registry.names())
def test_who_is_tuned_if_nobody_is_named_has_weights_by_name(game):
    name = usual(game, 2)
    assert plan(catalog.entrant(game, name, 2), 2, 1).start.name == name
    assert name in (catalog.default(game), *catalog.ladder(game)[-2:])


@pytest.mark.slow
def test_a_strategy_that_is_tuned_anew_gets_stronger():
    """Whoever holds at 8 holds too early, in a game to 100 and to 90."""
    pytest.importorskip("cma")
    early = catalog.entrant("pig", "hold_at,hold=8", 2)
    made = plan(early, 2, 5)
    count, each = generations(made, 80_000)
    revision = revised("goal=90", game="pig", players=2, names=(early.name,), games=1000, retune=80_000)
    assert each == Tuning(made, revision.after).games
    found = retune(revision)
    assert (found.games, found.generations, found.word) == (count * each, count, "stronger")
    assert found.weights["hold"] > 9
    assert found.unchanged.low > 0.5  # it is better play altogether, and the page must be able to say so
    assert (found.whole.games, found.whole.before) == (1000, whole_games(revision).before)
    assert found.whole.after != found.whole.before


def test_who_has_no_weights_or_looks_ahead_is_not_tuned():
    for name in ("random_legal", "rollout:greedy@5"):
        with pytest.raises(StrategyError, match=r"no weights by name|looks ahead"):
            plan(catalog.entrant("moesteiro", name, 4), 4, 1)


# --- the rest ---------------------------------------------------------------------------------------------------------


def test_differences_are_values_at_paths():
    first, second = read("moesteiro"), read("moesteiro", changes=["rules.reshuffle=true", "sets.vp.2=5"])
    assert differences(first, second) == (("rules.reshuffle", False, True), ("sets.vp.2", 4, 5))
    assert differences(first, first) == ()


def test_games_are_whole_blocks_of_every_round():
    assert game_counts("moesteiro", "kings", 4, 1) == (6, 30)
    assert game_counts("moesteiro", "kings", 4, 31) == (6, 60)


@pytest.mark.slow
@pytest.mark.parametrize(("stop", "things", "order"), [(1, 0, False), (3, 1, False), (6, 1, True)])
def test_ctrl_c_keeps_what_was_played(stop, things, order):
    heard = []

    def watch(games):
        heard.append(games)
        if len(heard) == stop:
            raise KeyboardInterrupt

    found = compare(revised("kings.afonso_v.vp=9"), watch=watch)
    assert found.interrupted
    assert found.all_games == sum(heard) < total(found.revision)
    assert (len(found.things), found.order is not None) == (things, order)
    parts = [found.whole, *found.things, *([found.order] if found.order else [])]
    assert [part.interrupted for part in parts] == [False] * (len(parts) - 1) + [True]
    assert found.whole.sequential == found.whole.interrupted
    assert all(0 < part.games <= 2010 for part in parts)
