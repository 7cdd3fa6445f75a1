"""The table of Moesteiro as plain tables of words, from a position of a record (docs/record.md)."""

from collections.abc import Sequence
from typing import Any

from sim.moesteiro.words.names import (
    AREAS,
    KINGS,
    MATERIALS,
    TILES,
    TRACKS,
    count,
    goods,
    section,
    section_asks,
    tile_of,
    village_price,
)
from sim.words.board import BoardTable, label
from sim.words.wording import joined

Values = dict[str, Any]
Row = tuple[str, ...]

# Not after each area: an action is asked for one after another, and the words say what has come of it.
DRAWN_AFTER = ("setup", "begin", "roll", "kings", "displays", "placing", "building")
NOTHING = "·"
MOST_COLUMNS = 16  # spaces of a track that are drawn side by side
SHORT = {"worker": "W", "master": "M"}


def die(what: Sequence[Any]) -> str:
    """Return a die as it is drawn: "W3", or "M2(1)" where it matters whose it is."""
    owner = f"({what[2] or '–'})" if len(what) > 2 else ""
    return f"{SHORT[what[0]]}{what[1]}{owner}"


def by_kind(tiles: list[int]) -> str:
    """Return how many tiles there are of each kind: "1×2 3×1" are two of kind 1 and one of kind 3."""
    return " ".join(f"{kind}×{number}" for kind, number in enumerate(tiles, 1) if number) or NOTHING


def board(printed: Values, position: Values, names: Sequence[str]) -> list[BoardTable]:
    """Return everything that lies on the table.

    Args:
        printed: the values of the components. position: as a record has it. names: of the players, by seat.
    """
    # On a small terminal only the end is in sight: what is needed most comes last.
    sections = [
        _purchase(printed),
        _sets(printed),
        _piles(position),
        _quarry(printed, position),
        _village_spaces(printed, position),
        _village_tiles(printed, position),
        _window(printed, position),
        _site(printed, position),
        *_tracks(printed, position),
        _players(printed, position, names),
        _areas(printed, position),
    ]
    return [section for section in sections if section.rows]


def near(printed: Values, position: Values, asks: str) -> list[BoardTable]:
    """Return the part of the board that a kind of decision is about, if it changes between two decisions."""
    if asks == "place":
        return [_areas(printed, position)]
    return [_village_spaces(printed, position)] if asks == "village" else []


def summary(printed: Values, position: Values, seat: int, asks: str) -> str:
    """Return what a player (from 0) has, in one line, and with which die the player acts."""
    mine = position["players"][seat]
    tiles = [
        f"{tile_of(kind, n)}{f' (×{held})' * (held > 1)}"
        for kind in TILES
        for n, held in enumerate(mine[kind], 1)
        if held
    ]
    parts = [
        count(mine["score"], "point"),
        joined(goods(mine), "no goods"),
        ", ".join(f"{track} {mine[track]}" for track in TRACKS),
    ]
    parts += [", ".join(tiles)] if tiles else []
    parts += [f"King {KINGS[mine['king']]}"] if mine["king"] else []
    parts += [f"dice {' '.join(map(die, mine['hand']))}"] if mine["hand"] else []
    waiting = [(what, space) for space, what in enumerate(position["areas"].get(asks, []), 1) if what and what[2]]
    parts += [f"{die(what[:2])} on space {space} acts" for what, space in waiting[:1]]
    return "; ".join(parts)


def _players(printed: Values, position: Values, names: Sequence[str]) -> BoardTable:
    players = position["players"]
    rows = [("points", *(str(player["score"]) for player in players))]
    rows += [(name, *(str(player[name] or NOTHING) for player in players)) for name in MATERIALS]
    rows += [(name, *(by_kind(player[name]) for player in players)) for name in TILES]
    kings = [
        f"{printed['kings'][king]['number']} {KINGS[king]}" if king else NOTHING
        for king in (player["king"] for player in players)
    ]
    rows.append(("King", *kings))
    rows.append(("dice", *(" ".join(map(die, player["hand"])) or NOTHING for player in players)))
    headings = ("", *(label(seat, name) for seat, name in enumerate(names, 1)))
    return BoardTable(f"Round {position['round']}: the players", headings, tuple(rows))


def _tracks(printed: Values, position: Values) -> list[BoardTable]:
    """Return the three tracks side by side, long ones in pieces; what stands below a track belongs to its spaces."""
    tracks, players = printed["tracks"], position["players"]
    last = {
        "food": tracks["food"]["last"],
        "labour": len(tracks["labour"]["vp"]) - 1,
        "construction": tracks["construction"]["last"],
    }
    rows: list[Row] = []
    for track in TRACKS:
        standing: list[list[int]] = [[] for _ in range(last[track] + 1)]
        for seat in position["labour_order"] if track == "labour" else range(1, len(players) + 1):
            standing[players[seat - 1][track]].append(seat)
        rows.append((track, *("".join(f"({seat})" for seat in there) or NOTHING for there in standing)))
        if track == "food":
            most = len(printed["village"]["spaces"])
            rows.append(
                (
                    "  village row",
                    *(str(min(food // tracks["food"]["per_row"] + 1, most)) for food in range(last[track] + 1)),
                )
            )
        if track == "labour":
            rows.append(("  points", *map(str, tracks["labour"]["vp"])))
    spaces = max(last.values()) + 1
    found = []
    for first in range(0, spaces, MOST_COLUMNS):
        end = min(first + MOST_COLUMNS, spaces)
        pieces = [
            (row[0], *(row[1:][first:end]), *[""] * (end - max(first, len(row) - 1)))
            for row in rows
            if len(row) - 1 > first
        ]
        found.append(
            BoardTable("Tracks (labour: the top of a stack first)", ("", *map(str, range(first, end))), tuple(pieces))
        )
    return found


def _areas(printed: Values, position: Values) -> BoardTable:
    """Return the dice of each area, and below them what the space of a die changes."""
    closed = printed["areas"]["closed"][f"players{len(position['players'])}"]
    spaces = {area: printed["areas"]["spaces"][area] - closed[area] for area in AREAS}
    forest, crane = printed["forest"], printed["crane"]
    slots = len(crane["steps"])  # printed ones: some may be closed to dice
    gives = [
        str(crane["steps"][slot]) + " +wood" * (slot + 1 == slots) * bool(crane["last_wood"]) for slot in range(slots)
    ]
    below: dict[str, list[tuple[str, list[str]]]] = {
        "forest": [
            (
                "  pips a wood",
                [
                    str(forest["near_pips" if n < forest["near_spaces"] else "far_pips"])
                    for n in range(spaces["forest"])
                ],
            ),
            ("  pips a food step", [str(forest["food_pips"])] * spaces["forest"]),
        ],
        "crane": [
            ("  stonework", [NOTHING if tile is None else str(tile) for tile in position["crane"]]),
            ("  steps up", gives),
        ],
    }
    most = max(slots, *spaces.values())
    rows = []
    for area, name in AREAS.items():
        dice = ["done" if what is None else die(what) for what in position["areas"][area]]
        for head, cells in [(name, dice + [NOTHING] * (spaces[area] - len(dice))), *below.get(area, [])]:
            rows.append((head, *cells, *[""] * (most - len(cells))))
    return BoardTable("Areas (W worker, M master; whose)", ("", *map(str, range(1, most + 1))), tuple(rows))


def _site(printed: Values, position: Values) -> BoardTable:
    rows = []
    for tile in position["site"]:
        if tile is not None:
            what = section(printed, tile)
            rows.append((tile, str(what["vp"]), str(what["steps"]), section_asks(printed, tile)))
    return BoardTable("Construction tiles", ("tile", "points", "steps down", "asks for"), tuple(rows))


def _village_spaces(printed: Values, position: Values) -> BoardTable:
    spaces, per_row = printed["village"]["spaces"], printed["tracks"]["food"]["per_row"]
    rows = []
    for n, (row, owners) in enumerate(zip(spaces, position["spaces"])):
        bonuses = ["" if space["bonus"] == "none" else f" {space['bonus']}" for space in row]
        cells = [
            f"({owner})" if owner else f"{space['vp']}{bonus}" for space, owner, bonus in zip(row, owners, bonuses)
        ]
        rows.append((f"{n + 1} (food {n * per_row})", *cells))
    return BoardTable(
        "Village spaces (points and bonus, or whose)", ("row", *map(str, range(1, len(spaces[0]) + 1))), tuple(rows)
    )


def _village_tiles(printed: Values, position: Values) -> BoardTable:
    rows = [(str(tile), village_price(printed, tile)) for tile in position["village"] if tile is not None]
    return BoardTable("Village tiles", ("tile", "costs"), tuple(rows))


def _window(printed: Values, position: Values) -> BoardTable:
    pips, tiles, bonus = printed["window"]["pips"], position["window"], printed["window"]["top_food"]
    if printed["rules"]["window_cost"] == "uncovered":
        pips = [
            pips[0] + sum(pips[n] - pips[n - 1] for n in range(1, place + 1) if tiles[n - 1] is None)
            for place in range(len(pips))
        ]
    rows = [
        (str(place + 1), NOTHING if tiles[place] is None else str(tiles[place]), str(pips[place]))
        for place in reversed(range(len(pips)))
    ]
    if bonus:
        rows[0] = (*rows[0][:2], f"{rows[0][2]} +{bonus} food")
    return BoardTable("Stained glass", ("place", "glass", "pips"), tuple(rows))


def _quarry(printed: Values, position: Values) -> BoardTable:
    pieces = MATERIALS[1:]
    pips = tuple(str(printed["quarry"][f"{piece}_pips"]) for piece in pieces)
    return BoardTable(
        "Quarry",
        ("", *pieces),
        (("pips", *pips), ("there", *(str(position["quarry"].get(piece, "any")) for piece in pieces))),
    )


def _piles(position: Values) -> BoardTable:
    left, discarded = position["left"], position["discarded"]
    rows = [("left", *(str(left[pile]) for pile in left))]
    if any(any(tiles) for tiles in discarded.values()):
        rows.append(("given up", *(by_kind(discarded[pile]) if pile in discarded else "" for pile in left)))
    return BoardTable("Piles", ("", *left), tuple(rows))


def _purchase(printed: Values) -> BoardTable:
    sold = [thing for thing in printed["purchase"] if printed["rules"]["purchase_tiles"] or thing in MATERIALS]
    prices = tuple(str(printed["purchase"][thing]) for thing in sold)
    return BoardTable(
        f"For sale at construction {printed['tracks']['construction']['last']}",
        ("", *sold),
        (("labour steps", *prices),),
    )


def _sets(printed: Values) -> BoardTable:
    points = printed["sets"]["vp"]
    rows = (("points", *map(str, points)),)
    return BoardTable("Sets of different tiles", ("", *map(str, range(1, len(points) + 1))), rows)
