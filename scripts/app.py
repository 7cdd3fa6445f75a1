"""The commands; those that take more than a few lines have a file of their own."""

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scripts import options as o
from scripts.output import out, tell, writing
from sim import registry
from sim.legible import ascii_json, say

if TYPE_CHECKING:
    import pandas as pd

    from scripts.question import Question

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, help="Monte Carlo balance analyzer for tabletop games.")
MAX_GAMES, MARGIN, SEED = "200000", "0.10", "1"


def print_version(asked: bool) -> None:
    """Print the version and stop."""
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            out(f"chapterhouse {version('chapterhouse')}")
        except PackageNotFoundError:
            out("chapterhouse, not installed")
        raise typer.Exit


@app.callback()
def chapterhouse(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=print_version)] = False,
) -> None:
    """Monte Carlo balance analyzer for tabletop games: which seat, tile or strategy is too strong, with error bars."""


@app.command()
def games(json: o.Json = False) -> None:
    """List the games."""
    cards = {name: registry.card(name) for name in registry.names()}
    if json:
        found = [dict(zip(("game", "title", "players", "about"), (name, *card), strict=True)) for name, card in cards.items()]
        out(ascii_json(found, indent=2))
        return
    for name, (_, players, words) in cards.items():
        tell(f"{name:12} {', '.join(map(str, players))} players. {' '.join(words.split())}")


@app.command()
def strategies(game: o.GameName, json: o.Json = False) -> None:
    """List the strategies of a game."""
    o.game_name(game)
    from scripts.show import to_json
    from strategies import catalog

    usual = catalog.default(game)
    found = {name: catalog.describe(game, name) for name in catalog.names(game)}
    if json:
        out(to_json([{"strategy": name, "about": words, "default": name == usual} for name, words in found.items()]))
        return
    for name, words in found.items():
        tell(f"{name:14} {words}{' (default)' if name == usual else ''}")


@app.command()
def components(
    game: o.GameName, out_file: o.OutFile = None, files: o.Files = None, changes: o.Changes = None, json: o.Json = False
) -> None:
    """Print every printed number of a game with its source, as CSV for a spreadsheet; --components takes the file back."""
    o.game_name(game)
    target = o.file("--out", out_file, (".csv",)) if out_file is not None else None
    from dataclasses import asdict

    from scripts.show import to_json
    from sim.printed.components import rows, to_csv

    read = o.read_components(game, files, changes)
    if json:
        words, shipped = read.meanings, o.read_components(game, None, None).numbers
        numbers = [
            {"path": path, "meaning": words.get(path, ""), "shipped": shipped[path].value if path in shipped else None, **asdict(number)}
            for path, number in read.numbers.items()
        ]
        counts = {"assumed": read.counts.assumed, "given": read.counts.given, "total": read.counts.numbers}
        head = {"game": game, "components": read.digest} | counts
        out(to_json(head | {"rules": read.rules, "numbers": numbers}))
    elif not target:
        out(to_csv(read).rstrip("\n"))
    if target:
        save(target, "\ufeff" + to_csv(read))  # without the mark Excel takes it for another encoding
    others = sum(1 for _ in rows(read)) - read.counts.numbers
    beside = f", and {others} that are lengths of lists and rules" * bool(others)
    say(f"{game}: {read.counts}; {read.counts.numbers} rows that are numbers{beside}; digest {read.digest}")


@app.command()
def replay(
    game: o.GameName,
    file: o.RecordFile = None,
    number: o.GameNumber = None,
    seed: o.ReplaySeed = None,
    players: o.Players = None,
    strategy: o.Strategies = None,
    unproved: o.Unproved = False,
    files: o.Files = None,
    changes: o.Changes = None,
    json: o.JsonLines = False,
    out_file: o.ToldFile = None,
) -> None:
    """Tell one game in the words of the rulebook: any game of any run, or one that was saved."""
    from scripts.commands import replay as r

    target = o.file("--out", out_file, (".jsonl",) if json else (".txt",)) if out_file is not None else None
    game_told = r.told(r.Asked(game, number, seed, players, o.played(strategy, unproved), files, changes), file)
    told = game_told.to_json() if json else str(game_told)
    if target is None:
        out(told)
    else:
        save(target, told + "\n")


HERE = {command.callback.__name__ for command in app.registered_commands if command.callback}  # commands of this file
# The questions, in the order in which a report plays those that belong in it; then what else has a file of its own.
QUESTIONS = (
    "seats", "worth", "robustness", "rules", "variants", "ladder", "compare", "sweep", "balance", "check", "playtests", "tune", "report",
)  # fmt: skip
ELSEWHERE = tuple(name for name in (*QUESTIONS, "play", "resume") if name not in HERE)


def question(name: str) -> "Question":
    """Return a command that plays."""
    found: Question = import_module(f"{__package__}.commands.{name}").QUESTION
    return found


def questions() -> "dict[str, Question]":
    """Return the questions by name."""
    found = {name: import_module(f"{__package__}.commands.{name}") for name in QUESTIONS}
    return {name: module.QUESTION for name, module in found.items() if hasattr(module, "QUESTION")}


@cache
def add(name: str) -> None:
    """Add a command from a file of its own."""
    module = import_module(f"{__package__}.commands.{'run' if name == 'resume' else name}")
    app.command(name)(module.QUESTION.command() if hasattr(module, "QUESTION") else getattr(module, name))


def add_commands(arguments: list[str]) -> None:
    """Add the command that is asked for, or all where none is: each of them takes its time to be imported."""
    wanted = arguments[0] if arguments else ""
    names: Iterable[str] = ELSEWHERE if wanted not in (*HERE, *ELSEWHERE) else {wanted} - HERE
    for name in names:
        add(name)


def save(path: Path, what: "str | pd.DataFrame") -> None:
    """Write a text or a table."""
    with writing(path):
        if isinstance(what, str):
            path.write_text(what, encoding="utf-8", newline="")
        else:
            from reports.table_files import save_table

            save_table(what, path)
