"""Random printings of Moesteiro: plausible ones, from the ranges of what is assumed, and odd ones, of anything that may
be edited."""

from random import Random

from sim.moesteiro.state import AREAS, BONUSES, KINGS
from sim.printed.components import Components
from tests.printings import Values, made_of, usual, within_ranges


def rows(chance: Random, values: Values) -> None:
    """Print another village."""
    n, m = chance.randint(3, 5), chance.randint(3, 5)
    bonuses = list(BONUSES[1:]) + ["none"] * 6
    values["village"]["spaces"] = [
        [{"vp": chance.randint(2, 12), "bonus": chance.choice(bonuses)} for _ in range(m)] for _ in range(n)
    ]


def labour(chance: Random, values: Values) -> None:
    """Print another labour track."""
    track = values["tracks"]["labour"]
    spaces = chance.choice((9, 11, 13))
    track["start"], track["vp"] = spaces // 2, sorted(chance.randint(0, 13) for _ in range(spaces))


def plausible(chance: Random) -> Values:
    """Return the values of a printing within the ranges of what is assumed."""
    values = within_ranges("moesteiro", chance)
    numbers = chance.sample(range(1, 7), 6)
    for king, number in zip(KINGS, numbers):
        values["kings"][king]["number"] = number
    window = values["window"]
    window["pips"] = [0, 2, *sorted(chance.randint(2, 5) for _ in range(chance.randint(1, 3)))]
    values["areas"]["spaces"]["window"] = chance.choice((3, len(window["pips"])))
    values["stonework"]["kinds"] = chance.randint(2, 4)
    labour(chance, values)
    rows(chance, values)
    return values


def odd(chance: Random) -> Values:
    """Return the values of a printing that nobody would make, but that may be asked for."""
    values = plausible(chance)
    for king in values["kings"].values():
        for name, most in {"labour": 3, "vp": 4, "stone": 2, "gift": 2, "construction": 4, "builds_first": 1}.items():
            if chance.random() < 0.3:
                king[name] = chance.randint(0, most)
    for number, king in zip(chance.sample(range(1, 99), 6), values["kings"].values()):
        king["number"] = number
    for seat in values["start"].values():
        for name, most in {
            "wood": 3,
            "stone": 3,
            "lintel": 2,
            "column": 2,
            "food": 3,
            "labour": 2,
            "construction": 3,
            "vp": 5,
        }.items():
            if chance.random() < 0.3:
                seat[name] = chance.randint(0, most)
    for event in values["rounds"]["events"]:
        if chance.random() < 0.4:
            event |= {"workers": chance.randint(0, 3), "masters": chance.randint(1, 3), "tracks": chance.randint(0, 3)}
            event |= {name: chance.randint(0, 2) for name in ("wood", "stone", "lintel", "column")}
    values["dice"] = {name: [chance.randint(1, 6) for _ in range(6)] for name in ("master", "worker")}
    areas = values["areas"]
    areas["spaces"] = {area: chance.randint(3, {"crane": 6, "window": 5}.get(area, 7)) for area in AREAS}
    for players in (2, 3, 4):
        for kind, most in (("closed", 1), ("neutral", 1)):
            areas[kind][f"players{players}"] = {area: chance.randint(0, most) for area in AREAS}
    values["forest"] = {name: chance.randint(1, 3) for name in ("near_spaces", "near_pips", "far_pips", "food_pips")}
    values["quarry"] |= {name: chance.randint(1, 3) for name in ("stone_pips", "lintel_pips", "column_pips")}
    values["quarry"] |= {"lintel_divisor": chance.randint(1, 4), "column_divisor": chance.randint(1, 4)}
    values["quarry"]["highest_from_round"] = chance.randint(1, 6)
    values["crane"] = {
        "steps": [chance.randint(0, 4) for _ in range(areas["spaces"]["crane"])],
        "last_wood": chance.randint(0, 2),
    }
    values["window"] = {
        "pips": sorted(chance.randint(0, 6) for _ in range(chance.randint(1, 5))),
        "top_food": chance.randint(0, 2),
    }
    tracks = values["tracks"]
    tracks["food"] = {
        "last": chance.randint(4, 10),
        "per_row": chance.randint(1, 3),
        "overflow_vp": chance.randint(0, 3),
    }
    tracks["labour"] |= {"overflow_vp": chance.randint(0, 3), "pass_steps": chance.randint(0, 3)}
    tracks["construction"] = {"start": chance.randint(0, 3), "last": chance.randint(6, 10)}
    # piles run out
    values["stonework"]["tiles"], values["glass"]["tiles"] = chance.randint(6, 21), chance.randint(5, 14)
    values["purchase"] = {name: chance.randint(0, 3) for name in values["purchase"]}
    values["sets"]["vp"] = [chance.randint(0, 25) for _ in range(5)]
    values["village"]["on_show"], values["construction"]["on_show"] = chance.randint(1, 4), chance.randint(1, 4)
    values["construction"]["level_one"] = chance.randint(0, 20)
    values["construction"]["unfinished_vp"] = chance.randint(0, 4)
    for tile in (*values["construction"]["a"], *values["construction"]["b"]):
        if chance.random() < 0.3:
            tile |= {name: chance.randint(0, 2) for name in ("food", "labour", "stonework", "glass")} | {
                "steps": chance.randint(0, 6)
            }
        if chance.random() < 0.1:
            tile |= dict.fromkeys(("wood", "stone", "lintel", "column"), 0)
    return values


def close(chance: Random, values: Values) -> None:
    """Print so few points that players often tie, or win by one."""

    def few() -> int:
        return int(chance.random() < 0.25)

    for king in values["kings"].values():
        king["vp"] = few()
    for seat in values["start"].values():
        seat["vp"] = few()
    for row in values["village"]["spaces"]:
        for space in row:
            space["vp"] = few()
    for tile in (*values["construction"]["a"], *values["construction"]["b"]):
        tile["vp"] = few()
    values["construction"]["unfinished_vp"] = few()
    for track in ("food", "labour"):
        values["tracks"][track]["overflow_vp"] = few()
    values["tracks"]["labour"]["vp"] = sorted(few() for _ in values["tracks"]["labour"]["vp"])
    values["sets"]["vp"] = sorted(few() for _ in values["sets"]["vp"])


def scarce(chance: Random, values: Values) -> None:
    """Put as few stonework and glass tiles into the box as may be, and print a village that gives little else."""
    for name, spaces in (("stonework", values["crane"]["steps"]), ("glass", values["window"]["pips"])):
        values[name]["tiles"] = max(len(spaces), values[name]["kinds"])
    for row in values["village"]["spaces"]:
        for space in row:
            space["bonus"] = chance.choice(("stonework", "glass", "food"))


def printing(kind: str, chance: Random, rules: Values) -> Components:
    """Return the components of a usual, plausible or odd printing, also close or scarce, under some readings of the
    rules."""
    *further, base = kind.split()
    values = {"usual": lambda _: usual("moesteiro").model.model_dump(), "plausible": plausible, "odd": odd}[base](
        chance
    )
    for change in further:
        {"close": close, "scarce": scarce}[change](chance, values)
    return made_of("moesteiro", values, rules)
