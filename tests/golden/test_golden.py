"""Golden games: the same rules version tells the same games, event by event."""

import pytest

from analyses.prove.golden import digest, golden, kept_of, problem, told
from sim import registry
from sim.printed.components import read

HELP = "written anew by `chapterhouse prove GAME --golden`; a change of the rules needs another version too"


@pytest.mark.slow
@pytest.mark.parametrize("game", registry.names())
def test_the_rules_version_tells_these_games(game):
    kept = kept_of(game)
    assert (registry.load(game).version, read(game).digest) == (kept["version"], kept["components"]), HELP
    for line in kept["games"]:
        scores, found = digest(told(game, line["players"], line["number"], tuple(line["changes"])))
        assert (scores, found) == (line["scores"], line["digest"]), (line, HELP)


def test_other_games_need_another_version():
    old = golden("pig")
    new = {**old, "games": [*old["games"][:-1], {**old["games"][-1], "digest": "0"}]}
    assert "another version" in problem(old, new)
    assert not problem(old, old)
    assert not problem(old, {**new, "version": "2"})
    assert not problem(old, {**new, "components": "0"})
