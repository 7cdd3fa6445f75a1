"""Dice and quarry: what the engine rolls under many keys against exact chances from icepool, and exactly where it can
be counted."""

from collections import Counter
from fractions import Fraction
from itertools import product

import icepool
import numpy as np
import pytest

from sim.moesteiro import dice
from sim.moesteiro.state import AREAS, CRANE, FOREST, ROUNDS
from tests.exact.many import CLOSE, FAR, begun, counted, misfit
from tests.helpers import printed
from tests.moesteiro.tools import NEUTRAL, listed

MASTER, WORKER = [1, 1, 2, 2, 3, 3], [1, 2, 3, 4, 5, 6]
DICE = [(2, 1), (2, 1), (3, 1), (2, 2), (1, 2)]  # workers and masters of a player, by round
PIPS = (9, 9, Fraction(25, 2), 11, Fraction(15, 2))  # expected, of a player, by round
# Mean number of lintels and columns in rounds 1–3 and 4–5, by number of players, as the facts page rounds them.
LINTELS = {2: (1.778, 2.222), 3: (2.741, 3.407), 4: (3.753, 4.642)}
COLUMNS = {2: (1.000, 1.296), 3: (1.667, 2.100), 4: (2.333, 2.919)}

EDITED_FACES = {"master": [1, 1, 1, 2, 4, 6], "worker": [2, 2, 2, 3, 3, 6]}
EDITED = tuple(f"dice.{kind}.{n}={face}" for kind, faces in EDITED_FACES.items() for n, face in enumerate(faces, 1))


def hand_of(master: list[int], worker: list[int], workers: int, masters: int) -> icepool.Die:
    """Return the chances of a hand: its workers and its masters, each from the lowest."""
    return icepool.tupleize(icepool.Die(worker).pool(workers).expand(), icepool.Die(master).pool(masters).expand())


def plain_hands(words: np.ndarray, length: int) -> Counter:
    """Return how often each hand came up; every die has to belong to somebody's hand."""
    seen: Counter = Counter()
    for word, times in counted(words).items():
        held = listed(word, length)
        assert dice.key_at(word, length) == dice.FREE >> 3
        seen[
            tuple(tuple(sorted(value for kind, value, _ in held if kind == wanted)) for wanted in ("worker", "master"))
        ] += times
    return seen


def pips_of_hands(words: np.ndarray, length: int) -> np.ndarray:
    """Return the sum of the pips of each hand."""
    values, where = np.unique(words, return_inverse=True)
    sums = np.array([sum(value for _, value, _ in listed(word, length)) for word in values.tolist()])
    return sums[where.reshape(words.shape)]


# --- hands ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("number", range(ROUNDS))
def test_hands_of_each_round_and_seat(number, seat):
    seen = plain_hands(begun(4).hands[:, number, seat], sum(DICE[number]))
    assert misfit(seen, hand_of(MASTER, WORKER, *DICE[number])) < CLOSE


@pytest.mark.parametrize("kind", ["worker", "master"])
def test_faces(kind):
    seen = Counter(
        roll
        for number in range(ROUNDS)
        for roll in faces_of(begun(4).hands[:2_000, number, 1], sum(DICE[number]), kind)
    )
    assert misfit(seen, icepool.Die(MASTER if kind == "master" else WORKER)) < CLOSE
    assert misfit(seen, icepool.Die(WORKER if kind == "master" else MASTER)) > FAR


def faces_of(words: np.ndarray, length: int, kind: str) -> list[int]:
    """Return the faces of all dice of one kind."""
    return [value for word in words.tolist() for size, value, _ in listed(word, length) if size == kind]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_hands_with_edited_faces(number):
    seen = plain_hands(begun(3, EDITED).hands[:, number, 2], sum(DICE[number]))
    assert misfit(seen, hand_of(EDITED_FACES["master"], EDITED_FACES["worker"], *DICE[number])) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "masters"), [(0, 3), (5, 0), (1, 5)])
def test_hands_with_edited_numbers_of_dice(workers, masters):
    changes = (f"rounds.events.2.workers={workers}", f"rounds.events.2.masters={masters}")
    seen = plain_hands(begun(2, changes).hands[:, 1, 0], workers + masters)
    assert misfit(seen, hand_of(MASTER, WORKER, workers, masters)) < CLOSE


@pytest.mark.parametrize("number", range(ROUNDS))
def test_pips_of_a_player_by_round(number):
    workers, masters = DICE[number]
    exact = (workers @ icepool.Die(WORKER)) + (masters @ icepool.Die(MASTER))
    assert exact.mean() == PIPS[number]
    for seat in range(4):
        seen = counted(pips_of_hands(begun(4).hands[:, number, seat], workers + masters))
        assert misfit(seen, exact) < CLOSE
        assert misfit(seen, ((workers + masters) @ icepool.Die(WORKER))) > FAR  # as if a master were a worker


def test_pips_of_a_whole_game_add_up_as_independent_rolls_do():
    hands = begun(4).hands
    # (rounds, keys, seats)
    pips = np.stack([pips_of_hands(hands[:, number], sum(DICE[number])) for number in range(ROUNDS)])
    workers, masters = (sum(numbers) for numbers in zip(*DICE))
    of_a_player = (workers @ icepool.Die(WORKER)) + (masters @ icepool.Die(MASTER))
    assert (workers + masters, of_a_player.mean()) == (17, 49)
    for seat in range(4):
        assert misfit(counted(pips[:, :, seat].sum(0)), of_a_player) < CLOSE
    table = pips.sum((0, 2))
    assert misfit(counted(table), 4 @ of_a_player) < CLOSE
    # The same sums would spread more if the players shared their dice.
    assert misfit(counted(table), of_a_player.map(lambda sum_of_one: 4 * sum_of_one)) > FAR


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3])
def test_neutral_dice_are_workers_that_nobody_owns(players):
    numbers = {FOREST: {2: 2, 3: 1}[players], CRANE: 1}
    rows = begun(players).rows
    for number in range(ROUNDS):
        seen: Counter = Counter()
        for words, times in counted(rows[:, number]).items():
            lying = {area: listed(words[area], numbers.get(area, 0)) for area in range(len(AREAS))}
            assert all(dice.key_at(words[area], numbers.get(area, 0)) == dice.FREE >> 3 for area in lying)
            assert {(kind, owner) for row in lying.values() for kind, _, owner in row} == {("worker", NEUTRAL)}
            seen[tuple(tuple(value for _, value, _ in lying[area]) for area in (FOREST, CRANE))] += times
        exact = icepool.tupleize(*(icepool.Die(WORKER).pool(numbers[area]).expand() for area in (FOREST, CRANE)))
        assert misfit(seen, exact) < CLOSE


def test_four_players_have_no_neutral_dice():
    assert (begun(4).rows == dice.EMPTY).all()


# --- the quarry -------------------------------------------------------------------------------------------------------


def quarry(
    players: int, number: int, faces=MASTER, divisors=(2, 3), highest_from: int = 4, masters: int | None = None
) -> icepool.Die:
    """Return the chances of (lintels, columns) in a round, counted from 0."""
    rolled = DICE[number][1] if masters is None else masters
    die = icepool.Die(faces)
    one = die.highest(rolled) if number + 1 >= highest_from else rolled @ die
    return (players @ one).map(lambda pips: tuple(pips // divisor for divisor in divisors))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", range(ROUNDS))
def test_lintels_and_columns(players, number):
    exact, seen = quarry(players, number), counted(begun(players).quarries[:, number])
    assert misfit(seen, exact) < CLOSE
    for column, table in enumerate((LINTELS, COLUMNS)):
        mean = float(exact.marginals[column].mean())
        assert mean == pytest.approx(table[players][number >= 3], abs=0.0005)


CHANGES = {
    "faces": (EDITED, {"faces": EDITED_FACES["master"]}),
    "divisors": (("quarry.lintel_divisor=3", "quarry.column_divisor=1"), {"divisors": (3, 1)}),
    "every master always": (("quarry.highest_from_round=6",), {"highest_from": 6}),
    "the highest from the fifth round": (("quarry.highest_from_round=5",), {"highest_from": 5}),
    "the highest of three from the first": (
        ("quarry.highest_from_round=1", *(f"rounds.events.{n}.masters=3" for n in range(1, ROUNDS + 1))),
        {"highest_from": 1, "masters": 3},
    ),
    "no master": (tuple(f"rounds.events.{n}.masters=0" for n in range(1, ROUNDS + 1)), {"masters": 0}),
}


@pytest.mark.slow
@pytest.mark.parametrize(("changes", "rules"), CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("players", [2, 4])
def test_lintels_and_columns_with_edited_rules(players, changes, rules):
    for number in range(ROUNDS):
        assert misfit(counted(begun(players, changes).quarries[:, number]), quarry(players, number, **rules)) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("number", [3, 4])
def test_wrong_quarries_are_told_apart(players, number):
    master, seen = icepool.Die(MASTER), counted(begun(players).quarries[:, number])

    def off(pips: icepool.Die, split=lambda pips: (pips // 2, pips // 3)) -> float:
        return misfit(seen, pips.map(split))

    highest = master.highest(2)
    assert off(players @ highest) < CLOSE
    assert off(2 * players @ master) > FAR  # all masters count
    assert off(players @ master) > FAR  # only the first one
    assert off(players @ master.lowest(2)) > FAR
    assert off((2 * players @ icepool.Die(MASTER)).map(lambda pips: pips // 2)) > FAR  # their mean
    assert off(highest.map(lambda pips: players * pips)) > FAR  # one roll for all players
    assert off(players @ highest, lambda pips: (-(-pips // 2), -(-pips // 3))) > FAR  # rounded up


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_roll_of_masters_gives_its_quarry(players):
    hands, _, quarries, _ = begun(players)
    for number, (workers, masters) in enumerate(DICE):
        values, where = np.unique(hands[:, number, :players], return_inverse=True)
        rolled = np.array(
            [[v for kind, v, _ in listed(word, workers + masters) if kind == "master"] for word in values.tolist()]
        )
        table = rolled[where.reshape(-1, players)]  # (keys, players, masters)
        different = np.unique(np.sort(table, 2).reshape(len(table), -1), axis=0)
        assert len(different) == len(icepool.Die(MASTER).pool(masters).expand()) ** players  # none is missing
        pips = (table.max(2) if number >= 3 else table.sum(2)).sum(1)
        assert (quarries[:, number] == np.stack([pips // 2, pips // 3], 1)).all()


# --- who goes first ---------------------------------------------------------------------------------------------------


def test_a_master_precedes_a_random_worker_15_times_in_18():
    record, before = printed("moesteiro")[0], 0
    for m, w in product(record.dice.master, record.dice.worker):
        row = dice.insert(dice.EMPTY, 0, dice.worker(int(w)), 1)
        place = dice.place_for(row, dice.master(int(m)))
        before += place == 0
        row = dice.insert(dice.EMPTY, 0, dice.master(int(m)), 0)
        assert (dice.place_for(row, dice.worker(int(w))) == 1) == (place == 0)  # in whichever order they are placed
    exact = icepool.map(lambda m, w: m <= w, icepool.Die(MASTER), icepool.Die(WORKER))
    assert Fraction(int(before), 36) == Fraction(15, 18) == exact.probability(True)


def test_the_printed_dice_are_those_of_this_file():
    record = printed("moesteiro")[0]
    assert (record.dice.master.tolist(), record.dice.worker.tolist()) == (MASTER, WORKER)
    assert [(event.workers, event.masters) for event in record.rounds.events] == DICE
