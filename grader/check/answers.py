"""Rules about answers."""

from collections.abc import Iterator, Mapping, Sequence

from grader.check.layout import Layout, text
from grader.judge import abstains, normalise, number
from grader.model import Problem, Raw, Task


def blank_answer(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Answers that are there and blank. One that is not there is `missing_key`'s to tell."""
    refuses = abstains(at.task)
    column = at.task.run.answer
    for raw in raws if at.answered else ():
        value = text(raw, column)
        if column in raw.fields and not value.strip() and not refuses(value):
            yield Problem("blank-answer", "the answer is blank", raw.line, column)


def not_a_label(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    task = at.task
    if task.answers != "choice" or not at.answered:
        return
    refuses, loose = abstains(task), _loose(task)
    known = set(task.labels)
    for raw in raws:
        value = text(raw, task.run.answer)
        if value.strip() and value not in known and not refuses(value):
            yield Problem("not-a-label", _no_label(value, loose), raw.line, task.run.answer)


def not_a_class(_: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Columns of probabilities whose class is none of the labels, and so never right."""
    if at.task.answers == "choice":
        loose, known = _loose(at.task), set(at.task.labels)
        for label, column in at.classes:
            if label not in known:
                yield Problem("not-a-label", _no_label(label, loose), 1, column)


def _loose(task: Task) -> dict[str, str]:
    return {normalise(label): label for label in task.labels}


def _no_label(value: str, loose: Mapping[str, str]) -> str:
    near = loose.get(normalise(value))
    hint = f"; did you mean {near!r}?" if near else ""
    return f"{value[:60]!r} is not one of the task's labels{hint}"


def not_numeric(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    task = at.task
    if task.answers != "numeric" or not at.answered:
        return
    refuses = abstains(task)
    for raw in raws:
        value = text(raw, task.run.answer)
        if value.strip() and number(value.strip()) is None and not refuses(value):
            said = f"{value[:60]!r} is not a plain number"
            yield Problem("not-numeric", said, raw.line, task.run.answer)
