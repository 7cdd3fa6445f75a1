"""What another set of components changes once players have learnt it: we tune the strategy for it, by self-play.

The tuned strategy begins with the weights of the old one, and meets copies of it and of its own earlier stages.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from analyses.compare.revision import Revision
from analyses.compare.things import ThingsCompared, deal_both
from analyses.compare.whole import WholeGames, play
from analyses.tuning import TABLES, Match, Tuning, TuningPlan, WeightSpace
from sim import registry
from sim.runner import StrategyError, prepare
from strategies import catalog
from strategies._weights_file import Weight
from strategies.catalog import Seated

GAMES, NUMBERS = 1_000, 2  # of a candidate in a generation; numbers for each weight over the rounds
TEST_GAMES = 20_000
TUNED = "tuned anew"


@dataclass(frozen=True)
class Retuned:
    """The game before with the old strategy, and after with one that was tuned for it.

    Attributes:
        strategy: the old one. weights: of the tuned one. generations, games: of the tuning.
        changed, unchanged: the tuned one alone against copies of the old one, after the change and before it.
        whole: what changes; None if it was stopped by hand before. things: by kind, as far as they were dealt.
        interrupted: stopped by hand.
    """

    strategy: str
    weights: dict[str, Weight]
    generations: int
    games: int
    changed: Match | None
    unchanged: Match | None
    whole: WholeGames | None
    things: tuple[ThingsCompared, ...]
    interrupted: bool

    @property
    def word(self) -> str:
        """Whether the tuned one is "stronger" than the old one after the change, "weaker", or that is "undecided"."""
        match = self.changed
        if match is None:
            return "undecided"
        return (
            "stronger" if match.low > 1 / match.players else "weaker" if match.high < 1 / match.players else "undecided"
        )


def usual(game: str, players: int) -> str:
    """Return the strategy that is tuned if nobody names one: the game's usual one, or else the strongest of its ladder
    that can be."""
    for name in (catalog.default(game), *reversed(catalog.ladder(game))):
        with suppress(StrategyError):
            plan(catalog.entrant(game, name, players), players, 1)
            return name
    return catalog.default(game)


def plan(entrant: Seated, players: int, seed: int) -> TuningPlan:
    """Return what a tuning plays.

    Raises:
        StrategyError: the strategy has no weights by name, or looks ahead, which takes too long.
    """
    if entrant.thinker:
        raise StrategyError(
            f"strategy {entrant.name}: it looks ahead; only one that decides by its weights alone can be tuned anew "
            "here"
        )
    length = WeightSpace(entrant, NUMBERS).length
    return TuningPlan(
        entrant.game, (players,), entrant, (entrant,), GAMES, 4 + int(3 * length**0.5), NUMBERS, seed=seed
    )


def generations(asked: TuningPlan, games: int) -> tuple[int, int]:
    """Return how many generations a number of games is enough for, and how many games one takes."""
    tables = min(TABLES, len(asked.against) + 1)
    each = asked.population * tables * -(-asked.games // (tables * asked.players[0])) * asked.players[0]
    return games // each, each


def retune(revision: Revision, watch: Callable[[int], None] = lambda games: None) -> Retuned:
    """Tune a strategy for the components after a change, then compare.

    Args:
        revision: what is compared, by how many games, and by how many to tune.
        watch: called with the number of games just played.

    Returns:
        What was found; Ctrl-C ends it early and keeps what was finished.
    """
    asked = plan(revision.entrants[0], revision.players, revision.request.seed)
    count, _ = generations(asked, revision.retune or 0)
    tuning, interrupted = Tuning(asked, revision.after), False
    try:
        while len(tuning.found) < count:
            tuning.step(revision.request.jobs, watch)
    except KeyboardInterrupt:
        interrupted = True
    found = Retuned(
        asked.start.name,
        tuning.weights(),
        len(tuning.found),
        len(tuning.found) * tuning.games,
        None,
        None,
        None,
        (),
        interrupted,
    )
    return found if interrupted else _compared(found, tuning, revision, watch)


def _compared(found: Retuned, tuning: Tuning, revision: Revision, watch: Callable[[int], None]) -> Retuned:
    request, start = revision.request, tuning.plan.start
    tests = min(TEST_GAMES, request.most)
    (changed,) = tuning.test(tests, request.jobs, watch)
    if changed.games < tests:
        return replace(found, interrupted=True)
    same = Tuning(tuning.plan, revision.before)  # with the same weights, to be tested with other components
    same.found = list(tuning.found)
    (unchanged,) = same.test(tests, request.jobs, watch)
    if unchanged.games < tests:
        return replace(found, changed=changed, interrupted=True)
    found = replace(found, changed=changed, unchanged=unchanged)
    tuned = tuning.space.entrant(tuning.mean, f"{start.name}, {TUNED}")
    studies = revision.studies((start,), (tuned,))
    prepare(registry.load(request.game), (tuned,), revision.after.record)
    whole, _ = play(studies, request, watch)
    found = replace(found, whole=whole if whole.blocks else None, interrupted=whole.interrupted)
    for kind in revision.kinds:
        if not found.interrupted:
            things = deal_both(studies, kind, request, watch)
            stopped = things is None or things.interrupted
            found = replace(found, things=(*found.things, *([things] if things else [])), interrupted=stopped)
    return found
