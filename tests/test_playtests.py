"""`chapterhouse playtests`: logs from the simulation are in line, and planted differences are found."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from analyses.playtests.drawn import ThingsYardstick, counts, reach
from analyses.playtests.log import Log, noted
from analyses.playtests.playtests import (
    DIFFERS,
    IN_LINE,
    MOST_GAMES,
    compare,
    enough,
    fewest,
    needed,
    shares_between,
    simulate,
    visible,
)
from analyses.playtests.reader import template
from sim import registry
from tests.helpers import request
from tests.playtest_logs import NO_SCORES, part, written

GREEDY = ["--strategy", "greedy", "--games", "4000"]


@pytest.fixture(scope="module")
def simulated(study):
    """Simulated games of the main game with four players and of pig with three, and others of another seed: name → two
    logs."""
    made = {}
    for game, players, name in (("moesteiro", 4, "greedy"), ("pig", 3, "hold_at")):
        made[game] = [simulate(study(game, players, name, seed=seed), 6_000, jobs=1)[0] for seed in (1, 2)]
    return made


def played(game, players=4, **given):
    """The record of simulated games."""
    return request(game, **given).played(players, ())


# --- what is beyond chance --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "games"), [("moesteiro", 6), ("moesteiro", 30), ("pig", 6), ("pig", 60)])
def test_logs_from_the_simulation_are_in_line(simulated, game, games):
    """At most one log in twenty may be said to differ anywhere; what 100 logs may show then by chance is known."""
    first, other = simulated[game]
    rng, logs, alarms = np.random.default_rng(games), 100, 0
    for number in range(logs):
        log = part(other, rng.integers(other.games, size=games))
        if number % 2:  # half of what was held was not written down
            log = Log(
                log.players,
                log.share,
                log.score,
                {kind: np.where(rng.random() < 0.5, held, held * 0 - 1) for kind, held in log.held.items()},
            )
            for held in log.held.values():
                held[: games // 2, ::2] = -1
        alarms += (
            compare(played(game, log.players, seed=str(number)), log, first, 0.05 / log.questions, draws=1_000).word
            == DIFFERS
        )
    assert alarms <= binom.ppf(0.999, logs, 0.05)


@pytest.mark.slow
def test_a_planted_seat_is_found(simulated, command, tmp_path):
    """Seat 1 wins 60 % of 60 games: that differs, in that seat and in its wins, and the Kings are as simulated."""
    game, log = registry.load("moesteiro"), part(simulated["moesteiro"][1], slice(0, 240, 4))
    winners = [0 if g % 5 < 3 else 1 + g % 3 for g in range(60)]
    score = np.full_like(log.score, 0)
    # all alike, so that anybody may have won the tie
    score[:] = log.score[:, :1].clip(None, log.score.min(axis=1, keepdims=True))
    path = tmp_path / "log.csv"
    path.write_text(written(game, Log(4, log.share, score, log.held), winners=winners), encoding="utf-8")
    status, out, err = command("playtests", "moesteiro", path, *GREEDY, "--json")
    assert status == 0, err
    (found,) = json.loads(out)["by_players"]
    seat = found["seats"][0]
    assert (found["real_games"], found["words"]["wins"], found["words"]["kings taken"]) == (60, DIFFERS, IN_LINE)
    assert (seat["seat"], seat["wins"], seat["share"], seat["differs"], seat["more_games"]) == (1, 36, 0.6, True, 0)
    assert seat["simulated"] < seat["low"] < 0.6 < seat["high"]
    status, out, _ = command("playtests", "moesteiro", path, *GREEDY)
    assert "Differs. Seat 1 wins 60 % of the 60 four-player games (between " in out
    assert "wins (seat 1" in out


@pytest.mark.slow
def test_a_planted_thing_is_found(simulated):
    """A King whom nobody takes in the simulation is taken by the winner in round 1, and everything else is as
    simulated."""
    first, other = simulated["moesteiro"]
    log = part(other, slice(0, 120, 4))
    labels = registry.load("moesteiro").categories["king.round1"]
    held = {"kings": log.held["kings"].copy()}
    rare = int(np.argmin([(first.held["kings"] == label).sum() for label in range(6)]))
    held["kings"][np.arange(30), log.share.argmax(axis=1), 0] = rare
    found = compare(played("moesteiro"), Log(4, log.share, log.score, held), first, 0.05 / 4)
    table = found.things["kings"].set_index("thing")
    assert table.loc[labels[rare], "taken_differs"]
    assert table.loc[labels[rare], "taken_more_games"] == 0
    assert found.words["kings taken"] == DIFFERS
    assert (found.words["wins"], found.words["scores"]) == (IN_LINE, IN_LINE)


def test_planted_scores_are_found(simulated):
    first, other = simulated["moesteiro"]
    log = part(other, slice(0, 80, 4))
    found = compare(played("moesteiro"), Log(4, log.share, log.score + 15, log.held), first, 0.05 / 4)
    everybody = found.scores.iloc[0]
    assert (everybody["seat"], everybody["differs"], everybody["more_games"]) == ("all", True, 0)
    assert everybody["low"] < everybody["simulated"] + 15 < everybody["high"]
    assert found.words["wins"] == IN_LINE


def test_one_game_and_one_log_of_all_wins(simulated):
    first, other = simulated["moesteiro"]
    one = compare(played("moesteiro"), part(other, slice(0, 1)), first, 0.05 / 4)
    assert one.word == IN_LINE
    assert np.isinf(one.scores["high"]).all()
    assert one.seats["visible"].isna().all()
    log = part(other, slice(0, 40))
    share = np.zeros_like(log.share)
    share[:, 2] = 60
    found = compare(played("moesteiro"), Log(4, share, log.score, log.held), first, 0.05 / 4)
    assert list(found.seats["differs"]) == [True] * 4
    assert (found.seats["high"][2], found.seats["low"][0]) == (1, 0)


# --- formulas ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0, 0.3085), (5, 10, 0.1871, 0.8129), (10, 10, 0.6915, 1), (1, 20, 0.0013, 0.2487)],  # from tables
)
def test_intervals_of_clopper_and_pearson(wins, games, low, high):
    found = shares_between(np.array([wins]), games, 0.05)
    assert np.concatenate(found) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("share", "expected", "risk"), [(0.40, 0.25, 0.05), (0.35, 0.25, 0.01), (0.15, 0.25, 0.01), (0.55, 0.5, 0.05)]
)
def test_so_many_games_tell_in_four_of_five_logs(share, expected, risk):
    games = needed(share, expected, risk)
    wins = np.arange(games + 1)
    low, high = shares_between(wins, games, risk)
    power = binom.pmf(wins, games, share)[(expected < low) | (expected > high)].sum()
    assert power == pytest.approx(0.8, abs=0.06)


def test_what_is_visible_is_what_so_many_games_tell():
    least = visible(0.25, 100, 0.01)
    assert needed(least, 0.25, 0.01) <= 100 < needed(least - 0.002, 0.25, 0.01)
    assert np.isnan(visible(0.25, 2, 0.01))
    assert needed(0.25, 0.25, 0.01) is None


@pytest.mark.parametrize("risk", [0.05, 0.0125, 0.003])
def test_no_more_logs_go_beyond_the_limit_than_the_risk_says(risk):
    """Counts tie, and a log of the same kind counts as one more."""
    logs = np.random.default_rng(1).poisson(0.2, (5_000, 3)).astype(float)
    beyond = (logs.max(axis=1) > reach(logs, risk)).sum()
    assert (1 + beyond) / (1 + len(logs)) <= risk
    assert reach(logs[:10], risk / 10) == np.inf  # too few to say


def test_a_log_that_ties_with_the_limit_is_in_line():
    """Every sixth holds something rare: logs that hold it as often as the limit allows differ with one more only."""
    labels = np.arange(12_000).reshape(6_000, 2, 1) % 12
    share = np.tile([[60, 0], [0, 60]], (3_000, 1))
    chance = np.random.default_rng(1).permutation(6_000)
    simulated = Log(2, share, share, {"things": np.where(labels < 1, 0, 1)[chance]})
    differs, tied = [], 0
    for rare in range(11):
        held = np.ones((10, 2, 1), int)
        held[:rare, 0] = 0
        stick = ThingsYardstick(simulated, "things", held >= 0, 2, 0.0125, np.random.default_rng(3))
        found = stick.table(Log(2, share[:10], share[:10], {"things": held}), ["rare", "usual"])
        differs.append(bool(found["taken_differs"][0]))
        tied += bool(np.isclose(abs(rare - stick.expected[0]) / stick.error[0], stick.taken_reach))
        low, simulated_share, high = found[["taken_low", "taken_simulated", "taken_high"]].iloc[0]
        assert differs[-1] == (not low <= simulated_share <= high)
    assert tied == 1
    assert differs == sorted(differs)
    assert 1 <= sum(differs) < 10


def test_a_log_of_any_size_is_compared():
    for games in (1, 1_000, 19_999, 25_000, 100_000, 10**6):
        log = Log(2, np.zeros((games, 2), np.int8), np.zeros((0, 2)), {})
        assert fewest(log) <= enough(log) <= MOST_GAMES


@pytest.mark.slow
@pytest.mark.parametrize("games", [25_000, 100_000])
def test_a_long_log_is_answered(answer, tmp_path, games):
    rows = (
        f"{g},2,{seat},{100 - g % 7 * (seat - 1 != g % 2)},{'x' * (seat - 1 == g % 2)}\n"
        for g in range(games)
        for seat in (1, 2)
    )
    path = tmp_path / "log.csv"
    path.write_text("game,players,seat,score,winner\n" + "".join(rows))
    found = answer("playtests", "pig", path)
    assert (found["real_games"], found["verdict"], found["interrupted"]) == (games, DIFFERS, False)
    assert found["by_players"][0]["games"] == MOST_GAMES
    seat = found["by_players"][0]["seats"][0]
    assert (seat["wins"], seat["differs"]) == (games / 2, True)
    # both sides' errors
    assert 0.8 < (seat["high"] - seat["low"]) / (2 * 2.5 * (0.25 / games + 0.25 / MOST_GAMES) ** 0.5) < 1.1


def test_counts_of_labels():
    share = np.array([[60, 0], [30, 30]])
    held = np.array([[[0, 1], [1, 0]], [[2, 2], [0, -1]]])
    noted = np.array([[[True, True], [True, False]], [[True, True], [True, True]]])
    assert counts(share, held, noted, 3).tolist() == [[1, 2, 0, 60, 60, 0], [1, 0, 2, 30, 0, 60]]
    assert counts(share, held, noted[0], 3).tolist()[1] == [1, 0, 2, 30, 0, 60]


def test_an_empty_cell_where_somebody_may_hold_nothing():
    held = np.array([[[0, -1, -1], [-1, 2, -1]], [[-1, -1, -1], [-1, -1, -1]], [[-1, 1, -1], [0, -1, -1]]])
    always, may_be_empty = np.zeros((5, 2, 3), int), np.full((5, 2, 3), -1)
    assert (noted(held, always) == (held >= 0)).all()
    assert noted(held, may_be_empty).tolist() == [
        [[True, True, False]] * 2,
        [[False] * 3] * 2,
        [[True, True, False]] * 2,
    ]


# --- the command ------------------------------------------------------------------------------------------------------


def test_all_that_is_wrong_is_said_at_once(command, tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(
        "game,players,seat,score,winner\n1,2,1,x,no\n1,2,9,3,yes\n2,2,1,4,no\n2,2,2,3,maybe\n3,2,1,1,yes\n3,2,2,1,yes\n"
    )
    status, out, err = command("playtests", "pig", path)
    assert (status, out) == (2, "")
    assert err.splitlines() == [
        "chapterhouse: log.csv, line 2: score: found 'x'; allowed a whole number",
        "chapterhouse: log.csv, line 3: seat: found '9'; allowed 1 to 2",
        "chapterhouse: log.csv, line 5: winner: found 'maybe'; allowed yes or no",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--template", "{}"], ["{}", "--template"]])
def test_a_template_is_read_back_when_it_is_filled_in(command, tmp_path, words):
    path = tmp_path / "new.csv"
    status, out, _ = command(
        "playtests", "moesteiro", *(word.format(path) for word in words), "--players", "2", "--players", "3"
    )
    assert status == 0
    assert "king.round1, king.round2" in out
    assert "Afonso V" in out
    text = path.read_text()
    assert text == template(registry.load("moesteiro"), [2, 3]).replace("\r\n", "\n")
    status, out, err = command("playtests", "moesteiro", path)
    (line,) = err.splitlines()  # no empty seat passes for a played one
    assert (status, out) == (2, "")
    assert "10 rows have no score or winner (lines 2, 3, 4, 5, 6 and 5 more)" in line
    rows = list(csv.reader(io.StringIO(text)))
    for row in rows[1:]:
        row[3], row[4], row[5] = "100", "yes", ("Duarte", "João I", "Manuel I")[int(row[2]) - 1]
    path.write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    status, out, err = command("playtests", "moesteiro", path, *GREEDY, "--json")
    assert status == 0, err
    assert [(found["players"], found["real_games"]) for found in json.loads(out)["by_players"]] == [(2, 2), (3, 2)]
    status, _, err = command("playtests", "moesteiro", "--template", path)
    assert status == 2
    assert "which is there already" in err


PIG = "game,players,seat,score,winner\n" + "".join(
    f"{g},{n},{s},{100 if s == 1 + g % n else 50 + g},{'yes' if s == 1 + g % n else 'no'}\n"
    for g in range(1, 13)
    for n in [2 + g % 2]
    for s in range(1, n + 1)
)


@pytest.fixture
def pigs(tmp_path):
    """A log of pig: six games with two players, six with three."""
    path = tmp_path / "pigs.csv"
    path.write_text(PIG)
    return path


def test_the_answer(answer, pigs):
    found = answer("playtests", "pig", pigs, "--games", "3000")
    assert (found["real_games"], found["left_out"], found["questions"], found["verdict"]) == (12, 0, 4, IN_LINE)
    assert [(one["players"], one["real_games"], one["games"]) for one in found["by_players"]] == [
        (2, 6, 3000),
        (3, 6, 3000),
    ]
    assert not {"seconds", "time", "jobs"} & set(found)
    assert found["command"] == f"chapterhouse playtests pig {pigs} --games 3000 --margin 0.1 --seed 1"
    assert answer(*found["command"].split()[1:]) == found
    for one in found["by_players"]:
        assert one["risk"] == pytest.approx(0.05 / 4)
        assert sum(seat["simulated"] for seat in one["seats"]) == pytest.approx(1)
        assert sum(seat["wins"] for seat in one["seats"]) == pytest.approx(6)
        for seat in one["seats"]:
            assert seat["low"] <= seat["share"] <= seat["high"]
            assert seat["differs"] == (not seat["low"] <= seat["simulated"] <= seat["high"])
        assert one["things"] == {}
    only = answer("playtests", "pig", pigs, "--games", "3000", "--players", "3")
    assert (only["real_games"], only["left_out"], [one["players"] for one in only["by_players"]]) == (6, 6, [3])


@pytest.mark.slow
def test_the_same_bytes_for_any_number_of_jobs(command, pigs):
    words = ["playtests", "pig", pigs, "--games", "9000", "--json"]
    assert len({command(*words, "--jobs", jobs)[1] for jobs in (1, 2)}) == 1
    assert command(*words, "--seed", 2)[1] != command(*words)[1]


@pytest.mark.slow
def test_the_page(command, pigs, tmp_path):
    status, out, _ = command("playtests", "pig", pigs, "--out", tmp_path / "page")
    assert status == 0
    page = (tmp_path / "page" / "playtests.html").read_text(encoding="utf-8")
    assert "In line: nothing in twelve games differs from the simulation by more than chance." in page
    assert "In line: nothing in twelve games differs from the simulation by more than chance." in out
    assert "Do the seats win as often as simulated?" in page
    assert page.count("<svg") == 4
    assert f"chapterhouse playtests pig {pigs}" in page
    assert list(pd.read_parquet(tmp_path / "page" / "tables" / "playtests_seats.parquet")["players"]) == [2, 2, 3, 3, 3]


@pytest.mark.slow
def test_what_was_left_out_is_said_everywhere(answer, command, tmp_path):
    path = tmp_path / "people.csv"
    rows = "".join(
        f"{g},{2 + g % 3},{seat},Ann,{'x' * (seat == 1)}\n" for g in range(12) for seat in range(1, 3 + g % 3)
    )
    path.write_text("Game night,,,,\ngame,players,seat,name,winner\n" + rows)
    words = ["playtests", "pig", path, "--players", "2", "--games", "2000"]
    found = answer(*words)
    assert (found["real_games"], found["left_out"], found["by_players"][0]["scores"]) == (4, 8, [])
    assert found["remarks"] == ["not read: line 1 above the heading; the column name", NO_SCORES]
    status, out, _ = command(*words, "--out", tmp_path / "page")
    assert status == 0
    said = ["--players leaves out eight games with other numbers of players."]
    said += ["Not read: line 1 above the heading; the column name.", "No scores: wins are compared, scores are not."]
    page = (tmp_path / "page" / "playtests.html").read_text(encoding="utf-8")
    assert all(line in out.splitlines() and line in page for line in said)
    assert "Are scores as high as simulated?" not in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["playtests", "pig"], "Missing argument 'LOG'"),
        (["playtests", "chess", "x.csv"], "GAME: found 'chess'"),
        (["playtests", "pig", "nowhere.csv"], "LOG: found 'nowhere.csv' (no such file or directory)"),
        (
            ["playtests", "pig", "pigs.csv", "--players", "4"],
            "LOG: found no game with 4 players in 'pigs.csv'; allowed at least one game",
        ),
        (["playtests", "pig", "pigs.csv", "--players", "9"], "--players: found '9'"),
        (["playtests", "pig", "pigs.csv", "--games", "0"], "--games: found '0'"),
        (
            ["playtests", "pig", "pigs.csv", "--games", "119"],
            "--games: found '119'; allowed at least 120 simulated games for so many real ones",
        ),
        (["playtests", "pig", "pigs.csv", "--strategy", "nobody"], "nobody: not a strategy of pig"),
        (
            ["playtests", "pig", "none/new.csv", "--template"],
            "--template: found 'none/new.csv' (no such file or directory)",
        ),
    ],
)
def test_wrong_input_is_one_line(command, pigs, monkeypatch, words, said):
    monkeypatch.chdir(pigs.parent)
    status, out, err = command(*words)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert said in err


def test_ctrl_c_shows_what_was_simulated(command, pigs, monkeypatch):
    from scripts.progress import Progress

    def watch(self, games):
        self.games += games
        raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "watch", watch)
    status, out, err = command("playtests", "pig", pigs, "--games", 1_000_000, "--json", "--jobs", 1)
    assert status == 130
    found = json.loads(out)
    assert (found["interrupted"], len(found["by_players"])) == (True, 1)
    assert 0 < found["by_players"][0]["games"] < 1_000_000
    assert "Stopped by hand: this is what was simulated." in err
