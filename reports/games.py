"""Three games that stand for many, each told in a few sentences that come from its numbers."""

from collections.abc import Sequence

from analyses import frames as pd
from analyses.games import Three, Told
from reports import style, words
from reports.drawing import Scale
from reports.figures import courses
from reports.kinds import kind_of
from reports.parts import (
    Block,
    Commands,
    Context,
    Figure,
    Heading,
    Panel,
    Section,
    Terms,
    Text,
    count_words,
    seat_colour,
)
from reports.places import race_scale
from reports.tables import Column, Columns, Table, table

NAMES = {"typical": "most typical", "closest": "closest", "one-sided": "most one-sided"}
MOST_SOURCES = 3
END = "the final scoring"


def section(context: Context) -> Section:
    """Return the section that tells three games."""
    three = context.survey.three
    if three is None:
        return Section("games", "", [])
    seating = context.seating(context.survey.headline(three.players))
    text = (
        f"These three come from the first {three.among:,} games with {count_words(three.players)}, {seating}. The end "
        "of this section says how they were picked. The command under each game plays it again and tells every step."
    )
    numbers: list[Block] = [Text([text])]
    for told in three.told:
        numbers += [
            Heading(f"The {NAMES[told.kind]} game: number {told.number:,}"),
            Text(account(context, three, told)),
            _scores(told),
        ]
        numbers += [_held(context, told, kind) for kind in told.held if not kind_of(context.survey.game, kind).places]
        if told.command:
            numbers.append(Commands([told.command]))
    numbers += [Heading("How they were picked"), _rules(three)]
    margins = words.listed([words.fixed(told.margin, 0) for told in three.told])
    title = f"Three games ended with {margins} points between first and second"
    shown: list[Block] = [_figure(context, three)] if three.told[0].after else [Text([_result(t) for t in three.told])]
    return Section("games", title, shown, numbers, "Three games")


def account(context: Context, three: Three, told: Told) -> list[str]:
    """Return what happened in a game: a paragraph on the race, and one on where the points came from."""
    race = [_result(told), *_course(told), *_swing(told), _beside(three, told)]
    return [" ".join(part) for part in (race, _sources(context, told)) if part]


def _name(seats: Sequence[int], strategies: Sequence[str] = ()) -> str:
    """Return `seats 1 and 3`; with strategies that differ `seats 1 (a) and 3 (b)`."""
    differ = len(set(strategies)) > 1
    each = [f"{seat} ({strategies[seat - 1]})" if differ else str(seat) for seat in sorted(seats)]
    return f"{'seat' if len(each) == 1 else 'seats'} {words.listed(each)}"


def _points(n: int) -> str:
    return f"{words.fixed(n, 0)} {'point' if abs(n) == 1 else 'points'}"


def _result(told: Told) -> str:
    """Return who won with how many points, and who won a tie-break."""
    winners, scores = told.winners, told.scores
    who, had = _name(winners, told.strategies), [scores[seat - 1] for seat in sorted(winners)]
    if len(set(had)) > 1:
        return words.sentence(f"{who} shared the win, with {words.listed([words.fixed(n, 0) for n in had])} points")
    level = [seat for seat in told.order if scores[seat - 1] == had[0]]
    if len(level) > len(winners):
        won = f"made {_name(winners)} the winner" if len(winners) == 1 else f"left the win to {_name(winners)} together"
        all_ = f"{_name(level, told.strategies)} {'both' if len(level) == 2 else 'all'}"
        return words.sentence(f"{all_} had {_points(had[0])}; the tie-break {won}")
    won = f"won with {_points(had[0])}" if len(winners) == 1 else f"shared the win with {_points(had[0])} each"
    rest = [seat for seat in told.order if seat not in winners]
    if not rest:
        return words.sentence(f"{who} {won}")
    best = max(scores[seat - 1] for seat in rest)
    others = _name([seat for seat in rest if scores[seat - 1] == best], told.strategies)
    apart = (
        f"{words.fixed(had[0] - best, 0)} ahead of {others}" if best < had[0] else f"and {others} had {_points(best)}"
    )
    return words.sentence(f"{who} {won}, {apart}")


def _course(told: Told) -> list[str]:
    """Return who led when."""
    if not told.after:
        return []
    last, leaders, winner = len(told.after), told.leaders, told.order[0]
    if len(told.winners) > 1:
        front = "led" if len(leaders[-1]) == 1 else "were level in front"
        return [words.sentence(f"After round {last}, the last, {_name(leaders[-1])} {front}")]
    if told.since == 1:
        return [words.sentence(f"{_name([winner])} led after every round")]
    before = told.since - 1
    ahead = max(told.after[before - 1]) - told.after[before - 1][winner - 1]
    others = _name([seat for seat in leaders[before - 1] if seat != winner])
    behind = f"{_points(ahead)} behind {others}" if ahead else f"level with {others}"
    decided = f", and {END} made that up" if ahead else f", and {END} decided" if told.margin else ""
    if told.since <= last:
        text = f"{_name([winner])} led from the end of round {told.since} on; after round {before} it was {behind}"
    elif last > 1 and ahead and all(seats == leaders[0] for seats in leaders):
        text = f"{others} led after every round, after the last one by {_points(ahead)} over {_name([winner])}{decided}"
    else:
        text = f"after round {last}, the last, {_name([winner])} was {behind}{decided}"
    times = "twice" if told.changes == 2 else f"{words.count(told.changes)} times"
    return [words.sentence(text), *([f"The lead changed hands {times}."] if told.changes > 1 else [])]


def _swing(told: Told) -> list[str]:
    """Return when the first gained most on the second."""
    most = max(told.swings)
    if not told.after or len(told.winners) > 1 or most <= 0:
        return []
    last = len(told.after)
    rounds = [str(number) for number, gained in enumerate(told.swings[:last], 1) if gained == most]
    when = [f"{'round' if len(rounds) == 1 else 'rounds'} {words.listed(rounds)}"] if rounds else []
    when += [END] if told.swings[last] == most else []
    each = " each" if len(rounds) + (told.swings[last] == most) > 1 else ""
    first, second = told.order[:2]
    return [
        words.sentence(
            f"{_name([first])} gained most on {_name([second])} in {words.listed(when)}: {_points(most)}{each}"
        )
    ]


def _beside(three: Three, told: Told) -> str:
    """Return how the game compares with the others."""
    games, lead = f"{three.among:,} games", words.fixed(three.lead, 1)
    if told.kind == "typical":
        return (
            f"Over all {games} the winner has {words.fixed(three.first, 1)} points on average, {lead} more than the "
            "second."
        )
    if told.kind == "closest" and three.level:
        few = "this game alone" if three.level == 1 else f"{three.level:,} of {games}"
        apart = max(told.scores) - min(told.scores)
        here = f"{_points(apart)} separated the highest score from the lowest" if apart else "everybody did"
        return f"First and second had the same score in {few}" + (f"; here {here}." if len(told.scores) > 2 else ".")
    return (
        f"None of the {games} had a {'smaller' if told.kind == 'closest' else 'larger'} lead; the average is {lead} "
        "points."
    )


def _sources(context: Context, told: Told) -> list[str]:
    """Return where the first got points, and where the second got fewer or more."""
    first, second = told.order[:2]
    label = {source: context.labels.short(f"points.{source}") for source in told.points}
    mine = {source: points[first - 1] for source, points in told.points.items()}
    most = sorted((source for source in mine if mine[source] > 0), key=lambda source: -mine[source])
    if not most:
        return []
    listed = words.listed([f"{label[source]} ({mine[source]})" for source in most[:MOST_SOURCES]])
    how = "the largest sources of points were" if len(most) > MOST_SOURCES else "all points came from"
    found = [f"For {_name([first])} {how} {listed}."]
    ahead = {source: points[first - 1] - points[second - 1] for source, points in told.points.items()}
    best, worst = max(ahead, key=lambda source: ahead[source]), min(ahead, key=lambda source: ahead[source])
    parts = []
    if ahead[best] > 0:
        parts.append(f"{label[best]} ({mine[best]} to {told.points[best][second - 1]}) in favour of {_name([first])}")
    if ahead[worst] < 0:
        parts.append(f"{label[worst]} ({mine[worst]} to {told.points[worst][second - 1]}) against it")
    many = "difference" if len(parts) == 1 else "differences"
    return [*found, f"Largest {many} from {_name([second])}: {', '.join(parts)}."] if parts else found


def _scores(told: Told) -> Table:
    """Return the scores by seat: after each round, and at the end."""
    rows = []
    for seat, score in enumerate(told.scores, 1):
        mine = (-told.shares[seat - 1], -score)
        place = 1 + sum((-share, -other) < mine for share, other in zip(told.shares, told.scores, strict=True))
        row = {
            "seat": seat,
            "label": f"Seat {seat}",
            "strategy": told.strategies[seat - 1],
            "score": score,
            "place": place,
        }
        rows.append(row | {f"round {number}": scores[seat - 1] for number, scores in enumerate(told.after, 1)})
    cast = ["strategy"] if len(set(told.strategies)) > 1 else []
    rounds = [f"round {number}" for number in range(1, 1 + len(told.after))]
    columns: Columns = [Column("seat", "label", colour=seat_colour), *cast, *rounds, Column("end", "score"), "place"]
    title = "Score after each round and at the end" if told.after else "Score at the end"
    return table(rows, columns, f"Game {told.number:,}: {title[:1].lower()}{title[1:]}")


def _held(context: Context, told: Told, kind: str) -> Table:
    """Return what each seat held, round by round."""
    rounds, spoken = told.held[kind], kind_of(context.survey.game, kind, dealt=False)
    rows = [
        {"seat": seat, "label": f"Seat {seat}"}
        | {
            str(number): context.labels(held[seat - 1]) if held[seat - 1] else words.NOT_KNOWN
            for number, held in enumerate(rounds, 1)
        }
        for seat in range(1, 1 + len(told.scores))
    ]
    columns = [Column("seat", "label", colour=seat_colour)]
    columns += [Column(spoken.occasion(number - 1), str(number)) for number in range(1, 1 + len(rounds))]
    return table(rows, columns, f"Game {told.number:,}: {context.labels(kind)} by {spoken.noun}", folded=True)


def _figure(context: Context, three: Three) -> Figure:
    """Return the race of each game: points ahead of the mean of the table after each round."""
    frames = []
    for told in three.told:
        rows = []
        for step, scores in enumerate((*told.after, told.scores), 1):
            name = str(step) if step <= len(told.after) else "end"
            mean = sum(scores) / len(scores)
            for seat, score in enumerate(scores, 1):
                value = score - mean
                row = {"step": step, "words": name, "series": f"Seat {seat}", "colour": style.token("seat", seat)}
                rows.append(row | {"value": value, "low": value, "high": value})
        frames.append(pd.DataFrame(rows))
    reach = max(1.0, *(float(frame["value"].abs().max()) for frame in frames))
    scale = race_scale(reach, next((s for s in (1, 2, 5, 10, 20, 50, 100) if reach / s <= 3), int(reach)))
    panels = [_panel(context, told, frame, scale) for told, frame in zip(three.told, frames, strict=True)]
    return Figure("Points ahead of the table's mean, round by round", panels)


def _panel(context: Context, told: Told, frame: "pd.DataFrame", scale: Scale) -> Panel:
    ends = words.listed([f"seat {seat} {_points(told.scores[seat - 1])}" for seat in told.order])
    alt = words.sentence(
        f"the {NAMES[told.kind]} game, points ahead of the table's mean after each round; at the end {ends}"
    )
    return context.drawn(courses, frame, scale, alt, f"{NAMES[told.kind].capitalize()}: number {told.number:,}")


def _rules(three: Three) -> Terms:
    """Return the rules that picked the games."""
    told = three.told[0]
    who = (
        f"seat {three.seats[0]}, the seat"
        if len(three.seats) == 1
        else f"seats {words.listed([str(s) for s in three.seats])} together, those"
    )
    numbers = [
        "the scores from first to last",
        "the winner's lead" + (" after each round and at the end" if told.after else ""),
    ]
    numbers += ["the winner's points from each source"] if told.points else []
    typical = (
        f"Of the games won by {who} with the most wins ({three.often:,} of {three.among:,}), the one closest to the "
        f"average of all games. We compare {'; '.join(numbers)}. Each number counts by its distance from its average, "
        "in standard deviations."
    )
    closest = (
        "The fewest points between first and second. If several tie: the fewest between highest and lowest "
        "score, then the lowest number."
    )
    return Terms(
        [
            (NAMES["typical"], typical),
            (NAMES["closest"], closest),
            (NAMES["one-sided"], "The most points between first and second. If several tie: the lowest number."),
            ("number", "We number games from 0, in the order of play."),
        ]
    )
