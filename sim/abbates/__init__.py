"""Abbates: lead an abbey for four rounds, fill the own portrait with garden cards and keep step with the
abbot-general."""

TITLE = "Abbates"
PLAYERS = (1, 2, 3, 4)
DEFAULT_PLAYERS = 4
