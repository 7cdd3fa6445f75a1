"""The hot loop: one for all games. It deals, asks, applies and tallies, and knows neither rules nor strategies."""

from types import FunctionType

import numpy as np
from numba import njit

from sim import course
from sim.chance import block_key, draw, shuffle
from sim.contract import ADDRESSES, NO_AUTOMATON

# Addresses in a block's chance that belong to the loop, beyond those of any game; of a game's noise, for what is taken
# at random.
SEATING, CASTING, DEALING = ADDRESSES, ADDRESSES + 64, 1 << 42
AT_RANDOM = 1 << 41
DECISIONS_LIMIT = 1_000_000  # in one game: a game that goes on longer never ends
EVERY = -1  # occasion: all of them
NOT_OFFERED = -2  # "choice" of a seat that was not offered what it was dealt
# They stand for the functions of a game, and for what its card says of its course, see `loop_of`.
set_up = advance = apply = tally = rounds_in = write_moment = write_rounds = None
BY_DECISIONS, EVERY_MOMENT = True, 1


def no_thought(entries, policy, components, state, options, n, weights, desk, budget):
    """Choose as the policy does: the thinker of a strategy without one."""
    return policy(components, state, options, n, weights)


@njit
def thing_dealt(key, occasion, things, place):
    """Return which thing lies at a place (round and round) of the random order that a block has for an occasion.

    Args:
        key: of the block. occasion: from 0. things: int64, one entry for each thing, overwritten. place: from 0.
    """
    n = len(things)
    for i in range(n):
        things[i] = i
    shuffle(key, DEALING + occasion * n, things, n)
    return things[place % n]


def loop_of(game):
    """Return the loop, in plain Python, with the functions of a game (see `sim.contract`) in the place of the globals
    that stand for them.

    As globals they are linked into the loop, small ones inlined, and the disk cache still finds it, as it would not
    find a closure.
    """
    names = {name: getattr(game, name) for name in ("set_up", "advance", "apply", "tally")}
    names |= course.compiled_kernels(game)
    names["EVERY_MOMENT"] = game.course.first
    return FunctionType(loop.__code__, {**globals(), **names})


def loop(
    entries,
    policies,
    thinkers,
    weights,
    starts,
    budgets,
    at_random,
    strategies,
    sets,
    states,
    options,
    desk,
    outcomes,
    fault,
    plan,
    dealing,
    players,
    first,
    games,
    seed,
):
    """Play games first, first + 1, … and fill `outcomes`.

    All games of a block share one key; its persons sit down in a random order, which the plan turns from game to game.
    Each person plays one strategy throughout: the strategies, in random order, again and again. Where things are dealt,
    nobody chooses them: the plan says how far their random order is shifted over the places, of which the first ones
    are the seats', and whose thing has no power.

    Args:
        entries, desk: for the thinkers, see `sim.contract`.
        policies, thinkers: tuples of MOST_STRATEGIES, of which the first `strategies` are used.
        weights, starts: float64 and int64, 1-d: policy i has weights[starts[i]:starts[i + 1]].
        budgets: int64 (strategies,): 0 where the policy decides without its thinker. at_random: int64 (strategies,):
            bit set of kinds of decisions that are taken at random.
        sets: components as they are printed, and where things are dealt, the same with each of them without its power,
            and with none that has any. states: (2,) records; [0] is overwritten, [1] stays blank. options: buffer,
            overwritten.
        outcomes: (games,) records, overwritten. fault: (5,) int64, overwritten: game, decision, seat, choice, options
            of the last decision.
        plan: int64 (games of a block, 3): by how many seats the persons have moved on; by how many places the dealt
            things are shifted; which components hold while they are held (index; negative: −1 − seat, without the power
            of what that seat is dealt).
        dealing: int64 (5,): kind of decisions whose thing is dealt, −1 for none; on which occasion (each seat's
            decisions of that kind are counted from 0), or EVERY, or below that: on one occasion a block, in turn;
            number of occasions; number of things; whether the game asks only where things are dealt.
        players, first, games: numbers. seed: uint64.

    Returns:
        The number of decisions made, or −1 if a policy chose outside its options; `fault` then says where.
    """
    components, state = sets[0], states[0]
    seating, casting, occasions = np.zeros(8, np.int64), np.zeros(8, np.int64), np.zeros(8, np.int64)
    kind, occasion, things, a_block = dealing[0], dealing[1], np.zeros(dealing[3], np.int64), len(plan)
    s, policy, mine, budget, chance, now = 0, policies[0], weights[starts[0] : starts[1]], budgets[0], at_random[0], 0
    decisions = 0
    for g in range(games):
        block, game = (first + g) // a_block, (first + g) % a_block
        turn, shift, without = plan[game, 0], plan[game, 1], plan[game, 2]
        key = block_key(seed, block)
        for i in range(players):
            seating[i] = i
        shuffle(key, SEATING, seating, players)
        for i in range(strategies):
            casting[i] = i
        shuffle(key, CASTING, casting, strategies)
        outcome = outcomes[g]
        outcome.automaton = NO_AUTOMATON
        outcome.moments, outcome.every = 0, EVERY_MOMENT
        states[0] = states[1]
        for seat in range(players):
            person = seating[(seat + turn) % players]
            state.person[seat] = person
            outcome.person[seat] = person
            outcome.strategy[seat] = casting[person % strategies]
        fault[0], fault[1] = first + g, 0
        if kind >= 0:
            occasion = block % dealing[2] if dealing[1] < EVERY else dealing[1]
            occasions[:] = max(0, occasion) * dealing[4]
            state.dealing, state.occasion = (1 + kind) * dealing[4], occasion
            components = sets[without if occasion == EVERY else 0]
        set_up(components, state, players, key)
        told = rounds_in(state)
        due, round_due = EVERY_MOMENT if BY_DECISIONS else DECISIONS_LIMIT, told + EVERY_MOMENT
        n = advance(components, state, options)
        made = 0
        while n > 0:
            if rounds_in(state) > told:
                round_due = write_rounds(components, state, outcome, told, round_due)
                told = rounds_in(state)
            seat = state.player
            fault[1], fault[2] = made, seat
            if outcome.strategy[seat] != s:  # looking them up takes time
                s = outcome.strategy[seat]
                policy, mine, budget, chance = policies[s], weights[starts[s] : starts[s + 1]], budgets[s], at_random[s]
            dealt = state.asks == kind
            if dealt:
                now = occasions[seat]
                occasions[seat] += 1
                dealt = occasion in (EVERY, now)
                components = sets[0]
                if dealt:  # until the next such choice
                    components = sets[
                        without if without >= 0 else 1 + thing_dealt(key, now, things, shift - 1 - without)
                    ]
            if dealt:
                thing, chosen = thing_dealt(key, now, things, shift + seat), NOT_OFFERED
                for i in range(n):
                    if options[i].thing == thing:
                        chosen = i
            elif chance >> state.asks & 1:
                chosen = draw(state.noise, AT_RANDOM + state.decision, n)
            elif budget == 0:
                chosen = policy(components, state, options, n, mine)
            else:
                chosen = thinkers[s](entries, policy, components, state, options, n, mine, desk, budget)
            # One test for all that is rare. If no moments come after decisions, `due` is the limit, and numba leaves
            # the writing out.
            if np.uint64(chosen) >= np.uint64(n) or made >= due:
                if np.uint64(chosen) >= np.uint64(n) or made >= DECISIONS_LIMIT or not BY_DECISIONS:
                    fault[3], fault[4] = chosen, n
                    return -1
                due = min(write_moment(components, state, outcome, made), DECISIONS_LIMIT)
            apply(components, state, options[chosen])
            made += 1
            n = advance(components, state, options)
        decisions += made
        write_rounds(components, state, outcome, told, round_due)
        tally(components, state, outcome)
    return decisions
