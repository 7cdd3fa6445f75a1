"""Whether a game counts what happened: its `recount.py` counts it again from records (`sim.recounting`)."""

import json
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from analyses.prove.case import ProvedGame, Walk
from analyses.prove.finding import Fault, few
from sim import registry
from sim.contract import NO_AUTOMATON, WHOLE, Game
from sim.recounting import Figures, Line, Recount, RecountError
from sim.replay import record
from sim.runner import Study

FILE = "recount.py"
GAMES, FEWEST = 100, 5  # of each table, the second if they take longer than
SECONDS = 8.0  # of processor time


def as_told(lines: Iterable[Line]) -> Iterator[Line]:
    """Yield the lines of a record as they are read from a file."""
    return (json.loads(json.dumps(line)) for line in lines)


def counted(game: Game, outcome: Any, players: int) -> list[Figures]:
    """Return what an outcome record says, as figures of each seat."""
    automaton = {} if outcome.automaton == NO_AUTOMATON else {"automaton": int(outcome.automaton)}
    figures = []
    for seat in range(players):
        codes = {name: int(outcome.categories[seat, i]) for i, name in enumerate(game.categories)}
        figures.append(
            {"score": int(outcome.score[seat]), "share": int(outcome.share[seat]) / WHOLE, **automaton}
            | {name: int(outcome.numbers[seat, i]) for i, name in enumerate(game.numbers)}
            | {name: game.categories[name][code] if code >= 0 else None for name, code in codes.items()}
        )
    return figures


class Disagreement(NamedTuple):
    """A figure of a seat, from 1, that is not the same in both, or that only one of them has."""

    seat: int
    name: str
    recounted: Any
    said: Any

    def __str__(self) -> str:
        return f"seat {self.seat}, {self.name}: recounted {self.recounted}, the game says {self.said}"


def disagreements(recounted: Sequence[Figures], said: Sequence[Figures]) -> list[Disagreement]:
    """Return the figures that are not the same in both, or that only one of them has."""
    return [
        Disagreement(seat, name, ours.get(name, "nothing"), theirs.get(name, "nothing"))
        for seat, (ours, theirs) in enumerate(zip(recounted, said, strict=True), 1)
        for name in sorted(ours.keys() | theirs.keys())
        if name not in ours or name not in theirs or ours[name] != theirs[name]
    ]


def recounts(case: ProvedGame) -> Iterator[Fault]:
    """What the game says at its end is what its recount makes of the record."""
    if not registry.text(case.name, FILE):
        case.leave(f"whether the game counts what happened: it has no {FILE}")
        return
    recount = registry.recount(case.name)
    if recount is None:
        yield Fault("recount", "no function recount", "recount(lines), see sim/recounting.py", FILE)
        return
    told, start, studies = set[str](), time.process_time(), [*case.studies(changes=True)]
    for number in range(GAMES):
        if number >= FEWEST and time.process_time() - start > SECONDS:
            break
        for study, changes in studies:
            if number == 0 or not changes:
                case.count("games recounted")
                for finding in _recounted(case, recount, study, number, changes):
                    if (about := finding.field or finding.check) not in told:
                        told.add(about)
                        yield finding


def _recounted(
    case: ProvedGame, recount: Recount, study: Study, number: int, changes: tuple[str, ...]
) -> Iterator[Fault]:
    walk = Walk(case, study, number, changes=changes, stepping=True)
    lines = [*as_told(record(walk, case.components(changes), changes=changes, every=True))]
    said = counted(case.game, walk.outcome[0], study.players)

    def told() -> Iterator[Line]:
        for line in lines:
            walk.decisions = line.get("number", walk.decisions)  # where it stands, in case that the recount breaks off
            yield line

    try:
        walk.decisions = 0
        found = disagreements(recount(told()), said)
    except RecountError as error:
        yield walk.fail("recount", str(error), "a record that the recount can follow").finding
        return
    except Exception as error:
        finding = walk.fail("recount", f"the recount fails: {type(error).__name__}: {error}").finding
        yield finding.at(case.place_of(error))
        return
    silent = sorted({one.name for one in found if one.recounted == "nothing"})
    if silent:
        case.leave(f"figures that {FILE} leaves out ({few(silent)})")
    for one in found:
        if one.name not in silent:
            part = "categories" if one.name in case.game.categories else one.name.partition(".")[0]
            yield walk.fail("recount", str(one), "what the record comes to", f"outcome.{part}").finding


CHECKS = (recounts,)
