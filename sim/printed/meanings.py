"""What each number means, in words, for people who see a path and want to know what it is.

    sim/<game>/meanings.toml ─► path → words

A path of the file may hold *, which stands for any key. In its words {1}, {2} … are what stood there: the key's name
under [names], or the key itself. Of two that fit, the later is taken. The words of a rule are the question of the
ruling that its switch answers.
"""

import re
from collections.abc import Mapping
from functools import cache

from pydantic import Field

from sim import registry
from sim.printed.component_files import parse_toml
from sim.printed.components import Components
from sim.printed.model import TomlTable, lists
from sim.printed.rulings import read as read_rulings

FILE = "meanings.toml"


class Meanings(TomlTable):
    """What stands in the file."""

    names: dict[str, str] = Field(default={})
    meanings: dict[str, str]


@cache
def of(game: str) -> Meanings:
    """Return what the file of a game says; nothing if it has none."""
    text = registry.text(game, FILE)
    if text is None:
        return Meanings(meanings={})
    return Meanings.model_validate(parse_toml(text, registry.place(game, FILE)))


def meanings(components: Components) -> dict[str, str]:
    """Return path → words, for all numbers, lists (how long they are) and rules that the game has words for."""
    file = of(components.game)
    paths = [*components.numbers, *(".".join(keys) for keys, _ in lists(components.model.model_dump()))]
    found = {f"rules.{ruling.switch}": ruling.question for ruling in read_rulings(components.game) if ruling.switch}
    paths += [path for path in (f"rules.{rule}" for rule in components.rules) if path not in found]
    patterns = [(re.compile(re.escape(path).replace(r"\*", "([^.]+)")), words) for path, words in file.meanings.items()]
    for path in paths:
        for pattern, words in reversed(patterns):
            fit = pattern.fullmatch(path)
            if fit:
                found[path] = words.format("", *(_name(key, file.names) for key in fit.groups()))
                break
    return found


def _name(key: str, names: Mapping[str, str]) -> str:
    """Return a key as people say it: `seat1` is seat 1."""
    return names.get(key, re.sub(r"(?<=[a-z])(?=[0-9])", " ", key.replace("_", " ")))
