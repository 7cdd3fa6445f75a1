"""Which way each condition of a game's rules went while its reference slice was compared, with the JIT off.

    python -m tests.conditions GAME              what the slice leaves out, as JSON
    python -m tests.conditions GAME FIRST GAMES  games that would be a slice, chosen by what they add

The files of sim/GAME are rewritten as they are imported. What counts as a condition: each test and each operand of
`and`, `or` and `not`, true or false; each comparison, wherever it stands; and each `min` and `max` of two, the first or
the second smaller. A function that is never entered leaves out all that it holds, and is named itself.
"""

import ast
import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

ROOT = Path(__file__).parents[1]
SEEN, LESS = "_seen", "_less"
Way = str  # a condition and how it went: "scoring.winner: lead > 0 | true"
DEPTH = 3  # games of a chosen slice in which each way is gone, if there are as many


class Rewritten(ast.NodeTransformer):
    """A module whose kernels tell which way each condition goes.

    Attributes:
        ways: all that can be told.
    """

    def __init__(self, module: str, tree: ast.Module):
        self.module, self.ways, self.function = module, set[Way](), ""
        self.times: Counter[str] = Counter()
        self.tree = ast.fix_missing_locations(self.visit(tree))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        decorators = " ".join(ast.unparse(decorator) for decorator in node.decorator_list)
        if self.function or not ("njit" in decorators or "compiled" in decorators):
            return node  # no kernel
        self.function = node.name
        self.generic_visit(node)
        entered = ast.Expr(self.told(ast.Constant(True), "entered", ("true",)))
        node.body.insert(1 if ast.get_docstring(node) else 0, entered)
        self.function = ""
        return node

    def told(self, node: ast.expr, text: str, ends: Sequence[str] = ("true", "false"), by: str = SEEN) -> ast.expr:
        """Return an expression of the same value that tells which way it went."""
        place = f"{self.module}.{self.function}: {text}"
        self.times[place] += 1
        place += f" #{self.times[place]}" if self.times[place] > 1 else ""
        self.ways |= {f"{place} | {end}" for end in ends}
        values = node.args if by == LESS and isinstance(node, ast.Call) else [node]
        return ast.Call(ast.Name(by, ast.Load()), [ast.Constant(place), *values], [])

    def condition(self, node: ast.expr) -> ast.expr:
        """Return a test, rewritten; the leaves of `and`, `or`, `not` and comparisons tell for themselves."""
        text, inner = ast.unparse(node), isinstance(node, ast.BoolOp | ast.Compare)
        inner |= isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        visited = self.visit(node)
        return visited if inner or isinstance(node, ast.Constant) or not self.function else self.told(visited, text)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        text = ast.unparse(node)
        self.generic_visit(node)
        return self.told(node, text) if self.function else node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        node.values = [self.condition(value) for value in node.values]
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        node.operand = self.condition(node.operand) if isinstance(node.op, ast.Not) else self.visit(node.operand)
        return node

    def tested(self, node: Any) -> ast.AST:
        node.test = self.condition(node.test)
        for name in ("body", "orelse"):
            part = getattr(node, name)
            setattr(node, name, [self.visit(line) for line in part] if isinstance(part, list) else self.visit(part))
        return node

    visit_If = visit_While = visit_IfExp = tested  # noqa: N815

    def visit_Call(self, node: ast.Call) -> ast.expr:
        text = ast.unparse(node)
        self.generic_visit(node)
        of_two = isinstance(node.func, ast.Name) and node.func.id in ("min", "max") and len(node.args) == 2
        if not (self.function and of_two):
            return node
        told = self.told(node, text, ("first smaller", "second smaller"), LESS)
        return ast.Call(node.func, [ast.Starred(told, ast.Load())], [])


class Watch(MetaPathFinder):
    """Imports the rules of a game rewritten, and keeps which ways were gone.

    Attributes:
        ways: all there are, as far as modules are imported. gone: those that were gone.
    """

    def __init__(self, game: str):
        from sim.compiled import kernel_files

        self.ways, self.gone = set[Way](), set[Way]()
        folder = ROOT / "sim" / game
        self.files = {f"sim.{game}.{path.stem}": path for path in kernel_files(folder) if path.name != "__init__.py"}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in self.files:
            return None
        return spec_from_file_location(name, self.files[name], loader=Loader(name, str(self.files[name]), self))

    def seen(self, place: str, value: Any) -> Any:
        self.gone.add(f"{place} | {'true' if value else 'false'}")
        return value

    def less(self, place: str, first: Any, second: Any) -> tuple[Any, Any]:
        if first != second:
            self.gone.add(f"{place} | {'first' if first < second else 'second'} smaller")
        return first, second


class Loader(SourceFileLoader):
    """Loads one module, rewritten."""

    def __init__(self, name: str, path: str, watch: Watch):
        super().__init__(name, path)
        self.watch = watch

    def get_code(self, fullname: str) -> CodeType:
        """Return the rewritten code, never what Python has kept of it."""
        rewritten = Rewritten(fullname.rpartition(".")[2], ast.parse(self.get_data(self.path)))
        self.watch.ways |= rewritten.ways
        return compile(rewritten.tree, self.path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update({SEEN: self.watch.seen, LESS: self.watch.less})
        super().exec_module(module)


def left_out(game: str) -> list[Way]:
    """Return the ways that a game's reference slice does not go, each in a process of its own; the JIT is off.

    Raises:
        CalledProcessError: the slice found a difference.
    """
    command = [sys.executable, "-m", "tests.conditions", game]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True)
    return list(json.loads(done.stdout))


def known(path: Path) -> dict[Way, str]:
    """Return the ways that nothing goes, as a file lists them, each with the reason."""
    return {entry["way"]: entry["reason"] for entry in tomllib.loads(path.read_text("utf-8"))["unreached"]}


def chosen(gone: dict[int, set[Way]], depth: int) -> list[int]:
    """Return games that together go every way, each of them `depth` times if possible, and as few as that takes."""
    wanted = Counter(way for ways in gone.values() for way in ways)
    wanted = Counter({way: min(depth, times) for way, times in wanted.items()})
    found: list[int] = []
    while +wanted:
        best = max(gone, key=lambda number: (number not in found) * sum(wanted[way] > 0 for way in gone[number]))
        found.append(best)
        wanted.subtract(gone[best])
    return found


def main(game: str, *span: str) -> None:
    """Do what the command line asks."""
    watch = Watch(game)
    sys.meta_path.insert(0, watch)
    comparison = import_module(f"tests.{game}.comparison")
    if not span:
        assert comparison.compare_slice() == []
        print(json.dumps(sorted(watch.ways - watch.gone)))
        return
    first, games = map(int, span)
    gone: dict[int, set[Way]] = {}
    for number in range(first, first + games):
        watch.gone.clear()
        comparison.compare_slice([number])
        gone[number] = set(watch.gone)
    every = set[Way]().union(*gone.values())
    for depth in range(1, DEPTH + 1):
        numbers = chosen(gone, depth)
        print(depth, len(numbers), sorted(numbers))
    print(*sorted(watch.ways - every), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
