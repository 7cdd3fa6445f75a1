"""Take stonework and stained glass for sets of different tiles, from the crane, the window and the village.

From: the sets of the rulebook's final scoring, taken as the way to win; written for this project.
"""

from strategies.moesteiro._plan import choose
from strategies.moesteiro._weights import weights

__all__ = ["WEIGHTS", "choose"]
WEIGHTS = weights(sets=3.5, hope=0.3, icon=9.0, building=0.7)
