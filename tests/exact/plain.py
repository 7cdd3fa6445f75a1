"""Rows of dice, sets of tiles and the winner once more, said as plainly as can be: lists, and every division tried."""

from collections.abc import Iterator, Sequence
from functools import cache

LARGEST_SET = 5
Die = tuple[int, int]  # key, owner


def enters(row: Sequence[Die], key: int) -> int:
    """Return where a die enters, in the words of the rule: before each die of a higher value, a master also before
    workers of his own."""
    value, worker = key // 2, key % 2
    for place, (other, _) in enumerate(row):
        if other // 2 > value or (other // 2 == value and other % 2 and not worker):
            return place
    return len(row)


def divisions(tiles: Sequence[int]) -> Iterator[list[list[int]]]:
    """Yield every division of tiles, given one by one by their kinds, into sets of different kinds."""
    if not tiles:
        yield []
        return
    first, rest = tiles[0], tiles[1:]
    for sets in divisions(rest):
        yield [[first], *sets]
        for i, one in enumerate(sets):
            if first not in one and len(one) < LARGEST_SET:
                yield [*sets[:i], [first, *one], *sets[i + 1 :]]


@cache
def sizes(counts: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
    """Return the sizes of the sets of every division of so many tiles of each kind; which kind is which makes no
    difference."""
    tiles = [kind for kind, number in enumerate(counts) for _ in range(number)]
    return frozenset(tuple(sorted(map(len, sets))) for sets in divisions(tiles))


def set_points(counts: Sequence[int], points: Sequence[int]) -> int:
    """Return the most points of all divisions; points[n] for a set of n tiles."""
    different = sizes(tuple(sorted(number for number in counts if number)))
    return max(sum(points[size] for size in of_one) for of_one in different)


def winner(score: Sequence[int], labour: Sequence[int], height: Sequence[int]) -> int:
    """Return the seat that wins: most points, then furthest to the left, then on top of the other markers of the
    space."""
    return max(range(len(score)), key=lambda seat: (score[seat], -labour[seat], height[seat]))
