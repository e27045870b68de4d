"""A score as printed: numbers become text here, once, and templates only print it."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import NamedTuple

from grader.board import printed, shown, shown_each
from grader.board.values import rounded
from grader.model import Score

_UNMARKED = False  # which cell is the best is known of whole columns
WITHIN = "not distinguishable from calibrated at this n"
_NOISE = tuple(
    f"floor: mean %s, 95%% %s; {verdict}" for verdict in (WITHIN, "above what noise gives")
)


class Cell(NamedTuple):  # long boards have a great many
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

    @property
    def hint(self) -> str:
        """What is said of it when asked: its interval or why it has none, what its mark means."""
        return hint(self.span, self.mark, self.note, self.no_span)

    @property
    def sort(self) -> str:
        """What a table sorts by: the rounded value; empty stands last, as do bounds of one."""
        return sort(self.text, self.mark)


# Of columns these are asked without making a cell of each first.


def span(low: str, high: str) -> str:
    """An interval by its ends."""
    return low and low + (" to " if low[0] == "-" else "–") + high


def hint(interval: str, mark: str, note: str, no_span: str) -> str:
    """What is said of a cell when asked."""
    if mark == "–":
        return note
    said = f"95% interval {interval}" if interval else ""
    if not said and no_span:
        said = f"no interval: {no_span}"
    return f"{said}; {note}" if said and note else said or note


def sort(text: str, mark: str) -> str:
    """What a cell sorts by."""
    none = mark == "–" or text == "∞" or " to " in text
    return "" if none else text


def cell(score: Score | None, digits: int) -> Cell:
    return cells((score,), digits)[0]


def cells(scores: Sequence[Score | None], digits: int, *, spans: bool = True) -> list[Cell]:
    """The cells of a row or a column, made together: long boards have a great many.

    spans  whether they tell intervals
    """
    known = [s for s in scores if s is not None and s.value is not None]
    defined = _defined(known, digits, spans=spans)
    if len(known) == len(scores):
        return list(defined)
    return [
        _undefined(s, digits) if s is None or s.value is None else next(defined) for s in scores
    ]


def _undefined(score: Score | None, digits: int) -> Cell:
    if score is None:
        return Cell()
    text = printed(score, digits)
    mark = "–" if text == shown(None, digits) else "†"
    return Cell(text, mark, score.note or "no reason was given")


def _defined(scores: Sequence[Score], digits: int, *, spans: bool) -> Iterator[Cell]:
    """The cells of scores that have values, made field by field."""
    if not scores:
        return iter(())
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
    return map(
        Cell,
        shown_each(values, digits),
        ["†" if note else "" for note in notes],
        notes,
        repeat(_UNMARKED),
        [None if size is None else int(size) for size in bins],
        shown_each(lows, digits),
        shown_each(highs, digits),
        whys,
        *_floors(scores, digits),
    )


def _floors(
    scores: Sequence[Score], digits: int
) -> tuple[Sequence[str], Sequence[bool], Sequence[str]]:
    """The floors of scores, which values are within theirs, and all of it in words."""
    floors = [one.details.get("floor 95%") for one in scores]
    if floors.count(None) == len(floors):
        return [""] * len(floors), [False] * len(floors), [""] * len(floors)
    if None in floors:
        some = [one for one, floor in zip(scores, floors, strict=True) if floor is not None]
        made, none = zip(*_floors(some, digits), strict=True), ("", False, "")
        rows = [none if floor is None else next(made) for floor in floors]
        texts, within, noises = zip(*rows, strict=True)
        return texts, within, noises
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
