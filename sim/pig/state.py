"""The records of Pig."""

import numpy as np

from sim.contract import Signatures, outcome_dtype, state_dtype

SEATS = 4
ASKS = ("turn",)  # act: 1 to roll, 0 to hold
NUMBERS = ("turns",)
COMPONENTS = np.dtype([("goal", np.int64), ("faces", np.int64), ("ruin", np.int64)], align=True)
STATE = state_dtype(
    SEATS,
    *((name, np.int64, (SEATS,)) for name in ("score", "turns", "rolls")),
    *((name, np.int64) for name in ("turn", "event", "told")),  # points of the turn; last face, 0 for a hold; decisions told
)
OPTION = np.dtype([("act", np.int64), ("thing", np.int64)], align=True)  # nothing is held in Pig
OUTCOME = outcome_dtype(SEATS, NUMBERS, {})
SIGNATURES = Signatures(COMPONENTS, STATE, OPTION, OUTCOME)
