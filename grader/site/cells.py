"""Scores as printed: numbers become text here, once, and templates only print it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from grader.board import printed, shown, shown_each
from grader.board.values import shown_columns
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
    known = _known(scores, spans=True)
    made = _defined(known, [shown_each(each, digits) for each in known.numbers], digits)
    return _among(scores, made, digits)


def numbered(
    scores: Sequence[Score | None], digits: int, *, spans: bool = True
) -> tuple[Cells, FloatArray]:
    """The cells of a long column, and the numbers in them, each NaN where there is none.

    These are the values, the lower and the upper ends of intervals, and the floors.

    spans  whether they tell intervals
    """
    known = _known(scores, spans=spans)
    texts, numbers = shown_columns(known.numbers, digits)
    made = _defined(known, texts, digits)
    if len(known.scores) == len(scores):
        return made, numbers
    found = np.full((len(numbers), len(scores)), np.nan)
    found[:, [_has_value(score) for score in scores]] = numbers
    return joined(_among(scores, made, digits)), found


def joined(cells: Sequence[Cell]) -> Cells:
    """Cells that were made one by one."""
    return Cells._make(zip(*cells, strict=True) if cells else [()] * len(Cells._fields))


def _has_value(score: Score | None) -> bool:
    return score is not None and score.value is not None


def _among(scores: Sequence[Score | None], made: Cells, digits: int) -> list[Cell]:
    """The cells of scores, of which those of the ones with values are made."""
    each = iter(made.each)
    return [next(each) if _has_value(score) else _undefined(score, digits) for score in scores]


def _undefined(score: Score | None, digits: int) -> Cell:
    if score is None:
        return Cell()
    text = printed(score, digits)
    mark = "–" if text == shown(None, digits) else "†"
    return Cell(text, mark, score.note or "no reason was given")


class _Known(NamedTuple):
    """Scores that have values, and by columns what cells show of them.

    ``numbers`` are the values, the lower and the upper ends of intervals, and the floors.
    """

    scores: Sequence[Score]
    numbers: Sequence[Sequence[float | None]]
    notes: Sequence[str]
    whys: Sequence[str]
    details: Sequence[Mapping[str, float]]


def _known(scores: Sequence[Score | None], *, spans: bool) -> _Known:
    known = [score for score in scores if score is not None and score.value is not None]
    each = zip(*known, strict=True) if known else [()] * len(Score._fields)
    _, _, _, values, lows, highs, notes, whys, details, _ = each
    if not spans:
        lows = highs = (None,) * len(known)
        whys = ("",) * len(known)
    if None in lows or None in highs:  # an interval has both ends
        lows, highs = _beside(lows, highs), _beside(highs, lows)
    floors = [one.get("floor 95%") for one in details]
    return _Known(known, (values, lows, highs, floors), notes, whys, details)


def _beside(
    ends: Sequence[float | None], others: Sequence[float | None]
) -> tuple[float | None, ...]:
    """Some ends of intervals, where the others are known too."""
    both = zip(ends, others, strict=True)
    return tuple([None if other is None else end for end, other in both])


def _defined(known: _Known, texts: Sequence[Sequence[str]], digits: int) -> Cells:
    """The cells of scores that have values, whose numbers are these texts."""
    values, lows, highs, floors = texts
    bins = [each.get("n of the bin") for each in known.details]
    return Cells(
        values,
        ["†" if note else "" for note in known.notes],
        known.notes,
        [False] * len(bins),  # which is the best is known of whole columns
        [None if size is None else int(size) for size in bins],
        lows,
        highs,
        known.whys,
        floors,
        *_within(known, digits),
    )


def _within(known: _Known, digits: int) -> tuple[Sequence[bool], Sequence[str]]:
    """Which of some values are within their floors, and all there is to say of these, in words."""
    within, said = [False] * len(known.scores), [""] * len(known.scores)
    at = [i for i, floor in enumerate(known.numbers[-1]) if floor is not None]
    if not at:
        return within, said
    some = [known.scores[i] for i in at]
    pairs = [one.floor_mean for one in some], [one.floor_95 for one in some]
    short, numbers = shown_columns(pairs, digits)
    # With a digit more than values have, so that both can be right, but where there are no more.
    whole = (numbers == np.array(pairs, np.float64)).all(axis=0).tolist()
    fine, _ = shown_columns(pairs, digits + 1)
    texts = (zip(*each, strict=True) for each in (short, fine))
    for i, one, no_more, two, three in zip(at, some, whole, *texts, strict=True):
        within[i] = one.above_floor is False
        said[i] = _NOISE[not within[i]] % (two if no_more else three) if all(three) else ""
    return within, said
