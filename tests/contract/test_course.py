"""The course of each game: the loop writes down what a replay finds step by step."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sim import course, registry
from sim.contract import MOMENTS, Course, Game, records
from sim.outcomes import course_columns, rows
from sim.runner import Study, play
from tests.contract.tools import GAMES, Replay, study_of, tables

CASES = [(game, players) for game in GAMES for players in registry.card(game)[1]]


def scores(replay: Replay) -> list[int]:
    """Return the score that each seat would have now, the automaton's last."""
    card, (state,), (components,) = replay.game.course, replay.states, replay.components
    seats = 2 if card.automaton and state.players == 1 else int(state.players)
    if card.standing is None:
        return state.score[:seats].tolist()
    return [int(card.standing(components, state, seat)) for seat in range(seats)]


def followed(study: Study, number: int) -> tuple[int, list[list[int]]]:
    """Return how far apart the moments of a game are, and the scores at each, from all that comes into question."""
    card = registry.load(study.game).course
    found: dict[int, list[int]] = {}

    def watch(replay: Replay, strategy: Any, n: int) -> None:
        ended = int(replay.state[card.rounds]) if card.rounds else int(replay.state.decision)
        if ended and ended not in found:
            found[ended] = scores(replay)

    replay = Replay(study, number, watch=watch)
    if card.rounds:
        watch(replay, None, 0)
    every = card.first
    while sum(tick % every == 0 for tick in found) > MOMENTS:
        every *= 2
    return every, [then for tick, then in sorted(found.items()) if tick % every == 0]


def told(outcome: Any, seats: int) -> tuple[int, list[list[int]]]:
    """Return the same as an outcome has it."""
    return int(outcome.every), outcome.course[: outcome.moments, :seats].tolist()


@pytest.mark.parametrize(("game", "players"), CASES)
def test_the_loop_writes_down_what_a_replay_finds(game, players):
    for name in ("random_legal", dict(tables(game))[players][0]):
        study = study_of(game, players, name)
        outcomes, _ = play(study, 0, 6 * players)
        for number in range(6 * players):
            every, moments = followed(study, number)
            assert told(outcomes[number], len(moments[0])) == (every, moments)
            assert 2 <= len(moments) <= registry.load(game).course.moments


@pytest.mark.parametrize(("game", "players"), CASES)
def test_the_course_differs_from_game_to_game_and_comes_to_the_score(game, players):
    """Whoever has more at the last moment mostly has more at the end."""
    outcomes, _ = play(study_of(game, players, "random_legal"), 0, 400 * players)
    course = np.array([outcome.course[outcome.moments - 1, :players] for outcome in outcomes])
    assert len(np.unique(course, axis=0)) > 20
    assert np.corrcoef(course.ravel(), outcomes["score"][:, :players].ravel())[0, 1] > 0.25


@pytest.mark.parametrize("game", GAMES)
def test_rows_have_the_moments_that_there_are(game):
    players = max(registry.card(game)[1])
    loaded, outcomes = registry.load(game), play(study_of(game, players, "random_legal"), 0, 20 * players)[0]
    found = rows(loaded, outcomes, players, 0, ("random_legal",))
    every, *moments = course_columns(loaded.course.moments)
    for (_, row), number, seat in zip(found.iterrows(), found["game"], found["seat"], strict=True):
        outcome = outcomes[number]
        assert row[every] == outcome.every
        for i, name in enumerate(moments):
            assert row[name] == outcome.course[i, seat - 1] if i < outcome.moments else pd.isna(row[name])


@pytest.mark.parametrize("wrong", [{"moments": 0}, {"moments": MOMENTS + 1}, {"every": -1}])
def test_a_course_that_no_game_has_is_refused(wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(ValueError, match=rf"Course\.{name}: found {value}; allowed "):
        Course(**wrong)


def test_no_moments_are_no_columns():
    assert course_columns(0) == []


# --- games that are made up -------------------------------------------------------------------------------------------


def ticking(ticks: list[int], **card: Any) -> tuple[int, list[int]]:
    """Return how far apart the moments are, and what they say, where the score is how many rounds have ended, read at
    some of them."""
    game: Game = replace(
        registry.load("pig"), course=Course(rounds="round_", standing=lambda _, state, seat: state["round_"])
    )
    kernels = SimpleNamespace(**course.kernels(replace(game, course=replace(game.course, **card))))
    outcome = records(game.dtypes[3], 1)[0]
    outcome.every, last = card.get("every", 1), 0
    due = outcome.every
    state = records(np.dtype([("players", np.int64), ("round_", np.int64)]), 1)[0]
    state.players = 1
    for tick in ticks:
        state["round_"] = tick
        due = kernels.write_rounds(None, state, outcome, last, due)
        last = tick
    return int(outcome.every), outcome.course[: outcome.moments, 0].tolist()


def test_of_more_than_eight_every_second_is_kept():
    assert ticking([*range(1, 9)]) == (1, [1, 2, 3, 4, 5, 6, 7, 8])
    assert ticking([*range(1, 10)]) == (2, [2, 4, 6, 8])
    assert ticking([*range(1, 17)]) == (2, [2, 4, 6, 8, 10, 12, 14, 16])
    assert ticking([*range(1, 101)]) == (16, [16, 32, 48, 64, 80, 96])
    assert ticking([*range(1, 31)], every=3) == (6, [6, 12, 18, 24, 30])


def test_a_round_in_which_nobody_decides_has_a_moment_too():
    assert ticking([1, 4, 5]) == (1, [1, 4, 4, 4, 5])


def test_the_automaton_stands_beside_the_only_seat():
    card = {"automaton": True, "standing": lambda _, state, seat: 10 * (seat + 1)}
    game = replace(registry.load("pig"), course=Course(rounds="round_", **card))
    kernels, outcome = SimpleNamespace(**course.kernels(game)), records(game.dtypes[3], 1)[0]
    state = records(np.dtype([("players", np.int64), ("round_", np.int64)]), 2)
    outcome.every = 1
    for players, expected in ((1, [10, 20, 0, 0]), (3, [10, 20, 30, 0])):
        state[0].players, state[0].round_, outcome.moments = players, 1, 0
        kernels.write_rounds(None, state[0], outcome, 0, 1)
        assert outcome.course[0].tolist() == expected


def test_a_game_without_scores_on_the_way_has_no_moments():
    pig = registry.load("pig")
    state = np.dtype([name for name in pig.dtypes[1].descr if name[0] not in ("", "score")])
    game = replace(pig, dtypes=(pig.dtypes[0], state, *pig.dtypes[2:]), course=Course(rounds="turn"))
    assert (pig.has_course, game.has_course) == (True, False)
    kernels, outcome, states = SimpleNamespace(**course.kernels(game)), records(game.dtypes[3], 1)[0], records(state, 1)
    states[0].turn = 3
    assert kernels.rounds_in(states[0]) == 0
    kernels.write_rounds(None, states[0], outcome, 0, 1)
    assert outcome.moments == 0
