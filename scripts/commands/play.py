"""`chapterhouse play`: a person plays a game at the terminal against strategies."""

import shlex
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from scripts import options as o
from scripts.commands.replay import ReplayRequest
from scripts.output import OutputError
from sim import registry
from sim.legible import say

if TYPE_CHECKING:
    from scripts.commands.person import Person
    from scripts.commands.saved import PersonGame
    from sim.contract import Entrant

SEAT = "1"  # if no other is asked for
Players = Annotated[str | None, o.option("--players", "N", "Number of players, with you; the usual one if not given.")]
Seat = Annotated[str | None, o.option("--seat", "N", "Your seat; 1 if not given.")]
Strategies = Annotated[
    list[str] | None,
    o.option("--strategy", "NAME", "Who plays against you; several share the other seats (repeatable)."),
]
Seed = Annotated[
    str | None, o.option("--seed", "N", "The same seed and number give the same dice and draws; 1 if not given.")
]
Number = Annotated[str | None, o.option("--game", "N", "Which game of the run with this seed; 0 if not given.")]
Save = Annotated[
    str | None, o.option("--save", "FILE.jsonl", "Save the game there; in GAME-SEED-NUMBER.jsonl, here, if not given.")
]
Resume = Annotated[str | None, o.option("--resume", "FILE.jsonl", "Continue a saved game.")]


def play(
    game: o.GameName,
    players: Players = None,
    seat: Seat = None,
    strategy: Strategies = None,
    unproved: o.Unproved = False,
    seed: Seed = None,
    number: Number = None,
    files: o.Files = None,
    changes: o.Changes = None,
    save: Save = None,
    resume: Resume = None,
    trust: o.Trust = False,
) -> None:
    """Play a game yourself against strategies: a board, numbered options, undo, hints. It saves the game as you play,
    as a record."""
    game = o.game_name(game)
    file = o.file("--save", save, (".jsonl",)) if save is not None else None
    choices: list[int] = []
    asked = ReplayRequest(game, number, seed, players, o.played(strategy, unproved), files, changes)
    if resume is None:
        deal = new(asked, seat)
        file = file or free(f"{registry.shown(game)}-{deal.study.seed}-{deal.number}")
    else:
        for option in [*asked.given(), *["--seat"] * (seat is not None)]:
            o.refuse("--resume", f"it together with {option}", "--save beside it: all else is in the saved game")
        from scripts.commands.saved import read

        deal, choices = read(Path(resume), game, trust)
        file = file or o.file("--resume", resume, (Path(resume).suffix.lower(),))
    from scripts.commands.person import Person

    sit(Person(deal, file, choices, advisers(deal)), bool(choices))


def new(asked: ReplayRequest, seat: str | None) -> "PersonGame":
    """Return what the options name.

    Raises:
        WrongInputError: something can't be used.
    """
    study, entrants, number, printed, changes = asked.read()
    at = o.whole("--seat", SEAT if seat is None else seat, 1, study.players)
    from scripts.commands.saved import PersonGame
    from sim.runner import strategies
    from sim.trusted import remember

    with o.strategy_errors():
        strategies(study)  # what does not compile is refused now
    if why := remember([*entrants, *registry.programs(study.game)]):
        say(f"{why}: `chapterhouse play --resume` will need --trust")
    return PersonGame(study, number, at - 1, printed, tuple(changes))


def free(name: str) -> Path:
    """Return the name of a new file in the current folder."""
    path, more = Path(f"{name}.jsonl"), 1
    while path.exists():
        more += 1
        path = Path(f"{name}-{more}.jsonl")
    return o.file("--save", str(path), (".jsonl",))


def advisers(deal: "PersonGame") -> "list[Entrant]":
    """Return the strategies that can say what they would do: all that come with the game, and those at the table."""
    from analyses.survey import able_to_play
    from strategies import catalog

    able: dict[str, Entrant] = {**able_to_play(deal.study.game, catalog.names(deal.study.game), deal.study.players)}
    able |= {entrant.name: entrant for entrant in deal.study.entrants if " #" not in entrant.name}
    return list(able.values())


def sit(person: "Person", resumed: bool) -> None:
    """Play until the game is over or the person stops; whatever happens, say where the game is saved."""
    from scripts.commands.person import HELP, QuitError

    if sys.stdin is not None:
        with suppress(AttributeError):
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    deal, say = person.deal, person.screen.say
    title, _, _ = registry.card(deal.study.game)
    say(f"{title}: you play seat {deal.seat + 1} of {deal.study.players} (seed {deal.study.seed}, game {deal.number}).")
    say(*filter(None, [deal.printed.counts.notice]), *HELP * (not resumed))
    over = False
    ends: Exception | None = None  # ends: what is told when all has been saved
    try:
        with o.strategy_errors():
            person.play()
        over = True
    except (QuitError, EOFError):
        pass
    except KeyboardInterrupt:
        ends = o.StoppedError("Stopped by hand.")
    except o.WrongInputError as error:  # a strategy fails
        ends = error
    if (person.trouble or not person.saved) and not person.save():
        raise OutputError(f"{person.file}: {person.trouble}")
    say("", f"The game is saved: {person.file}")
    again = (
        ["replay", registry.typed(deal.study.game), str(person.file)]
        if over
        else ["play", registry.typed(deal.study.game), "--resume", str(person.file)]
    )
    say(f"{'Read it' if over else 'Go on with it'}: {shlex.join(['chapterhouse', *again])}")
    if ends:
        raise ends
