"""What the variants of the rules change, and how hard a solo game is: words, figures and tables, for the page and the
terminal."""

from collections.abc import Sequence
from typing import Any

from analyses import frames as pd
from analyses.variants import variants as analysis
from analyses.variants.variants import VariantEffect, Variants
from reports import pills, style, words
from reports.drawing import Scale
from reports.figures import dots
from reports.parts import Answer, Block, Figure, Ground, Part, QuestionBox, Section, Text, count_words
from reports.tables import Column, Columns, Table, lineup_head, stacked, table

NAME, ALONE = "variants", "game_of_one"
USUAL = "the usual game"
TITLES = {
    "spread": "points from first to last",
    "deviation": "deviation of scores",
    "tied": "tied on points, % of games",
    "shared": "win shared, % of games",
    "first": "wins of seat 1, %",
    "score": "points per player",
    "wins": "wins of the person, %",
    "lead": "points ahead of the opponent",
}
MOVES = {  # measure → what a variant changes, and in which unit
    "spread": ("the gap from first to last", ""),
    "tied": ("how often players tie for the highest score", " (in %)"),
    "first": ("how often seat 1 wins", " (in %)"),
}
MOST_NAMED = 3  # in a sentence


def question(alone: bool) -> str:
    """Return the question, for people."""
    return "How hard is the solo game?" if alone else "What do the variants of the rules change?"


def asks(alone: bool) -> str:
    """Return the question that a word answers."""
    return question(alone) if alone else "Does a variant of the rules change the game?"


def factor(name: str) -> float:
    """Return the factor that turns a measure into percent or points for people."""
    return 100.0 if name in analysis.SHARES else 1.0


def value(row: dict[str, Any], name: str) -> str:
    """Return a measure with its interval: `27.1 (26.6 to 27.6)`, in percent or points."""
    here, low, high = (factor(name) * row[end] for end in ("value", "low", "high"))
    places = words.decimals(words.half_width(here, low, high), 1)
    unit = " %" if factor(name) != 1 else ""
    return f"{words.fixed(here, places)}{unit} ({words.interval(low, high, places)})"


def change(row: dict[str, Any], name: str) -> str:
    """Return how a measure changes: `8.1 → 12.3, change +4.2 (4.0 to 4.4)`, with the digits that its interval
    allows."""
    before, after, moved, low, high = (factor(name) * row[end] for end in ("before", "after", "change", "low", "high"))
    places = words.decimals(words.half_width(moved, low, high), 2)
    sides = f"{words.fixed(before, places)} → {words.fixed(after, places)}"
    return f"{sides}, change {words.signed(moved, places)} ({words.interval(low, high, places)})"


def ahead(row: dict[str, Any]) -> str:
    """Return `3.1 points behind (2.9 to 3.3)`."""
    here, low, high = (row[end] for end in ("value", "low", "high"))
    places = words.decimals(words.half_width(here, low, high), 1)
    ends = (low, high) if here >= 0 else (-high, -low)
    return (
        f"{words.fixed(abs(here), places)} points {'ahead' if here >= 0 else 'behind'} "
        f"({words.interval(*ends, places)})"
    )


def most(found: Variants, name: str) -> VariantEffect | None:
    """Return the variant that changes a measure most, among those that change it for certain; None if there is none."""
    sure = [effect for effect in found.effects if not effect.usual and effect.sure(name)]
    return max(sure, key=lambda effect: abs(effect.change(name)["change"])) if sure else None


def who(found: Variants) -> str:
    """Return who plays."""
    return f"{words.listed(found.strategies, 'or')} as the person" if found.alone else words.seating(found.strategies)


def sentences(found: Variants) -> list[str]:
    """Return what the variants change, or how hard the levels are, each in a sentence."""
    return _levels(found) if found.alone else [*_verdicts(found), *_largest(found), *_together(found)]


def sides(found: Variants) -> list[tuple[str, Any]]:
    """Return name and side of the usual game and of all variants; the usual game comes first unless it is itself a
    variant."""
    own = [(effect.variant.name, effect.side) for effect in found.effects]
    return own if any(effect.usual for effect in found.effects) else [(USUAL, found.base), *own]


def _levels(found: Variants) -> list[str]:
    said = [
        f"{value(side.measure('wins'), 'wins')} of the games at level {name}, on average {ahead(side.measure('lead'))}"
        for name, side in sides(found)
    ]
    told = f"With {who(found)} it wins {'; '.join(said)}." if said else ""
    order = sorted(sides(found), key=lambda pair: -pair[1].measure("wins")["value"])
    if len(order) > 1:
        first, last = order[0], order[-1]
        apart = first[1].measure("wins")["low"] > last[1].measure("wins")["high"]
        told += (
            f" {words.capital(first[0])} is easiest, {last[0]} hardest."
            if apart
            else " By wins, these games can't tell the levels apart."
        )
    return [told]


def _verdicts(found: Variants) -> list[str]:
    changed = [effect for effect in found.effects if effect.word == "changes"]
    unsure = [effect for effect in found.effects if effect.word == "undecided"]
    played, now = [effect for effect in found.effects if not effect.usual], pills.said(found.base.word)
    if not played:
        return ["No variant differs from the game as it is set up here."]
    if changed:
        which = words.listed([f"“{e.variant.name}” ({now} → {pills.said(e.side.word)})" for e in changed])
        text = f"{which} {'changes' if len(changed) == 1 else 'change'} whether the seats are fair"
    elif found.base.word == "undecided":
        text = "These games don't decide whether the seats are fair, so they can't tell whether a variant changes that"
    else:
        text = f"None of {words.many(len(played), 'variant')} changes whether the seats are fair ({now})"
        text += " for certain" if unsure else ""
    return [text + "."]


def _largest(found: Variants) -> list[str]:
    said = []
    for name, (what, unit) in MOVES.items():
        effect = most(found, name)
        if effect is None:
            said.append(f"No variant changes {what} by more than chance.")
        else:
            said.append(f"“{effect.variant.name}” changes {what} most{unit}: {change(effect.change(name), name)}.")
    return said


def _together(found: Variants) -> list[str]:
    """Return where variants that are played together change more or less than the sum of each alone."""
    said = []
    for effect in found.effects:
        row = effect.change("spread")
        if row["gap_low"] > 0 or row["gap_high"] < 0:
            places = words.decimals(words.half_width(row["gap"], row["gap_low"], row["gap_high"]), 2)
            less = "more" if row["gap"] > 0 else "less"
            said.append(f"“{effect.variant.name}” by {words.fixed(abs(row['gap']), places)} points {less}")
    text = "Played together, variants change the gap from first to last by more or less than the sum of each alone"
    return [f"{text}: {'; '.join(said[:MOST_NAMED])}."] if said else []


def headline(found: Sequence[Variants]) -> str:
    """Return the answer in a sentence or two."""
    first = found[0]
    said = sentences(first)
    return said[0] if first.alone else f"With {count_words(first.players)} and {who(first)}: {said[0]} {said[1]}"


def answers(found: Sequence[Variants]) -> QuestionBox:
    """Return the question with an answer for each line; the lines are all solo games, or all games of several
    players."""
    alone = found[0].alone
    return QuestionBox(
        asks(alone), ALONE if alone else NAME, _answers_alone(found) if alone else [_answer(line) for line in found]
    )


def _answer(line: Variants) -> Answer:
    sure = f"95 % intervals from {line.games:,} games of each{', stopped by hand' if line.interrupted else ''}"
    played = [effect for effect in line.effects if not effect.usual]
    moved = any(
        effect.word == "changes" or any(effect.sure(name) for name in ("spread", "tied", "first")) for effect in played
    )
    unsure = any(effect.word == "undecided" for effect in played)
    word = pills.YES if moved else pills.UNSURE if unsure else pills.NO
    return Answer(count_words(line.players), word, " ".join(sentences(line)[:2]), sure)


def _answers_alone(found: Sequence[Variants]) -> list[Answer]:
    """Return an answer for each level, with the word of the strongest strategy that played many games (the last of
    those)."""
    quick = [line for line in found if line.games >= max(other.games for other in found)] or list(found)
    made = []
    for name, side in sides(quick[-1]):
        others = [
            (words.listed(list(line.strategies)), dict(sides(line))[name])
            for line in found
            if name in dict(sides(line))
        ]
        said = [f"{who} {value(other.measure('wins'), 'wins')}" for who, other in others]
        size = (
            f"Wins: {'; '.join(said)}. {words.listed(list(quick[-1].strategies))} ends on average "
            f"{ahead(side.measure('lead'))}."
        )
        stopped = ", stopped by hand" if found[-1].interrupted else ""
        made.append(
            Answer(
                name,
                pills.said(side.word),
                size,
                f"95 % intervals from {min(line.games for line in found):,} games or more each{stopped}",
            )
        )
    return made


def sections(found: Sequence[Variants], ground: Ground) -> list[Section]:
    """Return a section on the variants for several players and one on the solo game, if they were played."""
    contests, alone = ([line for line in found if line.alone == alone] for alone in (False, True))
    return [*([_contest(ground, contests)] if contests else []), *([_solo(ground, alone)] if alone else [])]


def _notes(lines: Sequence[Variants]) -> list[Block]:
    notes = list(dict.fromkeys(note for line in lines for note in line.notes))
    return [Text(notes, warning=True)] if notes else []


def _contest(ground: Ground, lines: Sequence[Variants]) -> Section:
    what = "; ".join(f"{effect.variant.name}: {effect.variant.words}" for effect in lines[0].effects)
    how = (
        f"Each variant was played with the same dice and draws as the usual game, {who(lines[0])}, so only the variant "
        f"differs. {what}. The strategies were made for the usual game. People who have practised a variant may play "
        "it differently."
    )
    numbers: list[Block] = [Text([how])]
    numbers.append(Text([f"{count_words(line.players).capitalize()}: {' '.join(sentences(line))}" for line in lines]))
    numbers += [_table(line) for line in lines] + [_changes(line) for line in lines]
    title, figure = _spread(ground, lines)
    return Section(NAME, title, [*_notes(lines), figure], numbers, "Variants")


def _solo(ground: Ground, lines: Sequence[Variants]) -> Section:
    what = "; ".join(f"{effect.variant.name}: {effect.variant.words}" for effect in lines[0].effects)
    how = (
        "One person plays against the game's own opponent. Strategies of different strength take the part of the "
        f"person, and all levels have the same dice and draws. {what}. A level is even if the person wins half the "
        "games, within the margin."
    )
    numbers: list[Block] = [
        Text([how]),
        Text([text for line in lines for text in sentences(line)]),
        _alone_table(lines),
    ]
    title, figure = _wins(ground, lines)
    return Section(ALONE, title, [*_notes(lines), figure], numbers, "The solo game")


def _scale(frames: "Sequence[pd.DataFrame]", text: str, par: float | None = None) -> Scale:
    ends = [float(v) for f in frames for name in ("low", "high") for v in f[name] if v == v]
    low, high = min([*ends, 0.0 if par is not None else ends[0]]), max(ends)
    step = next((s for s in (0.5, 1, 2, 5, 10, 20, 25) if (high - low) / s <= 4.5), 50)
    ticks = [
        (k * step, f"{k * step:g}")
        for k in range(int(low // step), int(high // step) + 2)
        if low - step / 2 <= k * step <= high
    ]
    room = 0.06 * (high - low or 1)
    return Scale(ticks, par, None, (low - room, high + room), text)


def _frame(found: Variants, name: str, label: str = "") -> "pd.DataFrame":
    rows = []
    usual = next((effect.variant.name for effect in found.effects if effect.usual), USUAL)
    for at, (title, side) in enumerate(sides(found)):
        row, by = side.measure(name), factor(name)
        ends = {end: by * row[end] for end in ("value", "low", "high")}
        colour = style.token("strategy", 1 + at) if label else style.token("place", 2 if title == usual else 1)
        text = words.number(ends["value"], ends["low"], ends["high"], " %" if by != 1 else "", 1)
        rows.append({"label": f"{label}, {title}" if label else title, "colour": colour, "text": text, **ends})
    return pd.DataFrame(rows)


def _spread(ground: Ground, lines: Sequence[Variants]) -> tuple[str, Figure]:
    """Return the finding and the figure on gaps from first to last."""
    frames = [_frame(line, "spread") for line in lines]
    scale = _scale(frames, "points from first to last")
    panels = []
    for line, frame in zip(lines, frames, strict=True):
        alt = f", points from first to last: {'; '.join(f'{row.label} {row.text}' for row in frame.itertuples())}"
        panels.append(ground.panel(dots, frame, scale, alt, line.players))
    far = [(line, effect) for line in lines if (effect := most(line, "spread"))]
    title = "No variant changes the gap from first to last by more than chance"
    if far:
        line, effect = max(far, key=lambda pair: abs(pair[1].change("spread")["change"]))
        row = effect.change("spread")
        places = words.decimals(words.half_width(row["change"], row["low"], row["high"]), 1)
        size = (
            f"{words.fixed(row['after'], places)} instead of {words.fixed(row['before'], places)} points from first "
            "to last"
        )
        title = f"With {count_words(line.players)} “{effect.variant.name}” changes most: {size}"
    return title, Figure(f"Mean gap from first to last, {who(lines[0])}", panels)


def _wins(ground: Ground, lines: Sequence[Variants]) -> tuple[str, Figure]:
    """Return the finding and the figure on how often the person wins."""
    frame = pd.concat([_frame(line, "wins", words.listed(list(line.strategies))) for line in lines], ignore_index=True)
    best = lines[-1]
    low, high = (fun(sides(best), key=lambda pair: pair[1].measure("wins")["value"]) for fun in (min, max))
    shares = [
        words.percent(*(side.measure("wins")[end] for end in ("value", "low", "high"))) for _, side in (low, high)
    ]
    title = (
        f"{words.listed(list(best.strategies))} wins {shares[0]} of games at level {low[0]}, {shares[1]} at level "
        f"{high[0]}"
    )
    alt = f"Wins of the person: {'; '.join(f'{row.label} {row.text}' for row in frame.itertuples())}"
    scale = Scale(
        [(v, f"{v} %" if v == 50 else str(v)) for v in (0, 25, 50, 75, 100)], 50, None, (-3, 103), "wins in 100 games"
    )
    note = "Line: half of the games."
    panels = [ground.drawn(dots, frame, scale, words.sentence(alt))]
    return title, Figure("Wins of the person by strategy and level", panels, note)


def _wide(found: Variants, names: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {"variant": title, "verdict": pills.said(side.word)}
        | _measured({name: side.measure(name) for name in names}, "value")
        for title, side in sides(found)
    ]


def _measured(measures: dict[str, dict[str, Any]], value: str) -> dict[str, Any]:
    """Return measures side by side, each with the ends of its interval."""
    ends = {"": value, "_low": "low", "_high": "high"}
    return {f"{name}{end}": row[column] for name, row in measures.items() for end, column in ends.items()}


def _columns(names: Sequence[str], bounds: Sequence[str] = ()) -> list[Column]:
    return [
        Column(TITLES[name], name, f"{name}_low", f"{name}_high", factor(name), bounds=name in bounds) for name in names
    ]


def _table(found: Variants) -> Table:
    columns: Columns = ["variant", *_columns(analysis.CONTEST), Column("seats", "verdict")]
    note = (
        "Deviation: of the scores within a game (root mean square). Tied on points: several players have the highest "
        "score, before the tie-break. Win shared: they still share it after the tie-break. Fair for seat 1: "
        f"{words.par(found.players)}."
    )
    caption = (
        f"{count_words(found.players).capitalize()}: the usual game and its variants ({found.games:,} games of each)"
    )
    return table(_wide(found, analysis.CONTEST), columns, caption, note=note)


def _changes(found: Variants) -> Table:
    rows = [
        {"variant": effect.variant.name, "altered": effect.altered, "set": " ".join(effect.variant.changes)}
        | _measured({name: effect.change(name) for name in analysis.CONTEST}, "change")
        for effect in found.effects
        if not effect.usual
    ]
    often = Column("games that differ, %", "altered", factor=100, most=0)
    columns: Columns = ["variant", *_columns(analysis.CONTEST, analysis.CONTEST), often, Column("with --set", "set")]
    caption = f"{count_words(found.players).capitalize()}: what each variant changes, compared with the usual game"
    return table(rows, columns, caption, folded=True, note="All intervals of one variant hold at once.")


def _alone_table(lines: Sequence[Variants]) -> Table:
    rows = [
        row | {"who": words.listed(line.strategies), "games": line.games}
        for line in lines
        for row in _wide(line, analysis.ALONE)
    ]
    measures = _columns(analysis.ALONE, ("wins", "lead"))
    columns: Columns = [
        Column("the person", "who"),
        Column("level", "variant"),
        *measures,
        Column("it is", "verdict"),
        "games",
    ]
    note = "Tied on points: as many points as the opponent."
    return table(rows, columns, "The solo game, by level and strength of the person", note=note)


def frames(found: Sequence[Variants]) -> "dict[str, pd.DataFrame]":
    """Return the tables by file name."""
    return stacked((ALONE if line.alone else NAME, lineup_head(line), analysis.table(line)) for line in found)


def listing(found: Variants) -> list[Any]:
    """Return what was found for people, in sentences; the table is the terminal's own."""
    made = f"{found.games:,} games of each (seed {found.seed}, components {found.components.digest})"
    return [f"{found.title}, {count_words(found.players)}, {who(found)}: {made}", found.notice, *found.notes]


def part(found: Sequence[Variants]) -> Part:
    """Return the page of its own."""
    first = found[0]
    sorts = [lines for alone in (False, True) if (lines := [line for line in found if line.alone == alone])]
    return Part(
        NAME, question(first.alone), " ".join(map(headline, sorts)), list(map(answers, sorts)),
        sections(found, Ground.of(first.game)), frames(found), first, sum(line.all_games for line in found),
    )  # fmt: skip
