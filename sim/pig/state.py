"""The records of Pig."""

import numpy as np

from sim.contract import Signatures, outcome_dtype

SEATS = 4
ASKS = ("turn",)  # act: 1 to roll, 0 to hold
NUMBERS = ("turns",)
COMPONENTS = np.dtype([("goal", np.int64), ("faces", np.int64), ("ruin", np.int64)], align=True)
STATE = np.dtype(
    [
        ("key", np.uint64),
        ("noise", np.uint64),
        ("players", np.int64),
        ("player", np.int64),
        ("asks", np.int64),
        ("decision", np.int64),
        ("stepping", np.int64),
        ("person", np.int64, (SEATS,)),
        ("score", np.int64, (SEATS,)),
        ("turn", np.int64),  # points of the turn so far
        ("turns", np.int64, (SEATS,)),
        ("rolls", np.int64, (SEATS,)),
        ("event", np.int64),  # last face rolled, 0 for a hold
        ("told", np.int64),  # decisions whose event has been told
    ],
    align=True,
)
OPTION = np.dtype([("act", np.int64)], align=True)
OUTCOME = outcome_dtype(SEATS, NUMBERS, {})
SIGNATURES = Signatures(COMPONENTS, STATE, OPTION, OUTCOME)
