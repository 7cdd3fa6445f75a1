"""Whatever a file holds: status 2 and one line, or an answer; the file stays as it was."""

import json
import os
from importlib.resources import files as resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import mutated
from tests.fuzz.hostile import LOG, ask, check_refusal, contents, examples

pytestmark = pytest.mark.slow

QUICK = {"pig": [], "moesteiro": ["--strategy", "greedy"]}


@pytest.fixture(scope="module", autouse=True)
def place(tmp_path_factory):
    """An empty folder, which is the current one."""
    before, folder = Path.cwd(), tmp_path_factory.mktemp("fuzz")
    os.chdir(folder)
    yield folder
    os.chdir(before)


def fuzzed(number, what, look):
    """Call a function with so many examples."""

    @examples(number)
    @given(what)
    def each(one):
        look(one)

    each()


def given_to(name, data, *words, lines=1):
    """Write a file, run a command, and look at what came of it; return whether there was an answer."""
    Path(name).write_bytes(data)
    before = contents(Path.cwd())
    told = ask(words)
    if told.status == 2:
        check_refusal(told, lines=lines)
    else:
        assert told.status == 0
        assert "Traceback" not in told.err
    assert contents(Path.cwd()) == before
    return told.status == 0


def printed(game):
    """The component file of a game."""
    return resources(f"sim.{game}").joinpath("components.toml").read_bytes()


def as_csv(game):
    """The components of a game as CSV."""
    return ask(["components", game]).out.encode()


# --- components -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "number"), [("pig", 60), ("moesteiro", 20)])
@pytest.mark.parametrize("suffix", ["toml", "csv"])
def test_components(game, number, suffix):
    whole = printed(game) if suffix == "toml" else as_csv(game)
    name = f"components.{suffix}"

    def look(data):
        if given_to(name, data, "components", game, "--components", name):
            given_to(name, data, "seats", game, *QUICK[game], "--games", "12", "--components", name, "--json")

    fuzzed(number, mutated.files(whole), look)


def test_any_bytes_as_components():
    def look(data):
        for suffix in ("toml", "csv"):
            given_to(f"any.{suffix}", data, "components", "pig", "--components", f"any.{suffix}")

    fuzzed(40, st.binary(max_size=60) | st.lists(st.sampled_from(mutated.TOKENS), max_size=4).map(b"".join), look)


# --- strategies -------------------------------------------------------------------------------------------------------

WEIGHTS = b'# Somebody.\n\npolicy = "hold_at"\nhold = 25.0\n'


def test_weights(place):
    fuzzed(
        80,
        mutated.files(WEIGHTS),
        lambda data: given_to("mine.toml", data, "seats", "pig", "--games", "4", "--strategy", "mine.toml"),
    )


def test_weights_by_round(place):
    whole = b"# Somebody.\n\npip = 1.8\n" + b"spare = [1.9, 1.9, 1.8, 1.5, 0.0]\n"

    def look(data):
        given_to("mine.toml", data, "seats", "moesteiro", "--games", "12", "--strategy", "mine.toml", "--json")

    fuzzed(25, mutated.files(whole), look)


CHOOSE = "def choose(components, state, options, n, weights):\n    return 0\n"
STRATEGIES = [
    ("", "no function choose"),
    ("\0", "null bytes"),
    ("def", "line 1: invalid syntax"),
    ("(" * 5000, "line 1: too many nested parentheses"),
    ("x = " + "-" * 50_000 + "1", "strategy mine.py: "),
    ("raise ValueError('a\\nb\\x1b[31mc')", "ValueError: a bc"),
    ("import sys; sys.exit(0)", "SystemExit: 0"),
    ("import sys; sys.exit('bye')", "SystemExit: bye"),
    ("exit()", "SystemExit"),
    ("raise BaseException('no')", "BaseException: no"),
    ("1 / 0", "ZeroDivisionError: division by zero"),
    ("def f(): f()\nf()", "RecursionError"),
    ("import nothing_of_that_name", "ModuleNotFoundError"),
    ("choose = 1", "no function choose"),
    ("choose = print", "strategy mine.py: "),
    ("choose = int", "strategy mine.py: "),
    ("class choose: pass", "strategy mine.py: "),
    ("choose = lambda: 0", "choose(); it takes (components, state, options, n, weights)"),
    (CHOOSE.replace("0", "'x'"), "choose does not compile"),
    (CHOOSE.replace("0", "None"), "choose"),
    (CHOOSE.replace("0", "state.nothing"), "does not compile"),
    (CHOOSE.replace("0", "open('x')"), "does not compile"),
    (CHOOSE.replace("0", "n"), "chose 2, allowed are 0 to 1"),
    (CHOOSE.replace("0", "1 // (n - n)"), "strategy mine.py"),
    ("PLAYERS = 5\n" + CHOOSE, "PLAYERS is no list of numbers"),
    ("PLAYERS = ()\n" + CHOOSE, "plays with () players, not with 2"),
    ("PLAYERS = (3,)\n" + CHOOSE, "plays with (3,) players, not with 2"),
    ("WEIGHTS = 5\n" + CHOOSE, "WEIGHTS is no table of names and numbers"),
    ("WEIGHTS = {1: 2}\n" + CHOOSE, "WEIGHTS is no table of names and numbers"),
    ("WEIGHTS = {'a': 'b'}\n" + CHOOSE, "its weights can't be read"),
    ("WEIGHTS = {'a': 10 ** 400}\n" + CHOOSE, "its weights can't be read"),
    ("WEIGHTS = {'a': 1.0}\nROUNDS = 'x'\n" + CHOOSE, "its weights can't be read"),
    ("def weigh(components): raise KeyError('x')\n" + CHOOSE, "its weights can't be read: KeyError"),
    ("def weigh(components): return 'x'\n" + CHOOSE, "its weights can't be read"),
    ("def weigh(components): import sys; sys.exit(3)\n" + CHOOSE, "its weights can't be read: SystemExit: 3"),
]


@pytest.mark.parametrize(("text", "said"), STRATEGIES, ids=lambda value: repr(value[:30]))
def test_a_strategy_file_that_is_of_no_use(text, said):
    Path("mine.py").write_text(text, encoding="utf-8")
    told = ask(["seats", "pig", "--games", "4", "--strategy", "mine.py", "--json"])
    last = told.lines[-1]
    assert (told.status, told.out) == (2, "")
    assert last.startswith("chapterhouse: ")
    assert said in last
    assert last.isprintable()


def test_a_strategy_file_that_prints_does_not_spoil_the_answer():
    Path("mine.py").write_text("print('hello')\n" + CHOOSE.replace("0", "int(state.turn < 20)"), encoding="utf-8")
    told = ask(["seats", "pig", "--games", "4", "--strategy", "mine.py", "--json"])
    assert told.status == 0
    assert json.loads(told.out)["games"] == 4
    assert "hello" in told.err


# --- logs -------------------------------------------------------------------------------------------------------------


def test_logs():
    def look(data):
        given_to("log.csv", data, "playtests", "pig", "log.csv", "--games", "1", lines=None)

    fuzzed(80, mutated.files(LOG.encode()), look)


def test_logs_that_name_things():
    whole = (
        b"game;players;seat;score;winner;king_1;note\r\n1;2;1;100;yes;Afonso V;\r\n1;2;2;80;no;;x\r\n"
        b"2;2;1;1;x;Manuel I;\r\n2;2;2;0;0;;\r\n"
    )

    def look(data):
        given_to("log.csv", data, "playtests", "moesteiro", "log.csv", "--games", "1", lines=None)

    fuzzed(50, mutated.files(whole), look)


# --- records and runs -------------------------------------------------------------------------------------------------


def record(game):
    """The record of a game, line by line."""
    return [json.loads(line) for line in ask(["replay", game, *QUICK.get(game, []), "--json"]).out.splitlines()]


@pytest.mark.parametrize(("game", "number"), [("pig", 60), ("moesteiro", 20), ("abbates", 20)])
def test_records(game, number):
    told = record(game)
    whole = "\n".join(map(json.dumps, told)).encode()

    def look(data):
        given_to("record.jsonl", data, "replay", game, "record.jsonl")

    fuzzed(number, mutated.json_lines(told) | mutated.moved(told) | mutated.files(whole), look)


def test_saved_games():
    ask(["play", "pig", "--save", "saved.jsonl"])
    told = [{**line, "strategies": [None, "hold_at"]} if line["event"] == "game" else line for line in record("pig")]
    whole = "\n".join(map(json.dumps, told)).encode()

    def look(data):
        # What is right is gone on with, and saved again as it stands.
        Path("saved.jsonl").write_bytes(data)
        words = ask(["play", "pig", "--resume", "saved.jsonl"])
        if words.status == 2:
            check_refusal(words)
            assert Path("saved.jsonl").read_bytes() == data
        assert words.status in (0, 2)

    fuzzed(25, mutated.json_lines(told) | mutated.files(whole), look)


def test_comparisons():
    told = json.loads(ask(["compare", "pig", "--games", "2", "--set", "goal=50", "--json"]).out)
    words = ["compare", "pig", "--games", "2", "--set", "goal=40", "--json", "--against", "earlier.json"]
    whole = json.dumps(told).encode()
    fuzzed(25, mutated.json_lines([told]) | mutated.files(whole), lambda data: given_to("earlier.json", data, *words))


TUNE = [
    "tune", "pig", "--games", "2", "--population", "4", "--strategy", "hold_at", "--against", "random_legal",
    "--test-games", "2", "--json", "--out", "tuned.toml",
]  # fmt: skip


def test_tunings():
    assert ask([*TUNE, "--generations", "2"]).status == 0
    whole = Path("tuned.jsonl").read_bytes()
    told = [json.loads(line) for line in whole.splitlines()]

    def look(data):
        Path("tuned.jsonl").write_bytes(data)
        Path("tuned.toml").unlink(missing_ok=True)
        found = ask([*TUNE, "--generations", "2", "--resume"])
        if found.status == 2:
            check_refusal(found)
            assert Path("tuned.jsonl").read_bytes() == data
            assert not Path("tuned.toml").exists()
        else:
            assert found.status == 0

    fuzzed(25, mutated.json_lines(told) | mutated.files(whole), look)
