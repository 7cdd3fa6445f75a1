"""Who plays a game for which nobody wrote a player: the generic strategies, and look-ahead on each of them.

They play against one another once, and we keep who is the strongest. That takes no clock, so it comes out the same on
every machine.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from itertools import combinations

import numpy as np

from sim import registry
from sim.compiled import cache_folder
from sim.contract import WHOLE
from sim.files import NotWrittenError, write_whole
from sim.legible import say
from sim.printed.components import read
from sim.replay import Session
from sim.runner import Study, play
from strategies import catalog
from strategies._code import GENERIC, HERE, LOOKING
from strategies._named import GREEDY, RANDOM
from strategies.generic.greedy import WORLDS

SEED = 1
GAMES = 240  # of each pair
SAMPLE = 4  # games in which options are counted
BUDGETS = (100, 50, 25, 10, 5)  # games played on for a decision; the first that a run can pay for
WORLD = 4  # what it costs to imagine a world and carry an option out in it; to choose at random and do so costs 1
# What a game may cost on average, half a millisecond: then 200,000 games, the most that a question plays, take a minute
# on two cores.
MOST = 50_000


@dataclass(frozen=True)
class Ranking:
    """Who plays, by how well they did; names as `catalog.entrant` takes them.

    Attributes:
        default: the strongest. levels: all, weakest first. ladder: those that do not look ahead, weakest first.
    """

    default: str
    levels: tuple[str, ...]
    ladder: tuple[str, ...]


@cache
def ranking(game: str) -> Ranking:
    """Return who plays a game; it is found out once, and kept with the machine code of the game."""
    sources = (GENERIC / f"{GREEDY}.py", HERE / "_unwritten.py", LOOKING)
    kept = cache_folder(*sources, registry.load(game).folder) / "ranking.json"
    with suppress(OSError, ValueError, TypeError, KeyError):
        found = json.loads(kept.read_text("utf-8"))
        levels, ladder = (tuple(map(str, found[name])) for name in ("levels", "ladder"))
        return Ranking(str(found["default"]), levels, ladder)
    say(f"Finding out who plays {registry.card(game)[0]} best (once) …")
    made = _ranked(game)
    with suppress(OSError, NotWrittenError):  # then it is found out again
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, json.dumps(asdict(made)).encode())
    return made


def _ranked(game: str) -> Ranking:
    players, printed = registry.usual_players(game), read(game).record

    def study(*names: str) -> Study:
        return Study(game, players, tuple(catalog.entrant(game, name, players) for name in names), printed, SEED)

    policies = sorted(catalog.names(game), key=(RANDOM, GREEDY).index)
    candidates = [*policies, *(text for name in policies for text in _looking(study(name), name))]
    won = dict.fromkeys(candidates, 0.0)
    if players == 1:
        for name in candidates:
            outcomes, _ = play(study(name), 0, GAMES)
            # wins, and between equals points
            won[name] = outcomes["share"][:, 0].sum() * 1e6 + outcomes["score"][:, 0].sum()
    for pair in combinations(candidates, 2) if players > 1 else ():
        outcomes, _ = play(study(*pair), 0, GAMES)
        for at, name in enumerate(pair):
            share = np.where(outcomes["strategy"] == at, outcomes["share"], 0)[:, :players].sum()
            won[name] += share / (WHOLE * GAMES)
    # of equals the plainer one counts as the stronger
    order = sorted(candidates, key=lambda name: (won[name], -candidates.index(name)))
    return Ranking(order[-1], tuple(order), tuple(name for name in order if name in policies))


def _looking(study: Study, policy: str) -> Iterator[str]:
    """Yield look-ahead on a policy, with the largest budget that a run can pay for."""
    decisions = options = 0
    for number in range(SAMPLE):
        session = Session(study, number, stepping=False)
        while session.advance():
            decisions, options = decisions + 1, options + session.n
            session.choose(session.ask())
    if not decisions:
        return
    length, each = decisions / SAMPLE, 1.0 + WORLD * WORLDS * options / decisions * (policy == GREEDY)
    for budget in BUDGETS:
        if length * budget * length / 2 * each <= MOST:
            yield f"rollout:{policy}@{budget}"
            return
