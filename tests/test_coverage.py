"""What intervals cover, and how often a board errs, on simulated data; all seeded.

The shares are of a few hundred data sets: they are within 2.6 standard errors of the true ones
with 99%. The long version, with ten times the data sets, is bench/coverage.py.
"""

import numpy as np
import pytest
from simulation import COARSE, FINE, board, covered, population

from grader.compare import compare
from grader.measures import find

SMOOTH = (
    *("accuracy", "confidence", "bias", "r_o", "r_u", "hmr", "acchmr", "brier", "nll"),
    *("auroc", "aurc", "eaurc", "augrc", "selacc@80"),
)
BINNED = ("ece@10", "ece@20", "ecemass@10", "ks")
SETS = 300


def error(share, sets):
    """One standard error of a share found in so many data sets."""
    return np.sqrt(share * (1 - share) / sets)


@pytest.mark.parametrize(
    ("levels", "n", "size"), [(FINE, 50, 0), (FINE, 200, 4), (COARSE, 200, 0), (COARSE, 400, 8)]
)
def test_smooth_measures_cover_92_to_98_percent(levels, n, size):
    """Stated certainty that fails makes NLL a mean of rare 36s: no bootstrap covers it then."""
    keys = [k for k in SMOOTH if k != "nll" or levels is FINE]
    for key, (sets, share) in covered(population(levels), keys, n, SETS, size=size).items():
        assert sets >= 0.95 * SETS, key
        slack = 1.96 * error(0.95, sets)
        assert 0.92 - slack < share < 0.98 + slack, (key, share)


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
