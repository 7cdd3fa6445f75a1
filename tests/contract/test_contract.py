"""What every game and every strategy owes to the loop, whichever they are."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from importlib import import_module

import numpy as np
import pytest

from analyses.prove import positions, records, runs
from analyses.prove.case import ProvedGame
from analyses.prove.work import name_of
from sim import registry
from sim.contract import WHOLE
from sim.play import DECISIONS_LIMIT
from sim.printed import meanings
from sim.printed.components import read, rows
from sim.proof import code as by_code
from sim.proof import play as by_play
from sim.runner import play, strategies
from sim.tracing import draws_of, misfits, strays
from strategies import catalog
from tests.contract.tools import CASES, GAMES, POLICIES, Replay, players_of, process, rules_of, study_of, tables
from tests.helpers import printed

# --- records ----------------------------------------------------------------------------------------------------------


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
    made = import_module(f"strategies.{game}.{policy}")
    function = made.choose_of(registry.load(game)) if hasattr(made, "choose_of") else made.choose
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


# the checks of `prove` that need no process of their own; the others take minutes (docs/prove.md)
CHECKS = [*records.CHECKS, runs.endings, runs.orders, *positions.CHECKS]


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=name_of)
@pytest.mark.parametrize("game", GAMES)
def test_a_check_of_prove_finds_nothing(game, check):
    assert [finding.words() for finding in check(ProvedGame(game))] == []


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
