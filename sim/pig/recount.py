"""Pig: everything that is counted, counted again from the record of a game."""

from collections.abc import Iterable
from typing import Any

from sim.recounting import Figures, Line, RecountError


def recount(lines: Iterable[Line]) -> list[Figures]:
    """Return the figures of each seat: a hold or the face that ruins it ends a turn, and who is at the goal has won.

    Raises:
        RecountError: a position of the record is not what its decisions and dice make of the one before.
    """
    told: Any = iter(lines)
    first = next(told)
    printed, players = first["printed"], first["players"]
    figures: list[Figures] = [{"score": 0, "share": 0.0, "turns": 0} for _ in range(players)]
    seat = turn = 0
    act = None
    for line in told:
        if line["event"] == "decision":
            if line["player"] != seat + 1:
                raise RecountError(
                    f"decision {line['number']}: player {line['player']} is asked, it is the turn of {seat + 1}"
                )
            act = line["options"][line["choice"] - 1]["act"]
        elif line["event"] == "phase" and act is not None:
            face = line["position"]["event"]
            if act and not 1 <= face <= printed["faces"]:
                raise RecountError(f"a die with {printed['faces']} faces shows {face}")
            turn += face if act else 0
            if not act or face == printed["ruin"]:
                figures[seat]["score"] += 0 if act else turn
                figures[seat]["turns"] += 1
                figures[seat]["share"] = float(figures[seat]["score"] >= printed["goal"])
                seat, turn = (seat + 1) % players, 0
            ours = [mine["score"] for mine in figures], turn, seat
            theirs = line["position"]["score"][:players], line["position"]["turn"], line["position"]["player"]
            if ours != theirs:
                raise RecountError(f"scores, points of the turn, whose turn: {ours}, the record has {theirs}")
    if sum(mine["share"] for mine in figures) != 1:
        raise RecountError("the record ends, and not one player is at the goal")
    return figures
