"""The shape of a run's study.toml: what it contains, and of which type. If somebody has damaged a file, we say so in
one line."""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from sim.printed.model import TomlTable

Games = Annotated[int | None, Field(ge=1, le=10**12)]


class StoredStrategy(TomlTable):
    """A strategy."""

    name: str
    policy: str
    weights: dict[str, float | list[float] | str]
    thinker: str = ""
    budget: int = 0
    at_random: Annotated[int, Field(ge=0, lt=2**63)] = 0
    source: str = ""


class StoredNumber(TomlTable):
    """Where a printed value comes from."""

    path: str
    value: int | str
    source: str
    low: int | None = None
    high: int | None = None
    note: str = ""


class Shape(TomlTable):
    """A study."""

    format: Literal[1]
    game: str
    files: str = ""
    players: int
    seed: Annotated[int, Field(ge=0, lt=2**64)]
    games: Games = None
    max_games: Games = None
    margin: Annotated[float, Field(gt=0, lt=1)]
    batch: Annotated[int, Field(ge=1, le=10**6)]
    rows: bool
    command: str
    replay: str = ""
    course: bool = False
    strategies: Annotated[list[StoredStrategy], Field(min_length=1)]
    components: dict[str, Any]
    numbers: Annotated[list[StoredNumber], Field(default_factory=list)]


def fault(found: dict[str, Any]) -> str:
    """Return what is wrong with a study, in a line; "" if nothing is."""
    try:
        Shape.model_validate(found)
    except ValidationError as invalid:
        first = invalid.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
        return f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}"
    return (
        ""
        if ("games" in found) != ("max_games" in found)
        else "games: found both or none of games and max_games; allowed one of them"
    )
