"""Numbers → words. No more digits than an interval allows, no symbol without its word."""

import math
from collections.abc import Sequence

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
MOST_DECIMALS = 3
NOT_KNOWN = "–"


def decimals(half: float, most: int = 2) -> int:
    """Return how many decimals to show when the interval reaches `half` to either side: the last digit is the first
    uncertain one.

    A number without an interval (`half` 0) gets `most`.
    """
    if half != half or half < 0 or half == math.inf:
        return 0
    if half == 0:
        return most
    return min(max(-math.floor(math.log10(half) + 1e-9), 0), most)


def fixed(value: float, places: int) -> str:
    """Return a number with fixed decimals, thousands separators and a true minus sign; – if it is unknown."""
    if value != value:
        return NOT_KNOWN
    text = f"{value:,.{places}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


def signed(value: float, places: int) -> str:
    """Return a change with its sign: `+6.4`, `−0.2`, `0.0`."""
    text = fixed(value, places)
    return text if text.startswith("−") or float(text.replace(",", "")) == 0 else f"+{text}"


def number(value: float, low: float, high: float, unit: str = "", most: int = 2) -> str:
    """Return `27.1` or `27.1 %`, with the digits that its interval allows."""
    return fixed(value, decimals(half_width(value, low, high), most)) + unit


def half_width(value: float, low: float, high: float) -> float:
    """Return the longer arm of an interval."""
    return max(high - value, value - low)


def interval(low: float, high: float, places: int, joint: str = "to") -> str:
    """Return `26.6 to 27.6`."""
    return f"{fixed(low, places)} {joint} {fixed(high, places)}"


def percent(share: float, low: float, high: float) -> str:
    """Return a share as `27.1 %`; exactly none and all as `0 %` and `100 %`."""
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    return number(100 * share, 100 * low, 100 * high, " %")


def percent_between(share: float, low: float, high: float) -> str:
    """Return a share with its interval: `27.1 % (between 26.6 and 27.6)`."""
    places = decimals(100 * half_width(share, low, high))
    return f"{fixed(100 * share, places)} % (between {interval(100 * low, 100 * high, places, 'and')})"


def in_hundred(share: float) -> str:
    """Return a share as a number of games out of 100, in whole games: 0.191 → `19`."""
    return fixed(100 * share, 0)


def par(players: int) -> str:
    """Return the fair share: `25 %`, `33.3 %`."""
    return plain(100 / players, 1) + " %"


def passing(margin: float, players: int) -> str:
    """Return which shares of wins count as fair: `22.5 to 27.5 %`; with two decimals where that is exact."""
    ends = [100 * (1 + sign * margin) / players for sign in (-1, 1)]
    places = 2 if all(abs(round(end, 2) - end) < 1e-9 for end in ends) else 1
    return f"{plain(ends[0], places)} to {plain(ends[1], places)} %"


def plain(value: float, places: int = 2) -> str:
    """Return an exact number without needless zeros."""
    text = fixed(value, places)
    return text.rstrip("0").rstrip(".") if "." in text else text


def times(index: float, low: float, high: float) -> str:
    """Return `1.31 times its fair share (1.29 to 1.33)`."""
    places = max(decimals(half_width(index, low, high)), 1)
    return f"{fixed(index, places)} times its fair share ({interval(low, high, places)})"


def count(n: float) -> str:
    """Return a whole number in words up to twelve, else in digits."""
    return COUNTS[int(n)] if n == int(n) and 0 <= n < len(COUNTS) else f"{n:,.0f}"


def many(n: float, one: str, more: str = "") -> str:
    """Return `one game`, `1,200 games`."""
    return f"{count(n)} {one if n == 1 else more or one + 's'}"


def rough(n: float) -> str:
    """Return a whole number rounded to two digits: 1,234 → `1,200`."""
    if n != n or n == math.inf:
        return "very many"
    if n < 10:
        return f"{max(n, 1):.0f}"
    step = 10 ** (math.floor(math.log10(n)) - 1)
    return f"{round(n / step) * step:,.0f}"


def players(n: int) -> str:
    """Return `four-player`."""
    return f"{count(n)}-player"


def listed(parts: Sequence[str], joint: str = "and") -> str:
    """Return `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joint} {parts[-1]}" if parts else ""


def seating(strategies: Sequence[str]) -> str:
    """Return who sat down: `expert in every seat`, `expert and greedy at one table`."""
    return f"{strategies[0]} in every seat" if len(strategies) == 1 else f"{listed(strategies)} at one table"


def capital(text: str) -> str:
    """Return the text with a capital at its start."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return the text with a capital at its start and a full stop at its end."""
    text = text.strip()
    return capital(text) + ("" if text.endswith((".", "!", "?", ":")) else ".")


def seat_wins(seat: int, share: float, low: float, high: float, n: int) -> str:
    """Return `Seat 1 wins 27.1 % of four-player games (between 26.6 and 27.6; 25 % would be fair)`."""
    places = decimals(100 * half_width(share, low, high))
    between = interval(100 * low, 100 * high, places, "and")
    wins = f"{fixed(100 * share, places)} % of {players(n)} games"
    return f"Seat {seat} wins {wins} (between {between}; {par(n)} would be fair)"


def verdict_size(
    word: str, seat: int, index: tuple[float, float, float], n: int, margin: float, further: float | None
) -> str:
    """Return the size of a verdict in plain units, for the seat furthest from its fair share.

    Args:
        word: balanced, unbalanced or undecided. seat: its number.
        index: its win index, with interval. n: players. margin: in win index.
        further: how many more games would probably decide it; None if unknown.

    Returns:
        One or two sentences.
    """
    share, low, high = (part / n for part in index)
    fair = passing(margin, n)
    if word == "balanced":
        return (
            f"Every seat wins {fair}, which counts as fair. The furthest from fair is seat {seat}, with "
            f"{percent_between(share, low, high)}."
        )
    if word == "unbalanced":
        return f"Seat {seat} is the furthest from fair: it wins {times(*index)}. {fair} would count as fair."
    more = f" {would_decide(further)}" if further else ""
    return f"{fair} would count as fair, and seat {seat}, the furthest from it, may lie inside or outside.{more}"


def would_decide(further: float, who: str = "") -> str:
    """Return `About 1,200 more games would probably decide it.`; who: the players of these games, as ` among
    experts`."""
    return f"About {rough(further)} more games{who} would probably decide it."
