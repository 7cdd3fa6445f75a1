"""`chapterhouse variants`: what each variant of the rules changes, and how hard a solo game is."""

from typing import TYPE_CHECKING, Any

from scripts import options as o
from scripts.question import ALONE, Question, Task, page, share
from scripts.show import table
from sim import registry

if TYPE_CHECKING:
    from analyses.request import Request
    from analyses.variants.variants import Variants
    from sim.printed.variants import Variant


def ask(request: "Request") -> Task:
    """What do the variants of the rules change: the gap between scores, ties, the first player's wins? How hard is a
    solo game?

    Each variant plays with the same dice and draws as the usual game, until its verdict is decided or up to
    --max-games. In a solo game each strategy plays for itself; without --strategy, all levels of play do.
    """
    entries = known(request.game)
    having = sorted({number for entry in entries for number in entry.players})
    for players in request.players if request.named else ():
        if players not in having:
            o.refuse(
                "--players", repr(str(players)), f"{' or '.join(map(str, having))}: the game has variants for these"
            )
    from analyses.variants.lines import line_ups, measured, total

    lines = line_ups(request, entries)
    title = registry.card(request.game)[0]
    return Task(
        title, total(lines, entries), lambda bar: measured(request, lines, entries, bar.watch), percent=len(lines) > 1
    )


def known(game: str) -> "tuple[Variant, ...]":
    """Return the variants of a game; refuse a game that has none."""
    from sim.printed.variants import read

    found = read(game)
    if not found:
        having = [name for name in registry.names() if read(name)]
        o.refuse(
            "GAME",
            f"{registry.typed(game)!r}, which has no variants",
            " or ".join(having) or "a game with a file variants.toml",
        )
    return found


def answer(line: "Variants") -> dict[str, Any]:
    """Return the answer for machines."""
    head: dict[str, Any] = {
        "verdict": line.base.word,
        "measures": line.base.measures,
        "seats": line.base.seats,
        "notes": line.notes,
    }
    made = []
    for effect in line.effects:
        variant = effect.variant
        entry: dict[str, Any] = {
            "variant": variant.name,
            "words": variant.words,
            "set": list(variant.changes),
            "usual": effect.usual,
        }
        entry |= {
            "verdict_before": line.base.word,
            "verdict_after": effect.side.word,
            "verdict": effect.word,
            "altered": effect.altered,
        }
        made.append(entry | {"measures": effect.side.measures, "seats": effect.side.seats, "changes": effect.changes})
    return head | {"variants": made}


def listing(line: "Variants") -> list[Any]:
    """Return the answer for people: sentences and tables."""
    from analyses.variants.variants import ALONE, CONTEST
    from reports import pills, words
    from reports import variants as r

    names = ALONE if line.alone else CONTEST
    rows = []
    for name, side in r.sides(line):
        cells = []
        for measure in names:
            at = side.measure(measure)
            cells.append(words.number(*(r.factor(measure) * at[end] for end in ("value", "low", "high"))))
        rows.append((name, *cells, pills.said(side.word)))
    return [
        *r.listing(line),
        table(("variant", *(r.TITLES[name] for name in names), "verdict"), rows),
        *r.sentences(line),
        "",
    ]


QUESTION = Question(
    "variants", ask, answer, listing, page("variants"), players=ALONE, defaults={"max_games": "40000"},
    in_report=share("variants.lines"),
    cost="For Abbates with all numbers of players it plays about 1,100,000 games: about half a minute on two cores.",
    example="chapterhouse variants abbates --players 2",
    small="abbates --players 2 --strategy random_legal --games 4",
)  # fmt: skip
