"""Gather materials for the construction tile that suits best, and complete one in every round.

From: the plan that the rulebook's aim, helping to build the monastery, suggests; written for this project.
"""

from strategies.moesteiro._plan import choose
from strategies.moesteiro._weights import weights

__all__ = ["WEIGHTS", "choose"]
WEIGHTS = weights(building=1.6, sets=0.8, spare=2.2, builder=4.0)
