"""Tests of Mygame: say `pytest` in its folder."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import chapterhouse

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE))
import game  # noqa: E402 (which stands in that folder)

NUMBERS = SimpleNamespace(home=20, steps=3, faces=6, stumble=2)


def after(pace, turns=0):
    """Return the table for two after the first player has walked (0) or run (1): rules are plain functions."""
    state = SimpleNamespace(
        key=np.uint64(1), players=2, player=0, turns=turns, score=[0, 0], runs=[0, 0], stumbles=[0, 0]
    )
    game.apply(NUMBERS, state, SimpleNamespace(pace=pace))
    return state


def test_a_walker_moves_three_spaces_and_the_next_player_is_asked():
    state = after(pace=0)
    assert state.score == [3, 0]
    assert state.player == 1


def test_a_runner_moves_as_rolled_or_stumbles():
    found = [after(pace=1, turns=turns) for turns in range(100)]
    assert {state.score[0] for state in found} == {0, 3, 4, 5, 6}
    assert all(state.stumbles[0] == (state.score[0] == 0) for state in found)


def test_one_win_is_shared_in_each_game():
    rows = chapterhouse.rows(HERE, games=1000)
    assert (rows.groupby("game")["win_share"].sum() == 1).all()
