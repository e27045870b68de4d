"""Runs that a task would take, made up: for its kit, and for its page of how to take part."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from grader.check import check, records
from grader.errors import Mistake
from grader.formats import FORMATS, Format
from grader.judge import abstains
from grader.model import Gold, Raw, Rejected, Task
from grader.tasks.filenames import example
from grader.tasks.names import natural, split

_SURE = tuple(map(Decimal, ("0.75", "0.9", "0.6")))
_ENDS = (("0", "1"), ("-2.5", "4"), ("0.5", "12"))


@dataclass(frozen=True, slots=True)
class Sample:
    """A run in a format, and how its file may be called."""

    format: Format
    file: str
    text: str


def parts(task: Task, name: str) -> list[str]:
    """An id as the columns hold it that it is made of."""
    return split(name) if len(task.gold.id) > 1 else [name]


def samples(task: Task, gold: Gold) -> Iterator[Sample]:
    """Yield a run in every format that the task takes and can be written in, tables first.

    Answers and confidences are made up; each run would be accepted. Of the gold only ids count.
    """
    made = [_sample(task, name, k) for k, name in enumerate(sorted(gold.ids, key=natural))]
    stem = example(task.run.names) if task.run.names else "sample-run"
    for form in FORMATS[::-1]:
        if task.run.format not in ("", form.key) or form.suits(task):
            continue
        try:
            text = form.write(task, made)
        except Mistake:  # it cannot carry these ids or answers
            continue
        found = check(records(text.encode(), task, gold), task, gold)
        if not isinstance(found, Rejected):
            yield Sample(form, f"{stem}.{_ending(form, text)}", text)


def _ending(form: Format, text: str) -> str:
    kind = "json" if text.startswith(("{", "[")) else "txt"
    return form.key if form.table else f"{form.key[:8]}.{kind}"


def _sample(task: Task, name: str, k: int) -> Raw:
    """A record for the k-th id by name."""
    run = task.run
    fields = dict(zip(run.id, parts(task, name), strict=True))
    if task.kind == "interval":
        lower, upper = _ENDS[k % len(_ENDS)]
        return Raw(k, fields | {run.lower: lower, run.upper: upper})
    answer, sure = _answer(task, k), _SURE[k % len(_SURE)]
    classes = {label: column for label, column in run.classes.items() if label != answer}
    if answer in run.classes:
        other = (Decimal(1) - sure) / max(len(classes), 1)
        other = other.quantize(Decimal("1e-6")) if classes else other
        sure = 1 - other * len(classes)
        fields |= {column: _scaled(task, other) for column in classes.values()}
        fields[run.classes[answer]] = _scaled(task, sure)
    return Raw(k, fields | {run.answer: answer, run.confidence: _scaled(task, sure)})


def _scaled(task: Task, p: Decimal) -> str:
    scaled = p * (100 if task.confidence == "percent" else 1)
    return f"{scaled.normalize():f}"


def _answer(task: Task, k: int) -> str:
    """An answer that the task allows and that does not decline, whatever is right."""
    if task.answers == "numeric":
        return "0"
    declines = abstains(task)
    known: Sequence[str] = task.labels or tuple(task.run.classes)
    able = [
        x for x in known if not declines(x) and (not task.run.classes or x in task.run.classes)
    ]
    if known:
        return (able or known)[k % min(2, len(able or known))]
    return next(x for x in ("an answer", "my answer", "some answer", "?") if not declines(x))
