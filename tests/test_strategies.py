"""Strategies: what comes with a game, and what is said about a user's file that can't be used."""

import pytest

from sim import registry
from sim.printed import components
from sim.runner import StrategyError, play, run
from strategies import catalog
from strategies._named import without_proof

GOOD = """
WEIGHTS = {"hold": 20.0}


def choose(components, state, options, n, weights):
    return 0 if state.turn >= weights[0] or state.score[state.player] + state.turn >= components.goal else 1
"""
BODY = "def choose(components, state, options, n, weights):\n    {}\n"


def fault(study, *names, **keywords):
    """What is said when these strategies are asked to play."""
    with pytest.raises(StrategyError) as error:
        run(study("pig", 2, *names, **keywords), games=20)
    assert len(str(error.value).splitlines()) == 1
    return str(error.value)


@pytest.mark.parametrize("game", registry.names())
def test_every_game_has_strategies_and_a_default_among_them(game):
    names = catalog.names(game)
    assert catalog.default(game) in names
    assert "random_legal" in names
    assert all(catalog.describe(game, name).endswith((".", "…")) for name in names)


def test_a_file_plays_as_the_same_strategy_that_comes_with_the_game(study, mine):
    theirs = run(study("pig", 2, "hold_at"), games=4000).sums
    ours = run(study("pig", 2, mine(GOOD)), games=4000).sums
    assert (theirs.columns == ours.columns).all()


def test_a_function_that_is_compiled_already_is_taken(study, mine):
    text = "from numba import njit\n\n\n@njit\n" + GOOD.split("\n\n\n")[1]
    assert run(study("pig", 2, mine(text.replace("weights[0]", "20"))), games=20).games == 20


def test_weights_are_changed_by_name(study):
    usual, bold = (run(study("pig", 2, name), games=2000).sums for name in ("hold_at", "hold_at,hold=35"))
    assert bold.decisions != usual.decisions


@pytest.mark.slow
@pytest.mark.parametrize(("game", "weight"), [("abbates", "garden"), ("moesteiro", "building")])
def test_weights_that_are_missing_are_not_read(study, mine, game, weight):
    path = mine(f'"""Mine."""\n\nfrom strategies.{game}._plan import choose\n\nWEIGHTS = {{"{weight}": 1.0}}\n')
    with pytest.raises(StrategyError, match=r"mine\.py: chose -1, allowed are 0 to "):
        run(study(game, 4, path), games=4)


@pytest.mark.slow
@pytest.mark.parametrize("choice", ["-1", "2", "n", "127"])
def test_a_choice_outside_the_options(study, mine, choice):
    said = fault(
        study,
        "hold_at",
        mine(BODY.format(f"return {choice} if state.score[state.player] > 30 else 1 - (state.turn > 19)")),
        seed=5,
    )
    assert "mine.py: chose " in said
    assert "allowed are 0 to 1" in said
    assert "seed 5, game " in said
    assert ", decision " in said


def test_the_decision_that_is_named_can_be_found_again(study, mine):
    said = fault(study, mine(BODY.format("return 9 if state.decision == 13 else 1")), seed=5)
    assert "chose 9" in said
    assert "(seed 5, game 0, decision 13, seat " in said


def test_an_exception(study, mine):
    said = fault(
        study, mine(BODY.format("if state.decision == 3:\n        raise ValueError('no idea')\n    return 1")), seed=5
    )
    assert "mine.py: ValueError: no idea (seed 5, game 0, decision 3, seat " in said


def test_a_strategy_that_never_ends(study, mine):
    said = fault(study, mine(BODY.format("return 0")))
    assert "mine.py: the game never ends (seed 1, game 0, decision 1000000" in said


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n", "no function choose(components, state, options, n, weights)"),
        ("def choose(state):\n    return 0\n", "choose(state); it takes (components, state, options, n, weights)"),
        ("def choose(components, state, options, n, weights)\n    return 0\n", "line 1: expected ':'"),
        ("import nosuchmodule\n", "ModuleNotFoundError: No module named 'nosuchmodule'"),
        ("1 / 0\n", "ZeroDivisionError: division by zero"),
        (BODY.format("return state.nosuchfield"), "choose does not compile"),
        (BODY.format("return open('x')"), "choose does not compile"),
        (BODY.format("return nosuchname"), "choose does not compile"),
        (BODY.format("if n > 1:\n        return 0"), "choose does not compile: it may end without returning anything"),
        (
            "import numpy as np\nMEMO = np.zeros(1)\n" + BODY.format("MEMO[0] += 1\n    return 0"),
            "line 4: writes to an array that outlives the call",
        ),
        (BODY.format("raise ValueError"), "choose never returns the number of an option"),
        ("WEIGHTS = {'a': 'b'}\n" + BODY.format("return 0"), "its weights can't be read"),
        ("PLAYERS = (3,)\n" + BODY.format("return 0"), "plays with"),
    ],
)
def test_a_file_that_can_not_be_used(study, mine, text, words):
    said = fault(study, mine(text))
    assert "mine.py" in said
    assert words in said


def test_a_file_that_is_not_there_or_no_text(study, tmp_path):
    assert "No such file" in fault(study, tmp_path / "none.py")
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe\x00")
    assert "not a text file" in fault(study, tmp_path / "bytes.py")


@pytest.mark.parametrize("text", ["nobody", "hold_at,hold", "hold_at,hold=x", "hold_at,nothing=1"])
def test_a_name_or_weight_that_is_not_there(study, text):
    assert text.split(",")[0] in fault(study, text)


def test_a_strategy_for_two_refuses_three():
    with pytest.raises(StrategyError, match=r"plays with .*2.* players, not with 3"):
        catalog.entrant("pig", "optimal", 3)


def test_a_strategy_that_writes_to_the_components_is_refused_and_spoils_nothing(study, mine):
    asked = study("pig", 2, mine(BODY.format("components.goal = 50\n    return 1 - (state.turn > 19)")))
    with pytest.raises(StrategyError, match=r"mine\.py: writes to the components"):
        play(asked, 0, 20)
    assert asked.components[0].goal == 100
    assert components.read("pig").record[0].goal == 100


def test_a_file_is_compiled_once_for_all_components(pig, mine):
    text = "def weigh(components):\n    return [components.goal]\n\n" + BODY.format("return 0")
    entrant = catalog.entrant("pig", f"{mine(text)},unproved", 2)
    usual, changed = (
        entrant.load(pig, components.read("pig", changes=changes).record[0]) for changes in ((), ("goal=50",))
    )
    assert usual.policy is changed.policy
    assert (usual.weights.tolist(), changed.weights.tolist()) == ([100], [50])


@pytest.mark.parametrize("name", ["a,b.py", "hold=2,a.py", "MINE.PY", "at@home.py", "rollout:a.py", "x.py,hold=3.py"])
def test_a_path_that_is_there_wins_over_what_its_signs_mean(mine, name):
    path = mine(GOOD, name)
    assert catalog.entrant("pig", path, 2).changes == ()
    seated = catalog.entrant("pig", f"rollout:{path}@7,hold=25,unproved", 2)
    assert (seated.where, seated.changes, seated.thinker, seated.budget) == (path, (("hold", 25.0),), "rollout", 7)
    assert not seated.to_prove


@pytest.mark.parametrize("name", ["a,b.toml", "MINE.TOML"])
def test_a_path_of_a_file_of_weights_too(mine, name):
    path = mine('policy = "hold_at"\nhold = 30\n', name)
    assert catalog.entrant("pig", f"{path},hold=25", 2).changes == (("hold", 25.0),)
    assert catalog.entrant("pig", str(path), 2).changes == (("hold", 30.0),)


def test_a_path_with_commas_that_is_not_there_is_named_whole(study, tmp_path):
    assert f"--strategy: {tmp_path / 'a,b.py'}: No such file" in fault(study, f"{tmp_path / 'a,b.py'}")


def test_only_a_file_of_python_is_played_unproved(study, mine):
    assert "found 'unproved'; a weight is given as name=number" in fault(study, "hold_at,unproved")
    assert without_proof("hold_at,hold=3") == "hold_at,hold=3"
    path = mine(GOOD, "a,b.py")
    assert without_proof(f"search:{path}@9,hold=3") == f"search:{path}@9,hold=3,unproved"
