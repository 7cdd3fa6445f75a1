"""Stay left on the labour track by spending its steps as pips, and take the first King.

From: the rulebook's King choice, taken as the way to win; written for this project.
"""

from strategies.moesteiro._plan import choose
from strategies.moesteiro._weights import weights

__all__ = ["WEIGHTS", "choose"]
WEIGHTS = weights(labour=-3.0, number=-12.0)
