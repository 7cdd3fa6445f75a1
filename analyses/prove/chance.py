"""Where the chance of a game comes from: which line draws at which address, out of how many; with the JIT off."""

import ast
import random
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile
from types import FunctionType, ModuleType
from typing import NamedTuple

import numpy as np

from analyses.prove.case import BrokenOffError, ProvedGame, Walk
from analyses.prove.finding import Fault, PlayedGame
from analyses.prove.lines import kernels, nodes_of
from analyses.prove.numbers import ends, typed
from sim import compiled
from sim.chance import block_key, noise_key
from sim.runner import Study
from sim.tracing import ChanceDraw, traced

GAMES = 4  # of each table: two blocks or more
MANY = 50
SECONDS = 8.0  # of processor time for more of them, and for games with numbers at their ends
OUTSIDE = (random, np.random, secrets, time)  # modules whose functions are chance from outside the game
DRAW = "chance from draw(state.key, address, sides), with an address of its own for each event"


Table = tuple[list[tuple[str, ...]], int, int, tuple[str, ...]]  # line-ups, players, number of the game, changes


class Drawn(NamedTuple):
    """A draw: file and line, from how many values (None: 64 bits), and in which game."""

    file: str
    line: int
    sides: int | None
    game: PlayedGame

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class DrawLog:
    """What one game draws from its key while it runs, address by address.

    Attributes:
        seen: address → its first draw. findings: what is wrong with the draws.
    """

    def __init__(self, case: ProvedGame, study: Study, number: int):
        self._case, self.seen, self.findings = case, dict[int, Drawn](), list[Fault]()
        with np.errstate(over="ignore"):
            key = block_key(np.uint64(study.seed), number // study.players)
            self._key, self._noise = key, int(noise_key(key))

    def note(self, made: ChanceDraw, game: PlayedGame) -> None:
        """Note a draw, and where it was made."""
        if made.file not in self._case.own:
            return
        key, address, sides = made.key, made.address, made.sides or None
        self._case.count("draws")
        file = self._case.place(made.file)
        drawn = Drawn(file, made.line, sides, game)
        if key == self._noise:
            found = "draws from state.noise, which is the strategies' chance"
            self.findings.append(Fault("chance", found, DRAW, file, drawn.line, game))
        if key != self._key:
            return
        if address < 0:
            found = f"draws at address {address}"
            self.findings.append(Fault("addresses of chance", found, "0 or more", file, drawn.line, game))
        sources = [source.name for source in self._case.game.chance if any(a <= address < b for a, b in source.ranges)]
        if len(sources) != 1:
            found = f"reads address {address}, which belongs to {' and '.join(sources) or 'no source of chance'}"
            self.findings.append(
                Fault(
                    "sources of chance", found, "addresses of exactly one source in Game.chance", file, drawn.line, game
                )
            )
        before = self.seen.setdefault(address, drawn)
        if before is not drawn:
            found = f"draws at address {address}, where {before} drew before, at decision {before.game.decision}"
            if drawn.sides != before.sides:
                found += f", from {before.sides or 'all'} values and not {drawn.sides or 'all'}"
            allowed = f"{DRAW}; keep in the state what you need again"
            self.findings.append(Fault("addresses of chance", found, allowed, file, drawn.line, game))


def addresses(case: ProvedGame) -> Iterator[Fault]:
    """No address of chance is read by two events or with two ranges, and each is the same event whoever plays."""
    told = set[tuple[str, str, int | None]]()
    for line_ups, players, number, changes in _tables(case):
        events = dict[int, Drawn]()
        for line_up in line_ups:
            study = case.study(players, *line_up, changes=changes)
            case.count("games step by step")
            draws = _drawn(case, study, number, changes)
            for finding in (*draws.findings, *_otherwise(draws, events)):
                if (key := (finding.check, finding.file, finding.line)) not in told:
                    told.add(key)
                    yield finding


def _tables(case: ProvedGame) -> Iterator[Table]:
    """Yield line-ups that meet the same chance, number of players, number of the game and changes: some games of each
    table and of each reading; then, as long as there is time, with numbers at their ends and more of each table."""
    alone: list[tuple[str, ...]] = [()]
    usual = [([*alone, names[:1], names], players) for players, names in case.tables]
    yield from ((line_ups, players, number, ()) for line_ups, players in usual for number in range(GAMES))
    yield from ((alone, players, 0, (change,)) for players in case.game.players for change in case.readings)
    more: list[Table] = [
        (alone, players, 0, typed(change)) for change in ends(case.printed) for players in case.game.players
    ]
    more += [(line_ups, players, number, ()) for number in range(GAMES, MANY) for line_ups, players in usual]
    start = time.process_time()
    yield from takewhile(lambda game: time.process_time() - start < SECONDS, more)


def _drawn(case: ProvedGame, study: Study, number: int, changes: tuple[str, ...]) -> DrawLog:
    """Play a game by chance or its strategies, and return what it draws."""
    draws = DrawLog(case, study, number)
    with suppress(BrokenOffError), traced() as made:  # other checks say what is wrong
        walk = Walk(case, study, number, changes=changes)
        _take(draws, made, walk)
        for _ in walk.positions():
            _take(draws, made, walk)
            chosen = walk.ask()
            made.clear()  # what a strategy draws is its own
            walk.choose(chosen)
        _take(draws, made, walk)
    return draws


def _take(draws: DrawLog, made: list[ChanceDraw], walk: Walk) -> None:
    """Note the draws that a game has made since the last time."""
    for draw in made:
        draws.note(draw, walk.where())
    made.clear()


def _otherwise(draws: DrawLog, events: dict[int, Drawn]) -> Iterator[Fault]:
    """Yield where an address belongs to another event than in the same block under other strategies."""
    for address, drawn in draws.seen.items():
        before = events.setdefault(address, drawn)
        if (before.file, before.line) != (drawn.file, drawn.line):
            names = " and ".join(before.game.strategies)
            found = f"reads address {address}, which {before} reads when {names} play"
            yield Fault(
                "addresses of chance",
                found,
                f"the same event whoever plays: {DRAW}",
                drawn.file,
                drawn.line,
                drawn.game,
            )
            return


def outside(case: ProvedGame) -> Iterator[Fault]:
    """The rules take no chance and no time from outside the game."""
    for function in kernels(case):
        for what, line in _calls(function):
            words = f"{function.__name__} takes chance from outside the game ({what})"
            yield Fault("chance", words, DRAW, case.place(function.__code__.co_filename), line)
        for line in _digits(function):
            words = f"{function.__name__} takes digits of state.key"
            yield Fault("chance", words, DRAW, case.place(function.__code__.co_filename), line)


def _calls(function: FunctionType) -> Iterator[tuple[str, int]]:
    """Yield the names in a function that stand for chance or time from outside, with their lines."""
    for node in nodes_of(function):
        if not isinstance(node, ast.Name | ast.Attribute):
            continue
        try:
            found = eval(compile(ast.Expression(node), "", "eval"), dict(function.__globals__))  # names and dots alone
        except Exception:
            continue
        module = sys.modules.get(getattr(found, "__module__", None) or "", None)
        owner = getattr(found, "__self__", None)
        known = module in OUTSIDE or isinstance(owner, random.Random | np.random.RandomState | np.random.Generator)
        if not isinstance(found, ModuleType) and callable(found) and (known or found is compiled.microseconds):
            yield ast.unparse(node), node.lineno


def _digits(function: FunctionType) -> Iterator[int]:
    """Yield the lines on which a function takes digits of `state.key`, instead of drawing from it."""
    for node in nodes_of(function):
        if isinstance(node, ast.BinOp) and ast.unparse(node.left) == "state.key":
            yield from [node.lineno] * isinstance(node.op, ast.Mod | ast.FloorDiv | ast.RShift | ast.BitAnd)


def setting_up(case: ProvedGame) -> Iterator[Fault]:
    """`set_up` takes the key that it is given, and gives the strategies another one."""
    for players in case.game.players:
        walk = Walk(case, case.study(players), 0)
        with np.errstate(over="ignore"):
            key = int(block_key(np.uint64(walk.study.seed), 0))
        if int(walk.states["players"][0]) != players:
            yield walk.fail(
                "set-up", f"state.players is {walk.states['players'][0]}", str(players), "state.players"
            ).finding
        if int(walk.states["key"][0]) != key:
            yield walk.fail(
                "chance", "set_up leaves another state.key than the one it is given", "state.key = key", "state.key"
            ).finding
        if int(walk.states["noise"][0]) in (key, 0):
            yield walk.fail(
                "chance", "set_up doesn't set state.noise", "state.noise = noise_key(key)", "state.noise"
            ).finding
        if walk.states["person"].tolist() != walk.outcome["person"].tolist():
            found = "set_up changes who sits where"
            yield walk.fail("seats", found, "state.person as it is", "state.person").finding


CHECKS = (setting_up, outside, addresses)
