"""The verdict on the seats of one line, in words: every figure and sentence that the terminal and the page share.

Nothing here draws, so the terminal needn't load matplotlib.
"""

from typing import Any

from analyses.findings import Line
from reports import words
from reports.pills import which


def seat(line: Line, number: int) -> dict[str, Any]:
    """Return the row of the table of seats for one seat."""
    frame = line.tables["seats"]
    return {str(key): value for key, value in frame[frame["seat"] == number].iloc[0].to_dict().items()}


def verdict_row(line: Line) -> dict[str, Any]:
    """Return the verdict on the seats as a row of a table."""
    v = line.verdict
    row = {"players": line.players, "games": line.games, "which": which(line), "holding": v.holding}
    return row | vars(v)


def wins(line: Line, number: int) -> str:
    """Return how often a seat wins, in a sentence without its full stop."""
    row = seat(line, number)
    return words.seat_wins(number, row["win_share"], row["low"], row["high"], line.players)


def size(line: Line) -> str:
    """Return the size of the verdict, for the seat furthest out, and how many more games would probably decide it."""
    v = line.verdict
    further = None if v.further is None else float(v.further * line.players)
    return words.verdict_size(v.word, v.seat, (v.index, v.low, v.high), line.players, line.margin, further)


def holds(line: Line) -> str:
    """Return the smallest margin that would hold, in a sentence."""
    margin = line.verdict.holding
    if not margin < 1:
        return "No margin below 1 would hold yet."
    passing = words.passing(margin, line.players)
    return f"The smallest margin that would hold is {words.fixed(margin, 2)}: with it, {passing} would count as fair."


def notice(line: Line) -> str:
    """Return how many games somebody must log to see it at the table, in a sentence."""
    v = line.verdict
    if v.notice is None:
        plays = words.rough(v.notice_least) if v.notice_least else ""
        least = f" If they differ, you'd need to log at least {plays} games to see it." if plays else ""
        return f"These games can't tell the seats apart.{least}"
    return f"You'd need to log about {words.rough(v.notice)} games to see this."


def ties(line: Line) -> str:
    """Return how often games were tied before and after the game's own tie-break, in a sentence."""
    tied, shared = (int(line.tables["ties"][name].sum()) for name in ("tied", "shared"))
    if not tied and not shared:
        return f"None of the {line.games:,} games was tied."
    level = f"Players tied for the highest score in {_share(tied, line.games)} of the games."
    if not shared:
        return f"{level} The game's own tie-break settled all of these."
    return f"{level} After the game's own tie-break they still shared the win in {_share(shared, line.games)}."


def _share(n: int, games: int) -> str:
    return f"{words.plain(100 * n / games, 1 if n >= 0.01 * games else 2)} %"


def sentences(line: Line) -> list[str]:
    """Return the verdict for the terminal: which seat, how far, how sure, what would hold, who would notice, how many
    ties."""
    said = f"{words.many(line.players, 'player').capitalize()}: {which(line)}."
    return [f"{wins(line, line.verdict.seat)}.", said, size(line), holds(line), notice(line), ties(line)]
