"""`chapterhouse sweep`: measures by hand, curves with known crossings, planted thresholds, and one line for whatever is
wrong."""

import json

import numpy as np
import pandas as pd
import pytest

from analyses import measures
from analyses import sweep as analysis
from analyses.worth import worth
from sim import registry
from sim.contract import records
from sim.printed import components, levers
from strategies import catalog

MAIN = "moesteiro"
QUICK = ["--strategy", "random_legal", "--players", "2", "--games", "600", "--jobs", "1"]


@pytest.fixture(scope="module")
def moesteiro():
    return registry.load(MAIN)


# --- measures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "of_blocks", "value"),
    [
        # Two blocks of two games: scores 10:4, 3:7 and 5:5, 8:1; shares likewise.
        ("seat:1", [60, 90], 150 / 60 / 2),
        ("seat:2", [60, 30], 90 / 60 / 2),
        ("score", [24, 19], 43 / 8),
        ("score:1", [13, 13], 26 / 4),
        ("lead", [10, 7], 17 / 4),
        ("number:turns", [10, 26], 36 / 8),
    ],
)
def test_a_measure_of_games_by_hand(pig, text, of_blocks, value):
    outcomes = records(pig.dtypes[3], 4)
    outcomes["score"][:, :2] = [[10, 4], [3, 7], [5, 5], [8, 1]]
    outcomes["share"][:, :2] = [[60, 0], [0, 60], [30, 30], [60, 0]]
    outcomes["numbers"][:, :2, 0] = [[1, 2], [3, 4], [5, 6], [7, 8]]
    asked = measures.measure(text, pig, 2)
    found = asked.of_blocks(pig, outcomes, 2, 0)
    assert found.tolist() == of_blocks
    assert asked.factor * found.mean() == pytest.approx(value)


@pytest.mark.parametrize(
    "text", ["seat:3", "seat", "worth:joao_i", "leads", "lead:1", "score:x", "number:nothing", "seat:1:points", ""]
)
def test_there_is_no_such_measure(pig, text):
    with pytest.raises(measures.MeasureError, match=r"seat:N \(1 to 2\), score or score:N, lead, number:NAME"):
        measures.measure(text, pig, 2)


@pytest.mark.parametrize(("part", "points"), [("worth", False), ("worth", True), ("power", False), ("power", True)])
def test_the_worth_of_a_thing_is_what_dealing_finds(moesteiro, part, points):
    base, entrants = components.read(MAIN), [catalog.entrant(MAIN, "random_legal", 3)]
    asked = measures.measure(f"{part}:joao_ii" + ":points" * points, moesteiro, 3)
    games = 10 * len(asked.deal.plan(moesteiro, 3))
    total, _, _ = analysis.play_values([(0, base)], asked, 3, entrants, 5, games, jobs=1)
    column = {
        ("worth", False): "worth",
        ("worth", True): "points",
        ("power", False): "power",
        ("power", True): "power_points",
    }
    dealt = worth.measure(base, "kings", 3, entrants, 5, powers=part == "power", games=games, free=False, jobs=1)
    value = dealt.thing("joao_ii")[column[part, points]]
    assert asked.factor * total.weighted(np.ones((1, 1)))[0][0] == pytest.approx(value)


def test_verdicts_are_around_par(moesteiro):
    seat, score = (measures.measure(text, moesteiro, 4) for text in ("seat:1", "score"))
    assert [seat.verdict(*ends, 0.1) for ends in ((0.95, 1.05), (1.05, 1.15), (1.11, 1.2), (0.5, 0.8))] == [
        "balanced", "undecided", "unbalanced", "unbalanced",
    ]  # fmt: skip
    assert score.verdict(0, 1, 0.1) == ""


# --- curves -----------------------------------------------------------------------------------------------------------


def curve(estimates, half=0.5, values=None):
    estimates = np.array(estimates, float)
    values = list(range(len(estimates))) if values is None else values
    return pd.DataFrame({"value": values, "estimate": estimates, "low": estimates - half, "high": estimates + half})


def test_a_line_crosses_where_it_must():
    (crossing,) = analysis.find(curve([0, 1, 2, 3, 4]), 2.3).crossings
    assert (crossing.value, crossing.low, crossing.high) == pytest.approx((2.3, 1.8, 2.8))
    assert (crossing.below, crossing.above, crossing.nearest) == (2, 3, 2)
    assert not crossing.open_low
    assert not crossing.open_high


def test_a_falling_line_of_every_fifth_value():
    (crossing,) = analysis.find(curve([8, 4, 0], values=[0, 5, 10]), 1).crossings
    assert crossing.value == pytest.approx(8.75)
    assert (crossing.low, crossing.high) == pytest.approx((8.125, 9.375))
    assert (crossing.below, crossing.above, crossing.nearest) == (5, 10, 10)


def test_a_value_that_hits_is_on_both_sides():
    (crossing,) = analysis.find(curve([0, 1, 2]), 1).crossings
    assert (crossing.value, crossing.below, crossing.above, crossing.nearest) == (1, 1, 1, 1)


def test_a_curve_that_turns_round_crosses_twice():
    found = analysis.find(curve([0, 2, 4, 2, 0]), 1)
    assert [crossing.value for crossing in found.reached] == pytest.approx([0.5, 3.5])
    assert [(crossing.low, crossing.high) for crossing in found.crossings] == [
        pytest.approx(ends) for ends in [(0.25, 0.75), (3.25, 3.75)]
    ]


def test_what_only_the_band_reaches_is_not_reached():
    found = analysis.find(curve([0, 1, 2]), 2.25)
    (crossing,) = found.crossings
    assert np.isnan(crossing.value)
    assert (crossing.low, crossing.high, crossing.open_high) == (pytest.approx(1.75), 2, True)
    assert (found.reached, found.nearest) == ((), 2)


def test_what_is_far_away_is_not_reached():
    found = analysis.find(curve([0, 1, 2]), -3)
    assert (found.crossings, found.nearest) == ((), 0)


def test_a_flat_curve_is_at_its_goal_everywhere():
    found = analysis.find(curve([1, 1, 1]), 1)
    assert {(crossing.low, crossing.high, crossing.open_low, crossing.open_high) for crossing in found.crossings} == {
        (0, 2, True, True)
    }


@pytest.mark.parametrize(
    ("estimates", "half", "word"),
    [([0, 2], 0.1, "holds"), ([1, 1], 0.1, "holds"), ([1.2, 2], 0.5, "undecided"), ([2, 3], 0.1, "does not hold")],
)
def test_what_a_check_says(estimates, half, word):
    assert analysis.checked(curve(estimates, half), 1) == word


# --- what is played ---------------------------------------------------------------------------------------------------


def test_more_points_make_a_king_worth_more(answer):
    found = answer(
        "sweep",
        MAIN,
        "kings.afonso_v.vp=0..9:3",
        "--of",
        "worth:afonso_v",
        "--strategy",
        "greedy",
        "--games",
        3000,
        "--jobs",
        1,
    )
    estimates = [row["estimate"] for row in found["curve"]]
    assert [row["value"] for row in found["curve"]] == [0, 3, 6, 9]
    assert estimates == sorted(set(estimates))
    assert (found["direction"], found["moves"], found["printed"], found["par"]) == ("rises", True, 3, 0)
    assert found["curve"][3]["change_low"] > 0
    assert (found["curve"][1]["change"], found["curve"][1]["change_low"], found["curve"][1]["change_high"]) == (0, 0, 0)
    assert all(row["low"] < row["estimate"] < row["high"] for row in found["curve"])


def test_a_number_that_nothing_uses_changes_exactly_nothing(answer, command):
    words = ["sweep", MAIN, "construction.b.1.vp=9,11,99", "--of", "seat:1", "--find", "5", *QUICK]
    found = answer(*words)
    assert len({row["estimate"] for row in found["curve"]}) == 1
    assert {row[name] for row in found["curve"] for name in ("change", "change_low", "change_high")} == {0}
    assert not found["moves"]
    assert (found["find"]["reached"], found["find"]["crossings"]) == (False, [])
    assert "is exactly the same at every value" in command(*words)[1]


def test_a_planted_threshold_is_found(answer):
    """Whoever plays at random doesn't look at points: each point at the start is one point more at the end, exactly."""
    words = ["sweep", MAIN, "start.seat2.vp=0..9:3", "--of", "score:2", *QUICK]
    scores = [row["estimate"] for row in answer(*words)["curve"]]
    assert np.diff(scores) == pytest.approx([3, 3, 3])
    found = answer(*words, "--find", scores[0] + 4)["find"]
    (crossing,) = found["crossings"]
    assert crossing["value"] == pytest.approx(4)
    assert crossing["low"] < 4 < crossing["high"]
    assert (crossing["below"], crossing["above"], crossing["nearest"]) == (3, 6, 3)
    check = crossing["check"]
    assert [row["value"] for row in check["curve"]] == [3, 6]
    assert check["curve"][1]["estimate"] - check["curve"][0]["estimate"] == pytest.approx(3)
    assert check["curve"][0]["estimate"] != scores[1]  # other chance


def test_the_value_as_it_is_is_always_played(answer):
    found = answer("sweep", "pig", "goal=20,40", "--of", "lead", "--games", 100, "--jobs", 1)
    assert [row["value"] for row in found["curve"]] == [20, 40, 100]
    words = answer("sweep", MAIN, "rules.displays=before_kings", "--of", "lead", *QUICK)
    assert [row["value"] for row in words["curve"]] == ["after_kings", "before_kings"]
    assert words["direction"] is None


def test_a_place_in_an_order_is_swapped(moesteiro):
    board = levers.Board(components.read(MAIN), moesteiro, ["kings.afonso_v.number"])
    assert board.changes({"kings.afonso_v.number": 5}) == {"kings.afonso_v.number": 5, "kings.joao_iii.number": 2}
    assert board.changes({"kings.afonso_v.number": 2}) == {}
    assert board.changes({"kings.afonso_v.number": 9}) == {"kings.afonso_v.number": 9}
    both = {"kings.afonso_v.number": 5, "kings.joao_i.number": 2}
    assert board.changes(both) == {"kings.afonso_v.number": 5, "kings.joao_iii.number": 1, "kings.joao_i.number": 2}


def test_the_same_bytes_for_any_number_of_jobs(command):
    words = ["sweep", "pig", "goal=50..60:5", "--of", "seat:1", "--find", "1.05", "--games", 4000, "--json"]
    first, second = (command(*words, "--jobs", jobs)[1] for jobs in (1, 2))
    assert first == second
    assert json.loads(first)["games"] == 4000


@pytest.mark.slow
def test_a_page_and_its_tables(command, tmp_path):
    status, out, _ = command(
        "sweep", MAIN, "start.seat2.vp=0..9:3", "--of", "score:2", "--find", "42", *QUICK, "--out", tmp_path
    )
    assert status == 0
    page = (tmp_path / "sweep.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "Seat 2&#39;s mean score rises" in page
    assert "stand-in game" in page
    assert "rises with points that seat 2 begins with (start.seat2.vp)" in " ".join(out.split())
    table = pd.read_csv(tmp_path / "tables" / "sweep.csv")
    assert list(table["value"]) == [0, 3, 6, 9]
    assert pd.read_parquet(tmp_path / "tables" / "sweep.parquet").shape == table.shape


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["kings.afonso.vp=1..2"], "PATH=VALUES: kings.afonso: found an unknown key; allowed joao_i"),
        (["kings.afonso_v=1..2"], "PATH=VALUES: kings.afonso_v: found one value for a table"),
        (
            ["kings.afonso_v.vp=98..100"],
            "PATH=VALUES: kings.afonso_v.vp: found 100; allowed a whole number from 0 to 99",
        ),
        (["kings.afonso_v.vp"], "PATH=VALUES: found 'kings.afonso_v.vp'; allowed a number and its values: low..high"),
        (["kings.afonso_v.vp=4..2"], "PATH=VALUES: found 'kings.afonso_v.vp=4..2'; allowed low..high"),
        (["kings.afonso_v.vp=3"], "PATH=VALUES: found 'kings.afonso_v.vp=3'; allowed another value than 3"),
        (["rules.displays=never"], "PATH=VALUES: rules.displays: found 'never'; allowed after_kings or before_kings"),
        (["start.seat4.labour=0..9"], "PATH=VALUES: start.seat4.labour: found 6; allowed at most 5 steps"),
        (
            ["kings.afonso_v.vp=1..4", "--of", "worth:afonso"],
            "--of: found 'worth:afonso'; allowed worth:THING or power:THING",
        ),
        (["kings.afonso_v.vp=1..4", "--find", "x"], "--find: found 'x'; allowed a number"),
        (
            ["rules.displays=before_kings", "--find", "1"],
            "--find: found '1'; allowed nothing, as there is nothing between",
        ),
    ],
)
def test_what_is_wrong_is_one_line(command, words, line):
    status, out, err = command("sweep", MAIN, *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"chapterhouse: {line}")
    assert err.count("\n") == 1


def test_stopped_by_hand_it_shows_what_was_played(command, monkeypatch):
    played, real = [], analysis.play

    def play(*words):
        played.append(words)
        if len(played) > 8:
            raise KeyboardInterrupt
        return real(*words)

    monkeypatch.setattr(analysis, "play", play)
    status, out, err = command("sweep", "pig", "goal=50,60", "--of", "lead", "--games", 20_000, "--jobs", 1)
    assert status == 130
    assert "The winner's lead" in out
    assert "Stopped by hand: this is what" in err
    status, out, err = command("sweep", "pig", "goal=50,60", "--of", "lead", "--games", 20_000, "--jobs", 1)
    assert (status, out) == (130, "")


@pytest.mark.parametrize("tasks", [2, 10])
def test_what_is_known_after_a_moment_has_a_page_too(command, monkeypatch, tmp_path, tasks):
    played, real = [], analysis.play

    def play(*words):
        played.append(words)
        if len(played) > tasks:
            raise KeyboardInterrupt
        return real(*words)

    monkeypatch.setattr(analysis, "play", play)
    monkeypatch.setattr(analysis, "BATCH", 60)
    words = ["start.seat2.vp=0,5", "--of", "score", "--find", 30, *QUICK, "--out", tmp_path]
    status, out, err = command("sweep", MAIN, *words)
    assert status == 130
    assert "not yet known" in out
    assert "inf" not in out
    assert "stopped this run by hand" in (tmp_path / "sweep.html").read_text(encoding="utf-8")
    assert "Stopped by hand: this is what" in err


# --- levers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("0..3", (0, 1, 2, 3)),
        ("0..10:4", (0, 4, 8)),
        ("-1..1", (-1, 0, 1)),
        ("4,1", (1, 4)),
        ("a,b", ("a", "b")),
        ("true,false", (True, False)),
    ],
)
def test_values_that_a_text_gives(text, values):
    assert levers.values_of(text) == values


@pytest.mark.parametrize("text", ["", "3..1", "1..2..3", "1,,2", "1,1", "0..999", "0..4:0", "a..b"])
def test_texts_that_give_no_values(text):
    with pytest.raises(ValueError, match=r"low\.\.high"):
        levers.values_of(text)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_the_game_proposes_fits_the_game(moesteiro, players):
    base, proposed = components.read(MAIN), levers.read(moesteiro, players)
    assert {lever.path.split(".")[1] for lever in proposed if lever.path.startswith("start")} == {
        f"seat{n + 1}" for n in range(players)
    }
    assert len({lever.path for lever in proposed}) == len(proposed)
    for lever in proposed:
        assert levers.value_at(base, lever.path) in lever.values
        assert "{" not in lever.path + lever.words
        for value in (lever.values[0], lever.values[-1]):
            changes = levers.Board(base, moesteiro, [lever.path]).changes({lever.path: value})
            assert levers.value_at(components.changed(base, changes), lever.path) == value
    assert {f"kings.{king}.number" for king in measures.things_of(moesteiro, 4)} <= {lever.path for lever in proposed}


def test_a_game_without_levers_proposes_none(pig):
    assert levers.read(pig, 2) == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            '[[lever]]\npath = "goal"\nlow = 3\nhigh = 1',
            "here: lever.1.low: found 3; allowed a whole number up to high = 1",
        ),
        ('[[lever]]\npath = "goal"\nlow = 3', "here: lever.1.high: found nothing; allowed a whole number"),
        (
            '[[lever]]\npath = "{thing}"\nlow = 1\nhigh = 2\nthings = "x"',
            "here: lever.1.things: found 'x'; allowed no kind of thing in this game",
        ),
        ('[[lever]]\npath = "goal"\nlow = 1\nhigh = 2\ncosts = 2', "here: lever.1.costs: found an unknown key"),
    ],
)
def test_what_is_wrong_with_a_file_of_levers(pig, text, line):
    with pytest.raises(components.ComponentsError) as caught:
        levers.parse(text, "here", pig, 2)
    assert str(caught.value).startswith(line)


@pytest.mark.parametrize(
    ("values", "before", "after", "size"),
    [
        ((0, 1, 2), 0, 1, 0.5),
        ((0, 1, 2), 2, 0, 1),
        ((0, 1, 2), 1, 1, 0),
        (tuple(range(20, 201)), 100, 147, 47 / 180),  # not 47
        ((10, 12), 0, 12, 1),  # the value as it is belongs to the range
        (("a", "b"), "a", "b", 1),
        ((True, False), True, False, 1),
    ],
)
def test_the_size_of_a_change_is_the_share_of_its_range(values, before, after, size):
    assert levers.Lever("x", values).size(before, after) == pytest.approx(size)
