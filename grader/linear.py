"""Many runs of a board at once: their values, and what each cluster adds to them."""

import math
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from grader.compare import DIFFERENT
from grader.gate import passing
from grader.measures import within
from grader.model import BoolArray, FloatArray, IntArray, Measure, Sums
from grader.stack import Stack

_ENTRIES = 2**21  # numbers that are read together
_LOOK = 64  # clusters in which most pairs of runs differ often enough


@dataclass(frozen=True, slots=True)
class Linear:
    """What a measure finds in the runs of a stack.

    values     shape (runs,): as functions of sums
    sound      shape (runs,): of which runs that is the value, and no gate needs to look closer
    influence  shape (clusters, runs): what each cluster adds to the value, to first order
    differing  shape (runs − 1,): in how many clusters the sums of a run and the next one differ;
               from DIFFERENT on perhaps in more
    share      shape (clusters,): of the instances
    """

    values: FloatArray
    sound: BoolArray
    influence: FloatArray
    differing: IntArray
    share: FloatArray


@dataclass(frozen=True, slots=True)
class _Cut:
    """Instances by their clusters and, of a macro, parts: what is of one is a piece.

    at        the places of the instances in the stack, those of a piece together
    pieces    where each piece begins in ``at``
    parts     of each part of the macro, its pieces; of other measures all
    many      how many these are, of each part
    sizes     shape (pieces,): how many instances each has
    counts    shape (pieces,): whether they are in a part
    clusters  where each cluster begins among the pieces
    share     shape (clusters,): of the instances
    """

    at: IntArray
    pieces: IntArray
    parts: tuple[Any, ...]
    many: tuple[int, ...]
    sizes: IntArray
    counts: BoolArray
    clusters: IntArray
    share: FloatArray


def linearised(stack: Stack, measure: Measure) -> Linear:
    """The runs of a stack as a measure finds them.

    measure  a macro is bound to the instances of the stack
    raises   ValueError, for a measure that is no function of sums
    """
    if measure.sums is None:
        raise ValueError(f"{measure.key} is no function of sums")
    cut, k = _cut(stack, measure), len(stack.features)
    rows, stack = stack.rows, stack.part(stack.rows, cut.at)
    parts = slices(len(stack.runs), _ENTRIES // (k * len(cut.at)))
    totals = (_pieced(stack.features[:, cut.at, some], cut.pieces) for some in parts)
    each = [_found(some, measure.sums, cut) for some in totals]
    values, influence = each[0] if len(each) == 1 else map(np.hstack, zip(*each, strict=True))
    values, sound = values[rows], _sound(stack, within(measure), cut)
    sound &= np.isfinite(values)
    differing = _differing(stack, cut)
    return Linear(values, sound, influence.take(rows, axis=1), differing, cut.share)


def slices(many: int, most: int) -> list[slice]:
    """Places in parts of as many at most, about as large."""
    parts = math.ceil(many / max(1, most))
    return [slice(i * many // parts, (i + 1) * many // parts) for i in range(parts)]


def _cut(stack: Stack, measure: Measure) -> _Cut:
    n, cluster = len(stack.at), stack.cluster
    part = np.full(n, -1 if measure.parts else 0)
    for i, (_, places) in enumerate(measure.parts):
        part[places] = i
    order = np.lexsort((part, cluster))
    cluster, part = cluster[order], part[order]
    new = np.diff(cluster, prepend=cluster[0] - 1) != 0
    pieces = np.flatnonzero(new | (np.diff(part, prepend=part[0]) != 0))
    sizes = np.diff(np.append(pieces, n))
    clusters, of = np.flatnonzero(new[pieces]), part[pieces]
    parts = tuple(np.flatnonzero(of == i) for i in range(len(measure.parts)))
    return _Cut(
        stack.at[order],
        pieces,
        parts or (slice(None),),
        tuple(map(len, parts)) or (len(pieces),),
        sizes,
        of >= 0,
        clusters,
        np.add.reduceat(sizes, clusters) / n,
    )


def _found(totals: FloatArray, sums: Sums, cut: _Cut) -> tuple[FloatArray, FloatArray]:
    """The values of all runs, and what each cluster adds to them.

    totals  shape (k − 1, pieces, runs)
    """
    many, runs = len(totals), totals.shape[-1]
    whole = np.empty((len(cut.parts), 1 + many, runs))
    for mine, at in zip(whole, cut.parts, strict=True):
        mine[0], mine[1:] = cut.sizes[at].sum(), totals[:, at].sum(axis=1)
    flat = whole.reshape(-1, runs).T
    with np.errstate(divide="ignore", invalid="ignore"):  # what is undefined is not sound
        values, slope = sums.value(flat), sums.gradient(flat).T.reshape(whole.shape)
        each = [_added(*of, totals, cut.sizes) for of in zip(slope, cut.parts, strict=True)]
    if len(each[0]) == len(cut.pieces):
        return values, _pieced(each[0], cut.clusters)
    influence = np.zeros(totals.shape[1:])
    for mine, at in zip(each, cut.parts, strict=True):
        influence[at] = mine
    return values, _pieced(influence, cut.clusters)


def _added(slope: FloatArray, at: Any, totals: FloatArray, sizes: IntArray) -> FloatArray:  # noqa: ANN401
    """Shape (pieces, runs): what each piece of a part adds to the value."""
    found = np.einsum("kr,kpr->pr", slope[1:], totals[:, at])
    found += slope[0] if (sizes == 1).all() else np.outer(sizes[at], slope[0])
    return np.asarray(found)


def _pieced(each: Any, starts: IntArray) -> Any:  # noqa: ANN401, of numbers or of flags
    """The sums over each piece, along the axis before that of the runs.

    Itself where each is one alone.
    """
    if len(starts) == each.shape[-2]:
        return each
    return np.add.reduceat(each, starts, axis=-2)


def _sound(stack: Stack, measure: Measure, cut: _Cut) -> BoolArray:
    """Shape (rows,): whether the gate lets runs pass by counts alone, in each part."""
    right, sound = stack.correct.take(stack.at, axis=0), stack.judged
    alone = len(cut.pieces) == len(stack.at)
    kinds = (right,) if alone else (_pieced(kind, cut.pieces) > 0 for kind in (right, ~right))
    counts = [[tally(kind[at], axis=0)[stack.rows] for at in cut.parts] for kind in kinds]
    if alone:  # each is right or wrong
        counts.append([many - rights for many, rights in zip(cut.many, counts[0], strict=True)])
    for many, rights, wrongs in zip(cut.many, *counts, strict=True):
        sound &= passing(measure, many, rights, wrongs)
    return sound


def tally(flags: BoolArray, axis: int) -> IntArray:
    """How many are true along an axis."""
    return np.asarray(flags.view(np.uint8).sum(axis=axis, dtype=np.int32))


def _differing(stack: Stack, cut: _Cut) -> IntArray:
    """Shape (rows − 1,): in how many clusters the sums of a run and the next one differ."""
    pieces, one, two = len(cut.pieces), stack.rows[:-1], stack.rows[1:]
    look = int(cut.clusters[_LOOK]) if len(cut.clusters) > _LOOK else pieces
    many = _unlike(stack, cut, look, one, two)
    few = np.flatnonzero(many < DIFFERENT)
    if few.size and look < pieces:
        many[few] = _unlike(stack, cut, pieces, one[few], two[few])
    return many


def _unlike(stack: Stack, cut: _Cut, pieces: int, one: IntArray, two: IntArray) -> IntArray:
    """The same of some pairs, in the first pieces."""
    at = cut.at[: cut.sizes[:pieces].sum()]
    each = (_pieced(f.take(at, axis=0), cut.pieces[:pieces]) for f in stack.features)
    unlike = reduce(np.logical_or, (sums[:, one] != sums[:, two] for sums in each))
    unlike &= cut.counts[:pieces, None]
    return tally(_pieced(unlike, cut.clusters[cut.clusters < pieces]) > 0, axis=0)
