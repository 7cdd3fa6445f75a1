"""The cache of machine code: a run ends right whatever has happened to the files, and good ones are used as they
are."""

import os
import pickle
import random
import signal
import threading
import time
from pathlib import Path

import pytest
from numba.core import caching

from sim import code_files
from sim import compiled as c
from sim.play import loop_of
from tests.helpers import unprivileged
from tests.test_faults import POSIX, python

PIG = Path(c.__file__).parent / "pig"

ENTRY = """
from pathlib import Path
from numba import int64
from helper import step
from sim.compiled import compiled

def entry(x):
    for i in range(10):
        x = step(x)
    return x

print("begins", flush=True)
fast = compiled(int64(int64), Path(__file__).parent)(entry)
print(fast(1), sum(fast.stats.cache_hits.values()))
"""
HELPER = "from numba import njit\n\n@njit\ndef step(x):\n    return x + {}\n"

DAMAGED = "chapterhouse: {}: damaged; machine code is made anew\n"
NOT_KEPT = "chapterhouse: {}: can't be written (permission denied); machine code is made anew in each run\n"


@pytest.fixture
def rules(tmp_path):
    """A program of two files, one of which helps the other, and a place for its cache."""
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "entry.py").write_text(ENTRY, encoding="utf-8")
    (folder / "helper.py").write_text(HELPER.format(1), encoding="utf-8")
    return folder / "entry.py", tmp_path / "cache"


def said(rules, **more):
    """Run the program; return its value, how often it has found machine code, and what it says on standard error."""
    entry, cache = rules
    out, err = python(entry, **{"cache": cache, **more})
    value, hits = map(int, out.split()[1:])
    return value, hits, err


@pytest.mark.slow
def test_an_edited_helper_gives_new_numbers(rules):
    assert said(rules)[:2] == (11, 0)
    assert said(rules)[:2] == (11, 1)  # from the cache
    (rules[0].parent / "helper.py").write_text(HELPER.format(2), encoding="utf-8")
    assert said(rules)[:2] == (21, 0)


# ---- at once, and killed


@pytest.mark.slow
def test_two_processes_may_compile_at_once(rules):
    entry, cache = rules
    both = [python(entry, cache=cache, wait=False) for _ in range(2)]
    for process in both:
        out, err = process.communicate(timeout=120)
        assert (process.returncode, out.split()[1]) == (0, "11"), err
    assert said(rules)[:2] == (11, 1)


@pytest.mark.slow
@POSIX
def test_a_process_that_is_killed_while_it_compiles_harms_nobody(rules):
    entry, cache = rules
    chance = random.Random(1)
    died = 0
    for _ in range(4):
        process = python(entry, cache=cache, wait=False)
        assert process.stdout.readline() == "begins\n"
        time.sleep(chance.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)
        died += process.returncode == -signal.SIGKILL
        if any(cache.rglob("*.nbc")):
            break
    assert died > 0
    assert said(rules)[0] == 11
    assert said(rules)[:2] == (11, 1)


def test_who_reads_while_others_write_gets_one_of_the_texts_whole(tmp_path, capsys):
    files = [code_files.CodeFile(str(tmp_path / "folder" / "source"), "name", "stamp") for _ in range(3)]
    texts = ["a" * 300_000, "b" * 7]
    done = threading.Event()

    def write(file):
        while not done.is_set():
            for text in texts:
                file.save("key", text)

    writers = [threading.Thread(target=write, args=(file,)) for file in files[1:]]
    files[0].save("key", texts[0])
    for writer in writers:
        writer.start()
    found = [files[0].load("key") for _ in range(300)]
    done.set()
    for writer in writers:
        writer.join()
    assert set(found) <= set(texts)
    assert capsys.readouterr().err == ""


# ---- damage


class Planted:
    """What would do harm if it were unpickled."""

    def __reduce__(self):
        return exec, ("raise SystemExit('unpickled')",)


def flipped(share):
    """A way to turn over one bit, so far into the file."""

    def turn_over(path):
        data = bytearray(path.read_bytes())
        at = int(share * (len(data) - 1))
        data[at] ^= 1 << at % 8
        path.write_bytes(data)

    return turn_over


def cut(share):
    """A way to cut a file off after this share of it."""
    return lambda path: path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])


def zeros(path):
    """A machine that went down has left a hole."""
    data = path.read_bytes()
    third = len(data) // 3
    path.write_bytes(data[:third] + bytes(third) + data[2 * third :])


def replaced(make):
    """A way to put something else where the file was."""

    def put(path):
        path.unlink()
        make(path)

    return put


WAYS = {
    "empty": lambda path: path.write_bytes(b""),
    "checksum alone": lambda path: path.write_bytes(path.read_bytes()[: code_files.SEAL]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "hole": zeros,
    "pickle": lambda path: path.write_bytes(pickle.dumps(Planted())),
    "gone": lambda path: path.unlink(),
    **{f"cut off at {share}": cut(share) for share in (0.01, 0.3, 0.9, 0.9999)},
    **{f"bit at {share}": flipped(share) for share in (0, 0.001, 0.01, 0.05, 0.2, 0.4, 0.6, 0.8, 0.99, 1)},
    "folder": replaced(lambda path: path.mkdir()),
    "folder with a file": replaced(lambda path: (path.mkdir(), (path / "file").touch())),
}
if os.name != "nt":
    WAYS |= {
        "pipe": replaced(os.mkfifo),
        "device": replaced(lambda path: path.symlink_to("/dev/zero")),
        "link to itself": replaced(lambda path: path.symlink_to(path)),
        "link to nothing": replaced(lambda path: path.symlink_to(path.with_name("nothing"))),
    }


@pytest.fixture
def compiled_apart(tmp_path, monkeypatch, pig):
    """A function that compiles an entry point of pig once more, into a cache of its own: its name → it and its
    file."""
    monkeypatch.setenv("CHAPTERHOUSE_CACHE", str(tmp_path / "cache"))
    c.cache_folder.cache_clear()

    def compile_apart(name):
        before = set((tmp_path / "cache").rglob("*.nbc"))
        function = loop_of(pig) if name == "loop" else c.in_python(getattr(pig, name))
        mine = c.compiled(getattr(pig.signatures, name), PIG)(function)
        (path,) = set((tmp_path / "cache").rglob("*.nbc")) - before
        return mine, path

    yield compile_apart
    c.cache_folder.cache_clear()


def on_disk(function):
    """What numba finds of a function on the disk: None makes it compile."""
    (kept,) = function.overloads.values()
    return function._cache.load_overload(kept.signature, function.targetctx)


def saved(function):
    """Have numba save a function as it does when it has compiled it."""
    (kept,) = function.overloads.values()
    function._cache.save_overload(kept.signature, kept)


@pytest.mark.slow
def test_no_damage_is_taken_for_machine_code(compiled_apart, capsys):
    """Each way to damage each file: numba is told that nothing is there, and what it then saves is found again."""
    tried = 0
    for name in ("set_up", "advance", "apply", "imagine", "tally", "loop"):
        function, path = compiled_apart(name)
        assert isinstance(function._cache, caching.FunctionCache)
        for way, harm in WAYS.items():
            assert on_disk(function) is not None, way
            harm(path)
            assert on_disk(function) is None, way
            saved(function)
            tried += 1
        assert on_disk(function) is not None
    assert tried >= 150 or os.name == "nt"
    assert capsys.readouterr().err == DAMAGED.format(c.cache_folder(PIG))


@pytest.mark.slow
def test_a_file_counts_only_where_it_was_written(compiled_apart):
    """Swapped, brought from another folder, or renamed: the checksum is good, and yet it is not taken."""
    (deal, one), (tally, other) = map(compiled_apart, ("set_up", "tally"))
    whole, data = one.read_bytes(), other.read_bytes()
    one.write_bytes(data)
    other.write_bytes(whole)
    assert on_disk(deal) is on_disk(tally) is None
    one.write_bytes(whole)
    assert on_disk(deal) is not None
    folder = c.cache_folder(PIG)
    another = folder.with_name("sim-pig-of-another-version")
    folder.rename(another)
    assert on_disk(deal) is None
    another.rename(folder)
    assert on_disk(deal) is not None


@pytest.mark.slow
@pytest.mark.parametrize("way", ["bit at 0.4", "pickle"])
def test_a_damaged_file_is_said_once_and_the_numbers_are_right(rules, way):
    said(rules)
    (path,) = rules[1].rglob("*.nbc")
    WAYS[way](path)
    value, hits, err = said(rules)
    assert (value, hits) == (11, 0)
    assert err == DAMAGED.format(path.parents[1])
    assert said(rules) == (11, 1, "")


@pytest.mark.slow
def test_a_whole_run_survives_its_damaged_cache(tmp_path):
    """All files of a real run, each damaged in another way."""
    cache = tmp_path / "cache"
    words = ["-c", "from scripts.cli import main; main()", "seats", "pig", "--games", "600", "--json", "--jobs", "1"]
    whole, _ = python(*words, cache=cache)
    paths = sorted(cache.rglob("*.nbc"))
    assert len(paths) == 9
    for path, way in zip(paths, list(WAYS)[::3]):
        WAYS[way](path)
    found, err = python(*words, cache=cache)
    assert (found, "damaged" in err) == (whole, True)
    found, err = python(*words, cache=cache)
    assert (found, "damaged" in err) == (whole, False)


# ---- what can't be written, or not even be looked at


@pytest.mark.slow
@POSIX
def test_a_warm_cache_that_is_read_only_is_used_as_it_is(rules, read_only):
    said(rules)
    read_only(rules[1])
    assert said(rules, preexec_fn=unprivileged) == (11, 1, "")


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("mode", [0o555, 0o000])
def test_a_cold_cache_that_is_read_only_is_said_in_one_line(rules, read_only, mode):
    rules[1].mkdir()
    read_only(rules[1], mode)
    value, hits, err = said(rules, preexec_fn=unprivileged)
    assert (value, hits) == (11, 0)
    assert err == NOT_KEPT.format(rules[1])


@pytest.mark.slow
@POSIX
def test_a_damaged_cache_that_is_read_only_harms_nobody(rules, read_only):
    said(rules)
    (path,) = rules[1].rglob("*.nbc")
    path.write_bytes(b"")
    read_only(rules[1])
    value, hits, err = said(rules, preexec_fn=unprivileged)
    assert (value, hits) == (11, 0)
    assert err == DAMAGED.format(path.parents[1]) + NOT_KEPT.format(rules[1])


@pytest.mark.slow
@POSIX
def test_a_home_that_is_read_only_or_not_known_is_said_in_one_line(rules, tmp_path, read_only):
    home = tmp_path / "home"
    home.mkdir()
    read_only(home)
    value, hits, err = said(rules, preexec_fn=unprivileged, cache="", HOME=str(home))
    assert (value, hits) == (11, 0)
    assert err == NOT_KEPT.format(home / ".cache" / "chapterhouse")


def test_a_user_without_a_home_has_no_cache(monkeypatch):
    def none():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("CHAPTERHOUSE_CACHE", raising=False)
    monkeypatch.setattr(Path, "home", none)
    with pytest.raises(NotADirectoryError):
        code_files.base().mkdir(parents=True)


@pytest.mark.slow
def test_a_cache_in_whose_place_a_file_lies_is_said_once(rules, tmp_path):
    blocked = tmp_path / "file"
    blocked.touch()
    value, hits, err = said(rules, cache=blocked)
    assert (value, hits) == (11, 0)
    assert err.count("can't be written (not a directory); machine code is made anew in each run") == 1


@pytest.mark.slow
def test_a_full_disk_costs_the_machine_code_alone(compiled_apart, monkeypatch, capsys):
    deal, path = compiled_apart("set_up")
    path.unlink()
    monkeypatch.setattr("os.replace", lambda *paths: (_ for _ in ()).throw(OSError(28, os.strerror(28))))
    code_files.tell.cache_clear()
    saved(deal)
    assert on_disk(deal) is None
    assert "can't be written (no space left on device)" in capsys.readouterr().err
    assert not list(path.parent.glob("*.tmp*"))
