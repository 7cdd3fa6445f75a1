# ruff: noqa: E501 (files as single texts)
"""Strategies of users for Pig: some break their contract, each in another way, and some are honest, each in another style."""

HEAD = """import math
import numpy as np
from numba import njit
from sim.chance import draw

"""
CHOOSE = "def choose(components, state, options, n, weights):\n"


def file(body: str, before: str = "") -> str:
    """Return the text of a file: what stands before `choose`, then its body, line by line."""
    return HEAD + before + CHOOSE + "".join(f"    {line}\n" for line in body.splitlines())


USUAL = "return 1 - (state.turn > 19)"

# name → (text, what is said of it). Where a line is named, it is the line of the file.
HOSTILE: dict[str, tuple[str, str]] = {
    # chance from outside the game
    "numpy_random": (file("return np.random.randint(n)"), "line 7: takes chance from numpy.random.randint"),
    "numpy_by_another_name": (
        file("return int(r() * n)", "from numpy.random import random as r\n"),
        "line 8: takes chance from numpy.random",
    ),
    "numpy_by_its_whole_name": (
        file("return int(numpy.random.normal() > 0)", "import numpy.random\n"),
        "line 8: takes chance from numpy.random.normal",
    ),
    "numpy_by_getattr": (file('return int(getattr(np.random, "random")() * n)'), "choose does not compile"),
    "random": (file("return random.randrange(n)", "import random\n"), "line 8: takes chance from random.randrange"),
    "chance_in_a_helper": (
        file(
            "return luck(n)",
            "@njit\ndef deeper(n):\n    return np.random.randint(n)\n\n@njit\ndef luck(n):\n    return deeper(n)\n",
        ),
        "line 8: takes chance from numpy.random.randint",
    ),
    "chance_in_a_closure": (
        file(
            "return pick(n)",
            "def made(source):\n    @njit\n    def pick(n):\n        return int(source() * n)\n    return pick\npick = made(np.random.random)\n",
        ),
        "line 9: takes chance from numpy.random.random",
    ),
    "chance_in_a_function_inside": (
        file("def luck():\n    return np.random.random()\nreturn int(luck() * n)"),
        "line 8: takes chance from numpy.random.random",
    ),
    "time_by_objmode": (
        file(
            'with objmode(now="float64"):\n    now = time.time()\nreturn int(now * 1000) % n',
            "import time\nfrom numba import objmode\n",
        ),
        "line 9: leaves compiled code (objmode)",
    ),
    "time_by_the_clock_of_the_thinkers": (
        file("return microseconds() % n", "from sim.compiled import microseconds\n"),
        "line 8: looks at the clock",
    ),
    "time_by_a_c_function": (
        file(
            "return clock() % n",
            "import ctypes\nclock = ctypes.CDLL(None).clock\nclock.restype, clock.argtypes = ctypes.c_int64, []\n",
        ),
        "line 10: calls a function that is not under @njit",
    ),
    "an_overload_from_a_text": (
        file(
            "return luck(n)",
            "from numba.extending import overload\ndef luck(n):\n    return 0\n"
            'made = {"r": np.random.random}\nexec("def over(n):\\n    return lambda n: int(r() * n)", made)\noverload(luck)(made["over"])\n',
        ),
        "line 13: calls luck, which is under @overload",
    ),
    "an_address": (file("return (np.zeros(1).ctypes.data >> 12) % n"), "line 7: takes the address of an array"),
    "memory_never_written_to": (
        file("old = np.empty(64, np.uint8)\nreturn 1 - (state.turn > 19 + old[50] % 2)"),
        "asked twice in the same position, chose ",
    ),
    "chance_when_the_file_is_read": (
        file("return 1 - (state.turn > LUCK)", "import random\nLUCK = random.random() * 30\n"),
        "LUCK has another value each time the file is read",
    ),
    "weights_drawn_when_they_are_asked_for": (
        file("return 1 - (state.turn > weights[0])", "def weigh(components):\n    return np.random.random(1) * 30\n"),
        "its weights are others each time",
    ),
    "threads": (
        file(
            "return total(n) % n",
            "from numba import prange\n@njit(parallel=True)\ndef total(n):\n    t = 0\n    for i in prange(n):\n        t += i\n    return t\n",
        ),
        "line 14: runs total in parallel",
    ),
    # writing
    "score_by_name": (file(f"state.score[state.player] += 1\n{USUAL}"), "line 7: writes to state.score"),
    "score_by_another_name": (
        file(f"mine = state.score\nmine[state.player] += 1\n{USUAL}"),
        "line 8: writes to state.score",
    ),
    "score_by_a_slice": (file(f"state.score[:1][0] = 99\n{USUAL}"), "line 7: writes to state.score"),
    "score_all_at_once": (file(f"score = state.score\nscore += 1\n{USUAL}"), "line 8: writes to state.score"),
    "score_by_fill": (file(f"state.score.fill(3)\n{USUAL}"), "line 7: writes to state.score"),
    "score_by_out": (file(f"np.add(state.score, 1, state.score)\n{USUAL}"), "line 7: writes to state.score"),
    "score_by_a_view": (
        file(f"flat = state.score.reshape(2, 2)\nflat[0, 0] = 50\n{USUAL}"),
        "line 8: writes to state.score",
    ),
    "score_in_a_list": (
        file(f"both = [state.score, state.turns]\nboth[0][0] = 50\n{USUAL}"),
        "line 8: writes to state.score",
    ),
    "score_in_a_loop": (
        file(f"for part in (state.score, state.rolls):\n    part[0] = 50\n{USUAL}"),
        "line 8: writes to state.",
    ),
    "score_in_a_helper": (
        file(f"grow(state.score, 5)\n{USUAL}", "@njit\ndef grow(points, by):\n    points[0] += by\n"),
        "line 8: writes to state.score",
    ),
    "state_in_a_helper_of_a_helper": (
        file(f"a(state)\n{USUAL}", "@njit\ndef b(s):\n    s.turn = 100\n\n@njit\ndef a(s):\n    b(s=s)\n"),
        "line 8: writes to state.turn",
    ),
    "score_from_a_helper": (
        file(f"field(state)[0] = 50\n{USUAL}", "@njit\ndef field(s):\n    return s.score\n"),
        "line 10: writes to state.score",
    ),
    "score_by_a_record": (
        file(
            f"seen(state.score).first = 100\n{USUAL}",
            "from sim.compiled import record_view\nseen = record_view(np.dtype([('first', np.int64)]))\n",
        ),
        "line 9: writes to state.score.first",
    ),
    "score_put_back": (
        file("mine = state.score\nmine[0] += 100\nchosen = 1 - (state.turn > 19)\nmine[0] -= 100\nreturn chosen"),
        "line 8: writes to state.score",
    ),
    "state_by_the_games_own_function": (
        file(f"apply(components, state, options[0])\n{USUAL}", "from sim.pig.turns import apply\n"),
        "writes to state.",
    ),
    "options": (file(f"options[0].act = 1\n{USUAL}"), "line 7: writes to options.act"),
    "options_by_another_name": (file("first = options[0]\nfirst.act = 1\nreturn 0"), "line 8: writes to options.act"),
    "components": (file(f"components.goal = 20\n{USUAL}"), "line 7: writes to components.goal"),
    "weights": (file(f"weights[0] += 1\n{USUAL}"), "line 7: writes to weights"),
    # outside its memory
    "reads_too_far": (
        file("return 1 - (state.turn > 19) * int(weights[state.turn // 8])", 'WEIGHTS = {"hold": 1.0}\n'),
        "line 8: IndexError: index is out of bounds",
    ),
    "reads_another_option": (file("return options[n].act"), "line 7: IndexError: index is out of bounds"),
    "writes_too_far": (
        file(f"own = np.zeros(4)\nown[state.score[0]] = 1\n{USUAL}"),
        "line 8: IndexError: index is out of bounds",
    ),
    "writes_too_far_in_a_helper": (
        file(f"own = np.zeros(4)\nput(own, 4 + state.turn)\n{USUAL}", "@njit\ndef put(a, i):\n    a[i] = 1.0\n"),
        "line 8: IndexError: index is out of bounds",
    ),
    # what it can't know
    "coming_dice_by_the_key": (
        file("return draw(state.key, state.person[state.player] << 32 | state.rolls[state.player] + 1, 6)  > 0"),
        "line 7: reads state.key",
    ),
    "coming_dice_by_the_games_own_function": (
        file(
            "world = np.zeros(1, STATE)\nworld[0] = state\napply(components, world[0], options[1])\nreturn 1 if world[0].turn else 0",
            "from sim.pig.turns import apply\nfrom sim.pig.state import STATE\n",
        ),
        "when other chance is to come (state.key)",
    ),
    # what outlives the call
    "remembers_in_an_array": (
        file(
            "seen(PAST).calls += 1\nreturn seen(PAST).calls % 2",
            "from sim.compiled import record_view\nseen = record_view(np.dtype([('calls', np.int64)]))\nPAST = np.zeros(200_000, np.int64)\n",
        ),
        "line 10: writes to PAST.calls, which outlives the call",
    ),
    "remembers_at_an_address": (
        file(
            "past = carray(address_as_void_pointer(PAST), (1,), np.int64)\npast[0] += 1\nreturn past[0] % 2",
            "from numba import carray, types\nfrom numba.core import cgutils\nfrom numba.extending import intrinsic\n"
            "OLD = np.zeros(1, np.int64)\nPAST = OLD.ctypes.data\n\n@intrinsic\ndef address_as_void_pointer(typingctx, src):\n"
            "    def codegen(context, builder, signature, args):\n        return builder.inttoptr(args[0], cgutils.voidptr_t)\n"
            "    return types.voidptr(src), codegen\n",
        ),
        "PAST has another value each time the file is read",
    ),
    "never_ends": (file("return 0"), "the game never ends"),
    # what it returns
    "n": (file("return n"), "chose 2, allowed are 0 to 1"),
    "minus_one": (file("return -1 if state.score[0] > 30 else 1 - (state.turn > 19)"), "chose -1, allowed are 0 to 1"),
    "a_float": (file("return state.turn * 0.5"), "line 7: returns a float64"),
    "an_error": (
        file("if state.score[state.player] > 50:\n    raise ValueError('no idea')\n" + USUAL),
        "line 8: ValueError: no idea",
    ),
    "never": (
        file("while state.score[state.player] > 20:\n    n += 1\nreturn 0 if n > 99 else 1 - (state.turn > 19)"),
        "no answer after ",
    ),
    "prints": (file(f"print(state.turn)\n{USUAL}"), "line 7: prints"),
    "a_ufunc": (
        file(
            "return int(luck(n))",
            "from numba import vectorize\n@vectorize\ndef luck(x):\n    return np.random.random() * x\n",
        ),
        "line 11: calls luck, which is under @vectorize",
    ),
}

HONEST: dict[str, str] = {
    "usual": file(USUAL),
    "functions_of_numpy_that_are_methods_too": file(
        "order = np.argsort(state.score[:state.players])\nflat = np.ravel(np.nonzero(state.score)[0])\n"
        "return 1 - (state.turn > 17 + order[0] + flat.size)"
    ),
    "functions_of_python_that_numba_makes_from_a_text": file(
        "gap = abs(state.score[0] - state.score[1])\nreturn 1 - (state.turn > 15 + gap % len(state.score) + hash(gap) % 2)"
    ),
    "truth": file("return state.turn <= 19"),
    "numbers_of_its_own": file(
        "return 0 if state.turn >= HOLD[0] + math.floor(SHIFT) else 1", "HOLD, SHIFT = (20, 25), 0.5\n"
    ),
    "weights_by_name": file("return 1 - (state.turn >= weights[0])", 'WEIGHTS = {"hold": 21.0}\n'),
    "weights_from_components": file(
        "return 1 - (state.turn >= weights[1])", "def weigh(components):\n    return [1.0, components.goal / 5]\n"
    ),
    "helpers": file(
        "return 1 - (over(state) or far(state.turn, hold=21))",
        "@njit\ndef over(state):\n    return state.score[state.player] + state.turn >= 100\n\n"
        "@njit(cache=True)\ndef far(turn, hold=20):\n    return turn >= hold\n",
    ),
    "a_closure": file(
        "return hold(state.turn)",
        "def made(least):\n    @njit\n    def hold(turn):\n        return 0 if turn >= least else 1\n    return hold\nhold = made(20)\n",
    ),
    "arrays_of_its_own": file(
        "own = np.zeros(n)\nfor i in range(n):\n    own[i] = options[i].act * (20 - state.turn)\nown += 1\nown.sort()\nreturn 1 if own[1] > 1 else 0"
    ),
    "copies_of_fields": file(
        "score = state.score.copy()\nscore[state.player] += state.turn\nother = np.array([x for x in state.score])\nother[0] = 1\n"
        "score -= 1\nbest = np.sort(state.score)\nbest[0] = 0\nreturn 0 if score.max() >= 99 else 1 - (state.turn > 19)"
    ),
    "a_copy_of_a_part": file(
        "part = state.score[:2].copy()\npart[:] = 0\nworth = state.score + 1\nworth[1] = 7\n" + USUAL
    ),
    "a_written_copy": file(
        "own = np.empty(4, np.int64)\nown[:] = state.score\nown[state.player] += state.turn\nreturn 0 if own[state.player] > 99 else 1 - (state.turn > 19)"
    ),
    "chance_by_draw": file("return draw(state.noise, state.decision, n)"),
    "chance_by_draw_weighed": file(
        "total = 0\nfor i in range(3):\n    total += draw(state.noise, state.decision << 8 | i, 10)\nreturn 1 - (state.turn > total)"
    ),
    "a_table_of_its_own": file("return TABLE[min(state.turn, 39)]", "TABLE = np.array([1] * 20 + [0] * 20)\n"),
    "from_the_back": file("last = state.score[-1]\nreturn 1 - (state.turn > 19 + (last > 90))"),
    "a_lambda": file(
        "worth = lambda act: 20 - state.turn if act else 0.5\nbest = 0\nfor i in range(n):\n    if worth(options[i].act) > worth(options[best].act):\n        best = i\nreturn best"
    ),
    "lists_and_tuples": file(
        "worths = [float(options[i].act) for i in range(n)]\nworths.append(state.turn / 20)\npair = (worths[1], worths[2])\nreturn 1 if pair[0] > pair[1] else 0"
    ),
    "any_float_as_an_int": file("return int(np.floor(0.5 + (state.turn < 20)))"),
    "a_float_inside": file("x = 1.0 * state.turn\nx = np.float64(x) / 3\nreturn np.int64(x < 7)"),
    "an_imagined_world": file(
        "world = np.zeros(1, STATE)\nworld[0] = state\nimagine(components, world[0], state.player, np.uint64(draw(state.noise, state.decision, 1000)))\n"
        "apply(components, world[0], options[1])\nreturn 1 if world[0].turn else 0",
        "from sim.pig.turns import apply, imagine\nfrom sim.pig.state import STATE\n",
    ),
    "functions_of_python": file(
        "total = abs(-3) + min(3, n) + max(1, n, 2) + round(2.4) + pow(2, 3) + divmod(7, 2)[1] + len(options) + int(bool(n)) + hash(n)\n"
        "both = [x for x in range(3)]\ntotal += sum(both) + sorted(both)[0] + both.index(2)\n"
        "for i, (a, b) in enumerate(zip(both, both[::-1])):\n    total += i * a - b\n"
        "return 1 - (state.turn > 19 + (total < 0))"
    ),
    "functions_of_numpy_and_math": file(
        "own = np.arange(6).astype(np.float64).reshape(2, 3)\nx = own.sum() + np.dot(own[0], own[1]) + np.argmax(own) + np.exp(own).max() + own.T[0, 1]\n"
        "x += math.sqrt(9.0) + math.floor(2.5) + np.clip(own, 0, 3).sum() + np.where(own > 1, own, 0.0).mean() + np.cumsum(own)[2] + np.linspace(0, 1, 3)[1]\n"
        "x += np.minimum(own, 2).sum() + np.concatenate((own[0], own[1]))[3] + np.full(3, 2.0)[0] + np.unique(own)[0] + np.abs(-1) + np.sign(own)[0, 0]\n"
        "return 1 - (state.turn > 19 + (x < 0))"
    ),
    "a_set_of_names": file("return 1 - (state.turn > 19)", "NAMES = {'a', 'b', 'c'}\n"),
}
