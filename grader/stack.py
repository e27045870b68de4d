"""Runs one above the other: what a measure sums of each is found once, for boards of any part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from grader.gate import staked
from grader.measures import within
from grader.model import BoolArray, FloatArray, IntArray, Judged, Measure, Sums, Undefined


@dataclass(frozen=True, slots=True)
class Stack:
    """Runs on the same instances in the same order, and which of both are looked at.

    ``rows`` are the places of these runs, ``at`` of these instances, in the order in which they
    are taken; ``part`` takes others, and copies nothing. The runs stand side by side, so that
    what is taken of an instance lies together.

    runs      all that there are, on all instances
    features  shape (k − 1, n, runs): what the measure sums, of a macro what it is a mean of, but
              for the first, which is 1; NaN where it has none
    correct   shape (n, runs)
    unsure    of some runs, shape (n,): which answers nobody has judged yet, and which stated
              certainties the gate must look at
    """

    runs: tuple[Judged, ...]
    features: FloatArray
    correct: BoolArray
    unsure: Mapping[int, BoolArray]
    rows: IntArray
    at: IntArray

    @property
    def cluster(self) -> IntArray:
        """The cluster of each instance that is looked at."""
        cluster = self.runs[0].cluster
        return cluster[self.at] if cluster.size else np.arange(len(self.at))

    def part(self, rows: IntArray, at: IntArray) -> "Stack":
        """These runs on these instances."""
        return replace(self, rows=rows, at=at)

    def run(self, row: int) -> Judged:
        """The run of a row, on the instances that are looked at."""
        found: Judged = self.runs[self.rows[row]]
        return found.part(self.at)

    @property
    def judged(self) -> BoolArray:
        """Shape (rows,): of which runs nothing is ``unsure``."""
        each = map(self.unsure.get, self.rows.tolist())
        return np.array([which is None or not which[self.at].any() for which in each])


def stacked(runs: Sequence[Judged], measure: Measure) -> Stack:
    """The runs as a measure that has ``sums`` reads them, all of them on all their instances.

    raises  ValueError, for a measure that has none
    """
    inner = within(measure)
    if inner.sums is None:
        raise ValueError(f"{measure.key} is no function of sums")
    unsure = {row: _unsure(inner, run) for row, run in enumerate(runs)}
    correct = np.array([run.correct for run in runs]).T.copy()
    features = np.empty((0, *correct.shape))
    for row, run in enumerate(runs):
        each = _features(inner.sums, run)
        if each.size and not features.size:
            features = np.full((len(each) - 1, *correct.shape), np.nan)
        if each.size:
            features[:, :, row] = each[1:]
    every = np.arange(len(runs)), np.arange(len(correct))
    closer = {row: which for row, which in unsure.items() if which.any()}
    return Stack(tuple(runs), features, correct, closer, *every)


def _unsure(measure: Measure, run: Judged) -> BoolArray:
    """Shape (n,), or empty where all is judged and nothing certain."""
    if measure.gate != "certainty":
        return run.waiting
    found = staked(measure, run)
    return found | run.waiting if run.waiting.size else found


def _features(sums: Sums, run: Judged) -> FloatArray:
    """Shape (k, n); k is 0 where the measure is undefined for the run."""
    try:
        with np.errstate(all="ignore"):  # a run has no numbers where it does not answer
            return sums.features(run).T
    except Undefined:
        return np.empty((0, len(run.correct)))
