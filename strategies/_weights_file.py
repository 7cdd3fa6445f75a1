"""Files of weights: a strategy without code, as TOML with a comment, that is read, checked and written here.

    # What this player wants, in a sentence.
    #
    # More about it.

    policy = "weighted"           # the strategy whose weights these are; may be left out
    pip = 1.8                     # in all rounds
    spare = [1.9, 1.9, 1.8, 1.5, 0.0]   # round by round, where the policy has ROUNDS

Names that are missing keep the policy's own weights. Many numbers without names of their own, as those of a network,
stand in one text: as base64 of half-precision numbers, the lower byte first.
"""

import base64
import binascii
import math
import re
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sim.legible import legible_line

if TYPE_CHECKING:
    import numpy as np

POLICY = "weighted"  # the policy of a file that names none
MOST_SHOWN = 8  # entries of a list, in a message
WIDTH = 118

HALF, WIDE = "<f2", 2  # type of a number in a text, and its bytes
COLUMNS = 117  # of a text, in a file
TEST = r"^# +(\d+) players, against (?:\d+ × )?(\S+): +wins (\d+\.\d) ?%"


@dataclass(frozen=True)
class Packed:
    """Many numbers under one name, all 0 where there is no text.

    Attributes:
        size: how many they are. text: base64 of half-precision numbers.
    """

    size: int
    text: str = ""

    @classmethod
    def of(cls, numbers: "np.ndarray") -> "Packed":
        """Return the block that holds numbers, rounded to half precision."""
        return cls(len(numbers), base64.b64encode(numbers.astype(HALF).tobytes()).decode())

    @classmethod
    def read(cls, text: str) -> "Packed":
        """Return the block of a text, as long as that makes it.

        Raises:
            ValueError: it is not base64.
        """
        return cls(len(base64.b64decode("".join(text.split()), validate=True)) // WIDE, text)

    def numbers(self) -> "np.ndarray":
        """Return the numbers, float64 (size,).

        Raises:
            ValueError: the text does not hold so many finite numbers.
        """
        import numpy as np

        if not self.text:
            return np.zeros(self.size)
        held = np.frombuffer(base64.b64decode("".join(self.text.split()), validate=True), HALF).astype(np.float64)
        if len(held) != self.size or not np.isfinite(held).all():
            raise ValueError(f"{len(held)} numbers")
        return held

    def words(self) -> "np.ndarray":
        """Return the numbers as kernels read them: in single precision, two in each float64.

        Raises:
            ValueError: see `numbers`.
        """
        import numpy as np

        singles = np.zeros(self.size + self.size % 2, np.float32)
        singles[: self.size] = self.numbers()
        return singles.view(np.float64)


Weight = float | tuple[float, ...] | Packed


class WeightsError(Exception):
    """Weights that can't be used; the text says which and what is allowed, in one line."""


def parse(text: str) -> tuple[str, dict[str, object]]:
    """Return the policy and the weights that a file names, not yet checked.

    Raises:
        WeightsError: it is not TOML, or the policy is not a name.
    """
    try:
        found: dict[str, object] = tomllib.loads(text)
    except RecursionError:
        raise WeightsError("tables or lists nested too deeply") from None
    # beside what is not TOML: a number of thousands of digits, a day that there is not
    except (ValueError, OverflowError) as error:
        raise WeightsError(" ".join(str(error).split())) from None
    policy = found.pop("policy", POLICY)
    if not isinstance(policy, str):
        raise WeightsError(f"policy: found {_shown(policy)}; allowed is the name of a strategy")
    return policy, found


def check(found: Mapping[str, object], known: Mapping[str, Weight], rounds: int) -> dict[str, Weight]:
    """Return the weights of a file as numbers, or tuples of one number a round.

    Args:
        found: see `parse`. known: the policy's own weights. rounds: how many it tells apart, 1 for none.

    Raises:
        WeightsError: there is no such weight, or its value is no number.
    """
    weights: dict[str, Weight] = {}
    for key, value in found.items():
        if key not in known:
            raise WeightsError(f"no weight '{key}'; there are {', '.join(known) or 'none'}")
        block = known[key]
        if isinstance(block, Packed):
            weights[key] = _filled(block, key, value)
            continue
        values = value if isinstance(value, list) else [value]
        right = len(values) == rounds if isinstance(value, list) else True
        numbers = tuple(number for v in values if (number := _number(v)) is not None)
        if not right or len(numbers) < len(values):
            allowed = "a number" if rounds == 1 else f"a number, or a list of {rounds} numbers, round by round"
            raise WeightsError(f"{key}: found {_shown(value)}; allowed is {allowed}")
        weights[key] = numbers if isinstance(value, list) else numbers[0]
    return weights


def _filled(block: Packed, key: str, value: object) -> Packed:
    """Return a block with the text of a file.

    Raises:
        WeightsError: it does not hold the right number of numbers.
    """
    if isinstance(value, str):
        filled = replace(block, text=value)
        try:
            filled.numbers()
        except (ValueError, binascii.Error):
            pass
        else:
            return filled
    shown = f"a text of {len(value):,} characters" if isinstance(value, str) else _shown(value)
    raise WeightsError(f"{key}: found {shown}; allowed is base64 of {block.size:,} finite half-precision numbers")


def _number(value: object) -> float | None:
    """Return a value of a file as a number; None if it is no finite one."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def _shown(value: object) -> str:
    """Return a value as a message shows it."""
    from sim.printed.model import shown

    if isinstance(value, list) and len(value) <= MOST_SHOWN:
        return f"[{', '.join(shown(entry) for entry in value)}]"
    return shown(value)


def by_round(weight: float | tuple[float, ...], rounds: int) -> tuple[float, ...]:
    """Return a weight for each round."""
    return weight if isinstance(weight, tuple) else (float(weight),) * rounds


def first_words(text: str) -> str:
    """Return the first paragraph of the comment at the head of a file."""
    lines: list[str] = []
    for line in text.splitlines():
        words = line.removeprefix("#").strip() if line.startswith("#") else ""
        if not words and lines:
            break
        lines += [words] if words else []
    return " ".join(lines)


def tests(text: str) -> dict[int, tuple[str, float]]:
    """Return the tests that the comment at the head of a file tells of: number of players → who sat in all other seats,
    and the share of wins; several of one number: the last."""
    found = re.findall(TEST, text, re.MULTILINE)
    return {int(players): (against, float(share) / 100) for players, against, share in found}


def write(
    paragraphs: Sequence[str], weights: Mapping[str, Weight], meaning: Mapping[str, str], policy: str = POLICY
) -> str:
    """Return the text of a file; `parse` gives back the same numbers.

    Args:
        paragraphs: the comment at its head, a sentence that says what this player wants first; lines that start with a
            space stay as they are. meaning: weight → words. policy: whose weights these are.
    """
    head = "\n#\n".join("\n".join(_comment(paragraph)) for paragraph in paragraphs)
    lines = [head, ""] + ([f'policy = "{policy}"', ""] if policy != POLICY else [])
    for name, weight in weights.items():
        if isinstance(weight, Packed):
            text = "\n".join(textwrap.wrap(weight.text, COLUMNS))
            lines.append(f'{name} = """\n{text}"""' + (f" # {meaning[name]}" if meaning.get(name) else ""))
            continue
        values = [repr(float(value)) for value in by_round(weight, 1)]
        number = f"[{', '.join(values)}]" if isinstance(weight, tuple) else values[0]
        lines.append(f"{name} = {number}" + (f" # {meaning[name]}" if meaning.get(name) else ""))
    return "\n".join(lines) + "\n"


def _comment(paragraph: str) -> list[str]:
    """Return the lines of a paragraph as a comment."""
    if paragraph.startswith(" "):
        return [f"# {legible_line(line)}".rstrip() for line in paragraph.splitlines()]
    words = legible_line(" ".join(paragraph.split()))
    return [f"# {line}" for line in textwrap.wrap(words, WIDTH, break_long_words=False, break_on_hyphens=False)]
