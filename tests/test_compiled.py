"""The cache of machine code, and what kernels do to arrays beside numba."""

import inspect
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from numba import njit, types
from numba.core.extending import _Intrinsic
from numba.core.registry import CPUDispatcher

from analyses.distil import fit, games
from sim import compiled as c
from sim import registry
from sim.lent import Lent
from strategies import _code, catalog
from strategies._code import BY_NETWORK, LOOKING, sources
from strategies._named import NETWORK
from tests.contract.tools import process

HOME = Path(__file__).parent.parent


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A folder of one kernel file, and an empty cache."""
    monkeypatch.setenv("CHAPTERHOUSE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "helper.py").write_text("A = 1\n", encoding="utf-8")
    c.cache_folder.cache_clear()
    c._begun.cache_clear()
    yield folder
    c.cache_folder.cache_clear()
    c._begun.cache_clear()


def test_an_edited_helper_has_another_folder(source):
    before = c.cache_folder(source)
    c.cache_folder.cache_clear()
    assert c.cache_folder(source) == before
    (source / "helper.py").write_text("A = 2\n", encoding="utf-8")
    c.cache_folder.cache_clear()
    assert c.cache_folder(source) != before


def test_a_new_folder_takes_old_ones_of_its_name_away(source):
    folder = c.cache_folder(source)
    stem = folder.name.rsplit("-", 1)[0]
    old, young, other = (folder.parent / name for name in (f"{stem}-1", f"{stem}-2", "else-1"))
    for path in (old, young, other):
        path.mkdir(parents=True)
    long_ago = time.time() - (c.UNUSED_DAYS + 1) * 86_400
    for path in (old, other):
        os.utime(path, (long_ago, long_ago))
    assert not c.is_cached(source)
    assert c._begun(folder) == folder
    assert c.is_cached(source)
    assert [path.exists() for path in (old, young, other)] == [False, True, True]


@pytest.mark.slow
@pytest.mark.parametrize("name", registry.names())
def test_all_that_kernels_call_counts_for_the_cache(name):
    """Every function that an entry point reaches, jitted or written for numba, stands in a file whose text the folder's
    name depends on."""
    game, reached = registry.load(name), 0
    rules = [game.set_up, game.advance, game.apply, game.imagine, game.tally, game.loop, game.add_up, game.no_thought]
    cases = [(rules, [game.folder])]
    for strategy in catalog.names(name):
        seated = catalog.entrant(name, strategy, game.players[0])
        cases.append(([seated.load(game, _printed(name)).policy], sources(name, seated.where, game.folder)))
    if NETWORK in catalog.policies(name):
        learning = list(vars(games.kernels_of(name)).values())
        cases.append((learning, [games.HERE, LOOKING, *sources(name, NETWORK, game.folder)]))
        cases.append(([fit.Fit(1, 1, 1)._fit], [fit.HERE, *BY_NETWORK]))
    for thinker in catalog.thinkers():
        think = catalog.entrant(name, f"{thinker}:random_legal", game.players[0]).load(game, _printed(name)).thinker
        cases.append(([think], [_code.HERE / f"{thinker}.py", LOOKING, game.folder]))
    for entries, folders in cases:
        files = {*c.CORE, *(path for folder in folders for path in c.kernel_files(folder))}
        seen = set()
        todo = list(entries)
        while todo:
            function = todo.pop()
            if id(function) in seen:
                continue
            seen.add(id(function))
            code = function._defn if isinstance(function, _Intrinsic) else function.py_func
            assert c.Path(inspect.getsourcefile(code)) in files
            if isinstance(function, _Intrinsic):
                continue
            names = function.py_func.__code__.co_names
            scope = function.py_func.__globals__
            found = [scope.get(part) for part in names]
            found += [cell.cell_contents for cell in function.py_func.__closure__ or ()]
            found += [getattr(module, part, None) for module in found if inspect.ismodule(module) for part in names]
            todo += [other for other in found if isinstance(other, CPUDispatcher | _Intrinsic)]
        reached += len(seen) - len(entries)
    assert reached > len(cases)


def _printed(name):
    from sim.printed.components import read

    return read(name).record[0]


NEGATIVE = """
import numpy as np
from numba import types
from pathlib import Path
from sim.compiled import compiled

def take(numbers, at):
    return numbers[at]

signature = types.int64(types.Array(types.int64, 1, "C"), types.int64)
numbers = np.arange(3)
print(compiled(signature)(take)(numbers, -1))
try:
    compiled(signature, Path("sim/pig"))(take)(numbers, -1)
except IndexError:
    print("refused")
"""


@pytest.mark.slow
def test_a_checked_run_refuses_an_index_from_the_end(source):
    """Kernels of the project take an index as it is; a user's strategy (no sources) counts from the end, as Python
    does."""
    program = source / "negative.py"
    program.write_text(NEGATIVE, encoding="utf-8")
    code = f"import runpy; runpy.run_path({str(program)!r})"
    assert process(code, NUMBA_BOUNDSCHECK="1").split() == ["2", "refused"]


@pytest.mark.slow
def test_a_new_process_finds_the_loop_on_disk(tmp_path):
    code = "from sim.registry import load; print(sum(load('pig').loop.stats.cache_hits.values()))"
    assert [process(code, CHAPTERHOUSE_CACHE=str(tmp_path)).split() for _ in range(2)] == [["0"], ["1"]]


@pytest.mark.slow
def test_what_is_lent_is_an_array_that_nobody_counts():
    item = np.dtype([("worth", np.int64), ("small", np.int16)], align=True)

    @njit
    def doubled(items):
        for i in range(len(items)):
            items[i].worth *= 2
        return items.shape[0]

    def use(items, numbers):
        return doubled(items) + doubled(items[1:]) + items[-1].worth + numbers[1:].sum() + doubled(items)

    lent, owned = (
        njit(types.float64(kind(c.numba.from_dtype(item)), kind(types.float64)))(use)
        for kind in (Lent, lambda dtype: types.Array(dtype, 1, "C"))
    )
    for function in (lent, owned):
        items, numbers = np.zeros(3, item), np.array([5.0, 0.5, 0.25])
        items["worth"] = 1, 2, 3
        counts = [sys.getrefcount(array) for array in (items, numbers)]
        assert function(items, numbers) == 3 + 2 + 12 + 0.75 + 3
        assert items["worth"].tolist() == [4, 16, 24]
        assert [sys.getrefcount(array) for array in (items, numbers)] == counts
    (text,), (other,) = (function.inspect_llvm().values() for function in (lent, owned))
    assert text.count("NRT_incref") < other.count("NRT_incref")
    with pytest.raises(TypeError):
        lent(np.zeros(6, item)[::2], numbers)


def test_bits_are_counted():
    @njit
    def ones(words, found):
        for i in range(len(words)):
            found[i] = c.count_ones(words[i])

    words = np.array(
        [0, 1, 3, 0x80808080808080, 2**62, -1, *np.random.default_rng(1).integers(0, 2**63, 100)], np.int64
    )
    found = np.zeros(len(words), np.int64)
    ones(words, found)
    assert found.tolist() == [(int(word) & (2**64 - 1)).bit_count() for word in words]


@pytest.mark.slow
def test_matrices_are_multiplied_though_scipy_is_left_alone_until_then():
    code = (
        "import sys\nfrom sim.compiled import njit, np\n@njit('f8[:,:](f8[:,:])')\ndef twice(a): return a + "
        "a\ntwice(np.eye(2))\n"
    )
    code += "before = 'scipy.linalg' in sys.modules\n@njit\ndef product(a): return a @ a\n"
    code += "print(before, product(np.full((2, 2), 3.0)).tolist())"
    done = subprocess.run([sys.executable, "-c", code], cwd=HOME, capture_output=True, text=True, check=True)
    assert done.stdout == "False [[18.0, 18.0], [18.0, 18.0]]\n"


def test_views_share_their_memory():
    view = c.record_view(np.dtype((np.record, np.dtype([("first", np.float64), ("second", np.float64)]))))

    @njit
    def swap(pair):
        seen = view(c.borrowed(pair))
        seen.first, seen.second = seen.second, seen.first

    pair = np.array([1.0, 2.0])
    swap(pair)
    assert pair.tolist() == [2.0, 1.0]
