"""Mygame: a race. In your turn you walk, or you run and roll a die; a low roll makes you stumble. First home wins."""

TITLE = "Mygame"
PLAYERS = (2, 3, 4)  # how many people can play it
DEFAULT_PLAYERS = 2  # and how many usually do
