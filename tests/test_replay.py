"""Replay: a game told is the game that was played, in words and as JSON lines, from its run, from the row of its table
and from a file."""

import json
import shlex
import signal

import pandas as pd
import pytest

from scripts.commands import replay as replay_command
from scripts.progress import Progress
from sim import registry
from sim.printed.components import read
from sim.replay import Session, record
from sim.runner import play
from strategies import catalog
from tests.contract.tools import study_of, tables

TABLES = [(game, players, names) for game in registry.names() for players, names in tables(game)]
MOESTEIRO = (
    "moesteiro",
    "--seed",
    1,
    "--game",
    42,
    "--players",
    3,
    "--strategy",
    "builder",
    "--strategy",
    "random_legal",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "names"), TABLES, ids=lambda value: str(value) if isinstance(value, str | int) else "all"
)
@pytest.mark.parametrize("number", [0, 5, 12_345])
def test_a_record_ends_as_the_game_of_the_run(game, players, names, number):
    study = study_of(game, players, *names)
    outcomes, decisions = play(study, number, 1)
    lines = [json.loads(json.dumps(line)) for line in record(Session(study, number), read(game))]
    head, end = lines[0], lines[-1]
    assert (head["event"], head["game"], head["players"], head["number"]) == ("game", game, players, number)
    assert head["strategies"] == [names[i] for i in outcomes["strategy"][0, :players]]
    assert (end["event"], end["scores"]) == ("end", outcomes["score"][0, :players].tolist())
    assert [round(60 * share) for share in end["shares"]] == outcomes["share"][0, :players].tolist()
    assert sum("number" in line for line in lines[1:]) == decisions
    for line in lines:
        if line["event"] == "decision":
            assert 1 <= line["choice"] <= len(line["options"])
            assert line.get("forced", False) == (len(line["options"]) == 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.names())
def test_the_record_of_a_thinker_is_that_of_the_game_it_played(game):
    study = study_of(game, 2, *(f"{thinker}:{catalog.default(game)}@4" for thinker in catalog.thinkers()))
    outcomes, _ = play(study, 0, 4)
    ends = [list(record(Session(study, number), read(game)))[-1]["scores"] for number in range(4)]
    assert ends == outcomes["score"][:, :2].tolist()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "players", "names"), TABLES, ids=lambda value: str(value) if isinstance(value, str | int) else "all"
)
def test_a_game_is_told_to_its_end(game, players, names):
    module = registry.teller(game)
    lines = list(record(Session(study_of(game, players, *names), 7), read(game)))
    teller = module.Teller(lines[0])
    told = [text for line in lines for text in teller.tell(line)]
    best = max(range(players), key=lambda seat: lines[-1]["shares"][seat])
    assert told[-1].startswith(f"Seat {best + 1} (")
    assert " wins" in told[-1] or " share the win" in told[-1]
    assert all(len(text) < 110 and text == text.rstrip() for text in told)
    for line in lines:
        if line["event"] == "decision":
            assert module.question(line["asks"]).endswith("?")
            words = [module.option(lines[0]["printed"], line["asks"], option) for option in line["options"]]
            assert len(set(words)) == len(words), "two options that nobody can tell apart"


def test_a_game_in_words(command):
    status, out, err = command("replay", *MOESTEIRO)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Moesteiro, 3 players")
    assert "Game 42 of the run with seed 1" in lines
    for part in [
        *(f"=== Round {n} ===" for n in range(1, 6)),
        "Placing dice",
        "Area III, quarry",
        "=== Final scoring ===",
    ]:
        assert part in lines
    assert command("replay", *MOESTEIRO)[1] == out
    assert command("replay", *MOESTEIRO, "--seed", 2)[1] != out


def test_the_usual_game_is_the_first_of_the_usual_run(command):
    assert command("replay", "pig") == command(
        "replay", "pig", "--seed", 1, "--game", 0, "--players", 2, "--strategy", "hold_at"
    )


@pytest.mark.slow
def test_json_lines_are_a_record_that_is_told_alike(command, tmp_path):
    words, file = command("replay", *MOESTEIRO)[1], tmp_path / "game.jsonl"
    status, out, _ = command("replay", *MOESTEIRO, "--json")
    assert status == 0
    assert [json.loads(line)["event"] for line in out.splitlines()][:: len(out.splitlines()) - 1] == ["game", "end"]
    assert command("replay", *MOESTEIRO, "--json", "--out", file) == (0, "", "")
    assert file.read_text(encoding="utf-8") == out
    assert command("replay", "moesteiro", file) == (0, words, "")
    assert command("replay", "moesteiro", file, "--json") == (0, out, "")
    text = tmp_path / "game.txt"
    assert command("replay", "moesteiro", file, "--out", text)[0] == 0
    assert text.read_text(encoding="utf-8") == words


@pytest.mark.slow
def test_an_unfinished_record_is_told_as_far_as_it_goes(command, tmp_path):
    words, lines = command("replay", *MOESTEIRO)[1], command("replay", *MOESTEIRO, "--json")[1].splitlines()
    for number in range(1, len(lines), 23):
        file = tmp_path / "part.jsonl"
        file.write_text("\n".join(lines[:number]), encoding="utf-8")
        status, out, _ = command("replay", "moesteiro", file)
        assert status == 0
        assert words.startswith(out.removesuffix(f"\n{replay_command.UNFINISHED}\n").rstrip("\n"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "line"),
    [
        (1, "x"),
        (1, "[]"),
        (1, '{"event": "game"}'),
        (2, ""),
        (2, "{"),
        (2, "3"),
        (2, '{"event": "nothing"}'),
        (3, '{"event": "decision", "player": 1, "asks": "nothing", "options": [{}], "choice": 1}'),
        (9, '{"event": "decision", "player": 9, "asks": "king", "options": [{"king": "joao_i"}], "choice": 1}'),
        (9, '{"event": "decision", "player": 1, "asks": "king", "options": [{"king": "joao_i"}], "choice": 0}'),
        (9, '{"event": "chance", "what": "end"}'),
        (9, "[" * 100_000),
    ],
)
def test_a_damaged_line_is_named(command, tmp_path, number, line):
    lines, file = command("replay", *MOESTEIRO, "--json")[1].splitlines(), tmp_path / "bad.jsonl"
    lines[number - 1] = line
    file.write_text("\n".join(lines), encoding="utf-8")
    for more in ([], ["--json"]):
        status, out, err = command("replay", "moesteiro", file, *more)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert f"line {number} of '{file}'" in err


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.names())
def test_lines_that_are_copied_or_moved_are_one_line(command, tmp_path, game):
    """A decision that was copied, moved or left out is named; of other lines, whatever can't be told."""
    words, file = (MOESTEIRO[1:] if game == "moesteiro" else []), tmp_path / "moved.jsonl"
    whole = command("replay", game, *words, "--json")[1].splitlines()
    asked = ['"number"' in line and '"decision"' in line[:22] for line in whole]
    for at in range(1, len(whole) // 2, 7):
        before, line, after = whole[:at], whole[at], whole[at + 1 :]
        for lines in (
            [*before, line, line, *after],
            [*before, *after],
            [*before, *after[:20], line, *after[20:]],
            [line, *before, *after],
        ):
            file.write_text("\n".join(lines), encoding="utf-8")
            status, out, err = command("replay", game, file)
            if status == 0 and not asked[at]:
                continue
            assert (status, out, err.count("\n")) == (2, "", 1)
            assert f" of '{file}', damaged or out of place; allowed a record of a game" in err


def test_nothing_follows_the_end(command, tmp_path):
    lines, file = command("replay", "pig", "--json")[1].splitlines(), tmp_path / "bad.jsonl"
    file.write_text("\n".join([*lines, lines[-2]]), encoding="utf-8")
    assert f"line {len(lines) + 1} of " in command("replay", "pig", file)[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (
            ["pig", "none.jsonl"],
            "FILE: found 'none.jsonl' (no such file or directory); allowed a file that can be read",
        ),
        (
            ["pig", "none.jsonl", "--seed", "3"],
            "--seed: found '3'; allowed nothing beside FILE, which holds a game of its own",
        ),
        (["pig", "none.jsonl", "--game", "0"], "--game: found '0'; allowed nothing beside FILE"),
        (["pig", "--game", "-1"], "--game: found '-1'; allowed a whole number from 0"),
        (["pig", "--set", "goal=none"], "goal"),
        (["pig", "--out", "game.jsonl"], "--out: found 'game.jsonl'; allowed a file name that ends in .txt"),
        (["pig", "--json", "--out", "game.txt"], "--out: found 'game.txt'; allowed a file name that ends in .jsonl"),
    ],
)
def test_wrong_input_is_refused_in_one_line(refused, words, refusal):
    assert refusal in refused("replay", *words)


@pytest.mark.parametrize(
    ("field", "value"), [("game", "moesteiro"), ("format", 2), ("players", 7), ("strategies", ["hold_at"])]
)
def test_a_record_of_something_else_is_refused(command, tmp_path, field, value):
    lines, file = command("replay", "pig", "--json")[1].splitlines(), tmp_path / "bad.jsonl"
    file.write_text("\n".join([json.dumps(json.loads(lines[0]) | {field: value}), *lines[1:]]), encoding="utf-8")
    status, out, err = command("replay", "pig", file)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_a_strategy_that_fails_is_named(command, tmp_path):
    file = tmp_path / "wild.py"
    file.write_text("def choose(components, state, options, n, weights):\n    return n + 3\n", encoding="utf-8")
    status, out, err = command("replay", "pig", "--strategy", file, "--unproved")
    assert (status, out) == (2, "")
    assert "chose 5, allowed are 0 to 1" in err


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        (
            "moesteiro",
            "--strategy",
            "builder",
            "--strategy",
            "random_legal",
            "--set",
            "tracks.labour.overflow_vp=3",
            "--seed",
            5,
        ),
        (
            "pig",
            "--players",
            3,
            "--strategy",
            "hold_at",
            "--strategy",
            "hold_at,hold=9",
            "--strategy",
            "hold_at",
            "--set",
            "goal=40",
        ),
        ("pig",),
    ],
)
@pytest.mark.parametrize("file", ["rows.csv", "rows.parquet", "run/rows"])
def test_any_game_is_told_from_the_row_of_its_table(command, tmp_path, words, file):
    where = ["--run", tmp_path / "run", "--rows", "parquet"] if file == "run/rows" else ["--rows", tmp_path / file]
    assert command("seats", *words, "--games", 24, *where, "--json")[0] == 0
    rows = (pd.read_csv if file.endswith("csv") else pd.read_parquet)(tmp_path / file)
    assert list(rows)[-1] == "replay"
    for number in (0, 7, 23):
        mine = rows[rows["game"] == number].sort_values("seat")
        program, *asked = shlex.split(f"{mine['replay'].iloc[-1]} {number}")
        status, out, err = command(*asked, "--json")
        assert (program, status, err) == ("chapterhouse", 0, "")
        head, end = (json.loads(out.splitlines()[i]) for i in (0, -1))
        assert end["scores"] == mine["score"].tolist()
        assert end["shares"] == pytest.approx(mine["win_share"].tolist())
        assert head["strategies"] == mine["strategy"].tolist()


@pytest.mark.slow
def test_a_run_whose_rows_did_not_say_it_goes_on_without(command, monkeypatch, tmp_path):
    """As those of older versions: a column that only some parts had would make them unreadable together."""
    words = ("seats", "pig", "--games", 90_000, "--rows", "parquet", "--jobs", 1)
    old, watch = tmp_path / "old", Progress.watch
    with monkeypatch.context() as patch:
        patch.setattr("scripts.commands.replay.replay_command", lambda *asked: "")
        patch.setattr(
            Progress,
            "watch",
            lambda self, games: watch(self, games) or (self.games > 40_000 and signal.raise_signal(signal.SIGINT)),
        )
        assert command(*words, "--run", old)[0] == 130
    assert "\nreplay" not in (old / "study.toml").read_text(encoding="utf-8")
    before = len(list((old / "rows").iterdir()))
    assert before > 0
    assert command("resume", old, "--jobs", 1)[0] == 0
    assert len(list((old / "rows").iterdir())) > before
    rows = pd.read_parquet(old / "rows")
    assert "replay" not in rows
    assert rows["game"].tolist() == [game for game in range(90_000) for _ in range(2)]
    new = tmp_path / "new"
    assert command(*words, "--run", new)[0] == 0
    assert "\nreplay" in (new / "study.toml").read_text(encoding="utf-8")
    assert pd.read_parquet(new / "rows").drop(columns="replay").equals(rows)
