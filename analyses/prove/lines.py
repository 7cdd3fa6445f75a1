"""The lines of a game's rules: which of them no game runs, and which one wrote a field last; with the JIT off."""

import ast
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any

import numpy as np

from analyses.prove.case import BrokenOffError, ProvedGame, Walk, game_of, twin
from analyses.prove.finding import Fault
from sim.dealing import Deal
from sim.play import EVERY
from sim.printed.components import ComponentsError
from sim.runner import StrategyError, Study, play

GAMES = 10_000  # of a small game
SECONDS = 110.0  # after which a longer game has been played enough, by each of two processes

# Check → the function whose duty is neglected, where no line is at fault.
DUTIES = {"stepping": "advance", "set-up": "set_up", "tally": "tally"}

Line = tuple[str, int]  # file, line


def kernels(case: ProvedGame) -> list[FunctionType]:
    """Return the functions of the game's files that its entry points lead to."""
    game, found = case.game, dict[CodeType, FunctionType]()
    todo: list[Any] = [game.set_up, game.advance, game.apply, game.imagine, game.tally]
    while todo:
        function = getattr(value := todo.pop(), "py_func", value)
        if not isinstance(function, FunctionType) or function.__code__ in found:
            continue
        found[function.__code__] = function
        names = {name for code in codes(function.__code__) for name in code.co_names}
        todo += [function.__globals__[name] for name in names & function.__globals__.keys()]
        todo += [cell.cell_contents for cell in function.__closure__ or ()]
        modules = [value for name in names if hasattr(value := function.__globals__.get(name), "__spec__")]
        todo += [vars(module)[name] for module in modules for name in names & vars(module).keys()]
    return [function for code, function in found.items() if code.co_filename in case.own]


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a function's code and that of functions and comprehensions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


@cache
def statements(file: str) -> frozenset[int]:
    """Return the lines of a file on which a statement begins."""
    tree = ast.parse(Path(file).read_bytes())
    return frozenset(node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt))


def lines_of(code: CodeType) -> set[int]:
    """Return the lines of a function's code on which a statement begins that does something."""
    made = {line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno}
    return made & statements(code.co_filename)


class Watch:
    """Which lines have run. It looks at a function only as long as some of its lines have not.

    Attributes:
        left: code → the lines that have not run yet.
    """

    def __init__(self, functions: Iterable[FunctionType]):
        self.left = {code: lines_of(code) for function in functions for code in codes(function.__code__)}
        self.total = sum(map(len, self.left.values()))
        self._by_id = {id(code): left for code, left in self.left.items()}  # to look up a code takes long

    def done(self) -> bool:
        """Return whether there is nothing left to look for."""
        return not any(self.left.values())

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        left = self._by_id.get(id(frame.f_code))
        if not left:
            return None

        def went(frame: FrameType, event: str, argument: Any) -> Any:
            left.discard(frame.f_lineno)
            return went if left else None

        return went

    @contextmanager
    def on(self) -> Iterator[None]:
        """Watch meanwhile."""
        before = sys.gettrace()
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(before)


def coverage(case: ProvedGame, part: int = 0, parts: int = 1, seconds: float = SECONDS) -> tuple[set[Line], int]:
    """Play games until every line of the rules has run; return the lines that have not, and how many games there were.

    They are games with every number of players, of each strategy and of chance, with each reading and with numbers at
    their ends; the end of each is counted again with seats that stand alike.

    Args:
        part, parts: which of several processes this is. seconds: after which it is enough.
    """
    watch, start, games = Watch(kernels(case)), time.monotonic(), 0
    for number in range(part, GAMES, parts):
        if watch.done() or time.monotonic() - start > seconds:
            break
        study, changes = _study(case, number)
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
            walk = Walk(case, study, number, changes=changes, stepping=games % 2 == 0).to_the_end()
            for world in alike(walk):
                with suppress(Exception):  # no game may ever come there
                    walk.game.tally(walk.components[0], world[0], twin(walk.outcome)[0])
            for seat in range(study.players):
                walk.game.imagine(walk.components[0], twin(walk.states)[0], seat, np.uint64(1))
    case.count("games with watched lines", games)
    case.did["lines of rules"] = watch.total
    return {(case.place(code.co_filename), line) for code, left in watch.left.items() for line in left}, games


def _study(case: ProvedGame, number: int) -> tuple[Study, tuple[str, ...]]:
    """Return the study of the game of a number: the tables in turn, of chance and sometimes of strategies, things
    dealt or not, with the usual components, one change, or many."""
    chance = Random(number)
    players, names = case.tables[number % len(case.tables)]
    turn, deals = number // len(case.tables), [kind for kind, things in case.game.things.items() if things.asks]
    changes: tuple[str, ...] = ()
    if turn % 4 == 1 and case.ends:
        changes = case.ends[turn // 4 % len(case.ends)]
    elif turn % 2 == 0 and turn and case.ends:
        changes = _together(case, chance)
    study = case.study(players, *(names if turn % 8 < 2 else ()), changes=changes)
    if turn % 8 == 3 and deals:
        study = replace(study, deal=Deal(deals[turn // 8 % len(deals)], EVERY, powers=False))
    return study, changes


def _together(case: ProvedGame, chance: Random) -> tuple[str, ...]:
    """Return some changes that the components admit together: the later of two that are about the same number."""
    if chance.random() < 0.5:
        wanted = chance.sample(case.ends, min(len(case.ends), chance.choice((2, 5, 12, 30))))
    else:  # numbers of a table go together: a board has few spaces only if all areas have
        wanted = []
        for part in chance.sample([*case.tables_of_ends], min(len(case.tables_of_ends), chance.choice((1, 2, 3)))):
            for sides in case.tables_of_ends[part].values():
                wanted += chance.choice(sides)
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


def alike(walk: Walk) -> Iterator[Any]:
    """Yield copies of a position in which a seat stands as another one, for each two seats."""
    fields = by_seat(walk.game)
    for one in range(walk.study.players):
        for other in range(walk.study.players):
            if one != other:
                world = twin(walk.states)
                for name in fields:
                    world[name][0, other] = world[name][0, one]
                yield world


def by_seat(game: Any) -> list[str]:
    """Return the fields of a state that have an entry for each seat, but for who sits there."""
    dtype = game.dtypes[1]
    return [name for name in dtype.names if dtype[name].shape[:1] == (game.seats,) and name != "person"]


def dead(case: ProvedGame) -> Iterator[Fault]:
    """Yield a finding for each run of lines that no game runs."""
    yield from findings(*coverage(case))


def findings(left: set[Line], games: int) -> Iterator[Fault]:
    """Yield a finding for each run of lines that did not run in any of so many games: of a block, its first line."""
    for file, first, last in runs(left):
        lines = f"lines {first} to {last} never run" if last > first else "this line never runs"
        found = f"{lines}, in {games:,} games with all readings, and numbers at their ends"
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


# --- which line wrote a field -----------------------------------------------------------------------------------------


def written(case: ProvedGame, finding: Fault) -> Line | None:
    """Return the line at which a finding's game breaks off; else the last one before it that wrote the field that is
    wrong; None if neither is known."""
    assert finding.game is not None
    game, name = finding.game, finding.field.rpartition(".")[2]
    writers = {(file, line) for file in case.own for line in _writers(file, finding.field)}
    last: list[Line] = []

    def called(frame: FrameType, event: str, argument: Any) -> Any:
        return went if frame.f_code.co_filename in case.own else None

    def went(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line" and (frame.f_code.co_filename, frame.f_lineno) in writers:
            last[:] = [(case.place(frame.f_code.co_filename), frame.f_lineno)]
        return went

    study = case.study(game.players, *game.strategies, changes=game.changes)
    before = sys.gettrace()
    try:
        if name:
            sys.settrace(called)
        walk = Walk(case, study, game.number, changes=game.changes)
        for _ in walk.positions():
            if (
                game.decision is not None
                and walk.decisions >= game.decision
                and not finding.field.startswith("outcome")
            ):
                break
            walk.choose(walk.ask())
        if finding.check == "imagine":
            last[:] = defined(case, "imagine")
            walk.game.imagine(walk.components[0], twin(walk.states)[0], walk.player, np.uint64(1))
    except BrokenOffError as error:
        if error.finding.line:
            return error.finding.file, error.finding.line
    finally:
        sys.settrace(before)
    duty = "apply" if finding.field == "state.decision" else DUTIES.get(finding.check, "")
    return next(iter(last or defined(case, duty)), None)


def defined(case: ProvedGame, name: str) -> list[Line]:
    """Return where a function of the rules begins, none if there is no such function."""
    for file in {function.__code__.co_filename for function in kernels(case) if function.__name__ == name}:
        nodes = [node for node in ast.walk(ast.parse(Path(file).read_bytes())) if isinstance(node, ast.FunctionDef)]
        return [(case.place(file), node.lineno) for node in nodes if node.name == name][:1]
    return []


@cache
def _writers(file: str, field: str) -> frozenset[int]:
    """Return the lines of a file that may write a field, "state.score"; of "option": any field of an option."""
    name = field.rpartition(".")[2]
    found = set[int]()
    for node in ast.walk(ast.parse(Path(file).read_bytes())):
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
        )
        if field.startswith("option"):
            texts = [ast.unparse(target) for target in targets]
            if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef | ast.For | ast.If | ast.While):
                texts += [ast.unparse(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)]
            if any("option" in text or "offer" in text for text in texts):
                found.add(node.lineno)  # type: ignore[attr-defined]
            continue
        for target in targets:
            parts = [part for part in ast.walk(target) if isinstance(part, ast.Attribute)]
            if any(part.attr == name for part in parts):
                found.add(node.lineno)  # type: ignore[attr-defined]
    return frozenset(found)
