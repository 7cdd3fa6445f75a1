"""Tables against what pandas computes from the rows of the same games, and what a line makes of a run."""

import numpy as np
import pandas as pd
import pytest

from analyses.evidence import Evidence
from analyses.line import analyse, tables
from analyses.statistics import interval
from analyses.survey import ReportPlan, asked, distinct, line_up, line_ups, survey
from sim import registry
from sim.contract import records
from sim.outcomes import Sums
from sim.printed import components
from sim.runner import StrategyError, run
from tests.helpers import request

PLAYERS, GAMES = 3, 1800
NAMES = ("random_legal", "random_legal #2")


@pytest.fixture(scope="module")
def played():
    """The evidence and the rows of the game with the most to count, where two persons play alike under different
    names."""
    game = registry.load("moesteiro")
    printed = components.read("moesteiro")
    from sim.runner import Study

    study = Study(
        "moesteiro", PLAYERS, line_up("moesteiro", ("random_legal", "random_legal"), PLAYERS), printed.record, 4
    )
    done = run(study, games=GAMES, batch=300, keep_rows=True)
    return Evidence(game, PLAYERS, NAMES, done.sums, sequential=False), done.rows


def brute(rows, y, x, family, least=-np.inf, most=np.inf):
    """A ratio and its interval from the block totals of two columns, by the definition."""
    blocks = pd.DataFrame({"y": y, "x": x, "block": rows["block"]}).groupby("block").sum()
    m = blocks["y"].sum() / blocks["x"].sum()
    s = np.sqrt(((blocks["y"] - m * blocks["x"]) ** 2).sum() / (len(blocks) - 1)) / blocks["x"].mean()
    low, high = interval(m, s, len(blocks), family, sequential=False, least=least, most=most)
    return pytest.approx((m, float(low), float(high)), rel=1e-9, abs=1e-9)


def test_rows_and_frames_hold_the_same(played):
    evidence, _ = played
    found = tables(evidence)
    assert list(found) == ["seats", "strategies", "places", "ties", "growth", "things", "sources", "uses"]
    for name in found:
        pd.testing.assert_frame_equal(pd.DataFrame(found.rows(name)), found[name])


@pytest.mark.slow
def test_by_seat(played):
    evidence, rows = played
    table = tables(evidence)["seats"]
    assert table["seat"].tolist() == [1, 2, 3]
    assert table["win_share"].sum() == pytest.approx(1)
    for row in table.itertuples():
        mine = (rows["seat"] == row.seat) * 1
        assert (row.win_share, row.low, row.high) == brute(rows, rows["win_share"] * mine, mine, 3, 0, 1)
        assert (row.mean_score, row.score_low, row.score_high) == brute(rows, rows["score"] * mine, mine, 3)
        assert row.index == 0 or (row.index_low, row.index_high) == pytest.approx((row.low * 3, row.high * 3))
        assert row.place == pytest.approx(rows["place"][rows["seat"] == row.seat].mean())
    best = rows.groupby("game")["score"].nlargest(2).groupby("game").agg(["max", "min"])
    other = np.where(
        rows["score"] == rows["game"].map(best["max"]), rows["game"].map(best["min"]), rows["game"].map(best["max"])
    )
    assert table["margin"].tolist() == pytest.approx((rows["score"] - other).groupby(rows["seat"]).mean().tolist())


def test_by_strategy(played):
    evidence, rows = played
    table = tables(evidence)["strategies"]
    assert tuple(table["strategy"]) == NAMES
    for row in table.itertuples():
        mine = (rows["strategy"] == row.strategy) * 1
        assert (row.win_share, row.low, row.high) == brute(rows, rows["win_share"] * mine, mine, 2, 0, 1)


def test_by_place_in_each_order(played):
    evidence, rows = played
    table = tables(evidence)["places"]
    headings = evidence.game.places
    assert table["order"].unique().tolist() == list(headings)
    assert len(table) == sum(len(names) for names in headings.values()) * PLAYERS
    for row in table.itertuples():
        category = headings[row.order][row.round - 1]
        mine = (rows[category] == evidence.game.categories[category][row.place - 1]) * 1
        assert (row.win_share, row.low, row.high) == brute(rows, rows["win_share"] * mine, mine, PLAYERS, 0, 1)


def test_growth_sources_and_uses(played):
    evidence, rows = played
    found, everybody = tables(evidence), rows["game"] * 0 + 1
    for row in found["growth"].itertuples():
        mine = (rows["seat"] == row.seat) * 1
        assert (row.points, row.low, row.high) == brute(
            rows, rows[f"after.round{row.round}"] * mine, mine, len(found["growth"])
        )
    assert found["sources"]["strategy"].unique().tolist() == ["all", *NAMES]
    for row in found["sources"].itertuples():
        mine = everybody if row.strategy == "all" else (rows["strategy"] == row.strategy) * 1
        assert (row.points, row.low, row.high) == brute(
            rows, rows[f"points.{row.source}"] * mine, mine, len(found["sources"])
        )
    uses = found["uses"]
    for row in uses.iloc[::17].itertuples():
        name = row.prefix if row.name == row.prefix else f"{row.prefix}.{row.name}"
        mine = everybody if row.strategy == "all" else (rows["strategy"] == row.strategy) * 1
        assert (row.mean, row.low, row.high) == brute(rows, rows[name] * mine, mine, len(uses), 0)
        if row.strategy == "all":
            assert row.used == (rows.groupby("game")[name].max() != 0).mean()
        else:
            assert np.isnan(row.used)
    assert set(uses.loc[uses["mean"] == 0, "flag"]) <= {"never"}
    assert set(uses.loc[uses["used"] >= 0.99, "flag"]) <= {"always"}


def test_things(played):
    evidence, rows = played
    table = tables(evidence)["things"]
    (kind,) = evidence.game.things
    categories = evidence.game.things[kind].categories
    labels = evidence.game.categories[categories[0]]
    assert len(table) == len(labels) * ((1 + len(categories)) * (1 + PLAYERS) + len(NAMES))
    whole = table[(table["round"] == "all") & (table["seat"] == "all") & (table["strategy"] == "all")]
    assert whole["chosen"].sum() == pytest.approx(1)
    for row in pd.concat([whole, table.iloc[::7]]).itertuples():
        chosen = categories if row.round == "all" else [categories[int(row.round) - 1]]
        held = sum((rows[name] == row.thing) * 1 for name in chosen)
        mine = rows["game"] * 0 + 1
        if row.seat != "all":
            mine = (rows["seat"] == int(row.seat)) * 1
        if row.strategy != "all":
            mine = (rows["strategy"] == row.strategy) * 1
        family = (
            len(labels)
            * {"seat": PLAYERS, "strategy": len(NAMES), "": 1}[
                "seat" if row.seat != "all" else "strategy" if row.strategy != "all" else ""
            ]
        )
        held = held * mine
        assert (row.chosen, row.chosen_low, row.chosen_high) == brute(rows, held, mine * len(chosen), family, 0, 1)
        assert (row.wins_when_held, row.low, row.high) == brute(rows, rows["win_share"] * held, held, family, 0, 1)
        assert (row.points_when_held, row.points_low, row.points_high) == brute(
            rows, rows["score"] * held, held, family
        )


def forced(pig, scores, shares):
    """The evidence of games of pig whose scores and win shares (sixtieths) are given."""
    outcomes = records(pig.dtypes[3], len(scores))
    outcomes["score"][:, :3], outcomes["share"][:, :3] = scores, shares
    return Evidence(pig, 3, ("hold_at",), Sums.of(pig, outcomes, 3, 1, 0), sequential=False)


def test_forced_ties(pig):
    evidence = forced(
        pig,
        [(50, 50, 10), (50, 10, 50), (50, 50, 50), (50, 50, 10), (9, 50, 50), (1, 2, 3)],
        [(30, 30, 0), (60, 0, 0), (20, 20, 20), (30, 30, 0), (0, 30, 30), (0, 0, 60)],
    )
    table = tables(evidence)["ties"].set_index("seats")
    assert table["tied"].to_dict() == {"1+2": 2, "1+3": 1, "2+3": 1, "1+2+3": 1}
    assert table["shared"].to_dict() == {"1+2": 2, "1+3": 0, "2+3": 1, "1+2+3": 1}  # seats 1 and 3 had a tie-break
    assert table["share"].sum() == pytest.approx(5 / 6)
    seats = tables(evidence)["seats"]
    assert seats["win_share"].tolist() == pytest.approx(
        [(0.5 + 1 + 1 / 3 + 0.5) / 6, (0.5 + 1 / 3 + 0.5 + 0.5) / 6, (1 / 3 + 0.5 + 1) / 6]
    )
    assert seats["place"].tolist() == pytest.approx(
        [(1 + 1 + 1 + 1 + 3 + 3) / 6, (1 + 3 + 1 + 1 + 1 + 2) / 6, (3 + 1 + 1 + 3 + 1 + 1) / 6]
    )


def test_games_that_all_end_in_a_tie_are_balanced_without_pretending_to_know(pig):
    evidence = forced(pig, [(7, 7, 7)] * 900, [(20, 20, 20)] * 900)
    seats = tables(evidence)["seats"]
    assert seats["win_share"].tolist() == pytest.approx([1 / 3] * 3)
    assert np.all((seats["low"] < 1 / 3) & (seats["high"] > 1 / 3))
    assert tables(evidence).rows("ties") == [{"seats": "1+2+3", "tied": 900, "shared": 900, "share": 1.0}]


def test_a_seat_that_never_wins_has_an_interval(pig):
    seats = tables(forced(pig, [(3, 2, 1), (3, 2, 1), (2, 3, 1)] * 300, [(60, 0, 0), (60, 0, 0), (0, 60, 0)] * 300))[
        "seats"
    ]
    assert seats["win_share"][2] == 0
    assert 0 == seats["low"][2] < seats["high"][2] < 0.02


def line(players, *names, **keywords):
    game, printed = registry.load("pig"), components.read("pig")
    return analyse(game, players, line_up("pig", names, players), printed, 1, **keywords)


def test_a_line_stops_when_it_is_decided():
    found, rows = line(4, "hold_at")
    assert rows is None
    assert found.verdict.word == "unbalanced"
    assert found.games < 50_000
    assert found.sequential
    assert found.par == 0.25
    longer, _ = line(4, "hold_at", min_games=50_000)
    assert longer.games > 50_000
    wider, _ = line(4, "hold_at", margin=0.3)
    assert wider.verdict.word == "balanced"
    short, _ = line(2, "hold_at", max_games=300)
    assert (short.games, short.verdict.word) == (300, "undecided")


def test_a_fixed_number_of_games_has_the_narrower_intervals():
    fixed, rows = line(2, "hold_at", games=20_001, keep_rows=True)
    open_, _ = line(2, "hold_at", max_games=20_001, min_games=20_001)
    assert fixed.games == open_.games == 20_002
    assert len(rows) == 2 * 20_002
    widths = [(found.tables["seats"]["high"] - found.tables["seats"]["low"])[0] for found in (fixed, open_)]
    assert widths[0] < 0.8 * widths[1]


def test_whoever_stops_a_run_by_hand_gets_the_wider_intervals():
    def watch(games):
        raise KeyboardInterrupt

    found, _ = line(2, "hold_at", games=1_000_000, watch=watch, jobs=1)
    assert found.interrupted
    assert found.sequential
    assert 0 < found.games < 1_000_000


def test_names_at_one_table_differ():
    assert [
        entrant.name
        for entrant in distinct(line_up("pig", ("hold_at", "hold_at"), 2) + line_up("pig", ("optimal",), 2))
    ] == [
        "hold_at",
        "hold_at #2",
        "optimal",
    ]
    with pytest.raises(StrategyError, match="found 9 strategies; allowed are at most 8"):
        line_up("pig", ["hold_at"] * 9, 2)


def test_who_sits_down_in_a_report():
    def roles(players, *texts):
        return [(role, [entrant.name for entrant in entrants]) for role, entrants in line_ups("pig", players, texts)]

    assert roles(2) == [
        ("default", ["hold_at"]),
        ("strategy", ["optimal"]),
        ("mix", ["hold_at", "optimal"]),
        ("random", ["random_legal"]),
    ]
    assert roles(3) == [("default", ["hold_at"]), ("random", ["random_legal"])]
    assert roles(2, "optimal") == [("asked", ["optimal"])]
    assert roles(2, "optimal", "hold_at") == [
        ("asked", ["optimal", "hold_at"]),
        ("strategy", ["optimal"]),
        ("strategy", ["hold_at"]),
    ]


def test_a_survey():
    plan = ReportPlan(max_games=3000, max_other=1000, min_games=2000, min_other=500)
    lines = asked("pig", (2, 3), plan=plan)
    assert [line.most for line in lines] == [3000, 1000, 1000, 1000, 3000, 1000]
    heard = []
    found = survey(
        request("pig", numbers="all", max_games="200000"), lines, plan=plan,
        watch=lambda line, games: heard.append(games), finished=lambda line, result: heard.append(result.role),
    )  # fmt: skip
    assert [line.role for line in found.lines] == [line.role for line in lines]
    assert found.headline(3).strategies == ("hold_at",)
    assert sum(games for games in heard if isinstance(games, int)) == sum(line.games for line in found.lines)
    assert not found.interrupted
    assert found.commands[0] == "chapterhouse report pig --max-games 200000 --margin 0.1 --seed 1"
    assert (
        found.commands[1]
        == f"chapterhouse seats pig --players 2 --strategy hold_at --games {found.lines[0].games} --margin 0.1 --seed 1"
    )
    assert len(found.commands) == 1 + len(lines)
    assert {"chapterhouse", "python", "numba", "numpy", "pandas"} == set(found.versions)


def test_a_survey_that_is_stopped_keeps_what_was_played():
    lines = asked("pig", (2,))
    calls = []

    def watch(line, games):
        calls.append(games)
        if line.role == "strategy":
            raise KeyboardInterrupt

    found = survey(request("pig"), lines, plan=ReportPlan(games=2000), watch=watch)
    assert [line.role for line in found.lines] == ["default", "strategy"]
    assert found.interrupted
