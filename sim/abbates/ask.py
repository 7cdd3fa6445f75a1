"""The kinds of decisions of Abbates: what they ask, and which option field answers."""

# In the order of state.asks.
ASKS = (
    "mission",  # thing: mission
    "abbot",  # thing: value of the card played
    "look",  # act or not: look at the cards on top of the pile
    "order",  # thing: garden card that comes next
    "swap",  # act or not; square: of the portrait, other: replenishment space
    "exchange",  # act or not; square: of the garden, other: replenishment space
    "move",  # act or not; square, other: of the portrait
    "line",  # act or not; other: line where all take, index into components.line
    "remove",  # act or not; thing: value, other: seat whose card leaves the Chapter Room
    "take",  # thing: garden card, source and other: where it lies, square: of the portrait, where it goes
    "blind",  # thing: garden card from the pile, square: where it goes
    "corner",  # thing: corner card (only where a study deals them)
    "place",  # thing: place in the order of taking (only where a study deals them)
)
(
    MISSION, ABBOT, LOOK, ORDER, SWAP, EXCHANGE, MOVE, LINE, REMOVE, TAKE, BLIND, CORNER, PLACE,
) = range(len(ASKS))  # fmt: skip
