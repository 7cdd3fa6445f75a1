"""The page: digits, words, escaping, figures, and tables that equal what was found."""

import math
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analyses.findings import Line, Survey
from analyses.played import Played
from analyses.statistics import verdict
from analyses.survey import ReportPlan, asked, survey
from reports import basis, first, page, pills, points, style, words
from reports.parts import Context
from sim.printed.components import Number
from tests.helpers import elsewhere, request

pytestmark = pytest.mark.slow

HOSTILE = "<script>alert('x')</script>"


@pytest.fixture(scope="module")
def pig() -> Survey:
    plan = ReportPlan(games=600)
    return survey(request("pig", numbers="all", games="600"), asked("pig", (2, 3), (), plan), plan=plan)


def seats_table(head: str, names: list[Any], indices: list[float], half: float, players: int) -> pd.DataFrame:
    rows = []
    for name, index in zip(names, indices, strict=True):
        ends = {"win_share": index, "low": index - half, "high": index + half}
        row = {head: name} | {k: v / players for k, v in ends.items()}
        row |= {"index": index, "index_low": index - half, "index_high": index + half}
        rows.append(row | {"mean_score": 90.0, "score_low": 89.6, "score_high": 90.4, "margin": -5.0, "place": 2.0})
    return pd.DataFrame(rows)


def made_up(players: int, strategies: tuple[str, ...], role: str, indices: list[float], half: float) -> Line:
    """Return a line of a game that has every table."""
    seats = seats_table("seat", list(range(1, players + 1)), indices, half, players)
    who = ["all", *strategies] if len(strategies) > 1 else list(strategies)
    things = [
        {
            "kind": "kings",
            "thing": thing,
            "round": r,
            "seat": s,
            "strategy": "all",
            "chosen": c,
            "chosen_low": c - 0.01,
            "chosen_high": c + 0.01,
        }
        | {
            "wins_when_held": w,
            "low": w - 0.01,
            "high": w + 0.01,
            "points_when_held": 91.0,
            "points_low": 90.0,
            "points_high": 92.0,
        }
        for thing, c, w in (("afonso_v", 0.2, 1.2 / players), ("duarte", 0.1, 0.8 / players), (HOSTILE, 0.15, math.nan))
        for r in ("all", "1", "2")
        for s in ("all", *map(str, range(1, players + 1)))
    ]
    ends = {"low": 0.4, "high": 0.6}
    tables = {
        "seats": seats,
        "strategies": seats_table("strategy", list(strategies), [1.3, 0.7][: len(strategies)], half, players),
        "places": pd.DataFrame(
            [
                {
                    "order": "King choice",
                    "round": r,
                    "place": p,
                    "win_share": 1 / players,
                    "low": 0.9 / players,
                    "high": 1.1 / players,
                }
                for r in (1, 2)
                for p in range(1, players + 1)
            ]
        ),
        "ties": pd.DataFrame({"seats": ["1+2"], "tied": [30], "shared": [0], "share": [0.01]}),
        "growth": pd.DataFrame(
            [
                {"seat": s, "round": r, "points": 10.0 * r + s, "low": 10.0 * r, "high": 11.0 * r}
                for s in seats["seat"]
                for r in (1, 2)
            ]
        ),
        "things": pd.DataFrame(things),
        "sources": pd.DataFrame(
            [{"strategy": s, "source": x, "points": 0.5} | ends for s in who for x in ("village", HOSTILE)]
        ),
        "uses": pd.DataFrame(
            [
                {"strategy": s, "heading": "Village tiles", "prefix": "tile", "name": str(n), "mean": 0.5 * (n > 2)}
                | ends
                | {"used": 0.5, "flag": "never" if n <= 2 else ""}
                for s in who
                for n in range(1, 5)
            ]
        ),
    }
    found = verdict(seats["index"], seats["index_low"], seats["index_high"], 0.1, 750)
    played = Played(elsewhere(), players, strategies, 7, 0.1, 3000, 750, 300_000, sequential=True)
    return Line(played, role, found, tables)


@pytest.fixture(scope="module")
def rich() -> Survey:
    numbers = {
        "kings.duarte.vp": Number(3, "assumed", 1, 5, HOSTILE),
        "tiles.1.cost": Number(2, "assumed", 1, 4, ""),
        "dice": Number(6, "rulebook"),
    }
    components = elsewhere(numbers=numbers, rules={"reshuffle": False})
    lines = [
        made_up(2, ("greedy",), "default", [1.02, 0.98], 0.03),
        made_up(2, ("greedy", HOSTILE), "mix", [1.05, 0.95], 0.1),
        made_up(4, ("greedy",), "default", [1.31, 1.0, 0.9, 0.79], 0.02),
        made_up(4, ("greedy", HOSTILE), "mix", [1.09, 1.0, 1.0, 0.91], 0.05),
    ]
    played = replace(lines[0].played, components=components)
    return Survey(played, lines, (f"chapterhouse report --strategy '{HOSTILE}'",), {"python": "3.11"})


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("half", "places"),
    [(0.5, 1), (0.18, 1), (1.5, 0), (12, 0), (0.099, 2), (0.1, 1), (0.004, 2), (0, 2), (math.inf, 0), (math.nan, 0)],
)
def test_the_last_digit_is_of_the_size_of_the_interval(half: float, places: int) -> None:
    assert words.decimals(half) == places


def test_a_share_is_written_with_the_digits_that_its_interval_allows() -> None:
    said = "Seat 1 wins 27.1 % of four-player games (between 26.6 and 27.6; 25 % would be fair)"
    assert words.seat_wins(1, 0.2711, 0.2660, 0.2762, 4) == said
    assert words.percent(0.2711, 0.25, 0.29) == "27 %"
    assert words.percent(1.0, 0.99, 1.0) == "100 %"
    assert words.times(1.3104, 1.29, 1.33) == "1.31 times its fair share (1.29 to 1.33)"


def test_numbers_in_sentences() -> None:
    assert words.fixed(-0.04, 1) == "0.0"
    assert words.fixed(-1234.5, 1) == "−1,234.5"
    assert words.fixed(math.nan, 1) == "–"
    assert words.rough(1234) == "1,200"
    assert words.par(3) == "33.3 %"
    assert words.listed(["a", "b", "c"]) == "a, b and c"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("balanced", "Every seat wins 22.5 to 27.5 %"),
        ("unbalanced", "1.31 times its fair share"),
        ("undecided", "About 4,100 more games"),
    ],
)
def test_each_verdict_names_its_size(word: str, said: str) -> None:
    text = words.verdict_size(word, 1, (1.31, 1.29, 1.33), 4, 0.1, 4123.0)
    assert said in text
    assert "22.5 to 27.5 %" in text


def test_runs_of_numbers_are_drawn_together() -> None:
    assert points._runs(["B1", "B2", "B3", "A7", "window", "4.1", "4.2"]) == ["B1 to B3", "A7", "window", "4.1 to 4.2"]


def test_numbers_are_grouped_by_what_they_belong_to() -> None:
    paths = ["kings.a.vp", "kings.b.vp", "kings.c.vp", "tiles.1.cost", "tiles.2.cost", "tracks.food.last"]
    assert set(basis.groups(paths).values()) == {"kings.*.vp", "tiles.*.cost", "tracks.food.last"}


def test_names_of_code_become_words() -> None:
    labels = style.Labels({"joao_i": "João I"})
    assert labels("joao_i") == "João I"
    assert labels("village_tile.3") == "Village tile 3"
    assert labels.short("completed.b12") == "B12"
    assert labels.short("village_space.1.5") == "1.5"


def answered(*lines: Line, **more: Any) -> str:
    """What the first screen says of these lines."""
    return first.answer(Context.of("moesteiro", survey=Survey(lines[0].played, list(lines), (), {}, **more)))


def test_the_answer_says_who_is_out_and_depends_on_numbers_that_others_deny(monkeypatch: pytest.MonkeyPatch) -> None:
    fair = made_up(4, ("greedy",), "default", [1.01, 1.0, 1.0, 0.99], 0.02)
    out = made_up(4, ("greedy",), "default", [1.2, 1.2, 1.0, 0.6], 0.02)
    said = "With four players, seats 1 and 2 are too strong and seat 4 is too weak: seat 4 wins 15 of 100 games"
    assert answered(fair) == "No. With four players, all seats are fair."
    assert answered(out) == f"Yes. {said} where 25 would be fair."
    assert pills.which(out) == "seats 1 and 2 too strong, seat 4 too weak"
    assert pills.stated(fair) == ""
    monkeypatch.setattr(first, "denied", lambda *asked, **named: True)
    assert answered(fair, robustness=object()) == "Not with these numbers. With four players, all seats are fair."
    assert answered(out, robustness=object()).startswith("Yes, with these numbers. With four players, seats 1 and 2")


def test_the_first_screen_says_how_strong_the_players_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first.catalog, "tests", lambda game, name: {4: ("plan", 0.504)} if name == "strong" else {})
    for strategy, players, said in (("strong", 4, True), ("strong", 2, False), ("weak", 4, False)):
        line = made_up(players, (strategy,), "default", [1.0] * players, 0.02)
        limits = first.first(Context.of("moesteiro", survey=Survey(line.played, [line], (), {}))).limits
        told = "When strong was made, it won 50 of 100 games of four against plan in all other seats"
        assert (told in limits) == said


@pytest.mark.parametrize(
    ("before", "after", "said"), [("fair", "fair", "fair"), ("not fair", "fair", "not fair → fair")]
)
def test_two_verdicts_that_are_one_are_said_once(before: str, after: str, said: str) -> None:
    assert pills.turn(before, after) == said


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_every_colour_can_be_told_from_what_is_behind_it(dark: bool) -> None:
    colours = {token: pair[dark] for token, pair in style.TOKENS.items()}
    for token, colour in colours.items():
        written = token in ("ink", "soft", "accent") or token.startswith("place-")
        if written or token.partition("-")[0] in style.PALETTES:
            assert contrast(colour, colours["paper"]) >= (4.5 if written else 3), token
        if token.startswith(("seat-", "place-")):  # numbers and letters stand on these
            assert contrast(colour, colours["lettering"]) >= 4.5, token


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["pig", "rich"])
def html(request: pytest.FixtureRequest) -> str:
    return page.render(request.getfixturevalue(request.param))


def test_the_same_findings_give_the_same_bytes(pig: Survey, rich: Survey, tmp_path: Path) -> None:
    for name, found in (("pig", pig), ("rich", rich)):
        first, second = (page.write(found, tmp_path / f"{name}{i}") for i in (1, 2))
        for file in sorted(first.parent.rglob("*.*")):
            assert file.read_bytes() == (second.parent / file.relative_to(first.parent)).read_bytes(), file.name


def test_the_page_is_self_contained(html: str) -> None:
    bare = re.sub(r'xmlns(:xlink)?="[^"]*"', "", html)
    assert "http" not in bare
    assert "//" not in bare.replace("data:,", "")
    assert html.lower().count("<script") == html.count((page.HERE / "tables.js").read_text("utf-8")) == 1
    assert not re.search(r"\s(src|on\w+)=", html)


def test_what_a_file_contains_is_escaped(rich: Survey) -> None:
    html = page.render(rich)
    assert HOSTILE not in html
    assert "<elsewhere>" not in html
    assert "&lt;script&gt;" in html


def test_what_is_not_known_is_no_word_of_the_code(html: str) -> None:
    assert not re.search(r">(None|nan|NaN|NA|&lt;NA&gt;)<", html)


def test_ids_are_unique_and_every_reference_leads_somewhere(html: str) -> None:
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', html)) <= set(ids)


def test_every_figure_says_its_finding_without_being_seen(html: str) -> None:
    figures = re.findall(r"<svg [^>]*>", html)
    assert figures
    for figure in figures:
        assert 'role="img"' in figure
        label = re.search(r'aria-label="([^"]+)"', figure)
        assert label
        assert re.search(r"\d", unescape(label[1]))
    assert html.count("<figcaption>") == html.count("<figure>")


def test_every_colour_is_one_that_the_page_defines(html: str) -> None:
    assert set(re.findall(r"var\(--([\w-]+)\)", html)) <= set(style.TOKENS) | {"sans", "gap", "heat"}
    for figure in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
        assert not re.search(r"#[0-9a-f]{6}\b", figure)


def test_a_stand_in_game_says_so_first_and_a_known_one_does_not(pig: Survey, rich: Survey) -> None:
    text = page.render(rich)
    assert text.index("stand-in game: 2 of 3 numbers are placeholders") < text.index("<h1>")
    assert "stand-in game" not in page.render(pig)


def test_the_page_answers_in_order(rich: Survey) -> None:
    text = page.render(rich)
    order = [
        "class=headline",
        "What to change",
        "How sure:",
        "What it rests on:",
        "Is every seat fair?",
        'id="seats"',
        'id="kings"',
        'id="sources"',
        'id="uses"',
    ]
    order += ['id="assumed"', 'id="method"', 'id="again"']
    places = [text.index(mark.replace("class=headline", 'class="headline"')) for mark in order]
    assert places == sorted(places)
    assert (
        "Yes, with four players. With four players, seat 1 is too strong and seat 4 is too weak: seat 1 wins 33 of"
        in text
    )
    assert "Strong players choose good Kings" in text
    assert "p-value" not in text


def test_the_tables_on_disk_are_the_findings(pig: Survey, rich: Survey, tmp_path: Path) -> None:
    for found in (pig, rich):
        folder = page.write(found, tmp_path / found.game).parent / "tables"
        for name in found.lines[0].tables:
            stored = pd.read_parquet(folder / f"{name}.parquet")
            written = pd.read_csv(folder / f"{name}.csv", dtype={"seats": str})
            assert list(stored.columns) == list(written.columns)
            for number, line in enumerate(found.lines, 1):
                part = stored[stored["line"] == number].reset_index(drop=True)
                assert len(part) == len(line.tables[name]) == (written["line"] == number).sum()
                if len(part):
                    shown = part[list(line.tables[name].columns)]
                    pd.testing.assert_frame_equal(shown, line.tables[name].reset_index(drop=True), check_dtype=False)
        lines = pd.read_csv(folder / "lines.csv")
        assert list(lines["verdict"]) == [line.verdict.word for line in found.lines]
        assert len(pd.read_csv(folder / "numbers.csv")) == len(found.components.numbers)


def test_decimals_stand_under_one_another(pig: Survey) -> None:
    from reports.tables import Column, table

    frame = pd.DataFrame({"v": [1.234, 22.2, 3.0], "low": [1.2, 20.0, 2.96], "high": [1.27, 24.0, 3.04]})
    cells = [row[0] for row in table(frame, [Column("v", "v", "low", "high")], "").rows]
    assert [(c.text, c.lacks) for c in cells] == [("1.23", 0), ("22", 2), ("3.00", 0)]


def test_a_brief_is_the_beginning_of_the_page(rich: Survey) -> None:
    whole, brief = (page.html(part) for part in (page.part(rich), page.brief(page.part(rich))))
    begun, answers = (re.sub(r"<a href[^>]*>|</a>", "", text.partition("</h1>")[2]).split() for text in (whole, brief))
    assert answers == [*begun[: begun.index("<nav")], *begun[begun.index("<footer>") :]]
    assert not re.search("<section id=|<a href=", brief)


def test_a_survey_without_a_line_is_refused(rich: Survey) -> None:
    empty = Survey(rich.played, [], (), {})
    with pytest.raises(ValueError, match="nothing was played"):
        page.render(empty)
