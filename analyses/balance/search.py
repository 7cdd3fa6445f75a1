"""The search for a balanced game: which sets of components it plays, in which order, and how good each one looks."""

import math
from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import product, zip_longest
from typing import Any

import numpy as np

from analyses.balance.scores import Candidate, Scores, measure, outside
from analyses.balance.surface import Measurement, Surface
from analyses.request import Request
from sim import registry
from sim.printed.components import Components, ComponentsError, changed
from sim.printed.levers import Board, Lever, numeric
from sim.runner import Study
from strategies.catalog import Seated

# Inside is, for the search, what a verdict on fresh chance can confirm; but never less than so much of the margin.
LEAST_ROOM = 0.3
CAUTION = 0.5  # of a standard deviation: by so much an estimate must lie inside to be put before a verdict
# Of win index: so much must a number that moves through its whole range bring all seats and things together nearer, on
# a way down.
PRICES = (0.05, 0.002)
CLOSER = 8  # times the games of a trial: the game as it is
MOST_ACTIVE = 8  # numbers that the optimiser moves at once
PATIENCE = 8  # sets that are measured closely in vain, once one is inside
MOST_NEAR = 40  # points that are looked at for one that was not measured yet
QUARTER = 0.25  # of its range: how far each number moves first

Rated = Callable[[Sequence[Mapping[str, Any]]], tuple[np.ndarray, np.ndarray]]


class BalanceSearch:
    """Measures one set of components after another, and believes what all measurements together say."""

    def __init__(
        self,
        request: Request,
        entrants: tuple[Seated, ...],
        levers: tuple[Lever, ...],
        targets: tuple[str, ...],
        watch: Callable[[int], None] = lambda games: None,
    ):
        """Have everything ready; nothing is played.

        Args:
            request: what is played; its games are those of each trial, of the seats and of each kind, max_games those
                of each verdict.
            entrants: the strategies. levers: what may be changed. targets: SEATS and kinds of things.
            watch: called with the number of games just played.

        Raises:
            ImportError: the library is missing.
        """
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.request, self.entrants, self.levers, self.targets, self.watch = request, entrants, levers, targets, watch
        self.base, self.seed, self.margin, self.games = request.components, request.seed, request.margin, request.most
        self.game = registry.load(request.game)
        self.study = Study(request.game, request.players[0], entrants, self.base.record, request.seed)
        self.tried: dict[str, Candidate] = {}  # by digest
        self.close: set[str] = set()  # digests of those that were measured closely
        self.room: float | np.ndarray = self.margin  # what the search calls inside, of each score
        self._seen: list[Measurement] = []
        self._refused: set[tuple[Any, ...]] = set()
        self._made: dict[tuple[Any, ...], Components | None] = {}  # by values of the levers
        self._points: dict[str, dict[str, Any]] = {}  # digest → values of the levers
        self._board = Board(self.base, self.game, (lever.path for lever in levers))
        self._printed = {lever.path: self._board.printed[lever.path] for lever in levers}
        places = {
            path: Lever(path, tuple(self._board.printed[one] for one in group))
            for path, group in self._board.groups.items()
        }
        self._by_path = places | {lever.path: lever for lever in levers}
        # Both are asked for again and again.
        self._size = cache(lambda path, value: self._by_path[path].size(self._board.printed[path], value))
        self._feature = cache(self._feature_of)
        self._surface: Surface | None = None
        self._stale = True
        sampler = optuna.samplers.TPESampler(seed=self.seed % 2**32, n_startup_trials=5)
        self._optuna = optuna.create_study(sampler=sampler)
        self._distributions = {lever.path: self._distribution(lever) for lever in levers}
        self._planned: list[dict[str, Any]] = []
        self._turns = 0

    def _distribution(self, lever: Lever) -> Any:
        """Return what the optimiser may choose from: the place of a value in the lever's list, or any of them where no
        order matters."""
        from optuna.distributions import CategoricalDistribution, IntDistribution

        count = len(lever.values)
        return IntDistribution(0, count - 1) if self._plain(lever) else CategoricalDistribution(tuple(range(count)))

    def _plain(self, lever: Lever) -> bool:
        """Return whether what lies between two values of a lever lies between them in effect."""
        return numeric(lever.values) and lever.path not in self._board.groups

    # --- how good a candidate looks ---

    @property
    def best(self) -> Candidate | None:
        """The candidate that looks best; None before anything was measured."""
        return self.order()[0] if self.tried else None

    def order(self) -> list[Candidate]:
        """Return all candidates: what looks inside, the smallest change first, then what lies outside, the nearest
        first."""
        return self._ranked(list(self.tried.values()), 0.0)

    def finalists(self) -> list[Candidate]:
        """Return those that were measured closely, in the same order; inside is here what is so for sure enough."""
        return self._ranked([self.tried[digest] for digest in self.tried if digest in self.close], -CAUTION)

    def inside(self) -> list[Candidate]:
        """Return the candidates that lie inside the margin as measured, by themselves, the smallest change first."""
        return sorted((one for one in self.tried.values() if one.outside(self.margin) == 0), key=lambda one: one.size)

    def next(self, judged: Sequence[Candidate]) -> Candidate | None:
        """Return the candidate that is to be judged after some others; None if no other is inside for all that is
        known, or by itself."""
        digests = {one.components.digest for one in judged}
        left = [one for one in self.finalists() if one.components.digest not in digests]
        if not judged:
            return left[0]
        for one in left:
            believed, _ = self._believed([self._features(after(one))])
            if not outside(believed[0], self.margin) or not one.outside(self.margin):
                return one
        return None

    def _ranked(self, candidates: list[Candidate], hope: float) -> list[Candidate]:
        if not candidates:
            return []
        beyond = self._outside(candidates, hope)
        order = sorted(range(len(candidates)), key=lambda at: (beyond[at], candidates[at].size))
        return [candidates[at] for at in order]

    def _outside(self, candidates: list[Candidate], hope: float) -> np.ndarray:
        """Return by how much candidates lie outside what the search calls inside, if they are so much better than they
        look."""
        scores, unsure = self._believed([self._features(after(one)) for one in candidates])
        return outside(np.maximum(np.abs(scores) - hope * unsure, 0), self.room)

    def _believed(self, rows: Sequence[Mapping[Hashable, float]]) -> tuple[np.ndarray, np.ndarray]:
        """Return what all measurements together say of points: scores, and how sure they are."""
        if self._stale:
            self._surface, self._stale = Surface(self._seen, self._surface), False
        assert self._surface is not None
        return self._surface(rows)

    def size(self, changes: Mapping[str, Any]) -> float:
        """Return the size of changes, path → value: the shares of their ranges, added up."""
        return sum(self._size(path, value) for path, value in changes.items())

    # --- what is measured ---

    def begin(self, trials: int) -> None:
        """Measure the game as it is, closely, and plan what comes next: all there is, if that is no more than
        `trials`."""
        base = self._measure(self.base, dict(self._printed), self.seed, CLOSER * self.games)
        self.room = np.maximum(LEAST_ROOM * self.margin, self.margin - base.scores.half)
        if self._combinations() <= trials:
            points = [dict(zip(self._printed, values)) for values in product(*(lever.values for lever in self.levers))]
            self._planned = sorted(points, key=lambda point: self.size(self._board.changes(point)))
        else:
            self._planned = self._single_changes()[: max(2, 2 * trials // 3)]

    def learn(self, candidate: Candidate, seed: int, scores: Scores) -> Candidate:
        """Take in what was measured of a candidate on the chance of a seed; return it with all that is known of it."""
        digest = candidate.components.digest
        known = self.tried.get(digest)
        self.tried[digest] = replace(candidate, scores=known.scores & scores if known else scores)
        error = float(np.sqrt((scores.error**2).mean()))
        self._seen.append(Measurement(self._features(after(candidate)), seed, scores.value, error))
        self._stale = True
        return self.tried[digest]

    def _measure(self, components: Components, point: Mapping[str, Any], seed: int, games: int) -> Candidate:
        """Measure a set of components, the values of the levers in `point`, by so many games on the chance of a
        seed."""
        study = replace(self.study, components=components.record, seed=seed)
        scores = measure(study, self.targets, games, self.request.max_games, self.request.jobs, self.watch)
        changes = self._board.changes(point)
        pairs = {path: (self._board.printed[path], value) for path, value in changes.items()}
        self._points[components.digest] = dict(point)
        return self.learn(Candidate(components, pairs, self.size(changes), scores), seed, scores)

    def step(self) -> bool:
        """Measure one further set of components; return whether there was one."""
        if len(self.tried) + len(self._refused) >= self._combinations():
            return False
        for _ in range(50):
            point, asked = self._next()
            components = self._components(point)
            known = self.tried.get(components.digest) if components is not None else None
            if components is not None and known is None:
                self._tell(asked, point, self._measure(components, point, self.seed, self.games))
                return True
            self._tell(asked, point, known)
        return False

    def _next(self) -> tuple[dict[str, Any], Any]:
        """Return the next values of the levers, and what the optimiser must be told about if it has chosen them."""
        if self._planned:
            return self._planned.pop(0), None
        self._turns += 1
        guess = self._guess(self.order()[0], self.tried) if self._turns % 3 else None
        return (guess, None) if guess else self._optimiser()

    def _components(self, point: Mapping[str, Any]) -> Components | None:
        """Return the components at some values of the levers; None where these do not go together."""
        values = tuple(point.values())
        if values not in self._made:
            changes = self._board.changes(point)
            try:
                self._made[values] = changed(self.base, changes) if changes else self.base
            except ComponentsError:
                self._made[values] = None
                self._refused.add(values)
        return self._made[values]

    # --- what is planned: one number at a time ---

    def _combinations(self) -> int:
        return math.prod(len({*lever.values, self._printed[lever.path]}) for lever in self.levers)

    def _single_changes(self) -> list[dict[str, Any]]:
        """Return points that change one number: each number a quarter of its range up and down, then each its ends,
        then between."""
        orders = [[(lever.path, value) for value in self._spread(lever)] for lever in self.levers]
        return [
            self._printed | dict([change]) for turn in zip_longest(*orders) for change in turn if change is not None
        ]

    def _spread(self, lever: Lever) -> list[Any]:
        """Return all other values of a lever, so that the first ones lie spread over its range; words and places as
        they come."""
        printed = self._printed[lever.path]
        left = [value for value in lever.values if value != printed]
        if not self._plain(lever):
            return left
        ends = {printed, *left}
        step = QUARTER * (max(ends) - min(ends))
        sides = [([v for v in left if v > printed], printed + step), ([v for v in left if v < printed], printed - step)]
        first = [min(side, key=lambda value: abs(value - aim)) for side, aim in sides if side]
        found = list(
            dict.fromkeys([*first, *(value for value in (left[-1], left[0]) if value in (min(ends), max(ends)))])
        )
        while len(found) < len(left):
            far = {
                value: min(abs(value - other) for other in (printed, *found)) for value in left if value not in found
            }
            found.append(max(far, key=lambda value: far[value]))
        return found

    # --- closer ---

    def refine(self, seed: int, games: int, most: int) -> Iterator[Candidate]:
        """Measure the game as it is and the best candidates more closely on other chance, then what all that says.

        Every other one is the smallest change that may be inside, for all that is known, the others are the one that
        looks best.

        Args:
            seed, games: of these measurements. most: how many.
        """
        yield self._closely(self._printed, seed, games)
        for candidate in self.order()[: max(1, most // 3)]:
            if candidate.components.digest not in self.close:
                yield self._closely(self._points[candidate.components.digest], seed, games)
        in_vain, smallest = 0, self.finalists()[0]
        while len(self.close) < most and not (in_vain >= PATIENCE and self._outside([smallest], -CAUTION)[0] == 0):
            best = self.finalists()[0]
            in_vain, smallest = in_vain + 1 if smallest.components is best.components else 0, best
            point = self._guess(smallest, self.close, hope=float(len(self.close) % 2))
            if point is None:
                return
            yield self._closely(point, seed, games)

    def _closely(self, point: Mapping[str, Any], seed: int, games: int) -> Candidate:
        components = self._components(point)
        assert components is not None
        self.close.add(components.digest)
        return self._measure(components, point, seed, games)

    # --- what all that was measured says ---

    def _features(self, changes: Mapping[str, Any]) -> dict[Hashable, float]:
        """Return what a change is made of: shares of ranges; in words and orders, which value."""
        return dict(self._feature(path, value) for path, value in changes.items())

    def _feature_of(self, path: str, value: Any) -> tuple[Hashable, float]:
        lever, printed = self._by_path[path], self._board.printed[path]
        if self._plain(lever) and numeric([value, printed]):
            return path, math.copysign(lever.size(printed, value), value - printed)
        return (path, value), 1.0

    def _guess(self, anchor: Candidate, known: Container[str], hope: float = 0.0) -> dict[str, Any] | None:
        """Return the values that look best, of those not yet known; None if none is near where the ways down from some
        candidates end."""

        def rated(points: Sequence[Mapping[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
            changes = [self._board.changes(point) for point in points]
            scores, unsure = self._believed([self._features(change) for change in changes])
            return np.maximum(np.abs(scores) - hope * unsure, 0) * np.sign(scores), np.array(
                [self.size(change) for change in changes]
            )

        ends: list[tuple[float, float, int, dict[str, Any]]] = []
        for start in self._starts(anchor):
            for price in PRICES:
                moves, scores, sizes = self._down(start, rated, price)
                beyond = outside(scores, self.room)
                ends += [
                    (beyond[at], sizes[at], len(ends) + at, move)
                    for at, move in enumerate(moves)
                    if math.isfinite(beyond[at])
                ]
        for _, _, _, move in sorted(ends, key=lambda end: end[:3])[:MOST_NEAR]:
            components = self._components(move)
            if components is not None and components.digest not in known:
                return move
        return None

    def _starts(self, anchor: Candidate) -> list[dict[str, Any]]:
        """Return where ways down begin: a candidate, the best of those that are half its size, the game as it is."""
        smaller = self._ranked([one for one in self.tried.values() if one.size <= anchor.size / 2], 0.0)
        found = [anchor, *smaller[:1], self.tried[self.base.digest]]
        return [self._points[digest] for digest in dict.fromkeys(candidate.components.digest for candidate in found)]

    def _down(
        self, point: dict[str, Any], rated: Rated, price: float
    ) -> tuple[list[dict[str, Any]], np.ndarray, np.ndarray]:
        """Go down from a point by one lever at a time, or two where one does not help; return the end and all beside
        it, rated."""

        def losses(scores: np.ndarray, sizes: np.ndarray) -> np.ndarray:
            return np.asarray(outside(scores, self.room) + price * sizes)

        while True:
            moves = [point, *self._moves(point)]
            scores, sizes = rated(moves)
            now = losses(scores, sizes)
            if now.min() < now[0] - 1e-9:
                point = moves[int(np.argmin(now))]
                continue
            both = self._pair(moves, scores, sizes, losses)
            if both is None or losses(*rated([both]))[0] >= now[0] - 1e-9:
                return moves, scores, sizes
            point = both

    def _pair(
        self, moves: list[dict[str, Any]], scores: np.ndarray, sizes: np.ndarray, losses: Callable[..., np.ndarray]
    ) -> dict[str, Any] | None:
        """Return the point that moves two levers at once and looks best, as if effects added up; `moves`: a point, then
        those that differ by one lever."""
        which = np.array([next((path for path in move if move[path] != moves[0][path]), "") for move in moves])
        step, grown = scores - scores[0], sizes - sizes[0]
        with np.errstate(invalid="ignore"):
            both = losses(scores[0] + step[:, None] + step[None, :], sizes[0] + grown[:, None] + grown[None, :])
        order = np.array([path in self._board.groups for path in which])
        same = (which[:, None] == which[None, :]) | (order[:, None] & order[None, :])
        both = np.where(same | ~np.isfinite(both), np.inf, both)
        first, second = np.unravel_index(int(np.argmin(both)), both.shape)
        paths = str(which[first]), str(which[second])
        if not math.isfinite(both[first, second]) or "" in paths:
            return None
        return {**moves[0], **{path: moves[at][path] for path, at in zip(paths, (first, second))}}

    def _moves(self, point: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return every point that differs by one lever."""
        found = []
        for lever in self.levers:
            values = dict.fromkeys((*lever.values, self._printed[lever.path]))
            found += [{**point, lever.path: value} for value in values if value != point[lever.path]]
        return found

    # --- what the optimiser says ---

    def _active(self) -> list[str]:
        """Return the levers that the optimiser moves: those that the best candidates have moved, then any."""
        moved: dict[str, None] = {}
        for candidate in self.order()[: 2 * MOST_ACTIVE]:
            moved.update(dict.fromkeys(path for path in candidate.changes if path in self._printed))
        return [*moved, *(path for path in self._printed if path not in moved)][:MOST_ACTIVE]

    def _optimiser(self) -> tuple[dict[str, Any], Any]:
        asked = self._optuna.ask({path: self._distributions[path] for path in self._active()})
        values = {lever.path: lever.values for lever in self.levers}
        chosen = {path: values[path][place] for path, place in asked.params.items()}
        return self._points[self.order()[0].components.digest] | chosen, asked

    def _tell(self, asked: Any, point: Mapping[str, Any], candidate: Candidate | None) -> None:
        """Tell the optimiser what came of a point, whoever has chosen it."""
        import optuna

        if asked is not None:
            if candidate is None:
                self._optuna.tell(asked, state=optuna.trial.TrialState.FAIL)
            else:
                self._optuna.tell(asked, self._loss(candidate))
        elif candidate is not None:
            places = {lever.path: lever.values for lever in self.levers}
            params = {path: places[path].index(value) for path, value in point.items() if value in places[path]}
            distributions = {path: self._distributions[path] for path in params}
            self._optuna.add_trial(
                optuna.trial.create_trial(params=params, distributions=distributions, value=self._loss(candidate))
            )

    def _loss(self, candidate: Candidate) -> float:
        """Return what the optimiser makes small."""
        return float(outside(candidate.scores.value, self.room)) + PRICES[-1] * candidate.size


def after(candidate: Candidate) -> dict[str, Any]:
    """Return the changes of a candidate: path → value after."""
    return {path: value for path, (_, value) in candidate.changes.items()}
