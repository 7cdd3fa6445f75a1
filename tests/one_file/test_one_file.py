"""A game in one file: what its author writes, what is made of it, and what one is told when something is wrong."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sim import registry
from sim.contract import records
from sim.faults import GameError
from sim.guests import guests
from sim.onefile.modules import file_of
from sim.printed.components import read
from sim.printed.levers import read as levers
from sim.printed.model import ComponentsError
from sim.runner import Study, play
from sim.words.telling import changed
from strategies import catalog
from strategies.generic.greedy import choose_of

PIG = Path(__file__).with_name("pig.py")
TEXT = PIG.read_text("utf-8")


def given(folder: Path, text: str = TEXT, name: str = "mine.py") -> str:
    """Return the name of a game in a file with this text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return registry.adopt(file)


def study_of(game: str, players: int, *names: str, seed: int = 5) -> Study:
    entrants = tuple(replace(catalog.entrant(game, name, players), to_prove=False) for name in names)
    return Study(game, players, entrants, read(game).record, seed)


# --- what is played ---------------------------------------------------------------------------------------------------


def test_pig_takes_at_most_sixty_lines():
    assert len(TEXT.splitlines()) <= 60


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("names", [("hold_at",), ("random_legal",), ("hold_at", "random_legal")])
def test_pig_in_one_file_is_our_pig(players, names):
    ours, theirs = (play(study_of(game, players, *names), 0, 60 * players) for game in ("pig", registry.adopt(PIG)))
    for name in set(ours[0].dtype.names) - {"moments", "every", "course"}:  # at other distances
        assert np.array_equal(ours[0][name], theirs[0][name])
    assert ours[1] == theirs[1]


def test_its_numbers_are_those_of_our_pig():
    ours, theirs = read("pig"), read(registry.adopt(PIG))
    assert theirs.digest == ours.digest
    assert {path: (n.value, n.source) for path, n in theirs.numbers.items()} == {
        path: (n.value, n.source) for path, n in ours.numbers.items()
    }
    assert theirs.meanings == ours.meanings


def test_the_author_sees_what_the_loop_needs_done_for_them():
    """Keys, counts of decisions and pauses are kept without a line in the file."""
    game = registry.load(registry.adopt(PIG))
    study = study_of(game.name, 2, "hold_at")
    states, options = records(game.dtypes[1], 1), records(game.dtypes[2], game.most_options)
    game.set_up(study.components[0], states[0], 2, np.uint64(9))
    assert (int(states[0].key), states[0].players) == (9, 2)
    states[0].stepping = 1
    for made in range(3):
        assert game.advance(study.components[0], states[0], options) == 2
        game.apply(study.components[0], states[0], options[1])
        assert states[0].decision == made + 1
        assert game.advance(study.components[0], states[0], options) == -1


FORCED = TEXT.replace("    return 2\n", "    return 2 if state.turn == 0 or state.turn % 2 else 1\n")


def test_nobody_is_asked_where_there_is_one_option(tmp_path):
    """With an even number of points this Pig holds by itself."""
    name = given(tmp_path, FORCED)
    study = study_of(name, 2, "random_legal")
    outcomes, decisions = play(study, 0, 40)
    from sim.replay import Session

    for number in range(4):
        session, forced, asked = Session(study, number), 0, 0
        while session.advance():
            if session.n == 1:
                assert session.state.turn > 0
                forced += 1
            asked += session.n > 1
            if session.n > 0:
                session.choose(session.ask() if session.n > 1 else 0)
                assert session.state.decision == asked
        assert session.outcome["score"].tolist() == outcomes[number : number + 1]["score"].tolist()
        assert forced > 0
    assert decisions > 40


# --- levers, rules, strategies ----------------------------------------------------------------------------------------

RUIN = 'ruin: int = assumed(1, "the face that loses the turn", low=1, high=3, allowed=(1, 100))'
ASSUMED = "\n".join(RUIN.join(("    ", "")) if "ruin: int" in line else line for line in TEXT.splitlines()).replace(
    "import WHOLE, Numbers, ", "import WHOLE, Numbers, Things, assumed, switch, "
)


def test_assumed_numbers_are_its_levers_unless_it_says_otherwise(tmp_path):
    name = given(tmp_path, ASSUMED)
    (lever,) = levers(registry.load(name), 2)
    assert (lever.path, lever.values, lever.words) == ("ruin", (1, 2, 3), "the face that loses the turn")
    assert read(name).counts.assumed == 1
    other = given(tmp_path, ASSUMED + '\nLEVERS = {"goal": (90, 110)}\n', "other.py")
    assert [(lever.path, len(lever.values)) for lever in levers(registry.load(other), 2)] == [("goal", 21)]
    assert levers(registry.load("pig"), 2) == ()


LISTS = ASSUMED.replace(
    "class Components(Numbers):\n",
    """class Rules(Numbers):
    keeps: bool = switch(False, "Does a 1 keep the points of the turn?")


class Prizes(Numbers):
    first: list[int] = published([7, 8, 9], "prize of a place", allowed=(0, 20))


class Components(Numbers):
    rules: Rules
    prizes: Prizes
""",
).replace(
    "        state.turn, rolled = 0, 0\n", "        state.turn, rolled = components.rules.keeps * state.turn, 0\n"
)


def test_tables_lists_and_switches(tmp_path):
    name = given(tmp_path, LISTS)
    found = read(name, changes=["rules.keeps=true", "prizes.first.2=11"])
    assert found.record[0].prizes.first.tolist() == [7, 11, 9]
    assert (found.record[0].rules.keeps, found.rules) == (1, {"keeps": True})
    assert found.meanings["prizes.first.2"] == "prize of a place, no. 2"
    assert found.meanings["rules.keeps"] == "Does a 1 keep the points of the turn?"
    usual, kept = (
        play(replace(study_of(name, 2, "hold_at"), components=read(name, changes=changes).record), 0, 200)[1]
        for changes in ([], ["rules.keeps=true"])
    )
    assert kept < usual


TIMID = """

def nothing_to_lose(state):
    return state.turn == 0


@strategy
def timid(components, state, options, n, weights):
    \"""Hold as soon as there is something to lose.\"""
    return 1 if nothing_to_lose(state) else hold_at(components, state, options, n, weights)
"""


def test_strategies_stand_from_the_weakest_to_the_strongest(tmp_path):
    name = given(tmp_path, TEXT + TIMID)
    assert catalog.names(name) == ["hold_at", "random_legal", "timid"]
    assert catalog.default(name) == "timid"
    assert catalog.levels(name) == ("hold_at", "timid")
    assert catalog.ladder(name) == ("random_legal", "hold_at", "timid")
    assert catalog.describe(name, "timid") == "Hold as soon as there is something to lose."
    assert catalog.entrant(name, "hold_at,hold=7", 2).changes == (("hold", 7.0),)
    assert catalog.policies(name) == ["hold_at", "timid"]
    # each has machine code of its own
    plays = [play(study_of(name, 2, who), 0, 20)[0].tobytes() for who in ("hold_at", "hold_at,hold=1", "timid")]
    assert plays[0] != plays[1] == plays[2]


# --- a game without players -------------------------------------------------------------------------------------------

PLAIN = TEXT[: TEXT.index("@strategy")]


@pytest.mark.slow
def test_generic_strategies_play_where_nobody_wrote_one(tmp_path, command):
    name = given(tmp_path, PLAIN, "plain.py")
    assert catalog.names(name) == ["greedy", "random_legal"]
    assert catalog.levels(name)[-1] == catalog.default(name)
    assert catalog.default(name).startswith("rollout:")
    assert set(catalog.ladder(name)) == {"greedy", "random_legal"}
    weakest, strongest = catalog.levels(name)[0], catalog.default(name)
    outcomes, _ = play(study_of(name, 2, weakest, strongest), 0, 100)
    share = np.where(outcomes["strategy"] == 1, outcomes["share"], 0).sum() / outcomes["share"].sum()
    assert share > 0.6
    status, out, _ = command("seats", tmp_path / "plain.py", "--games", 20, "--strategy", "greedy")
    assert status == 0
    assert "nobody wrote a player for this game" in out
    page = tmp_path / "page"
    words = ("report", tmp_path / "plain.py", "--players", 2, "--games", 20, "--out", page)
    assert command(*words)[0] == 0
    assert "nobody wrote a player for this game" in (page / "report.html").read_text("utf-8")


def test_greedy_takes_the_option_with_the_greatest_lead(tmp_path):
    """To hold brings the points of the turn; to roll brings none yet."""
    name = given(tmp_path, PLAIN, "plain.py")
    game, study = registry.load(name), study_of(name, 2, "greedy")
    strategy = study.entrants[0].load(game, study.components[0])
    states, options = records(game.dtypes[1], 1), records(game.dtypes[2], 2)
    game.set_up(study.components[0], states[0], 2, np.uint64(3))
    n = game.advance(study.components[0], states[0], options)
    states[0].turn = 4
    before = states.tobytes()
    assert {int(strategy.policy(study.components[0], states[0], options, n, strategy.weights)) for _ in range(3)} == {0}
    assert choose_of(game)(study.components[0], states[0], options, n, strategy.weights) == 0  # with the JIT off, too
    assert states.tobytes() == before
    states[0].turn, chosen = 0, set()
    for decision in range(40):  # nothing is gained by either, so chance decides
        states[0].decision = decision
        chosen.add(int(strategy.policy(study.components[0], states[0], options, n, strategy.weights)))
    assert chosen == {0, 1}


# --- words ------------------------------------------------------------------------------------------------------------


def test_a_game_is_told_in_its_own_words(command):
    status, out, _ = command("replay", PIG, "--game", 3)
    lines = out.splitlines()
    assert status == 0
    assert lines[0].startswith("Pig, 2 players; ")
    assert "Seat 1 (hold_at) chooses: roll" in lines
    assert any(line.startswith("  seat 1: score ") for line in lines)
    assert not any("[" in line or "untold" in line or "person" in line for line in lines)
    record = [json.loads(line) for line in command("replay", PIG, "--game", 3, "--json")[1].splitlines()]
    assert record[2]["options"] == [{"act": "hold"}, {"act": "roll"}]
    assert record[1]["position"]["players"] == [{"score": 0, "turns": 0, "rolls": 0}] * 2


def test_of_a_list_the_changed_entries_are_told_or_all_if_it_has_another_length():
    before = {"hand": [1, 2], "row": [3, 4], "pile": []}
    assert changed(before, {"hand": [1, 5], "row": [3], "pile": [6]}) == ["hand 2 is 5", "row 3", "pile 6"]
    assert changed(before, {"hand": [], "row": [3, 4], "pile": []}) == ["hand empty"]
    assert changed(before, {"hand": [1, 2, 7], "row": [*range(9)], "pile": []}) == ["hand 1 2 7", "row: 9 new entries"]


HIDING = TEXT.replace('"turn": one', '"secret": by_seat, "deck": 30, "turn": one').replace(
    'OPTION = {', 'HIDDEN = ("secret", "deck")\nOPTION = {'
)  # fmt: skip


def test_a_person_sees_only_what_lies_open(tmp_path):
    name = given(tmp_path, HIDING)
    describer, board = registry.describer(name), registry.board(name)
    from sim.replay import Session

    session = Session(study_of(name, 2, "hold_at"), 0)
    position = describer.position({}, session.plain())
    assert position["deck"] == [0] * 30
    seen = describer.view({}, session.plain(), 1)
    assert "deck" not in seen
    assert [player["secret"] for player in seen["players"]] == ["?", 0]
    line = {"event": "phase", "position": position}
    assert describer.seen({}, line, 1)["position"] == seen
    assert position["players"][0]["secret"] == 0
    titles = [table.title for table in board.board({}, position, ("you", "other"))]
    assert titles == ["Players", "Table", "Deck"]
    assert all(len(row) == len(table.headings) for table in board.board({}, position, "ab") for row in table.rows)


@pytest.mark.slow
@pytest.mark.parametrize("points", [True, False], ids=["points", "nothing"])
def test_a_game_may_count_only_points_or_nothing(command, mine, tmp_path, points):
    text = TEXT.replace(".turns = state.turns[seat]", ".points[0] = state.score[seat]")
    if points:
        text = text.replace("counted(turns=None)", 'counted(points=("held",))')
    else:
        text = "".join(line for line in text.splitlines(keepends=True) if "counts" not in line)
    file = mine(text, "uncounted.py")
    assert command("compare", file, "--set", "goal=90", "--games", 40, "--out", tmp_path / "page")[0] == 0
    assert command("report", file, "--players", 2, "--games", 40, "--out", tmp_path / "page")[0] == 0
    assert ("Where points come from" in (tmp_path / "page" / "report.html").read_text("utf-8")) == points


# --- what is wrong ----------------------------------------------------------------------------------------------------

WRONG = [
    ("PLAYERS, DEFAULT_PLAYERS = (2, 3, 4), 2", "", "PLAYERS: found nothing; allowed the numbers of players"),
    ("(2, 3, 4), 2", "(2, 9), 2", "PLAYERS: found (2, 9); allowed the numbers of players"),
    ("(2, 3, 4), 2", "(2, 3, 4), 5", "DEFAULT_PLAYERS: found 5; allowed one of PLAYERS: 2, 3, 4"),
    ("class Components(Numbers)", "class Printed(Numbers)", "Components: found nothing; allowed a class"),
    ('"turn": one', '"round": one', "STATE: found the name 'round', which NumPy's records have themselves"),
    ('"turn": one', '"player": one', "STATE: found the name 'player', which every game has already"),
    ('"turn": one', '"turn": "one"', "STATE: turn: found 'one'; allowed one, by_seat, a number of values"),
    ('"turn": one', '"turn": (by_seat, 0)', "STATE: turn: found (by_seat, 0); allowed one, by_seat"),
    ('("hold", "roll")', '("hold", 3)', "OPTION: act: found ('hold', 3); allowed labels of its values"),
    ('("hold", "roll")', "one", "MOST_OPTIONS: found nothing; allowed the largest number of options"),
    ("def apply(components, state, option):", "def apply(components, state):",
     "line 30: found apply(components, state); allowed apply(components, state, option)"),
    ("def tally(", "def count(", "tally: found nothing; allowed a function tally(components, state, outcome)"),
    ("goal: int = published(100", "goal: str = published(100", "line 12: TypeError: goal: found 100; allowed a whole"),
    ("goal: int = published(100", "goal = published(100", "line 12: TypeError: goal: found no type; allowed as in"),
    ("goal: int = published(100,", "goal: int = 100; more: int = published(1,", "goal: found 100; allowed published("),
    ("    goal: int = published(", "    more: list[int]\n    goal: int = published(", "more: found nothing; allowed"),
    ("allowed=(1, 200)", "allowed=(1, 50)", "goal: found 100; allowed a whole number from 1 to 50"),
    ("allowed=(1, 200)", "allowed=(200, 1)", "line 13: TypeError: found (200, 1); allowed two whole numbers as ends"),
    ('"points that win the game"', "5", "line 13: TypeError: found 5; allowed a text as words, source or note"),
    ('OPTION = {"act"', 'LEVERS = {"goal": ("a", 2)}; OPTION = {"act"', "LEVERS: found a table with 1"),
    ("state.turns[seat] += held", "state.nothing[seat] += held", "line 38: found no field 'nothing'"),
    ("state.turns[seat] += held", "state.turns[seat] = str(held)", "line 38: found a text, which numba can't compile"),
    ("def hold_at(components, state, options, n, weights)", "def hold_at(components, state)",
     "found hold_at(components, state); allowed hold_at(components, state, options, n, weights)"),
    ("PAPER = ", "1 / 0; PAPER = ", "line 6: ZeroDivisionError: division by zero"),
    ("PAPER = ", "raise SystemExit; PAPER = ", "line 6: SystemExit"),
    ("PAPER = ", "PAPER == = ", "line 6: "),
    ("from chapterhouse import WHOLE", "from chapterhouse import WHOL", "line 3: ImportError: cannot import name"),
    ('OPTION = {"act"', 'HIDDEN = ("deck",); OPTION = {"act"', "HIDDEN: found 'deck'; allowed names of STATE"),
    ('OPTION = {"act"', 'ROUNDS = "score"; OPTION = {"act"', "ROUNDS: found 'score'; allowed the name"),
    ('OPTION = {"act"', 'CHANCE = {"die": (4, 2)}; OPTION = {"act"', "CHANCE: found die: (4, 2); allowed words"),
    ('OPTION = {"act"', 'CHANCE = {"die": (0, 4), "deck": (3, 9)}; OPTION = {"act"', "CHANCE: found deck: 3, which"),
    ("NUMBERS, counts = counted(turns=None)", 'NUMBERS, counts = counted(turns=None); NUMBERS = "turns"',
     "NUMBERS: found 'turns'; allowed names (from `counted`)"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new", "said"), WRONG)
def test_what_is_wrong_is_one_line(command, mine, old, new, said):
    assert TEXT.count(old) == 1
    file = mine(TEXT.replace(old, new), "wrong.py")
    status, out, err = command("seats", file, "--games", 4)
    *before, line = err.splitlines()
    assert (status, out) == (2, "")
    assert before in ([], ["Compiling Pig (once; under a minute) …"])
    assert line.startswith(f"chapterhouse: {file}: ")
    assert said in line


def test_a_folder_is_told_of_the_file_that_it_has(tmp_path):
    """It has no components.toml."""
    (tmp_path / "game.py").write_text(TEXT.replace("(1, 200)", "(1, 50)"), encoding="utf-8")
    with pytest.raises(ComponentsError, match="^" + re.escape(f"{tmp_path}/game.py: goal: found 100; allowed")):
        read(registry.adopt(tmp_path))


@pytest.mark.parametrize("beside", ["def (:", "x = '\0'"])
def test_a_file_beside_that_is_no_python_hides_no_fault(tmp_path, beside):
    """Nor does a byte order mark."""
    (tmp_path / "notes.py").write_text(beside, encoding="utf-8")
    text = TEXT.replace("state.turns[seat] += held", "state.turns[seat] += []")
    (tmp_path / "game.py").write_text(text, encoding="utf-8-sig")
    with pytest.raises(GameError, match="^" + re.escape(f"{tmp_path}/game.py: line 38: found a list, which numba")):
        registry.module(registry.adopt(tmp_path), "turns")


def test_what_is_no_game_is_one_line(refused, tmp_path):
    assert "allowed the folder of a game, which holds game.py or turns.py" in refused("seats", tmp_path)
    assert "no such" in refused("seats", tmp_path / "none.py")
    with pytest.raises(GameError):
        registry.adopt(tmp_path / "none.py")


def test_the_version_changes_with_the_rules_alone(tmp_path):
    def version(old, new):
        assert old in TEXT
        return file_of(guests[given(tmp_path, TEXT.replace(old, new))]).version

    usual = version("", "")
    assert usual == "3b45d3d3"  # in each version of Python
    for old, new in (("pass  #", "pass  # remark:"), ("Roll until", "Go on until"), ("hold=20", "hold=21")):
        assert version(old, new) == usual
    assert version("1 - rolled", "2 - rolled") != usual


# --- speed ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_plays_as_fast_as_the_same_game_inside():
    from time import process_time

    studies = [study_of(game, 2, "hold_at") for game in ("pig", registry.adopt(PIG))]
    best = [float("inf")] * 2
    for study in studies:
        play(study, 0, 2)
    for _ in range(15):
        for at, study in enumerate(studies):
            start = process_time()
            play(study, 0, 20_000)
            best[at] = min(best[at], process_time() - start)
    assert best[0] / best[1] > 0.9


def test_a_game_that_counts_rounds_tells_the_score_after_each(tmp_path):
    """Here two turns of the first seat are a round."""
    path = tmp_path / "laps.py"
    path.write_text(
        TEXT.replace('"turn": one}', '"turn": one, "laps": one}\nROUNDS = "laps"').replace(
            "def advance(components, state, options):",
            "def advance(components, state, options):\n    state.laps = state.turns[0] // 2",
        ),
        encoding="utf-8",
    )
    outcomes, _ = play(study_of(registry.adopt(path), 2, "hold_at"), 0, 40)
    ends = outcomes["numbers"][:, 0, 0] // 2
    assert (outcomes["moments"] > 0).any()
    for outcome, rounds in zip(outcomes, ends, strict=True):
        assert outcome.moments == rounds // outcome.every
        assert (outcome.course[: outcome.moments, :2] <= outcome.score[:2]).all()
