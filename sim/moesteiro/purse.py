"""A purse: the four materials of a player, a price or a gift, in one int64.

    bits   0–11   12–23   24–35    36–47
           wood   stone   lintel   column

Each lane holds 0 to 2,047; its top bit stays free as the guard that a subtraction borrows from. Adding two purses is
`+`, paying is `-`. Only this file knows the bits.

    >>> held, price = goods(3, 2, 0, 1), goods(2, 0, 0, 1)
    >>> hex(held)
    '0x1000002003'
    >>> held - price == goods(1, 2, 0, 0)
    True
"""

from numba import njit

WOOD, STONE, LINTEL, COLUMN = range(4)
MATERIALS = ("wood", "stone", "lintel", "column")
LANE = 12
MASK = (1 << LANE) - 1
FULL = (1 << 4 * LANE) - 1
GUARD = sum(1 << (LANE * material + LANE - 1) for material in range(4))


@njit(forceinline=True)
def goods(wood, stone, lintel, column):
    """Return the purse that holds these amounts."""
    return wood | stone << LANE | lintel << 2 * LANE | column << 3 * LANE


@njit(forceinline=True)
def piece(material, amount):
    """Return the purse that holds `amount` of one material."""
    return amount << LANE * material


@njit(forceinline=True)
def amount(purse, material):
    """Return how much of one material is in the purse."""
    return (purse >> LANE * material) & MASK


@njit(forceinline=True)
def can_pay(purse, price):
    """Return whether each material of `price` is there: one subtraction, and no guard bit may be borrowed.

    >>> held = goods(3, 2, 0, 1)
    >>> bool(can_pay(held, goods(3, 0, 0, 1))), bool(can_pay(held, goods(0, 0, 1, 0)))
    (True, False)
    """
    return ((purse | GUARD) - price) & GUARD == GUARD


@njit(forceinline=True)
def common(purse, price):
    """Return, material by material, the smaller of the two amounts: what can be put in towards `price`.

    >>> common(goods(3, 2, 0, 1), goods(5, 1, 4, 1)) == goods(3, 1, 0, 1)
    True
    """
    enough = (((purse | GUARD) - price) & GUARD) >> LANE - 1  # 1 in each lane where the price is covered
    lanes = (enough << LANE) - enough
    return (price & lanes) | (purse & ~lanes)


@njit(forceinline=True)
def worth_at(purse, rates):
    """Return what the pieces of a price, or of a part of one, are worth at so much for one of each material.

    Args:
        purse: at most 20 pieces of a material. rates: purse of as many lanes, but column first; at most 9 each.

    One product: its fourth lane adds up all four materials, and no lane below carries into it. What goes beyond 64 bits
    is lost, of which Python's whole numbers say nothing, but NumPy's do.

    >>> worth_at(goods(3, 2, 0, 1), goods(9, 5, 4, 2))
    23
    """
    return int(purse) * int(rates) >> 3 * LANE & MASK


@njit(forceinline=True)
def mix_after(mix, most):
    """Return the next mix with no more of any material than `most`, counted up as the digits of a number, wood first; 0
    after the last.

    >>> mixes = [0]
    >>> while mix := mix_after(mixes[-1], goods(1, 2, 0, 0)):
    ...     mixes.append(mix)
    >>> [(amount(mix, WOOD), amount(mix, STONE)) for mix in mixes]
    [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]
    """
    gap = FULL - most
    counted = mix + gap + 1  # a lane that is at its most falls to 0 and carries into the next one
    kept = ((counted & GUARD) >> LANE - 1) * MASK
    return (counted & kept) - (gap & kept)


@njit(forceinline=True)
def pieces(purse):
    """Return how many pieces of material there are in all."""
    return amount(purse, 0) + amount(purse, 1) + amount(purse, 2) + amount(purse, 3)
