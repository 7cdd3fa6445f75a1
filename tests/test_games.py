"""Three told games: which are chosen, that they are what a replay gives, and that the words about them are true."""

import json
import re
import shlex
from dataclasses import replace
from functools import cache
from html import unescape

import numpy as np
import pytest

from analyses import games
from analyses.games import Three, Told, choose, three
from analyses.survey import ReportPlan, asked, line_up, survey
from reports import page, style
from reports.games import account
from reports.parts import Context
from sim import registry
from sim.contract import records
from sim.outcomes import rows
from sim.printed import components
from sim.replay import Session, record
from sim.runner import Study, play
from tests.helpers import request

HOSTILE = "<script>alert('x')</script>"


def study_of(game, players, *names, seed=3):
    return Study(game, players, line_up(game, names, players), components.read(game).record, seed)


@pytest.fixture(scope="module")
def mixed():
    """A study with much to tell, in which three strategies meet."""
    return study_of("moesteiro", 4, "random_legal", "greedy", "allrounder")


@pytest.fixture(scope="module")
def outcomes(mixed):
    return play(mixed, 0, 1200)[0]


# --- which games ------------------------------------------------------------------------------------------------------


def planted(scores, shares):
    """Outcomes of pig with these scores and win shares, and the study that they belong to."""
    study = study_of("pig", len(scores[0]), "hold_at")
    found = records(registry.load("pig").dtypes[3], len(scores))
    found["score"][:, : study.players], found["share"][:, : study.players] = scores, shares
    return study, found


def test_the_closest_and_the_most_one_sided_of_planted_games():
    scores = [(50, 40, 10), (60, 60, 20), (70, 70, 65), (70, 70, 65), (90, 20, 20), (90, 20, 10)]
    first = (60, 0, 0)
    study, found = planted(scores, [first, (0, 60, 0), first, first, first, first])
    chosen = choose(study, found)
    assert [told.kind for told in chosen.told] == ["typical", "closest", "one-sided"]
    closest, far = chosen.told[1:]
    # ties count as no margin; then the smaller spread, then the lower number
    assert (closest.number, closest.margin) == (2, 0)
    assert (far.number, far.margin) == (4, 70)
    assert (chosen.among, chosen.seats, chosen.often, chosen.level) == (6, (1,), 5, 3)
    assert (chosen.first, chosen.lead) == (sum(s[0] for s in scores) / 6, (10 + 0 + 0 + 0 + 70 + 70) / 6)


def test_a_tie_break_comes_before_the_seat():
    study, found = planted([(40, 40, 40)], [(0, 0, 60)])
    told = choose(study, found).told[0]
    assert told.order == [3, 1, 2]
    assert told.winners == [3]


def test_the_typical_game_is_nearest_to_the_average_and_won_from_where_most_are_won():
    scores = [(51, 60, 30), (60, 30, 50), (80, 60, 40), (40, 20, 0), (60, 40, 21), (60, 41, 20), (60, 50, 30)]
    shares = [(0, 60, 0)] + [(60, 0, 0)] * 6
    study, found = planted(scores, shares)
    chosen = choose(study, found)
    ordered = np.sort(np.array(scores))[:, ::-1].astype(float)
    columns = np.column_stack([ordered, ordered[:, 0] - ordered[:, 1]])
    far = (((columns - columns.mean(0)) / columns.std(0)) ** 2).sum(1)
    assert far.argsort()[0] == 5
    assert chosen.told[0].number == 5
    scores[5], shares[5] = (41, 60, 20), (0, 60, 0)  # the same, but won from elsewhere
    study, found = planted(scores, shares)
    assert choose(study, found).told[0].number == min((far[i], i) for i in (1, 2, 3, 4, 6))[1]


def test_the_typical_game_as_pandas_finds_it(mixed, outcomes):
    table = rows(registry.load("moesteiro"), outcomes, 4, 0, tuple(entrant.name for entrant in mixed.entrants))
    table["order"] = table.groupby("game")["win_share"].rank(ascending=False, method="first")
    winner = table[table["order"] == 1].set_index("game")
    others = table[table["order"] > 1].groupby("game")
    ranked = table.groupby("game")["score"].apply(lambda scores: sorted(scores, reverse=True))
    columns = {f"place{i}": ranked.str[i] for i in range(4)}
    for name in [name for name in table if name.startswith("after.")] + ["score"]:
        columns[f"lead {name}"] = winner[name] - others[name].max()
    columns |= {name: winner[name] for name in table if name.startswith("points.")}
    far = 0.0
    for column in columns.values():
        deviation = column - column.mean()
        far = far + (deviation**2 / max(column.var(ddof=0), 1e-12))
    usual = winner["seat"].mode()[0]
    chosen = choose(mixed, outcomes)
    assert chosen.seats == (usual,)
    assert chosen.often == (winner["seat"] == usual).sum()
    assert chosen.told[0].number == far[winner["seat"] == usual].idxmin()


def test_games_that_are_all_alike_can_be_told():
    study, found = planted([(7, 7, 7)] * 3, [(20, 20, 20)] * 3)
    chosen = choose(study, found)
    assert [told.number for told in chosen.told] == [0, 0, 0]
    assert chosen.seats == (1, 2, 3)


def test_any_number_of_threads_and_any_batch_choose_the_same_games(mixed, outcomes, monkeypatch):
    one = three(mixed, 1200, jobs=1)
    assert one == choose(mixed, outcomes)
    monkeypatch.setattr(games, "BATCH", 170)
    assert three(mixed, 1200, jobs=2) == one


@pytest.mark.parametrize(
    ("game", "players", "names"), [("moesteiro", 3, ("greedy", "random_legal")), ("pig", 2, ("hold_at", "optimal"))]
)
def test_a_chosen_game_is_what_a_replay_gives(game, players, names):
    study = study_of(game, players, *names)
    for told in three(study, 600).told:
        lines = list(record(Session(study, told.number), components.read(game)))
        assert tuple(lines[0]["strategies"]) == told.strategies
        assert tuple(lines[-1]["scores"]) == told.scores
        assert [round(share * 60) for share in lines[-1]["shares"]] == list(told.shares)
        assert [{source: points[seat] for source, points in told.points.items()} for seat in range(players)] == lines[
            -1
        ]["sources"]
        assert len(told.after) == sum(name.startswith("after.") for name in registry.load(game).numbers)
        assert set(told.held) == set(registry.load(game).things)


# --- what happened in them --------------------------------------------------------------------------------------------


def told_of(scores, shares, after=(), points=None, strategies=None, kind="typical"):
    return Told(kind, 7, strategies or ("a",) * len(scores), scores, shares, after, points or {}, {})


def words_of(told, level=2):
    """The account of a game, sentence by sentence."""
    text = " ".join(
        account(_context(), Three(len(told.scores), 5000, (1,), 1500, 50.0, 8.25, level, (told,) * 3), told)
    )
    return re.split(r"(?<=\.) (?=[A-Z])", text)


@cache
def _context():
    """The words of a game that has no titles."""
    plan = ReportPlan(games=2)
    return Context(
        style.Labels({}),
        {},
        survey=survey(request("pig", strategy=["hold_at"]), asked("pig", (2,), ("hold_at",), plan), plan=plan),
    )


def test_the_race():
    after = ((5, 9, 1), (20, 12, 3), (25, 25, 7), (40, 30, 9))
    told = told_of((50, 48, 10), (60, 0, 0), after)
    assert told.leaders == [[2], [1], [1, 2], [1]]
    assert told.since == 4
    assert told.changes == 1
    assert told.swings == [-4, 12, -8, 10, -8]
    assert words_of(told)[:3] == [
        "Seat 1 won with 50 points, 2 ahead of seat 2.",
        "Seat 1 led from the end of round 4 on; after round 3 it was level with seat 2.",
        "Seat 1 gained most on seat 2 in round 2: 12 points.",
    ]


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (((3, 2), (9, 3)), ["Seat 1 led after every round.", "Seat 1 gained most on seat 2 in round 2: 5 points."]),
        (
            ((2, 3), (3, 9)),
            [
                "Seat 2 led after every round, after the last one by 6 points over seat 1, and the final scoring made "
                "that up.",
                "Seat 1 gained most on seat 2 in the final scoring: 16 points.",
            ],
        ),
        (
            ((5, 0), (0, 5), (5, 0), (4, 5)),
            [
                "After round 4, the last, seat 1 was 1 point behind seat 2, and the final scoring made that up.",
                "The lead changed hands four times.",
                "Seat 1 gained most on seat 2 in the final scoring: 11 points.",
            ],
        ),
        (
            ((5, 5), (10, 5)),
            [
                "Seat 1 led from the end of round 2 on; after round 1 it was level with seat 2.",
                "Seat 1 gained most on seat 2 in round 2 and the final scoring: 5 points each.",
            ],
        ),
        (
            ((5, 5), (8, 8)),
            [
                "After round 2, the last, seat 1 was level with seat 2, and the final scoring decided.",
                "Seat 1 gained most on seat 2 in the final scoring: 10 points.",
            ],
        ),
    ],
)
def test_who_led_when(after, said):
    assert words_of(told_of((20, 10), (60, 0), after))[1:-1] == said


@pytest.mark.parametrize(
    ("scores", "shares", "said"),
    [
        ((10, 9), (60, 0), "Seat 1 won with 10 points, 1 ahead of seat 2."),
        ((3, 9, 3), (0, 60, 0), "Seat 2 won with 9 points, 6 ahead of seats 1 and 3."),
        ((1, 0), (60, 0), "Seat 1 won with 1 point, 1 ahead of seat 2."),
        ((8, 9, 9), (0, 0, 60), "Seats 2 and 3 both had 9 points; the tie-break made seat 3 the winner."),
        ((9, 9, 9, 9), (0, 60, 0, 0), "Seats 1, 2, 3 and 4 all had 9 points; the tie-break made seat 2 the winner."),
        ((9, 8, 9), (30, 0, 30), "Seats 1 and 3 shared the win with 9 points each, 1 ahead of seat 2."),
        ((9, 9), (30, 30), "Seats 1 and 2 shared the win with 9 points each."),
        (
            (9, 9, 9),
            (30, 0, 30),
            "Seats 1, 2 and 3 all had 9 points; the tie-break left the win to seats 1 and 3 together.",
        ),
        ((5, 9), (60, 0), "Seat 1 won with 5 points, and seat 2 had 9 points."),
        ((5, 9, 2), (30, 30, 0), "Seats 1 and 2 shared the win, with 5 and 9 points."),
    ],
)
def test_who_won(scores, shares, said):
    assert words_of(told_of(scores, shares))[0] == said


def test_strategies_are_named_where_they_differ():
    told = told_of((8, 9, 9), (0, 0, 60), strategies=("a", "b", "a"))
    assert words_of(told)[0] == "Seats 2 (b) and 3 (a) both had 9 points; the tie-break made seat 3 the winner."
    assert (
        words_of(replace(told, strategies=("a",) * 3))[0]
        == "Seats 2 and 3 both had 9 points; the tie-break made seat 3 the winner."
    )


def test_where_the_points_came_from():
    points = {"wood": (1, 4), "stone": (20, 9), "glass": (0, 3), "food": (5, 5), "luck": (2, 0)}
    assert words_of(told_of((28, 21), (60, 0), points=points))[-2:] == [
        "For seat 1 the largest sources of points were stone (20), food (5) and luck (2).",
        "Largest differences from seat 2: stone (20 to 9) in favour of seat 1, wood (1 to 4) against it.",
    ]
    assert words_of(told_of((28, 21), (60, 0), points={"stone": (28, 21)}))[-2:] == [
        "For seat 1 all points came from stone (28).",
        "Largest difference from seat 2: stone (28 to 21) in favour of seat 1.",
    ]


def test_how_a_game_compares_with_the_others():
    typical = told_of((10, 9, 8), (60, 0, 0))
    assert (
        words_of(typical)[1] == "Over all 5,000 games the winner has 50.0 points on average, 8.2 more than the second."
    )
    close = replace(typical, kind="closest")
    assert words_of(close, level=0)[1] == "None of the 5,000 games had a smaller lead; the average is 8.2 points."
    level = replace(close, scores=(10, 10, 8))
    said = (
        "First and second had the same score in 12 of 5,000 games; here 2 points separated the highest score from "
        "the lowest."
    )
    assert words_of(level, level=12)[1] == said
    far = replace(typical, kind="one-sided")
    assert words_of(far)[1] == "None of the 5,000 games had a larger lead; the average is 8.2 points."


@pytest.mark.slow
def test_what_is_said_of_real_games_is_so(mixed, outcomes):
    context = _context()
    for number in range(100):
        chosen = choose(mixed, outcomes[number : number + 1])
        told = chosen.told[0]
        text = " ".join(account(context, chosen, told))
        best = max(told.scores)
        assert f" {best} point" in text
        (winner,) = told.winners
        leads = [scores[winner - 1] - max(s for i, s in enumerate(scores, 1) if i != winner) for scores in told.after]
        if found := re.search(
            r"Seat (\d) led from the end of round (\d) on; after round (\d) it was (?:(\d+) points? behind|level)", text
        ):
            assert (int(found[1]), int(found[3])) == (winner, int(found[2]) - 1)
            assert all(lead > 0 for lead in leads[int(found[3]) :])
            assert leads[int(found[3]) - 1] == -int(found[4] or 0)
        elif "led after every round." in text:
            assert all(lead > 0 for lead in leads)
        else:
            assert leads[-1] <= 0
            assert f"{-leads[-1]} point" in text or "level with" in text
        assert told.after[-1] != told.scores


# --- on the page ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rich():
    """A survey of several strategies at one table, one of them twice, with a changed number."""
    plan = ReportPlan(games=240)
    change = "start.seat1.labour=3"
    lines = asked("moesteiro", (2, 4), ("greedy", "random_legal", "greedy"), plan)
    return survey(request("moesteiro", changes=[change], margin="0.2", seed="5"), lines, plan=plan)


@pytest.fixture(scope="module")
def html(rich):
    return page.render(rich)


def shown(html):
    """The section of a page, as text with its tags."""
    match = re.search(r'<section id="games">.*?</section>', html, re.DOTALL)
    return match[0] if match else ""


@pytest.mark.slow
def test_the_page_tells_three_games_and_their_commands_give_them(rich, html, command):
    text = shown(html)
    assert rich.three.players == 4
    assert rich.three.among == 240
    assert re.findall(r"<h3>(The [^<]*)</h3>", text) == [
        f"The {name} game: number {told.number:,}"
        for name, told in zip(("most typical", "closest", "most one-sided"), rich.three.told, strict=True)
    ]
    commands = [unescape(line) for line in re.findall(r"<code>([^<]*)</code>", text)]
    assert len(commands) == 3
    for words, told in zip(map(shlex.split, commands), rich.three.told, strict=True):
        assert words[:3] == ["chapterhouse", "replay", "moesteiro"]
        assert "--margin" not in words
        status, out, _ = command(*words[1:], "--json")
        assert status == 0
        end = json.loads(out.splitlines()[-1])
        assert tuple(end["scores"]) == told.scores


@pytest.mark.slow
def test_the_page_shows_the_scores_and_what_was_held(rich, html):
    text = shown(html)
    for told in rich.three.told:
        for seat, score in enumerate(told.scores, 1):
            line = (
                "".join(rf'<td class="n">{scores[seat - 1]}</td>' for scores in told.after)
                + f'<td class="n">{score}</td>'
            )
            assert line in re.sub(r"\s*\n\s*", "", text), (told.number, seat)
    assert text.count("<svg") == 3
    assert text.count("<details>") == 3


def test_the_games_stand_after_what_was_assumed_and_before_the_method(html):
    places = [html.index(f'<section id="{name}"') for name in ("assumed", "games", "method")]
    assert places == sorted(places)


@pytest.mark.slow
def test_names_of_strategies_are_escaped(rich):
    told = tuple(
        replace(t, strategies=(HOSTILE, "b", "b", HOSTILE), command=f"replay '{HOSTILE}'") for t in rich.three.told
    )
    html = page.render(replace(rich, three=replace(rich.three, told=told)))
    assert HOSTILE not in html
    assert "(&lt;script&gt;" in html


@pytest.mark.slow
def test_a_game_that_counts_neither_rounds_nor_things_is_told_too():
    plan = ReportPlan(games=60)
    found = survey(request("pig", numbers="all"), asked("pig", (2, 3), (), plan), plan=plan)
    assert found.three.players == 3
    text = shown(page.render(found))
    assert "<svg" not in text
    assert "round 1" not in text
    assert "score at the end" in text


def test_a_survey_that_is_stopped_tells_games_of_what_was_played():
    calls = []

    def watch(line, games):
        calls.append(games)
        if line.role == "strategy":
            raise KeyboardInterrupt

    plan = ReportPlan(games=2000)
    found = survey(request("pig", numbers="all"), asked("pig", (2, 3), (), plan), plan=plan, watch=watch)
    assert found.interrupted
    assert found.three.players == 2
    assert found.three.among == 2000
    assert shown(page.render(found))


@pytest.mark.slow
def test_whoever_stops_the_choosing_gets_the_page_without_the_games(monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "three", stopped)
    plan = ReportPlan(games=60)
    found = survey(request("pig"), asked("pig", (2,), (), plan), plan=plan)
    assert found.three is None
    html = page.render(found)
    assert 'id="games"' not in html
    assert 'href="#games"' not in html
