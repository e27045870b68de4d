"""Proper scoring rules: best in expectation for honest confidences."""

import numpy as np

from grader.model import Cells, FloatArray, Judged, Measure, mean_of, weighed

CLIP = 2.0**-52
GOOD = "Good, Rational Decisions, Journal of the Royal Statistical Society B 1952"


def brier(cells: Cells) -> FloatArray:
    """Mean squared difference of confidence and outcome, in [0, 1].

    Of the given answer's confidence alone: not the Brier score over all classes.

    Undefined without instances.

    >>> brier(Cells(np.array([0.5, 1]), np.array([[0, 1.0]]), np.array([[1.0, 0]]))).item()
    0.125
    """
    level = cells.level
    off = weighed(cells.right, np.square(1.0 - level)) + weighed(cells.wrong, np.square(level))
    return off / cells.n


def nll(cells: Cells) -> FloatArray:
    """Mean negative log of the probability given to what happened, in nats, from 0 to 36.05.

    The probability is clipped to [2⁻⁵², 1−2⁻⁵²]; the number clipped is in the details.

    Undefined without instances.

    >>> round(nll(Cells(np.array([0.5]), np.array([[1.0]]), np.array([[0.0]]))).item(), 4)
    0.6931
    """
    if len(cells.right) == 1 and not cells.tied:  # one logarithm for each instance, not two
        given = np.clip(np.abs(cells.level - cells.wrong), CLIP, 1.0 - CLIP)
        return np.asarray(-np.log(given).sum(axis=1) / cells.n)
    kept = np.clip(cells.level, CLIP, 1.0 - CLIP)
    gain = weighed(cells.right, np.log(kept)) + weighed(cells.wrong, np.log(1.0 - kept))
    return -gain / cells.n


def _losses(judged: Judged) -> FloatArray:
    given = np.where(judged.correct, judged.confidence, 1.0 - judged.confidence)
    return np.asarray(-np.log(np.clip(given, CLIP, 1.0 - CLIP)))


def _clipped(cells: Cells) -> tuple[str, dict[str, float]]:
    low = np.searchsorted(cells.level, CLIP)
    high = np.searchsorted(cells.level, 1.0 - CLIP, side="right")
    place = cells.place[0]
    clipped = int(place[low] + place[-1] - place[high])
    return ("some probabilities were clipped to [2^-52, 1-2^-52]" if clipped else ""), {
        "clipped": clipped
    }


BRIER = Measure(
    key="brier",
    title="Brier",
    fn=brier,
    sums=mean_of(lambda j: np.square(j.confidence - j.correct)),
    sides=10,
    ordered=True,
    better="lower",
    bounds=(0, 1),
    version=2,
    about="Mean squared difference between the confidence in the given answer and whether it is "
    "right. Not the Brier score over all classes.",
    source="Brier 1950",
)
NLL = Measure(
    key="nll",
    title="NLL",
    fn=nll,
    sums=mean_of(_losses),
    gate="certainty",
    sides=10,
    remark=_clipped,
    ordered=True,
    better="lower",
    bounds=(0, float(-np.log(CLIP))),
    version=2,
    about="Mean negative natural logarithm of the confidence where right, of its complement where "
    "wrong; clipped to [2^-52, 1-2^-52].",
    source=GOOD,
)
