"""The questions of a report with a word and a line each; their sections tell the rest."""

from typing import Any

from analyses.findings import Line
from reports import levels, pills, variants, words
from reports.first import ASKED
from reports.parts import Answer, Context, QuestionBox, count_words, extremes
from reports.robustness.words import counted, denied
from reports.things import common, everywhere
from reports.verdict import seat, wins
from reports.worth import worth


def questions(context: Context) -> list[QuestionBox]:
    """Return the questions with their answers."""
    lines = context.headlines
    found = [
        QuestionBox(ASKED, "seats", [_first(context, line) for line in lines]),
        QuestionBox("Is every seat fair?", "seats", [_seats(context, line) for line in lines]),
    ]
    if at_levels := levels.compared(context):
        found.append(QuestionBox("Does it depend on how well people play?", "levels", _levels(at_levels)))
    others = [line for line in context.survey.lines if not any(line is headline for headline in lines)]
    others = [line for line in others if line.role not in ("random", "level")] or others
    if others:
        found.append(QuestionBox("Does that hold for other ways to play?", "others", [_others(context, others)]))
    if meeting := [line for n in context.players if (line := company(context, n))]:
        answers = [_strategies(line) for line in meeting]
        found.append(QuestionBox("Does one strategy beat the others?", "strategies", answers))
    return found + _of_things(context) + _of_variants(context)


def robust(context: Context, line: Line, pill: str, name: str = "") -> tuple[str, str]:
    """Return the word for the seats of a line, or for one of them, and in how many plausible sets of numbers it is so.

    If more of the sets that decide it say otherwise than agree, the word is that it depends.
    """
    drawn = context.survey.robustness
    if drawn is None or not (said := counted(drawn, line.players, name=name)):
        return pill, ""
    if denied(drawn, line.players, pill, name=name):
        return pills.DEPENDS, f"With these numbers: {pills.answer(pill)}. {said}"
    return pill, said


def _first(context: Context, line: Line) -> Answer:
    pill, said = robust(context, line, pills.favoured(line), "1")
    return Answer(count_words(line.players), pill, f"{wins(line, 1)}.", said)


def _seats(context: Context, line: Line) -> Answer:
    pill, said = robust(context, line, pills.together(pills.of_seats(line).values()))
    out = pills.which(line)
    size = "" if out == pills.FAIR else words.sentence(f"{_further(line)}" if out == pills.UNSURE else out)
    return Answer(count_words(line.players), pills.answer(pill), size, said)


def _further(line: Line) -> str:
    """Return which seat is furthest from fair, and how many more games would probably decide it."""
    v = line.verdict
    more = f". {words.would_decide(v.further * line.players)}" if v.further else ""
    return f"the furthest from fair is seat {v.seat}, with {words.percent_between(*_shares(seat(line, v.seat)))}{more}"


def _shares(row: dict[str, Any]) -> tuple[float, float, float]:
    return row["win_share"], row["low"], row["high"]


def _levels(found: list[list[Line]]) -> list[Answer]:
    word = {"differs": pills.YES, "the same": pills.NO, "undecided": pills.UNSURE}
    most = levels.telling(found)
    return [
        Answer(
            count_words(lines[0].players), word[levels.word(lines)],
            words.sentence(levels.told(lines, levels.apart(lines)[0])) if lines is most else "", "",
        )
        for lines in found
    ]  # fmt: skip


def _others(context: Context, lines: list[Line]) -> Answer:
    alike = [line for line in lines if pills.which(line) == pills.which(context.survey.headline(line.players))]
    unsure = [line for line in lines if pills.which(line) == pills.UNSURE]
    word = (
        pills.YES if len(alike) == len(lines) else pills.UNSURE if len(alike) + len(unsure) >= len(lines)
        else pills.DEPENDS
    )  # fmt: skip
    some = words.count(len(alike)) if alike else "none"
    size = f"In {some} of {words.many(len(lines), 'other line-up')}, the seats come out the same."
    return Answer("", word, size, "")


def company(context: Context, players: int) -> Line | None:
    """Return the line in which several strategies meet, if there is one."""
    return next((x for x in context.survey.lines if x.players == players and len(x.strategies) > 1), None)


def strongest(line: Line) -> str:
    """Return whether one strategy beats the others: yes if one wins more than its fair share and the margin."""
    t = line.tables["strategies"].dropna(subset=["index"])
    found = [pills.of(float(low), float(high), line.margin) for low, high in zip(t["index_low"], t["index_high"])]
    return pills.YES if pills.STRONG in found else pills.UNSURE if pills.UNSURE in found else pills.NO


def _strategies(line: Line) -> Answer:
    best, worst = extremes(line.tables["strategies"].dropna(subset=["index"]), "index")
    size = f"{best['strategy']} wins most ({_percent(best)}), {worst['strategy']} least ({_percent(worst)})."
    return Answer(count_words(line.players), strongest(line), size, "")


def _percent(row: Any) -> str:
    return words.percent(*_shares(row))


def _of_things(context: Context) -> list[QuestionBox]:
    lines = [line for line in context.headlines if "things" in line.tables and len(line.tables["things"])]
    kinds = [
        *(w.kind for w in context.survey.worths),
        *(kind for line in lines for kind in line.tables["things"]["kind"]),
    ]
    found = []
    for kind in dict.fromkeys(kinds):
        dealt = [w for line in context.headlines if (w := context.survey.worth(kind, line.players))]
        if not dealt:
            answers = [_held(context, kind, line) for line in lines]
            found.append(QuestionBox(f"Is one of the {context.labels(kind)} too strong?", kind, answers))
            continue
        answers = [worth.answer(context, one, context.survey.robustness, one is dealt[0]) for one in dealt]
        found.append(QuestionBox(worth.asks(dealt[0]), worth.name(kind), answers))
    return found


def _held(context: Context, kind: str, line: Line) -> Answer:
    best, worst = extremes(common(everywhere(line, kind)), "index")
    size = f"Players who held {_holder(context, best)}; players who held {_holder(context, worst)}."
    return Answer(
        count_words(line.players), pills.UNSURE, size, "Chance did not deal them, so this is not their worth."
    )


def _holder(context: Context, row: Any) -> str:
    return f"{context.labels(row['thing'])} won {words.percent_between(row['wins_when_held'], row['low'], row['high'])}"


def _of_variants(context: Context) -> list[QuestionBox]:
    parts = [[line for line in context.survey.variants if line.alone == alone] for alone in (False, True)]
    return [variants.answers(played) for played in parts if played]
