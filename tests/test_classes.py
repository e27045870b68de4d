"""Measures of class probabilities: exact values, blanks, and golds that no class is."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from grading import GOLD, graded, values
from hypothesis import given
from hypothesis import strategies as st
from shared_data import shared

from grader.exchange import swap_test
from grader.means import CELLS, joined, redrawn
from grader.measures import find
from grader.model import Classes, Judged, Undefined
from grader.resample import Resampler

CHOICE = 'answers = "choice"\nlabels = ["a", "b", "c"]\n'
KEYS = ("br", "nbr", "nllc", "cwece@2")
YES_NO = GOLD + "q1,a,x\nq2,b,x\nq3,c,y\n"
CLIPPED = 52 * math.log(2)


def judged(table, gold, confidence=None):
    table = np.array(table, dtype=float)
    gold = np.array(gold)
    sure = np.nanmax(table, axis=1) if confidence is None else np.array(confidence)
    right = np.nan_to_num(table).argmax(axis=1) == gold
    return Judged(right, sure, classes=Classes(table, gold))


@pytest.fixture(scope="module")
def oracle():
    return json.loads(shared("oracles", "oracle.json").read_text(encoding="utf-8"))["multiclass"]


def test_the_values_of_the_oracle_come_out(oracle):
    case = next(c for c in oracle if c["id"] == "mc3")
    run = judged([[float(p) for p in row] for row in case["probs"]], case["gold"])
    assert find("br")(run).value == pytest.approx(float(Fraction(case["exact"])), abs=1e-12)
    assert find("nbr")(run).value == pytest.approx(case["nbr"], abs=1e-12)
    found = find("nllc")(run)
    assert found.value == pytest.approx(case["nll"], abs=1e-10)
    assert found.details["clipped"] == 1
    assert "clipped" in found.note


def test_the_sums_stated_in_the_paper_come_out(oracle):
    rows = next(c for c in oracle if c["id"] == "hmr_ex3_rows")["rows"]
    for row in rows:
        run = judged([[float(p) for p in row["p"]]], [row["gold"]])
        assert find("br")(run).value == pytest.approx(row["sse"], abs=1e-12)


def test_class_wise_ece_is_the_mean_over_classes():
    """Two bins. Class 0: .2 and .4 low with one gold, .8 high: (2/5 + 1/5)/3; class 1 likewise."""
    run = judged([[0.2, 0.8], [0.4, 0.6], [0.8, 0.2]], [0, 1, 0])
    per_class = (abs(Fraction("0.6") - 1) + abs(Fraction("0.8") - 1)) / 3
    assert find("cwece@2")(run).value == pytest.approx(float(per_class), abs=1e-12)
    three = judged([[0.2, 0.8, 0], [0.4, 0.6, 0], [0.8, 0.2, 0]], [0, 1, 0])
    assert find("cwece@2")(three).value == pytest.approx(float(per_class * 2 / 3), abs=1e-12)
    assert find("cwece@2")(three).details["classes"] == 3


def test_of_two_classes_it_is_the_calibration_error_of_each():
    rng = np.random.default_rng(3)
    p = rng.integers(0, 1001, 500) / 1000
    gold = (rng.random(500) < 0.5).astype(int)
    run = judged(np.stack((1 - p, p), axis=1), gold)
    each = [find("ece@10")(Judged(gold == k, q)).value for k, q in ((0, 1 - p), (1, p))]
    assert find("cwece@10")(run).value == pytest.approx(sum(each) / 2, abs=1e-12)


def test_without_class_probabilities_they_are_undefined():
    for key in KEYS:
        with pytest.raises(Undefined, match="without class probabilities"):
            find(key)(Judged(np.array([True]), np.array([0.5])))
    found = graded("id,answer,confidence\nq1,a,1\nq2,b,1\nq3,c,1\n", YES_NO, CHOICE, KEYS)
    notes = {s.measure: s.note for s in found.scores if s.subset == "all"}
    assert {notes[key] for key in KEYS} == {"without class probabilities"}


def test_a_blank_is_a_class_of_probability_0():
    """Squares: q1 (0, 0, 0), q2 .25 + .25 + 0, q3 .25 + .25 + 1."""
    run = "id,p:a,p:b,p:c\nq1,1,,\nq2,0.5,0.5,\nq3,0.5,0.5,\n"
    found = values(run, YES_NO, CHOICE, KEYS)
    assert found["br"] == pytest.approx(float(Fraction(2, 3)), abs=1e-12)
    assert found["nbr"] == pytest.approx(float(Fraction(1, 3)), abs=1e-12)
    assert found["nllc"] == pytest.approx((math.log(2) + CLIPPED) / 3, abs=1e-10)


def test_a_label_without_a_column_counts_as_a_class_all_the_same():
    whole = "id,p:a,p:b,p:c\nq1,1,0,0\nq2,0.5,0.5,0\nq3,0.5,0.5,0\n"
    short = "id,p:a,p:b\nq1,1,0\nq2,0.5,0.5\nq3,0.5,0.5\n"
    one, two = (values(run, YES_NO, CHOICE, KEYS) for run in (whole, short))
    assert {k: one[k] for k in KEYS} == {k: two[k] for k in KEYS}


def test_where_the_gold_is_no_class_nothing_is_right():
    """Gold z: p² + q² + 1 = 1.5 on one line; the other is right at 1."""
    gold = "id,answer\nq1,a\nq2,z\n"
    found = graded("id,p:a,p:b\nq1,1,0\nq2,0.5,0.5\n", gold, "", KEYS)
    br = next(s for s in found.scores if s.measure == "br")
    assert br.value == pytest.approx(0.75, abs=1e-12)
    assert br.details["gold is no class"] == 1
    nllc = next(s for s in found.scores if s.measure == "nllc")
    assert nllc.value == pytest.approx(CLIPPED / 2, abs=1e-10)
    assert nllc.details == {"gold is no class": 1, "clipped": 1}


def test_a_line_without_classes_gives_its_confidence_to_what_is_never_right():
    """A refusal at .5: .25 + 1; one left out counts at 1 under ``worst``: 1 + 1."""
    toml = f'{CHOICE}abstain = ["pass"]\nmissing = "worst"\n'
    run = "id,answer,confidence,p:a,p:b,p:c\nq1,a,1,1,0,0\nq2,pass,0.5,,,\n"
    assert values(run, YES_NO, toml, KEYS)["br"] == pytest.approx((1.25 + 2) / 3, abs=1e-12)


def test_the_gold_class_is_found_by_the_task_s_rule():
    run = "id,p:Yes,p:no\nq1,0.9,0.1\nq2,0.2,0.8\n"
    gold = "id,answer\nq1,yes\nq2,No\n"
    found = values(run, gold, 'answers = "normalised"\n', KEYS)
    assert found["br"] == pytest.approx(float(Fraction(2 * (1 + 4), 200)), abs=1e-12)
    assert values(run, gold, "", KEYS)["br"] > 1


probabilities = st.lists(
    st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 20), st.integers(-1, 2)),
    min_size=1,
    max_size=12,
)


@given(probabilities)
def test_they_stay_in_range_and_order_does_not_matter(rows):
    table = [[x / (a + b + c) for x in (a, b, c)] for a, b, c, _ in rows]
    run = judged(table, [g for *_, g in rows])
    back = run.part(np.arange(len(rows))[::-1])
    for key in KEYS:
        measure = find(key)
        low, high = measure.bounds
        assert low <= measure(run).value <= high + 1e-12
        assert measure(back).value == pytest.approx(measure(run).value, abs=1e-12)


def wide(n, seed=0, clusters=0):
    rng = np.random.default_rng(seed)
    table = rng.dirichlet((1, 1, 1), n)
    gold = np.array([rng.choice(3, p=row) for row in table])
    run = judged(table, gold)
    cluster = rng.integers(0, clusters, n) if clusters else np.empty(0, dtype=np.intp)
    return Judged(run.correct, run.confidence, cluster, run.classes)


@pytest.mark.parametrize("key", ["br", "nbr", "nllc"])
def test_the_interval_is_that_of_a_mean(key):
    """As wide as the normal one from the sample's own standard error, within a tenth."""
    run = wide(400)
    measure = find(key)
    interval = Resampler(run, 4000, 1).interval(measure, measure(run).value, None)
    each = measure.sums.features(run)[:, 1]
    half = 1.96 * each.std() / math.sqrt(len(each))
    assert interval.high - interval.low == pytest.approx(2 * half, rel=0.1)
    assert interval.low < measure(run).value < interval.high
    assert Resampler(run, 4000, 1).interval(measure, measure(run).value, None) == interval


def test_the_interval_of_two_instances_is_the_bootstrap_s_own():
    """Squares 0 and 2: the resampled mean is 0, 1, 2 with chance ¼, ½, ¼."""
    run = judged([[1, 0], [1, 0]], [0, 1])
    drawn = redrawn(run, find("br").sums, 8000, np.random.default_rng(1))
    assert {0.0, 1.0, 2.0} == set(drawn.tolist())
    assert np.mean(drawn == 1) == pytest.approx(0.5, abs=0.02)


def test_clusters_are_drawn_whole():
    """All instances of one cluster alike: as if there were one of each."""
    base = wide(60)
    at = np.repeat(np.arange(60), 5)
    part = base.part(at)
    run = Judged(part.correct, part.confidence, at, part.classes)
    sums = find("br").sums
    spread = redrawn(run, sums, 4000, np.random.default_rng(1)).std()
    alone = redrawn(base, sums, 4000, np.random.default_rng(2)).std()
    assert spread == pytest.approx(alone, rel=0.1)


def test_joining_many_values_moves_no_end_by_more_than_chance_does():
    run, sums = wide(20_000), find("nllc").sums
    values_, size = joined(sums.features(run)[:, 1])
    assert len(values_) <= CELLS < 20_000
    assert values_ @ size == pytest.approx(sums.features(run)[:, 1].sum())
    close = redrawn(run, sums, 2000, np.random.default_rng(1))
    each = sums.features(run)[:, 1]
    rng = np.random.default_rng(2)
    exact = np.array([each[rng.integers(0, len(each), len(each))].mean() for _ in range(2000)])
    for share in (0.025, 0.975):
        ends = np.quantile(close, share), np.quantile(exact, share)
        assert ends[0] == pytest.approx(ends[1], abs=0.15 * exact.std())


def test_the_interval_covers_as_often_as_it_says():
    """200 seeded sets of 100 instances around the mean of 200,000: 95% within four errors."""
    measure = find("br")
    truth = measure(wide(200_000, seed=99)).value
    hits = 0
    for seed in range(200):
        run = wide(100, seed=1000 + seed)
        interval = Resampler(run, 400, seed).interval(measure, measure(run).value, None)
        hits += interval.low <= truth <= interval.high
    assert 0.90 <= hits / 200 <= 0.99


def test_class_wise_ece_has_no_interval_and_says_why():
    run = wide(50)
    interval = Resampler(run, 100, 1).interval(find("cwece@5"), 0.1, None)
    assert interval.low is None
    assert "known to cover" in interval.reason


@pytest.mark.parametrize("key", ["br", "cwece@2"])
def test_runs_of_classes_are_swapped_whole(key):
    """Of one instance: swapped or not, the distance is the same, so p is 1."""
    a, b = judged([[0.9, 0.1]], [0]), judged([[0.3, 0.7]], [0])
    assert swap_test(a, b, find(key), 100, 1) == (1.0, 2)
    with pytest.raises(Undefined, match="different classes"):
        swap_test(a, judged([[0.3, 0.7, 0.0]], [0]), find(key), 100, 1)
