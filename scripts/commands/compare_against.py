"""What `chapterhouse compare` compares with: the game as it comes, a file of components, or the changed game of an
earlier comparison."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from scripts import options as o
from sim import registry
from sim.given import given_text
from sim.printed.component_files import TABLES

if TYPE_CHECKING:
    from sim.printed.components import Components
    from strategies.catalog import Seated

COMMAND, OPTION = "compare", "--against"
ENDINGS = (".toml", *TABLES, ".json")


@dataclass(frozen=True)
class Base:
    """What is compared with.

    Attributes:
        components: before the change. players, seed: of the earlier comparison. seated: names of its strategies.
            casting: see `digest`. All four are None if there was none.
    """

    components: "Components"
    players: int | None = None
    seed: int | None = None
    seated: tuple[str, ...] | None = None
    casting: str | None = None


def digest(entrants: "Sequence[Seated]") -> str:
    """Return what tells strategies apart that have the same names: files that were edited, weights that were tuned."""
    known = tuple(replace(entrant, game=registry.shown(entrant.game)) for entrant in entrants)
    return hashlib.sha256(repr(known).encode()).hexdigest()[:16]


def as_values(components: "Components") -> dict[str, Any]:
    """Return components in full, so that `base` can read them: all values, and the sources of those that are not as the
    game has them."""
    own = o.read_components(components.game, None, None).numbers
    origins = {
        path: n.source for path, n in components.numbers.items() if path not in own or n.source != own[path].source
    }
    return {"origins": origins, "printed": components.model.model_dump()}


def base(game: str, text: str | None) -> Base:
    """Return what a comparison starts from.

    Args:
        game: its name. text: file of components, or what an earlier comparison printed; None for the game as it comes.

    Raises:
        WrongInputError: the file can't be used, or is not comparable.
    """
    if text is None:
        return Base(o.read_components(game, None, None))
    suffix = Path(text).suffix.lower()
    if suffix not in ENDINGS:
        refuse(text, "another kind of file", f"a file that ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")
    if suffix != ".json":
        return Base(o.read_components(game, [text], None))
    found = _parsed(text)
    # the command that was typed; in files of earlier versions its name alone
    if COMMAND not in str(found.get("command")).split()[:2]:
        refuse(text, "not a comparison", f"what `chapterhouse {COMMAND} --json` has printed")
    version = registry.load(game).version
    for key, name, now in (("game", "game", registry.shown(game)), ("rules_version", "version of the rules", version)):
        if found.get(key) != now:
            refuse(text, f"{name} {found.get(key)!r}", f"a run with {name} {now!r}, which is played now")
    return _earlier(game, text, found)


def refuse(text: str, found: str, allowed: str) -> NoReturn:
    """Refuse the file, with the reason in one printable line."""
    line = f"{text!r}, {found}"
    o.refuse(OPTION, "".join(c if c.isprintable() else "?" for c in line), allowed)


def _parsed(text: str) -> dict[str, Any]:
    path = Path(text)
    try:
        found = json.loads(given_text(path))
    except OSError as error:
        refuse(text, o.reason(error), "a file that can be read")
    except (ValueError, RecursionError):
        refuse(text, "not JSON", f"what `chapterhouse {COMMAND} --json` has printed")
    return found if isinstance(found, dict) else {}


def _earlier(game: str, text: str, found: dict[str, Any]) -> Base:
    """Return what an earlier comparison has ended with, everything checked."""

    def given(where: dict[str, Any], key: str, kind: type) -> Any:
        if type(where.get(key)) is not kind:
            refuse(text, f"damaged: no {key} that can be used", f"what `chapterhouse {COMMAND} --json` has printed")
        return where[key]

    after, names = given(found, "after", dict), given(found, "seated", list)
    players, seed = given(found, "players", int), given(found, "seed", int)
    if not names or not all(isinstance(name, str) for name in names) or players not in registry.contests(game):
        refuse(text, "damaged: nobody who can play", f"what `chapterhouse {COMMAND} --json` has printed")
    printed = _components(game, text, given(after, "printed", dict), given(after, "origins", dict))
    if printed.digest != after.get("components"):
        refuse(
            text, "damaged: values that do not fit their digest", f"what `chapterhouse {COMMAND} --json` has printed"
        )
    return Base(printed, players, seed, tuple(names), given(found, "casting", str))


def _components(game: str, text: str, values: dict[str, Any], origins: dict[str, Any]) -> "Components":
    from sim.printed.components import ComponentsError, Number, from_values
    from sim.printed.model import leaves

    own = o.read_components(game, None, None).numbers
    try:
        made = from_values(game, values, f"{OPTION}: {text}")
    except ComponentsError as error:
        raise o.WrongInputError(str(error)) from None
    numbers = {}
    for keys, value in leaves({key: part for key, part in made.model.model_dump().items() if key != "rules"}):
        path = ".".join(keys)
        known = own.get(path)
        if path in origins or known is None or known.value != value:
            numbers[path] = Number(value, str(origins.get(path, "given")))
        else:
            numbers[path] = known
    return replace(made, numbers=numbers)


def checked(text: str, option: str, earlier: object, asked: object, name: str) -> None:
    """Refuse what is asked for now if the earlier run had something else."""
    if earlier is not None and asked != earlier:
        refuse(
            text,
            f"a run with {name} {earlier}",
            f"a run with {name} {asked}, or {option} as it was then: on other games there are no pairs",
        )
