"""Millers: grind or store what the die brings, in a few windy rounds; the most points win."""

from typing import Literal

from chapterhouse import WHOLE, Numbers, assumed, by_seat, counted, draw, one, published, strategy, switch

PLAYERS, DEFAULT_PLAYERS = (2, 3, 4), 3


class Points(Numbers):
    sack: int = published(3, "points of a sack of flour", allowed=(1, 20))
    guild: int = assumed(6, "points of the guild for the most flour", low=4, high=8, allowed=(0, 30))


class Rules(Numbers):
    tied: Literal["all", "nobody"] = switch("all", "Who has the points of the guild if several have the most flour?")


class Components(Numbers):
    rounds: int = published(4, "rounds of a game", allowed=(1, 12))
    faces: int = published(6, "faces of the die", allowed=(2, 20))
    again: int = published(2, "rolls that a player may repeat in a turn", allowed=(0, 5))
    mould: int = published(1, "the face that spoils the turn when it comes at a repeated roll", allowed=(1, 20))
    heavy: int = assumed(6, "what die and wind must make together to grind a sack", low=5, high=7, allowed=(2, 25))
    wind: list[int] = published([0, 1, 1, 2], "strength of the wind on a card", allowed=(0, 5))
    points: Points
    rules: Rules


STATE = {
    "score": by_seat,  # points so far, those of the guild apart
    "grain": by_seat,
    "flour": by_seat,  # sacks
    "spoilt": by_seat,  # turns
    "rolls": by_seat,  # that a player has made, each with an address of its own
    "die": one,  # 0 before the first roll of a turn
    "repeated": one,  # rolls, in this turn
    "first": one,  # who begins the round
    "windmill": one,  # strength of the wind in this round
    "played": one,  # rounds
}
OPTION = {"act": ("store", "grind", "again")}
NUMBERS, counts = counted(points=("grain", "flour", "guild"), sacks=None, spoilt=None, rolls=None)
CATEGORIES = {"flour": ("none", "some", "most")}
CHANCE = {"the die": (0, 1 << 16), "the wind": (1 << 16, (1 << 16) + 100)}
WIND = 1 << 16  # first address of the wind's cards
HIGHEST = 256  # rolls of a player


def set_up(components, state, players, key):
    """Seat 0 begins, in the wind of the first round."""
    state.windmill = wind_of(components, state)


def wind_of(components, state):
    """Return the strength of the wind in this round."""
    card = draw(state.key, WIND + state.played, len(components.wind))
    return components.wind[card]


def roll(components, state):
    """Roll the die for the player whose turn it is."""
    seat = state.player
    state.rolls[seat] += 1
    state.die = 1 + draw(state.key, state.person[seat] * HIGHEST + state.rolls[seat], components.faces)


def pass_on(components, state):
    """End the turn; after everybody's turn, end the round."""
    state.die = 0
    state.repeated = 0
    state.player = (state.player + 1) % state.players
    if state.player == state.first:
        state.played += 1
        state.first = (state.first + 1) % state.players
        state.player = state.first
        state.windmill = wind_of(components, state)


def advance(components, state, options):
    """Roll at the beginning of a turn; then offer to store, to grind, and to roll again."""
    if state.played >= components.rounds:
        return 0
    if state.die == 0:
        roll(components, state)
    n = 1
    options[0].act = 0
    if state.die + state.windmill >= components.heavy:
        options[n].act = 1
        n += 1
    if state.repeated < components.again:
        options[n].act = 2
        n += 1
    return n


def apply(components, state, option):
    """Store the die's number of grain, grind a sack, or roll again."""
    seat = state.player
    if option.act == 0:
        state.grain[seat] += state.die
        state.score[seat] += state.die
        pass_on(components, state)
    elif option.act == 1:
        state.flour[seat] += 1
        state.score[seat] += components.points.sack
        pass_on(components, state)
    else:
        state.repeated += 1
        roll(components, state)
        if state.die == components.mould:
            state.spoilt[seat] += 1
            pass_on(components, state)


def imagine(components, state, player, key):
    """Nothing is hidden but the chance to come."""


def most_flour(state):
    """Return the largest number of sacks, and how many players have it."""
    most = 0
    for seat in range(state.players):
        most = max(most, state.flour[seat])
    holders = 0
    for seat in range(state.players):
        if state.flour[seat] == most:
            holders += 1
    return most, holders


def tally(components, state, outcome):
    """Add the points of the guild; who has most wins, then who has more flour, and who is level shares."""
    most, holders = most_flour(state)
    best = -1
    for seat in range(state.players):
        guild = 0
        outcome.categories[seat, 0] = 0 if state.flour[seat] == 0 else 1
        if most > 0 and state.flour[seat] == most:
            outcome.categories[seat, 0] = 2
            if holders == 1 or components.rules.tied == 0:
                guild = components.points.guild
        done = counts(outcome.numbers[seat])
        done.points[0] = state.grain[seat]
        done.points[1] = state.flour[seat] * components.points.sack
        done.points[2] = guild
        done.sacks = state.flour[seat]
        done.spoilt = state.spoilt[seat]
        done.rolls = state.rolls[seat]
        outcome.score[seat] = state.score[seat] + guild
        best = max(best, outcome.score[seat] * 1000 + state.flour[seat])
    winners = 0
    for seat in range(state.players):
        if outcome.score[seat] * 1000 + state.flour[seat] == best:
            winners += 1
    for seat in range(state.players):
        won = outcome.score[seat] * 1000 + state.flour[seat] == best
        outcome.share[seat] = WHOLE // winners if won else 0


@strategy
def storer(components, state, options, n, weights):
    """Store whatever comes."""
    return 0


@strategy(low=3)
def grinder(components, state, options, n, weights):
    """Grind if you can; store unless the die shows little."""
    for i in range(n):
        if options[i].act == 1:
            return i
    if state.die <= weights[0] and options[n - 1].act == 2:
        return n - 1
    return 0
