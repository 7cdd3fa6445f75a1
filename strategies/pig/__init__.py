"""Strategies of Pig."""

DEFAULT = "hold_at"
LEVELS = ("hold_at", "optimal")
LADDER = ("random_legal", "hold_at", "optimal")  # from the weakest to the strongest
