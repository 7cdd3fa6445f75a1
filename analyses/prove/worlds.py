"""Whether imagined worlds are like those that chance deals: each card as often in each place; with the JIT off."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from analyses.prove.case import BrokenOffError, ProvedGame, Walk, twin
from analyses.prove.finding import Fault

GAMES = 200  # with each number of players, and where something else is hidden
STRANGE = 7.0  # standard errors: chance makes no such difference


def dealing(case: ProvedGame) -> Iterator[Fault]:
    """What is hidden at the first decision is dealt by chance as each player imagines it: over many games, what the
    player knows makes no difference."""
    told = set[str]()
    for change, hidden in case.game.hidden.items():
        changes = (change,) if change else ()
        for players in case.game.players:
            found = _dealt(case, players, changes)
            for name in sorted(set(hidden) - told) if found else ():
                walk, real, *imagined = found
                words = next(filter(None, (_unlike(name, real[name], worlds[name]) for worlds in imagined)), "")
                if words:
                    told.add(name)
                    allowed = "imagined worlds like those that chance deals"
                    yield walk.fail("imagine", words, allowed, f"state.{name}").finding


def _dealt(case: ProvedGame, players: int, changes: tuple[str, ...]) -> list[Any]:
    """Return the first of many games at its first decision, the positions of all of them, and the worlds that each
    player imagines there; nothing if they break off."""
    study, walks = case.study(players, changes=changes), list[Walk]()
    imagined: list[list[Any]] = [[] for _ in range(players)]
    try:
        for block in range(GAMES):
            walk = Walk(case, study, block * players, changes=changes)
            if not next(walk.positions(), 0):
                return []
            walks.append(walk)
            for player, worlds in enumerate(imagined):
                worlds.append(twin(walk.states))
                with walk.guarded("imagine"), np.errstate(over="ignore"):
                    case.game.imagine(walk.components[0], worlds[-1][0], player, np.uint64(block))
    except BrokenOffError:
        return []
    case.count("games dealt", GAMES)
    return [walks[0], *map(np.concatenate, ([walk.states for walk in walks], *imagined))]


def _unlike(name: str, real: Any, imagined: Any) -> str:
    """Return where a value is much more often in one of two samples of a field (games, …), in words; "" if nowhere."""
    if real.dtype.kind not in "iu":
        return ""
    shape = real.shape[1:]
    values = np.unique(np.concatenate([real, imagined]))
    worst, words = STRANGE, ""
    for value in values if len(values) <= GAMES else ():
        one, other = ((sample == value).sum(0) for sample in (real, imagined))
        strange = np.abs(one - other) / np.sqrt(np.maximum(one + other, 1))
        place = np.unravel_index(strange.argmax(), shape) if shape else ()
        if strange[place] > worst:
            worst = strange[place]
            entry = f"[{', '.join(map(str, place))}]" * bool(shape)
            words = f"state.{name}{entry} is {value} in {one[place]} of {len(real)} games that are dealt, and in "
            words += f"{other[place]} of {len(real)} worlds that are imagined there"
    return words


CHECKS = (dealing,)
