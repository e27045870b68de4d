"""Rules about answers."""

from collections.abc import Callable, Iterator, Mapping

from grader.check.layout import Layout
from grader.judge import abstains, normalise, number
from grader.model import Problem, Task


def blank_answer(at: Layout) -> Iterator[Problem]:
    """Answers that are there and blank. One that is not there is `missing_key`'s to tell."""
    declines = abstains(at.task)
    column = at.task.run.answer
    for i, _ in _wrong(at, lambda text: not text.strip() and not declines(text)):
        if at.cells(column)[i] is not None:
            yield Problem("blank-answer", "the answer is blank", at.lines[i], column)


def not_a_label(at: Layout) -> Iterator[Problem]:
    task = at.task
    if task.answers != "choice":
        return
    known, loose = set(task.labels), _loose(task)
    for i, text in _wrong(at, lambda text: bool(text.strip()) and text not in known):
        if not at.refuses(i):
            yield Problem("not-a-label", _no_label(text, loose), at.lines[i], task.run.answer)


def not_a_class(at: Layout) -> Iterator[Problem]:
    """Columns of probabilities whose class is none of the labels, and so never right."""
    if at.task.answers == "choice":
        loose, known = _loose(at.task), set(at.task.labels)
        for label, column in at.classes:
            if label not in known:
                line = None if at.apart else 1
                yield Problem("not-a-label", _no_label(label, loose), line, column)


def _loose(task: Task) -> dict[str, str]:
    return {normalise(label): label for label in task.labels}


def _no_label(value: str, loose: Mapping[str, str]) -> str:
    near = loose.get(normalise(value))
    hint = f"; did you mean {near!r}?" if near else ""
    return f"{value[:60]!r} is not one of the task's labels{hint}"


def not_numeric(at: Layout) -> Iterator[Problem]:
    task = at.task
    if task.answers != "numeric":
        return
    for i, text in _wrong(at, lambda text: bool(text.strip()) and number(text.strip()) is None):
        if not at.refuses(i):
            said = f"{text[:60]!r} is not a plain number"
            yield Problem("not-numeric", said, at.lines[i], task.run.answer)


def _wrong(at: Layout, wrong: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    return at.where(at.task.run.answer, wrong) if at.answered else iter(())
