"""A question: what it asks, what it plays, its answer for machines, its words and its page. Each command that plays is
one description.

A command's file holds what belongs to it alone: `ask` (options → what to play), `answer` (for machines), `listing` (for
people) and `part` (its page). Everything shared is here: common options, backends, progress, the command that asks
again, refusals and exit statuses.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import analyses
import reports
from analyses import frames as pd
from analyses.request import flags
from scripts import options as o
from scripts.output import out, writing
from scripts.pages import FORMS, Figures, Form, Pages
from scripts.progress import Progress, is_silent, progress, silent
from scripts.show import plain, show, to_json
from scripts.status import Status
from sim.legible import say

if TYPE_CHECKING:
    from analyses.played import Played
    from analyses.request import InReport, Request
    from reports.parts import Part

# Name → annotation and default of the options that a question takes unless it says otherwise.
SHARED: dict[str, tuple[Any, Any]] = {
    "players": (o.Players, None), "games": (o.Games, None), "max_games": (o.MaxGames, "200000"),
    "margin": (o.Margin, "0.10"), "seed": (o.Seed, "1"), "jobs": (o.Jobs, None), "out_folder": (o.PageFolder, None),
    "figures": (Figures, None), "form": (Form, "html"),
    "files": (o.Files, None), "changes": (o.Changes, None), "strategy": (o.Strategies, None),
    "unproved": (o.Unproved, False), "backend": (o.Backend, "threads"), "scheduler": (o.Scheduler, None),
    "quiet": (o.Quiet, False), "json": (o.Json, False),
}  # fmt: skip
ONE, USUAL, ALL, ALONE = "one", "usual", "all", "alone"  # numbers of players of a question, see `Question`
PLAYERS = {ONE: o.Players, USUAL: o.SomePlayersOrUsual, ALL: o.SomePlayers, ALONE: o.SomePlayers}


def page(module: str) -> "Callable[[Any], Part]":
    """Return what makes a page of a finding: `part` of a module of `reports`, which is imported only then."""
    return lambda found: import_module(f"{reports.__name__}.{module}").part(found)


def share(module: str) -> "Callable[[], InReport]":
    """Return what returns a question's share of a report: that of a module of `analyses`, which is imported only
    then."""
    return lambda: import_module(f"{analyses.__name__}.{module}").IN_REPORT


@dataclass(frozen=True)
class Task:
    """What to play, everything checked.

    Attributes:
        title: what the bar says at first. games: about how many, for the bar; 0: nothing has to be played.
        play: plays, and returns what it found; None or no games: Ctrl-C came too early. percent: games differ in
            weight, so the bar shows percents.
        words: what the command that asks again begins with; None: the question's own arguments and options as they were
            typed.
        request: as its answer, and the command that asks again, have it; None: as it was typed.
        early: plays a part of it, for a first page; None: there is none.
        told: ends when all has been told, as files that are finished only then; what fails before that reaches it.
    """

    title: str
    games: int
    play: Callable[[Progress], Any]
    percent: bool = False
    words: Sequence[str] | None = None
    request: "Request | None" = None
    early: Callable[[Progress], Any] | None = None
    told: AbstractContextManager[Any] = field(default_factory=nullcontext)


@dataclass(frozen=True)
class Question:
    """A command that plays.

    Attributes:
        name: of the command. ask: request and its own options → what to play; its docstring is the help.
        answer: finding → dict for machines, behind the head that all share. listing: finding → what a terminal shows.
            Of several lines both are asked for each.
        part: finding → page, in which the command is filled in here; None: `save` writes it.
        players: "one" number of players, "usual" or "all" numbers if none is given, "alone": all, a game of one
            included.
        shared: options that all share, but with another annotation or default; `without`: those that it does not take.
        defaults: of what stands in SHARED, only another default. save: what else goes into the folder, besides the
            page.
        stopped: finding → what is said when it was stopped by hand. nothing: what is said when that was too early.
        small: what is behind the name to play as little as can be, in words: tests ask this of every question.
        example: a command to try, for the help. cost: how many games it plays by default and how long that takes, for
            the help.
        in_report: returns its share of a report.
        game: what is played if none is named; None: one must be. file: the file that matters in its
            folder: what it is called in the answer, for people, and its name, which may hold the form of the page.
        status: finding → exit status, if nobody stopped it (docs/exit-status.md).
        here: options for which games must be played by threads of this process.
        begin: options as they were typed → whether that is all: it has done something else than ask, such as write a
            template.
        keep: finding → written once all has been told, whether a folder was named or not.
        instead: finding → the line that people read in place of that where no folder was named.
    """

    name: str
    ask: Callable[..., Task]
    answer: Callable[[Any], dict[str, Any]]
    listing: Callable[[Any], list[Any]]
    part: "Callable[[Any], Part] | None" = None
    players: str = ONE
    without: tuple[str, ...] = ()
    shared: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    defaults: Mapping[str, Any] = field(default_factory=dict)
    save: "Callable[[Finding, Path], None] | None" = None
    stopped: Callable[[Any], str] = lambda found: "Stopped by hand: this is what was played until then."
    nothing: str = o.NOTHING
    small: str = ""
    example: str = ""
    cost: str = ""
    in_report: "Callable[[], InReport] | None" = None
    game: str | None = None
    file: tuple[str, str, str] | None = None
    status: Callable[[Any], int] = lambda found: Status.ANSWERED
    here: tuple[str, ...] = ()
    begin: Callable[[Mapping[str, Any]], bool] = lambda given: False
    keep: "Callable[[Finding], None]" = lambda finding: None
    instead: Callable[[Any], str] = lambda found: ""

    @property
    def options(self) -> dict[str, tuple[Any, Any]]:
        """The options that it shares with others: name → annotation and default, in order."""
        known = SHARED | {"players": (PLAYERS[self.players], None)} | dict(self.shared)
        known |= {name: (known[name][0], value) for name, value in self.defaults.items()}
        return {name: pair for name, pair in known.items() if name not in self.without}

    @property
    def own(self) -> list[inspect.Parameter]:
        """The arguments and options that no other question has."""
        return list(inspect.signature(self.ask).parameters.values())[1:]

    def command(self) -> Callable[..., None]:
        """Return the function that the command line calls."""
        kind = inspect.Parameter.KEYWORD_ONLY
        game = inspect.Parameter.empty if self.game is None else self.game
        options = [inspect.Parameter("game", kind, annotation=o.GameName, default=game)]
        options += [own.replace(kind=kind) for own in self.own]
        options += [
            inspect.Parameter(name, kind, annotation=how, default=usual) for name, (how, usual) in self.options.items()
        ]

        def run(**given: Any) -> None:
            self.run(given)

        run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        run.__annotations__ = {option.name: option.annotation for option in options}
        paragraphs = [*(inspect.getdoc(self.ask) or "").split("\n\n"), self.cost]
        run.__name__, run.__doc__ = self.name, "\n\n".join(" ".join(text.split()) for text in paragraphs if text)
        return run

    def run(self, given: Mapping[str, Any]) -> None:
        """Ask, play and report, as on the command line; `given`: all its options as typed."""
        if self.begin(given):
            return
        pages = Pages.read(given)
        with silent(given["quiet"]), self.asked(given, lambda first: first.begin(pages)) as found:
            self._tell(found, pages, given["json"])
        found.save(pages)
        self.keep(found)
        if found.played.interrupted:
            raise o.StoppedError(self.stopped(found.found))
        if status := self.status(found.found):
            raise typer.Exit(status)

    def _tell(self, found: "Finding", pages: Pages, json: bool) -> None:
        key, word, name = self.file or ("", "", "")
        named = str(pages.folder / name.format(form=pages.form)) if pages.folder is not None and key else None
        if json:
            out(to_json(found.to_dict() | ({key: named} if named else {})))
        else:
            last = f"{word}: {named}" if named else self.instead(found.found)
            show(*[piece for line in found.lines for piece in self.listing(line)], last)

    def find(self, given: Mapping[str, Any]) -> "Finding":
        """Check the options, play, and return what was found; see `asked`."""
        with self.asked(given) as found:
            return found

    @contextmanager
    def asked(
        self, given: Mapping[str, Any], show: "Callable[[Finding], None]" = lambda first: None
    ) -> "Iterator[Finding]":
        """Check the options and play; gives what was found, for as long as it is told. `show`: called with what a part
        of the games has found, if the task plays a part first.

        Raises:
            WrongInputError: something can't be used. StoppedError: Ctrl-C came before there was anything to tell.
        """
        where = o.Where.read(given.get("backend", "threads"), given.get("scheduler"), given.get("jobs"))
        where.allow(**{name: given[name] for name in self.here})
        request = o.request(given, self.players)
        with where.playing():
            task = self.ask(request, **{own.name: given[own.name] for own in self.own})
            with task.told:
                if task.games:
                    with progress(task.title, task.games, task.percent) as bar:
                        found = self._in_parts(task, bar, lambda first: show(Finding(self, first, "")))
                else:
                    found = task.play(Progress())
                if not found or (task.games and not Finding(self, found, "").played.games):
                    raise o.StoppedError(self.nothing)
                yield Finding(self, found, self._again(task.request or request, task, given))

    @staticmethod
    def _in_parts(task: Task, bar: Progress, show: Callable[[Any], None]) -> Any:
        """Play a task; if it plays a part first, show what that has found, and play the rest."""
        if task.early is None:
            return task.play(bar)
        from sim.memory import remembering

        with remembering() as memory:
            found = task.early(bar)
            if found.interrupted:
                return found
            show(found)
            memory.learning = False
            return task.play(bar)

    def _again(self, request: "Request", task: Task, given: Mapping[str, Any]) -> str:
        """Return the command that asks the same again, without where games run and where output goes."""
        takes = self.options
        words = list(task.words) if task.words is not None else self._typed(given)
        if "players" in takes and (request.named or self.players in (ONE, USUAL)):
            words += flags("--players", request.players)
        words += flags("--strategy", request.strategies)
        if "max_games" in takes or request.games:
            words += request.how_many()
        return request.command(self.name, *words, margin="margin" in takes)

    def _typed(self, given: Mapping[str, Any]) -> list[str]:
        """Return its own arguments and options as typed, defaults included."""
        arguments, options = [], []
        for own in self.own:
            flag, value = o.flag(own.annotation), given[own.name]
            if not flag:
                arguments += [value] if value is not None else []
            elif isinstance(value, bool):
                options += [flag] * value
            else:
                for text in value if isinstance(value, list) else [value] if value is not None else []:
                    options += [flag, text]
        return arguments + options


@dataclass(frozen=True)
class Finding:
    """An answer to a question.

    Attributes:
        question: what was asked. found: what the analysis returned; several lines are a sequence. command: what to type
            to ask again.
    """

    question: Question
    found: Any
    command: str

    @property
    def lines(self) -> Sequence[Any]:
        """What was found, line by line."""
        return self.found if isinstance(self.found, list | tuple) else [self.found]

    @property
    def played(self) -> "Played":
        """What was played: by the first of several lines, and whether somebody stopped the last one."""
        return replace(self.lines[0].played, interrupted=self.lines[-1].interrupted)

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped it by hand; then this is what was played until then."""
        return self.played.interrupted

    @property
    def verdict(self) -> str | None:
        """The verdict, in a word; None for a question that has none, or one for each of several things."""
        answer = self.question.answer(self.lines[0])
        return answer.get("verdict", answer.get("word"))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer for machines: the command, the head that all answers share, and what the question adds."""
        answers = [self.question.answer(line) for line in self.lines]
        found: dict[str, Any] = plain({"command": self.command} | self.played.head() | answers[0])
        if self.lines is self.found:  # of several lines that of the first, then all of them
            found["lines"] = plain(
                [line.played.head() | answer for line, answer in zip(self.lines, answers, strict=True)]
            )
        return found

    @cached_property
    def part(self) -> "Part":
        """The page; figures take their time, so it is made once."""
        assert self.question.part is not None
        return replace(self.question.part(self.found), commands=[self.command], interrupted=self.interrupted)

    @property
    def tables(self) -> "dict[str, pd.DataFrame]":
        """The tables by name, tidy."""
        return self.part.tables

    def __repr__(self) -> str:
        return f"<{self.command}: {self.verdict or 'found'}{', interrupted' * self.interrupted}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the page in a frame, so neither style touches the other."""
        from html import escape

        from reports.page import html

        size = "this.style.height = this.contentDocument.documentElement.scrollHeight + 'px'"
        page, style = escape(html(self.part, alone=True)), "width: 100%; height: 40rem; border: 0"
        return f'<iframe sandbox="allow-same-origin" srcdoc="{page}" style="{style}" onload="{size}"></iframe>'

    def write(
        self, folder: str | PathLike[str], figures: str | PathLike[str] | None = None, form: str = "html"
    ) -> None:
        """Write the page and its tables, and what else the question keeps.

        Args:
            folder: of the page. figures: a folder for each of its figures, as SVG and PNG. form: html or md (Markdown).

        Raises:
            OutputError: a folder can't be written to. ValueError: there is no such form.
        """
        if form not in FORMS:
            raise ValueError(f"form: found {form!r}; allowed {', '.join(FORMS)}")
        self.save(Pages(Path(folder), Path(figures) if figures is not None else None, form))

    def begin(self, pages: Pages) -> None:
        """Write a first page, which another one replaces when all has been played, and say so."""
        if pages.folder is None or self.question.part is None:
            return
        from reports.page import brief, save

        part = replace(self.part, early=True)
        with writing(pages.folder):
            path = save(brief(part) if pages.brief else part, pages.folder, pages.form)
        if not is_silent():
            say(f"A first page, from the first {part.games:,} games: {path}")

    def save(self, pages: Pages) -> None:
        """Write what is asked for; see `write`."""
        links = {}
        if pages.figures is not None and self.question.part is not None:
            from reports.slides import write

            with writing(pages.figures):
                links = write(self.part, pages.figures)
        if pages.folder is not None:
            with writing(pages.folder):
                if self.question.part is not None:
                    from reports.page import brief, save

                    save(brief(self.part) if pages.brief else self.part, pages.folder, pages.form, links)
                if self.question.save is not None:
                    self.question.save(self, pages.folder)
