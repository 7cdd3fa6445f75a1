"""A person at the terminal: whole games, wrong input, undo, hints, quitting and going on."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.commands import person, saved
from sim import registry
from sim.replay import Session
from strategies import catalog
from tests.reference.moesteiro import check
from tests.terminal import GAMES, MOESTEIRO, PIG, lines, most, own, played, write

HOME = Path(__file__).parent.parent
PROGRAM = [sys.executable, "-c", "from scripts.cli import main; main()"]
WRONG = (
    "",
    " ",
    "0",
    "-1",
    "99999999999999999999",
    "1.0",
    "1 2",
    "x",
    "uu",
    "½",
    "²",
    "\x1b[A",
    "\ud800",
    "'; --",
    "é" * 500,
)


# --- whole games ---


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_with_wrong_answers_in_between(sit, command, game):
    luck, wrong = random.Random(1), []

    def answers(prompt):
        if luck.random() < 0.4:
            wrong.append(luck.choice([*WRONG, str(most(prompt) + 1)]))
            return wrong[-1]
        return luck.choice(["1", " 1 ", "01"])

    status, out, err = sit(GAMES[game][0], answers)
    assert (status, err) == (0, "")
    assert out.count("Allowed: a whole number from 1 to ") == len(wrong) > 5
    assert lines(f"{game}-1-0.jsonl") == played(game)
    assert f"Read it: chapterhouse replay {game} {game}-1-0.jsonl" in out
    assert "wins" in out.rpartition("Seat ")[2]
    assert command("replay", game, f"{game}-1-0.jsonl")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_second_engine_accepts_what_a_person_plays(sit, players):
    luck = random.Random(players)
    words = [
        "play",
        "moesteiro",
        "--players",
        players,
        "--seat",
        players,
        "--seed",
        5,
        "--game",
        7,
        "--save",
        "mine.jsonl",
    ]
    status, _, _ = sit([*words, "--set", "construction.unfinished_vp=2"], lambda prompt: luck.randint(1, most(prompt)))
    told = lines("mine.jsonl")
    assert status == 0
    assert (told[0]["seed"], told[0]["number"], told[0]["changes"]) == (5, 7, ["construction.unfinished_vp=2"])
    assert [name is None for name in told[0]["strategies"]] == [seat == players - 1 for seat in range(players)]
    assert len(own(told, players)) > 30
    check(told)


@pytest.mark.slow
def test_the_board_and_the_words(sit):
    status, out, _ = sit(MOESTEIRO, ["1", "b", "?"])
    assert status == 0
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    for words in (
        "Which King supports you this round?",
        "1  João I (number 1; 1 labour step)",
        "Seat 2 (builder) takes ",
        "(1) you",
        "h  hint: ",
    ):
        assert words in out
    # at the first decision, after the tiles were turned up, when asked for
    assert out.count("Sets of different tiles") == 3


# --- undo, hints ---


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_undo_is_as_if_it_had_never_been_chosen(sit, game):
    luck, kept, asked = random.Random(2), [], []

    def answers(prompt):
        asked.append(prompt)
        if len(asked) > 40:
            return None
        if luck.random() < 0.3:
            if kept:
                kept.pop()
            return "u"
        kept.append(luck.randint(1, most(prompt)))
        return kept[-1]

    status, _, _ = sit(GAMES[game][0], answers)
    left = iter(kept)
    assert status == 0
    told = lines(f"{game}-1-0.jsonl")
    assert len(own(told)) == len(kept) > 10
    assert told == played(game, lambda session: next(left, 1) - 1)[: len(told)]


def test_there_is_nothing_to_undo_at_the_first_decision(sit):
    status, out, _ = sit(MOESTEIRO, ["u", "2", "u", "u", "3"])
    assert status == 0
    assert out.count("There is nothing to undo") == 2
    assert [line["choice"] for line in own(lines("moesteiro-1-0.jsonl"))] == [3]


def test_undo_is_saved(sit):
    sit(MOESTEIRO, ["1", "2", "u", KeyboardInterrupt])
    assert [line["choice"] for line in own(lines("moesteiro-1-0.jsonl"))] == [1]


def hinted(out):
    """What the strategies were said to choose, at each hint: lists of (strategy, number, words)."""
    found = []
    for line in out.splitlines():
        name, _, rest = line.strip().partition("  ")
        number, colon, words = rest.strip().partition(": ")
        if (
            line.startswith("  ")
            and colon
            and number.isdigit()
            and name in catalog.names("moesteiro") + catalog.names("pig")
        ):
            found.append((name, int(number), words))
    return found


@pytest.mark.slow
def test_following_a_hint_is_playing_as_that_strategy(sit, capsys):
    def answers(prompt):
        out = capsys.readouterr().out
        found = {name: number for name, number, _ in hinted(out)}
        assert not found or set(found) == set(catalog.names("moesteiro"))
        return found.get("builder", "h")

    status, _, _ = sit(MOESTEIRO, answers)
    assert status == 0
    assert lines("moesteiro-1-0.jsonl") == played("moesteiro", Session.ask)


@pytest.mark.parametrize(
    ("players", "names"), [(2, ["hold_at", "optimal", "random_legal"]), (3, ["hold_at", "random_legal"])]
)
def test_hints_come_from_all_who_can_play(sit, players, names):
    _, out, _ = sit(["play", "pig", "--players", players], ["h"])
    assert [name for name, _, _ in hinted(out)] == names
    _, out, _ = sit(["play", "pig", "--players", players, "--strategy", "hold_at,hold=0"], ["h"])
    assert "  hold_at,hold=0  1: " in out


def test_a_strategy_that_is_asked_for_a_hint_sees_a_copy(study):
    session = Session(study("moesteiro", 3, "builder"), 0)
    while session.advance() < 2:
        pass
    spoilt = catalog.entrant("moesteiro", "builder", 3).load(session.game, session.components[0])

    def policy(components, state, options, n, weights):
        state.decision, state.score[0] = 99, 99
        return 1

    before = session.states.tobytes()
    object.__setattr__(spoilt, "policy", policy)
    assert person.asked(session, spoilt) == 1
    assert session.states.tobytes() == before


# --- quitting and going on ---


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "end"), [("pig", "q"), ("pig", None), ("pig", KeyboardInterrupt), ("moesteiro", "quit")]
)
def test_a_game_that_goes_on_is_the_same_game(sit, game, end):
    luck = random.Random(3)
    choices = [luck.random() for _ in range(1000)]

    def chosen(made, n):
        return int(choices[made] * n)

    made = []
    whole = played(game, lambda session: made.append(0) or chosen(len(made) - 1, session.n))
    file, given = f"{game}-1-0.jsonl", 0
    words = GAMES[game][0]
    for stop in (0, 1, 2, 5, 9, 10**6):

        def answers(prompt, stop=stop):
            nonlocal given
            if given >= stop:
                return end
            given += 1
            return chosen(given - 1, most(prompt)) + 1

        status, out, err = sit(words, answers)
        told = lines(file)
        assert told == whole[: len(told)]
        if told[-1]["event"] == "end":
            break
        assert status == (130 if end is KeyboardInterrupt else 0)
        assert len(own(told)) == given == stop
        assert f"Go on with it: chapterhouse play {game} --resume {file}" in out
        assert "Traceback" not in err
        words = ["play", game, "--resume", file]
    assert (status, told) == (0, whole)


@pytest.mark.slow
def test_a_game_goes_on_under_another_name(sit):
    sit([*MOESTEIRO, "--set", "kings.afonso_v.vp=5"], ["2", "1"])
    first = Path("moesteiro-1-0.jsonl").read_bytes()
    status, _, _ = sit(
        ["play", "moesteiro", "--resume", "moesteiro-1-0.jsonl", "--save", "more.jsonl"], ["u", "3", "2"]
    )
    assert status == 0
    assert Path("moesteiro-1-0.jsonl").read_bytes() == first
    assert [line["choice"] for line in own(lines("more.jsonl"))] == [2, 3, 2]
    assert lines("more.jsonl")[0]["printed"]["kings"]["afonso_v"]["vp"] == 5
    check(lines("more.jsonl"), finished=False)


def test_a_finished_game_that_goes_on_is_over(sit):
    sit(PIG, lambda prompt: 1)
    before = lines("pig-1-0.jsonl")
    status, out, _ = sit(["play", "pig", "--resume", "pig-1-0.jsonl"], [])
    assert status == 0
    assert "wins" in out
    assert "Read it: " in out
    assert lines("pig-1-0.jsonl") == before


def test_a_told_game_in_which_positions_stand_at_each_decision_goes_on_too(sit):
    sit(PIG, ["2", "1"])
    told = lines("pig-1-0.jsonl")
    position = told[1]["position"]
    write([{**line, "position": position} if line["event"] == "decision" else line for line in told])
    assert sit(["play", "pig", "--resume", "mine.jsonl"], ["q"])[0] == 0


def test_everything_is_saved_before_the_person_is_asked_again(sit):
    asked = []

    def answers(prompt):
        told = lines("pig-1-0.jsonl")
        assert len(own(told)) == len(asked)
        assert told[-1]["event"] == "phase"
        asked.append(prompt)
        return 2 if len(asked) < 30 else None

    assert sit(PIG, answers)[0] == 0
    assert len(asked) == 30


def test_a_strategy_that_fails_leaves_the_game_saved(sit, tmp_path):
    code = "def choose(components, state, options, n, weights):\n    return 7 if state.decision > 3 else 0\n"
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    status, out, err = sit(["play", "pig", "--strategy", "mine.py", "--unproved"], lambda prompt: 1)
    assert status == 2
    assert err.splitlines()[-1] == "chapterhouse: strategy mine.py,unproved: chose 7, allowed are 0 to 1"
    assert "Go on with it" in out
    assert [line["choice"] for line in own(lines("pig-1-0.jsonl"))] == [1, 1, 1]


def test_no_game_is_overwritten(sit):
    for name in ("pig-1-0.jsonl", "pig-1-0-2.jsonl", "pig-1-0-3.jsonl"):
        assert not Path(name).exists()
        sit(PIG, ["2"])
        assert Path(name).exists()


def test_what_was_saved_stays_when_writing_fails(tmp_path):
    file = tmp_path / "mine.jsonl"
    saved.write(file, ["one", "two"])
    with pytest.raises(UnicodeEncodeError):
        saved.write(file, ["three", "\ud800"])
    assert file.read_text(encoding="utf-8") == "one\ntwo\n"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.jsonl"]


def test_a_disk_that_is_full_is_said_once_and_again_at_the_end(sit, monkeypatch):
    def full(path, lines):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(person, "write", full)
    status, out, err = sit(PIG, ["2", "2", "q"])
    assert (status, out.count("can't be written: no space left on device")) == (4, 1)
    assert err == "chapterhouse: pig-1-0.jsonl: no space left on device\n"


# --- the real terminal ---


@pytest.mark.slow
@pytest.mark.parametrize("typed", [b"", b"2\n\xff\xfe\xc3(\n2", b"2\r\nb\r\nh\r\n2\r\nq\r\n", b"\0\n\x04\n2\n2"])
def test_any_bytes_on_standard_input(tmp_path, typed):
    environment = {"PYTHONPATH": str(HOME), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [*PROGRAM, *PIG], cwd=tmp_path, input=typed, capture_output=True, env={**os.environ, **environment}
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(own(lines(tmp_path / "pig-1-0.jsonl"))) == typed.count(b"2")
    assert registry.card("pig")[0].encode() in done.stdout
