"""Games from elsewhere: a folder that holds a game, taken in under a name that no other game has.

    ./mygame ─► its files, as they are now ─► mygame_1a2b3c4d5e6f ─► sim.mygame_1a2b3c4d5e6f, to be imported

The name ends in a digest of the files. So no two games share one, a game that somebody has edited is a new game, and
whoever is sent the files gives them the same name. People never see it: they see what they typed, and the folder's
name. Whatever a file raises when it is imported becomes one line (`sim.faults`). To import a game is to run its code.
"""

import hashlib
import io
import os
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.abc import Loader
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

from sim.faults import GameError, raised, unread
from sim.given import files_below, given_bytes
from sim.given_code import code, silent
from sim.legible import one_line

MAIN, ONE = "turns.py", "game.py"  # a folder that holds the first is a game of many files, else the second is one
MARK = 12  # letters of the digest in a name
NAME = re.compile(rf"{re.escape(__package__)}\.(\w*_[0-9a-f]{{{MARK}}})(?:\.([\w.]+))?", re.ASCII)  # of a module
MOST_FILES, MOST_BYTES = 1_000, 20_000_000  # of a game


@dataclass(frozen=True)
class Guest:
    """A game from elsewhere.

    Attributes:
        name: of the game, for us. typed: what people type for it. given: where that leads. folder: where its files are
            imported from. files: name below the folder → contents, as they were when we took it in.
    """

    name: str
    typed: str
    given: Path
    folder: Path
    files: Mapping[str, bytes] = field(repr=False)

    @property
    def shown(self) -> str:
        """What people call it."""
        return self.given.name

    @property
    def in_one_file(self) -> bool:
        """Whether one file holds all of it (`sim.onefile`)."""
        return MAIN not in self.files

    @property
    def where(self) -> str:
        """What `sim.trusted` calls it."""
        return self.shown

    @property
    def source(self) -> str:
        """The digest of its files."""
        return digest(self.files)

    def text(self, file: str) -> str | None:
        """Return the text of one of its files, also of those that a game in one file does without; None if there is
        none of this name.

        Raises:
            GameError: it is no text.
        """
        if file not in self.files and self.in_one_file:
            from sim.onefile.modules import file_of, file_texts

            return file_texts(file_of(self)).get(file)
        if file not in self.files:
            return None
        try:
            return self.files[file].decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
        except ValueError as error:
            raise GameError(unread(error, self.place(file))) from None

    def place(self, file: str) -> str:
        """Return what a file is called in messages: where its reader finds it, or what stands in its stead."""
        if is_file(self.typed):
            return self.typed
        return f"{self._typed_folder}{ONE if self.in_one_file and file not in self.files else file}"

    @property
    def _typed_folder(self) -> str:
        """What stands before the name of a file in messages; nothing if people type the file itself."""
        return "" if is_file(self.typed) else f"{self.typed.rstrip('/' + os.sep)}/"

    def raised(self, error: BaseException, file: str) -> str:
        """Return in one line what one of its files has raised when it was imported."""
        texts = {str(self.folder / name): data.decode("utf-8-sig", "replace") for name, data in self.files.items()}
        folder = f"{self.folder}{os.sep}"
        line = raised(error, texts, lambda path: self.place(path.removeprefix(folder)), str(self.folder / file))
        return one_line(line.replace(folder, self._typed_folder).replace(f"{__package__}.{self.name}", self.shown))


guests: dict[str, Guest] = {}  # that this process has taken in, by name


def digest(files: Mapping[str, bytes]) -> str:
    """Return a digest of the names and texts of some files, the same whatever their ends of lines."""
    made = hashlib.sha256()
    for name, data in sorted(files.items()):
        made.update(name.encode(errors="surrogateescape") + b"\0" + data.replace(b"\r\n", b"\n") + b"\0")
    return made.hexdigest()[:16]


def is_file(typed: str) -> bool:
    """Return whether people type a file for a game, and not a folder."""
    return typed.endswith(".py")


def adopt(path: Path, typed: str) -> str:
    """Take in a game from a folder or a file, and return its name; nothing is imported yet.

    Args:
        path: the folder with its files, or the one file. typed: what people type for it.

    Raises:
        GameError: this is no game, or we can't read it.
    """
    files = _read(path, typed)
    given = folder = path.resolve().with_suffix("") if is_file(typed) else path.resolve()
    name = f"{re.sub(r'[^0-9a-z]+', '_', folder.name.lower())}_{digest(files)[:MARK]}"
    known = guests.get(name)
    if known is not None:
        folder = known.folder
    elif is_file(typed) or any(guest.folder == folder for guest in guests.values()):
        # Beside a file lies who knows what. Or somebody has edited the game meanwhile, and what was made from the
        # earlier files goes by their path.
        folder = _laid_out(name, folder.parent.name, folder.name, files)
    _take_in(Guest(name, typed, given, folder, files))
    return name


def _read(folder: Path, typed: str) -> dict[str, bytes]:
    """Return the files of a game in a folder, or its one file."""
    found: dict[str, bytes] = {}
    try:
        if is_file(typed) and not folder.is_dir():
            return {ONE: given_bytes(folder, MOST_BYTES)}
        if not folder.is_dir():
            _refuse(typed, "no folder" if folder.exists() else "no such folder")
        if not (folder / MAIN).is_file() and not (folder / ONE).is_file():
            _refuse(typed, f"a folder without {ONE} or {MAIN}")
        size = 0
        for name, path in files_below(folder):
            found[name] = given_bytes(path, MOST_BYTES)
            size += len(found[name])
            if len(found) > MOST_FILES or size > MOST_BYTES:
                _refuse(
                    typed, f"a folder with more than {MOST_FILES:,} files, or {MOST_BYTES:,} bytes, of Python and TOML"
                )
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        _refuse(typed, str(getattr(error, "strerror", None) or error).lower().splitlines()[0])
    return found


def _refuse(typed: str, found: str) -> NoReturn:
    allowed = f"the folder of a game, which holds {ONE} or {MAIN}, or a game in a file that ends in .py"
    raise GameError(f"GAME: found {typed!r} ({found}); allowed {allowed}")


def _laid_out(name: str, above: str, own: str, files: Mapping[str, bytes]) -> Path:
    """Return a folder of ours with some files in it: written whole, or there already."""
    from sim.code_files import base

    home = base() / "games" / name / (above or "_")  # the same names above a file as where it comes from
    folder = home / own
    if folder.is_dir():  # else leave it alone: another process may be putting it there
        with suppress(OSError):
            if {name: path.read_bytes() for name, path in files_below(folder)} == files:
                return folder
        shutil.rmtree(folder, ignore_errors=True)  # somebody has changed it
    try:
        home.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(dir=home))
    except OSError:  # then in a folder that no other process finds
        folder = draft = Path(tempfile.mkdtemp(prefix="chapterhouse-"), above or "_", own)
    for file, data in files.items():
        path = draft / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if draft != folder:
        try:
            draft.replace(folder)
        except OSError:  # another process has been faster
            shutil.rmtree(draft, ignore_errors=True)
    return folder


def _take_in(guest: Guest) -> None:
    guests[guest.name] = guest
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)  # before the one that would find the same files


# --- imports ----------------------------------------------------------------------------------------------------------


class _Source(SourceFileLoader):
    """Runs a file of a guest as it was taken in; no compiled file is kept that could be older."""

    def __init__(self, fullname: str, guest: Guest, file: str):
        super().__init__(fullname, str(guest.folder / file))
        self.guest, self.file = guest, file

    def get_code(self, fullname: str) -> CodeType:
        try:
            return code(self.guest.text(self.file) or "", self.path)
        except (SyntaxError, ValueError) as error:
            raise GameError(unread(error, self.guest.place(self.file))) from None

    def exec_module(self, module: ModuleType) -> None:
        try:
            with silent():
                super().exec_module(module)
        except (KeyboardInterrupt, GameError):
            raise
        except BaseException as error:  # sys.exit() too
            raise GameError(self.guest.raised(error, self.file)) from None


class _Unfolded(Loader):
    """Makes a module of a game in one file, as a game of many files has it."""

    def __init__(self, guest: Guest, stem: str):
        self.guest, self.stem = guest, stem

    def exec_module(self, module: ModuleType) -> None:
        from sim.onefile.modules import file_of, names_in

        file = file_of(self.guest)
        try:
            module.__dict__.update(names_in(file, self.guest.name, self.stem, self.guest.folder))
        except (KeyboardInterrupt, GameError):
            raise
        except Exception as error:
            raise GameError(self.guest.raised(error, ONE)) from None


class _Nothing(Loader):
    """Makes a module with nothing in it."""

    def exec_module(self, module: ModuleType) -> None:
        pass


class _Finder:
    """Finds the modules of guests (PEP 302)."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return how to import a module; None if it is none of a guest's."""
        if not (named := NAME.fullmatch(fullname)):
            return None
        above, rest = named.groups()
        guest = guests.get(above)
        if guest is None:  # numba names the module in which it made machine code: of other files of the same game
            return ModuleSpec(fullname, _Nothing(), is_package=True)
        stem = (rest or "").replace(".", "/")
        for file in (f"{stem}.py", f"{stem}/__init__.py".removeprefix("/")):
            if file in guest.files:
                found = ModuleSpec(fullname, _Source(fullname, guest, file), origin=str(guest.folder / file))
                found.has_location = True
                if file.endswith("__init__.py"):
                    found.submodule_search_locations = [str((guest.folder / file).parent)]
                return found
        if guest.in_one_file:
            from sim.onefile.modules import has_module

            if has_module(guest, rest or ""):
                return ModuleSpec(fullname, _Unfolded(guest, rest or ""), is_package=True)
        if not stem or any(file.startswith(f"{stem}/") for file in guest.files):
            return ModuleSpec(fullname, _Nothing(), is_package=True)
        return None


# --- other processes --------------------------------------------------------------------------------------------------


def packed(value: bytes) -> bytes:
    """Return something pickled for another process, together with the guests that it names; `opened` opens it."""
    named = [guest for name, guest in guests.items() if name.encode() in value]
    return pickle.dumps(([(g.name, g.typed, str(g.given), dict(g.files)) for g in named], value))


def opened(parcel: bytes) -> Any:
    """Return what `packed` was given, unpickled; its guests are taken in.

    Where their folder is here, with the same files, they are played from it, else from a copy of ours.
    """
    return opened_from(io.BytesIO(parcel))


def opened_from(stream: Any) -> Any:
    """Return what `packed` made, from a stream; see `opened`."""
    sent, value = pickle.load(stream)
    for name, typed, place, files in sent:
        if name not in guests:
            folder = Path(place)
            with suppress(GameError):
                if _read(folder, typed) == files:
                    _take_in(Guest(name, typed, folder, folder, files))
                    continue
            _take_in(Guest(name, typed, folder, _laid_out(name, folder.parent.name, folder.name, files), files))
    return pickle.loads(value)
