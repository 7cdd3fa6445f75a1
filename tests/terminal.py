"""What the tests of a person at the terminal share: two games to play, and records made and read without a terminal."""

import json
from pathlib import Path

from sim.printed.components import read
from sim.replay import Session, record
from sim.runner import Study
from strategies import catalog

PIG = ("play", "pig", "--strategy", "hold_at")
MOESTEIRO = ("play", "moesteiro", "--players", "3", "--strategy", "builder")
GAMES = {"pig": (PIG, "hold_at", 2), "moesteiro": (MOESTEIRO, "builder", 3)}


def played(game, choose=lambda session: 0, changes=(), seat=0, number=0, seed=1):
    """The record of a game in which a person takes a seat, made without anybody at a terminal."""
    _, strategy, players = GAMES[game]
    printed = read(game, changes=changes)
    session = Session(Study(game, players, (catalog.entrant(game, strategy, players),), printed.record, seed), number)

    def choices(session):
        return choose(session) if session.player == seat else session.ask()

    return [
        json.loads(json.dumps(line))
        for line in record(session, printed, choose=choices, people=[seat], changes=changes)
    ]


def lines(file):
    """The lines of a record in a file."""
    return [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]


def own(told, seat=1):
    """The decisions of a person."""
    return [line for line in told if line["event"] == "decision" and line["player"] == seat and "number" in line]


def most(prompt):
    """How many options a prompt allows."""
    return int(prompt.partition("–")[2].split()[0])


def write(told, name="mine.jsonl"):
    """Write a record."""
    Path(name).write_text("".join(f"{json.dumps(line)}\n" for line in told), encoding="utf-8")
