"""Which sets of numbers a designer could have printed: we draw one after another, and leave out those that nobody would
print."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analyses.blocks import ByNumber
from sim import registry
from sim.contract import Game
from sim.printed.components import Components
from sim.printed.printings import ComponentsError, Input, Plausible, Printing, Scheme
from sim.runner import Study, gather, play, prepare
from strategies import catalog

MOST_DRAWS = 20  # times as many draws as printings, before the search is given up


def objection(game: Game, made: Components, limits: Sequence[Plausible], players: int, seed: int) -> str:
    """Return why no designer would print this, "" if one could.

    Args:
        game: the game. made: what is printed. limits: what it must come to. players: their number. seed: of the games.
    """
    for limit in limits:
        entrant = catalog.entrant(game.name, limit.strategy, players)
        games = -(-limit.games // players) * players
        outcomes, _ = play(Study(game.name, players, (entrant,), made.record, seed), 0, games)
        score = outcomes["score"][:, :players].mean()
        if limit.score and not limit.score[0] <= score <= limit.score[1]:
            low = score < limit.score[0]
            return f"{limit.strategy} scores {'below' if low else 'above'} {limit.score[not low]} points"
        names = [name for name in game.numbers if limit.used and name.startswith(f"{limit.used}.")]
        counted = outcomes["numbers"][:, :players, [game.numbers.index(name) for name in names]].sum(
            axis=(0, 1), dtype=np.int64
        )
        rare = [name for name, count in zip(names, counted) if 100 * count < limit.least * counted.sum()]
        if rare:
            return f"{rare[0]} under {limit.least} % ({limit.strategy})"
    return ""


@dataclass(frozen=True)
class Draws:
    """Draws that were looked at: those accepted with their components, and reasons against the others; interrupted by
    hand or not."""

    accepted: tuple[tuple[Printing, Components], ...]
    rejected: dict[str, int]
    interrupted: bool


def search(
    components: Components, scheme: Scheme, inputs: tuple[Input, ...], count: int, players: int, seed: int, jobs: int
) -> Draws:
    """Look for the first `count` plausible sets of numbers."""
    game = registry.load(components.game)
    accepted: list[tuple[Printing, Components]] = []
    rejected: dict[str, int] = {}

    def look(first: int, draws: int) -> ByNumber:
        found = ByNumber()
        for number in range(first, first + draws):
            printing = scheme.draw(components, inputs, seed, number)
            try:
                made = printing.of(components)
            except ComponentsError as error:
                found[number] = (printing, None, "numbers that do not go together: " + str(error).split(": ", 2)[1])
                continue
            found[number] = (printing, made, objection(game, made, scheme.plausible, players, seed))
        return found

    prepare(
        game, [catalog.entrant(game.name, limit.strategy, players) for limit in scheme.plausible], components.record
    )
    drawn = 0
    while len(accepted) < count and drawn < MOST_DRAWS * count:
        start, wanted = drawn, count - len(accepted)
        found, interrupted = gather(
            lambda at, n, start=start: look(start + at, n),  # type: ignore[misc]
            ByNumber(),
            wanted,
            size=1,
            jobs=jobs,
        )
        if interrupted:
            return Draws((), rejected, True)
        for number in sorted(found):
            printing, made, reason = found[number]
            if reason:
                rejected[reason] = rejected.get(reason, 0) + 1
            else:
                accepted.append((printing, made))
        drawn += wanted
    return Draws(tuple(accepted), rejected, False)
