"""Strategies of Lanterns."""

DEFAULT = "high"
LEVELS = ("high",)
LADDER = ("random_legal", "high")
