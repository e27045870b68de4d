"""Floors of every calibration error: by enumeration, by brute force, and where they are shown."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from grading import GOLD, graded, task_of
from test_export import AT, entry, results
from test_resample import continuous, few_levels

import grader
from grader.board import visible
from grader.cli._say import spelled
from grader.family import by_id
from grader.floor import Floor, calibrated, over
from grader.grouping import cut, grouped
from grader.measures import MEASURES, find
from grader.measures.smooth import smece
from grader.model import Cells, Classes, Judged, Reading, Score, Snapshot
from grader.pairwise import tables
from grader.resample import Resampler, mean_floor
from grader.site.analyses import _cells
from grader.site.cells import cell
from grader.tasks import read_gold

ORDERED = ("eceorder@2", "eceorder@7", "eceorder@40", "mceorder@3", "mceorder@40")


def classed(table, gold):
    table, gold = np.array(table, dtype=float), np.array(gold)
    return Judged(table.argmax(1) == gold, table.max(1), classes=Classes(table, gold))


def dirichlet(n, seed, many=3, *, honest=True):
    """A run whose gold is drawn from its own probabilities, or from their opposite."""
    rng = np.random.default_rng(seed)
    table = rng.dirichlet(np.full(many, 0.7), n).round(3)
    chance = table if honest else table[:, ::-1]
    gold = (rng.random(n)[:, None] * chance.sum(1, keepdims=True) >= chance.cumsum(1)).sum(1)
    return classed(table, np.minimum(gold, many - 1))


def test_every_calibration_error_has_a_floor():
    run = Resampler(dirichlet(30, 1), 50, 1)
    keys = {
        k: find(f"{k}@5" if m.parameter else k) for k, m in MEASURES.items() if m.needs != "bounds"
    }
    found = {k for k, m in keys.items() if run.floor(m) is not None}
    named = {k for k in keys if "ece" in k or "mce" in k}
    assert found == named | {"ks"}


@pytest.mark.parametrize(
    ("sure", "key", "mean", "q95"),
    [
        # Each bin holds one instance: its gap is ½ whatever comes.
        ([0.5, 0.5], "eceorder@2", 0.5, 0.5),
        ([0.5, 0.5], "mceorder@2", 0.5, 0.5),
        # One bin: |1 − right|/2, and one of two is right in .2·.2 + .8·.8 = .68 of cases.
        ([0.2, 0.8], "eceorder@1", 0.16, 0.5),
        # Both or neither of the first two: ½; one of them: 0; the third is always right.
        ([0.5, 0.5, 1.0], "mceorder@2", 0.25, 0.5),
        ([0.5, 0.5, 1.0], "eceorder@2", 0.5 * 1 / 3, 1 / 3),
        # Two bins: each gap is ¼ in ¾ of cases, else ¾; both are ¼ in 9/16.
        ([0.25, 0.75], "mce@2", 0.25 * 9 / 16 + 0.75 * 7 / 16, 0.75),
    ],
)
def test_floors_by_hand(sure, key, mean, q95):
    sure = np.array(sure)
    found = Resampler(Judged(sure > 2, sure), 0, 1).floor(find(key))
    assert (found.mean, found.q95) == pytest.approx((mean, q95), abs=1e-12)


@pytest.mark.parametrize("key", ORDERED)
@pytest.mark.parametrize("run", [continuous(30), few_levels(31), few_levels(12, 3)])
def test_a_value_is_that_of_its_own_outcomes(key, run):
    """In cells of one instance each, equal confidences in gold order."""
    measure, order = find(key), np.argsort(run.confidence, kind="stable")
    right = run.correct[order][None, :].astype(float)
    again = measure.by_cells(Cells(run.confidence[order], right, 1 - right), **measure.params)
    assert again.tolist() == pytest.approx([measure(run).value], abs=1e-12)


def test_cells_cut_at_the_ends_of_bins_keep_their_confidence():
    cells = Cells(np.array([0.2, 0.6]), np.array([[1.0, 2]]), np.array([[2.0, 3]]))
    two, three, many = (cut(cells, bins) for bins in (2, 3, 20))
    assert (two.level.tolist(), two.size.tolist()) == ([0.2, 0.6, 0.6], [[3, 1, 4]])
    assert (three.level.tolist(), three.size.tolist()) == ([0.2, 0.6, 0.6], [[3, 3, 2]])
    assert (many.level.tolist(), many.size.tolist()) == ([0.2] * 3 + [0.6] * 5, [[1] * 8])


def surest(n, at_1=0.3):
    """A run with many confidences, a share of them 1."""
    rng = np.random.default_rng(n)
    sure = np.where(rng.random(n) < at_1, 1.0, rng.beta(8, 2, n))
    return Judged(rng.random(n) < 0.7 * sure, sure)


@pytest.mark.parametrize("bins", [1, 7, 10, 64, 999, 5000])
def test_many_confidences_are_joined_between_the_ends_of_bins(bins):
    run = surest(2003)
    cells, sure = cut(run.cells, bins), np.sort(run.confidence)
    ends = np.cumsum(cells.size[0]).astype(int)
    assert set(np.cumsum([len(p) for p in np.array_split(sure, bins)])) <= set(ends)
    assert len(cells.level) <= 31 + bins
    parts = np.split(sure, ends[:-1])
    assert max(np.ptp(part) for part in parts) <= 0.05
    assert cells.level.tolist() == pytest.approx([part.mean() for part in parts], abs=1e-12)
    assert {level for level, part in zip(cells.level, parts, strict=True) if part[0] == 1} <= {1}


def ordered(sure, right, bins):
    at = np.argsort(sure, kind="stable")
    parts = [p for p in np.array_split(sure[at] - right[at], bins) if len(p)]
    gaps = np.array([abs(p.sum()) for p in parts])
    return gaps.sum() / len(sure), max(g / len(p) for g, p in zip(gaps, parts, strict=True))


@pytest.mark.parametrize(
    ("key", "which"), [("eceorder@4", 0), ("mceorder@4", 1), ("eceorder@90", 0)]
)
@pytest.mark.parametrize("run", [continuous(61), few_levels(80), surest(900)])
def test_floors_in_gold_order_are_those_of_a_loop(key, which, run):
    rng, draws, bins = np.random.default_rng(5), 1500, find(key).params["bins"]
    drawn = rng.random((draws, len(run.correct))) < run.confidence
    values = np.array([ordered(run.confidence, y, bins)[which] for y in drawn])
    close(Resampler(run, draws, 2).floor(find(key)), values)


def close(found, values):
    """A simulated floor against as many values of another simulation."""
    draws = len(values)
    assert found.mean == pytest.approx(values.mean(), abs=6 * values.std() / np.sqrt(draws))
    error = 5 * np.sqrt(2 * 0.95 * 0.05 / draws)
    assert np.mean(values <= found.q95 + 1e-9) >= 0.95 - error
    assert np.mean(values < found.q95 - 1e-9) <= 0.95 + error


def class_wise(table, gold, bins):
    """Class-wise ECE in exact fractions; a gold of −1 is no class."""
    total = Fraction(0)
    for k in range(len(table[0])):
        gaps = {}
        for row, g in zip(table, gold, strict=True):
            m = max(-(-row[k] * bins // 1), 1)
            gaps[m] = gaps.get(m, 0) + row[k] - (g == k)
        total += sum(map(abs, gaps.values())) / len(table)
    return total / len(table[0])


TABLE = [["0.5", "0.25", "0.25"], ["0.6", "0.3", "0"], ["0.1", "0.1", "0.8"], ["0", "0", "0"]]


def test_class_wise_floors_are_those_of_every_gold():
    """The second row lacks .1, which goes to no class; the last is a refusal: no class at all."""
    table = [[Fraction(p) for p in row] for row in TABLE]
    mean, values = Fraction(0), []
    for gold in product(range(-1, 3), repeat=4):
        chance = Fraction(1)
        for row, g in zip(table, gold, strict=True):
            chance *= row[g] if g >= 0 else 1 - sum(row)
        if chance:
            mean += chance * class_wise(table, gold, 2)
            values.append((class_wise(table, gold, 2), chance))
    values.sort()
    reached = np.cumsum([float(chance) for _, chance in values])
    run = classed(TABLE, [0, 1, 2, 0])
    assert find("cwece@2")(run).value == pytest.approx(
        float(class_wise(table, [0, 1, 2, 0], 2)), abs=1e-12
    )
    draws = 20_000
    part = Resampler(run, draws, 1)
    drawn, found = part.by_chance(find("cwece@2")), part.floor(find("cwece@2"))
    assert found.mean == pytest.approx(float(mean), abs=5 * drawn.std() / np.sqrt(draws))
    below = max(
        (r for r, (v, _) in zip(reached, values, strict=True) if v < found.q95 - 1e-9), default=0
    )
    upto = max(r for r, (v, _) in zip(reached, values, strict=True) if v <= found.q95 + 1e-9)
    error = 5 * np.sqrt(0.95 * 0.05 / draws)
    assert below - error <= 0.95 <= upto + error


def test_more_than_1_is_shared():
    """Within the tolerance a row may sum to 1.001: every outcome is then a class."""
    run = classed([["0.5005", "0.5005"]] * 200, [0, 1] * 100)
    values = Resampler(run, 400, 1).by_chance(find("cwece@1"))
    # With h golds of class 0: (|100.1 − h| + |100.1 − (200 − h)|)/400, of 400.
    # The least is at h = 100; then it is 2 and 4 and so on.
    steps = sorted({round(float(v), 9) for v in values * 400})[:3]
    assert steps == pytest.approx([0.2, 2, 4])


@pytest.mark.parametrize("key", ["cwece@10", "eceorder@10", "mceorder@5", "mce@10", "ece@7"])
def test_honest_runs_stay_within_their_floor_95_times_in_100(key):
    above, runs = 0, 120
    for seed in range(runs):
        run = dirichlet(150, seed)
        if key != "cwece@10":
            rng = np.random.default_rng(seed)
            run = replace(run, correct=rng.random(150) < run.confidence)
        above += find(key)(run).value > Resampler(run, 150, seed).floor(find(key)).q95
    assert 1 <= above <= 14  # Binomial(120, .05): outside in fewer than 3 of 1,000
    off = dirichlet(400, 1, honest=False)
    assert find(key)(off).value > Resampler(off, 150, 1).floor(find(key)).q95


@pytest.mark.parametrize("key", ["cwece@10", "eceorder@10", "mceorder@5"])
def test_the_order_of_the_gold_moves_no_floor(key):
    run, order = dirichlet(90, 4), np.random.default_rng(2).permutation(90)
    first, second = (Resampler(j, 60, 1).floor(find(key)) for j in (run, run.part(order)))
    assert first == second


@pytest.mark.parametrize("bins", [7, 12, 19])
def test_groups_cross_no_edge_of_unusual_bins(bins):
    run = Judged(*(getattr(continuous(700), k) for k in ("correct", "confidence")))
    part, measure = Resampler(run, 4000, 1), find(f"mce@{bins}")
    rng = np.random.default_rng(1)
    place = np.maximum(np.searchsorted(np.arange(bins + 1) / bins, run.confidence) - 1, 0)
    size = np.maximum(np.bincount(place, minlength=bins), 1)
    drawn = rng.random((4000, 700)) < run.confidence
    gaps = [np.abs(np.bincount(place, run.confidence - y, bins)) / size for y in drawn]
    close(part.floor(measure), np.max(gaps, axis=1))


def test_the_floor_of_a_mean_over_subsets():
    """Two subsets of two instances at ½: ece@1 is 0 in half the cases, else ½."""
    half = Judged(np.array([True, False]), np.array([0.5, 0.5]))
    parts = [Resampler(half, 4000, 1, f"s={i}") for i in range(2)]
    found = mean_floor(find("ece@1"), parts)
    assert found.mean == 0.25  # exact, as each is
    assert found.q95 == 0.5  # both off: a quarter of cases
    assert mean_floor(find("ece@1"), [replace(p, resamples=0) for p in parts]) is None
    four = [Resampler(half, 4000, 1, f"s={i}") for i in range(4)]
    # All four off in 1/16 of cases; three at most in the others.
    assert mean_floor(find("ece@1"), four).q95 == 0.5
    six = [Resampler(half, 4000, 1, f"s={i}") for i in range(6)]
    assert mean_floor(find("ece@1"), six).q95 == pytest.approx(5 / 12)  # six: 1/64, five: 6/64


def test_scores_carry_their_floors():
    gold = GOLD + "".join(f"q{i},a,{'xy'[i % 2]}\n" for i in range(40))
    run = "id,answer,confidence\n" + "".join(
        f"q{i},{'a' if i % 3 else 'b'},0.{i % 8 + 1}\n" for i in range(40)
    )
    keys = ("macro(ks,subset)", "ece@10", "eceorder@4", "mce@10", "smece", "accuracy", "ks")
    scores = {(s.measure, s.subset): s for s in graded(run, gold, "", keys).scores}
    for key in keys[:-2]:
        found = scores[key, "all"]
        assert 0 < found.floor_mean < found.floor_95 < 1, key
        assert found.above_floor is (found.value > found.floor_95), key
    assert scores["accuracy", "all"].above_floor is None
    inside = [scores["ks", f"subset={x}"].floor_mean for x in "xy"]
    assert scores["macro(ks,subset)", "all"].floor_mean == pytest.approx(sum(inside) / 2)


ABOVE = Score("ks", "all", 9, 0.0412, details={"floor mean": 0.021, "floor 95%": 0.0379})
WITHIN = ABOVE._replace(value=0.0379 + 1e-12)
NOISE = "floor: mean 0.0210, 95% 0.0379; "


def test_a_cell_says_whether_a_value_is_within_its_floor():
    above, within = cell(ABOVE, 3), cell(WITHIN, 3)
    assert (above.floor, above.within) == ("0.038", False)
    assert above.noise == NOISE + "above what noise gives"
    assert (within.floor, within.within) == ("0.038", True)
    assert within.noise == NOISE + "not distinguishable from calibrated at this n"
    assert cell(ABOVE._replace(details={}), 3).floor == ""
    readings = [[Reading("ks", 0.0412, "", 0.021, 0.0379)], [Reading("ks", 0.0412)]]
    (read,), (bare,) = _cells(readings, ("ks",), 3)
    assert read == above
    assert bare.floor == ""


def test_a_receipt_says_it_too():
    assert spelled(ABOVE, 3) == "0.041  (floor 0.021, 95% 0.038)"
    assert spelled(WITHIN, 3) == (
        "0.038  (floor 0.021, 95% 0.038: not distinguishable from calibrated)"
    )


def test_frames_have_floors():
    found = grader.score([1, 0], [0.5, 0.5], measures=["eceorder@1", "hmr"])
    table, long = grader.frame(found), grader.intervals(found)
    # One bin: ½ if both or neither are right.
    assert table.loc["all", ["eceorder@1 floor mean", "eceorder@1 floor 95%"]].tolist() == [
        0.25,
        0.5,
    ]
    assert "hmr floor mean" not in table
    assert long[["floor_mean", "floor_95", "above_floor"]].iloc[0].tolist() == [0.25, 0.5, False]
    assert long["above_floor"][1] is None


def test_a_small_bin_hides_its_size_and_not_the_floor():
    score = Score(
        "mce@10", "all", 9, 0.5, details={"n of the bin": 2, "floor 95%": 0.6, "floor mean": 0.3}
    )
    shown = visible(Snapshot((results(entry("a", "A", score)),), AT), "public")
    assert shown.tasks[0].entries[0].graded.scores[0].details == {
        "floor 95%": 0.6,
        "floor mean": 0.3,
    }


def test_a_floor_is_of_its_values():
    assert Floor.of(np.arange(1, 101) / 100) == Floor(0.505, 0.95)


def test_comparisons_read_each_value_against_its_floor():
    gold = read_gold(
        task_of(), (GOLD + "".join(f"q{i},a,{'xy'[i % 2]}\n" for i in range(60))).encode(), "g"
    )
    runs = {"one": few_levels(60), "two": continuous(60)}
    seen = {name: (run, np.ones(60, dtype=bool)) for name, run in runs.items()}
    task = task_of("[resampling]\nresamples = 200\nseed = 1\n")
    plain, mean = tables(task, gold, seen, ["eceorder@5", "macro(ks,subset)"])
    order = by_id(np.ones(60, dtype=bool), gold)
    for name, run in runs.items():
        found = Resampler(run.part(order), 200, 1).floor(find("eceorder@5"))
        shown = plain.as_json()["floors"][name]
        assert shown == {"floor_mean": found.mean, "floor_95": found.q95}
        assert f"{found.q95:.4f}" in plain.cells[0][3]
        halves = [
            Resampler(run.part(order[order % 2 == x]), 200, 1, f"subset={'xy'[x]}").floor(
                find("ks")
            )
            for x in (0, 1)
        ]
        both = mean.as_json()["floors"][name]
        assert both["floor_mean"] == pytest.approx(np.mean([f.mean for f in halves]))
        assert both["floor_95"] < max(f.q95 for f in halves)


@pytest.mark.parametrize("shape", [(1, 1), (8, 2), (0.3, 0.3)])
def test_the_floor_of_ks_is_that_of_the_run_before_levels_were_joined(shape):
    """Read at the ends of groups alone, each draw's KS is 3 to 4% too small in the mean."""
    sure = np.random.default_rng(1).beta(*shape, 3000).clip(1e-9, 1 - 1e-9)
    run, ks = Judged(sure > 0.5, sure), find("ks")
    cells, of = grouped(run.cells)
    starts, own, read = np.flatnonzero(np.diff(of, prepend=-1)), [], []
    for drawn in calibrated(run.cells, 1000, np.random.default_rng(2)):
        own.append(ks.fn(drawn))
        right, wrong = (np.add.reduceat(x, starts, axis=1) for x in (drawn.right, drawn.wrong))
        read.append(ks.fn(Cells(cells.level, right, wrong)))
    own, read = np.concatenate(own), np.concatenate(read)
    part = Resampler(run, 50, 1)
    added = np.mean(part.by_chance(ks) - over(ks, part.calibrated))
    lacking = (own.mean() - read.mean()) / own.mean()
    assert lacking > 0.025
    assert added / own.mean() == pytest.approx(lacking, abs=0.01)
    assert np.quantile(read + added, 0.95) / np.quantile(own, 0.95) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize(
    ("n", "width", "coarse"),
    [
        (60, 0.1, True),
        (500, 0.1, True),
        (10_000, 0.1, False),
        (10_000, 0.01, False),
        (500, 1e-3, False),
    ],
)
def test_the_floor_of_a_smooth_error_is_that_of_all_points(n, width, coarse):
    """Where the smoothing spans many of them it is read at a quarter: 0.2% off at most."""
    rng = np.random.default_rng(n)
    sure = 1 - rng.random(n) * width
    part = Resampler(Judged(rng.random(n) < sure, sure), 40, 1)
    drawn = calibrated(part.grouped, 40, part.rng("floor"))
    whole = np.concatenate([smece(cells) for cells in drawn])
    found = part.by_chance(find("smece"))
    assert found == pytest.approx(whole, rel=2e-3)
    assert (found != pytest.approx(whole, rel=1e-9)) == coarse
