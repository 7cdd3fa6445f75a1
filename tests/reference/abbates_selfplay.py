"""The second engine of Abbates played by itself: random chance and random choices, told as a record."""

import random
from functools import partial
from typing import Any

from tests.reference.abbates import MISSIONS_EACH, Game
from tests.reference.abbates_table import KINDS, SEEN_BY_LOOKING, Card
from tests.reference.follow import Chance, Line
from tests.reference.selfplay import printed_in, told

components = partial(printed_in, "abbates")


def tell(printed: dict[str, Any], players: int, seed: int) -> list[Line]:
    """The record of a game played at random."""
    return told(
        "abbates",
        Game(printed, players),
        players,
        random.Random(seed),
        lambda options, luck: luck.randrange(len(options)),
        happen,
    )


def happen(game: Game, request: Chance, luck: random.Random) -> dict[str, Any]:
    """What chance brings."""
    if request.what == "setup":
        return set_up(game, luck)
    if request.what == "missions":
        return {"dealt": missions(game, luck)}
    if request.what == "starting_cards":
        return {"cards": filled(unseen(game, luck), len(game.players))}
    if request.what == "henricus":
        top = getattr(game.henricus, f"{request.pile}_top")
        return {"value": top or luck.choice(getattr(game.henricus, request.pile)), "pile": request.pile}
    if request.what == "top":
        return {"value": luck.choice(getattr(game.henricus, request.pile)), "pile": request.pile}
    pile = game.known + unseen(game, luck)
    if request.what == "look":
        return {"cards": pile[:SEEN_BY_LOOKING]}
    if request.what == "fill":
        return {"cards": pile[: (game.garden + game.refill).count(None)]}
    return {"player": request.player, "card": pile[0]}


def unseen(game: Game, luck: random.Random) -> list[Card]:
    """The cards that nobody has seen, in any order."""
    cards = [list(card) for card in sorted(game.unseen.elements())]
    luck.shuffle(cards)
    return cards


def filled(cards: list[Card], places: int) -> list[Card | None]:
    """The first cards on some places; those for which there is none stay empty."""
    return cards[:places] + [None] * (places - len(cards))


def set_up(game: Game, luck: random.Random) -> dict[str, Any]:
    """Cards on the points card and in the garden, in the order of the rulebook; arcade cards."""
    cards = unseen(game, luck)
    points_card: list[Card] = []
    discard: list[Card] = []
    if game.rules["points_card"]:
        while cards and len(points_card) < len(KINDS) + 1:
            card = cards.pop(0)
            new = len(points_card) == len(KINDS) or card[0] not in [kind for kind, _ in points_card]
            (points_card if new else discard).append(card)
        points_card = filled(points_card, len(KINDS) + 1)
    else:
        cards = cards[len(game.players) :]  # the starting cards have been drawn before
    arcade = []
    for number in range(1, 5):
        effects = game.printed["arcade"][f"round{number}"] + (
            game.printed["arcade"]["palms"] if game.rules["palms"] else []
        )
        arcade += luck.sample(effects, 3) if game.rules["arcade_actions"] else ["none"] * 3
    return {
        "points_card": points_card,
        "garden": filled(cards[:9], 9),
        "refill": filled(cards[9:12], 3),
        "discard": discard,
        "arcade": arcade,
    }


def missions(game: Game, luck: random.Random) -> list[list[str]]:
    """Missions for each player, one after another."""
    left = list(game.printed["missions"])
    if game.henricus:
        palms = game.printed["solo"][game.rules["solo_level"]]["palms"]
        left = [name for name in left if game.printed["missions"][name]["palms"] == palms] or left
    luck.shuffle(left)
    each = min(MISSIONS_EACH[game.rules["missions_choice"]], len(left) // len(game.players))
    return [left[each * seat : each * (seat + 1)] for seat in range(len(game.players))]
