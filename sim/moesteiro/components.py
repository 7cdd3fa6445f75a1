"""From what is printed in Moesteiro to the engine's record."""

from typing import Any, get_args

from sim.compiled import in_python
from sim.moesteiro.model import Model, Rules
from sim.moesteiro.purse import MATERIALS, goods
from sim.moesteiro.state import AREAS, BONUSES, GLASS_KINDS, KINGS, PURCHASES, SEATS, STONEWORK_KINDS, SWITCHES
from sim.printed.model import TomlTable

# For each switch of the record the field under [rules] that sets it.
SWITCH_RULES = dict(zip(SWITCHES, (name for name in Rules.model_fields if name != "construction_set")))


def pack(model: Model, record: Any) -> None:
    """Fill one record of the game's COMPONENTS from the model.

    Args:
        model: checked components.
        record: overwritten.
    """
    for switch, rule in (*SWITCH_RULES.items(), ("construction_set", "construction_set")):
        record[switch] = _switch(model.rules, rule)
    record["master_faces"], record["worker_faces"] = model.dice.master, model.dice.worker
    for r, event in enumerate(model.rounds.events):
        record["workers"][r], record["masters"][r] = event.workers, event.masters
        record["round_goods"][r], record["round_tracks"][r] = _purse(event), event.tracks
    for n, king in enumerate(KINGS):
        _copy(record["king"][n], getattr(model.kings, king))
    for n in range(SEATS):
        seat = getattr(model.start, f"seat{n + 1}")
        _copy(record["start"][n], seat)
        record["start"]["purse"][n] = _purse(seat)
    _pack_areas(model, record)
    _pack_tracks(model, record)
    _pack_tiles(model, record)


def _switch(rules: Rules, name: str) -> int:
    value = getattr(rules, name)
    return int(value) if isinstance(value, bool) else get_args(Rules.model_fields[name].annotation).index(value)


def _purse(table: TomlTable) -> int:
    """Return the materials of a table as a purse; those that it has no field for are 0."""
    return in_python(goods)(*(getattr(table, material, 0) for material in MATERIALS))


def _copy(row: Any, table: TomlTable) -> None:
    """Copy the fields that a record's row and a table share."""
    for name in row.dtype.names:
        if hasattr(table, name):
            row[name] = getattr(table, name)


def _kinds(tiles: int, kinds: int, most: int) -> list[int]:
    """Return how many tiles of each kind there are: equal numbers, the first kinds one more where it does not
    divide."""
    return [tiles // kinds + (kind < tiles % kinds) if kind < kinds else 0 for kind in range(most)]


def _pack_areas(model: Model, record: Any) -> None:
    for players in (2, 3, 4):
        closed, neutral = (getattr(table, f"players{players}") for table in (model.areas.closed, model.areas.neutral))
        for a, area in enumerate(AREAS):
            record["spaces"][players, a] = getattr(model.areas.spaces, area) - getattr(closed, area)
            record["neutral"][players, a] = getattr(neutral, area)
    forest, quarry, crane, window = model.forest, model.quarry, model.crane, model.window
    record["forest_near"], record["forest_near_pips"] = forest.near_spaces, forest.near_pips
    record["forest_far_pips"], record["forest_food_pips"] = forest.far_pips, forest.food_pips
    record["quarry_pips"] = 0, quarry.stone_pips, quarry.lintel_pips, quarry.column_pips
    record["lintel_divisor"], record["column_divisor"] = quarry.lintel_divisor, quarry.column_divisor
    record["quarry_highest_from"] = quarry.highest_from_round - 1
    record["crane_slots"] = len(crane.steps)
    record["crane_steps"][: len(crane.steps)] = crane.steps
    record["crane_last_wood"] = crane.last_wood
    record["window_spaces"] = len(window.pips)
    record["window_pips"][: len(window.pips)] = window.pips
    record["window_top_food"] = window.top_food


def _pack_tracks(model: Model, record: Any) -> None:
    food, labour, construction = model.tracks.food, model.tracks.labour, model.tracks.construction
    record["food_last"], record["food_per_row"], record["food_overflow_vp"] = food.last, food.per_row, food.overflow_vp
    record["labour_start"], record["labour_last"] = labour.start, len(labour.vp) - 1
    record["labour_vp"][: len(labour.vp)] = labour.vp
    record["labour_overflow_vp"], record["pass_steps"] = labour.overflow_vp, labour.pass_steps
    record["construction_start"], record["construction_last"] = construction.start, construction.last
    record["purchase_labour"] = [getattr(model.purchase, thing) for thing in PURCHASES]


def _pack_tiles(model: Model, record: Any) -> None:
    village, construction = model.village, model.construction
    record["village_rows"], record["row_spaces"] = len(village.spaces), len(village.spaces[0])
    for n, space in enumerate(space for row in village.spaces for space in row):
        record["space"][n] = space.vp, BONUSES.index(space.bonus)
    record["village_on_show"], record["construction_on_show"] = village.on_show, construction.on_show
    for n, tile in enumerate(village.tiles):
        record["village_tile"][n] = _purse(tile), tile.pips
    record["level_one"], record["unfinished_vp"] = construction.level_one, construction.unfinished_vp
    for n, section in enumerate((*construction.a, *construction.b)):
        _copy(record["construction_tile"][n], section)
        record["construction_tile"]["price"][n] = _purse(section)
    stonework = _kinds(model.stonework.tiles, model.stonework.kinds, STONEWORK_KINDS)
    record["tiles"] = (*stonework, *_kinds(model.glass.tiles, model.glass.kinds, GLASS_KINDS))
    record["set_vp"] = 0, *model.sets.vp
