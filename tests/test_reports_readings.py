"""The page's section on readings: in its place, in words that the numbers allow, and the same in the tables beside
it."""

import re
from dataclasses import replace
from html import unescape

import numpy as np
import pandas as pd
import pytest

from analyses.findings import Survey
from analyses.played import Played
from analyses.readings import IN_REPORT, ReadingEffect, Readings
from analyses.statistics import verdict
from analyses.survey import ReportPlan, asked, survey
from reports import effects, page
from sim.printed.components import read
from sim.printed.rulings import Ruling
from tests.helpers import request

pytestmark = pytest.mark.slow

PLAN = ReportPlan(games=600)
ASKED = request("moesteiro", numbers="all", players=["2", "3"], strategy=["random_legal"], games="600", jobs="2")
LINES = asked("moesteiro", ASKED.players, ASKED.strategies, PLAN)


@pytest.fixture(scope="module")
def found() -> Survey:
    """A survey with readings, as `report` makes it."""
    heard: list[int] = []
    made = IN_REPORT.add(survey(ASKED, LINES, plan=PLAN), ASKED, LINES, heard.append)
    assert sum(heard) == IN_REPORT.total(ASKED, LINES) == sum(r.all_games for r in made.readings) == 600 * 12 * 2
    return made


def section(html: str) -> str:
    """Return the section, as text."""
    part = html[html.index('id="readings"') :]
    part = re.sub(r"<svg.*?</svg>", "", part[: part.index("</section>")], flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", part)).split())


def test_every_reading_stands_on_the_page(found: Survey) -> None:
    from sim.printed.rulings import read as rulings

    text = section(page.render(found))
    for ruling in rulings("moesteiro"):
        if not ruling.setup:
            assert ruling.place in text
            assert ruling.question in text
            assert ruling.reading in text
        for value in ruling.alternatives:
            assert f"rules.{ruling.switch}={value}" in text
    assert "Players choose the construction set; it is no reading." in text
    assert "Of eleven other readings, tried with two and three players," in text
    assert (
        "with the same dice and draws as ours: 600 games for each number of players, random_legal in every seat" in text
    )
    assert "type what stands under “switch” after --set, and" in text
    assert "p-value" not in text


def test_it_comes_after_what_was_assumed(found: Survey) -> None:
    html = page.render(found)
    places = [html.index(f'id="{name}"') for name in ("seats", "assumed", "readings", "method", "again")]
    assert places == sorted(places)
    assert '<a href="#readings">How we read your rulebook</a>' in html
    games = sum(line.games for line in found.lines) + sum(r.all_games for r in found.readings)
    assert f"from {games:,} games played for this page" in html
    assert "chapterhouse rules moesteiro --players 2 --strategy random_legal --games 600 --margin 0.1 --seed 1" in html


def test_the_tables_beside_the_page_are_the_findings(found: Survey, tmp_path) -> None:
    folder = page.write(found, tmp_path).parent / "tables"
    for name in ("rulings", "readings", "readings_seats"):
        stored, written = pd.read_parquet(folder / f"{name}.parquet"), pd.read_csv(folder / f"{name}.csv")
        assert list(stored.columns) == list(written.columns)
        assert len(stored) == len(written)
        assert f"tables/{name}.csv" in (tmp_path / "report.html").read_text("utf-8")
    rows, seats = pd.read_parquet(folder / "readings.parquet"), pd.read_parquet(folder / "readings_seats.parquet")
    for readings in found.readings:
        for effect in readings.effects:
            (row,) = rows[(rows["players"] == readings.players) & (rows["switch"] == effect.ruling.switch)].itertuples()
            assert (row.verdict_before, row.verdict_after) == (readings.verdict.word, effect.verdict.word)
            assert row.change == effect.most["change"]
            mine = seats[(seats["players"] == readings.players) & (seats["switch"] == effect.ruling.switch)]
            assert np.array_equal(mine["change"], effect.seats["change"])


def test_the_same_findings_give_the_same_bytes(found: Survey, tmp_path) -> None:
    first, second = (page.write(found, tmp_path / name) for name in ("a", "b"))
    for file in sorted(first.parent.rglob("*.*")):
        assert file.read_bytes() == (second.parent / file.relative_to(first.parent)).read_bytes(), file.name


def test_a_game_without_rulings_has_no_section(tmp_path) -> None:
    lines = asked("pig", (2,), (), PLAN)
    wanted = request("pig", games="600")
    pig = survey(wanted, lines, plan=PLAN)
    assert IN_REPORT.total(wanted, lines) == 0
    assert IN_REPORT.add(pig, wanted, lines, lambda games: None) is pig
    html = page.write(pig, tmp_path).read_text("utf-8")
    assert "readings" not in html
    assert not (tmp_path / "tables" / "rulings.csv").exists()


def test_a_survey_that_was_stopped_lists_the_readings_without_effects(found: Survey) -> None:
    text = section(page.render(found.with_findings([1], [], [], readings=())))
    assert "The run stopped before it could measure what that would change." in text
    assert "Not measured." in text
    assert "Are the Kings chosen before or after" in text
    assert "comparisons" not in text


def test_ctrl_c_while_readings_are_measured_keeps_the_page(found: Survey) -> None:
    def watch(games: int) -> None:
        raise KeyboardInterrupt

    stopped = IN_REPORT.add(replace(found, readings=()), replace(ASKED, jobs=1), LINES, watch)
    assert stopped.interrupted
    assert len(stopped.readings) == 1
    assert "Of eleven other readings, tried with two players," in section(page.render(stopped))


# --- words ------------------------------------------------------------------------------------------------------------


def made_up(before: float, *after: float, half: float = 0.02, change: float = 0.01, altered: float = 1.0) -> Readings:
    """Readings for two players: win indices of seat 1 before, and after each of some changes; intervals of these
    widths."""

    def judged(index: float):
        return verdict(
            [index, 2 - index], [index - half, 2 - index - half], [index + half, 2 - index + half], 0.1, 1000
        )

    found = []
    for at, index in enumerate(after):
        d = (index - before) / 2
        shares = {"win_share_before": [before / 2, 1 - before / 2], "win_share_after": [index / 2, 1 - index / 2]}
        ends = {
            "change": [d, -d],
            "low": [d - change, -d - change],
            "high": [d + change, -d + change],
            "games_saved": [2.0, 2.0],
        }
        ruling = Ruling(at, "Setup", "Which?", "This.", f"switch{at}", f"topic {at}", "a", {"b": "That."})
        first, second = judged(before), judged(index)
        word = (
            "undecided"
            if "undecided" in (first.word, second.word)
            else "same"
            if first.word == second.word
            else "changes"
        )
        seats = pd.DataFrame({"seat": [1, 2], **shares, **ends})
        found.append(ReadingEffect(ruling, "b", second, word, seats, 90.0, 91.0, (1.0, 0.96, 1.04), altered))
    return Readings(Played(read("pig"), 2, ("one",), 1, 0.1, games=2000, blocks=1000), judged(before), tuple(found))


def test_one_effect_in_words() -> None:
    readings = made_up(1.0, 1.012, 1.3, 1.1)
    assert effects.moved(readings.effects[0]) == "seat 1: 50 % → 51 %, change +1 (0 to 2)"
    assert (
        effects.moved(made_up(1.0, 1.012, change=0.005).effects[0])
        == "seat 1: 50.0 % → 50.6 %, change +0.6 (0.1 to 1.1)"
    )
    assert (
        effects.moved(made_up(1.0, 0.988, change=0.005).effects[0])
        == "seat 1: 50.0 % → 49.4 %, change −0.6 (−1.1 to −0.1)"
    )
    assert effects.moved(made_up(1.0, 1.0, altered=0).effects[0]) == "not one game ended differently"
    assert effects.points(readings.effects[0]) == "90.00 → 91.00 points a player, change +1.00 (0.96 to 1.04)"
    assert [effects.turned(readings, effect) for effect in readings.effects] == [
        "verdict the same (fair)",
        "verdict changes: fair → not fair",
        "we can't tell whether the verdict changes (fair → not sure)",
    ]
    turned = made_up(1.3, 0.7)
    # both are equally far out: the first is named
    assert effects.turned(turned, turned.effects[0]) == "verdict the same (not fair)"
    four = replace(turned.effects[0], verdict=replace(turned.effects[0].verdict, seat=2, index=1.2))
    assert effects.turned(turned, four) == (
        "verdict the same (not fair), but the furthest from fair is seat 2, 1.20 times its fair share, where it was "
        "seat 1, 1.30 times its fair share"
    )


def test_all_effects_in_sentences() -> None:
    calm = " ".join(effects.summary([made_up(1.0, 1.01, 0.99)]))
    assert calm.startswith(
        "Of two other readings, tried with two players, none changes a verdict. No seat's share of wins changes by more"
    )
    text = " ".join(effects.summary([made_up(1.0, 1.01, 1.3, 1.1)]))
    assert "one changes a verdict: “topic 1” with two players (fair → not fair)." in text
    assert "For one of three comparisons it takes more games to say: “topic 2” with two." in text
    assert (
        "For a seat, “topic 1” matters most: read the other way, with two players seat 1 wins 65 % of the games "
        "instead of 50 %" in text
    )
    text = " ".join(effects.summary([made_up(1.0, 1.0, altered=0)]))
    assert (
        "Read the other way, “topic 0” made no difference to any game: the way these players play, it never matters."
        in text
    )
    assert effects.summary([]) == []
