"""Many runs against each other: the bound by brute force, and what is said of it."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import MappingProxyType

import numpy as np
import pytest
from simulation import board

from grader import family as families_
from grader import hoeffding
from grader.broad import neighbours
from grader.compare import CONSTANT, FEW, SAME, estimates, gated, standing, totals_of
from grader.family import bound, by_id, families, family, inside
from grader.linear import Linear
from grader.measures import find
from grader.model import Bounds, Classes, Gold, Judged, Subsets, Task
from grader.stack import stacked

N = 400


def runs_of(n=N, many=6, seed=1):
    return board(n, np.linspace(0.35, 0.8, many), np.random.default_rng([n, seed]))


def broad(runs, measure, apart=MappingProxyType({})):
    return neighbours(stacked(runs, measure), measure, apart)


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


@pytest.mark.parametrize("key", ["brier", "accuracy"])
def test_single_precision_decides_what_double_precision_does(key, monkeypatch):
    runs = runs_of(1000, 300)
    runs += runs[::20]  # of equal ones no difference is left but rounding
    monkeypatch.setattr(hoeffding, "_SINGLE", 1.0)
    exact = broad(runs, find(key)).ranks
    monkeypatch.undo()
    assert broad(runs, find(key)).ranks == exact
    assert len(set(exact)) > 10


@pytest.mark.parametrize("spread", [0, 3, 40])
@pytest.mark.parametrize("seed", range(4))
def test_who_is_surely_better_is_what_exact_numbers_say(seed, spread, monkeypatch):
    """Runs in several parts: some equal, some at the edge, of noise as unlike as ``spread``."""
    monkeypatch.setattr(hoeffding, "_ROWS", 5)
    rng, clusters, runs = np.random.default_rng(seed), 90, 18
    share = rng.dirichlet(np.full(clusters, 30.0))
    adds = rng.normal(size=(clusters, runs)) * 10 ** rng.uniform(-spread, 0, runs)
    adds[:, 12:] = adds[:, :6]
    values = np.zeros(runs)
    # As far from the first as its interval reaches, but for less than single precision tells.
    between = adds - adds[:, :1]
    variance, lean = np.square(between).sum(axis=0), share @ between
    reach = field(adds, share, values).half(variance, lean)
    values += np.where(np.arange(runs) % 3, reach * (1 + rng.choice([-1e-8, 1e-8], runs)), 0.0)
    values[12:15] = values[:3]
    values[15] = 1e4
    better, worse = field(adds, share, values).sure()
    told = exactly_told(adds, share, values, field(adds, share, values).reach)
    assert better.tolist() == told.sum(axis=0).tolist()
    assert worse.tolist() == told.sum(axis=1).tolist()
    assert told.any()


def field(adds, share, values):
    runs = len(values)
    read = Linear(values, np.ones(runs, dtype=bool), adds, np.zeros(runs - 1, dtype=int), share)
    return hoeffding.field_of(read, range(runs), values)


def exactly_told(adds, share, values, reach):
    """Which run is told to be better than which, by S² > reach² V² of fractions."""
    shares, each = list(map(Fraction, share)), [list(map(Fraction, run)) for run in adds.T]
    told = np.zeros((len(values), len(values)), dtype=bool)
    for i, j in product(range(len(values)), repeat=2):
        by = Fraction(values[i]) - Fraction(values[j])
        between = [a - b for a, b in zip(each[i], each[j], strict=True)]
        lean = abs(sum(d * s for d, s in zip(between, shares, strict=True)))
        noise = sum(d * d for d in between)
        square = noise + 2 * by * lean + by**2 * sum(s * s for s in shares)
        told[i, j] = by > 0 and noise > 0 and by**2 > Fraction(reach) ** 2 * square
    return told


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


def test_differences_count_wherever_they_are_but_in_no_part():
    run, *rest = runs_of()
    measure = bound(
        find("macro(accuracy,exam)"), parts_of(np.arange(N) // 100 % 3 - 1), np.arange(N)
    )
    for places, of, few in (
        (range(N - 30, N), find("accuracy"), False),  # far behind the first ones
        (range(N - 9, N), find("accuracy"), True),
        ([*range(60), *range(100, 109)], measure, True),  # those of the first hundred are in none
        ([*range(60), *range(100, 130)], measure, False),
    ):
        other = run.correct.copy()
        other[places] = ~other[places]
        pair = broad([run, Judged(other, run.confidence), *rest], of).pairs[0]
        assert (pair.reason == FEW) == few
        assert (pair.p is None) == few


def test_what_is_not_judged_elsewhere_or_has_no_classes_keeps_no_other_run_out():
    rng, at = np.random.default_rng(1), np.arange(8, N)
    runs = [Judged(r.correct, r.confidence, classes=probable(rng)) for r in runs_of()]
    runs[1] = replace(runs[1], waiting=np.arange(N) == 7)
    runs[3] = replace(runs[3], classes=None)
    stack, measure = stacked(runs, find("br")), find("br")
    for places in (np.arange(N), at):
        found = neighbours(stack.part(np.arange(len(runs)), places), measure)
        wanted = [standing(measure, run.part(places)) for run in runs]
        assert found.reasons == tuple(why for _, why in wanted)
        assert [i for i, why in enumerate(found.reasons) if why] == (
            [3] if places is at else [1, 3]
        )


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
    monkeypatch.setattr(families_, "MOST", 5)
    found = family(task, gold, seen)
    assert found.comparison == broad(runs_of(), find("hmr"))
    assert found.above("r-3") == found.comparison.pairs[2]
    assert found.above("r-0") is None


def by_hand(runs, measure):
    """The values, and the adjusted p of every pair: each run by itself, each pair by itself."""
    groups = runs[0].groups
    kept = [i for i, run in enumerate(runs) if not standing(measure, run)[1]]
    totals = totals_of([runs[i] for i in kept], measure.sums, groups)
    _, error = estimates(totals, measure.sums)
    share = np.bincount(groups) / len(groups)
    values = {i: standing(measure, runs[i])[0] for i in kept}
    slope = [measure.sums.gradient(each.sum(axis=0)) for each in totals]
    lean = [(each @ by) @ share for each, by in zip(totals, slope, strict=True)]
    found = {}
    for a, i in enumerate(kept):
        for b, j in enumerate(kept):
            by = abs(values[i] - values[j])
            square = error[a, b] ** 2 + 2 * by * abs(lean[a] - lean[b]) + by**2 * (share @ share)
            if by and error[a, b] > 0:
                p = len(kept) * (len(kept) - 1) * math.exp(-(by**2) / square / 2)
                found[i, j] = min(1.0, p)
    return values, found


def parts_of(codes):
    values = tuple("xyz"[: codes.max() + 1])
    return Gold(tuple(map(str, range(N))), (("a",),) * N, (Subsets("exam", values, codes),))


def probable(rng):
    given = rng.dirichlet((2, 1, 1), N)
    return Classes(given, np.where(rng.random(N) < 0.6, given.argmax(axis=1), -1))


def ranges(rng, width):
    gold, low = rng.normal(0, 1, N), rng.normal(-1, 0.3, N)
    return Bounds(low * width, low * width + 2 * width, gold)


def dressed(i, run, rng, cluster):
    """A run with clusters, classes and intervals; some are not judged, wrong, or too certain."""
    waiting = np.arange(N) == 7 if i == 2 else np.zeros(0, dtype=np.bool_)
    sure = np.where(np.arange(N) < 3, 1.0, run.confidence) if i == 4 else run.confidence
    correct = np.arange(N) < 4 if i == 5 else run.correct
    more = (probable(rng), ranges(rng, 0.5 + i / 10))
    return Judged(correct, sure, cluster, *more, waiting)


@pytest.mark.parametrize("key", ["hmr", "brier", "nll", "br", "iscore", "macro(hmr,exam)"])
@pytest.mark.parametrize("size", [0, 1, 4])
def test_runs_read_together_say_what_each_says_by_itself(key, size):
    rng = np.random.default_rng(size)
    cluster = np.empty(0, dtype=np.intp)
    if size:  # of unlike sizes, unless each is one instance
        cluster = rng.permutation(N) if size == 1 else rng.integers(0, N // size, N)
    runs = [dressed(i, run, rng, cluster) for i, run in enumerate(runs_of(many=9))]
    codes = rng.integers(-1, 3, N)  # of clusters some reach over several parts, some out of all
    measure = bound(find(key), parts_of(codes), np.arange(N))
    found = broad(runs, measure)
    assert found.reasons == tuple(standing(measure, run)[1] for run in runs)
    assert found.reasons[2]
    assert found.reasons[5].startswith(gated(measure, runs[5]))
    values, p = by_hand(runs, measure)
    for i, value in values.items():
        assert found.values[i] == pytest.approx(value, abs=1e-12)
    told = [pair for pair in found.pairs if not pair.reason]
    assert len(told) >= 4
    for pair in told:
        assert pair.p == pytest.approx(p[pair.a, pair.b], rel=1e-9)
    sign = -1 if measure.better == "lower" else 1
    for i, value in values.items():
        far = [sign * (values[j] - value) for j in values if p.get((i, j), 1) < 0.05]
        assert found.ranks[i] == (1 + sum(by > 0 for by in far), 9 - sum(by < 0 for by in far))


def test_boards_of_many_runs_are_read_once_and_say_what_each_says_alone(monkeypatch):
    codes = np.random.default_rng(1).integers(-1, 2, N)
    gold = parts_of(codes)
    runs = runs_of(many=9)
    seen = {}
    for i, run in enumerate(runs):
        counted = np.arange(N) % 7 != i if i < 3 else np.arange(N) > (0 if i else N // 2)
        seen[f"r-{i}"] = (run, counted & (np.arange(N) < N // 4) if i == 8 else counted)
    boards = {
        "all": tuple(seen),
        "exam=x": tuple(seen)[::-1],
        "exam=y": ("r-4", "r-1", "r-8", "r-7", "r-2"),
    }
    monkeypatch.setattr(families_, "MOST", 3)
    found = families(Task("t", "T", primary="macro(hmr,exam)"), gold, seen, boards)
    for subset, slugs in boards.items():
        kept = [slug for slug in slugs if slug != "r-8"]  # it is too sparse
        shared = np.logical_and.reduce([seen[slug][1] for slug in kept]) & inside(gold, subset)
        at = by_id(shared, gold)
        key = "macro(hmr,exam)" if subset == "all" else "hmr"
        apart = {
            slugs.index("r-8"): "it answered too few of the instances that the other runs answered"
        }
        parts = [seen[slug][0].part(at) for slug in slugs]
        assert found[subset].n == len(at)
        assert found[subset].comparison == broad(parts, bound(find(key), gold, at), apart)
        assert found[subset].comparison.critical is not None
