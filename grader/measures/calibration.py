"""How far confidence is from accuracy: equal-width bins, and KS, which needs no bins."""

import numpy as np

from grader.model import (
    Bin,
    BoolArray,
    Cells,
    FloatArray,
    IntArray,
    Judged,
    Measure,
    Parameter,
    once,
)

_GUO = "Guo, Pleiss, Sun and Weinberger, On Calibration of Modern Neural Networks, ICML 2017"
BINS = Parameter("number of bins", "count", "10")


def _ends(cells: Cells, bins: int) -> IntArray:
    """Shape (bins + 1,): where each equal-width bin ends among the cells: ((m−1)/M, m/M]."""
    ends = np.searchsorted(cells.level, np.arange(bins + 1) / bins, side="right")
    ends[0] = 0  # the first bin also holds 0
    return ends


@once
def _bins(cells: Cells, bins: int) -> tuple[FloatArray, FloatArray]:
    """Shape (B, bins) each: the sum of (confidence − right) in each bin, and its n."""
    ends = _ends(cells, bins)
    drift, place = cells.drift[:, ends], cells.place[:, ends]
    return drift[:, 1:] - drift[:, :-1], place[:, 1:] - place[:, :-1]


def ece(cells: Cells, *, bins: int) -> FloatArray:
    """Expected calibration error over ``bins`` equal-width bins, each closed on the right.

    bins     M ≥ 1; the edges are the doubles m/M
    returns  the mean over instances of their bin's |mean confidence − accuracy|, in [0, 1]

    Guo et al. 2017, equation 3.

    Undefined without instances.

    >>> cells = Cells(np.array([0.875]), np.array([[1.0]]), np.array([[1.0]]))
    >>> ece(cells, bins=10).item()
    0.375
    """
    return np.asarray(np.minimum(np.abs(_bins(cells, bins)[0]).sum(axis=1) / cells.n, 1.0))


@once
def _mean_gaps(cells: Cells, bins: int) -> FloatArray:
    """Shape (B, bins): |mean confidence − accuracy| of each bin, 0 where it is empty."""
    gaps, size = _bins(cells, bins)
    # An empty bin's gap is 0 already.
    return np.asarray(np.abs(gaps) / np.maximum(size, 1.0))


def mce(cells: Cells, *, bins: int) -> FloatArray:
    """The largest |mean confidence − accuracy| of the bins of ``ece``, in [0, 1].

    Guo et al. 2017, equation 5.

    Undefined without instances.
    """
    return np.asarray(np.minimum(_mean_gaps(cells, bins).max(axis=1), 1.0))


def _bins_used(cells: Cells, *, bins: int) -> tuple[str, dict[str, float]]:
    return "", {"bins used": int(np.count_nonzero(_bins(cells, bins)[1][0]))}


def _largest(cells: Cells, *, bins: int) -> tuple[str, dict[str, float]]:
    largest = np.argmax(_mean_gaps(cells, bins)[0])
    return "", {"n of the bin": int(_bins(cells, bins)[1][0, largest])}


def ks(cells: Cells) -> FloatArray:
    """Kolmogorov–Smirnov calibration error: the largest gap of the two cumulative sums, in [0, 1].

    The maximum over ends of tie blocks of |cumulated confidence − cumulated right| / n: Gupta et
    al. 2021, equation 4; read at the ends of tie blocks, so order does not matter.

    Undefined without instances.

    >>> ks(Cells(np.array([0.5, 1]), np.array([[1.0, 0]]), np.array([[0, 1.0]]))).item()
    0.25
    """
    gap = np.maximum(cells.drift.max(axis=1), -cells.drift.min(axis=1))
    return np.asarray(gap / cells.n)


def spread(gaps: FloatArray, waiting: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Shape (bins,) each: the least and the largest |gap| once the waiting answers are judged.

    gaps     shape (bins,): the sum of (confidence − right) with every waiting answer wrong
    waiting  shape (bins,): how many wait; each that is right takes 1 off the gap
    """
    nearest = np.clip(np.rint(gaps), 0.0, waiting)
    return np.abs(gaps - nearest), np.maximum(np.abs(gaps), np.abs(gaps - waiting))


def sums_by(place: IntArray, of: FloatArray | BoolArray, many: int) -> FloatArray:
    """Shape (many,): the sum of what has each place."""
    return np.asarray(np.bincount(place, of, many), dtype=np.float64)


def _open(judged: Judged, bins: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Of each equal-width bin: the least and the largest sum that it can have yet, and its n."""
    place = np.searchsorted(np.arange(1, bins) / bins, judged.confidence, side="left")
    gaps = sums_by(place, judged.confidence - judged.correct, bins)
    near, far = spread(gaps, sums_by(place, judged.waiting, bins))
    return near, far, np.maximum(sums_by(place, np.ones(len(place)), bins), 1.0)


def _ece_extremes(judged: Judged, *, bins: int) -> tuple[float, float]:
    near, far, _ = _open(judged, bins)
    n = len(judged.correct)
    return min(float(near.sum() / n), 1.0), min(float(far.sum() / n), 1.0)


def _mce_extremes(judged: Judged, *, bins: int) -> tuple[float, float]:
    near, far, size = _open(judged, bins)
    return min(float((near / size).max()), 1.0), min(float((far / size).max()), 1.0)


def _ks_extremes(judged: Judged) -> tuple[float, float]:
    """The largest gap is that of one level; the least is found by halving.

    A way to judge stays within t if the waiting answers called right up to each level lie in a
    window of whole numbers, and no level calls more than wait there.
    """
    level, place = np.unique(judged.confidence + 0.0, return_inverse=True)
    gaps = np.cumsum(sums_by(place, judged.confidence - judged.correct, len(level)))
    reach = np.cumsum(sums_by(place, judged.waiting, len(level)))
    most = high = float(max(np.abs(gaps).max(), np.abs(gaps - reach).max()))
    low, called = 0.0, np.zeros(len(level))
    for _ in range(60):
        middle = (low + high) / 2
        found = _within(middle, gaps, reach)
        low, high, called = (middle, high, called) if found is None else (low, middle, found)
    n = len(judged.correct)
    return float(np.abs(gaps - called).max()) / n, most / n


def _within(t: float, gaps: FloatArray, reach: FloatArray) -> FloatArray | None:
    """Shape (K,): how many are called right up to each level so that no gap is above t."""
    fewest = np.maximum.accumulate(np.maximum(np.ceil(gaps - t), 0.0))
    most = np.minimum(np.minimum.accumulate(np.floor(gaps + t) - reach) + reach, reach)
    if (fewest > most).any():
        return None
    needed = np.maximum.accumulate((fewest - reach)[::-1])[::-1]  # by what must follow, too
    return np.asarray(needed + reach)


def reliability(judged: Judged, bins: int = 10) -> tuple[Bin, ...]:
    """The bars of a reliability diagram: the bins of ``ece``; an empty one has n 0."""
    cells = judged.cells
    gaps, size = (each[0] for each in _bins(cells, bins))
    right = size - np.diff(cells.below[0, _ends(cells, bins)])
    return tuple(
        Bin(int(n), float((gap + hits) / n), float(hits / n)) if n else Bin(0, 0.0, 0.0)
        for n, gap, hits in zip(size, gaps, right, strict=True)
    )


ECE = Measure(
    key="ece",
    title="ECE",
    fn=ece,
    remark=_bins_used,
    interval="basic",
    gate="floor",
    extremes=_ece_extremes,
    better="lower",
    bounds=(0, 1),
    version=2,
    about="Expected calibration error: instances are put into M equal-width bins by confidence, "
    "((m−1)/M, m/M] with 0 in the first; the mean over instances of their bin's gap between mean "
    "confidence and accuracy.",
    source=f"{_GUO}, equation 3",
    parameter=BINS,
)
MCE = Measure(
    key="mce",
    title="MCE",
    fn=mce,
    remark=_largest,
    interval="none",
    no_interval="an interval of a maximum over bins is not sound",
    gate="floor",
    extremes=_mce_extremes,
    better="lower",
    bounds=(0, 1),
    about="Maximum calibration error: the largest gap of any bin of ECE, shown with that bin's n.",
    source=f"{_GUO}, equation 5",
    parameter=BINS,
)
KS = Measure(
    key="ks",
    title="KS",
    fn=ks,
    interval="basic",
    gate="floor",
    extremes=_ks_extremes,
    better="lower",
    bounds=(0, 1),
    version=2,
    about="Kolmogorov-Smirnov calibration error: sort by confidence and accumulate confidence and "
    "right answers; the largest distance between the two, over n. Needs no bins.",
    source="Gupta et al., Calibration of Neural Networks using Splines, ICLR 2021, equation 4",
)
