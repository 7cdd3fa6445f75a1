"""What no example of a fuzz test may take its time for, or leave behind."""

from collections.abc import Iterator

import pytest

from analyses.prove import golden, stamp, work


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_proved() -> Iterator[None]:
    """Have `prove` find nothing at once, keep no stamp and write no games: it takes minutes, whatever it is asked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "prove", lambda name, watch=None: work.Proved(name))
        patch.setattr(stamp, "keep", lambda name, version: None)
        patch.setattr(golden, "write", lambda name: "")
        yield
