"""The primary value of each ranked run with its interval, one below the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.board import lead, shown_each
from grader.model import Measure, Row, Score
from grader.site.pictures.axes import Axis, axis, window
from grader.site.pictures.picture import Data, Picture, as_shown
from grader.site.pictures.runs import KEYS, called, keys, said
from grader.site.sheets import Sheet
from grader.site.versus import ranks_of

LEFT, WIDE, TOP, BESIDE = 200.0, 270.0, 26.0, 200.0
HIGH, LOW = 18.0, 3.0  # of a line that has text, and the most of one that has none
REST = 360.0  # the most of all that have none
MOST = 60  # lines with text


@dataclass(frozen=True, slots=True)
class Line:
    """A run at the height ``y``: its value at ``x``, its interval from ``low`` to ``high``.

    A line without text stands for a run beyond the first MOST.
    """

    said: str
    y: float
    x: float
    low: float | None
    high: float | None
    rank: str = ""
    name: str = ""
    value: str = ""
    ranks: str = ""


@dataclass(frozen=True, slots=True)
class Forest:
    """Lines from the best to the worst; ``gap`` is where those without text begin."""

    measure: Measure
    across: Axis
    lines: tuple[Line, ...]
    bottom: float
    ranked: bool
    height: float
    top: float = TOP
    width: float = LEFT + WIDE + BESIDE


def forest(on: Sheet) -> Picture | None:
    """Every ranked run; None if none is."""
    digits, measure = on.results.task.ranking.digits, lead(on.results)
    found = [(row, on.scores[row.entry.slug].get((measure.key, "all"))) for row in on.board.ranked]
    pairs = [(row, score) for row, score in found if score is not None and score.value is not None]
    if not pairs:
        return None
    across = _across(measure, [score for _, score in pairs], digits)
    cells = tuple(_cells(on, pairs))
    lines = tuple(_lines([row for row, _ in pairs], cells, across))
    told = any(line.ranks for line in lines)
    rest = max(len(lines) - MOST, 0)
    bottom = TOP + HIGH * min(len(lines), MOST) + min(LOW * rest, REST)
    return Picture(
        "forest",
        "forest",
        f"{measure.title} of the ranked runs",
        f"{measure.title} of {len(pairs)} ranked runs, the best first, each with its 95% interval "
        "where one is sound.",
        Forest(measure, across, lines, bottom, told, bottom + 34),
        Data((*KEYS, "may rank", measure.key, "low", "high"), cells, len(KEYS) + 1),
    )


def _across(measure: Measure, scores: list[Score], digits: int) -> Axis:
    values = [
        as_shown(v, digits) for s in scores for v in (s.value, s.low, s.high) if v is not None
    ]
    span = max(values) - min(values)
    return axis(window(values, measure.bounds, max(span, 0.05)), (LEFT, LEFT + WIDE), digits)


def _cells(on: Sheet, pairs: Sequence[tuple[Row, Score]]) -> Iterator[tuple[str, ...]]:
    """Yield what the data has of each run: its keys, ranks and value, and both ends or none."""
    digits, may = on.results.task.ranking.digits, ranks_of(on)
    both = [score.low is not None and score.high is not None for _, score in pairs]
    numbers = (
        [score.value for _, score in pairs],
        [score.low if there else None for (_, score), there in zip(pairs, both, strict=True)],
        [score.high if there else None for (_, score), there in zip(pairs, both, strict=True)],
    )
    told = zip(*(shown_each(column, digits) for column in numbers), strict=True)
    for (row, _), printed in zip(pairs, told, strict=True):
        yield (*keys(row), may.get(row.entry.slug, ""), *printed)


def _lines(rows: Sequence[Row], cells: Sequence[tuple[str, ...]], across: Axis) -> Iterator[Line]:
    """Yield the line of each run, at its place."""
    y, thin = TOP, min(LOW, REST / max(len(rows) - MOST, 1))
    for i, (row, (*_, ranks, value, low, high)) in enumerate(zip(rows, cells, strict=True)):
        tall = HIGH if i < MOST else thin
        text = f"{value} [{low}, {high}]" if low else value
        may = f"; may rank {ranks}" if ranks else ""
        yield Line(
            f"{said(row)}: {text}{may}",
            round(y + tall / 2, 2),
            across.at(float(value)),
            across.at(float(low)) if low else None,
            across.at(float(high)) if high else None,
            *((str(row.rank), called(row), text, ranks) if i < MOST else ()),
        )
        y += tall
