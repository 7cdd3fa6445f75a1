"""What follows from the rules by counting, in games that are played; what can be counted without playing is in
tests/exact."""

from collections import Counter

import pytest

from sim import registry
from sim.moesteiro.state import CONSTRUCTION_TILES, NONE, ROUNDS
from sim.printed.components import read
from sim.runner import Study, play
from strategies.catalog import entrant
from tests.helpers import Table, at_random
from tests.moesteiro.tools import goods


@pytest.mark.parametrize(("chosen", "sets"), [("a", {0}), ("b", {1}), ("mixed", {0, 1})])
def test_each_construction_tile_number_appears_once_a_game(chosen, sets):
    level_one, seen_sets = 8, set()
    for key in range(12):
        table, pick, numbers = (
            Table(players=2, changes=[f"rules.construction_set={chosen}"], key=key),
            at_random(key),
            [],
        )
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
    # the last die may have one place left, which nobody need be asked
    assert sum(asked["place"].values()) <= 17 * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_counts_of_many_games(players):
    game = registry.load("moesteiro")
    study = Study("moesteiro", players, (entrant("moesteiro", "random_legal", players),), read("moesteiro").record, 3)
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
