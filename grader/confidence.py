"""A confidence from its text, by the task's scale, exactly."""

from collections.abc import Callable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_EVEN, Context, Decimal

import numpy as np

from grader.judge import LONGEST, number
from grader.model import FloatArray, Task

SLACK = Decimal("1e-9")  # this far outside the scale is float noise of the sender's, not a value
_EXACT = Context(prec=1000, rounding=ROUND_HALF_EVEN, Emax=MAX_EMAX, Emin=MIN_EMIN)


class Unreadable(ValueError):  # noqa: N818, the message is for the sender
    """Not a confidence. ``code`` is ``not-a-number`` or ``out-of-range``."""

    def __init__(self, code: str, said: str) -> None:
        super().__init__(said)
        self.code = code


def read_confidence(text: str, task: Task) -> tuple[float, bool]:
    """The confidence, in [0, 1], and whether float noise outside the scale was cut off.

    A percentage is the decimal text with exponent −2; ``precision`` rounds the decimal text
    half to even after scaling; the float64 is the nearest one to that text.

    raises  Unreadable

    >>> read_confidence("85", Task("t", "T", confidence="percent"))
    (0.85, False)
    >>> read_confidence("1.0000000000000002", Task("t", "T"))
    (1.0, True)
    >>> read_confidence("0.125", Task("t", "T", precision=2))
    (0.12, False)
    """
    value, outside = unrounded(text, task)
    if task.precision is not None:
        value = value.quantize(Decimal(1).scaleb(-task.precision), context=_EXACT)
    return abs(float(value)), outside


def unrounded(text: str, task: Task) -> tuple[Decimal, bool]:
    """As ``read_confidence``, before the rounding to the task's ``precision``."""
    value = number(text.strip())
    if value is None:
        raise Unreadable("not-a-number", _not_a_number(text.strip(), task))
    if task.confidence == "percent":
        value = value.scaleb(-2, _EXACT)
    outside = not 0 <= value <= 1
    if outside:
        if not -SLACK <= value <= 1 + SLACK:
            raise Unreadable("out-of-range", _out_of_range(text.strip(), value, task))
        value = Decimal(int(value > 0))
    return value, outside


def confidences(texts: Sequence[str], task: Task) -> FloatArray:
    """Shape (n,): ``read_confidence`` of each text, NaN where it is none.

    >>> confidences(["0.85", "sure", "1e-3", "1.0000000000000002"], Task("t", "T")).tolist()
    [0.85, nan, 0.001, 1.0]
    """
    if task.precision is None:
        return probabilities(texts, task)
    return _each(texts, lambda text: read_confidence(text, task)[0])


def probabilities(texts: Sequence[str], task: Task) -> FloatArray:
    """The same before the rounding to the task's ``precision``.

    A number of digits and a point alone is read by the machine: it is the nearest float64 then
    too, and inside the scale when that is. All others are read as decimals.
    """

    def exact(text: str) -> float:
        return abs(float(unrounded(text, task)[0]))

    whole = "".join(texts)
    digits = whole.isascii() and not whole.encode().translate(None, b"0123456789.")
    if not digits or max(map(len, texts), default=0) > LONGEST:
        return _each(texts, exact)
    tail = "e-2" if task.confidence == "percent" else ""
    try:
        read = map(float, (text + tail for text in texts) if tail else texts)
        found = np.fromiter(read, np.float64, len(texts))
    except ValueError:
        return _each(texts, exact)
    outer = np.flatnonzero((found <= 0) | (found >= 1))
    found[outer] = _each([texts[i] for i in outer.tolist()], exact)
    return found


def _each(texts: Sequence[str], exact: Callable[[str], float]) -> FloatArray:
    known: dict[str, float] = {}
    for text in texts:
        if text not in known:
            try:
                known[text] = exact(text)
            except Unreadable:
                known[text] = np.nan
    return np.fromiter((known[text] for text in texts), np.float64, len(texts))


def other(text: str, task: Task) -> str | None:
    """The probability of a binary task's other label, in decimals; None where this is none.

    >>> other("0.1", Task("t", "T")), other("85", Task("t", "T", confidence="percent"))
    ('0.9', '15')
    """
    try:
        unrounded(text, task)
    except Unreadable:
        return None
    whole = 100 if task.confidence == "percent" else 1
    rest = _EXACT.subtract(Decimal(whole), Decimal(text.strip()))
    said = f"{rest:f}"
    return said if len(said) <= LONGEST else repr(float(rest))  # of 1 − 1e-400 the nearest double


def scale(task: Task) -> str:
    """The scale in words: ``0 to 1`` or ``0 to 100``."""
    return "0 to 100" if task.confidence == "percent" else "0 to 1"


def _not_a_number(text: str, task: Task) -> str:
    shown = repr(text[:40] + "…" if len(text) > 40 else text)
    if not text:
        return f"is empty; a number from {scale(task)} is needed"
    if number(text.replace(",", ".", 1)) is not None:
        return f"{shown} has a decimal comma: write {text.replace(',', '.', 1)}"
    if text.endswith("%") and number(text[:-1].strip()) is not None:
        return f"{shown} has a percent sign; write a plain number from {scale(task)}"
    return f"{shown} is not a plain decimal number from {scale(task)}"


def _out_of_range(text: str, value: Decimal, task: Task) -> str:
    said = f"{text[:40]} is not in the range {scale(task)}"
    if task.confidence == "probability" and 1 < value <= 100:
        return f"{said}; if it is a percentage, divide by 100"
    return said
