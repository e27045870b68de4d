"""From the records of a file to a run in gold order, or to everything that is wrong with it."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from grader.check.bounds import end
from grader.check.ids import absentees, said_absent
from grader.check.layout import Layout
from grader.check.rules import MENDS, READING, RULES, SHAPE, WAIVABLE
from grader.confidence import read_confidence
from grader.formats import read_run
from grader.judge import abstains, outer_space
from grader.model import Gold, IntArray, Notice, Problem, Rejected, Run, Sheet, Task
from grader.plural import counted

__all__ = ["MENDS", "READING", "RULES", "SHAPE", "WAIVABLE", "check", "records"]

_OF_ANSWERS = frozenset(("blank-answer", "not-a-label"))
SPARE = 1000  # lines beyond two for each instance that are still told one by one


def records(payload: bytes, task: Task, gold: Gold) -> Sheet:
    """The records of a file, as many as could make sense: more would only fill the memory."""
    sheet = read_run(payload, task, 2 * len(gold.ids) + SPARE)
    task_has = f", and the task has {counted(len(gold.ids), 'instance')}"
    problems = (
        replace(p, message=p.message + task_has) if p.code == "too-many-rows" else p
        for p in sheet.problems
    )
    return replace(sheet, problems=tuple(problems))


def check(sheet: Sheet, task: Task, gold: Gold) -> Run | Rejected:
    """Turn records into a run in gold order, or into every problem found that is not waived."""
    problems = list(sheet.problems)
    if not sheet.lines and not problems:
        problems.append(Problem("no-rows", "the file has no rows"))
    at = Layout(task, gold, sheet)
    if sheet.lines:
        problems += list(SHAPE(at)) or list(_found(at))
    overlooked = _overlooked(at)
    if rest := [p for p in problems if p.code not in overlooked]:
        return Rejected(tuple(sorted(dict.fromkeys(rest), key=_place)))
    run = _intervals(at) if at.intervals else _run(at)
    return replace(run, notices=(*run.notices, *_waived(problems))) if problems else run


def _overlooked(at: Layout) -> frozenset[str]:
    """The codes of problems that make no run refused.

    Beside class probabilities an answer that is none of the classes has no confidence.
    """
    if not at.task.waived:
        return frozenset()
    return frozenset(at.task.waived) - (_OF_ANSWERS if at.classes else frozenset())


def _waived(problems: Sequence[Problem]) -> Iterator[Notice]:
    """Yield how often each problem was found that organisers overlook, and what it then means."""
    for code, n in sorted(Counter(problem.code for problem in problems).items()):
        yield Notice("waived", f"{counted(n, 'time')} {code}, overlooked: {WAIVABLE[code]}")


def _found(at: Layout) -> Iterator[Problem]:
    """Yield what every rule finds; where records share a line, with the id of the record.

    Such records (of JSON on few lines) are told apart by their places while rules are asked.
    """
    if len(set(at.lines)) == len(at.lines):
        yield from _problems(at, at.sheet.problems)
        return
    items = replace(at.sheet, lines=range(1, len(at.lines) + 1))
    apart = Layout(at.task, at.gold, items, apart=True)
    for problem in _problems(apart, at.sheet.problems):
        if problem.line is None:
            yield problem
            continue
        i = problem.line - 1
        name = repr(at.ids[i][:60])
        said = (
            problem.message if problem.message.startswith(name) else f"{name}: {problem.message}"
        )
        yield replace(problem, line=at.lines[i], message=said)


def _place(problem: Problem) -> tuple[int, str]:
    return problem.line or 0, problem.code


def _problems(at: Layout, unread: tuple[Problem, ...]) -> Iterator[Problem]:
    """Yield what every rule finds, each mistake once.

    Ids that may stand on an unread line are not called missing; a field that is not there, or is
    no text, is not called blank as well.
    """
    stopped = any(p.stops for p in unread)
    no_text: set[tuple[int | None, str | None]] = set()
    for rule in RULES:
        for problem in rule(at):
            place = problem.line, problem.field
            if problem.code in ("missing-column", "wrong-type"):
                no_text.add(place)
                yield problem
            elif place in no_text:
                continue
            elif problem.code != "missing-id" or not unread:
                yield problem
            elif not stopped:
                said = f"{problem.message} (some may stand on lines that could not be read)"
                yield Problem(problem.code, said, None, problem.field)


def _run(at: Layout) -> Run:
    given = at.answers
    answers = tuple(None if i is None else given[i] for i in at.at)
    there, places = _joined(at)
    confidence = np.ones(len(at.gold.ids))
    confidence[there] = at.confidences[places]
    table = np.full((len(answers), len(at.classes)), np.nan)
    table[there] = at.table[places]
    refused = np.zeros(len(answers) if at.sheet.refusals else 0, dtype=np.bool_)
    if at.sheet.refusals:
        refused[there] = [i in at.sheet.refusals for i in places.tolist()]
    notices = (*_extra(at), *_instances(at), *_values(at, places))
    labels = tuple(label for label, _ in at.classes)
    return Run(answers, confidence, notices, table, labels, refused=refused)


def _joined(at: Layout) -> tuple[IntArray, IntArray]:
    """The places in the gold of the instances that have a record, and those of the records."""
    places = np.array([-1 if i is None else i for i in at.at], dtype=np.intp)
    there = np.flatnonzero(places >= 0)
    return there, places[there]


def _intervals(at: Layout) -> Run:
    """The run of an interval task: ends where answers have confidences."""
    run = at.task.run
    given = at.texts(run.answer)
    points = tuple(None if i is None else given[i].strip() for i in at.at)
    there, places = _joined(at)
    table = np.full((len(points), 2), np.nan)
    for k, column in enumerate((run.lower, run.upper)):
        texts = at.texts(column)
        table[there, k] = [end(texts[i]) for i in places.tolist()]
    notices = (*_extra(at), *_instances(at))
    return Run(points, np.ones(len(points)), notices, bounds=table)


def _extra(at: Layout) -> Iterator[Notice]:
    """Yield the columns, and other parts of the file, that are not read."""
    used = frozenset(at.used)
    extra = [name for name in at.names if name not in used]
    if extra:
        yield Notice("extra-columns", f"not read: {', '.join(repr(n[:40]) for n in extra[:10])}")
    yield from at.sheet.notices


def _instances(at: Layout) -> Iterator[Notice]:
    """Yield which instances are absent, and how many do not count."""
    if absent := absentees(at):
        count_ = "counts" if len(absent) == 1 else "count"
        worst = f"{count_} as wrong at confidence 1"
        treated = worst if at.task.missing == "worst" else "left out"
        yield Notice("missing", f"{said_absent(absent, at)}; {treated}")
    dropped = len(at.gold.ids) - int(at.gold.scored.sum())
    if dropped:
        said = counted(dropped, "instance")
        does = "does" if dropped == 1 else "do"
        yield Notice("not-scored", f"{said} of the task {does} not count")


def _values(at: Layout, places: IntArray) -> Iterator[Notice]:
    """Yield what is odd about answers and confidences that are accepted."""
    if cut := _cut(at, places):
        was = "was" if cut == 1 else "were"
        said = f"{counted(cut, 'confidence')} within 1e-9 outside the scale {was} cut"
        yield Notice("float-noise", said)
    given, kinds = at.answers, set(at.answers)
    if n := _refusals(at, kinds):
        count_ = "counts" if n == 1 else "count"
        yield Notice("abstained", f"{counted(n, 'refusal')}, which {count_} as wrong")
    spaces = {mine for mine in kinds if outer_space(mine, at.task)}
    if spaced := sum(mine in spaces for mine in given) if spaces else 0:
        said = counted(spaced, "answer", "begins or ends", "begin or end")
        compared = "it is" if spaced == 1 else "they are"
        yield Notice("outer-space", f"{said} with a space; {compared} compared letter for letter")
    if at.task.confidence == "percent" and at.stated and _all_below_one(at):
        yield Notice("scale", "every confidence is at most 1 on a scale of 0 to 100: is it meant?")


def _refusals(at: Layout, kinds: Collection[str]) -> int:
    declines = abstains(at.task)
    declined = {text for text in kinds if declines(text)}
    said = {i for i, text in enumerate(at.answers) if text in declined} if declined else set()
    return len(said | at.sheet.refusals)


def _cut(at: Layout, places: IntArray) -> int:
    """How many confidences lay outside the scale by no more than float noise."""
    sure = at.confidences[places]
    ends = places[(sure == 0) | (sure == 1)]
    if not ends.size:
        return 0
    texts = [at.sayings[i] for i in ends.tolist()]
    outside = {text for text in set(texts) if read_confidence(text, at.task)[1]}
    return sum(text in outside for text in texts)


def _all_below_one(at: Layout) -> bool:
    """Whether several confidences are stated, and none is above one percent."""
    stated = at.sure[~np.isnan(at.sure)]
    return len(stated) > 1 and bool(stated.max() <= 0.01)
