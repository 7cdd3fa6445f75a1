"""Is a report as sure as it says? Studies with a known truth, played until the report's own rules end them.

python scripts/coverage.py                  500 studies of each case, about a minute
python scripts/coverage.py --studies 50     fewer

A study of seats, or of holders of dealt things, draws the wins of whole blocks: in each game seat s wins with its true
share. It looks at them when `sim.runner` would, with the intervals of `analyses.statistics`, and stops when a headline,
another line or a deal of a report would. It is covered if all its intervals hold the truth at that moment. A study of
sets of numbers draws true win indices and the luck of the games, and is covered if the intervals of all shares hold the
true ones.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from statistics import NormalDist

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from analyses.evidence import Estimate
from analyses.robustness.between import between_sets
from analyses.statistics import interval, ratio, within
from analyses.survey import ReportPlan, enough
from analyses.worth.lines import REPORT_GAMES
from analyses.worth.worth import enough as known
from sim.runner import looks

MARGIN, SETS = 0.1, 100
STUDIES, LEAST = 500, 0.94


@dataclass(frozen=True)
class Simulated:
    """What `enough` asks of a line: number of players, and their win shares."""

    players: int
    estimate: Estimate
    seats: Sequence[int] = ()

    def shares(self, seats: Sequence[int]) -> Estimate:
        """Return win shares with intervals."""
        return self.estimate

    @property
    def worth(self) -> Estimate:
        """What holders win more than the average."""
        return Estimate(*(self.players * part - 1 for part in self.estimate))


@dataclass(frozen=True)
class Coverage:
    """Of some studies: the share that is covered, the share with a wrong verdict, and the mean number of games."""

    covered: float
    wrong: float
    games: float


@dataclass(frozen=True)
class Rule:
    """When a study ends: at least and at most so many games, and once `enough` says so."""

    least: int
    most: int
    enough: Callable[[Simulated], bool]


PLAN = ReportPlan()
RULES = {
    "headline": Rule(PLAN.min_games, PLAN.max_games, lambda found: enough(found, MARGIN, True)),  # type: ignore[arg-type]
    "other line": Rule(PLAN.min_other, PLAN.max_other, lambda found: enough(found, MARGIN, False)),  # type: ignore[arg-type]
    "dealt things": Rule(0, REPORT_GAMES, lambda found: known(found.worth, MARGIN, MARGIN / 2)),
}


def studied(indices: Sequence[float], rule: Rule, studies: int, seed: int = 1) -> Coverage:
    """Play studies in which seats, or holders of things, have these win indices."""
    players, rng = len(indices), np.random.default_rng(seed)
    truth = np.array(indices) / players
    wins = np.array(list(_blocks(players)))
    chance = [factorial(players) * prod(p**n / factorial(n) for p, n in zip(truth, row)) for row in wins]
    covered = wrong = games = 0
    for _ in range(studies):
        counts, done = np.zeros(len(wins), np.int64), 0
        for look in looks(-(-rule.most // players), fixed=False):
            counts += rng.multinomial(look - done, chance)
            done = look
            y, yy, n = counts @ wins, counts @ wins**2, np.full(players, done * players)
            m, s = ratio(y, n, yy, y * players, n * players, done)
            estimate = Estimate(m, *interval(m, s, done, players, sequential=True, least=0, most=1))
            if done * players >= rule.least and rule.enough(Simulated(players, estimate)):
                break
        _, low, high = estimate
        covered += bool(((low <= truth) & (truth <= high)).all())
        told = [within(a * players - 1, b * players - 1, MARGIN) for a, b in zip(low, high)]
        right = ["balanced" if abs(index - 1) <= MARGIN + 1e-9 else "unbalanced" for index in indices]
        wrong += any(word not in ("undecided", true) for word, true in zip(told, right))
        games += done * players
    return Coverage(covered / studies, wrong / studies, games / studies)


def _blocks(players: int) -> "list[list[int]]":
    """Return how often each seat can win in a block of as many games as there are seats."""
    found = combinations_with_replacement(range(players), players)
    return [np.bincount(winners, minlength=players).tolist() for winners in found]


def sets(mean: float, width: float, error: float, studies: int, seed: int = 1) -> Coverage:
    """Play studies of sets of numbers whose true win indices follow a bell curve; `error`: standard error of each."""
    rng, covered = np.random.default_rng(seed), 0
    curve = NormalDist(mean, width) if width else None
    below = curve.cdf(1 - MARGIN) if curve else float(mean < 1 - MARGIN)
    inside = curve.cdf(1 + MARGIN) - below if curve else float(abs(mean - 1) <= MARGIN)
    for truth in mean + width * rng.standard_normal((studies, SETS)):
        errors = error * np.sqrt(rng.chisquare(150, SETS) / 150)
        found = between_sets(truth + error * rng.standard_normal(SETS), errors, MARGIN)
        ends = zip((below, inside, 1 - below - inside), found.shares)
        covered += all(low - 1e-9 <= share <= high + 1e-9 for share, (_, low, high) in ends)
    return Coverage(covered / studies, 0.0, 0.0)


def _studied(indices: Sequence[float], rule: str) -> Callable[[int], Coverage]:
    return lambda studies: studied(indices, RULES[rule], studies)


def _sets(mean: float, width: float, error: float) -> Callable[[int], Coverage]:
    return lambda studies: sets(mean, width, error, studies)


SEATS = ((1.0, 1.0), (0.93, 1.07), (0.9, 1.1), (1.0,) * 4, (0.9, 1.0, 1.0, 1.1), (0.86, 1.04, 1.04, 1.06),
         (0.75, 1.0, 1.15, 1.1))  # fmt: skip
THINGS = ((1.0,) * 6, (0.6, 1.25, 0.9, 1.05, 1.1, 1.1))
SPREADS = ((0.86, 0.14), (1.0, 0.14), (0.94, 0.047), (1.0, 0.0), (0.905, 0.02))
CASES = {
    f"{rule}, win indices {', '.join(map(str, indices))}": _studied(indices, rule)
    for rule in RULES for indices in (THINGS if rule == "dealt things" else SEATS)
} | {
    f"sets of numbers, mean {mean}, spread {width}, error {error}": _sets(mean, width, error)
    for mean, width in SPREADS for error in (0.05, 0.1)
}  # fmt: skip


def main() -> None:
    """Print the figures of each case; exit with 1 if one is covered too rarely."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=STUDIES, help="of each case")
    studies, poor = parser.parse_args().studies, 0
    for name, play in CASES.items():
        found = play(studies)
        poor += found.covered < LEAST
        played = f"   wrong verdicts {found.wrong:5.1%}   games {found.games:8,.0f}" if found.games else ""
        print(f"{name:56} covered {found.covered:6.1%}{played}")
    sys.exit(int(poor > 0))


if __name__ == "__main__":
    main()
