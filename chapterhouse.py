"""Ask chapterhouse's questions from Python; each function is the command of its name, with its options as keywords (docs/api.md).

    found = chapterhouse.seats("moesteiro", players=4, changes={"kings.afonso_v.vp": 2}, games=20_000)
    found.verdict               "balanced", "unbalanced" or "undecided"
    found.tables["seats"]       a pandas table
    found.to_dict()             what --json prints
    found.write("folder")       the page, and its tables beside it

Games and strategies are named as on the command line; numbers, lists, ranges and paths may be given as such. `changes` are those of --set.
Wrong input raises ValueError with the line that the command prints. Ctrl-C ends a question early: the finding holds what was played until
then, and its `interrupted` is true. Progress is told on standard error if `quiet` is false.
"""

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scripts.commands.replay import Told
    from scripts.question import Finding

Names = str | PathLike[str] | Iterable[str | PathLike[str]]
Players = int | Iterable[int]
Changes = Mapping[str, Any]


def worth(
    game: str,
    thing: str | None = None,
    *,
    round: int | str = "each",  # noqa: A002 (the option's name)
    levels: bool = False,
    players: Players | None = None,
    games: float | None = None,
    max_games: float = 400_000,
    margin: float = 0.10,
    seed: int = 1,
    jobs: int | None = None,
    components: Names | None = None,
    changes: Changes | None = None,
    strategy: Names | None = None,
    unproved: bool = False,
    backend: str = "threads",
    scheduler: str | None = None,
    quiet: bool = True,
) -> "Finding":
    """What is each thing (King, …) worth? Chance deals them, with and without their powers, until each is decided."""
    return _ask("worth", locals())


def replay(
    game: str,
    file: str | PathLike[str] | None = None,
    *,
    number: int | None = None,
    seed: int | None = None,
    players: int | None = None,
    strategy: Names | None = None,
    unproved: bool = False,
    components: Names | None = None,
    changes: Changes | None = None,
) -> "Told":
    """Tell one game of a run, or one that was saved: `print` it, or look at its `events`."""
    from scripts.keywords import tell

    return tell(**locals())


def _ask(name: str, given: dict[str, Any]) -> "Finding":
    from scripts.keywords import ask  # nothing is imported before there is a question

    return ask(name, **given)


def main() -> None:
    """Run the command line."""
    from scripts.cli import main

    main()


if __name__ == "__main__":
    main()
