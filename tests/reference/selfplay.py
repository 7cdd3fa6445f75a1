"""What the second engines share when they play by themselves: their components, and the record of a game."""

import copy
import json
import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.reference.follow import Ask, Chance, Difference, End, Line, Phase

SIM = Path(__file__).parent.parent.parent / "sim"


def printed_in(game: str, **rules: Any) -> dict[str, Any]:
    """What is printed in a game, with some readings changed."""
    with (SIM / game / "components.toml").open("rb") as file:
        printed = tomllib.load(file)
    del printed["source"]
    printed["rules"].update(rules)
    return printed


def told(
    name: str,
    game: Any,
    players: int,
    luck: random.Random,
    choose: Callable[[list[dict], random.Random], int],
    happen: Callable[[Any, Chance, random.Random], dict[str, Any]],
) -> list[Line]:
    """The record of a game of a second engine.

    Args:
        name: of the game. choose: index of an option. happen: what chance brings.
    """
    lines: list[Line] = [{"event": "game", "format": 1, "game": name, "players": players, "printed": game.printed}]
    requests, answer, asked = game.play(), None, 0
    while True:
        try:
            request = requests.send(answer)
        except StopIteration:
            return lines
        if isinstance(request, Ask):
            line = {"event": "decision", "player": request.player, "asks": request.asks, "options": request.options}
            line["choice"] = 1 + choose(request.options, luck)
            answer = request.options[line["choice"] - 1]
            asked += len(request.options) > 1
            line |= {"forced": True} if len(request.options) == 1 else {"number": asked}
        elif isinstance(request, Chance):
            line = answer = {"event": "chance", "what": request.what, **happen(game, request, luck)}
        elif isinstance(request, Phase):
            line = {"event": "phase", "phase": request.phase}
        elif isinstance(request, End):
            line = {
                "event": "end",
                "scores": request.scores,
                "shares": request.shares,
                "sources": request.sources,
                **request.more,
            }
        if not isinstance(request, Chance):
            line["position"] = game.position()
        # What has been told must not change when the game goes on.
        lines.append(json.loads(json.dumps(line)))


def changed_somewhere(value: Any) -> Any:
    """Yield a value of a record with one number or word in it changed, each in its turn."""
    if isinstance(value, dict):
        for key in value:
            for other in changed_somewhere(value[key]):
                yield {**value, key: other}
    elif isinstance(value, list) and value:
        for place, item in enumerate(value):
            for other in changed_somewhere(item):
                yield [*value[:place], other, *value[place + 1 :]]
    elif isinstance(value, int):
        yield value + 1
    else:
        yield "something else"


def changed(lines: list[Line], event: str, change: Callable[[Line], object], **wanted: Any) -> list[Line]:
    """Return a record with a change in the first line of an event that has these fields."""
    lines = copy.deepcopy(lines)
    change(
        next(
            line
            for line in lines
            if line["event"] == event and all(line[key] == value for key, value in wanted.items())
        )
    )
    return lines


def refuse(check: Callable[..., None], lines: list[Line], words: str, finished: bool = True) -> None:
    """Insist that a second engine finds these words about a record; the record stays as it is."""
    with pytest.raises(Difference, match=words):
        check(copy.deepcopy(lines), finished=finished)
