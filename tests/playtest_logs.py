"""Logs of playtests for tests: written, compared, refused."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from analyses.playtests.log import Log
from analyses.playtests.reader import LogError, columns, read
from sim import registry


def part(log, which):
    """Some games of a log."""
    return Log(log.players, log.share[which], log.score[which], {kind: held[which] for kind, held in log.held.items()})


def written(game, log, titles=False, delimiter=",", end="\n", winners=None):
    """A log as the text of a file."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
    writer.writerow(columns(game))
    for g in range(log.games):
        for seat in range(log.players):
            held = [
                ""
                if label < 0
                else game.titles.get(game.categories[name][label])
                if titles
                else game.categories[name][label]
                for kind, things in game.things.items()
                for name, label in zip(things.categories, log.held[kind][g, seat], strict=True)
            ]
            wins = log.share[g, seat] > 0 if winners is None else winners[g] == seat
            writer.writerow([g + 1, log.players, seat + 1, log.score[g, seat], "yes" if wins else "no", *held, ""])
    return text.getvalue()


PIGS = "extra_columns", "x_only_winner", "wahr_falsch", "title_row"
LOGS = Path(__file__).parent / "logs"


def same(a, b):
    """Whether two logs hold the same games."""
    held = all(np.array_equal(a.held[kind], b.held[kind]) for kind in a.held | b.held)
    return a.players == b.players and np.array_equal(a.share, b.share) and np.array_equal(a.score, b.score) and held


HEAD = "game,players,seat,score,winner,king.round1,king.round2\n"
GOOD = ["1,2,1,90,no,Duarte,João I", "1,2,2,100,yes,joao_i,duarte", "2,3,1,5,yes,,", "2,3,2,5,no,,", "2,3,3,4,no,,"]


def refused(text, game="moesteiro", only=()):
    """The lines on a log that can't be used."""
    with pytest.raises(LogError) as caught:
        read(text if isinstance(text, bytes) else text.encode(), "log.csv", registry.load(game), only)
    assert all(line.isprintable() for line in caught.value.problems)
    return list(caught.value.problems)


NO_SCORES = "no scores: wins are compared, scores are not"
ZEROS = "all scores are 0, which is taken for none: wins are compared, scores are not"
