"""A task's results phase by phase: runs of different phases are never ranked together."""

from dataclasses import replace
from datetime import datetime

from grader.model import GoldSummary, Phase, Results, Task


def phased(results: Results) -> tuple[Results, ...]:
    """The results of each phase in the order of time, each with its own runs.

    A phase's digits, and the counts of its part of the gold, stand in for the task's. Runs that
    are of none of the phases were sent before there were any, and come last, as those of a task
    without phases. What is of one phase, or of a task without phases, stays as it is.
    """
    task = results.task
    if results.phase is not None or not task.phases:
        return (results,)
    parts = tuple(_of(results, phase) for phase in task.phases)
    before = _before(results)
    return (*parts, before) if before.entries else parts


def _before(results: Results) -> Results:
    """The runs that are of none of the task's phases."""
    task = results.task
    return replace(
        results,
        task=replace(task, phases=()),
        entries=tuple(e for e in results.entries if task.phase(e.phase) is None),
        earlier=tuple(map(_before, results.earlier)),
    )


def _of(results: Results, phase: Phase) -> Results:
    task = results.task
    digits = phase.digits or task.ranking.digits
    return replace(
        results,
        task=replace(task, ranking=replace(task.ranking, digits=digits)),
        gold=_counted(results.gold, phase),
        entries=tuple(e for e in results.entries if e.phase == phase.name),
        phase=phase,
        earlier=tuple(_of(old, phase) for old in results.earlier),
    )


def _counted(gold: GoldSummary, phase: Phase) -> GoldSummary:
    share = gold.splits.get(phase.split)
    if share is None:
        return gold
    outside = gold.scored - share.scored
    return replace(gold, scored=share.scored, dimensions=share.dimensions, outside=outside)


def current(task: Task, at: datetime) -> Phase | None:
    """The phase that is open; if none is, the last that closed; else the first to come.

    None if the task has no phases.
    """
    over = [phase for phase in task.phases if phase.opens <= at]
    return over[-1] if over else next(iter(task.phases), None)
