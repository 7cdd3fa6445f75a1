"""`chapterhouse rules`: how the rulebook is read, and what each other reading changes; and the same for a report."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scripts import options as o
from scripts.progress import Progress, progress
from sim import registry
from sim.legible import say

if TYPE_CHECKING:
    from rich.table import Table

    from analyses.findings import Survey
    from analyses.readings import Effect, Readings
    from analyses.survey import Asked
    from sim.printed.components import Components
    from sim.printed.rulings import Ruling

REPORT_GAMES = 10_000  # of each reading, for each number of players: a report is read for its verdicts, and waited for


def find(common: o.Common, players: str | None, measured: bool) -> "tuple[Components, Readings | None]":
    """Return what is played, and what the other readings change: None if that is not asked for, or if there is no other."""
    number = o.some_players(common.game, [players])[0] if players is not None else o.usual_players(common.game)
    printed = common.components()
    if not measured:
        return printed, None
    from analyses.readings import GAMES, others
    from analyses.survey import seated

    with o.strategy_errors():
        chairs = seated(common.game, common.strategies, number)
    count = len(others(printed))
    if not count:
        return printed, None
    games = -(-(common.games or GAMES) // number) * number
    if common.games and games != common.games:
        say(f"--games {common.games}: {games} are played, whole blocks of {number} games")
    title = registry.load(common.game).title
    with common.where.playing(), progress(f"{title}, {number} players, {count} other readings", games * (1 + count)) as bar:
        return printed, _measure(common, printed, number, chairs, games, bar)


def _measure(common: o.Common, printed: "Components", players: int, chairs: Sequence[Any], games: int, bar: Progress) -> "Readings":
    from analyses.readings import measure

    return measure(
        printed, common.components, players, chairs, common.seed,
        games=games, margin=common.margin, jobs=common.jobs, watch=bar.watch,
    )  # fmt: skip


def report_games(common: o.Common) -> int:
    """Return how many games of each reading a report plays."""
    return min(REPORT_GAMES, common.games or common.max_games)


def report_total(common: o.Common, printed: "Components", lines: "Sequence[Asked]") -> int:
    """Return about how many games a report plays for its readings."""
    from analyses.readings import others

    count = len(others(printed))
    return report_games(common) * (1 + count) * sum(line.headline for line in lines) if count else 0


def with_readings(survey: "Survey", common: o.Common, lines: "Sequence[Asked]", bar: Progress) -> "Survey":
    """Return the survey with the readings for each headline; Ctrl-C ends it early and keeps what was played."""
    from analyses.readings import others

    if survey.interrupted or not others(survey.components):
        return survey
    found: list[Readings] = []
    commands = []
    for line in lines:
        if not line.headline:
            continue
        readings = _measure(common, survey.components, line.players, line.chairs, report_games(common), bar)
        if readings.blocks:
            found.append(readings)
            commands.append(_command(readings, common))
        if readings.interrupted:
            break
    stopped = any(readings.interrupted for readings in found) or len(found) < sum(line.headline for line in lines)
    return replace(survey, readings=tuple(found), interrupted=stopped, commands=(*survey.commands, *commands))


def _command(readings: "Readings", common: o.Common) -> str:
    names = [word for text in common.strategies for word in ("--strategy", text)]
    words = ["--players", str(readings.players), *names, "--games", str(readings.games)]
    return shlex.join(["chapterhouse", "rules", common.game, *words, *common.again()])


def listing(common: o.Common, printed: "Components", readings: "Readings | None") -> list[Any]:
    """Return the readings for people: sentences, and a table for each place in the rulebook."""
    from sim.printed.rulings import read

    rulings = read(common.game)
    title = registry.card(common.game)[0]
    if not rulings:
        return [f"{title}: its rules leave nothing open that had to be decided."]
    open_ = [ruling for ruling in rulings if not ruling.setup]
    switched = sum(bool(ruling.switch) for ruling in open_)
    parts: list[Any] = [f"{title}: {len(open_)} readings of what the rulebook leaves open, {switched} of them with a switch."]
    if readings is not None:
        from reports.effects import summary

        parts += [_played(readings), *summary([readings])]
    for place in dict.fromkeys(ruling.place for ruling in rulings):
        parts += ["", place, _place([ruling for ruling in rulings if ruling.place == place], printed, readings)]
    return parts


def _played(readings: "Readings") -> str:
    names = readings.strategies
    who = f"{names[0]} in every seat" if len(names) == 1 else " and ".join([", ".join(names[:-1]), names[-1]])
    each = f"{readings.games:,} games of each reading, on the same chance (seed {readings.seed}, components {readings.components})"
    notice = f"; {readings.counts.notice}" if readings.counts.notice else ""
    return f"Measured with {readings.players} players, {who}: {each}{notice}."


def _place(rulings: "Sequence[Ruling]", printed: "Components", readings: "Readings | None") -> "Table":
    """Return the readings of one place, each with what is played and what could be."""
    from rich.table import Table

    from reports.effects import often

    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=11, justify="right")
    grid.add_column(overflow="fold")
    for ruling in rulings:
        played = printed.rules.get(ruling.switch, "")
        grid.add_row("", f"“{ruling.topic}”: {ruling.question}" if ruling.topic else ruling.question)
        if readings is not None and ruling.occurs:
            grid.add_row("arises", f"in {often(readings.occurs[ruling.occurs])} of the games")
        grid.add_row("set-up" if ruling.setup else "played", ruling.words(played) if ruling.switch else ruling.reading)
        for value, text in ruling.others(played).items():
            grid.add_row("or", text)
            grid.add_row("", f"--set rules.{ruling.switch}={value}")
            effect = readings.find(ruling.switch, value) if readings is not None else None
            if readings is not None and effect is not None:
                from reports.effects import moved, points, turned

                grid.add_row("changes", f"{moved(effect)}; {turned(readings, effect)}")
                if effect.altered:
                    grid.add_row("", points(effect))
        grid.add_row("", "")
    return grid


def answer(common: o.Common, printed: "Components", readings: "Readings | None") -> dict[str, Any]:
    """Return the readings for machines: no times and no number of jobs, so that it is the same on every machine."""
    from sim.printed.rulings import read, word

    head: dict[str, Any] = {"game": common.game, "components": printed.digest, **printed.counts._asdict()}
    if readings is not None:
        head |= {"rules_version": readings.rules_version, "players": readings.players, "seated": list(readings.strategies)}
        head |= {"games": readings.games, "blocks": readings.blocks, "seed": readings.seed, "margin": readings.margin}
        head |= {"intervals": "sequence" if readings.sequential else "fixed", "interrupted": readings.interrupted}
        head |= {"verdict": readings.verdict.word}
    rulings = []
    for ruling in read(common.game):
        played = printed.rules.get(ruling.switch, "")
        entry: dict[str, Any] = {"number": ruling.number, "place": ruling.place, "question": ruling.question}
        entry |= {"reading": ruling.words(played) if ruling.switch else ruling.reading, "setup": ruling.setup}
        entry |= {
            "switch": ruling.switch or None,
            "topic": ruling.topic or None,
            "default": ruling.default or None,
            "played": word(played) or None,
            "alternatives": [],
        }
        entry["occurs"] = ruling.occurs or None
        entry["occurs_in_games"] = readings.occurs.get(ruling.occurs) if readings is not None else None
        for value, text in ruling.others(played).items():
            effect = readings.find(ruling.switch, value) if readings is not None else None
            found = _effect(readings, effect) if readings is not None and effect is not None else None
            entry["alternatives"].append({"value": value, "text": text, "set": f"rules.{ruling.switch}={value}", "effect": found})
        rulings.append(entry)
    return head | {"rulings": rulings}


def _effect(readings: "Readings", effect: "Effect") -> dict[str, Any]:
    most = {name: value for name, value in effect.most.items() if name != "games_saved"}
    score = dict(zip(("score_change", "score_low", "score_high"), effect.score_change, strict=True))
    return {
        "verdict_before": readings.verdict.word,
        "verdict_after": effect.verdict.word,
        "changes": effect.word == "changes",
        "verdict": effect.word,
        **most,
        "mean_score_before": effect.score_before,
        "mean_score_after": effect.score_after,
        **score,
        "games_altered": effect.altered,
        "seats": effect.seats,
    }
