"""From the records of a file to a run in gold order, or to everything that is wrong with it."""

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from grader.check.bounds import end
from grader.check.ids import absentees, said_absent
from grader.check.layout import Layout, answer, layout, text, value
from grader.check.rules import MENDS, READING, RULES, SHAPE, Rule
from grader.confidence import read_confidence
from grader.formats import read
from grader.judge import abstains, outer_space
from grader.model import Gold, Notice, Problem, Raw, Rejected, Run, Task
from grader.plural import counted
from grader.tasks.names import identity

__all__ = ["MENDS", "READING", "RULES", "SHAPE", "Rule", "check", "records"]

SPARE = 1000  # lines beyond two for each instance that are still told one by one


def records(payload: bytes, gold: Gold) -> list[Raw | Problem]:
    """The records of a file, as many as could make sense: more would only fill the memory."""
    most = 2 * len(gold.ids) + SPARE
    found = list(islice(read(payload), most + 1))
    if len(found) > most:
        last = found.pop()
        said = f"more than {most} lines, and the task has {counted(len(gold.ids), 'instance')}"
        found.append(Problem("too-many-rows", said, last.line, stops=True))
    return found


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
    return _intervals(raws, at) if at.intervals else _run(raws, at)


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
    lines = dict(zip((identity(raw, at.task.run.id) for raw in raws), raws, strict=True))
    offers = dict(zip(lines, at.given, strict=True)) if at.given else {}
    columns, cut = dict(at.classes), 0
    answers: list[str | None] = []
    confidence = np.ones(len(at.gold.ids))
    table = np.full((len(at.gold.ids), len(at.classes)), np.nan)
    for i, name in enumerate(at.gold.ids):
        if name not in lines:
            answers.append(None)
            continue
        raw, given = lines[name], offers.get(name) or {}
        table[i] = [given.get(label, np.nan) for label, _ in at.classes]
        mine = answer(raw, at.task, given)
        answers.append(mine)
        column = columns[mine] if mine in given else at.task.run.confidence
        confidence[i], noise = read_confidence(text(raw, column), at.task)
        cut += noise
    notices = (*_extra(at), *_instances(raws, at), *_values(raws, at, answers, cut))
    labels = tuple(label for label, _ in at.classes)
    return Run(tuple(answers), confidence, notices, table, labels)


def _intervals(raws: Sequence[Raw], at: Layout) -> Run:
    """The run of an interval task: ends where answers have confidences."""
    run = at.task.run
    lines = {identity(raw, run.id): raw for raw in raws}
    points: list[str | None] = []
    table = np.full((len(at.gold.ids), 2), np.nan)
    for i, name in enumerate(at.gold.ids):
        raw = lines.get(name)
        points.append(None if raw is None else text(raw, run.answer).strip())
        if raw is not None:
            table[i] = [end(text(raw, column)) for column in (run.lower, run.upper)]
    notices = (*_extra(at), *_instances(raws, at))
    return Run(tuple(points), np.ones(len(points)), notices, bounds=table)


def _extra(at: Layout) -> Iterator[Notice]:
    """Yield the columns that are not read."""
    used = frozenset(at.used)
    extra = [name for name in at.names if name not in used]
    if extra:
        yield Notice("extra-columns", f"not read: {', '.join(repr(n[:40]) for n in extra[:10])}")


def _instances(raws: Sequence[Raw], at: Layout) -> Iterator[Notice]:
    """Yield which instances are absent, and how many do not count."""
    if absent := absentees(raws, at):
        count_ = "counts" if len(absent) == 1 else "count"
        worst = f"{count_} as wrong at confidence 1"
        treated = worst if at.task.missing == "worst" else "left out"
        yield Notice("missing", f"{said_absent(absent, at)}; {treated}")
    dropped = len(at.gold.ids) - int(at.gold.scored.sum())
    if dropped:
        said = counted(dropped, "instance")
        does = "does" if dropped == 1 else "do"
        yield Notice("not-scored", f"{said} of the task {does} not count")


def _values(
    raws: Sequence[Raw], at: Layout, answers: Sequence[str | None], cut: int
) -> Iterator[Notice]:
    """Yield what is odd about answers and confidences that are accepted."""
    if cut:
        was = "was" if cut == 1 else "were"
        said = f"{counted(cut, 'confidence')} within 1e-9 outside the scale {was} cut"
        yield Notice("float-noise", said)
    refuses = abstains(at.task)
    given = [mine for mine in answers if mine is not None]
    refusals = sum(map(refuses, given))
    if refusals:
        count_ = "counts" if refusals == 1 else "count"
        yield Notice("abstained", f"{counted(refusals, 'refusal')}, which {count_} as wrong")
    if spaced := sum(outer_space(mine, at.task) for mine in given):
        said = counted(spaced, "answer", "begins or ends", "begin or end")
        compared = "it is" if spaced == 1 else "they are"
        yield Notice("outer-space", f"{said} with a space; {compared} compared letter for letter")
    if at.task.confidence == "percent" and _all_below_one(raws, at):
        yield Notice("scale", "every confidence is at most 1 on a scale of 0 to 100: is it meant?")


def _all_below_one(raws: Sequence[Raw], at: Layout) -> bool:
    """Whether several confidences are stated, and none is above one percent."""
    cells = (value(raw, at.task.run.confidence, at.task) for raw in raws)
    stated = [sure for sure in cells if sure is not None]
    return len(stated) > 1 and max(stated) <= 0.01
