"""Take the option of which a small network expects most; its numbers and those of the plan beside it are in a
file."""

from collections.abc import Callable
from typing import Any

from sim.abbates.ask import ASKS
from sim.abbates.state import ROUNDS, SEATS
from sim.contract import Game
from strategies import _network
from strategies._network import Telling, choose
from strategies.abbates._features import CHOICES, INPUTS, TELLS, tell_option, tell_position
from strategies.abbates._weights import COUNT, MEANING, USUAL

__all__ = ["MEANING", "ROUNDS", "TOLD", "WEIGHTS", "choose", "choose_of"]
TOLD = Telling(tell_position, tell_option, INPUTS, CHOICES, TELLS)
WEIGHTS = _network.weights_of(USUAL, TOLD, len(ASKS), SEATS)


def choose_of(game: Game) -> Callable[..., Any]:
    """Return `choose` with what Abbates has."""
    return _network.choose_of(game, TOLD, ROUNDS * COUNT)
