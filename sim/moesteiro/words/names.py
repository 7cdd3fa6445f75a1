"""What is printed and what is chosen in Moesteiro, in words: made from a record's lines alone (docs/record.md)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sim.words.wording import KEPT, joined

Values = dict[str, Any]

MATERIALS = ("wood", "stone", "lintel", "column")
TILES = ("stonework", "glass")
AREAS = {
    "forest": "forest",
    "village": "village",
    "quarry": "quarry",
    "crane": "construction site",
    "window": "stained glass window",
}
KINGS = {
    "joao_i": "João I",
    "afonso_v": "Afonso V",
    "duarte": "Duarte",
    "joao_ii": "João II",
    "joao_iii": "João III",
    "manuel_i": "Manuel I",
}
TRACKS = ("food", "labour", "construction")
NO_PLURAL = ("wood", "stonework", "glass")
QUESTIONS = {
    "tracks": "On which tracks do you move one step?",
    "king": "Which King supports you this round?",
    "gift": "Which piece does your King give you?",
    "place": "Which die do you place, and in which area?",
    "forest": "Forest and fields: what do you take for the pips of this die?",
    "village": "Village: which tile do you build?",
    "quarry": "Quarry: which pieces do you take for the pips of this die?",
    "crane": "Construction site: do you take what the slot of this die gives?",
    "window": "Stained glass window: which tile do you take?",
    "space": "On which space of the village does the tile go?",
    "pick": "Which tile of the display does the village space give you?",
    "unused": "Do you take labour steps for the pips that are left?",
    "purchase": "End of the construction track: do you buy something before building?",
    "build": "Which construction tile do you help to build?",
    "materials": "What do you put on the construction tile?",
    "discard": "Which tile do you give up for the icon?",
}


def count(number: int, thing: str) -> str:
    """Return a number of things: "2 lintels"; wood and tiles have no plural."""
    return f"{number} {thing}" if number == 1 or thing in NO_PLURAL else f"{number} {thing}s"


def goods(held: Values, names: Iterable[str] = MATERIALS) -> list[str]:
    """Return what there is of each material: ["1 wood", "2 stones"]."""
    return [count(held[name], name) for name in names if held.get(name)]


def steps(number: int, track: str) -> str:
    """Return "2 labour steps"."""
    return count(number, f"{track} step")


def die(what: Sequence[Any]) -> str:
    """Return "worker 3"."""
    return f"{what[0]} {what[1]}"


def short(what: Sequence[Any]) -> str:
    """Return "W3"."""
    return f"{what[0][0].upper()}{what[1]}"


def tile_of(kind: str, tile: int) -> str:
    """Return "stonework 2": a tile with its number among its like."""
    return f"{kind} {tile}"


def king(printed: Values, name: str) -> str:
    """Return a King with his order number and power."""
    power = printed["kings"][name]
    gives = king_gives(printed, name)
    return f"{KINGS[name]} (number {power['number']}; {', '.join(gives) or 'no power'})"


def king_gives(printed: Values, name: str) -> list[str]:
    """Return the parts of a King's power."""
    power = printed["kings"][name]
    gives = [steps(power[track], track) for track in ("labour", "construction") if power[track]]
    gives += [count(power["vp"], "point")] if power["vp"] else []
    gives += [count(power["stone"], "stone")] if power["stone"] else []
    gives += [f"{count(power['gift'], 'piece')}, lintel or column"] if power["gift"] else []
    return gives + ["builds first"] * bool(power["builds_first"])


def village_price(printed: Values, tile: int) -> str:
    """Return what a village tile costs: "1 wood, 2 pips"."""
    cost = printed["village"]["tiles"][tile - 1]
    return ", ".join([*goods(cost), *([count(cost["pips"], "pip")] if cost["pips"] else [])]) or "free"


def space_gives(printed: Values, row: int, space: int) -> str:
    """Return what a village space gives: "5 points and 1 construction step"."""
    there = printed["village"]["spaces"][row - 1][space - 1]
    bonus = there["bonus"]
    gives = [count(there["vp"], "point")]
    if bonus in TRACKS:
        gives.append(steps(1, bonus))
    elif bonus in TILES:
        gives.append(f"a {bonus} tile")
    elif bonus != "none":
        gives.append(count(1, bonus))
    return joined(gives)


def section(printed: Values, tile: str) -> Values:
    """Return what is printed on a construction tile."""
    found: Values = printed["construction"][tile[0]][int(tile[1:]) - 1]
    return found


def section_asks(printed: Values, tile: str) -> str:
    """Return what a construction tile asks for: "1 wood, 1 lintel, 1 food step back"."""
    what = section(printed, tile)
    asks = goods(what)
    asks += [f"{steps(what[track], track)} back" for track in ("food", "labour") if what[track]]
    asks += [f"{what[kind]} {kind} tile{'s' * (what[kind] > 1)}" for kind in TILES if what[kind]]
    return ", ".join(asks) or "nothing"


def section_card(printed: Values, tile: str) -> str:
    """Return a construction tile in words: points, steps and what it asks for."""
    what = section(printed, tile)
    return f"{count(what['vp'], 'point')}; {count(what['steps'], 'step')} down; {section_asks(printed, tile)}"


def crane_gives(printed: Values, slot: int, tile: int | None) -> list[str]:
    """Return what a slot of the crane gives."""
    gives = [] if tile is None else [tile_of("stonework", tile)]
    if printed["crane"]["steps"][slot - 1]:
        gives.append(steps(printed["crane"]["steps"][slot - 1], "construction"))
    if slot == len(printed["crane"]["steps"]) and printed["crane"]["last_wood"]:
        gives.append(count(printed["crane"]["last_wood"], "wood"))
    return gives


def on_show(printed: Values, shown: Values) -> list[str]:
    """Return the displays with prices and points."""
    village = [f"tile {tile} ({village_price(printed, tile)})" for tile in shown["village"] if tile is not None]
    crane = [
        f"slot {slot}: {', '.join(crane_gives(printed, slot, tile)).replace('construction ', '') or 'nothing'}"
        for slot, tile in enumerate(shown["crane"], 1)
    ]
    window = [
        f"place {place} ({count(cost, 'pip')}): {'empty' if tile is None else tile_of('glass', tile)}"
        for place, (tile, cost) in enumerate(zip(shown["window"], printed["window"]["pips"]), 1)
    ]
    village, crane, window = ([item.replace(" ", KEPT) for item in items] for items in (village, crane, window))
    site = [f"  Construction tile {tile}: {section_card(printed, tile)}" for tile in shown["site"] if tile is not None]
    return [
        f"  Village: {'; '.join(village) or 'no tile is left'}",
        f"  Crane, with construction steps: {'; '.join(crane)}",
        f"  Window: {'; '.join(window)}",
        *site,
    ]


def pips(chosen: Values) -> str:
    """Return the end of an action: what is bought or left over."""
    if chosen["bought"]:
        return f", buying {count(chosen['bought'], 'pip')} with labour"
    return f", leaving {count(chosen['left'], 'pip')}" if chosen["left"] else ""


def question(asks: str) -> str:
    """Return what a kind of decision asks, for a person who plays."""
    return QUESTIONS[asks]


def option(printed: Values, asks: str, chosen: Values) -> str:
    """Return an option in words, with what it costs and gives as far as that follows from what is printed.

    Args:
        printed: every number, from the first line of a record. asks: the kind of decision. chosen: the option.
    """
    if "pass" in chosen:
        passes = f"pass: {steps(chosen['pass'], 'labour')}" if chosen["pass"] else "pass"
        return f"{passes} (no free space for {die(chosen['die'])})" if asks == "place" else passes
    if asks == "crane":
        gives = joined(crane_gives(printed, chosen["slot"], chosen["tile"]))
        return f"slot {chosen['slot']}: {gives}{' (the tile is gone)' * (chosen['tile'] is None)}"
    return OPTIONS[asks](printed, chosen)


def _forest(printed: Values, chosen: Values) -> str:
    food = [steps(chosen["food"], "food")] if chosen["food"] else []
    return joined([*goods(chosen, ["wood"]), *food]) + pips(chosen)


def _village(printed: Values, chosen: Values) -> str:
    return f"village tile {chosen['tile']} ({village_price(printed, chosen['tile'])}){pips(chosen)}"


def _window(printed: Values, chosen: Values) -> str:
    costs, place = printed["window"]["pips"], chosen["place"]
    # With the other reading the price depends on the tiles below, which an option doesn't tell.
    price = f" ({count(costs[place - 1], 'pip')})" if printed["rules"]["window_cost"] == "printed" else ""
    food = printed["window"]["top_food"] if place == len(costs) else 0
    bonus = f" and {steps(food, 'food')}" if food else ""
    return f"{tile_of('glass', chosen['tile'])} from place {place}{price}{bonus}{pips(chosen)}"


def _purchase(printed: Values, chosen: Values) -> str:
    if chosen["buy"] is None:
        return "buy nothing"
    thing = f"a {chosen['buy']} tile" if chosen["buy"] in TILES else count(1, chosen["buy"])
    return f"{thing} for {steps(chosen['labour'], 'labour')}"


def _build(printed: Values, chosen: Values) -> str:
    return (
        "build nothing"
        if chosen["tile"] is None
        else f"construction tile {chosen['tile']} ({section_card(printed, chosen['tile'])})"
    )


def _materials(printed: Values, chosen: Values) -> str:
    put = joined(goods(chosen))
    if chosen["completes"]:
        return f"{put}: the tile is complete"
    vp = printed["construction"]["unfinished_vp"] * sum(chosen[name] for name in MATERIALS)
    return f"{put}: the tile stays incomplete, {count(vp, 'point')}"


OPTIONS: dict[str, Callable[[Values, Values], str]] = {
    "tracks": lambda printed, chosen: f"1 step on {joined(chosen['tracks'])}",
    "king": lambda printed, chosen: king(printed, chosen["king"]),
    "gift": lambda printed, chosen: count(1, chosen["piece"]),
    "place": lambda printed, chosen: f"{die(chosen['die'])} to the {AREAS[chosen['area']]}, space {chosen['space']}",
    "forest": _forest,
    "village": _village,
    "quarry": lambda printed, chosen: joined(goods(chosen)) + pips(chosen),
    "window": _window,
    "space": lambda printed, chosen: (
        f"row {chosen['row']}, space {chosen['space']}: {space_gives(printed, chosen['row'], chosen['space'])}"
    ),
    "pick": lambda printed, chosen: f"the tile of kind {chosen['tile']} from place {chosen['slot']}",
    "unused": lambda printed, chosen: steps(chosen["steps"], "labour") if chosen["steps"] else "no labour step",
    "purchase": _purchase,
    "build": _build,
    "materials": _materials,
    "discard": lambda printed, chosen: tile_of(chosen["icon"], chosen["tile"]),
}
