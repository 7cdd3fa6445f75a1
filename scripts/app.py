"""The commands. Those of more than a few lines have files of their own."""

from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from scripts import options as o
from scripts.output import out, tell, writing
from scripts.show import to_json
from sim import registry
from sim.faults import GameError
from sim.legible import ascii_json, say

if TYPE_CHECKING:
    from scripts.question import Question


class _FlagsPlain:
    """A command, or all of them, whose help shows a flag without a value."""

    def get_params(self, ctx: Any) -> list[Any]:
        found: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for option in found:
            if getattr(option, "is_flag", False):
                option.metavar = ""
        return found


class Command(_FlagsPlain, TyperCommand):
    """A command."""


class CommandGroup(_FlagsPlain, TyperGroup):
    """All commands."""


app = typer.Typer(
    cls=CommandGroup,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Monte Carlo balance analyzer for tabletop games.",
)


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
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", is_eager=True, callback=print_version)
    ] = False,
) -> None:
    """Monte Carlo balance analyzer for tabletop games: which seat, tile or strategy is too strong, with error bars."""


def games(json: o.Json = False) -> None:
    """List the games: ours, and those in the folders that CHAPTERHOUSE_GAMES lists."""
    cards = {name: registry.card(name) for name in registry.names()}
    for name in registry.offered():
        try:
            cards[name] = registry.card(registry.find(name))
        except GameError as error:  # the others are there all the same
            say(f"{name}: {error}")
    if json:
        found = [
            dict(zip(("game", "title", "players", "about"), (name, *card), strict=True)) for name, card in cards.items()
        ]
        out(ascii_json(found, indent=2))
        return
    for name, (_, players, words) in cards.items():
        tell(f"{name:12} {', '.join(map(str, players))} players. {' '.join(words.split())}")


def strategies(game: o.GameName, json: o.Json = False) -> None:
    """List the strategies of a game."""
    game = o.game_name(game)
    from strategies import catalog

    usual = catalog.default(game)
    found = {name: catalog.describe(game, name) for name in catalog.names(game)}
    if json:
        out(to_json([{"strategy": name, "about": words, "default": name == usual} for name, words in found.items()]))
        return
    for name, words in found.items():
        tell(f"{name:14} {words}{' (default)' if name == usual else ''}")


def components(
    game: o.GameName, out_file: o.OutFile = None, files: o.Files = None, changes: o.Changes = None, json: o.Json = False
) -> None:
    """Print every number of a game with its source, as CSV for a spreadsheet. --components reads the file back."""
    game = o.game_name(game)
    target = o.file("--out", out_file, (".csv",)) if out_file is not None else None
    from dataclasses import asdict

    from sim.printed.components import rows, to_csv

    read = o.read_components(game, files, changes)
    if json:
        words, shipped = read.meanings, o.read_components(game, None, None).numbers
        numbers = [
            {
                "path": path,
                "meaning": words.get(path, ""),
                "shipped": shipped[path].value if path in shipped else None,
                **asdict(number),
            }
            for path, number in read.numbers.items()
        ]
        counts = {"assumed": read.counts.assumed, "given": read.counts.given, "total": read.counts.numbers}
        head = {"game": registry.shown(game), "components": read.digest} | counts
        out(to_json(head | {"rules": read.rules, "numbers": numbers}))
    elif not target:
        out(to_csv(read).rstrip("\n"))
    if target:
        save(target, "\ufeff" + to_csv(read))  # without the mark Excel takes it for another encoding
    others = sum(1 for _ in rows(read)) - read.counts.numbers
    beside = f", and {others} that are lengths of lists and rules" * bool(others)
    name, total = registry.shown(game), read.counts.numbers
    say(f"{name}: {read.counts}; {total} rows that are numbers{beside}; digest {read.digest}")


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
    """Tell one game in the words of the rulebook: any game of any run, or a saved one."""
    from scripts.commands import replay as r

    target = o.file("--out", out_file, (".jsonl",) if json else (".txt",)) if out_file is not None else None
    game_told = r.told(r.ReplayRequest(game, number, seed, players, o.played(strategy, unproved), files, changes), file)
    told = game_told.to_json() if json else str(game_told)
    if target is None:
        out(told)
    else:
        save(target, told + "\n")


HERE = {function.__name__: function for function in (games, strategies, components, replay)}  # commands of this file
# Commands by group, as the help lists them; questions in the order in which a report plays those that belong in it.
GROUPS = {
    "Ask about a game": ("seats", "worth", "robustness", "rules", "variants", "ladder", "check", "playtests", "report"),
    "Change a game": ("compare", "sweep", "balance"),
    "Strategies": ("strategies", "tune"),
    "Look at single games": ("replay", "play"),
    "Your own game": ("new", "prove"),
    "Lists and files": ("games", "components", "resume"),
}
EXAMPLES = {  # of the commands that ask nothing; a question has its own
    "strategies": "chapterhouse strategies moesteiro",
    "replay": "chapterhouse replay moesteiro --players 4 --game 42",
    "play": "chapterhouse play moesteiro --players 3 --strategy builder",
    "new": "chapterhouse new mygame",
    "prove": "chapterhouse prove pig",
    "games": "chapterhouse games",
    "components": "chapterhouse components moesteiro --out mine.csv",
    "resume": "chapterhouse resume overnight",
}
NAMES = tuple(chain.from_iterable(GROUPS.values()))
QUESTIONS = tuple(name for name in NAMES if name not in EXAMPLES)


def question(name: str) -> "Question":
    """Return a command that plays."""
    found: Question = import_module(f"{__package__}.commands.{name}").QUESTION
    return found


def questions() -> "dict[str, Question]":
    """Return the questions by name."""
    return {name: question(name) for name in QUESTIONS}


@cache
def add(name: str) -> None:
    """Add a command, with its group and its example."""
    module = None if name in HERE else import_module(f"{__package__}.commands.{name}")
    asks: Question | None = getattr(module, "QUESTION", None)
    function = asks.command() if asks else HERE.get(name) or getattr(module, name)
    example = asks.example if asks else EXAMPLES.get(name, "")
    panel = next(group for group, names in GROUPS.items() if name in names)
    app.command(name, cls=Command, rich_help_panel=panel, epilog=f"Example: {example}")(function)


def add_commands(arguments: list[str]) -> None:
    """Add the command that the user wants, or all if none is named: each takes time to import."""
    for name in arguments[:1] if set(arguments[:1]) & set(NAMES) else NAMES:
        add(name)


def save(path: Path, text: str) -> None:
    """Write a text."""
    with writing(path):
        path.write_text(text, encoding="utf-8", newline="")
