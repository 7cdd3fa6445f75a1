"""How an option is written: all of its fields, each time, so that nothing of an older one remains."""

from numba import njit


@njit(forceinline=True)
def offer(options, n, thing, act, die, space, bought, food, steps, goods):
    """Write options[n], in place (fields: state.OPTION); return n + 1."""
    option = options[n]
    option.thing, option.act, option.die, option.space = thing, act, die, space
    option.bought, option.food, option.steps, option.goods = bought, food, steps, goods
    return n + 1


@njit(forceinline=True)
def offer_pass(components, options, die):
    """Offer to pass with a die: for the labour steps, for none, or, by a switch, for some."""
    n = offer(options, 0, 0, 0, die, 0, 0, 0, 0, 0)
    if components.pass_up_to_two:
        for steps in range(1, components.pass_steps):
            n = offer(options, n, 0, 0, die, 0, 0, 0, steps, 0)
    if components.pass_steps > 0:
        n = offer(options, n, 0, 0, die, 0, 0, 0, components.pass_steps, 0)
    return n
