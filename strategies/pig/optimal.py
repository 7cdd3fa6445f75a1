"""Play the best move of the game for two, by value iteration (Neller and Presser, "Optimal Play of the Dice Game Pig",
2004)."""

import numpy as np
from numba import njit

PLAYERS = (2,)


def choose(components, state, options, n, weights):
    """Look the move up: 1 where rolling wins more often than holding."""
    goal, mine = components.goal, state.score[state.player]
    if mine + state.turn >= goal:
        return 0
    return np.int64(weights[(mine * goal + state.score[1 - state.player]) * goal + state.turn])


def weigh(components):
    """Return 1.0 (roll) or 0.0 (hold) for each (own score, other score, turn total), flat."""
    return solve(components.goal, components.faces, components.ruin, -1)[1].ravel()


@njit
def solve(goal, faces, ruin, hold):
    """Return chance of winning and move for each position of a player about to choose, by value iteration to 1e-12.

    Args:
        goal, faces, ruin: the components (points, sides, face that ruins a turn).
        hold: −1 for the best move, else both players hold from so many points on.

    Returns:
        win, roll: float64 arrays (goal, goal, goal) over own score, other score and turn total.
    """
    win, roll = np.full((goal, goal, goal), 0.5), np.zeros((goal, goal, goal))
    # positions depend on each other only where the scores add up to the same, or more
    for total in range(2 * goal - 2, -1, -1):
        for i in range(max(0, total - goal + 1), min(goal - 1, total) + 1):
            j, change = total - i, 1.0
            while i <= j and change > 1e-12:
                change = 0.0
                for mine, other in ((i, j), (j, i)):
                    for turn in range(goal - mine - 1, -1, -1):
                        banked = 1.0 - win[other, mine + turn, 0]
                        rolled = 0.0
                        for face in range(1, faces + 1):
                            if face == ruin:
                                rolled += (1.0 - win[other, mine, 0]) / faces
                            else:
                                rolled += (1.0 if mine + turn + face >= goal else win[mine, other, turn + face]) / faces
                        rolls = rolled > banked if hold < 0 else turn < hold
                        value = rolled if rolls else banked
                        change = max(change, abs(value - win[mine, other, turn]))
                        win[mine, other, turn], roll[mine, other, turn] = value, 1.0 if rolls else 0.0
    return win, roll
