"""A position, the options and the chance of Moesteiro as plain data: docs/record.md."""

from functools import cache
from types import SimpleNamespace
from typing import Any

from sim.compiled import in_python
from sim.moesteiro import dice, purse
from sim.moesteiro.ask import ASKS
from sim.moesteiro.state import AREAS, CONSTRUCTION_TILES, KINGS, NONE, PURCHASES, STONEWORK_KINDS, TRACKS
from sim.moesteiro.turns import ACT, BEGIN, EVENTS, OVER, PICK, SCORE, SPACE, UNUSED
from sim.words.describe import ending, seen

__all__ = ["chance", "ending", "opening", "options", "phase", "position", "seen", "view"]

Values = dict[str, Any]
Die = tuple[str, int]

SETS = "ab"
key_at, owner_at = in_python(dice.key_at), in_python(dice.owner_at)
is_worker, pips = in_python(dice.is_worker), in_python(dice.pips)
amount = in_python(purse.amount)


def phase(state: SimpleNamespace) -> str:
    """Return the name of the phase that has just ended."""
    return EVENTS[state.event]


@cache
def die(key: int) -> Die:
    """Return the kind and the value of a die."""
    return ("master", "worker")[is_worker(key)], pips(key)


@cache
def listed(row: int, n: int) -> tuple[tuple[str, int, int], ...]:
    """Return the dice of a row, from the left: kind, value, player (0: nobody)."""
    owners = ((owner_at(row, place) + 1) % (dice.NEUTRAL + 1) for place in range(n))
    return tuple((*die(key_at(row, place)), owner) for place, owner in enumerate(owners))


@cache
def materials(held: int) -> Values:
    """Return the materials of a purse by name."""
    return {name: amount(held, material) for material, name in enumerate(purse.MATERIALS)}


def tile_name(tile: int) -> str | None:
    """Return the set and the number of a construction tile."""
    return None if tile == NONE else f"{SETS[tile // CONSTRUCTION_TILES]}{tile % CONSTRUCTION_TILES + 1}"


def kind(tile: int) -> int | None:
    """Return the kind of a stonework or stained glass tile among its like, from 1."""
    return None if tile == NONE else tile % STONEWORK_KINDS + 1


def by_kind(printed: Values, tiles: list[int]) -> dict[str, list[int]]:
    """Return numbers of tiles by kind, for stonework and glass."""
    return {
        "stonework": tiles[: printed["stonework"]["kinds"]],
        "glass": tiles[STONEWORK_KINDS : STONEWORK_KINDS + printed["glass"]["kinds"]],
    }


def areas(state: SimpleNamespace) -> Values:
    """Return the dice of each area; None where a player's die has acted."""
    acting = state.phase in (ACT, SPACE, PICK, UNUSED)
    found: Values = {}
    for area, name in enumerate(AREAS):
        row: list[Any] = list(listed(state.row[area], state.dice[area]))
        if acting and area <= state.area:
            waiting = area == state.area and state.turn < len(row)
            row = [d if place >= state.turn or not d[2] else None for place, d in enumerate(row)] if waiting else []
        elif state.phase > ACT and not acting:
            row = []
        found[name] = row
    return found


def displays(printed: Values, state: SimpleNamespace) -> Values:
    """Return the village tiles, stonework, construction tiles and stained glass on show."""
    return {
        "village": [None if tile == NONE else tile + 1 for tile in state.village[: printed["village"]["on_show"]]],
        "crane": [kind(tile) for tile in state.crane[: len(printed["crane"]["steps"])]],
        "site": [tile_name(tile) for tile in state.site[: printed["construction"]["on_show"]]],
        "window": [kind(tile) for tile in state.window[: len(printed["window"]["pips"])]],
    }


def position(printed: Values, state: SimpleNamespace) -> Values:
    """Return everything that lies on the table.

    Args:
        printed: the values of the components. state: the game's record, as ints and lists.
    """
    seats = range(state.players)
    rows, spaces = len(printed["village"]["spaces"]), len(printed["village"]["spaces"][0])
    built = [0 if owner == NONE else owner + 1 for owner in state.space_owner[: rows * spaces]]
    pile = by_kind(printed, state.pile)
    return {
        "round": max(state.this_round + (state.phase not in (BEGIN, SCORE, OVER)), 1),
        "players": [
            {
                "score": state.score[seat],
                **materials(state.purse[seat]),
                "food": state.food[seat],
                "labour": state.labour[seat],
                "construction": state.construction[seat],
                **by_kind(printed, state.tiles[seat]),
                "king": None if state.king[seat] == NONE else KINGS[state.king[seat]],
                "hand": [d[:2] for d in listed(state.hand[seat], state.in_hand[seat])],
            }
            for seat in seats
        ],
        "labour_order": [
            seat + 1 for seat in sorted(seats, key=lambda seat: (state.labour[seat], -state.height[seat]))
        ],
        "areas": areas(state),
        "quarry": {"lintel": state.lintels, "column": state.columns},
        **displays(printed, state),
        "spaces": [built[row * spaces : (row + 1) * spaces] for row in range(rows)],
        "left": {
            "village": state.village_left,
            "construction": sum(state.site_left),
            **{name: sum(tiles) for name, tiles in pile.items()},
        },
        "discarded": by_kind(printed, state.discarded),
    }


def options(printed: Values, state: SimpleNamespace, offered: Any) -> list[Values]:
    """Return the options of a decision, each as a dict; offered: (n,) records."""
    ask = ASKS[state.asks]
    names = offered.dtype.names
    spaces = len(printed["village"]["spaces"][0])
    return [_option(ask, SimpleNamespace(**dict(zip(names, option))), state, spaces) for option in offered.tolist()]


def _option(ask: str, o: SimpleNamespace, state: SimpleNamespace, row_spaces: int) -> Values:
    if ask in AREAS:
        return _action(ask, o) if o.act else {"pass": o.steps}
    if ask == "place":
        where: Values = {"area": AREAS[o.thing], "space": o.space + 1} if o.act else {"pass": o.steps}
        return {"die": die(o.die), **where}
    if ask == "tracks":
        return {"tracks": [track for bit, track in enumerate(TRACKS) if o.thing >> bit & 1]}
    if ask == "king":
        return {"king": KINGS[o.thing]}
    if ask == "gift":
        return {"piece": purse.MATERIALS[o.thing]}
    if ask == "space":
        return {"row": o.space // row_spaces + 1, "space": o.space % row_spaces + 1}
    if ask == "unused":
        return {"steps": o.steps}
    if ask == "pick":
        return {"slot": o.space + 1, "tile": kind(o.thing)}
    if ask == "purchase":
        return {"buy": PURCHASES[o.thing], "labour": -o.steps} if o.act else {"buy": None}
    if ask == "build":
        return {"tile": tile_name(o.thing) if o.act else None}
    if ask == "materials":
        return {**materials(o.goods), "completes": bool(o.act)}
    return {"icon": "stonework" if o.thing < STONEWORK_KINDS else "glass", "tile": kind(o.thing)}


def _action(area: str, o: SimpleNamespace) -> Values:
    pips = {"bought": o.bought, "left": o.left}
    if area == "forest":
        return {"wood": amount(o.goods, purse.WOOD), "food": o.food, **pips}
    if area == "village":
        return {"tile": o.thing + 1, **pips}
    if area == "quarry":
        gained = materials(o.goods)
        return {**{name: gained[name] for name in purse.MATERIALS[purse.STONE :]}, **pips}
    if area == "crane":
        return {"slot": o.space + 1, "tile": kind(o.thing)}
    return {"place": o.space + 1, "tile": kind(o.thing), **pips}


def chance(printed: Values, before: SimpleNamespace, after: SimpleNamespace, event: str) -> list[Values]:
    """Return what has happened by chance between two states: after the event of that name, or, without one, up to or
    after a choice."""
    if event == "roll":
        dice_of = [[d[:2] for d in listed(after.hand[seat], after.in_hand[seat])] for seat in range(after.players)]
        neutral = {name: [d[1] for d in listed(after.row[area], after.dice[area])] for area, name in enumerate(AREAS)}
        return [{"what": "roll", "dice": dice_of, "neutral": neutral}]
    if event == "displays":
        return [{"what": "displays", **displays(printed, after)}]
    if event or sum(before.pile) + sum(before.discarded) == sum(after.pile) + sum(after.discarded):
        return []
    seat = before.player
    drawn = [tile for tile, held in enumerate(before.tiles[seat]) if after.tiles[seat][tile] > held]
    return [
        {"what": "draw", "player": seat + 1, "tile": (("stonework", "glass")[t >= STONEWORK_KINDS], kind(t))}
        for t in drawn
    ]


def opening(printed: Values, state: SimpleNamespace) -> list[Values]:
    """Return the lines of the record after the first one, before the game goes on."""
    return [{"event": "phase", "phase": "setup", "position": position(printed, state)}]


def view(printed: Values, state: SimpleNamespace, seat: int) -> Values:
    """Return a position as the player in a seat (from 0) sees it: here nothing is hidden."""
    return position(printed, state)
