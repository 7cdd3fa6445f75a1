"""What lies on the table, what a player chooses from, and what is counted."""

import numpy as np

from sim.contract import counted, outcome_dtype, state_dtype

from .components import MOST_CARDS, MOST_HAND

SEATS, MOST_OPTIONS = 3, MOST_HAND
ASKS = ("card", "prize")
CARD, PRIZE = range(2)
NUMBERS, counts = counted(points=("gold", "lanterns", "last"), tricks=None, leads=None, highest=None)
CATEGORIES = {"most": ("gold", "lanterns", "neither")}
STATE = state_dtype(
    SEATS,
    ("score", np.int64, (SEATS,)),
    ("hand", np.int8, (SEATS, MOST_HAND)),  # cards, 1 and up; 0 where there is none
    ("table", np.int8, (SEATS,)),  # the card that lies before each player
    *((name, np.int64, (SEATS,)) for name in ("gold", "lanterns", "last", "tricks", "leads", "highest")),
    ("deck", np.int8, (MOST_CARDS,)),  # from the bottom to the top
    ("left", np.int64),  # cards in the deck
    ("taken", np.int64),  # tricks that are over
    ("laid", np.int64),  # cards on the table
    ("told", np.int64),  # decisions that whoever follows the game has been told of
)
OPTION = np.dtype([("card", np.int8), ("place", np.int8), ("gold", np.int8), ("thing", np.int8)])
OUTCOME = outcome_dtype(SEATS, NUMBERS, CATEGORIES)
