"""Strategies of Moesteiro."""

DEFAULT = "allrounder"
LADDER = ("random_legal", "greedy", "allrounder", "expert")  # from the weakest to the strongest
