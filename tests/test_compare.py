"""Runs against each other: exact permutations, and each step of max-|t| by brute force."""

import json
import math
import warnings
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from shared_data import shared
from simulation import board, expanded

from grader import compare as module
from grader.compare import (
    compare,
    differing,
    estimates,
    gated,
    totals_of,
    weights,
)
from grader.exchange import _distances, _swaps, _whole, swap_test, tukey_hsd
from grader.family import macro_sums
from grader.largest import largest_t
from grader.measures import MEASURES, find
from grader.model import Classes, Judged, Resampling
from grader.pairwise import difference

SUMMED = [key for key, m in MEASURES.items() if m.sums is not None and m.needs == "confidence"]


def runs_of(n=120, many=4, seed=1):
    return board(n, np.linspace(0.4, 0.7, many), np.random.default_rng([n, seed]))


def clustered(runs, size):
    return [Judged(r.correct, r.confidence, np.arange(len(r.correct)) // size) for r in runs]


def value(key, judged):
    measure = find(key)
    return float(measure.fn(judged.cells, **measure.params)[0])


def hmr(pairs):
    """HMR of (right, confidence) pairs, in fractions."""
    wrong, right = ([c for y, c in pairs if y == side] for side in (0, 1))
    over = 1 - sum(wrong, Fraction()) / len(wrong) if wrong else Fraction(1)
    under = sum(right, Fraction()) / len(right) if right else Fraction(1)
    return 2 * over * under / (over + under) if over + under else Fraction(0)


# The swap test.


@pytest.fixture(scope="module")
def exact():
    return json.loads(shared("oracles", "oracle.json").read_text(encoding="utf-8"))[
        "paired_randomisation"
    ]


def both(case):
    return [
        Judged(np.array(case[f"correct{x}"], bool), np.array(case[f"conf{x}"], float))
        for x in "AB"
    ]


def test_exact_permutations(exact):
    assert len(exact) == 4
    for case in exact:
        a, b = both(case)
        for key, name in (("hmr", "p_exact"), ("accuracy", "acc_p"), ("brier", "brier_p")):
            p, swaps = swap_test(a, b, find(key), 10, 1)
            assert swaps == case["n_swaps"] == 2 ** len(a.correct)
            assert p == pytest.approx(float(Fraction(case[name])), abs=1e-12), (case["id"], key)
        assert value("hmr", a) - value("hmr", b) == pytest.approx(
            float(Fraction(case["hmr_diff_exact"])), abs=1e-12
        )


def test_exact_permutations_in_fractions():
    """The same by enumeration in rational arithmetic, on a case of our own."""
    a = [(1, Fraction(9, 10)), (0, Fraction(6, 10)), (1, Fraction(1, 2)), (0, Fraction(1, 5))]
    b = [(1, Fraction(1, 2)), (1, Fraction(7, 10)), (0, Fraction(8, 10)), (0, Fraction(1, 10))]
    seen = abs(hmr(a) - hmr(b))
    reached = 0
    for swap in product((0, 1), repeat=4):
        one, two = (
            [(y, x)[s] if side else (x, y)[s] for x, y, s in zip(a, b, swap, strict=True)]
            for side in (0, 1)
        )
        reached += abs(hmr(one) - hmr(two)) >= seen
    runs = [
        Judged(np.array([y for y, _ in r], bool), np.array([float(c) for _, c in r]))
        for r in (a, b)
    ]
    assert swap_test(*runs, find("hmr"), 10, 1) == (reached / 16, 16)


def test_random_swaps_agree_with_all_of_them(exact, monkeypatch):
    a, b = both(next(case for case in exact if case["id"] == "random12"))
    monkeypatch.setattr("grader.exchange._ENUMERATED", 0)
    p, swaps = swap_test(a, b, find("hmr"), 4000, 1)
    assert swaps == 4000
    share = 147 / 256
    assert p == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 4000))


KEYS = ("hmr", "hmr@2", "r_o", "brier", "nll", "auroc", "ece@10", "ks", "aurc", "smece")


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("n", [9, 90])
@pytest.mark.parametrize("digits", [1, 9])
def test_swaps_in_blocks_are_swaps_one_by_one(size, n, digits):
    """The distances by sums and by counts, against runs that are made anew for each swap."""
    a, b = (
        replace(r, confidence=r.confidence.round(digits)) for r in clustered(runs_of(n, 2), size)
    )
    for key in KEYS:
        measure = find(key)
        [swaps] = _swaps(n // size, 40, 1)
        fast, slow = (way(a, b, measure)(swaps[:40]) for way in (_distances, _whole))
        assert fast == pytest.approx(slow, abs=1e-12), key


def test_blocks_of_swaps_change_nothing(monkeypatch):
    a, b = (replace(r, confidence=r.confidence.round(1)) for r in runs_of(60, 2))
    found = []
    for entries in (1, 10**7):
        monkeypatch.setattr("grader.exchange._ENTRIES", entries)
        monkeypatch.setattr("grader.exchange._BLOCK", entries)
        found.append([swap_test(a, b, find(key), 70, 1) for key in ("hmr", "ks")])
    assert found[0] == found[1]


def test_a_swap_that_leaves_nothing_wrong_counts_by_the_convention():
    """Of one wrong answer in two: swapped away, R_O is 1, which sums alone do not know."""
    a = Judged(np.array([True, False]), np.array([0.8, 0.6]))
    b = Judged(np.array([True, True]), np.array([0.4, 0.5]))
    # R_O and R_U are .4 and .8 against 1 and .45; with the first records swapped .4 and .4
    # against 1 and .65, which is further apart: each of the four swaps reaches what is seen.
    assert swap_test(a, b, find("hmr"), 10, 1) == (1.0, 4)
    # With b's first answer the worst, only the two swaps that leave all as it is or the other way
    # round reach it: .4 and .8 against 1 and .05 are HMR .533 and .095.
    b = replace(b, confidence=np.array([0.1, 0.0]))
    assert swap_test(a, b, find("hmr"), 10, 1) == (0.5, 4)


def test_classes_are_swapped_by_their_labels():
    """The columns of one run stand in another order and are fewer: that changes nothing."""
    rng = np.random.default_rng(4)
    one, two = (rng.dirichlet(np.ones(3), 9) for _ in range(2))
    two[:, 2] = np.nan
    gold = rng.integers(0, 2, 9)
    right = np.ones(9, dtype=bool)
    a = Judged(right, np.ones(9), classes=Classes(one, gold, ("x", "y", "z")))
    whole = Judged(right, np.ones(9), classes=Classes(two, gold, ("x", "y", "z")))
    turned = Classes(two[:, [1, 0]], 1 - gold, ("y", "x"))
    fewer = Judged(right, np.ones(9), classes=turned)
    for key in ("cwece@5", "br", "nllc"):
        expected = swap_test(a, whole, find(key), 10, 1)
        assert swap_test(a, fewer, find(key), 10, 1) == expected
        assert swap_test(fewer, a, find(key), 10, 1) == expected


def test_clusters_are_swapped_whole():
    a, b = clustered(runs_of(12, 2), 4)
    p, swaps = swap_test(a, b, find("brier"), 10, 1)
    assert swaps == 2**3
    gaps = [np.square(r.confidence - r.correct).reshape(3, 4).sum(axis=1) for r in (a, b)]
    apart = gaps[0] - gaps[1]
    every = [abs(np.dot(sign, apart)) for sign in product((1, -1), repeat=3)]
    assert p == np.mean(np.array(every) >= abs(apart.sum()) - 1e-12)


# Max-|t|, step by step.


@pytest.mark.parametrize("key", SUMMED)
@pytest.mark.parametrize("size", [1, 5])
def test_sums_give_the_measure_and_its_error(key, size):
    """The linearised standard error is that of leaving one cluster out, to first order."""
    runs = clustered(runs_of(600, 2), size)
    measure = find(key)
    cluster = runs[0].groups
    totals = totals_of(runs, measure.sums, cluster)
    theta, error = estimates(totals, measure.sums)
    assert theta == pytest.approx([value(key, r) for r in runs], abs=1e-12)
    groups = cluster.max() + 1
    left = []
    for g in range(groups):
        at = np.flatnonzero(cluster != g)
        one, two = (value(key, r.part(at)) for r in runs)
        left.append(one - two)
    jackknife = np.sqrt((groups - 1) / groups * np.square(left - np.mean(left)).sum())
    assert error[0, 1] == error[1, 0]
    assert error[0, 1] == pytest.approx(jackknife, rel=0.02, abs=1e-9)


def repeated(judged, weight):
    return judged.part(np.repeat(np.arange(len(judged.correct)), weight))


def test_the_largest_t_of_a_resample_by_brute_force():
    runs, measure = runs_of(), find("hmr")
    cluster = runs[0].groups
    totals = totals_of(runs, measure.sums, cluster)
    theta, _ = point = estimates(totals, measure.sums)
    drawn = list(weights(120, 6, 3))
    found = largest_t(totals, measure.sums, point, drawn)
    for weight, largest in zip(np.concatenate(drawn).astype(int), found, strict=True):
        again = [repeated(r, weight) for r in runs]
        star, error = estimates(totals_of(again, measure.sums, again[0].groups), measure.sums)
        t = [
            abs((star[a] - star[b]) - (theta[a] - theta[b])) / error[a, b]
            for a, b in combinations(range(4), 2)
        ]
        assert largest == pytest.approx(max(t), rel=1e-9)


def test_weights_draw_each_cluster_as_often_as_any():
    many = 40
    drawn = np.concatenate(list(weights(many, 3000, 1)))
    assert drawn.shape == (3000, many)
    assert (drawn.sum(axis=1) == many).all()
    assert drawn.var(axis=0).mean() == pytest.approx(1 - 1 / many, rel=0.03)


def test_blocks_of_weights_change_nothing(monkeypatch):
    found = []
    for entries in (1, 10**7):
        monkeypatch.setattr(module, "_ENTRIES", entries)
        found.append(compare(runs_of(), find("hmr"), 50, 1))
    assert found[0].critical == pytest.approx(found[1].critical, rel=1e-9)
    assert [p.p for p in found[0].pairs] == [p.p for p in found[1].pairs]


def test_a_comparison_holds_together():
    runs = [*runs_of(300), *runs_of(300)[:1]]
    runs[1] = Judged(runs[1].correct, np.where(runs[1].correct, 0.05, 0.95))  # the worst by far
    found = compare(runs, find("hmr"), 400, 1)
    assert [(p.a, p.b) for p in found.pairs] == list(combinations(range(5), 2))
    for pair in found.pairs:
        apart = value("hmr", runs[pair.a]) - value("hmr", runs[pair.b])
        assert pair.difference == pytest.approx(apart, abs=1e-12)
        if (pair.a, pair.b) == (0, 4):
            assert (pair.p, pair.low, pair.reason) == (1.0, None, "the two do not differ in this")
            continue
        assert pair.low < pair.difference < pair.high
        # The interval excludes 0 exactly where the adjusted p is below 5%, but for ties at it.
        assert (pair.low > 0 or pair.high < 0) == (pair.p < 0.05)
    assert found.ranks[1] == (5, 5)
    assert all(low <= high <= 4 for i, (low, high) in enumerate(found.ranks) if i != 1)


def test_ranks_of_a_measure_that_is_better_low_are_the_other_way_round():
    runs = runs_of(400)
    runs[2] = Judged(runs[2].correct, np.where(runs[2].correct, 0.9, 0.1))
    assert compare(runs, find("brier"), 200, 1).ranks[2] == (1, 1)


def test_runs_under_the_gate_are_left_out_and_do_not_count():
    runs = runs_of(60)
    few = Judged(np.arange(60) < 4, runs[0].confidence)
    assert gated(find("hmr"), few) == "4 right and 56 wrong answers; 10 of each are needed"
    found = compare([runs[0], few, runs[1], runs[2]], find("hmr"), 200, 1)
    alone = compare([runs[0], runs[1], runs[2]], find("hmr"), 200, 1)
    # The run that is left out may stand anywhere: one place more below each of the others.
    wider = [(first, last + 1) for first, last in alone.ranks]
    assert found.ranks == (wider[0], None, *wider[1:])
    assert found.critical == alone.critical
    assert {p.reason for p in found.pairs if 1 in (p.a, p.b)} == {gated(find("hmr"), few)}
    assert all(p.p is None and p.low is None for p in found.pairs if 1 in (p.a, p.b))
    # Accuracy has no such gate.
    assert None not in compare([runs[0], few], find("accuracy"), 100, 1).ranks


def test_without_resamples_or_two_runs_there_are_differences_alone():
    runs = runs_of()
    for found in (compare(runs, find("hmr"), 0, 1), compare(runs[:1], find("hmr"), 100, 1)):
        assert found.critical is None
        assert set(found.ranks) == {None}
        assert all(p.low is None and p.p is None for p in found.pairs)


def test_a_measure_that_is_no_function_of_sums_is_refused():
    with pytest.raises(ValueError, match="auroc is no function of sums"):
        compare(runs_of(), find("auroc"), 10, 1)


def test_the_order_of_runs_decides_nothing():
    runs, order = runs_of(200), [2, 0, 3, 1]
    first = compare(runs, find("hmr"), 200, 1)
    second = compare([runs[i] for i in order], find("hmr"), 200, 1)
    assert [first.ranks[i] for i in order] == list(second.ranks)
    assert first.critical == pytest.approx(second.critical, rel=1e-9)


def test_clusters_widen_the_differences():
    small = runs_of(100, 2)
    many = [r.part(np.repeat(np.arange(100), 9)) for r in small]
    told = [replace(r, cluster=np.repeat(np.arange(100), 9)) for r in many]
    wide = [compare(r, find("hmr"), 400, 1).pairs[0] for r in (small, many, told)]
    width = [p.high - p.low for p in wide]
    assert width[2] == pytest.approx(width[0], rel=0.15)
    assert width[1] < width[0] / 2


def test_runs_that_differ_in_few_instances_are_not_told_apart():
    """Two answers that one run has right and the other wrong are no evidence: p is 1/2."""
    rng = np.random.default_rng(0)
    right, sure = rng.random(500) < 0.6, rng.random(500)
    for many, told in ((2, False), (9, False), (12, True)):
        better = right.copy()
        better[np.flatnonzero(~right)[:many]] = True
        runs = [Judged(better, sure), Judged(right, sure)]
        found = compare([*runs, *runs_of(500, 1)], find("accuracy"), 400, 1)
        pair = found.pairs[0]
        assert pair.told_apart == told
        assert ("differ in fewer than 10 instances" in pair.reason) == (pair.p is None) != told
        # What the two cannot say of each other keeps nobody from being compared with them.
        assert all(p.p is not None for p in found.pairs[1:])


def test_differing_counts_the_clusters_that_differ():
    one = np.zeros((300, 2))
    two = one.copy()
    two[[0, 5, 299], [0, 1, 1]] = 1
    assert differing(one, two) == 3
    two[10:40] = 1
    assert differing(one, two) >= 10


def test_resamples_in_which_a_run_is_undefined_are_counted(monkeypatch):
    """Of two parts one has three instances: e^−3 of the resamples hold none of them."""
    monkeypatch.setattr("grader.gate.UNITS", 1)
    runs = runs_of(80, 3)
    codes = (np.arange(80) >= 3).astype(int)
    parts = (("p=a", np.arange(3)), ("p=b", np.arange(3, 80)))
    measure = find("macro(accuracy,p)")
    measure = replace(measure, parts=parts, sums=macro_sums(measure.sums, codes, 2))
    found = compare(runs, measure, 600, 1)
    assert found.left_out / 600 == pytest.approx((77 / 80) ** 80, abs=0.03)
    assert found.left_out
    assert all(p.low is not None for p in found.pairs)


def test_a_reward_needs_ten_of_each_in_every_part_of_a_macro():
    runs = runs_of(200, 3)
    codes = np.repeat([0, 1], [60, 140])
    lucky = Judged(runs[1].correct | (codes == 0), runs[1].confidence)
    parts = (("p=a", np.arange(60)), ("p=b", np.arange(60, 200)))
    measure = find("macro(hmr,p)")
    measure = replace(measure, parts=parts, sums=macro_sums(measure.sums, codes, 2))
    found = compare([runs[0], lucky, runs[2]], measure, 100, 1)
    assert found.reasons == ("", "p=a: 60 right and 0 wrong answers; 10 of each are needed", "")
    assert [p.p is None for p in found.pairs] == [True, False, True]
    # By convention the value stands all the same: R_O is 1 where nothing is wrong.
    each = [value("hmr", lucky.part(at)) for _, at in parts]
    assert found.values[1] == pytest.approx(np.mean(each), abs=1e-12)


# Differences of two runs.


def test_undefined_resamples_of_a_difference_are_counted():
    """With one wrong answer, a resample without it has no AUROC: (1 − 1/n)^n of them."""
    rng = np.random.default_rng(2)
    right = np.arange(40) > 0
    a, b = (Judged(right, rng.random(40)) for _ in range(2))
    low, high, left_out = difference(a, b, find("auroc"), Resampling(1000, 1))
    assert left_out / 1000 == pytest.approx((39 / 40) ** 40, abs=0.06)
    assert low <= high


@pytest.mark.parametrize("key", ["hmr", "auroc", "ece@10", "ks"])
@pytest.mark.parametrize("size", [1, 3])
def test_the_interval_of_a_difference_by_brute_force(key, size):
    a, b = clustered(runs_of(60, 2), size)
    drawn = np.concatenate(list(weights(60 // size, 80, 4))).astype(int)
    values = sorted(
        value(key, repeated(a, w[a.cluster])) - value(key, repeated(b, w[a.cluster]))
        for w in drawn
    )
    found = difference(a, b, find(key), Resampling(80, 4))
    assert found == pytest.approx((*expanded(values, 60 // size), 0), abs=1e-12)


def test_the_difference_of_a_run_from_itself_is_nothing():
    a = runs_of(60)[0]
    assert difference(a, a, find("hmr"), Resampling(50, 1)) == (0.0, 0.0, 0)


def test_the_sums_of_a_macro_give_its_mean():
    runs = runs_of(150, 3)
    codes = np.arange(150) % 4 - 1  # a quarter is in no subset
    sums = macro_sums(find("hmr").sums, codes, 3)
    found = sums.value(sums.features(runs[0]).sum(axis=0))
    each = [value("hmr", runs[0].part(np.flatnonzero(codes == s))) for s in range(3)]
    assert found == pytest.approx(np.mean(each), abs=1e-12)


# Tukey HSD.


def test_tukey_hsd_by_enumeration():
    """Two systems: the largest gap of two means is that of the swap test."""
    rng = np.random.default_rng(1)
    values = rng.random((2, 8)) + np.array([[0.2], [0.0]])
    apart = values[0] - values[1]
    every = [abs(np.dot(sign, apart)) for sign in product((1, -1), repeat=8)]
    p = np.mean(np.array(every) >= abs(apart.sum()) - 1e-12)
    found = tukey_hsd(values, np.arange(values.shape[1]), 4000, 1)
    assert found[0, 1] == found[1, 0] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 4000))
    assert (np.diag(found) == 1).all()


def test_tukey_hsd_holds_its_error_over_a_board():
    rejected = 0
    for i in range(200):
        values = np.random.default_rng([7, i]).random((5, 40))
        found = tukey_hsd(values, np.arange(values.shape[1]), 199, i)
        rejected += (found[np.triu_indices(5, 1)] <= 0.05).any()
    assert rejected / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_tukey_hsd_exchanges_whole_clusters():
    """Systems that are equal, with effects of system and cluster: alone, instances would tell."""
    hits, many = 0, 60
    for i in range(many):
        rng = np.random.default_rng([9, i])
        values = np.repeat(rng.normal(0, 1, (3, 30)), 10, axis=1) + rng.normal(0, 0.1, (3, 300))
        p = tukey_hsd(values, np.repeat(np.arange(30), 10), 199, i)
        hits += p[np.triu_indices(3, 1)].min() <= 0.05
    assert hits / many <= 0.05 + 2.6 * (0.05 * 0.95 / many) ** 0.5


def test_the_verdict_and_the_adjusted_p_agree():
    """Whenever the interval excludes 0, p is at most .05, and the other way round."""
    seen = set()
    for i in range(60):
        rng = np.random.default_rng([4, i])
        right = rng.random((2, 80)) < np.array([[0.55], [0.7]])
        runs = [Judged(r, np.clip(0.5 + 0.2 * r + rng.normal(0, 0.2, 80), 0, 1)) for r in right]
        pair = compare(runs, find("accuracy"), 100, i).pairs[0]
        assert pair.told_apart == (pair.p <= 0.05)
        seen.add(pair.told_apart)
    assert seen == {True, False}


def test_no_comparison_hangs_on_the_number_of_threads(monkeypatch):
    rng = np.random.default_rng(5)
    runs = [Judged(rng.random(90) < 0.6, rng.random(90)) for _ in range(7)]
    found = []
    for many in ("1", "2", "5"):
        monkeypatch.setenv("GRADER_WORKERS", many)
        found.append(compare(runs, find("hmr"), 300, 1))
    assert found[0] == found[1] == found[2]
    assert found[0].resamples == 300


@pytest.mark.parametrize("key", ["hmr", "hmr@2"])
def test_a_run_that_earns_no_reward_keeps_others_from_nothing(key):
    """Right answers at 0 and wrong ones at 1: the harmonic mean of 0 and 0, in every resample."""
    right = np.arange(60) % 2 == 0
    ways = np.random.default_rng(3)
    keen, dull = (Judged(right, np.where(right, s, 1 - s)) for s in ways.uniform(0, 1, (2, 60)))
    none = Judged(right, np.where(right, 0.0, 1.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = compare([keen, dull, none], find(key), 400, 1)
    alone = compare([keen, dull], find(key), 400, 1)
    assert (found.values[2], found.left_out) == (0.0, 0)
    assert math.isfinite(found.critical)
    assert found.pairs[0].difference == alone.pairs[0].difference
    assert found.pairs[1].told_apart
    assert found.pairs[2].told_apart
    assert found.ranks[2] == (3, 3)
