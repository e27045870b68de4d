"""What intervals cover, and how often a board errs, on simulated data; all seeded.

The shares are of a few hundred data sets: they are within 2.6 standard errors of the true ones
with 99%. The long version, with ten times the data sets or more, is bench/coverage.py.
"""

import numpy as np
import pytest
from simulation import (
    COARSE,
    FINE,
    board,
    bounded,
    covered,
    covered_differences,
    covered_means,
    covered_verdict,
    population,
    stated,
)

from grader.compare import compare
from grader.measures import find
from grader.model import Bounds, Judged, Score
from grader.resample import Resampler, mean_interval

SMOOTH = (
    *("accuracy", "confidence", "bias", "r_o", "r_u", "hmr", "acchmr", "brier", "nll"),
    *("auroc", "aurc", "eaurc", "augrc", "selacc@80"),
)
BINNED = ("ece@10", "ece@20", "ecemass@10", "ks")
SETS, FEWER = 300, 200


def error(share, sets):
    """One standard error of a share found in so many data sets."""
    return np.sqrt(share * (1 - share) / sets)


@pytest.mark.parametrize(
    ("levels", "n", "size"), [(FINE, 50, 0), (FINE, 200, 4), (COARSE, 200, 0), (COARSE, 400, 8)]
)
def test_smooth_measures_cover_92_to_98_percent(levels, n, size):
    keys = [k for k in SMOOTH if k != "nll" or levels is FINE]
    smooth(covered(population(levels), keys, n, SETS, size=size), SETS)


def smooth(found, drawn):
    """Whether nearly all data sets had an interval, and 92 to 98% of these held."""
    for key, (sets, share) in found.items():
        assert sets >= 0.95 * drawn, (key, sets)
        slack = 2.6 * error(0.95, sets)
        assert 0.92 - slack < share < 0.98 + slack, (key, share)


@pytest.mark.parametrize(("n", "size"), [(50, 0), (100, 5)])
def test_means_of_class_probabilities_and_of_intervals_cover_92_to_98_percent(n, size):
    """Percentiles of the interval score covered 85 to 92% here: its penalties are rare and large.

    With 100 in clusters of 5 there are as few clusters as the gate lets be.
    """
    smooth(covered(stated(), ("br", "nllc"), n, FEWER, size=size), FEWER)
    smooth(covered(bounded(), ("coverage", "width", "iscore"), n, FEWER, size=size), FEWER)


def test_the_true_values_are_those_of_very_many_instances():
    many = 400_000
    for one, keys in (
        (stated(), ("br", "nbr", "nllc")),
        (stated(digits=2), ("br", "nllc")),
        (bounded(), ("coverage", "width", "iscore")),
        (population(COARSE), (*SMOOTH, "ece@10", "ks")),
    ):
        # Alike within clusters, each instance is drawn as it is alone.
        for judged in (one.drawn(many, np.random.default_rng(1), size) for size in (0, 4)):
            for key in keys:
                value = one.value(key)
                assert find(key)(judged).value == pytest.approx(value, rel=0.02, abs=0.003), key


@pytest.mark.parametrize(
    ("one", "key", "few", "many"),
    [(stated(digits=2), "nllc", 200, 3000), (population(COARSE), "nll", 100, 1000)],
)
def test_certainty_that_fails_needs_ten_failures(one, key, few, many):
    """Ungated, of 200 instances 72 to 76% held: the mean is one of rare 36s, mostly unseen."""
    assert covered(one, (key,), few, 50)[key][0] == 0
    sets, share = covered(one, (key,), many, FEWER)[key]
    assert sets > FEWER / 2
    assert 0.92 - 1.96 * error(0.95, sets) < share < 0.98 + 1.96 * error(0.98, sets)


@pytest.mark.parametrize(("sizes", "size"), [((200, 40, 20), 0), ((400, 200, 80), 4)])
def test_means_over_subsets_cover_92_to_98_percent(sizes, size):
    populations = (population(FINE, 0.1), population(FINE), population(FINE, 0.4, 0.6))
    keys = ("accuracy", "brier", "auroc", *(("hmr",) if size else ()))
    smooth(covered_means(populations, keys, sizes, FEWER, size=size, resamples=200), FEWER)


def test_means_of_calibration_errors_over_subsets_cover_85_to_98_percent():
    populations = (population(FINE, 0.1, 0.75),) * 2
    found = covered_means(populations, BINNED, (200, 300), 120, resamples=200)
    for key, (sets, share) in found.items():
        assert sets >= 100, key
        assert 0.85 < share < 0.98 + 1.96 * error(0.98, sets), (key, share)


@pytest.mark.parametrize(("levels", "n", "size"), [(FINE, 50, 0), (COARSE, 200, 4)])
def test_the_verdicts_interval_covers_92_to_98_percent(levels, n, size):
    smooth({"r_u - r_o": covered_verdict(population(levels), n, FEWER, size=size)}, FEWER)


@pytest.mark.parametrize(("n", "size"), [(50, 0), (200, 4)])
def test_differences_of_two_runs_cover_92_to_98_percent(n, size):
    two = (population(FINE), population(FINE, 0.1, 0.75, 1.5))
    keys = ("auroc", "augrc", "hmr")  # each interval its own, or by max-|t|
    smooth(covered_differences(two, keys, n, 120, size=size, resamples=200), 120)


def test_fewer_than_twenty_clusters_have_no_interval():
    """With 8 clusters of 8 intervals covered 85 to 91%, with 10 of 6 87 to 91%."""
    rng = np.random.default_rng(1)
    right, sure, cluster = rng.random(200) < 0.6, rng.random(200), np.arange(200) % 19
    bounds = Bounds(-sure, sure, rng.standard_normal(200))
    few = Judged(right, sure, cluster, bounds=bounds)
    enough = Judged(right, sure, np.arange(200) % 20, bounds=bounds)
    for key in ("accuracy", "hmr", "auroc", "ks", "iscore"):
        found = Resampler(few, 50, 1).interval(find(key), 0.5, None)
        assert (found.low, found.reason) == (None, "19 clusters; 20 are needed")
        assert Resampler(enough, 50, 1).interval(find(key), 0.5, None).low is not None


@pytest.mark.parametrize(("key", "least"), [("accuracy", 20), ("ks", 200)])
def test_a_mean_over_a_small_subset_has_no_interval(key, least):
    """Of 200, 100 and 8 instances it covered 86 to 89%; of calibration errors of 60, 52 to 55%."""
    rng, measure = np.random.default_rng(2), find(key)
    for n, why in ((least - 1, f"part=b: {least - 1} instances; {least} are needed"), (least, "")):
        runs = [Judged(rng.random(m) < 0.5, rng.random(m)) for m in (300, n)]
        parts = [Resampler(run, 50, 1, name) for run, name in zip(runs, "ab", strict=True)]
        each = [Score(key, f"part={p.part}", len(p.judged.correct), 0.5, 0.4, 0.6) for p in parts]
        found = mean_interval(measure, parts, each)
        assert (found.low is None, found.reason) == (bool(why), why)


def test_calibration_errors_of_fewer_than_a_hundred_have_no_interval():
    """Of 50 that lay above their floors 72 to 80% held: they are those that happen to be large."""
    rng = np.random.default_rng(3)
    for n, why in ((99, "99 instances; 100 are needed"), (100, "")):
        run = Judged(rng.random(n) < 0.2, np.full(n, 0.75))
        measure, part = find("ece@10"), Resampler(run, 50, 1)
        assert part.interval(measure, 0.55, part.floor(measure)).reason == why


@pytest.mark.parametrize(
    ("levels", "n", "size"), [(FINE, 200, 0), (COARSE, 200, 4), (FINE, 1000, 5)]
)
def test_calibration_errors_above_their_floors_cover_85_to_98_percent(levels, n, size):
    """Of a population whose true error is above the floor."""
    found = covered(population(levels, 0.1, 0.75), BINNED, n, SETS, size=size)
    for key, (sets, share) in found.items():
        assert sets >= 0.9 * SETS, key
        assert 0.85 < share < 0.98, (key, share)


def test_errors_that_cancel_do_not_break_the_interval_of_ks():
    """Percentiles of KS covered 66% here: noise adds to a maximum, and again in each resample."""
    sets, share = covered(population(FINE), ["ks"], 1000, 200, size=5)["ks"]
    assert sets >= 190
    assert 0.85 < share < 0.98


@pytest.mark.parametrize("n", [64, 200, 1000])
@pytest.mark.parametrize("accuracies", [[0.6] * 10, np.linspace(0.35, 0.75, 10)])
def test_a_board_of_equals_is_told_apart_in_5_percent(n, accuracies):
    boards, wrong = 200, 0
    for i in range(boards):
        runs = board(n, accuracies, np.random.default_rng([5, n, i]))
        found = compare(runs, find("hmr"), 200, i)
        assert sum(r is not None for r in found.ranks) >= 8
        wrong += any(p.told_apart for p in found.pairs)
    assert wrong / boards <= 0.05 + 1.96 * error(0.05, boards)


def test_a_board_of_overconfident_equals_needs_an_error_of_each_resample():
    """With one standard error for each pair, not one of each resample, a fifth of these err."""
    boards, wrong = 80, 0
    for i in range(boards):
        runs = board(64, [0.75] * 10, np.random.default_rng([6, i]), sure=(3.0, 2.0))
        wrong += any(p.told_apart for p in compare(runs, find("hmr"), 200, i).pairs)
    assert wrong / boards <= 0.05 + 1.96 * error(0.05, boards)
