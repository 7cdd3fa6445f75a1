"""Strategies of Pig."""

DEFAULT = "hold_at"
LADDER = ("random_legal", "hold_at", "optimal")  # from the weakest to the strongest
