"""What a report says to change: for what it searches, why it doesn't, and in which words."""

import re
from dataclasses import replace
from html import unescape
from types import SimpleNamespace

import pandas as pd
import pytest

from analyses.balance import advice
from analyses.balance.advice import FAIR, NO_LEVERS, NO_LIBRARY, SEARCHED, SLOW, UNDECIDED, Advice, case
from analyses.balance.scores import Candidate
from analyses.findings import Line, Survey
from analyses.survey import ReportPlan, asked, survey
from reports import advice as words
from reports import page
from reports.parts import Context
from tests.helpers import request
from tests.test_reports import made_up

pytestmark = pytest.mark.slow

OUT, IN, BETWEEN = [1.31, 1.0, 0.9, 0.79], [1.01, 1.0, 1.0, 0.99], [1.1, 1.0, 1.0, 0.9]


def of(*lines: Line, **more) -> Survey:
    """A survey of these lines."""
    return Survey(lines[0].played, list(lines), (), {}, **more)


def seats(indices, half=0.02, players=4) -> Line:
    return made_up(players, ("greedy",), "default", indices, half)


def dealt(verdict, players=4):
    """What some things are worth, as far as it matters here."""
    return SimpleNamespace(kind="kings", players=players, strategies=("greedy",), verdict=verdict)


def test_seats_come_before_things_and_what_is_fair_needs_no_search():
    assert case(of(seats(OUT), worths=(dealt("unbalanced"),)), ["kings"]) == (4, ("seats",))
    assert case(of(seats(IN), worths=(dealt("unbalanced"),)), ["kings"]) == (4, ("seats", "kings"))
    assert case(of(seats(IN), worths=(dealt("unbalanced"),)), []) == FAIR
    assert case(of(seats(IN), worths=(dealt("undecided"),)), ["kings"]) == UNDECIDED
    assert case(of(seats(BETWEEN, 0.05)), []) == UNDECIDED
    assert case(of(seats(IN)), []) == FAIR
    two = seats([1.3, 0.7], players=2)
    assert case(of(two, seats(IN)), []) == (2, ("seats",))
    assert case(of(two, seats(OUT)), []) == (4, ("seats",))


def why(asked_, lines) -> str:
    found = of(seats(OUT))
    return advice.IN_REPORT.add(found, asked_, lines, lambda games: None).advice.why


def test_why_nobody_searches(monkeypatch):
    plan = ReportPlan(games=4)
    pig = request("pig", players="4")
    assert why(pig, asked("pig", (4,), (), plan)) == NO_LEVERS
    assert advice.IN_REPORT.total(pig, asked("pig", (4,), (), plan)) == 0
    main = request("moesteiro", players="4")
    assert why(main, asked("moesteiro", (4,), ("rollout:greedy@4",), plan)) == SLOW
    monkeypatch.setattr(advice, "missing", lambda: ["optuna"])
    assert why(main, asked("moesteiro", (4,), (), plan)) == NO_LIBRARY


def test_each_reason_has_words():
    for reason in (FAIR, UNDECIDED, SLOW, NO_LEVERS, NO_LIBRARY):
        context = Context.of("moesteiro", survey=of(seats(OUT), advice=Advice(reason)))
        assert words.short(context) == words.WHY[reason]
    assert words.short(Context.of("moesteiro", survey=of(seats(OUT)))) == words.STOPPED


@pytest.fixture(scope="module")
def searched() -> Survey:
    """A survey with a search, as `report` makes it, but for its size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(advice, "TRIALS", 4)
        asked_ = request("moesteiro", numbers="all", players=["3", "4"], games="400", strategy=["random_legal"])
        plan = ReportPlan(games=400)
        lines = asked("moesteiro", (3, 4), ("random_legal",), plan)
        made = replace(survey(asked_, lines, plan=plan), worths=())
        heads = [replace(line, verdict=replace(line.verdict, word="unbalanced")) for line in made.lines]
        heard: list[int] = []
        found = advice.IN_REPORT.add(replace(made, lines=heads), asked_, lines, heard.append)
        assert found.advice is not None
        assert found.advice.balance is not None
        assert found.advice.balance.all_games <= sum(heard) <= advice.IN_REPORT.total(asked_, lines)
        return replace(found, lines=made.lines)


def test_a_search_is_small_and_can_be_repeated(searched):
    found = searched.advice
    assert (found.why, found.balance.targets, found.balance.players) == (SEARCHED, ("seats",), 4)
    assert found.command == "chapterhouse balance moesteiro --players 4 --strategy random_legal --margin 0.1 --seed 1"
    again = "--players 4 --strategy random_legal --only seats --trials 4 --games 400 --max-games 400 --margin 0.1"
    assert searched.commands[-1] == f"chapterhouse balance moesteiro {again} --seed 1"
    seeds = [one.seed for one in found.balance.judged]
    assert searched.seed not in seeds
    assert all(line.seed not in (*seeds, searched.seed) for line in found.others)


def proposed(searched: Survey, others: list[list[float]]) -> Survey:
    """The survey with a change that fresh games confirm, and the seats that it leaves elsewhere."""
    balance = searched.advice.balance
    judged = balance.judged[-1]
    line = seats(IN)
    side = replace(judged.side, seats=replace(line, played=replace(line.played, games=3000)))
    changes = {"start.seat1.vp": (0, 1), "start.seat4.vp": (0, 3)}
    candidate = Candidate(judged.candidate.components, changes, 0.4, judged.candidate.scores)
    sure = replace(balance, judged=(replace(judged, candidate=candidate, side=side),))
    lines = tuple(seats(indices, players=len(indices)) for indices in others)
    things = pd.DataFrame(
        {"thing": ["joao_iii", "duarte"], "worth": [-0.4, 0.0], "low": [-0.42, -0.02], "high": [-0.38, 0.02]}
    )
    worth = SimpleNamespace(kind="kings", margin=0.1, things=things)
    found = replace(searched.advice, balance=sure, others=lines, worths=(worth,))
    heads = [seats([1.0, 1.0], players=2), seats([1.0, 1.0, 1.0], players=3), seats(OUT)]
    return replace(searched, lines=heads, advice=found)


def test_a_change_is_told_with_what_it_does_and_what_it_leaves(searched):
    made = proposed(searched, [[1.0, 1.0], [1.2, 1.0, 0.8]])
    assert words.short(Context.of("moesteiro", survey=made)) == (
        "Points that seat 1 begins with: 1 instead of 0; points that seat 4 begins with: 3 instead of 0. In 3,000 "
        "fresh four-player games, every seat then wins 25 of 100. With two players, all seats are fair. With three "
        "players, seat 1 is too strong and seat 3 is too weak. So it helps with four players only. It leaves João III "
        "too weak."
    )
    text = " ".join(unescape(re.sub(r"<[^>]+>", " ", page.render(made))).split())
    assert "Changing two numbers brings every seat inside the margin. Fresh games confirm it." in text
    assert "start.seat4.vp" in text


def test_nothing_is_proposed_that_fresh_games_do_not_confirm(searched):
    balance = searched.advice.balance
    line = seats(OUT)
    judged = replace(balance.judged[-1], side=replace(balance.judged[-1].side, seats=line))
    made = replace(searched, advice=replace(searched.advice, balance=replace(balance, judged=(judged,))))
    said = words.short(Context.of("moesteiro", survey=made))
    assert said.startswith("We propose nothing: we tried ")
    assert said.endswith("and fresh games confirmed none that makes every seat fair.")
