"""Pig against what is known about it exactly: Neller and Presser (2004), value iteration, and shares found by two
independent programs."""

from pathlib import Path

import pytest

from strategies.pig.optimal import solve
from tests.contract.tools import process

GAMES = 100_000


def inside(value: float, seat: dict) -> bool:
    return seat["low"] <= value <= seat["high"]


def test_the_published_value_is_the_one_of_our_value_iteration():
    win, _ = solve(100, 6, 1, -1)
    assert round(100 * win[0, 0, 0], 2) == 53.06


def test_optimal_play_wins_the_published_share(answer):
    first, second = answer("seats", "pig", "--strategy", "optimal", "--games", GAMES, "--seed", 7)["seats"]
    assert inside(0.5306, first)
    assert inside(1 - 0.5306, second)
    assert first["high"] - first["low"] < 0.005


@pytest.mark.slow
@pytest.mark.parametrize("hold", [20, 25])
def test_holding_at_a_number_wins_its_exact_share(answer, hold):
    win, _ = solve(100, 6, 1, hold)
    first, second = answer("seats", "pig", "--strategy", f"hold_at,hold={hold}", "--games", GAMES, "--seed", 7)["seats"]
    assert inside(win[0, 0, 0], first)
    assert inside(1 - win[0, 0, 0], second)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "shares"), [(2, (0.513, 0.487)), (3, (0.347, 0.332, 0.321))])
def test_random_play_wins_the_shares_of_other_programs(answer, players, shares):
    seats = answer("seats", "pig", "--strategy", "random_legal", "--players", players, "--games", 60_000)["seats"]
    assert len(seats) == players
    half_a_digit = 0.0005  # the shares are known to three digits
    assert all(seat["low"] - half_a_digit <= share <= seat["high"] + half_a_digit for share, seat in zip(shares, seats))


def test_optimal_play_beats_holding_at_20(answer):
    found = answer("seats", "pig", "--strategy", "optimal", "--strategy", "hold_at", "--games", GAMES)
    best, other = found["strategies"]
    assert (best["strategy"], other["strategy"]) == ("optimal", "hold_at")
    assert best["low"] > 0.5 > other["high"]


def test_a_changed_component_changes_the_game(answer):
    short = answer("seats", "pig", "--games", 2000, "--set", "goal=20")
    usual = answer("seats", "pig", "--games", 2000)
    assert short["components"] != usual["components"]
    assert short["decisions"] < usual["decisions"] / 2


DRAWS = """
from sim.tracing import draws_of
from tests.contract.tools import study_of
study, rolls = study_of("pig", 2, "random_legal"), []

def watched(session):
    chosen, seat = session.ask(), session.player
    if chosen:  # who holds reads no event
        rolls.append((int(session.state.person[seat]) << 32) + int(session.state.rolls[seat]) + 1)
    return chosen

draws = draws_of(study, 1, watched)
assert [draw.address for draw in draws] == rolls and len(rolls) > 20
assert {draw.sides for draw in draws} == {6}
((file, line),) = {(draw.file, draw.line) for draw in draws}
print(file, line)
"""


@pytest.mark.slow
def test_each_roll_of_a_person_is_an_event_of_its_own():
    file, _, line = process(DRAWS, NUMBA_DISABLE_JIT="1").strip().rpartition(" ")
    assert "draw(key" in Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
