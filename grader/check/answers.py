"""Rules about answers."""

from collections.abc import Iterator, Sequence

from grader.check.layout import Layout, text
from grader.judge import abstains, normalise, number
from grader.model import Problem, Raw


def blank_answer(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    refuses = abstains(at.task)
    column = at.task.run.answer
    for raw in raws if at.answered else ():
        value = text(raw, column)
        if not value.strip() and not refuses(value):
            yield Problem("blank-answer", "the answer is blank", raw.line, column)


def not_a_label(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    task = at.task
    if task.answers != "choice" or not at.answered:
        return
    refuses = abstains(task)
    loose = {normalise(label): label for label in task.labels}
    for raw in raws:
        value = text(raw, task.run.answer)
        if value.strip() and value not in task.labels and not refuses(value):
            near = loose.get(normalise(value))
            hint = f"; did you mean {near!r}?" if near else ""
            said = f"{value[:60]!r} is not one of the task's labels{hint}"
            yield Problem("not-a-label", said, raw.line, task.run.answer)


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
