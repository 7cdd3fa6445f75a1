"""Lanterns: a game of tricks; who takes one chooses between gold and a lantern, and a row of lanterns shines."""

TITLE = "Lanterns"
PLAYERS = (2, 3)
DEFAULT_PLAYERS = 3
