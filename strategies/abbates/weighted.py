"""Weigh every option by what it brings and costs, with weights from a file; what each of them means stands in
`_weights.py`."""

from sim.abbates.state import ROUNDS
from strategies.abbates._plan import choose
from strategies.abbates._weights import MEANING
from strategies.abbates._weights import USUAL as WEIGHTS

__all__ = ["MEANING", "ROUNDS", "WEIGHTS", "choose"]
