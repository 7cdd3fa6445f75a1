"""Checks that play many games in the hot loop: how they end, and that the same games come of any way to play them."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from analyses.prove.case import ProvedGame, first_difference, game_of
from analyses.prove.finding import Fault
from sim.cluster import playing
from sim.contract import WHOLE
from sim.runner import StrategyError, Study, play, run

GAMES = 400  # at each table
A_WIN = "one win, as 60 sixtieths, over all seats of a game; none or one for a single person"


def endings(case: ProvedGame) -> Iterator[Fault]:
    """Games end, share one win, and persons sit in every seat; scores are the sum of their sources."""
    game = case.game
    sources = [i for i, name in enumerate(game.numbers) if name.startswith("points.")]
    for study, changes in case.studies(changes=True):
        players = study.players
        try:
            outcomes, decisions = case.play(study, GAMES // players * players, changes)
        except StrategyError as error:
            yield Fault("games end", str(error), game=game_of(study, 0, changes))
            continue
        yield from _shares(study, outcomes, changes)
        if sources:
            total = outcomes["numbers"][:, :players, sources].sum(2, dtype=np.int64)
            yield from _first(
                "sources of points", total != outcomes["score"][:, :players], study, changes, "outcome.score",
                lambda g, seat, total=total, outcomes=outcomes: (
                    f"seat {seat + 1} has {outcomes['score'][g, seat]} points, "
                    f"its sources (points.…) make {total[g, seat]}"
                ), "the sum of its sources",
            )  # fmt: skip
        if not decisions:
            yield Fault("games end", "no decision in any game", "at least one", game=game_of(study, 0, changes))
        different = len({outcomes[g : g + 1].tobytes() for g in range(len(outcomes))})
        if different == 1:
            yield Fault("chance", f"all {len(outcomes)} games end alike", "games that differ", game=game_of(study, 0))
        for block in outcomes["person"][:, :players].reshape(-1, players, players):
            if (np.sort(block, 0) != np.arange(players)[:, None]).any() or (
                np.sort(block, 1) != np.arange(players)
            ).any():
                found = "a person doesn't sit once in every seat of a block"
                yield Fault("seats", found, "set_up leaves state.person as it is", game=game_of(study, 0, changes))
                break
    for i, (name, allowed) in enumerate(game.categories.items()):
        if outside := case.had.get(i, set()) - set(range(-1, len(allowed))):
            found = f"{name} is label {min(outside)}"
            yield Fault("counts", found, f"-1 to {len(allowed) - 1}", field="outcome.categories")
    if not sources:
        case.leave("whether scores are the sum of their sources: the game counts no numbers named points.…")


def _shares(study: Study, outcomes: Any, changes: Sequence[str]) -> Iterator[Fault]:
    players, share = study.players, outcomes["share"]
    won = share[:, :players].sum(1)
    wrong = ~np.isin(won, (0, WHOLE)) if players == 1 else won != WHOLE
    wrong |= (share < 0).any(1) | share[:, players:].any(1)
    yield from _first(
        "one win", wrong[:, None], study, changes, "outcome.share",
        lambda g, seat: f"the shares of a win are {share[g, :players].tolist()}, {won[g]} in all", A_WIN,
    )  # fmt: skip


def _first(
    check: str, wrong: Any, study: Study, changes: Sequence[str], field: str, words: Any, allowed: str
) -> Iterator[Fault]:
    """Yield a finding for the first game and seat that are wrong, of how many; wrong: bool (games, seats)."""
    if wrong.any():
        g, seat = np.argwhere(wrong)[0].tolist()
        found = f"{words(g, seat)}; {int(wrong.any(1).sum())} of {len(wrong)} games"
        yield Fault(check, found, allowed, game=game_of(study, g, changes), field=field)


def orders(case: ProvedGame) -> Iterator[Fault]:
    """A game is the same alone, in any order, played twice: nothing is kept from game to game, chance is the key's."""
    for study, changes in case.studies():
        try:
            games = 4 * study.players
            whole, _ = case.play(study, games, changes)
            again, _ = case.play(study, games, changes)
            alone = [play(study, g, 1)[0] for g in reversed(range(games))][::-1]
        except StrategyError:
            continue  # said by `endings`
        for g in range(games):
            if whole[g : g + 1].tobytes() != again[g : g + 1].tobytes():
                found, field = (
                    "played twice, a game ends in two ways",
                    first_difference(whole[g : g + 1], again[g : g + 1]),
                )
            elif whole[g : g + 1].tobytes() != alone[g].tobytes():
                found, field = (
                    "a game ends otherwise when other games come before it",
                    first_difference(whole[g : g + 1], alone[g]),
                )
            else:
                continue
            allowed = "chance from the key alone, and nothing kept from one game to the next"
            yield Fault("same games", f"{found} (outcome.{field})", allowed, game=game_of(study, g, changes))
            break


def jobs(case: ProvedGame) -> Iterator[Fault]:
    """One thread, two, and processes play the same games."""
    players = case.game.players[-1]
    study = case.study(players, *dict(case.tables)[players][:2])
    games, sums = 40 * players, []
    for words, threads, backend in (
        ("one thread", 1, "threads"),
        ("two threads", 2, "threads"),
        ("processes", 2, "loky"),
    ):
        case.beat("")  # processes take their time to start
        try:
            with playing(backend):
                sums.append((words, run(study, games=games, jobs=threads, batch=4 * players).sums))
        except StrategyError:
            return  # said by `endings`
        case.count("games in the loop", games)
    first, one = sums[0]
    for words, other in sums[1:]:
        wrong = [
            name for name, value in vars(one).items()
            if np.asarray(value).tobytes() != np.asarray(getattr(other, name)).tobytes()
        ]  # fmt: skip
        if wrong:
            found = f"{first} and {words} come to other sums ({', '.join(wrong)})"
            yield Fault("same games", found, "the same sums", game=game_of(study, 0))


CHECKS = (endings, orders, jobs)
