"""The ladder: who stands above whom, known answers, the same numbers for any jobs, and what the command and the page
say."""

import importlib
import re
from dataclasses import fields, replace
from html import unescape

import numpy as np
import pandas as pd
import pytest

from analyses import blocks, ladder
from analyses.blocks import between
from analyses.findings import Survey
from analyses.ladder import IN_REPORT, Extent, Ladder, LadderPlan, climb, plan, steps_table
from analyses.phases import costs_of, costs_table, kinds, without_luck
from analyses.survey import ReportPlan as SurveyPlan
from analyses.survey import asked, survey
from reports import ladder as told
from reports import page
from sim import registry
from sim.printed.components import read
from sim.runner import StrategyError, Study, run
from strategies import catalog
from strategies.pig.optimal import solve
from tests.helpers import request

SMALL = Extent(quick=4_000, phase=2_000, effort=2_000, least=20)


def climbed(
    players: int = 2, budgets: tuple[int, ...] = (8,), extent: Extent = SMALL, jobs: str | None = None, **heard
) -> Ladder:
    return climb(request("pig", seed="3", jobs=jobs), plan("pig", players, budgets, extent), **heard)


@pytest.fixture(scope="module")
def found() -> Ladder:
    return climbed()


def untimed(made: Ladder) -> tuple:
    return tuple(replace(step, seconds_a_game=0.0) for step in made.steps), made.costs


# --- rungs and phases -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("budgets", "looking"),
    [
        ((), []),
        ((7,), ["rollout:optimal@7", "search:optimal@7"]),
        ((5, 10), ["rollout:optimal@5", "rollout:optimal@10", "search:optimal@10"]),
        ((1, 2, 4), ["rollout:optimal@1", "rollout:optimal@2", "search:optimal@2", "search:optimal@4"]),
    ],
)
def test_the_rungs_of_a_game(budgets, looking):
    made = plan("pig", 2, budgets)
    assert [entrant.name for entrant in made.rungs] == ["random_legal", "hold_at", "optimal", *looking]
    assert [entrant.name for entrant in made.levels] == ["hold_at", "optimal", *looking[:1]]


def test_a_brief_ladder_only_rolls_out_and_no_level_looks_ahead():
    made = plan("pig", 2, (5, 10), brief=True)
    assert [entrant.name for entrant in made.rungs][3:] == ["rollout:optimal@5", "rollout:optimal@10"]
    assert [entrant.name for entrant in made.levels] == ["hold_at", "optimal"]


def test_who_cannot_play_with_so_many_is_no_rung():
    assert [entrant.name for entrant in plan("pig", 4, (5,)).rungs][:3] == [
        "random_legal",
        "hold_at",
        "rollout:hold_at@5",
    ]
    with pytest.raises(StrategyError, match="needs two players"):
        plan("pig", 1, (5,))


def test_a_game_that_names_no_ladder_has_chance_and_its_usual_strategy(monkeypatch):
    monkeypatch.delattr(importlib.import_module("strategies.pig"), "LADDER")
    assert catalog.ladder("pig") == ("random_legal", "hold_at")


@pytest.mark.parametrize("game", registry.names())
def test_a_ladder_names_strategies_that_there_are(game):
    assert set(catalog.ladder(game)) <= set(catalog.names(game))


@pytest.mark.parametrize("game", registry.names())
def test_every_kind_of_decision_is_in_one_phase_but_what_only_a_study_asks(game):
    loaded = registry.load(game)
    bits = list(kinds(loaded).values())
    listed = {ask for asks in loaded.phases.values() for ask in asks}
    of_studies = {held.asks for held in loaded.things.values() if held.by_study} - listed
    assert (
        sum(bits)
        == np.bitwise_or.reduce(bits)
        == sum(1 << at for at, ask in enumerate(loaded.asks) if ask not in of_studies)
    )
    assert listed <= set(loaded.asks)


def test_a_phase_that_never_comes_up_has_no_cost():
    """In the usual game of Abbates nobody chooses a mission."""
    components = read("abbates")
    costs = costs_of(components, 2, catalog.entrant("abbates", "greedy", 2), 40, 1, 1, lambda games, each: None)
    assert [cost.phase for cost in costs] == ["abbot card", "arcade action", "garden card", "card drawn blind"]


def test_slow_strategies_play_fewer_games_in_whole_blocks():
    made = plan("pig", 3, (5, 100), Extent(quick=1_001, effort=100_000, least=21))
    games = [made.step(at) for at in range(1, len(made.rungs))]
    assert games[0] == 1_002  # blocks of two times three games
    assert games[1:] == [2222, 106, 56]
    assert all(plan("pig", 3, (5, 100), Extent(games=7)).step(at) in (8, 12) for at in range(1, 4))


# --- known answers ----------------------------------------------------------------------------------------------------


def wins_of_optimal_play(hold: int) -> float:
    """How often optimal play beats holding at a number, from either seat alike: exactly, by iteration."""
    roll = solve(100, 6, 1, -1)[1].astype(bool)
    goal, faces = 100, range(2, 7)
    # chance that the optimal one wins, who is about to choose: own score, other score, turn total
    mine = np.zeros((goal, goal, goal))
    other = np.zeros((goal, goal, goal))  # the same while the other one is about to choose: other's score first
    for _ in range(400):
        before = mine.sum() + other.sum()
        for turn in range(goal - 1, -1, -1):
            for table, choice, rest in ((mine, roll, other), (other, None, mine)):
                won = 1.0 if table is mine else 0.0
                i = np.arange(goal)
                held = np.where((i + turn >= goal)[:, None], won, rest[:, np.minimum(i + turn, goal - 1), 0].T)
                rolled = rest[:, :, 0].T / 6
                for face in faces:
                    rolled = (
                        rolled
                        + (np.where((i + turn + face >= goal)[:, None], won, table[:, :, min(turn + face, goal - 1)]))
                        / 6
                    )
                rolls = choice[:, :, turn] if choice is not None else np.full((goal, goal), turn < hold)
                table[:, :, turn] = np.where((i + turn >= goal)[:, None], won, np.where(rolls, rolled, held))
        if mine.sum() + other.sum() - before < 1e-3:
            break
    return float(mine[0, 0, 0] + other[0, 0, 0]) / 2


@pytest.mark.slow
def test_the_exact_win_share_lies_within_the_interval():
    exact = wins_of_optimal_play(20)
    assert 0.5 < exact < 0.6
    step = climbed(budgets=(), extent=Extent(quick=40_000, phase=4)).steps[1]
    assert (step.strategy, step.below) == ("optimal", "hold_at")
    assert step.low < exact < step.high
    assert step.high - step.low < 0.02
    assert step.word == "stronger"


@pytest.mark.slow
def test_the_steps_in_their_order(found):
    assert [(step.below, step.strategy) for step in found.steps] == list(zip(found.rungs, found.rungs[1:]))
    first = found.steps[0]
    assert 0.98 < first.low < first.win_share <= first.high <= 1
    assert first.score > first.score_below
    assert first.better_wins == pytest.approx(first.win_share)  # two players without a tie-break: the higher score wins
    assert first.seconds_a_game > 0
    assert not found.interrupted


@pytest.mark.parametrize("players", [2, 3, 4])
def test_equal_strategies_win_exactly_half(players):
    entrant = catalog.entrant("pig", "hold_at", players)
    twins = LadderPlan("pig", players, (entrant, replace(entrant, name="twin")), (), (), Extent(quick=120))
    step = climb(request("pig"), twins).steps[0]
    assert step.win_share == 0.5
    assert step.better_wins == 0.5
    assert step.score == step.score_below
    assert step.low < 0.5 < step.high
    assert step.word == "undecided"


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_a_step_is_what_its_rows_say(players):
    step = climbed(players, (), Extent(quick=600, phase=12)).steps[0]
    above, below = (catalog.entrant("pig", name, players) for name in ("hold_at", "random_legal"))
    share, score, decisions = 0.0, [], 0
    for swap in range(2):
        cast = tuple(replace((above, below)[(i + swap) % 2], name=str(i)) for i in range(players))
        played = run(Study("pig", players, cast, read("pig").record, 3), games=300, keep_rows=True)
        mine = played.rows[played.rows["strategy"].astype(int) % 2 == swap]
        share += mine["win_share"].sum()
        score += list(mine["score"])
        decisions += played.sums.decisions
    assert step.games == 600
    assert step.win_share == pytest.approx(share / 600)
    assert step.score == pytest.approx(np.mean(score))
    assert step.decisions == pytest.approx(decisions / 600)


def test_intervals_of_few_blocks_hold():
    rng = np.random.default_rng(7)
    for n in (10, 30):
        for share in (0.5, 0.8, 0.95):
            inside = 0
            for _ in range(400):
                low, high = between((rng.random((n, 2)) < share).mean(1), 0, 1, 8)
                inside += low <= share <= high
            assert inside >= 390


@pytest.mark.slow
def test_a_strong_strategy_loses_by_chance_and_chance_does_not(found):
    assert [(cost.level, cost.phase) for cost in found.costs] == [
        (level, "turn") for level in ("hold_at", "optimal", "rollout:optimal@8")
    ]
    for cost in found.costs[:2]:
        assert cost.sure
        assert 0.4 < cost.low < cost.cost <= cost.high <= 0.5  # of a half: who plays at random hardly ever wins
        assert 0 < cost.points_low < cost.points < cost.points_high
    chance = catalog.entrant("pig", "random_legal", 2)
    other = climb(
        request("pig", seed="3"),
        LadderPlan("pig", 2, plan("pig", 2).rungs[:2], (chance,), (), Extent(quick=4, phase=20_000)),
    ).costs[0]
    assert other.low < 0 < other.high
    assert not other.sure


def test_luck_is_taken_off_without_a_bias():
    """A value that is the control but for a shift has no luck left; one that has nothing to do with it stays as it is,
    on average."""
    rng = np.random.default_rng(3)
    control = rng.random(200)
    assert without_luck(control - 0.25, control, 0.5) == pytest.approx(0.25)
    means = []
    for _ in range(400):
        luck, own = rng.random(30), rng.random(30)
        means.append(without_luck(0.3 * luck + own, luck, 0.5).mean())
    assert np.mean(means) == pytest.approx(0.65, abs=4 * np.std(means) / 20)
    assert np.std(means) < 1.15 * np.sqrt(1 / 12 / 30)
    assert np.array_equal(without_luck(control[:5], control[:5], 0.5), control[:5])


def test_every_phase_of_a_larger_game_costs_a_good_plan_points():
    made = plan("moesteiro", 2, (), Extent(quick=80, phase=400))
    costs = climb(request("moesteiro", seed="3"), replace(made, levels=made.levels[-1:])).costs
    assert [cost.phase for cost in costs] == list(kinds(registry.load("moesteiro")))
    assert all(cost.points > 0 for cost in costs)
    assert all(-0.5 <= cost.low <= cost.cost <= cost.high <= 0.5 for cost in costs)
    assert {cost.phase for cost in costs if cost.sure} >= {"placing dice", "building"}


# --- the same numbers, and stopping -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_for_any_jobs_and_batches(found, monkeypatch):
    assert untimed(climbed(jobs="1")) == untimed(found)
    for module in (ladder, importlib.import_module("analyses.phases")):
        monkeypatch.setattr(module, "BATCH", 52)
    assert blocks.BATCH != 52
    assert untimed(climbed(jobs="2")) == untimed(found)


def test_ctrl_c_keeps_what_was_finished(found):
    begun: list[str] = []

    def begins(words: str) -> None:
        begun.append(words)
        if len(begun) == 3:
            raise KeyboardInterrupt

    stopped = climbed(begins=begins)
    assert stopped.interrupted
    assert untimed(stopped) == (untimed(found)[0][:2], ())


@pytest.mark.slow
def test_all_games_are_watched(found):
    heard: list[tuple[int, float]] = []
    climbed(watch=lambda games, weight: heard.append((games, weight)))
    assert sum(games for games, _ in heard) == found.all_games
    assert sum(games * weight for games, weight in heard) == pytest.approx(plan("pig", 2, (8,), SMALL).work())


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_answer_for_machines(answer, tmp_path):
    made = answer("ladder", "pig", "--games", 40, "--budgets", "3,6", "--seed", 5, "--out", tmp_path)
    names = ["random_legal", "hold_at", "optimal", "rollout:optimal@3", "rollout:optimal@6", "search:optimal@6"]
    assert made["rungs"] == names
    assert [step["strategy"] for step in made["steps"]] == names[1:]
    assert {
        "strategy",
        "below",
        "games",
        "win_share",
        "low",
        "high",
        "score",
        "score_below",
        "seconds_a_game",
        "better_wins",
    } <= set(made["steps"][0])
    assert all(step["games"] == 40 and 0 <= step["low"] <= step["high"] <= 1 for step in made["steps"])
    assert [cost["level"] for cost in made["phases"]] == ["hold_at", "optimal", "rollout:optimal@3"]
    assert set(made["phases"][0]) >= {"level", "phase", "cost", "low", "high", "points"}
    assert (made["players"], made["seed"], made["interrupted"]) == (2, 5, False)
    assert (made["seated"], made["margin"]) == (names, None)
    assert made["games"] == sum(step["games"] for step in made["steps"])
    assert made["decisions"] == pytest.approx(sum(step["decisions"] * step["games"] for step in made["steps"]))
    assert made["command"] == "chapterhouse ladder pig --budgets 3,6 --players 2 --games 40 --seed 5"
    assert made["command"] in (tmp_path / "ladder.html").read_text("utf-8")
    assert "seconds_a_game" not in pd.read_csv(tmp_path / "tables" / "ladder.csv")
    for name, rows in (("ladder", made["steps"]), ("phases", made["phases"])):
        frame = pd.read_csv(tmp_path / f"{name}.csv")
        assert len(frame) == len(pd.read_parquet(tmp_path / f"{name}.parquet")) == len(rows)
        assert list(frame["low"]) == pytest.approx([row["low"] for row in rows])


def test_what_people_read(command):
    status, out, err = command("ladder", "pig", "--games", 40, "--budgets", "2", "--players", 3)
    assert status == 0
    assert "Pig, 3 players" in out
    assert "rollout:hold_at@2" in out
    assert "hold_at wins 100 %" in " ".join(out.split())
    assert "games in" in err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ["pig", "--budgets", "4,2"],
            "--budgets: found '4,2'; allowed at most 12 numbers, each greater than the one before",
        ),
        (["pig", "--budgets", "soon"], "--budgets: found 'soon'; allowed a whole number from 1 to 999999"),
        (["pig", "--budgets", ""], "--budgets: found ''"),
        (["pig", "--set", "aim=1"], "aim"),
    ],
)
def test_wrong_input_is_one_line(refused, words, line):
    assert line in refused("ladder", *words)


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made() -> Survey:
    """A survey with a ladder, as `report` makes it."""
    wanted, plan_ = request("pig", games="400", jobs="2", strategy=["hold_at"]), SurveyPlan(games=400)
    lines = asked("pig", (2,), wanted.strategies, plan_)
    heard: list[float] = []
    with_it = IN_REPORT.add(
        survey(wanted, lines, plan=plan_), wanted, lines, lambda games, weight: heard.append(games * weight)
    )
    assert sum(heard) == pytest.approx(IN_REPORT.total(wanted, lines), abs=1)
    return with_it


def words_of(html: str) -> str:
    part = html[html.index('<section id="ladder"') :]
    part = re.sub(r"<svg.*?</svg>", "", part[: part.index('<section id="uses"')], flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", part)).split())


@pytest.mark.slow
def test_the_page_says_what_was_found(made):
    html = page.render(made)
    text, steps = words_of(html), made.ladder.steps
    assert "matters most: played at random it costs" in html
    assert told.title(made.ladder) in text
    for step in steps:
        unsure = "These games can't tell apart from the step below:"
        heads = {
            "stronger": "Stronger than the step below:",
            "weaker": "Weaker than the step below:",
            "undecided": unsure,
        }
        assert step.strategy in text[text.index(heads[step.word]) :]
        if step.word != "undecided":
            assert told.wins(step) in text
    assert steps[0].word == "stronger"
    assert f"few games (from {min(step.games for step in steps if ':' in step.strategy)})" in text
    assert "hold_at wins" in html[html.index('id="ladder"') :].split("aria-label", 1)[1][:400]
    for cost in made.ladder.costs:
        assert f"With {cost.level} in every seat, playing {cost.phase} at random costs {told.lost(cost)}" in text


@pytest.mark.slow
def test_the_page_is_the_same_whatever_the_clock_says(made):
    slower = replace(made.ladder, steps=tuple(replace(step, seconds_a_game=9.0) for step in made.ladder.steps))
    assert page.render(replace(made, ladder=slower)) == page.render(made)
    assert "seconds_a_game" not in page.frames(made)["ladder"]


def test_tables_beside_the_page_hold_all_of_it(made):
    frames = page.frames(made)
    assert list(frames["ladder"]["win_share"]) == [step.win_share for step in made.ladder.steps]
    assert list(frames["phases"]["cost"]) == [cost.cost for cost in made.ladder.costs]
    assert "tables/ladder.csv" in page.render(made)


def test_without_a_ladder_there_is_no_section(made):
    for other in (None, replace(made.ladder, steps=(), costs=())):
        html = page.render(replace(made, ladder=other))
        assert 'id="ladder"' not in html
        assert "ladder" not in page.frames(replace(made, ladder=other))


def test_games_of_the_ladder_are_counted(made):
    with_it, without = (page.render(replace(made, ladder=found)) for found in (made.ladder, None))
    total = sum(line.games for line in made.lines)
    assert f"{total + made.ladder.all_games:,}" in with_it
    assert f"{total:,}" in without


@pytest.mark.parametrize(
    ("lows", "said"), [((0.6, 0.4), "One of two steps wins more"), ((0.4, 0.4), "None of two steps wins more")]
)
def test_the_headline_counts_the_steps_up(found, lows, said):
    steps = tuple(replace(step, low=low) for step, low in zip(found.steps, lows))
    assert told.title(replace(found, steps=steps)).startswith(said)


def test_tables_name_all_that_a_step_and_a_cost_hold(found):
    assert set(steps_table(found)) == {field.name for field in fields(found.steps[0])} | {"word"}
    assert set(costs_table(found.costs)) == {field.name for field in fields(found.costs[0])}
