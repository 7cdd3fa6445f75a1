"""Levels of play: what is played for them, and what the page says where they differ, agree or are undecided."""

import math
import re
from dataclasses import replace
from html import unescape

import pandas as pd
import pytest

import strategies.pig
from analyses.findings import Line, Survey
from analyses.survey import ReportPlan, asked, line_ups, survey
from reports import levels, page
from sim import registry
from strategies import catalog
from tests.helpers import elsewhere, request
from tests.test_reports import HOSTILE, made_up

pytestmark = pytest.mark.slow

AHEAD = "rollout:hold_at@4"
PLAN = ReportPlan(max_games=2000, max_other=1000, min_games=1000, min_other=500, slow_blocks=32)


@pytest.fixture
def ahead(monkeypatch):
    """Pig with a level that looks ahead."""
    monkeypatch.setattr(strategies.pig, "LEVELS", ("hold_at", "optimal", AHEAD))


@pytest.mark.parametrize("game", registry.names())
def test_levels_can_be_played_and_go_from_weak_to_strong_without_a_twin(game: str) -> None:
    named = catalog.levels(game)
    assert len(set(named)) == len(named) != 1
    for players in registry.card(game)[1]:
        entrants = [entrant for role, (entrant, *others) in line_ups(game, players) if not others]
        assert len({entrant.name for entrant in entrants}) == len(entrants)
    for text in named:
        assert catalog.entrant(game, text, min(registry.card(game)[1])).name == text


def test_a_level_is_played_once_and_the_slow_ones_last(ahead) -> None:
    lines = asked("pig", (2, 3), plan=PLAN)
    alone = [(line.players, line.entrants[0].name) for line in lines if len(line.entrants) == 1]
    assert len(set(alone)) == len(alone)
    assert [(line.players, line.entrants[0].name) for line in lines if line.role == "level"] == [(2, AHEAD), (3, AHEAD)]
    assert [line.slow for line in lines] == [False] * (len(lines) - 2) + [True] * 2
    assert all(len(line.entrants) == 1 or AHEAD not in [entrant.name for entrant in line.entrants] for line in lines)
    assert {line.role for line in asked("pig", (2,), ("optimal", "hold_at"), PLAN)} == {"asked", "strategy"}


def test_slow_levels_play_a_fixed_few_blocks(ahead) -> None:
    def most(plan):
        return [line.most for line in asked("pig", (2, 3), plan=plan) if line.slow]

    assert most(PLAN) == [64, 96]
    assert most(ReportPlan(games=100_000)) == most(ReportPlan()) != most(PLAN)
    assert most(ReportPlan(games=12)) == [12, 12]
    assert most(ReportPlan(max_games=12)) == [12, 12]


def test_a_level_that_does_not_look_ahead_plays_as_any_other_line(monkeypatch) -> None:
    monkeypatch.setattr(strategies.pig, "LEVELS", ("hold_at", "hold_at,hold=25"))
    (line,) = [line for line in asked("pig", (3,), plan=PLAN) if line.role == "level"]
    assert (line.slow, line.most) == (False, PLAN.max_other)


@pytest.fixture
def found(ahead) -> Survey:
    return survey(request("pig", numbers="all"), asked("pig", (2, 3), plan=PLAN), plan=PLAN)


def test_a_survey_has_its_levels(found: Survey) -> None:
    assert found.levels == ("hold_at", "optimal", AHEAD)
    assert [line.strategies[0] for line in found.at_levels(2)] == ["hold_at", "optimal", AHEAD]
    assert [line.strategies[0] for line in found.at_levels(3)] == ["hold_at", AHEAD]
    slow = found.at_levels(3)[-1]
    assert (slow.role, slow.games, slow.sequential) == ("level", 96, False)
    assert f"chapterhouse seats pig --players 3 --strategy {AHEAD} --games 96 --margin 0.1 --seed 1" in found.commands
    assert [found.level(line) for line in found.lines if line.players == 2] == [1, 2, None, None, 3]
    again = survey(request("pig", numbers="all", jobs="1"), asked("pig", (2, 3), plan=PLAN), plan=PLAN)
    for ours, theirs in zip(found.lines, again.lines, strict=True):
        for name in ours.tables:
            pd.testing.assert_frame_equal(ours.tables[name], theirs.tables[name])


def test_strategies_that_were_asked_for_are_no_levels() -> None:
    lines = asked("pig", (2,), ("hold_at", "optimal"), PLAN)
    assert survey(request("pig"), lines, plan=PLAN).levels == ()


def test_a_survey_stopped_before_the_slow_levels_shows_the_others(ahead) -> None:
    lines = asked("pig", (2,), plan=PLAN)

    def watch(line, games):
        if line.slow:
            raise KeyboardInterrupt

    half = survey(request("pig"), lines, plan=PLAN, watch=watch)
    assert half.interrupted
    assert half.levels == ("hold_at", "optimal", AHEAD)  # the batch that was played is there
    assert "stopped this run by hand" in page.render(half)
    early = survey(request("pig"), [line for line in lines if not line.slow], plan=PLAN)
    assert early.levels == ("hold_at", "optimal")
    assert "at two levels of play" in page.render(early)


def test_the_page_of_a_game_shows_its_levels(found: Survey, tmp_path) -> None:
    path = page.write(found, tmp_path)
    text = spoken(path.read_text("utf-8"))
    assert "at three levels of play" in text
    assert "Does it depend on how well people play?" in text
    assert f"Before each decision hold_at looking ahead ({AHEAD}) tries its options out" in text
    assert "(64 with two and 96 with three players)" in text
    lines = pd.read_csv(tmp_path / "tables" / "lines.csv")
    rows = lines[lines["level"].notna() & (lines["players"] == 2)]
    assert dict(zip(rows["level"].astype(int), rows["cast"], strict=True)) == {1: "hold_at", 2: "optimal", 3: AHEAD}
    assert set(pd.read_csv(tmp_path / "tables" / "uses.csv")["cast"]) >= {AHEAD}


# --- planted findings -------------------------------------------------------------------------------------------------


def spoken(html: str) -> str:
    """Return what a reader sees."""
    return re.sub(
        r"\s+",
        " ",
        unescape(re.sub(r"<(style|svg).*?</\1>|<[^>]+>", " ", html, flags=re.DOTALL)).replace("\u00a0", " "),
    )


def level(name: str, indices: list[float], half: float, role: str = "strategy", used: float = 0.5) -> Line:
    line = made_up(len(indices), (name,), role, indices, half)
    uses = line.tables["uses"]
    line.tables["uses"] = uses.assign(mean=used, low=used - 0.01, high=used + 0.01, flag="")
    return line


def planted(*lines: Line) -> Survey:
    names = tuple(dict.fromkeys(line.strategies[0] for line in lines))
    return Survey(replace(lines[0].played, components=elsewhere(0, 0)), list(lines), (), {}, levels=names)


def of_levels(*lines: Line) -> str:
    """What the section on levels says."""
    found = re.search(r'<section id="levels">(.*?)</section>', page.render(planted(*lines)), re.DOTALL)
    assert found
    return spoken(found[1]).strip()


def test_where_levels_differ_the_first_sentences_say_so() -> None:
    lines = [
        level("greedy", [1.02, 0.98], 0.03, "default"),
        level("expert", [1.31, 0.69], 0.03),
        level("rollout:expert@20", [1.1, 0.9], 0.1, "level"),
    ]
    assert of_levels(*lines).startswith("Whether the seats are fair depends on how well people play; seat 1 with two")
    text = spoken(page.render(planted(*lines)))
    assert (
        "Seat 1 wins 51 % among greedy players (fair), 66 % among expert players (seat 1 too strong, seat 2 too weak), "
        "55 % (between 50 and 60) among expert players who look ahead (not sure)."
    ) in text
    assert "Does it depend on how well people play? yes two players" in text
    assert "by 11.5 percentage points or more" in text  # from 51 + 1.5 to 65.5 - 1.5


def test_the_largest_difference_is_told_whatever_the_order_of_play() -> None:
    two = [level("greedy", [1.0, 1.0], 0.03, "default"), level("expert", [1.02, 0.98], 0.03)]
    four = [level("greedy", [1.31, 1, 0.9, 0.79], 0.02, "default"), level("expert", [1.28, 1.2, 0.9, 0.62], 0.02)]
    said = of_levels(*two, *four)
    assert said.startswith(
        "The seats come out the same at every level of play, though shares of wins move; seat 2 with"
    )
    assert "Four players: seat 2 wins 25.0 % among greedy players" in said
    assert "30.0 % among expert players" in said
    assert levels.apart(four) == (2, pytest.approx(0.16))
    assert levels.apart(four[::-1]) == levels.apart(four)


def test_levels_that_favour_other_seats_do_not_agree() -> None:
    lines = [level("greedy", [1.2, 1, 1, 0.8], 0.02, "default"), level("expert", [0.95, 1.25, 1.05, 0.75], 0.02)]
    assert levels.word(lines) == "the same"  # seat 4 wins too little in both
    lines = [level("greedy", [1.2, 1, 0.9, 0.9], 0.02, "default"), level("expert", [0.93, 1.05, 1.25, 0.77], 0.02)]
    assert levels.word(lines) == "differs"
    said = of_levels(*lines)
    assert said.startswith("Which seats are too weak or too strong depends on how well people play")
    lines = [level("greedy", [1.25, 1, 0.9, 0.85], 0.02, "default"), level("expert", [0.9, 1.0, 1.2, 0.9], 0.02)]
    assert levels.word(lines) == "differs"
    told = "seat 1 wins 31.2 % among greedy players (seat 1 too strong, seat 4 too weak), 22.5 % among expert players"
    assert f"{told} (seat 3 too strong)." in of_levels(*lines)


def test_levels_that_agree() -> None:
    lines = [level("greedy", [1.02, 0.98], 0.03, "default"), level("expert", [1.03, 0.97], 0.03)]
    assert of_levels(*lines).startswith("The seats come out the same at every level of play")
    text = spoken(page.render(planted(*lines)))
    assert "Does it depend on how well people play? no two players" in text
    assert "No seat's share moves between levels by more than chance." in text
    assert "uses per player and game, two players" not in text.lower()
    assert "No level uses anything 0.05 times or more a game more often than another level." in text


def test_levels_of_which_one_is_undecided_are_undecided() -> None:
    lines = [level("greedy", [1.3, 0.7], 0.03, "default"), level("rollout:greedy@9", [1.1, 0.9], 0.3, "level")]
    assert levels.word(lines) == "undecided"
    assert of_levels(*lines).startswith("These games don't show that it matters how well people play")
    moved = [level("greedy", [1.5, 0.5], 0.03, "default"), level("rollout:greedy@9", [1.1, 0.9], 0.3, "level")]
    said = "How well people play moves shares of wins, but nobody becomes fair or unfair for certain"
    assert of_levels(*moved).startswith(said)


def test_one_level_is_none() -> None:
    assert "level of play" not in page.render(planted(level("greedy", [1.3, 0.7], 0.03, "default")))


def test_what_is_used_more_at_one_level() -> None:
    lines = [level("greedy", [1.0, 1.0], 0.03, "default", 0.2), level("expert", [1.0, 1.0], 0.03, used=0.9)]
    text = spoken(page.render(planted(*lines)))
    assert "differs most: 0.20 among greedy players and 0.90 among expert players, per player and game." in text
    assert "Uses per player and game, two players: where levels of play differ most" in text
    assert "Kings by level of play, two players" in text
    close = [level("greedy", [1.0, 1.0], 0.03, "default", 0.5), level("expert", [1.0, 1.0], 0.03, used=0.56)]
    assert "where levels of play differ most" not in spoken(page.render(planted(*close)))


def test_a_level_whose_share_is_not_known_yet() -> None:
    early = level("rollout:greedy@9", [1.1, 0.9], 0.3, "level")
    early.tables["seats"] = early.tables["seats"].assign(low=0.0, high=1.0, index_low=0.0, index_high=2.0)
    lines = [level("greedy", [1.3, 0.7], 0.03, "default"), early]
    assert levels.apart(lines) == (1, 0.0)
    assert "nan" not in of_levels(*lines)


def test_names_of_levels_are_escaped() -> None:
    hostile = level(f"rollout:{HOSTILE}@9", [1.1, 0.9], 0.3, "level")
    html = page.render(planted(level("greedy", [1.3, 0.7], 0.03, "default"), hostile))
    assert HOSTILE not in html
    assert "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; players who look ahead" in html
    assert math.isfinite(hostile.verdict.index)


def test_the_command_names_the_levels(answer, tmp_path) -> None:
    words = ["report", "pig", "--players", 2, "--games", 200, "--out", tmp_path]
    assert answer(*words)["levels"] == ["hold_at", "optimal"]
    assert answer(*words, "--strategy", "optimal")["levels"] == []
