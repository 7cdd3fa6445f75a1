"""Every number and category of Abbates, recounted from the records of games of all line-ups; `test_reference.py`
recounts many more."""

from dataclasses import replace
from random import Random

import pytest

from sim import registry
from sim.abbates.recount import blank, recount
from sim.abbates.state import MOST_OPTIONS, ROUNDS
from sim.abbates.turns import SCORE
from sim.contract import records
from sim.runner import play
from tests.abbates.comparison import ALTERNATIVES, KINDS
from tests.abbates.printings import printing
from tests.contract.tools import Replay, study_of, twin
from tests.helpers import printed
from tests.printings import some_of
from tests.recount.figures import survey

CORNERS = [f"corner.round{number}" for number in range(1, 5)]


def test_the_recount_leaves_nothing_out():
    game = registry.load("abbates")
    assert list(blank()) == [*game.numbers, *game.categories]


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_all_that_is_counted_is_recounted_from_the_record():
    def printed(number):
        chance = Random(number)
        return printing(KINDS[number % len(KINDS)], chance, some_of(ALTERNATIVES, number, chance))

    found = survey("abbates", recount, printed, 6)
    assert found.wrong == []
    assert found.games >= 300
    assert found.readings == set(ALTERNATIVES)
    # Each round has its own corner card. Only studies deal them, whose games have no record:
    # test_rulings_of_the_score.py.
    assert found.never_met(registry.load("abbates")) == [*CORNERS, "corner.dealt"]
    assert [found.met[name] for name in CORNERS] == [{None, f"corner{number}"} for number in range(1, 5)]
    assert found.met["corner.dealt"] == {None}


def scored_now(replay: Replay) -> list[int]:
    """Return the score of each seat if the game were over, then Henricus'."""
    state, outcome = twin(replay.states), records(replay.game.dtypes[3], 1)
    state[0].stage, state[0].turn = SCORE, 0
    assert replay.game.advance(replay.components[0], state[0], records(replay.game.dtypes[2], MOST_OPTIONS)) == 0
    replay.game.tally(replay.components[0], state[0], outcome[0])
    players = int(state[0].players)
    return [*outcome[0].score[:players].tolist(), *([int(outcome[0].automaton)] if players == 1 else [])]


@pytest.mark.parametrize("change", ["", "rules.points_card=false", "rules.missions=false"])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_course_is_the_score_if_the_game_were_over_after_a_round(players, change):
    components = printed("abbates", (change,) if change else ())
    study = replace(study_of("abbates", players, "random_legal"), components=components)
    outcomes, _ = play(study, 0, 4 * players)
    for number, outcome in enumerate(outcomes):
        found: dict[int, list[int]] = {}

        def watch(replay, strategy, n, found=found):
            if replay.state.this_round not in found:
                found[int(replay.state.this_round)] = scored_now(replay)

        Replay(study, number, watch=watch)
        assert list(found) == [0, 1, 2, 3]
        assert outcome.course[: outcome.moments, : len(found[0])].tolist() == [found[r] for r in range(1, ROUNDS)]
