"""Variants of the rules: what players may agree on instead of the usual game, each as a set of changes to its
components.

    sim/<game>/variants.toml ─► checked against the game's components ─► one Variant an entry

A game without the file has none.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import Field

from sim import registry
from sim.printed.component_files import parse_toml
from sim.printed.components import read as read_components
from sim.printed.model import ComponentsError, TomlTable, error, paths, refusal, shown

__all__ = ["ComponentsError", "Variant", "parse", "read"]

FILE = "variants.toml"
LONGEST = 200  # characters of a text
SHORT = 40  # of a name: it stands beside a figure


@dataclass(frozen=True)
class Variant:
    """One variant, or several of them together.

    Attributes:
        name: for people, unique for a number of players. words: what is played otherwise.
        changes: as `--set` takes them. players: with which numbers of players it is played.
        note: what a reader must know about it; "" for nothing.
    """

    name: str
    words: str
    changes: tuple[str, ...]
    players: tuple[int, ...]
    note: str = ""


class _Entry(TomlTable):
    """What stands in a [[variant]] entry."""

    name: str
    words: str
    changes: list[str]
    players: list[int] = Field(default_factory=list)
    note: str = ""


def read(game: str) -> tuple[Variant, ...]:
    """Return the variants of a game, in the order of its file.

    Raises:
        ComponentsError: its file is wrong; one line says where.
    """
    text = registry.text(game, FILE)
    return () if text is None else parse(text, registry.place(game, FILE), game)


def switches(game: str) -> frozenset[str]:
    """Return the switches under [rules] that variants of a game turn.

    Raises:
        ComponentsError: its file is wrong; one line says where.
    """
    paths = (change.partition("=")[0].strip() for variant in read(game) for change in variant.changes)
    return frozenset(path.removeprefix("rules.") for path in paths if path.startswith("rules."))


def parse(text: str, place: str, game: str) -> tuple[Variant, ...]:
    """Return the variants of a text; see `read`."""
    data = parse_toml(text, place)
    entries = data.get("variant")
    if set(data) != {"variant"} or not isinstance(entries, list):
        raise error(place, "file", f"the keys {shown(', '.join(data))}", "entries [[variant]] alone")
    found: list[Variant] = []
    for number, raw in enumerate(entries, 1):
        made = _variant(raw, place, ("variant", str(number)), game)
        for other in found:
            if other.name == made.name and set(other.players) & set(made.players):
                raise error(
                    place,
                    ("variant", str(number), "name"),
                    f"{shown(made.name)} again",
                    "each name once for a number of players",
                )
        found.append(made)
    return tuple(found)


def _variant(raw: Any, place: str, keys: tuple[str, ...], game: str) -> Variant:
    from pydantic import ValidationError

    try:
        entry = _Entry.model_validate(raw)
    except ValidationError as invalid:
        fault = invalid.errors(include_url=False)[0]
        raise refusal(fault, _Entry, place, paths(fault)[0], keys) from None
    for key, value, longest in (
        ("name", entry.name, SHORT),
        ("words", entry.words, LONGEST),
        ("note", entry.note or "-", 2 * LONGEST),
    ):
        if not value.strip() or not value.isprintable() or len(value) > longest:
            raise error(place, (*keys, key), shown(value), f"one line of at most {longest} characters")
    possible = registry.card(game)[1]
    if wrong := [number for number in entry.players if number not in possible]:
        raise error(
            place,
            (*keys, "players"),
            str(wrong[0]),
            f"numbers of players of {registry.shown(game)}: {', '.join(map(str, possible))}",
        )
    if not entry.changes:
        raise error(place, (*keys, "changes"), "none", "at least one change, as in rules.name=value")
    try:
        read_components(game, changes=entry.changes)
    except ComponentsError as fault:
        raise ComponentsError(f"{place}: {'.'.join(keys)}.changes: {str(fault).removeprefix('--set: ')}") from None
    players = tuple(number for number in possible if number in entry.players or not entry.players)
    return Variant(entry.name, entry.words, tuple(entry.changes), players, entry.note)
