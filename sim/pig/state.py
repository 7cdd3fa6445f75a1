"""The records of Pig."""

import numpy as np

from sim.contract import counted, outcome_dtype, state_dtype

SEATS, MOST_OPTIONS = 4, 2
ASKS = ("turn",)  # act: 1 to roll, 0 to hold
NUMBERS, counts = counted(turns=None)
CATEGORIES = dict[str, tuple[str, ...]]()
STATE = state_dtype(
    SEATS,
    *((name, np.int64, (SEATS,)) for name in ("score", "turns", "rolls")),
    # points of the turn; last face, 0 for a hold; decisions told
    *((name, np.int64) for name in ("turn", "event", "told")),
)
OPTION = np.dtype([("act", np.int64), ("thing", np.int64)], align=True)  # nothing is held in Pig
OUTCOME = outcome_dtype(SEATS, NUMBERS, CATEGORIES)
