"""Words for a kind of thing (Kings, …) and for the occasions on which players hold one: rounds, phases, or a whole
game."""

import re
from dataclasses import dataclass

from analyses.stated import RARE
from reports import style
from sim import registry

__all__ = ["RARE", "Kind", "kind_of", "occasions_of", "once"]


@dataclass(frozen=True)
class Kind:
    """How to speak of a kind of thing.

    Attributes:
        name: in a sentence. chosen: whether players choose them; otherwise chance or the rules hand them out.
        noun: what an occasion is: round, phase, …; game if there is only one. occasions: their names, in order.
        ordered: whether they have a place in an order. places: whether they are such places, one for each player.
    """

    name: str
    chosen: bool = True
    noun: str = "round"
    occasions: tuple[str, ...] = ()
    ordered: bool = True
    places: bool = False

    @property
    def had(self) -> str:
        """How a holder came by one: `chosen` or `had`."""
        return "chosen" if self.chosen else "had"

    @property
    def holders(self) -> str:
        """The players who held one when no study dealt it."""
        return "those who chose them" if self.chosen else "those who had them in the usual game"

    def occasion(self, at: int) -> str:
        """Return the name of an occasion, from 0."""
        return self.occasions[at] if at < len(self.occasions) else f"{self.noun} {at + 1}"


def occasions_of(categories: tuple[str, ...], titles: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return the word for an occasion, and the name of each: `king.round1` → round, `round 1`; `place.phase2.3` →
    phase, `phase 2.3`."""
    found = [re.fullmatch(r"(?:.*\.)?([a-z_]+?)_?(\d[\d.]*)", name) for name in categories]
    nouns = {match[1].replace("_", " ") for match in found if match}
    noun = (
        nouns.pop()
        if len(nouns) == 1 and all(found) and len(categories) > 1
        else "game"
        if len(categories) == 1
        else "occasion"
    )
    names = (
        titles.get(name) or (f"{noun} {match[2]}" if match else f"{noun} {at}")
        for at, (name, match) in enumerate(zip(categories, found), 1)
    )
    return noun, tuple(names)


def kind_of(game: str, kind: str, dealt: bool = True) -> Kind:
    """Return how to speak of a kind of a game's things. If we don't know it, we assume that players choose them in
    rounds.

    Args:
        game, kind: names. dealt: the occasions on which a study deals them; otherwise those on which players hold them.
    """
    name = style.spoken(kind)
    try:
        loaded = registry.load(game)
        held = loaded.things[kind]
    except KeyError:
        return Kind(name)
    noun, occasions = occasions_of(held.occasions if dealt else held.categories, dict(loaded.titles))
    return Kind(loaded.titles.get(kind, name), not held.by_study, noun, occasions, bool(held.number), held.by_players)


def once(game: str, kind: str) -> str:
    """Return ` in one round, each round in turn`, for a study that deals things in turn; nothing if there is only one
    occasion."""
    noun = kind_of(game, kind)
    return f" in one {noun.noun}, each {noun.noun} in turn" if len(noun.occasions) > 1 else ""
