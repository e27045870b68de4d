"""What must hold before a measure is resampled: by simulation, tests/test_coverage.py."""

import math
from collections.abc import Sequence

import numpy as np

from grader.model import Judged, Measure, Score
from grader.plural import counted

SIDES = 10  # right and wrong answers below which an interval of a reward covers too seldom
UNITS = 20  # clusters, or instances of a subset, below which 95% intervals covered 85 to 91%
BINNED = 100  # instances below which those of a calibration error covered 72 to 80%
MEAN_OF = 200  # instances of each subset below which those of their mean covered 52 to 84%
NO_RESAMPLES = "the task asks for no resamples"


def both_sides(judged: Judged) -> str:
    """Why a reward of these answers has no sound interval; empty if it may have one.

    By simulation 95% intervals of HMR covered 51 to 77% with fewer right or wrong answers.
    """
    right = int(judged.correct.sum())
    wrong = len(judged.correct) - right
    enough = min(right, wrong) >= SIDES
    return "" if enough else f"{right} right and {wrong} wrong answers; {SIDES} of each are needed"


def unsound(measure: Measure, judged: Judged) -> str:
    """Why resampling these answers gives no sound interval of a measure; empty if it may."""
    many = len(np.unique(judged.cluster))
    if judged.cluster.size and many < UNITS:
        return f"{many} clusters; {UNITS} are needed"
    n = len(judged.correct)
    if measure.gate == "floor" and n < BINNED:
        return f"{n} instances; {BINNED} are needed"
    if measure.gate == "both sides":
        return both_sides(judged)
    return certainty(measure, judged) if measure.gate == "certainty" else ""


def certainty(measure: Measure, judged: Judged) -> str:
    """Why a logarithmic loss of these answers has no sound interval; empty if it may have one.

    Where 0 is stated of what may be so, the mean is decided by how often it is: each time is a
    loss of 36, and a resample knows of no more than were seen. With few of them 95% intervals
    covered 69 to 76%.
    """
    if judged.classes is not None and measure.needs == "classes":
        least = np.nan_to_num(judged.classes.probabilities).min(axis=1)
    else:
        least = np.minimum(judged.confidence, 1 - judged.confidence)
    largest = measure.bounds[1]
    staked = int(np.count_nonzero(least < math.exp(-largest)))
    if not staked or measure.sums is None:
        return ""
    clipped = int(np.count_nonzero(measure.sums.features(judged)[:, 1] >= largest - 1e-9))
    if clipped >= SIDES:
        return ""
    said = counted(staked, "time")
    return f"certainty is stated {said}, and fails {clipped}: {SIDES} failures are needed"


def small(measure: Measure, each: Sequence[Score]) -> str:
    """Why resampling subsets gives no sound interval of the mean over them; empty if it may.

    Each has an interval of its own. Of calibration errors it is the mean of those that happen to
    lie above their floors, unless all would.
    """
    least = MEAN_OF if measure.gate == "floor" else UNITS
    found = next((s for s in each if s.n < least), None)
    return f"{found.subset}: {found.n} instances; {least} are needed" if found else ""
