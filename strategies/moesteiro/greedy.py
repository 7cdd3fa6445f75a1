"""Take what brings most points now, with an estimate of what materials, steps and tiles bring soon.

From: the usual first opponent of a game designer; the estimates are written for this project.
"""

from strategies.moesteiro._plan import choose
from strategies.moesteiro._weights import weights

__all__ = ["WEIGHTS", "choose"]
WEIGHTS = weights()
