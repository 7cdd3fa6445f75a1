"""Variants of the rules: what their file may hold, what is measured of them, the command, and games of one."""

import json

import numpy as np
import pytest

from analyses.request import LineUp
from analyses.variants.variants import ALONE, CONTEST, hardness, measure, totals
from scripts import options
from sim import registry
from sim.contract import NO_AUTOMATON, WHOLE, records
from sim.printed import variants
from sim.printed.components import read
from sim.printed.variants import ComponentsError, Variant
from sim.runner import Study, play
from strategies import catalog
from tests.helpers import request

ENTRY = """
[[variant]]
name = "to fifty"
words = "the first to reach 50 wins"
changes = ["goal=50"]
players = [2, 3]
"""
GAMES = {name for name in registry.names() if variants.read(name)}


def found(*asked, players=2, games=4_000, strategy="hold_at", max_games=40_000, jobs=1, **more):
    """Measure variants of pig."""
    asking = request("pig", seed="7", jobs=str(jobs))
    line = LineUp(players, (catalog.entrant("pig", strategy, players),), games, max_games)
    return measure(asking, line, asked, **more)


def variant(name, *changes, players=(2, 3, 4)):
    return Variant(name, "words", changes, players)


# --- the file ---------------------------------------------------------------------------------------------------------


def test_an_entry_says_what_is_changed_and_with_how_many_players():
    (one,) = variants.parse(ENTRY, "here", "pig")
    assert one == Variant("to fifty", "the first to reach 50 wins", ("goal=50",), (2, 3))
    everybody = ENTRY.replace("players = [2, 3]\n", "")
    assert variants.parse(everybody, "here", "pig")[0].players == registry.card("pig")[1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("goal=50", "goal=0", "variant.1.changes: goal: found 0"),
        ("goal=50", "gaol=50", "variant.1.changes: gaol: found an unknown"),
        ("[2, 3]", "[2, 7]", "variant.1.players: found 7; allowed numbers of players of pig: 2, 3, 4"),
        ('["goal=50"]', "[]", "variant.1.changes: found none"),
        ('"to fifty"', '""', "variant.1.name: found ''"),
        ("players =", "player =", "variant.1.player: found"),
        ("[[variant]]", "[[variation]]", "file: found the keys 'variation'"),
        (ENTRY, ENTRY + ENTRY, "variant.2.name: found 'to fifty' again"),
    ],
)
def test_what_can_not_be_a_variant_is_one_line(old, new, said):
    with pytest.raises(ComponentsError, match=r"^here: ") as error:
        variants.parse(ENTRY.replace(old, new), "here", "pig")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_the_variants_of_a_game_change_its_components(game):
    usual = read(game).record.tobytes()
    same = [one for one in variants.read(game) if read(game, changes=list(one.changes)).record.tobytes() == usual]
    assert all(len([other for other in same if set(other.players) & set(one.players)]) == 1 for one in same)


# --- what is measured -------------------------------------------------------------------------------------------------


def outcomes(game, players, scores, shares, automaton=NO_AUTOMATON):
    made = records(registry.load(game).dtypes[3], len(scores))
    made["score"][:, :players], made["share"][:, :players], made["automaton"] = scores, shares, automaton
    return made


def test_a_block_adds_up_shares_scores_and_distances_of_its_games():
    made = outcomes("pig", 2, [[10, 4], [7, 7]], [[60, 0], [30, 30]])
    # shares of both seats; all scores; winner − last; 4 × variances (3² and 0); once level, once shared
    assert totals(made, 2).tolist() == [[90, 30, 28, 6, 36, 1, 1]]


def test_in_a_game_of_one_the_opponent_counts():
    made = outcomes("pig", 1, [[10], [7], [5]], [[WHOLE], [0], [WHOLE]], automaton=np.array([4, 12, 5]))
    assert totals(made, 1)[:, [0, 2, 4]].tolist() == [[60, 6, 0], [0, -5, 0], [60, 0, 1]]


def test_measures_are_those_of_the_games_themselves():
    line = found(variant("short", "goal=40"), players=3, games=3_000)
    entrants = (catalog.entrant("pig", "hold_at", 3),)
    for side, changes in ((line.base, []), (line.effects[0].side, ["goal=40"])):
        made, _ = play(Study("pig", 3, entrants, read("pig", changes=changes).record, 7), 0, 3_000)
        score, share = made["score"][:, :3], made["share"][:, :3]
        assert side.measure("spread")["value"] == pytest.approx((score.max(axis=1) - score.min(axis=1)).mean())
        assert side.measure("deviation")["value"] == pytest.approx(np.sqrt(score.var(axis=1).mean()))
        assert side.measure("first")["value"] == pytest.approx(share[:, 0].mean() / WHOLE)
        assert side.measure("score")["value"] == pytest.approx(score.mean())
        assert side.measure("tied")["value"] == pytest.approx(
            ((score == score.max(axis=1, keepdims=True)).sum(axis=1) > 1).mean()
        )
        assert side.measure("shared")["value"] == pytest.approx(((share > 0).sum(axis=1) > 1).mean())
    change = line.effects[0].change("spread")
    assert change["change"] == pytest.approx(change["after"] - change["before"])
    assert change["low"] < change["change"] < change["high"] < 0  # a shorter game lies closer together


def test_a_shorter_game_is_found_out_and_its_measures_have_intervals_that_hold_the_next_seed():
    line = found(variant("short", "goal=30"))
    effect = line.effects[0]
    assert effect.sure("score")
    assert effect.sure("spread")
    assert effect.altered > 0.9
    assert [*effect.changes["measure"]] == [*CONTEST]
    for name in CONTEST:
        row = effect.side.measure(name)
        assert row["low"] <= row["value"] <= row["high"]


def test_what_is_as_usual_is_not_played_again():
    line = found(variant("usual", "goal=100"), variant("short", "goal=40"))
    usual, short = line.effects
    assert (usual.usual, usual.word, usual.altered) == (True, "same", 0.0)
    assert not usual.changes[["change", "low", "high"]].to_numpy().any()
    assert line.all_games == 2 * line.games
    assert not short.usual


def test_variants_together_are_compared_with_the_sum_of_each():
    line = found(variant("a", "goal=60"), variant("b", "goal=40"), variant("both", "goal=60", "goal=40"))
    a, b, both = (effect.change("score") for effect in line.effects)
    assert np.isnan(a["gap"])
    # The later change wins, so both together do what b does alone: what a does is missing, in every block.
    assert both["change"] == pytest.approx(b["change"])
    assert both["gap"] == pytest.approx(-a["change"])
    assert both["gap_low"] == pytest.approx(-a["high"])
    assert both["gap_high"] == pytest.approx(-a["low"])


def test_any_number_of_jobs_gives_the_same(monkeypatch):
    asked = variant("short", "goal=40")
    one = found(asked, games=None, max_games=3_000, batch=200)
    two = found(asked, games=None, max_games=3_000, batch=300, jobs=2)
    assert one.effects[0].changes.equals(two.effects[0].changes)
    assert one.base.measures.equals(two.base.measures)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(0.46, 0.54, "even"), (0.56, 0.6, "easy"), (0.1, 0.2, "hard"), (0.4, 0.6, "undecided"), (0.5, 0.9, "undecided")],
)
def test_how_hard_a_game_of_one_is(low, high, word):
    assert hardness(low, high, 0.1) == word


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("players", [1, 2])
def test_the_command_answers_for_several_and_for_one(answer, game, players):
    told = answer("variants", game, "--players", players, "--games", 60, "--strategy", "random_legal")
    (line,) = told["lines"]
    names = ALONE if players == 1 else CONTEST
    asked = [one for one in variants.read(game) if players in one.players]
    assert [row["measure"] for row in line["measures"]] == [*names]
    assert [entry["variant"] for entry in line["variants"]] == [one.name for one in asked]
    assert [entry["set"] for entry in line["variants"]] == [[*one.changes] for one in asked]
    assert line["notes"] == [*dict.fromkeys(one.note for one in asked if one.note)]


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_page_and_tables(command, game, tmp_path):
    status, out, err = command("variants", game, "--games", 40, "--strategy", "random_legal", "--out", tmp_path)
    assert status == 0, err
    page = (tmp_path / "variants.html").read_text("utf-8")
    for one in variants.read(game):
        assert one.name in page
        assert one.name in " ".join(out.split()) or one.name.partition(",")[0].split()[0] in out
    assert (tmp_path / "tables" / "variants.csv").exists()
    assert (tmp_path / "tables" / "game_of_one.csv").exists()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_whatever_jobs(command):
    game = sorted(GAMES)[0]
    words = ["variants", game, "--players", 2, "--games", 200, "--strategy", "random_legal", "--json"]
    one, two = (command(*words, "--jobs", jobs)[1] for jobs in (1, 2))
    assert one == two
    assert json.loads(one)["seed"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["variants", "pig"], "GAME: found 'pig', which has no variants; allowed abbates"),
        (["variants", "abbates", "--players", "5"], "--players: found '5'; allowed 1 or 2 or 3 or 4 in abbates"),
        (["variants", "abbates", "--games", "0"], "--games: found '0'"),
    ],
)
def test_wrong_input_is_one_line(command, words, said):
    status, out, err = command(*words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


COMPARING = [
    ["seats"],
    ["report"],
    ["worth"],
    ["compare", "--set", "x=1"],
    ["sweep", "a=1..2"],
    ["balance"],
    ["robustness"],
    ["rules"],
]


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [*COMPARING, ["ladder"], ["check", "--max-seat-index", "2"], ["playtests", "log.csv"], ["tune"]]
)
def test_where_players_are_compared_one_is_not_enough(command, words):
    game = next(name for name in registry.names() if 1 in registry.card(name)[1])
    status, out, err = command(words[0], game, *words[1:], "--players", 1)
    assert (status, out) == (2, ""), err
    assert f"`chapterhouse {options.ALONE} {game}` measures the solo game" in err
    assert err.count("\n") == 1
