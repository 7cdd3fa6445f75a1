"""Faults that are planted in two small games: they fit, and `prove` names a sample; `scripts/planted.py` tries all."""

from collections import Counter

import pytest

from scripts.planted import FAULTS, GAMES, ROOT, all_planted, findings, plant, read

EVERY = {f"{fault.game}: {fault.name}": fault for fault in read()}
SAMPLE = (  # of each game, one for each of several checks
    "millers: level players have 59 sixtieths",
    "millers: all players roll at the same addresses",
    "millers: an option is not written",
    "millers: sacks and spoilt turns change places",
    "millers: repeated rolls are never counted",
    "millers: the mill wears out, in the components",
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


def test_the_documentation_counts_them_by_kind_and_knows_those_that_only_a_recount_names():
    text = (ROOT / "docs" / "prove.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("| ")]
    counted = {words: tuple(map(int, numbers)) for words, *numbers in rows if "".join(numbers).isdigit()}
    assert all(planted >= named >= lined for planted, named, lined in counted.values())
    *kinds, every, blind = counted.items()
    planted = Counter(fault.kind for fault in EVERY.values() if not fault.blind)
    assert {kind: numbers[0] for kind, numbers in kinds} == planted
    assert every == ("all", tuple(map(sum, zip(*dict(kinds).values()))))
    assert blind[1][0] == sum(fault.blind for fault in EVERY.values())
    sayings = {fault.name: fault for fault in EVERY.values() if "recount" in fault.checks}
    _, _, listed = text.partition("| fault | why |\n|---|---|\n")
    for row in listed.partition("\n\n")[0].splitlines():
        said = row.split("|")[1].strip().removesuffix(".")
        assert said[0].lower() + said[1:] in sayings


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
