"""The benchmark against a peer: Pig, played by OpenSpiel and by this program, the same rules and policies, in one run.

    python scripts/bench_peers.py       half a minute; needs OpenSpiel: python3 -m pip install open_spiel

OpenSpiel's fastest loop in C++ is its random rollout: one call from Python plays thousands of games, and asks no
policy. Its loop that asks its bots in C++, as this program's asks policies, plays one game a call. For a policy of
one's own there is none for Pig (its tables of policies need information states, which its Pig lacks), so that is a loop
in Python over its states in C++, and is called so. Both play to the same rules: 100 points, one die, a 1 loses the
turn.

The ratio that counts is that of one core to one core, games for seconds of processor time. OpenSpiel's loops have one
thread; this program plays with all cores unless told otherwise, and adds up what it has played. So there is a second
ratio, and it is called what it is: a run on all cores to OpenSpiel's one thread, games for seconds by the clock, which
others at work on the machine slow down.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, thread_time
from typing import Any

ROOT = Path(__file__).parent.parent
ROUNDS, GOAL = 7, 20
HOLD, POINTS, FACES = 20, 100, 6
OURS = 500_000  # games a round, on each core: some tenths of a second, so that what a run begins with does not count
MISSING = "OpenSpiel is not installed: python3 -m pip install open_spiel"

Play = Callable[[int, int], tuple[float, float]]  # number of the round, games → wins of the first seat, seconds


@dataclass(frozen=True)
class PeerMatch:
    """One comparison.

    Attributes:
        name: of the peer's loop. policy: as this program calls it. games: of the peer in a round. play: the peer.
        native: whether the loop is in C++, which the goal is for.
    """

    name: str
    policy: str
    games: int
    play: Play
    native: bool = True


def game(spiel: Any) -> Any:
    """Return the peer's Pig; its limit on moves is so high that no game meets it."""
    return spiel.load_game(f"pig(players=2,winscore={POINTS},diceoutcomes={FACES},horizon=100000000)")


def rollouts(spiel: Any) -> Play:
    """Return the peer's random play, wholly in C++: the first step of its tree search is nothing but rollouts from the
    first position."""
    pig = game(spiel)

    def play(number: int, games: int) -> tuple[float, float]:
        evaluator = spiel.RandomRolloutEvaluator(n_rollouts=games, seed=1000 + number)
        search = spiel.MCTSBot(pig, evaluator, 1.0, 1, 10, False, 1, False)
        state, start = pig.new_initial_state(), thread_time()
        mean = search.mcts_search(state).total_reward  # +1 for a game that the first seat wins, -1 for any other
        return games * (1 + mean) / 2, thread_time() - start

    return play


def bots(spiel: Any) -> Play:
    """Return the peer's random bots in C++; each game is one call from Python."""
    pig, able = game(spiel), [spiel.make_uniform_random_bot(seat, 7 + seat) for seat in range(2)]

    def play(number: int, games: int) -> tuple[float, float]:
        start = thread_time()
        wins = sum(spiel.evaluate_bots(pig.new_initial_state(), able, number * games + n)[0] > 0 for n in range(games))
        return wins, thread_time() - start

    return play


def python_loop(spiel: Any) -> Play:
    """Return a loop in Python over the peer's states in C++, with the policy that holds from so many points on."""
    from random import Random

    pig = game(spiel)
    roll, hold = 0, 1

    def one(chance: Random) -> bool:
        state, scores, turn = pig.new_initial_state(), [0, 0], 0
        while not state.is_terminal():
            if state.is_chance_node():
                face = chance.randrange(FACES)
                state.apply_action(face)
                turn = turn + face + 1 if face else 0
                continue
            seat = state.current_player()
            if turn >= HOLD or scores[seat] + turn >= POINTS:
                scores[seat], turn = scores[seat] + turn, 0
                state.apply_action(hold)
            else:
                state.apply_action(roll)
        return bool(state.returns()[0] > 0)

    def play(number: int, games: int) -> tuple[float, float]:
        chance, start = Random(number), thread_time()
        wins = sum(one(chance) for _ in range(games))
        return wins, thread_time() - start

    return play


@dataclass
class Ours:
    """This program's loop, over whole blocks of games.

    Attributes:
        policy: its name. shares: of the first seat, block by block, in games won.
    """

    policy: str

    def __post_init__(self) -> None:
        from sim.printed.components import read
        from sim.runner import Study, play
        from strategies import catalog

        self.shares: list[Any] = []
        self._study = Study("pig", 2, (catalog.entrant("pig", self.policy, 2),), read("pig").record, 1)
        play(self._study, 0, 1000)

    def play_on_all(self, games: int) -> float:
        """Play games on all cores, as a user's run does; return seconds by the clock."""
        from sim.runner import run

        start = perf_counter()
        run(self._study, games=games)
        return perf_counter() - start

    def play(self, number: int, games: int) -> float:
        """Play a round on one core; return seconds of processor time."""
        from sim.contract import WHOLE
        from sim.runner import BATCH, play

        seconds = 0.0
        for first in range(number * games, (number + 1) * games, BATCH):
            start = thread_time()
            outcomes, _ = play(self._study, first, min(BATCH, (number + 1) * games - first))
            seconds += thread_time() - start
            self.shares.append(outcomes["share"][:, 0].reshape(-1, 2).sum(axis=1) / WHOLE)
        return seconds

    def between(self, intervals: int) -> tuple[float, float, float]:
        """Return the share of wins of the first seat with its interval, from blocks."""
        import numpy as np

        from analyses.statistics import interval
        from sim.moments import Moments

        blocks = np.concatenate(self.shares)[:, None].astype(np.float64)
        mean, s = Moments.of(blocks).weighted(np.array([[0.5]]))
        low, high = interval(mean, s, len(blocks), intervals, sequential=False, least=0, most=1)
        return float(mean[0]), float(low[0]), float(high[0])


def compare(match: PeerMatch, intervals: int) -> bool:
    """Play both in turn, print what was found, and return whether both find the same share of wins.

    Args:
        match: what to compare. intervals: how many there are in all, which hold together; theirs count each game, ours
            blocks.
    """
    import numpy as np
    from joblib import effective_n_jobs

    from analyses.playtests.playtests import shares_between
    from analyses.statistics import ALPHA

    ours, cores, wins = Ours(match.policy), effective_n_jobs(-1), 0.0
    theirs, clocked, one, every = (np.zeros(ROUNDS) for _ in range(4))  # games a second
    match.play(ROUNDS, match.games // 10)
    ours.play_on_all(OURS)
    for number in range(ROUNDS):
        start = perf_counter()
        won, seconds = match.play(number, match.games)
        wins += won
        theirs[number], clocked[number] = match.games / seconds, match.games / (perf_counter() - start)
        one[number] = OURS / ours.play(number, OURS)
        every[number] = cores * OURS / ours.play_on_all(cores * OURS)
    total = ROUNDS * match.games
    low, high = (float(end[0]) for end in shares_between(np.array([wins]), total, ALPHA / intervals))
    share, least, most = ours.between(intervals)
    same = least <= high and low <= most
    print(f"{match.policy}, against {match.name}")
    print(
        f"  one core, games a second of processor time: OpenSpiel {median(theirs):,.0f}, chapterhouse "
        f"{median(one):,.0f}"
    )
    print(f"    {times(one / theirs, match.native)}")
    print(
        f"  all {cores} cores to one OpenSpiel thread, by the clock: OpenSpiel {median(clocked):,.0f}, chapterhouse "
        f"{median(every):,.0f}"
    )
    print(f"    {times(every / clocked)}")
    print(f"  first seat wins: OpenSpiel {100 * wins / total:.2f} % ({100 * low:.2f} to {100 * high:.2f}), ", end="")
    print(
        f"chapterhouse {100 * share:.2f} % ({100 * least:.2f} to {100 * most:.2f}): "
        f"{'the same' if same else 'NOT the same'}",
        flush=True,
    )
    return same


def times(ratios: Any, goal: bool = False) -> str:
    """Return ratios, one a round, in words; goal: say whether they reach it."""
    ratio = median(ratios)
    words = f"{ratio:.1f} times as fast (in {len(ratios)} rounds {min(ratios):.1f} to {max(ratios):.1f})"
    if not goal:
        return words
    return f"{words}; goal {GOAL}: {'reached' if ratio >= GOAL else f'missed by a factor of {GOAL / ratio:.1f}'}"


def main() -> int:
    """Compare everything; exit status 1 if a share of wins is not the same, 2 without the peer."""
    sys.path.insert(0, str(ROOT))
    try:
        import pyspiel
    except ImportError:
        print(MISSING, file=sys.stderr)
        return 2
    matches = [
        PeerMatch("OpenSpiel's loop in C++, random rollouts in one call", "random_legal", 20_000, rollouts(pyspiel)),
        PeerMatch("OpenSpiel's bots in C++, a call from Python for each game", "random_legal", 10_000, bots(pyspiel)),
        PeerMatch(
            "a loop in Python over OpenSpiel's states in C++", "hold_at", 1_500, python_loop(pyspiel), native=False
        ),
    ]
    same = [compare(match, 2 * len(matches)) for match in matches]
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
