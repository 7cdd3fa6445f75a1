"""What is printed in Pig."""

from typing import Annotated

from pydantic import Field

from sim.printed.components import TomlTable


class Model(TomlTable):
    """A goal, a die, and the face that ruins a turn."""

    goal: Annotated[int, Field(ge=1, le=200)]
    faces: Annotated[int, Field(ge=2, le=100)]
    ruin: Annotated[int, Field(ge=1, le=100)]
