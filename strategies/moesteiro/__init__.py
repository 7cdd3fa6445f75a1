"""Strategies of Moesteiro."""

DEFAULT = "expert"
LEVELS = ("greedy", "expert_1", "expert")
LADDER = ("random_legal", "greedy", "allrounder", "expert_1", "expert")  # from the weakest to the strongest
