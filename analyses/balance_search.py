"""The search for a balanced game: which sets of components are measured, in which order, and how good each one looks."""

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from analyses.balance_scores import Candidate, deviations
from analyses.balance_surface import Surface
from analyses.measures import moving
from sim import registry
from sim.contract import Chair
from sim.levers import Board, Lever

if TYPE_CHECKING:
    from sim.components import Components

# Inside is, for the search, inside of so much of the margin: fresh chance must be able to confirm it without millions of games.
ROOM = 0.7
FIRM = 0.8  # and of so much of it when it was measured closely
PRICE = 0.005  # of win index: so much must a change of size 1 bring all seats and things together nearer
CLOSER = 8  # times the games of a trial: the game as it is
ERROR, CLOSE_ERROR = 0.02, 0.01  # of win index, about: of a trial, and of a set that was measured closely
MOST_ACTIVE = 8  # numbers that the optimiser moves at once
PATIENCE = 8  # sets that are measured closely in vain, once one is inside
PLAIN = Lever("", ())  # whose steps count one each
MOST_NEAR = 40  # points that are looked at for one that was not measured yet


class Search:
    """Measures one set of components after the other, each at most once."""

    def __init__(
        self,
        base: "Components",
        levers: tuple[Lever, ...],
        players: int,
        chairs: tuple[Chair, ...],
        seed: int,
        targets: tuple[str, ...],
        games: int,
        margin: float,
        jobs: int,
        watch: Callable[[int], None],
    ):
        """Have everything ready; nothing is played.

        Args:
            base: the game as it is. levers: what may be changed. players, chairs, seed: see `sim.runner.Study`.
            targets: SEATS and kinds of things. games: of each trial, of the seats and of each kind. margin: in win index.
            jobs: threads. watch: told of further games.

        Raises:
            ImportError: the library is missing.
        """
        import optuna

        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self.base, self.levers, self.players, self.chairs, self.seed = base, levers, players, chairs, seed
        self.targets, self.games, self.margin, self.jobs, self.watch = targets, games, margin, jobs, watch
        self.game = registry.load(base.game)
        self.tried: dict[str, Candidate] = {}  # by digest
        self.close: dict[str, Candidate] = {}  # measured again, more closely
        self.best: Candidate | None = None
        self._refused: set[tuple[Any, ...]] = set()
        self._points: dict[str, dict[str, Any]] = {}  # digest → values of the levers
        self._board = Board(base, self.game, (lever.path for lever in levers))
        self._printed = {lever.path: self._board.printed[lever.path] for lever in levers}
        self._by_path = {lever.path: lever for lever in levers}
        self._points[base.digest] = self._printed
        self._shift = np.zeros(0)
        sampler = optuna.samplers.TPESampler(seed=seed % 2**32, n_startup_trials=5)
        self._study = optuna.create_study(sampler=sampler)
        self._distributions = {lever.path: self._distribution(lever) for lever in levers}
        self._planned: list[dict[str, Any]] = []
        self._most_planned = 0
        self._turns = 0

    def _distribution(self, lever: Lever) -> Any:
        """Return what the optimiser may choose from: the place of a value in the lever's list, or any of them where no order matters."""
        from optuna.distributions import CategoricalDistribution, IntDistribution

        count = len(lever.values)
        plain = moving(lever.values) and lever.path not in self._board.groups
        return IntDistribution(0, count - 1) if plain else CategoricalDistribution(tuple(range(count)))

    # --- how good a candidate looks ---

    def beyond(self, candidate: Candidate) -> float:
        """Return by how much a candidate lies outside what the search calls inside."""
        return candidate.outside(ROOM * self.margin)

    def loss(self, candidate: Candidate) -> float:
        """Return what the search makes small."""
        return self.beyond(candidate) + PRICE * candidate.size

    def order(self) -> list[Candidate]:
        """Return all candidates, the best first."""
        return sorted(self.tried.values(), key=lambda candidate: (self.loss(candidate), candidate.size))

    def firm(self, candidate: Candidate) -> bool:
        """Return whether a candidate that was measured closely is well inside the margin."""
        return candidate.outside(FIRM * self.margin) < 1e-9

    def finalists(self) -> list[Candidate]:
        """Return those that were measured closely: those well inside, the smallest change first, then the others, the best first."""
        return sorted(self.close.values(), key=lambda c: (not self.firm(c), c.size if self.firm(c) else self.loss(c), self.loss(c)))

    def size(self, changes: Mapping[str, Any]) -> float:
        """Return the size of changes, path → value."""
        printed = self._board.printed
        return sum(self._by_path.get(path, PLAIN).size(printed[path], value) for path, value in changes.items())

    # --- what is measured ---

    def begin(self, trials: int) -> None:
        """Measure the game as it is, closely, and plan what comes next: all there is, if that is no more than `trials`."""
        small = self._measure(self.base, self.seed, self.games)
        # What the same chance has in common is known better: every candidate is moved by it.
        self._shift = self._measure(self.base, self.seed, CLOSER * self.games) - small
        self._keep(self.base, dict(self._printed), small + self._shift)
        if self._combinations() <= trials:
            self._planned, self._most_planned = sorted(self._all(), key=lambda point: self.size(self._board.changes(point))), trials
        else:
            self._planned, self._most_planned = self._single_steps(), max(2, 2 * trials // 3)

    def _measure(self, components: "Components", seed: int, games: int) -> np.ndarray:
        return deviations(components, self.targets, self.players, self.chairs, seed, games, self.jobs, self.watch)

    def step(self) -> bool:
        """Measure one further set of components; return whether there was one."""
        if len(self.tried) + len(self._refused) >= self._combinations():
            return False
        for _ in range(50):
            point, asked = self._next()
            components = self._components(point)
            if components is None or components.digest in self.tried:
                known = self.tried.get(components.digest) if components is not None else None
                self._tell(asked, point, known)
                continue
            scores = self._measure(components, self.seed, self.games) + self._shift
            self._tell(asked, point, self._keep(components, point, scores))
            return True
        return False

    def _next(self) -> tuple[dict[str, Any], Any]:
        """Return the next values of the levers, and what the optimiser must be told about if it has chosen them."""
        if self._planned and len(self.tried) < self._most_planned:
            return self._planned.pop(0), None
        self._turns += 1
        assert self.best is not None
        guess = self._guess(self.best, self.tried) if self._turns % 3 else None
        return (guess, None) if guess else self._optimiser()

    def _components(self, point: Mapping[str, Any]) -> "Components | None":
        """Return the components at some values of the levers; None where these do not go together."""
        from sim.components import ComponentsError, changed

        changes = self._board.changes(point)
        try:
            return changed(self.base, changes) if changes else self.base
        except ComponentsError:
            self._refused.add(tuple(point.values()))
            return None

    def _candidate(self, components: "Components", point: Mapping[str, Any], scores: np.ndarray) -> Candidate:
        changes = self._board.changes(point)
        pairs = {path: (self._board.printed[path], value) for path, value in changes.items()}
        return Candidate(components, pairs, self.size(changes), scores)

    def _keep(self, components: "Components", point: Mapping[str, Any], scores: np.ndarray) -> Candidate:
        candidate = self._candidate(components, point, scores)
        self.tried[components.digest], self._points[components.digest] = candidate, dict(point)
        if self.best is None or self.loss(candidate) < self.loss(self.best):
            self.best = candidate
        return candidate

    # --- what is planned: one number at a time ---

    def _combinations(self) -> int:
        return math.prod(len({*lever.values, self._printed[lever.path]}) for lever in self.levers)

    def _all(self) -> Iterator[dict[str, Any]]:
        for values in product(*(lever.values for lever in self.levers)):
            yield dict(zip((lever.path for lever in self.levers), values, strict=True))

    def _single_steps(self) -> list[dict[str, Any]]:
        """Return every lever a step up and a step down, in words and orders at every other value."""
        found = []
        for lever in self.levers:
            printed = self._printed[lever.path]
            values = [value for value in lever.values if value != printed]
            if moving(lever.values) and lever.path not in self._board.groups:
                up, down = ([v for v in values if v > printed], [v for v in values if v < printed])
                values = up[:1] + down[-1:]
            found += [self._printed | {lever.path: value} for value in values]
        return found

    # --- closer ---

    def refine(self, seed: int, games: int, most: int) -> Iterator[Candidate]:
        """Measure the game as it is and the best candidates more closely on other chance, then what all that says.

        Args:
            seed, games: of these measurements. most: how many.
        """
        self._close(self.tried[self.base.digest], seed, games)
        for candidate in self.order()[: max(1, most // 3)]:
            yield self._close(candidate, seed, games)
        in_vain, smallest = 0, self.finalists()[0]
        while len(self.close) < most and not (in_vain >= PATIENCE and self.firm(smallest)):
            in_vain, smallest = (in_vain + 1 if smallest is self.finalists()[0] else 0), self.finalists()[0]
            point = self._guess(smallest, self.close)
            components = self._components(point) if point else None
            if point is None or components is None:
                return
            if components.digest not in self.tried:
                self._points[components.digest] = point
            yield self._close(self._candidate(components, point, np.zeros(0)), seed, games)

    def trim(self, seed: int, games: int, most: int) -> Iterator[Candidate]:
        """Measure what is left of the smallest change that is well inside if one number is left as it is, or moves less.

        Args:
            seed, games: as for `refine`. most: how many are measured.
        """
        before, smallest = len(self.close), self.finalists()[0]
        while self.firm(smallest) and len(self.close) - before < most:
            for point in self._less(self._points[smallest.components.digest]):
                components = self._components(point)
                if components is None or components.digest in self.close:
                    continue
                self._points[components.digest] = point
                yield self._close(self._candidate(components, point, np.zeros(0)), seed, games)
                if len(self.close) - before >= most or self.finalists()[0] is not smallest:
                    break
            if self.finalists()[0] is smallest:
                return
            smallest = self.finalists()[0]

    def _less(self, point: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return every point with one number less changed, or changed by less: the smallest first."""
        found = [move for move in self._moves(point) if self.size(self._board.changes(move)) < self.size(self._board.changes(point))]
        return sorted(found, key=lambda move: -self.size(self._board.changes(move)))

    def _close(self, candidate: Candidate, seed: int, games: int) -> Candidate:
        digest = candidate.components.digest
        if digest not in self.close:
            self.close[digest] = replace(candidate, scores=self._measure(candidate.components, seed, games))
        return self.close[digest]

    # --- what all that was measured says ---

    def _features(self, changes: Mapping[str, Any]) -> dict[Hashable, float]:
        """Return what a change is made of: steps of numbers; in words and orders, which value."""
        found: dict[Hashable, float] = {}
        for path, value in changes.items():
            printed = self._board.printed[path]
            if path in self._board.groups or not moving([value, printed]):
                found[path, value] = 1.0
            else:
                found[path] = float(value - printed)
        return found

    def _surface(self) -> Surface:
        """Return what is known about sets that were not measured; each measurement counts against the unchanged game on its own chance."""
        rows, scores, errors = [], [], []
        for known, error in ((self.tried, ERROR), (self.close, CLOSE_ERROR)):
            if self.base.digest in known:
                for candidate in known.values():
                    rows.append(self._features({path: after for path, (_, after) in candidate.changes.items()}))
                    scores.append(candidate.scores - known[self.base.digest].scores)
                    errors.append(error)
        return Surface(rows, scores, errors)

    def _guess(self, anchor: Candidate, known: Mapping[str, Candidate]) -> dict[str, Any] | None:
        """Return the values that look best, of those not yet known; None if none is near where the ways down from some candidates end."""
        surface, base = self._surface(), known[self.base.digest].scores

        def rated(points: Sequence[Mapping[str, Any]]) -> tuple[np.ndarray, np.ndarray]:
            changes = [self._board.changes(point) for point in points]
            return base + surface([self._features(change) for change in changes]), np.array([self.size(change) for change in changes])

        ends: list[tuple[float, int, dict[str, Any]]] = []
        for start in self._starts(anchor, known):
            moves, losses = self._down(start, rated)
            ends += [(float(losses[at]), len(ends) + int(at), moves[at]) for at in range(len(moves)) if math.isfinite(losses[at])]
        for _, _, move in sorted(ends, key=lambda end: end[:2])[:MOST_NEAR]:
            components = self._components(move)
            if components is not None and components.digest not in known:
                return move
        return None

    def _starts(self, anchor: Candidate, known: Mapping[str, Candidate]) -> list[dict[str, Any]]:
        """Return where ways down begin: a candidate, the best of those that are half its size, the game as it is."""
        smaller = [candidate for candidate in known.values() if candidate.size <= anchor.size / 2]
        found = [anchor, *sorted(smaller, key=self.loss)[:1], self.tried[self.base.digest]]
        return [self._points[digest] for digest in dict.fromkeys(candidate.components.digest for candidate in found)]

    def _down(self, point: dict[str, Any], rated: Callable[..., tuple[np.ndarray, np.ndarray]]) -> tuple[list[dict[str, Any]], np.ndarray]:
        """Go down from a point by one lever at a time, or two where one does not help; return the end and all beside it, with losses."""
        while True:
            moves = [point, *self._moves(point)]
            scores, sizes = rated(moves)
            losses = self._losses(scores, sizes)
            if losses.min() < losses[0] - 1e-9:
                point = moves[int(np.argmin(losses))]
                continue
            both = self._pair(moves, scores, sizes)
            if both is None or self._losses(*rated([both]))[0] >= losses[0] - 1e-9:
                return moves, losses
            point = both

    def _losses(self, scores: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Return what the search makes small, for scores (…, seats and things) and sizes (…)."""
        return np.maximum(np.abs(scores) - ROOM * self.margin, 0).sum(axis=-1) + PRICE * sizes

    def _pair(self, moves: list[dict[str, Any]], scores: np.ndarray, sizes: np.ndarray) -> dict[str, Any] | None:
        """Return the point that moves two levers at once and looks best, as if their effects added up.

        Args:
            moves: a point, then those that differ by one lever. scores, sizes: of them.
        """
        which = [next((path for path in move if move[path] != moves[0][path]), "") for move in moves]
        step, grown = scores - scores[0], sizes - sizes[0]
        with np.errstate(invalid="ignore"):
            both = self._losses(scores[0] + step[:, None] + step[None, :], sizes[0] + grown[:, None] + grown[None, :])
        order = np.array([path in self._board.groups for path in which])
        same = np.array([[a == b for b in which] for a in which]) | (order[:, None] & order[None, :])
        both = np.where(same | ~np.isfinite(both), np.inf, both)
        first, second = np.unravel_index(int(np.argmin(both)), both.shape)
        if not math.isfinite(both[first, second]) or "" in (which[first], which[second]):
            return None
        return {**moves[0], which[first]: moves[first][which[first]], which[second]: moves[second][which[second]]}

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
        assert self.best is not None
        asked = self._study.ask({path: self._distributions[path] for path in self._active()})
        values = {lever.path: lever.values for lever in self.levers}
        chosen = {path: values[path][place] for path, place in asked.params.items()}
        return self._points[self.best.components.digest] | chosen, asked

    def _tell(self, asked: Any, point: Mapping[str, Any], candidate: Candidate | None) -> None:
        """Tell the optimiser what came of a point, whoever has chosen it."""
        import optuna

        if asked is not None:
            if candidate is None:
                self._study.tell(asked, state=optuna.trial.TrialState.FAIL)
            else:
                self._study.tell(asked, self.loss(candidate))
        elif candidate is not None:
            places = {lever.path: lever.values for lever in self.levers}
            params = {path: places[path].index(value) for path, value in point.items() if value in places[path]}
            distributions = {path: self._distributions[path] for path in params}
            self._study.add_trial(optuna.trial.create_trial(params=params, distributions=distributions, value=self.loss(candidate)))
