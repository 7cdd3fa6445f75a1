"""A person at the terminal, against strategies: sees the board, is told what happens, chooses by number, undoes, asks
for hints."""

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scripts.commands.drawing import Screen
from scripts.commands.saved import Line, PersonGame, write
from scripts.output import reason, tell
from sim import registry
from sim.contract import Entrant
from sim.legible import ascii_json
from sim.replay import Session
from sim.runner import StrategyError, strategies

KEYS = {"u": "undo", "h": "hint", "b": "board", "s": "save", "?": "help", "q": "quit"}
HELP = (
    "A number chooses that option. Otherwise:",
    "  u  undo: back to your decision before this one",
    "  h  hint: what each strategy of the game would choose here",
    "  b  show the board again",
    "  s  save now (it is saved after each of your decisions anyway)",
    "  q  quit; --resume goes on from the file",
    "  ?  this help",
)


class UndoError(Exception):
    """The person takes back the choices from one decision on."""

    def __init__(self, decision: int):
        self.decision = decision


class QuitError(Exception):
    """The person stops before the end of the game."""


class Person:
    """A game in progress at the terminal.

    The game is always played from its deal: `choices` are carried out again, and where they end the strategies and the
    person are asked.

    Attributes:
        deal, file: what is played, and where it is saved. entrants: the strategies that give hints.
        choices: all choices so far, as indices. lines: the record so far, as text. saved: the lines that the file
            holds.
        mine: which of the choices are the person's. news: what has been told since the person was asked last.
    """

    def __init__(self, deal: PersonGame, file: Path, choices: Sequence[int], entrants: Sequence[Entrant]):
        """Sit down; choices: those of a game that is resumed."""
        self.deal, self.file, self.choices, self.entrants = deal, file, list(choices), entrants
        self.screen = Screen()
        self.lines: list[str] = []
        self.saved: list[str] = []
        self.mine: list[int] = []
        self.news: list[str] = []
        self.stale, self.trouble = True, ""
        name, self.printed = deal.study.game, deal.printed.model.model_dump()
        self.teller, self.board, self.describer = registry.teller(name), registry.board(name), registry.describer(name)
        self.names: list[str] = []

    def play(self) -> None:
        """Play to the end of the game.

        Raises:
            QuitError, EOFError, KeyboardInterrupt: the person stops. StrategyError: a strategy fails.
        """
        while True:
            try:
                self._play()
                return
            except UndoError as undo:
                self.choices = self.choices[: undo.decision]

    def save(self) -> bool:
        """Write the record as far as it goes; return whether that was possible, and if not, say why once."""
        if self.lines != self.saved:
            try:
                write(self.file, self.lines)
            except OSError as error:
                trouble, self.trouble = self.trouble, reason(error)
                if trouble != self.trouble:
                    self.screen.say(f"{self.file} can't be written: {self.trouble}", style="bold")
                return False
            self.saved, self.trouble = list(self.lines), ""
        return True

    # --- the game goes on ---

    def _play(self) -> None:
        self.lines, self.mine, self.news, self.stale = [], [], [], True
        for line in self.deal.record(self._choose):
            self.lines.append(ascii_json(line))
            self._follow(json.loads(self.lines[-1]))
        self.screen.say(*self.news)
        self.save()

    def _follow(self, line: Line) -> None:
        """Take note of what a line of the record tells, and save after the person's own decisions."""
        if line["event"] == "game":
            self.names = [name or "you" for name in line["strategies"]]
            self.tells = self.teller.Teller({**line, "game": self.deal.study.game, "strategies": self.names})
        told = self.tells.tell(self.describer.seen(self.printed, line, self.deal.seat))
        if line["event"] == "phase" and line["phase"] in self.board.DRAWN_AFTER:
            self.stale = True
            # a wide table; the board has it too
            told = told if all(len(words) <= self.screen.console.width for words in told) else []
        own = line["event"] == "decision" and "number" in line and line["player"] == self.deal.seat + 1
        self.news = [*([] if own else self.news), *told]
        if own and line["number"] >= len(self.choices):
            self.save()

    def _choose(self, session: Session) -> int:
        """Return the choice at a decision: the one that was made before, the strategy's, or the person's."""
        decision, own = int(session.state.decision), session.player == self.deal.seat
        if decision == len(self.choices):
            self.choices.append(self._ask(session) if own else asked(session))
        if own:
            self.mine.append(decision)
        return self.choices[decision]

    # --- the person is asked ---

    def _ask(self, session: Session) -> int:
        self.save()
        self.screen.say(*self.news)
        self.news = []
        state = session.plain()
        position = self.describer.view(self.printed, state, self.deal.seat)
        asks = session.game.asks[state.asks]
        offered = self.describer.options(self.printed, state, session.options[: session.n])
        options = [self.teller.option(self.printed, asks, option) for option in offered]
        if self.stale:
            self._draw(position)
        elif near := self.board.near(self.printed, position, asks):
            self.screen.say("")
            self.screen.draw(near)
        self.stale = False
        self._question(position, asks, options)
        while True:
            answer = self._answer(len(options))
            if isinstance(answer, int):
                return answer - 1
            if answer == "undo" and self.mine:
                raise UndoError(self.mine[-1])
            if answer == "undo":
                self.screen.say("There is nothing to undo: this is your first decision.")
            elif answer == "hint":
                self._hints(session, options)
            elif answer == "board":
                self._draw(position)
                self._question(position, asks, options)
            elif answer == "save" and self.save():
                self.screen.say(f"Saved: {self.file}")
            elif answer == "help":
                self.screen.say(*HELP)
            elif answer == "quit":
                raise QuitError

    def _draw(self, position: dict[str, Any]) -> None:
        self.screen.say("")
        self.screen.draw(self.board.board(self.printed, position, self.names))

    def _question(self, position: dict[str, Any], asks: str, options: Sequence[str]) -> None:
        seat = self.deal.seat
        self.screen.say("", f"You, seat {seat + 1}: {self.board.summary(self.printed, position, seat, asks)}")
        self.screen.say(self.teller.question(asks), style="bold")
        self.screen.choices(options)

    def _answer(self, options: int) -> int | str:
        """Return the number of an option, or the word for one of the keys; ask until there is one."""
        while True:
            text = typed(f"1–{options} ({' '.join(KEYS)})> ").strip().lower()
            if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= options:
                return int(text)
            if text in KEYS or text in KEYS.values():
                return KEYS.get(text, text)
            found = f"{text[:20]!r} is none of these" if text else "Nothing was chosen"
            keys = ", ".join(f"{key} ({word})" for key, word in KEYS.items())
            self.screen.say(f"{found}. Allowed: a whole number from 1 to {options}, or {keys}.")

    def _hints(self, session: Session, options: Sequence[str]) -> None:
        """Say what each strategy would choose; they are asked about a copy of the game."""
        width = max(len(entrant.name) for entrant in self.entrants)
        for entrant in self.entrants:
            try:
                (strategy,) = strategies(replace(self.deal.study, entrants=(entrant,)))
                chosen = asked(session, strategy)
                self.screen.say(f"  {entrant.name:{width}}  {chosen + 1}: {options[chosen]}")
            except StrategyError as error:
                self.screen.say(f"  {error}")


def asked(session: Session, strategy: Any = None) -> int:
    """Return what a strategy, by default that of the seat whose turn it is, chooses; it sees a copy of the game.

    Raises:
        StrategyError: it fails, or chooses outside the options.
    """
    name = (strategy or session.cast[session.player]).name
    try:
        chosen = session.ask(strategy, session.states.copy())
    except Exception as error:
        raise StrategyError(f"strategy {name}: {type(error).__name__}: {' '.join(str(error).split())}") from None
    if not 0 <= chosen < session.n:
        raise StrategyError(f"strategy {name}: chose {chosen}, allowed are 0 to {session.n - 1}")
    return chosen


def typed(prompt: str) -> str:
    """Return a line that the person types, whatever bytes it is made of.

    Raises:
        EOFError: there is nobody any more, or nothing can be shown to them.
    """
    if getattr(sys.stdout, "error", None):
        raise EOFError
    try:
        text = input(prompt)
    except UnicodeDecodeError:
        text = "\N{REPLACEMENT CHARACTER}"
    except (OSError, RuntimeError, ValueError):  # the terminal is gone, or there never was one
        raise EOFError from None
    if sys.stdin is not None and not sys.stdin.isatty():
        tell(text)  # what is read from a file or a pipe belongs into what is shown
    return text
