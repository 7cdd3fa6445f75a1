"""The records of Moesteiro: where everything lies, what can be chosen, what is counted."""

from typing import Literal, get_args

import numpy as np

from sim.contract import counted, outcome_dtype, state_dtype
from sim.moesteiro.purse import MATERIALS

SEATS = 4
ROUNDS = 5
KINGS = ("joao_i", "afonso_v", "duarte", "joao_ii", "joao_iii", "manuel_i")
AREAS = ("forest", "village", "quarry", "crane", "window")
FOREST, VILLAGE, QUARRY, CRANE, WINDOW = range(5)
TRACKS = ("food", "labour", "construction")
FOOD, LABOUR, CONSTRUCTION = range(3)

NONE = 127  # "nothing here" in every array of indices: beyond them all, so that a checked run catches its use
LAST = 1 << 50  # among the keys of an order: behind every seat in use

MOST_ROWS, MOST_SPACES = 5, 5  # village: rows, spaces in a row
VILLAGE_TILES, CONSTRUCTION_TILES = 24, 20
STONEWORK_KINDS, GLASS_KINDS = 4, 4  # the most of each; a tile's kind is 0–3 for stonework, 4–7 for stained glass
KINDS = STONEWORK_KINDS + GLASS_KINDS
MOST_DICE = 6  # in one hand, of one size
MOST_CRANE, MOST_WINDOW = 6, 5  # spaces of the areas IV and V
MOST_LABOUR = 15  # spaces of the labour track

# Bonuses of the village spaces, in the order of the rulebook's list.
Bonus = Literal["none", "wood", "stone", "lintel", "column", "food", "labour", "construction", "stonework", "glass"]
BONUSES = get_args(Bonus)
BONUS_WOOD, BONUS_FOOD, BONUS_LABOUR, BONUS_CONSTRUCTION, BONUS_STONEWORK, BONUS_GLASS = 1, 5, 6, 7, 8, 9
# Things that position 9 of the construction track can buy.
PURCHASES = (*MATERIALS, "stonework", "glass")

# --- where everything lies --------------------------------------------------------------------------------------------

# Points by source: where a player's points came from.
SOURCES = ("kings", "village", "food", "building", "unfinished", "labour", "sets", "track", "start")
FROM_KINGS, FROM_VILLAGE, FROM_FOOD, FROM_BUILDING, FROM_UNFINISHED, FROM_LABOUR, FROM_SETS, FROM_TRACK, FROM_START = (
    range(len(SOURCES))
)


OPTION = np.dtype(
    [
        ("goods", np.int64),  # purse: what is taken, paid or put in
        ("thing", np.int8),
        ("act", np.int8),  # 1, or 0 for a pass
        ("die", np.int8),  # key of the die (dice.py)
        ("space", np.int8),  # place on a display, in a row of dice or in the village
        ("bought", np.int8),  # pips bought with labour steps
        ("food", np.int8),  # food steps
        ("steps", np.int8),  # labour steps gained; those paid are negative
        ("left", np.int8),  # pips of the die that the action leaves unused
    ],
    align=True,
)
MOST_OPTIONS = 256

STATE = state_dtype(
    SEATS,
    # Where the round stands.
    ("this_round", np.int64),  # 0–4 (a field named "round" would be hidden by NumPy with the JIT off)
    ("phase", np.int64),  # turns.py
    ("event", np.int64),  # the last event worth telling, index into turns.EVENTS
    ("turn", np.int64),  # count within a phase
    ("area", np.int64),
    ("keys", np.int64, (SEATS,)),  # what the seats are being ordered by
    ("order", np.int64, (SEATS,)),  # seats in the turn order of this round (of labour while Kings are chosen)
    # Players.
    ("purse", np.int64, (SEATS,)),
    ("food", np.int64, (SEATS,)),
    ("labour", np.int64, (SEATS,)),
    ("height", np.int64, (SEATS,)),  # on one space of the labour track the higher lies on top
    ("arrivals", np.int64),
    ("construction", np.int64, (SEATS,)),
    ("score", np.int64, (SEATS,)),
    ("points", np.int64, (SEATS, len(SOURCES))),
    ("tiles", np.int64, (SEATS, KINDS)),
    ("hand", np.int64, (SEATS,)),  # row of dice not yet placed
    ("in_hand", np.int64, (SEATS,)),
    ("king", np.int64, (SEATS,)),  # of this round, or NONE
    ("taken", np.int64),  # bit set of Kings
    # Board.
    ("row", np.int64, (len(AREAS),)),  # dice of each area
    ("dice", np.int64, (len(AREAS),)),  # how many
    ("lintels", np.int64),
    ("columns", np.int64),
    ("village", np.int8, (8,)),  # tiles on show, or NONE
    ("crane", np.int8, (8,)),  # kinds of the stonework tiles above the slots, or NONE
    ("window", np.int8, (8,)),  # kinds of the stained glass tiles from the bottom, or NONE
    ("site", np.int8, (8,)),  # construction tiles on show (0–39), or NONE
    # Piles: what is left, in no order; what comes next is drawn when it is turned up.
    ("pile", np.int64, (KINDS,)),  # stonework and glass, by kind
    ("discarded", np.int64, (KINDS,)),
    ("village_pile", np.int8, (VILLAGE_TILES,)),
    ("village_left", np.int64),
    ("site_pile", np.int8, (CONSTRUCTION_TILES,)),  # numbers less one
    ("site_left", np.int64, (2,)),  # by level
    # The action that is being carried out.
    ("value", np.int64),  # pips of the acting die
    ("unused", np.int64),
    ("chosen", np.int64),  # village or construction tile
    ("due", np.int64),  # points for the construction tile, once all its icons are paid; for an incomplete tile negative
    # stonework and stained glass tiles still to discard; [0]: pieces of a King's gift still to take
    ("owed", np.int64, (2,)),
    # What has been done, for the count at the end.
    ("space_owner", np.int8, (MOST_ROWS * MOST_SPACES,)),  # seat or NONE
    ("space_tile", np.int8, (MOST_ROWS * MOST_SPACES,)),  # village tile that lies there
    ("builder", np.int8, (2 * CONSTRUCTION_TILES,)),  # seat, + 4 when left incomplete, or NONE
    ("placed", np.int8, (SEATS, len(AREAS))),
    ("passed", np.int8, (SEATS, len(AREAS))),
    ("purchased", np.int8, (SEATS, len(PURCHASES))),
    ("pips_bought", np.int64, (SEATS,)),
    ("kings", np.int8, (SEATS, ROUNDS)),
    ("chose_at", np.int8, (SEATS, ROUNDS)),  # place in the King choice, from 0
    ("turn_at", np.int8, (SEATS, ROUNDS)),  # place in the turn order, from 0
    ("after", np.int64, (SEATS, ROUNDS)),  # score after each round
)

# --- what is counted, for each seat -----------------------------------------------------------------------------------

ORDINALS = ("first", "second", "third", "fourth")
SITES = tuple(f"{letter}{n + 1}" for letter in "ab" for n in range(CONSTRUCTION_TILES))
NUMBERS, counts = counted(
    points=SOURCES,
    after=[f"round{r + 1}" for r in range(ROUNDS)],
    dice=AREAS,
    passes=AREAS,
    pips_bought=None,
    purchase=PURCHASES,
    village_tile=range(1, VILLAGE_TILES + 1),
    village_space=[f"{row + 1}.{space + 1}" for row in range(MOST_ROWS) for space in range(MOST_SPACES)],
    completed=SITES,
    unfinished=SITES,
)
CATEGORIES = {
    **{f"king.round{r + 1}": KINGS for r in range(ROUNDS)},
    **{f"king_choice.round{r + 1}": ORDINALS for r in range(ROUNDS)},
    **{f"turn_order.round{r + 1}": ORDINALS for r in range(ROUNDS)},
}
OUTCOME = outcome_dtype(SEATS, NUMBERS, CATEGORIES)
