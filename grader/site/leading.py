"""The ranked runs of a board by its primary alone, as the home page and a frame show them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from grader.model import Measure, Row
from grader.site.cells import Cell, cells
from grader.site.sheets import Sheet, measures

IN_VIEW = 3  # measures of the first run


@dataclass(frozen=True, slots=True)
class Point:
    """A ranked run and its primary, at its place from 0 to 100 between the measure's bounds."""

    row: Row
    cell: Cell
    place: float


def ranked(on: Sheet, most: int | None = None) -> tuple[tuple[Row, Cell], ...]:
    """The first ranked runs, or all of them, each with its primary."""
    rows, (primary, *_) = on.board.ranked[:most], measures(on.results)
    scores = [on.scores[row.entry.slug].get((primary.key, "all")) for row in rows]
    return tuple(zip(rows, cells(scores, on.results.task.ranking.digits), strict=True))


def first(on: Sheet) -> tuple[tuple[Measure, Cell], ...]:
    """The first ranked run by the measures that are in view: there is one."""
    chosen = measures(on.results)[:IN_VIEW]
    scores = on.scores[on.board.ranked[0].entry.slug]
    found = [scores.get((measure.key, "all")) for measure in chosen]
    return tuple(zip(chosen, cells(found, on.results.task.ranking.digits), strict=True))


def spread(on: Sheet) -> tuple[Point, ...]:
    """The ranked runs on a line, the best first; none where the measure has no end."""
    low, high = measures(on.results)[0].bounds
    if not math.isfinite(high):
        return ()
    return tuple(_points(on, low, high))


def _points(on: Sheet, low: float, high: float) -> Iterator[Point]:
    for row, cell in ranked(on):
        share = (float(cell.text) - low) / (high - low)
        yield Point(row, cell, round(100 * min(max(share, 0.0), 1.0), 1))
