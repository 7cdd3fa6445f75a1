"""Plan for the construction tile that suits best, and take along whatever else is worth its price.

From: the plain way to play all parts of the board; the estimates are written for this project.
"""

from strategies.moesteiro._plan import choose
from strategies.moesteiro._weights import weights

__all__ = ["WEIGHTS", "choose"]
WEIGHTS = weights()
