"""Runs drawn from a population whose every measure is known, to see what intervals cover.

Instances of a cluster are alike in all that is drawn: each draw is uniform by itself, whatever
the clusters, so that the true values are those of one instance.
"""

from dataclasses import dataclass
from itertools import starmap

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import t

from grader.analysis.verdict import verdict
from grader.compare import compare
from grader.measures import find
from grader.model import Bounds, Cells, Classes, Judged, Resampling, Undefined
from grader.pairwise import difference
from grader.resample import Resampler
from grader.scoring import measured

FINE = (np.arange(400) + 0.5) / 400  # as good as continuous
COARSE = np.arange(11) / 10  # what people and chat models state
ALIKE = 0.25  # correlation of two instances of a cluster, as normal deviates
SHARED = 0.4  # correlation of two runs on one instance
SLACK = 1e-12  # sums in another order may differ in the last digit


def uniforms(n, rng, size=0, runs=1):
    """Shape (runs, n): numbers from 0 to 1, alike within clusters of ``size`` and between runs."""
    own, shared = 1.0, np.zeros((1, n))
    if runs > 1:
        shared, own = shared + SHARED**0.5 * rng.standard_normal(n), own - SHARED
    if size:
        many = (n - 1) // size + 1
        of = rng.standard_normal((runs, many)) if runs == 1 else rng.standard_normal((1, many))
        shared, own = shared + ALIKE**0.5 * of[:, np.arange(n) // size], own - ALIKE
    return ndtr(shared + own**0.5 * rng.standard_normal((runs, n)))


def clusters(n, size):
    return np.arange(n) // size if size else np.empty(0, dtype=np.intp)


def at_random(chance, uniform):
    """Which of some things is drawn, each with its chance."""
    return np.minimum(np.searchsorted(np.cumsum(chance), uniform), len(chance) - 1)


@dataclass(frozen=True)
class Population:
    """``right[k]`` is the chance of being right at ``level[k]``, stated with ``chance[k]``."""

    level: np.ndarray
    chance: np.ndarray
    right: np.ndarray

    def value(self, key):
        """A measure on the whole population: cells of very many instances."""
        many = 1e9 * self.chance
        cells = Cells(self.level, (many * self.right)[None, :], (many * (1 - self.right))[None, :])
        measure = find(key)
        return float(measure.fn(cells, **measure.params)[0])

    def drawn(self, n, rng, size=0):
        """n instances, in clusters of ``size``, or each by itself."""
        return self.of(uniforms(n, rng, size)[0], uniforms(n, rng, size)[0], size)

    def of(self, sure, lucky, size=0):
        """The run that two uniforms an instance make."""
        at = at_random(self.chance, sure)
        return Judged(lucky < self.right[at], self.level[at], clusters(len(at), size))


def population(levels, low=0.25, high=0.85, high_end=2.0):
    """Confidences lean to the upper end; accuracy rises with them from ``low`` to ``high``."""
    chance = (levels + 0.05) ** (high_end - 1)
    return Population(levels, chance / chance.sum(), low + (high - low) * levels)


@dataclass(frozen=True)
class Stated:
    """Runs that state class probabilities ``given[j]`` where ``true[j]`` are so; all as likely."""

    given: np.ndarray
    true: np.ndarray

    def value(self, key):
        """br, nbr or nllc: the mean over what may be stated and what may then be the gold."""
        if key == "nllc":
            each = -np.log(np.maximum(self.given, 2.0**-52))
        else:
            each = np.square(self.given[:, None, :] - np.eye(self.given.shape[1])).sum(axis=2)
        found = float((self.true * each).sum(axis=1).mean())
        return found / 2 if key == "nbr" else found

    def drawn(self, n, rng, size=0):
        """n instances, in clusters of ``size``, or each by itself."""
        at = (uniforms(n, rng, size)[0] * len(self.given)).astype(np.intp)
        below = np.cumsum(self.true[at], axis=1)[:, :-1]
        gold = (uniforms(n, rng, size)[0][:, None] >= below).sum(axis=1)
        given = self.given[at]
        right = given.argmax(axis=1) == gold
        return Judged(right, given.max(axis=1), clusters(n, size), Classes(given, gold))


def stated(many=200, *, seed=3, digits=None):
    """Probabilities of three classes, too sharp; rounded to ``digits``, some of them to 0."""
    logits = np.random.default_rng(seed).normal(0, 1.5, (many, 3))
    true, given = (np.exp(factor * logits) for factor in (1.0, 1.6))
    true, given = (p / p.sum(axis=1, keepdims=True) for p in (true, given))
    return Stated(given if digits is None else np.round(given, digits), true)


@dataclass(frozen=True)
class Bounded:
    """Intervals from −half[j] to half[j] for normal values with mean 0 and deviation ``sd[j]``."""

    half: np.ndarray
    sd: np.ndarray
    level: float = 0.9

    def value(self, key):
        """coverage, width or iscore, by the normal integrals."""
        beyond = self.half / self.sd
        if key == "coverage":
            return float((2 * ndtr(beyond) - 1).mean())
        width = float(2 * self.half.mean())
        if key == "width":
            return width
        density = np.exp(-np.square(beyond) / 2) / np.sqrt(2 * np.pi)
        outside = 2 * self.sd * (density - beyond * ndtr(-beyond))  # both sides
        return width + 2 / (1 - self.level) * float(outside.mean())

    def drawn(self, n, rng, size=0):
        """n instances, in clusters of ``size``, or each by itself."""
        at = (uniforms(n, rng, size)[0] * len(self.half)).astype(np.intp)
        gold, half = self.sd[at] * ndtri(uniforms(n, rng, size)[0]), self.half[at]
        right = np.abs(gold) <= half
        bounds = Bounds(-half, half, gold, self.level)
        return Judged(right, np.ones(n), clusters(n, size), bounds=bounds)


def bounded(wide=1.4, many=200, seed=4):
    """Widths that follow the difficulty, but not far enough: about 80% are covered, or more."""
    rng = np.random.default_rng(seed)
    sd = np.exp(rng.normal(0, 0.5, many))
    return Bounded(wide * sd**0.8, sd)


def covered(population, keys, n, sets, *, size=0, resamples=400, seed=1):
    """For each key: how many intervals there were, and the share that held the true value."""
    truth = {key: population.value(key) for key in keys}
    held = {key: [] for key in keys}
    for i in range(sets):
        judged = population.drawn(n, np.random.default_rng([seed, n, size, i]), size)
        part = Resampler(judged, resamples, i)
        for key in keys:
            measure = find(key)
            try:
                found = part.interval(measure, measure(judged).value, part.floor(measure))
            except Undefined:
                continue
            if found.low is not None:
                held[key].append(found.low - SLACK <= truth[key] <= found.high + SLACK)
    return {key: shares(x) for key, x in held.items()}


def expanded(values, units):
    """The ends of a percentile interval, with as much beyond them as few units need."""
    share = ndtr(-t.ppf(0.975, units - 1) * np.sqrt(units / (units - 1)))
    ends = np.sort(values)
    low, high = (int(np.ceil(part * len(ends) - 1e-9)) - 1 for part in (share, 1 - share))
    return ends[low], ends[high]


def shares(held):
    return len(held), float(np.mean(held)) if held else np.nan


def counted(found, truth):
    """Of some pairs of ends, None where there is none: as ``covered`` says of each key."""
    held = [low - SLACK <= truth <= high + SLACK for low, high in found if low is not None]
    return shares(held)


def covered_means(populations, keys, sizes, sets, *, size=0, resamples=400, seed=1):
    """As ``covered``, of the unweighted mean over subsets of these sizes."""
    ends = {key: [] for key in keys}
    macros = {f"macro({key},part)": key for key in keys}
    for i in range(sets):
        runs = subsets(populations, sizes, np.random.default_rng([seed, *sizes, size, i]), size)
        named = zip((f"part={k}" for k in range(len(runs))), runs, strict=True)
        parts = {name: Resampler(run, resamples, i, name) for name, run in named}
        for score in measured(tuple(macros), parts):
            if score.measure in macros:
                ends[macros[score.measure]].append((score.low, score.high))
    return {
        key: counted(found, np.mean([p.value(key) for p in populations]))
        for key, found in ends.items()
    }


def covered_verdict(one, n, sets, *, size=0, resamples=400, seed=1):
    """As ``covered``, of R_U − R_O."""
    ends = []
    for i in range(sets):
        judged = one.drawn(n, np.random.default_rng([seed, n, size, i]), size)
        found = verdict(Resampler(judged, resamples, i))
        ends.append((found.low, found.high))
    return counted(ends, one.value("r_u") - one.value("r_o"))


def covered_differences(two, keys, n, sets, *, size=0, resamples=400, seed=1):
    """As ``covered``, of the difference of two runs on the same instances."""
    ends = {key: [] for key in keys}
    for i in range(sets):
        a, b = pair(two, n, np.random.default_rng([seed, n, size, i]), size)
        for key in keys:
            measure = find(key)
            if measure.sums is None:
                found = difference(a, b, measure, Resampling(resamples=resamples, seed=i))[:2]
            else:
                [only] = compare([a, b], measure, resamples, i).pairs
                found = only.low, only.high
            ends[key].append(found)
    return {
        key: counted(found, two[0].value(key) - two[1].value(key)) for key, found in ends.items()
    }


def subsets(populations, sizes, rng, size=0):
    """Runs of one subset each, of the populations; no cluster reaches over two."""
    found, first = [], 0
    for one, n in zip(populations, sizes, strict=True):
        judged = one.drawn(n, rng, size)
        if size:
            judged = Judged(judged.correct, judged.confidence, judged.cluster + first)
            first = judged.cluster[-1] + 1
        found.append(judged)
    return found


def pair(populations, n, rng, size=0):
    """Runs of the populations on the same instances: what is hard for one is for the others."""
    sure, lucky = (uniforms(n, rng, size, len(populations)) for _ in range(2))
    drawn = zip(populations, sure, lucky, [size] * len(sure), strict=True)
    return list(starmap(Population.of, drawn))


def board(n, accuracies, rng, size=0, sure=(-0.2, 0.7)):
    """Runs on the same instances whose HMR is the same, whatever their accuracies.

    How sure a run is depends on whether it is right, and on how hard the instance is, which all
    runs share; not on how often it is right. ``sure`` has the mean and deviation of what is its
    own, in logits.
    """
    hard = ndtri(uniforms(n, rng, size)[0])
    runs = []
    for accuracy in accuracies:
        right = uniforms(n, rng, size)[0] < accuracy
        logit = 0.9 * right + sure[0] + 0.7 * hard + sure[1] * rng.standard_normal(n)
        runs.append(Judged(right, 1 / (1 + np.exp(-logit)), clusters(n, size)))
    return runs
