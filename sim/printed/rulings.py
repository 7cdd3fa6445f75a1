"""Readings of a rulebook: what its text leaves open, how it is played here, and which switch plays it otherwise.

    sim/<game>/rulings.toml ─► checked against [rules] of the game's components ─► one Ruling an entry

A game without the file has none.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sim import registry
from sim.printed import variants
from sim.printed.component_files import parse_toml
from sim.printed.components import read as read_components
from sim.printed.model import ComponentsError, TomlTable, error, limits, shown

__all__ = ["ComponentsError", "Ruling", "parse", "read", "word"]

FILE = "rulings.toml"
TEXTS = ("place", "question", "reading")
LONGEST = 125  # characters of a text: it stands in one line of the file
SHORT = 22  # of a topic: it stands beside a figure


@dataclass(frozen=True)
class Ruling:
    """One reading.

    Attributes:
        number: of the ruling; one ruling may have several readings.
        place: the section of the rulebook. question: what it leaves open. reading: how it is played here.
        switch: the name under [rules] that plays it otherwise, "" for none; topic: what it is about, in a few words.
        default: the value of the switch for `reading`.
        alternatives: each other value of the switch → how it is played then.
        setup: whether this is a choice of the players, nothing that the text leaves open.
        occurs: the number of the game that counts how often the case arises; "" if none does.
    """

    number: int
    place: str
    question: str
    reading: str
    switch: str = ""
    topic: str = ""
    default: str = ""
    alternatives: Mapping[str, str] = field(default_factory=dict)
    setup: bool = False
    occurs: str = ""

    def words(self, value: object) -> str:
        """Return how it is played with this value of the switch."""
        return {self.default: self.reading, **self.alternatives}[word(value)]

    def others(self, played: object) -> dict[str, str]:
        """Return every value of the switch but the one that is played, with its words; none without a switch."""
        values = {self.default: self.reading, **self.alternatives} if self.switch else {}
        return {value: text for value, text in values.items() if value != word(played)}


def word(value: object) -> str:
    """Return the value of a switch as it is typed: `true`, `seat`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@cache
def read(game: str) -> tuple[Ruling, ...]:
    """Return the readings of a game, in the order of its file.

    Raises:
        ComponentsError: there is no such game, or its file can't be used; one line.
    """
    components = read_components(game)
    text = registry.text(game, FILE)
    if text is None:
        return ()
    place = registry.place(game, FILE)
    return parse(text, place, type(components.model), components.rules, variants.switches(game))


def parse(
    text: str, place: str, model: type[TomlTable], rules: Mapping[str, object], agreed: Collection[str] = ()
) -> tuple[Ruling, ...]:
    """Read the text of a file of readings.

    Args:
        text: TOML. place: what the file is called in messages. model: of the game's components. rules: each switch with
            its default.
        agreed: switches that variants of the rules turn (`sim.printed.variants`): they need no ruling.

    Returns:
        The readings: each switch of the game belongs to exactly one of them, and each of its values has words.

    Raises:
        ComponentsError: one line with place, key, what was found and what is allowed.
    """
    data = parse_toml(text, place)
    entries = data.get("ruling")
    if set(data) != {"ruling"} or not isinstance(entries, list):
        raise error(place, "file", f"the keys {shown(', '.join(data))}", "entries [[ruling]] alone")
    rulings = tuple(_ruling(entry, f"{place}: ruling {at}", model, rules) for at, entry in enumerate(entries, 1))
    for switch in rules:
        times = sum(ruling.switch == switch for ruling in rulings)
        if times != 1 and (times or switch not in agreed):
            raise error(place, switch, f"{times} rulings", "one for each switch under [rules]")
    return rulings


def _ruling(entry: Any, place: str, model: type[TomlTable], rules: Mapping[str, object]) -> Ruling:
    known = {"number": int, **dict.fromkeys(TEXTS, str), "switch": str, "topic": str, "alternative": dict}
    known |= {"setup": bool, "occurs": str}
    if not isinstance(entry, dict):
        raise error(place, "entry", shown(entry), "a table")
    for key in entry:
        if key not in known:
            raise error(place, key, "an unknown key", ", ".join(known))
    for key, kind in known.items():
        if key in entry and type(entry[key]) is not kind:
            raise error(
                place,
                key,
                shown(entry[key]),
                {int: "a whole number", str: "text", bool: "true or false", dict: "a table"}[kind],
            )
        if key in ("number", *TEXTS) and key not in entry:
            raise error(place, key, "nothing", "a value in every ruling")
    switch, topic, others = entry.get("switch", ""), entry.get("topic", ""), entry.get("alternative", {})
    for key, text in [
        *((key, entry[key]) for key in TEXTS),
        *((f"alternative.{value}", text) for value, text in others.items()),
    ]:
        _check_text(text, place, key, LONGEST)
    default = ""
    if switch or topic or others:
        _check_text(topic, place, "topic", SHORT)
        if switch not in rules:
            raise error(place, "switch", shown(switch), ", ".join(rules) or "nothing: the game has no switch")
        default, allowed = word(rules[switch]), _values(model, switch)
        if set(others) != set(allowed) - {default}:
            raise error(
                place,
                "alternative",
                ", ".join(others) or "nothing",
                f"words for {' and '.join(sorted(set(allowed) - {default}))}",
            )
    texts = {key: entry[key] for key in ("number", *TEXTS)}
    return Ruling(
        **texts,
        switch=switch,
        topic=topic,
        default=default,
        alternatives=others,
        setup=entry.get("setup", False),
        occurs=entry.get("occurs", ""),
    )


def _values(model: type[TomlTable], switch: str) -> list[str]:
    """Return all values of a switch, as they are typed."""
    at = limits(model, ("rules", switch))
    return ["false", "true"] if at.get("type") == "boolean" else list(at["enum"])


def _check_text(text: object, place: str, key: str, longest: int) -> None:
    if not isinstance(text, str) or not text.strip() or not text.isprintable() or len(text) > longest:
        length = f", {len(text)} characters" if isinstance(text, str) else ""
        raise error(place, key, f"{shown(text)}{length}", f"one line of at most {longest} characters")
