"""Pig: race to 100 points with one die; a 1 loses the points of the turn."""

from chapterhouse import WHOLE, Numbers, by_seat, counted, draw, one, published, strategy

PLAYERS, DEFAULT_PLAYERS = (2, 3, 4), 2
PAPER = "T. W. Neller and C. G. M. Presser, Optimal Play of the Dice Game Pig, The UMAP Journal 25 (2004)"
STATE = {"score": by_seat, "turns": by_seat, "rolls": by_seat, "turn": one}
OPTION = {"act": ("hold", "roll")}
NUMBERS, counts = counted(turns=None)


class Components(Numbers):
    goal: int = published(100, "points that win the game", allowed=(1, 200), source=PAPER)
    faces: int = published(6, "faces of the die", allowed=(2, 100), source=PAPER)
    ruin: int = published(1, "the face that ends a turn and loses its points", allowed=(1, 100), source=PAPER)


def set_up(components, state, players, key):
    pass  # everybody starts from 0


def advance(components, state, options):
    before = state.player - 1 if state.player else state.players - 1
    if state.score[before] >= components.goal:
        return 0
    options[0].act, options[1].act = 0, 1
    return 2


def apply(components, state, option):
    seat, rolled = state.player, option.act
    state.rolls[seat] += rolled
    face = rolled * (1 + draw(state.key, state.person[seat] << 32 | state.rolls[seat], components.faces))
    if face == components.ruin:
        state.turn, rolled = 0, 0
    held = 1 - rolled
    state.score[seat] += held * state.turn
    state.turns[seat] += held
    state.turn = rolled * (state.turn + face)
    state.player = seat + held if seat + held < state.players else 0


def tally(components, state, outcome):
    for seat in range(state.players):
        outcome.score[seat] = state.score[seat]
        outcome.share[seat] = WHOLE if state.score[seat] >= components.goal else 0
        counts(outcome.numbers[seat]).turns = state.turns[seat]


@strategy(hold=20)
def hold_at(components, state, options, n, weights):
    """Roll until the turn has brought a set number of points, or enough to win."""
    return 0 if state.score[state.player] + state.turn >= components.goal or state.turn >= weights[0] else 1
