"""Which lines of a game's rules no game runs: games and forced positions, watched with the JIT off."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from analyses.prove.case import BrokenOffError, ProvedGame, Walk, game_of, twin
from analyses.prove.finding import Fault
from analyses.prove.lines import Line, Watch, codes, kernels, lines_of, names_on
from analyses.prove.numbers import ends, typed
from analyses.prove.seats import alike
from sim.contract import STATE_FIELDS
from sim.dealing import Deal
from sim.play import EVERY
from sim.printed.components import ComponentsError
from sim.runner import StrategyError, Study, play

GAMES = 10_000  # of a small game
SECONDS = 90.0  # after which a longer game has been played enough, by each of two processes
FORCED, FORCED_SECONDS = 20_000, 30.0  # positions that are forced, where lines are left
SET_UP_SECONDS = 10.0  # for tables that are only set
KEPT, RARE = 0.1, 50  # share of positions that are kept to force others from; of each kind of decision the first ones
ODD = (0, -1, 99)  # values of fields in forced positions, beside those in other games

Change = tuple[str, ...]  # as --set takes them
Position = tuple[Walk, Any]  # a game, and a copy of its state
Choices = tuple[list[str], list[int]]  # fields of the state, and values
Sides = tuple[list[Change], list[Change]]  # changes to the lower end, and to the higher


class Aim(NamedTuple):
    """How to force a position that comes to the lines of a function that are left.

    Attributes:
        function: fields that the function and those that it calls name, and odd values for them: what ends a range, and
            constants that they name. line: the same for the line before the first one that is left, and a few before.
        near: positions that come to that line.
    """

    function: Choices
    line: Choices
    near: list[Position]


class Ends:
    """Changes that take what is printed to its ends.

    Attributes:
        single: the readings, and numbers one at a time.
        tables: part of the components → its numbers by table, and the same by name: all lower, and all higher.
    """

    def __init__(self, case: ProvedGame):
        self.single: list[Change] = [(change,) for change in case.readings]
        self.tables: dict[str, tuple[dict[str, Sides], dict[str, Sides]]] = {}
        for end in ends(case.printed):
            change, (path, value) = typed(end), next(iter(end.items()))
            self.single.append(change)
            table, _, name = path.rpartition(".")
            for key, together in zip((table, name), self.tables.setdefault(path.partition(".")[0], ({}, {}))):
                together.setdefault(key, ([], []))[value > case.printed.numbers[path].value].append(change)

    def some(self, chance: Random) -> list[Change]:
        """Return some changes, each alone or with all that belong to it: a board is full only if all its areas are."""
        if chance.random() < 0.5:
            return chance.sample(self.single, min(len(self.single), chance.choice((2, 5, 12, 30))))
        parts = chance.sample([*self.tables], min(len(self.tables), chance.choice((1, 2, 3))))
        return [
            change
            for part in parts
            for sides in self.tables[part][chance.randrange(2)].values()
            for change in chance.choice(sides)
        ]


def coverage(case: ProvedGame, part: int = 0, parts: int = 1, seconds: float = SECONDS) -> tuple[set[Line], int, int]:
    """Play games until every line of the rules has run; then go on from forced positions.

    The games are with every number of players, of each strategy and of chance, with each reading and with numbers at
    their ends; the end of each is counted again with seats that stand alike.

    Args:
        part, parts: which of several processes this is. seconds: after which it is enough.

    Returns:
        The lines that have not run, and how many games and forced positions there were.
    """
    watch = Watch({code: lines_of(code) for function in kernels(case) for code in codes(function.__code__)})
    start, games = time.monotonic(), 0
    far, kept, rare, chance = Ends(case), dict[int, list[Position]](), dict[int, int](), Random(part)
    for number in range(part, GAMES, parts):
        if watch.done() or time.monotonic() - start > seconds:
            break
        study, changes = _study(case, far, number, parts)
        games += 1
        with (
            suppress(BrokenOffError, StrategyError),
            watch.on(),
            np.errstate(over="ignore"),
        ):  # other checks say what is wrong
            if study.deal is not None or games % 3:
                case.beat(str(game_of(study, number, changes)))
                play(study, number, 1)
                continue
            walk = Walk(case, study, number, changes=changes, stepping=games % 2 == 0)
            for _ in walk.positions():
                kind = int(walk.state.asks)
                rare[kind] = rare.get(kind, 0) + 1
                if rare[kind] <= RARE or chance.random() < KEPT:
                    kept.setdefault(study.players, []).append((walk, twin(walk.states)))
                walk.choose(walk.ask())
            for world in alike(walk):
                with suppress(Exception):  # no game may ever come there
                    walk.game.tally(walk.components[0], world[0], twin(walk.outcome)[0])
            for seat in range(study.players):
                walk.game.imagine(walk.components[0], twin(walk.states)[0], seat, np.uint64(1))
    _set_up(case, watch, far, chance)
    forced = _forced(case, watch, kept, chance)
    case.count("games with watched lines", games)
    case.count("forced positions", forced)
    case.did["lines of rules"] = watch.total
    left = {(case.place(code.co_filename), line) for code, left in watch.left.items() for line in left}
    return left, games, forced


def _set_up(case: ProvedGame, watch: Watch, far: Ends, chance: Random) -> None:
    """Only set the table with single changes, each with some number of players: that is quick."""
    start = time.monotonic()
    for changes in chance.sample(far.single, len(far.single)):
        if watch.done() or time.monotonic() - start > SET_UP_SECONDS:
            break
        study = case.study(chance.choice(case.game.players), changes=changes)
        case.beat(str(game_of(study, 0, changes)))
        with suppress(BrokenOffError), watch.on(), np.errstate(over="ignore"):
            Walk(case, study, 0, changes=changes)


def _forced(case: ProvedGame, watch: Watch, kept: dict[int, list[Position]], chance: Random) -> int:
    """Go on from positions in which some fields are as in another game, or odd, while lines are left; return how many.

    Where we can, the positions come as far as the line before those that are left. No game may ever come there, so what
    goes wrong from there says nothing.
    """
    start, forced, aims = time.monotonic(), 0, _aims(case, watch, kept, chance)
    while kept and forced < FORCED and not watch.done() and time.monotonic() - start < FORCED_SECONDS:
        if forced % 100 == 0:
            case.beat(f"{forced} forced positions")
        aim = aims[chance.choice([code for code, left in watch.left.items() if left])]
        close = bool(aim.near) and forced % 4 > 0
        walk, here = chance.choice(aim.near if close else kept[chance.choice([*kept])])
        _, there = chance.choice(kept[walk.study.players])
        world = twin(here)
        fields, values = aim.line if close and forced % 4 > 1 else aim.function
        for name in chance.sample(fields, min(len(fields), chance.choice((1, 2, 4)))):
            with suppress(OverflowError):  # a constant that this field can't hold
                world[name] = there[name] if chance.random() < 0.5 else chance.choice(values)
        forced += 1
        with suppress(TimeoutError), watch.on(limited=True):
            _go_on(walk, world, chance)
    return forced


def _aims(case: ProvedGame, watch: Watch, kept: dict[int, list[Position]], chance: Random) -> dict[CodeType, Aim]:
    """Return the aims of all functions in which lines are left."""
    named: dict[str, tuple[set[str], set[int]]] = {}  # what a function names, and which of it are constants
    for function in kernels(case):
        for code in codes(function.__code__):
            names, constants = named.setdefault(code.co_name, (set(), set()))
            names.update(code.co_names)
            values = [function.__globals__.get(name) for name in code.co_names]
            constants.update(value for value in values if type(value) is int)
    own = {*case.game.dtypes[1].names} - {*STATE_FIELDS}

    def choices(names: set[str], constants: set[int]) -> Choices:
        for called in names & named.keys():
            names, constants = names | named[called][0], constants | named[called][1]
        return sorted(names & own), [*ODD, *sorted(constants)]

    before = dict[CodeType, int]()
    for code, left in watch.left.items():
        if left:
            before[code] = max((line for line in lines_of(code) - left if line < min(left)), default=0)
    near = _near({code: line for code, line in before.items() if line}, kept, chance)
    return {
        code: Aim(choices(*named[code.co_name]), choices(names_on(code, line), set()), near.get(code, []))
        for code, line in before.items()
    }


def _near(
    lines: dict[CodeType, int], kept: dict[int, list[Position]], chance: Random
) -> dict[CodeType, list[Position]]:
    """Return for functions the positions that come to a line of theirs."""
    positions = [position for those in kept.values() for position in those]
    start, found = time.monotonic(), {code: list[Position]() for code in lines}
    for position in chance.sample(positions, len(positions)) if lines else ():
        if time.monotonic() - start > FORCED_SECONDS / 4:
            break
        watch = Watch({code: {line} for code, line in lines.items()})
        with watch.on():
            _go_on(position[0], twin(position[1]), chance)
        for code, left in watch.left.items():
            found[code] += [position] * (not left)
    return found


def _go_on(walk: Walk, world: Any, chance: Random) -> None:
    """Go on from a position for a few decisions, whatever comes of it."""
    components, options = walk.components[0], twin(walk.options)
    with suppress(Exception), np.errstate(all="ignore"):
        for _ in range(3):
            n = walk.game.advance(components, world[0], options)
            if n == 0:
                walk.game.tally(components, world[0], twin(walk.outcome)[0])
                break
            walk.game.imagine(components, twin(world)[0], int(world[0].player), np.uint64(1))
            if n > 0:
                walk.game.apply(components, world[0], options[chance.randrange(n)])


def _study(case: ProvedGame, far: Ends, number: int, parts: int) -> tuple[Study, Change]:
    """Return the study of the game of a number: each process plays the tables in turn, of chance and sometimes of
    strategies, things dealt or not, with the usual components, a single change, or many."""
    chance = Random(number)
    players, names = case.tables[(number // parts + number % parts) % len(case.tables)]
    turn, deals = number // len(case.tables), [kind for kind, things in case.game.things.items() if things.asks]
    changes: Change = ()
    if turn % 4 == 1 and far.single:
        changes = far.single[turn // 4 % len(far.single)]
    elif turn % 2 == 0 and turn and far.single:
        changes = _together(case, far, chance)
    study = case.study(players, *(names if turn % 8 < 2 else ()), changes=changes)
    if turn % 8 == 3 and deals:
        study = replace(study, deal=Deal(deals[turn // 8 % len(deals)], EVERY, powers=False))
    return study, changes


def _together(case: ProvedGame, far: Ends, chance: Random) -> Change:
    """Return some changes that the components admit together: the later of two that are about the same number."""
    wanted = far.some(chance)
    for change in case.readings:
        if chance.random() < 0.3:
            wanted.append((change,))
    while wanted:
        made = {path: text for change in wanted for path, _, text in [change[0].partition("=")]}
        changes = tuple(f"{path}={text}" for path, text in made.items())
        try:
            case.components(changes)
        except ComponentsError:
            wanted = wanted[: len(wanted) // 2]
        else:
            return changes
    return ()


def findings(left: set[Line], games: int, forced: int) -> Iterator[Fault]:
    """Yield a finding for each run of lines that did not run in so many games and forced positions."""
    for file, first, last in runs(left):
        lines = f"lines {first} to {last} never run" if last > first else "this line never runs"
        games_said = f"in {games:,} games with all readings, and numbers at their ends"
        found = f"{lines}, {games_said}, and from {forced:,} forced positions"
        yield Fault("dead rules", found, "lines that some game runs", file, first)


def runs(left: set[Line]) -> Iterator[tuple[str, int, int]]:
    """Yield file, first and last line of each run of neighbouring lines."""
    first: Line | None = None
    last: Line = ("", 0)
    for file, line in [*sorted(left), ("", 0)]:
        if first is not None and (file != last[0] or line > last[1] + 1):
            yield first[0], first[1], last[1]
            first = None
        first, last = first or (file, line), (file, line)
