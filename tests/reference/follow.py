"""Follow the record of a game, line by line, with a second engine that says what has to come next (docs/record.md)."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

Line = dict[str, Any]


class Difference(Exception):  # noqa: N818
    """The record and the second engine disagree."""


class Ask(NamedTuple):
    """A player decides. The game goes on with the option that was chosen."""

    player: int
    asks: str
    options: list[dict]

    def __str__(self) -> str:
        return f"decision {self.asks!r} of player {self.player}"


class Chance(NamedTuple):
    """Something happens by chance. The game goes on with the record's line, and judges itself whether that can be."""

    what: str
    player: int = 0  # who draws, and from which pile
    pile: str = ""

    def __str__(self) -> str:
        return f"chance {self.what!r}" + (f" of player {self.player}, {self.pile}" if self.pile else "")


class Phase(NamedTuple):
    """A phase has just ended."""

    phase: str

    def __str__(self) -> str:
        return f"phase {self.phase!r}"


class End(NamedTuple):
    """The game is over; everything by seat."""

    scores: list[int]
    shares: list[float]
    sources: list[dict[str, int]]
    more: Line = {}  # what else the line has to say, in this game  # noqa: RUF012

    def __str__(self) -> str:
        return "end"


def follow(lines: Iterable[Line], begin: Callable[[Line], Any], finished: bool = True) -> None:
    """Compare a record with a game of the second engine, which takes chance and choices from the record.

    lines: the record's lines.
    begin: makes a game of the first line: an object with `play()`, a generator of requests, and `position()`.
    finished: whether the record must reach the end of the game.
    """
    number = 0
    try:
        told = iter(lines)
        number, line = 1, next(told, None)
        if not isinstance(line, dict) or line.get("event") != "game":
            raise Difference(f"expected the event 'game', the record has {brief(line)}")
        game = begin(line)
        requests, answer, asked = game.play(), None, 0
        while (request := next_request(requests, answer)) is not None:
            line = next(told, None)
            if line is None:
                if finished:
                    raise Difference(f"the record ends here, expected {request}")
                return
            number += 1
            agree_on_event(request, line)
            if isinstance(request, Ask):
                asked += len(request.options) > 1
                answer = agree_on_decision(request, line, asked)
            elif isinstance(request, End):
                agree_on_end(request, line)
            else:
                answer = line
            if "position" in line and not isinstance(request, Chance):
                agree_on_position(game.position(), line["position"])
        if (line := next(told, None)) is not None:
            number += 1
            raise Difference(f"the game is over, the record goes on with {brief(line)}")
    except Difference as difference:
        raise Difference(f"line {number}: {difference}") from None


def next_request(requests: Any, answer: Any) -> Any:
    """What has to come next, or None after the end."""
    try:
        return requests.send(answer)
    except StopIteration:
        return None


def brief(line: Any) -> str:
    """A line without what makes it long."""
    if not isinstance(line, dict):
        return repr(line)
    return repr({key: value for key, value in line.items() if key not in ("position", "options", "printed", "sources")})


def agree_on_event(request: Any, line: Line) -> None:
    """The record tells the event that was expected."""
    if isinstance(request, Ask):
        wanted = {"event": "decision", "player": request.player, "asks": request.asks}
    elif isinstance(request, Chance):
        wanted = {"event": "chance", "what": request.what}
    elif isinstance(request, Phase):
        wanted = {"event": "phase", "phase": request.phase}
    else:
        wanted = {"event": "end"}
    if not isinstance(line, dict) or any(line.get(key) != value for key, value in wanted.items()):
        raise Difference(f"expected {request}, the record has {brief(line)}")


def agree_on_decision(request: Ask, line: Line, asked: int) -> dict:
    """The same options, in any order, told as forced or counted; the one that was chosen."""
    options, told = request.options, line.get("options")
    if not isinstance(told, list):
        raise Difference(f"{request}: no list of options")
    # No two options of ours are equal: if there are as many and all of ours are there, then nothing else is.
    if len(options) != len(told) or not all(option in told for option in options):
        missing = [option for option in options if option not in told]
        more = [option for place, option in enumerate(told) if option not in options or option in told[:place]]
        raise Difference(
            f"{request}: other options; expected but not in the record: {missing}; in the record, but wrong or twice: "
            f"{more}"
        )
    forced = len(options) == 1
    if bool(line.get("forced")) != forced:
        raise Difference(f"{request}: forced should be {forced}, the record has {line.get('forced')!r}")
    number = None if forced else asked
    if line.get("number") != number:
        raise Difference(f"{request}: number should be {number}, the record has {line.get('number')!r}")
    choice = line.get("choice")
    if type(choice) is not int or not 1 <= choice <= len(told):
        raise Difference(f"{request}: the choice {choice!r} is not one of {len(told)} options")
    return told[choice - 1]


def agree_on_position(ours: dict, told: Any) -> None:
    """The same position, key by key."""
    if ours != told:
        raise Difference("another position; " + "; ".join(differences(ours, told, "")))


def agree_on_end(request: End, line: Line) -> None:
    """The same scores, shares and sources; a source that brought nothing may be left out."""
    sources = line.get("sources")
    if isinstance(sources, list) and all(isinstance(mine, dict) for mine in sources):
        sources = [{**dict.fromkeys(request.sources[0], 0), **mine} for mine in sources]
    ours = {"scores": request.scores, "shares": request.shares, "sources": request.sources, **request.more}
    told = {key: line.get(key) for key in ours} | {"sources": sources}
    if ours != told:
        raise Difference("another end; " + "; ".join(differences(ours, told, "")))


def differences(ours: Any, told: Any, path: str) -> list[str]:
    """Where two things made of dicts and lists differ."""
    if ours == told:
        return []
    if isinstance(ours, dict) and isinstance(told, dict) and ours.keys() == told.keys():
        return [line for key in ours for line in differences(ours[key], told[key], f"{path}.{key}" if path else key)]
    # Players count from 1, so what is by seat does too; short lists say more as a whole.
    if (
        isinstance(ours, list)
        and isinstance(told, list)
        and len(ours) == len(told)
        and any(isinstance(item, dict) for item in ours)
    ):
        return [
            line
            for place, pair in enumerate(zip(ours, told), start=1)
            for line in differences(*pair, f"{path}[{place}]")
        ]
    return [f"{path}: expected {ours!r}, the record has {told!r}"]
