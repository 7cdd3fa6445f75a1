"""Checks that look at single positions: what is offered, what comes of it, and what imagining leaves alone.

They play with the JIT off, so an error names its line.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from analyses.prove.case import SEED, BrokenOffError, ProvedGame, Walk, first_difference, overflowing, twin
from analyses.prove.finding import Fault
from analyses.prove.lines import defined, only_zeroed
from analyses.prove.numbers import ends, typed
from analyses.prove.recounts import as_told
from analyses.prove.seats import by_seat
from sim.contract import KEYS, NO_AUTOMATON, OPTION_FIELD, STATE_FIELDS, WHOLE, records
from sim.printed.components import from_values
from sim.replay import record
from sim.runner import Study

GAMES = 3  # of each table
FAR_SECONDS = 15.0  # of processor time for games with numbers at their ends
WORLDS = (7, 8, 9)  # keys with which the unknown is redrawn
FILLS = (85, 1)  # values that lie in a list of options before it is filled: an odd one, and one that may be right


def walks(case: ProvedGame, games: int = GAMES) -> Iterator[tuple[Study, int, tuple[str, ...]]]:
    """Yield the games that most of these checks play: some of each table, and of each reading one."""
    for study, changes in case.studies(changes=True):
        for number in range(1 if changes else games):
            case.count("games step by step")
            yield study, number, changes


def far_walks(case: ProvedGame) -> Iterator[tuple[Study, int, tuple[str, ...]]]:
    """Yield a game with each number at each of its ends, as long as there is time."""
    start = time.process_time()
    for players in reversed(case.game.players):
        for change in ends(case.printed):
            if time.process_time() - start > FAR_SECONDS:
                return
            case.count("games with a number at its end")
            yield case.study(players, changes=typed(change)), 0, typed(change)


def each_walk(
    case: ProvedGame, play: Callable[[Study, int, tuple[str, ...]], Iterator[Fault]], far: bool = False
) -> Iterator[Fault]:
    """Yield what is found in the games of `walks`, and of `far_walks`, and of each kind of finding only the first."""
    seen = set[tuple[Any, ...]]()
    for study, number, changes in chain(walks(case), far_walks(case) if far else ()):
        for finding in caught(play(study, number, changes)):
            key = (finding.check, finding.file, finding.line, finding.found if not finding.line else "")
            if key not in seen:
                seen.add(key)
                yield finding


def caught(findings: Iterator[Fault]) -> Iterator[Fault]:
    """Yield findings; the one that breaks a game off comes last."""
    try:
        yield from findings
    except BrokenOffError as error:
        yield error.finding


# --- options ----------------------------------------------------------------------------------------------------------


def options(case: ProvedGame) -> Iterator[Fault]:
    """Every option that is offered is another one, can be carried out, and changes something."""

    def play(study: Study, number: int, changes: tuple[str, ...]) -> Iterator[Fault]:
        walk = Walk(case, study, number, changes=changes)
        for n in walk.positions():
            yield from _alike(walk, n)
            for i in range(n):
                yield from caught(_tried(walk, i))
            walk.choose(walk.ask())
        case.count("decisions step by step", walk.decisions)

    yield from each_walk(case, play)


def _alike(walk: Walk, n: int) -> Iterator[Fault]:
    seen = [walk.options[i : i + 1].tobytes() for i in range(n)]
    for i, option in enumerate(seen):
        if option in seen[:i]:
            found = f"two options are the same ({_shown(walk, i)})"
            yield walk.fail("options", found, "each option once", "option").finding
            return


def _tried(walk: Walk, i: int) -> Iterator[Fault]:
    """Carry out an option in a copy of the position, and see whether the game goes on from there."""
    case, game, world, rules = walk.case, walk.game, twin(walk.states), walk.components[0]
    buffer = records(walk.options.dtype, game.most_options)
    with walk.guarded(f"option {_shown(walk, i)} can't be carried out"), overflowing(walk):
        game.apply(rules, world[0], walk.options[i])
        made = int(world[0].decision)
        game.advance(rules, world[0], buffer)
    case.count("options carried out")
    if made != walk.decisions + 1:
        found = f"apply leaves state.decision at {made} after {walk.decisions + 1} decisions"
        yield walk.fail("options", found, "apply adds 1 to it", "state.decision").finding
    for key in KEYS:
        if world[key].tobytes() != walk.states[key].tobytes():
            allowed = "the key that set_up was given, for the whole game"
            finding = walk.fail("chance", f"state.{key} changes during the game", allowed, f"state.{key}").finding
            yield replace(finding, game=replace(walk.where(), decision=walk.decisions + 1))  # after this option
    world["decision"] = walk.states["decision"]
    if not first_difference(world, walk.states):
        found = f"option {_shown(walk, i)} changes nothing"
        yield walk.fail("options", found, "options that make a difference to the position", "option").finding


def _shown(walk: Walk, i: int) -> str:
    names = [name for name in walk.options.dtype.names if name != "thing"]
    return ", ".join(f"{name} {walk.options[name][i].tolist()}" for name in names)


def whole_options(case: ProvedGame) -> Iterator[Fault]:
    """What lay in the list of options before it was filled is not there any more, even with numbers at their ends."""

    def play(study: Study, number: int, changes: tuple[str, ...]) -> Iterator[Fault]:
        one, other = (Walk(case, study, number, changes=changes, fill=fill) for fill in FILLS)
        for n, m in zip(one.positions(), other.positions()):
            if n != m:
                found = f"{n} or {m} options, by what lay in the list before"
                yield one.fail("options written whole", found, "a list that is only written to", "option").finding
                return
            if not case.game.things:  # then nobody reads which one an option takes
                one.options[OPTION_FIELD] = other.options[OPTION_FIELD] = 0
            field = first_difference(one.options[:n], other.options[:n])
            if field:
                found = f"option.{field} is not written (asked for: {case.game.asks[int(one.state.asks)]})"
                yield one.fail(
                    "options written whole", found, "every field of every option is written", f"option.{field}"
                ).finding
                return
            chosen = one.ask()
            one.choose(chosen)
            other.choose(chosen)

    yield from each_walk(case, play, far=True)


# --- the end ----------------------------------------------------------------------------------------------------------


def endings(case: ProvedGame) -> Iterator[Fault]:
    """`tally` reads the position alone and writes the outcome whole; the outcome is that of the loop."""

    def play(study: Study, number: int, changes: tuple[str, ...]) -> Iterator[Fault]:
        walk = Walk(case, study, number, changes=changes).to_the_end()
        players, outcome, used = study.players, walk.outcome, twin(walk.outcome)
        before = twin(walk.states)
        for name in ("score", "share", "numbers", "categories"):
            used[name] += 1
        used["automaton"] = NO_AUTOMATON
        with walk.guarded("tally"):
            case.game.tally(walk.components[0], walk.state, used[0])
        if field := first_difference(before, walk.states):
            yield walk.fail(
                "tally", f"tally writes to state.{field}", "tally writes to the outcome", f"state.{field}"
            ).finding
        wanted = {
            "score": None,
            "share": None,
            "numbers": len(case.game.numbers),
            "categories": len(case.game.categories),
        }
        for name, most in wanted.items():
            if used[name][:, :players][..., :most].tobytes() != outcome[name][:, :players][..., :most].tobytes():
                found = f"tally does not write outcome.{name} whole: it depends on what was there before"
                yield walk.fail(
                    "tally", found, "= and not += on a field that nobody has set to 0", f"outcome.{name}"
                ).finding
        share = int(outcome["share"][0, :players].sum())
        if share != WHOLE and not (players == 1 and share == 0):
            found = f"the shares of a win are {outcome['share'][0, :players].tolist()}, {share} in all"
            yield walk.fail("one win", found, "60 sixtieths over all seats of a game", "outcome.share").finding

    yield from each_walk(case, play)


def stepping(case: ProvedGame) -> Iterator[Fault]:
    """A game that pauses after each event comes to the same end, by the same decisions."""

    def play(study: Study, number: int, changes: tuple[str, ...]) -> Iterator[Fault]:
        straight = Walk(case, study, number, changes=changes).to_the_end()
        stepped = Walk(case, study, number, changes=changes, stepping=True).to_the_end()
        if stepped.events == 0:
            yield stepped.fail("stepping", "advance never pauses", "-1 after each event worth telling").finding
        if straight.decisions != stepped.decisions:
            found = f"{stepped.decisions} decisions where it pauses, {straight.decisions} where it doesn't"
            yield stepped.fail("stepping", found, "the same game").finding
        elif field := first_difference(straight.outcome, stepped.outcome):
            yield stepped.fail("stepping", f"another outcome.{field} where it pauses", "the same game").finding

    yield from each_walk(case, play)


def replaying(case: ProvedGame) -> Iterator[Fault]:
    """The record of a game, as JSON, is enough to play it again to the same end."""

    def play(study: Study, number: int, changes: tuple[str, ...]) -> Iterator[Fault]:
        walk = Walk(case, study, number, changes=changes, stepping=True)
        with walk.guarded("its record"):
            told = [*as_told(record(walk, case.components(changes), changes=changes))]
        choices = [line["choice"] - 1 for line in told if line["event"] == "decision" and not line.get("forced")]
        values = from_values(case.name, told[0]["printed"], "the record")
        again = Walk(case, Study(study.game, study.players, study.entrants, values.record, SEED), number, stepping=True)
        made = iter(choices)
        lines = record(again, values, choose=lambda walk: next(made), changes=changes)
        for one, line in zip(told, as_told(lines)):
            if one != line:
                keys = [key for key in one if one.get(key) != line.get(key)]
                found = f"played again by its record, a game goes on otherwise ({line['event']}: {', '.join(keys)})"
                yield walk.fail("record", found, "the same lines").finding
                return

    yield from each_walk(case, play)


def dead_fields(case: ProvedGame) -> Iterator[Fault]:
    """Each field of a position that the rules read may be something else than 0."""
    own = [name for name in case.game.dtypes[1].names if name not in STATE_FIELDS]
    left = {name: place for name in own if (place := only_zeroed(case, name))}
    for study, number, changes in chain(walks(case), far_walks(case)) if left else ():
        with suppress(BrokenOffError):  # other checks say what is wrong
            walk = Walk(case, study, number, changes=changes)
            for _ in walk.positions():
                left = {name: place for name, place in left.items() if not walk.states[name].any()}
                walk.choose(walk.ask())
    for name, place in left.items():
        found = f"state.{name} is 0 in every position, and no rule sets it to anything else"
        yield Fault("dead fields", found, "a field that some rule changes").at(place)


# --- what a player can't know -----------------------------------------------------------------------------------------


def imagining(case: ProvedGame) -> Iterator[Fault]:
    """`imagine` redraws what is hidden, all of it, and nothing else."""
    moved, told = set[str](), set[str]()
    for change, hidden in case.game.hidden.items():
        changes = (change,) if change else ()
        for players, names in case.tables:
            study = case.study(players, *names, changes=changes)
            for number in range(GAMES):
                case.count("games step by step")
                for finding in caught(_imagined(Walk(case, study, number, changes=changes), set(hidden), moved)):
                    if finding.found not in told:
                        told.add(finding.found)
                        yield finding
    still = {name for hidden in case.game.hidden.values() for name in hidden} - moved
    for change in case.readings if still else ():  # under another reading there may be more to hide
        for players in case.game.players:
            list(caught(_imagined(Walk(case, case.study(players, changes=(change,)), 0), set(), moved)))
    for name in sorted(still - moved):
        found = f"state.{name} is hidden, but no imagined world has another one"
        place = next(iter(defined(case, "imagine")), None)
        yield Fault("imagine", found, "imagine redraws it, or it isn't hidden").at(place)


def _imagined(walk: Walk, hidden: set[str], moved: set[str]) -> Iterator[Fault]:
    game, rules, found = walk.game, walk.components[0], set[str]()
    fields = [name for name in walk.states.dtype.names if name not in KEYS]
    for n in walk.positions():
        worlds = [twin(walk.states) for _ in WORLDS]
        with walk.guarded("imagine"), np.errstate(over="ignore"):
            for world, key in zip(worlds, WORLDS):
                game.imagine(rules, world[0], walk.player, np.uint64(key))
            same, again = twin(walk.states), twin(worlds[0])
            game.imagine(rules, same[0], walk.player, np.uint64(WORLDS[0]))
            game.imagine(rules, again[0], walk.player, np.uint64(WORLDS[1]))
        problems = []
        for name in fields:
            if any(world[name].tobytes() != walk.states[name].tobytes() for world in worlds):
                moved.add(name)
                if name not in hidden:
                    problems.append((f"redraws state.{name}, which lies open", name))
        if field := first_difference(same, worlds[0]):
            problems.append((f"with the same key twice, state.{field} differs", field))
        elif (field := first_difference(again, worlds[1])) and field not in {name for _, name in problems}:
            problems.append((f"in an imagined world comes to another state.{field} than in the real one", field))
        for name in KEYS:
            if len({int(world[name][0]) for world in (walk.states, *worlds)}) < 1 + len(worlds):
                problems.append((f"leaves state.{name} as it was", name))
        if int(worlds[0]["noise"][0]) == int(worlds[0]["key"][0]):
            problems.append(("sets state.noise to state.key", "noise"))
        if not problems:
            _check_offers(walk, worlds, n)
        for words, field in problems:
            if words not in found:
                found.add(words)
                yield walk.fail(
                    "imagine", f"imagine {words}", "it redraws the keys and what Game.hidden names", f"state.{field}"
                ).finding
        walk.choose(walk.ask())


def _check_offers(walk: Walk, worlds: list[Any], n: int) -> None:
    """Raise BrokenOffError where a player is offered something else in an imagined world: then more than the unknown
    was redrawn."""
    here, buffer, rules = twin(walk.states), twin(walk.options), walk.components[0]
    with walk.guarded("advance, called twice"):
        again = walk.game.advance(rules, here[0], buffer)
    if again != n or buffer[:n].tobytes() != walk.options[:n].tobytes():
        return  # a game needn't allow to be advanced twice
    for world in worlds:
        own = (name for name in by_seat(walk.game) if (world[name] != walk.states[name])[0, walk.player].any())
        field = next((f"state.{name}" for name in own), "option")
        with walk.guarded("advance in an imagined world"):
            m = walk.game.advance(rules, world[0], buffer)
        if m != n or buffer[:n].tobytes() != walk.options[:n].tobytes():
            found = "in an imagined world, the player who is asked is offered something else"
            raise walk.fail("imagine", found, "options that follow from what the player knows", field)


CHECKS = (options, whole_options, endings, stepping, replaying, dead_fields, imagining)
