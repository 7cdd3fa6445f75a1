"""How often seats shared the highest score, and the win, and which ones."""

import numpy as np

from analyses.evidence import Evidence
from analyses.tables.tables import Columns


def ties(evidence: Evidence) -> Columns:
    """Return a row for each set of seats that tied on points or shared a win, the most frequent first."""
    tied, shared = evidence.sums.ties
    games = max(int(tied.sum()), 1)
    sets = [s for s in range(len(tied)) if s.bit_count() > 1 and (tied[s] or shared[s])]
    sets.sort(key=lambda s: (-tied[s], -shared[s], s))
    names = ["+".join(str(seat + 1) for seat in range(evidence.players) if s >> seat & 1) for s in sets]
    return {"seats": np.array(names, str), "tied": tied[sets], "shared": shared[sets], "share": tied[sets] / games}
