"""The page of a comparison: is the changed game fairer, what changes, how sure are we, what did it cost to find out?"""

from typing import Any

from analyses import frames as pd
from analyses.compare.compare import Comparison, tables
from analyses.compare.order import Order
from analyses.compare.things import ThingsCompared
from analyses.compare.tuned import Retuned
from analyses.compare.whole import Fairness, WholeGames
from reports import pills, style, words
from reports.compare import words as w
from reports.compare.figures import APART, count_changes, largest, means_table, panels, shares, shares_table
from reports.kinds import once
from reports.parts import Answer, Block, Figure, Ground, Heading, Part, QuestionBox, Section, Terms, Text, count_words
from reports.tables import Column, Columns, records, table

KICKER = "What does the change do?"
SOURCES = {"given": "given by you"}
WORDS = {"fairer": pills.YES, "same": "no change", "undecided": pills.UNSURE}


def questions(ground: Ground, found: Comparison) -> list[QuestionBox]:
    """Return the questions at the top with their answers."""
    whole, n = found.whole, found.players
    fair = [
        _fair(
            "the seats",
            "seats",
            whole.fairness,
            w.seat_names(whole),
            w.verdicts(whole.before.word, whole.after.word, whole.word),
        )
    ]
    for things in found.things:
        said = w.verdicts(things.before, things.after, things.word)
        them = ground.labels(things.kind)
        fair.append(_fair(f"the {them}", them, things.fairness, w.thing_names(ground, things), said))
    made = [QuestionBox("Is the changed game fairer?", "seats", fair)]
    size = w.nothing(whole) or f"{w.most_seat(whole)} Mean score: {w.points(whole.score, 'points')}."
    sure = f"95 % intervals from {whole.games:,} games of each set"
    some = any(row["low"] > 0 or row["high"] < 0 for row in records(whole.seats))
    word = pills.YES if some else pills.UNSURE if whole.altered else pills.NO
    made.append(
        QuestionBox("Does anybody win more or less often?", "seats", [Answer(count_words(n), word, size, sure)])
    )
    if found.order:
        word = pills.YES if found.order.swaps else pills.NO if found.order.holds else pills.UNSURE
        size = f"{w.overtaking(found.order)} {w.most_strategy(found.order)}"
        made.append(
            QuestionBox(
                "Do other ways to play come out ahead?",
                "strategies",
                [Answer(count_words(n), word, size, _sure(found.order))],
            )
        )
    if found.retuned and found.retuned.whole:
        tuned = found.retuned.whole
        said = w.verdicts(tuned.before.word, tuned.after.word, tuned.word)
        answer = _fair("with practice", "seats", tuned.fairness, w.seat_names(tuned), said)
        made.append(QuestionBox("And once players have practised the change?", "tuned", [answer]))
    word = f"{words.rough(found.all_games)} games"
    made.append(
        QuestionBox(
            "What did it cost to find out?", "how", [Answer("", word, w.cost(ground, found), w.saving(ground, found))]
        )
    )
    return made


def _fair(who: str, what: str, fair: Fairness, names: list[str], verdicts: str) -> Answer:
    size = words.sentence("Nothing changes" if fair.word == "same" else w.distance(fair, names))
    return Answer(
        who, WORDS.get(fair.word, fair.word), size, f"Verdict on the {what.removeprefix('the ')}: {verdicts}."
    )


def _sure(order: Order) -> str:
    return f"95 % intervals from {order.games:,} games of each set"


def sections(ground: Ground, found: Comparison) -> list[Section]:
    """Return the sections, in the order of the page."""
    made = [_changes(found), Section("seats", "Who wins: the seats", _seat_blocks(ground, found.whole, found))]
    for things in found.things:
        made.append(
            Section(
                things.kind, f"What the {ground.labels(things.kind)} are worth", _thing_blocks(ground, things, found)
            )
        )
    made += [_points(ground, found.whole), _uses(ground, found.whole)]
    made += [_strategies(ground, found.order, found)] if found.order else []
    made += [_tuned(ground, found.retuned, found)] if found.retuned else []
    return [*made, _how(ground, found)]


def _changes(found: Comparison) -> Section:
    numbers = found.components.numbers
    rows = [
        {"value": path, "before": w.value(was), "after": w.value(now)}
        | {"source, after": SOURCES.get(numbers[path].source, numbers[path].source) if path in numbers else "a rule"}
        for path, was, now in found.changes
    ]
    columns = ["value", "before", "after", "source, after"]
    text = f"“Before” and “after” mean the game with the values in these columns. {w.nothing(found.whole)}"
    rest = f"Everything else is the same in both. After the change {found.components.counts}."
    return Section(
        "changes", "What was changed", [Text([f"{text} {rest}"]), table(rows, columns, "Every value that differs")]
    )


def _shaded(found: Comparison) -> str:
    return (
        f"Line: fair share, or no change. Shaded: within {words.plain(100 * found.margin)} % of it, which counts as "
        "fair. Bars: 95 % intervals."
    )


def _seat_blocks(ground: Ground, whole: WholeGames, found: Comparison) -> list[Block]:
    seats = [int(seat) for seat in whole.seats["seat"]]
    labels, colours = [f"Seat {seat}" for seat in seats], [style.token("seat", seat) for seat in seats]
    shown = shares(whole.seats, labels, colours, found.players, found.margin)
    said = f"Verdict on the seats: {w.verdicts(whole.before.word, whole.after.word, whole.word)}."
    said = f"{said} {w.fairness(whole.fairness, 'seats', w.seat_names(whole))} {w.nothing(whole)}".strip()
    points = Column("change, points", "score_change", "score_low", "score_high", bounds=True)
    caption = f"Seats before and after: {whole.games:,} games of each set"
    return [
        Figure(
            w.most_seat(whole).rstrip("."),
            panels(ground, shown, "share of wins by seat"),
            f"Share of wins by seat. {_shaded(found)}",
        ),
        Text([said]),
        shares_table(shown, whole.seats, "seat", caption, [points]),
    ]


def _thing_blocks(ground: Ground, things: ThingsCompared, found: Comparison) -> list[Block]:
    names, n, them = list(things.things["thing"]), found.players, ground.labels(things.kind)
    colours = style.colours("thing", names)
    shown = shares(
        things.things, [ground.labels(x) for x in names], [colours[x] for x in names], n, found.margin, worth=True
    )
    frame = things.things.assign(verdict=w.thing_verdicts(things.things, found.margin))
    more: Columns = [Column("change, points", "points_change", "points_low", "points_high", bounds=True), "verdict"]
    how = (
        f"In both games chance deals the {them}{once(found.game, things.kind)}, so every seat holds each of them once "
        "with the same dice and draws. We compare the wins of a player handed one at random with the average of all."
    )
    said = f"Verdict: {w.verdicts(things.before, things.after, things.word)}."
    text = f"{how} {said} {w.fairness(things.fairness, them, w.thing_names(ground, things))}"
    title = w.most_thing(ground, things, n).rstrip(".")
    caption = (
        f"{words.capital(them)} before and after: {things.games:,} games of each set (points: ahead of the best "
        "other player)"
    )
    return [
        Figure(title, panels(ground, shown, f"share of wins of a player handed one of the {them}"), _shaded(found)),
        Text([text]),
        shares_table(shown, frame, them, caption, more),
    ]


def _points(ground: Ground, whole: WholeGames) -> Section:
    def name(row: dict[str, Any]) -> str:
        return ground.labels.short(f"points.{row['source']}")

    everybody = whole.sources[whole.sources["seat"] == "all"].reset_index(drop=True)
    text = f"Mean score of a player: {w.points(whole.score, 'points')}. The winner's lead over the second: "
    blocks: list[Block] = [Text([f"{text}{w.points(whole.lead, 'points')}."])]
    figure = count_changes(
        ground, everybody, name, lambda row, by: f"Largest change: {name(row)}, {by} points", "points", "source"
    )
    blocks += [figure] if figure else []
    if len(whole.sources):
        blocks += [] if figure else [Text(["No source of points changes by more than chance."])]
        frame = whole.sources.assign(label=[name(row) for row in records(whole.sources)])
        source = Column("source", "label")
        frame = frame[_used(frame)]
        blocks.append(
            means_table(frame[frame["seat"] == "all"], [source], "Points of a player by source", folded=False)
        )
        blocks.append(means_table(frame[frame["seat"] != "all"], ["seat", source], "Points by seat and source"))
    if len(whole.growth):
        frame = whole.growth.assign(label=[style.spoken(name) for name in whole.growth["round"]])
        blocks.append(means_table(frame, [Column("after", "label")], "Points of a player round by round"))
    return Section("points", "Points and where they come from", blocks)


def _used(frame: "pd.DataFrame") -> Any:
    return (frame["before"] != 0) | (frame["after"] != 0)


def _uses(ground: Ground, whole: WholeGames) -> Section:
    if not len(whole.uses):
        return Section("uses", "", [])

    def short(row: dict[str, Any]) -> str:
        kind = ground.labels(row["prefix"])
        return (
            kind if row["prefix"] == row["name"] else f"{kind} {ground.labels.short(row['prefix'] + '.' + row['name'])}"
        )

    sure = largest(whole.uses)
    change = "changes" if len(sure) == 1 else "change"
    text = (
        f"{words.count(len(sure)).capitalize()} of {words.many(len(whole.uses), 'count')} {change} by more than chance."
    )
    blocks: list[Block] = [Text([text])]
    unit, title = "times per player and game", "Largest change: {}, {} times"
    figure = count_changes(
        ground, whole.uses, short, lambda row, by: title.format(w.use(ground, row), by), unit, "count", 3
    )
    blocks += [figure] if figure else []
    used = whole.uses[_used(whole.uses)]
    frame = used.assign(label=[w.use(ground, row) for row in records(used)])
    blocks.append(
        means_table(frame, [Column("what", "label")], f"Uses per player and game ({len(frame)} counts)", most=3)
    )
    return Section("uses", "What players use more or less", blocks)


def _strategies(ground: Ground, order: Order, found: Comparison) -> Section:
    colours = style.colours("strategy", list(order.strategies["strategy"]))
    ranked = order.strategies.sort_values("win_share_before", ascending=False, kind="stable", ignore_index=True)
    ranked = ranked.assign(**{f"place_{when}": _places(ranked, when) for when in ("before", "after")})
    names = list(ranked["strategy"])
    shown = shares(ranked, names, [colours[name] for name in names], found.players, None)
    more = [Column("place before", "place_before"), Column("place after", "place_after")]
    all_ = "all strategies of the game at one table, with seats drawn anew for each block"
    seated = all_ if found.mixed else ground.seating(found)
    text = (
        f"{words.sentence(seated)} {w.overtaking(order)} {w.most_strategy(order)} A place such as 3–4 means that "
        "the intervals allow both."
    )
    caption = f"Strategies before and after: {order.games:,} games of each set"
    drawn, note = panels(ground, shown, "share of wins by strategy"), "Share of wins for a player with each strategy."
    blocks: list[Block] = [Figure(w.most_strategy(order).rstrip("."), drawn, note), Text([text])]
    return Section(
        "strategies", "Which way to play wins", [*blocks, shares_table(shown, ranked, "strategy", caption, more)]
    )


def _places(frame: "pd.DataFrame", when: str) -> list[str]:
    ends = zip(frame[f"best_{when}"], frame[f"worst_{when}"], strict=True)
    return [str(best) if best == worst else f"{best}–{worst}" for best, worst in ends]


def _tuned(ground: Ground, retuned: Retuned, found: Comparison) -> Section:
    text = (
        "So far the same strategy played both games. But people who know a game change how they play when the game "
        "changes. "
    )
    blocks: list[Block] = [Text([text + " ".join(w.practice(retuned))])]
    if retuned.whole is None:
        blocks.append(Text(["The run stopped before the comparison with the tuned strategy."], warning=True))
    else:
        before = f"Before: {retuned.strategy} in every seat."
        blocks.append(Text([f"{before} After: the tuned strategy in every seat, with the same dice and draws."]))
        blocks += _seat_blocks(ground, retuned.whole, found)
        said = f"Mean score of a player: {w.points(retuned.whole.score, 'points')}."
        blocks.append(Text([f"{said} The winner's lead: {w.points(retuned.whole.lead, 'points')}."]))
        for things in retuned.things:
            blocks += [
                Heading(f"The {ground.labels(things.kind)}, with practice"),
                *_thing_blocks(ground, things, found),
            ]
    return Section("tuned", "Once players have practised the change", blocks)


def _how(ground: Ground, found: Comparison) -> Section:
    text = [
        "Both games had the same luck: the same dice for the same player, in the same seats. So luck that hits both "
        "alike cancels. We measure the change on pairs of blocks; a block is one set of dice and draws in all "
        "rotations of the seats.",
        f"{w.cost(ground, found)} {w.saving(ground, found)}",
    ]
    if found.order and len(found.strategies) == 1 and not found.retuned:
        text.append(
            "The strategies know the values of the game that they play, but they still weigh them as before: they "
            "don't learn the change. To tune the strategy anew for the changed game, add --retune."
        )
    pairs = [
        (
            "off its fair share",
            "How far a share of wins is from the fair one, in percent of it: if 25 % is fair, 27.5 % is 10 % off.",
        ),
        (
            "fairer",
            "The one furthest from its fair share is closer to it after the change. We say so only if it holds "
            "wherever the shares lie in their intervals: before, after and for the change, all at once.",
        ),
        (
            "goes together",
            "The correlation of a block's values before and after: 1 if both go up and down together, 0 if neither "
            "tells you the other.",
        ),
        (
            APART,
            "How many times as many games two runs with separate dice and draws would need for an interval as narrow.",
        ),
        (
            "95 % interval",
            "Holds for all rows of its column at once. The number of games was fixed in advance, unless somebody "
            "stopped the run.",
        ),
        (
            "worth",
            "How much more or less a player handed a thing at random wins than the average of all, with the same dice "
            "and draws.",
        ),
    ]
    return Section("how", "How it was compared", [Text(text), Terms(pairs)])


def part(found: Comparison) -> Part:
    """Return the page."""
    ground, before = Ground.of(found.game), found.revision.before
    more = [("compared with", f"digest {before.digest}; {before.counts}"), ("who played", ground.seating(found))]
    return Part(
        "compare", KICKER, w.headline(ground, found), questions(ground, found), sections(ground, found),
        tables(found), found, found.all_games, more,
    )  # fmt: skip
