"""scripts/bootstrap.py: when it installs, when it does not, and what it tells its caller. Nothing here runs pip."""

import ast
import importlib.util
import os
import re
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts" / "bootstrap.py"


def load(path):
    spec = importlib.util.spec_from_file_location("bootstrap_under_test", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


bootstrap = load(SCRIPT)


@pytest.fixture
def checkout(tmp_path):
    """A checkout with the bootstrap script and nothing to install."""
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "stand-in"\n')
    (tmp_path / "requirements.lock").write_text("# empty\n")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "bootstrap.py").write_bytes(SCRIPT.read_bytes())
    return tmp_path


class Installer:
    """Stands in for install: notes whether it was asked for a fresh environment, and leaves a Python behind."""

    def __init__(self, error=None):
        self.calls = []
        self.error = error

    def __call__(self, root, venv, fresh):
        self.calls.append(fresh)
        assert bootstrap.read_stamp(venv) == "", "a stamp while the set-up is under way"
        python = bootstrap.python_of(venv)
        python.parent.mkdir(parents=True, exist_ok=True)
        python.touch()
        if self.error is not None:
            raise self.error


def set_up(checkout, installer):
    return bootstrap.set_up(checkout, checkout / ".venv", installer)


def call_script(checkout, *arguments, folder=None, **variables):
    """Run the checkout's own bootstrap script as a user does."""
    return subprocess.run(
        [sys.executable, str(checkout / "scripts" / "bootstrap.py"), *arguments],
        cwd=folder or checkout,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


# ---- when it installs


def test_second_call_installs_nothing(checkout):
    installer = Installer()
    assert set_up(checkout, installer)
    assert not set_up(checkout, installer)
    assert installer.calls == [True]


@pytest.mark.parametrize("name", ["pyproject.toml", "requirements.lock"])
def test_changed_file_updates_in_place(checkout, name):
    installer = Installer()
    set_up(checkout, installer)
    with (checkout / name).open("a") as file:
        file.write("# changed\n")
    assert set_up(checkout, installer)
    assert installer.calls == [True, False]


def test_other_python_begins_anew(checkout, monkeypatch):
    installer = Installer()
    set_up(checkout, installer)
    monkeypatch.setattr(bootstrap, "python_name", lambda: "cpython-399")
    assert set_up(checkout, installer)
    assert installer.calls == [True, True]


def test_moved_checkout_begins_anew(checkout, tmp_path_factory):
    installer = Installer()
    set_up(checkout, installer)
    moved = checkout.rename(tmp_path_factory.mktemp("elsewhere") / "moved")
    assert set_up(moved, installer)
    assert installer.calls == [True, True]


def test_lost_python_begins_anew(checkout):
    installer = Installer()
    set_up(checkout, installer)
    bootstrap.python_of(checkout / ".venv").unlink()
    assert set_up(checkout, installer)
    assert installer.calls == [True, True]


@pytest.mark.parametrize("error", [bootstrap.SetupError("pip failed"), KeyboardInterrupt(), OSError("disk full")])
def test_interrupted_set_up_is_repaired_by_the_next_call(checkout, error):
    with pytest.raises(type(error)):
        set_up(checkout, Installer(error))
    assert bootstrap.read_stamp(checkout / ".venv") == ""
    installer = Installer()
    assert set_up(checkout, installer)
    assert installer.calls == [True]


def test_interrupted_update_is_repaired_by_a_fresh_one(checkout):
    set_up(checkout, Installer())
    (checkout / "requirements.lock").write_text("# other\n")
    with pytest.raises(KeyboardInterrupt):
        set_up(checkout, Installer(KeyboardInterrupt()))
    (checkout / "requirements.lock").write_text("# empty\n")
    installer = Installer()
    assert set_up(checkout, installer)
    assert installer.calls == [True]


def test_half_written_or_foreign_stamp_counts_for_nothing(checkout):
    installer = Installer()
    set_up(checkout, installer)
    stamp = checkout / ".venv" / bootstrap.STAMP
    stamp.write_bytes(stamp.read_bytes()[:20])
    assert set_up(checkout, installer)
    stamp.write_bytes(b"\xff\xfe")
    assert set_up(checkout, installer)
    assert not set_up(checkout, installer)


@pytest.mark.skipif(os.name == "nt", reason="no flock on Windows")
def test_two_first_calls_at_once_install_once(checkout):
    installer = Installer()

    def slow(root, venv, fresh):
        time.sleep(0.1)
        installer(root, venv, fresh)

    threads = [threading.Thread(target=set_up, args=(checkout, slow)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert installer.calls == [True]


def test_files_are_told_apart_where_one_ends_and_the_next_begins(checkout):
    before = bootstrap.fingerprint(checkout)
    (checkout / "pyproject.toml").write_text('[project]\nname = "stand-in"\n# em')
    (checkout / "requirements.lock").write_text("pty\n")
    assert bootstrap.fingerprint(checkout) != before


# ---- how it installs


def steps_of_install(checkout, monkeypatch, fresh):
    steps = []
    monkeypatch.setattr(bootstrap, "call", lambda command, failure, environment: steps.append((command, environment)))
    monkeypatch.setenv("PYTHONPATH", "somewhere")
    bootstrap.install(checkout, checkout / ".venv", fresh)
    return steps


def test_install_checks_hashes_and_needs_no_compiler(checkout, monkeypatch):
    venv, lock, project = (command for command, _ in steps_of_install(checkout, monkeypatch, fresh=True))
    assert "--clear" in venv
    assert "--require-hashes" in lock
    assert lock[lock.index("--only-binary") + 1] == ":all:"
    assert {"--no-deps", "--no-build-isolation", "--editable"} <= set(project)


def test_update_keeps_the_environment(checkout, monkeypatch):
    steps = steps_of_install(checkout, monkeypatch, fresh=False)
    assert [command[3:5] for command, _ in steps] == [["pip", "install"]] * 2
    assert all("PYTHONPATH" not in environment for _, environment in steps)


def test_failing_step_is_one_line_and_a_status_of_its_own(checkout, monkeypatch, capsys):
    def fail(command, failure, environment):
        raise bootstrap.SetupError(failure)

    monkeypatch.setattr(bootstrap, "call", fail)
    assert bootstrap.main([], checkout) == 69
    told = capsys.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 2  # what was begun, what went wrong
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("command", [[sys.executable, "-c", "raise SystemExit(3)"], ["no-such-program-anywhere"]])
def test_step_that_fails_or_is_missing(command):
    with pytest.raises(bootstrap.SetupError, match="it went wrong"):
        bootstrap.call(command, "it went wrong", dict(os.environ))


def test_missing_lock_is_one_line_and_a_status_of_its_own(checkout, capsys):
    (checkout / "requirements.lock").unlink()
    assert bootstrap.main(["pytest"], checkout) == 69
    assert len(capsys.readouterr().err.splitlines()) == 1


# ---- systems and Pythons


def test_places_on_each_system():
    venv = Path("place")
    assert bootstrap.python_of(venv, "posix") == venv / "bin" / "python"
    assert bootstrap.python_of(venv, "nt") == venv / "Scripts" / "python.exe"


@pytest.mark.parametrize(("system", "path"), [("posix", "{}/bin:/usr/bin"), ("nt", "{}/Scripts;/usr/bin")])
def test_child_sees_an_activated_environment(system, path):
    venv = Path("place")
    caller = {"PATH": "/usr/bin", "HOME": "home", "PYTHONHOME": "wrong", "PYTHONPATH": "wrong"}
    child = bootstrap.child_environment(venv, caller, system)
    assert child.pop("PATH").replace("\\", "/") == path.format(venv)
    assert child == {"HOME": "home", "VIRTUAL_ENV": str(venv)}
    assert caller["PYTHONHOME"] == "wrong", "the caller's own variables are left alone"


def test_child_has_a_path_even_if_the_caller_has_none():
    assert bootstrap.child_environment(Path("place"), {})["PATH"].endswith(os.defpath)


@pytest.mark.parametrize("version", [(3, 7, 0), (3, 10, 99), (2, 7, 18)])
def test_older_python_is_refused_in_one_line(version, checkout, monkeypatch, capsys):
    with monkeypatch.context() as patch:
        patch.setattr(bootstrap.sys, "version_info", version)
        status = bootstrap.main(["pytest"], checkout)
    told = capsys.readouterr()
    assert status == 2
    assert told.out == ""
    assert re.fullmatch(r"bootstrap: .*needs Python 3\.11.*this is Python {}\.{}\n".format(*version[:2]), told.err)
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 2), (4, 0, 0)])
def test_newer_python_will_do(version):
    assert bootstrap.too_old(version) is None


def test_older_python_can_read_the_script_far_enough_to_refuse():
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 7))


# ---- what the caller gets, in real processes


@pytest.fixture
def stamped(checkout):
    """A checkout whose environment is ready: a call that says anything on stderr has tried to install."""
    set_up(checkout, Installer())
    return checkout


@pytest.mark.parametrize("status", [0, 1, 2, 77])
def test_exit_status_is_passed_on(stamped, status):
    done = call_script(stamped, sys.executable, "-c", f"raise SystemExit({status})")
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "")


def test_arguments_folder_and_variables_reach_the_command(stamped, tmp_path_factory):
    folder = tmp_path_factory.mktemp("caller")
    show = (
        "import os, sys; print(sys.argv[1:], os.getcwd(), os.environ['VIRTUAL_ENV'], os.environ.get('PYTHONPATH'), "
        "sep='|')"
    )
    done = call_script(stamped, sys.executable, "-c", show, "a b", "--help", "", folder=folder, PYTHONPATH="nowhere")
    assert done.stderr == ""
    assert done.stdout.rstrip("\n") == f"['a b', '--help', '']|{folder}|{stamped / '.venv'}|None"


def test_working_pythonhome_does_no_harm(stamped):
    done = call_script(
        stamped, sys.executable, "-c", "import os; print('PYTHONHOME' in os.environ)", PYTHONHOME=sys.base_prefix
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "False\n", "")


@pytest.mark.skipif(os.name == "nt", reason="a shell script as a program")
def test_program_of_the_environment_comes_first(stamped):
    program = bootstrap.programs_folder(stamped / ".venv") / "ls"
    program.write_text("#!/bin/sh\necho the locked one\n")
    program.chmod(0o755)
    assert call_script(stamped, "ls").stdout == "the locked one\n"


@pytest.mark.parametrize("command", ["no-such-command", "./no-such-file", "--no-such-option", ""])
def test_unknown_command_is_one_line_and_status_2(stamped, command):
    done = call_script(stamped, command)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("bootstrap: ")


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_file_that_is_no_program_is_one_line_and_status_2(stamped):
    done = call_script(stamped, "./pyproject.toml")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_no_command_says_what_to_type_next(stamped):
    done = call_script(stamped)
    assert (done.returncode, done.stderr) == (0, "")
    assert "chapterhouse --help" in done.stdout


def test_help_sets_nothing_up(checkout):
    done = call_script(checkout, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "scripts/bootstrap.py pytest" in done.stdout
    assert not (checkout / ".venv").exists()


# ---- the lock that it installs


def pins():
    """The lock as {name: (version, number of hashes)}."""
    found = {}
    for entry in re.split(r"\n(?=[a-z0-9])", (ROOT / "requirements.lock").read_text(encoding="utf-8")):
        match = re.match(r"([a-z0-9._-]+)==(\S+)", entry)
        if match:
            found[canonicalize_name(match[1])] = (match[2], entry.count("--hash=sha256:"))
    return found


def wanted():
    """What pyproject.toml asks for: to run, to build, to develop."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    texts = (
        project["project"]["dependencies"] + project["build-system"]["requires"] + project["dependency-groups"]["dev"]
    )
    return [Requirement(text) for text in texts]


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_lock_satisfies_pyproject(requirement):
    version, _ = pins()[canonicalize_name(requirement.name)]
    assert requirement.specifier.contains(version)


def test_every_pin_has_hashes():
    assert min(hashes for _, hashes in pins().values()) > 0


def test_lock_names_no_address_and_no_place():
    assert not re.search(
        r"://|--index|--find-links|(^|\s)/\w", (ROOT / "requirements.lock").read_text(encoding="utf-8")
    )
