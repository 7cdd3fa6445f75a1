"""Arrays that a kernel is lent for the time of a call: two words are handed over, where numba hands over seven.

Their type is numba's array in all else. So a policy gets its options and weights with four words instead of fourteen,
and since nobody owns what is lent, the compiler sees that there are no references to count.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import ArrayModel
from numba.core.typeconv import Conversion
from numba.extending import lower_cast, register_model


class Lent(types.Array):
    """A one-dimensional contiguous array that can be written to; the caller holds it."""

    def __init__(self, dtype: Any):
        super().__init__(dtype, 1, "C", name=f"lent({dtype})")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """Take every array of that kind."""
        alike = isinstance(other, types.Array) and other.key == self.key
        return Conversion.safe if alike else None


@lower_cast(types.Array, Lent)
def _lend(context, builder, owned, lent, array):
    return array


@register_model(Lent)
class _LentModel(ArrayModel):
    """As numba's, but for what is handed over: where the items lie, and how many there are."""

    def get_argument_type(self):
        return tuple(self._models[self.get_field_position(name)].get_argument_type() for name in ("data", "nitems"))

    def as_argument(self, builder, value):
        return self.get(builder, value, "data"), self.get(builder, value, "nitems")

    def from_argument(self, builder, value):
        data, n = value
        size = cgutils.sizeof(builder, data.type)
        array = ir.Constant(self.get_value_type(), None)  # neither owner nor parent
        for name, part in (("data", data), ("nitems", n), ("itemsize", size)):
            array = self.set(builder, array, part, name)
        for name, part in (("shape", n), ("strides", size)):
            array = self.set(builder, array, cgutils.pack_array(builder, [part]), name)
        return array
