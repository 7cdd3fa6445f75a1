"""What is printed and what is chosen in Abbates, in words: made from a record's lines alone (docs/record.md)."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sim.words.wording import KEPT, joined

Values = dict[str, Any]

BENEDICT = 14
SINGLE = {"books": "book", "windows": "window", "artefacts": "artefact"}
PLACES = {"primus": "Primus", "secundus": "Secundus", "tertius": "Tertius", "aequalis": "aequalis"}
SIDES = {"row": ("bottom", "middle", "top"), "column": ("left", "middle", "right")}
# The lines in the order of the game: the general walks round the garden clockwise, twice.
LINES = tuple(
    f"{side} {kind}"
    for kind, step in (("row", 1), ("column", 1), ("row", -1), ("column", -1))
    for side in SIDES[kind][::step]
)
PALMS = ("draw", "nothing")
# What an arcade card does: in a table, and in a sentence about the winner.
EFFECTS = {
    "none": ("–", "no action"),
    "discard": ("discard pile", "may take a card of the discard pile instead of one of the line"),
    "look": ("look", "may look at the six top cards of the pile and put them back in any order"),
    "refill": ("replenishment", "may take a card of the replenishment row instead of one of the line"),
    "swap": ("swap", "may swap a card of the own portrait with one of the replenishment row"),
    "exchange": ("exchange", "may exchange cards of the line with cards of the replenishment row"),
    "move": ("move", "may let two cards of the own portrait change places"),
    "line": ("other line", "may have everybody take from another row or column"),
    "remove": ("removal", "may remove an abbot card from the Chapter Room"),
    "draw": ("palm: blind", "palm card: all others draw blind"),
    "nothing": ("palm: nothing", "palm card: all others get no card"),
}
CONDITIONS = {"low": "1 to {last}", "high": "{next} to 14", "odd": "odd", "even": "even"}
SOURCES = {
    "garden": "garden cards",
    "lines": "rows and columns",
    "mission": "purple squares",
    "corners": "corner cards",
    "benedicts": "Benedict cards left",
    "distance": "distance from the general",
}
LEVELS = {"novice": "novice", "prior": "prior", "abbot": "abbot"}
QUESTIONS = {
    "mission": "Which mission do you take?",
    "abbot": "Which abbot card do you play?",
    "look": "Arcade action: do you look at the top cards of the pile?",
    "order": "Which of these cards comes next on the pile, from the top?",
    "swap": "Arcade action: which card of your portrait do you swap with which replenishment space?",
    "exchange": "Arcade action: do you exchange the card on this square of the line?",
    "move": "Arcade action: which two cards of your portrait change places?",
    "line": "Arcade action: from which row or column does everybody take?",
    "remove": "Arcade action: which abbot card leaves the Chapter Room?",
    "take": "Which garden card do you take, and on which square of your portrait does it go?",
    "blind": "On which square of your portrait does the card from the pile go?",
    "corner": "Which corner card is yours?",
    "place": "In which place do you take?",
}
# Names for people, beside those above: of labels, numbers and settings.
MISSIONS = {f"mission{n}": f"mission {n}" for n in range(1, 17)}
CORNERS = {f"corner{n}": f"corner card {n}" for n in range(1, 5)}
TITLES = {
    **MISSIONS,
    **CORNERS,
    "taking_first": "first to take (the winner)",
    "taking_second": "second to take",
    "taking_third": "third to take",
    "taking_fourth": "fourth to take",
    "garden": "garden cards",
    "lines": "rows and columns",
    "mission": "mission (purple squares)",
    "corners": "corner cards",
    "benedicts": "Benedict cards left",
    "points.distance": "distance from the general (minus points)",
    "distance": "steps from the general at the end",
    "halved": "minus points halved",
    "empty": "squares left empty",
    "overbuilt": "cards built over",
    "blind": "cards drawn blind",
    "phases_won": "phases won",
    "benedicts_earned": "Benedict cards earned",
    "benedicts_played": "Benedict cards played",
    "forced_duplicate": "values played again for want of others",
    "without_card": "phases without a card to play",
    "primus": "cards of the kind on Primus",
    "secundus": "cards of the kind on Secundus",
    "tertius": "cards of the kind on Tertius",
    "action.discard": "card from the discard pile",
    "action.look": "look at the pile",
    "action.refill": "card from the replenishment row",
    "action.swap": "swap with the replenishment row",
    "action.exchange": "exchange cards of the line",
    "action.move": "move cards on the portrait",
    "action.line": "take from another line",
    "action.remove": "remove an abbot card",
    "action.draw": "palm: the others draw blind",
    "action.nothing": "palm: the others get nothing",
    **{f"corner.{n}": f"of round {n}" for n in range(1, 5)},
    **{f"corner.round{n}": f"corner card of round {n}" for n in range(1, 5)},
    "corner.dealt": "corner card allotted",
    **{f"place.phase{r}.{p}": f"round {r}, phase {p}" for r in range(1, 5) for p in range(1, 5)},
    **{f"start.round{n}": f"round {n}" for n in range(1, 5)},
    "missions": "missions",
    "places": "places in a phase",
    "first": "first",
    "second": "second",
    "third": "third",
    "fourth": "fourth",
}


def count(number: int, thing: str) -> str:
    """Return a number of things: "2 points"."""
    return f"{number} {thing}{'' if number in (1, -1) else 's'}"


def card(what: Sequence[Any] | None) -> str:
    """Return "book 2": a garden card with its black beans."""
    return "no card" if what is None else f"{SINGLE[what[0]]} {what[1]}"


def short(what: Sequence[Any] | None) -> str:
    """Return "B2": a garden card as it is drawn."""
    return "·" if what is None else f"{what[0][0].upper()}{what[1]}"


def cards(held: Iterable[Sequence[Any] | None], otherwise: str = "nothing") -> str:
    """Return garden cards in words, those that are there."""
    return ", ".join(card(what).replace(" ", KEPT) for what in held if what) or otherwise


def value(number: int) -> str:
    """Return an abbot card: "the 12", "a Benedict card"."""
    return "a Benedict card" if number == BENEDICT else f"the {number}"


def values(numbers: Iterable[int], otherwise: str = "–") -> str:
    """Return the values of abbot cards, with B for a Benedict card."""
    return " ".join("B" if number == BENEDICT else str(number) for number in numbers) or otherwise


def white(printed: Values, number: int) -> int:
    """Return the white beans on an abbot card."""
    return int(printed["abbots"]["white"][number - 1])


def condition(printed: Values, round_number: int, phase: int) -> str:
    """Return what a card must be in a phase for the pawn on Ora et Labora to move on."""
    last = printed["ora"]["low_last"]
    return CONDITIONS[printed["ora"]["faces"][round_number - 1][phase - 1]].format(last=last, next=last + 1)


def meets(printed: Values, round_number: int, phase: int, number: int) -> bool:
    """Return whether an abbot card meets the condition of a phase."""
    asked, low = printed["ora"]["faces"][round_number - 1][phase - 1], number <= printed["ora"]["low_last"]
    return bool({"low": low, "high": not low, "odd": number % 2 == 1, "even": number % 2 == 0}[asked])


def corner(printed: Values, round_number: int) -> str:
    """Return what the corner card of a round brings, and which card comes back."""
    what = printed["corners"][f"corner{round_number}"]
    brings = [count(what["vp"], "point")] if what["vp"] or not what["per_card"] else []
    if what["per_card"]:
        benedicts = f"{count(what['per_card'], 'Benedict card')} for each own card in the Chapter Room"
        brings.append(f"{benedicts} ({count(printed['benedicts']['vp'], 'point')} each)")
    return f"{joined(brings)}; the {what['returns']} card comes back"


def mission(printed: Values, name: str) -> str:
    """Return a mission with its pattern, row by row: P purple, a and b other areas."""
    rows = " / ".join(" ".join(row.replace("p", "P")) for row in printed["missions"][name]["rows"])
    return f"{MISSIONS[name]} ({rows})"


def taken_from(chosen: Values) -> str:
    """Return where a garden card is taken from."""
    if chosen["from"] == "line":
        return f"from square {chosen['square']}"
    return f"from replenishment space {chosen['space']}" if chosen["from"] == "refill" else "from the discard pile"


def question(asks: str) -> str:
    """Return what a kind of decision asks, for a person who plays."""
    return QUESTIONS[asks]


def option(printed: Values, asks: str, chosen: Values) -> str:
    """Return an option in words, with what it costs and gives as far as that follows from what is printed.

    Args:
        printed: every number, from the first line of a record. asks: the kind of decision. chosen: the option.
    """
    return OPTIONS[asks](printed, chosen)


def _abbot(printed: Values, chosen: Values) -> str:
    number = chosen["value"]
    return f"{'Benedict card (14)' if number == BENEDICT else number}, {count(white(printed, number), 'white bean')}"


def _mission(printed: Values, chosen: Values) -> str:
    what = printed["missions"][chosen["mission"]]
    halves = "; all areas halve the minus points" if what["halves"] else ""
    return f"{mission(printed, chosen['mission'])}, {count(what['vp'], 'point')} for purple{halves}"


def _exchange(printed: Values, chosen: Values) -> str:
    space = chosen["space"]
    return (
        f"square {chosen['square']}: the card stays"
        if space is None
        else f"square {chosen['square']}: against replenishment space {space}"
    )


def _remove(printed: Values, chosen: Values) -> str:
    if chosen["player"] is None:
        return "remove none"
    number = chosen["value"]
    return f"{value(number)} of seat {chosen['player']}: the general goes back {count(white(printed, number), 'step')}"


OPTIONS: dict[str, Callable[[Values, Values], str]] = {
    "mission": _mission,
    "abbot": _abbot,
    "look": lambda printed, chosen: "look at them" if chosen["look"] else "leave them",
    "order": lambda printed, chosen: card(chosen["card"]),
    "swap": lambda printed, chosen: (
        "swap nothing"
        if chosen["square"] is None
        else f"square {chosen['square']} with replenishment space {chosen['space']}"
    ),
    "exchange": _exchange,
    "move": lambda printed, chosen: (
        "move nothing" if chosen["squares"] is None else "squares {} and {}".format(*chosen["squares"])
    ),
    "line": lambda printed, chosen: (
        "from the general's line, as usual" if chosen["line"] is None else f"the {LINES[chosen['line'] - 1]}"
    ),
    "remove": _remove,
    "take": lambda printed, chosen: (
        f"{card(chosen['card'])} {taken_from(chosen)} to square {chosen['to']} of the portrait"
    ),
    "blind": lambda printed, chosen: f"{card(chosen['card'])} to square {chosen['to']} of the portrait",
    "corner": lambda printed, chosen: CORNERS[chosen["corner"]],
    "place": lambda printed, chosen: f"place {chosen['place']}",
}
