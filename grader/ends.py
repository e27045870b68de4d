"""The ends of 95% intervals."""

import math

import numpy as np

from grader.floor import quantile
from grader.model import FloatArray, Judged, Sums

_Z = 1.959963984540054  # the 97.5% quantile of the normal distribution


def percentile(values: FloatArray, units: int | None) -> tuple[float, float]:
    """The ends that as many resamples lie beyond as ``beyond`` says.

    values  shape (resamples,), all defined
    units   how many are drawn as a whole: clusters, or instances that are in none; None: many
    """
    share = 0.025 if units is None else beyond(units)
    return quantile(values, share), quantile(values, 1 - share)


def beyond(units: int) -> float:
    """The share of resamples beyond each end of a percentile interval: 2.5% of many units.

    Resamples spread by √(1 − 1/units) too little, and how far the value itself may be off is
    Student's t, not normal: 20 clusters would give intervals that are 9% too narrow.

    Hesterberg, What Teachers Should Know About the Bootstrap, The American Statistician 69, 2015,
    the expanded percentile interval.

    units  at least 2
    """
    reach = student(units - 1) * math.sqrt(units / (units - 1))
    return math.erfc(reach / math.sqrt(2)) / 2


def student(freedom: int) -> float:
    """The 97.5% quantile of Student's t, to 4 decimals from 19 degrees of freedom on.

    Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, equation 26.7.5.

    >>> round(student(19), 4)
    2.093
    """
    z, n = _Z, float(freedom)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / n + second / n**2 + third / n**3


def basic(value: float, low: float, high: float) -> tuple[float, float]:
    """2·value − quantile, cut at 0 and widened to hold the value."""
    return min(max(2 * value - high, 0.0), value), max(2 * value - low, value)


def wilson(judged: Judged, sums: Sums) -> tuple[float, float]:
    """The score interval of a share, in [0, 1]: sound where few are wrong, and where none is.

    Resamples of few wrong answers are too sure of them: with three of 100 their percentiles
    covered .87. With clusters n is that of independent instances whose share would vary as much,
    and Student's t stands for the normal quantile; where all are alike, each cluster counts as
    one.

    Wilson, JASA 22, 1927; with clusters Franco, Little, Louis and Slud, Journal of Survey
    Statistics and Methodology 7, 2019.

    sums  its second feature is 1 or 0
    """
    each = sums.features(judged)[:, 1]
    size, share, reach = float(len(each)), float(each.mean()), _Z
    if judged.cluster.size:
        within = np.bincount(judged.groups)
        many = len(within)
        off = np.bincount(judged.groups, each) - share * within
        variance = many / (many - 1) * float(off @ off) / size**2
        reach, spread = student(many - 1), share * (1 - share)
        if not spread:
            size = many
        elif variance * size > spread:
            size = spread / variance
    return score_interval(share, size, reach)


def score_interval(share: float, size: float, reach: float = _Z) -> tuple[float, float]:
    """Wilson's 95% interval of a share of ``size`` independent answers, in [0, 1].

    Wilson, JASA 22, 1927.

    >>> [round(end, 4) for end in score_interval(0.5, 10)]
    [0.2366, 0.7634]
    """
    square = reach**2 / size
    centre, half = share + square / 2, math.sqrt(square * (share * (1 - share) + square / 4))
    low, high = (centre - half) / (1 + square), (centre + half) / (1 + square)
    return min(max(low, 0.0), share), max(min(high, 1.0), share)
