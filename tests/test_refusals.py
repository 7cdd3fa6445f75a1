"""What every command says of a value that none takes: one line that names the option, what was found and what is
allowed."""

import pytest

from sim import registry
from tests.fuzz.hostile import LOG, SMALL, options

# Option → a value that no command takes, and what is said of it.
WRONG = {
    "--players": ("9", "--players: found '9'; allowed "),
    "--games": ("0", "--games: found '0'; allowed a whole number from 1 to "),
    "--max-games": ("-5", "--max-games: found '-5'; allowed a whole number from 1 to "),
    "--margin": ("1", "--margin: found '1'; allowed a number greater than 0 and less than 1"),
    "--seed": ("-1", "--seed: found '-1'; allowed a whole number from 0 to 18446744073709551615"),
    "--jobs": ("0", "--jobs: found '0'; allowed a whole number from 1"),
    "--strategy": ("nobody", "--strategy: nobody: not a strategy of "),
    "--set": ("nothing=1", "nothing: found an unknown "),
    "--components": ("none.toml", "none.toml"),
}
GAMES = [name for name, words in SMALL.items() if words and name not in ("resume", "new")]


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name in GAMES for option in WRONG if option in dict(options(name))]
)
def test_a_value_that_no_command_takes(refused, monkeypatch, tmp_path, name, option):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text(LOG, encoding="utf-8")
    registry.load(SMALL[name][0])  # says so when it compiles
    value, said = WRONG[option]
    words = [word for before, word in zip(["", *SMALL[name]], SMALL[name]) if option not in (before, word)]
    assert said in refused(name, *words, option, value)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_is_not_there(refused, name):
    assert "GAME: found 'chess'; allowed abbates, moesteiro" in refused(name, "chess", *SMALL[name][1:])
