"""The hot loop: one for all games. It deals, asks, applies and tallies, and knows neither rules nor strategies."""

import numpy as np

from sim.chance import block_key, shuffle
from sim.compiled import borrowed

# Addresses in a block's chance that belong to the loop, beyond those of any game.
SEATING, CASTING = 1 << 40, (1 << 40) + 64
DECISIONS_LIMIT = 1_000_000  # in one game: a game that goes on longer never ends


def loop(
    deal,
    advance,
    apply,
    tally,
    policies,
    weights,
    starts,
    strategies,
    components,
    states,
    options,
    outcomes,
    fault,
    players,
    first,
    games,
    seed,
):
    """Play games first, first + 1, … and fill `outcomes`.

    Game g is rotation g % players of block g // players. All games of a block share one key; its persons sit down in a random order, and
    move on by one seat from game to game. Each person plays one strategy throughout: the strategies, in random order, again and again.

    Args:
        deal, advance, apply, tally: the game, see `sim.contract`.
        policies: tuple of MOST_STRATEGIES policies, of which the first `strategies` are used.
        weights, starts: float64 and int64, 1-d: policy i has weights[starts[i]:starts[i + 1]].
        components: (1,) record. states: (2,) records; [0] is overwritten, [1] stays blank. options: buffer, overwritten.
        outcomes: (games,) records, overwritten. fault: (5,) int64, overwritten: game, decision, seat, choice, options of the last decision.
        players, first, games: numbers. seed: uint64.

    Returns:
        The number of decisions made, or −1 if a policy chose outside its options; `fault` then says where.
    """
    rules, state = components[0], states[0]
    asked, weighing = borrowed(options), borrowed(weights)
    seating, casting = np.zeros(8, np.int64), np.zeros(8, np.int64)
    s, policy, mine = 0, policies[0], weighing[starts[0] : starts[1]]
    decisions = 0
    for g in range(games):
        block, rotation = (first + g) // players, (first + g) % players
        key = block_key(seed, block)
        for i in range(players):
            seating[i] = i
        shuffle(key, SEATING, seating, players)
        for i in range(strategies):
            casting[i] = i
        shuffle(key, CASTING, casting, strategies)
        outcome = outcomes[g]
        states[0] = states[1]
        for seat in range(players):
            person = seating[(seat + rotation) % players]
            state.person[seat] = person
            outcome.person[seat] = person
            outcome.strategy[seat] = casting[person % strategies]
        fault[0], fault[1] = first + g, 0
        deal(rules, state, players, key)
        n = advance(rules, state, asked)
        made = 0
        while n > 0:
            seat = state.player
            fault[1], fault[2], fault[4] = made, seat, n
            if outcome.strategy[seat] != s:  # looking both up takes time
                s = outcome.strategy[seat]
                policy, mine = policies[s], weighing[starts[s] : starts[s + 1]]
            chosen = policy(rules, state, asked, n, mine)
            if np.uint64(chosen) >= np.uint64(n) or made >= DECISIONS_LIMIT:
                fault[3] = chosen
                return -1
            apply(rules, state, asked[chosen])
            made += 1
            n = advance(rules, state, asked)
        decisions += made
        tally(rules, state, outcome)
    return decisions
