"""Strategies: one folder a game, one policy a file; found by looking, not in a list.

A strategy file tells in its docstring what it does and where it is from, and holds

    WEIGHTS = {"name": 1.0, …}                                  the policy's numbers, in order; or
    def weigh(components): …                                    the same as an array, made from the components
    def choose(components, state, options, n, weights): …       index of the chosen option, 0 to n − 1
    PLAYERS = (2,)                                              if it can't play with every number of players

in the part of Python that numba compiles. A file whose name starts with an underscore holds what several strategies
share.

The `__init__` of a game's folder names the DEFAULT, and in LEVELS the strategies that stand for levels of play, weakest
first (thinkers too, as in "rollout:greedy@20"): a report shows them side by side.
LADDER names strategies without a thinker from the weakest to the strongest; `chapterhouse ladder` sets each against the
one below.
"""
