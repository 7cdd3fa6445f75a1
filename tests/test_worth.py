"""What things are worth: the deal, against a game dealt by hand; known answers; intervals that cover."""

import json
import re
from dataclasses import replace
from itertools import permutations
from types import MappingProxyType

import numpy as np
import pytest

from analyses.line import analyse
from analyses.stated import RARE, stated, withheld
from analyses.worth.worth import (
    EVERY,
    IN_TURN,
    MARGIN_POINTS,
    SHARE,
    WEAKER,
    Dealt,
    beside,
    judge,
    measure,
    study,
    totals,
)
from sim import registry
from sim.contract import WHOLE, Things, records
from sim.dealing import ALL_OFF, ONE_OFF, POWERED, Deal, powerless
from sim.moments import Moments
from sim.play import thing_dealt
from sim.printed.components import changed, read
from sim.replay import Session
from sim.runner import StrategyError, gather, play
from strategies import catalog

KINGS = ("joao_i", "afonso_v", "duarte", "joao_ii", "joao_iii", "manuel_i")
POWERS = ("labour", "vp", "stone", "gift", "construction", "builds_first")


@pytest.fixture(scope="module")
def game():
    return registry.load("moesteiro")


def seated(name="greedy", players=4):
    return (catalog.entrant("moesteiro", name, players),)


def dealt(occasion=IN_TURN, name="greedy", players=4, changes=(), powers=True):
    return study(read("moesteiro", changes=changes), Deal("kings", occasion, powers), players, seated(name, players), 5)


def equal(*kings):
    """Return changes that take all powers from some Kings."""
    return tuple(f"kings.{king}.{power}=0" for king in kings for power in POWERS)


def by_hand(asked, number):
    """Return the outcome of a dealt game, played through the game's entry points by another program."""
    game, deal = registry.load(asked.game), asked.deal
    block, at = divmod(number, len(asked.plan))
    turn, shift, without = asked.plan[at].tolist()
    assert turn == 0
    session = Session(replace(asked, deal=None, components=asked.components[:1]), block * asked.players, stepping=False)
    kind, times, things = game.asks.index(game.things[deal.kind].asks), [0] * asked.players, len(KINGS)
    key = session.state.key.copy()
    occasion = block % 5 if deal.occasion == IN_TURN else deal.occasion
    if occasion == EVERY:
        session._printed = asked.components[without]
    while session.advance():
        if session.state.asks != kind:
            session.choose(session.ask())
            continue
        seat, now = session.player, times[session.player]
        times[seat] += 1
        with np.errstate(over="ignore"):
            order = [int(thing_dealt(key, now, np.zeros(things, np.int64), place)) for place in range(things)]
        if occasion not in (EVERY, now):
            session._printed = asked.components[0]
            session.choose(session.ask())
            continue
        session._printed = asked.components[without if without >= 0 else 1 + order[(shift - 1 - without) % things]]
        offered = [int(option.thing) for option in session.options[: session.n]]
        session.choose(offered.index(order[(shift + seat) % things]))
    return session.outcome


@pytest.mark.slow
@pytest.mark.parametrize("occasion", [0, 3, IN_TURN, EVERY])
@pytest.mark.parametrize("players", [2, 4])
def test_the_loop_deals_as_by_hand(occasion, players):
    asked = dealt(occasion, "expert_1", players)
    size = len(asked.plan)
    outcomes, _ = play(asked, 2 * size, size)
    for at in range(0, size, 5):
        assert outcomes[at : at + 1].tobytes() == by_hand(asked, 2 * size + at).tobytes()


@pytest.mark.parametrize("occasion", [2, IN_TURN, EVERY])
def test_every_seat_holds_every_thing_once_in_a_block(game, occasion):
    asked = dealt(occasion)
    blocks, size = 10, len(asked.plan)
    outcomes, _ = play(asked, 0, blocks * size)
    columns = [list(game.categories).index(name) for name in game.things["kings"].categories]
    held = outcomes["categories"][:, :, columns].reshape(blocks, size, 4, 5)
    rounds = [[b % 5] if occasion == IN_TURN else range(5) if occasion == EVERY else [occasion] for b in range(blocks)]
    for b in range(blocks):
        for at in range(0, size, 6):
            for r in rounds[b]:
                for seat in range(4):
                    assert sorted(held[b, at : at + 6, seat, r]) == list(range(6))
    orders = {held[b, 0, :, rounds[b][0]].tobytes() for b in range(blocks)}
    assert len(orders) > 5


def test_totals_are_what_the_holders_got(game):
    for occasion in (2, IN_TURN, EVERY):
        asked = dealt(occasion)
        first, blocks, size = 3, 4, len(asked.plan)
        outcomes, _ = play(asked, first * size, blocks * size)
        found = asked.deal.totals(game, outcomes, 4, first)
        columns = [list(game.categories).index(name) for name in game.things["kings"].categories]
        rounds = range(5) if occasion == EVERY else [None] if occasion == IN_TURN else [occasion]
        seen = np.zeros(found.shape, bool)
        for number, outcome in enumerate(outcomes):
            b, at = divmod(number, size)
            without = asked.plan[at, 2]
            for o, r in enumerate(rounds):
                held = outcome["categories"][:, columns[(first + b) % 5 if r is None else r]]
                for seat in range(4):
                    case = POWERED if without == 0 else ALL_OFF if without == 7 else ONE_OFF
                    if case == ONE_OFF and held[seat] != (without - 1 if without > 0 else held[-1 - without]):
                        continue
                    margin = outcome["score"][seat] - max(outcome["score"][s] for s in range(4) if s != seat)
                    assert found[b, SHARE, o, case, held[seat], seat] == outcome["share"][seat]
                    assert found[b, MARGIN_POINTS, o, case, held[seat], seat] == margin
                    seen[b, :, o, case, held[seat], seat] = True
        assert seen.all()


def test_powerless(game):
    printed = read("moesteiro")
    found = powerless(printed, "kings", game)
    assert found[0].tobytes() == printed.record[0].tobytes()
    for king in range(6):
        for row, off in ((1 + king, king), (7, king)):
            power = found[row].kings[off]
            assert (power.labour, power.vp, power.stone, power.gift, power.construction, power.builds_first) == (0,) * 6
            assert power.number == printed.record[0].kings[off].number
    assert found[2].kings[0].labour == printed.record[0].kings[0].labour > 0


def test_changed_components(game):
    printed = read("moesteiro")
    other = changed(printed, {"kings.afonso_v.vp": 9, "village.tiles.3.pips": 1})
    assert other.digest == read("moesteiro", changes=["kings.afonso_v.vp=9", "village.tiles.3.pips=1"]).digest
    assert (other.numbers["kings.afonso_v.vp"].source, other.numbers["kings.duarte.vp"].source) == ("given", "rulebook")
    assert other.counts.assumed == printed.counts.assumed - 1
    assert printed.numbers["kings.afonso_v.vp"].value == 3


def test_what_is_not_offered_cannot_be_dealt(game, monkeypatch):
    asked = dealt(2)
    monkeypatch.setattr(
        Deal, "setting", lambda self, game, players: np.array([game.asks.index("place"), 2, 5, 6, 0], np.int64)
    )
    with pytest.raises(StrategyError, match="could not take what it was dealt"):
        play(asked, 0, 600)


# --- known answers ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_thirty_points_more_are_found():
    found = measure(
        read("moesteiro", changes=["kings.afonso_v.vp=33"]), "kings", 4, seated(), 1, occasion=2, games=7_200
    )
    row = found.thing("afonso_v")
    assert found.verdict == row["verdict"] == "unbalanced"
    assert row["low"] > 0.1  # in the other rounds he is there to be chosen, and decides many games too
    assert row["power_points"] == pytest.approx(33, abs=0.5)
    assert row["power_points_low"] <= 33 <= row["power_points_high"]
    # Against the average of six, of which he is one: five sixths of the 30 points for him, and what the others lose by
    # it.
    assert 25 < row["points"] < 40
    assert found.things["worth"].idxmax() == KINGS.index("afonso_v")


@pytest.mark.slow
def test_a_power_that_does_nothing_is_worth_nothing():
    found = measure(read("moesteiro", changes=equal("duarte")), "kings", 4, seated("expert_1"), 1, games=7_200)
    row = found.thing("duarte")
    assert row["power"] == row["power_points"] == 0
    assert row["power_low"] < 0 < row["power_high"]
    assert found.thing("afonso_v")["power_low"] > 0


@pytest.mark.slow
def test_equal_things_are_balanced():
    # Random players do not know how to use a place in the order.
    found = measure(read("moesteiro", changes=equal(*KINGS)), "kings", 4, seated("random_legal"), 1)
    assert found.verdict == "balanced"
    assert set(found.things["verdict"]) == {"balanced"}
    assert ((found.things["power_points"] == 0) & (found.things["power_low"] < 0)).all()
    assert found.games < 400_000  # it stopped because it was decided


def test_the_parts_add_up():
    found = measure(read("moesteiro"), "kings", 3, seated(players=3), 1, games=3_600)
    for table in (found.things, found.by_round, found.by_seat):
        for end in ("", "_points"):
            worth = table["worth"] if not end else table["points"]
            assert worth.to_numpy() == pytest.approx((table[f"power{end}"] + table[f"rest{end}"]).to_numpy())
            gap = table[f"gap{end}"] - table[f"rest{end}"] + table[f"order{end}"]
            key = next((name for name in ("round", "seat") if name in table), None)
            for _, part in (
                table.assign(worth=worth, gap_only=gap).groupby(key)
                if key
                else [(0, table.assign(worth=worth, gap_only=gap))]
            ):
                assert part["worth"].sum() == pytest.approx(0, abs=1e-9)
                assert part["gap_only"].to_numpy() == pytest.approx(part[f"power{end}"].mean())
    assert found.things["worth"].to_numpy() == pytest.approx(
        found.by_round.groupby("thing", sort=False)["worth"].mean().to_numpy()
    )
    assert found.things["worth"].to_numpy() == pytest.approx(
        found.by_seat.groupby("thing", sort=False)["worth"].mean().to_numpy()
    )
    assert found.things["index"].mean() == pytest.approx(1)
    assert found.saved["power"] > found.saved["worth"] > 1


@pytest.mark.slow
def test_free_choice_stands_beside_it():
    found = measure(read("moesteiro"), "kings", 4, seated(), 1, occasion=1, games=7_200)
    assert (found.free, len(found.by_round), len(found.by_seat)) == (3_600, 0, 24)
    assert found.things["chosen"].sum() == pytest.approx(1)
    free = measure(read("moesteiro"), "kings", 4, seated(), 1, occasion=1, games=7_200, free=False, powers=False)
    assert free.free == 0
    assert "power" not in free.things
    assert len(free.chosen) == 0


@pytest.mark.parametrize(("chosen", "said"), [(RARE / 2, ""), (2 * RARE, WEAKER)])
def test_nothing_is_said_of_what_hardly_anybody_chose(game, chosen, said):
    """Though those few lost every game."""
    who = (read("moesteiro"), 1)
    found = measure(
        who[0], "kings", 2, seated("random_legal", 2), who[1], powers=False, free=False, games=1_200, jobs=1
    )
    line, _ = analyse(game, 2, seated("random_legal", 2), *who, games=200, jobs=1)
    things = line.tables["things"].copy()
    king = things["thing"] == "duarte"
    things.loc[king, ["chosen", "wins_when_held", "low", "high"]] = chosen, 0.0, 0.0, 0.0
    made = beside(found, replace(line, tables={"things": things}))
    for table in (made.things, made.by_seat):
        assert set(table.loc[table["thing"] == "duarte", "misleads"]) == {said}


def test_the_same_for_any_number_of_jobs_and_any_batch():
    found = [
        measure(read("moesteiro"), "kings", 2, seated(players=2), 1, games=1_000, jobs=jobs, batch=batch)
        for jobs, batch in ((1, 2_500), (2, 50))
    ]
    assert found[0].games == found[1].games == 1_080  # blocks of 24 games, the same number of every round
    for name in ("things", "by_round", "by_seat"):
        assert getattr(found[0], name).equals(getattr(found[1], name))


def test_ties_share_a_win_and_prove_nothing(game):
    deal = Deal("kings", 0)
    size = len(deal.plan(game, 4))
    blocks = 300
    outcomes = records(game.dtypes[3], blocks * size)
    outcomes["share"], outcomes["score"] = WHOLE // 4, 100
    column = list(game.categories).index("king.round1")
    shifts = deal.plan(game, 4)[:, 1]
    outcomes["categories"][:, :, column] = np.tile((shifts[:, None] + np.arange(4)) % 6, (blocks, 1))
    vectors = deal.totals(game, outcomes, 4, 0).reshape(blocks, -1)
    found = Dealt(game, 4, deal, Moments.of(vectors), 0, True)
    worth = found.estimate("worth", SHARE)
    assert (worth.value == 0).all()
    assert (worth.low < -0.01).all()  # no variance is no proof
    assert (worth.high > 0.01).all()


# --- intervals --------------------------------------------------------------------------------------------------------


def strengths_truth(strengths):
    """Return what each thing is worth where a game is won in proportion to the strengths of two things dealt, of three
    in all."""
    found = np.zeros(3)
    for a, b, _ in permutations(range(3)):
        found[a] += strengths[a] / (strengths[a] + strengths[b])
        found[b] += strengths[b] / (strengths[a] + strengths[b])
    return 2 * (found / 4 - 0.5)  # every thing is held in four of the six orders


@pytest.mark.slow
def test_intervals_cover_the_truth_at_the_moment_of_stopping(record_property):
    """Two seats, three things: studies stop when each thing is decided, with the machinery of `measure`."""
    strengths = np.array([1.0, 1.25, 0.8])
    truth = strengths_truth(strengths)
    odds = strengths[:, None] / (strengths[:, None] + strengths)

    class Toy:
        """Three things for two seats."""

        things = MappingProxyType({"things": Things(("now",), "take")})
        categories = MappingProxyType({"now": ("a", "b", "c")})

    deal = Deal("things", 0, powers=False)
    covered, widths, stopped = [], [], []
    for seed in range(400):
        rng = np.random.default_rng(seed)

        def task(first, blocks, rng=rng):
            order = np.array(list(permutations(range(3))))[rng.integers(0, 6, blocks)]
            vectors = np.zeros((blocks, 2, 3, 2))
            luck = rng.random((blocks, 1))
            for shift in range(3):
                a, b = order[:, shift], order[:, (shift + 1) % 3]
                # The games of a block share some of their luck.
                u = np.where(rng.random((blocks, 1)) < 0.5, luck, rng.random((blocks, 1)))[:, 0]
                won = u < odds[a, b]
                at = np.arange(blocks)
                vectors[at, SHARE, a, 0], vectors[at, SHARE, b, 1] = WHOLE * won, WHOLE * ~won
            return Dealt(Toy, 2, deal, Moments.of(vectors.reshape(blocks, -1)), 0, True)

        found, _ = gather(
            task, Dealt(Toy, 2, deal, Moments.blank(12), 0, True), 20_000, size=10_000, fixed=False, jobs=1,
            decided=lambda found: "undecided" not in judge(found.estimate("worth", SHARE), 0.1)[1],
        )  # fmt: skip
        worth = found.estimate("worth", SHARE)
        covered.append(((worth.low <= truth) & (truth <= worth.high)).all())
        widths.append((worth.high - worth.low).mean() / 2)
        stopped.append(found.moments.blocks)
    record_property("half-width", float(np.median(widths)))
    print(
        f"covered {np.mean(covered):.3f}, half-width {np.median(widths):.4f} of win index, blocks "
        f"{np.median(stopped):.0f}"
    )
    assert np.mean(covered) >= 0.94
    assert np.median(widths) < 0.08, f"half-width {np.median(widths):.4f}"
    assert len(set(stopped)) > 2


def test_moments_against_plain_arithmetic():
    rng = np.random.default_rng(1)
    vectors, weights = rng.integers(-50, 60, (97, 5)), rng.normal(size=(3, 5))
    whole = Moments.of(vectors[:40], 0, 3) + Moments.of(vectors[40:], 40, 3)
    values, s = whole.weighted(weights)
    parts = [vectors[at::3] @ weights.T for at in range(3)]
    assert values == pytest.approx(np.mean([part.mean(axis=0) for part in parts], axis=0))
    assert s / np.sqrt(97) == pytest.approx(np.sqrt(sum(part.var(axis=0, ddof=1) / len(part) for part in parts)) / 3)
    one = Moments.of(vectors).alone(np.eye(5))
    assert one == pytest.approx(vectors.std(axis=0, ddof=1))
    assert np.isnan(Moments.blank(5).weighted(weights)[0]).all()


def test_dealt_games_are_not_told():
    with pytest.raises(ValueError, match="dealt"):
        Session(dealt(), 0)


def test_totals_come_with_decisions():
    asked = dealt(2, powers=False)
    vectors, decisions = totals(asked, 0, 3)
    assert vectors.shape == (3, 2 * 6 * 4)
    assert decisions > 3 * 6 * 100


# --- things that a study deals ----------------------------------------------------------------------------------------

HANDED = [
    (name, kind)
    for name in registry.names()
    for kind, held in registry.load(name).things.items()
    if held.by_study and held.asks
]


def handed(name, kind, players=3, games=2_000, changes=(), **more):
    entrants = (catalog.entrant(name, "random_legal", players),)
    return measure(read(name, changes=changes), kind, players, entrants, 3, games=games, jobs=1, **more)


@pytest.mark.parametrize(("name", "kind"), HANDED)
def test_what_nobody_chooses_is_dealt_to_everybody_once_in_a_block(name, kind):
    deal, players = Deal(kind, powers=False), 3
    asked = study(read(name), deal, players, (catalog.entrant(name, "random_legal", players),), 5)
    outcomes, _ = play(asked, 0, 2 * len(asked.plan))
    things, game = deal.things(registry.load(name), players), registry.load(name)
    for block in range(2):
        column = list(game.categories).index(game.things[kind].occasions[block % len(deal.occasions(game))])
        held = outcomes["categories"][block * len(asked.plan) : (block + 1) * len(asked.plan), :players, column]
        assert all(sorted(held[:, seat]) == list(range(len(things))) for seat in range(players))


@pytest.mark.parametrize(("name", "kind"), HANDED)
def test_things_without_powers_have_a_worth_alone(name, kind):
    found = handed(name, kind, games=300)
    held = registry.load(name).things[kind]
    assert found.powers == (bool(held.powers) and not found.withheld)
    assert ("power" in found.things.columns) == found.powers
    assert len(found.by_round) in (0, len(held.occasions) * len(found.things))


def invented():
    return [(name, kind) for name, kind in HANDED if withheld(read(name), kind)]


@pytest.mark.parametrize(("name", "kind"), invented())
def test_nothing_is_said_of_single_things_whose_features_are_invented(name, kind, command, tmp_path):
    found, labels = handed(name, kind), Deal(kind).things(registry.load(name), 3)
    assert found.withheld
    assert not len(found.things) + len(found.by_seat) + len(found.by_round) + len(found.chosen)
    assert 0 <= found.apart[0] < found.apart[1] < np.inf
    words = ["worth", name, kind, "--strategy", "random_legal", "--games", 200]
    status, out, err = command(*words, "--out", tmp_path)
    assert status == 0, err
    page = (tmp_path / "worth.html").read_text("utf-8")
    title = registry.load(name).titles.get
    for label in labels:
        for text in (label, title(label, label), label.capitalize()):
            assert not re.search(rf"\b{re.escape(text)}\b", out + page)
    told = json.loads(command(*words, "--json")[1])
    assert (told["things"], told["withheld"]) == ([], found.withheld)
    told = json.loads(command("seats", name, "--strategy", "random_legal", "--games", 200, "--json")[1])
    assert not any(label in json.dumps(told) for label in labels)
    status, _, err = command("sweep", name, "rules.missions=true,false", "--of", f"worth:{labels[0]}")
    assert status == 2
    assert "nothing is said one by one" in err
    status, _, err = command("balance", name, "--only", kind, "--change", "rules.missions=true,false")
    assert status == 2
    assert "nothing is said" in err
    assert kind not in stated(read(name))


@pytest.mark.parametrize(("name", "kind"), invented())
def test_with_what_is_printed_they_are_stated(name, kind, tmp_path):
    rows = [path for path in read(name).numbers if any(part in path for part in (".rows.",))]
    printed = tmp_path / "printed.csv"
    values = read(name).numbers
    printed.write_text(
        "path,value,source,note\n" + "".join(f"{path},{values[path].value},published,printed\n" for path in rows),
        "utf-8",
    )
    components = read(name, [printed])
    assert not withheld(components, kind)
    assert kind in stated(components)
    found = measure(
        components, kind, 3, (catalog.entrant(name, "random_legal", 3),), 3, games=300, powers=False, free=False, jobs=1
    )
    assert list(found.things["thing"]) == list(Deal(kind).things(registry.load(name), 3))


def test_a_corner_of_more_points_is_worth_more():
    for thing, points in (("corner2", 9), ("corner3", 9)):
        found = handed("abbates", "corners", changes=[f"corners.{thing}.vp={points}"], powers=False, free=False)
        assert max(found.things.to_dict("records"), key=lambda row: row["worth"])["thing"] == thing
        assert found.thing(thing)["low"] > 0


def test_powers_may_have_fewer_games_than_the_worth():
    """Each part is what it would be alone; the verdict is that of the worth."""

    def kings(**how):
        return measure(read("moesteiro"), "kings", 2, seated("random_legal", 2), 1, free=False, jobs=1, **how)

    alone, split, both = kings(games=600, powers=False), kings(games=1_440), kings(games=600, power_games=1_440)
    assert (both.games, both.power_games, split.power_games, alone.power_games) == (600, 1_440, 1_440, 0)
    for name, part in (("things", "worth"), ("by_round", "low"), ("by_seat", "points")):
        assert list(getattr(both, name)[part]) == list(getattr(alone, name)[part])
    for name, part in (("things", "power"), ("by_round", "rest_low"), ("by_seat", "gap"), ("things", "order_points")):
        assert list(getattr(both, name)[part]) == list(getattr(split, name)[part])
    assert (both.verdict, list(both.things["verdict"])) == (alone.verdict, list(alone.things["verdict"]))
    assert set(both.saved) == {"worth", "power"}


def test_a_deal_ends_once_its_worths_are_known_as_well_as_wanted():
    def games(precise):
        found = measure(
            read("moesteiro"), "kings", 2, seated("random_legal", 2), 1, powers=False, free=False, jobs=1, margin=0.01,
            max_games=40_000, precise=precise,
        )  # fmt: skip
        return found.games, float((found.things["high"] - found.things["low"]).max() / 2)

    (few, wide), (many, narrow) = games(0.12), games(0.06)
    assert few < many < 40_000
    assert 0.06 < wide <= 0.12
    assert narrow <= 0.06
