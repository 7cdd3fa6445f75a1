"""Walk down the food track and buy village tiles for the spaces that it opens.

From: the rulebook's village, taken as the way to win; written for this project.
"""

from strategies.moesteiro._plan import choose
from strategies.moesteiro._weights import weights

__all__ = ["WEIGHTS", "choose"]
WEIGHTS = weights(village=1.8, food=0.48, building=0.9, labour=0.8)
