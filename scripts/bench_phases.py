"""For the benchmark: where the time of a game goes, by kind of decision, with a clock between the steps of every
game."""

from collections.abc import Callable
from typing import Any

PARTS = ("offering", "choosing", "carrying out")


def driver() -> Callable:
    """Return the loop that is timed: plain Python, to be compiled."""
    from sim.chance import block_key
    from sim.compiled import microseconds

    def watched(
        set_up,
        advance,
        apply,
        tally,
        policy,
        components,
        states,
        options,
        weights,
        outcomes,
        players,
        games,
        seed,
        spent,
        asked,
    ):
        """Play games with a clock between the steps.

        Args:
            Up to `seed` as of `sim.play.loop`, with one policy and one record of outcomes.
            spent: int64 (kinds of decisions + 1, parts), added to: microseconds; in the last row those of the clock
                itself, 0, and those of dealing and counting. asked: int64 (kinds + 1,), added to: decisions; the last
                entry counts the games.
        """
        state, rest = states[0], len(asked) - 1
        for g in range(games):
            states[0] = states[1]
            for seat in range(players):
                state.person[seat] = seat
            asked[rest] += 1
            before = microseconds()
            now = microseconds()
            spent[rest, 0] += now - before
            set_up(components, state, players, block_key(seed, g))
            before = microseconds()
            spent[rest, 2] += before - now
            n = advance(components, state, options)
            while n > 0:
                asks = state.asks
                asked[asks] += 1
                now = microseconds()
                spent[asks, 0] += now - before
                chosen = policy(components, state, options, n, weights)
                before = microseconds()
                spent[asks, 1] += before - now
                apply(components, state, options[chosen])
                now = microseconds()
                spent[asks, 2] += now - before
                before = now
                n = advance(components, state, options)
            tally(components, state, outcomes[0])
            spent[rest, 2] += microseconds() - before

    return watched


def spent(name: str, players: int, games: int) -> tuple[Any, Any]:
    """Play games of one strategy and time their steps.

    Returns:
        Nanoseconds a game, less what the clock itself takes: float64 (kinds of decisions + 1, parts of PARTS), of which
        the last row's last entry is what lies outside the decisions; and decisions a game by kind.
    """
    import numba
    import numpy as np
    from numba import types

    from sim.compiled import compiled
    from sim.contract import records
    from sim.lent import Lent
    from sim.printed.components import read
    from sim.registry import load
    from strategies import catalog

    game, printed = load("moesteiro"), read("moesteiro").record
    strategy, made = catalog.entrant("moesteiro", name, players).load(game, printed[0]), game.signatures
    functions = [
        types.FunctionType(signature) for signature in (made.set_up, made.advance, made.apply, made.tally, made.policy)
    ]
    c, s, o, t = (numba.from_dtype(dtype) for dtype in game.dtypes)
    integer, array = types.int64, types.Array
    arrays = [array(s, 1, "C"), Lent(o), Lent(types.float64), array(t, 1, "C")]
    signature = types.void(
        *functions, c, *arrays, integer, integer, types.uint64, array(integer, 2, "C"), array(integer, 1, "C")
    )  # fmt: skip
    play = compiled(signature)(driver())
    times, asked = np.zeros((len(game.asks) + 1, len(PARTS)), np.int64), np.zeros(len(game.asks) + 1, np.int64)
    _, state, option, outcome = game.dtypes
    table = records(state, 2), records(option, game.most_options), strategy.weights, records(outcome, 1)
    rules = game.set_up, game.advance, game.apply, game.tally, strategy.policy
    for first in range(2):  # the first time to warm up
        times[:], asked[:] = 0, 0
        play(*rules, printed[0], *table, players, games, np.uint64(first), times, asked)
    nanoseconds = 1e3 * times / games
    clock, often = nanoseconds[-1, 0], asked / games
    found = np.maximum(nanoseconds - clock * often[:, None], 0)
    found[-1] = 0, 0, max(0.0, nanoseconds[-1, 2] - 2 * clock)
    return found, often[:-1]
