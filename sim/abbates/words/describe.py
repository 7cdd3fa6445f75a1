"""A position, the options and the chance of Abbates as plain data, and what a player may see of them:
docs/record.md."""

from collections import Counter
from functools import cache
from types import SimpleNamespace
from typing import Any

from sim.abbates.ask import ASKS
from sim.abbates.components import lines
from sim.abbates.state import (
    BEANS,
    BENEDICT,
    CARDS,
    CORNER_NAMES,
    EFFECTS,
    GARDEN_PHASES,
    HENRICUS,
    KINDS,
    MISSION_NAMES,
    NONE,
    PILES,
    REMOVED,
    SOURCE_LINE,
    SOURCE_REFILL,
    SQUARES,
)
from sim.abbates.turns import ACTION, END_ROUND, EVENTS, FILL, ORDER, TAKE

Values = dict[str, Any]
Card = tuple[str, int]

LINES = lines()
LOW_PILE = range(1, 8)  # values of Henricus' cards there


def phase(state: SimpleNamespace) -> str:
    """Return the name of the phase that has just ended."""
    return EVENTS[state.event]


@cache
def card(code: int) -> Card | None:
    """Return the kind and the black beans of a garden card."""
    return None if code == NONE else (KINDS[code // BEANS], code % BEANS)


def cards(codes: list[int]) -> list[Card | None]:
    """Return garden cards, None for an empty place."""
    return [card(code) for code in codes]


@cache
def values(bits: int) -> tuple[int, ...]:
    """Return the values in a bit set, rising."""
    return tuple(value for value in range(BENEDICT) if bits >> value & 1)


def mission(code: int) -> str | None:
    """Return the name of a mission."""
    return None if code == NONE else MISSION_NAMES[code]


def position(printed: Values, state: SimpleNamespace) -> Values:
    """Return everything that lies on the table.

    Args:
        printed: the values of the components. state: the game's record, as ints and lists.
    """
    henricus = {"henricus": _henricus(printed, state)} if state.players == 1 else {}
    return {
        "round": state.this_round + 1,
        "phase": state.this_phase + 1,
        "line": state.this_round * GARDEN_PHASES + state.this_phase + 1 if state.this_phase < GARDEN_PHASES else None,
        "starting": state.starting + 1,
        "general": state.general,
        "players": [_player(printed, state, seat) for seat in range(state.players)],
        **henricus,
        "garden": cards(state.garden),
        "refill": cards(state.refill),
        "discard": cards(state.discard[: state.discarded]),
        "known": cards(state.known[: state.known_left]),
        "pile": state.known_left + state.pile_left,
    }


def _played(state: SimpleNamespace, seat: int) -> int | None:
    """Return the card that a player has played in this phase; the winner's is in the Chapter Room once all have
    played."""
    won = state.stage in (ACTION, ORDER, TAKE, FILL, END_ROUND) and state.ranked > 0 and state.ranking[0] == seat
    return None if won or state.played[seat] == NONE else state.played[seat]


def _piles(state: SimpleNamespace, seat: int) -> Values:
    """Return what a player and Henricus have alike."""
    return {
        "played": _played(state, seat),
        "discards": [*values(state.lost[seat]), *[BENEDICT] * state.lost_benedicts[seat]],
        "room": [*values(state.room[seat]), *[BENEDICT] * state.room_benedicts[seat]],
        "bean": state.abbot[seat],
        "corner_points": state.corner_vp[seat],
    }


def _player(printed: Values, state: SimpleNamespace, seat: int) -> Values:
    removed = state.met[seat] == REMOVED or not printed["rules"]["ora_et_labora"]
    return {
        "hand": list(values(state.hand[seat])),
        "benedicts": state.benedicts[seat],
        **_piles(state, seat),
        "ora": None if removed else state.met[seat] + 1,
        "portrait": cards(state.portrait[seat]),
        "mission": mission(state.mission[seat]),
        "starting_card": card(state.starting_card[seat]),
    }


def _henricus(printed: Values, state: SimpleNamespace) -> Values:
    hand, hidden = values(state.hand[HENRICUS]), printed["rules"]["henricus_piles"] == "face_down"
    return {
        "low": [*(value for value in hand if value in LOW_PILE), *[BENEDICT] * state.low_benedicts],
        "high": [*(value for value in hand if value not in LOW_PILE), *[BENEDICT] * state.benedicts[HENRICUS]],
        **{f"{pile}_top": None if top == NONE or hidden else top for pile, top in zip(PILES, state.top)},
        **_piles(state, HENRICUS),
        "cards": [card(code) for code in range(CARDS) for _ in range(state.henricus[code])],
        "step": state.solo_step + 1,
    }


# --- options ----------------------------------------------------------------------------------------------------------


def options(printed: Values, state: SimpleNamespace, offered: Any) -> list[Values]:
    """Return the options of a decision, each as a dict; offered: (n,) records."""
    ask, names = ASKS[state.asks], offered.dtype.names
    return [_option(ask, SimpleNamespace(**dict(zip(names, option)))) for option in offered.tolist()]


def _option(ask: str, o: SimpleNamespace) -> Values:
    square, other = o.square + 1, o.other + 1
    if ask == "mission":
        return {"mission": MISSION_NAMES[o.thing]}
    if ask == "abbot":
        return {"value": o.thing}
    if ask == "look":
        return {"look": bool(o.act)}
    if ask == "order":
        return {"card": card(o.thing)}
    if ask == "swap":
        return {"square": square, "space": other} if o.act else {"square": None}
    if ask == "exchange":
        return {"square": square, "space": other if o.act else None}
    if ask == "move":
        return {"squares": [square, other] if o.act else None}
    if ask == "line":
        return {"line": other if o.act else None}
    if ask == "remove":
        return {"player": other, "value": o.thing} if o.act else {"player": None}
    if ask == "take":
        return {**_source(o), "card": card(o.thing), "to": square}
    if ask == "blind":
        return {"card": card(o.thing), "to": square}
    return {"corner": CORNER_NAMES[o.thing]} if ask == "corner" else {"place": o.thing + 1}


def _source(o: SimpleNamespace) -> Values:
    """Return where a garden card is taken from."""
    if o.source == SOURCE_LINE:
        return {"from": "line", "square": o.other + 1}
    return {"from": "refill", "space": o.other + 1} if o.source == SOURCE_REFILL else {"from": "discard"}


# --- chance -----------------------------------------------------------------------------------------------------------


def opening(printed: Values, state: SimpleNamespace) -> list[Values]:
    """Return the lines of the record that tell what has been dealt, before anybody is asked."""
    rules = printed["rules"]
    found: list[Values] = [
        {
            "what": "setup",
            "points_card": cards(state.points_card) if rules["points_card"] else [],
            "garden": cards(state.garden),
            "refill": cards(state.refill),
            "discard": cards(state.discard[: state.discarded]),
            "arcade": [EFFECTS[effect] for effect in state.arcade],
        }
    ]
    if not rules["points_card"]:
        found.append({"what": "starting_cards", "cards": cards(state.starting_card[: state.players])})
    if rules["missions"]:
        each, order = state.choice, [MISSION_NAMES[code] for code in state.mission_order]
        found.append(
            {"what": "missions", "dealt": [order[seat * each : (seat + 1) * each] for seat in range(state.players)]}
        )
    found += _tops(printed, None, state)
    return [{"event": "chance", **event} for event in found]


def _tops(printed: Values, before: SimpleNamespace | None, after: SimpleNamespace) -> list[Values]:
    """Return the cards that have come to lie open on Henricus' piles; before: None at the set-up."""
    if after.players > 1 or printed["rules"]["henricus_piles"] == "face_down":
        return []
    turned = before.turned if before else [0] * len(PILES)
    new = [n for n in range(len(PILES)) if after.turned[n] > turned[n] and after.top[n] != NONE]
    return [{"what": "top", "pile": PILES[n], "value": after.top[n]} for n in new]


def chance(printed: Values, before: SimpleNamespace, after: SimpleNamespace, event: str) -> list[Values]:
    """Return what has happened by chance between two states: after the event of that name, or, without one, up to or
    after a choice."""
    if event == "filled":
        filled = _filled(before, after)
        return [{"what": "fill", "cards": filled}] if filled else []
    found: list[Values] = []
    if after.stage == ORDER and before.stage == ACTION:
        return [{"what": "look", "player": after.player + 1, "cards": cards(after.known[: after.known_left])}]
    if after.players == 1 and before.played[HENRICUS] == NONE != after.played[HENRICUS]:
        pile = next(name for name, was, now in zip(PILES, before.turned, after.turned) if now > was)
        found.append({"what": "henricus", "value": after.played[HENRICUS], "pile": pile})
    return found + _tops(printed, before, after) + _draws(before, after)


def _filled(before: SimpleNamespace, after: SimpleNamespace) -> list[Card | None]:
    """Return the cards from the pile: for the squares for which the replenishment row did not suffice, then for its
    spaces."""
    line = LINES[before.taking]
    gaps = [*line, *(square for square in range(SQUARES) if square not in line and before.garden[square] == NONE)]
    held = [space for space, code in enumerate(before.refill) if code != NONE]
    moved = held[: len(gaps)]
    spaces = [space for space, code in enumerate(before.refill) if code == NONE or space in moved]
    drawn = [*(after.garden[square] for square in gaps[len(moved) :]), *(after.refill[space] for space in spaces)]
    return [card(code) for code in drawn if code != NONE]


def _draws(before: SimpleNamespace, after: SimpleNamespace) -> list[Values]:
    """Return the cards that were drawn blind: by Henricus, who does not have to be asked, then by the player who has to
    place one."""
    gone = Counter(before.known[: before.known_left - after.known_left])
    gone += Counter({code: count - after.pile[code] for code, count in enumerate(before.pile)})
    drawn = []
    if before.card == NONE != after.card:
        drawn = [{"what": "draw", "player": after.player + 1, "card": card(after.card)}]
        gone -= Counter([after.card])
    if after.players == 1 and after.blind[HENRICUS] > before.blind[HENRICUS]:
        drawn.insert(0, {"what": "draw", "player": HENRICUS + 1, "card": card(next(iter(gone)))})
    return drawn


def ending(printed: Values, state: SimpleNamespace) -> Values:
    """Return what else the last line of a record says."""
    henricus = {"henricus": state.score[HENRICUS]} if state.players == 1 else {}
    return {"distance": state.distance[: state.players], **henricus}


# --- what a player may see --------------------------------------------------------------------------------------------


def view(printed: Values, state: SimpleNamespace, seat: int) -> Values:
    """Return a position as the player in a seat (from 0) sees it: secrets are None; with all that has lain open since
    the set-up."""
    knows = state.looker == seat
    shown = {"points_card": cards(state.points_card), "arcade": [EFFECTS[effect] for effect in state.arcade]}
    return {**_veiled(printed, position(printed, state), seat, knows), **shown}


def seen(printed: Values, line: Values, seat: int) -> Values:
    """Return a line of a record as the player in a seat (from 0) sees it; at the end all is laid open."""
    event, other = line["event"], line.get("player") != seat + 1
    if event == "phase" and line["phase"] != "scoring":
        return {**line, "position": _veiled(printed, line["position"], seat, False)}
    if event == "chance" and line["what"] == "missions" and printed["rules"]["missions_secret"]:
        return {
            **line,
            "dealt": [dealt if at == seat else [None] * len(dealt) for at, dealt in enumerate(line["dealt"])],
        }
    if event == "chance" and line["what"] == "starting_cards":
        return {**line, "cards": [what if at == seat else None for at, what in enumerate(line["cards"])]}
    if event == "chance" and line["what"] == "look" and other:
        return {**line, "cards": [None] * len(line["cards"])}
    secret = {"order": "card", **({"mission": "mission"} if printed["rules"]["missions_secret"] else {})}
    if event == "decision" and line["asks"] in secret and other:
        return {**line, "options": [{secret[line["asks"]]: None}] * len(line["options"])}
    return line


def _veiled(printed: Values, position: Values, seat: int, knows: bool) -> Values:
    """Return a position without what a player can't see; knows: whether it is the player who has looked at the top of
    the pile."""
    hidden = {"starting_card": None, **({"mission": None} if printed["rules"]["missions_secret"] else {})}
    players = [player if at == seat else {**player, **hidden} for at, player in enumerate(position["players"])]
    return {**position, "players": players, "known": position["known"] if knows else [None] * len(position["known"])}
