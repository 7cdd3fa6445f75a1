"""Walk down the food track and buy village tiles for the spaces that it opens.

From: the rulebook's village, taken as the way to win; written for this project.
"""

from strategies.moesteiro._plan import choose
from strategies.moesteiro._weights import weights

__all__ = ["WEIGHTS", "choose"]
WEIGHTS = weights(village=2.2, food=0.02, bonus=4.0, sets=0.8, building=0.7)
