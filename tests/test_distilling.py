"""A strategy that learns from look-ahead: the network learns, the same for any number of jobs, and the file says
how."""

import json

import numpy as np
import pytest
from numba import njit

from analyses.distil.distil import Distilling, DistilPlan, gains_of
from analyses.distil.fit import Fit, Samples
from analyses.study_file import StudyError, from_toml
from sim.printed.components import read
from sim.rows import weighted_rows
from sim.runner import StrategyError, Study, play
from strategies import _network, catalog
from strategies._network import HIDDEN, network_dtype, network_name
from strategies._weights_file import Packed, WeightsError, check, parse, write

PLAN = "expert_1"
TEACHER = f"rollout:{PLAN}@4"
SMALL = ("tune", "moesteiro", "--players", 2, "--teacher", TEACHER, "--games", 1_000, "--test-games", 20)


def rows_of(value, decisions, seed, options=3):
    """Samples of decisions among a few options, whose values are those of their inputs and some noise."""
    draws = np.random.default_rng(seed)
    inputs = draws.integers(0, 4, (options * decisions, 6)).astype(np.float32)
    groups = np.repeat(np.arange(decisions), options)
    shared, noise = draws.normal(size=decisions)[groups], draws.normal(scale=0.1, size=len(inputs))
    roles = np.tile([1, 2, 0], decisions) if options == 3 else np.zeros(len(inputs), np.int64)
    kinds = (groups % 2).astype(np.int64)
    return Samples(
        inputs, kinds, np.array([value(*row) for row in zip(inputs, kinds, roles)]) + shared + noise, groups, roles
    )


def fitted(value, rounds=60):
    fit = Fit(6, 2, seed=1)
    for number in range(rounds):
        if number == rounds - 10:
            fit.sums[:] = 0.0
        fit.take(rows_of(value, 400, number), 3e-3 * (1.0 - number / rounds), True)
    return fit


def test_the_differences_between_options_are_learnt():
    fit = fitted(lambda x, kind, role: 0.3 * max(0.0, x[0] - x[1]) * (1 if kind else -1))
    assert 1.0 - fit.sums[1] / fit.sums[0] > 0.7  # noise is most of the rest


def test_what_the_plans_choice_is_worth_beyond_its_position_is_learnt():
    network = fitted(lambda x, kind, role: 0.2 * (role & 1) * kind).numbers(np.ones(2), 0.0).view(network_dtype(6, 2))
    assert network["own"][0] == pytest.approx([0.0, 0.2], abs=0.03)


def test_the_same_rows_give_the_same_network():
    first, second = (fitted(lambda x, kind, role: 0.1 * x[2], 5).numbers(np.ones(2), 0.01) for _ in range(2))
    assert first.tobytes() == second.tobytes()


def test_values_count_where_nothing_is_compared():
    fit, draws = Fit(3, 1, seed=1), np.random.default_rng(1)
    for _ in range(60):
        inputs, none = draws.integers(0, 2, (2_000, 3)).astype(np.float32), np.zeros(2_000, np.int64)
        fit.sums[:] = 0.0
        values = 0.5 + 0.2 * inputs[:, 0].astype(np.float64)
        fit.take(Samples(inputs, none, values, none, none), 3e-3, False)
    assert fit.sums[1] / fit.sums[0] < 0.5


@pytest.mark.parametrize("count", [1, 37, 64, 145])
def test_rows_are_added_as_often_as_they_are_told(count):
    draws, add = np.random.default_rng(count), called(weighted_rows(HIDDEN, count))
    table, begin = draws.normal(size=(count + 3) * HIDDEN).astype(np.float32), draws.normal(size=HIDDEN)
    for part in (0.0, 0.1, 1.0):
        factors, target = draws.normal(size=count) * (draws.random(count) < part), np.zeros(HIDDEN, np.float32)
        add(target, begin.astype(np.float32), table, 2 * HIDDEN, factors)
        rows = table[2 * HIDDEN :].reshape(-1, HIDDEN)[:count].astype(np.float64)
        assert target == pytest.approx(begin + factors @ rows, rel=1e-4, abs=1e-4)


def called(kernel):
    """Return a function that calls what is for kernels only."""
    return njit(lambda *arguments: kernel(*arguments))


@pytest.mark.parametrize("number", [np.float32, np.float64])
def test_the_value_is_what_passes_the_hidden_units(number):
    draws, value = np.random.default_rng(1), called(_network.value_of_units)
    units, last = draws.normal(size=HIDDEN).astype(number), draws.normal(size=4 * HIDDEN).astype(number)
    expected = np.maximum(0.0, units) @ last.reshape(4, HIDDEN)[2]
    assert value(units, last, 2 * HIDDEN) == pytest.approx(expected, rel=1e-5)


def test_what_the_student_gains_is_counted_by_kind():
    rows = Samples(
        np.zeros((6, 1), np.float32), np.array([0, 0, 1, 1, 0, 0]), np.array([1.0, 3.0, 5.0, 4.0, 2.0, 7.0]),
        np.array([0, 0, 1, 1, 2, 2]), np.array([1, 2, 1, 2, 3, 0]),
    )  # fmt: skip
    assert gains_of(rows, 2).tolist() == [[2.0, 4.0, 2.0, 1.0], [-1.0, 1.0, 1.0, 1.0]]


@pytest.mark.parametrize("game", ["moesteiro", "abbates"])
def test_without_a_network_the_plan_plays(game):
    names, _ = catalog.entrant(game, PLAN, 3).weights()
    blank = catalog.Seated("blank", game, "network", "", tuple(names.items()))
    components = read(game).record
    plays = [
        play(Study(game, 3, (entrant,), components, 7), 0, 60)[0].tobytes()
        for entrant in (blank, catalog.entrant(game, PLAN, 3))
    ]
    assert plays[0] == plays[1]


def test_a_block_of_numbers_is_written_and_read_again():
    numbers = np.array([1.5, -0.25, 0.0, 1e-3] * 100)
    text = write(["Mine."], {"one": 2.0, "many": Packed.of(numbers)}, {}, "network")
    assert max(map(len, text.splitlines())) <= 120
    policy, found = parse(text)
    again = check(found, {"one": 1.0, "many": Packed(400)}, 5)
    assert policy == "network"
    assert again["one"] == 2.0
    assert again["many"].numbers() == pytest.approx(numbers, rel=1e-3)


def test_a_block_without_a_text_is_all_zeros():
    assert check({"many": ""}, {"many": Packed(4)}, 1)["many"].numbers().tolist() == [0.0] * 4


@pytest.mark.parametrize(
    "value", ["AAAA", "not base64!", Packed.of(np.array([np.inf] * 4)).text, Packed.of(np.zeros(5)).text, 3, [1.0]]
)
def test_another_block_is_refused(value):
    with pytest.raises(WeightsError, match=r"many: found .*; allowed is base64 of 4 finite half-precision numbers"):
        check({"many": value}, {"many": Packed(4)}, 1)


def test_a_network_is_no_weight_that_can_be_set(command):
    status, _, err = command("seats", "moesteiro", "--games", 2, "--strategy", "expert,network_2=1")
    assert status == 2
    assert (
        err == "chapterhouse: strategy expert,network_2=1: network_2=1.0: only a file of weights can hold a network\n"
    )


@pytest.mark.slow
def test_the_same_file_for_any_number_of_jobs_and_it_plays(command, tmp_path):
    files = []
    for jobs in (1, 2):
        out = tmp_path / f"{jobs}.toml"
        status, told, _ = command(*SMALL, "--jobs", jobs, "--out", out, "--quiet")
        assert status == 0
        assert "wins" in told
        assert f"Weights: {out}" in told
        files.append(out.read_text("utf-8").replace(str(out), "out"))
    assert files[0] == files[1]
    head = files[0]
    assert f"it learnt from {TEACHER}." in head.replace("\n# ", " ")
    assert "chapterhouse tune moesteiro --teacher" in head
    assert "it learnt from 100 games of the plan against itself" in head
    assert "Tested on new games" in head
    status, _, _ = command("seats", "moesteiro", "--players", 2, "--games", 20, "--strategy", tmp_path / "1.toml")
    assert status == 0


@pytest.mark.slow
def test_a_teacher_makes_a_stronger_player():
    distilling = Distilling(
        DistilPlan("abbates", (2,), catalog.entrant("abbates", TEACHER, 2), 900_000), read("abbates")
    )
    told = []
    distilling.learn(2, 2, told.append)
    (trained,) = distilling.networks
    assert sum(told) == 900_000
    assert trained.self_play == 90_000
    assert trained.played_on >= 810_000
    assert trained.explained > 0.05
    (match,) = distilling.test(4_000)
    assert match.low > 0.5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("pig", "--teacher", "rollout:hold_at@4"), "pig has no policy 'network'"),
        (("moesteiro", "--teacher", "greedy"), "--teacher: found 'greedy'; allowed is rollout with a file of weights"),
        (("moesteiro", "--teacher", "rollout:greedy@4"), "--teacher: found 'rollout:greedy@4'; allowed is rollout"),
        (("moesteiro", "--teacher", f"rollout:{PLAN}@3"), "at least 4 games"),
        (("moesteiro", "--teacher", "nobody"), "nobody: not a strategy of moesteiro"),
        (("moesteiro", "--teacher", TEACHER, "--games", "10"), "--games: found 10; allowed a whole number from 1000"),
        (("moesteiro", "--teacher", TEACHER, "--step", "0.3"), "--step: found '0.3'; allowed nothing with --teacher"),
        (("moesteiro", "--teacher", TEACHER, "--strategy", "greedy"), "--strategy: found 'greedy'; allowed nothing"),
        (("abbates", "--teacher", TEACHER, "--players", "1"), "--players: found '1'; allowed 2 or 3 or 4"),
        (("moesteiro", "--strategy", "expert"), "expert: it plays by a network, which only --teacher makes"),
    ],
)
def test_what_can_not_be_learnt(command, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    status, out, err = command("tune", *words)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_nobody_writes_over_a_file(command, tmp_path):
    (tmp_path / "mine.toml").write_text("# Mine.\n")
    status, _, err = command(*SMALL, "--out", tmp_path / "mine.toml")
    assert status == 2
    assert "which is there already" in err


def test_a_run_has_its_network_whole(command, tmp_path):
    words = ("seats", "abbates", "--players", 2, "--games", 20, "--strategy", "expert", "--run", tmp_path / "run")
    played = command(*words, "--json")
    assert played[0] == 0
    assert json.loads(command("resume", tmp_path / "run", "--json")[1])["seats"] == json.loads(played[1])["seats"]
    study = tmp_path / "run" / "study.toml"
    text = study.read_text("utf-8")
    start = text.index(f'{network_name(2)} = "') + len(f'{network_name(2)} = "')
    with pytest.raises(StudyError, match=rf"strategies\.1\.weights\.{network_name(2)}: "):
        from_toml(f"{text[:start]}!{text[start:]}", "study.toml")
    short = from_toml(text[:start] + "AAAA" + text[text.index('"', start) :], "study.toml").entrants[0]
    with pytest.raises(StrategyError, match="found a network of 1; allowed a network of "):
        short.check(2)
