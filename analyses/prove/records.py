"""Checks of a game's records and card, for which nothing is played."""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from analyses.prove.case import ProvedGame
from analyses.prove.finding import Fault
from sim import registry
from sim.contract import KEYS, OPTION_FIELD, STATE_FIELDS


def names_in(dtype: np.dtype) -> set[str]:
    """Return all field names of a dtype, those of its parts too."""
    base = dtype.base
    return set().union(*({name} | names_in(base[name]) for name in base.names)) if base.names else set()


def names(case: ProvedGame) -> Iterator[Fault]:
    """No field has a name that NumPy's records take for themselves: with the JIT off it could not be read."""
    counted = {name.partition(".")[0] for name in case.game.numbers}
    for known in (counted, *map(names_in, case.game.dtypes)):
        for name in sorted(name for name in known if hasattr(np.record, name)):
            finding = Fault("names", f"a field is named {name}, as NumPy's records have it themselves", "another name")
            files = [*case.game.folder.glob("components.toml"), *case.files]
            yield finding.at(case.line_with(files, rf"\b{name}\b"))


def fields(case: ProvedGame) -> Iterator[Fault]:
    """State and options have the fields of the contract, and the card agrees with itself."""
    game = case.game
    _, state, option, _ = game.dtypes
    missing = [name for name in STATE_FIELDS if name not in state.names]
    missing += [OPTION_FIELD] if OPTION_FIELD not in option.names else []
    if missing:
        yield Fault("fields", f"no field {', '.join(missing)}", "the fields that sim/contract.py names")
    if state.names[: len(KEYS)] != KEYS:  # thinkers tell positions apart by all that follows
        yield Fault("fields", f"a state begins with {', '.join(state.names[:2])}", " and ".join(KEYS))
    if tuple(game.players) != tuple(registry.card(case.name)[1]) or max(game.players) > game.seats:
        yield Fault("fields", f"{max(game.players)} players and {game.seats} seats", "a seat for each player")
    for change, hidden in game.hidden.items():
        for name in sorted(set(hidden) - set(state.names)):
            yield Fault("fields", f"hidden is {name}, which no state has{f' ({change})' * bool(change)}", "its fields")
    ranges = sorted((low, high, source.name) for source in game.chance for low, high in source.ranges)
    for (_, high, one), (low, _, other) in pairwise(ranges):
        if low < high:
            finding = Fault("sources of chance", f"{one} and {other} share addresses", "addresses of one source each")
            written = rf"""["']{re.escape(other)}["']"""
            place = case.line_with(case.files, rf"ChanceSource\(\s*{written}") or case.line_with(case.files, written)
            yield finding.at(place)


CHECKS = (names, fields)
