"""Imports from below another package: in a wheel our `sim` is `chapterhouse.sim`, so anybody may have a `sim`."""

import ast
import re
from collections.abc import Collection, Iterator


def below(package: str, source: str, names: Collection[str]) -> str:
    """Return Python source that imports some top-level packages from below another one.

    Only import statements change, and every line keeps its number. `import sim.chance` still makes the name `sim`.

    Args:
        package: where they are, as `chapterhouse`; "" leaves the source as it is. source: the text of a file.
        names: of the top-level packages.

    Raises:
        SyntaxError, ValueError: this is not Python.

    >>> print(below("chapterhouse", "import numpy, sim.chance\\nfrom sim import registry", ["sim"]))
    import numpy, chapterhouse.sim.chance, chapterhouse.sim as sim
    from chapterhouse.sim import registry
    """
    if not package:
        return source
    data = source.encode()
    for start, end, name in sorted(_found(source, data, names), reverse=True):
        data = data[:start] + name.format(package).encode() + data[end:]
    return data.decode()


def _found(source: str, data: bytes, names: Collection[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where such a name begins and ends (bytes of `data`), and what takes its place, with {} for the package."""
    starts = [0]
    for line in data.splitlines(keepends=True):  # of bytes: at the same ends of lines as Python's own parser
        starts.append(starts[-1] + len(line))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level and _first(node.module) in names:
            keyword = re.compile(rb"from(?:[ \t\f]|\\\r?\n)*").match(data, starts[node.lineno - 1] + node.col_offset)
            assert keyword is not None
            yield keyword.end(), keyword.end(), "{}."
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if (first := _first(alias.name)) in names:
                    start = starts[alias.lineno - 1] + alias.col_offset
                    if alias.asname:
                        yield start, start, "{}."
                    else:
                        also = f"{{0}}.{alias.name}, " if alias.name != first else ""
                        yield (
                            start,
                            starts[(alias.end_lineno or 0) - 1] + (alias.end_col_offset or 0),
                            f"{also}{{0}}.{first} as {first}",
                        )


def _first(name: str | None) -> str:
    return (name or "").partition(".")[0]
