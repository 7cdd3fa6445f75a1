"""Random printings of Abbates: plausible ones, from the ranges of what is assumed, and odd ones, of anything that may
be edited."""

from random import Random

from sim.abbates.state import BENEDICT, CONDITIONS, EFFECTS, KINDS, LEVELS, ORDINARY, PALMS, PHASES, ROUNDS, SIDE
from sim.printed.components import Components
from tests.printings import Values, made_of, usual, within_ranges

SIZES = (1, 2, 3, 5, 8, 12, 20, 30, 32)  # of the cards of a kind: with few of them the pile runs out


def pattern(chance: Random) -> list[str]:
    """Return the squares of a mission, with a purple one in each row and each column."""
    letters = chance.choice(("p.", "p..a", "ppa", "p.ab", "pab", "p"))
    purple = chance.sample(range(SIDE), SIDE)
    rows = [[chance.choice(letters) for _ in range(SIDE)] for _ in range(SIDE)]
    for row, column in zip(rows, purple):
        row[column] = "p"
    return ["".join(row) for row in rows]


def plausible(chance: Random) -> Values:
    """Return the values of a printing within the ranges of what is assumed."""
    values = within_ranges("abbates", chance)
    for mission in values["missions"].values():
        mission["rows"] = pattern(chance)
    for corner in values["corners"].values():
        corner["returns"] = chance.choice(("lowest", "highest"))
    for face in values["ora"]["faces"][1:]:
        chance.shuffle(face)
    return values


def odd(chance: Random) -> Values:
    """Return the values of a printing that nobody would make, but that may be asked for."""
    values = plausible(chance)
    small = chance.random() < 0.6
    for kind in KINDS:
        values["garden"][kind] = [chance.randint(0, 4) for _ in range(chance.choice(SIZES[:6] if small else SIZES))]
    values["abbots"]["white"] = [chance.randint(0, chance.choice((2, 9))) for _ in range(BENEDICT)]
    faces = [[chance.choice(CONDITIONS) for _ in range(PHASES)] for _ in range(ROUNDS)]
    if chance.random() < 0.4:  # Benedict cards for many
        faces = [["even", "odd", "even", "odd"], ["low"] * PHASES, ["high"] * PHASES, ["even"] * PHASES]
    values["ora"] = {"low_last": chance.randint(1, BENEDICT), "faces": faces}
    if chance.random() < 0.2:  # for everybody, in each round
        values["ora"] = {"low_last": BENEDICT, "faces": [["low"] * PHASES] * ROUNDS}
    values["points"] = {place: chance.randint(0, 9) for place in values["points"]}
    values["lines"] = {kind: chance.randint(0, 12) for kind in values["lines"]}
    values["track"]["empty_square"], values["benedicts"]["vp"] = chance.randint(0, 3), chance.randint(0, 3)
    for mission in values["missions"].values():
        mission |= {"vp": chance.randint(0, 9), "halves": chance.randint(0, 1)}
    if chance.random() < 0.3:  # levels without missions, and with few
        for number, mission in enumerate(values["missions"].values()):
            mission["palms"] = 1 if number else 2
    for corner in values["corners"].values():
        corner |= {"vp": chance.randint(0, 4), "per_card": chance.randint(0, 2)}
    effects = EFFECTS if chance.random() < 0.7 else chance.sample(EFFECTS, 2)
    arcade = {f"round{number}": [chance.choice(effects) for _ in range(ORDINARY)] for number in range(1, ROUNDS + 1)}
    values["arcade"] = {**arcade, "palms": [chance.choice(effects) for _ in range(PALMS)]}
    most = chance.choice((0, 5))
    for level in LEVELS:
        values["solo"][level] |= {"low_benedicts": chance.randint(0, most), "high_benedicts": chance.randint(0, most)}
    values["solo"]["high_from"] = chance.randint(1, SIDE)
    return values


def printing(kind: str, chance: Random, rules: Values) -> Components:
    """Return the components of the usual, a plausible or an odd printing under some readings of the rules."""
    values = {"usual": lambda _: usual("abbates").model.model_dump(), "plausible": plausible, "odd": odd}[kind](chance)
    return made_of("abbates", values, rules)
