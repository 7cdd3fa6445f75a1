"""`chapterhouse compare`: what it answers, the page, the same bytes for any number of jobs, and one line for whatever
can't be compared."""

import json

import pytest

from scripts.commands.compare_against import base
from sim.printed import components

SMALL = ("compare", "moesteiro", "--players", 3, "--strategy", "random_legal", "--games", 600)
CHANGE = ("--set", "kings.afonso_v.vp=9")


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """The page of an earlier comparison, and all that lies beside it."""
    from scripts import cli

    folder = tmp_path_factory.mktemp("compare")
    assert cli.run([str(word) for word in (*SMALL, *CHANGE, "--seed", 7, "--out", folder)]) == 0
    return folder


def test_what_is_answered(answer):
    found = answer(*SMALL, *CHANGE, "--seed", 7)
    printed = components.read("moesteiro", changes=["kings.afonso_v.vp=9"])
    assert (found["game"], found["players"], found["seated"], found["seed"]) == ("moesteiro", 3, ["random_legal"], 7)
    assert (found["games"], found["blocks"], found["intervals"], found["interrupted"]) == (600, 200, "fixed", False)
    assert found["changes"] == [{"path": "kings.afonso_v.vp", "before": 3, "after": 9}]
    assert found["before"]["components"] == components.read("moesteiro").digest
    assert (found["after"]["components"], found["after"]["assumed"]) == (printed.digest, printed.counts.assumed)
    assert components.from_values("moesteiro", found["after"]["printed"], "test").digest == printed.digest
    for row in found["seats"]:
        assert row["low"] <= row["change"] <= row["high"]
        assert row["win_share_after"] - row["win_share_before"] == pytest.approx(row["change"])
    (afonso,) = [row for row in found["things"] if row["thing"] == "afonso_v"]
    assert afonso["change"] > 0.1
    assert afonso["worth_after"] - afonso["worth_before"] == pytest.approx(afonso["change"])
    assert afonso["verdict_before"] in ("balanced", "unbalanced", "undecided")
    assert (found["fairness"]["word"], found["kinds"][0]["kind"]) == ("undecided", "kings")
    assert found["margin_of_victory"]["after"] - found["margin_of_victory"]["before"] == pytest.approx(
        found["margin_of_victory"]["change"]
    )
    assert found["score"]["low"] > 0
    assert {row["seat"] for row in found["sources"]} == {"all", "1", "2", "3"}
    assert sorted(found["strategies"]["before"]) == sorted(found["strategies"]["after"])
    assert len(found["strategies"]["rows"]) == 8
    assert found["games_played"] == 600 + 600 + 2 * 600 + 2 * 600
    assert found["retuned"] is None
    assert not {"seconds", "time", "jobs"} & set(found)


@pytest.mark.slow
def test_any_number_of_jobs_prints_the_same(command):
    one, two = (command(*SMALL, *CHANGE, "--jobs", jobs, "--json")[1] for jobs in (1, 2))
    assert one == two


@pytest.mark.slow
def test_the_page_and_its_tables(earlier):
    page = (earlier / "compare.html").read_text("utf-8")
    assert "kings.afonso_v.vp 3 → 9" in page
    assert "Is the changed game fairer?" in page
    assert "What did it cost to find out?" in page
    assert "random_legal" in page
    assert "nan" not in page.lower()
    assert f"{components.read('moesteiro').counts}" in page
    for name in ("changes", "seats", "sources", "growth", "uses", "things_kings", "strategies"):
        assert (earlier / "tables" / f"{name}.csv").stat().st_size > 0
        assert (earlier / "tables" / f"{name}.parquet").exists()


@pytest.mark.slow
def test_what_people_read(command):
    status, out, _ = command(*SMALL, *CHANGE)
    assert status == 0
    assert "Changed: kings.afonso_v.vp 3 → 9." in out
    assert "Afonso V" in out
    assert "games in all" in out
    assert "nan" not in out
    nothing = command(*SMALL, "--set", "construction.b.1.vp=9")[1]
    assert "Not one of 600 games ended differently" in nothing


@pytest.mark.slow
def test_an_earlier_comparison_is_gone_on_from(answer, earlier):
    """Its changed game is the one before; who plays, how many and on which chance is taken from it."""
    first = json.loads((earlier / "compare.json").read_text("utf-8"))
    found = answer(
        "compare", "moesteiro", "--against", earlier / "compare.json", "--set", "kings.afonso_v.vp=5", "--games", 600
    )
    assert (found["players"], found["seated"], found["seed"]) == (3, ["random_legal"], 7)
    assert found["changes"] == [{"path": "kings.afonso_v.vp", "before": 9, "after": 5}]
    for name in ("components", "assumed", "numbers", "verdict", "size"):
        assert found["before"][name] == first["after"][name]
    assert [row["win_share_before"] for row in found["seats"]] == [row["win_share_after"] for row in first["seats"]]
    assert [row["worth_before"] for row in found["things"]] == [row["worth_after"] for row in first["things"]]


def test_a_file_of_an_earlier_version_is_read(earlier, tmp_path):
    """It held the command's name alone."""
    found = json.loads((earlier / "compare.json").read_text("utf-8"))
    assert found["command"].startswith(
        "chapterhouse compare moesteiro --players 3 --strategy random_legal --games 600 --set "
    )
    file = tmp_path / "old.json"
    file.write_text(json.dumps(found | {"command": "compare"}), encoding="utf-8")
    read = base("moesteiro", str(file))
    assert (read.components.digest, read.players, read.seed, read.seated) == (
        found["after"]["components"],
        3,
        7,
        ("random_legal",),
    )


def test_a_file_of_components_is_compared_with(answer, tmp_path):
    file = tmp_path / "before.toml"
    file.write_text("[kings.afonso_v]\nvp = 5\n")
    found = answer(*SMALL, "--against", file, "--set", "kings.afonso_v.vp=5", "--set", "start.seat2.vp=1")
    assert found["changes"] == [{"path": "start.seat2.vp", "before": 0, "after": 1}]


def refused(command, *words):
    status, out, err = command(*words)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    return err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "--set: found no value that differs"),
        (("--set", "kings.afonso_v.vp=3"), "--set: found no value that differs"),
        (("--set", "kings.afonso.vp=3"), "did you mean afonso_v?"),
        ((*CHANGE, "--players", 9), "--players: found '9'"),
        ((*CHANGE, "--games", 0), "--games: found '0'"),
        ((*CHANGE, "--margin", 2), "--margin: found '2'"),
        ((*CHANGE, "--seed", -1), "--seed: found '-1'"),
        ((*CHANGE, "--against", "base.doc"), "a file that ends in .toml, .csv, .tsv, .tab, .txt or .json"),
        ((*CHANGE, "--against", "none.json"), "no such file or directory"),
        ((*CHANGE, "--against", "none.toml"), "none.toml"),
        ((*CHANGE, "--retune", 5), "--retune: found '5'; allowed a whole number from"),
        ((*CHANGE, "--retune", 10**6, "--strategy", "random_legal"), "no weights by name"),
        ((*CHANGE, "--retune", 10**6, "--strategy", "rollout:greedy"), "it looks ahead"),
        ((*CHANGE, "--retune", 10**6, "--strategy", "greedy", "--strategy", "expert_1"), "2 strategies at one table"),
        ((*CHANGE, "--strategy", "nobody"), "not a strategy of moesteiro"),
    ],
)
def test_what_cannot_be_used_is_refused(command, words, reason):
    pytest.importorskip("cma")
    assert reason in refused(command, "compare", "moesteiro", *words)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--players", 4), "a run with number of players 3; allowed a run with number of players 4"),
        (("--seed", 8), "a run with seed 7; allowed a run with seed 8"),
        (("--strategy", "greedy"), "a run with strategies random_legal; allowed a run with strategies greedy"),
        (("--set", "kings.afonso_v.vp=9"), "no value that differs"),
    ],
)
def test_runs_on_other_games_are_refused(command, earlier, words, reason):
    change = () if "--set" in words else ("--set", "kings.afonso_v.vp=5")
    assert reason in refused(command, "compare", "moesteiro", "--against", earlier / "compare.json", *change, *words)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rules_version": "0"}, "version of the rules '0'"),
        ({"game": "pig"}, "game 'pig'"),
        ({"command": "chapterhouse seats compare"}, "not a comparison"),
        ({"casting": "0"}, "strategies random_legal that played otherwise"),
        ({"seated": []}, "nobody who can play"),
        ({"players": 7}, "nobody who can play"),
        ({"seed": "7"}, "no seed that can be used"),
        ({"after": {}}, "no printed that can be used"),
    ],
)
def test_a_run_that_is_not_comparable_is_refused(command, earlier, tmp_path, change, reason):
    found = json.loads((earlier / "compare.json").read_text("utf-8"))
    file = tmp_path / "run.json"
    file.write_text(json.dumps(found | change), encoding="utf-8")
    assert reason in refused(command, "compare", "moesteiro", "--against", file, "--set", "kings.afonso_v.vp=5")


def test_a_damaged_run_is_refused(command, earlier, tmp_path):
    found = json.loads((earlier / "compare.json").read_text("utf-8"))
    words = ("compare", "moesteiro", "--against", tmp_path / "run.json", "--set", "kings.afonso_v.vp=5")
    found["after"]["printed"]["kings"]["duarte"]["stone"] = 2
    (tmp_path / "run.json").write_text(json.dumps(found))
    assert "do not fit their digest" in refused(command, *words)
    found["after"]["printed"]["kings"]["duarte"]["stone"] = "much"
    (tmp_path / "run.json").write_text(json.dumps(found))
    assert "kings.duarte.stone: found 'much'" in refused(command, *words)
    (tmp_path / "run.json").write_text("{")
    assert "not JSON" in refused(command, *words)
    (tmp_path / "run.json").write_text("[]")
    assert "not a comparison" in refused(command, *words)


@pytest.mark.slow
def test_practice_is_told(command, answer, tmp_path):
    pytest.importorskip("cma")
    words = ("compare", "pig", "--set", "goal=90", "--strategy", "hold_at,hold=8", "--games", 400, "--retune", 20_000)
    status, out, _ = command(*words, "--out", tmp_path)
    assert status == 0
    assert "Here two generations of self-play tuned the strategy hold_at" in " ".join(out.split())
    assert "Once players have practised the change" in (tmp_path / "compare.html").read_text("utf-8")
    found = json.loads((tmp_path / "compare.json").read_text("utf-8"))
    assert (found["retuned"]["generations"], found["retuned"]["played"]["games"]) == (2, 400)
    assert set(found["retuned"]["weights"]) == {"hold"}
    assert found["things"] == []
