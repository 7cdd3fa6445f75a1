"""What a search for balance may change, and what it balances, where nobody names anything."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from analyses.balance.scores import SEATS
from analyses.stated import stated
from sim import registry
from sim.printed.components import Components, ComponentsError, changed
from sim.printed.levers import Board, Lever, read

NEEDED = ("optuna", "tomlkit")  # libraries


def missing() -> list[str]:
    """Return the libraries that a search needs and that are not installed."""
    return [name for name in NEEDED if find_spec(name) is None]


def usual_targets(able: Sequence[str], game: str) -> tuple[str, ...]:
    """Return what is balanced unless somebody says otherwise: SEATS, and the things that have powers.

    Things without powers are places in an order: the first place is there to be won.

    Args:
        able: SEATS and kinds of things. game: name.
    """
    things = registry.load(game).things
    return tuple(target for target in able if target == SEATS or things[target].powers)


def able_targets(components: Components) -> tuple[str, ...]:
    """Return what can be balanced: SEATS, and the kinds of things of which an analysis may name single ones."""
    return (SEATS, *stated(components))


def usual_levers(components: Components, players: int) -> tuple[Lever, ...]:
    """Return the numbers that a game proposes to change, each with the values that go together with the components.

    Args:
        components: as they are played. players: number of players.

    Raises:
        ComponentsError: the game's list can't be used.
    """
    found = (possible(components, lever) for lever in read(registry.load(components.game), players))
    return tuple(lever for lever in found if len(lever.values) > 1)


def possible(components: Components, lever: Lever) -> Lever:
    """Return a lever with those of its values that go together with the components."""

    def fits(value: Any) -> bool:
        try:
            tried(components, lever.path, value)
        except ComponentsError:
            return False
        return True

    return replace(lever, values=tuple(value for value in lever.values if fits(value)))


def tried(components: Components, path: str, value: Any) -> None:
    """Raise ComponentsError if a path can't have a value."""
    change = Board(components, registry.load(components.game), [path]).changes({path: value})
    if change:
        changed(components, change)
