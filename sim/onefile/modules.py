"""A game in one file → the modules that a game of many files has, so that nobody else need know the difference."""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from numba import njit

from sim.contract import OPTION_FIELD, ChanceSource, Course, Game, Signatures, outcome_dtype, state_dtype
from sim.guests import ONE, Guest
from sim.onefile import texts
from sim.onefile.read import File, read
from sim.onefile.rules import UNTOLD, entries
from sim.onefile.words import describe_names
from sim.printed.record import record_of

_files: dict[str, File] = {}  # by the name of the game


def file_of(guest: Guest) -> File:
    """Return what the file of a game holds; it is run when it is first asked for.

    Raises:
        GameError: something is wrong with it.
    """
    # which imports the package first, and that one asks for the file too
    module = import_module(f"..{guest.name}.{ONE.removesuffix('.py')}", __package__)
    if guest.name not in _files:
        _files[guest.name] = read(module, guest.text(ONE) or "", guest.place(ONE), guest.shown)
        _compile(module)
    return _files[guest.name]


def has_module(guest: Guest, stem: str) -> bool:
    """Return whether a game in one file has a module of this name; see `names_in`."""
    _, strategies, name = stem.rpartition(f"{STRATEGIES}.")
    return stem in MODULES or bool(strategies and name in file_of(guest).strategies)


def names_in(file: File, name: str, stem: str, source: Path) -> dict[str, Any]:
    """Return what a module of a game holds.

    Args:
        file: what was read. name: of the game. stem: of the module, as "turns" or "words.describe"; "" for the package.
        source: the folder with the file.
    """
    if stem == "turns":
        return {"GAME": _game(file, name, source)}
    return MODULES[stem](file) if stem in MODULES else _strategy(file.strategies[stem.removeprefix(f"{STRATEGIES}.")])


def file_texts(file: File) -> dict[str, str]:
    """Return the texts that a game of many files keeps in files, by their names."""
    found = {"components.toml": texts.components(file.model), "meanings.toml": texts.meanings(file.model)}
    return found | ({} if file.given["LEVERS"] is None else {"levers.toml": texts.levers(file.given["LEVERS"])})


def _package(file: File) -> dict[str, Any]:
    return {
        "TITLE": file.title, "PLAYERS": file.players, "DEFAULT_PLAYERS": file.usual_players, "__doc__": file.about,
    }  # fmt: skip


def _strategies(file: File) -> dict[str, Any]:
    """Return what the package of the strategies holds: they stand in the file from the weakest to the strongest."""
    names = tuple(file.strategies)
    return {"DEFAULT": names[-1], "LEVELS": names, "LADDER": ("random_legal", *names)} if names else {}


def _strategy(choose: Any) -> dict[str, Any]:
    return {"choose": choose, "WEIGHTS": choose.weights, "__doc__": choose.__doc__}


def _state(file: File) -> dict[str, Any]:
    """Return what a module `state` holds."""
    fields = [(field, np.int64, shape) for field, shape in file.fields.items()]
    numbers, categories = file.given["NUMBERS"], file.given["CATEGORIES"]
    return {
        "SEATS": file.seats,
        "MOST_OPTIONS": file.most_options,
        "NUMBERS": numbers,
        "CATEGORIES": categories,
        "STATE": state_dtype(file.seats, *fields, (UNTOLD, np.int64)),
        "OPTION": np.dtype([(field, np.int64) for field in (*file.options, OPTION_FIELD)], align=True),
        "OUTCOME": outcome_dtype(file.seats, numbers, categories),
    }


def _compile(module: ModuleType) -> None:
    """Have numba compile the functions of a file where its rules and strategies call them; authors never say so."""
    for name, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            setattr(module, name, njit(value))


def _game(file: File, name: str, source: Path) -> Game:
    """Return the game; its rules are compiled."""
    given, state = file.given, SimpleNamespace(**_state(file))
    signatures = Signatures(record_of(file.model), state.STATE, state.OPTION, state.OUTCOME)
    set_up, advance, apply, imagine, tally = entries(file.rules, signatures, source, len(state.CATEGORIES))
    headings = {prefix: _words(prefix) for number in given["NUMBERS"] if (prefix := number.partition(".")[0])}
    return Game(
        name=name, title=file.title, version=file.version, players=file.players, seats=state.SEATS,
        dtypes=signatures.dtypes, signatures=signatures,
        most_options=state.MOST_OPTIONS, asks=given["DECISIONS"], set_up=set_up, advance=advance, apply=apply,
        imagine=imagine, tally=tally, numbers=state.NUMBERS, categories=state.CATEGORIES, folder=source,
        things=given["THINGS"], places=given["PLACES"], headings=headings | given["HEADINGS"], titles=given["TITLES"],
        phases=given["PHASES"], hidden={"": given["HIDDEN"]}, course=Course(given["ROUNDS"]),
        **_chance(given["CHANCE"]),
    )  # fmt: skip


def _chance(given: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    """Return the sources of chance; none where the file names none."""
    sources = (ChanceSource(re.sub(r"[^a-z0-9]+", "_", words.lower()), words, (ends,)) for words, ends in given.items())
    return {"chance": tuple(sources)} if given else {}


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


STRATEGIES = "strategies"
# Module of a game of many files → what it holds; `turns` is made in `names_in`.
MODULES: dict[str, Callable[[File], dict[str, Any]]] = {
    "": _package,
    "components": lambda file: {"Model": file.model},
    "state": _state,
    "turns": lambda file: {},
    "words": lambda file: {},
    "words.describe": describe_names,
    STRATEGIES: _strategies,
}
