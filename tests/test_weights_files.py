"""Files of weights: a strategy without code, by name or by path, the same after writing and reading, or refused in one
line."""

from functools import partial
from importlib import import_module
from math import inf

import pytest

from analyses.tuning import Match
from sim import registry
from sim.printed.components import read
from sim.runner import StrategyError, Study, play, run
from strategies import _weights_file, catalog
from strategies._weights_file import Packed, WeightsError, check, first_words, parse, write

ROUNDS = 5


@pytest.fixture
def mine(mine):
    return partial(mine, name="mine.toml")


def weights_of(game, text, players=2):
    """The array that a strategy takes."""
    return catalog.entrant(game, text, players).load(registry.load(game), read(game).record[0]).weights


def usual(game, policy):
    """The array of a policy's own weights, by name."""
    module = catalog.Seated(policy, game, policy, "")._module()
    return list(module.WEIGHTS), list(module.WEIGHTS.values())


def test_what_is_written_is_read_again():
    known = {"one": 1.0, "two": 2.0, "three": 3.0}
    weights = {"one": 0.1 + 0.2, "three": (1e-300, -1 / 3, 12345678.9, 0.0, -0.0)}
    text = write(["What it wants.", "More of it, " * 40, "  as it\n    stands"], weights, {"one": "what one is"})
    policy, found = parse(text)
    again = check(found, known, ROUNDS)
    assert (policy, again, repr(again)) == ("weighted", weights, repr(weights))
    assert "one = 0.30000000000000004 # what one is" in text
    assert first_words(text) == "What it wants."
    assert "#   as it\n#     stands" in text
    assert max(map(len, text.splitlines())) <= 140


def test_a_file_for_another_policy_is_read_again():
    assert parse(write(["Bold."], {"hold": 33.0}, {}, "hold_at")) == ("hold_at", {"hold": 33.0})


def test_a_file_plays_as_the_same_weights_on_the_command_line(study, mine):
    path = mine('# Bold.\n\npolicy = "hold_at"\nhold = 35\n')
    theirs, ours = (run(study("pig", 2, name, "hold_at"), games=2000).sums for name in ("hold_at,hold=35", path))
    assert (theirs.columns == ours.columns).all()


def test_weights_by_round_stand_round_by_round(mine):
    names, values = usual("moesteiro", "weighted")
    found = weights_of("moesteiro", mine("# Mine.\n\npip = [1, 2, 3, 4, 5]\nspare = 7\n")).reshape(ROUNDS, len(names))
    for r in range(ROUNDS):
        expected = dict(zip(names, values)) | {"pip": r + 1.0, "spare": 7.0}
        assert found[r].tolist() == [expected[name] for name in names]


def test_each_round_has_its_own_weights(mine):
    last = mine(f"# Passes in the last round.\n\ndie = [{', '.join(['0.3'] * 4)}, 30]\n")
    study = Study("moesteiro", 4, (catalog.entrant("moesteiro", last, 4),), read("moesteiro").record, 1)
    usual = Study("moesteiro", 4, (catalog.entrant("moesteiro", "allrounder", 4),), read("moesteiro").record, 1)
    numbers = registry.load("moesteiro").numbers
    before, after = (play(asked, 0, 40)[0]["numbers"][:, :4] for asked in (usual, study))
    for name in (f"after.round{r + 1}" for r in range(4)):
        assert (before[:, :, numbers.index(name)] == after[:, :, numbers.index(name)]).all()
    assert (before[:, :, numbers.index("after.round5")] != after[:, :, numbers.index("after.round5")]).any()


def test_a_setting_on_the_command_line_counts_in_all_rounds(mine):
    names, _ = usual("moesteiro", "weighted")
    path = mine("# Mine.\n\npip = [1, 2, 3, 4, 5]\n")
    found = weights_of("moesteiro", f"{path},pip=6").reshape(ROUNDS, len(names))
    assert (found[:, names.index("pip")] == 6).all()


def test_the_tests_of_a_file_are_read_from_its_comment():
    matches = [Match(2, "plan", 8_000, 1, 0.683, 0.667, 0.7), Match(4, "plan", 8_000, 1, 0.504, 0.489, 0.52)]
    text = write(["Mine.", "\n".join(f"  {match.sentence()}" for match in matches)], {"one": 2.0}, {})
    assert _weights_file.tests(text) == {2: ("plan", pytest.approx(0.683)), 4: ("plan", pytest.approx(0.504))}
    assert _weights_file.tests("# Mine.\none = 2.0\n") == {}


@pytest.mark.parametrize("game", registry.names())
def test_what_comes_with_a_game_is_listed_and_described(game):
    files = sorted(path.stem for path in catalog.home(game).glob("*.toml"))
    assert set(files) <= set(catalog.names(game))
    assert "weighted" not in catalog.names(game)
    for name in files:
        assert catalog.describe(game, name)[0].isupper()
        policy = catalog.entrant(game, name, 2).where
        values, rounds = usual(game, policy)[1], import_module(f"strategies.{game}.{policy}").ROUNDS
        packed = [len(value.words()) for value in values if isinstance(value, Packed)]
        assert len(weights_of(game, name)) == rounds * (len(values) - len(packed)) + sum(packed)


def test_a_file_is_read_once(mine):
    path = mine('# Bold.\n\npolicy = "hold_at"\nhold = 35\n')
    entrant = catalog.entrant("pig", path, 2)
    mine("nonsense")
    assert entrant.load(registry.load("pig"), read("pig").record[0]).weights.tolist() == [35.0]


def test_weights_need_no_compiling_of_their_own(mine):
    game, record = registry.load("moesteiro"), read("moesteiro").record[0]
    policies = [
        catalog.entrant("moesteiro", text, 4).load(game, record).policy
        for text in (mine("pip = 2\n"), "allrounder", "builder,pip=3")
    ]
    assert policies[0] is policies[1] is policies[2]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pipp = 1\n", "no weight 'pipp'; there are building, village, sets"),
        ("pip = 'x'\n", "pip: found 'x'; allowed is a number, or a list of 5 numbers, round by round"),
        ("pip = true\n", "pip: found true"),
        ("pip = nan\n", "pip: found nan"),
        ("pip = [1, 2]\n", "pip: found [1, 2]"),
        ("pip = [1, 2, 3, 4, inf]\n", "pip: found [1, 2, 3, 4, inf]"),
        ("pip = [1, 2, 3, 4, [5]]\n", "pip: found [1, 2, 3, 4, a list with 1 entries]"),
        ("[pip]\nx = 1\n", "pip: found a table with 1 entries"),
        ("pip = \n", "line 1"),
        ("pip = 1\npip = 2\n", "line 2"),
        ("policy = 'nobody'\n", "policy: found 'nobody'; moesteiro has greedy, network, weighted"),
        ("policy = 'random_legal'\n", "policy: found 'random_legal'; moesteiro has "),
        ("policy = 3\n", "policy: found 3"),
    ],
)
def test_a_file_that_can_not_be_used(mine, text, words):
    path = mine(text)
    with pytest.raises(StrategyError) as error:
        catalog.entrant("moesteiro", path, 4)
    said = str(error.value)
    assert said.startswith(f"--strategy: {path}: ")
    assert words in said
    assert len(said.splitlines()) == 1


def test_a_policy_without_rounds_takes_no_lists():
    with pytest.raises(WeightsError, match=r"hold: found \[1, 2\]; allowed is a number$"):
        check({"hold": [1, 2]}, {"hold": 20.0}, 1)
    with pytest.raises(WeightsError, match=r"hold: found inf; allowed is a number$"):
        check({"hold": inf}, {"hold": 20.0}, 1)


def test_a_file_that_is_not_there_or_for_a_game_without_weights(tmp_path, mine):
    with pytest.raises(StrategyError, match=r"none\.toml: No such file"):
        catalog.entrant("moesteiro", str(tmp_path / "none.toml"), 4)
    with pytest.raises(StrategyError, match=r"policy: found 'weighted'; pig has hold_at"):
        catalog.entrant("pig", mine("# Mine.\n"), 2)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StrategyError, match=r"bytes\.toml: not a text file"):
        catalog.entrant("pig", str(tmp_path / "bytes.toml"), 2)
