"""Intervals and floors against enumeration, brute force and each other."""

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from shared_data import shared
from simulation import FINE, expanded, population

from grader import floor, grouping
from grader.draws import drawn_clusters, multinomial
from grader.floor import calibrated, distinct, enumerated, over, quantile
from grader.grouping import grouped
from grader.measures import MEASURES, find
from grader.model import Cells, Judged, Score
from grader.resample import Resampler, mean_interval

ROOT = Path(__file__).parents[1]
SMOOTH = ("accuracy", "confidence", "bias", "r_o", "r_u", "hmr", "acchmr", "brier", "nll")
RANKING = ("auroc", "aurc", "eaurc", "augrc", "selacc@80")
BINNED = ("ece@10", "ece@20", "ecemass@10", "ks")
KEYS = (*SMOOTH, *RANKING, *BINNED)


def continuous(n, seed=1, low=0.1, high=0.75, clusters=0):
    """A run with as many confidences as instances, overconfident."""
    rng = np.random.default_rng([n, seed])
    sure = rng.random(n)
    right = rng.random(n) < low + (high - low) * sure
    cluster = np.arange(n) // clusters if clusters else np.empty(0, dtype=np.intp)
    return Judged(right, sure, cluster)


def few_levels(n, seed=1):
    rng = np.random.default_rng([n, seed])
    sure = rng.integers(11, size=n) / 10
    return Judged(rng.random(n) < 0.1 + 0.65 * sure, sure)


def measured(key, judged):
    measure = find(key)
    return float(measure.fn(judged.cells, **measure.params)[0])


def interval(key, part):
    measure = find(key)
    return part.interval(measure, measured(key, part.judged), part.floor(measure))


# Exact bootstrap on four instances.

EXACT = ("hmr", "accuracy", "brier", "auroc", "ks", "ece_width_10")


@pytest.fixture(scope="module")
def four():
    return json.loads(shared("oracles", "oracle.json").read_text(encoding="utf-8"))[
        "bootstrap_exact"
    ]


def every_resample(judged):
    """All nⁿ resamples of n instances, as cells."""
    n, order = len(judged.correct), np.argsort(judged.confidence)
    drawn = np.array([np.bincount(d, minlength=n) for d in product(range(n), repeat=n)], float)
    y = judged.correct[order]
    return Cells(judged.confidence[order], drawn[:, order] * y, drawn[:, order] * ~y)


def named(theirs):
    return find("ece@10" if theirs == "ece_width_10" else theirs)


def judged_four(four):
    return Judged(np.array(four["correct"], bool), np.array(four["conf"], float))


@pytest.mark.parametrize("theirs", EXACT)
def test_the_exact_bootstrap_of_four_instances(four, theirs):
    assert four["quantile"] == "inverse ECDF (type 1)"
    measure, expected = named(theirs), four[theirs]
    values = measure.fn(every_resample(judged_four(four)), **measure.params)
    defined = values[~np.isnan(values)]
    assert (len(values), len(values) - len(defined)) == (256, expected["undefined"])
    found = defined.mean(), defined.std(), quantile(defined, 0.025), quantile(defined, 0.975)
    wanted = [expected[k] for k in ("mean", "sd", "q025", "q975")]
    assert found == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("theirs", EXACT)
def test_seeded_resamples_agree_with_the_exact_bootstrap(four, theirs):
    measure, judged, draws = named(theirs), judged_four(four), 20_000
    exact = measure.fn(every_resample(judged), **measure.params)
    exact = exact[~np.isnan(exact)]
    found = Resampler(judged, draws, 3).values(measure, measure(judged).value)
    left_out = np.isnan(found).sum() / draws
    assert left_out == pytest.approx(four[theirs]["undefined"] / 256, abs=0.01)
    found = found[~np.isnan(found)]
    # Four standard errors of each of the probabilities at the exact distribution's own steps.
    for step in np.unique(exact):
        at_most = np.mean(exact <= step + 1e-9)
        error = 4 * np.sqrt(at_most * (1 - at_most) / len(found)) + 1e-9
        assert np.mean(found <= step + 1e-9) == pytest.approx(at_most, abs=error)


# The same whatever the order of rows, the process and the number of threads.


@pytest.mark.parametrize("judged", [continuous(3000), few_levels(300), continuous(300)])
def test_no_order_of_rows_moves_a_bit(judged):
    order = np.random.default_rng(9).permutation(len(judged.correct))
    first, second = Resampler(judged, 200, 1), Resampler(judged.part(order), 200, 1)
    for key in KEYS:
        assert interval(key, first) == interval(key, second)
        assert first.floor(find(key)) == second.floor(find(key))


def test_no_order_of_rows_moves_a_bit_with_clusters():
    judged = continuous(600, clusters=6)
    order = np.random.default_rng(9).permutation(600)
    first, second = Resampler(judged, 200, 1), Resampler(judged.part(order), 200, 1)
    for key in KEYS:
        assert interval(key, first) == interval(key, second)


SCRIPT = """
import numpy as np
from grader.compare import compare
from grader.measures import find
from grader.model import Judged
from grader.resample import Resampler
rng = np.random.default_rng(1)
runs = [Judged(rng.random(2000) < 0.5, rng.random(2000)) for _ in range(3)]
clustered = Judged(runs[0].correct, runs[0].confidence, np.arange(2000) // 4)
for part in (Resampler(runs[0], 200, 1), Resampler(clustered, 200, 1, "subset=ä")):
    for key in %r:
        measure = find(key)
        value = measure(part.judged).value
        print(key, value.hex(), part.interval(measure, value, None), part.floor(measure))
print(compare(runs, find("hmr"), 200, 1))
"""


def test_processes_agree_to_the_last_bit():
    said = set()
    for hashes, threads in (("0", "1"), ("1", "2"), ("random", "1")):
        settings = {
            **os.environ,
            "PYTHONHASHSEED": hashes,
            "OPENBLAS_NUM_THREADS": threads,
            "PYTHONPATH": str(ROOT),
        }
        command = [sys.executable, "-c", SCRIPT % (KEYS,)]
        done = subprocess.run(command, env=settings, cwd=ROOT, capture_output=True, check=True)
        said.add(done.stdout)
    assert len(said) == 1
    assert said.pop().count(b"\n") == 2 * len(KEYS) + 1


def test_another_seed_or_part_draws_anew():
    judged, hmr = continuous(200), find("hmr")
    values = {
        tuple(Resampler(judged, 50, seed, part).values(hmr, hmr(judged).value))
        for seed, part in ((1, "all"), (2, "all"), (1, "subset=a"), (1, "subset=b"))
    }
    assert len(values) == 4


def test_blocks_of_resamples_change_nothing(monkeypatch):
    judged, found = continuous(300, clusters=3), []
    for entries in (10, 2**15, 2**30):
        monkeypatch.setattr(floor, "_BLOCK", entries)
        parts = Resampler(judged, 60, 1), Resampler(judged.part(np.arange(300)), 60, 1)
        found.append([p.values(find("hmr"), 0.0).tolist() for p in parts])
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("cells", [5, 60, 400])
def test_draws_follow_the_multinomial_law(cells):
    """Means, variances and covariances of the counts, and that they add up to n."""
    counts = np.random.default_rng(cells).integers(1, 9, cells).astype(float)
    n, draws = counts.sum(), 20_000
    drawn = multinomial(counts, draws, np.random.default_rng(1))
    assert (drawn.sum(axis=1) == n).all()
    assert drawn.min() >= 0
    share = counts / n
    spread = n * share * (1 - share)
    assert np.abs(drawn.mean(axis=0) - counts).max() < 4.5 * np.sqrt(spread.max() / draws)
    assert drawn.var(axis=0) / spread == pytest.approx(np.ones(cells), abs=0.08)
    half = drawn[:, : cells // 2].sum(axis=1)  # as one cell: binomial
    p = share[: cells // 2].sum()
    assert half.var() == pytest.approx(n * p * (1 - p), rel=0.05)
    skew = ((half - n * p) ** 3).mean()
    assert skew == pytest.approx(n * p * (1 - p) * (1 - 2 * p), abs=0.15 * (n * p) ** 1.5)


# Clusters.


def weighed(judged, weight):
    """The run with each instance as often as its cluster is drawn, row by row."""
    return judged.part(np.repeat(np.arange(len(judged.correct)), weight[judged.cluster]))


@pytest.mark.parametrize("key", KEYS)
def test_whole_clusters_are_drawn(key):
    judged = Judged(
        continuous(23).correct,
        few_levels(23).confidence,
        np.array([0, 1, 2, 3, 4] * 4 + [2, 2, 4]),
    )
    part, measure = Resampler(judged, 40, 5), find(key)
    weights = drawn_clusters(5, 40, part.rng("resamples")).astype(int)
    assert (weights.sum(axis=1) == 5).all()
    brute = [measured(key, weighed(judged, row)) for row in weights]
    assert part.values(measure, 0.0) == pytest.approx(brute, abs=1e-12, nan_ok=True)


def test_clusters_of_one_are_instances_in_law():
    plain, alone = continuous(80), continuous(80, clusters=1)
    for key in ("hmr", "auroc", "brier"):
        ends = np.array(
            [
                [interval(key, Resampler(judged, 4000, seed)) for seed in (1, 2, 3)]
                for judged in (plain, alone)
            ]
        )
        low = np.array([[x.low for x in row] for row in ends])
        high = np.array([[x.high for x in row] for row in ends])
        for end in (low, high):
            assert abs(end[0].mean() - end[1].mean()) < 0.006


def test_many_clusters_are_drawn_in_little_memory():
    judged = continuous(60_000, clusters=2)
    found = interval("hmr", Resampler(judged, 20, 1))
    assert found.low < measured("hmr", judged) < found.high


def test_clusters_that_agree_widen_an_interval():
    """Ten copies of thirty instances say no more than the thirty."""
    small = continuous(30)
    big = small.part(np.repeat(np.arange(30), 10))
    told = Judged(big.correct, big.confidence, np.repeat(np.arange(30), 10))
    width = {}
    for name, judged in (("small", small), ("big", big), ("told", told)):
        found = interval("accuracy", Resampler(judged, 4000, 1))
        width[name] = found.high - found.low
    assert width["told"] == pytest.approx(width["small"], rel=0.1)
    assert width["big"] < width["small"] / 2.5


# Grouping.


def test_grouping_moves_ends_by_less_than_monte_carlo_error(monkeypatch):
    """Ends of 20 × 1,000 resamples, joined and not, against the spread of ends of 1,000."""
    judged, keys = continuous(3000), ("hmr", "brier", "auroc", "aurc", "ece@10", "ks")

    def drawn(first):
        parts = (Resampler(judged, 1000, first + i) for i in range(20))
        each = [[p.values(find(k), measured(k, judged)) for k in keys] for p in parts]
        return np.array(each).transpose(1, 0, 2)

    assert 120 < len(grouped(judged.cells)[0].level) < 512
    joined = drawn(1000)
    monkeypatch.setattr(grouping, "LEVELS", 10**9)
    assert len(Resampler(judged, 1, 1).grouped.level) == 3000
    for key, first, second in zip(keys, joined, drawn(2000), strict=True):
        for share in (0.025, 0.975):
            error = np.std([quantile(values, share) for values in second])
            moved = quantile(first.ravel(), share) - quantile(second.ravel(), share)
            assert abs(moved) < error, (key, share)


@pytest.mark.parametrize("n", [600, 3000])
def test_groups_stay_inside_bins(n):
    cells = continuous(n).cells
    joined, of = grouped(cells)
    assert joined.n[0] == n
    assert joined.rights[0] == cells.rights[0]
    assert joined.sure_right + joined.sure_wrong == pytest.approx(
        cells.sure_right + cells.sure_wrong
    )
    assert np.all(np.diff(of) >= 0)
    for bins in (1, 2, 3, 4, 5, 10, 15, 20):
        measure = find(f"ece@{bins}")
        assert measure.fn(joined, bins=bins) == pytest.approx(measure.fn(cells, bins=bins))
    for bins in (1, 2, 3, 5, 10, 12, 15, 20):
        measure = find(f"ecemass@{bins}")
        assert measure.fn(joined, bins=bins) == pytest.approx(measure.fn(cells, bins=bins))


def test_up_to_512_confidences_are_kept_apart():
    sure = np.arange(512) / 511
    cells = Judged(sure < 0.7, sure).cells
    assert grouped(cells)[0] is cells


def test_a_group_of_one_level_on_an_edge_stays_there():
    sure = np.concatenate((np.full(7, 0.3), np.full(3, 0.7), np.random.default_rng(1).random(900)))
    judged = Judged(np.arange(910) % 3 == 0, sure)
    joined = grouped(judged.cells)[0]
    assert {0.3, 0.7} <= set(joined.level.tolist()) or measured("ece@10", judged) == pytest.approx(
        float(find("ece@10").fn(joined, bins=10)[0])
    )


# Gates, each with its reason.


def sides(right, wrong, tilt=0.0):
    rng = np.random.default_rng([right, wrong])
    correct = np.arange(right + wrong) < right
    return Judged(
        correct, np.clip(0.3 + 0.4 * correct + tilt + 0.2 * rng.random(len(correct)), 0, 1)
    )


REWARDS = ("hmr", "hmr@2", "r_o", "r_u", "acchmr")


@pytest.mark.parametrize("key", REWARDS)
def test_rewards_need_ten_of_each(key):
    few = interval(key, Resampler(sides(9, 40), 100, 1))
    assert (few.low, few.high) == (None, None)
    assert few.reason == "9 right and 40 wrong answers; 10 of each are needed"
    assert interval(key, Resampler(sides(40, 9), 100, 1)).low is None
    assert interval(key, Resampler(sides(10, 10), 100, 1)).low is not None


@pytest.mark.parametrize("key", ["bias", "brier", "nll", "auroc", "aurc", "augrc", "selacc@80"])
def test_what_depends_on_right_and_wrong_answers_needs_ten_of_each(key):
    """With fewer, 60 to 90% held."""
    sure = np.random.default_rng(1).uniform(0.1, 0.9, 50)
    few = interval(key, Resampler(Judged(np.arange(49) < 40, sure[:49]), 100, 1))
    assert (few.low, few.reason) == (None, "40 right and 9 wrong answers; 10 of each are needed")
    assert interval(key, Resampler(Judged(np.arange(50) < 40, sure), 100, 1)).low is not None


def test_what_the_surest_few_decide_needs_twenty_of_each():
    """Of E-AURC with 10 to 20 wrong answers, 89 to 91% held."""
    few = interval("eaurc", Resampler(sides(40, 19), 100, 1))
    assert (few.low, few.reason) == (None, "40 right and 19 wrong answers; 20 of each are needed")
    sure = np.random.default_rng(1).random(60)
    assert interval("eaurc", Resampler(Judged(np.arange(60) < 40, sure), 100, 1)).low is not None


def test_sides_are_counted_in_clusters():
    """Of 20 clusters 20 have right answers, and 9 or 10 wrong ones, two each."""
    for many, why in ((9, "20 clusters with right and 9 with wrong"), (10, "")):
        cluster = np.repeat(np.arange(20), 5)
        right = (cluster >= many) | (np.arange(100) % 5 > 1)
        run = Judged(right, np.random.default_rng(1).random(100), cluster)
        found = interval("hmr", Resampler(run, 100, 1))
        assert found.reason == (f"{why} answers; 10 of each are needed" if why else "")


@pytest.mark.parametrize("key", ["accuracy", "confidence"])
def test_shares_and_what_no_answer_decides_need_no_ten(key):
    assert interval(key, Resampler(sides(18, 2), 100, 1)).low is not None
    few = interval(key, Resampler(sides(18, 1), 100, 1))
    assert (few.low, few.reason) == (None, "19 instances; 20 are needed")


def test_the_share_of_right_answers_has_an_interval_where_none_is_wrong():
    found = interval("accuracy", Resampler(sides(50, 0), 100, 1))
    assert (found.low, found.high) == (pytest.approx(50 / (50 + 1.959964**2)), 1.0)


def test_an_interval_without_width_is_none():
    """Every right answer is surer than every wrong one, in each resample too."""
    alone = interval("auroc", Resampler(sides(30, 30), 100, 1))
    assert (alone.low, alone.reason) == (None, "every resample gives the same value")


def test_the_floor_of_the_smooth_error_takes_few_draws(monkeypatch):
    drawn = []

    def counted(cells, many, rng):
        drawn.append(many)
        return calibrated(cells, many, rng)

    monkeypatch.setattr("grader.floor.calibrated", counted)
    assert Resampler(sides(20, 20), 1000, 1).floor(find("smece")) is not None
    assert drawn == [100]


@pytest.mark.parametrize("key", ["ece@10", "ece@20", "ecemass@10", "ks"])
def test_calibration_errors_need_to_exceed_their_floor(key):
    pop = population(FINE, 0.0001, 0.9999)
    honest = pop.drawn(400, np.random.default_rng(3))
    part = Resampler(honest, 300, 1)
    floor_ = part.floor(find(key))
    assert measured(key, honest) <= floor_.q95
    found = interval(key, part)
    assert found.low is None
    assert found.reason == "not distinguishable from calibrated at this n"
    off = Judged(honest.correct, np.sqrt(np.sqrt(honest.confidence)))
    assert interval(key, Resampler(off, 300, 1)).low is not None


def test_no_interval_for_what_is_not_sound():
    part = Resampler(continuous(300), 100, 1)
    why = {key: interval(key, part).reason for key in ("mce@10", "ecedistinct", "ece@21", "smece")}
    assert why == {
        "mce@10": "an interval of a maximum over bins is not sound",
        "ecedistinct": "with a bin for each confidence, resampling shifts it too far",
        "ece@21": "with more than 20 bins an interval covers too seldom",
        "smece": find("smece").no_interval,
    }
    assert interval("ece@20", part).low is not None
    order = find("eceorder@10")
    assert part.interval(order, 0.1, None).reason == order.no_interval


def test_without_resamples_there_is_no_interval_and_no_floor():
    part = Resampler(continuous(300), 0, 1)
    assert interval("hmr", part).reason == "the task asks for no resamples"
    assert part.floor(find("ece@10")) is None


def test_undefined_resamples_are_left_out_and_counted(monkeypatch):
    monkeypatch.setattr("grader.resample.unsound", lambda *_: "")
    judged = sides(1, 4)
    found = interval("auroc", Resampler(judged, 2000, 1))
    # No right one among five drawn: (4/5)⁵; no wrong one: (1/5)⁵.
    assert found.left_out / 2000 == pytest.approx(0.8**5 + 0.2**5, abs=0.04)


# The basic interval.


@pytest.mark.parametrize("key", BINNED)
def test_calibration_errors_have_basic_intervals(key):
    part, measure = Resampler(continuous(500), 500, 1), find(key)
    value = measured(key, part.judged)
    low, high = expanded(part.values(measure, value), 500)
    found = interval(key, part)
    assert found.low == max(2 * value - high, 0.0)
    assert found.high == max(2 * value - low, value)


@pytest.mark.parametrize("key", ["hmr", "auroc"])
def test_smooth_measures_have_percentile_intervals(key):
    part, measure = Resampler(continuous(500, clusters=20), 500, 1), find(key)
    values = part.values(measure, measured(key, part.judged))
    found = interval(key, part)
    assert (found.low, found.high) == expanded(values, 25)


# Means over subsets.


def scores_of(key, parts):
    found = [(measured(key, p.judged), interval(key, p)) for p in parts]
    return [
        Score(key, p.part, len(p.judged.correct), value, x.low, x.high, no_interval=x.reason)
        for p, (value, x) in zip(parts, found, strict=True)
    ]


@pytest.mark.parametrize("key", ["hmr", "ece@10"])
def test_a_mean_over_subsets_is_resampled_within_each(key):
    parts = [Resampler(continuous(n, n, high=0.5), 300, 1, f"s={n}") for n in (200, 300, 700)]
    each = scores_of(key, parts)
    found = mean_interval(find(key), parts, each)
    value = np.mean([s.value for s in each])
    values = np.mean([p.values(find(key), s.value) for p, s in zip(parts, each, strict=True)], 0)
    low, high = expanded(values, 200)  # as the smallest of the subsets needs
    if key == "ece@10":
        low, high = 2 * value - high, 2 * value - low
    assert (found.low, found.high) == pytest.approx((low, high))
    widths = [s.high - s.low for s in each]
    alone = np.sqrt(np.square(widths).sum()) / 3  # of independent parts
    assert found.high - found.low == pytest.approx(alone, rel=0.15)


def test_a_mean_has_no_interval_where_a_subset_has_none():
    parts = [Resampler(j, 100, 1, f"s={i}") for i, j in enumerate((sides(40, 40), sides(40, 3)))]
    found = mean_interval(find("hmr"), parts, scores_of("hmr", parts))
    assert found.low is None
    assert found.reason == "s=1: 40 right and 3 wrong answers; 10 of each are needed"


def test_a_mean_has_no_interval_where_clusters_reach_over_subsets():
    judged = continuous(200, clusters=4)
    odd = [judged.part(np.arange(i, 200, 2)) for i in (0, 1)]
    halves = [judged.part(np.arange(i, i + 100)) for i in (0, 100)]
    for two, has in ((odd, False), (halves, True)):
        parts = [Resampler(j, 100, 1, f"s={i}") for i, j in enumerate(two)]
        found = mean_interval(find("accuracy"), parts, scores_of("accuracy", parts))
        assert (found.low is not None) is has
        assert found.reason == ("" if has else "clusters reach over several subsets")


# Floors.


@pytest.mark.parametrize("key", ["ece@10", "ece@15", "ks", "ecemass@5", "ecedistinct"])
@pytest.mark.parametrize("judged", [continuous(10), few_levels(10), few_levels(7, 2)])
def test_simulated_floors_agree_with_enumerated_ones(key, judged):
    measure, draws = find(key), 20_000
    exact = enumerated(measure, judged)
    values = over(measure, calibrated(judged.cells, draws, np.random.default_rng(1)))
    assert values.mean() == pytest.approx(exact.mean, abs=4 * values.std() / np.sqrt(draws))
    # The exact quantile is one of the values near the simulated one's probability.
    error = 4 * np.sqrt(0.95 * 0.05 / draws)
    assert np.mean(values <= exact.q95 + 1e-9) >= 0.95 - error
    assert np.mean(values < exact.q95 - 1e-9) <= 0.95 + error


def test_ten_instances_are_enumerated_and_eleven_simulated():
    for n in (10, 11):
        judged = continuous(n)
        found = {Resampler(judged, 50, seed).floor(find("ece@10")) for seed in (1, 2, 3)}
        assert len(found) == (1 if n == 10 else 3)


@pytest.mark.parametrize("key", ["ece@10", "ece@20", "ece@50", "ece@100", "ecemass@50", "ks"])
def test_floors_of_groups_agree_with_floors_of_instances(key):
    judged, measure = continuous(3000), find(key)
    values = over(measure, calibrated(judged.cells, 1000, np.random.default_rng(1)))
    found = Resampler(judged, 1000, 1).floor(measure)
    assert found.mean == pytest.approx(values.mean(), abs=5 * values.std() / np.sqrt(1000))
    share = np.mean(values <= found.q95)
    assert share == pytest.approx(0.95, abs=4 * np.sqrt(2 * 0.95 * 0.05 / 1000))


@pytest.mark.parametrize("most", [1, 3, 200])
def test_the_floor_of_many_distinct_confidences_is_that_of_simulation(most):
    rng = np.random.default_rng(most)
    level = np.unique(rng.random(700))
    size = rng.integers(1, most + 1, 700).astype(float)
    cells = Cells(level, size[None, :], np.zeros((1, 700)), tied=most > 1)
    measure, draws = find("ecedistinct"), 4000
    found = distinct(measure, cells, 10, rng)
    values = over(measure, calibrated(cells, draws, rng))
    assert found.mean == pytest.approx(values.mean(), abs=4 * values.std() / np.sqrt(draws))
    error = 4 * np.sqrt(0.95 * 0.05 / draws)
    assert np.mean(values <= found.q95) == pytest.approx(0.95, abs=error)


def test_a_few_levels_that_make_up_the_noise_are_simulated():
    level = np.concatenate((np.arange(1, 700) / 1e9, [0.5]))
    cells = Cells(level, np.ones((1, 700)), np.zeros((1, 700)), tied=False)
    found = distinct(find("ecedistinct"), cells, 500, np.random.default_rng(1))
    assert found.q95 == pytest.approx(0.5 / 700, rel=0.01)


def test_only_calibration_errors_have_floors():
    part = Resampler(continuous(100), 50, 1)
    for key, measure in MEASURES.items():
        if measure.gate != "floor":
            assert part.floor(measure) is None, key


def test_freed_resamples_come_again_the_same():
    part = Resampler(continuous(700), 100, 1)
    first, lower = interval("hmr", part), part.floor(find("ece@10"))
    part.free()
    assert not {"drawn", "grouped", "calibrated"} & set(vars(part))
    assert (interval("hmr", part), part.floor(find("ece@10"))) == (first, lower)
    assert part.values(find("auroc"), 0.5).shape == (100,)
