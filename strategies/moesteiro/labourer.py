"""Run up the labour track and take the last King, for the points at its end and beyond.

From: the rulebook's labour track, taken as the way to win; written for this project.
"""

from strategies.moesteiro._plan import choose
from strategies.moesteiro._weights import weights

__all__ = ["WEIGHTS", "choose"]
WEIGHTS = weights(labour=2.2, number=4.0)
