"""Pig: the smallest game, whose answers are known. Race to 100 with one die; a 1 loses the points of the turn."""

TITLE = "Pig"
PLAYERS = (2, 3, 4)
DEFAULT_PLAYERS = 2
