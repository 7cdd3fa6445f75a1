"""Which single things an analysis may name: not those whose distinguishing features are invented; and from when on it
says how free choice misleads about one."""

from sim import registry
from sim.printed.components import Components

RARE = 0.02  # share of a player's rounds: of what is held less often we say nothing


def withheld(components: Components, kind: str) -> str:
    """Return in a clause why an analysis names no single things of a kind; "" if it may name them.

    Args:
        components: as they are played. kind: of `Game.things`.
    """
    game = registry.load(components.game)
    held = game.things[kind]
    labels = [label for name in held.occasions[:1] for label in game.categories[name]]
    heads = [path.format(thing=label) for path in held.invented for label in labels]
    found = [
        number.source == "assumed"
        for path, number in components.numbers.items()
        if any(path == head or path.startswith(f"{head}.") for head in heads)
    ]
    if not any(found):
        return ""
    paths = ", ".join(path.format(thing="*") for path in held.invented)
    return f"{sum(found)} of the {len(found)} numbers that tell them apart ({paths}) are assumed"


def dealable(components: Components) -> list[str]:
    """Return the kinds of things that a study can deal."""
    return [kind for kind, held in registry.load(components.game).things.items() if held.asks]


def stated(*sets: Components) -> list[str]:
    """Return the kinds of things that chance can deal and whose single things an analysis may name, with all of these
    components."""
    return [kind for kind in dealable(sets[0]) if not any(withheld(components, kind) for components in sets)]
