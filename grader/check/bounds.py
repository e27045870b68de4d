"""Rules about the intervals of an interval task."""

import math
from collections.abc import Iterator

from grader.check.layout import Layout
from grader.judge import number
from grader.model import Problem

LOWEST, HIGHEST = ("-inf",), ("inf", "+inf")  # ends that are there in name only


def end(cell: str) -> float | None:
    """An end of an interval; None if it is not one.

    >>> end(" 1e3 "), end("-inf"), end("1e400"), end("nan"), end("∞")
    (1000.0, -inf, None, None, None)
    """
    cell = cell.strip()
    if cell in (*LOWEST, *HIGHEST):
        return float(cell)
    value = math.inf if number(cell) is None else float(cell)
    return None if math.isinf(value) else value + 0.0


def bad_bound(at: Layout) -> Iterator[Problem]:
    run = at.task.run
    for column, never in ((run.lower, HIGHEST), (run.upper, LOWEST)) if at.intervals else ():
        for line, text in zip(at.lines, at.texts(column), strict=True):
            cell = text.strip()
            if cell in never:
                said = f"{column!r} is {cell}: nothing is in such an interval"
                yield Problem("not-a-bound", said, line, column)
            elif end(cell) is None:
                yield Problem("not-a-bound", _no_bound(cell), line, column)


def _no_bound(cell: str) -> str:
    shown = repr(cell[:40] + "…" if len(cell) > 40 else cell)
    if not cell:
        return "is empty; a number is needed, or inf or -inf"
    if number(cell) is not None:
        return f"{shown} is too large for a number; an end that is nowhere is inf or -inf"
    return f"{shown} is not a plain number, nor inf or -inf"


def crossed(at: Layout) -> Iterator[Problem]:
    """Intervals whose lower end is above the upper one. Equal ends are one point."""
    run = at.task.run
    if not at.intervals:
        return
    for line, *ends in zip(at.lines, at.texts(run.lower), at.texts(run.upper), strict=True):
        low, high = (cell.strip() for cell in ends)
        lower, upper = end(low), end(high)
        if low in HIGHEST or high in LOWEST or lower is None or upper is None:
            continue
        if lower > upper:
            said = f"lower {low[:40]} is above upper {high[:40]}"
            yield Problem("crossed-bounds", said, line, run.lower)


def bad_point(at: Layout) -> Iterator[Problem]:
    """Points, where one is given, that are no number. They are kept and not scored."""
    column = at.task.run.answer
    if not at.intervals:
        return
    for i, text in at.where(column, lambda cell: number(cell.strip()) is None):
        if cell := text.strip():
            said = f"{cell[:60]!r} is not a plain number"
            yield Problem("not-numeric", said, at.lines[i], column)
