"""How far confidence is from accuracy: binned errors, and KS, which needs no bins."""

import numpy as np

from grader.measures.plain import counted
from grader.model import Bin, BoolArray, FloatArray, Found, IntArray, Judged, Measure, Parameter

_GUO = "Guo, Pleiss, Sun and Weinberger, On Calibration of Modern Neural Networks, ICML 2017"
_BINS = Parameter("number of bins", "count", "10")
_CUT = "a bin boundary falls inside a group of equal confidences, which gold order decides"


def _which(confidence: FloatArray, bins: int) -> IntArray:
    """The equal-width bin of each confidence: ((m−1)/M, m/M], the first also holds 0."""
    edges = np.arange(bins + 1) / bins
    return np.maximum(np.searchsorted(edges, confidence, side="left") - 1, 0)


def _sums(which: IntArray, judged: Judged, bins: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Per bin: its size, the sum of its confidences, and the number of right answers."""
    return (
        np.bincount(which, minlength=bins),
        np.bincount(which, judged.confidence, bins).astype(np.float64),
        np.bincount(which, judged.correct, bins).astype(np.float64),
    )


def _ece(size: IntArray, sure: FloatArray, right: FloatArray) -> Found:
    return Found(
        float(np.abs(sure - right).sum() / size.sum()), details={"bins used": _used(size)}
    )


def _mce(size: IntArray, sure: FloatArray, right: FloatArray) -> Found:
    gaps = np.abs(sure - right) / np.maximum(size, 1)
    largest = int(np.argmax(gaps))
    return Found(float(gaps[largest]), details={"n of the bin": int(size[largest])})


def _used(size: IntArray) -> int:
    return int(np.count_nonzero(size))


def ece(judged: Judged, *, bins: int) -> Found:
    """Expected calibration error over ``bins`` equal-width bins, each closed on the right.

    judged   correct and confidence, shape (n,)
    bins     M ≥ 1; the edges are the doubles m/M
    returns  the mean over instances of their bin's |mean confidence − accuracy|, in [0, 1]
    raises   Undefined, if n is 0

    Guo et al. 2017, equation 3.

    >>> ece(Judged(np.array([True, False]), np.array([0.9, 0.9])), bins=10).value
    0.4
    """
    counted(judged)
    return _ece(*_sums(_which(judged.confidence, bins), judged, bins))


def mce(judged: Judged, *, bins: int) -> Found:
    """The largest |mean confidence − accuracy| of the bins of ``ece``, with that bin's n.

    returns  in [0, 1]
    raises   Undefined, if n is 0

    Guo et al. 2017, equation 5.
    """
    counted(judged)
    return _mce(*_sums(_which(judged.confidence, bins), judged, bins))


def _in_order(judged: Judged, bins: int) -> tuple[IntArray, str]:
    """Equal-mass bins as the HMR paper makes them, and a note on what decided them."""
    n = counted(judged)
    order = np.argsort(judged.confidence, kind="stable")
    sizes = [len(part) for part in np.array_split(np.empty(n), bins)]
    which = np.empty(n, dtype=np.intp)
    which[order] = np.repeat(np.arange(bins), sizes)
    ends = np.cumsum(sizes)[:-1]
    inner = ends[(ends > 0) & (ends < n)]
    level = judged.confidence[order]
    notes = ["fewer instances than bins"] if n < bins else []
    notes += [_CUT] if bool(np.any(level[inner - 1] == level[inner])) else []
    return which, "; ".join(notes)


def eceorder(judged: Judged, *, bins: int) -> Found:
    """ECE over equal-mass bins cut in gold order, to reproduce papers.

    judged   correct and confidence, shape (n,), in gold order
    bins     M ≥ 1: stable sort by confidence, then the sizes of ``numpy.array_split``
    returns  in [0, 1]; noted when a boundary cuts a group of ties, or when n < M
    raises   Undefined, if n is 0

    >>> eceorder(Judged(np.array([True, False]), np.array([0.75, 0.5])), bins=1).value
    0.125
    """
    which, note = _in_order(judged, bins)
    found = _ece(*_sums(which, judged, bins))
    return Found(found.value, note, found.details)


def mceorder(judged: Judged, *, bins: int) -> Found:
    """The largest gap of the bins of ``eceorder``, with that bin's n; the same notes.

    returns  in [0, 1]
    raises   Undefined, if n is 0
    """
    which, note = _in_order(judged, bins)
    found = _mce(*_sums(which, judged, bins))
    return Found(found.value, note, found.details)


def ks(judged: Judged) -> Found:
    """Kolmogorov–Smirnov calibration error: the largest gap of the two cumulative sums.

    judged   correct and confidence, shape (n,)
    returns  max over ends of tie blocks of |cumulated confidence − cumulated right| / n, in [0, 1]
    raises   Undefined, if n is 0

    Gupta et al. 2021, equation 4; read at the ends of tie blocks, so order does not matter.

    >>> ks(Judged(np.array([True, False]), np.array([0.5, 1.0]))).value
    0.25
    """
    n = counted(judged)
    levels, which, size = np.unique(judged.confidence, return_inverse=True, return_counts=True)
    drift = np.cumsum(levels * size - np.bincount(which, judged.correct, len(levels)))
    return Found(float(np.abs(drift).max() / n))


def reliability(correct: BoolArray, confidence: FloatArray, bins: int = 10) -> tuple[Bin, ...]:
    """The bars of a reliability diagram: the bins of ``ece``; an empty one has n 0."""
    judged = Judged(correct, confidence)
    parts = zip(*_sums(_which(confidence, bins), judged, bins), strict=True)
    return tuple(
        Bin(int(n), float(sure / n), float(right / n)) if n else Bin(0, 0.0, 0.0)
        for n, sure, right in parts
    )


ECE = Measure(
    key="ece",
    title="ECE",
    fn=ece,
    better="lower",
    bounds=(0, 1),
    about="Expected calibration error: instances are put into M equal-width bins by confidence, "
    "((m−1)/M, m/M] with 0 in the first; the mean over instances of their bin's gap between mean "
    "confidence and accuracy.",
    source=f"{_GUO}, equation 3",
    parameter=_BINS,
)
MCE = Measure(
    key="mce",
    title="MCE",
    fn=mce,
    better="lower",
    bounds=(0, 1),
    about="Maximum calibration error: the largest gap of any bin of ECE, shown with that bin's n.",
    source=f"{_GUO}, equation 5",
    parameter=_BINS,
)
ECEORDER = Measure(
    key="eceorder",
    title="ECE (equal mass, gold order)",
    fn=eceorder,
    better="lower",
    bounds=(0, 1),
    about="ECE over M bins of equal size, ties cut in gold order, as in the HMR paper: for "
    "reproducing published values.",
    source="Sakai, EMTCIR 2024",
    parameter=_BINS,
)
MCEORDER = Measure(
    key="mceorder",
    title="MCE (equal mass, gold order)",
    fn=mceorder,
    better="lower",
    bounds=(0, 1),
    about="The largest gap of the bins of the equal-mass ECE in gold order.",
    source="Sakai, EMTCIR 2024",
    parameter=_BINS,
)
KS = Measure(
    key="ks",
    title="KS",
    fn=ks,
    better="lower",
    bounds=(0, 1),
    about="Kolmogorov-Smirnov calibration error: sort by confidence and accumulate confidence and "
    "right answers; the largest distance between the two, over n. Needs no bins.",
    source="Gupta et al., Calibration of Neural Networks using Splines, ICLR 2021, equation 4",
)
