"""Strategies of Abbates."""

DEFAULT = "greedy"
LEVELS = ("greedy", "allrounder", "rollout:allrounder@20")
LADDER = ("random_legal", "greedy", "allrounder")  # from the weakest to the strongest
