"""The first screen of a report: the answer as a player would say it, how sure it is, what it rests on, one picture, and
what to change."""

from collections.abc import Sequence
from functools import partial

from analyses.findings import Line
from analyses.robustness.asks import SEAT
from analyses.worth.worth import Worth
from reports import advice, pills, style, words
from reports.drawing import Scale
from reports.figures import crowd
from reports.kinds import kind_of
from reports.parts import Context, Figure, FirstScreen, count_words
from reports.robustness.words import denied, told
from reports.tables import records
from reports.verdict import seat
from sim import registry
from strategies import catalog

ASKED = "Is the first player favoured?"
MOST_NAMED = 3  # things of a side in the answer
MOST_ROWS = 6  # things in the picture
PITCH = 21  # of its rows: with its axis it fits on a phone, below the answer


def first(context: Context) -> FirstScreen:
    """Return the first screen."""
    line = telling(context)
    limits = (
        f"Programs played these games: {context.seating(line)}.{_strength(context, line)} People may play otherwise."
    )
    return FirstScreen(
        ASKED, answer(context), _sure(context), _rests(context), _figure(context), advice.short(context), limits
    )


def _strength(context: Context, line: Line) -> str:
    """Return how strong the players of a line were when their strategy was made; nothing if its file doesn't tell."""
    name, n = line.strategies[0], line.players
    found = catalog.tests(context.survey.game, name) if len(line.strategies) == 1 else {}
    if n not in found:
        return ""
    others, share = found[n]
    against = others if n == 2 else f"{others} in all other seats"
    won = f"{words.in_hundred(share)} of 100 games of {words.count(n)} against {against}"
    return f" When {name} was made, it won {won}; an equal would win {words.in_hundred(1 / n)}."


# --- the answer -------------------------------------------------------------------------------------------------------


def answer(context: Context) -> str:
    """Return whether the first player is favoured, and who is too weak or too strong, in a few sentences."""
    far = telling(context)
    others = [line for line in context.headlines if line is not far]
    said = [_favoured(context)]
    said += [_seats(line, line is far) for line in (far, *others) if line.verdict.word == "unbalanced"]
    for pill, text in ((pills.FAIR, "all seats are fair"), (pills.UNSURE, "we can't tell yet")):
        if numbers := [line.players for line in context.headlines if pills.which(line) == pill]:
            said.append(f"With {_numbers(numbers)}, {text}.")
    return " ".join([*said, *things(context)])


def _numbers(numbers: Sequence[int]) -> str:
    """Return `two and three players`."""
    return f"{words.listed([words.count(n) for n in numbers])} players"


def _favoured(context: Context) -> str:
    """Return whether the first player is favoured; with these numbers, if other plausible ones deny it more often than
    they agree."""
    found: dict[str, list[Line]] = {}
    for line in context.headlines:
        found.setdefault(pills.favoured(line), []).append(line)
    yes, no = ([line.players for line in found.get(word, [])] for word in (pills.YES, pills.NO))
    telling_ = found.get(pills.YES) or found.get(pills.NO, [])
    turned = ", with these numbers" if any(_turns(context, line) for line in telling_) else ""
    if len(found) == 1:
        if not yes and not no:
            return "We can't tell yet."
        return f"Yes{turned}." if yes else "Not with these numbers." if turned else "No."
    return f"Yes, with {_numbers(yes)}{turned}." if yes else f"Not with {_numbers(no)}{turned}."


def _turns(context: Context, line: Line) -> bool:
    """Return whether other plausible numbers deny what is said of the first seat."""
    drawn = context.survey.robustness
    return drawn is not None and denied(drawn, line.players, pills.favoured(line), name="1")


def _seats(line: Line, size: bool) -> str:
    """Return `With four players, seats 2 and 3 are too strong and seat 4 is too weak`, and by how much if that is
    wanted."""
    said = f"With {count_words(line.players)}, {pills.stated(line)}"
    if not size:
        return f"{said}."
    out = [number for _, mine in pills.out(line) for number in mine]
    far = max(out, key=lambda number: abs(seat(line, number)["index"] - 1))
    wins = f"{words.in_hundred(seat(line, far)['win_share'])} of 100 games"
    who = "it" if len(out) == 1 else f"seat {far}"
    fair = words.in_hundred(1 / line.players)
    return f"{said}: {who} wins {wins} where {fair} would be fair."


def dealt(context: Context) -> list[Worth]:
    """Return what is known of the things that have powers, with the number of players that speaks for the game."""
    survey, found = context.survey, []
    for kind in dict.fromkeys(worth.kind for worth in survey.worths):
        worth = survey.worth(kind, survey.speaks)
        if worth is not None and not worth.withheld and registry.load(survey.game).things[kind].powers:
            found.append(worth)
    return found


def things(context: Context) -> list[str]:
    """Return which things are too weak or too strong, a sentence for each kind."""
    said: list[str] = []
    for worth in dealt(context):
        rows = sorted(records(worth.things), key=lambda row: -abs(row["worth"]))
        found = {row["thing"]: pills.of_worth(row, worth.margin) for row in rows}
        parts: list[str] = []
        for pill in (pills.WEAK, pills.STRONG):
            if names := [context.labels(thing) for thing, word in found.items() if word == pill]:
                verb = "" if parts else "is " if len(names) == 1 else "are "
                many = f"{words.count(len(names))} of the {context.labels(worth.kind)}"
                parts.append(f"{many if len(names) > MOST_NAMED else words.listed(names)} {verb}{pill}")
        whole = pills.together(found.values())
        if parts:
            said.append(words.sentence(", ".join(parts)))
        elif whole == pills.FAIR:
            said.append(f"The {context.labels(worth.kind)} are all fair.")
    return said


# --- how sure, and on what it rests -----------------------------------------------------------------------------------


def telling(context: Context) -> Line:
    """Return the line of which the first screen says how sure it is: one with a seat out, or else the usual one."""
    speaks = context.survey.headline(context.survey.speaks)
    out = [line for line in (speaks, *context.headlines) if line.verdict.word == "unbalanced"]
    return (out or [speaks])[0]


def _sure(context: Context) -> str:
    line = telling(context)
    row, stopped = seat(line, line.verdict.seat), " The run was stopped by hand." if context.survey.interrupted else ""
    between = words.interval(100 * row["low"], 100 * row["high"], words.decimals(100 * (row["high"] - row["low"]) / 2))
    games = f"{between} of 100 {words.players(line.players)} games"
    return f"We are 95 % sure that seat {line.verdict.seat} wins {games}, from {line.games:,} games.{stopped}"


def _rests(context: Context) -> str:
    """Return what becomes of it with other plausible numbers, or that no number is assumed."""
    survey, line = context.survey, telling(context)
    counts = survey.counts
    if not counts.assumed:
        return f"None of the {counts.numbers:,} numbers is a placeholder."
    drawn = survey.robustness
    found = drawn.find(SEAT, line.players, str(line.verdict.seat)) if drawn and drawn.printings else None
    if found is None or drawn is None:
        return f"{words.sentence(str(counts))} This run has not tried other values for them."
    sets = words.many(drawn.printings, "other plausible set of numbers", "other plausible sets of numbers")
    first_ = drawn.find(SEAT, line.players, "1")
    also = ""
    if first_ not in (None, found) and _turns(context, line):
        also = f" Seat 1 was {told(first_)}."
    return f"In {sets}, seat {found.name} was {told(found)}.{also}"


# --- the picture ------------------------------------------------------------------------------------------------------


def _figure(context: Context) -> Figure:
    survey = context.survey
    rows = [
        {"label": count_words(line.players), "mark": str(int(row["seat"]))}
        | {"colour": style.token("seat", int(row["seat"])), "value": row["index"]}
        | {"low": row["index_low"], "high": row["index_high"]}
        for line in context.headlines
        for row in records(line.tables["seats"])
    ]
    said = [
        f"{count_words(line.players)}, {pills.which(line)}: {_seats_in_percent(line)}" for line in context.headlines
    ]
    note = "Discs: seats."
    for worth in dealt(context):
        kind = kind_of(survey.game, worth.kind)
        colours = style.colours("thing", list(worth.things["thing"]))
        furthest = sorted(records(worth.things), key=lambda row: -abs(row["worth"]))[:MOST_ROWS]
        ranked = sorted(furthest, key=lambda row: -row["worth"])
        rows += [
            {"label": context.labels(row["thing"]), "mark": "", "colour": colours[row["thing"]]}
            | {"value": 1 + row["worth"], "low": 1 + row["low"], "high": 1 + row["high"]}
            for row in ranked
        ]
        said.append(
            f"{kind.name}: "
            + ", ".join(f"{context.labels(r['thing'])} {_percent(r['worth'], r['low'], r['high'])}" for r in ranked)
        )
        note += f" Diamonds: {kind.name} dealt by chance, {count_words(worth.players)}."
    frame = [row | {end: 100 * (row[end] - 1) for end in ("value", "low", "high")} for row in rows]
    alt = words.sentence("Wins, as more or less than a fair share. " + "; ".join(said))
    scale = _scale([end for row in frame for end in (row["low"], row["high"])], 100 * survey.margin)
    panel = context.drawn(partial(crowd, pitch=PITCH), frame, scale, alt)
    note += f" Shaded: fair, within {words.plain(100 * survey.margin)} %. Bars: 95 % intervals."
    return Figure("Wins, compared with a fair share", [panel], note)


def _seats_in_percent(line: Line) -> str:
    rows = records(line.tables["seats"])
    ends = ([row[name] - 1 for name in ("index", "index_low", "index_high")] for row in rows)
    return ", ".join(f"seat {row['seat']} {_percent(*end)}" for row, end in zip(rows, ends, strict=True))


def _percent(value: float, low: float, high: float) -> str:
    """Return how much more or less than fair as `+21 %`, `−24 %`."""
    return f"{'+' if value > 0 else ''}{words.number(100 * value, 100 * low, 100 * high, ' %', 1)}"


def _scale(ends: Sequence[float], margin: float) -> Scale:
    """Return an axis in percent more or less than a fair share, with ticks to both ends."""
    known = [end for end in ends if end == end and abs(end) != float("inf")]
    low, high = min([*known, -margin]), max([*known, margin])
    step = next((s for s in (5, 10, 20, 25, 50, 100) if (high - low) / s <= 5), 200)
    first_, last = -int(-low // step + (-low % step > 0)), int(high // step + (high % step > 0))
    ticks = [(float(k * step), _tick(k * step)) for k in range(first_, last + 1)]
    room = 0.03 * (ticks[-1][0] - ticks[0][0])
    return Scale(ticks, 0.0, (-margin, margin), (ticks[0][0] - room, ticks[-1][0] + room))


def _tick(value: float) -> str:
    return "fair" if value == 0 else f"{'+' if value > 0 else '−'}{abs(value):g} %"
