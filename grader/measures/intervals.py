"""Measures of prediction intervals. An interval is closed; its ends may be infinite."""

import numpy as np

from grader.model import Bounds, FloatArray, Found, Judged, Measure, Undefined, mean, mean_of

_GNEITING = (
    "Gneiting, Balabdaoui and Raftery, Probabilistic Forecasts, Calibration and Sharpness, "
    "Journal of the Royal Statistical Society B 2007"
)
ENDLESS = "infinite: "  # begins the reason why a mean of widths has no value; pages show ∞


def _bounds(judged: Judged) -> Bounds:
    if judged.bounds is None:
        raise Undefined("without prediction intervals")
    return judged.bounds


def covered(judged: Judged) -> FloatArray:
    """Shape (n,): 1 where the gold value is in the interval, an end included, else 0."""
    at = _bounds(judged)
    return ((at.low <= at.gold) & (at.gold <= at.high)).astype(np.float64)


def widths(judged: Judged) -> FloatArray:
    """Shape (n,), from 0 to inf."""
    at = _bounds(judged)
    with np.errstate(over="ignore"):
        return at.high - at.low


def penalties(judged: Judged) -> FloatArray:
    """Shape (n,), from 0 to inf: the width, plus 2/α times how far the gold value lies outside.

    α is 1 less the stated level. Gneiting and Raftery, Strictly Proper Scoring Rules, Prediction,
    and Estimation, JASA 2007, equation 43.

    >>> at = Bounds(np.array([0.0, 0.0]), np.array([1.0, 1.0]), np.array([0.5, 3.0]), 0.5)
    >>> penalties(Judged(np.array([True, False]), np.ones(2), bounds=at)).tolist()
    [1.0, 9.0]
    """
    at = _bounds(judged)
    with np.errstate(over="ignore"):
        outside = np.maximum(at.low - at.gold, 0.0) + np.maximum(at.gold - at.high, 0.0)
        return np.asarray(widths(judged) + 2.0 / round(1.0 - at.level, 12) * outside)


def coverage(judged: Judged) -> Found:
    """The share of gold values in their intervals, in [0, 1]. Undefined without intervals."""
    return Found(float(covered(judged).mean()), "", {"stated level": _bounds(judged).level})


def covgap(judged: Judged) -> Found:
    """How far ``coverage`` is from the stated level, in [0, 1]. Undefined without intervals."""
    return Found(abs(float(covered(judged).mean()) - _bounds(judged).level))


def width(judged: Judged) -> Found:
    """The mean width, from 0 to any number.

    raises  Undefined, if it is infinite
    """
    return _finite(judged, widths(judged))


def iscore(judged: Judged) -> Found:
    """The mean of ``penalties``, from 0 to any number.

    raises  Undefined, if it is infinite, or a gold value is not there
    """
    none = int(np.isnan(_bounds(judged).gold).sum())
    if none:
        raise Undefined(f"{none} of {len(judged.correct)} instances have no gold value")
    return _finite(judged, penalties(judged))


def _finite(judged: Judged, each: FloatArray) -> Found:
    at = _bounds(judged)
    endless = int((np.isinf(at.low) | np.isinf(at.high)).sum())
    if endless:
        raise Undefined(f"{ENDLESS}{endless} of {len(each)} intervals have an infinite end")
    with np.errstate(over="ignore"):
        value = mean(each)
    if not np.isfinite(value):
        raise Undefined(f"{ENDLESS}the widths are too large for a number")
    return Found(value)


COVERAGE = Measure(
    key="coverage",
    title="Coverage",
    fn=coverage,
    sums=mean_of(covered),
    interval="wilson",
    needs="bounds",
    better="none",
    bounds=(0, 1),
    version=2,
    about="The share of gold values that lie in the interval, its ends included: to be compared "
    "with the level that the task states. More is not better: endless intervals cover everything.",
    source=_GNEITING,
)
WIDTH = Measure(
    key="width",
    title="Width",
    fn=width,
    sums=mean_of(widths),
    needs="bounds",
    better="none",
    bounds=(0, np.inf),
    version=2,
    about="The mean width of the intervals; infinite if one is. Less is better only at the same "
    "coverage.",
    source=_GNEITING,
)
ISCORE = Measure(
    key="iscore",
    title="Interval score",
    fn=iscore,
    sums=mean_of(penalties),
    interval="studentised",
    sides=5,
    needs="bounds",
    better="lower",
    bounds=(0, np.inf),
    version=2,
    about="The mean of the interval's width and, where the gold value lies outside, 2/(1 − level) "
    "times its distance to the nearer end: best in expectation for the interval between the "
    "quantiles (1 − level)/2 and (1 + level)/2. Infinite if a width is.",
    source="Gneiting and Raftery, Strictly Proper Scoring Rules, Prediction, and Estimation, JASA "
    "2007, equation 43",
)
COVGAP = Measure(
    key="covgap",
    title="Coverage gap",
    fn=covgap,
    needs="bounds",
    interval="none",
    no_interval="a distance to a level is never below 0: read the interval of coverage",
    better="lower",
    bounds=(0, 1),
    about="How far the coverage is from the level that the task states, to either side. It "
    "says nothing about widths.",
    source="our own: the distance of coverage from its level",
)
