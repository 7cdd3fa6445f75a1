"""Moesteiro: build the monastery of Batalha in five rounds with workers, masters and the favour of six Kings."""

TITLE = "Moesteiro"
PLAYERS = (2, 3, 4)
DEFAULT_PLAYERS = 4
