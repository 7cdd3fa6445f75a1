"""For the benchmark: where the games and the time of a default report go, section by section."""

import tempfile
from pathlib import Path
from time import process_time

HEADLINES, OTHERS, LEVELS = "headlines", "other ways to play", "levels that look ahead"


class Laps:
    """Games, and seconds of processor time of all threads, by section."""

    def __init__(self) -> None:
        self.spent: dict[str, tuple[int, float]] = {}
        self._games, self._start = 0, process_time()

    def count(self, games: int, weight: float = 1.0) -> None:
        """Count further games."""
        self._games += games

    def end(self, section: str) -> None:
        """Add what was spent since the last end to a section."""
        games, seconds = self.spent.get(section, (0, 0.0))
        now = process_time()
        self.spent[section] = games + self._games, seconds + now - self._start
        self._games, self._start = 0, now


def spent(game: str) -> dict[str, tuple[int, float]]:
    """Play and write the default report of a game, and return the games and seconds of each section."""
    from analyses.survey import PlannedLine, ReportPlan, asked, survey
    from reports.page import write
    from scripts.app import questions
    from scripts.options import request
    from sim.registry import load
    from sim.runner import prepare

    wanted, plan = request({"game": game, "max_games": "200000"}, "all"), ReportPlan()
    lines = asked(game, wanted.players, plan=plan)
    prepare(load(game), {entrant for line in lines for entrant in line.entrants}, wanted.components.record)
    laps = Laps()

    def section(line: PlannedLine) -> str:
        return HEADLINES if line.headline else LEVELS if line.slow else OTHERS

    found = survey(
        wanted, lines, plan=plan, watch=lambda line, games: laps.count(games),
        finished=lambda line, result: laps.end(section(line)),
    )  # fmt: skip
    laps.end("three games that stand for many")
    for question in questions().values():
        if question.in_report is not None:
            found = question.in_report().add(found, wanted, lines, laps.count)
            laps.end(question.name)
    with tempfile.TemporaryDirectory() as folder:
        write(found, Path(folder))
    laps.end("the page")
    return laps.spent
