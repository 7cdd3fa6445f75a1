"""What to change, in words: what a report's own small search found, and what its change does elsewhere."""

from analyses.balance.advice import FAIR, NO_LEVERS, NO_LIBRARY, SEARCHED, SLOW, UNDECIDED, Advice
from analyses.balance.balance import Balance
from analyses.balance.scores import SEATS
from reports import balance as one
from reports import pills, words
from reports.parts import Block, Commands, Context, Section, Text, count_words
from reports.tables import records
from sim.printed.rulings import word as typed

NAME = "change"
WHY = {
    FAIR: "Nothing needs to change.",
    UNDECIDED: "We propose nothing: nothing is out of balance for certain.",
    SLOW: "We propose nothing: these players look ahead, and that is too slow for a search within a report.",
    NO_LEVERS: "We propose nothing: this game names no numbers that may change. Name some: balance --change.",
    NO_LIBRARY: "We propose nothing: the search needs two libraries (pip install optuna tomlkit).",
}
STOPPED = "The run was stopped before it looked for a change."


def short(context: Context) -> str:
    """Return what to change, in a few sentences for the first screen."""
    advice = context.survey.advice
    if advice is None:
        return STOPPED
    found = advice.balance
    if advice.why != SEARCHED or found is None:
        return WHY[advice.why]
    candidate = found.proposal
    if not found.found or candidate is None or not candidate.changes:
        return _none(context, found)
    labels = {lever.path: lever.words for lever in found.levers}
    changes = "; ".join(
        f"{labels.get(path) or path}: {typed(after)} instead of {typed(before)}"
        for path, (before, after) in candidate.changes.items()
    )
    return f"{words.capital(changes)}. {_effect(context, found)} {elsewhere(context, advice)}".strip()


def _none(context: Context, found: Balance) -> str:
    if found.interrupted:
        return STOPPED
    who = one.everyone(context, found)
    return (
        f"We propose nothing: we tried {found.trials} sets of numbers with {count_words(found.players)}, and fresh "
        f"games confirmed none that makes {who} fair."
    )


def _effect(context: Context, found: Balance) -> str:
    """Return how often each seat wins in the fresh games that judged the change, and which things are fair too."""
    assert found.nearest is not None
    side = found.nearest.side
    assert side.seats is not None  # a report balances the seats, whatever else
    shares = [row["win_share"] for row in records(side.seats.tables["seats"])]
    least, most = words.in_hundred(min(shares)), words.in_hundred(max(shares))
    wins = f"every seat then wins {least if least == most else f'{least} to {most}'} of 100"
    things = [f"all {context.labels(target)}" for target in found.targets if target != SEATS]
    fair = f", and {words.listed(things)} are fair" if things else ""
    return f"In {side.games:,} fresh {words.players(found.players)} games, {wins}{fair}."


def elsewhere(context: Context, advice: Advice) -> str:
    """Return what the change does with other numbers of players, and to things that the search left alone."""
    before = {line.players: pills.which(line) for line in context.headlines}
    after = {line.players: pills.which(line) for line in advice.others}
    fair = [words.count(n) for n, which in after.items() if which == pills.FAIR]
    said = [f"With {words.listed(fair)} players, all seats are fair."] if fair else []
    for line in advice.others:
        n, which = line.players, after[line.players]
        if which == pills.UNSURE:
            said.append(f"With {count_words(n)}, we can't tell whether all seats are fair.")
        elif which != pills.FAIR:
            said.append(f"With {count_words(n)}, {pills.stated(line)}{', as before' if which == before[n] else ''}.")
    if advice.balance is not None and any(
        before[n] == pills.FAIR and which not in (pills.FAIR, pills.UNSURE) for n, which in after.items()
    ):
        said.append(f"So it helps with {count_words(advice.balance.players)} only.")
    for worth in advice.worths:
        out = [
            f"{context.labels(row['thing'])} {word}"
            for row in sorted(records(worth.things), key=lambda row: -abs(row["worth"]))
            if (word := pills.of_worth(row, worth.margin)) in pills.OUT
        ]
        said += [f"It leaves {words.listed(out)}."] if out else []
    return " ".join(said)


def section(context: Context) -> Section:
    """Return the section: the change, before and after, and how the search went; empty if there was none."""
    advice = context.survey.advice
    found = advice.balance if advice else None
    if advice is None or found is None or found.before is None:
        return Section(NAME, "", [])
    longer = "A search of its own takes longer, finds smaller changes, and can mend things too:"
    again: list[Block] = [Text([longer]), Commands([advice.command])]
    shown, numbers = one.figure(context, found), one.numbers(context, found)
    return Section(NAME, one.headline(context, found), [shown], [*numbers, *again], "What to change")
