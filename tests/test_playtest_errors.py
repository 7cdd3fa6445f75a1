"""`chapterhouse playtests`: how often logs from the simulation are said to differ, and how often a planted seat is
found."""

import os
from importlib import import_module

import numpy as np
import pytest
from scipy.stats import binom

from analyses.playtests import playtests
from analyses.playtests.log import Log
from analyses.playtests.playtests import DIFFERS, compare, simulate
from analyses.statistics import ALPHA
from sim import registry
from tests.helpers import request

pytestmark = pytest.mark.slow

LOGS = int(os.environ.get("CHAPTERHOUSE_LOGS", "100"))  # of each size; CONTRIBUTING says how all 1,000 are drawn
SIZES = 10, 40, 200
TABLES = [(game, players) for game in registry.names() for players in registry.contests(game)]

# Logs in which seat 2 wins 60 % of the games of two experts in Moesteiro, and 54 % in the simulation. Of 1,000 so many
# were found before ties had a rule (at commit 28a329c, of the logs that are drawn below): games → by wins, by anything.
FOUND_BEFORE = {100: (86, 138), 300: (351, 398)}


@pytest.fixture
def simulated(study):
    """A function that plays a game, with its usual strategy unless another is named, without what a log can't say:
    game, players, games, seed → log."""

    def make(name, players, games, seed, strategy=""):
        strategy = strategy or import_module(f"strategies.{name}").DEFAULT
        log, _ = simulate(study(name, players, strategy, seed=seed), games)
        kinds = [kind for kind, things in registry.load(name).things.items() if not things.by_players]
        return Log(players, log.share, log.score, {kind: log.held[kind] for kind in kinds})

    return make


@pytest.fixture
def once(monkeypatch):
    """Yardsticks for logs of one size are the same, so they are made once."""

    def kept(make):
        made = {}

        def ask(simulated, *rest):
            parts = [part for part in rest if not isinstance(part, np.random.Generator)]  # the same for one seed
            key = (id(simulated), *(part.tobytes() if isinstance(part, np.ndarray) else part for part in parts))
            if key not in made:
                made[key] = make(simulated, *rest)
            return made[key]

        return ask

    for name in ("ScoresYardstick", "ThingsYardstick"):
        monkeypatch.setattr(playtests, name, kept(getattr(playtests, name)))


def picked(log, which):
    """Some games of a log."""
    return Log(log.players, log.share[which], log.score[which], {kind: held[which] for kind, held in log.held.items()})


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_logs_from_the_simulation_rarely_differ(simulated, name, players):
    """5 % are promised; 7 % of 1,000, or what fewer logs may show by chance."""
    played, first, pool = (
        request(name).played(players, ()),
        simulated(name, players, 20_000, 1),
        simulated(name, players, 60_000, 2),
    )
    for games in SIZES:
        rng, alarms = np.random.default_rng([players, games]), 0
        for _ in range(LOGS):
            log = picked(pool, rng.integers(pool.games, size=games))
            alarms += compare(played, log, first, ALPHA / log.questions).word == DIFFERS
        assert alarms <= (0.07 * LOGS if LOGS >= 1_000 else binom.ppf(0.999, LOGS, ALPHA)), games
        print(f"{name}, {players} players, {games} games: {100 * alarms / LOGS:.1f} % of {LOGS} logs differ")


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize("games", FOUND_BEFORE)
def test_a_planted_seat_is_found_as_often_as_before(simulated, games):
    played, first, pool = (
        request("moesteiro").played(2, ()),
        simulated("moesteiro", 2, 20_000, 1, "expert_1"),
        simulated("moesteiro", 2, 60_000, 2, "expert_1"),
    )
    won, lost = (np.flatnonzero((pool.share[:, 1] > 30) == wins) for wins in (True, False))
    rng, logs, found = np.random.default_rng(games), 1_000, np.zeros(2)
    for _ in range(logs):
        wins = rng.binomial(games, 0.6)
        log = picked(pool, np.concatenate([rng.choice(won, wins), rng.choice(lost, games - wins)]))
        compared = compare(played, log, first, ALPHA / log.questions)
        found += compared.words["wins"] == DIFFERS, compared.word == DIFFERS
    print(f"{games} games: found by wins {found[0]:.0f}, by anything {found[1]:.0f}, of {logs}")
    assert np.abs(found - FOUND_BEFORE[games]).max() <= 0.02 * logs
