"""What lies on the table, what a player chooses from, and what is counted."""

import numpy as np

from sim.contract import counted, outcome_dtype, state_dtype

SEATS, MOST_OPTIONS = 4, 2  # the most players; the most options of a decision
ASKS = ("pace",)  # the kinds of decisions
NUMBERS, counts = counted(runs=None, stumbles=None)  # for each seat, for the tables of the report
CATEGORIES = dict[str, tuple[str, ...]]()
STATE = state_dtype(  # all of it starts at 0; `state_dtype` adds what every game has: key, players, player …
    SEATS,
    ("score", np.int64, (SEATS,)),  # the space on which each runner stands: a game's points are called score
    ("runs", np.int64, (SEATS,)),  # how often each player has run
    ("stumbles", np.int64, (SEATS,)),
    ("turns", np.int64),
    ("told", np.int64),  # decisions that whoever follows the game has been told of
)
OPTION = np.dtype([("pace", np.int64), ("thing", np.int64)], align=True)  # 0 to walk, 1 to run; nothing is held
OUTCOME = outcome_dtype(SEATS, NUMBERS, CATEGORIES)
