"""The kinds of decisions of Moesteiro: what they ask, and which option field answers."""

# In the order of state.asks.
ASKS = (
    "tracks",  # thing: set of tracks, bit by bit
    "king",  # thing: King
    "gift",  # thing: lintel or column
    "place",  # thing: area; die, space: where it would lie
    "forest",  # act or pass (steps); act: goods, food, bought
    "village",  # act or pass; act: thing = village tile, space = where it lies on show, goods to pay, bought
    "space",  # space: village space
    "quarry",  # act or pass; act: goods, bought
    "crane",  # act or pass; act: thing = kind of the tile or NONE, food unused
    "window",  # act or pass; act: thing = kind, space, bought
    "unused",  # steps: labour steps for unused pips
    "pick",  # thing: kind, space: stonework or glass tile taken from the display (a switch)
    "purchase",  # act or not; thing: index into PURCHASES, steps: labour paid
    "build",  # act or not; thing: construction tile (0–39), space: where it lies
    "materials",  # goods put in; act: 1 if they complete the tile
    "discard",  # thing: kind of the tile given up
)
(
    TRACKS, KING, GIFT, PLACE, FOREST, VILLAGE, SPACE, QUARRY, CRANE, WINDOW,
    UNUSED, PICK, PURCHASE, BUILD, MATERIALS, DISCARD,
) = range(len(ASKS))  # fmt: skip
