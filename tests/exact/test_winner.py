"""The winner, for every small mix of points, labour spaces and stacks, against the rule in one line."""

from collections import Counter
from itertools import permutations, product

import pytest

from sim.contract import records
from sim.moesteiro import scoring
from sim.moesteiro.turns import GAME
from tests.exact.plain import winner

HEIGHTS = (-7, 1, 2, 40)  # below 0 where a marker goes under the stack


@pytest.mark.parametrize("players", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_every_small_end(players):
    state, won = records(GAME.dtypes[1], 1)[0], Counter()
    state.players = players
    for seat in range(players, 4):  # nobody sits there: whatever lies there must not matter
        state.score[seat], state.height[seat] = 99, 99
    stacks = list(permutations(HEIGHTS[:players]))
    for score in product(range(3), repeat=players):
        state.score[:players] = score
        for labour in product(range(3), repeat=players):
            state.labour[:players] = labour
            for height in stacks:
                state.height[:players] = height
                seat = scoring.winner(state)
                assert seat == winner(score, labour, height)
                won[seat] += 1
    assert len(won) == players
    assert len(set(won.values())) == 1  # no seat is favoured


def test_shares_of_the_winner():
    states, outcome = records(GAME.dtypes[1], 1), records(GAME.dtypes[3], 1)[0]
    game, state = GAME, states[0]
    components = records(game.dtypes[0], 1)[0]
    state.players = 3
    for ranks in permutations(range(3)):
        for score, labour, height in (
            (ranks, (0, 0, 0), (1, 2, 3)),
            ((5, 5, 5), ranks, (1, 2, 3)),
            ((5, 5, 5), (4, 4, 4), ranks),
        ):
            state.score[:3], state.labour[:3], state.height[:3] = score, labour, height
            game.tally(components, state, outcome)
            assert outcome.share[:3].tolist() == [60 * (seat == winner(score, labour, height)) for seat in range(3)]
            assert outcome.score[:3].tolist() == list(score)
