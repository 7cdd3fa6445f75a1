"""What no example of a fuzz test may take its time for, or leave behind."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def _nothing_proved(nothing_proved: None) -> None:
    """`prove` takes minutes, whatever it is asked."""
