"""What random printings of any game share: its readings, some of them for a game, and components made from values."""

from functools import cache
from random import Random
from typing import Any, get_args

from sim import registry
from sim.printed.components import Components, from_values, read

Values = dict[str, Any]
Readings = list[tuple[str, Any]]  # name of a rule, value


def alternatives(game: str) -> Readings:
    """Return each reading of each rule."""
    rules: Any = registry.model(game).model_fields["rules"].annotation
    found: Readings = []
    for name, field in rules.model_fields.items():
        found += [
            (name, value) for value in ((False, True) if field.annotation is bool else get_args(field.annotation))
        ]
    return found


def some_of(readings: Readings, number: int, chance: Random) -> Values:
    """Return the readings in a game: the default ones, one other, or any."""
    if number % 3 == 0:
        return {}
    if number % 3 == 1:
        return dict([readings[number // 3 % len(readings)]])
    return {name: value for name, value in readings if chance.random() < 0.5}


@cache
def usual(game: str) -> Components:
    """Return a game's own printing."""
    return read(game)


def within_ranges(game: str, chance: Random) -> Values:
    """Return the values of a printing within the ranges of what is assumed."""
    values = usual(game).model.model_dump()
    for path, number in usual(game).numbers.items():
        if number.low is not None and number.high is not None and chance.random() < 0.8:
            *keys, last = [int(key) - 1 if key.isdigit() else key for key in path.split(".")]
            place: Any = values
            for key in keys:
                place = place[key]
            place[last] = chance.randint(number.low, number.high)
    return values


def made_of(game: str, values: Values, rules: Values) -> Components:
    """Return the components of these values, under some readings of the rules."""
    return from_values(game, {**values, "rules": {**values["rules"], **rules}}, "a random printing")
