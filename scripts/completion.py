"""What the tab key offers for a game, a number of players, a strategy; to complete a word imports nothing slow."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import typer

from sim import registry
from sim.faults import GameError


def offered(words: Callable[[str], Iterable[object]]) -> Callable[[typer.Context, str], list[str]]:
    """Return how the tab key completes a value, from what a game offers.

    Args:
        words: name of the game → what it offers; the name is "" if nobody has typed one.
    """

    def offer(context: typer.Context, incomplete: str) -> list[str]:
        # after an option without a value, arguments are not yet separate
        typed = (*context.args, context.params.get("game"))
        game = next(filter(None, map(game_of, typed)), "")
        return [word for word in map(str, words(game)) if word.startswith(incomplete)]

    return offer


def game_of(word: str | None) -> str:
    """Return the name of the game that somebody has typed; "" if it is none."""
    with suppress(GameError, KeyError):
        return registry.find(word or "")
    return ""


def _strategies(game: str) -> list[str]:
    from strategies._named import names

    return names(game) if game else []


def _players(game: str) -> Iterable[int]:
    # to complete a word runs nobody's code
    return registry.card(game)[1] if game and not registry.is_guest(game) else ()


def games(context: typer.Context, incomplete: str) -> list[str]:
    """Return how the tab key completes a game: names, or folders."""
    above, slash, begun = incomplete.rpartition("/")
    if slash:
        with suppress(OSError):
            there = sorted(path.name for path in Path(f"{above}/").iterdir() if path.is_dir())
            return [f"{above}/{name}/" for name in there if name.startswith(begun)]
    return [name for name in (*registry.names(), *registry.offered()) if name.startswith(incomplete)]


numbers = offered(_players)
strategies = offered(_strategies)
