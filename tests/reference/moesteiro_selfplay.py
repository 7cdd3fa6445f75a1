"""The second engine of Moesteiro played by itself: random chance and random choices, told as a record."""

import random
from functools import partial
from typing import Any

from tests.reference.follow import Chance, Line
from tests.reference.moesteiro import Game
from tests.reference.selfplay import printed_in, told

components = partial(printed_in, "moesteiro")


def tell(printed: dict[str, Any], players: int, seed: int) -> list[Line]:
    """The record of a game played at random."""
    return told("moesteiro", Game(printed, players), players, random.Random(seed), choose, happen)


def choose(options: list[dict], luck: random.Random) -> int:
    """Any option, but rather one that completes a section, and seldom to pass."""
    places = list(range(len(options)))
    good = [place for place in places if options[place].get("completes")]
    active = [place for place in places if "pass" not in options[place] and options[place].get("tile", 0) is not None]
    if luck.random() < 0.8:
        places = good or active or places
    return luck.choice(places)


def happen(game: Game, request: Chance, luck: random.Random) -> dict[str, Any]:
    """What chance brings."""
    if request.what == "roll":
        return roll(game, luck)
    if request.what == "displays":
        return displays(game, luck)
    return {"player": request.player, "tile": [request.pile, any_kind(game.piles[request.pile], luck)]}


def roll(game: Game, luck: random.Random) -> dict[str, Any]:
    """Dice for all players and the neutral ones."""
    faces, event = game.printed["dice"], game.printed["rounds"]["events"][game.round - 1]
    sorts = ["worker"] * event["workers"] + ["master"] * event["masters"]
    dice = [[[sort, luck.choice(faces[sort])] for sort in sorts] for _ in game.players]
    return {
        "dice": dice,
        "neutral": {area: [luck.choice(faces["worker"]) for _ in range(count)] for area, count in game.neutral.items()},
    }


def displays(game: Game, luck: random.Random) -> dict[str, Any]:
    """The displays, gaps filled from piles that run out, and from the discards if they are played with."""
    village = luck.sample(sorted(game.village_pile), min(len(game.village), len(game.village_pile)))
    by_level = sorted(
        game.construction_pile, key=lambda number: (number > game.printed["construction"]["level_one"], luck.random())
    )
    sets = game.rules["construction_set"]
    site = [f"{luck.choice('ab') if sets == 'mixed' else sets}{number}" for number in by_level[: len(game.site)]]
    return {
        "village": village + [None] * (len(game.village) - len(village)),
        "crane": filled(game, "stonework", game.crane, luck),
        "site": site + [None] * (len(game.site) - len(site)),
        "window": filled(game, "glass", game.window, luck),
    }


def filled(game: Game, what: str, row: list, luck: random.Random) -> list:
    """A display with its gaps filled from the left."""
    row, pile = list(row), list(game.piles[what])
    discards = list(game.discarded[what]) if game.rules["reshuffle"] else []
    for place, tile in enumerate(row):
        if not any(pile):
            pile, discards = discards, []
        if tile is None and any(pile):
            row[place] = any_kind(pile, luck)
            pile[row[place] - 1] -= 1
    return row


def any_kind(pile: list[int], luck: random.Random) -> int:
    """The kind of a tile drawn from a pile of so many of each."""
    return luck.choices(range(1, len(pile) + 1), weights=pile)[0]
