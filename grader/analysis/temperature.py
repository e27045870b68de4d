"""Temperature scaling: one number that makes all class probabilities softer or sharper."""

import numpy as np

from grader.model import Classes, FloatArray

LEAST = 2.0**-52  # probabilities are read no lower: a logarithm needs more than 0
RANGE = (0.05, 20.0)
_STEPS = 40


def temperature(classes: Classes) -> float | None:
    """The T in RANGE that makes the gold classes likeliest under p ** (1/T), renormalised.

    None if no instance's gold is one of the classes.

    Guo et al., On Calibration of Modern Neural Networks, ICML 2017, section 4.2.
    """
    known = classes.gold >= 0
    if not known.any():
        return None
    logs = _logs(classes.probabilities[known])
    gold = logs[np.arange(len(logs)), classes.gold[known]]
    gold = np.where(np.isfinite(gold), gold, np.log(LEAST)).mean()
    low, high = 1 / RANGE[1], 1 / RANGE[0]
    if _slope(logs, gold, low) >= 0:
        return RANGE[1]
    if _slope(logs, gold, high) <= 0:
        return RANGE[0]
    return 1 / _root(logs, float(gold), low, high)


def _root(logs: FloatArray, gold: float, low: float, high: float) -> float:
    """Where the slope is 0 between two sharpnesses: it rises, so halving and secants find it."""
    at = 1.0
    for _ in range(_STEPS):
        slope = _slope(logs, gold, at)
        if slope < 0:
            low = at
        else:
            high = at
        if high - low < 1e-9 * high or not slope:
            break
        step = at - slope / _curvature(logs, at)
        at = step if low < step < high else (low * high) ** 0.5
        if abs(step - at) < 1e-12 and abs(slope) < 1e-12:
            break
    return at


def _weights(logs: FloatArray, sharpness: float) -> FloatArray:
    raised = sharpness * logs
    raised -= raised.max(axis=1, keepdims=True)
    np.exp(raised, out=raised)
    raised /= raised.sum(axis=1, keepdims=True)
    return raised


def _moments(logs: FloatArray, sharpness: float) -> tuple[FloatArray, FloatArray]:
    weights = _weights(logs, sharpness)
    finite = np.where(np.isfinite(logs), logs, 0.0)
    mean = np.einsum("nk,nk->n", weights, finite)
    return mean, np.einsum("nk,nk,nk->n", weights, finite, finite) - np.square(mean)


def _slope(logs: FloatArray, gold: float, sharpness: float) -> float:
    """The derivative by the sharpness 1/T of the mean negative log-likelihood."""
    return float(_moments(logs, sharpness)[0].mean() - gold)


def _curvature(logs: FloatArray, sharpness: float) -> float:
    return max(float(_moments(logs, sharpness)[1].mean()), 1e-300)


def _logs(probabilities: FloatArray) -> FloatArray:
    """Shape (n, classes): logarithms, −inf where a class is not offered."""
    offered = ~np.isnan(probabilities)
    return np.where(offered, np.log(np.maximum(np.nan_to_num(probabilities), LEAST)), -np.inf)


def tempered(confidence: FloatArray, classes: Classes, value: float) -> FloatArray:
    """Shape (n,): confidences at a temperature, renormalised over the classes of their row.

    >>> classes = Classes(np.array([[0.8, 0.2]]), np.array([0]))
    >>> tempered(np.array([0.8]), classes, 2.0).round(6).tolist()
    [0.666667]
    """
    logs = _logs(classes.probabilities) / value
    top = logs.max(axis=1)
    top = np.where(np.isfinite(top), top, 0.0)
    total = np.exp(logs - top[:, None]).sum(axis=1)
    mine = np.exp(np.log(np.maximum(confidence, LEAST)) / value - top)
    # A line without class probabilities (a refusal) keeps its confidence.
    found = np.where(total > 0, mine / np.maximum(total, LEAST), confidence)
    return np.asarray(np.clip(found, 0.0, 1.0))
