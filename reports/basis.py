"""What the page rests on: the assumed numbers, the method, the definitions, and how to make the page again."""

from collections.abc import Sequence
from typing import Any

from analyses import frames as pd
from analyses.prove import stamp
from reports import words
from reports.parts import Block, Commands, Context, Section, Terms, Text
from reports.robustness.words import look_up
from reports.tables import Column, Columns, Table, table
from sim import registry
from sim.printed.components import Number, cell

FIRST = 8  # groups to look up first
AGAIN = "How to make this page again"
SAME = "The same command, seed and versions give the same numbers, on any number of processors."
STOPPED = "Somebody stopped this run by hand. What it had played by then is here; the rest is missing."


def numbers(context: Context) -> "pd.DataFrame":
    """Return every number of the game with its source, as a frame."""
    meanings = context.survey.components.meanings
    known = context.survey.components.numbers.items()
    rows = [{"path": path, "meaning": meanings.get(path, ""), **vars(n), "value": str(n.value)} for path, n in known]
    frame = pd.DataFrame(rows, columns=["path", "meaning", "value", "source", "low", "high", "note"])
    return frame.astype({"low": "Int64", "high": "Int64"})


def groups(paths: Sequence[str]) -> dict[str, str]:
    """Return path → name of its group. Entries of a list make a group, and so do three or more names side by side."""
    split = {path: tuple("*" if part.isdigit() else part for part in path.split(".")) for path in paths}
    for at in range(1, max((len(parts) for parts in split.values()), default=0)):
        siblings: dict[tuple, set[str]] = {}
        for parts in split.values():
            if at < len(parts) - 1:
                siblings.setdefault((*parts[:at], *parts[at + 1 :], at), set()).add(parts[at])
        for path, parts in split.items():
            if at < len(parts) - 1 and len(siblings[(*parts[:at], *parts[at + 1 :], at)]) >= 3:
                split[path] = (*parts[:at], "*", *parts[at + 1 :])
    return {
        path: ".".join(part for i, part in enumerate(parts) if part != "*" or parts[i - 1] != "*")
        for path, parts in split.items()
    }


def _range(values: Sequence[int | str]) -> str:
    whole = [v for v in values if isinstance(v, int)]
    if len(whole) < len(values):
        return ", ".join(dict.fromkeys(str(v) for v in values))
    return str(whole[0]) if min(whole) == max(whole) else f"{min(whole)} to {max(whole)}"


def _spread(number: Number) -> float:
    if number.low is None or number.high is None:
        return 0.0
    return (number.high - number.low) / max(abs(number.value) if isinstance(number.value, int) else 1, 1)


def assumed(context: Context) -> Section:
    """Return the section on the assumed numbers and which of them to look up first."""
    components = context.survey.components
    guessed = {path: n for path, n in components.numbers.items() if n.source == "assumed"}
    total = len(components.numbers)
    if not guessed:
        text = (
            f"No number of this game is assumed: all {total:,} come from the rulebook, from publications or from you."
        )
        return Section("assumed", "No number is a placeholder", [Text([text])], _everything(context), "Assumed numbers")
    members: dict[str, list[str]] = {}
    for path, name in groups(list(guessed)).items():
        members.setdefault(name, []).append(path)
    rows: list[dict[str, Any]] = []
    for name, paths in members.items():
        found = [guessed[path] for path in paths]
        lows, highs = [n.low for n in found if n.low is not None], [n.high for n in found if n.high is not None]
        rows.append(
            {
                "name": name,
                "count": len(paths),
                "values": _range([n.value for n in found]),
                "range": f"{min(lows)} to {max(highs)}" if lows and highs else "not given",
                "note": "; ".join(list(dict.fromkeys(n.note for n in found if n.note))[:2]),
                "spread": sum(_spread(n) for n in found) / len(found),
            }
        )
    rows.sort(key=lambda row: (-row["spread"], -row["count"], row["name"]))
    text = (
        "A placeholder is an assumed number: the real one is printed on a part of the game that no public source "
        f"shows. Every figure on this page is measured with these values, and holds only for them. {_tried(context)}"
    )
    widest, drawn = "the widest plausible range for the size of their values", context.survey.robustness
    if drawn:  # measured over other sets of numbers, which beats a guess
        caption, advice = "The widest plausible ranges", words.sentence(look_up(drawn))
    else:
        caption, advice = "What to look up first", "Look up first what could be furthest off."
    numbers: list[Block] = [Text([f"The table shows the groups with {widest}."]), _groups(rows[:FIRST], caption, False)]
    if len(rows) > FIRST:
        numbers.append(_groups(rows, f"All {len(rows)} groups of assumed numbers", True))
    numbers += _everything(context)
    return Section("assumed", words.capital(str(components.counts)), [Text([text, advice])], numbers, "Assumed numbers")


def _tried(context: Context) -> str:
    """Return whether this run has tried which of them would change a verdict."""
    if context.survey.robustness is None:
        return "This run has not tried which of them would change a verdict."
    return "The next section tries other plausible values, to see which of them would change a verdict."


def _groups(rows: list[dict[str, Any]], caption: str, folded: bool) -> Table:
    columns: Columns = [
        Column("numbers", "name"),
        Column("how many", "count"),
        Column("values used", "values"),
        Column("plausible", "range"),
        "note",
    ]
    return table(rows, columns, caption, folded)


def _everything(context: Context) -> list[Block]:
    frame = numbers(context)
    if not len(frame):
        return []
    columns: Columns = [
        "path",
        Column("what it is", "meaning"),
        "value",
        "source",
        Column("low", lambda row: "" if pd.isna(row["low"]) else str(row["low"])),
        Column("high", lambda row: "" if pd.isna(row["high"]) else str(row["high"])),
        "note",
    ]
    blocks: list[Block] = [
        table(frame, columns, f"Every number in the game ({len(frame):,}), with its source", folded=True)
    ]
    if context.survey.components.rules:
        chosen = [{"rule": name, "reading": cell(value)} for name, value in context.survey.components.rules.items()]
        blocks.append(table(chosen, ["rule", "reading"], "How these games read the rules", folded=True))
    return blocks


def method(context: Context) -> Section:
    """Return the section on the method and the meaning of every number on the page."""
    survey = context.survey
    margin = words.plain(100 * survey.margin)
    sequential = {line.sequential for line in survey.lines}
    stop = (
        "A run went on until it decided its verdict, knew the wins as closely as this page needs, or reached its "
        "maximum number of games, and it looked at its results on the way. The intervals allow for that: they hold "
        "whenever the run stops (an asymptotic confidence sequence, Waudby-Smith and others 2024)."
    )
    fixed = "The number of games was fixed in advance, and the intervals are for a fixed number of blocks."
    how = (
        stop
        if sequential == {True}
        else fixed
        if sequential == {False}
        else f"For some lines: {stop} For the others: {fixed}"
    )
    text = [
        "Programs played every game in full, by the rules and numbers of this page. A finding for one way to play is "
        "a finding about that way to play; people may play differently.",
        "The seed fixes all chance. The players take turns in the seats with the same dice and draws, so luck cancels "
        "when we compare seats. The games that share their dice and draws are a block. Blocks are independent of one "
        "another but "
        "games in a block are not, so every interval is computed over blocks.",
        how,
    ]
    terms = [
        ("fair share", "One win divided by the number of players: 50 % for two, 33.3 % for three, 25 % for four."),
        (
            "wins, share of wins",
            "Wins per game, after the game's own tie-break. Players who share a win get equal parts of it.",
        ),
        (
            "times fair share",
            "Share of wins × number of players: 1 is fair, 1.10 is a tenth more wins than fair. Also called win index.",
        ),
        (
            "from, to; between; bars",
            "The 95 % interval. All intervals of one verdict, or of one panel of a figure, hold at once.",
        ),
        ("fair, balanced", f"Every interval lies within {margin} % of the fair share."),
        (
            "too weak, too strong; not fair, unbalanced",
            f"An interval lies entirely more than {margin} % off the fair share.",
        ),
        ("not sure, undecided", "Neither: it takes more games, or counting can't answer the question."),
        (
            "depends",
            "Other plausible numbers, or other players, make it come out another way.",
        ),
        (
            "margin that would hold",
            "The smallest margin that contains every interval: with it all would be fair.",
        ),
        (
            "games to see it",
            "How many games somebody must log to see that the most unusual seat is off (a test at 5 % that finds it "
            "four times in five). “Can't be told apart”: every interval contains the fair share.",
        ),
        (
            "points",
            "A player's mean final score. Ahead of best other: that score minus the best other score. Place: 1 is the "
            "highest score.",
        ),
        (
            "place in an order",
            "Who is first, second, … in an order of a round, and how often that player wins the game.",
        ),
        (
            "taken, held",
            "The share of rounds in which a player had the thing (by round: the share of players), and the holder's "
            "wins and points.",
        ),
        ("source", "Where points came from. A player's sources add up to the score."),
        (
            "uses",
            "Mean uses per player and game. Never: not once in the run. Always: by somebody in at least 99 % of the "
            "games.",
        ),
        (
            "furthest from fair",
            "The seat, strategy or thing whose share of wins differs most from the fair share, up or down.",
        ),
        (
            "more games that would decide it",
            "A forecast, not a promise: it assumes that shares stay and intervals shrink as usual.",
        ),
        ("digits", "Numbers stop at the first digit that their interval leaves open."),
    ]
    return Section("method", "How it was measured, and what each number means", [Text(text), Terms(terms)])


def again(context: Context, files: Sequence[str]) -> Section:
    """Return the section on how to make the page again: commands, seed, digest, versions, files."""
    survey = context.survey
    rows = []
    for line in survey.lines:
        row = {"players": line.players, "who plays": context.who(line), "games": line.games, "blocks": line.blocks}
        row |= {"decisions": line.decisions / line.games if line.games else 0.0, "seed": str(line.seed)}
        end = "when decided, or at the maximum" if line.sequential else "fixed in advance"
        rows.append(row | {"end of the run": "by hand" if line.interrupted else end})
    each = Column("decisions a game", "decisions", most=1)
    columns: Columns = ["players", "who plays", "games", "blocks", each, "seed", "end of the run"]
    line = survey.lines[0]
    facts = [
        ("components", f"digest {line.components.digest}; {line.counts}"),
        ("rules", f"{registry.shown(survey.game)}, version {line.rules_version}; {stamp.words(survey.game)}"),
        ("seed", str(survey.seed)),
        ("versions", ", ".join(f"{name} {version}" for name, version in survey.versions.items())),
        ("files beside this page", ", ".join(files)),
    ]
    blocks: list[Block] = [Text([STOPPED], warning=True)] if survey.interrupted else []
    if survey.commands:
        blocks += [Text([SAME]), Commands(list(survey.commands))]
    return Section("again", AGAIN, [*blocks, Terms(facts), table(rows, columns, "What was played")])
