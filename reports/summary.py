"""The top of the page: one sentence for the game, one line for each question, and the largest findings."""

from dataclasses import dataclass
from typing import Any

from analyses.findings import Line
from analyses.statistics import Verdict
from analyses.statistics import verdict as judge
from reports import levels, variants, words
from reports.parts import Answer, Context, QuestionBox, count_words, extremes
from reports.places import ORDINALS
from reports.points import flagged
from reports.robustness import words as robustness_words
from reports.things import common, everywhere
from reports.verdict import wins
from reports.worth import worth
from reports.worth.words import holder

MOST_FINDINGS = 3
WEAK = 0.02  # in win index: we don't show smaller findings


@dataclass(frozen=True)
class KeyFinding:
    """A finding: its size in win index, its sentence, and the section that shows it."""

    size: float
    text: str
    section: str


def headline(context: Context) -> str:
    """Return one sentence for the whole game, then one on levels of play and one on plausible sets of numbers, if there
    are several."""
    lines = context.headlines
    by_word: dict[str, list[int]] = {}
    for word in ("unbalanced", "undecided", "balanced"):
        if numbers := [line.players for line in lines if line.verdict.word == word]:
            by_word[word] = numbers
    parts = [
        f"{word} with {words.listed([words.count(n) for n in numbers])} players" for word, numbers in by_word.items()
    ]
    far = max(lines, key=lambda line: (line.verdict.word == "unbalanced", abs(line.verdict.index - 1)))
    v = far.verdict
    n = count_words(far.players)
    tail = f"with {n} seat {v.seat} wins {words.times(v.index, v.low, v.high)}" if v.word == "unbalanced" else ""
    tail = tail or f"the furthest out is seat {v.seat} with {n}, which wins {words.percent_between(*_shares(far))}"
    text = f"With {context.seating(lines[0])}, the seats of {context.survey.title} are {words.listed(parts)}: {tail}."
    drawn = robustness_words.sentence(context.survey.robustness, lines) if context.survey.robustness else ""
    return "\n".join(part for part in (text, levels.finding(context), drawn) if part)


def _shares(line: Line) -> tuple[float, float, float]:
    v = line.verdict
    return v.index / line.players, v.low / line.players, v.high / line.players


def sure(line: Line) -> str:
    """Return how sure the verdict of a line is."""
    stopped = ", stopped by hand" if line.interrupted else ""
    return f"95 % interval from {line.games:,} games{stopped}"


def _sure(context: Context, line: Line) -> str:
    """Return how sure the verdict on the seats is, with the present numbers and with other plausible ones."""
    drawn = context.survey.robustness
    holds = robustness_words.carried(drawn, line.players, line.verdict.word) if drawn else ""
    return f"{sure(line)}; {holds}" if holds else sure(line)


def questions(context: Context) -> list[QuestionBox]:
    """Return the questions with their answers."""
    seats = [
        Answer(count_words(x.players), x.verdict.word, _seat_size(x), _sure(context, x)) for x in context.headlines
    ]
    found = [QuestionBox("Is the first player favoured?", "seats", seats)]
    others = [line for line in context.survey.lines if not any(line is headline for headline in context.headlines)]
    others = [line for line in others if line.role not in ("random", "level")] or others
    if found_levels := levels.compared(context):
        answers = [
            Answer(count_words(x[0].players), levels.word(x), _level_size(x), _level_sure(x)) for x in found_levels
        ]
        found.append(QuestionBox("Does it depend on how well people play?", "seats", answers))
    if others:
        found.append(QuestionBox("Does that hold for other ways to play?", "seats", [_others(context, others)]))
    strategies = [answer for n in context.players if (answer := _strategies(context, n))]
    if strategies:
        found.append(QuestionBox("Does one strategy beat the others?", "strategies", strategies))
    lines = [line for line in context.headlines if "things" in line.tables and len(line.tables["things"])]
    kinds = [
        *(w.kind for w in context.survey.worths),
        *(kind for line in lines for kind in line.tables["things"]["kind"]),
    ]
    for kind in dict.fromkeys(kinds):
        if dealt := [w for line in context.headlines if (w := context.survey.worth(kind, line.players))]:
            found.append(worth.answers(context, dealt, context.survey.robustness))
        else:
            answers = [_things(context, kind, line) for line in lines]
            found.append(QuestionBox(f"Is one of the {context.labels(kind)} too strong?", kind, answers))
    for alone in (False, True):
        if played := [line for line in context.survey.variants if line.alone == alone]:
            found.append(variants.answers(played))
    return found


def _seat_size(line: Line) -> str:
    v = line.verdict
    text = wins(line, 1) + "."
    if v.seat != 1:
        text += f" Furthest out: seat {v.seat}, {words.times(v.index, v.low, v.high)}."
    if v.word == "undecided" and v.further:
        text += f" {words.would_decide(v.further * line.players)}"
    return text


def _level_size(lines: list[Line]) -> str:
    seat, _ = levels.apart(lines)
    return words.sentence(levels.told(lines, seat))


def _level_sure(lines: list[Line]) -> str:
    return f"95 % intervals from {words.listed([f'{line.games:,}' for line in lines])} games"


def _others(context: Context, lines: list[Line]) -> Answer:
    same = sum(line.verdict.word == context.survey.headline(line.players).verdict.word for line in lines)
    far = max(lines, key=lambda line: abs(line.verdict.index - 1))
    v = far.verdict
    size = (
        f"The verdict is the same in {words.count(same) if same else 'none'} of "
        f"{words.many(len(lines), 'other line-up')}. Furthest out: seat {v.seat} with {count_words(far.players)}, "
        f"{context.seating(far)}, {words.times(v.index, v.low, v.high)}."
    )
    # One word for all line-ups together.
    found = {line.verdict.word for line in lines}
    word = found.pop() if len(found) == 1 else "unbalanced" if "unbalanced" in found else "undecided"
    return Answer(
        "other line-ups", word, size, f"95 % intervals from {min(x.games for x in lines):,} games or more each"
    )


def strategies_verdict(line: Line) -> Verdict:
    """Return the verdict on the strategies of a line; its `seat` is the place of the furthest one."""
    t = line.tables["strategies"]
    return judge(t["index"], t["index_low"], t["index_high"], line.margin, line.blocks)


def company(context: Context, players: int) -> Line | None:
    """Return the line in which several strategies meet, if there is one."""
    return next((x for x in context.survey.lines if x.players == players and len(x.strategies) > 1), None)


def _strategies(context: Context, players: int) -> Answer | None:
    line = company(context, players)
    if line is None:
        return None
    t = line.tables["strategies"]
    t = t.dropna(subset=["index"])
    word = strategies_verdict(line).word
    best, worst = extremes(t, "index")
    size = f"{_strategy_wins(best, players)}; {_strategy_wins(worst, players)}."
    return Answer(count_words(players), word, words.sentence(size), sure(line))


def _strategy_wins(row: Any, players: int) -> str:
    name = str(row["strategy"])
    return f"{name} wins {words.times(row['index'], row['index_low'], row['index_high'])}"


def _things(context: Context, kind: str, line: Line) -> Answer:
    t = common(everywhere(line, kind))
    best, worst = extremes(t, "index")
    size = f"Players who held {_holder(context, best)}; players who held {_holder(context, worst)}."
    sure_ = f"counted in {line.games:,} games; chance did not deal them, so this is not their worth"
    return Answer(count_words(line.players), "undecided", size, sure_)


def _holder(context: Context, row: Any) -> str:
    return f"{context.labels(row['thing'])} won {words.percent_between(row['wins_when_held'], row['low'], row['high'])}"


def findings(context: Context) -> list[KeyFinding]:
    """Return the largest findings, the largest first. The end of its interval nearer to a fair share counts as its
    size."""
    found = [best for kind in _candidates(context) if kind for best in [max(kind, key=lambda f: f.size)]]
    found = sorted((f for f in found if f.size > WEAK), key=lambda f: -f.size)[:MOST_FINDINGS]
    return found + _unused(context)[: max(2 - len(found), 0)]


def _least(low: float, high: float) -> float:
    return max(low - 1, 1 - high, 0.0) if low == low else 0.0


def _candidates(context: Context) -> list[list[KeyFinding]]:
    seats, strategies, things, places = [], [], [], []
    for line in context.headlines:
        n, v = line.players, line.verdict
        passing = f"Within {words.plain(100 * line.margin)} % of fair counts as balanced"
        seats.append(KeyFinding(_least(v.low, v.high), f"{wins(line, v.seat)}. {passing}.", "seats"))
        meeting = company(context, n)
        if meeting is not None:
            for _, row in meeting.tables["strategies"].iterrows():
                text = f"With {count_words(n)} and all strategies at one table, {_strategy_wins(row, n)}."
                strategies.append(KeyFinding(_least(row["index_low"], row["index_high"]), text, "strategies"))
        if "things" in line.tables:
            for kind in dict.fromkeys(line.tables["things"]["kind"]):
                if dealt := context.survey.worth(kind, n):
                    for _, row in dealt.things.iterrows():  # no rows while single ones are withheld
                        text = f"With {count_words(n)}, {holder(context, row, n)} where {words.par(n)} would be fair."
                        things.append(KeyFinding(_least(1 + row["low"], 1 + row["high"]), text, worth.name(kind)))
                    continue
                for _, row in common(everywhere(line, kind)).iterrows():
                    who = f"With {count_words(n)}, players who held {_holder(context, row)}"
                    text = (
                        f"{who} where {words.par(n)} would be fair. That shows who chose it, not yet what it is worth."
                    )
                    things.append(KeyFinding(_least(row["index_low"], row["index_high"]), text, kind))
        if "places" in line.tables:
            for _, row in line.tables["places"].iterrows():
                share = words.percent_between(row["win_share"], row["low"], row["high"])
                where = (
                    f"{ORDINALS[int(row['place']) - 1]} in the {context.within(row['order'])} of round {row['round']}"
                )
                text = (
                    f"With {count_words(n)}, the player who stands {where} wins {share} where {words.par(n)} would "
                    "be fair."
                )
                places.append(KeyFinding(_least(row["low"] * n, row["high"] * n), text, "seats"))
    return [seats, strategies, things, places]


def _unused(context: Context) -> list[KeyFinding]:
    found = []
    for line in context.headlines[::-1]:
        if "uses" in line.tables and len(line.tables["uses"]):
            never = flagged(line, "never")
            n = sum(len(names) for names in never.values())
            if n:
                what = f"nobody ever used {words.many(n, 'thing')} that the game offers"
                found.append(
                    KeyFinding(0.0, f"With {count_words(line.players)}, {what}: {words.listed(list(never))}.", "uses")
                )
    return found[:1]
