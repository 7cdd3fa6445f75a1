"""Ask chapterhouse's questions from Python: each function is the command of its name (docs/api.md).

    found = chapterhouse.seats("moesteiro", players=4, changes={"kings.afonso_v.vp": 2}, games=20_000)
    found.verdict               "balanced", "unbalanced" or "undecided"
    found.tables["seats"]       a pandas table
    found.to_dict()             what --json prints
    found.write("folder")       the page, and its tables beside it

The keywords are the command's options; `changes` are those of --set. You name games and strategies as on the command
line, and give numbers, lists, ranges and paths as such. Wrong input raises ValueError with the line that the command
prints. Ctrl-C ends a question early: the finding holds what was played until then, and its `interrupted` is true. Say
`quiet=False` to see progress on standard error.

The author of a game imports from here too (docs/game.md): `from chapterhouse import Numbers, published, strategy`.
"""

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from scripts.commands.replay import ToldGame
    from scripts.question import Finding
    from sim.onefile.author import *  # noqa: F403

Count = float | None
Names = str | PathLike[str] | Iterable[str | PathLike[str]] | None
Players = int | Iterable[int] | None
Changes = Mapping[str, Any] | None


def __getattr__(name: str) -> Any:
    """Return what the author of a game imports; who only asks questions needn't wait for it."""
    if not name.startswith("_"):
        from sim.onefile import author

        if name in author.__all__:
            return getattr(author, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def seats(
    game: str, *, players: int | None = None, games: Count = None, max_games: float = 200_000, margin: float = 0.10,
    seed: int = 1, jobs: int | None = None, components: Names = None, changes: Changes = None, strategy: Names = None,
    unproved: bool = False, rows: str | PathLike[str] | None = None, run: str | PathLike[str] | None = None,
    timeout: Count = None, backend: str = "threads", scheduler: str | None = None, quiet: bool = True,
) -> "Finding":  # fmt: skip
    """Is the first player favoured? How often each seat wins, until that is decided or `max_games` are played."""
    return _ask("seats", locals())


def worth(
    game: str, thing: str | None = None, *, round: int | str = "each", levels: bool = False,  # noqa: A002
    power_games: Count = None, players: Players = None, games: Count = None, max_games: float = 400_000,
    margin: float = 0.10, seed: int = 1, jobs: int | None = None, components: Names = None, changes: Changes = None,
    strategy: Names = None, unproved: bool = False, backend: str = "threads", scheduler: str | None = None,
    quiet: bool = True,
) -> "Finding":  # fmt: skip
    """What is each thing (King, …) worth? Chance deals them, with and without their powers, until each is decided."""
    return _ask("worth", locals())


def compare(
    game: str, sets: Names = None, *, variant: Names | Mapping[str, Mapping[str, Any]] = None,
    against: str | PathLike[str] | None = None, retune: Count = None, players: int | None = None,
    games: float = 100_000, margin: float = 0.10, seed: int | None = None, jobs: int | None = None,
    components: Names = None, changes: Changes = None, strategy: Names = None, unproved: bool = False,
    backend: str = "threads", scheduler: str | None = None, quiet: bool = True,
) -> "Finding":  # fmt: skip
    """What does a change do? The game before and after it, on the same chance. Or which of several sets is the fairest:
    `sets` are files, and `variant` the others by name, {"mild": {"goal": 90}}."""
    return _ask("compare", locals())


def sweep(
    game: str, number: str | Mapping[str, Any], *, of: str = "seat:1", find: Count = None, players: int | None = None,
    games: Count = None, margin: float = 0.10, seed: int = 1, jobs: int | None = None,
    components: Names = None, changes: Changes = None, strategy: Names = None, unproved: bool = False,
    backend: str = "threads", scheduler: str | None = None, quiet: bool = True,
) -> "Finding":  # fmt: skip
    """What does one number do? It takes each value of "kings.afonso_v.vp=0..6", or of {"kings.afonso_v.vp":
    range(7)}."""
    return _ask("sweep", locals())


def balance(
    game: str, *, change: Names | Mapping[str, Any] = None, only: Names = None, players: int | None = None,
    trials: int = 100, games: float = 4000, max_games: float = 200_000, margin: float = 0.10, seed: int = 1,
    jobs: int | None = None, components: Names = None, changes: Changes = None, strategy: Names = None,
    unproved: bool = False, backend: str = "threads", scheduler: str | None = None, quiet: bool = True,
) -> "Finding":  # fmt: skip
    """What is the smallest change that makes it fair to every seat and thing? `change`: the numbers that may change."""
    return _ask("balance", locals())


def robustness(
    game: str, *, printings: int = 100, players: Players = None, games: float = 7500, margin: float = 0.10,
    seed: int = 1, jobs: int | None = None, components: Names = None, changes: Changes = None, strategy: Names = None,
    unproved: bool = False, backend: str = "threads", scheduler: str | None = None, quiet: bool = True,
) -> "Finding":  # fmt: skip
    """Would it be the same with the real numbers? Each finding is looked at in many other plausible sets of numbers."""
    return _ask("robustness", locals())


def check(
    game: str, *, max_seat_index: Count = None, max_thing_index: Count = None, baseline: str | None = None,
    margin: float | None = None, summary: str | None = None, players: Players = None, games: Count = None,
    max_games: float = 200_000, seed: int = 1, jobs: int | None = None, components: Names = None,
    changes: Changes = None, strategy: Names = None, unproved: bool = False, backend: str = "threads",
    scheduler: str | None = None, quiet: bool = True,
) -> "Finding":  # fmt: skip
    """Do all limits hold? No seat, and nobody who is dealt a thing, may win more than so many times the fair share.

    With `baseline`, a file of components, also: are your components no worse than those?
    """
    return _ask("check", locals())


def ladder(
    game: str, *, budgets: str | Iterable[int] = "25,50,100,200,400", players: int | None = None,
    games: Count = None, seed: int = 1, jobs: int | None = None, components: Names = None, changes: Changes = None,
    backend: str = "threads", scheduler: str | None = None, quiet: bool = True,
) -> "Finding":  # fmt: skip
    """How much skill is in it? Each strategy against the one below, from chance to looking ahead."""
    return _ask("ladder", locals())


def variants(
    game: str, *, players: Players = None, games: Count = None, max_games: float = 40_000, margin: float = 0.10,
    seed: int = 1, jobs: int | None = None, components: Names = None, changes: Changes = None, strategy: Names = None,
    unproved: bool = False, backend: str = "threads", scheduler: str | None = None, quiet: bool = True,
) -> "Finding":  # fmt: skip
    """What does each variant of the rules change, on the same chance? With one player: how hard is it?"""
    return _ask("variants", locals())


def rows(
    game: str, *, players: int | None = None, games: float = 1000, seed: int = 1, jobs: int | None = None,
    components: Names = None, changes: Changes = None, strategy: Names = None, unproved: bool = False,
    quiet: bool = True,
) -> "pd.DataFrame":  # fmt: skip
    """Play games and return a row for each game and seat, as `seats --rows FILE` writes them."""
    given = locals()
    from pathlib import Path
    from tempfile import TemporaryDirectory

    import pandas as pd

    with TemporaryDirectory() as folder:
        file = Path(folder, "rows.parquet")
        _ask("seats", given | {"rows": file})
        return pd.read_parquet(file)


def replay(
    game: str, file: str | PathLike[str] | None = None, *, number: int | None = None, seed: int | None = None,
    players: int | None = None, strategy: Names = None, unproved: bool = False, components: Names = None,
    changes: Changes = None,
) -> "ToldGame":  # fmt: skip
    """Tell one game of a run, or one that was saved: `print` it, or look at its `events`."""
    from scripts.keywords import tell

    return tell(**locals())


def _ask(name: str, given: Mapping[str, Any]) -> "Finding":
    from scripts.keywords import ask  # nothing is imported before there is a question

    return ask(name, **given)


def main() -> None:
    """Run the command line."""
    from scripts.cli import main

    main()


if __name__ == "__main__":
    main()
