"""Logs of playtests are read as people write them, and every wrong row is named by its line."""

import pytest

from analyses.playtests.playtests import simulate
from analyses.playtests.reader import read
from sim import registry
from tests.playtest_logs import GOOD, HEAD, LOGS, NO_SCORES, PIGS, ZEROS, part, refused, same, written


@pytest.fixture(scope="module")
def games(study):
    """Three games of the main game with four players."""
    return part(simulate(study("moesteiro", 4, "greedy", seed=1), 4, jobs=1)[0], slice(0, 3))


# --- reading a log ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.encode(),
        lambda text: b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode(),
        lambda text: text.replace(",", ";").encode("cp1252"),
        lambda text: b"sep=;\n" + text.replace(",", ";").encode(),
        lambda text: text.replace(",", "\t").encode("utf-16"),
        lambda text: text.replace(",", " , ").upper().encode(),
        lambda text: text.replace("king.round", "King round ").replace("yes", "1").replace("no,", "0,").encode(),
        lambda text: ("\n" + text.replace("\n", "\n,,,\n\n") + ",,,,,\n").encode(),
        lambda text: text.replace("yes", '"yes"').replace("\n", ',,"",""\n').encode(),
    ],
)
@pytest.mark.parametrize("titles", [True, False])
def test_whatever_a_spreadsheet_writes(games, change, titles):
    game = registry.load("moesteiro")
    (found,) = read(change(written(game, games, titles)), "log.csv", game).logs
    assert same(found, games)


def test_several_numbers_of_players_in_any_order():
    text = "Seat;Game;Players;Score;Winner\n2;a;2;50;no\n1;b;3;7;yes\n3;b;3;7;yes\n1;a;2;100;yes\n2;b;3;1;no\n"
    two, three = read(text.encode(), "log.csv", registry.load("pig")).logs
    assert (two.share.tolist(), two.score.tolist(), two.kinds) == ([[60, 0]], [[100, 50]], [])
    assert (three.share.tolist(), three.score.tolist()) == ([[30, 0, 30]], [[7, 1, 7]])


@pytest.mark.parametrize(
    ("line", "row", "said"),
    [
        (2, "1,2,5,90,no,,", "line 2: seat: found '5'; allowed 1 to 2"),
        (2, "1,2,,90,no,,", "line 2: seat: found nothing; allowed 1 to 2"),
        (2, ",2,1,90,no,,", "line 2: game: found nothing; allowed a number or name that the rows of one game share"),
        (3, "1,7,2,100,yes,,", "line 3: players: found '7'; allowed 2, 3 or 4; --players leaves other games out"),
        (3, "1,two,2,100,yes,,", "line 3: players: found 'two'; allowed 2, 3 or 4"),
        (4, "2,3,1,five,yes,,", "line 4: score: found 'five'; allowed a whole number"),
        (4, "2,3,1,5.5,yes,,", "line 4: score: found '5.5'; allowed a whole number"),
        (4, "2,3,1,5,perhaps,,", "line 4: winner: found 'perhaps'; allowed yes or no"),
        (
            2,
            "1,2,1,90,no,Sancho,",
            "line 2: king.round1: found 'Sancho'; allowed João I, Afonso V, Duarte, João II, João III or Manuel I, or "
            "empty",
        ),
        (
            3,
            "1,2,2,100,yes,duarte,afonso_v",
            "line 3: king.round1: found Duarte again in game '1'; allowed each once in a game and column",
        ),
        (
            6,
            "",
            "line 5: seat: found no seat 3 in game '2'; allowed a row for each seat of a game, or only the winner's",
        ),
        (6, "2,4,3,4,no,,", "line 6: players: found 4 in game '2'; allowed one number in all rows of a game"),
        (
            3,
            "1,2,2,80,yes,,",
            "line 3: winner: found yes with 80 points in game '1', where somebody has 90; allowed yes only with the "
            "highest score",
        ),
        (3, "1,2,2,100,no,,", "line 2: winner: found nobody in game '1'; allowed at least one player with yes"),
        (
            4,
            '2,3,1,5,yes,"duarte,',
            "line 4: found a cell with a stray quotation mark; allowed one at each end of a cell (is one missing?)",
        ),
    ],
)
def test_every_wrong_row_is_named_by_its_line(line, row, said):
    rows = [*GOOD]
    rows[line - 2] = row
    assert refused(HEAD + "\n".join(rows) + "\n") == [f"log.csv, {said}"]


def test_a_seat_that_stands_there_twice():
    assert refused(HEAD + "\n".join([GOOD[0], "1,2,1,100,yes,,", *GOOD[2:]])) == [
        "log.csv, line 3: seat: found 1 again in game '1'; allowed each seat of a game once",
        "log.csv, line 3: seat: found no seat 2 in game '1'; allowed a row for each seat of a game, or only the "
        "winner's",
    ]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "log.csv: found nothing; allowed a table with the columns game and players"),
        (HEAD.encode(), "log.csv, line 2: found no game; allowed at least one"),
        (
            b"game,players\n1,2\n",
            "log.csv, line 1: found neither a column 'seat' nor 'winner'; allowed at least one of them",
        ),
        (
            b"game,seat,score\n1,2,3\n",
            "log.csv, line 1: found no column 'players'; allowed a heading with game and players",
        ),
        (
            b"game,players,seat,winner,Winner\n",
            "log.csv, line 1: found the column 'Winner' twice; allowed each column once",
        ),
        (b"PK\x03\x04\x00", "log.csv: found a spreadsheet; allowed a table (save it as CSV)"),
        (b"\x00\x01\x02", "log.csv: found bytes that are no text; allowed a table (save it as CSV)"),
    ],
)
def test_a_file_that_is_no_log(data, said):
    assert refused(data) == [said]


def test_what_is_wrong_is_grouped():
    rows = [f"{g},2,{seat},,,," for g in range(24) for seat in (1, 2)]
    lines, allowed = "(lines 2, 3, 4, 5, 6 and 43 more)", "allowed a score for each player, or a yes for the winner"
    assert refused(HEAD + "\n".join(rows)) == [f"log.csv: 48 rows have no score or winner {lines}; {allowed}"]
    rows = [row[:-3] for row in rows]
    assert refused("game,players,seat,score\n" + "\n".join(rows)) == [
        f"log.csv: 48 rows have no score {lines}; {allowed}"
    ]
    many = [f"{g},2,{9 + g},x{g},no,k{g},l{g}" for g in range(40)]
    assert len(refused(HEAD + "\n".join(many))) <= 10


# --- logs as people have them -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "game", "only", "games", "scored", "left", "remarks"),
    [
        ("extra_columns", "pig", [], [30], [30], 0, ["not read: the columns name and date"]),
        ("x_only_winner", "pig", [], [30], [30], 0, []),
        ("wahr_falsch", "pig", [], [30], [30], 0, []),
        ("title_row", "pig", [], [30], [30], 0, ["not read: line 1 above the heading"]),
        ("no_scores", "moesteiro", [], [20], [0], 0, [NO_SCORES]),
        ("zero_scores", "moesteiro", [], [20], [0], 0, [ZEROS]),
        ("bgg_mapped_five", "moesteiro", [2], [5], [5], 11, []),
        ("bgg_mapped_five", "moesteiro", [3, 4], [4, 6], [4, 6], 6, []),
        ("bgg_mapped", "moesteiro", [], [5, 4, 6], [5, 4, 6], 0, []),
    ],
)
def test_logs_as_people_have_them(name, game, only, games, scored, left, remarks):
    found = read((LOGS / f"{name}.csv").read_bytes(), name, registry.load(game), only)
    assert ([log.games for log in found.logs], [len(log.score) for log in found.logs]) == (games, scored)
    assert (found.left_out, list(found.remarks)) == (left, remarks)
    for log in found.logs:
        assert (log.share.sum(axis=1) == 60).all()


def test_the_same_games_in_other_clothes():
    """Four files hold the same thirty games."""
    logs = [read((LOGS / f"{name}.csv").read_bytes(), name, registry.load("pig")).logs[0] for name in PIGS]
    assert all(same(log, logs[0]) for log in logs)
    assert logs[0].share.sum(axis=0).tolist() == [960, 840]


def shares(text, only=()):
    """Shares of wins, scores and remarks of a log of pig."""
    found = read(text.encode(), "log.csv", registry.load("pig"), only)
    return [(log.share.tolist(), log.score.tolist()) for log in found.logs], list(found.remarks)


def test_a_winner_that_the_scores_tell():
    logs, remarks = shares("game,players,seat,score\na,2,1,100\na,2,2,50\nb,2,1,70\nb,2,2,70\n")
    assert logs == [([[60, 0], [30, 30]], [[100, 50], [70, 70]])]
    assert remarks == [
        "no winner is named in 2 of 2 games: the highest score wins; where the best scores tie (1), the win is shared"
    ]
    # a tie that was broken
    logs, remarks = shares("game,players,seat,score,winner\na,2,1,70,no\na,2,2,70,\nb,2,1,9,\nb,2,2,80,x\n")
    assert logs == [([[0, 60], [0, 60]], [[70, 70], [9, 80]])]
    assert remarks == ["no winner is named in 1 of 2 games: the highest score wins"]


def test_scores_of_some_games():
    logs, remarks = shares("game,players,seat,score,winner\na,2,1,100,x\na,2,2,,\nb,2,1,9,\nb,2,2,100,x\n")
    assert logs == [([[60, 0], [0, 60]], [[9, 100]])]
    assert remarks == ["1 of 2 games without all their scores: wins are compared, scores are not there"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game,players,seat,winner\na,3,2,x\nb,3,1,x\nb,3,3,x\n", []),
        (
            "game;players;winner\na;3;2.0\nb;3;1, 3\n",
            ["the column winner is read as the winner's seat, as there is no column seat"],
        ),
        (
            "game;players;score;winner\na;3;50;2\nb;3;60;1 & 3\n",
            [
                "the column winner is read as the winner's seat, as there is no column seat",
                "not read, as there is no column seat: score",
            ],
        ),
    ],
)
def test_a_row_for_each_winner(text, said):
    assert shares(text) == ([([[0, 60, 0], [30, 0, 30]], [])], [*said, NO_SCORES])


def test_a_row_a_game_without_a_winner_is_the_winner_s():
    logs, remarks = shares("game,players,seat\na,3,2\nb,3,1\n")
    assert logs == [([[0, 60, 0], [60, 0, 0]], [])]
    assert remarks == ["a row for each game, without winner and score: its seat is taken for the winner's", NO_SCORES]
    assert refused("game,players,seat,score\na,3,2,70\nb,3,1,60\n", "pig") == [
        "log.csv: 2 rows (lines 2 and 3): seat: found no seat 1 or 3 in game 'a' and no seat 2 or 3 in game 'b'; "
        "allowed a row for each seat of a game, or only the winner's"
    ]
    assert refused("game,players,winner\na,3,2\nb,3,4\nc,2,x\n", "pig") == [
        "log.csv, line 3: winner: found '4'; allowed the winner's seat, 1 to 3 (there is no column 'seat')",
        "log.csv, line 4: winner: found 'x'; allowed the winner's seat, 1 to 2 (there is no column 'seat')",
    ]


def test_what_only_winners_hold_is_left_out():
    """Whoever holds it there has won: that is no chance."""
    text = "game,players,seat,winner,king.round1\na,2,1,x,Duarte\nb,2,1,x,\nc,2,1,x,Duarte\nc,2,2,,Manuel I\n"
    found = read(text.encode(), "log.csv", registry.load("moesteiro"))
    (log,) = found.logs
    assert [(held >= 0).any() for held in log.held["kings"]] == [False, False, True]
    assert found.remarks == (NO_SCORES, "what was held in 1 of 3 games is left out: only the winner has a row there")
