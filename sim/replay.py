"""One game of a study, step by step, and its record (docs/record.md), for telling, checking or playing. The hot loop is
`sim.play`."""

from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from sim import course, registry
from sim.chance import block_key, draw, shuffle
from sim.compiled import entry_of
from sim.contract import NO_AUTOMATON, WHOLE, Strategy, desk_for, records
from sim.play import AT_RANDOM, CASTING, SEATING
from sim.printed.components import Components
from sim.runner import Study, strategies

FORMAT = 1


class Session:
    """A game of a study, played through the game's entry points.

    Attributes:
        study, game, number: what is played. cast: the strategy of each seat.
        components, states, outcome: (1,) records; `state` is the record of `states`. options: buffer.
        n: options of the present decision; −1 after an event; 0 when the game is over.
    """

    def __init__(self, study: Study, number: int, *, stepping: bool = True):
        """Deal game `number`; stepping: pause after events and forced choices too, see `sim.contract`."""
        if study.deal is not None:
            raise ValueError("a game whose things were dealt can't be played step by step")
        self.study, self.number, self.game = study, number, registry.load(study.game)
        self.components = study.components.copy()
        _, state, option, outcome = self.game.dtypes
        self.states, self.options, self.outcome = (
            records(state, 1),
            records(option, self.game.most_options),
            records(outcome, 1),
        )
        self.state, self.n = self.states[0], -1
        self.outcome[0].automaton = NO_AUTOMATON
        self._printed = self.components[0]
        self._course = SimpleNamespace(**course.kernels(self.game))
        raw = self.states.view(np.ndarray)
        self._fields = [(name, raw[name]) for name in raw.dtype.names]
        players, persons = study.players, strategies(study)
        with np.errstate(over="ignore"):
            key = np.uint64(block_key(np.uint64(study.seed), number // players))
            seating, casting = np.arange(players), np.arange(len(persons))
            shuffle(key, SEATING, seating, players)
            shuffle(key, CASTING, casting, len(persons))
            for seat in range(players):
                person = seating[(seat + number) % players]
                self.state.person[seat] = self.outcome[0].person[seat] = person
                self.outcome[0].strategy[seat] = casting[person % len(persons)]
            self.cast = [persons[self.outcome[0].strategy[seat]] for seat in range(players)]
            self.game.set_up(self._printed, self.state, players, key)
        every, self._told = self.game.course.first, self._course.rounds_in(self.state)
        self._due = every if self._course.BY_DECISIONS else -1  # which no count of decisions comes to
        self._round_due, self.outcome[0].every = self._told + every, every
        self.state.stepping = int(stepping)

    @property
    def player(self) -> int:
        """The seat that is asked, from 0."""
        return int(self.state.player)

    def plain(self) -> SimpleNamespace:
        """Return the state as ints and lists."""
        return SimpleNamespace(**{name: values.tolist()[0] for name, values in self._fields})

    def advance(self) -> int:
        """Run on to the next pause; return `n`. At the end of the game the outcome is filled."""
        with np.errstate(over="ignore"):
            self.n = int(self.game.advance(self._printed, self.state, self.options))
            if self.n == 0 or self.n > 1:
                self._write_course()
            if self.n == 0:
                self.game.tally(self._printed, self.state, self.outcome[0])
        return self.n

    def _write_course(self) -> None:
        """Write down the moments that the loop would, see `sim.contract.Course`."""
        where = self._printed, self.state, self.outcome[0]
        self._round_due = self._course.write_rounds(*where, self._told, self._round_due)
        self._told = self._course.rounds_in(self.state)
        if self.n > 0 and self.state.decision == self._due:
            self._due = self._course.write_moment(*where, int(self.state.decision))

    def choose(self, index: int) -> None:
        """Carry out an option of the present decision."""
        with np.errstate(over="ignore"):
            self.game.apply(self._printed, self.state, self.options[index])

    def ask(self, strategy: Strategy | None = None, states: Any = None) -> int:
        """Return what a strategy chooses in this or another position; by default the strategy of the seat whose turn it
        is."""
        strategy = strategy or self.cast[self.player]
        state = self.state if states is None else states[0]
        with np.errstate(over="ignore"):
            if strategy.at_random >> int(state.asks) & 1:
                return int(draw(state.noise, AT_RANDOM + int(state.decision), self.n))
            position = (self._printed, state, self.options, self.n, strategy.weights)
            if strategy.thinker is None:
                return int(strategy.policy(*position))
            desk = desk_for(self.game, [strategy])
            # its worlds must not pause: they would count as played to their end
            stepping, state.stepping = int(state.stepping), 0
            try:
                think = entry_of(strategy.thinker)
                return int(think(self.game.entries, strategy.policy, *position, desk, strategy.budget))
            finally:
                state.stepping = stepping


def record(
    session: Session,
    printed: Components,
    *,
    choose: Callable[[Session], int] = Session.ask,
    people: Sequence[int] = (),
    changes: Sequence[str] = (),
    every: bool = False,
) -> Iterator[dict[str, Any]]:
    """Play a freshly dealt session to its end and yield its record, line by line.

    Args:
        session: stepping. printed: the components of its study. changes: how they differ from the game's own, for the
            first line.
        choose: asked for the index of an option where there are at least two.
        people: seats (from 0) in which a person decides. every: give the position at each decision too.
    """
    game, describe = session.game, registry.describer(session.study.game)
    values = printed.model.model_dump()
    names = [None if seat in people else strategy.name for seat, strategy in enumerate(session.cast)]
    yield {
        "event": "game", "format": FORMAT, "game": registry.shown(game.name), "version": game.version,
        "players": session.study.players,
        "strategies": names, "seed": session.study.seed, "number": session.number,
        "study": [entrant.name for entrant in session.study.entrants], "changes": list(changes),
        "components": printed.digest, "printed": values,
    }  # fmt: skip
    before = session.plain()
    yield from describe.opening(values, before)
    while session.advance():
        after = session.plain()
        for event in describe.chance(values, before, after, describe.phase(after) if session.n < 0 else ""):
            yield {"event": "chance", **event}
        if session.n < 0:
            yield {"event": "phase", "phase": describe.phase(after), "position": describe.position(values, after)}
        else:
            forced = session.n == 1
            chosen = 0 if forced else choose(session)
            line = {"event": "decision", **({"forced": True} if forced else {"number": after.decision + 1})}
            line |= {"player": after.player + 1, "asks": game.asks[after.asks]}
            line |= {"options": describe.options(values, after, session.options[: session.n]), "choice": chosen + 1}
            yield {**line, "position": describe.position(values, after)} if every else line
            session.choose(chosen)
            now = session.plain()
            for event in describe.chance(values, after, now, ""):
                yield {"event": "chance", **event}
            after = now
        before = after
    yield {"event": "end", **_end(session), **describe.ending(values, session.plain())}


def _end(session: Session) -> dict[str, Any]:
    """Return scores, shares of the win and points by source, by seat."""
    outcome, players = session.outcome[0], session.study.players
    sources = {i: name.partition(".")[2] for i, name in enumerate(session.game.numbers) if name.startswith("points.")}
    return {
        "scores": outcome.score[:players].tolist(),
        "shares": [share / WHOLE for share in outcome.share[:players].tolist()],
        "sources": [{name: int(outcome.numbers[seat, i]) for i, name in sources.items()} for seat in range(players)],
    }
