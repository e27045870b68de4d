"""Neighbouring confidences joined, so that resamples of many distinct ones stay cheap."""

from collections.abc import Iterable

import numpy as np

from grader.measures.mass import sizes
from grader.model import Cells, FloatArray, IntArray

LEVELS = 512  # distinct confidences up to which nothing is joined: 1,024 pairs with the outcome
MARKS = 120  # groups of equal mass that more of them are joined into, cut at the usual bins' edges
USUAL = (15, 20)  # numbers of equal-width bins whose edges no group crosses, nor their divisors'
FINE = 20  # bins up to which there are intervals


def usual(bins: int) -> bool:
    """Whether the edges of so many equal-width bins are among those of the USUAL numbers."""
    return any(many % bins == 0 for many in USUAL)


def grouped(cells: Cells, bins: int = FINE) -> tuple[Cells, IntArray]:
    """Neighbouring levels joined where there are more than LEVELS, and the group of each level.

    A group's level is the mean of its instances' confidences. No group crosses an edge of the
    USUAL numbers of equal-width bins or of their divisors, or with ``bins`` that are none of these
    of those; nor one of at least MARKS equal-mass bins, a multiple of ``bins``.
    """
    if len(cells.level) <= LEVELS:
        return cells, np.arange(len(cells.level))
    place = cells.place[0]
    widths = USUAL if usual(bins) else (bins,)
    cuts = np.unique(np.searchsorted(cells.level, _edges(widths), side="right"))
    marks = bins * -(-MARKS // bins)
    ends = np.searchsorted(place, np.arange(marks + 1) * (cells.n[0] / marks) - 1e-6)
    starts = np.unique(np.concatenate(([0], cuts, ends)))
    starts = starts[starts < len(cells.level)]
    sure = cells.size[0] * cells.level if cells.tied else cells.level
    right, wrong, sure = (
        np.add.reduceat(x, starts) for x in (cells.right[0], cells.wrong[0], sure)
    )
    after = np.append(starts[1:], len(cells.level))
    # Rounding must not put a group of one level beyond an edge that the level is on.
    level = np.clip(sure / (right + wrong), cells.level[starts], cells.level[after - 1])
    of = np.repeat(np.arange(len(starts)), after - starts)
    return Cells(level, right[None, :], wrong[None, :]), of


def _edges(widths: Iterable[int]) -> FloatArray:
    """The edges of so many equal-width bins, together."""
    return np.unique(np.concatenate([np.arange(m + 1) / m for m in widths]))


def cut(cells: Cells, bins: int) -> Cells:
    """A run's instances in cells that cross no end of the bins of ``eceorder``.

    Where there are more than LEVELS also joined, up to the edges of the USUAL equal-width bins: a
    cell's level is the mean of its instances' confidences. For outcomes drawn anew: which cells
    the right answers lie in is not asked, and all stand as wrong.
    """
    place = kept = cells.place[0]
    if len(cells.level) > LEVELS:
        kept = place[np.searchsorted(cells.level, _edges(USUAL), side="right")]
    ends = np.cumsum(sizes(round(cells.n[0]), bins))
    places = np.union1d(kept, np.append(0, ends))
    first = np.searchsorted(place, places[:-1], side="right") - 1
    last = np.searchsorted(place, places[1:]) - 1
    size = np.diff(places)[None, :]
    sure = np.append(0.0, np.cumsum(cells.size[0] * cells.level))
    mean = np.diff(np.interp(places, place, sure)) / size[0]
    # One confidence is its own mean, however it is rounded.
    level = np.clip(mean, cells.level[first], cells.level[last])
    return Cells(level, np.zeros_like(size), size)
