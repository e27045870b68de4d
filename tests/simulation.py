"""Runs drawn from a population whose every measure is known, to see what intervals cover."""

from dataclasses import dataclass

import numpy as np

from grader.measures import find
from grader.model import Cells, Judged
from grader.resample import Resampler

# Populations: levels of confidence, how often each is stated, how often it is right.
FINE = (np.arange(400) + 0.5) / 400  # as good as continuous
COARSE = np.arange(11) / 10  # what people and chat models state
SHIFT = 1.0  # standard deviation of a cluster's own difficulty, in logits
HOME = 0.3  # share of a cluster's instances that state the cluster's own level


@dataclass(frozen=True)
class Population:
    """``right[k]`` is the chance of being right at ``level[k]``, stated with ``chance[k]``."""

    level: np.ndarray
    chance: np.ndarray
    right: np.ndarray

    def value(self, key, shift=0.0):
        """A measure on the whole population: cells of very many instances."""
        many = 1e9 * self.chance
        right = self.rights(shift)
        cells = Cells(self.level, (many * right)[None, :], (many * (1 - right))[None, :])
        measure = find(key)
        return float(measure.fn(cells, **measure.params)[0])

    def rights(self, shift):
        """The chances of being right, over clusters whose logits are apart by ``shift``."""
        node, weight = np.polynomial.hermite_e.hermegauss(60)
        logit = np.log(self.right / (1 - self.right))
        return (1 / (1 + np.exp(-(logit[:, None] + shift * node)))) @ weight / weight.sum()

    def drawn(self, n, rng, size=0):
        """n instances, independent, or in clusters of ``size`` alike in difficulty and level."""
        at = rng.choice(len(self.level), size=n, p=self.chance)
        right, cluster = self.right[at], np.empty(0, dtype=np.intp)
        if size:
            cluster = np.arange(n) // size
            own = rng.choice(len(self.level), size=cluster[-1] + 1, p=self.chance)[cluster]
            at = np.where(rng.random(n) < HOME, own, at)
            logit = np.log(self.right[at] / (1 - self.right[at]))
            logit += SHIFT * rng.standard_normal(cluster[-1] + 1)[cluster]
            right = 1 / (1 + np.exp(-logit))
        return Judged(rng.random(n) < right, self.level[at], cluster)


def population(levels, low=0.25, high=0.85, high_end=2.0):
    """Confidences lean to the upper end; accuracy rises with them from ``low`` to ``high``."""
    chance = (levels + 0.05) ** (high_end - 1)
    return Population(levels, chance / chance.sum(), low + (high - low) * levels)


def covered(population, keys, n, sets, *, size=0, resamples=400, seed=1):
    """For each key: how many intervals there were, and the share that held the true value."""
    shift = SHIFT if size else 0.0
    truth = {key: population.value(key, shift) for key in keys}
    held = {key: [] for key in keys}
    for i in range(sets):
        judged = population.drawn(n, np.random.default_rng([seed, n, size, i]), size)
        part = Resampler(judged, resamples, i)
        for key in keys:
            measure = find(key)
            value = float(measure.fn(judged.cells, **measure.params)[0])
            found = part.interval(measure, value, part.floor(measure))
            if found.low is not None:
                # Sums in another order may differ in the last digit.
                held[key].append(found.low - 1e-12 <= truth[key] <= found.high + 1e-12)
    return {key: (len(x), float(np.mean(x)) if x else np.nan) for key, x in held.items()}


def board(n, accuracies, rng):
    """Runs on the same instances whose HMR is the same, whatever their accuracies.

    How sure a run is depends on whether it is right, and on how hard the instance is, which all
    runs share; not on how often it is right.
    """
    hard = rng.standard_normal(n)
    runs = []
    for accuracy in accuracies:
        right = rng.random(n) < accuracy
        sure = 0.9 * right - 0.2 + 0.7 * hard + 0.7 * rng.standard_normal(n)
        runs.append(Judged(right, 1 / (1 + np.exp(-sure))))
    return runs
