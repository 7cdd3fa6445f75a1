"""What a user types for a strategy: `greedy`, `greedy,pip=2`, `mine.py,unproved`, `rollout:mine.py@100`.

Spaces beside a comma or an equals sign mean nothing. A path may have commas, colons and at signs in it: one that is
there wins over what they mean elsewhere.
"""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path

from sim import registry
from strategies._weights_file import POLICY

HERE = Path(__file__).parent
home = registry.strategies_home
EQUALS = re.compile(r"\s*=\s*")
PYTHON, WEIGHTS = ".py", ".toml"
NETWORK = "network"  # the policy that tries each option and asks a network
RANDOM, GREEDY = "random_legal", "greedy"  # the generic strategies
SCORE = "score"  # the field of a state that the second looks at
UNPROVED = "unproved"  # the setting of a file that plays without being proved


@cache
def thinkers() -> list[str]:
    """Return the names of the thinkers."""
    return sorted(path.stem for path in HERE.glob("[!_]*.py") if path.stem != "catalog")


def written(game: str) -> list[str]:
    """Return the names of the strategies that somebody wrote for a game, sorted: its policies, and files of weights."""
    files = (path for ending in ("py", "toml") for path in home(game).glob(f"[!_]*.{ending}"))
    played = f"{POLICY}.py", f"{NETWORK}.py"  # which play what a file says
    stems = {path.stem for path in files if path.name not in played}
    return sorted(stems | set(registry.in_file(game)))


def names(game: str) -> list[str]:
    """Return the names of all strategies with which a game can be played, sorted: those written for it, and generic
    ones in the place of those that are missing."""
    return sorted({*written(game), *generic(game)})


def has_players(game: str) -> bool:
    """Return whether somebody wrote a strategy for a game that does more than choose at random, as for all of ours."""
    return not registry.is_guest(game) or bool(set(written(game)) - {RANDOM})


def generic(game: str) -> list[str]:
    """Return the strategies of `strategies/generic` that play a game: at random, if it has no such strategy, and what
    looks at its score, if nobody wrote a player for it."""
    return [RANDOM] * (RANDOM not in written(game)) + [GREEDY] * (not has_players(game) and _has_score(game))


def _has_score(game: str) -> bool:
    """Return whether the state of a game has a score for each seat."""
    state, seats = (getattr(registry.module(game, "state"), name) for name in ("STATE", "SEATS"))
    return SCORE in state.names and state[SCORE].shape == (seats,)


def suffix(name: str) -> str:
    """Return the ending of a file of Python or of weights, in small letters; "" for anything else."""
    ending = Path(name).suffix.lower()
    return ending if ending in (PYTHON, WEIGHTS) else ""


def settings(text: str) -> tuple[str, list[str]]:
    """Return the thinker, name and budget as one text, and the settings that follow, each after a comma; spaces beside
    it are no part."""
    pieces = text.split(",")
    heads = [",".join(pieces[:i]) for i in range(len(pieces), 0, -1)]
    files = [
        (head, name)
        for head in heads
        for _, name, budget in [thinking(head)]
        if suffix(name) and "," not in (budget or "")
    ]
    there = [head for head, name in files if _exists(name)]
    head = there[0] if there else files[-1][0] if files else pieces[0]
    others = [EQUALS.sub("=", piece.strip()) for piece in pieces[head.count(",") + 1 :]]
    return head if head in there else head.strip(), others


def tidy(text: str) -> str:
    """Return what is typed for the same strategy without spaces beside commas and equals signs: the name by which it is
    known."""
    head, others = settings(text)
    return ",".join([head, *others])


def thinking(text: str) -> tuple[str, str, str | None]:
    """Return thinker ("" for none), name and budget (None for none) of a text without settings."""
    thinker, colon, name = text.partition(":")
    if not colon or thinker not in thinkers() or _exists(text):
        return "", text, None
    head, at, budget = name.rpartition("@")
    return (thinker, head, budget) if at and not _exists(name) else (thinker, name, None)


def _exists(name: str) -> bool:
    with suppress(OSError, ValueError):  # a NUL in the name
        return bool(suffix(name)) and Path(name).exists()
    return False


def without_proof(text: str) -> str:
    """Return what is typed for the same strategy without its being proved; only files of Python are."""
    head, others = settings(text)
    file = suffix(thinking(head)[1]) == PYTHON
    return f"{text},{UNPROVED}" if file and UNPROVED not in others else tidy(text)


def marked_unproved(name: str) -> bool:
    """Return whether the name of a strategy says that it is played without being proved; it may end in its number at
    the table."""
    return UNPROVED in settings(name.split(" #")[0])[1]
