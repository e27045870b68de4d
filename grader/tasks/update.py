"""What changes between two versions of a task file, and whether it may."""

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass

from grader.model import Task

# What decides whether a run is accepted, or what its answers mean, is fixed once runs are in.
_FIXED = (
    "kind",
    "confidence",
    "answers",
    "labels",
    "abstain",
    "missing",
    "gold.file",
    "gold.id",
    "gold.answer",
    "gold.separator",
    "gold.subsets",
    "gold.cluster",
    "gold.split",
    "gold.status",
    "run.id",
    "run.answer",
    "run.confidence",
    "run.classes",
    "run.lower",
    "run.upper",
    "run.format",
    "run.event",
    "run.sources",
    "judging.unit",
    "judging.right",
    "judging.wrong",
    "judging.bad",
)
_SCORES = (
    "measures",
    "primary",
    "reject",
    "tolerance",
    "precision",
    "interval.level",
    "resampling.resamples",
    "resampling.seed",
)


@dataclass(frozen=True, slots=True)
class Change:
    """The keys that changed: all of them, those that re-score, and those that may not change."""

    keys: tuple[str, ...]
    rescoring: tuple[str, ...]
    fixed: tuple[str, ...]


def change(old: Task, new: Task) -> Change:
    """Compare two versions of a task.

    >>> change(Task("t", "A"), Task("t", "B", precision=2))
    Change(keys=('title', 'precision'), rescoring=('precision',), fixed=())
    """
    keys = tuple(_changed(old, new, ""))
    scored = {"phases": _split(old, new), "ranking.rule": _choosing(new)}
    return Change(
        keys,
        tuple(k for k in keys if k in _SCORES or scored.get(k, False)),
        tuple(k for k in keys if k in _FIXED and not (k == "run.sources" and _added(old, new))),
    )


def _added(old: Task, new: Task) -> bool:
    """Whether what runs may cite stays so, and means the same, with more beside it."""
    was, now = old.run.cited, new.run.cited
    return bool(was) and was.items() <= now.items()  # without any, all may be cited


def orphaned(new: Task, phases: Iterable[str]) -> tuple[str, ...]:
    """Phases of stored runs that a new version of a task no longer has, in the order given.

    >>> orphaned(Task("t", "T"), ["dry run", "", "dry run"])
    ('dry run',)
    """
    kept = {p.name for p in new.phases}
    return tuple(name for name in dict.fromkeys(phases) if name and name not in kept)


def _split(old: Task, new: Task) -> bool:
    """Whether a phase that is in both scores another part of the gold."""
    was = {p.name: p.split for p in old.phases}
    return any(was.get(p.name, p.split) != p.split for p in new.phases)


def _choosing(new: Task) -> bool:
    """Whether the best run is chosen from now on by a score on the public part of the gold."""
    return new.ranking.rule == "best" and bool(new.gold.split)


def _changed(old: object, new: object, prefix: str) -> list[str]:
    found: list[str] = []
    for field in fields(old):  # type: ignore[arg-type]
        before, after = getattr(old, field.name), getattr(new, field.name)
        if is_dataclass(before):
            found += _changed(before, after, f"{prefix}{field.name}.")
        elif before != after:
            found.append(f"{prefix}{field.name}")
    return found
