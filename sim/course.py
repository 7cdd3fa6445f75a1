"""The course of a game, written into its outcome while it is played: see `sim.contract.Course`."""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba import njit

from sim.contract import MOMENTS, Game

# They stand for what the card of a game says, see `kernels`.
rounds_in = standing = None
FIELD, SITTING = "", 1


def score_in(components, state, seat):
    """Return the score of a seat where the state holds it."""
    return state.score[seat]


def no_score(components, state, seat):
    """Return 0, for a game that has no moments."""
    return 0


def field_in(state):
    """Return the number of rounds that have ended, or of the one that is played: it only goes up."""
    return state[FIELD]


def nothing_in(state):
    """Return 0: there are no rounds."""
    return 0


def write_moment(components, state, outcome, tick):
    """Write down a moment of the course; where there is no more room for it, keep every second one in its place.

    Args:
        outcome: `course`, `moments` and `every` are modified in place. tick: the round or decision that it comes after.

    Returns:
        The one that the next moment comes after.
    """
    if outcome.moments == MOMENTS:
        outcome.moments = MOMENTS // 2
        for i in range(MOMENTS // 2):
            for seat in range(outcome.course.shape[1]):
                outcome.course[i, seat] = outcome.course[2 * i + 1, seat]
        outcome.every *= 2
        return tick + outcome.every // 2
    for seat in range(max(state.players, SITTING)):
        outcome.course[outcome.moments, seat] = standing(components, state, seat)
    outcome.moments += 1
    return tick + outcome.every


def write_rounds(components, state, outcome, told, due):
    """Write down the ends of the rounds after the one numbered `told`, as far as they are moments.

    Returns:
        The round that the next moment comes after.
    """
    for tick in range(told + 1, rounds_in(state) + 1):
        if tick == due:
            due = write_moment(components, state, outcome, tick)
    return due


def kernels(game: Game) -> dict[str, Any]:
    """Return what the loop and a replay write the course of a game with, in plain Python: `rounds_in`, `write_moment`,
    `write_rounds`, and whether moments come after decisions, `BY_DECISIONS`."""
    return _made(game, as_it_is, as_it_is)


def compiled_kernels(game: Game) -> dict[str, Any]:
    """Return the same as kernels, inlined where a call would take longer than what it does."""
    return _made(game, njit, njit(forceinline=True))


def as_it_is(function: Any) -> Any:
    """Return a function that is not compiled."""
    return function


def _made(game: Game, apart: Callable[[Any], Any], inlined: Callable[[Any], Any]) -> dict[str, Any]:
    card = game.course
    by_rounds = game.has_course and card.rounds != ""
    names: dict[str, Any] = {"FIELD": card.rounds, "SITTING": 2 if card.automaton else 1}
    names["BY_DECISIONS"] = game.has_course and not by_rounds

    def for_game(function: Any) -> Any:
        # As globals, as the loop has a game's functions (`sim.play.loop_of`).
        return FunctionType(function.__code__, {**globals(), **names})

    names["standing"] = card.standing or inlined(score_in if game.has_course else no_score)
    names["rounds_in"] = inlined(for_game(field_in if by_rounds else nothing_in))
    names["write_moment"] = inlined(for_game(write_moment))
    names["write_rounds"] = apart(for_game(write_rounds))
    return {name: names[name] for name in ("rounds_in", "write_moment", "write_rounds", "BY_DECISIONS")}
