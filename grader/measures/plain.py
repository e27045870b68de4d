"""The three means that every reader asks for first, and the guard that all measures share."""

import numpy as np  # noqa: F401, for the doctests

from grader.model import Found, Judged, Measure, Undefined


def counted(judged: Judged) -> int:
    """The number of instances; raises Undefined if there is none."""
    if not judged.correct.size:
        raise Undefined("no instances")
    return judged.correct.size


def accuracy(judged: Judged) -> Found:
    """The share of right answers, in [0, 1]. Undefined if n is 0.

    >>> accuracy(Judged(np.array([True, False]), np.array([0.9, 0.5]))).value
    0.5
    """
    counted(judged)
    return Found(float(judged.correct.mean()))


def confidence(judged: Judged) -> Found:
    """The mean confidence, in [0, 1]. Undefined if n is 0.

    >>> confidence(Judged(np.array([True, False]), np.array([0.75, 0.5]))).value
    0.625
    """
    counted(judged)
    return Found(float(judged.confidence.mean()))


def bias(judged: Judged) -> Found:
    """Mean confidence less accuracy, in [-1, 1]; above 0 is overconfident. Undefined if n is 0.

    >>> bias(Judged(np.array([True, False]), np.array([0.75, 0.5]))).value
    0.125
    """
    return Found(confidence(judged).value - accuracy(judged).value)


ACCURACY = Measure(
    key="accuracy",
    title="Accuracy",
    fn=accuracy,
    better="higher",
    bounds=(0, 1),
    about="The share of right answers.",
)
CONFIDENCE = Measure(
    key="confidence",
    title="Mean confidence",
    fn=confidence,
    better="none",
    bounds=(0, 1),
    about="The mean confidence, right or wrong.",
)
BIAS = Measure(
    key="bias",
    title="Bias",
    fn=bias,
    better="none",
    bounds=(-1, 1),
    about="Mean confidence less accuracy: above 0 the run is overconfident on the whole, below 0 "
    "underconfident. Opposite errors cancel.",
    source="NTCIR R2C2, where it is called OB",
)
