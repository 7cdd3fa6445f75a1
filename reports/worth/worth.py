"""What things (Kings, …) are worth when chance deals them: the page, with its figures and tables."""

from collections.abc import Sequence
from typing import Any

from analyses import frames as pd
from analyses.robustness.robustness import Robustness
from analyses.worth.worth import Worth
from reports import pills, style, words
from reports.drawing import Scale
from reports.figures import crowd, dots
from reports.kinds import RARE, kind_of
from reports.parts import (
    Answer,
    Block,
    Context,
    Figure,
    Ground,
    Part,
    QuestionBox,
    Section,
    Text,
    count_words,
    index_scale,
    shared_limits,
    top,
)
from reports.robustness.words import counted, denied
from reports.tables import Column, Columns, Table, lineup_head, matrix, records, stacked, table
from reports.worth.words import (
    WANTED,
    WITHHELD,
    dealt,
    headline,
    holder,
    misleading,
    outside,
    pill,
    question,
    ranked,
    saving,
    together,
    verdict,
)

SPLIT = {"power": "power", "rest": "the rest"}


def name(kind: str) -> str:
    """Return the name of the section."""
    return f"{kind}_worth"


def asks(line: Worth) -> str:
    """Return the question that a word answers."""
    kind = kind_of(line.game, line.kind)
    return f"Does it pay to be first in a {kind.noun}?" if kind.places else f"Are the {kind.name} fair?"


def answers(ground: Ground, found: Sequence[Worth]) -> QuestionBox:
    """Return the question with an answer for each line."""
    levels = len({line.strategies for line in found}) > 1
    made = []
    for line in found:
        who_plays = count_words(line.players) + (f", {words.listed(list(line.strategies))}" if levels else "")
        stopped = ", stopped by hand" if line.interrupted else ""
        sure = f"95 % intervals from {line.games:,} games dealt by chance{stopped}"
        made.append(Answer(who_plays, pills.answer(pill(line)), verdict(ground, line), sure))
    return QuestionBox(asks(found[0]), name(found[0].kind), made)


def answer(ground: Ground, line: Worth, drawn: Robustness | None, why: bool) -> Answer:
    """Return a short answer for a report; drawn: whether it holds for other plausible numbers; why: say why nothing is
    said of single ones."""
    word, who = pill(line), count_words(line.players)
    short = (
        together(line)
        if line.withheld and not why
        else verdict(ground, line)
        if line.withheld
        else outside(ground, line)
    )
    said = counted(drawn, line.players, line.kind) if drawn else ""
    if drawn and denied(drawn, line.players, word, line.kind):
        return Answer(who, pills.DEPENDS, f"With these numbers: {short}", said)
    return Answer(who, pills.answer(word), short, said)


def sections_of(ground: Ground, found: Sequence[Worth]) -> list[Section]:
    """Return the sections on a kind of thing, from lines of several numbers of players or levels of play."""
    kind, label = found[0].kind, words.capital(kind_of(found[0].game, found[0].kind).name)
    if all(line.withheld for line in found):
        said = [
            f"{_line(line, found)}, {words.seating(line.strategies)}: {together(line)} Chance dealt in {line.games:,} "
            "games."
            for line in found
        ]
        why = f"{WITHHELD}: {found[0].withheld}. {WANTED}"
        numbers: list[Block] = [Text([_how(found[0])]), Text(said)]
        return [Section(name(kind), question(found[0]), [Text([why], warning=True)], numbers, f"{label}: worth")]
    colours = style.colours("thing", list(dict.fromkeys(thing for line in found for thing in line.things["thing"])))
    main = [line for line in found if line.strategies == found[0].strategies]
    far = max(main, key=lambda line: abs(ranked(line)[0]["worth"]))
    finding = f"with {count_words(far.players)}, {holder(ground, ranked(far)[0], far.players)}"
    finding += f", where {words.par(far.players)} would be fair"
    if kind_of(far.game, kind).places:
        finding = f"with {count_words(far.players)}, {outside(ground, far)}".rstrip(".")
    numbers = [Text([_how(found[0])])]
    numbers.append(
        Text([f"{_line(line, main)}: {verdict(ground, line)} {' '.join(misleading(ground, line))}" for line in main])
    )
    numbers += [_table(ground, line, colours) for line in main]
    for line in main:
        numbers += _by(ground, line, colours)
    others = [line for line in found if not any(line is other for other in main)]
    if others:
        numbers.append(_levels(ground, found, colours))
    shown = Section(name(kind), words.capital(finding), [_wins(ground, main, colours)], numbers, f"{label}: worth")
    powered = [line for line in main if line.powers]
    return [shown, _powers(ground, powered, colours, label)] if powered else [shown]


def _powers(ground: Ground, found: Sequence[Worth], colours: dict[str, str], label: str) -> Section:
    """Return the section on what the powers of things bring, apart from everything else."""
    line = found[0]
    numbers: list[Block] = [Text([_meaning(line), saving(line)])]
    numbers += [_parts(ground, line, colours) for line in found]
    title = f"With {count_words(line.players)}, the strongest power belongs to {_power(ground, line)}"
    return Section(f"{line.kind}_powers", title, [_split(ground, found)], numbers, f"{label}: powers")


def _line(line: Worth, among: Sequence[Worth]) -> str:
    return count_words(line.players).capitalize() if len(among) > 1 else f"With {count_words(line.players)}"


def _how(line: Worth) -> str:
    kind = kind_of(line.game, line.kind)
    gets = "chooses" if kind.chosen else "gets"
    why = (
        f"A player who {gets} one of the {kind.name} may be strong anyway, or ahead already, so the holders' wins "
        "don't tell what it is worth."
    )
    each = (
        f"With the same dice and draws every seat got each of them once, with {words.seating(line.strategies)}, and "
        "nothing else differs."
    )
    return f"{why} {dealt(line)} {each}"


def _meaning(line: Worth) -> str:
    kind = kind_of(line.game, line.kind)
    rest = (
        "its place in an order, and having no power while others do"
        if kind.ordered
        else "having no power while others do"
    )
    few = f" We measured power and rest in {line.power_games:,} games only, so the sum may be a little off."
    return (
        "Power: how much more the holder wins with the thing's power than with the same thing and no power, when "
        f"everything else is dealt the same. The rest: {rest}. The two add up to its worth, compared with the average "
        f"of the {kind.name}.{few if line.power_games < line.games else ''}"
    )


def _wins(ground: Ground, found: Sequence[Worth], colours: dict[str, str]) -> Figure:
    frames = [_label(ground, line, line.things) for line in found]
    limits = shared_limits(frames, found[0].margin)
    panels = []
    for line, t in zip(found, frames, strict=True):
        text = [words.percent(*row) for row in zip(t["share"], t["share_low"], t["share_high"], strict=True)]
        frame = t.assign(
            value=t["index"],
            low=t["index_low"],
            high=t["index_high"],
            text=text,
            colour=[colours[x] for x in t["thing"]],
        )
        alt = f", share of wins of a player who gets each at random: {verdict(ground, line)}".rstrip(".")
        panels.append(
            ground.panel(dots, frame, index_scale(line.players, line.margin, (), limits), alt, line.players, pill(line))
        )
    note = (
        f"Wins of a player who gets it at random, {words.seating(found[0].strategies)}. Line: fair. Shaded: counts as "
        "fair."
    )
    return Figure(f"Wins with each of the {kind_of(found[0].game, found[0].kind).name}", panels, note)


def _label(ground: Ground, line: Worth, t: "pd.DataFrame") -> "pd.DataFrame":
    """Return a table of things with labels, and with win indices and shares of wins of those who are dealt them."""
    ends = {"index": 1 + t["worth"], "index_low": 1 + t["low"], "index_high": 1 + t["high"]}
    return ground.things(t).assign(
        **ends, **{name.replace("index", "share"): end / line.players for name, end in ends.items()}
    )


def _table(ground: Ground, line: Worth, colours: dict[str, str]) -> Table:
    frame, kind = _label(ground, line, line.things), kind_of(line.game, line.kind)
    columns = [
        Column(ground.labels(line.kind), "label", colour=lambda row: colours[row["thing"]]),
        Column("wins when dealt, %", "share", "share_low", "share_high", 100, bounds=True),
        Column("points against the average", "points", "points_low", "points_high", bounds=True),
        Column("verdict", lambda row: pills.of_worth(row, line.margin)),
    ]
    if line.free:
        columns += [
            Column(f"{kind.had}, % of a player's {kind.noun}s", "chosen", "chosen_low", "chosen_high", 100),
            Column(f"wins when {kind.had}, %", "wins_when_chosen", "wins_low", "wins_high", 100),
            Column("so it", _misleads),
        ]
    caption = f"{count_words(line.players).capitalize()}: dealt by chance ({line.games:,} games)"
    free = f", and {'chosen freely' if kind.chosen else 'as usual'} ({line.free:,} games)" if line.free else ""
    return table(frame, columns, caption + free)


def _misleads(row: dict[str, Any]) -> str:
    """Return how free choice misleads about a thing; nothing of what was hardly ever chosen."""
    return "too rare to tell" if not row["chosen"] >= RARE else row["misleads"] or "does not mislead"


def _split(ground: Ground, found: Sequence[Worth]) -> Figure:
    reach = max(
        100 * abs(line.things[f"{part}_{end}"]).max() / line.players
        for line in found
        for part in SPLIT
        for end in ("low", "high")
    )
    step = next((s for s in (0.5, 1, 2, 5, 10, 20) if reach / s <= 3), 50)
    ticks = [
        (k * step, "0" if not k else f"{'+' if k > 0 else '−'}{abs(k) * step:g}")
        for k in range(-3, 4)
        if abs(k * step) <= 1.05 * reach
    ]
    scale = Scale(ticks, 0.0, None, (-1.1 * reach, 1.1 * reach), "more or fewer wins in 100 games")
    panels = []
    for line in found:
        factor = 100 / line.players
        rows = [
            {"label": ground.labels(row["thing"]), "mark": part[0].upper(), "colour": style.token("place", 1 + 2 * at)}
            | {"value": factor * row[part], "low": factor * row[f"{part}_low"], "high": factor * row[f"{part}_high"]}
            for row in records(line.things)
            for at, part in enumerate(SPLIT)
        ]
        alt = f", wins in 100 games that power and the rest bring the holder. Strongest power: {_power(ground, line)}"
        panels.append(ground.panel(crowd, rows, scale, alt, line.players))
    line = found[0]
    rest = "place in the order, no power" if kind_of(line.game, line.kind).ordered else "no power"
    note = f"P: the power alone. R: the rest ({rest}). Bars: 95 % intervals."
    return Figure("What the power brings, and the rest", panels, note)


def _power(ground: Ground, line: Worth) -> str:
    """Return the thing with the strongest power, and how strong that is."""
    row = top(line.things, "power")
    value, low, high = (100 / line.players * row[name] for name in ("power", "power_low", "power_high"))
    places = words.decimals(words.half_width(value, low, high), 1)
    size = (
        f"{words.fixed(abs(value), places)} {'more' if value >= 0 else 'fewer'} wins in 100 games "
        f"({words.interval(low, high, places)})"
    )
    return f"{ground.labels(row['thing'])}: {size}"


def _parts(ground: Ground, line: Worth, colours: dict[str, str]) -> Table:
    frame = _label(ground, line, line.things)
    columns = [Column(ground.labels(line.kind), "label", colour=lambda row: colours[row["thing"]])]
    ordered = kind_of(line.game, line.kind).ordered
    heads = [("worth", "worth"), ("power", "power"), ("rest", "the rest")]
    heads += [("order", "place in the order alone"), ("gap", "does not add up")] if ordered else []
    for part, title in heads:
        low, high = ("low", "high") if part == "worth" else (f"{part}_low", f"{part}_high")
        columns.append(Column(title, part, low, high, 100 / line.players, bounds=part in ("worth", "power", "rest")))
    for part, title in heads[1:3]:
        columns.append(Column(f"{title}, points", f"{part}_points", f"{part}_points_low", f"{part}_points_high"))
    caption = f"{count_words(line.players).capitalize()}: where the worth comes from, in wins per 100 games"
    note = (
        "Place in the order alone: nobody has a power. Does not add up: the rest − that place + the average power; it "
        "is not 0 because powers and places affect each other."
    )
    return table(frame, columns, caption, folded=True, note=note if ordered else "")


def _by(ground: Ground, line: Worth, colours: dict[str, str]) -> list[Block]:
    shown = Column("wins", "share", "share_low", "share_high", 100, most=1)
    label = Column(ground.labels(line.kind), "label", colour=lambda row: colours[row["thing"]])
    n = count_words(line.players).capitalize()
    blocks: list[Block] = []
    kind = kind_of(line.game, line.kind)
    for key, t in (("round", line.by_round), ("seat", line.by_seat)):
        if not len(t):
            continue
        heads = [(at, kind.occasion(at - 1) if key == "round" else f"seat {at}") for at in sorted(set(t[key]))]
        half = 100 * (t["high"] - t["low"]).max() / 2 / line.players
        by = kind.noun if key == "round" else key
        caption = f"{n}: wins of a player who gets it at random, by {by}, % (each ± {words.fixed(half, 1)} at most)"
        blocks.append(matrix(_label(ground, line, t), label, key, heads, shown, caption, folded=True))
    return blocks


def _levels(ground: Ground, found: Sequence[Worth], colours: dict[str, str]) -> Table:
    parts = [
        _label(ground, line, line.things).assign(who=words.listed(line.strategies), players=line.players)
        for line in found
    ]
    columns: Columns = [
        "players",
        Column("who plays", "who"),
        Column(ground.labels(found[0].kind), "label", colour=lambda row: colours[row["thing"]]),
        Column("wins when dealt, %", "share", "share_low", "share_high", 100, bounds=True),
        Column("points", "points", "points_low", "points_high"),
        Column("verdict", lambda row: pills.of_worth(row, found[0].margin)),
    ]
    return table(
        pd.concat(parts, ignore_index=True),
        columns,
        f"The {ground.labels(found[0].kind)} at other levels of play",
        folded=True,
    )


def frames(found: Sequence[Worth]) -> "dict[str, pd.DataFrame]":
    """Return the tables by file name; the tables of all lines of a kind are joined."""
    return stacked(
        (f"{name(line.kind)}{by}", lineup_head(line) | {"free_games": line.free}, t)
        for line in found
        for by, t in (("", line.things), ("_by_round", line.by_round), ("_by_seat", line.by_seat))
        if len(t)
    )


def sections(context: Context) -> list[Section]:
    """Return the sections on each kind of thing that chance dealt."""
    kinds = dict.fromkeys(line.kind for line in context.survey.worths)
    parts = ([line for line in context.survey.worths if line.kind == kind] for kind in kinds)
    return [section for part in parts for section in sections_of(context, part)]


def part(found: Sequence[Worth]) -> Part:
    """Return the page of its own."""
    ground, first = Ground.of(found[0].game), found[0]
    return Part(
        "worth", question(first), headline(ground, found), [answers(ground, found)], sections_of(ground, found),
        frames(found), first, sum(line.games + line.free for line in found),
    )  # fmt: skip
