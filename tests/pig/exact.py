"""How often the first of two players wins Pig when both hold at a number: exactly, from the chances of whole turns.

`strategies/pig/optimal.py` finds the same by value iteration over every roll; here a turn is one step, and positions
are solved in pairs.
"""

from functools import cache

import numpy as np


def gains(least: int, faces: int, ruin: int) -> np.ndarray:
    """Return the chance that a turn which holds at `least` points brings 0, 1, … points; what is missing to 1 ruins
    it."""
    chance = np.zeros(least + faces)
    chance[0] = 1.0
    for total in range(least):
        for face in (face for face in range(1, faces + 1) if face != ruin):
            chance[total + face] += chance[total] / faces
    chance[:least] = 0
    return chance


@cache
def first_wins(goal: int, faces: int = 6, ruin: int = 1, hold: int = 20) -> float:
    """Return the first player's chance of winning."""
    turns = {least: gains(least, faces, ruin) for least in range(1, min(goal, hold) + 1)}
    win = np.zeros((goal, goal))  # of the player whose turn it is, by own and other score

    def turn(mine: int, other: int) -> tuple[float, float]:
        """Return the chance of winning but for the turns that are ruined, and the chance of those."""
        chance = turns[min(hold, goal - mine)]
        gain = np.flatnonzero(chance)
        on = gain[mine + gain < goal]
        return chance[gain].sum() - (chance[on] * win[other, mine + on]).sum(), 1 - chance.sum()

    for total in range(2 * goal - 2, -1, -1):
        for i in range(max(0, total - goal + 1), total // 2 + 1):
            j = total - i
            (wins, ruined), (others, theirs) = turn(i, j), turn(j, i)
            # mine = wins + ruined · (1 − yours), yours = others + theirs · (1 − mine)
            win[i, j] = (wins + ruined * (1 - others - theirs)) / (1 - ruined * theirs)
            win[j, i] = others + theirs * (1 - win[i, j])
    return float(win[0, 0])


def unfair(goal: int, faces: int = 6) -> float:
    """Return how far the win indices of both seats are from 1."""
    return abs(2 * first_wins(goal, faces) - 1)
