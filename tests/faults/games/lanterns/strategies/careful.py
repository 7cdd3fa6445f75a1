"""Lay the lowest card that still beats the table, else the lowest one; toss a coin for the prize."""

from sim.chance import draw

WEIGHTS = {}


def choose(components, state, options, n, weights):
    """Return the number of an option."""
    if state.asks == 1:
        return draw(state.noise, state.decision, 2)
    most = 0
    for seat in range(state.players):
        most = max(most, int(state.table[seat]))
    low, beats = 0, -1
    for i in range(n):
        if options[i].card < options[low].card:
            low = i
        if options[i].card > most and (beats < 0 or options[i].card < options[beats].card):
            beats = i
    return beats if beats >= 0 else low
