"""Weigh every option by what it brings and costs, with weights from a file; what each of them means stands in
`_weights.py`."""

from sim.moesteiro.state import ROUNDS
from strategies.moesteiro._plan import choose
from strategies.moesteiro._weights import MEANING
from strategies.moesteiro._weights import USUAL as WEIGHTS

__all__ = ["MEANING", "ROUNDS", "WEIGHTS", "choose"]
