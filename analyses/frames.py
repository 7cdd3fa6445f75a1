"""pandas, imported when it is first used: an answer for machines needn't wait for it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pandas import *  # noqa: F403
else:

    def __getattr__(name: str) -> object:
        import pandas

        return getattr(pandas, name)
