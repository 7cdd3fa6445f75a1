"""From what is printed in Abbates to the engine's record."""

from typing import Any, get_args

from sim.abbates.model import Mission, Model, Rules
from sim.abbates.state import (
    BEANS,
    CONDITIONS,
    CORNER_NAMES,
    EFFECTS,
    KINDS,
    LEVELS,
    MISSION_NAMES,
    ROUNDS,
    SIDE,
    SWITCHES,
)

__all__ = ["Model", "pack"]


def pack(model: Model, record: Any) -> None:
    """Fill one record of the game's COMPONENTS from the model.

    Args:
        model: checked components.
        record: overwritten.
    """
    for switch in SWITCHES:
        value = getattr(model.rules, switch)
        record[switch] = (
            int(value) if isinstance(value, bool) else get_args(Rules.model_fields[switch].annotation).index(value)
        )
    for kind, name in enumerate(KINDS):
        for beans in getattr(model.garden, name):
            record["cards"][kind * BEANS + beans] += 1
    record["white"][1:] = model.abbots.white
    record["low_last"] = model.ora.low_last
    record["condition"] = [[CONDITIONS.index(condition) for condition in face] for face in model.ora.faces]
    record["rank_vp"] = model.points.primus, model.points.secundus, model.points.tertius
    record["line_vp"] = model.lines.three_equal, model.lines.two_equal, model.lines.three_different
    record["empty_steps"], record["benedict_vp"] = model.track.empty_square, model.benedicts.vp
    for n, name in enumerate(MISSION_NAMES):
        mission: Mission = getattr(model.missions, name)
        record["mission"][n] = _areas(mission), mission.vp, mission.halves, mission.palms
    for n, name in enumerate(CORNER_NAMES):
        corner = getattr(model.corners, name)
        record["corner"][n] = corner.vp, corner.per_card, corner.returns == "highest"
    rounds = [getattr(model.arcade, f"round{r + 1}") for r in range(ROUNDS)]
    record["arcade"] = [[EFFECTS.index(effect) for effect in effects] for effects in rounds]
    record["palm"] = [EFFECTS.index(effect) for effect in model.arcade.palms]
    for n, name in enumerate(LEVELS):
        level = getattr(model.solo, name)
        record["low_benedicts"][n], record["high_benedicts"][n] = level.low_benedicts, level.high_benedicts
        record["level_palms"][n] = level.palms
    record["high_from"] = model.solo.high_from
    record["line"] = lines()


def _areas(mission: Mission) -> list[int]:
    """Return the bit sets of a mission's areas."""
    squares = "".join(mission.rows)
    return [sum(1 << n for n, square in enumerate(squares) if square == area) for area in "pab"]


def lines() -> list[list[int]]:
    """Return the squares of each line in the order of the game, each from the general: he walks round the garden
    clockwise.

    Round 1: rows, from the bottom to the top; round 2: columns, from the left; round 3: rows, from the top;
    round 4: columns, from the right.
    """
    rows = [[SIDE * row + column for column in range(SIDE)] for row in range(SIDE)]
    columns = [[SIDE * row + column for row in range(SIDE)] for column in range(SIDE)]
    return [*rows[::-1], *columns, *(row[::-1] for row in rows), *(column[::-1] for column in columns[::-1])]
