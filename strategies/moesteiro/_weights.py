"""The weights of a plan: what they mean, where they stand in the array, and what they are unless a plan says
otherwise."""

import numpy as np

from sim.compiled import record_view

# Name → usual value, meaning. A weight is a number, or one for each round.
TABLE = {
    # Factors on points that the game prints: 1 takes them as they are.
    "building": (1.0, "factor on the points of construction tiles"),
    "village": (1.0, "factor on the points of village spaces"),
    "sets": (1.7, "factor on the points of sets of stonework and stained glass"),
    "track": (0.9, "factor on the points of the labour track at the end"),
    # Points that things are reckoned to bring later, for each round still to come where it says so.
    "pip": (1.8, "a pip of a die: what a missing piece costs to get"),
    "spare": (1.8, "a piece that no tile on show asks for, for each pip of its price"),
    "store": (3.6, "pieces of one material that are kept for later rounds; more are worth nothing"),
    "step": (0.2, "a step up the construction track that the tile wanted does not ask for"),
    "room": (5.0, "position on the construction track beyond which such steps are worth nothing"),
    "bank": (0.35, "a labour step, because it can buy a pip"),
    "labour": (0.3, "a labour step, because this plan likes or shuns them"),
    "food": (
        0.04,
        "a food step: each point by which the next row of the village is better, for this and each round to come",
    ),
    "hope": (0.16, "a tile: each point by which an average tile of a full set is better, for each round to come"),
    "bonus": (3.0, "the bonus of a village space, while it is not chosen yet"),
    "icon": (3.4, "a stonework or stained glass tile that a construction tile asks for"),
    # Kings and dice.
    "number": (-0.3, "each order number of a King"),
    "builder": (1.6, "a King who builds first"),
    "die": (0.3, "a pip kept in hand for a later die"),
    "ahead": (0.6, "each die to the left of one's own in quarry, village and window"),
    "shift": (0.3, "how far a die on the crane is expected to be pushed to the right, for each free space beside it"),
    "again": (1.0, "each of one's own dice in the village"),
    "shove": (
        0.0,
        "how far a die in forest and crane is expected to be pushed, for each pip above one and die in others' hands; "
        "tenths",
    ),
    # The rest of the round.
    "coming": (0.0, "how much of what one's dice in the crane will bring is reckoned with"),
    "reach": (
        0.0,
        "a pip or step for a construction tile beyond what one's dice that have not acted, quarry and tiles held allow",
    ),
    "rival": (
        0.0,
        "a player who builds earlier and lacks nothing for a construction tile; one who lacks pips counts less",
    ),
    "deny": (0.0, "each point of a construction tile that a later player could complete"),
    "double": (0.0, "each of one's own dice in the crane"),
    "finish": (0.4, "how much pieces that are there already count against those that are missing"),
}
USUAL = {name: value for name, (value, _) in TABLE.items()}
MEANING = {name: words for name, (_, words) in TABLE.items()}
COUNT = len(USUAL)
PLAN = np.dtype((np.record, np.dtype([(name, np.float64) for name in USUAL])))
named = record_view(PLAN)
