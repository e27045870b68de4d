"""Official results: the public board of an instant, kept so that nothing moves it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import count

from grader import store
from grader.board import PRINTED, rank, shown, visible
from grader.errors import Mistake
from grader.model import (
    Entry,
    Frozen,
    FrozenBoard,
    FrozenGold,
    FrozenRow,
    FrozenRun,
    Results,
    Row,
    Score,
)
from grader.store import Connection


def freeze(
    db: Connection, slug: str, name: str, why: str, at: datetime
) -> tuple[str, Frozen, tuple[str, ...]]:
    """Keep what the public sees of a task at an instant under a name.

    name     if it is empty, the first of v1, v2, … that is free

    returns  the name, what was frozen, and the phases with runs that are not in it
    raises   Mistake, if the public sees no run by then, or the name is taken
    """
    store.config(db, slug, lock=True)
    seen = visible(store.snapshot(db, at, [slug]), "public").tasks
    # Frozen results are read with names, so that those of a board without come after its reveal.
    parts = tuple(replace(part, entries=()) if part.veiled else part for part in seen)
    if not any(part.entries for part in parts):
        named = " under its team's name" if any(part.veiled for part in seen) else ""
        raise Mistake(
            f"the public sees no run of {slug!r}{named} by then: there are no results to freeze",
            mend=f"grader phase list {slug}",
        )
    found = frozen(parts, store.run_numbers(db, slug))
    name = name or _free({store.folded(known) for known in store.release_names(db, slug)})
    left = tuple(p.phase.name for p in seen if p.phase and (p.unseen or (p.veiled and p.entries)))
    return store.add_release(db, slug, name, found, why, at), found, left


def _free(taken: Collection[str]) -> str:
    return next(name for k in count(1) if (name := f"v{k}") not in taken)


def frozen(parts: Sequence[Results], numbers: Mapping[str, int]) -> Frozen:
    """What the phases of a task show, by the numbers of their runs."""
    whole = parts[0]
    gold = whole.gold
    return Frozen(
        whole.task.title,
        whole.task.primary,
        FrozenGold(gold.version, gold.commitment, gold.n, gold.whole, gold.drops),
        tuple(_run(e, numbers[e.slug]) for part in parts for e in part.entries),
        tuple(board for part in parts for board in _boards(part, numbers)),
    )


def _run(entry: Entry, number: int) -> FrozenRun:
    kept = (entry.phase, entry.sha256, entry.received, dict(entry.flags), entry.settings)
    return FrozenRun(number, *kept)


def _boards(part: Results, numbers: Mapping[str, int]) -> Iterator[FrozenBoard]:
    """Yield the boards of a phase that shows runs: the whole, and each subset's."""
    cuts = part.gold.dimensions
    boards = {"all": part.gold.scored} | {f"{name}={v}": n for name, vs in cuts for v, n in vs}
    phase, digits = part.phase.name if part.phase else "", part.task.ranking.digits
    for subset, scored in boards.items() if part.entries else ():
        made = rank(part, subset)
        rows = tuple(_row(row, subset, numbers[row.entry.slug], digits) for row in made.rows)
        yield FrozenBoard(phase, subset, made.rule, digits, scored, rows)


def _row(row: Row, subset: str, number: int, digits: int) -> FrozenRow:
    graded = None if "withdrawn" in row.entry.flags else row.entry.graded
    scores = (s for s in (graded.scores if graded else ()) if s.subset == subset)
    return FrozenRow(number, row.rank, row.why, tuple(_score(s, digits) for s in scores))


def _score(score: Score, digits: int) -> Score:
    """A score at the decimals of its board."""
    details = {k: float(shown(score.details[k], digits)) for k in PRINTED if k in score.details}
    return score._replace(
        value=_at(score.value, digits),
        low=_at(score.low, digits),
        high=_at(score.high, digits),
        details=details,
    )


def _at(value: float | None, digits: int) -> float | None:
    return None if value is None else float(shown(value, digits))
