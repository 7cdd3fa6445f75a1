"""What the referees of the games share: a compiled loop of one game's laws, run over random games."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype, types

from sim.compiled import compiled
from sim.contract import Game, records


def compile_referee(game: Game, referee: Callable, file: str) -> Callable:
    """Return a game's referee compiled, kept with the machine code of the game.

    Args:
        referee: referee(deal, advance, apply, components, states, options, fault, players, first, games, seed) -> number of the law that
            was broken, or 0. file: where it stands.
    """
    s, function, integer = game.signatures, types.FunctionType, types.int64
    buffers = (types.Array(from_dtype(dtype), 1, "C") for dtype in game.dtypes[:3])  # components, states, options
    entries = (function(signature) for signature in (s.deal, s.advance, s.apply))
    signature = integer(*entries, *buffers, types.Array(integer, 1, "C"), integer, integer, integer, types.uint64)
    return compiled(signature, Path(file), game.folder)(referee)


def watch(game: Game, referee: Callable, laws: Sequence[str], components: Any, players: int, games: int, seed: int, first: int = 0) -> str:
    """Play random games under a compiled referee; return "" or what was broken, where.

    Args:
        laws: by number. components: (1,) record.
    """
    fault = np.zeros(4, np.int64)  # game, decision, kind of decision, most options met
    buffers = components.copy(), records(game.dtypes[1], 3), records(game.dtypes[2], game.most_options), fault
    law = referee(game.deal, game.advance, game.apply, *buffers, players, first, games, np.uint64(seed))
    return f"{laws[law]}: game {fault[0]}, decision {fault[1]}, {game.asks[fault[2]]}" if law else ""
