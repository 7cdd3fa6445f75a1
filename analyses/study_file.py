"""What a run in a folder plays, as text that says everything. So the run can continue later without the files it came
from.

    study.toml      everything that decides the games: game, players, strategies (a user's file with its text), all
                    printed values, seed, …
    manifest.json   what made the first numbers: versions, the rules' version, digests
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analyses.survey import versions
from sim import registry, trusted
from sim.compiled import CORE, kernel_files
from sim.faults import GameError
from sim.printed.component_files import parse_toml
from sim.printed.components import Components, Number, from_values
from strategies import catalog
from strategies._code import HERE, LOOKING
from strategies._named import marked_unproved
from strategies._weights_file import Packed, Weight
from strategies.catalog import Seated, thinkers

FORMAT = 1
PACKAGES = ("chapterhouse", "python", "numba", "numpy")  # what may change a number
HEAD = """\
# All that decides the games of this run; do not change it. docs/run.md says what stands where.
"""


class StudyError(Exception):
    """A study or manifest that can't be used; its text is one line."""


@dataclass(frozen=True)
class RunStudy:
    """A run on disk, before it is played.

    Attributes:
        players, entrants, components, seed: see `sim.runner.Study`.
        games, max_games, margin, batch: see `analyses.line.analyse`. rows: whether rows are kept.
        command: what was typed, without where to. replay: of rows: with the number of a game behind it, the command
            that tells that game; "" where no rows are kept, and in a run of a version whose rows did not say it.
        course: whether rows hold the course of the game, which a run of an earlier version goes on without.
    """

    players: int
    entrants: tuple[Seated, ...]
    components: Components
    seed: int
    games: int | None
    max_games: int
    margin: float
    batch: int
    rows: bool
    command: str
    replay: str = ""
    course: bool = False

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.components.game

    @property
    def most(self) -> int:
        """The most games that it plays, whole blocks."""
        return -(-(self.games or self.max_games) // self.players) * self.players


def to_toml(study: RunStudy) -> str:
    """Return a study as text; `from_toml` gives it back."""
    end = {"games": study.games} if study.games else {"max_games": study.max_games}
    head = {
        "format": FORMAT,
        **_game(study.game),
        "players": study.players,
        "seed": study.seed,
        **end,
        "margin": study.margin,
    }
    head |= {"batch": study.batch, "rows": study.rows, "command": study.command}
    head |= {"replay": study.replay} if study.replay else {}
    head |= {"course": True} if study.course else {}
    lines = [HEAD, *(f"{key} = {_value(value)}" for key, value in head.items())]
    for entrant in study.entrants:
        lines += ["", "[[strategies]]", f"name = {_value(entrant.name)}", f"policy = {_value(entrant.where)}"]
        weights = {key: value.text if isinstance(value, Packed) else value for key, value in entrant.changes}
        lines += [f"weights = {_value(weights)}"]
        if entrant.thinker:
            lines += [f"thinker = {_value(entrant.thinker)}", f"budget = {entrant.budget}"]
        lines += [f"at_random = {entrant.at_random}"] * bool(entrant.at_random)
        lines += [f"source = {_text(entrant.source)}"] * bool(entrant.source)
    lines += ["", "[components]  # every printed value, and every reading of the rules"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in study.components.model.model_dump().items()]
    lines += ["", "# where each number comes from"]
    for path, number in study.components.numbers.items():
        known = {"path": path, **{key: value for key, value in vars(number).items() if value not in (None, "")}}
        lines += ["[[numbers]]", *(f"{key} = {_value(value)}" for key, value in known.items())]
    return "\n".join(lines) + "\n"


def _game(game: str) -> dict[str, str]:
    """Return what names a game: its name, or its folder and the digest of its files if it is from elsewhere."""
    if not registry.is_guest(game):
        return {"game": game}
    return {"game": registry.origin(game), "files": registry.digest(game)}


def _found(found: dict[str, Any], place: str) -> str:
    """Return the name of the game that a study names; nothing of it is run before it is found to be the same, and
    trusted."""
    text = found["game"]
    try:
        game = registry.find(text)
    except KeyError:
        raise StudyError(f"{place}: found the game {text!r}; there are {', '.join(registry.names())}") from None
    except GameError as error:
        raise StudyError(f"{place}: {error}") from None
    now = _game(game).get("files", "")
    if found.get("files", "") != now:
        raise StudyError(
            f"{place}: the game {text} was changed: its files have the digest {now}, "
            f"the run was made with {found.get('files', '')}"
        )
    for program in registry.programs(game):
        trusted.check(f"game {text}", program)
    return game


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").replace("-", "").isalnum() else _value(key)


def _value(value: Any) -> str:
    """Return a value as TOML, in one line."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _text(text: str) -> str:
    """Return a text of many lines as TOML, as it stands if that can be."""
    plain = all(c in "\n\t" or c.isprintable() for c in text) and "'''" not in text and not text.endswith("'")
    return f"'''\n{text}'''" if plain else _value(text)


def from_toml(text: str, place: str) -> RunStudy:
    """Return a study from its text. This runs no strategy, so it doesn't check that strategies are complete.

    Args:
        text: what `to_toml` made. place: what it is called in messages.

    Raises:
        StudyError: it is of another format, of a game that there is not, or says what can't be played.
        ComponentsError: its components can't be used.
    """
    from analyses.study_shape import fault

    found = parse_toml(text, place)
    if found.get("format") != FORMAT:
        raise StudyError(f"{place}: found format {found.get('format')!r}; this version reads format {FORMAT}")
    if wrong := fault(found):
        raise StudyError(f"{place}: {wrong}")
    game = _found(found, place)
    if found["players"] not in (possible := registry.contests(game)):
        allowed = f"{', '.join(map(str, possible))} in {registry.shown(game)}"
        raise StudyError(f"{place}: found {found['players']} players; allowed are {allowed}")
    numbers = {number.pop("path"): Number(**number) for number in found["numbers"]} if "numbers" in found else {}
    components = replace(from_values(game, found["components"], place), numbers=numbers)
    entrants = tuple(_seated(game, entrant, place, i) for i, entrant in enumerate(found["strategies"], 1))
    rest = [found["margin"], found["batch"], found["rows"], found["command"], found.get("replay", "")]
    rest.append(found.get("course", False))
    return RunStudy(
        found["players"], entrants, components, found["seed"], found.get("games"), found.get("max_games", 0), *rest
    )


def _seated(game: str, entrant: dict[str, Any], place: str, number: int) -> Seated:
    shipped = entrant["policy"] in {*catalog.names(game), *catalog.policies(game)}
    if not shipped and not entrant.get("source"):
        none = f"{registry.shown(game)} has none of that name"
        raise StudyError(f"{place}: found the policy {entrant['policy']!r} without its source; {none}")
    if entrant.get("thinker", "") not in ("", *thinkers()):
        raise StudyError(f"{place}: found the thinker {entrant['thinker']!r}; there are {', '.join(thinkers())}")
    changes = tuple(
        (key, _weight(value, f"{place}: strategies.{number}.weights.{key}"))
        for key, value in entrant["weights"].items()
    )
    thinking = entrant.get("thinker", ""), entrant.get("budget", 0), entrant.get("at_random", 0)
    source = entrant.get("source", "")
    to_prove = bool(source) and not marked_unproved(entrant["name"])
    return Seated(entrant["name"], game, entrant["policy"], source, changes, *thinking, to_prove=to_prove)


def _weight(value: float | list[float] | str, place: str) -> Weight:
    """Return a weight as a strategy has it.

    Raises:
        StudyError: a text is no network.
    """
    if isinstance(value, str):
        try:
            return Packed.read(value)
        except ValueError as error:
            raise StudyError(f"{place}: found a text that is no network ({str(error).lower()})") from None
    return tuple(value) if isinstance(value, list) else value


def digest(*parts: bytes) -> str:
    """Return a short digest of some texts, told apart where one ends and the next begins."""
    made = hashlib.sha256()
    for part in parts:
        made.update(len(part).to_bytes(8, "little") + part)
    return made.hexdigest()[:16]


def _files(paths: list[Path]) -> str:
    return digest(
        *(part for path in sorted(paths) for part in (path.name.encode(), path.read_bytes().replace(b"\r\n", b"\n")))
    )


def strategy_digest(entrant: Seated) -> str:
    """Return a digest of the sources of a strategy: of a user's text, or of the files that come with the game."""
    thinker = [HERE / f"{entrant.thinker}.py", LOOKING] if entrant.thinker else []
    if entrant.source:
        return digest(entrant.source.encode(), _files(thinker).encode())
    return _files([*(catalog.files(entrant.game, entrant.where) or registry.files(entrant.game)), *thinker])


def manifest(study: RunStudy, text: str) -> dict[str, Any]:
    """Return what makes the numbers of a study: no times, no places.

    Args:
        study: what is played. text: the same, as it is kept.
    """
    game = registry.load(study.game)
    known = versions()
    rules = [*CORE, *kernel_files(game.folder), Path(registry.__file__).with_name("runner.py")]
    return {
        "format": FORMAT,
        "game": registry.shown(study.game),
        "rules_version": game.version,
        "seed": study.seed,
        "study": digest(text.encode()),
        "components": study.components.digest,
        "strategies": {entrant.name: strategy_digest(entrant) for entrant in study.entrants},
        "sources": _files(rules),
        "versions": {name: known[name] for name in PACKAGES},
        "continued": [],
    }


def refusal(then: dict[str, Any], now: dict[str, Any]) -> str:
    """Return why a run can't go on, in one line; "" if it can.

    Args:
        then: manifest of the run. now: what would make its numbers now.
    """
    if then["study"] != now["study"]:
        return f"study.toml was changed: its digest is {now['study']}, the manifest says {then['study']}"
    if then["rules_version"] != now["rules_version"]:
        return (
            f"the run was made with version {then['rules_version']} of the rules, this is version "
            f"{now['rules_version']}"
        )
    for name in {**then["strategies"], **now["strategies"]}:
        made, found = (made["strategies"].get(name) for made in (then, now))
        if made != found:
            return f"the strategy {name} was changed: its digest is {found}, the manifest says {made}"
    if then["components"] != now["components"]:
        return f"the components have the digest {now['components']}, the manifest says {then['components']}"
    for name in ("game", "seed"):
        if then[name] != now[name]:
            return f"study.toml has the {name} {now[name]!r}, the manifest says {then[name]!r}"
    return ""


def other(then: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """Return what has changed since the run began, though the rules are the same: {} if nothing has."""
    made = {"sources": now["sources"], **now["versions"]}
    before = [{"sources": then["sources"], **then["versions"]}, *then["continued"]]
    return {} if made in before else made
