"""Ends of intervals against scipy, published values, and the equations that they solve."""

import numpy as np
import pytest
from scipy.stats import norm, t
from simulation import expanded

from grader.ends import basic, beyond, percentile, student, wilson
from grader.measures import find
from grader.model import Judged

Z = norm.ppf(0.975)
SHARE = find("accuracy").sums


def of(right, cluster=()):
    right = np.asarray(right, dtype=bool)
    return Judged(right, np.full(len(right), 0.5), np.asarray(cluster, dtype=np.intp))


@pytest.mark.parametrize("freedom", [19, 20, 25, 49, 199, 10**6])
def test_the_quantile_of_t_is_that_of_scipy(freedom):
    assert student(freedom) == pytest.approx(t.ppf(0.975, freedom), abs=2e-5)


@pytest.mark.parametrize("units", [20, 21, 50, 1000])
def test_few_units_move_the_ends_of_percentiles_outwards(units):
    """As far as an interval of Student would be beyond one of the normal law, and √(m/(m−1))."""
    share = beyond(units)
    assert -norm.ppf(share) / Z == pytest.approx(
        t.ppf(0.975, units - 1) / Z * np.sqrt(units / (units - 1)), abs=2e-5
    )
    values = np.random.default_rng(units).random(400)
    assert percentile(values, units) == expanded(values, units)


def test_many_units_leave_2_and_a_half_percent_at_each_end():
    assert beyond(10**7) == pytest.approx(0.025, abs=1e-7)
    assert percentile(np.arange(1.0, 1001.0), None) == (25.0, 975.0)


def test_the_basic_interval_is_cut_at_zero_and_widened_to_the_value():
    assert basic(0.2, 0.15, 0.32) == pytest.approx((0.08, 0.25))
    assert basic(0.1, 0.15, 0.32) == pytest.approx((0.0, 0.1))
    assert basic(0.4, 0.1, 0.3) == pytest.approx((0.4, 0.7))


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_shares_have_the_published_intervals(right, n, low, high):
    """Newcombe, Two-Sided Confidence Intervals for the Single Proportion, 1998, table I."""
    found = wilson(of(np.arange(n) < right), SHARE)
    assert found == pytest.approx((low, high), abs=5e-5)
    other = wilson(of(np.arange(n) >= right), SHARE)
    assert other == pytest.approx((1 - high, 1 - low), abs=5e-5)
    assert found[0] <= right / n <= found[1]


def solves(ends, share, n, reach):
    """Whether an end is as many standard errors, of its own, away from the share."""
    away = [(share - end) ** 2 - reach**2 * end * (1 - end) / n for end in ends]
    assert away == pytest.approx([0, 0], abs=1e-6)


def test_clusters_that_are_all_alike_count_as_one_instance_less_one():
    """Their share varies by p(1 − p)/(m − 1)."""
    many, right = 40, np.random.default_rng(1).random(40) < 0.8
    found = wilson(of(np.repeat(right, 5), np.repeat(np.arange(many), 5)), SHARE)
    solves(found, right.mean(), many - 1, t.ppf(0.975, many - 1))


def test_uneven_clusters_count_as_many_instances_as_vary_like_them():
    rng = np.random.default_rng(2)
    cluster = np.sort(rng.integers(30, size=300))
    right = rng.random(300) < rng.random(30)[cluster]
    share, many = right.mean(), 30
    off = [(right[cluster == k] - share).sum() for k in range(many)]
    variance = many / (many - 1) * sum(x * x for x in off) / 300**2
    assert variance > share * (1 - share) / 300
    found = wilson(of(right, cluster), SHARE)
    solves(found, share, share * (1 - share) / variance, t.ppf(0.975, many - 1))
    order = rng.permutation(300)
    assert wilson(of(right[order], cluster[order]), SHARE) == found


def test_clusters_never_count_for_more_than_their_instances_nor_equals_for_more_than_clusters():
    cluster = np.repeat(np.arange(25), 4)
    solves(wilson(of(np.arange(100) % 2, cluster), SHARE), 0.5, 100, t.ppf(0.975, 24))
    low, high = wilson(of(np.ones(100), cluster), SHARE)
    reach = t.ppf(0.975, 24)
    assert (low, high) == (pytest.approx(25 / (25 + reach**2), abs=2e-6), 1.0)
    assert wilson(of(np.zeros(100), cluster), SHARE) == (0.0, pytest.approx(1 - low))
