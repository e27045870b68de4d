"""Calibration errors over bins of equal mass, and over one bin for each distinct confidence."""

import numpy as np

from grader.measures.calibration import BINS, spread, sums_by
from grader.model import Cells, FloatArray, Found, IntArray, Judged, Measure, once

_CUT = "a bin boundary falls inside a group of equal confidences, which gold order decides"
_BY_ORDER = "it depends on gold order, which resampling does not keep"


def ecemass(cells: Cells, *, bins: int) -> FloatArray:
    """ECE over ``bins`` bins of equal mass, ties averaged: no order of instances decides it.

    D(k), the sum of (confidence − right) over the k lowest, is read at the ends of tie blocks and
    linear in between.

    bins     M ≥ 1
    returns  the sum over m of |D(nm/M) − D(n(m−1)/M)| / n, in [0, 1]

    Undefined without instances.

    >>> cells = Cells(np.array([0.5, 1]), np.array([[1.0, 0]]), np.array([[0, 1.0]]))
    >>> ecemass(cells, bins=2).item()
    0.75
    """
    shares = np.arange(bins + 1) / bins
    read = cells.reading(cells.drift, shares * cells.n[:, None])
    return np.asarray(np.minimum(np.abs(np.diff(read, axis=1)).sum(axis=1) / cells.n, 1.0))


def ecedistinct(cells: Cells) -> FloatArray:
    """ECE with one bin for each distinct confidence, in [0, 1]. Large for continuous ones.

    Undefined without instances.

    >>> ecedistinct(Cells(np.array([0.5, 1]), np.array([[1.0, 0]]), np.array([[0, 1.0]]))).item()
    0.75
    """
    return np.asarray(np.abs(cells.gap).sum(axis=1) / cells.n)


def _groups(cells: Cells) -> tuple[str, dict[str, float]]:
    return "", {"groups": len(cells.level)}


@once
def _in_order(judged: Judged, bins: int) -> tuple[IntArray, FloatArray, str]:
    """Per bin as the HMR paper cuts them: its size, its sum of (confidence − right), and a note.

    A boundary inside a tie block takes the first of the block in gold order.
    """
    cells, n = judged.cells, len(judged.correct)
    each = sizes(n, bins)
    ends = np.cumsum(each)
    place = cells.place[0]
    block = np.searchsorted(place, ends, side="left")
    drift = cells.drift[0, np.append(0, block)]
    cut = np.flatnonzero(place[block] != ends)
    for m in cut:
        level, inside = cells.level[block[m] - 1], int(ends[m] - place[block[m] - 1])
        first = judged.correct[judged.confidence == level][:inside]
        drift[m + 1] = cells.drift[0, block[m] - 1] + inside * level - first.sum()
    notes = ["fewer instances than bins"] if n < bins else []
    notes += [_CUT] if cut.size else []
    return each, drift[1:] - drift[:-1], "; ".join(notes)


def sizes(n: int, bins: int) -> IntArray:
    """Shape (bins,): the sizes of ``numpy.array_split``."""
    found = np.full(bins, n // bins)
    found[: n % bins] += 1
    return found


def _gaps(cells: Cells, bins: int) -> tuple[IntArray, FloatArray]:
    """Of the bins of ``eceorder``, where no cell crosses one: n, and the gap, shape (B, bins)."""
    each = sizes(round(cells.n[0]), bins)
    ends = np.searchsorted(cells.place[0], np.append(0, np.cumsum(each)))
    drift = cells.drift[:, ends]
    return each, np.abs(drift[:, 1:] - drift[:, :-1])


def _eceorder(cells: Cells, *, bins: int) -> FloatArray:
    return np.asarray(np.minimum(_gaps(cells, bins)[1].sum(axis=1) / cells.n, 1.0))


def _mceorder(cells: Cells, *, bins: int) -> FloatArray:
    each, gaps = _gaps(cells, bins)
    return np.asarray(np.minimum((gaps / np.maximum(each, 1)).max(axis=1), 1.0))


def _open(judged: Judged, bins: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Of each bin cut in gold order: its n, and the least and the largest sum it can have yet."""
    order = np.argsort(judged.confidence, kind="stable")
    each = sizes(len(order), bins)
    each = each[each > 0]
    starts = np.cumsum(each) - each
    gaps = np.add.reduceat((judged.confidence - judged.correct)[order], starts)
    return each, *spread(gaps, np.add.reduceat(judged.waiting[order].astype(np.float64), starts))


def _eceorder_extremes(judged: Judged, *, bins: int) -> tuple[float, float]:
    near, far = (
        min(float(each.sum()) / len(judged.correct), 1.0) for each in _open(judged, bins)[1:]
    )
    return near, far


def _mceorder_extremes(judged: Judged, *, bins: int) -> tuple[float, float]:
    sizes, near, far = _open(judged, bins)
    return min(float((near / sizes).max()), 1.0), min(float((far / sizes).max()), 1.0)


def _ecedistinct_extremes(judged: Judged) -> tuple[float, float]:
    level, place = np.unique(judged.confidence + 0.0, return_inverse=True)
    gaps = sums_by(place, judged.confidence - judged.correct, len(level))
    near, far = spread(gaps, sums_by(place, judged.waiting, len(level)))
    return float(near.sum()) / len(place), float(far.sum()) / len(place)


def eceorder(judged: Judged, *, bins: int) -> Found:
    """ECE over equal-mass bins cut in gold order, to reproduce papers.

    bins     M ≥ 1: stable sort by confidence, then the sizes of ``numpy.array_split``
    returns  in [0, 1]; noted when a boundary cuts a group of ties, or when n < M

    Undefined without instances.
    """
    each, gaps, note = _in_order(judged, bins)
    used = int(np.count_nonzero(each))
    value = float(np.abs(gaps).sum() / len(judged.correct))
    return Found(min(value, 1.0), note, {"bins used": used})


def mceorder(judged: Judged, *, bins: int) -> Found:
    """The largest gap of the bins of ``eceorder``, in [0, 1]; the same notes.

    Undefined without instances.
    """
    each, gaps, note = _in_order(judged, bins)
    means = np.abs(gaps) / np.maximum(each, 1)
    largest = int(np.argmax(means))
    return Found(min(float(means[largest]), 1.0), note, {"n of the bin": int(each[largest])})


ECEMASS = Measure(
    key="ecemass",
    title="ECE (equal mass)",
    fn=ecemass,
    interval="basic",
    gate="floor",
    better="lower",
    bounds=(0, 1),
    version=2,
    about="Calibration error over M bins of equal mass. Ties are averaged: the cumulative sum of "
    "confidence less right answers is read at the ends of tie blocks and is linear in between.",
    source="MASS binning after Nixon et al., Measuring Calibration in Deep Learning, CVPRW 2019",
    parameter=BINS,
)
ECEDISTINCT = Measure(
    key="ecedistinct",
    title="ECE (each distinct confidence)",
    fn=ecedistinct,
    remark=_groups,
    interval="none",
    no_interval="with a bin for each confidence, resampling shifts it too far",
    gate="floor",
    extremes=_ecedistinct_extremes,
    better="none",
    bounds=(0, 1),
    about="Calibration error with one bin for each distinct confidence. For runs that state few "
    "levels it hides nothing; for continuous confidences it is noise: read it against its floor.",
    source="groups of equal forecasts as in Murphy, A New Vector Partition of the Probability "
    "Score, Journal of Applied Meteorology 1973",
)
ECEORDER = Measure(
    key="eceorder",
    title="ECE (equal mass, gold order)",
    fn=eceorder,
    needs="order",
    by_cells=_eceorder,
    gate="floor",
    interval="none",
    no_interval=_BY_ORDER,
    extremes=_eceorder_extremes,
    better="lower",
    bounds=(0, 1),
    about="ECE over M bins of equal size, ties cut in gold order, as in the HMR paper: for "
    "reproducing published values. Its floor redraws which answers are right; the bins stay.",
    source="Sakai, EMTCIR 2024",
    parameter=BINS,
)
MCEORDER = Measure(
    key="mceorder",
    title="MCE (equal mass, gold order)",
    fn=mceorder,
    needs="order",
    by_cells=_mceorder,
    gate="floor",
    interval="none",
    no_interval=_BY_ORDER,
    extremes=_mceorder_extremes,
    better="lower",
    bounds=(0, 1),
    about="The largest gap of the bins of the equal-mass ECE in gold order.",
    source="Sakai, EMTCIR 2024",
    parameter=BINS,
)
