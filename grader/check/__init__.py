"""From the records of a file to a run in gold order, or to everything that is wrong with it."""

from collections.abc import Iterator, Sequence

import numpy as np

from grader.check.ids import absentees, said_absent
from grader.check.layout import Layout, answer, layout, probabilities, text
from grader.check.rules import MENDS, READING, RULES, SHAPE, Rule
from grader.confidence import read_confidence
from grader.judge import abstains
from grader.model import Gold, Notice, Problem, Raw, Rejected, Run, Task
from grader.tasks.gold import identity

__all__ = ["MENDS", "READING", "RULES", "SHAPE", "Rule", "check"]


def check(records: Sequence[Raw | Problem], task: Task, gold: Gold) -> Run | Rejected:
    """Turn records into a run in gold order, or into every problem found."""
    problems = [r for r in records if isinstance(r, Problem)]
    raws = [r for r in records if isinstance(r, Raw)]
    if not raws and not problems:
        problems.append(Problem("no-rows", "the file has no rows"))
    at = layout(raws, task, gold)
    if raws:
        shape = list(SHAPE.find(raws, at))
        problems += shape or list(_problems(raws, at, tuple(problems)))
    if problems:
        return Rejected(tuple(sorted(dict.fromkeys(problems), key=_place)))
    return _run(raws, at)


def _place(problem: Problem) -> tuple[int, str]:
    return problem.line or 0, problem.code


def _problems(raws: Sequence[Raw], at: Layout, unread: Sequence[Problem]) -> Iterator[Problem]:
    """Yield what every rule finds, each mistake once.

    Ids that may stand on an unread line are not called missing; a field that is not there, or is
    no text, is not called blank as well.
    """
    stopped = any(p.stops for p in unread)
    no_text: set[tuple[int | None, str | None]] = set()
    for rule in RULES:
        for problem in rule.find(raws, at):
            place = problem.line, problem.field
            if problem.code in ("missing-column", "not-text"):
                no_text.add(place)
                yield problem
            elif place in no_text:
                continue
            elif problem.code != "missing-id" or not unread:
                yield problem
            elif not stopped:
                said = f"{problem.message} (some may stand on lines that could not be read)"
                yield Problem(problem.code, said, None, problem.field)


def _run(raws: Sequence[Raw], at: Layout) -> Run:
    lines = {identity(raw, at.task.run.id): raw for raw in raws}
    columns, cut = dict(at.classes), 0
    answers: list[str | None] = []
    confidence = np.ones(len(at.gold.ids))
    table = np.full((len(at.gold.ids), len(at.classes)), np.nan)
    for i, name in enumerate(at.gold.ids):
        raw = lines.get(name)
        if raw is None:
            answers.append(None)
            continue
        given = probabilities(raw, at) or {}
        table[i] = [given.get(label, np.nan) for label, _ in at.classes]
        mine = answer(raw, at, given)
        answers.append(mine)
        column = columns[mine] if mine in given else at.task.run.confidence
        confidence[i], noise = read_confidence(text(raw, column), at.task)
        cut += noise
    return Run(tuple(answers), confidence, tuple(_notices(raws, at, cut)), table)


def _notices(raws: Sequence[Raw], at: Layout, cut: int) -> Iterator[Notice]:
    """Yield what the sender of an accepted run should know."""
    extra = [name for name in at.names if name not in at.used]
    if extra:
        yield Notice("extra-columns", f"not read: {', '.join(repr(n[:40]) for n in extra[:10])}")
    if cut:
        yield Notice("float-noise", f"{cut} confidences within 1e-9 outside the scale were cut")
    if absent := absentees(raws, at):
        treated = "count as wrong at confidence 1" if at.task.missing == "worst" else "left out"
        yield Notice("missing", f"{said_absent(absent, at)}; {treated}")
    dropped = len(at.gold.ids) - int(at.gold.scored.sum())
    if dropped:
        yield Notice("not-scored", f"{dropped} instances of the task do not count")
    refuses = abstains(at.task)
    refusals = sum(refuses(text(raw, at.task.run.answer)) for raw in raws) if at.answered else 0
    if refusals:
        yield Notice("abstained", f"{refusals} refusals, which count as wrong")
    if at.task.confidence == "percent" and at.stated and _all_below_one(raws, at):
        yield Notice("scale", "every confidence is at most 1 on a scale of 0 to 100: is it meant?")


def _all_below_one(raws: Sequence[Raw], at: Layout) -> bool:
    column = at.task.run.confidence
    return len(raws) > 1 and all(float(text(raw, column)) <= 1 for raw in raws)
