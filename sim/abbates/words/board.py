"""The table of Abbates as plain tables of words, from a position of a record (docs/record.md)."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sim.abbates.components import lines
from sim.abbates.words.names import (
    EFFECTS,
    LINES,
    MISSIONS,
    PALMS,
    PLACES,
    SIDES,
    card,
    condition,
    short,
    values,
)
from sim.words.board import BoardTable, label

Values = dict[str, Any]
Row = tuple[str, ...]

# Not after cards and taking: the words say what has come of them.
DRAWN_AFTER = ("setup", "filled", "round")
SECRET = "secret"
PHASES = 4
SQUARES = lines()  # of each line, from 0
WITH_GARDEN = ("exchange", "line", "swap", "take")
WITH_PORTRAITS = ("blind", "move", "swap", "take")


def board(printed: Values, position: Values, names: Sequence[str]) -> list[BoardTable]:
    """Return everything that lies on the table.

    Args:
        printed: the values of the components. position: as a record has it. names: of the players, by seat.
    """
    # On a small terminal only the end is in sight: what is needed most comes last.
    sections = [
        _points(printed, position),
        _beans(printed),
        _ora(printed),
        _corners(printed),
        _arcade(position),
        _piles(position),
        *_henricus(position),
        _chapter_room(position, names),
        _players(printed, position, names),
        *_missions(printed, position, names),
        _portraits(position, names),
        _garden(position),
    ]
    return [section for section in sections if section.rows]


def near(printed: Values, position: Values, asks: str) -> list[BoardTable]:
    """Return the part of the board that a kind of decision is about, if it changes between two decisions."""
    found = [_portraits(position, [""] * len(position["players"]))] if asks in WITH_PORTRAITS else []
    return [*found, *([_garden(position)] if asks in WITH_GARDEN else [])]


def summary(printed: Values, position: Values, seat: int, asks: str) -> str:
    """Return what a player (from 0) has, in one line, and what the phase is about."""
    mine = position["players"][seat]
    hand = values([*mine["hand"], *[14] * mine["benedicts"]], "no card")
    parts = [f"round {position['round']}, phase {position['phase']}: {_where(position)}", f"hand {hand}"]
    parts += (
        [f"Ora et Labora asks for {condition(printed, position['round'], position['phase'])}"]
        if _waits(mine, position)
        else []
    )
    effect = position["arcade"][position["line"] - 1] if position["line"] and "arcade" in position else "none"
    parts += [EFFECTS[effect][1] if effect in PALMS else f"the winner {EFFECTS[effect][1]}"] if effect != "none" else []
    parts += [f"abbot on {mine['bean']}, the general on {position['general']}"]
    return "; ".join(parts)


def _waits(player: Values, position: Values) -> bool:
    """Return whether the pawn on Ora et Labora stands where the condition of this phase is."""
    return bool(player["ora"] == position["phase"] and player["played"] is None)


def _where(position: Values) -> str:
    return "the corner card" if position["line"] is None else f"the {LINES[position['line'] - 1]}"


def _names(names: Sequence[str]) -> list[str]:
    return [label(seat, name).strip() for seat, name in enumerate(names, 1)]


def _points(printed: Values, position: Values) -> BoardTable:
    """Return what scores."""
    if not printed["rules"]["points_card"]:
        points = printed["lines"]
        heads = ("three of one kind", "two of one kind", "three different")
        return BoardTable(
            "Each row and column of the portrait", heads, (tuple(str(number) for number in points.values()),)
        )
    on_it = position.get("points_card") or []
    cells = [f"{name} {card(what)}" for name, what in zip(PLACES.values(), on_it)]
    worth = [str(printed["points"].get(place, "ties")) for place in PLACES]
    return BoardTable("Points card", tuple(cells), (tuple(worth[: len(cells)]),) if cells else ())


def _beans(printed: Values) -> BoardTable:
    white = printed["abbots"]["white"]
    return BoardTable(
        "White beans on abbot cards",
        tuple(values([number]) for number in range(1, len(white) + 1)),
        (tuple(map(str, white)),),
    )


def _ora(printed: Values) -> BoardTable:
    rounds = [(str(n), *(condition(printed, n, phase + 1) for phase in range(PHASES))) for n in range(1, 5)]
    rows = tuple(rounds) if printed["rules"]["ora_et_labora"] else ()
    return BoardTable("Ora et Labora", ("round", *(f"phase {n}" for n in range(1, PHASES + 1))), rows)


def _corners(printed: Values) -> BoardTable:
    cards = [printed["corners"][f"corner{n}"] for n in range(1, 5)]
    vp = printed["benedicts"]["vp"]
    points = [f"{what['per_card'] * vp} a card" if what["per_card"] else str(what["vp"]) for what in cards]
    rows = (("points", *points), ("comes back", *(what["returns"] for what in cards)))
    return BoardTable("Corner cards", ("round", "1", "2", "3", "4"), rows)


def _arcade(position: Values) -> BoardTable:
    """Return what the arcade cards do, round by round; the one where the general stands is marked."""
    effects = [EFFECTS[effect][0] for effect in position.get("arcade") or ()]
    if position["line"] and effects:
        effects[position["line"] - 1] += "*"
    rows = tuple((str(at // 3 + 1), *effects[at : at + 3]) for at in range(0, len(effects), 3))
    return BoardTable("Arcade cards", ("round", "phase 1", "phase 2", "phase 3"), rows)


def _piles(position: Values) -> BoardTable:
    """Return the piles; of the pile what the player has looked at."""
    thrown = Counter(short(what) for what in position["discard"])
    seen = [short(what) for what in position["known"] if what]
    rows = [("pile", str(position["pile"]), f"on top {' '.join(seen)}" if seen else "")]
    top = f" (on top {short(position['discard'][-1])})" if thrown else ""
    told = " ".join(f"{name}{f'×{number}' * (number > 1)}" for name, number in sorted(thrown.items()))
    rows.append(("discard pile", str(len(position["discard"])), told + top))
    return BoardTable("Piles", ("", "cards", ""), tuple(rows))


def _henricus(position: Values) -> list[BoardTable]:
    """Return what Henricus has, in a game of one."""
    it = position.get("henricus")
    if not it:
        return []
    rows = [(f"{pile} pile{_on_top(it[f'{pile}_top'])}", values(it[pile])) for pile in ("low", "high")]
    rows += [("played", values([it["played"]] if it["played"] else []))]
    rows += [("discards", values(it["discards"])), ("garden cards", " ".join(map(short, it["cards"])) or "–")]
    rows += [
        ("abbot", str(it["bean"])),
        ("row of the solo card", str(it["step"])),
        ("corner points", str(it["corner_points"])),
    ]
    return [BoardTable("Henricus (2)", ("", ""), tuple(rows))]


def _on_top(number: int | None) -> str:
    """Return which card lies open on a pile of Henricus, if one does."""
    return "" if number is None else f" (on top {values([number])})"


def _chapter_room(position: Values, names: Sequence[str]) -> BoardTable:
    rows = [(name, values(player["room"])) for name, player in zip(_names(names), position["players"])]
    rows += [("Henricus (2)", values(position["henricus"]["room"]))] if "henricus" in position else []
    return BoardTable("Chapter Room", ("", "abbot cards"), tuple(rows))


def _players(printed: Values, position: Values, names: Sequence[str]) -> BoardTable:
    players, general = position["players"], position["general"]
    rows: list[Row] = [("hand", *(values(player["hand"]) for player in players))]
    rows.append(("Benedict cards", *(str(player["benedicts"]) for player in players)))
    rows.append(("played", *(values([player["played"]] if player["played"] else []) for player in players)))
    rows.append(("discards", *(values(player["discards"]) for player in players)))
    if printed["rules"]["ora_et_labora"]:
        pawns = [
            "gone" if player["ora"] is None else "all met" if player["ora"] > PHASES else f"{player['ora']}"
            for player in players
        ]
        rows.append(("Ora et Labora", *pawns))
    rows.append(("abbot", *(f"{player['bean']} ({player['bean'] - general:+d})" for player in players)))
    rows.append(("corner points", *(str(player["corner_points"]) for player in players)))
    if not printed["rules"]["points_card"]:
        rows.append(
            ("starting card", *(short(what) if (what := player["starting_card"]) else SECRET for player in players))
        )
    title = f"Round {position['round']}, phase {position['phase']}: {_where(position)}; the general on {general}"
    return BoardTable(title, ("", *_names(names)), tuple(rows))


def _missions(printed: Values, position: Values, names: Sequence[str]) -> list[BoardTable]:
    """Return the missions that the player knows, row by row."""
    if not printed["rules"]["missions"]:
        return []
    heads, cells = [""], [["", "", ""]]
    for name, player in zip(_names(names), position["players"]):
        mine = player["mission"]
        heads.append(f"{name}: {MISSIONS[mine] if mine else SECRET}")
        cells.append(
            [" ".join(row.replace("p", "P")) for row in printed["missions"][mine]["rows"]] if mine else ["", "", ""]
        )
    return [BoardTable("Missions (P purple; a, b other areas)", tuple(heads[1:]), tuple(zip(*cells[1:])))]


def _portraits(position: Values, names: Sequence[str]) -> BoardTable:
    """Return the cards on top of each portrait, row by row."""
    rows = []
    for n, side in enumerate(SIDES["row"][::-1]):
        cells = [
            " ".join(short(what).ljust(2) for what in player["portrait"][3 * n : 3 * n + 3]).rstrip()
            for player in position["players"]
        ]
        rows.append((f"{side} ({3 * n + 1}–{3 * n + 3})", *cells))
    return BoardTable("Portraits (B2: book, 2 beans)", ("", *_names(names)), tuple(rows))


def _garden(position: Values) -> BoardTable:
    """Return garden and replenishment row; the line where the general stands is marked."""
    here = SQUARES[position["line"] - 1] if position["line"] else []
    rows = []
    for n, side in enumerate(SIDES["row"][::-1]):
        squares = range(3 * n, 3 * n + 3)
        cells = [f"{short(position['garden'][square])}{'*' * (square in here)}" for square in squares]
        rows.append((f"{side} ({3 * n + 1}–{3 * n + 3})", *cells))
    rows.append(("replenishment", *map(short, position["refill"])))
    title = f"Garden (*: the {LINES[position['line'] - 1]})" if position["line"] else "Garden"
    return BoardTable(title, ("", *SIDES["column"]), tuple(rows))
