"""`chapterhouse balance` where the truth is known: of Pig, for which both seats' chances can be calculated for every
goal and die."""

import pytest

from strategies.pig.optimal import solve
from tests.pig.exact import first_wins, unfair

pytestmark = pytest.mark.slow

BUDGET = ["--trials", 40, "--games", 3000, "--max-games", 100_000]
# Of win index: half the interval of a verdict by 100,000 games, and as much again for what the search can't tell apart.
NOISE = 0.011


def balanced(answer, margin, *words, **now):
    """Return the answer to a search, and the goal and die that it proposes; `now` are those it begins with."""
    before = [word for path, value in now.items() for word in ("--set", f"{path}={value}")]
    found = answer(
        "balance", "pig", "--margin", margin, *before, *(word for text in words for word in ("--change", text)), *BUDGET
    )
    return found, {"goal": 100, "faces": 6} | now | {change["path"]: change["after"] for change in found["changes"]}


@pytest.mark.parametrize(
    ("goal", "faces", "ruin", "hold"), [(100, 6, 1, 20), (30, 6, 1, 25), (25, 8, 3, 20), (21, 20, 1, 20)]
)
def test_the_truth_by_two_ways(goal, faces, ruin, hold):
    assert first_wins(goal, faces, ruin, hold) == pytest.approx(solve(goal, faces, ruin, hold)[0][0, 0, 0], abs=1e-9)


@pytest.mark.parametrize(
    "margin", [0.055, pytest.param(0.065, marks=pytest.mark.slow), pytest.param(0.051, marks=pytest.mark.slow)]
)
def test_a_third_of_a_long_range_is_found(answer, margin):
    """The longer the game, the fairer; a single step changes next to nothing, and 47 of them are not a large change of
    180."""
    found, now = balanced(answer, margin, "goal=20..200")
    assert found["found"]
    assert unfair(now["goal"]) <= margin < unfair(100)
    assert unfair(now["goal"] - 5) > margin - NOISE  # the smallest change, as far as the verdict can tell
    assert found["size"] == pytest.approx((now["goal"] - 100) / 180)


@pytest.mark.parametrize(
    ("margin", "change", "now", "inside"),
    [
        (0.05, ["faces=2..20"], {}, [{"goal": 100, "faces": 5}]),
        # A face is a quarter of its range: two of them are less than one and the twenty points that it then still
        # takes.
        (0.04, ["goal=80..140", "faces=4..8"], {}, [{"goal": 100, "faces": 4}]),
        # Neither longer nor shorter is fairer: there are two valleys, and on either side of 40 points nothing is near.
        (0.45, ["goal=20..60"], {"goal": 40, "faces": 20}, [{"goal": goal, "faces": 20} for goal in (49, 50)]),
        (0.45, ["goal=20..48"], {"goal": 40, "faces": 20}, [{"goal": goal, "faces": 20} for goal in (28, 29)]),
        (0.08, ["goal=90..200"], {}, [{"goal": 100, "faces": 6}]),
    ],
)  # fmt: skip
def test_the_smallest_change_is_found(answer, margin, change, now, inside):
    found, proposed = balanced(answer, margin, *change, **now)
    assert found["found"]
    assert unfair(**proposed) <= margin
    assert proposed in inside


@pytest.mark.parametrize(
    ("margin", "change", "now"),
    [
        (0.04, ["goal=20..200"], {}),  # the fairest is 200, with 0.046
        (0.06, ["goal=20..100"], {}),
        (0.03, ["goal=80..140", "faces=5..8"], {}),  # 140 points and five faces: 0.036
        (0.36, ["goal=20..60"], {"goal": 40, "faces": 20}),  # 54 points: 0.377
    ],
)
def test_where_there_is_none_the_closest_is_said(answer, margin, change, now):
    found, proposed = balanced(answer, margin, *change, **now)
    assert not found["found"]
    assert {one["verdict"] for one in found["judged"]} <= {"unbalanced", "undecided"}
    assert unfair(**proposed) < margin + NOISE + 0.012
