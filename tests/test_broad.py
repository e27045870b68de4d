"""Many runs against each other: the bound by brute force, and what is said of it."""

import math
from itertools import product

import numpy as np
import pytest
from simulation import board

from grader import family as families
from grader.broad import broad
from grader.compare import CONSTANT, FEW, SAME
from grader.family import family
from grader.measures import find
from grader.model import Gold, Judged, Task

N = 400


def runs_of(n=N, many=6, seed=1):
    return board(n, np.linspace(0.35, 0.8, many), np.random.default_rng([n, seed]))


def beyond(difference, signs):
    """The sum over the root of the squares, of differences in each cluster less a shift."""
    return abs(signs.sum()) / math.sqrt(float((signs**2).sum()))


@pytest.mark.parametrize("seed", range(4))
def test_the_bound_holds_for_all_signs_of_any_differences(seed):
    by = np.random.default_rng(seed).standard_t(2, 14)
    sums = np.array([abs(np.dot(by, signs)) for signs in product((-1, 1), repeat=len(by))])
    for x in (0.5, 1.0, 2.0, 2.5, 3.0):
        share = (sums >= x * math.sqrt(float(by @ by)) - 1e-12).mean()
        assert share <= 2 * math.exp(-(x**2) / 2)


@pytest.mark.parametrize("size", [1, 4])
def test_a_mean_is_compared_by_the_sums_of_each_cluster(size):
    worst = Judged(runs_of()[0].correct, np.where(runs_of()[0].correct, 0.1, 0.9))
    runs = [
        Judged(r.correct, r.confidence, np.arange(N) // size) for r in (*runs_of(many=4), worst)
    ]
    if size == 1:
        runs = [Judged(r.correct, r.confidence) for r in runs]
    found = broad(runs, find("brier"))
    pairs = len(runs) * (len(runs) - 1) / 2
    each = np.array([(r.confidence - r.correct) ** 2 for r in runs]).reshape(len(runs), -1, size)
    told = []
    for pair in found.pairs:
        by = (each[pair.a] - each[pair.b]).sum(axis=1) / N
        assert pair.difference == pytest.approx(by.sum())
        p = min(1, 2 * pairs * math.exp(-(beyond(0, by) ** 2) / 2))
        assert pair.p == pytest.approx(p)
        assert pair.told_apart == (p < 0.05)
        for end in (pair.low, pair.high):  # there p is .05
            assert beyond(0, by - end * size / N) == pytest.approx(found.critical)
        told.append(pair.told_apart)
    assert 2 * pairs * math.exp(-(found.critical**2) / 2) == pytest.approx(0.05)
    assert set(told) == {True, False}
    with pytest.raises(ValueError, match="neighbours"):
        found.pair(0, 2)
    assert found.pair(2, 3) == found.pairs[2]


@pytest.mark.parametrize("key", ["hmr", "brier", "accuracy"])
def test_ranks_count_the_runs_that_are_told_apart(key):
    runs, measure = runs_of(), find(key)
    found = broad(runs, measure)
    for i, run in enumerate(runs):
        others = [r for j, r in enumerate(runs) if j != i]
        better = worse = 0
        for other in others:
            # The same family, in an order in which the two are neighbours.
            rest = [r for r in others if r is not other]
            [pair] = broad([run, other, *rest], measure).pairs[:1]
            ahead = (pair.difference > 0) == (measure.better == "higher")
            better += pair.told_apart and not ahead
            worse += pair.told_apart and ahead
        assert found.ranks[i] == (1 + better, len(runs) - worse)


def test_every_order_of_instances_and_runs_says_the_same():
    runs = runs_of()
    order = np.random.default_rng(3).permutation(N)
    there = broad([r.part(order) for r in runs], find("hmr"))
    back = broad(runs[::-1], find("hmr"))
    here = broad(runs, find("hmr"))
    assert here.ranks == there.ranks == back.ranks[::-1]
    assert [p.p for p in here.pairs] == pytest.approx([p.p for p in there.pairs])
    assert [p.p for p in here.pairs] == pytest.approx([p.p for p in back.pairs[::-1]])


def test_what_cannot_be_told_says_why():
    run, *rest = runs_of()
    near = run.correct.copy()
    near[:9] = ~near[:9]
    shifted = Judged(run.correct, run.confidence * 0.5 + 0.1)
    moved = Judged(run.correct, shifted.confidence + 0.125)
    none = Judged(np.zeros(N, dtype=bool), run.confidence)
    apart = {7: "it answered too few"}
    runs = [run, run, Judged(near, run.confidence), shifted, moved, rest[0], none, rest[1]]
    accuracy = broad(runs, find("accuracy"), apart)
    assert [p.reason for p in accuracy.pairs[:2]] == [SAME, FEW]
    assert accuracy.pairs[0].p == 1.0
    assert accuracy.ranks[7] is None
    assert broad(runs, find("confidence")).pairs[3].reason == CONSTANT
    hmr = broad(runs, find("hmr"))
    assert "0 right" in hmr.reasons[6]
    assert hmr.pairs[5].p is None
    assert hmr.ranks[6] is None
    few = broad(runs_of(20, 40), find("accuracy"))
    assert "so few instances" in few.pairs[20].reason + few.pairs[19].reason
    assert set(few.ranks) == {(1, 40)}
    assert not any(p.told_apart for p in few.pairs)


def test_alone_or_with_none_nothing_is_compared():
    runs = runs_of()
    found = broad(runs[:2], find("accuracy"), {0: "gone"})
    assert (found.ranks, found.pairs[0].reason, found.critical) == ((None, None), "gone", None)
    with pytest.raises(ValueError, match="no function of sums"):
        broad(runs, find("auroc"))


def test_a_board_of_many_runs_is_compared_by_the_bound(monkeypatch):
    gold = Gold(tuple(f"{i:03}" for i in range(N)), (("x",),) * N)
    seen = {f"r-{i}": (run, np.ones(N, dtype=np.bool_)) for i, run in enumerate(runs_of())}
    task = Task("t", "T")
    assert not family(task, gold, seen).comparison.adjacent
    monkeypatch.setattr(families, "MOST", 5)
    found = family(task, gold, seen)
    assert found.comparison == broad(runs_of(), find("hmr"))
    assert found.above("r-3") == found.comparison.pairs[2]
    assert found.above("r-0") is None
