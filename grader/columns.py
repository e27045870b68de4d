"""What a person hands over in a notebook, as the nouns that measures see."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from grader.model import (
    BoolArray,
    Bounds,
    Classes,
    FloatArray,
    IntArray,
    Judged,
    Resampling,
    Subsets,
)

NOISE = 1e-9  # how far outside [0, 1] a number may lie and still count as the nearer end
SUM = 0.001  # how far the probabilities of an instance may add up to another sum than 1


def answered(
    correct: ArrayLike,
    confidence: ArrayLike,
    cluster: Sequence[object] | None = None,
    classes: tuple[ArrayLike, ArrayLike] | None = None,
) -> Judged:
    """Answers that are right or not, with confidences in [0, 1]; raises ValueError for others."""
    sure = shares("confidence", confidence)
    n = len(sure)
    right = flags("correct", correct, n)
    of = None if classes is None else offered(*classes, n)
    if of is not None:
        _agree(right, sure, of)
    return Judged(right, sure, clusters(cluster, n), of)


def _agree(right: BoolArray, sure: FloatArray, classes: Classes) -> None:
    """Raise ValueError where a right answer's confidence is not what its class is given.

    A wrong one says nothing: a refusal may have a confidence of its own.
    """
    told = np.flatnonzero(right & (classes.gold >= 0))
    given = np.nan_to_num(classes.probabilities[told, classes.gold[told]])
    wrong = np.abs(given - sure[told]) > SUM + NOISE
    if wrong.any():
        at, probability = told[wrong][0], given[wrong][0]
        raise ValueError(
            f"classes contradict correct and confidence at place {at}, counted from 0: the answer "
            f"is right at {sure[at]:g}, and the gold class has the probability {probability:g}"
        )


def bounded(
    lower: ArrayLike,
    upper: ArrayLike,
    gold: ArrayLike,
    level: float,
    cluster: Sequence[object] | None = None,
) -> Judged:
    """Prediction intervals and what they are to cover; raises ValueError for what is none.

    A gold value may be missing: it is NaN, and its instance counts in no score.
    """
    truth = numbers("gold", gold)
    n = len(truth)
    low, high = numbers("lower", lower, n), numbers("upper", upper, n)
    if np.isinf(truth).any():
        raise ValueError(f"gold {_first(truth, np.isinf(truth))}: give finite numbers")
    # Not low > high: a missing end is in no order.
    if not (low <= high).all() or (low == np.inf).any() or (high == -np.inf).any():
        raise ValueError("lower is above upper, or an end is missing or on the wrong side")
    if not 0 < level < 1:
        raise ValueError(f"level is {level}: the share to be covered is between 0 and 1")
    bounds = Bounds(low, high, truth, level)
    return Judged(np.zeros(n, np.bool_), np.ones(n), clusters(cluster, n), bounds=bounds)


def offered(probabilities: ArrayLike, gold: ArrayLike, n: int) -> Classes:
    """Class probabilities, shape (n, classes), and the column of the gold class, −1 for none."""
    table = shares("probabilities", probabilities, n, dimensions=2)
    of = numbers("the gold class", gold, n)
    if not np.isin(of, np.arange(-1, table.shape[1])).all():
        raise ValueError(
            "the gold class holds what is no column of probabilities, nor -1 for none"
        )
    given = ~np.isnan(table).all(axis=1)
    if (np.abs(np.nansum(table, axis=1) - 1) > SUM)[given].any():
        raise ValueError(f"probabilities has a row that does not add up to 1 within {SUM}")
    return Classes(table, of.astype(np.intp))


def flags(name: str, values: ArrayLike, n: int) -> BoolArray:
    """Shape (n,): bool of what is bool, or 0 and 1."""
    found = numbers(name, values, n)
    if not np.isin(found, (0, 1)).all():
        said = _first(found, ~np.isin(found, (0, 1)))
        raise ValueError(f"{name} holds more than 0 and 1, or a missing value: it {said}")
    return np.asarray(found == 1)


def shares(name: str, values: ArrayLike, n: int | None = None, dimensions: int = 1) -> FloatArray:
    """Numbers in [0, 1]; only a table may hold NaN, where a class is not offered."""
    found = numbers(name, values, n, dimensions)
    inside = (found >= -NOISE) & (found <= 1 + NOISE)
    wrong = ~(inside | (np.isnan(found) & (dimensions > 1)))
    if wrong.any():
        mend = "; if these are percentages, divide by 100" if found[wrong][0] > 1 else ""
        raise ValueError(f"{name} {_first(found, wrong)}: give numbers from 0 to 1{mend}")
    return np.clip(found, 0.0, 1.0)


def _first(found: FloatArray, wrong: BoolArray) -> str:
    """The first wrong value and its place, with how many there are."""
    at = tuple(int(i) for i in np.argwhere(wrong)[0])
    place = str(at[0] if len(at) == 1 else at)
    what = "has no value" if np.isnan(found[at]) else f"is {float(found[at])}"
    more = f" ({int(wrong.sum())} such in all)" if wrong.sum() > 1 else ""
    return f"{what} at place {place}, counted from 0{more}"


def numbers(name: str, values: ArrayLike, n: int | None = None, dimensions: int = 1) -> FloatArray:
    """An array of so many dimensions, n long if that is known; a missing value is NaN."""
    shape = ("(n,)", "(n, classes)")[dimensions - 1]
    try:
        found = np.asarray(values)
    except ValueError as e:
        raise ValueError(f"{name} is ragged: give shape {shape}") from e
    if found.ndim != dimensions:
        raise ValueError(f"{name} has shape {found.shape}: give {shape}")
    if n is not None and len(found) != n:
        raise ValueError(f"{name} has {len(found)} values for {n} instances")
    if found.dtype == object:
        found = np.where(pd.isna(found), np.nan, found)
        fit = not any(isinstance(value, str | bytes) for value in found.flat)
    else:
        fit = found.dtype.kind in "biuf"
    try:
        if fit:
            return np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(f"{name} holds what is no number")


def keys(measures: Sequence[str]) -> tuple[str, ...]:
    """The keys of measures, each a text; raises ValueError for one text alone, or for none."""
    if isinstance(measures, str) or not all(isinstance(key, str) for key in measures):
        raise ValueError("measures is a list of keys, as ['hmr', 'ece@10']")
    if not len(measures):
        raise ValueError("measures is a list of at least one key")
    return tuple(measures)


def drawn(resampling: Resampling) -> Resampling:
    """The same, if resamples are from 0 to 100,000 and the seed is no less than 0."""
    if not 0 <= resampling.resamples <= 100_000 or resampling.seed < 0:
        raise ValueError(f"{resampling}: resamples are from 0 to 100000, the seed from 0")
    return resampling


def clusters(values: Sequence[object] | None, n: int) -> IntArray:
    """Shape (n,), or empty without clusters."""
    if values is None:
        return np.empty(0, dtype=np.intp)
    texts = _texts("cluster", values, n)
    if None in texts:
        raise ValueError(f"cluster has no value at place {texts.index(None)}, counted from 0")
    return np.unique(np.array(texts, dtype=str), return_inverse=True)[1]


def mapping(subsets: object) -> Mapping[str, Sequence[object]]:
    """Subsets as a mapping, a DataFrame by its columns; raises ValueError for what is neither."""
    if isinstance(subsets, pd.DataFrame):
        return {str(name): cast("Sequence[object]", subsets[name]) for name in subsets}
    if isinstance(subsets, Mapping):
        return subsets
    raise ValueError("subsets is no mapping from a dimension to the subset of each instance")


def cuts(subsets: Mapping[str, Sequence[object]] | None, n: int) -> tuple[Subsets, ...]:
    """The subsets of each dimension, in the order in which they come up."""
    if subsets is None:
        return ()
    return tuple(_cut(str(name), values, n) for name, values in mapping(subsets).items())


def _cut(name: str, values: Sequence[object], n: int) -> Subsets:
    texts = _texts(repr(name), values, n)
    known = tuple(dict.fromkeys(t for t in texts if t is not None))
    place = {text: i for i, text in enumerate(known)}
    return Subsets(name, known, np.array([-1 if t is None else place[t] for t in texts], np.intp))


def _texts(name: str, values: Sequence[object], n: int) -> list[str | None]:
    """One text for each instance, None where the value is missing."""
    if getattr(values, "ndim", 1) != 1:
        raise ValueError(f"{name} has another shape than (n,)")
    try:
        found = list(values)
    except TypeError as e:
        raise ValueError(f"{name} is no list of values") from e
    if len(found) != n:
        raise ValueError(f"{name} has {len(found)} values for {n} instances")
    missing = pd.isna(pd.Series(found, dtype=object)).tolist()
    return [None if gone else str(v) for gone, v in zip(missing, found, strict=True)]


def aligned(**columns: object) -> None:
    """Raise ValueError if pandas objects name their rows otherwise: nobody would join them."""
    named = {k: v.index for k, v in columns.items() if isinstance(v, pd.Series | pd.DataFrame)}
    first = next(iter(named), "")
    for name, index in named.items():
        if len(index) == len(named[first]) and not index.equals(named[first]):
            raise ValueError(
                f"{first} and {name} have different indexes: bring their rows into one order, "
                "then give .to_numpy() of both"
            )
