"""`chapterhouse seats … --run DIR` and `chapterhouse resume DIR`: a run in a folder (docs/run.md), which may stop in
any way."""

import json as j
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from analyses.request import flags
from scripts import options as o
from scripts.commands import seats
from scripts.output import OutputError, out, writing
from scripts.pages import Figures
from scripts.progress import Progress, progress
from scripts.show import to_json
from sim import registry
from sim.legible import say

if TYPE_CHECKING:
    from analyses.findings import Line
    from analyses.request import Request
    from analyses.study_file import RunStudy
    from sim.rows_file import Rows
    from sim.run_folder import Kept, Store
    from sim.runner import Keeper
    from strategies.catalog import Seated

STUDY, MANIFEST, RESULTS = "study.toml", "manifest.json", "results"
ANSWER, DIGESTS = "answer.json", "digests.json"
Folder = Annotated[str, typer.Argument(metavar="DIR", help="The folder of a run that `seats … --run DIR` began.")]


@contextmanager
def folder_errors(run: Path | None = None) -> Iterator[None]:
    """Report an error in a file or folder in one line; run: the folder that holds what we wrote before."""
    from analyses.study_file import StudyError
    from sim.files import FolderError, NotWrittenError
    from sim.printed.components import ComponentsError

    try:
        yield
    except NotWrittenError as error:
        good = (
            f"; what was written before stays good: `chapterhouse resume {run}` goes on"
            if run and (run / MANIFEST).exists()
            else ""
        )
        raise OutputError(f"{error}{good}") from None
    except (ComponentsError, FolderError, StudyError) as error:
        raise o.WrongInputError(str(error)) from None


def study(request: "Request", entrants: "Sequence[Seated]", rows: bool) -> "RunStudy":
    """Return the study that `seats` plays."""
    from analyses.study_file import RunStudy
    from analyses.survey import SLOW_BATCH
    from scripts.commands.replay import replay_command
    from sim.runner import BATCH

    (players,) = request.players
    batch = SLOW_BATCH if any(entrant.thinker for entrant in entrants) else BATCH
    words = ["--players", str(players), *flags("--strategy", request.strategies), *request.how_many()]
    return RunStudy(
        players, tuple(entrants), request.components, request.seed, request.games, request.max_games, request.margin,
        batch, rows, request.command("seats", *words), replay_command(request) if rows else "", rows,
    )  # fmt: skip


@contextmanager
def play(study: "RunStudy", bar: "Progress", jobs: int, timeout: float | None, target: Path | None) -> "Iterator[Line]":
    """Play a study without a folder, its rows into a file if there is one; the file is finished when the line has been
    told.

    Args:
        study, bar, jobs, timeout: see `begin`. target: of the rows.

    Raises:
        WrongInputError: a strategy fails. OutputError: the rows can't be written.
    """
    from sim.printed.formulas import marked
    from sim.rows_file import RowsFile

    with folder_errors(), o.strategy_errors():
        keeper = None
        if target is not None:
            written = marked if target.suffix.lower() == ".csv" else str
            keeper = RowsFile(target, _rows(study, written), say)
        try:
            yield _line(study, jobs, timeout, keeper, bar)
            if keeper:
                keeper.close()
        finally:
            if keeper:
                keeper.discard()


def _rows(study: "RunStudy", written: Callable[[str], str] = str) -> "Rows":
    """Return what a row of a study holds; written: see `sim.printed.formulas`."""
    from sim.rows_file import Rows

    game, names = registry.load(study.game), tuple(entrant.name for entrant in study.entrants)
    # A run in a folder that an earlier version began: all its parts have the same columns.
    replay, absent = {"replay": study.replay}, game.absent(study.components.record[0])
    constants, left_out = (replay, absent) if study.replay else (None, ())
    return Rows(game, study.players, names, constants, left_out, study.course, written)


def _line(study: "RunStudy", jobs: int, timeout: float | None, keeper: "Keeper | None", bar: "Progress") -> "Line":
    from analyses.line import analyse

    line, _ = analyse(
        registry.load(study.game), study.players, study.entrants, study.components, study.seed, games=study.games,
        max_games=study.max_games, margin=study.margin, jobs=jobs, batch=study.batch, keeper=keeper, timeout=timeout,
        watch=bar.watch,
    )  # fmt: skip
    return line


@contextmanager
def begin(text: str, study: "RunStudy", bar: "Progress", jobs: int, timeout: float | None = None) -> "Iterator[Line]":
    """Make a folder for a run and play into it; the results are written when the line has been told.

    Args:
        text: the folder, new or empty. study: what to play. bar: of its games. jobs: threads, −1 for all cores.
        timeout: see `sim.runner.gather`.

    Raises:
        WrongInputError: the folder can't be used, or a strategy fails. OutputError: what is played can't be written.
    """
    from analyses.study_file import digest, manifest, to_toml
    from sim.files import owned, write_whole
    from sim.trusted import remember

    folder = Path(text)
    _empty(folder)
    made = to_toml(study)
    with folder_errors(folder), owned(folder):
        _empty(folder)
        write_whole(folder / STUDY, made.encode())
        write_whole(folder / MANIFEST, _as_json(manifest(study, made)))
        if why := remember([*study.entrants, *registry.programs(study.game)]):
            say(f"{why}: `chapterhouse resume {folder}` will need --trust")
        kept = _kept(folder, study, digest(made.encode()))
        line, store = _play(kept, study, bar, jobs, timeout, kept.begin)
        yield line
        _finish(folder, study, line, store)


def _empty(folder: Path) -> None:
    """Make a folder if it is missing; refuse one that holds anything but the files of a run that has not begun to
    play."""
    from sim.files import LOCK, TEMPORARY

    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = sorted(path.name for path in folder.iterdir())
    except (OSError, ValueError) as error:
        o.refuse("--run", f"{str(folder)!r} ({o.reason(error)})", "a new or empty folder")
    rest = [name for name in found if name not in (LOCK, STUDY) and not name.endswith(TEMPORARY)]
    if rest or (STUDY in found and LOCK not in found):
        allowed = "a new or empty folder; `chapterhouse resume` goes on with a run"
        o.refuse("--run", f"{str(folder)!r}, which holds {(rest or found)[0]}", allowed)


def resume(
    folder: Folder,
    jobs: o.Jobs = None,
    timeout: o.Timeout = None,
    backend: o.Backend = "threads",
    scheduler: o.Scheduler = None,
    trust: o.Trust = False,
    figures: Figures = None,
    quiet: o.Quiet = False,
    json: o.Json = False,
) -> None:
    """Continue a run exactly where it stopped. If the run is finished, check all its files and replace damaged ones."""
    threads = -1 if jobs is None else o.whole("--jobs", jobs, 1, o.MOST_JOBS)
    seconds, where = o.seconds(timeout), o.Where.read(backend, scheduler, jobs)
    where.allow(timeout=timeout)
    slides = o.folder(figures, "--figures") if figures is not None else None
    from scripts import show as s
    from scripts.progress import silent
    from sim.files import owned
    from sim.trusted import alone

    path = Path(folder)
    try:
        found = "" if (path / MANIFEST).is_file() else "no run in it" if path.is_dir() else "no such folder"
    except OSError as error:
        found = o.reason(error)
    if found:
        o.refuse("DIR", f"{folder!r} ({found})", "a folder in which `seats … --run DIR` has begun a run")
    with folder_errors(), o.strategy_errors(), where.playing(), owned(path, to_read=True), alone(trust), silent(quiet):
        study, then, now = _study(path)
        where.allow(rows="parquet" if study.rows else None)
        finished, kept = _finished(path), _kept(path, study, then["study"])
        with progress(f"{registry.load(study.game).title}, {study.players} players", study.most) as bar:
            line, store = _play(kept, study, bar, threads, seconds, lambda: _go_on(kept, study, then, now))
        if not line.blocks:
            raise o.StoppedError(o.NOTHING)
        out(s.to_json(_answer(study, line))) if json else s.show(*seats.listing(line))
        _finish(path, study, line, store, finished)
    if slides is not None:
        from reports.run import part
        from reports.slides import write

        with writing(slides):
            write(part(line), slides)
    if finished and not store.written:
        say(f"{path}: finished; all {store.good:,} files of batches are good, nothing was played")
    elif not line.interrupted:
        say(f"{path}: finished; {store.good:,} files of batches were there, {store.written:,} are new")
    if line.interrupted:
        raise o.StoppedError(f"Stopped by hand: this is what {line.games:,} games show.")


def _study(folder: Path) -> "tuple[RunStudy, dict[str, Any], dict[str, Any]]":
    """Return what a run plays, its manifest, and what that would be now; refuse if something has changed that may
    change its games."""
    from analyses.study_file import digest, from_toml, manifest, refusal
    from sim.contract import MOST_STRATEGIES
    from sim.given import given_bytes

    then = _manifest(folder)
    try:
        made = given_bytes(folder / STUDY)
    except OSError as error:
        raise o.WrongInputError(f"{folder / STUDY}: {o.reason(error)}") from None
    if digest(made) != then["study"]:
        raise o.WrongInputError(
            f"{folder / STUDY}: changed; its digest is {digest(made)}, {MANIFEST} says {then['study']}"
        )
    try:
        text = made.decode()
    except UnicodeDecodeError:
        raise o.WrongInputError(f"{folder / STUDY}: not a text file") from None
    study = from_toml(text, str(folder / STUDY))
    if len(study.entrants) > MOST_STRATEGIES:
        raise o.WrongInputError(
            f"{folder / STUDY}: found {len(study.entrants)} strategies; allowed are at most {MOST_STRATEGIES}"
        )
    for entrant in study.entrants:
        if not entrant.source:  # a file's is run to be checked, and so waits until something is played
            entrant.check(study.players)
    now = manifest(study, text)
    if why := refusal(then, now):
        raise o.WrongInputError(f"{folder}: {why}")
    return study, then, now


def _go_on(kept: "Kept", study: "RunStudy", then: dict[str, Any], now: dict[str, Any]) -> None:
    """Do what has to happen before we play on: from here on we run strategies and write files."""
    from analyses.study_file import other
    from sim.files import write_whole

    for entrant in study.entrants:
        entrant.check(study.players)
    if changed := other(then, now):
        _compare(kept, study, then, changed)
        write_whole(kept.folder / MANIFEST, _as_json(then | {"continued": [*then["continued"], changed]}))
    kept.begin()


def _manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a run."""
    from sim.given import given_bytes

    try:
        found = j.loads(given_bytes(folder / MANIFEST))
        texts = all(
            isinstance(found[name], str) for name in ("game", "rules_version", "study", "components", "sources")
        )
        tables = [found["strategies"], found["versions"], *found["continued"]]
        flat = all(isinstance(value, str) for table in tables for value in table.values())
        if (
            found["format"] == 1
            and texts
            and flat
            and isinstance(found["continued"], list)
            and type(found["seed"]) is int
        ):
            return dict(found)
    except (AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError):
        pass
    raise o.WrongInputError(f"{folder / MANIFEST}: damaged, or of another format; allowed a manifest of format 1")


def _compare(kept: "Kept", study: "RunStudy", then: dict[str, Any], now: dict[str, Any]) -> None:
    """Refuse to go on with other versions or sources unless the first games come out as they did."""
    from sim.run_folder import same_as_before
    from sim.runner import Study

    last = ([{"sources": then["sources"], **then["versions"]}, *then["continued"]])[-1]
    names = [f"{name} {last.get(name)}, now {value}" for name, value in now.items() if last.get(name) != value] or [
        "other versions"
    ]
    with_what = "; ".join(names)
    played = Study(study.game, study.players, study.entrants, study.components.record, study.seed)
    games = same_as_before(kept, played, study.batch)
    if games is None:
        raise o.WrongInputError(
            f"{kept.folder}: made with {with_what}: the first games come out otherwise; go on with what it was made "
            "with"
        )
    if games:
        say(f"{kept.folder}: made with {with_what}; the first {games:,} games were played again and are the same")


def _kept(folder: Path, study: "RunStudy", mark: str) -> "Kept":
    from sim.outcomes import Sums
    from sim.run_folder import Kept

    return Kept(folder, mark, Sums.blank(registry.load(study.game), len(study.entrants)), study.rows)


def _answer(study: "RunStudy", line: "Line") -> dict[str, Any]:
    return {"command": study.command} | line.played.head() | seats.answer(line)


def _play(
    kept: "Kept", study: "RunStudy", bar: "Progress", jobs: int, timeout: float | None, before: Callable[[], None]
) -> "tuple[Line, Store]":
    """Play what is missing in a folder; before: called first, if anything is."""
    from sim.run_folder import Store

    rows = _rows(study) if study.rows else None
    there = 0

    def found(blocks: int) -> None:
        nonlocal there
        there += blocks * study.players
        bar.reach(there + bar.games)

    with o.strategy_errors():
        store = Store(kept, rows, say, found, before, (kept.folder / RESULTS).is_dir())
        line = _line(study, jobs, timeout, store, bar)
    return line, store


def _finish(folder: Path, study: "RunStudy", line: "Line", store: "Store", there: bool = False) -> None:
    """Write the results of a run that is finished; there: as far as is known, they are there already."""
    if not line.interrupted and (store.written or not there):
        _write_results(folder, study, line)


def _as_json(value: Any) -> bytes:
    return (j.dumps(value, indent=2) + "\n").encode()


def _write_results(folder: Path, study: "RunStudy", line: "Line") -> None:
    """Write answer, page and tables into a folder that is there wholly or not at all; the same bytes for the same
    run."""
    from reports.page import save
    from reports.run import part
    from sim.files import refuse_to_write, settle, temporary

    done = folder / RESULTS
    draft = temporary(done)
    try:
        for old in (draft, done):
            if old.exists():
                shutil.rmtree(old)
        draft.mkdir()
        save(part(line, study.command), draft)
        (draft / ANSWER).write_bytes((to_json(_answer(study, line)) + "\n").encode())
        (draft / DIGESTS).write_bytes(_as_json(_digests(draft)))
        settle(draft, done)
    except OSError as error:
        refuse_to_write(done, error)


def _digests(folder: Path) -> dict[str, str]:
    """Return a digest of each file of results."""
    from analyses.study_file import digest
    from sim.given import given_bytes

    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != DIGESTS)
    return {path.relative_to(folder).as_posix(): digest(given_bytes(path)) for path in files}


def _finished(folder: Path) -> bool:
    """Return whether all results are there as they were written; say which are not."""
    from sim.given import given_bytes

    done = folder / RESULTS
    if not done.is_dir():
        return False
    try:
        written = j.loads(given_bytes(done / DIGESTS))
        found = _digests(done)
        wrong = [name for name in {**written, **found} if written.get(name) != found.get(name)]
    except (AttributeError, OSError, RecursionError, TypeError, ValueError):
        wrong = [DIGESTS]
    if wrong:
        say(f"{done / wrong[0]}: missing or changed; the results are written anew")
    return not wrong
