"""Whether a game treats all seats alike: what turns with the seats, and what does not; with the JIT off.

A table is turned by one seat: what stood in an entry of a seat stands in the next one's, and fields that hold the
number of a seat hold the next one. Then the same choices must lead to the same end, turned.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from analyses.prove.case import BrokenOffError, ProvedGame, Walk, first_difference, twin
from analyses.prove.finding import Fault, few
from sim.contract import STATE_FIELDS, records
from sim.replay import Session

GAMES = 6  # of each table
MOST_FIELDS = 6  # that may hold the number of a seat: all choices among them are tried

Unturned = tuple[int, str, str, int]  # what doesn't turn with a table: decision, words, field, number of the game


class Reader:
    """A record that notes which of its fields are read."""

    def __init__(self, record: Any, read: set[str]):
        object.__setattr__(self, "_record", record)
        object.__setattr__(self, "_read", read)

    def __getattr__(self, name: str) -> Any:
        self._read.add(name)
        return getattr(self._record, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._record, name, value)


def counting(case: ProvedGame) -> Iterator[Fault]:
    """Seats that stand alike at the end get the same score and share, unless another field tells them apart."""
    for players, names in case.tables:
        for number in range(GAMES if players > 1 else 0):
            walk = Walk(case, case.study(players, *names), number)
            case.count("games step by step")
            try:
                walk.to_the_end()
            except BrokenOffError:
                continue
            if finding := _unlike(walk):
                yield finding
                return


def _unlike(walk: Walk) -> Fault | None:
    """Return where `tally` gives other results to seats that stand alike; None if nowhere."""
    case, players = walk.case, walk.study.players
    pairs = [(one, other) for one in range(players) for other in range(players) if one != other]
    for (one, other), world in zip(pairs, alike(walk)):
        read = set[str]()
        outcome = _tallied(walk, Reader(world[0], read))
        if outcome is None:
            continue
        case.count("ends with seats that stand alike")
        field = next((name for name in ("score", "share") if outcome[name][0, one] != outcome[name][0, other]), "")
        if not field or _explained(walk, world, outcome, one, other, read):
            continue
        values = outcome[field][0, [one, other]].tolist()
        found = f"seats {one + 1} and {other + 1} stand alike at the end, and get {field} {values[0]} and {values[1]}"
        allowed = "the same, unless a field of the state tells them apart (who began, an order of play)"
        return walk.fail("seats", found, allowed, f"outcome.{field}").finding
    return None


def _explained(walk: Walk, world: Any, outcome: Any, one: int, other: int, read: set[str]) -> bool:
    """Return whether results change places when a field does that holds seats; or whether that can't be known."""
    names = sorted(read - set(by_seat(walk.game)) - set(STATE_FIELDS) | {"player"} & read)
    candidates = [name for name in names if world[name].dtype.kind in "iu"]
    for size in range(1, 3):
        for chosen in combinations(candidates, size):
            swapped = twin(world)
            for name in chosen:
                values = swapped[name]
                ones, others = values == one, values == other
                values[ones], values[others] = other, one
            again = _tallied(walk, swapped[0])
            if again is not None and all(
                again[name][0, one] == outcome[name][0, other] and again[name][0, other] == outcome[name][0, one]
                for name in ("score", "share")
            ):
                fields = " and ".join(f"state.{name}" for name in chosen)
                walk.case.leave(f"whether seats that stand alike come out alike: {fields} tells them apart")
                return True
    packed = [f"state.{name}" for name in names if world[name].ndim > 1 or world.dtype[name].base.names]
    if packed:
        walk.case.leave(f"whether seats that stand alike come out alike: {few(packed)} may hold seats too")
    return bool(packed)


def _tallied(walk: Walk, state: Any) -> Any:
    """Return the outcome of a position, None if it can't be counted."""
    outcome = records(walk.outcome.dtype, 1)
    outcome["person"] = walk.outcome["person"]
    try:
        walk.game.tally(walk.components[0], state, outcome[0])
    except Exception:  # no game may ever come there
        return None
    return outcome


def turning(case: ProvedGame) -> Iterator[Fault]:
    """A table that is turned by one seat comes to the same end, turned, by the same choices; with each reading too."""
    fields = _fields(case.game)
    known = {*by_seat(case.game), "person", *STATE_FIELDS, *fields}
    unsure = [name for name in case.game.dtypes[1].names if name not in known]
    unsure = [f"state.{name}" for name in unsure or (fields if len(fields) > MOST_FIELDS else [])]
    for study, changes in case.studies(changes=not unsure):
        players = study.players
        games = [_choices(case, players, number, changes) for number in range(GAMES if players > 1 else 0)]
        plays = [play for play in games if play is not None]
        if not plays:
            continue
        worst = _unturned(case, players, plays, () if unsure else fields, changes)
        if worst is None:
            case.count("games turned by one seat", len(plays))
        elif unsure:
            case.leave(
                f"whether the rules favour a seat by mistake (we can't turn the table by one seat, as {few(unsure)} "
                "may hold seats): look yourself at ties, sorts and loops over seats"
            )
        else:
            made, found, field, number = worst
            walk = Walk(case, case.study(players, changes=changes), number, changes=changes)
            walk.decisions = made
            allowed = "rules that treat all seats alike, but for what the fields of the state say"
            yield walk.fail("seats", found, allowed, field).finding
            return


def _unturned(
    case: ProvedGame, players: int, plays: Any, fields: Sequence[str], changes: Sequence[str]
) -> Unturned | None:
    """Return what doesn't turn with the table, as `_worst` does, where the fields that hold seats are chosen so that it
    comes latest; None if with some choice of them all turns."""
    latest: Unturned | None = None
    for size in range(len(fields) + 1):
        for chosen in combinations(fields, size):
            worst = _worst(case, players, plays, ("player", *chosen), changes)
            if worst is None:
                return None
            supposed = worst[2].rpartition(".")[2] in chosen  # then it was not the number of a seat
            if not supposed and (latest is None or worst[0] > latest[0]):
                latest = worst
    return latest


def _fields(game: Any) -> list[str]:
    """Return the game's own fields of a state that may hold the number of a seat: those of one whole number, and arrays
    that are hidden (a deck), in which nobody packs what all players see."""
    dtype, hidden = game.dtypes[1], set.intersection(*map(set, game.hidden.values())) - set(by_seat(game))
    return [
        name
        for name in dtype.names
        if name not in STATE_FIELDS and dtype[name].base.kind in "iu" and (dtype[name].shape == () or name in hidden)
    ]


def _choices(
    case: ProvedGame, players: int, number: int, changes: Sequence[str]
) -> tuple[int, list[int], list[Any], Any] | None:
    """Play a game by chance; return its number, the choices, the positions, the last one too, and the outcome; None if
    it breaks off."""
    chosen, seen = list[int](), list[Any]()

    def note(walk: Walk, n: int) -> int:
        chosen.append(walk.ask())
        seen.append(twin(walk.states))
        return chosen[-1]

    try:
        walk = Walk(case, case.study(players, changes=changes), number, changes=changes).to_the_end(note)
    except BrokenOffError:
        return None
    case.count("games step by step")
    return number, chosen, [*seen, twin(walk.states)], twin(walk.outcome)


def _worst(
    case: ProvedGame, players: int, plays: Any, seats: tuple[str, ...], changes: Sequence[str]
) -> Unturned | None:
    """Return the first thing that doesn't turn with the table; None if all does."""
    for number, chosen, seen, outcome in plays:
        walk = Walk(case, case.study(players, changes=changes), number, changes=changes)

        def differs(at: int, walk: Walk = walk, seen: Any = seen) -> str:
            wanted = twin(seen[at])
            _turn(wanted, wanted, players, case.game, seats)
            return first_difference(wanted, walk.states)

        _turn(walk.states, walk.states, players, case.game, seats)
        made = -1
        try:
            for made, n in enumerate(walk.positions()):
                if made >= len(chosen):
                    return made, "turned by one seat, a game goes on longer", "", number
                if field := differs(made):
                    found = f"turned by one seat, a game goes on otherwise: state.{field} differs"
                    return made, found, f"state.{field}", number
                if chosen[made] >= n:
                    return made, f"turned by one seat, a game offers {n} options, not more", "", number
                walk.choose(chosen[made])
        except BrokenOffError as error:
            return made, error.finding.found, "", number
        if made + 1 == len(chosen) and (field := differs(-1)):
            return (
                made + 1,
                f"turned by one seat, a game ends otherwise: state.{field} differs",
                f"state.{field}",
                number,
            )
        for name in ("score", "share"):
            if np.roll(outcome[name][0, :players], 1).tolist() != walk.outcome[name][0, :players].tolist():
                found = f"turned by one seat, a game ends with {name} {walk.outcome[name][0, :players].tolist()}"
                found += f", not {np.roll(outcome[name][0, :players], 1).tolist()}"
                return made + 1, found, f"outcome.{name}", number
    return None


def _turn(states: Any, to: Any, players: int, game: Any, seats: tuple[str, ...]) -> None:
    """Turn a table by one seat, in place."""
    for name in (*by_seat(game), "person"):
        to[name][0, :players] = np.roll(states[name][0, :players], 1, axis=0).copy()
    for name in seats:
        values = states[name]
        to[name] = np.where((values >= 0) & (values < players), (values + 1) % players, values)


def setting_up(case: ProvedGame) -> Iterator[Fault]:
    """Say which fields are not the same for all seats after the set-up: then they don't start alike."""
    found = dict[str, None]()
    for players in (players for players in case.game.players if players > 1):
        with np.errstate(over="ignore"):
            sessions = [Session(case.study(players), block * players, stepping=False) for block in range(8)]
        for name in by_seat(case.game):
            starts = {tuple(session.states[name][0, seat].tobytes() for seat in range(players)) for session in sessions}
            if len(starts) == 1 and len(set(starts.pop())) > 1:
                found[f"state.{name}"] = None
    if found:
        case.leave(
            f"whether all seats are worth the same, as they start with different {few([*found])} "
            "(`chapterhouse seats` measures that)"
        )
    yield from ()


CHECKS = (counting, turning, setting_up)


def alike(walk: Walk) -> Iterator[Any]:
    """Yield copies of a position in which a seat stands as another one, for each two seats."""
    fields = by_seat(walk.game)
    for one in range(walk.study.players):
        for other in range(walk.study.players):
            if one != other:
                world = twin(walk.states)
                for name in fields:
                    world[name][0, other] = world[name][0, one]
                yield world


def by_seat(game: Any) -> list[str]:
    """Return the fields of a state that have an entry for each seat, but for who sits there."""
    dtype = game.dtypes[1]
    return [name for name in dtype.names if dtype[name].shape[:1] == (game.seats,) and name != "person"]
