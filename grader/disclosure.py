"""What may still be taken, and how, once labels are known to others than organisers. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from grader.admission import Entrance
from grader.instants import said
from grader.model import Disclosure, Phase, Task


def known(found: Iterable[Disclosure], phase: Phase | None, at: datetime) -> Disclosure | None:
    """The first disclosure by an instant of labels on which runs of a phase are scored."""
    split = phase.split if phase else "all"
    mine = (
        one
        for one in found
        if one.at <= at and ("all" in (split, one.split) or split == one.split)
    )
    return min(mine, key=lambda one: one.at, default=None)


def spoiled(found: Iterable[Disclosure], phase: Phase | None, at: datetime) -> Disclosure | None:
    """The disclosure for which no run of that instant may be let into a phase in time, if any.

    Of one before the phase opens there is nothing to spoil: none of its runs is ranked.
    """
    one = known(found, phase, at)
    return None if one is None or (phase and one.at <= phase.opens) else one


def disclosed(one: Disclosure) -> str:
    """Since when labels are known, in words."""
    return f"labels are known since {said(one.at)} ({one.how})"


def as_late(task: Task) -> str:
    """How a run is taken once labels are known."""
    send = f"grader submit FILE --task {task.slug} --team NAME"
    if not task.phases or task.phases[-1].late == "unofficial":
        return f"late and unranked it is taken: {send}"
    return (
        f'late and unranked it is taken with phase.late = "unofficial" in task.toml: '
        f"grader task update DIR, then: {send}"
    )


def unofficial(into: Entrance, found: Iterable[Disclosure], at: datetime) -> Entrance:
    """Where an upload goes if labels may be known by then: if they are, late, and in no rank."""
    one = known(found, into.phase, at)
    return into if one is None else replace(into, late=True, committed=False, known=one)


def notes(task: Task, found: Sequence[Disclosure], at: datetime) -> Iterator[str]:
    """Yield what organisers should know of phases that take runs by then or later."""
    for phase in task.phases or (None,):
        if phase is None or at < phase.closes:
            one = known(found, phase, max(at, phase.opens) if phase else at)
            where = f"phase {phase.name!r}" if phase else repr(task.slug)
            if one is not None:
                yield f"{disclosed(one)}: what comes in to {where} from then on is not ranked"
