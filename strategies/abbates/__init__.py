"""Strategies of Abbates."""

DEFAULT = "expert"
LEVELS = ("greedy", "expert", "rollout:expert@20")
LADDER = ("random_legal", "greedy", "allrounder", "expert")  # from the weakest to the strongest
