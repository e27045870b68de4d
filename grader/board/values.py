"""A run's scores as boards read and print them."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from grader.measures import find, within
from grader.measures.intervals import ENDLESS
from grader.model import Entry, FloatArray, Measure, Results, Score

LARGE = 1e15  # a width this large has no decimals any more
_BLOCK = 1000  # numbers one after the other whose texts are made together
_EXACT = 1e12  # below it products with a power of ten are less than a thousandth off


def shown(value: float | None, digits: int) -> str:
    """A value as every page shows it: fixed decimals, no minus zero; a dash if undefined.

    From LARGE on the decimals are those of a power of ten.

    >>> shown(0.12345, 3), shown(-0.0001, 3), shown(None, 3)
    ('0.123', '0.000', '–')
    """
    if value is None:
        return "–"
    # Long boards show very many, and an f-string with decimals in it takes longer.
    text = ("%.*f" if -LARGE < value < LARGE else "%.*e") % (digits, value)
    return text[1:] if text[0] == "-" and float(text) == 0 else text


def shown_each(values: Sequence[float | None], digits: int) -> list[str]:
    """Each as ``shown``, made together; empty where there is none.

    >>> shown_each([0.12345, None, -0.0001], 3), shown_each([], 3)
    (['0.123', '', '0.000'], [])
    """
    known = tuple([value for value in values if value is not None])
    if len(known) < len(values):
        there = iter(shown_each(known, digits))
        return ["" if value is None else next(there) for value in values]
    if not known or min(known) <= -LARGE or max(known) >= LARGE:
        return [shown(value, digits) for value in known]
    made = f"%.{digits}f " * len(known) % known
    none = shown(0.0, digits)
    return made.replace(f"-{none} ", f"{none} ").split()


def shown_columns(
    columns: Sequence[Sequence[float | None]], digits: int
) -> tuple[list[list[str]], FloatArray]:
    """Columns of one length as ``shown_each`` has them, and the numbers of these texts, else NaN.

    In many few differ: all that there may be between the least and the largest are printed once.

    >>> texts, numbers = shown_columns([[0.12, None], [0.14, -0.0001]], 1)
    >>> texts, numbers.tolist()
    ([['0.1', ''], ['0.1', '0.0']], [[0.1, nan], [0.1, 0.0]])
    """
    numbers = as_shown(list(chain.from_iterable(columns)), digits).reshape(len(columns), -1)
    with np.errstate(over="ignore"):
        steps = np.rint(numbers * 10.0**digits)
    least = np.fmin.reduce(steps, axis=None, initial=np.nan)
    most = np.fmax.reduce(steps, axis=None, initial=np.nan)
    if not (least > -_EXACT and most < min(least + numbers.size, _EXACT)):
        return [shown_each(column, digits) for column in columns], numbers
    first, last = least // _BLOCK, most // _BLOCK
    at = np.fmax(steps - first * _BLOCK + 1, 0).astype(int)  # 0 where there is none
    return _texts(first, last, digits)[at].tolist(), numbers


@lru_cache(1 << 5)
def _texts(first: float, last: float, digits: int) -> NDArray[np.object_]:
    """No text, and then those of all numbers from a block of them to another."""
    steps = np.arange(first * _BLOCK, (last + 1) * _BLOCK)
    return np.array(["", *shown_each((steps / 10.0**digits).tolist(), digits)], object)


def rounded(values: Sequence[float | None], digits: int) -> list[float | None]:
    """The numbers that ``shown`` prints, of many values at once.

    >>> rounded([0.12345, -0.0001, None, 0.0625], 3)
    [0.123, 0.0, None, 0.062]
    """
    found: list[float | None] = as_shown(values, digits).tolist()
    if None not in values:
        return found
    return [None if value is None else x for value, x in zip(values, found, strict=True)]


def as_shown(values: Sequence[float | None], digits: int) -> FloatArray:
    """The same as an array, NaN where there is none."""
    exact, scale = np.array(values, np.float64), 10.0**digits
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = exact * scale
        whole = np.rint(scaled) + 0.0  # no -0
        # A product is not exact: near a half, as of large numbers, the digits themselves decide.
        sure = (np.abs(scaled - whole) < 0.499) & (np.abs(scaled) < _EXACT)
    found: FloatArray = whole / scale
    for i in np.flatnonzero(~(sure | np.isnan(exact))).tolist():
        found[i] = float(shown(values[i], digits))
    return found


def printed(score: Score | None, digits: int) -> str:
    """A score as every page shows it: ∞ where it is undefined because a width is infinite.

    While answers are not judged, how far it may still go: ``0.512 to 0.604``.
    """
    if score is None or score.value is not None:
        return shown(score.value if score else None, digits)
    if score.extremes:
        return " to ".join(shown(end, digits) for end in score.extremes)
    return "∞" if score.note.startswith(ENDLESS) else shown(None, digits)


def lead(results: Results, subset: str = "all") -> Measure:
    """The measure that ranks a subset: the primary; for a part, what a macro is a mean of."""
    primary = find(results.task.primary)
    return primary if subset == "all" else within(primary)


def score(entry: Entry, key: str, subset: str = "all") -> Score | None:
    """A run's score; None if the run was not scored on it."""
    return None if entry.graded is None else entry.graded.by_key.get((key, subset))
