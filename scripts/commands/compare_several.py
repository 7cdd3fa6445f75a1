"""`chapterhouse compare` of several sets of components: what the files and --variant say, and the answer."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripts import options as o
from scripts.show import column, table

if TYPE_CHECKING:
    from analyses.compare.several import Contest, NamedSet, SetsCompared, Several
    from analyses.request import Request
    from sim.printed.components import Components
    from strategies.catalog import Seated

BASE, CHANGED = "base", "changed"  # names of the first set, and of that with --components and --set


def contest_of(
    request: "Request",
    base: "Components",
    files: Sequence[str],
    variants: Sequence[str],
    entrants: "tuple[Seated, ...]",
) -> "Contest":
    """Return what is to be compared, everything checked.

    Args:
        request: what is asked for, with somebody's own --components and --set. base: what comes first.
        files: of components, each a set. variants: NAME:PATH=VALUE each. entrants: who plays.

    Raises:
        WrongInputError: something can't be used.
    """
    from analyses.compare.several import MOST_SETS, Contest, NamedSet

    sets = [NamedSet(BASE, base)]
    if request.files or request.changes:
        sets.append(NamedSet(CHANGED, request.components))
    sets += [NamedSet(Path(file).stem, o.read_components(request.game, [file], None)) for file in files]
    sets += _variants(base, variants)
    names = [each.name for each in sets]
    for at, name in enumerate(names):
        if name in names[:at]:
            o.refuse("FILE… and --variant", f"two sets called {name!r}", "sets of different names")
    for at, each in enumerate(sets):
        like = next((earlier.name for earlier in sets[:at] if earlier.components.digest == each.components.digest), "")
        if like:
            o.refuse(each.name, f"the same values as {like}", "sets that differ in some value")
    if len(sets) > MOST_SETS:
        o.refuse("FILE… and --variant", f"{len(sets) - 1} sets beside the base", f"at most {MOST_SETS - 1}")
    return Contest(replace(request, components=base), tuple(sets), entrants)


def _variants(base: "Components", texts: Sequence[str]) -> "list[NamedSet]":
    """Return the sets that --variant names: those of one name together."""
    from analyses.compare.several import NamedSet
    from sim.printed.components import ComponentsError, revised

    changes: dict[str, list[str]] = {}
    for text in texts:
        name, colon, change = text.partition(":")
        if not colon or not name.strip() or "=" in name:
            o.refuse("--variant", repr(text), "NAME:PATH=VALUE, as in --variant weaker:kings.afonso_v.vp=2")
        changes.setdefault(name.strip(), []).append(change)
    try:
        return [NamedSet(name, revised(base, each, f"--variant {name}")) for name, each in changes.items()]
    except ComponentsError as error:
        raise o.WrongInputError(str(error)) from None


# --- for machines -----------------------------------------------------------------------------------------------------


def answer(found: "Several") -> dict[str, Any]:
    """Return the answer for machines."""
    from analyses.compare.compare import differences

    contest, fairest = found.contest, found.fairest
    base = contest.sets[0].components
    variants = []
    for at, each in enumerate(contest.sets):
        changes = differences(base, each.components)
        variants.append(
            {
                "name": each.name,
                "components": each.components.digest,
                **each.components.counts._asdict(),
                "changes": [{"path": path, "before": was, "after": now} for path, was, now in changes],
                "verdicts": {part.kind: part.words[at] for part in found.parts},
                "furthest": found.reach(each.name),
            }
        )
    kinds = [
        {"kind": part.kind, "games": part.games, "blocks": part.blocks, "interrupted": part.interrupted}
        | {"family": part.family, "pairs_family": part.pairs_family, "table": part.table, "pairs": part.pairs}
        for part in found.parts
    ]
    checked = None
    if fairest is not None:
        checked = vars(fairest) | {"unlike": list(fairest.unlike), "like": list(fairest.like)}
    return {"games_played": found.all_games, "variants": variants, "kinds": kinds, "fairest": checked}


# --- for people -------------------------------------------------------------------------------------------------------


def listing(found: "Several") -> list[Any]:
    """Return the answer for people: sentences and tables."""
    from reports.compare import several as r
    from reports.parts import Ground

    ground, base = Ground.of(found.game), found.contest.sets[0].components
    parts: list[Any] = [
        f"{found.title}, {found.players} players, {ground.seating(found)} (seed {found.seed}, base {base.digest})",
        found.notice,
        *r.verdict(ground, found),
    ]
    for part in found.parts:
        parts += ["", _table(ground, found, part), r.families(part), r.surest(ground, found, part)]
    return [*parts, "", *r.changes(found)]


def _table(ground: Any, found: "Several", part: "SetsCompared") -> Any:
    from reports import pills
    from reports.compare import several as r

    columns = [r.labels(ground, part)]
    for each in found.contest.sets:
        rows = part.table[part.table["set"] == each.name]
        ends = {name: 1 + rows[name] for name in ("distance", "low", "high")}
        shares, between = column(rows.assign(**ends), "distance", "low", "high", 100 / found.players)
        columns.append([f"{share} ({ends})" for share, ends in zip(shares, between)])
    words = ["verdict", *map(pills.said, part.words)]
    head = "seat" if part.kind == "seats" else "dealt"
    return table((f"{head}, wins %", *(each.name for each in found.contest.sets)), [*zip(*columns), words])
