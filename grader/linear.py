"""Many runs of a board at once: their values, and what each cluster adds to them."""

from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from grader.compare import DIFFERENT
from grader.gate import passing
from grader.measures import within
from grader.model import BoolArray, FloatArray, IntArray, Measure, Sums
from grader.stack import Stack

_ROWS = 128  # runs that are read together
_LOOK = 64  # clusters in which most pairs of runs differ often enough


@dataclass(frozen=True, slots=True)
class Linear:
    """What a measure finds in the runs of a stack.

    values     shape (runs,): as functions of sums
    sound      shape (runs,): of which runs that is the value, and no gate needs to look closer
    influence  shape (runs, clusters): what each cluster adds to the value, to first order
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
    counts    shape (pieces,): whether they are in a part
    clusters  where each cluster begins among the pieces
    share     shape (clusters,): of the instances
    """

    at: IntArray
    pieces: IntArray
    parts: tuple[Any, ...]
    many: tuple[int, ...]
    counts: BoolArray
    clusters: IntArray
    share: FloatArray


def linearised(stack: Stack, measure: Measure) -> Linear:
    """The runs of a stack as a measure finds them, some at a time.

    measure  a macro is bound to the instances of the stack
    raises   ValueError, for a measure that is no function of sums
    """
    if measure.sums is None:
        raise ValueError(f"{measure.key} is no function of sums")
    cut = _cut(stack, measure)
    stack = stack.part(stack.rows, cut.at)
    many = len(stack.rows)
    values, influence = np.empty(many), np.empty((many, len(cut.clusters)))
    sound, differing = np.empty(many, dtype=np.bool_), np.empty(many - 1, dtype=np.intp)
    for start in range(0, many, _ROWS):
        some = slice(start, start + _ROWS)
        totals = _pieced(stack.block(start, start + _ROWS + 1), cut.pieces)
        differing[some] = _differing(totals, cut)
        values[some], influence[some] = _found(totals[:_ROWS], measure.sums, cut)
        sound[some] = _sound(stack, within(measure), cut, some)
    return Linear(values, sound & np.isfinite(values), influence, differing, cut.share)


def _cut(stack: Stack, measure: Measure) -> _Cut:
    n, cluster = len(stack.at), stack.cluster
    part = np.full(n, -1 if measure.parts else 0)
    for i, (_, places) in enumerate(measure.parts):
        part[places] = i
    order = np.lexsort((part, cluster))
    cluster, part = cluster[order], part[order]
    new = np.diff(cluster, prepend=cluster[0] - 1) != 0
    pieces = np.flatnonzero(new | (np.diff(part, prepend=part[0]) != 0))
    sizes = np.diff(np.append(np.flatnonzero(new), n))
    of = part[pieces]
    parts = tuple(np.flatnonzero(of == i) for i in range(len(measure.parts)))
    return _Cut(
        stack.at[order],
        pieces,
        parts or (slice(None),),
        tuple(map(len, parts)) or (len(pieces),),
        of >= 0,
        np.flatnonzero(new[pieces]),
        sizes / n,
    )


def _found(totals: FloatArray, sums: Sums, cut: _Cut) -> tuple[FloatArray, FloatArray]:
    """The values of some runs, and what each cluster adds to them.

    totals  shape (rows, k, pieces)
    """
    whole = np.stack([totals[:, :, at].sum(axis=2) for at in cut.parts], axis=1)
    flat = whole.reshape(len(whole), -1)
    influence = np.zeros((len(totals), len(cut.pieces)))
    with np.errstate(divide="ignore", invalid="ignore"):  # what is undefined is not sound
        values, slope = sums.value(flat), sums.gradient(flat).reshape(whole.shape)
        for i, at in enumerate(cut.parts):
            influence[:, at] = np.einsum("rk,rkp->rp", slope[:, i], totals[:, :, at])
    return values, _pieced(influence, cut.clusters)


def _pieced(each: Any, starts: IntArray) -> Any:  # noqa: ANN401, of numbers or of flags
    """The sums over each piece, along the last axis; itself where each is one alone."""
    if len(starts) == each.shape[-1]:
        return each
    return np.add.reduceat(each, starts, axis=-1)


def _sound(stack: Stack, measure: Measure, cut: _Cut, some: slice) -> BoolArray:
    """Shape (rows,): whether the gate lets runs pass by counts alone, in each part."""
    right, sound = stack.correct[stack.rows[some]].take(stack.at, axis=1), stack.judged(some)
    alone = len(cut.pieces) == len(stack.at)
    kinds = (right,) if alone else (_pieced(kind, cut.pieces) > 0 for kind in (right, ~right))
    counts = [[kind[:, at].sum(axis=1) for at in cut.parts] for kind in kinds]
    if alone:  # each is right or wrong
        counts.append([many - rights for many, rights in zip(cut.many, counts[0], strict=True)])
    for many, rights, wrongs in zip(cut.many, *counts, strict=True):
        sound &= passing(measure, many, rights, wrongs)
    return sound


def _differing(totals: FloatArray, cut: _Cut) -> IntArray:
    """Shape (rows − 1,): in how many clusters the sums of a run and the next one differ."""
    look = cut.clusters[_LOOK] if len(cut.clusters) > _LOOK else len(cut.pieces)
    many = _unlike(totals[:, :, :look], cut)
    for i in np.flatnonzero(many < DIFFERENT):
        many[i] = _unlike(totals[i : i + 2], cut)[0]
    return many


def _unlike(totals: FloatArray, cut: _Cut) -> IntArray:
    pieces = totals.shape[-1]
    each = (totals[1:, k] != totals[:-1, k] for k in range(totals.shape[1]))
    unlike = reduce(np.logical_or, each) & cut.counts[:pieces]
    clusters = cut.clusters[cut.clusters < pieces]
    return np.asarray((_pieced(unlike, clusters) > 0).sum(axis=1))
