"""Rules about the intervals of an interval task."""

import math
from collections.abc import Iterator, Sequence

from grader.check.layout import Layout, text
from grader.judge import number
from grader.model import Problem, Raw

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


def bad_bound(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    run = at.task.run
    for raw in raws if at.intervals else ():
        for column, never in ((run.lower, HIGHEST), (run.upper, LOWEST)):
            cell = text(raw, column).strip()
            if cell in never:
                said = f"{column!r} is {cell}: nothing is in such an interval"
                yield Problem("not-a-bound", said, raw.line, column)
            elif end(cell) is None:
                yield Problem("not-a-bound", _no_bound(cell), raw.line, column)


def _no_bound(cell: str) -> str:
    shown = repr(cell[:40] + "…" if len(cell) > 40 else cell)
    if not cell:
        return "is empty; a number is needed, or inf or -inf"
    if number(cell) is not None:
        return f"{shown} is too large for a number; an end that is nowhere is inf or -inf"
    return f"{shown} is not a plain number, nor inf or -inf"


def crossed(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Intervals whose lower end is above the upper one. Equal ends are one point."""
    run = at.task.run
    for raw in raws if at.intervals else ():
        low, high = text(raw, run.lower).strip(), text(raw, run.upper).strip()
        ends = end(low), end(high)
        if low in HIGHEST or high in LOWEST or ends[0] is None or ends[1] is None:
            continue
        if ends[0] > ends[1]:
            said = f"lower {low[:40]} is above upper {high[:40]}"
            yield Problem("crossed-bounds", said, raw.line, run.lower)


def bad_point(raws: Sequence[Raw], at: Layout) -> Iterator[Problem]:
    """Points, where one is given, that are no number. They are kept and not scored."""
    column = at.task.run.answer
    for raw in raws if at.intervals else ():
        cell = text(raw, column).strip()
        if cell and number(cell) is None:
            said = f"{cell[:60]!r} is not a plain number"
            yield Problem("not-numeric", said, raw.line, column)
