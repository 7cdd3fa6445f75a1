"""Faults that are planted in two small games: they fit, and `prove` names a sample; `scripts/planted.py` tries all."""

from collections import Counter

import pytest

from scripts.planted import FAULTS, GAMES, all_planted, findings, plant, read

EVERY = {f"{fault.game}: {fault.name}": fault for fault in read()}
SAMPLE = (  # of each game, one for each of several checks
    "millers: level players have 59 sixtieths",
    "millers: all players roll at the same addresses",
    "millers: an option is not written",
    "millers: sacks and spoilt turns change places",
    "millers: repeated rolls are never counted",
    "lanterns: a sort that favours the first seat",
    "lanterns: imagining clears the table",
    "lanterns: the game never pauses",
    "lanterns: hands larger than their field",
    "lanterns: with the lowest card taking, the last seat always takes the trick",
    "lanterns: what is offered depends on the next card of the deck",
)


def test_there_are_many_and_of_many_kinds():
    assert len(EVERY) >= 60
    assert len(Counter(fault.kind for fault in EVERY.values())) >= 20
    assert {path.stem for path in FAULTS.glob("*.toml")} == {path.name for path in GAMES.iterdir()}


@pytest.mark.parametrize("name", EVERY)
def test_a_fault_fits_its_game(name, tmp_path):
    fault = EVERY[name]
    assert fault.places(plant(fault, tmp_path))
    assert len({text for text in fault.find if text in fault.replace}) == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE)
def test_prove_names_a_fault_and_its_line(name):
    (planted,) = all_planted([EVERY[name]], 1, False)  # in a process of its own, with a JIT of its own
    assert planted.finding, planted.others
    assert planted.on_line, planted.finding.words()


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(path.name for path in GAMES.iterdir()))
def test_plain_python_finds_nothing_without_a_fault(game):
    """With --whole the command makes all checks of the games as they are."""
    assert [finding.words() for finding in findings(GAMES / game, parts=("plain",))] == []
