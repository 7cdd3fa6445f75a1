"""Whatever has happened to the files of a run: `resume` refuses in one line, or finds the same answer again."""

import json
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz import mutated
from tests.fuzz.hostile import ask, check_refusal, contents, examples
from tests.test_run_folders import parts, sealed

pytestmark = pytest.mark.slow

RUN = Path("run")


@pytest.fixture(scope="module", autouse=True)
def whole(tmp_path_factory):
    """A finished run, in a folder that is the current one; what `contents` says of it."""
    before, folder = Path.cwd(), tmp_path_factory.mktemp("runs")
    os.chdir(folder)
    told = ask(["seats", "pig", "--games", "600", "--run", "whole", "--json"])
    assert told.status == 0, told.err
    yield told.out
    os.chdir(before)


def resumed(whole, name, data):
    """Put other bytes into one file of the run, and go on with it."""
    if RUN.exists():
        shutil.rmtree(RUN)
    shutil.copytree("whole", RUN)
    (RUN / name).write_bytes(data)
    before = contents(RUN)
    told = ask(["resume", "run", "--json", "--jobs", "1"])
    if told.status == 2:
        check_refusal(told)
        assert {path: held for path, held in contents(RUN).items() if not path.endswith("lock")} == {
            path: held for path, held in before.items() if not path.endswith("lock")
        }
    else:
        assert told.status == 0
        assert told.out == whole
        assert "Traceback" not in told.err


def files():
    """The files of the run, by name."""
    return sorted(path.relative_to("whole").as_posix() for path in Path("whole").rglob("*") if path.is_file())


def fuzzed(number, whole, name, what):
    """Put so many different bytes into a file."""

    @examples(number)
    @given(what)
    def each(data):
        resumed(whole, name, data)

    each()


@pytest.mark.parametrize(("name", "number"), [("manifest.json", 40), ("results/digests.json", 8)])
def test_json(whole, name, number):
    data = Path("whole", name).read_bytes()
    fuzzed(number, whole, name, mutated.json_lines([json.loads(data)]) | mutated.files(data))


def test_the_study(whole):
    fuzzed(15, whole, "study.toml", mutated.files(Path("whole/study.toml").read_bytes()))


def test_a_study_that_fits_its_manifest(whole):
    """Whoever changes both files gets a refusal, or another run, but nothing else."""
    from analyses.study_file import digest

    manifest = json.loads(Path("whole/manifest.json").read_text("utf-8"))

    @examples(40)
    @given(mutated.files(Path("whole/study.toml").read_bytes()))
    def each(data):
        if RUN.exists():
            shutil.rmtree(RUN)
        shutil.copytree("whole", RUN)
        (RUN / "study.toml").write_bytes(data)
        (RUN / "manifest.json").write_text(json.dumps({**manifest, "study": digest(data)}), encoding="utf-8")
        told = ask(["resume", "run", "--json", "--jobs", "1"])
        if told.status == 2:
            check_refusal(told)
        assert told.status in (0, 2)

    each()


def test_batches_and_results(whole):
    for name in files():
        if name not in ("manifest.json", "study.toml", "lock", "results/digests.json"):
            fuzzed(2, whole, name, mutated.files(Path("whole", name).read_bytes()))


def test_batches_whose_checksum_is_right(whole):
    """Whoever makes a right checksum over any header and any numbers gets some answer, or a refusal, but nothing
    else."""
    path = Path("whole/batches/0000000000000.batch")
    head, numbers = parts(path)

    @examples(30)
    @given(mutated.values(head).map(json.dumps) | st.just(json.dumps(head)), st.just(numbers) | mutated.files(numbers))
    def each(text, numbers):
        shutil.rmtree(RUN, ignore_errors=True)
        shutil.copytree("whole", RUN)
        (RUN / "batches" / path.name).write_bytes(sealed(text.encode(), numbers))
        told = ask(["resume", "run", "--json", "--jobs", "1"])
        if told.status == 2:
            check_refusal(told)
        assert told.status in (0, 2)
        assert "Traceback" not in told.err

    each()
