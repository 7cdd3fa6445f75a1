"""The strategies that come with a game, by the proof of strategy files (`sim.proof`); and games whose positions are
compared with those of another process."""

import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from analyses.prove.case import BrokenOffError, ProvedGame, Walk, able, game_of
from analyses.prove.finding import Fault, PlayedGame
from sim.contract import KEYS
from sim.proof import code
from sim.proof import play as by_play
from sim.runner import StrategyError, strategies
from strategies import catalog
from strategies._named import thinking

GAMES = 2  # of each number of players


def playing(case: ProvedGame) -> Iterator[Fault]:
    """Strategies choose what is offered, the same in the same position and where only the unknown is another, and
    change nothing."""
    usual = thinking(catalog.default(case.name))[1]
    names = [*catalog.names(case.name), *(f"{thinker}:{usual}@12" for thinker in catalog.thinkers())]
    for name in names:
        studies = []
        for players in case.game.players:
            if name.rpartition(":")[2].partition("@")[0] in able(case.name, players):
                studies.append(case.study(players, name))
        case.beat("")
        case.count("strategies")
        try:
            found = list(by_play.stepping(studies, strategies(studies[0])[0], GAMES)) if studies else []
        except StrategyError as error:
            yield Fault("strategies", str(error))
            continue
        for objection in found[:1]:
            place = objection.place or (_peeks(case, name) if "see" in objection.allowed else None)
            where = (case.place(place.file), place.line) if place else None
            words = f"strategy {name}: {objection.found}{f' ({objection.position})' if objection.position else ''}"
            yield Fault("strategies", words, objection.allowed).at(where)


def reading(case: ProvedGame) -> Iterator[Fault]:
    """The code of the policies takes chance by `draw` alone and writes to nothing that it is lent."""
    for name, policy in _policies(case):
        for objection in code.findings(code.compiled_for(policy, case.game.signatures.policy)):
            where = (case.place(objection.place.file), objection.place.line) if objection.place else None
            yield Fault("strategies", f"strategy {name}: {objection.found}", objection.allowed).at(where)


def _policies(case: ProvedGame) -> Iterator[tuple[str, Any]]:
    """Yield the policies of a game, each once, by the first strategy that has it."""
    seen = set[int]()
    for players in case.game.players:
        for name in able(case.name, players):
            for strategy in strategies(case.study(players, name)):
                if id(strategy.policy) not in seen:
                    seen.add(id(strategy.policy))
                    yield name, strategy.policy


def _peeks(case: ProvedGame, name: str) -> Any:
    """Return the first line of a strategy that reads a hidden field or a key; None if that isn't known."""
    hidden = {f"state.{name}" for name in (KEYS[0], *chain(*case.game.hidden.values()))}
    policy = name.rpartition(":")[2].partition("@")[0]
    players = next(n for n in case.game.players if policy in able(case.name, n))
    made = code.compiled_for(strategies(case.study(players, policy))[0].policy, case.game.signatures.policy)
    return next((deed.place for deed in code.deeds(made) if deed.kind == "reads" and deed.what in hidden), None)


# --- the same games in two processes ----------------------------------------------------------------------------------

Course = list[tuple[int, ...]]  # a checksum of each field of the state, at each decision; of ENDS at the end
ENDS = ("score", "share", "numbers", "categories")  # fields of the outcome


def courses(case: ProvedGame) -> dict[PlayedGame, Course]:
    """Return the course of some games of chance, to be compared with that of another process: with each number of
    players two, with each reading one."""
    found = {}
    for changes in ((), *((change,) for change in case.readings)):
        for players in case.game.players:
            for number in range(1 if changes else 2):
                study = case.study(players, changes=changes)
                course: Course = []

                def note(walk: Walk, n: int, course: Course = course) -> None:
                    course.append(tuple(zlib.crc32(walk.states[name].tobytes()) for name in walk.states.dtype.names))

                try:
                    walk = Walk(case, study, number, changes=changes).to_the_end(note)
                except BrokenOffError:
                    continue
                course.append(tuple(zlib.crc32(walk.outcome[name].tobytes()) for name in ENDS))
                found[game_of(study, number, changes)] = course
    case.count("games with and without the JIT", len(found))
    return found


def differences(state: Any, one: dict[PlayedGame, Course], other: dict[PlayedGame, Course]) -> Iterator[Fault]:
    """Yield the first difference between the games of machine code and those of plain Python; state: its dtype."""
    fields = [f"state.{name}" for name in state.names], [f"outcome.{name}" for name in ENDS]
    for game in (game for game in one if game in other):
        for decision, (left, right) in enumerate(zip(one[game], other[game])):
            if left != right:
                names = fields[len(left) == len(ENDS)] if len(left) == len(right) else ()
                field = next((name for name, a, b in zip(names, left, right) if a != b), "")
                found = f"machine code and plain Python differ in {field or 'the number of decisions'}"
                allowed = "the same: no number outgrows its type, and no index leaves its array"
                yield Fault("JIT", found, allowed, game=replace(game, decision=decision), field=field)
                return


CHECKS = (playing, reading)
