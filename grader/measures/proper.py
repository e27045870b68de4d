"""Proper scoring rules: best in expectation for honest confidences."""

import numpy as np

from grader.measures.plain import counted
from grader.model import Found, Judged, Measure

CLIP = 2.0**-52


def brier(judged: Judged) -> Found:
    """Mean squared difference of confidence and outcome, in [0, 1]. Undefined if n is 0.

    Of the given answer's confidence alone: not the Brier score over all classes.

    >>> brier(Judged(np.array([True, False]), np.array([1.0, 0.5]))).value
    0.125
    """
    counted(judged)
    return Found(float(np.mean((judged.confidence - judged.correct) ** 2)))


def nll(judged: Judged) -> Found:
    """Mean negative log of the probability given to what happened, in nats, from 0 to 36.05.

    judged   correct and confidence, shape (n,); the probability is clipped to [2⁻⁵², 1−2⁻⁵²]
    returns  the mean; the number clipped in the details, and a note if there are any
    raises   Undefined, if n is 0

    >>> round(nll(Judged(np.array([True]), np.array([0.5]))).value, 4)
    0.6931
    """
    counted(judged)
    given = np.where(judged.correct, judged.confidence, 1.0 - judged.confidence)
    kept = np.clip(given, CLIP, 1.0 - CLIP)
    clipped = int(np.count_nonzero(kept != given))
    note = "some probabilities were clipped to [2^-52, 1-2^-52]" if clipped else ""
    return Found(float(-np.log(kept).mean()), note, {"clipped": clipped})


BRIER = Measure(
    key="brier",
    title="Brier",
    fn=brier,
    better="lower",
    bounds=(0, 1),
    about="Mean squared difference between the confidence in the given answer and whether it is "
    "right. Not the Brier score over all classes.",
    source="Brier 1950",
)
NLL = Measure(
    key="nll",
    title="NLL",
    fn=nll,
    better="lower",
    bounds=(0, float(-np.log(CLIP))),
    about="Mean negative natural logarithm of the confidence where right, of its complement where "
    "wrong; clipped to [2^-52, 1-2^-52].",
)
