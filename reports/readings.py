"""How we read your rulebook: our readings, other readings, and what those would change."""

from collections.abc import Sequence

from analyses import frames as pd
from analyses.readings import ReadingEffect, Readings, seats_table
from analyses.readings import table as effects_table
from reports import pills, style, words
from reports.drawing import Scale
from reports.effects import elsewhere, often, summary, verdicts
from reports.figures import crowd
from reports.parts import Answer, Block, Figure, Ground, Part, QuestionBox, Section, Text, count_words
from reports.tables import Column, Columns, Table, lineup_head, stacked, table
from sim.printed.components import Components
from sim.printed.rulings import ComponentsError, Ruling, read

NAME, TITLE = "readings", "How we read your rulebook"
KICKER = "Readings of the rulebook"


def opening(title: str, rulings: Sequence[Ruling]) -> str:
    """Return how much the rulebook leaves open, in a sentence."""
    if not rulings:
        return f"{title}: its rules leave nothing open."
    open_ = [ruling for ruling in rulings if not ruling.setup]
    switched = sum(bool(ruling.switch) for ruling in open_)
    return f"{title}: {len(open_)} readings of what the rulebook leaves open, {switched} of them with a switch."


def headline(found: Readings) -> str:
    """Return what the other readings change, in a sentence or two; how many there are if we played none."""
    return next(iter(summary([found])), opening(found.title, _rulings(found.game)))


def questions(found: Readings) -> list[QuestionBox]:
    """Return the question with its answer; none if we played nothing."""
    if not found.effects:
        return []
    seen = {effect.word for effect in found.effects}
    word = pills.YES if "changes" in seen else pills.UNSURE if "undecided" in seen else pills.NO
    stopped = ", stopped by hand" if found.interrupted else ""
    sure = f"95 % intervals from {found.games:,} games of each reading{stopped}"
    answer = Answer(count_words(found.players), word, " ".join(summary([found])[1:]), sure)
    return [QuestionBox("Does it matter how you read the rulebook?", NAME, [answer])]


def section(ground: Ground, printed: Components, found: Sequence[Readings]) -> Section:
    """Return the section; empty if the game's rules leave nothing open.

    Args:
        ground: words of the game. printed: the components as played.
        found: one for each number of players, without effects if we played nothing; none if the run stopped before.
    """
    rulings = _rulings(printed.game)
    if not rulings:
        return Section(NAME, TITLE, [])
    verdicts, *sizes = summary(found) or [""]
    blocks: list[Block] = [
        Text([text for text in (_introduction(ground, rulings, found), verdicts, " ".join(sizes)) if text])
    ]
    blocks += [_figure(ground, found)] if verdicts else []
    blocks += [_switched(printed, rulings, found)]
    blocks += [_numbers(found)] if verdicts else []
    return Section(NAME, TITLE, [*blocks, _settled(rulings, found)])


def frames(printed: Components, found: Sequence[Readings]) -> "dict[str, pd.DataFrame]":
    """Return the tables of the section by file name."""
    rulings = _rulings(printed.game)
    if not rulings:
        return {}
    rows = [
        {
            "number": r.number,
            "place": r.place,
            "question": r.question,
            "reading": _played(printed, r),
            "setup": r.setup,
            "switch": r.switch,
        }
        | {"value": other[0], "alternative": other[1]}
        for r in rulings
        for other in list(r.others(_value(printed, r)).items()) or [("", "")]
    ]
    makers = {"readings": effects_table, "readings_seats": seats_table}
    parts = [(name, lineup_head(one), make(one)) for name, make in makers.items() for one in found if one.effects]
    return {"rulings": pd.DataFrame(rows), **stacked(parts)}


def _rulings(game: str) -> tuple[Ruling, ...]:
    try:
        return read(game)
    except ComponentsError:  # a game from elsewhere
        return ()


def _value(printed: Components, ruling: Ruling) -> object:
    return printed.rules.get(ruling.switch, "")


def _played(printed: Components, ruling: Ruling) -> str:
    return ruling.words(_value(printed, ruling)) if ruling.switch else ruling.reading


def _introduction(ground: Ground, rulings: Sequence[Ruling], found: Sequence[Readings]) -> str:
    open_ = [ruling for ruling in rulings if not ruling.setup]
    switched = sum(bool(ruling.switch) for ruling in open_)
    text = (
        f"Where a rulebook leaves something open, a program still needs an answer. Below are the {len(open_)} answers "
        f"behind this page. You can switch {words.count(switched)} of them to another reading: type what stands under "
        "“switch” after --set, and the whole page follows your reading."
    )
    if not any(readings.effects for readings in found):
        missing = "This run did not measure" if found else "The run stopped before it could measure"
        return text + (f" {missing} what that would change." if switched else "")
    counts = [readings.games for readings in found]
    each = f"{counts[0]:,}" if len(set(counts)) == 1 else f"about {words.rough(min(counts))}"
    return (
        f"{text} Every other reading was played with the same dice and draws as ours: {each} games for each number of "
        f"players, {ground.seating(found[0])}. So luck cancels, and only the reading differs."
    )


# --- how much a reading changes ---------------------------------------------------------------------------------------


def _figure(ground: Ground, found: Sequence[Readings]) -> Figure:
    ends = [end for r in found for e in r.effects for end in (*e.seats["low"], *e.seats["high"])]
    reach = max((abs(100 * end) for end in ends if abs(end) < 1), default=1.0)
    step = next((s for s in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20) if reach / s <= 2.5), 50)
    ticks = [
        (k * step, "0" if not k else words.signed(k * step, 1 if step < 1 else 0))
        for k in range(-2, 3)
        if abs(k * step) <= 1.06 * reach
    ]
    scale = Scale(ticks, 0.0, None, (-1.1 * reach, 1.1 * reach), "more or fewer wins in 100 games")
    panels = []
    for readings in found:
        order = sorted(readings.effects, key=lambda effect: -abs(effect.most["change"]))
        rows = [
            {"label": words.capital(e.name), "mark": int(row["seat"]), "colour": style.token("seat", int(row["seat"]))}
            | {"value": 100 * row["change"], "low": 100 * row["low"], "high": 100 * row["high"]}
            for e in order
            for row in e.seats.to_dict("records")
        ]
        said = "; ".join(f"{e.name}: seat {e.most['seat']} {_change(e)}" for e in order)
        alt = f", change of each seat's wins in 100 games by reading. {said}"
        panels.append(ground.panel(crowd, rows, scale, alt, readings.players))
    note = (
        "Each numbered disc is a seat: how many more or fewer of 100 games it wins with the other reading than with "
        "ours. Line: no change. Bars: 95 % intervals of the change, for all seats of one reading at once."
    )
    return Figure(_finding(found), panels, note)


def _change(effect: ReadingEffect, joint: str = " ") -> str:
    row = effect.most
    change, low, high = (100 * row[name] for name in ("change", "low", "high"))
    places = words.decimals(words.half_width(change, low, high), 1)
    return f"{words.signed(change, places)}{joint}({words.interval(low, high, places)})"


def _finding(found: Sequence[Readings]) -> str:
    pairs = [(r, e) for r in found for e in r.effects if e.sure]
    if not pairs:
        return "No other reading moves a seat's wins by more than chance"
    r, e = max(pairs, key=lambda pair: abs(pair[1].most["change"]))
    change = 100 * e.most["change"]
    places = words.decimals(100 * words.half_width(e.most["change"], e.most["low"], e.most["high"]), 1)
    more = "more" if change > 0 else "fewer"
    who = (
        f"with {count_words(r.players)} seat {e.most['seat']} wins {words.fixed(abs(change), places)} {more} of 100 "
        "games"
    )
    return f"“{e.name}” matters most: read the other way, {who}"


# --- tables -----------------------------------------------------------------------------------------------------------


def _switched(printed: Components, rulings: Sequence[Ruling], found: Sequence[Readings]) -> Table:
    rows = [
        {
            "topic": f"{words.capital(ruling.topic)} ({ruling.place})",
            "question": ruling.question + _arises(found, ruling),
        }
        | {"reading": _played(printed, ruling), "other": text}
        | {"switch": f"rules.{ruling.switch}={value}", "effect": _effect(found, ruling, value)}
        for ruling in rulings
        if not ruling.setup
        for value, text in ruling.others(_value(printed, ruling)).items()
    ]
    columns: Columns = [
        Column("about, and where in the rulebook", "topic"),
        Column("what it leaves open", "question"),
        Column("our reading", "reading"),
        Column("the other reading", "other"),
        "switch",
        Column("what changes", "effect"),
    ]
    return table(rows, columns, "Readings that can be switched", note=_choices(printed, rulings))


def _choices(printed: Components, rulings: Sequence[Ruling]) -> str:
    """Return which choices the set-up leaves to the players: no readings, but switches too."""
    said = []
    for ruling in rulings:
        if ruling.setup:
            others = words.listed(
                [f"rules.{ruling.switch}={value}" for value in ruling.others(_value(printed, ruling))], "or"
            )
            said.append(
                f"Players choose the {ruling.topic}; it is no reading. Here: {_played(printed, ruling)} To change it: "
                f"{others}."
            )
    return " ".join(said)


def _effect(found: Sequence[Readings], ruling: Ruling, value: str) -> str:
    """Return what another reading changes, over all numbers of players, in a few words."""
    pairs = [(r, e) for r in found if (e := r.find(ruling.switch, value))]
    if not pairs:
        return "Not measured."
    if not any(e.altered for _, e in pairs):
        return "Not one game ended differently."
    changed = [f"{verdicts(r, e)} with {words.count(r.players)}" for r, e in pairs if e.word == "changes"]
    unsure = [words.count(r.players) for r, e in pairs if e.word == "undecided"]
    far = [
        f"seat {e.verdict.seat} is the furthest from fair with {words.count(r.players)}"
        for r, e in pairs
        if elsewhere(r, e)
    ]
    said = [
        f"Verdict changes: {words.listed(changed)}"
        if changed
        else "Not sure whether the verdict changes"
        if len(unsure) == len(pairs)
        else "Verdict the same"
    ]
    if unsure and len(unsure) < len(pairs):
        said.append(f"not sure with {words.listed(unsure)}")
    sure = [(r, e) for r, e in pairs if e.sure]
    if sure:
        r, e = max(sure, key=lambda pair: abs(pair[1].most["change"]))
        said.append(f"most: seat {e.most['seat']} with {words.count(r.players)}, {_change(e)} of 100 games")
    else:
        said.append("no seat moves by more than chance")
    return words.sentence("; ".join([*said, *far]))


def _numbers(found: Sequence[Readings]) -> Table:
    frame = pd.concat(
        [effects_table(readings).assign(players=readings.players) for readings in found], ignore_index=True
    )
    frame["about"] = [words.capital(effect.name) for readings in found for effect in readings.effects]
    frame["verdicts"] = [verdicts(readings, effect) for readings in found for effect in readings.effects]
    for when in ("before", "after"):  # with the digits that the change allows
        half = (frame["high"] - frame["low"]) / 2
        frame[f"low_{when}"], frame[f"high_{when}"] = (
            frame[f"win_share_{when}"] - half,
            frame[f"win_share_{when}"] + half,
        )
        half = (frame["score_high"] - frame["score_low"]) / 2
        frame[f"score_low_{when}"], frame[f"score_high_{when}"] = (
            frame[f"score_{when}"] - half,
            frame[f"score_{when}"] + half,
        )
    columns: Columns = [
        "players",
        "about",
        Column("seat that changes most", "seat"),
        Column("wins with ours, %", "win_share_before", "low_before", "high_before", 100, 1),
        Column("with the other, %", "win_share_after", "low_after", "high_after", 100, 1),
        Column("change, wins", "change", "low", "high", 100, 1, bounds=True),
        Column("points with ours", "score_before", "score_low_before", "score_high_before"),
        Column("change, points", "score_change", "score_low", "score_high", bounds=True),
        Column("games that differ, %", "altered", factor=100, most=0),
        Column("verdict", "verdicts"),
    ]
    return table(frame, columns, f"What each other reading changes, in numbers ({len(frame)} comparisons)", folded=True)


def _arises(found: Sequence[Readings], ruling: Ruling) -> str:
    """Return in how many games the case comes up, for each number of players; nothing if the game doesn't count it."""
    said = [
        f"{often(r.occurs[ruling.occurs])} with {words.count(r.players)}" for r in found if ruling.occurs in r.occurs
    ]
    return f" Games in which it comes up: {words.listed(said)} players." if said else ""


def _settled(rulings: Sequence[Ruling], found: Sequence[Readings]) -> Table:
    rows = [
        {"place": r.place, "question": r.question + _arises(found, r), "reading": r.reading}
        for r in rulings
        if not r.switch
    ]
    columns = [
        Column("place in the rulebook", "place"),
        Column("what it leaves open", "question"),
        Column("our reading", "reading"),
    ]
    return table(rows, columns, f"The other {len(rows)} readings", folded=True)


def part(found: Readings) -> Part:
    """Return the page of its own."""
    sections = [section(Ground.of(found.game), found.components, [found])]
    tables = frames(found.components, [found])
    return Part("rules", KICKER, headline(found), questions(found), sections, tables, found, found.all_games)
