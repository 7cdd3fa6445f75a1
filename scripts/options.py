"""The options of the command line: their names, what they allow, and the one line that refuses anything else."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, get_args

import typer

from scripts import completion
from scripts.output import reason as reason
from sim import registry
from sim.legible import say
from sim.registry import usual_players as usual_players

if TYPE_CHECKING:
    from analyses.request import Request
    from sim.printed.components import Components

ALONE = "variants"  # the command for solo games
BACKENDS = ("threads", "loky", "dask")
MOST_GAMES = 10**12
MOST_SEED = 2**64 - 1
MOST_JOBS = 1024
MOST_SECONDS = 1_000_000
NOTHING = "Stopped by hand before anything was played."
TABLES = (".parquet", ".csv")

WHOLE = re.compile(r"\s*[+-]?(\d{1,3}(,\d{3})+|\d+(_\d+)*)((\.\d+)?e\+?\d{1,2})?\s*", re.ASCII | re.IGNORECASE)


def option(name: str, value: str, text: str, offer: Callable[[typer.Context, str], list[str]] | None = None) -> Any:
    """Return an option; `value`: what it takes, "" for a flag; `text`: its help; `offer`: what the tab key
    offers."""
    return typer.Option(name, metavar=value or None, help=text, autocompletion=offer)


# We read all values as text and check them here, so every refusal names the option, what it found and what is allowed.
GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        autocompletion=completion.games,
        help="Name of the game, as `chapterhouse games` lists it, or the path of yours, as ./mygame.",
    ),
]
Thing = Annotated[
    str | None,
    typer.Argument(metavar="[THING]", help="Kind of thing that players hold; the game's first one if not given."),
]
Players = Annotated[
    str | None, option("--players", "N", "Number of players; the game's usual number if not given.", completion.numbers)
]
SomePlayers = Annotated[
    list[str] | None, option("--players", "N", "Number of players (repeatable); all if not given.", completion.numbers)
]
SomePlayersOrUsual = Annotated[
    list[str] | None,
    option(
        "--players", "N", "Number of players (repeatable); the game's usual number if not given.", completion.numbers
    ),
]
Games = Annotated[str | None, option("--games", "N", "Play exactly N games, rounded up to whole blocks.")]
MaxGames = Annotated[str, option("--max-games", "N", "Without --games: stop after N games even if nothing is decided.")]
Margin = Annotated[
    str, option("--margin", "M", "Balanced means a win index (share of wins times players) between 1 - M and 1 + M.")
]
Seed = Annotated[str, option("--seed", "N", "The same seed gives the same games.")]
Jobs = Annotated[str | None, option("--jobs", "N", "Number of threads; all cores if not given. Results are identical.")]
Backend = Annotated[
    str,
    option(
        "--backend",
        "NAME",
        "Where games run: threads, loky (processes on this machine) or dask. Results are identical.",
        completion.offered(lambda game: BACKENDS),
    ),
]
Scheduler = Annotated[
    str | None, option("--scheduler", "ADDRESS", "With --backend dask: the address of its scheduler, tcp://HOST:PORT.")
]
OutFolder = Annotated[str | None, option("--out", "FOLDER", "Write the tables there, as CSV.")]
PageFolder = Annotated[str | None, option("--out", "FOLDER", "Write a page and its tables there.")]
ReportFolder = Annotated[str, option("--out", "FOLDER", "Write the report there.")]
OutFile = Annotated[
    str | None,
    option("--out", "FILE.csv", "Write a file for a spreadsheet, with the placeholders first; see docs/components.md."),
]
Files = Annotated[
    list[str] | None, option("--components", "FILE", "TOML or CSV file that replaces numbers (repeatable).")
]
Changes = Annotated[list[str] | None, option("--set", "PATH=VALUE", "Replace one number (repeatable).")]
Strategies = Annotated[
    list[str] | None,
    option(
        "--strategy",
        "NAME",
        "Who plays: a name, name,weight=number or file.py. Several share the table (repeatable).",
        completion.strategies,
    ),
]
Unproved = Annotated[
    bool, option("--unproved", "", "Skip the proof that strategies in Python files keep to the rules for strategies.")
]
Rows = Annotated[
    str | None,
    option(
        "--rows",
        "FILE",
        "Write a row for each game and seat to this file (.parquet or .csv). With --run, the word parquet writes them "
        "to DIR/rows.",
    ),
]
RunFolder = Annotated[
    str | None,
    option(
        "--run",
        "DIR",
        "Keep the run in this folder, new or empty. If it stops, `chapterhouse resume DIR` continues it.",
    ),
]
Timeout = Annotated[
    str | None,
    option(
        "--timeout",
        "SECONDS",
        "Stop with an error if a batch of games takes longer, since a strategy may never answer. Games then run in "
        "processes.",
    ),
]
Trust = Annotated[
    bool,
    option("--trust", "", "Run its strategies from files, even if you have never played with them on this computer."),
]
RecordFile = Annotated[
    str | None,
    typer.Argument(metavar="[FILE]", help="A game as JSON lines. Without it, the command plays a game of a run again."),
]
GameNumber = Annotated[
    str | None, option("--game", "N", "Number of the game in its run, as in the rows; 0 if not given.")
]
ReplaySeed = Annotated[str | None, option("--seed", "N", "Seed of the run; 1 if not given.")]
ToldFile = Annotated[str | None, option("--out", "FILE", "Write the game there (.txt, or .jsonl with --json).")]
JsonLines = Annotated[bool, option("--json", "", "Tell the game as JSON lines, an event on each (docs/record.md).")]
Quiet = Annotated[bool, option("--quiet", "", "Don't report progress. Warnings and errors still show.")]
Json = Annotated[bool, option("--json", "", "Print only the result, as JSON, on standard output.")]


def flag(annotation: Any) -> str:
    """Return the name of an option, as --games; "" for an argument."""
    info = get_args(annotation)[1]
    names = (info.default, *(info.param_decls or ()))  # typer takes the first name for a default until it knows better
    return next((name for name in names if isinstance(name, str) and name.startswith("--")), "")


class WrongInputError(Exception):
    """We can't use something that the user gave. One line says what, or a line for each problem."""

    def __init__(self, *problems: str):
        super().__init__("\n".join(problems))
        self.lines = problems


class StoppedError(Exception):
    """The user has pressed Ctrl-C, and we have shown all that we can."""


def refuse(option: str, found: object, allowed: str) -> NoReturn:
    """Raise WrongInputError in the form that all refusals have."""
    raise WrongInputError(f"{option}: found {found}; allowed {allowed}")


def missing(option: str, *libraries: str, found: str = "") -> NoReturn:
    """Refuse what needs missing libraries; `found`: what the user gave."""
    them, names = "it is" if len(libraries) == 1 else "they are", " or ".join(libraries)
    refuse(option, f"{found}no library {names}", f"once {them} there: python3 -m pip install {' '.join(libraries)}")


def readable(words: Sequence[str]) -> None:
    """Refuse words that are not text: what isn't UTF-8 can't go on a page or into a file."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            refuse("arguments", repr(word), "text in UTF-8")


def whole(option: str, text: str, least: int, most: int) -> int:
    """Return the whole number in an option, from `least` to `most`: 100000, 100,000, 100_000 or 1e5."""
    value = Decimal(text.replace(",", "")) if len(text) < 40 and WHOLE.fullmatch(text) else Decimal("NaN")
    if value.is_nan() or not least <= value <= most or value % 1:
        refuse(option, repr(text), f"a whole number from {least} to {most}")
    return int(value)


def number(option: str, text: str, fits: Callable[[float], bool], allowed: str) -> float:
    """Return the number in an option, if it fits; refuse it with what is allowed otherwise."""
    with suppress(ValueError):
        if fits(value := float(text)):
            return value
    refuse(option, repr(text), allowed)


def fraction(option: str, text: str) -> float:
    """Return the number in an option, strictly between 0 and 1."""
    return number(option, text, lambda value: 0 < value < 1, "a number greater than 0 and less than 1")


def seconds(text: str | None) -> float | None:
    """Return the number of seconds in --timeout; None if it is missing."""
    if text is None:
        return None
    allowed = f"a number of seconds, more than 0 and at most {MOST_SECONDS}"
    return number("--timeout", text, lambda value: 0 < value <= MOST_SECONDS, allowed)


def game_name(text: str) -> str:
    """Return the name, for us, of the game that people mean, which must exist."""
    try:
        return registry.find(text)
    except KeyError:
        here = f"; the folder of that name is ./{text}" if text and Path(text).is_dir() else ""
        known = ", ".join([*registry.names(), *registry.offered()])
        refuse("GAME", repr(text), f"{known}, or the path of a game, as ./mygame{here}")


def some_players(game: str, texts: Sequence[str], alone: bool = False) -> list[int]:
    """Return the numbers of players that the user asks for, each once; all that the game allows if none.

    Args:
        game: name. texts: as typed. alone: whether to allow one person against the game's own opponent.
    """
    possible = registry.card(game)[1] if alone else registry.contests(game)
    for text in texts:
        if text in map(str, possible):
            continue
        where = f"{' or '.join(map(str, possible))} in {registry.shown(game)}"
        if text in map(str, registry.card(game)[1]):
            where = (
                f"{' or '.join(map(str, possible))} here, to compare players; "
                f"`chapterhouse {ALONE} {registry.typed(game)}` measures the solo game"
            )
        refuse("--players", repr(text), where)
    return [number for number in possible if not texts or str(number) in texts]


def played(texts: list[str] | None, unproved: bool) -> list[str] | None:
    """Return the strategies as typed; if they go without proof, the names of those in Python files say so."""
    from strategies._named import tidy, without_proof

    return [without_proof(text) if unproved else tidy(text) for text in texts] if texts else texts


def kind_of_thing(game: str, asked: str | None) -> str:
    """Return the kind of thing that the user asks for, or the game's first."""
    things = registry.load(game).things
    if not things:
        refuse("GAME", repr(registry.typed(game)), "a game that counts what players hold; this one doesn't")
    if asked is None:
        return next(iter(things))
    if asked not in things:
        refuse("THING", repr(asked), f"{', '.join(things)} in {registry.shown(game)}")
    return asked


_made: list[Path] = []  # folders of this command, the outer ones first


def unmake() -> None:
    """Remove the folders that we made for a command and that stayed empty."""
    while _made:
        with suppress(OSError, ValueError):
            _made.pop().rmdir()


def folder(text: str, option: str = "--out") -> Path:
    """Return the folder in an option, to which we can write; we make it if it is missing."""
    path = Path(text)
    try:
        _made.extend(reversed([above for above in (path, *path.parents) if not above.exists()]))
        path.mkdir(parents=True, exist_ok=True)
        probe = path / ".chapterhouse"
        probe.touch()
        probe.unlink()
    except (OSError, ValueError) as error:
        refuse(option, f"{text!r} ({reason(error)})", "a folder that can be written to")
    return path


def file(option: str, text: str, suffixes: Sequence[str] = ()) -> Path:
    """Return a file that we can write, with one of some suffixes if there are any."""
    path = Path(text)
    if suffixes and path.suffix.lower() not in suffixes:
        refuse(option, repr(text), f"a file name that ends in {' or '.join(suffixes)}")
    try:
        new = not path.exists()
        if not new and not path.is_file() and not path.is_dir():
            # a pipe would wait for a reader
            refuse(option, f"{text!r} (not a regular file)", "a file that can be written")
        with path.open("ab"):
            pass
        if new:
            path.resolve().unlink()  # remove what a link leads to, not the link
    except (OSError, ValueError) as error:
        refuse(option, f"{text!r} ({reason(error)})", "a file that can be written")
    return path


@contextmanager
def strategy_errors() -> Iterator[None]:
    """Report errors in strategies, components or backends as wrong input."""
    from sim.cluster import ClusterError
    from sim.printed.components import ComponentsError
    from sim.runner import StrategyError

    try:
        yield
    except (StrategyError, ComponentsError, ClusterError) as error:
        raise WrongInputError(str(error)) from None


@dataclass(frozen=True)
class Where:
    """Where games run, checked: a backend of `sim.cluster.playing` and its scheduler."""

    backend: str = "threads"
    scheduler: str = ""

    @classmethod
    def read(cls, backend: str, scheduler: str | None, jobs: str | None) -> "Where":
        """Check the options.

        Raises:
            WrongInputError: an option has a wrong value.
        """
        if backend not in BACKENDS:
            refuse("--backend", repr(backend), ", ".join(BACKENDS))
        if backend != "dask":
            if scheduler is not None:
                refuse("--scheduler", repr(scheduler), "with --backend dask")
            return cls(backend)
        if find_spec("distributed") is None:
            missing("--backend", "distributed", found="'dask', but ")
        if not scheduler:
            refuse("--scheduler", "nothing", "with --backend dask the address of its scheduler, as tcp://HOST:8786")
        if jobs is not None:
            refuse("--jobs", repr(jobs), "with threads or loky; with dask all cores of its workers play")
        return cls(backend, scheduler)

    def allow(self, **given: object) -> None:
        """Refuse options that need threads in this process, because other backends only send sums back; None: not
        given.

        Raises:
            WrongInputError: one is given, and games run elsewhere.
        """
        for name, value in given.items():
            if value is not None and self.backend != "threads":
                refuse(f"--{name}", repr(value), "with --backend threads")

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Run games there; its errors become wrong input."""
        from sim.cluster import playing

        with strategy_errors(), playing(self.backend, self.scheduler):
            yield


def request(given: Mapping[str, Any], players: str = "one") -> "Request":
    """Check the options that questions share, and read the components.

    Args:
        given: option → text as typed, or None; `game`, and the other options that the question takes. players: see
            `Question.players`.

    Raises:
        WrongInputError: something can't be used.
    """
    from analyses.request import Request

    game, texts = game_name(given["game"]), given.get("players")
    texts = texts if isinstance(texts, list) or texts is None else [texts]
    games, jobs = given.get("games"), given.get("jobs")
    checked: dict[str, Any] = {
        "games": None if games is None else whole("--games", games, 1, MOST_GAMES),
        "max_games": whole("--max-games", given.get("max_games") or str(MOST_GAMES), 1, MOST_GAMES),
        "margin": fraction("--margin", given.get("margin") or "0.10"),
        "seed": whole("--seed", given.get("seed") or "1", 0, MOST_SEED),
        "jobs": -1 if jobs is None else whole("--jobs", jobs, 1, MOST_JOBS),
        "strategies": tuple(played(given.get("strategy"), bool(given.get("unproved"))) or ()),
        "files": tuple(given.get("files") or ()),
        "changes": tuple(given.get("changes") or ()),
    }
    usual = not texts and players in ("one", "usual")
    numbers = [usual_players(game)] if usual else some_players(game, texts or (), alone=players == "alone")
    printed = read_components(game, given.get("files"), given.get("changes"))
    return Request(game, printed, players=tuple(numbers), named=bool(texts), **checked)


def read_components(
    game: str, files: Sequence[str] | None, changes: Sequence[str] | None, again: bool = False
) -> "Components":
    """Return a game's components with a user's files and changes; say on standard error what we didn't read in a file.

    Args:
        game: its name. files, changes: in order. again: whether we have said that before.

    Raises:
        WrongInputError: a file or a change is wrong.
    """
    from sim.printed.components import read

    with strategy_errors():
        found = read(game, [Path(name) for name in files or ()], list(changes or ()))
    for remark in () if again else found.remarks:
        say(remark)
    return found
