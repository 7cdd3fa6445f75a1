"""`chapterhouse variants`: what each variant of the rules changes, and how hard a game of one is; and the same for a report."""

import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scripts import options as o
from scripts.output import out, writing
from scripts.progress import Progress, progress
from sim import registry

if TYPE_CHECKING:
    from analyses.findings import Survey
    from analyses.variants.variants import Variants
    from reports.page import Part
    from sim.printed.components import Components
    from sim.printed.variants import Variant
    from strategies.catalog import Seated

MAX_GAMES, MARGIN, SEED = "40000", "0.10", "1"


@dataclass(frozen=True)
class Asked:
    """One line: a number of players, who sits down, how much is played, and how many variants go with it."""

    players: int
    chairs: "tuple[Seated, ...]"
    games: int | None
    max_games: int
    count: int
    slow: bool

    @property
    def most(self) -> int:
        """The most games, those of all variants."""
        return (self.games or self.max_games) * (1 + self.count)


def variants(
    game: o.GameName,
    players: o.SomePlayers = None,
    games: o.Games = None,
    max_games: o.MaxGames = MAX_GAMES,
    margin: o.Margin = MARGIN,
    seed: o.Seed = SEED,
    jobs: o.Jobs = None,
    out_folder: o.PageFolder = None,
    files: o.Files = None,
    changes: o.Changes = None,
    strategy: o.Strategies = None,
    unproved: o.Unproved = False,
    backend: o.Backend = "threads",
    scheduler: o.Scheduler = None,
    json: o.Json = False,
) -> None:
    """What do the variants of the rules change: the distance of the scores, ties, the first player's wins? How hard is a game of one?

    Each variant is played on the same chance as the game as it is, up to --max-games or until its verdict is decided. In a game of one
    each strategy plays for itself; all levels of play do if none is given.
    """
    common = o.Common.read(game, games, max_games, margin, seed, jobs, o.played(strategy, unproved), files, changes, backend, scheduler)
    numbers = o.some_players(game, players or (), alone=True)
    folder = o.folder(out_folder) if out_folder is not None else None
    printed = common.components()
    entries = known(game)
    with common.where.playing():
        lines = asked(common, entries, numbers, bool(players))
        with progress(registry.card(game)[0], sum(line.most for line in lines), percent=len(lines) > 1) as bar:
            found = measured(lines, printed, common, entries, bar.watch)
    if not found:
        raise o.StoppedError(o.NOTHING)
    from scripts.show import show, to_json

    if json:
        out(to_json(answer(found)))
    else:
        show(*(piece for line in found for piece in listing(line)))
    if folder is not None:
        from reports.page import write_part

        with writing(folder):
            write_part(part(found, printed, command(common, numbers if players else ())), folder)
    if found[-1].interrupted:
        raise o.StoppedError("Stopped by hand: this is what was played until then.")


def known(game: str) -> "tuple[Variant, ...]":
    """Return the variants of a game; a game that has none is refused."""
    from sim.printed.variants import ComponentsError, read

    try:
        found = read(game)
    except ComponentsError as error:
        raise o.WrongInputError(str(error)) from None
    if not found:
        from sim.registry import names

        having = [name for name in names() if read(name)]
        o.refuse("GAME", f"{game!r}, which has no variants", " or ".join(having) or "a game with a file variants.toml")
    return found


def asked(common: o.Common, entries: "Sequence[Variant]", numbers: Sequence[int], named: bool) -> list[Asked]:
    """Return the lines to play; of numbers of players that nobody `named` those without a variant are left out."""
    from analyses.survey import SLOW_BLOCKS, seated

    lines = []
    for players in sorted(numbers, key=lambda number: number == 1):
        count = sum(players in entry.players for entry in entries)
        if not count:
            if named:
                having = sorted({number for entry in entries for number in entry.players})
                o.refuse("--players", repr(str(players)), f"{' or '.join(map(str, having))}: the game has variants for these")
            continue
        for texts in [common.strategies] if players > 1 else persons(common):
            chairs = seated(common.game, texts, players)
            slow = any(chair.thinker for chair in chairs) and not common.games and not common.strategies
            games = min(SLOW_BLOCKS * players, common.max_games) if slow else common.games
            lines.append(Asked(players, chairs, games, common.max_games, count, slow))
    return lines


def persons(common: o.Common) -> list[tuple[str, ...]]:
    """Return who plays a game of one, each for itself: who was named, or all levels of play, weakest first."""
    from sim.runner import StrategyError
    from strategies import catalog

    if common.strategies:
        return [(text,) for text in common.strategies]
    names = [*catalog.ladder(common.game), *catalog.levels(common.game), catalog.default(common.game)]
    able: dict[str, tuple[str, ...]] = {}
    for name in names:
        with suppress(StrategyError):
            able[catalog.chair(common.game, name, 1).name] = (name,)
    # Those that look ahead come last: they are slow, and whoever stops the run then misses only them.
    return sorted(able.values(), key=lambda texts: ":" in texts[0])


def measured(
    lines: Sequence[Asked], printed: "Components", common: o.Common, entries: "Sequence[Variant]", watch: Callable[[int], None]
) -> "list[Variants]":
    """Play the lines; Ctrl-C ends it early and keeps what was played."""
    from analyses.survey import SLOW_BATCH
    from analyses.variants.variants import BATCH, measure

    found: list[Variants] = []
    for line in lines:
        result = measure(
            printed, entries, lambda changes: common.components(*changes), line.players,
            line.chairs, common.seed, games=line.games, max_games=line.max_games, margin=common.margin, jobs=common.jobs,
            batch=SLOW_BATCH if line.slow else BATCH, watch=watch,
        )  # fmt: skip
        if result.blocks:
            found.append(result)
        if result.interrupted:
            break
    return found


def command(common: o.Common, numbers: Sequence[int]) -> str:
    """Return what to type to measure it again."""
    words = [word for number in numbers for word in ("--players", str(number))]
    words += [word for text in common.strategies for word in ("--strategy", text)]
    words += ["--games", str(common.games)] if common.games else ["--max-games", str(common.max_games)]
    return shlex.join(["chapterhouse", "variants", common.game, *words, *common.again()])


def part(found: "Sequence[Variants]", printed: "Components", again: str) -> "Part":
    """Return the page of its own."""
    from analyses.survey import versions
    from reports import variants as r
    from reports.page import Part
    from reports.parts import Ground

    first = found[0]
    facts = [
        ("rules", f"{first.game}, version {first.rules_version}"),
        ("seed", str(first.seed)),
        ("versions", ", ".join(f"{name} {version}" for name, version in versions().items())),
    ]
    ground = Ground.of(first.game)
    sorts = [[line for line in found if line.alone == alone] for alone in (False, True)]
    return Part(
        "variants", r.question(first.alone), " ".join(r.headline(lines) for lines in sorts if lines),
        [r.answers(lines) for lines in sorts if lines], r.sections(found, ground), r.frames(found), printed, r.games(found), [again], facts,
        interrupted=found[-1].interrupted,
    )  # fmt: skip


def answer(found: "Sequence[Variants]") -> dict[str, Any]:
    """Return what was found for machines: the first line, and all of them as `lines`; no times and no number of jobs."""
    return _answer(found[0]) | {"lines": [_answer(line) for line in found]}


def _answer(line: "Variants") -> dict[str, Any]:
    head: dict[str, Any] = {"game": line.game, "rules_version": line.rules_version, "players": line.players}
    head |= {"seated": list(line.strategies), "games": line.games, "blocks": line.blocks, "decisions": line.decisions, "seed": line.seed}
    head |= {"intervals": "sequence" if line.sequential else "fixed", "interrupted": line.interrupted}
    head |= {"components": line.components, **line.counts._asdict(), "margin": line.margin}
    head |= {"verdict": line.base.word, "measures": line.base.measures, "seats": line.base.seats, "notes": line.notes}
    made = []
    for effect in line.effects:
        variant = effect.variant
        entry: dict[str, Any] = {"variant": variant.name, "words": variant.words, "set": list(variant.changes), "usual": effect.usual}
        entry |= {"verdict_before": line.base.word, "verdict_after": effect.side.word, "verdict": effect.word, "altered": effect.altered}
        made.append(entry | {"measures": effect.side.measures, "seats": effect.side.seats, "changes": effect.changes})
    return head | {"variants": made}


def listing(line: "Variants") -> list[Any]:
    """Return what was found for people: sentences and a table."""
    from analyses.variants.variants import ALONE, CONTEST
    from reports import variants as r
    from reports import words
    from scripts.show import table

    names = ALONE if line.alone else CONTEST
    rows = []
    for name, side in r.sides(line):
        cells = []
        for measure in names:
            at = side.measure(measure)
            cells.append(words.number(*(r.factor(measure) * at[end] for end in ("value", "low", "high"))))
        rows.append((name, *cells, side.word))
    return [*r.listing(line), table(("variant", *(r.TITLES[name] for name in names), "verdict"), rows), *r.sentences(line), ""]


# --- the same for a report ----------------------------------------------------------------------------------------------------------------

REPORT_GAMES = 6_000  # of each variant, for each number of players


def _report_common(common: o.Common) -> o.Common:
    games = min(REPORT_GAMES, common.games or common.max_games)
    return replace(common, games=common.games and games, max_games=games)


def _report_lines(common: o.Common, numbers: Sequence[int], limited: bool) -> "tuple[tuple[Variant, ...], list[Asked]]":
    """Return what a report plays: all its numbers of players; and a game of one, unless the reader asked for some numbers."""
    from sim.printed.variants import read

    entries = read(common.game)
    alone = [number for number in registry.card(common.game)[1] if number == 1 and not limited]
    return entries, asked(_report_common(common), entries, [*numbers, *alone], named=False) if entries else []


def report_total(common: o.Common, numbers: Sequence[int], limited: bool) -> int:
    """Return about how many games a report plays for its variants."""
    from analyses.survey import SLOW_WEIGHT

    return sum(line.most * (SLOW_WEIGHT if line.slow else 1) for line in _report_lines(common, numbers, limited)[1])


def with_variants(survey: "Survey", common: o.Common, numbers: Sequence[int], limited: bool, bar: Progress) -> "Survey":
    """Return the survey with what the variants change; Ctrl-C ends it early and keeps what was played."""
    from analyses.survey import SLOW_WEIGHT

    entries, lines = _report_lines(common, numbers, limited)
    if survey.interrupted or not lines:
        return survey
    found: list[Variants] = []
    for line in lines:
        weight = SLOW_WEIGHT if line.slow else 1
        found += measured([line], survey.components, _report_common(common), entries, lambda games, w=weight: bar.watch(games, w))  # type: ignore[misc]
        if not found or found[-1].interrupted:
            break
    stopped = len(found) < len(lines) or any(line.interrupted for line in found)
    again = command(_report_common(common), numbers if limited else ())
    return replace(survey, variants=tuple(found), interrupted=stopped, commands=(*survey.commands, again))
