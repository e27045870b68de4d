"""Scores as printed: numbers become text here, once, and templates only print it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from grader.board import printed, shown, shown_each
from grader.board.values import as_shown, rounded
from grader.model import FloatArray, Score

WITHIN = "not distinguishable from calibrated at this n"
_NOISE = tuple(
    f"floor: mean %s, 95%% %s; {verdict}" for verdict in (WITHIN, "above what noise gives")
)


class Cell(NamedTuple):
    """A score as printed. ``note`` is a convention, or with ``mark`` – why there is no value.

    ``bin`` is the n of the one bin that a maximum over bins comes from. ``low`` and ``high`` are
    the ends of the interval; where they are empty, ``no_span`` may say why. ``floor`` is what a
    calibrated run stays within in 95% of cases; ``within`` says that this one does, ``noise`` all
    of it in words.
    """

    text: str = ""
    mark: str = ""
    note: str = ""
    best: bool = False
    bin: int | None = None
    low: str = ""
    high: str = ""
    no_span: str = ""
    floor: str = ""
    within: bool = False
    noise: str = ""

    @property
    def span(self) -> str:
        """The interval; empty if there is none."""
        return span(self.low, self.high)


class Cells(NamedTuple):  # long boards have a great many
    """The cells of a column, field by field."""

    text: Sequence[str]
    mark: Sequence[str]
    note: Sequence[str]
    best: Sequence[bool]
    bin: Sequence[int | None]
    low: Sequence[str]
    high: Sequence[str]
    no_span: Sequence[str]
    floor: Sequence[str]
    within: Sequence[bool]
    noise: Sequence[str]

    @property
    def each(self) -> list[Cell]:
        """The cells one by one."""
        return list(map(Cell, *self))

    @property
    def spans(self) -> list[str]:
        """Their intervals."""
        return list(map(span, self.low, self.high))

    @property
    def sorts(self) -> Sequence[str]:
        """What tables sort by: the rounded values. Empty stands last, as bounds of one do."""
        return list(map(_sort, self.text, self.mark)) if any(self.mark) else self.text


def span(low: str, high: str) -> str:
    """An interval by its ends."""
    return low and low + (" to " if low[0] == "-" else "–") + high


def _sort(text: str, mark: str) -> str:
    none = mark == "–" or text == "∞" or " to " in text
    return "" if none else text


def cell(score: Score | None, digits: int) -> Cell:
    return cells((score,), digits)[0]


def cells(scores: Sequence[Score | None], digits: int) -> list[Cell]:
    """The cells of a row or a column, made together."""
    return numbered(scores, digits)[0].each


def joined(cells: Sequence[Cell]) -> Cells:
    """Cells that were made one by one."""
    return Cells._make(zip(*cells, strict=True) if cells else [()] * len(Cells._fields))


def numbered(
    scores: Sequence[Score | None], digits: int, *, spans: bool = True
) -> tuple[Cells, FloatArray]:
    """The cells of a column, and the numbers in them, each NaN where there is none.

    These are the values, the lower and the upper ends of intervals, and the floors.

    spans  whether they tell intervals
    """
    known = [s for s in scores if s is not None and s.value is not None]
    made, numbers = _defined(known, digits, spans=spans)
    if len(known) == len(scores):
        return made, numbers
    there, defined = [s is not None and s.value is not None for s in scores], iter(made.each)
    each = zip(scores, there, strict=True)
    cells = [next(defined) if one else _undefined(score, digits) for score, one in each]
    found = np.full((len(numbers), len(scores)), np.nan)
    found[:, there] = numbers
    return joined(cells), found


def _undefined(score: Score | None, digits: int) -> Cell:
    if score is None:
        return Cell()
    text = printed(score, digits)
    mark = "–" if text == shown(None, digits) else "†"
    return Cell(text, mark, score.note or "no reason was given")


def _defined(scores: Sequence[Score], digits: int, *, spans: bool) -> tuple[Cells, FloatArray]:
    """The cells of scores that have values."""
    if not scores:
        return joined(()), np.empty((4, 0))
    _, _, _, values, lows, highs, notes, whys, details, _ = zip(*scores, strict=True)
    if not spans:
        lows = highs = (None,) * len(scores)
        whys = ("",) * len(scores)
    if None in lows or None in highs:  # an interval has both ends
        there = [None not in ends for ends in zip(lows, highs, strict=True)]
        lows, highs = (
            tuple(end if both else None for end, both in zip(each, there, strict=True))
            for each in (lows, highs)
        )
    bins = [each.get("n of the bin") for each in details]
    floors = [each.get("floor 95%") for each in details]
    made = Cells(
        shown_each(values, digits),
        ["†" if note else "" for note in notes],
        notes,
        [False] * len(scores),  # which is the best is known of whole columns
        [None if size is None else int(size) for size in bins],
        shown_each(lows, digits),
        shown_each(highs, digits),
        whys,
        *_floors(scores, floors, digits),
    )
    return made, np.array([as_shown(each, digits) for each in (values, lows, highs, floors)])


def _floors(
    scores: Sequence[Score], floors: Sequence[float | None], digits: int
) -> tuple[Sequence[str], Sequence[bool], Sequence[str]]:
    """The floors of scores, which values are within theirs, and all of it in words."""
    if floors.count(None) == len(floors):
        return [""] * len(floors), [False] * len(floors), [""] * len(floors)
    means, above = [one.floor_mean for one in scores], [one.above_floor for one in scores]
    least = shown_each(floors, digits)
    pairs = list(zip(means, floors, strict=True))
    # With a digit more than values have, so that both can be right, but where there are no more.
    told = zip(rounded(means, digits), rounded(floors, digits), strict=True)
    whole = [pair == same for pair, same in zip(pairs, told, strict=True)]
    fine = list(zip(*(shown_each(column, digits + 1) for column in (means, floors)), strict=True))
    short = list(zip(shown_each(means, digits), least, strict=True)) if any(whole) else fine
    said = [
        "" if None in pair else _NOISE[over is True] % (two if no_more else three)
        for pair, over, no_more, two, three in zip(pairs, above, whole, short, fine, strict=True)
    ]
    return least, [over is False for over in above], said
