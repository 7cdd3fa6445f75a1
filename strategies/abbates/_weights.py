"""The weights of a plan: what they mean, where they stand in the array, and what they are unless a plan says
otherwise."""

import numpy as np

from sim.compiled import record_view

# Name → usual value, meaning. A weight is a number, or one for each round.
TABLE = {
    # Garden cards and the mission.
    "garden": (1.0, "factor on the points of garden cards, or of rows and columns"),
    "empty": (0.5, "a square that is filled, beyond the points of the card"),
    "own": (0.6, "a card of the kind of the starting card, where there is no points card"),
    "purple": (1.0, "factor on the points of the mission's purple area"),
    "halving": (2.0, "the whole mission, if it halves the minus points"),
    "hard": (
        1.3,
        "how far a missing square lowers the chance of an area, as a multiple of its part of the cards to come",
    ),
    # The bean track.
    "step": (0.8, "a step between abbot and general, as the game is likely to end"),
    "spread": (0.5, "steps that can still be made up for, for each garden card to come"),
    "white": (1.3, "white beans on the card that wins a phase, as a multiple of the mean of all"),
    # Abbot cards: what they win.
    "choice": (1.0, "factor on what an earlier choice of a garden card brings"),
    "action": (0.8, "an arcade action, beyond the cards that it adds"),
    "corner": (1.0, "factor on the points of a corner card"),
    "room": (0.4, "an own card in the Chapter Room, for each point that a corner card to come gives for it"),
    "rival": (0.5, "what others miss when one wins, as a part of it, divided by their number"),
    "bold": (
        1.0,
        "how likely those who play later are to play a higher card: 1 = any card of theirs, 2 = the higher of two",
    ),
    # And what they are kept for.
    "price": (2.0, "a card of the hand, by its value: so much for a 13"),
    "top": (1.0, "a card of the hand, by the square of the part of the others' cards that are lower"),
    "back": (0.5, "how likely a card comes back that would do so now"),
    "ora": (2.0, "a Benedict card, beyond its point at the end"),
    "doubt": (0.25, "how far each condition of the round still to be met lowers the chance of a Benedict card"),
    "start": (-0.2, "to start the next phase"),
}
USUAL = {name: value for name, (value, _) in TABLE.items()}
MEANING = {name: words for name, (_, words) in TABLE.items()}
COUNT = len(USUAL)
PLAN = np.dtype((np.record, np.dtype([(name, np.float64) for name in USUAL])))
named = record_view(PLAN)
