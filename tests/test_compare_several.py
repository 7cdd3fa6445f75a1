"""`chapterhouse compare` of several sets: every two of them, and the fairest, checked in fresh games."""

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import chapterhouse
from analyses.compare.several import Contest, NamedSet, compare, total
from analyses.compare.things import game_counts
from analyses.worth.worth import measure
from scripts.commands.compare_several import contest_of
from scripts.show import to_json
from sim.printed import components
from strategies import catalog
from tests.helpers import request

PIG = ("compare", "pig", "--games", 20_000, "--seed", 3)
LONG, LONGER = ("--variant", "long:goal=150"), ("--variant", "longer:goal=151")
WORDS = ("compare", "moesteiro", "--players", 3, "--strategy", "random_legal", "--games", 600)


@pytest.fixture
def short(tmp_path, monkeypatch):
    """A file of components in the working folder."""
    monkeypatch.chdir(tmp_path)
    Path("short.toml").write_text("goal = 60\n", encoding="utf-8")
    return "short.toml"


def rows(found, kind, table, **where):
    (part,) = [part for part in found["kinds"] if part["kind"] == kind]
    return [row for row in part[table] if all(row[name] == value for name, value in where.items())]


def test_each_set_has_a_column(answer, short):
    found = answer(*PIG, short, *LONG, "--variant", "mild:goal=90", "--variant", "mild:faces=8")
    assert [each["name"] for each in found["variants"]] == ["base", "short", "long", "mild"]
    assert [each["changes"] for each in found["variants"]] == [
        [],
        [{"path": "goal", "before": 100, "after": 60}],
        [{"path": "goal", "before": 100, "after": 150}],
        [{"path": "goal", "before": 100, "after": 90}, {"path": "faces", "before": 6, "after": 8}],
    ]
    assert [each["given"] for each in found["variants"]] == [0, 1, 1, 2]
    assert found["components"] == components.read("pig").digest
    assert found["command"].startswith(
        "chapterhouse compare pig short.toml --variant long:goal=150 --variant mild:goal=90 --variant mild:faces=8"
    )
    assert found["games_played"] == 2 * 4 * 20_000


def test_a_set_has_the_seats_that_it_has_alone(answer, short):
    found = answer(*PIG, short, *LONG)
    for name, goal in (("base", 100), ("short", 60), ("long", 150)):
        alone = answer("seats", "pig", "--games", 20_000, "--seed", 3, "--set", f"goal={goal}")["seats"]
        shares = [(1 + row["distance"]) / 2 for row in rows(found, "seats", "table", set=name)]
        assert shares == pytest.approx([row["win_share"] for row in alone])
    names = ("base", "short", "long")
    pairs = rows(found, "seats", "pairs")
    assert [(row["one"], row["other"]) for row in pairs[::2]] == [*combinations(names, 2)]
    assert (found["kinds"][0]["family"], found["kinds"][0]["pairs_family"]) == (6, 6)
    for row in pairs:
        one, other = (
            rows(found, "seats", "table", set=row[end], name=row["name"])[0]["distance"] for end in ("one", "other")
        )
        assert row["change"] == pytest.approx(other - one)
        assert row["low"] < row["change"] < row["high"]


def test_more_points_to_reach_are_fairer_and_fresh_games_say_so(answer, short):
    found = answer(*PIG, short, *LONG)
    fairest = found["fairest"]
    assert (fairest["name"], fairest["furthest"][0]) == ("long", "seats")
    assert (fairest["unlike"], fairest["like"]) == (["base", "short"], [])
    assert fairest["seed"] != found["seed"]
    again = answer("seats", "pig", "--games", 20_000, "--seed", fairest["seed"], "--set", "goal=150")["seats"]
    assert fairest["distance"] == pytest.approx(max(abs(2 * row["win_share"] - 1) for row in again))
    assert fairest["distance"] < fairest["most"]


def test_two_that_are_nearly_the_same_cannot_be_told_apart(answer, command):
    found = answer(*PIG, *LONG, *LONGER)["fairest"]
    assert {found["name"], *found["like"]} == {"long", "longer"}
    assert f"“{found['name']}” and “{found['like'][0]}” can't be told apart." in command(*PIG, *LONG, *LONGER)[1]


def test_set_and_components_are_one_set(answer, short):
    found = answer(*PIG, *LONG, "--components", short, "--set", "faces=8")
    assert [each["name"] for each in found["variants"]] == ["base", "changed", "long"]
    assert {row["path"]: row["after"] for row in found["variants"][1]["changes"]} == {"goal": 60, "faces": 8}


def test_variants_stand_on_what_is_compared_with(answer, short):
    found = answer(*PIG, "--against", short, "--variant", "wide:faces=8")
    assert found["components"] == components.read("pig", [Path(short)]).digest
    assert found["variants"][1]["components"] == components.read("pig", [Path(short)], ["faces=8"]).digest


@pytest.mark.slow
def test_things_are_worth_what_they_are_worth_alone(answer):
    found = answer(*WORDS, "--variant", "strong:kings.afonso_v.vp=9", "--variant", "weak:kings.afonso_v.vp=0")
    assert [part["kind"] for part in found["kinds"]] == ["seats", "kings"]
    assert found["kinds"][1]["games"] == 600
    random_legal = catalog.entrant("moesteiro", "random_legal", 3)
    for name, points in (("base", 3), ("strong", 9), ("weak", 0)):
        printed, entrants = components.read("moesteiro", changes=[f"kings.afonso_v.vp={points}"]), (random_legal,)
        alone = measure(printed, "kings", 3, entrants, 1, powers=False, games=600, free=False, jobs=1).things
        worth = dict(zip(alone["thing"], alone["worth"]))
        assert {row["name"]: row["distance"] for row in rows(found, "kings", "table", set=name)} == pytest.approx(worth)
    (change,) = rows(found, "kings", "pairs", one="strong", other="weak", name="afonso_v")
    assert change["high"] < 0


@pytest.mark.slow
def test_any_number_of_jobs_prints_the_same(command):
    words = (*WORDS, "--variant", "strong:kings.afonso_v.vp=9", "--json")
    one, two = (command(*words, "--jobs", jobs)[1] for jobs in (1, 2))
    assert one == two != ""


def test_the_intervals_hold_together():
    """Of 200 studies of the same two sets, those in which one of all intervals misses the truth."""
    base, long = components.read("pig"), components.read("pig", changes=["goal=150"])
    asked = request("pig", games="400", jobs="1")
    sets, line_up = (NamedSet("base", base), NamedSet("long", long)), (catalog.entrant("pig", "hold_at", 2),)
    truth = compare(Contest(request("pig", games="400000", seed="99"), sets, line_up)).seats
    missed = 0
    for seed in range(200):
        found = compare(Contest(replace(asked, seed=seed), sets, line_up)).seats
        missed += any(
            bool(((own["low"] > true[name]) | (own["high"] < true[name])).any())
            for own, true, name in ((found.table, truth.table, "distance"), (found.pairs, truth.pairs, "change"))
        )
    assert missed <= 2 * 18  # two families of 95 %: at most 10 % but for chance (one in a thousand)


def test_ctrl_c_keeps_what_was_played():
    contest = contest_of(request("pig", games="40000"), components.read("pig"), [], ["long:goal=150"], (
        catalog.entrant("pig", "hold_at", 2),
    ))  # fmt: skip
    heard = []

    def watch(games):
        heard.append(games)
        if len(heard) == 3:
            raise KeyboardInterrupt

    found = compare(contest, watch=watch)
    assert found.interrupted
    assert found.fairest is None
    assert 0 < found.all_games == sum(heard) < total(contest) == 4 * 40_000
    assert np.isfinite(found.seats.table["low"]).all()


def test_games_are_counted_before_they_are_played():
    base = components.read("moesteiro")
    contest = contest_of(request("moesteiro", games="31"), base, [], ["weak:kings.afonso_v.vp=0"], (
        catalog.entrant("moesteiro", "random_legal", 4),
    ))  # fmt: skip
    assert total(contest) == 2 * 2 * (32 + game_counts("moesteiro", "kings", 4, 31)[1])


def test_the_page_shows_all_sets(command, short, tmp_path):
    status, _, err = command(*PIG, short, *LONG, "--out", tmp_path / "page")
    assert status == 0, err
    page = (tmp_path / "page" / "compare.html").read_text("utf-8")
    assert "Which of these sets is the fairest?" in page
    assert "“long” comes nearest to fair" in page
    assert "All 6 intervals of this table hold together at 95" in page
    assert json.loads((tmp_path / "page" / "compare.json").read_text("utf-8"))["fairest"]["name"] == "long"
    assert {"sets_seats.csv", "pairs_seats.csv"} <= {path.name for path in (tmp_path / "page").rglob("*.csv")}


def test_python_asks_the_same(answer, short):
    variants = {"long": {"goal": 150}, "mild": {"goal": 90, "faces": 8}}
    found = chapterhouse.compare("pig", [short], variant=variants, games=20_000, seed=3)
    mild = ("--variant", "mild:goal=90", "--variant", "mild:faces=8")
    assert json.loads(to_json(found.to_dict())) == answer(*PIG, short, *LONG, *mild)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            ("short.toml", "--variant", "short:goal=90"),
            "found two sets called 'short'; allowed sets of different names",
        ),
        (("--variant", "base:goal=90"), "found two sets called 'base'"),
        (("--variant", "x:goal=100"), "x: found the same values as base"),
        (("--variant", "x:goal=60", "short.toml"), "x: found the same values as short"),
        (("--variant", "goal=60"), "--variant: found 'goal=60'; allowed NAME:PATH=VALUE"),
        (("--variant", ":goal=60"), "--variant: found ':goal=60'; allowed NAME:PATH=VALUE"),
        (("--variant", "x:goal"), "--variant x: goal: found 'goal'; allowed path=value"),
        (("--variant", "x:gaol=60"), "--variant x: gaol: found an unknown key"),
        (("--variant", "x:goal=many"), "--variant x: goal: found 'many'"),
        (("none.csv",), "none.csv"),
        (("short.toml", "--retune", "100000"), "--retune: found '100000'; allowed a comparison of two sets"),
        ([word for n in range(12) for word in ("--variant", f"v{n}:goal={n + 1}")], "found 12 sets beside the base"),
    ],
)
def test_what_cannot_be_compared_is_refused(refused, short, words, reason):
    assert reason in refused("compare", "pig", *words)
