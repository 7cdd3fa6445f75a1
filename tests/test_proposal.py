"""The proposal of `chapterhouse balance`: a component file with other numbers, in which comments and sources stay."""

import tomllib

import pytest

from sim import registry
from sim.printed import components, levers, proposal

MAIN = "moesteiro"


@pytest.fixture(scope="module")
def base():
    return components.read(MAIN)


def written(base, changes, head=(), files=(), user=()):
    given = components.read(base.game, files, user)
    wanted = components.changed(given, changes)
    before = {path: levers.value_at(given, path) for path in changes}
    text, alone = proposal.own_file(base.game, list(files))
    return proposal.rewritten(text, components.read(base.game, alone), wanted, before, list(head)), wanted


def test_comments_and_sources_stay(base, tmp_path):
    changes = {
        "kings.afonso_v.vp": 5,
        "crane.steps.2": 3,
        "village.tiles.4.pips": 2,
        "rules.reshuffle": True,
        "stonework.tiles": 20,
    }
    text, wanted = written(base, changes, ["Proposed."])
    own = registry.text(MAIN, "components.toml")
    lines = set(text.splitlines())
    lost = [line for line in own.splitlines() if line not in lines]
    assert len(lost) == 5  # the changed lines
    assert text.startswith("# Proposed.\n")
    for line in (
        "builds_first = 0 } # vp was 3",
        "each slot from the left; 2 was 2",
        "reshuffle = true # R14: do discards become a new pile; was false",
    ):
        assert line in text
    file = tmp_path / "proposal.toml"
    file.write_text(text, encoding="utf-8")
    again = components.read(MAIN, [file])
    assert again.digest == wanted.digest != base.digest
    changed = {path for path, number in again.numbers.items() if number != base.numbers[path]}
    assert changed == {path for path in changes if not path.startswith("rules")}
    assert (again.numbers["crane.steps.2"].source, again.numbers["crane.steps.2"].note) == (
        "given",
        "proposed by chapterhouse balance; was 2",
    )


def test_the_changes_of_the_user_are_in_it(base, tmp_path):
    sheet = tmp_path / "mine.csv"
    sheet.write_text("path,value,source,low,high,note\nkings.duarte.stone,2,published,,,a review\n", encoding="utf-8")
    text, wanted = written(base, {"start.seat4.vp": 2}, files=[sheet], user=["start.seat3.wood=1", "start.seat4.vp=1"])
    file = tmp_path / "proposal.toml"
    file.write_text(text, encoding="utf-8")
    again = components.read(MAIN, [file])
    assert again.digest == wanted.digest
    assert (again.numbers["kings.duarte.stone"].source, again.numbers["kings.duarte.stone"].note) == (
        "given",
        "a review",
    )
    assert (again.numbers["start.seat3.wood"].source, again.numbers["start.seat3.wood"].value) == ("given", 1)
    assert "was 1" in again.numbers["start.seat4.vp"].note


def test_a_whole_file_of_the_user_is_kept(base, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text("# my own game\n" + registry.text(MAIN, "components.toml"), encoding="utf-8")
    part = tmp_path / "part.toml"
    part.write_text("[sets]\nvp = [1, 4, 9, 16, 26]\n", encoding="utf-8")
    text, wanted = written(base, {"glass.tiles": 15}, files=[mine, part])
    assert text.startswith("# my own game\n")
    (tmp_path / "proposal.toml").write_text(text, encoding="utf-8")
    assert components.read(MAIN, [tmp_path / "proposal.toml"]).digest == wanted.digest
    assert proposal.own_file(MAIN, [part])[1] == []


def test_lists_that_are_longer_are_written_whole(base, tmp_path):
    part = tmp_path / "part.toml"
    part.write_text("[window]\npips = [0, 1, 2, 3]\n[areas.spaces]\nwindow = 4\n", encoding="utf-8")
    text, wanted = written(base, {"window.pips.2": 2}, files=[part])
    assert tomllib.loads(text)["window"]["pips"] == [0, 2, 2, 3]
    (tmp_path / "proposal.toml").write_text(text, encoding="utf-8")
    assert components.read(MAIN, [tmp_path / "proposal.toml"]).digest == wanted.digest
