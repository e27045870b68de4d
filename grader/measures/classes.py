"""Measures of a run's probabilities of every class.

A class that a line does not offer has probability 0. Where the gold is none of the run's classes,
no class is right: the probability of what is right is 0. A line without any class (a refusal, or
an instance left out) gives its confidence to something that is never right.
"""

from collections.abc import Iterable

import numpy as np

from grader.measures.calibration import BINS
from grader.measures.proper import CLIP, GOOD
from grader.model import (
    Classes,
    FloatArray,
    Found,
    IntArray,
    Judged,
    Measure,
    Undefined,
    mean,
    mean_of,
)

_NO_CLASSES = "without class probabilities"
_BRIER = "Brier, Verification of Forecasts Expressed in Terms of Probability, 1950, equation 2"


def _classes(judged: Judged) -> Classes:
    if judged.classes is None:
        raise Undefined(_NO_CLASSES)
    return judged.classes


def _right(classes: Classes) -> FloatArray:
    """Shape (n,): the probability of the gold class, 0 where it is not offered."""
    at = np.arange(len(classes.gold))
    given = np.nan_to_num(classes.probabilities[at, classes.gold])
    return np.where(classes.gold >= 0, given, 0.0)


def squares(judged: Judged) -> FloatArray:
    """Shape (n,), in [0, 2]: the sum over classes of (probability − is it the gold class)².

    Brier, Verification of Forecasts Expressed in Terms of Probability, 1950, equation 2.

    raises  Undefined, without class probabilities

    >>> three = Classes(np.array([[0.5, 0.25, 0.25], [0.5, 0.5, np.nan]]), np.array([0, 2]))
    >>> squares(Judged(np.array([True, False]), np.array([0.5, 0.5]), classes=three)).tolist()
    [0.375, 1.5]
    """
    classes = _classes(judged)
    away = np.nan_to_num(classes.probabilities)
    at = np.flatnonzero(classes.gold >= 0)
    away[at, classes.gold[at]] -= 1.0
    nothing = np.isnan(classes.probabilities).all(axis=1)
    beside = np.square(np.where(nothing, judged.confidence, 0.0)) + (classes.gold < 0)
    return np.asarray(np.einsum("nk,nk->n", away, away) + beside)


def losses(judged: Judged) -> FloatArray:
    """Shape (n,), from 0 to 36.05: −log of the probability of the gold class, nats.

    A probability below 2⁻⁵² counts as 2⁻⁵².

    raises  Undefined, without class probabilities
    """
    return np.asarray(0.0 - np.log(np.maximum(_right(_classes(judged)), CLIP)))


def br(judged: Judged) -> Found:
    """The Brier score over all classes: the mean of ``squares``, in [0, 2].

    Undefined without class probabilities.
    """
    return Found(mean(squares(judged)), *_beside(judged))


def nbr(judged: Judged) -> Found:
    """Half of ``br``, in [0, 1]. Undefined likewise."""
    return Found(mean(squares(judged)) / 2, *_beside(judged))


def nllc(judged: Judged) -> Found:
    """The mean of ``losses``, from 0 to 36.05, with the number clipped.

    Undefined without class probabilities.
    """
    value = mean(losses(judged))
    note, details = _beside(judged)
    clipped = int((_right(_classes(judged)) < CLIP).sum())
    said = f"{clipped} probabilities of the gold class were clipped to 2^-52" if clipped else ""
    return Found(value, "; ".join(filter(None, (said, note))), {**details, "clipped": clipped})


def cwece(judged: Judged, *, bins: int) -> Found:
    """The mean over classes of the binned calibration error of that class, in [0, 1].

    bins  M ≥ 1 equal-width bins of the class's probability, as those of ``ece``

    Kull et al. 2019, equation 3: of each class, its probability against whether it is the gold.

    raises  Undefined, without class probabilities
    """
    classes = _classes(judged)
    value = _class_wise(judged, [classes.gold[None, :]], bins=bins)[0]
    note, details = _beside(judged)
    many = classes.probabilities.shape[1]
    return Found(float(value), note, {**details, "classes": many})


def _class_wise(judged: Judged, golds: Iterable[IntArray], *, bins: int) -> FloatArray:
    """Shape (B,): the class-wise error with these gold classes, shape (B, n), −1 for none."""
    given = np.nan_to_num(_classes(judged).probabilities)
    n, many = given.shape
    ascending = np.sort(given, axis=0)  # so that no order of rows moves a bit
    stated = np.bincount(_cells(ascending, bins).ravel(), ascending.ravel(), many * bins)
    # Before a row's classes, at −1: where golds that are no class go.
    cell = np.column_stack((np.full(n, many * bins), _cells(given, bins))).ravel()
    wide, first, found = many * bins + 1, np.arange(n) * (many + 1) + 1, []
    for gold in golds:
        which = cell[first + gold] + np.arange(len(gold))[:, None] * wide
        hits = np.bincount(which.ravel(), minlength=len(gold) * wide).reshape(-1, wide)[:, :-1]
        found.append(np.abs(stated - hits).sum(axis=1))
    return np.asarray(np.concatenate(found) / (n * many))


def _cells(given: FloatArray, bins: int) -> IntArray:
    """Shape (n, classes): which of a class's bins its probability is in, bins · class + bin."""
    bin_ = np.maximum(np.searchsorted(np.arange(bins + 1) / bins, given, side="left") - 1, 0)
    return np.asarray(bin_ + np.arange(given.shape[1]) * bins)


def _beside(judged: Judged) -> tuple[str, dict[str, float]]:
    outside = int((_classes(judged).gold < 0).sum())
    if not outside:
        return "", {}
    return f"{outside} gold answers are none of the run's classes: no class is right there", {
        "gold is no class": outside
    }


BR = Measure(
    key="br",
    title="BR",
    fn=br,
    sums=mean_of(squares),
    sides=10,
    needs="classes",
    better="lower",
    bounds=(0, 2),
    version=2,
    about="The Brier score over all classes: the mean over instances of the sum over classes of "
    "the squared difference between its probability and 1 if it is the gold class, else 0.",
    source=_BRIER,
)
NBR = Measure(
    key="nbr",
    title="NBR",
    fn=nbr,
    sums=mean_of(lambda judged: squares(judged) / 2),
    sides=10,
    needs="classes",
    better="lower",
    bounds=(0, 1),
    version=2,
    about="Half of BR, so that the worst is 1.",
    source=f"{_BRIER}, halved",
)
NLLC = Measure(
    key="nllc",
    title="NLL of classes",
    fn=nllc,
    sums=mean_of(losses),
    gate="certainty",
    sides=10,
    needs="classes",
    better="lower",
    bounds=(0, float(-np.log(CLIP))),
    version=2,
    about="Mean negative natural logarithm of the probability of the gold class, which counts as "
    "2^-52 where it is less or not offered.",
    source=GOOD,
)
CWECE = Measure(
    key="cwece",
    title="Class-wise ECE",
    fn=cwece,
    needs="classes",
    by_golds=_class_wise,
    gate="floor",
    interval="none",
    no_interval="no interval of a mean of binned errors is known to cover",
    better="lower",
    bounds=(0, 1),
    about="Class-wise calibration error: of each class, ECE over M equal-width bins of its "
    "probability against whether it is the gold class; the unweighted mean over the classes. Its "
    "floor draws one gold class for each instance from its probabilities; what they lack to 1 "
    "goes to no class.",
    source="Kull et al., Beyond Temperature Scaling: Obtaining Well-Calibrated Multi-Class "
    "Probabilities with Dirichlet Calibration, NeurIPS 2019, equation 3",
    parameter=BINS,
)
