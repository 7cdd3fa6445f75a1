"""Checks that change the components: numbers and switches that move nothing, values that the game can't be played with,
counts that never count."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from analyses.prove.case import SEED, BrokenOffError, ProvedGame, Walk, game_of, replaced, twin, where_told
from analyses.prove.finding import Fault, few
from sim.dealing import Deal
from sim.play import EVERY
from sim.printed.components import Components
from sim.printed.model import ComponentsError, limits
from sim.runner import StrategyError, Study

Change = Mapping[str, Any]  # path → value

GAMES = 120  # of chance alone with each number of players, for each value
MANY = 2_000  # where so few are not enough
FAR = 12  # with each number of players, with a number at its end
MOST_LIKE = 12  # numbers that one is exchanged with, where it can't be changed alone
LED = 4  # of each table, for a number that chance alone does not reach
DEALT = 60  # blocks in which chance deals a kind of thing


def numbers(case: ProvedGame) -> Iterator[Fault]:
    """Each number moves some outcome when it takes another value that it may take, and the game still ends."""
    left = {path: others(case.printed, path) for path, n in case.printed.numbers.items() if isinstance(n.value, int)}
    case.count("numbers", len(left))
    if fixed := [path for path, choices in left.items() if not choices]:
        case.leave(f"numbers that may take no other value ({few(fixed)})")
    left = {path: choices for path, choices in left.items() if choices}
    worlds = [((), GAMES), ((), MANY), *(((change,), GAMES * 4) for change in case.readings)]
    for changes, games in worlds:
        if left:
            try:
                usual = RandomGames(case, case.components(changes), changes, games)
            except BrokenOffError as error:
                yield error.finding
                continue
            for path in list(left):
                try:
                    if usual.moved_by(left[path]):
                        del left[path]
                except BrokenOffError as error:
                    yield error.finding.at(where_told(case, path))
                    del left[path]
    for path, choices in left.items():
        changed = [printed for change in choices if (printed := replaced(case.printed, change))]
        if not (_beside(case, path, choices) or _led(case, changed) or _dealt(case, changed)):
            tried = ", ".join(dict.fromkeys(str(change[path]) for change in choices))
            found = f"{path} moves no outcome: tried {tried}"
            finding = Fault("dead numbers", found, "a number that some game depends on")
            yield finding.at(where_told(case, path))


def others(printed: Components, path: str) -> list[Change]:
    """Return the changes of a number that the components admit: the values that lie farthest from its own, those beside
    it; where there are none below or above, an exchange with a number of the same name. A text has none."""
    number, allowed = printed.numbers[path], limits(type(printed.model), tuple(path.split(".")))
    if not isinstance(number.value, int):
        return []
    own, far = number.value, (allowed.get("minimum"), allowed.get("maximum"), number.low, number.high)
    values = dict.fromkeys(v for v in (*far, own - 1, own + 1) if v not in (None, own))
    found: list[Change] = [{path: value} for value in values if replaced(printed, {path: value}) is not None]
    if len(found) < len(values):  # it goes with others, which it may change places with
        first, last = path.split(".")[0], path.split(".")[-1]
        alike = [
            other for other, n in printed.numbers.items()
            if not last.isdigit() and other.startswith(f"{first}.") and other.endswith(f".{last}") and n.value != own
        ]  # fmt: skip
        swaps = ({path: printed.numbers[other].value, other: own} for other in alike[:MOST_LIKE])
        found += [change for change in swaps if replaced(printed, change) is not None][:1]
    return found


def ends(printed: Components, below: str = "") -> Iterator[Change]:
    """Yield the changes that take a number as far as it may go, at most two of each; below: how its path begins."""
    for path in printed.numbers:
        if path.startswith(below):
            yield from others(printed, path)[:2]


def at_their_ends(case: ProvedGame) -> Iterator[Fault]:
    """With each number at each of its ends, games still end, and no index leaves its array."""
    for change in ends(case.printed):
        words = typed(change)
        for players in case.game.players:
            study = case.study(players, changes=words)
            try:
                case.play(study, FAR // players * players, words)
            except StrategyError as error:
                allowed = "a game that can be played, or limits for this number that keep it from such values"
                yield Fault("limits", str(error), allowed, game=game_of(study, 0, words))
                break


class RandomGames:
    """Games of chance alone under some components, with each number of players; the same again under others."""

    def __init__(self, case: ProvedGame, printed: Components, changes: tuple[str, ...], games: int = GAMES):
        """Play them; changes: what makes these components of the printed ones, for people.

        Raises:
            BrokenOffError: a game does not end.
        """
        self.case, self.printed, self.changes, self.games = case, printed, changes, games
        self._played = {players: self._play(printed, players, changes) for players in reversed(case.game.players)}

    def _play(self, printed: Components, players: int, changes: tuple[str, ...]) -> tuple[bytes, int]:
        study = Study(self.case.name, players, self.case.study(players).entrants, printed.record, SEED)
        try:
            outcomes, decisions = self.case.play(study, self.games // players * players, changes)
        except StrategyError as error:
            raise BrokenOffError(Fault("games end", str(error), game=game_of(study, 0, changes))) from None
        return hashlib.sha256(outcomes.view(np.uint8)).digest(), decisions

    def moved(self, printed: Components, changes: tuple[str, ...]) -> bool:
        """Return whether any outcome is another with these components.

        Raises:
            BrokenOffError: a game does not end.
        """
        return any(self._play(printed, n, (*self.changes, *changes)) != before for n, before in self._played.items())

    def moved_by(self, choices: Iterable[Change]) -> bool:
        """Return whether any outcome is another with one of these changes."""
        made = ((change, replaced(self.printed, change)) for change in choices)
        return any(printed and self.moved(printed, typed(change)) for change, printed in made)


def typed(change: Change) -> tuple[str, ...]:
    """Return a change as --set takes it."""
    return tuple(f"{path}={value}" for path, value in change.items())


def _beside(case: ProvedGame, path: str, choices: Sequence[Change]) -> bool:
    """Return whether a number moves an outcome while another one of its table takes another value."""
    table = path.rpartition(".")[0]
    for base in ends(case.printed, f"{table}.") if table else ():
        printed = replaced(case.printed, base)
        with suppress(BrokenOffError):
            if printed and next(iter(base)) != path and RandomGames(case, printed, typed(base), MANY).moved_by(choices):
                return True
    return False


def _dealt(case: ProvedGame, changed: Sequence[Components]) -> bool:
    """Return whether other components move any game in which chance deals the things of some kind."""
    for players, names in case.tables:
        for kind in (kind for kind, things in case.game.things.items() if things.asks):
            study = replace(case.study(players, *names), deal=Deal(kind, EVERY, powers=False))
            games = DEALT * len(study.plan)
            usual = case.play(study, games)[0].tobytes()
            for printed in changed:
                if case.play(replace(study, components=printed.record), games)[0].tobytes() != usual:
                    return True
    return False


def _led(case: ProvedGame, changed: Sequence[Components]) -> bool:
    """Return whether other components move any of the games that strategies lead, by the choices that these make under
    the printed ones; or what a player can't know."""
    for players, names in case.tables:
        study = case.study(players, *names)
        for number in range(LED):
            chosen, worlds = list[int](), list[list[bytes]]()

            def note(walk: Walk, n: int, chosen: list[int] = chosen, worlds: list[list[bytes]] = worlds) -> int:
                chosen.append(walk.ask())
                worlds.append(_imagined(walk))
                return chosen[-1]

            usual = Walk(case, study, number).to_the_end(note)
            for printed in changed:
                choices = iter(zip(chosen, worlds))
                other = Walk(case, Study(case.name, players, study.entrants, printed.record, SEED), number)
                try:
                    for n in other.positions():
                        choice, seen = next(choices, (n, []))
                        if choice >= n or seen != _imagined(other):
                            return True
                        other.choose(choice)
                except BrokenOffError:  # such a choice can't be carried out there: it makes a difference
                    return True
                if other.outcome.tobytes() != usual.outcome.tobytes():
                    return True
    return False


def _imagined(walk: Walk) -> list[bytes]:
    """Return the world that each player imagines."""
    found = []
    for seat in range(walk.study.players):
        world = twin(walk.states)
        with walk.guarded("imagine"), np.errstate(over="ignore"):
            walk.game.imagine(walk.components[0], world[0], seat, np.uint64(seat))
        found.append(world.tobytes())
    return found


def switches(case: ProvedGame) -> Iterator[Fault]:
    """Each value of each switch moves some outcome, by itself or with another reading or number."""
    left = list(case.readings)
    case.count("readings", len(left))
    for base in ((), *((change,) for change in case.readings)):
        if left:
            try:
                usual = RandomGames(case, case.components(base), base, GAMES * 4)
            except BrokenOffError as error:
                yield error.finding
                continue
            for change in list(left):
                try:
                    if change not in base and usual.moved(case.components((*base, change)), (change,)):
                        left.remove(change)
                except ComponentsError:
                    continue
                except BrokenOffError as error:
                    yield error.finding
                    left.remove(change)
    for change in left:
        printed = case.components((change,))
        if not (_led(case, [printed]) or _led_freely(case, change) or _with_numbers(case, printed)):
            path = change.partition("=")[0]
            finding = Fault("dead numbers", f"{change} moves no outcome", "a switch that some game depends on")
            yield finding.at(where_told(case, path))


def _led_freely(case: ProvedGame, change: str) -> bool:
    """Return whether strategies play otherwise under a switch: it may change what they know when they are asked."""
    for players, names in case.tables:
        one, other = (case.study(players, *names, changes=changes) for changes in ((), (change,)))
        if case.play(one, GAMES)[0].tobytes() != case.play(other, GAMES, (change,))[0].tobytes():
            return True
    return False


def _with_numbers(case: ProvedGame, printed: Components) -> bool:
    """Return whether a switch moves an outcome while some number takes another value."""
    for change in ends(case.printed):
        one, other = replaced(case.printed, change), replaced(printed, change)
        with suppress(BrokenOffError):
            if one and other and RandomGames(case, one, typed(change)).moved(other, typed(change)):
                return True
    return False


def counts(case: ProvedGame) -> Iterator[Fault]:
    """Each number that is counted counts something, and each category has holders, with these components or others."""
    game = case.game
    for players in game.players:
        study = case.study(players)
        for kind, things in game.things.items():
            if things.asks:
                dealt = replace(study, deal=Deal(kind, EVERY, powers=False))
                try:
                    case.play(dealt, DEALT * len(dealt.plan))
                except StrategyError as error:
                    yield Fault("dealing", f"{kind}: {error}", game=game_of(study, 0))
    case.count("counts", len(game.numbers))
    never = [name for i, name in enumerate(game.numbers) if i not in case.counted]
    absent = set(game.absent(case.printed.record[0]))
    if zero := [name for name in never if name in absent]:
        case.leave(f"counts that can only be 0 with these components ({few(zero)})")
    for name in never:
        if name not in absent:
            found = f"{name} is 0 in every game, whatever the components"
            yield Fault("counts", found, "a number that is counted now and then", field="outcome.numbers")
    for i, name in enumerate(game.categories):
        if case.had.get(i, set()) <= {-1}:
            yield Fault("counts", f"nobody ever has any {name}", "a category that somebody has")


CHECKS = (at_their_ends, numbers, switches, counts)
