"""What the numbers in components.toml may be; kernels see them as `components.home` and so on."""

from typing import Annotated

from pydantic import Field

from sim.printed.model import TomlTable


class Model(TomlTable):
    """A course, a walk, a die, and the rolls that make a runner stumble."""

    home: Annotated[int, Field(ge=1, le=100)]
    steps: Annotated[int, Field(ge=1, le=20)]
    faces: Annotated[int, Field(ge=2, le=100)]
    stumble: Annotated[int, Field(ge=0, le=100)]
