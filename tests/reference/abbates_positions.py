"""Positions of the second engine of Abbates set up by hand, and parts of a game played from there."""

from tests.reference.abbates import Game
from tests.reference.abbates_selfplay import components
from tests.reference.follow import Ask, Chance, End

BOOK, WINDOW, ARTEFACT = ["books", 2], ["windows", 2], ["artefacts", 2]


def new_game(players=4, mission=None, **rules):
    """A game with artefacts worth 3, windows 2, books 1, aequalis for books; the general stands at 0."""
    game = Game(components(**rules), players)
    game.points_card = [ARTEFACT, WINDOW, BOOK, BOOK] if game.rules["points_card"] else []
    game.arcade = ["none"] * 12
    for player in game.players:
        player.mission, player.ora = mission, 1
    return game


def play_out(requests, *answers):
    """Run a part of the game, answering choices and chance; what was asked, and what it returns."""
    asked, answers, answer = [], list(answers), None
    while True:
        try:
            request = requests.send(answer)
        except StopIteration as end:
            assert not answers, f"nobody asked for {answers}"
            return asked, end.value
        asked.append(request)
        answer = answers.pop(0) if isinstance(request, (Ask, Chance)) else None
        if isinstance(request, Ask):
            assert answer in request.options


def run(requests, *answers):
    return play_out(requests, *answers)[0]


def cards(game, *values):
    """All play; who has played, the highest first."""
    return play_out(game.play_cards(), *({"value": value} for value in values))[1]


def portrait(text, beans=2):
    """A portrait from its squares: b, w, a, or . for none."""
    names = {"b": "books", "w": "windows", "a": "artefacts"}
    return [None if square == "." else [names[square], beans] for square in text.replace(" ", "")]


def take(square, card, to):
    return {"from": "line", "square": square, "card": card, "to": to}


def end(game):
    return next(request for request in run(game.score_finally()) if isinstance(request, End))
