"""Robustness: a planted decisive number is found, counts match its range, what is rejected is counted; the same for any
jobs and number."""

import json
from dataclasses import replace

import numpy as np
import pytest

from analyses.line import analyse
from analyses.robustness import asks, plan, plausible, robustness
from analyses.robustness.robustness import Stability, measure, word
from analyses.robustness.sensitivity import HARMONICS, LEAST, indices, top
from analyses.survey import line_up
from reports.parts import Ground
from reports.robustness.robustness import frames, questions, section
from reports.robustness.words import counted, denied, look_up, sentence, told
from scripts.commands import robustness as command_
from sim import registry
from sim.printed import components, printings
from sim.printed.components import Number
from sim.printed.printings import parse
from sim.runner import Study, play
from tests.helpers import request

PLAYERS, MOST = 2, 30
PLANTED = """
[[input]]
name = "points of seat 1"
draw = "range"
paths = ["start.seat1.vp"]

[[input]]
name = "a tile of the other set"
draw = "range"
paths = ["construction.b.1.vp"]

[[input]]
name = "another of them"
draw = "range"
paths = ["construction.b.20.vp"]

[[input]]
name = "steps of the other set"
draw = "shift"
by = [-1, 0, 1]
paths = ["construction.b.*.steps"]
"""
LIMIT = '[[plausible]]\nstrategy = "random_legal"\ngames = 100\nscore = [0, {most}]\n'


def planted(vp=0, **numbers):
    """Components in which the points of seat 1 are assumed, from 0 to MOST; `numbers`: others, path with _ for ., low
    and high."""
    printed = components.read("moesteiro", changes=[f"start.seat1.vp={vp}"])
    assumed = {"start.seat1.vp": Number(vp, "assumed", 0, MOST)}
    for name, (low, high) in numbers.items():
        path = name.replace("__", ".")
        assumed[path] = Number(printed.numbers[path].value, "assumed", low, high)
    return replace(printed, numbers=printed.numbers | assumed)


def cast(*players):
    return {n: line_up("moesteiro", ["random_legal"], n) for n in players or (PLAYERS,)}


def found(printed, text=PLANTED, players=(PLAYERS,), jobs=1, **options):
    scheme = parse(text, "place", printed)
    asked = replace(request("moesteiro", seed="3", margin="0.15", jobs=str(jobs)), components=printed)
    options = {"printings": 12, "games": 300} | options
    most, watch = asks.most_games(options["games"], options["printings"]), options.get("watch", lambda games: None)
    return measure(asked, scheme, cast(*players), lambda them: asks.heads(asked, them, most, watch), **options)


@pytest.fixture(scope="module")
def decisive():
    return found(planted(), printings=60, games=1_200)


# --- a planted number -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_planted_decisive_number_ranks_first(decisive):
    first = decisive.first
    assert (first.input, first.key, first.players, first.clear) == ("points of seat 1", "start.seat1.vp", PLAYERS, True)
    assert first.low > 0.6
    assert first.noise < 0.2
    rows = decisive.ranking[(decisive.ranking["what"] == "seat") & (decisive.ranking["name"] == "1")]
    assert rows["input"].iloc[0] == "points of seat 1"
    assert rows["index"].iloc[0] > 0.8
    assert (rows["index"].iloc[1:] < 0.2).all()
    assert (rows["low"].iloc[1:] == 0).all()


@pytest.mark.slow
def test_counts_match_the_share_of_the_range(decisive):
    seat = decisive.find("seat", PLAYERS, "1")
    assert seat.verdict == "fair"  # nothing is given to it as it is printed
    at = [it.key for it in decisive.inputs].index("start.seat1.vp")
    points = np.array([int(row[at]) for row in decisive.words])
    column = decisive.verdicts[:, decisive.findings.index(seat)]
    by_word = {name: points[column == name] for name in ("fair", "wins too much")}
    assert sum(map(len, by_word.values())) == 60
    assert by_word["fair"].max() < by_word["wins too much"].min()  # the same points, the same games
    decides = by_word["wins too much"].min()
    share = (MOST + 1 - decides) / (MOST + 1)
    _, low, high = seat.shares["wins too much"]
    assert low < share < high < low + 0.4
    assert (seat.same, seat.opposite) == tuple(len(by_word[name]) for name in ("fair", "wins too much"))
    assert seat.least < 1.1 < 1.5 < seat.most
    other = decisive.find("seat", PLAYERS, "2")
    assert (other.same, other.opposite) == (seat.same, seat.opposite)
    seats = decisive.find("seats", PLAYERS)
    assert (seats.verdict, seats.same) == ("balanced", seat.same)
    assert seats.shares["balanced"][0] == pytest.approx(seat.shares["fair"][0])


def test_the_present_numbers_say_what_the_headline_says(decisive):
    """The same games as `seats` plays with this seed, and no others."""
    line, _ = analyse(
        registry.load("moesteiro"), PLAYERS, cast()[PLAYERS], planted(), 3, max_games=60 * 1_200, margin=0.15, jobs=1
    )
    seats = decisive.findings[1:3]
    assert [f.index for f in seats] == list(line.tables["seats"]["index"])
    assert [f.high for f in seats] == list(line.tables["seats"]["index_high"])
    assert decisive.findings[0].verdict == line.verdict.word


def test_each_printing_is_what_it_would_be_alone(decisive):
    """The points of a set put in by hand, and its games played by hand."""
    games = decisive.findings[0].games
    assert games < 1_200  # the sets are far apart
    at = [it.key for it in decisive.inputs].index("start.seat1.vp")
    for number in (0, 7):
        printed = components.read("moesteiro", changes=[f"start.seat1.vp={decisive.words[number][at]}"])
        outcomes, _ = play(Study("moesteiro", PLAYERS, cast()[PLAYERS], printed.record, 3), 0, games)
        index = outcomes["share"][:, :PLAYERS].mean(axis=0) / 60 * PLAYERS
        mine = [decisive.findings.index(decisive.find("seat", PLAYERS, name)) for name in ("1", "2")]
        assert decisive.values[number, mine] == pytest.approx(index)


def test_a_number_without_effect_changes_nothing():
    nothing = found(planted(), PLANTED.replace(PLANTED[: PLANTED.index("[[input]]", 5)], ""))
    for finding in nothing.findings:
        assert finding.least == finding.most
    assert nothing.first is None
    assert len(nothing.ranking) == 0
    assert nothing.settled == (nothing.findings[0].verdict == "balanced")
    assert "you need to look up none" in sentence(nothing) or "are too few" in sentence(nothing)


@pytest.mark.slow
def test_a_king_is_dealt_and_judged():
    king = '[[input]]\nname = "points of {thing}"\ndraw = "shift"\nby = [0, 40]\npaths = ["kings.afonso_v.vp"]\n'
    it = found(planted(kings__afonso_v__vp=(0, 50)), king, games=1_200)
    finding = it.find("thing", PLAYERS, "afonso_v")
    codes = it.codes[:, 0]
    column = it.verdicts[:, it.findings.index(finding)]
    assert set(codes) == {0.0, 1.0}
    assert set(column[codes == 1]) == {"too strong"}
    assert "too strong" not in set(column[codes == 0])
    assert finding.most > 1.5


# --- what is rejected -------------------------------------------------------------------------------------------------


def test_rejected_printings_are_counted():
    printed = planted()
    game = registry.load("moesteiro")
    outcomes, _ = play(Study("moesteiro", PLAYERS, cast()[PLAYERS], printed.record, 3), 0, 100)
    usual = outcomes["score"][:, :PLAYERS].mean()
    most = int(usual) + 6
    it = found(printed, LIMIT.format(most=most) + PLANTED)
    assert (it.printings, it.objection) == (12, "")
    assert it.rejected == {f"random_legal scores above {most} points": it.draws - 12}
    scheme = parse(PLANTED, "place", printed)
    inputs = scheme.inputs(printed)
    points = [scheme.draw(printed, inputs, 3, number).changes["start.seat1.vp"] for number in range(it.draws)]
    passes = [number for number, value in enumerate(points) if usual + value / PLAYERS <= most]
    assert list(it.accepted) == passes[:12]
    assert 0 < len(passes) < it.draws
    assert plausible.objection(game, printed, parse(LIMIT.format(most=1) + PLANTED, "", printed).plausible, PLAYERS, 3)


def test_an_area_that_is_not_used_is_an_objection():
    printed = planted()
    limit = LIMIT.format(most=999) + 'used = "dice"\nleast = {least}\n'
    game = registry.load("moesteiro")
    for least, line in ((2, ""), (30, " under 30 % (random_legal)")):
        made = parse(limit.format(least=least) + PLANTED, "place", printed).plausible
        reason = plausible.objection(game, printed, made, 4, 1)
        assert reason.endswith(line)
        assert reason.startswith("dice." if line else "")


def test_numbers_that_do_not_go_together_are_rejected():
    text = '[[input]]\nname = "start"\ndraw = "range"\npaths = ["tracks.construction.start"]\n' + PLANTED
    it = found(planted(tracks__construction__start=(0, 19)), text)
    (reason,) = it.rejected
    assert reason.startswith("numbers that do not go together: tracks.construction.")
    start = [it.key for it in it.inputs].index("tracks.construction.start")
    assert {int(row[start]) for row in it.words} <= set(range(10))
    assert it.rejected[reason] == it.draws - 12 > 0


def test_the_search_is_given_up():
    it = found(planted(), LIMIT.format(most=1) + PLANTED, printings=2)
    assert (it.printings, it.draws) == (0, 2 * plausible.MOST_DRAWS)
    assert it.objection == "random_legal scores above 1 points"
    assert it.findings[0].verdict in ("balanced", "undecided")
    assert "The run played no other set of numbers" in sentence(it)
    assert section(Ground.of("moesteiro"), it).blocks == []
    assert frames(it)["robustness_rejected"]["draws"].sum() == it.draws


# --- the same whatever is asked for -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_jobs_change_nothing():
    one, two = (command_.answer(found(planted(), printings=30, jobs=jobs)) for jobs in (1, 2))
    assert json.dumps(one) == json.dumps(two)
    assert not {"jobs", "seconds", "time"} & set(one)


def test_a_printing_is_the_same_however_many_are_asked_for():
    few, many = found(planted(), printings=4), found(planted(), printings=9)
    assert few.accepted == many.accepted[:4]
    assert few.words == many.words[:4]
    same = [at for at, (f, g) in enumerate(zip(few.findings, many.findings)) if f.games == g.games]
    assert len(same) > 2
    assert np.array_equal(few.values[:, same], many.values[:4, same])


@pytest.mark.slow
def test_ctrl_c_keeps_the_finished_printings():
    told = []

    def watch(games):
        told.append(games)
        if len(told) > 8:
            raise KeyboardInterrupt

    it = found(planted(), watch=watch)
    whole = found(planted())
    assert it.interrupted
    assert 0 < it.printings < 12
    games = {f.games for f in it.findings}
    assert max(games) < 150  # a quarter, in whole blocks
    assert it.all_games == it.printings * sum(games)
    same = replace(whole, findings=whole.findings[:0])
    assert it.accepted == same.accepted[: it.printings]
    assert whole.all_games <= robustness.total(components.read("moesteiro"), cast(), 300, 12) == (300 + 300) * 12


def test_several_numbers_of_players():
    it = found(planted(), players=(2, 3))
    assert [(f.players, f.what) for f in it.findings if not f.name] == [(2, "seats"), (3, "seats"), (2, "things")]
    assert set(it.ranking["players"]) <= {2}
    assert counted(it, 3) == f"In twelve other plausible sets of numbers: {told(it.find('seats', 3))}."
    assert counted(it, 4) == ""


# --- small things -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_indices_of_known_answers():
    chance = np.random.default_rng(5)
    codes = np.column_stack([chance.random(200), chance.integers(0, 2, 200), np.full(200, 0.5), chance.random(200)])
    for at, values in ((0, codes[:, 0]), (1, codes[:, 1] + 0.1 * chance.random(200))):
        index, low, high = indices(codes, values, 1)
        assert index.argmax() == at
        assert index[at] > 0.85
        assert low[at] > 0.7
        assert (np.delete(index, at) < 0.12).all()
        assert (index[2], high[2]) == (0, 0)
    half = codes[:, 0] / codes[:, 0].std() + codes[:, 1] / codes[:, 1].std()
    index, low, high = indices(codes, half, 1)
    assert (low[:2] < 0.5).all()
    assert (high[:2] > 0.45).all()
    assert np.isnan(indices(codes, np.ones(200), 1)[0]).all()
    assert np.isnan(indices(codes[: LEAST - 1], half[: LEAST - 1], 1)[0]).all()


SEATS = Stability(
    "seats", "", "", 4, "unbalanced", 1.3, 1.2, 1.4, {"unbalanced": 83, "balanced": 17},
    {"unbalanced": (0.83, 0.744, 0.891), "balanced": (0.17, 0.109, 0.256)}, 600, 0.9, 1.5,
)  # fmt: skip


@pytest.mark.parametrize("sets", [60, 101])
def test_the_indices_are_those_of_salib(sets):
    """Its estimates, without its clipping and its intervals."""
    from SALib.analyze import rbd_fast

    chance = np.random.default_rng(6)
    codes = chance.random((sets, 3))
    values = np.sin(4 * codes[:, 0]) + codes[:, 1] + 0.3 * chance.random(sets)
    problem = {"num_vars": 3, "names": list("abc"), "bounds": [[0, 1]] * 3}
    theirs = np.array(rbd_fast.analyze(problem, codes, values, M=HARMONICS, seed=1)["S1"], float)
    index, low, high = indices(codes, values, 1)
    assert index == pytest.approx(np.clip(theirs, 0, 1))
    assert (low <= index).all()
    assert (index <= high).all()


def test_words_and_counts():
    assert word("seat", 1.11, 1.2, 0.1) == "wins too much"
    assert word("thing", 0.7, 0.89, 0.1) == "too weak"
    assert word("seat", 0.91, 1.09, 0.1) == "fair"
    assert word("seat", 0.95, 1.15, 0.1) == "undecided"
    assert (SEATS.printings, SEATS.same, SEATS.opposite) == (100, 83, 17)
    unsure = replace(SEATS, verdict="undecided")
    assert (unsure.same, unsure.opposite) == (None, None)


def test_in_how_many_sets_something_is_fair(decisive):
    seat = replace(decisive.findings[1], players=4)
    it = replace(decisive, findings=(SEATS, seat), shrunk=np.ones((100, 2)), accepted=tuple(range(100)))
    said = "In 100 other plausible sets of numbers: not fair in 83 (74 to 89 %), fair in 17."
    assert counted(it, 4) == said
    assert sentence(it).startswith(f"With four players and the present numbers, the seats are not fair. {said}")
    assert "The number to look up first is the points of seat 1" in sentence(it)
    assert not denied(it, 4, "not fair")
    assert denied(it, 4, "fair")
    assert not denied(it, 4, "not sure")


def test_no_verdict_stands_beside_a_count_that_denies_it(decisive):
    counts, shares = {"unbalanced": 54, "balanced": 46}, {"unbalanced": (0.54, 0.443, 0.634)}
    whole = replace(decisive.findings[0], verdict="balanced", counts=counts, shares=shares)
    it = replace(decisive, findings=(whole,), shrunk=np.ones((100, 1)), accepted=tuple(range(100)))
    assert "the seats are fair. But in 100 other plausible sets of numbers: not fair in 54 (44 to 63 %)" in sentence(it)
    assert [question.answers[0].word for question in questions(Ground.of("moesteiro"), it)] == ["depends"]
    agree = replace(whole, counts={"balanced": 54, "unbalanced": 46}, shares={"balanced": (0.54, 0.443, 0.634)})
    assert "the seats are fair. In 100" in sentence(replace(it, findings=(agree,)))


def test_where_all_sets_agree_nothing_is_to_be_looked_up(decisive):
    sure = replace(SEATS, counts={"unbalanced": 100}, shares={"unbalanced": (1.0, 0.963, 1.0)})
    it = replace(decisive, findings=(sure,), accepted=tuple(range(100)))
    assert it.settled
    assert look_up(it).endswith("you need to look up none of the assumed numbers for it")


def test_who_is_furthest_out(decisive):
    seats = [replace(f, index=index) for f, index in zip(decisive.findings[1:3], (1.0, 0.7))]
    shares = {"unbalanced": (1.0, 0.5, 1.0)}
    whole = replace(decisive.findings[0], verdict="unbalanced", counts={"unbalanced": 4}, shares=shares)
    values = np.array([[1.3, 1.0, 0.7], [1.3, 1.3, 0.8], [1.3, 0.9, 1.3], [0.6, 0.9, 0.6]])
    it = replace(decisive, findings=(whole, *seats), shrunk=values, accepted=(0, 1, 2, 3))
    assert it.furthest(PLAYERS) == (seats[1], 2)
    assert "Seat 2 is the furthest from fair in 2 of them too, with too few wins." in sentence(it)
    assert it.furthest(PLAYERS, "1") == (seats[0], 0)


def test_the_page_says_it(decisive):
    ground = Ground.of("moesteiro")
    made = section(ground, decisive)
    text = repr([made.title, *made.blocks, *made.folded])
    assert "of 60 plausible sets of numbers" in text
    assert "points of seat 1" in text
    assert "seat 1: too strong in" in text
    assert [question.answers[0].word for question in questions(ground, decisive)] == [
        question.answers[0].word for question in questions(ground, decisive)
    ]
    tables = frames(decisive)
    assert len(tables["robustness_printings"]) == 60
    assert tables["robustness"]["same"].iloc[0] == decisive.findings[0].same
    assert top(tables["robustness_inputs"], "").key == "start.seat1.vp"


# --- the command ------------------------------------------------------------------------------------------------------

SMALL = [
    "robustness",
    "moesteiro",
    "--players",
    "2",
    "--strategy",
    "random_legal",
    "--printings",
    "3",
    "--games",
    "120",
    "--jobs",
    "1",
]


@pytest.mark.slow
def test_the_command(command, answer, tmp_path):
    status, out, _ = command(*SMALL, "--out", tmp_path)
    assert status == 0
    assert "3 plausible sets of numbers out of" in out
    assert "stand-in game: 537 of 718 numbers are placeholders" in out
    page = (tmp_path / "robustness.html").read_text("utf-8")
    assert "of three plausible sets of numbers" in page
    assert "--printings 3" in page
    assert {path.name for path in (tmp_path / "tables").glob("*.csv")} >= {"robustness.csv", "robustness_printings.csv"}
    told = answer(*SMALL)
    assert (told["printings"], told["accepted"], told["first"], told["games"]) == (3, 3, None, 120)
    assert told["games_played"] == 3 * sum(f["games"] for f in told["findings"] if f["finding"] in ("seats", "things"))
    assert [f["finding"] for f in told["findings"]] == ["seats", "seat", "seat", "things", *["thing"] * 6]
    for finding in told["findings"]:
        assert sum(finding["counts"].values()) == 3
        if finding["verdict"] != "undecided":
            assert finding["same"] + finding["opposite"] == 3
        for share in finding["shares"].values():
            assert 0 <= share["low"] <= share["share"] <= share["high"] <= 1
    given = answer(*SMALL, "--set", "kings.duarte.number=3")
    assert given["assumed"] == told["assumed"] - 1


def test_a_game_without_assumed_numbers(command, answer, tmp_path):
    status, out, _ = command("robustness", "pig", "--out", tmp_path)
    assert (status, out.count("\n")) == (0, 1)
    assert "none of its numbers is assumed" in out
    assert out.strip() in (tmp_path / "robustness.html").read_text("utf-8")
    told = answer("robustness", "pig")
    assert (told["findings"], told["games"], told["note"]) == ([], 0, out.strip())


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["moesteiro", "--printings", "0"], "--printings: found '0'; allowed a whole number from 1 to 10000"),
        (["moesteiro", "--set", "kings.duarte.number=2"], "kings.duarte.number: found 2; allowed"),
    ],
)
def test_wrong_input_is_one_line(refused, words, line):
    assert line in refused("robustness", *words)


def test_the_report_plays_fewer_games():
    usual, two, none = (
        plan.IN_REPORT.total(request(game, numbers="all", players=players), [])
        for game, players in (("moesteiro", None), ("moesteiro", ["2"]), ("pig", ["2"]))
    )
    entrants = {n: line_up("moesteiro", [], n) for n in (4, 2, 3)}  # things are dealt for the first one
    assert usual == robustness.total(components.read("moesteiro"), entrants, plan.REPORT_GAMES, 100)
    assert 60_000 < two < 120_000
    assert none == 0
    assert printings.read("pig") is None
