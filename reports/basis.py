"""What the page rests on: the assumed numbers, the method, the definitions, and how to make it again."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from reports import words
from reports.parts import Block, Commands, Context, Section, Terms, Text
from reports.robustness.words import look_up
from reports.tables import Column, Table, table

if TYPE_CHECKING:
    import pandas as pd

    from sim.printed.components import Number

FIRST = 8  # groups to look up first
AGAIN = "How to make this page again"
SAME = "The same command, seed and versions give the same numbers, with any number of processors."


def numbers(context: Context) -> "pd.DataFrame":
    """Return every number of the game with its source, as a frame."""
    import pandas as pd

    meanings = context.survey.components.meanings
    rows = [
        {
            "path": path,
            "meaning": meanings.get(path, ""),
            "value": str(n.value),
            "source": n.source,
            "low": n.low,
            "high": n.high,
            "note": n.note,
        }
        for path, n in context.survey.components.numbers.items()
    ]
    frame = pd.DataFrame(rows, columns=["path", "meaning", "value", "source", "low", "high", "note"])
    return frame.astype({"low": "Int64", "high": "Int64"})


def groups(paths: Sequence[str]) -> dict[str, str]:
    """Return path → name of its group: entries of a list together, and names where three or more stand side by side."""
    split = {path: tuple("*" if part.isdigit() else part for part in path.split(".")) for path in paths}
    for at in range(1, max((len(parts) for parts in split.values()), default=0)):
        siblings: dict[tuple, set[str]] = {}
        for parts in split.values():
            if at < len(parts) - 1:
                siblings.setdefault((*parts[:at], *parts[at + 1 :], at), set()).add(parts[at])
        for path, parts in split.items():
            if at < len(parts) - 1 and len(siblings[(*parts[:at], *parts[at + 1 :], at)]) >= 3:
                split[path] = (*parts[:at], "*", *parts[at + 1 :])
    return {path: ".".join(part for i, part in enumerate(parts) if part != "*" or parts[i - 1] != "*") for path, parts in split.items()}


def _range(values: Sequence[int | str]) -> str:
    whole = [v for v in values if isinstance(v, int)]
    if len(whole) < len(values):
        return ", ".join(dict.fromkeys(str(v) for v in values))
    return str(whole[0]) if min(whole) == max(whole) else f"{min(whole)} to {max(whole)}"


def _spread(number: "Number") -> float:
    if number.low is None or number.high is None:
        return 0.0
    return (number.high - number.low) / max(abs(number.value) if isinstance(number.value, int) else 1, 1)


def assumed(context: Context) -> Section:
    """Return the section on what was assumed and what to look up first."""
    components = context.survey.components
    guessed = {path: n for path, n in components.numbers.items() if n.source == "assumed"}
    total = len(components.numbers)
    if not guessed:
        text = f"No number of this game is assumed: all {total:,} are from the rulebook, published or yours."
        return Section("assumed", "What was assumed?", [Text([text]), *_everything(context)])
    import pandas as pd

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
    frame = pd.DataFrame(rows)
    first = frame.head(FIRST)
    text = (
        f"{components.counts}. A placeholder is an assumed number: the real one is printed on a part of the game that no public source "
        f"shows. Every figure on this page is measured with these values, and holds for them. {_tried(context)}"
    )
    widest, drawn = "the groups whose plausible range is widest for the size of their values", context.survey.robustness
    if drawn:  # what was measured over other printings says it better than a guess
        title, caption, advice = "What was assumed?", "The widest plausible ranges", f"{words.sentence(look_up(drawn))} Below: {widest}."
    else:
        title, caption = "What was assumed, and what to look up first", "What to look up first"
        advice = f"Look up first what could be furthest off: below, {widest}."
    blocks: list[Block] = [Text([text, advice]), _groups(first, caption, False)]
    if len(frame) > len(first):
        blocks.append(_groups(frame, f"All {len(frame)} groups of assumed numbers", True))
    return Section("assumed", title, [*blocks, *_everything(context)])


def _tried(context: Context) -> str:
    """Return what was done to find out which of them would turn a verdict."""
    if context.survey.robustness is None:
        return "Which of them would turn a verdict was not tried."
    return "Which of them would turn a verdict was tried with other plausible values: see the next section."


def _groups(frame: "pd.DataFrame", caption: str, folded: bool) -> Table:
    columns = [
        Column("numbers", "name"),
        Column("how many", "count", whole=True),
        Column("values used", "values"),
        Column("plausible", "range"),
        Column("note", "note"),
    ]
    return table(frame, columns, caption, folded)


def _everything(context: Context) -> list[Block]:
    frame = numbers(context)
    if not len(frame):
        return []
    columns = [
        Column("path", "path"),
        Column("what it is", "meaning"),
        Column("value", "value"),
        Column("source", "source"),
        Column("low", lambda row: "" if str(row["low"]) == "<NA>" else str(row["low"])),
        Column("high", lambda row: "" if str(row["high"]) == "<NA>" else str(row["high"])),
        Column("note", "note"),
    ]
    blocks: list[Block] = [table(frame, columns, f"Every number of the game ({len(frame):,}), with its source", folded=True)]
    if context.survey.components.rules:
        import pandas as pd

        played = context.survey.components.rules
        rules = [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in played.items()]
        chosen = pd.DataFrame(rules, columns=["rule", "reading"])
        columns = [Column("rule", "rule"), Column("reading", "reading")]
        blocks.append(table(chosen, columns, "Readings of the rules that were played", folded=True))
    return blocks


def method(context: Context) -> Section:
    """Return the section on the method and the meaning of every number on the page."""
    survey = context.survey
    margin = words.plain(100 * survey.margin)
    sequential = {line.sequential for line in survey.lines}
    stop = (
        "A run went on until its verdict was decided or its most games were played, and looked at its results on the way. The intervals "
        "allow for that: they hold whenever the run stops (an asymptotic confidence sequence, Waudby-Smith and others 2024)."
    )
    fixed = "The number of games was fixed in advance, and the intervals are those for a fixed number of blocks."
    how = stop if sequential == {True} else fixed if sequential == {False} else f"Of some lines: {stop} Of the others: {fixed}"
    text = [
        "Every game was played in full by programs, to the rules and with the numbers of this page. A finding for one way to play is a "
        "finding about that way to play; people may do otherwise.",
        "Chance is fixed by the seed. One set of chance (all dice and draws) is played in each rotation of the players through the seats, "
        "so that luck cancels when seats are compared. These games together are a block. Blocks are independent of one another, games "
        "in a block are not, so every interval is computed over blocks.",
        how,
    ]
    terms = [
        ("par, fair share", "One win divided by the number of players: 50 % for two, 33.3 % for three, 25 % for four."),
        ("wins, share of wins", "Wins per game; a win shared by some players counts in equal parts. The game's own tie-break comes first."),
        ("times fair share", "Share of wins × number of players: 1 is fair, 1.10 is a tenth more wins than fair. Also called win index."),
        ("from, to; between; bars", "95 % interval: all intervals of one verdict, or of one figure's panel, hold together with 95 %."),
        ("balanced", f"Every interval lies within {margin} % of the fair share."),
        ("unbalanced", f"At least one interval lies wholly more than {margin} % away from the fair share."),
        ("undecided", "Neither: more games are needed, or the question can't be answered by counting."),
        (
            "margin that would hold",
            "The smallest distance from the fair share within which all intervals lie: with it, balanced would be right.",
        ),
        (
            "plays to notice",
            "After how many plays a count of winners would show the most distinct seat to be off (a test at 5 % that finds it four times "
            "in five); “can't be told apart” where every interval holds the fair share.",
        ),
        (
            "points",
            "Mean final score of a player. Ahead of best other: own score less the best other score. Place: 1 is the highest score.",
        ),
        ("place in an order", "Who is first, second, … in an order of a round, and how often that player wins the game."),
        (
            "taken, held",
            "In what share of rounds a player had the thing (by round: what share of players), and the wins and points of the holder.",
        ),
        ("source", "Where points came from; the sources of a player add up to the score."),
        ("uses", "Mean uses by a player in a game. Never: not once in the run. Always: by somebody in at least 99 % of the games."),
        ("furthest out", "The seat, strategy or thing whose share of wins differs most from the fair share, upwards or downwards."),
        ("more games that would decide", "If the shares stay where they are and the intervals shrink as usual; a forecast, no promise."),
        ("digits", "Numbers end at the first digit that their interval leaves open."),
    ]
    return Section("method", "How it was measured, and what each number means", [Text(text), Terms(terms)])


def again(context: Context, files: Sequence[str]) -> Section:
    """Return the section on how to make the page again: commands, seeds, digests, versions, files."""
    import pandas as pd

    survey = context.survey
    rows = [
        {
            "players": line.players,
            "who": context.who(line),
            "games": line.games,
            "blocks": line.blocks,
            "decisions": line.decisions / line.games if line.games else 0.0,
            "seed": str(line.seed),
            "stop": "by hand" if line.interrupted else "when decided, or at most games" if line.sequential else "fixed in advance",
        }
        for line in survey.lines
    ]
    columns = [
        Column("players", "players", whole=True),
        Column("who plays", "who"),
        Column("games", "games", whole=True),
        Column("blocks", "blocks", whole=True),
        Column("decisions a game", "decisions", most=1),
        Column("seed", "seed"),
        Column("end of the run", "stop"),
    ]
    line = survey.lines[0]
    facts = [
        ("components", f"digest {line.components.digest}; {line.counts}"),
        ("rules", f"{survey.game}, version {line.rules_version}"),
        ("seed", str(survey.seed)),
        ("versions", ", ".join(f"{name} {version}" for name, version in survey.versions.items())),
        ("files beside this page", ", ".join(files)),
    ]
    blocks: list[Block] = []
    if survey.commands:
        blocks += [Text([SAME]), Commands(list(survey.commands))]
    blocks += [Terms(facts), table(pd.DataFrame(rows), columns, "What was played")]
    if survey.interrupted:
        blocks.insert(0, Text(["This run was stopped by hand: what had been played by then is here, the rest is missing."], warning=True))
    return Section("again", AGAIN, blocks)
