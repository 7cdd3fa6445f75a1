"""The lines of a game's rules: which of them have run, and which one wrote a field last; with the JIT off."""

import ast
import dis
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import numpy as np

from analyses.prove.case import BrokenOffError, ProvedGame, Walk, twin
from analyses.prove.finding import Fault

FEW = 4  # lines that lead to the next
ENDLESS = ("no end after", "never ends")  # how the loop and a game that is played step by step say it
LONG = 20_000  # lines from a position that no game may ever come to: it may have no end

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
def nodes(file: str) -> tuple[ast.AST, ...]:
    """Return all parts of a file's text."""
    return tuple(ast.walk(ast.parse(Path(file).read_bytes())))


def nodes_of(function: FunctionType) -> Iterator[ast.AST]:
    """Yield the parts of a function's text."""
    code = function.__code__
    functions = (node for node in nodes(code.co_filename) if isinstance(node, ast.FunctionDef))
    body = next((node for node in functions if node.name == code.co_name), None)
    yield from ast.walk(body) if body else ()


@cache
def statements(file: str) -> frozenset[int]:
    """Return the lines of a file on which a statement begins."""
    return frozenset(node.lineno for node in nodes(file) if isinstance(node, ast.stmt))


def lines_of(code: CodeType) -> set[int]:
    """Return the lines of a function's code on which a statement begins that does something."""
    made = {line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno}
    return made & statements(code.co_filename)


@contextmanager
def tracing(trace: Any) -> Iterator[None]:
    """Trace what is called inside; trace: as `sys.settrace` takes it."""
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


class Watch:
    """Which lines have run. It looks at a function only as long as some of its lines have not.

    Attributes:
        left: code → the lines that have not run yet. total: how many lines there were at first.
    """

    def __init__(self, left: Mapping[CodeType, set[int]]):
        """Begin with some lines; left: is kept, and modified in place."""
        self.left, self.total = left, sum(map(len, left.values()))
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

    def _limited(self) -> Any:
        """Return a trace that raises TimeoutError after so many lines, wherever they are."""
        lines = 0

        def went(frame: FrameType, event: str, argument: Any) -> Any:
            nonlocal lines
            lines += 1
            if lines > LONG:
                sys.settrace(None)
                raise TimeoutError
            self._by_id.get(id(frame.f_code), set()).discard(frame.f_lineno)
            return went

        return went

    def on(self, limited: bool = False) -> AbstractContextManager[None]:
        """Watch inside; limited: raise TimeoutError after LONG lines."""
        return tracing(self._limited() if limited else self._called)


def names_on(code: CodeType, line: int) -> set[str]:
    """Return what a function names on a line and on the few before it."""
    return {
        instruction.argval
        for instruction in dis.get_instructions(code)
        if instruction.argval in code.co_names
        and instruction.positions is not None
        and line - FEW < (instruction.positions.lineno or 0) <= line
    }


# --- which line wrote a field -----------------------------------------------------------------------------------------


def written(case: ProvedGame, finding: Fault) -> Line | None:
    """Return the line at which a finding's game breaks off; else the last one before it that wrote the field that is
    wrong; None if neither is known."""
    assert finding.game is not None
    if any(words in finding.found for words in ENDLESS):  # to play that game again takes as long again
        return next(iter(_ends(case)), None)
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
    until = None if finding.field.startswith("outcome") else game.decision
    try:
        with tracing(called) if name else nullcontext():
            walk = Walk(case, study, game.number, changes=game.changes)
            for _ in walk.positions():
                if until is not None and walk.decisions >= until:
                    break
                walk.choose(walk.ask())
            if finding.check == "imagine" and finding.field != "option":
                last[:] = defined(case, "imagine")
                walk.game.imagine(walk.components[0], twin(walk.states)[0], walk.player, np.uint64(1))
    except BrokenOffError as error:
        if error.finding.line:
            return error.finding.file, error.finding.line
    duty = "apply" if finding.field == "state.decision" else DUTIES.get(finding.check, "")
    return next(iter(last or defined(case, duty)), None)


def _ends(case: ProvedGame) -> list[Line]:
    """Return where `advance` says that a game is over, to which none comes."""
    for function in kernels(case):
        if function.__name__ == "advance":
            file, first = function.__code__.co_filename, function.__code__.co_firstlineno
            over = [n.lineno for n in nodes(file) if isinstance(n, ast.Return) and ast.unparse(n) == "return 0"]
            return [(case.place(file), line) for line in sorted(over) if line > first][:1]
    return []


def defined(case: ProvedGame, name: str) -> list[Line]:
    """Return where a function of the rules begins, none if there is no such function."""
    for file in {function.__code__.co_filename for function in kernels(case) if function.__name__ == name}:
        functions = [node for node in nodes(file) if isinstance(node, ast.FunctionDef)]
        return [(case.place(file), node.lineno) for node in functions if node.name == name][:1]
    return []


def only_zeroed(case: ProvedGame, name: str) -> Line | None:
    """Return the first line of the rules that reads a field, if none can set it to anything but 0; else None."""
    read: Line | None = None
    for function in kernels(case):
        file = function.__code__.co_filename
        for node in nodes_of(function):
            values = [node.value] if isinstance(node, ast.Assign) else []
            zero = all(isinstance(value, ast.Constant) and value.value == 0 for value in values)
            written = [*node.targets] if isinstance(node, ast.Assign) and not zero else []
            written += [node.target] if isinstance(node, ast.AugAssign | ast.For) else []
            written += [*node.args] if isinstance(node, ast.Call) else []
            if any(getattr(part, "attr", "") == name for target in written for part in ast.walk(target)):
                return None
            if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load):
                read = min(filter(None, (read, (case.place(file), node.lineno))))
    return read


@cache
def _writers(file: str, field: str) -> frozenset[int]:
    """Return the lines of a file that may write a field, "state.score"; of "option": any field of an option."""
    owner, _, name = field.rpartition(".")
    others = {"state", "outcome"} - {owner}
    found = set[int]()
    for node in nodes(file):
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
            if any(part.attr == name and ast.unparse(part.value) not in others for part in parts):
                found.add(node.lineno)  # type: ignore[attr-defined]
    return frozenset(found)
