"""What every game and every strategy owes to the loop, whichever they are."""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from importlib import import_module

import numpy as np
import pytest

from sim import registry
from sim.contract import KEYS, OPTION_FIELD, STATE_FIELDS, WHOLE
from sim.play import DECISIONS_LIMIT
from sim.printed import meanings
from sim.printed.components import read, rows
from sim.proof import code as by_code
from sim.proof import play as by_play
from sim.runner import play, strategies
from sim.tracing import draws_of, misfits, strays
from strategies import catalog
from tests.contract.tools import CASES, GAMES, POLICIES, Replay, players_of, process, rules_of, study_of, tables, twin
from tests.helpers import printed

# --- records ----------------------------------------------------------------------------------------------------------


def names_in(dtype: np.dtype) -> set[str]:
    """Return all field names of a dtype, those of its parts too."""
    base = dtype.base
    return set().union(*({name} | names_in(base[name]) for name in base.names)) if base.names else set()


@pytest.mark.parametrize("game", GAMES)
def test_no_field_has_a_name_that_numpy_takes_for_itself(game):
    loaded = registry.load(game)
    counted = {name.partition(".")[0] for name in loaded.numbers}
    for names in (counted, *map(names_in, loaded.dtypes)):  # with the JIT off it could not be read
        assert not {name for name in names if hasattr(np.record, name)}


@pytest.mark.parametrize("game", GAMES)
def test_a_state_has_the_contracts_fields(game):
    loaded = registry.load(game)
    assert set(STATE_FIELDS) <= set(loaded.dtypes[1].names)
    assert OPTION_FIELD in loaded.dtypes[2].names
    assert tuple(loaded.players) == registry.card(game)[1]
    assert max(loaded.players) <= loaded.seats
    assert loaded.dtypes[1].names[:2] == ("key", "noise")  # thinkers tell positions apart by all that follows


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_number_is_told_in_words(game):
    """Each row has words of its own, no words are left over, and things have the names that they have elsewhere."""
    components, titles = read(game), registry.load(game).titles
    file = meanings.of(game)
    words = {row["path"]: row["meaning"] for row in rows(components)}
    assert not [path for path, said in words.items() if not said or "{" in said]
    assert len(set(words.values())) == len(words)
    assert not [path for path in file.meanings if not any(fnmatchcase(known, path) for known in components.meanings)]
    assert not {
        key: name for key, name in file.names.items() if titles.get(key, name).casefold() not in name.casefold()
    }


# --- strategies -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), CASES)
def test_a_strategy_chooses_legally_sees_only_what_lies_open_and_changes_nothing(game, name):
    studies = [study_of(game, players, name) for players in players_of(game, name)]
    assert not list(by_play.stepping(studies, strategies(studies[0])[0], 2))
    for study in studies:
        replay = Replay(study, 0, watch=Watching(study.players))
        assert 0 < replay.decisions < DECISIONS_LIMIT
        assert are_shared(replay.outcome, study.players)


class Watching:
    """Looks at what is asked at each decision."""

    def __init__(self, players: int):
        self.players = players

    def __call__(self, replay: Replay, strategy, n: int) -> None:
        assert 0 < n <= replay.game.most_options
        assert 0 <= replay.player < self.players
        assert 0 <= replay.states[0].asks < len(replay.game.asks)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "policy"), POLICIES)
def test_the_code_of_a_policy_takes_chance_by_draw_alone_and_writes_nothing(game, policy):
    function = import_module(f"strategies.{game}.{policy}").choose
    assert not list(by_code.findings(by_code.compiled_for(function, registry.load(game).signatures.policy)))


def are_shared(outcomes: np.ndarray, players: int) -> bool:
    """Return whether in each game one win is shared; a single person has it, or the automaton."""
    share = outcomes["share"]
    won = share[:, :players].sum(1)
    whole = np.isin(won, (0, WHOLE)) if players == 1 else won == WHOLE
    return bool(whole.all() and (share >= 0).all() and not share[:, players:].any())


# --- games ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_loop_and_the_entry_points_agree_on_any_game_of_a_run(game):
    for players, names in tables(game):
        study = study_of(game, players, *names)
        outcomes, decisions = play(study, 0, 2 * players)
        made = 0
        for number in range(2 * players):
            alone, _ = play(study, number, 1)
            replay = Replay(study, number)
            made += replay.decisions
            assert outcomes[number : number + 1].tobytes() == alone.tobytes() == replay.outcome.tobytes()
        assert made == decisions


@pytest.mark.parametrize("game", GAMES)
def test_stepping_leads_to_the_same_end(game):
    for players, names in tables(game):
        study = study_of(game, players, *names)
        straight, stepped = Replay(study, 1), Replay(study, 1, stepping=True)
        assert (straight.events, straight.decisions) == (0, stepped.decisions)
        assert stepped.events > 0
        assert straight.outcome.tobytes() == stepped.outcome.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_options_are_written_whole(game):
    for players, names in tables(game):
        study = study_of(game, players, *names)
        assert Replay(study, 2, dirty=True).outcome.tobytes() == Replay(study, 2).outcome.tobytes()
        seen: list[list[bytes]] = [[], []]
        for options, dirty in zip(seen, (True, False)):
            Replay(
                study,
                2,
                dirty=dirty,
                watch=lambda replay, strategy, n, options=options: options.append(replay.options[:n].tobytes()),
            )
        assert seen[0] == seen[1]  # thinkers tell options apart by all their bytes


@pytest.mark.parametrize("game", GAMES)
def test_games_end_share_one_win_and_differ(game):
    for players, _ in tables(game):
        outcomes, decisions = play(study_of(game, players, "random_legal"), 0, 300)
        assert are_shared(outcomes, players)
        assert decisions > 0
        assert len({outcomes[g : g + 1].tobytes() for g in range(300)}) > 50  # a small game has few ways to end


@pytest.mark.parametrize("game", GAMES)
def test_persons_sit_once_in_every_seat_of_a_block(game):
    for players, names in tables(game):
        outcomes, _ = play(study_of(game, players, *names), 0, 4 * players)
        for block in outcomes["person"][:, :players].reshape(4, players, players):
            assert (np.sort(block, 0) == np.arange(players)[:, None]).all()
            assert (np.sort(block, 1) == np.arange(players)).all()


class Imagining:
    """Imagines other worlds at each decision, and compares them with the real one."""

    def __init__(self, game: str, hidden: Collection[str]):
        self.open = [name for name in registry.load(game).dtypes[1].names if name not in {*KEYS, *hidden}]

    def __call__(self, replay: Replay, strategy, n: int) -> None:
        real, player = replay.states.tobytes(), int(replay.states[0].player)
        components = replay.components.tobytes()
        worlds = [twin(replay.states) for _ in range(3)]
        for world, key in zip(worlds, (7, 7, 8)):
            replay.game.imagine(replay.components[0], world[0], player, np.uint64(key))
            for name in self.open:
                assert world[name].tobytes() == replay.states[name].tobytes(), name
        assert (replay.states.tobytes(), replay.components.tobytes()) == (real, components)
        assert worlds[0].tobytes() == worlds[1].tobytes()
        # where only hidden things differ, imagining comes to the same: so a search knows what it can't tell apart
        again = twin(worlds[0])
        replay.game.imagine(replay.components[0], again[0], player, np.uint64(8))
        assert again.tobytes() == worlds[2].tobytes()
        for name in ("key", "noise"):
            assert len({int(world[name][0]) for world in (replay.states, *worlds[1:])}) == 3


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_imagine_keeps_what_lies_open(game):
    for change, hidden in registry.load(game).hidden.items():
        for players, names in tables(game):
            study = replace(study_of(game, players, *names), components=printed(game, (change,) if change else ()))
            watched = Replay(study, 3, watch=Imagining(game, hidden))
            assert watched.outcome.tobytes() == Replay(study, 3).outcome.tobytes()


# --- with the JIT off -------------------------------------------------------------------------------------------------


def digests() -> list[str]:
    """Return a line for each of some games, from all its outcomes."""
    lines = []
    for game in GAMES:
        for players, _ in tables(game):
            for name in {"random_legal": 0, catalog.default(game): 0}:
                outcomes, decisions = play(study_of(game, players, name), 0, 3)
                lines.append(f"{game} {players} {name} {decisions} {hashlib.sha256(outcomes.tobytes()).hexdigest()}")
    return lines


WITHOUT_JIT = """
import warnings
warnings.simplefilter("error", RuntimeWarning)
from tests.contract.test_contract import digests
print("\\n".join(digests()))
"""


@pytest.mark.slow
def test_the_same_games_with_the_jit_off():
    assert process(WITHOUT_JIT, NUMBA_DISABLE_JIT="1").splitlines() == digests()


def undrawn() -> Iterator[str]:
    """Yield each draw of some games, with all readings of their rules, that doesn't belong to one source of chance, and
    each source that is never drawn from."""
    for game in GAMES:
        sources, addresses = registry.load(game).chance, set()
        for players, _ in tables(game):
            asked = [(catalog.default(game), ""), *(("random_legal", change) for change in ("", *rules_of(game)))]
            for name, change in asked:
                components = printed(game, (change,) if change else ())
                draws = draws_of(replace(study_of(game, players, name), components=components), 1)
                yield from (f"{game} {players} {name} {change}: {draw}" for draw in strays(sources, draws))
                addresses |= {draw.address for draw in draws}
        for source in sources:
            if not any(low <= address < high for low, high in source.ranges for address in addresses):
                yield f"{game}: nothing is drawn from {source.name}"


@pytest.mark.slow
def test_each_draw_belongs_to_one_source_of_chance():
    program = "from tests.contract.test_contract import undrawn\nprint(*undrawn(), sep='\\n')"
    assert process(program, NUMBA_DISABLE_JIT="1").strip() == ""


@pytest.mark.parametrize("game", GAMES)
def test_sources_of_chance_have_names_and_addresses_of_their_own(game):
    assert not list(misfits(registry.load(game).chance))
