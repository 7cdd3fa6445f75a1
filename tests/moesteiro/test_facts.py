"""What follows from the rules by counting: exact where the dice can be enumerated, and the same in games that are played."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from sim import registry
from sim.components import read
from sim.moesteiro import dice
from sim.moesteiro.state import CONSTRUCTION_TILES, NONE, ROUNDS
from sim.moesteiro.turns import ROLL
from sim.runner import Study, play
from strategies.catalog import chair
from tests.helpers import Table, at_random
from tests.moesteiro.tools import goods, hand

PIPS = (9, 9, Fraction(25, 2), 11, Fraction(15, 2))  # expected, of a player, by round
# Mean number of lintels and columns in rounds 1–3 and 4–5, by number of players, as the facts page rounds them.
LINTELS = {2: (1.778, 2.222), 3: (2.741, 3.407), 4: (3.753, 4.642)}
COLUMNS = {2: (1.000, 1.296), 3: (1.667, 2.100), 4: (2.333, 2.919)}


@pytest.fixture(scope="module")
def printed():
    return read("moesteiro").record[0]


# --- dice -----------------------------------------------------------------------------------------------------------------------------


def test_expected_pips_of_a_player_by_round(printed):
    master, worker = (Fraction(sum(int(face) for face in faces), 6) for faces in (printed.master_faces, printed.worker_faces))
    pips = tuple(int(w) * worker + int(m) * master for w, m in zip(printed.workers, printed.masters))
    assert pips == PIPS
    assert sum(pips) == 49
    assert sum(int(w + m) for w, m in zip(printed.workers, printed.masters)) == 17


def test_a_master_precedes_a_random_worker_15_times_in_18(printed):
    before = 0
    for m, w in product(printed.master_faces, printed.worker_faces):
        row = dice.insert(dice.EMPTY, 0, dice.worker(int(w)), 1)
        place = dice.place_for(row, dice.master(int(m)))
        before += place == 0
        row = dice.insert(dice.EMPTY, 0, dice.master(int(m)), 0)
        assert (dice.place_for(row, dice.worker(int(w))) == 1) == (place == 0)  # in whichever order they are placed
    assert Fraction(int(before), 36) == Fraction(15, 18)


def sums_of_masters(faces, players: int, masters: int) -> Counter:
    """Return how many of all rolls give each sum of the players' highest masters."""
    one = Counter(max(roll) for roll in product([int(face) for face in faces], repeat=masters))
    total = Counter({0: 1})
    for _ in range(players):
        total = _added(total, one)
    return total


def _added(a: Counter, b: Counter) -> Counter:
    result: Counter = Counter()
    for (x, n), (y, m) in product(a.items(), b.items()):
        result[x + y] += n * m
    return result


def moments(sums: Counter, divisor: int) -> tuple[float, float]:
    """Return mean and variance of sum // divisor."""
    rolls = sum(sums.values())
    mean = Fraction(sum(n * (x // divisor) for x, n in sums.items()), rolls)
    return float(mean), float(Fraction(sum(n * (x // divisor) ** 2 for x, n in sums.items()), rolls) - mean**2)


GAMES = 1_000


@pytest.fixture(scope="module")
def quarries():
    """Lintels and columns of the rolls of `GAMES` games, by number of players: int64 (games, rounds, 2)."""
    result = {}
    for players in (2, 3, 4):
        seen = np.zeros((GAMES, ROUNDS, 2), np.int64)
        for g in range(len(seen)):
            table = Table(players=players, key=1_000 * players + g)
            for number in range(ROUNDS):
                table.state.phase, table.state.this_round = ROLL, number
                table.advance()
                seen[g, number] = table.state.lintels, table.state.columns
        result[players] = seen
    return result


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("late", [0, 1])
def test_mean_lintels_and_columns(printed, quarries, players, late):
    sums = sums_of_masters(printed.master_faces, players, 2 if late else 1)
    rounds = slice(3, 5) if late else slice(0, 3)
    for column, (table, divisor) in enumerate(((LINTELS, 2), (COLUMNS, 3))):
        mean, variance = moments(sums, divisor)
        assert mean == pytest.approx(table[players][late], abs=0.0005)
        seen = quarries[players][:, rounds, column]
        error = (variance / seen.size) ** 0.5  # rounds are independent: every roll is new
        assert abs(seen.mean() - mean) < 4 * error


def test_faces_come_with_equal_chance():
    workers, masters = Counter(), Counter()
    for key in range(200):
        table = Table(players=4, key=key)
        table.advance()
        for seat in range(4):
            for kind, value, _ in hand(table, seat):
                (workers if kind == "worker" else masters)[value] += 1
    for counted, faces in ((workers, 6), (masters, 3)):
        total = sum(counted.values())
        assert set(counted) == set(range(1, faces + 1))
        chi_square = sum((n - total / faces) ** 2 / (total / faces) for n in counted.values())
        assert chi_square < faces - 1 + 4 * (2 * (faces - 1)) ** 0.5


# --- a whole game ---------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("chosen", "sets"), [("a", {0}), ("b", {1}), ("mixed", {0, 1})])
def test_each_construction_tile_number_appears_once_a_game(chosen, sets):
    level_one, seen_sets = 8, set()
    for key in range(12):
        table, pick, numbers = Table(players=2, changes=[f"rules.construction_set={chosen}"], key=key), at_random(key), []
        table.advance()
        for number in range(ROUNDS):
            table.until(lambda t, number=number: t.state.this_round == number and t.asks == "place", pick)
            shown = [int(tile) for tile in table.state.site if tile != NONE]
            numbers += [tile % CONSTRUCTION_TILES for tile in shown]
            seen_sets |= {tile // CONSTRUCTION_TILES for tile in shown}
        assert sorted(numbers) == list(range(CONSTRUCTION_TILES))
        assert sorted(numbers[:level_one]) == list(range(level_one))  # level I first
    assert seen_sets == sets


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_has_5_kings_17_dice_and_5_buildings_a_player(players):
    table, pick = Table(players=players, key=9), at_random(9)
    asked = {name: Counter() for name in table.game.asks}
    table.advance()
    rich = False
    while table.n > 0:
        asked[table.asks][int(table.state.player)] += 1
        if table.asks == "place" and not rich:
            # Goods for everybody, so that no building is passed over in silence for want of them.
            for seat in range(players):
                table.state.purse[seat] = table.state.purse[seat] + goods(99, 99, 99, 99)
            rich = True
        table.choose(pick(table))
    everybody = dict.fromkeys(range(players), 5)
    assert asked["king"] == everybody
    assert asked["build"] == everybody
    acted = sum((asked[name] for name in ("forest", "village", "quarry", "crane", "window")), Counter())
    assert acted == dict.fromkeys(range(players), 17)
    assert sum(asked["place"].values()) <= 17 * players  # the last die may have one place left, which nobody need be asked


@pytest.mark.parametrize("players", [2, 3, 4])
def test_counts_of_many_games(players):
    game = registry.load("moesteiro")
    study = Study("moesteiro", players, (chair("moesteiro", "random_legal", players),), read("moesteiro").record, 3)
    outcomes, _ = play(study, 0, 600)
    names = {name: i for i, name in enumerate(game.numbers)}
    dice_placed = [names[f"dice.{area}"] for area in ("forest", "village", "quarry", "crane", "window")]
    numbers = outcomes["numbers"][:, :players]
    assert (numbers[:, :, dice_placed].sum(2) == 17).all()
    kings = outcomes["categories"][:, :players, :ROUNDS]
    assert ((kings >= 0) & (kings < 6)).all()
    for number in range(ROUNDS):
        for game_kings in kings[:, :, number]:
            assert len(set(game_kings)) == players
    built = [i for name, i in names.items() if name.startswith(("completed.", "unfinished."))]
    assert (numbers[:, :, built].sum(2) <= 5).all()
    assert (numbers[:, :, built].sum(1) <= 1).all()
