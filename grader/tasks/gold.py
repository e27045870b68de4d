"""Gold files: what is right, in which subsets, in which clusters."""

import math
from collections.abc import Iterator, Sequence
from typing import get_args

import numpy as np

from grader.errors import Mistake
from grader.formats import read
from grader.judge import abstains, number
from grader.measures import find
from grader.model import Dimension, Gold, NotText, Problem, Raw, Standing, Status, Subsets, Task
from grader.plural import counted
from grader.tasks.names import column_hint, controls, identity, no_header

MOST = 40  # problems said of one gold file; the rest is counted


def read_gold(task: Task, payload: bytes, name: str) -> Gold:
    """The gold of a file.

    raises  Mistake, one line for each problem with its line number
    """
    records = list(read(payload))
    problems = [r for r in records if isinstance(r, Problem)]
    raws = [r for r in records if isinstance(r, Raw)]
    if not raws and not problems:
        problems.append(Problem("no-rows", "the file has no rows"))
    problems += _columns(task, raws)
    if not problems:
        problems += _rows(task, raws)
    if problems:
        problems.sort(key=lambda p: p.line or 0)
        said = [f"{name}:{p.line or 1}: {p.code}: {p.message}" for p in problems[:MOST]]
        more = [f"… and {len(problems) - MOST} more"] if len(problems) > MOST else []
        raise Mistake(f"the gold has {counted(len(problems), 'problem')}", *said, *more)
    return Gold(
        ids=tuple(identity(r, task.gold.id) for r in raws),
        answers=tuple(accepted(task, r) for r in raws),
        subsets=tuple(_subsets(d, raws) for d in _dimensions(task, raws)),
        clusters=_texts(raws, task.gold.cluster),
        splits=_texts(raws, task.gold.split),
        standings=_standings(task, raws),
        rejected=((),) * len(raws) if task.answers == "judged" else (),
    )


def _standings(task: Task, raws: Sequence[Raw]) -> tuple[Standing, ...]:
    """An interval without a number to cover would never cover it: such an instance waits.

    Where no instance has an answer, the file is what participants check with: all count.
    """
    waiting = Standing("unjudged", "there is no gold number")
    answered = task.kind == "interval" and any(accepted(task, r) for r in raws)
    said = _texts(raws, task.gold.status) or ("",) * len(raws)
    kinds = {"dropped": Standing("dropped", "the gold says so"), "unjudged": Standing("unjudged")}
    return tuple(
        kinds.get(status, waiting if answered and not accepted(task, raw) else Standing())
        for status, raw in zip(said, raws, strict=True)
    )


def lines(payload: bytes) -> tuple[int, ...]:
    """The line of each instance in a gold file that can be read."""
    return tuple(r.line for r in read(payload) if isinstance(r, Raw))


def accepted(task: Task, raw: Raw) -> tuple[str, ...]:
    """The accepted answers of a gold record; none when its answer is blank, or to be judged."""
    if task.answers == "judged":
        return ()
    answer = raw.fields[task.gold.answer]
    parts: Sequence[str]
    if isinstance(answer, NotText):
        parts = answer.items
    else:
        cut = task.gold.separator
        parts = [p.strip() for p in answer.split(cut)] if cut else [answer]
    return tuple(p for p in parts if p.strip())


def _dimensions(task: Task, raws: Sequence[Raw]) -> list[Dimension]:
    return [
        d for d in task.gold.subsets if not d.optional or any(d.name in r.fields for r in raws)
    ]


def _columns(task: Task, raws: Sequence[Raw]) -> Iterator[Problem]:
    """Yield every column that the task names and a record does not have."""
    gold = task.gold
    answer = () if task.answers == "judged" else (gold.answer,)
    wanted = [*gold.id, *answer, *filter(None, (gold.cluster, gold.split, gold.status))]
    averaged = {find(key).dimension for key in task.keys}
    wanted += [d.name for d in gold.subsets if not d.optional or d.name in averaged]
    names = list(dict.fromkeys(name for raw in raws for name in raw.fields))
    if raws and not set(wanted) & set(names):
        yield Problem("missing-column", no_header(wanted, names, raws[0].line), 1)
        return
    for column in dict.fromkeys(wanted):
        absent = [r.line for r in raws if column not in r.fields]
        if absent:
            has = ", ".join(map(repr, raws[0].fields))
            hint = column_hint(column, [n for n in names if n not in wanted])
            said = f"there is no column {column!r}; the file has {has}{hint}"
            yield Problem("missing-column", said, absent[0] if len(absent) < len(raws) else 1)


def _rows(task: Task, raws: Sequence[Raw]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    refuses = abstains(task)
    for raw in raws:
        parts = [raw.fields[c] for c in task.gold.id]
        name = identity(raw, task.gold.id)
        if any(isinstance(p, NotText) or not p.strip() for p in parts):
            yield Problem("empty-id", "the id is empty", raw.line)
        elif (seen := first.setdefault(name, raw.line)) != raw.line:
            yield Problem("duplicate-id", f"{name!r} is already on line {seen}", raw.line)
        if task.answers != "judged" and _odd(raw, task):
            yield Problem("bad-answer", "the answer is no text and no list of texts", raw.line)
        if task.kind == "interval" and len(accepted(task, raw)) > 1:
            said = "the gold of an interval task is one number"
            yield Problem("bad-answer", said, raw.line)
        for answer in accepted(task, raw):
            if why := _unfit(task, answer):
                yield Problem("bad-answer", f"{answer!r} {why}", raw.line)
            elif refuses(answer):
                yield Problem("bad-answer", f"{answer!r} is also in abstain", raw.line)
        yield from _cells(task, raw)


def _odd(raw: Raw, task: Task) -> bool:
    answer = raw.fields[task.gold.answer]
    return isinstance(answer, NotText) and answer.kind in ("object", "mixed list")


def _unfit(task: Task, answer: str) -> str:
    if task.answers == "choice" and answer not in task.labels:
        return "is not among labels"
    numeric = task.answers == "numeric" or task.kind == "interval"
    if numeric and number(answer.strip()) is None:
        plain = number(answer.strip().replace(",", ".", 1)) is not None
        return "has a decimal comma: write a point" if plain else "is not a number"
    if task.kind == "interval" and math.isinf(float(answer)):
        return "is too large"
    return ""


def _cells(task: Task, raw: Raw) -> Iterator[Problem]:
    """Yield what is wrong with a record's subsets, cluster and split."""
    for dimension in task.gold.subsets:
        value = raw.fields.get(dimension.name, "")
        if isinstance(value, NotText):
            yield Problem("bad-subset", f"{dimension.name!r} is a {value.kind}", raw.line)
        elif controls(value):
            said = f"{value!r} holds a control character"
            yield Problem("bad-subset", f"{dimension.name!r}: {said}", raw.line)
        elif dimension.values and value.strip() and value.strip() not in dimension.values:
            known = ", ".join(map(repr, dimension.values))
            said = f"{value!r} is not a value of {dimension.name!r}: {known}"
            yield Problem("bad-subset", said, raw.line)
    status = raw.fields[task.gold.status] if task.gold.status else ""
    if isinstance(status, NotText) or status.strip() not in ("", *get_args(Status)):
        said = f"{status!r} is none of scored, dropped and unjudged"
        yield Problem("bad-status", said, raw.line)
    for column in filter(None, (task.gold.cluster, task.gold.split)):
        value = raw.fields[column]
        if isinstance(value, NotText) or not value.strip():
            yield Problem("empty-cell", f"{column!r} is empty", raw.line)
        elif column == task.gold.split and value.strip() not in ("public", "private"):
            yield Problem("bad-split", f"{value!r} is neither public nor private", raw.line)


def _subsets(dimension: Dimension, raws: Sequence[Raw]) -> Subsets:
    """Values in declared order, else in the order of the gold; a blank one is in no subset."""
    cells = [str(r.fields.get(dimension.name, "")).strip() for r in raws]
    values = dimension.values or tuple(dict.fromkeys(c for c in cells if c))
    place = {value: i for i, value in enumerate(values)}
    return Subsets(dimension.name, values, np.array([place.get(c, -1) for c in cells]))


def _texts(raws: Sequence[Raw], column: str) -> tuple[str, ...]:
    return tuple(str(r.fields[column]).strip() for r in raws) if column else ()
