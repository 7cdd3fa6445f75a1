"""The hot loop: one for all games. It deals, asks, applies and tallies, and knows neither rules nor strategies."""

import numpy as np

from sim.chance import block_key, draw, shuffle
from sim.compiled import borrowed

# Addresses in a block's chance that belong to the loop, beyond those of any game; of a game's noise, for what is taken at random.
SEATING, CASTING = 1 << 40, (1 << 40) + 64
AT_RANDOM = 1 << 41
DECISIONS_LIMIT = 1_000_000  # in one game: a game that goes on longer never ends


def no_thought(
    advance, apply, imagine, tally, policy, components, state, options, n, weights, worlds, buffer, outcomes, nodes, budget
):  # fmt: skip
    """Choose as the policy does: the thinker of a strategy without one."""
    return policy(components, state, options, n, weights)


def loop(
    deal,
    advance,
    apply,
    imagine,
    tally,
    policies,
    thinkers,
    weights,
    starts,
    budgets,
    at_random,
    strategies,
    components,
    states,
    options,
    worlds,
    buffer,
    imagined,
    nodes,
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
        deal, advance, apply, imagine, tally: the game, see `sim.contract`.
        policies, thinkers: tuples of MOST_STRATEGIES, of which the first `strategies` are used.
        weights, starts: float64 and int64, 1-d: policy i has weights[starts[i]:starts[i + 1]].
        budgets: int64 (strategies,): 0 where the policy decides without its thinker. at_random: int64 (strategies,): bit set of kinds of
            decisions that are taken at random.
        components: (1,) record. states: (2,) records; [0] is overwritten, [1] stays blank. options: buffer, overwritten.
        worlds, buffer, imagined, nodes: for the thinkers, see `sim.contract.Desk`.
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
            if at_random[s] >> state.asks & 1:
                chosen = draw(state.noise, AT_RANDOM + state.decision, n)
            elif budgets[s] == 0:
                chosen = policy(rules, state, asked, n, mine)
            else:
                chosen = thinkers[s](
                    advance, apply, imagine, tally, policy, rules, state, asked, n, mine, worlds, buffer, imagined, nodes, budgets[s]
                )
            if np.uint64(chosen) >= np.uint64(n) or made >= DECISIONS_LIMIT:
                fault[3] = chosen
                return -1
            apply(rules, state, asked[chosen])
            made += 1
            n = advance(rules, state, asked)
        decisions += made
        tally(rules, state, outcome)
    return decisions
