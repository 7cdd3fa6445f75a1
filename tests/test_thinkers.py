"""Thinkers: they find what is there to be found, within their budget, without seeing the future; and decisions taken at
random."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sim.compiled import entry_of
from sim.contract import desk_for
from sim.replay import Session
from sim.runner import StrategyError, Study, play, run
from strategies import catalog
from tests.helpers import printed

THINKERS = catalog.thinkers()


def study(game: str, players: int, *names: str, seed: int = 5) -> Study:
    return Study(game, players, tuple(catalog.entrant(game, name, players) for name in names), printed(game), seed)


def shares(played: Study, games: int) -> np.ndarray:
    """Return the win share of each strategy."""
    outcomes, _ = play(played, 0, games)
    share, who = outcomes["share"][:, : played.players] / 60, outcomes["strategy"][:, : played.players]
    return np.array([share[who == i].mean() for i in range(len(played.entrants))])


def pig(mine: int, other: int, turn: int, name: str) -> Session:
    """Return a game of pig in which the one who thinks is about to choose."""
    session = Session(study("pig", 2, name), 0, stepping=False)
    session.state.score[:2] = mine, other
    session.state.turn = turn
    session.advance()
    return session


def thought(session: Session) -> Any:
    """Let the strategy think in the present position; return its nodes, first those of the options."""
    game, strategy = session.game, session.cast[session.player]
    desk = desk_for(game, [strategy])
    position = (session.components[0], session.state, session.options, session.n, strategy.weights)
    entry_of(strategy.thinker)(game.entries, strategy.policy, *position, desk, strategy.budget)
    return desk.nodes


@pytest.mark.parametrize("thinker", THINKERS)
def test_a_win_that_lies_there_is_taken(thinker):
    session = pig(90, 95, 12, f"{thinker}:random_legal@256")
    assert session.ask() == 0  # to hold wins at once


@pytest.mark.parametrize("thinker", THINKERS)
def test_a_choice_that_loses_is_avoided(thinker):
    """The other one is about to win, so to hold short of the goal throws the game away."""
    session = pig(60, 99, 20, f"{thinker}:hold_at@512")
    assert session.ask(replace(session.cast[0], weights=np.array([10.0]))) == 1


@pytest.mark.parametrize("thinker", THINKERS)
@pytest.mark.parametrize("budget", [1, 2, 3, 7, 50, 333])
def test_budgets_are_kept(thinker, budget):
    session = Session(study("moesteiro", 3, f"{thinker}:random_legal@{budget}"), 0, stepping=False)
    for _ in range(12):
        session.advance()
        visits = int(thought(session)[: session.n]["visits"].sum())
        assert visits <= budget
        assert visits > 0.4 * budget - 2 * session.n or budget < session.n
        session.choose(session.n - 1)


def visited(name: str) -> list[list[int]]:
    """Return how often each option was played on, in some decisions of a game."""
    session, found = Session(study("moesteiro", 3, name), 0, stepping=False), []
    for _ in range(12):
        session.advance()
        found.append([int(visits) for visits in thought(session)[: session.n]["visits"]])
        session.choose(session.ask(replace(session.cast[session.player], thinker=None)))
    return found


@pytest.mark.parametrize("thinker", THINKERS)
def test_few_options_take_part_and_the_clear_ones_cost_less(thinker):
    few, many = (visited(f"{thinker}:greedy@{budget}") for budget in (20, 140))
    assert {sum(visits > 0 for visits in options) for options in few if len(options) > 3} == {3}
    assert max(sum(visits > 0 for visits in options) for options in many) > 10
    assert min(sum(options) for options in few if len(options) > 3) < 10
    assert max(sum(options) for options in few) >= 12  # where two are level


@pytest.mark.parametrize("thinker", THINKERS)
def test_the_policy_names_those_that_take_part(thinker):
    """Its own choice, and what it would choose without that."""
    session = Session(study("moesteiro", 3, f"{thinker}:greedy@20"), 0, stepping=False)
    session.advance()
    cast, options, left = session.cast[session.player], session.options.copy(), [*range(session.n)]
    wanted = []
    for _ in range(3):
        rest = options[left].view(np.recarray)
        wanted.append(left.pop(cast.policy(session.components[0], session.state, rest, len(left), cast.weights)))
    assert {*np.flatnonzero(thought(session)[: session.n]["visits"])} == {*wanted}


@pytest.mark.parametrize("thinker", THINKERS)
def test_more_time_is_more_games(thinker):
    few, many = (int(thought(pig(0, 0, 15, f"{thinker}:hold_at@{time}ms"))[:2]["visits"].sum()) for time in (1, 60))
    assert 0 < few < many


@pytest.mark.slow
@pytest.mark.parametrize("thinker", THINKERS)
def test_thinking_makes_a_weak_policy_better(thinker):
    weak, strong = shares(study("pig", 2, "hold_at,hold=4", f"{thinker}:hold_at@200,hold=4"), 240)
    assert strong > 0.7 > weak


@pytest.mark.slow
@pytest.mark.parametrize("thinker", THINKERS)
def test_strength_rises_with_the_budget(thinker):
    """From a policy that almost never beats the optimal one towards one that does so half the time."""
    few, many = (
        shares(study("pig", 2, f"{thinker}:hold_at@{budget},hold=4", "optimal"), 200)[0] for budget in (8, 512)
    )
    assert few + 0.08 < many < 0.55


@pytest.mark.slow
def test_thinking_wins_at_moesteiro():
    for thinker in THINKERS:
        plain, strong = shares(study("moesteiro", 2, "greedy", f"{thinker}:greedy@60"), 16)
        assert strong >= 0.8 > plain


def test_what_the_one_who_thinks_can_not_tell_apart_is_one_position_of_the_tree():
    """After the first card of Abbates the missions of the others and the pile are hidden, and nothing else is open."""
    session = Session(study("abbates", 4, "search:greedy@1000"), 0, stepping=False)
    session.advance()
    nodes = thought(session)
    for option in nodes[: session.n]:
        below = nodes[option.child]
        assert below.next == -1
        assert below.visits == option.visits > 1


@pytest.mark.parametrize("thinker", THINKERS)
def test_the_same_games_for_any_jobs_and_batches(thinker):
    played = study("moesteiro", 2, f"{thinker}:greedy@10", "random_legal")
    first, second = run(played, games=8, jobs=1, batch=8), run(played, games=8, jobs=2, batch=2)
    for name, value in vars(first.sums).items():
        assert np.array_equal(value, getattr(second.sums, name)), name


def test_decisions_of_one_kind_are_taken_at_random():
    """With every kind at random a strategy plays like one that knows nothing; with none as it is."""
    usual = study("moesteiro", 4, "allrounder")
    entrant = usual.entrants[0]
    games = 200
    score = []
    for at_random in (0, 1 << 1, (1 << 16) - 1):
        outcomes, _ = play(replace(usual, entrants=(replace(entrant, at_random=at_random),)), 0, games)
        score.append(outcomes["score"].mean())
    assert score[0] > score[1] > score[2] + 20


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("look:greedy", "a thinker is rollout or search"),
        ("rollout:nobody", "not a strategy of moesteiro"),
        ("rollout:greedy@0", "allowed are 1 to 999999 games"),
        ("rollout:greedy@soon", "found budget 'soon'"),
        ("greedy@100", "only a thinker has a budget"),
    ],
)
def test_what_is_no_thinker_is_refused(text, words):
    with pytest.raises(StrategyError, match=words):
        catalog.entrant("moesteiro", text, 4)
