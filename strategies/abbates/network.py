"""Take the option of which a small network expects most; its numbers and those of the plan beside it are in a
file."""

from functools import partial

from sim.abbates.ask import ASKS
from sim.abbates.state import ROUNDS, SEATS
from strategies import _network
from strategies._network import Features, choose
from strategies.abbates._features import CHOICES, INPUTS, TELLS, tell_option, tell_position
from strategies.abbates._weights import COUNT, MEANING, USUAL

__all__ = ["FEATURES", "MEANING", "ROUNDS", "WEIGHTS", "choose", "choose_of"]
FEATURES = Features(tell_position, tell_option, INPUTS, CHOICES, TELLS)
WEIGHTS = _network.weights_of(USUAL, FEATURES, len(ASKS), SEATS)
choose_of = partial(_network.choose_of, features=FEATURES, plan_weights=ROUNDS * COUNT)
