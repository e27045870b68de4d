"""What the formats share that give the probability of one of two labels."""

import re
from collections.abc import Mapping
from decimal import Decimal

from grader.confidence import other
from grader.errors import Mistake
from grader.formats import single, unfit
from grader.judge import number
from grader.model import NotText, Problem, Raw, Task

JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
SLACK = Decimal("0.001")  # of the scale: two spellings of one probability may lie so far apart


def suits(task: Task) -> str:
    """Why a task cannot be read from the probability of one label; empty if it can."""
    if why := single(task):
        return why
    if len(task.labels) != 2:
        return "it gives the probability of one of two labels: the task must declare exactly two"
    return ""


def event(task: Task) -> str:
    """The label whose probability is given where a file does not say it."""
    return task.run.event or task.labels[0]


def probabilities(task: Task, label: str, p: str | NotText) -> dict[str, str | NotText]:
    """The columns of both labels from the probability of one."""
    (second,) = (x for x in task.labels if x != label)
    rest = other(p, task) if isinstance(p, str) else None
    return {_column(task, label): p, **({} if rest is None else {_column(task, second): rest})}


def _column(task: Task, label: str) -> str:
    return task.run.classes.get(label, f"p:{label}")


def completed(
    own: Mapping[str, str | NotText], beside: Mapping[str, str | NotText], task: Task, line: int
) -> Raw | Problem:
    """A record of what a format reads and the keys beside it, which keep their names.

    What both say must be the same; whether it makes sense together is for the check.
    """
    for key in (key for key in beside if key in own):
        one, other_ = beside[key], own[key]
        if not _same(one, other_, task, exactly=key in (*task.run.id, task.run.answer)):
            said = f"{key[:40]!r} is {_shown(one)}, and by the other keys it is {_shown(other_)}"
            return Problem("duplicate-key", said, line, key)
    return Raw(line, {**beside, **own})


def _same(one: str | NotText, two: str | NotText, task: Task, *, exactly: bool) -> bool:
    if isinstance(one, NotText) or isinstance(two, NotText):
        return one == two
    first, second = number(one.strip()), number(two.strip())
    if exactly or first is None or second is None:
        return one.strip() == two.strip()
    return abs(first - second) <= SLACK * (100 if task.confidence == "percent" else 1)


def _shown(cell: str | NotText) -> str:
    return repr(cell[:40]) if isinstance(cell, str) else f"a {cell.kind}"


def written(task: Task, raw: Raw, label: str) -> tuple[str, str, str]:
    """The id, the answer, and the probability of a label as a JSON number, of a record.

    raises  Mistake, for what cannot be carried
    """
    run = task.run
    name, answer = str(raw.fields[run.id[0]]), str(raw.fields[run.answer])
    p = str(raw.fields[run.confidence]).strip()
    if answer not in task.labels:
        raise Mistake(f"the answer {answer!r} of {name!r} is not one of the two labels")
    p = p if answer == label else other(p, task) or ""
    if not JSON_NUMBER.fullmatch(p):
        raise Mistake(f"the confidence of {name!r} is no number that JSON has")
    if unfit(name):
        raise Mistake(f"the id {name!r} holds what no file may hold")
    return name, answer, p


def likelier(task: Task, raw: Raw, label: str) -> tuple[str, str]:
    """The id and the probability of a label, where the answer is the likelier one.

    raises  Mistake, where it is not: a file of probabilities alone cannot say so
    """
    name, answer, p = written(task, raw, label)
    twice = 2 * Decimal(p) - (100 if task.confidence == "percent" else 1)
    (second,) = (x for x in task.labels if x != label)
    if answer != (task.labels[0] if not twice else label if twice > 0 else second):
        raise Mistake(f"the answer {answer!r} of {name!r} is not the likelier label")
    return name, p
