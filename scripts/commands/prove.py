"""`chapterhouse prove`: whether a game keeps to its contract, and what it does instead."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analyses.request import flags
from scripts import options as o
from scripts.output import out, tell, writing
from scripts.status import Status
from sim import registry
from sim.legible import ascii_json, say

if TYPE_CHECKING:
    from analyses.prove.finding import Fault
    from analyses.prove.work import Proved

EVERY = 10.0  # seconds from one line of progress to the next
Golden = Annotated[bool, o.option("--golden", "", "First write a few games as digests into the game's folder.")]


def prove(game: o.GameName, golden: Golden = False, json: o.Json = False) -> None:
    """Does a game keep to its contract? A line for each finding, with the line of code and the game that shows it.

    It takes up to two minutes for a game of Pig's size and six for one of Moesteiro's, on two cores. Exit status 0:
    nothing was found; 1: something was.
    """
    name = o.game_name(game)
    from analyses.prove import stamp, work
    from analyses.survey import versions

    registry.load(name)
    if golden:
        _write(name)
    with _progress(name) as watch:
        found = work.prove(name, watch)
    if found.findings:
        stamp.forget(name)
    elif not found.interrupted:
        stamp.keep(name, f"chapterhouse {versions()['chapterhouse']}")
    stamp_words = stamp.words(name)
    if json:
        out(ascii_json(answer(found, game, stamp_words), indent=2))
    else:
        tell(*listing(found, stamp_words))
    if found.interrupted:
        raise o.StoppedError("Stopped by hand: these are the findings until then, and the game is not proved.")
    if found.findings:
        raise typer.Exit(Status.LIMIT_BROKEN)


def _write(name: str) -> None:
    """Write the golden games of a game.

    Raises:
        WrongInputError: they differ from the old ones under the same version of the rules. OutputError.
    """
    from analyses.prove import golden

    with writing(golden.path(name)):
        wrong = golden.write(name)
    if wrong:
        o.refuse("--golden", wrong, "the same games, or another version of the rules")
    say(f"{golden.path(name)}: written")


def replayed(finding: "Fault", game: str) -> str:
    """Return the command that tells the game of a finding, "" if it takes none."""
    if finding.game is None:
        return ""
    played = finding.game
    words = [*flags("--strategy", played.strategies), *flags("--set", played.changes)]
    words += ["--players", str(played.players), "--seed", str(played.seed), "--game", str(played.number)]
    return shlex.join(["chapterhouse", "replay", game, *words])


def listing(found: "Proved", stamp: str) -> list[str]:
    """Return the findings for people, a line each, then what was checked and what was not."""
    lines = [finding.words() for finding in found.findings]
    did = ", ".join(f"{number:,} {words}" for words, number in sorted(found.did.items()))
    lines += [f"Checked: {len(found.checks)} checks; {did}."]
    lines += [f"Not checked: {words}." for words in found.left]
    count = f"{len(found.findings)} finding{'s' * (len(found.findings) != 1)}" if found.findings else "Nothing found"
    return [*lines, f"{registry.card(found.game)[0]}: {count}; {stamp}."]


def answer(found: "Proved", game: str, stamp: str) -> dict[str, Any]:
    """Return the findings for machines."""
    return {
        "command": shlex.join(["chapterhouse", "prove", game, "--json"]),
        "game": game,
        "rules_version": registry.load(found.game).version,
        "digest": registry.digest(found.game),
        "proved": stamp,
        "interrupted": found.interrupted,
        "findings": [finding.to_dict(replayed(finding, game)) for finding in found.findings],
        "checks": found.checks,
        "checked": found.did,
        "not_checked": found.left,
    }


@contextmanager
def _progress(name: str) -> "Iterator[Any]":
    """Report which check runs: a bar on a terminal, elsewhere a line every ten seconds."""
    title, start, told = registry.card(name)[0], monotonic(), [monotonic()]
    if sys.stderr is not None and sys.stderr.isatty():
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        from scripts.output import console

        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=console(stderr=True), transient=True) as bar:
            task = bar.add_task(f"Proving {title}")
            yield lambda words, done, most: bar.update(task, description=words, completed=done, total=most)
        return

    def watch(words: str, done: int, most: int) -> None:
        if monotonic() - told[0] >= EVERY:
            told[0] = monotonic()
            say(f"Proving {title}: {done} of {most} checks, {told[0] - start:.0f} s; {words}")

    yield watch
