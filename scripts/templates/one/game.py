"""Mygame: a race. In your turn you walk, or you run and roll a die; a low roll makes you stumble. First home wins."""

# Everything that a game needs comes from here. What each name does: docs/game.md of chapterhouse.
from chapterhouse import WHOLE, Numbers, assumed, by_seat, counted, draw, one, published, strategy

# How many people can play it, and how many usually do.
PLAYERS, DEFAULT_PLAYERS = (2, 3, 4), 2


# The numbers of the game, each with its words and what it may be. `published` numbers stand in your rulebook (or
# somewhere else: source="…"). An `assumed` number isn't settled yet: `low` and `high` say what it might be, and
# `chapterhouse balance` looks there first.
class Components(Numbers):
    home: int = published(20, "the space where the race ends", allowed=(1, 100))
    steps: int = published(3, "spaces that a walker moves", allowed=(1, 20))
    faces: int = published(6, "faces of the die", allowed=(2, 100))
    stumble: int = assumed(2, "the highest roll that makes a runner stumble", low=1, high=3, allowed=(0, 100))


# What lies on the table. All of it starts at 0. `by_seat` is a number for each player, `one` a single number; 52 would
# be fifty-two numbers, and (by_seat, 5) five for each player.
STATE = {
    "score": by_seat,  # the space on which each runner stands: a game's points are called score
    "runs": by_seat,  # how often each player has run
    "stumbles": by_seat,
    "turns": one,
}

# What a player chooses from: here one thing, with a word for each of its values (0 is walk, 1 is run).
OPTION = {"pace": ("walk", "run")}

# What is counted for each player, for the tables of the report.
NUMBERS, counts = counted(runs=None, stumbles=None)


def set_up(components, state, players, key):
    """Set the table for a new game. Seat 0 begins, and everybody stands on space 0, so there is nothing to do."""


def advance(components, state, options):
    """Write down what the next player may choose, and return how many options there are: 0 when the game is over.

    `state.player` is the seat whose turn it is. If there is only one option, it is carried out without asking.
    """
    for seat in range(state.players):
        if state.score[seat] >= components.home:
            return 0
    options[0].pace = 0
    options[1].pace = 1
    return 2


def apply(components, state, option):
    """Carry out what the player has chosen, and say who is next."""
    seat = state.player
    moved = components.steps
    if option.pace == 1:
        # Chance has an address: `draw(state.key, address, n)` gives 0 to n − 1, always the same at the same address. So
        # every draw of a game needs an address of its own; here the number of the turn is one.
        roll = 1 + draw(state.key, state.turns, components.faces)
        state.runs[seat] += 1
        moved = roll
        if roll <= components.stumble:
            state.stumbles[seat] += 1
            moved = 0
    state.score[seat] += moved
    state.turns += 1
    state.player = (seat + 1) % state.players


def tally(components, state, outcome):
    """Count the game when it is over: scores, shares of the win (they add up to WHOLE), and what NUMBERS names."""
    for seat in range(state.players):
        outcome.score[seat] = state.score[seat]
        outcome.share[seat] = WHOLE if state.score[seat] >= components.home else 0
        done = counts(outcome.numbers[seat])
        done.runs = state.runs[seat]
        done.stumbles = state.stumbles[seat]


# Who plays. A strategy returns the number of an option; its own numbers have names, and stand in `weights` in that
# order. Write as many as you like, the strongest last. `random_legal`, which chooses at random, is always there.
@strategy(behind=1)
def sprinter(components, state, options, n, weights):
    """Run when somebody is at least so many spaces ahead of you, unless a walk takes you home."""
    mine = state.score[state.player]
    if mine + components.steps >= components.home:
        return 0
    for seat in range(state.players):
        if state.score[seat] - mine >= weights[0]:
            return 1
    return 0
