"""What must hold before a measure is resampled: by simulation, tests/test_coverage.py."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from grader.model import BoolArray, IntArray, Judged, Measure, Score
from grader.plural import counted

SIDES = 10  # right and wrong answers in each subset that the mean of a share needs
FAILURES = 10  # times that a stated certainty must have failed
UNITS = 20  # clusters, or instances, below which 95% intervals covered 85 to 91%
BINNED = 100  # instances below which those of a calibration error covered 72 to 80%
PER_BIN = 10  # instances for each bin of one, below which they covered 46 to 85%
NO_RESAMPLES = "the task asks for no resamples"


def units(judged: Judged) -> int:
    """How many are drawn as a whole: clusters, or instances that are in none."""
    return int(judged.groups.max()) + 1 if judged.cluster.size else len(judged.correct)


def both_sides(judged: Judged, least: int) -> str:
    """Why what depends on right and wrong answers has no sound interval; empty if it may.

    Resamples are too sure of what few answers of one kind decide: with fewer than ten, 95%
    intervals of HMR covered 51 to 77%, of AUROC 60 to 89%, of Brier and NLL from 80% on. What is
    drawn as a whole counts once.
    """
    right, wrong = (_units_with(kind, judged) for kind in (judged.correct, ~judged.correct))
    if min(right, wrong) >= least:
        return ""
    said = f"{right} right and {wrong} wrong answers"
    if judged.cluster.size:
        said = f"{right} clusters with right and {wrong} with wrong answers"
    return f"{said}; {least} of each are needed"


def _units_with(kind: BoolArray, judged: Judged) -> int:
    if not judged.cluster.size:
        return int(kind.sum())
    return int(np.count_nonzero(np.bincount(judged.groups, kind)))


def unsound(measure: Measure, judged: Judged) -> str:
    """Why resampling these answers gives no sound interval of a measure; empty if it may."""
    many, n = units(judged), len(judged.correct)
    if judged.cluster.size and many < UNITS:
        return f"{many} clusters; {UNITS} are needed"
    if measure.gate == "floor" and n < (least := binned(measure)):
        return f"{n} instances; {least} are needed"
    why = both_sides(judged, measure.sides)
    if measure.gate == "certainty":
        why = why or certainty(measure, judged)
    return why or ("" if n >= UNITS else f"{n} instances; {UNITS} are needed")


def binned(measure: Measure) -> int:
    """How many instances an interval of a calibration error needs."""
    return max(BINNED, PER_BIN * int(measure.params.get("bins", 0)))


def incomparable(measure: Measure, judged: Judged) -> str:
    """Why a run is not compared with others by this measure; empty if it may be.

    A mean needs no ten of each kind there: each resample has an error of its own.
    """
    mean = measure.sums is not None and measure.sums.mean
    return unsound(replace(measure, sides=0) if mean else measure, judged)


def certainty(measure: Measure, judged: Judged) -> str:
    """Why a logarithmic loss of these answers has no sound interval; empty if it may have one.

    Where 0 is stated of what may be so, the mean is decided by how often it is: each time is a
    loss of 36, and a resample knows of no more than were seen. With few of them 95% intervals
    covered 69 to 76%.
    """
    many, largest = int(np.count_nonzero(staked(measure, judged))), measure.bounds[1]
    if not many or measure.sums is None:
        return ""
    clipped = int(np.count_nonzero(measure.sums.features(judged)[:, 1] >= largest - 1e-9))
    if clipped >= FAILURES:
        return ""
    said = counted(many, "time")
    return f"certainty is stated {said}, and fails {clipped}: {FAILURES} failures are needed"


def staked(measure: Measure, judged: Judged) -> BoolArray:
    """Shape (n,): where 0 is stated of what may be so, for a logarithmic loss."""
    if judged.classes is not None and measure.needs == "classes":
        least = np.nan_to_num(judged.classes.probabilities).min(axis=1)
    else:
        least = np.minimum(judged.confidence, 1 - judged.confidence)
    return np.asarray(least < math.exp(-measure.bounds[1]))


def passing(measure: Measure, many: int, right: IntArray, wrong: IntArray) -> BoolArray:
    """Shape (runs,): which runs ``incomparable`` lets pass by counts alone, if nothing is staked.

    many   clusters, or instances that are in none
    right  shape (runs,): how many of these have right answers; ``wrong`` likewise
    """
    mean = measure.sums is not None and measure.sums.mean
    enough = np.minimum(right, wrong) >= (0 if mean else measure.sides)
    return enough & (many >= UNITS and measure.gate != "floor")


def small(measure: Measure, each: Sequence[Score], parts: Sequence[Judged]) -> str:
    """Why resampling subsets gives no sound interval of the mean over them; empty if it may.

    Each has an interval of its own. The noise that every calibration error holds does not cancel
    in their mean: where each subset had half as many instances, 52 to 84% held. The interval of
    a share knows what resamples do not.
    """
    least = 2 * binned(measure)
    for score, judged in zip(each, parts, strict=True):
        if measure.gate == "floor" and score.n < least:
            return f"{score.subset}: {score.n} instances; {least} are needed"
        if measure.interval == "wilson" and (why := both_sides(judged, SIDES)):
            return f"{score.subset}: {why}"
    return ""
