"""Tests of Mygame: say `pytest` in its folder."""

from pathlib import Path

import chapterhouse

HERE = Path(__file__).resolve().parents[1]


def rolls(**changes):
    """Return the rows of a thousand games: one for each game and seat."""
    return chapterhouse.rows(HERE, games=1000, strategy="random_legal", changes=changes)


def test_one_win_is_shared_in_each_game():
    rows = rolls()
    assert (rows.groupby("game")["win_share"].sum() == 1).all()


def test_the_winner_is_home_and_nobody_else():
    rows = rolls(home=12)
    assert ((rows["score"] >= 12) == (rows["win_share"] == 1)).all()


def test_nobody_stumbles_where_no_roll_makes_you():
    assert rolls(stumble=0)["stumbles"].sum() == 0
    assert (rolls(stumble=6)["stumbles"] == rolls(stumble=6)["runs"]).all()
