"""Things that chance deals and nobody chooses: what a block of games then is, and what each thing's holder gets.

A block has one set of chance, and one random order of all things over the seats and as many empty places as it takes.
Each of its games shifts the order by one place, all the way round, so every seat holds every thing once:

    powered     all shifts, all things as they are
    one off     the same games once more, each thing without its power: dealt on one occasion, only where somebody holds
                it
    all off     all shifts, no thing with its power
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.play import EVERY

if TYPE_CHECKING:
    from sim.contract import Game
    from sim.printed.components import Components

IN_TURN = -2  # on one occasion a block, each in its turn
POWERED, ONE_OFF, ALL_OFF = range(3)
VALUES = ("share", "margin")  # of the holder: sixtieths of a win; own score − best other, points


@dataclass(frozen=True)
class Deal:
    """What chance deals.

    Attributes:
        kind: of `Game.things`. occasion: from 0, EVERY or IN_TURN. powers: whether the games without powers are played
            too.
    """

    kind: str
    occasion: int = IN_TURN
    powers: bool = True

    def things(self, game: "Game", players: int) -> tuple[str, ...]:
        """Return what is dealt."""
        held = game.things[self.kind]
        labels = game.categories[held.occasions[0]]
        return labels[:players] if held.by_players else labels

    def occasions(self, game: "Game") -> tuple[int, ...]:
        """Return the occasions on which it is dealt."""
        return tuple(range(len(game.things[self.kind].occasions))) if self.occasion < 0 else (self.occasion,)

    def strata(self, game: "Game") -> int:
        """Return how many strata of blocks there are: one for each occasion if they take turns."""
        return len(self.occasions(game)) if self.occasion == IN_TURN else 1

    def plan(self, game: "Game", players: int) -> np.ndarray:
        """Return the games of a block as the loop wants them, int64 (games, 3)."""
        count = len(self.things(game, players))
        shifts = range(count)
        games = [(0, shift, 0) for shift in shifts]
        if self.powers:
            whose = range(1, 1 + count) if self.occasion == EVERY else (-1 - seat for seat in range(players))
            games += [(0, shift, without) for without in whose for shift in shifts]
            games += [(0, shift, 1 + count) for shift in shifts]
        return np.array(games, np.int64)

    def setting(self, game: "Game", players: int) -> np.ndarray:
        """Return the settings for the loop, int64 (5,)."""
        held = game.things[self.kind]
        kind, things = game.asks.index(held.asks), len(self.things(game, players))
        return np.array([kind, self.occasion, len(held.occasions), things, held.by_study], np.int64)

    def totals(self, game: "Game", outcomes: Any, players: int, first: int) -> np.ndarray:
        """Return what the holders got, int64 (blocks, values, occasions, cases, things, seats): one game each.

        With occasions in turn a block has one, its own. There is one case if no games without powers were played.

        Args:
            outcomes: records of whole blocks. players: seats in use. first: number of their first block.
        """
        count, plan = len(self.things(game, players)), self.plan(game, players)
        blocks = len(outcomes) // len(plan)
        columns = [list(game.categories).index(name) for name in game.things[self.kind].occasions]
        held = outcomes["categories"][:, :players][:, :, columns].reshape(blocks, len(plan), players, -1)
        held = np.moveaxis(held, 3, 1).astype(np.int64)  # (blocks, occasions, games, seats)
        if self.occasion == IN_TURN:
            now = (first + np.arange(blocks)) % len(columns)
            held = np.take_along_axis(held, now[:, None, None, None], axis=1)
        else:
            held = held[:, list(self.occasions(game))]
        share, score = (
            outcomes[name][:, :players].reshape(blocks, 1, len(plan), players) for name in ("share", "score")
        )
        best = np.where(np.eye(players, dtype=bool), np.iinfo(np.int64).min, score[..., None, :]).max(axis=-1)
        cases = 3 if self.powers else 1
        found = np.zeros((blocks, len(VALUES), held.shape[1], cases, count, players), np.int64)
        for at in range(0, len(plan), count):  # all shifts of one sort of games
            games, without = slice(at, at + count), plan[at, 2]
            had = held[:, :, games]
            for value, column in enumerate((share, score - best)):
                got = np.broadcast_to(column[:, :, games], had.shape)
                to = found[:, value]
                if without == 0 or without == 1 + count:
                    np.put_along_axis(to[:, :, POWERED if without == 0 else ALL_OFF], had, got, axis=2)
                elif without < 0:
                    seat = slice(-1 - without, -without)
                    np.put_along_axis(to[:, :, ONE_OFF, :, seat], had[..., seat], got[..., seat], axis=2)
                else:
                    to[:, :, ONE_OFF, without - 1] = np.where(had == without - 1, got, 0).sum(axis=2)
        return found


def powerless(components: "Components", kind: str, game: "Game") -> np.recarray:
    """Return the records that a deal needs: as printed; then with each thing of a kind without its power; then without
    any powers.

    Args:
        components: what is printed. kind: of `Game.things`. game: the game.
    """
    from sim.printed.components import changed

    held = game.things[kind]
    labels = game.categories[held.occasions[0]]
    off = [{path.format(thing=label): 0 for path in held.powers} for label in labels]
    variants = [
        components,
        *(changed(components, change) for change in off),
        changed(components, {k: v for o in off for k, v in o.items()}),
    ]
    return np.concatenate([variant.record for variant in variants]).view(np.recarray)
