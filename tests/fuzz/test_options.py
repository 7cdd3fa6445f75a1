"""Whatever is typed after a command: status 2 and one line, or an answer; nothing else, and nothing left behind."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.hostile import SMALL, VALUES, ask, check_refusal, commands, contents, examples, options, value_of, world

pytestmark = pytest.mark.slow

RIGHT = (0, 1, 3)  # statuses of an answer; `check` has three


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with hostile files, which is the current one; it is made anew after something was written to it."""
    before, folder = Path.cwd(), tmp_path_factory.mktemp("fuzz") / "world"
    world(folder)
    os.chdir(folder)
    yield folder
    os.chdir(before)


def right_or_refused(place, words):
    """Run a command and look at what came of it."""
    before = contents(place)
    told = ask(words)
    after = contents(place)
    if told.status == 2:
        check_refusal(told)
        assert after == before
    else:
        assert told.status in (RIGHT if words[:1] == ["check"] else (0,)), told
        assert "Traceback" not in told.err
    if after != before:
        os.chdir(place.parent)
        world(place)
        os.chdir(place)
    return told


def test_every_command_is_here_and_works(place):
    assert set(SMALL) == set(commands())
    for command, words in SMALL.items():
        assert (
            right_or_refused(
                place,
                [
                    command,
                    *words,
                    *["--jobs"] * ("--jobs" in dict(options(command))),
                    *["1"] * ("--jobs" in dict(options(command))),
                ],
            ).status
            in RIGHT
        ), command


@pytest.mark.parametrize("command", SMALL)
def test_one_option(place, command):
    """Each option of a command with hostile values, one at a time."""

    @examples(15)
    @given(st.data())
    def look(data):
        name, valued = data.draw(st.sampled_from(options(command)))
        words = [name, data.draw(value_of(name))] if valued else [name]
        right_or_refused(place, [command, *SMALL[command], *words])

    look()


@examples(60)
@given(st.data())
def test_several_options(place, data):
    """Options together, repeated, unknown, without their values, and arguments too many or too few."""
    command = data.draw(st.sampled_from(list(SMALL)))
    words = [command, *SMALL[command][data.draw(st.integers(0, 1)) :]]
    known = [name for name, _ in options(command)]
    for _ in range(data.draw(st.integers(1, 4))):
        words += data.draw(
            st.one_of(
                st.sampled_from(known).flatmap(lambda name: value_of(name).map(lambda value: [name, value])),
                st.sampled_from(known).map(lambda name: [name]),
                st.tuples(st.sampled_from(["--nothing", "--play", "-j", "--Seed", "--seed=1", "--games="]), VALUES).map(
                    list
                ),
                VALUES.map(lambda value: [value]),
            )
        )
    if not {"--help", "--version"} & set(words):
        right_or_refused(place, words)


@examples(40)
@given(st.lists(VALUES, max_size=4))
def test_words_that_are_no_command(place, words):
    if words and not set(words) & {*SMALL, "--help", "--version", "--"}:
        right_or_refused(place, words)


@pytest.mark.parametrize("command", [name for name in SMALL if name != "games"])
def test_hostile_arguments(place, command):
    """What stands before the options: game, file, thing, number."""

    @examples(8)
    @given(st.integers(0, 1), VALUES)
    def look(at, value):
        words = list(SMALL[command])
        words[min(at, len(words)) : at + 1] = [value]
        right_or_refused(place, [command, *words])

    look()
