"""The records of Abbates: where everything lies, what can be chosen, what is counted."""

from typing import Literal, get_args

import numpy as np

from sim.contract import counted, outcome_dtype, state_dtype

SEATS = 4
ROUNDS, PHASES = 4, 4  # phases of a round; the last one is for the corner
GARDEN_PHASES = PHASES - 1
HENRICUS = 1  # his place in the arrays by seat, when a single person plays

NONE = 127  # "nothing here" in every array of indices: beyond them all, so that a checked run catches its use

# A garden card is its kind and its black beans: kind · BEANS + beans.
KINDS = ("books", "windows", "artefacts")
BEANS = 5  # 0 to 4 on a card
CARDS = len(KINDS) * BEANS
MOST_CARDS = 96  # in the deck
SQUARES = 9  # of garden and portrait, row by row from the top left
SIDE = 3
REFILL = 3  # replenishment spaces
LOOKED_AT = 6  # cards that an arcade card shows

BENEDICT = 14  # its value; abbot cards have 1 to 13
VALUES = BENEDICT + 1
Condition = Literal["low", "high", "odd", "even"]
CONDITIONS = get_args(Condition)
LOW, HIGH, ODD, EVEN = range(4)
FACES = 4  # of the cards Ora et Labora
REMOVED = -1  # the pawn on Ora et Labora

MISSION_NAMES = tuple(f"mission{n}" for n in range(1, 17))
AREAS = 3  # of a mission: the purple one, and up to two others
Returned = Literal["lowest", "highest"]  # the card that a corner card brings back
LOWEST, HIGHEST = range(2)
CORNER_NAMES = tuple(f"corner{n}" for n in range(1, ROUNDS + 1))
LEVELS = ("novice", "prior", "abbot")
PILES = ("low", "high")  # of Henricus
LOW_PILE, HIGH_PILE = range(len(PILES))

# What an arcade card does; the last two are mandatory.
Effect = Literal["none", "discard", "look", "refill", "swap", "exchange", "move", "line", "remove", "draw", "nothing"]
EFFECTS = get_args(Effect)
NO_EFFECT, FROM_DISCARD, LOOK, FROM_REFILL, SWAP, EXCHANGE, MOVE, OTHER_LINE, REMOVE, DRAW, NOTHING = range(
    len(EFFECTS)
)
ORDINARY, PALMS = 3, 2  # arcade cards of a round

# --- where everything lies --------------------------------------------------------------------------------------------

# Points by source: where a player's points came from.
SOURCES = ("garden", "lines", "mission", "corners", "benedicts", "distance")
FROM_GARDEN, FROM_LINES, FROM_MISSION, FROM_CORNERS, FROM_BENEDICTS, FROM_DISTANCE = range(len(SOURCES))

SOURCE_LINE, SOURCE_REFILL, SOURCE_DISCARD = range(3)

OPTION = np.dtype(
    [
        ("thing", np.int8),
        ("act", np.int8),  # 1, or 0 for a pass
        ("square", np.int8),
        ("source", np.int8),  # line, replenishment row or discard pile
        # square of garden or portrait, replenishment space, place in the discard pile, line or seat
        ("other", np.int32),
    ],
    align=True,
)
MOST_OPTIONS = 64

STATE = state_dtype(
    SEATS,
    # Where the game stands.
    ("this_round", np.int64),  # 0–3
    ("this_phase", np.int64),  # 0–3
    ("stage", np.int64),  # of the phase, turns.py
    ("event", np.int64),  # the last event worth telling, index into turns.EVENTS
    ("turn", np.int64),  # count within a stage
    ("sitting", np.int64),  # players, and Henricus
    ("starting", np.int64),  # seat that starts the phase
    # Players.
    ("hand", np.int64, (SEATS,)),  # bit set of the values 1–13
    ("benedicts", np.int64, (SEATS,)),  # in hand; of Henricus: in his high pile
    ("low_benedicts", np.int64),  # in Henricus' low pile
    ("played", np.int64, (SEATS,)),  # value of the card of this phase, or NONE
    ("lost", np.int64, (SEATS,)),  # own discard pile: bit set of values
    ("lost_benedicts", np.int64, (SEATS,)),
    ("room", np.int64, (SEATS,)),  # own cards in the Chapter Room: bit set of values
    ("room_benedicts", np.int64, (SEATS,)),
    ("met", np.int64, (SEATS,)),  # square of the pawn on Ora et Labora, or REMOVED
    ("general", np.int64),  # position on the bean track
    ("abbot", np.int64, (SEATS,)),  # positions there
    ("portrait", np.int8, (SEATS, SQUARES)),  # card on top of each square, or NONE
    ("mission", np.int8, (SEATS,)),  # or NONE
    ("mission_order", np.int8, (len(MISSION_NAMES),)),  # as they are dealt, `choice` to each player
    ("choice", np.int64),
    ("starting_card", np.int8, (SEATS,)),  # without the points card; or NONE
    ("corner_vp", np.int64, (SEATS,)),
    ("corner_owner", np.int8, (ROUNDS,)),  # seat or NONE
    ("dealt_corner", np.int8, (SEATS,)),  # by a study, or NONE
    ("henricus", np.int64, (CARDS,)),  # his garden cards
    ("solo_step", np.int64),  # place of his pawn on the solo card, from the top
    ("top", np.int64, (len(PILES),)),  # value on top of each of his piles, counted there too; or NONE
    ("turned", np.int64, (len(PILES),)),  # how many have come to lie there so far
    # Boards.
    ("points_card", np.int8, (4,)),  # garden cards on Primus, Secundus, Tertius, aequalis, or NONE
    ("vp_of", np.int64, (len(KINDS),)),  # points of a card of each kind
    ("garden", np.int8, (SQUARES,)),  # or NONE
    ("refill", np.int8, (REFILL,)),  # or NONE
    ("arcade", np.int8, (ROUNDS * GARDEN_PHASES,)),  # index into EFFECTS, in the order of the game
    # The pile: cards on top that somebody has looked at; below them what is left, in no order.
    ("known", np.int8, (LOOKED_AT,)),  # from the top
    ("known_left", np.int64),
    ("looker", np.int64),  # who knows them
    ("pile", np.int64, (CARDS,)),
    ("pile_left", np.int64),
    ("drawn", np.int64),  # cards drawn so far
    ("discard", np.int8, (MOST_CARDS,)),  # the last one is on top
    ("discarded", np.int64),
    # The phase that is being played.
    ("effect", np.int64),  # of the arcade card, index into EFFECTS
    ("taking", np.int64),  # line where cards are taken, index into components.line
    ("ranking", np.int64, (SEATS,)),  # seats in the order of taking: those who played, then the others
    ("ranked", np.int64),  # how many played
    ("card", np.int64),  # drawn and not yet placed, or NONE
    ("slots", np.int64),  # bit set of replenishment spaces that have been exchanged, or of dealt places
    # What has been done, for the count at the end.
    ("points", np.int64, (SEATS, len(SOURCES))),
    ("score", np.int64, (SEATS,)),
    ("distance", np.int64, (SEATS,)),
    ("halved", np.int64, (SEATS,)),
    ("empty", np.int64, (SEATS,)),
    ("won", np.int64, (SEATS,)),  # phases
    ("place_at", np.int8, (SEATS, ROUNDS * PHASES)),  # place in the order of taking
    ("first_at", np.int8, (SEATS, ROUNDS)),  # place in the order of playing in the first phase of each round
    ("used", np.int8, (SEATS, len(EFFECTS))),  # arcade actions
    ("overbuilt", np.int64, (SEATS,)),
    ("blind", np.int64, (SEATS,)),
    ("earned", np.int64, (SEATS,)),  # Benedict cards
    ("benedicts_played", np.int64, (SEATS,)),
    ("repeated", np.int64, (SEATS,)),  # values played again because all others were barred
    ("without_card", np.int64, (SEATS,)),  # phases
)

# What `imagine` may redraw beside the keys, by change of the components: what a player can't see.
_HELD, _PILE = ("mission", "mission_order"), ("starting_card", "known", "known_left", "pile", "pile_left")
HIDDEN = {
    "": _HELD + _PILE,
    "rules.missions_secret=false": _PILE,
    "rules.henricus_piles=face_down": (*_HELD, *_PILE, "top"),
}

# --- what is counted, for each seat -----------------------------------------------------------------------------------

ORDINALS = ("first", "second", "third", "fourth")
PLACE_NAMES = tuple(f"taking_{ordinal}" for ordinal in ORDINALS)
NUMBERS, counts = counted(
    points=SOURCES,
    phases_won=None,
    distance=None,
    halved=None,
    empty=None,
    overbuilt=None,
    blind=None,
    benedicts_earned=None,
    benedicts_played=None,
    forced_duplicate=None,
    without_card=None,
    kind=("primus", "secundus", "tertius"),
    action=EFFECTS[1:],
    corner=range(1, ROUNDS + 1),
)
CATEGORIES = {
    "mission": MISSION_NAMES,
    **{f"corner.round{r + 1}": CORNER_NAMES for r in range(ROUNDS)},
    "corner.dealt": CORNER_NAMES,
    **{f"place.phase{r + 1}.{p + 1}": PLACE_NAMES for r in range(ROUNDS) for p in range(PHASES)},
    **{f"start.round{r + 1}": ORDINALS for r in range(ROUNDS)},
}
OUTCOME = outcome_dtype(SEATS, NUMBERS, CATEGORIES)
