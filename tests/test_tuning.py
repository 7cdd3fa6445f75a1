"""Tuning: better weights, the same for any number of jobs, and the same when a run is stopped and gone on with."""

import json
import sys
import tomllib

import numpy as np
import pytest

from analyses.tuning import DifferentError, Generation, Tuning, TuningPlan, WeightSpace, worth_of
from sim import registry, runner
from sim.printed.components import read
from strategies import _code, catalog

SMALL = (
    "tune",
    "pig",
    "--players",
    2,
    "--strategy",
    "hold_at,hold=8",
    "--against",
    "hold_at",
    "--games",
    60,
    "--test-games",
    200,
)
WEIGHTED = (
    "tune",
    "moesteiro",
    "--players",
    2,
    "--against",
    "greedy",
    "--games",
    8,
    "--population",
    4,
    "--test-games",
    20,
)


def plan(**changes):
    """A small tuning of Pig."""
    start, other = (catalog.entrant("pig", text, 2) for text in ("hold_at,hold=8", "hold_at"))
    return TuningPlan("pig", (2,), start, (other,), **{"games": 60, "population": 6, "joins": 2, **changes})


def tuned(generations, jobs=1, **changes):
    """A tuning that has run for some generations."""
    tuning = Tuning(plan(**changes), read("pig"))
    for _ in range(generations):
        tuning.step(jobs)
    return tuning


def test_weights_get_better():
    tuning = tuned(25, games=400, step=0.5)
    (hold,) = tuning.weights().values()
    assert 15 < hold < 30  # the best number to hold at is 20 or a little more
    before = Tuning(plan(), read("pig")).test(4000)[0]
    (after,) = tuning.test(4000)
    assert before.seed == after.seed
    assert before.high < 0.4
    assert after.low > before.high


def test_the_same_for_any_number_of_jobs():
    assert tuned(5, jobs=1).found == tuned(5, jobs=3).found
    assert tuned(2).found != tuned(2, seed=2).found


def test_a_run_that_is_gone_on_with_finds_the_same():
    whole, first = tuned(7), tuned(3)
    again = Tuning(plan(), read("pig"))
    for generation in first.found:
        again.again(generation)
    assert again.hall == first.hall
    while len(again.found) < 7:
        again.step(1)
    assert again.found == whole.found
    assert len(whole.hall) == 1 + 7 // 2


def test_what_does_not_come_out_again_is_refused():
    first = tuned(1).found[0]
    for damaged in (Generation(1, first.worth, (first.mean[0] + 1e-9,)), Generation(1, first.worth[:-1], first.mean)):
        with pytest.raises(DifferentError, match="generation 1 "):
            Tuning(plan(), read("pig")).again(damaged)


@pytest.mark.slow
def test_thousands_of_candidates_leave_nothing_behind():
    before = _code._policy.cache_info().currsize
    tuned(60)
    assert _code._policy.cache_info().currsize <= before + 1
    assert runner._load.cache_info().currsize <= runner._load.cache_info().maxsize == 256


def test_a_point_is_a_change_of_the_weights():
    start = catalog.entrant("moesteiro", "allrounder", 2)
    space = WeightSpace(start, 2)
    x = np.zeros(space.length)
    assert space.weights(x) == start.weights()[0]
    names = list(start.weights()[0])
    x.reshape(len(names), 2)[names.index("spare")] = 0.5, -0.5
    assert space.weights(x)["spare"] == pytest.approx((2.7, 2.25, 1.8, 1.35, 0.9))
    assert WeightSpace(start, 1).length == len(names)
    assert WeightSpace(start, 9).length == 5 * len(names)
    shifted = WeightSpace(start, 1)
    x = np.zeros(shifted.length)
    x[names.index("spare")] = 1.0
    assert shifted.weights(x)["spare"] == pytest.approx(3.6)


def test_what_games_are_worth():
    game = registry.load("pig")
    outcomes = np.zeros(2, game.dtypes[3])
    outcomes["strategy"][:, :2] = [[0, 1], [1, 0]]
    outcomes["score"][:, :2] = [[100, 50], [100, 90]]
    outcomes["share"][:, :2] = [[60, 0], [60, 0]]
    assert worth_of(outcomes, 2) == pytest.approx(0.5 + 0.5 * (50 - 10) / 2 / 85)


@pytest.mark.slow
def test_the_command_goes_on_with_a_run_and_writes_the_same(command, tmp_path):
    whole, parts = tmp_path / "whole.toml", tmp_path / "parts.toml"
    assert command(*SMALL, "--generations", 12, "--out", whole)[0] == 0
    assert command(*SMALL, "--generations", 5, "--out", parts)[0] == 0
    assert whole.read_text() != parts.read_text()
    assert command(*SMALL, "--generations", 12, "--out", parts, "--resume", "--jobs", 1)[0] == 0
    assert whole.read_text() == parts.read_text()
    assert whole.with_suffix(".jsonl").read_text() == parts.with_suffix(".jsonl").read_text()
    assert len(whole.with_suffix(".jsonl").read_text().splitlines()) == 13


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_found(command, tmp_path, monkeypatch):
    out, step = tmp_path / "mine.toml", Tuning.step

    def stops(tuning, *arguments):
        if len(tuning.found) == 4:
            raise KeyboardInterrupt
        return step(tuning, *arguments)

    monkeypatch.setattr(Tuning, "step", stops)
    status, _, err = command(*SMALL, "--generations", 12, "--out", out)
    assert status == 130
    assert "after generation 4" in err
    assert "4 generations" in out.read_text()
    monkeypatch.undo()
    assert command(*SMALL, "--generations", 12, "--out", out, "--resume")[0] == 0
    command(*SMALL, "--generations", 12, "--out", tmp_path / "other.toml")
    assert tomllib.loads(out.read_text()) == tomllib.loads((tmp_path / "other.toml").read_text())


def test_a_weighted_strategy_is_tuned_on_changed_components_and_can_be_played(command, tmp_path):
    out = tmp_path / "mine.toml"
    status, printed, _ = command(*WEIGHTED, "--generations", 2, "--set", "kings.afonso_v.vp=9", "--out", out, "--json")
    assert status == 0
    answer = json.loads(printed)
    assert (answer["generations"], answer["weights"]) == (2, str(out))
    assert [test["against"] for test in answer["tests"]] == ["greedy"]
    text = out.read_text()
    assert "--set kings.afonso_v.vp=9" in text
    assert "seed " + str(answer["tests"][0]["seed"]) in text
    names, _ = catalog.entrant("moesteiro", "allrounder", 2).weights()
    found, _ = catalog.entrant("moesteiro", str(out), 2).weights()
    assert list(found) == list(names)
    assert found != names
    assert {name: list(w) if isinstance(w, tuple) else w for name, w in found.items()} == answer["found"]
    assert command("seats", "moesteiro", "--players", 2, "--games", 20, "--strategy", out)[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pig", "--strategy", "random_legal"), "strategy random_legal: it has no weights by name"),
        (
            ("pig", "--strategy", "rollout:hold_at"),
            "--strategy: found 'rollout:hold_at'; allowed a strategy that comes with the game",
        ),
        (("pig", "--strategy", "nobody"), "--strategy: nobody: not a strategy of pig"),
        (("pig", "--strategy", "hold_at", "--against", "optimal", "--players", "3"), "optimal: plays with"),
        (("moesteiro", "--players", "7"), "--players: found '7'"),
        (("moesteiro", "--generations", "0"), "--generations: found '0'"),
        (("moesteiro", "--population", "1"), "--population: found '1'"),
        (("moesteiro", "--numbers", "x"), "--numbers: found 'x'"),
        (("moesteiro", "--out", "mine.txt"), "--out: found 'mine.txt'; allowed a file name that ends in .toml"),
        (
            ("moesteiro", "--resume", "--out", "nothing.toml"),
            "--resume: found 'nothing.jsonl' (no such file or directory)",
        ),
    ],
)
def test_what_can_not_be_tuned(command, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    status, out, err = command("tune", *words)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_the_only_strategy_with_weights_is_tuned(command, tmp_path, monkeypatch):
    words = ("tune", "pig", "--players", 2, "--generations", 1, "--population", 4, "--games", 4, "--test-games", 8)
    assert command(*words, "--out", tmp_path / "one.toml")[0] == 0
    assert 'policy = "hold_at"' in (tmp_path / "one.toml").read_text("utf-8")
    for policies, said in (([], "pig has none"), (["hold_at", "other"], "hold_at, other")):
        monkeypatch.setattr(catalog, "policies", lambda game, policies=policies: policies)
        status, _, err = command(*words, "--out", tmp_path / "two.toml")
        assert (status, err) == (2, f"chapterhouse: --strategy: found none; allowed one with weights by name: {said}\n")


def test_another_run_is_not_overwritten_or_gone_on_with(command, tmp_path):
    out = tmp_path / "mine.toml"
    state = out.with_suffix(".jsonl")
    assert command(*SMALL, "--generations", 1, "--out", out)[0] == 0
    kept = state.read_text()
    assert "which holds another run" in command(*SMALL, "--out", out)[2]
    assert "--resume: found seed 2; allowed what" in command(*SMALL, "--out", out, "--resume", "--seed", 2)[2]
    for damaged in ("{}\n", "nonsense\n", "", kept + '{"number": 2}\n', kept.replace('"worth": [', '"worth": [0.0, ')):
        state.write_text(damaged)
        status, _, err = command(*SMALL, "--out", out, "--resume")
        assert (status, len(err.splitlines())) == (2, 1), err
        assert "--resume: found" in err


def test_without_the_library(command, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cma", None)
    status, _, err = command(*SMALL, "--out", tmp_path / "mine.toml")
    assert status == 2
    assert err.endswith("pip install cma\n")
    assert len(err.splitlines()) == 1
