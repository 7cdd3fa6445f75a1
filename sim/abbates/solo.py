"""Henricus, who plays against a single person: his cards, what he takes, his score."""

from numba import njit

from sim.abbates.abbots import lowest
from sim.abbates.garden import HENRICUS as CHANCE
from sim.abbates.garden import beans_of, kind_of
from sim.abbates.state import BEANS, BENEDICT, CARDS, GARDEN_PHASES, HENRICUS, HIGH_PILE, LOW_PILE, NONE, REFILL, SIDE
from sim.chance import draw

LOW_CARDS = (1 << 8) - 2  # bit set of the values 1–7, as his piles are divided
STEPS = 3  # places on the solo card


@njit
def purple_squares(components, state):
    """Return how many squares of the general's line are purple on the person's mission."""
    mission, count = int(state.mission[0]), 0
    if mission == NONE:
        return 0
    squares = components.line[state.this_round * SIDE + state.this_phase]
    for i in range(SIDE):
        count += components.missions[mission].areas[0] >> squares[i] & 1
    return count


@njit(forceinline=True)
def pile_of(value):
    """Return the pile that a card comes back to: a Benedict card comes to the high one."""
    return LOW_PILE if LOW_CARDS >> value & 1 else HIGH_PILE


@njit
def lay_top(state, pile):
    """Draw which card of a pile lies on top, each as likely; none if the pile is empty."""
    low = pile == LOW_PILE
    values = state.hand[HENRICUS] & (LOW_CARDS if low else ~LOW_CARDS)
    benedicts = state.low_benedicts if low else state.benedicts[HENRICUS]
    count, rest = benedicts, values
    while rest:
        rest &= rest - 1
        count += 1
    state.top[pile] = NONE
    if count == 0:
        return
    nth = draw(state.key, CHANCE + (pile << 8) + state.turned[pile], count)
    if nth < benedicts:
        state.top[pile] = BENEDICT
        return
    for _ in range(nth - benedicts):
        values &= values - 1
    state.top[pile] = lowest(values)


@njit
def turn_up(state, pile):
    """Let the next card of a pile lie on top: at the start, after the one above it has been played, after shuffling."""
    state.turned[pile] += 1
    lay_top(state, pile)


@njit
def play(components, state):
    """Play the top card of the pile that the line asks for, or of the other one."""
    from_high = state.this_phase == GARDEN_PHASES or purple_squares(components, state) >= components.solo.high_from
    pile = HIGH_PILE if from_high else LOW_PILE
    if state.top[pile] == NONE:
        pile = LOW_PILE if from_high else HIGH_PILE
    value = state.top[pile]
    if value == NONE:
        state.without_card[HENRICUS] += 1
        return
    state.played[HENRICUS] = value
    if value != BENEDICT:
        state.hand[HENRICUS] &= ~(1 << value)
    elif pile == LOW_PILE:
        state.low_benedicts -= 1
    else:
        state.benedicts[HENRICUS] -= 1
    turn_up(state, pile)


@njit
def receive(state, card):
    """Add a garden card to his pile; his abbot moves by its beans."""
    state.henricus[card] += 1
    state.abbot[HENRICUS] += beans_of(card)


@njit
def _most_beans(state, squares):
    """Return the most beans on a card of some squares (−1 without a card), on how many, and the place of the first."""
    most, count, first = -1, 0, NONE
    for i in range(SIDE):
        card = int(state.garden[squares[i]])
        if card != NONE and beans_of(card) > most:
            most, count, first = beans_of(card), 0, i
        if card != NONE and beans_of(card) == most:
            count += 1
    return most, count, first


@njit
def _line_taken(components, state):
    """Return the line that he takes from at the lowest place of the solo card: the general's or one beside it, the left
    one first.

    The general walks round the garden clockwise: as he faces it, the line that he comes to next is on his left.
    """
    here = state.this_round * SIDE + state.this_phase
    chosen = here
    most, count, _ = _most_beans(state, components.line[here])
    left = -1 if components.rules.henricus_left else 1  # the line before this one, or the next
    for step in (left, -left):
        if 0 <= state.this_phase + step < SIDE:
            beans, cards, _ = _most_beans(state, components.line[here + step])
            if beans > most or (beans == most and cards > count):
                most, count, chosen = beans, cards, here + step
    return chosen


@njit
def _given_away(state):
    """Return which of his cards he exchanges: fewest beans, then fewest points, then the first kind; or NONE."""
    for beans in range(BEANS):
        worst = NONE
        for card in range(beans, CARDS, BEANS):
            if state.henricus[card] > 0 and (worst == NONE or state.vp_of[kind_of(card)] < state.vp_of[kind_of(worst)]):
                worst = card
        if worst != NONE:
            return worst
    return NONE


@njit
def _exchange(state, card):
    """Exchange a card of his for the one with the most beans of the replenishment row."""
    best = NONE
    for space in range(REFILL):
        if state.refill[space] != NONE and (
            best == NONE or beans_of(state.refill[space]) > beans_of(state.refill[best])
        ):
            best = space
    if card == NONE or best == NONE:
        return
    got = int(state.refill[best])
    state.refill[best] = card
    state.henricus[card] -= 1
    state.abbot[HENRICUS] -= beans_of(card)
    receive(state, got)


@njit
def take(components, state):
    """Take a card as the winner of a phase, by the place of his pawn on the solo card.

    Returns:
        Whether there was one to take.
    """
    line = (
        _line_taken(components, state) if state.solo_step == STEPS - 1 else state.this_round * SIDE + state.this_phase
    )
    squares = components.line[line]
    _, _, first = _most_beans(state, squares)
    if first == NONE:
        return False
    before = _given_away(state) if state.solo_step == 1 else NONE
    card = int(state.garden[squares[first]])
    state.garden[squares[first]] = NONE
    receive(state, card)
    if state.solo_step == 1:
        _exchange(state, before)
    return True


@njit
def step_down(state):
    """Move his pawn on the solo card one step down, from the lowest place back to the top."""
    state.solo_step = (state.solo_step + 1) % STEPS


@njit
def score(components, state):
    """Return his score in points."""
    beans = state.abbot[HENRICUS]
    left = state.low_benedicts + state.benedicts[HENRICUS]
    return beans + state.corner_vp[HENRICUS] + left * components.benedicts.vp - abs(beans - state.general) // 2
