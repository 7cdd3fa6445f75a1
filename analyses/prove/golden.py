"""Golden games: a few games, choice by choice, as a digest of all that happens in them. `prove --golden` writes them
into the game's folder.

A change in speed, in a strategy or in the order of options changes none of them; a change of rules changes them, and
takes another version.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analyses.prove.case import ProvedGame, readings
from analyses.prove.finding import Fault, PlayedGame
from sim import registry
from sim.printed.components import read
from sim.replay import Session, record
from sim.runner import Study
from strategies import catalog

FILE = "golden.json"
SEED = 1
GAMES = 4  # for each number of players


def text_of(value: Any) -> str:
    """Return the one way to write a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def pick(options: list[dict[str, Any]], number: int, decision: int) -> int:
    """Return the index of an option: by chance, the same for any order of the options."""
    ranked = sorted(range(len(options)), key=lambda i: text_of(options[i]))
    address = hashlib.sha256(f"{number} {decision}".encode()).digest()
    return ranked[int.from_bytes(address[:8], "big") % len(options)]


def told(game: str, players: int, number: int, changes: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    """Yield the record of one golden game, with positions at each decision; no strategy has a say in it."""
    printed, describe = read(game, changes=changes), registry.describer(game)
    session = Session(
        Study(game, players, (catalog.entrant(game, "random_legal", players),), printed.record, SEED), number
    )
    values = printed.model.model_dump()

    def choose(session: Session) -> int:
        options = describe.options(values, session.plain(), session.options[: session.n])
        return pick(options, number, int(session.state.decision))

    return record(session, printed, choose=choose, changes=changes, every=True)


def digest(lines: Iterator[dict[str, Any]]) -> tuple[list[int], str]:
    """Return the scores of a game and the digest of its events, its first line apart."""
    total, scores = hashlib.sha256(), list[int]()
    for line in lines:
        if line["event"] == "game":
            continue
        if line["event"] == "decision":
            chosen = line["options"][line.pop("choice") - 1]
            line |= {"options": sorted(line["options"], key=text_of), "chosen": chosen}
        scores = line.get("scores", scores)
        total.update(text_of(line).encode())
    return scores, total.hexdigest()


def variants(game: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield players, number and changes of each golden game: some for each number of players, one for each other
    reading of a rule."""
    players = registry.card(game)[1]
    yield from ((n, number, ()) for n in players for number in range(GAMES))
    for number, change in enumerate(readings(read(game)), GAMES):
        yield players[number % len(players)], number, (change,)


def golden(game: str) -> dict[str, Any]:
    """Return the golden games of a game, with what they depend on."""
    games = []
    for players, number, changes in variants(game):
        scores, found = digest(told(game, players, number, changes))
        games.append(
            {"players": players, "seed": SEED, "number": number, "changes": changes, "scores": scores, "digest": found}
        )
    return {
        "game": game,
        "version": registry.load(game).version,
        "components": read(game).digest,
        "games": json.loads(json.dumps(games)),
    }


def problem(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Return why new golden games may not replace the old ones, or nothing."""
    if old["games"] == new["games"] or old["components"] != new["components"] or old["version"] != new["version"]:
        return ""
    return (
        f"{new['game']}: other games under the same rules version {new['version']}: a change of the rules needs "
        "another version"
    )


def path(game: str) -> Path:
    """Return where a game's golden games are kept."""
    return registry.home(game) / FILE


def write(game: str) -> str:
    """Write the golden games of a game anew; return why that may not be, or nothing."""
    new, kept = golden(game), kept_of(game)
    wrong = problem(kept, new) if kept else ""
    if not wrong:
        games = ",\n".join(f"    {json.dumps(line)}" for line in new["games"])
        head = {name: new[name] for name in ("game", "version", "components")}
        path(game).write_text(f'{json.dumps(head, indent=2)[:-2]},\n  "games": [\n{games}\n  ]\n}}\n', "utf-8")
    return wrong


def kept_of(game: str) -> dict[str, Any] | None:
    """Return the golden games that are kept; None if there are none."""
    return json.loads(path(game).read_text("utf-8")) if path(game).exists() else None


def told_alike(case: ProvedGame) -> Iterator[Fault]:
    """The same version of the rules tells the golden games as they are kept."""
    kept = kept_of(case.name)
    if kept is None:
        case.leave(f"golden games: there is no {FILE} (prove --golden writes it)")
        return
    if (case.game.version, case.printed.digest) != (kept["version"], kept["components"]):
        found = f"version {case.game.version}, components {case.printed.digest}"
        allowed = f"version {kept['version']}, components {kept['components']}, or other golden games (--golden)"
        yield Fault("golden games", found, allowed, FILE)
        return
    for line in kept["games"]:
        case.count("golden games")
        scores, found = digest(told(case.name, line["players"], line["number"], tuple(line["changes"])))
        if (scores, found) != (line["scores"], line["digest"]):
            game = PlayedGame(line["players"], ("random_legal",), SEED, line["number"], tuple(line["changes"]))
            words = f"scores {scores}, digest {found[:8]}"
            allowed = f"scores {line['scores']}, digest {line['digest'][:8]}, or another version of the rules"
            yield Fault("golden games", words, allowed, FILE, game=game)
            return


CHECKS = (told_alike,)
