"""What is said of a run beside its scores, against values found in another way."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from grading import graded
from hypothesis import given
from hypothesis import strategies as st
from shared_data import shared
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import roc_auc_score

from grader.analysis.coarse import coarse
from grader.analysis.isotonic import _one_by_one, isotonic
from grader.analysis.ladder import KEYS, ladder, said
from grader.analysis.pooling import MOST, pooling, warning
from grader.analysis.recalibrate import FOLDS, folds, recalibration
from grader.analysis.recalibrate import said as lesson
from grader.analysis.references import confidences, pareto, references
from grader.analysis.scope import Detector, coarse_rows, scope
from grader.analysis.selective import POINTS, coarse_curve, selective
from grader.analysis.temperature import temperature, tempered
from grader.analysis.verdict import leaning, verdict, words
from grader.board.blunt import at_most, blunt, undivided
from grader.board.few import coarse as fewer
from grader.board.limits import ALWAYS, GUARDED
from grader.errors import Mistake
from grader.measures import find
from grader.measures.calibration import reliability
from grader.model import (
    Classes,
    Flagged,
    Judged,
    Reading,
    Recalibrated,
    Recalibration,
    Resampling,
    Subsets,
    Task,
)
from grader.resample import Resampler
from grader.store.analyses import analysis_text, read_analysis, unread
from grader.tasks import parse
from grader.tasks.update import change


def judged(correct, confidence, **more):
    sure = np.array([float(c) for c in confidence])
    return Judged(np.array(correct, dtype=bool), sure, **more)


def drawn(seed, n, bend=1.0, digits=None):
    rng = np.random.default_rng(seed)
    chance = rng.random(n)
    sure = chance**bend if digits is None else np.round(chance**bend, digits)
    return Judged(rng.random(n) < chance, sure)


RUNS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 10), st.integers(0, 2)), min_size=1, max_size=40
).map(lambda rows: [[*column] for column in zip(*rows, strict=True)])


def of_rows(rows):
    right, tenths, group = rows
    return judged(right, [t / 10 for t in tenths]), np.array(group)


# --- the ladder


def test_each_rung_is_the_measure_beside_its_floor():
    run = drawn(1, 400, 2.0, 2)
    part = Resampler(run, 500, 3)
    rungs = ladder(part)
    assert tuple(r.measure for r in rungs) == KEYS
    for rung in rungs:
        assert rung.value == find(rung.measure)(run).value
        if rung.measure != "smece":
            floor = Resampler(run, 500, 3).floor(find(rung.measure))
            assert (rung.mean, rung.q95) == (floor.mean, floor.q95)
    smooth = Resampler(run, 100, 3).floor(find("smece"))
    assert next(r for r in rungs if r.measure == "smece").q95 == smooth.q95


def test_honest_confidences_are_not_told_from_calibrated_and_bent_ones_are():
    honest = ladder(Resampler(drawn(2, 2000), 300, 1))
    assert not any(r.above for r in honest if r.measure in ("ece@1", "ece@10", "ks"))
    assert "not distinguishable from calibrated at this n; more than 0." in said(honest[2], 3)
    bent = ladder(Resampler(drawn(2, 2000, 3.0), 300, 1))
    assert all(r.above for r in bent if r.measure != "ecedistinct")


def test_errors_that_cancel_show_on_a_finer_rung_only():
    run = judged([0, 1] * 50, ["0.55", "0.45"] * 50)  # right where it says .45, wrong at .55
    by_key = {r.measure: r.value for r in ladder(Resampler(run, 100, 1))}
    assert by_key["ece@1"] == pytest.approx(0, abs=1e-15)
    assert by_key["ece@10"] == pytest.approx(0.55)


@pytest.mark.parametrize("name", ["ece_floor_mean:10", "ece_floor_q95:10"])
def test_floors_of_few_instances_are_exact(name):
    cases = json.loads(shared("oracles", "oracle.json").read_text())["cases"]
    found = [c for c in cases if name in c["expected"] and len(c["conf"]) <= 10]
    assert found
    for case in found:
        rungs = ladder(Resampler(judged(case["correct"], case["conf"]), 100, 1))
        rung = next(r for r in rungs if r.measure == "ece@10")
        value = rung.mean if "mean" in name else rung.q95
        assert value == pytest.approx(case["expected"][name], abs=1e-12), case["id"]


def test_without_resamples_a_rung_says_so():
    rung = ladder(Resampler(drawn(1, 30), 0, 1))[0]
    assert (rung.q95, rung.above) == (None, None)
    assert said(rung, 3) == "no floor: the task asks for no resamples"


# --- the verdict


def test_the_verdict_compares_the_rewards_and_says_how_surely():
    run = judged([1] * 40 + [0] * 40, ["0.9"] * 40 + ["0.8"] * 40)
    found = verdict(Resampler(run, 200, 1))
    assert (found.r_o, found.r_u) == pytest.approx((0.2, 0.9))
    assert (found.low, found.high) == pytest.approx((0.7, 0.7))
    assert words(found, 3) == "trusts its right answers more than it doubts its wrong ones"
    other = verdict(Resampler(replace(run, confidence=1 - run.confidence), 200, 1))
    assert words(other, 3) == "doubts its wrong answers more than it trusts its right ones"


def test_a_verdict_of_few_answers_has_no_interval():
    found = verdict(Resampler(judged([1, 1, 1], [1, 1, 1]), 200, 1))
    assert (found.low, found.high) == (None, None)
    assert found.reason == "3 right and 0 wrong answers; 10 of each are needed"
    assert found.note == "nothing is wrong: R_O is 1 by convention"
    assert words(found, 3) == "doubts its wrong answers as much as it trusts its right ones"


def test_no_honest_run_is_called_overconfident():
    # Confidences spread evenly over .6 to 1, as often right as they say: R_O is 4/15, R_U 49/60.
    sure = np.tile(np.linspace(0.6, 1, 401), 25)
    share = np.repeat(np.arange(25) + 0.5, 401) / 25
    run = Judged(share < sure, sure)
    found, bias = verdict(Resampler(run, 200, 1)), find("bias")
    assert (found.r_o, found.r_u) == pytest.approx((4 / 15, 49 / 60), abs=2e-3)
    assert found.low > 0.5  # surely apart, and yet neither over- nor underconfident
    part = Resampler(run, 200, 1)
    value = bias(run).value
    ends = part.interval(bias, value, None)
    assert leaning(value, ends.low, ends.high, 3) == "neither over- nor underconfident"
    doubt = replace(run, confidence=run.confidence - 0.1)
    assert leaning(-0.1, -0.11, -0.09, 3) == "underconfident"
    assert bias(doubt).value == pytest.approx(-0.1, abs=1e-3)


# --- the pooling trap


def oracle_cases():
    cases = json.loads(shared("oracles", "oracle.json").read_text())["cases"]
    return [c for c in cases if "auroc_decomposition" in c]


def test_the_decomposition_is_the_oracles():
    assert len(oracle_cases()) == 2
    for case in oracle_cases():
        expected = case["auroc_decomposition"]
        names = tuple(dict.fromkeys(case["subset"]))
        codes = np.array([names.index(s) for s in case["subset"]])
        found = pooling(judged(case["correct"], case["conf"]), "s", names, codes)
        told = {f"{c.right}|{c.wrong}": [c.pairs, Fraction(c.wins)] for c in found.crosses}
        assert told == {k: [n, Fraction(w)] for k, (n, w) in expected["pairs"].items()}
        assert found.pooled == pytest.approx(expected["pooled"], abs=1e-15)
        assert found.within.auroc == pytest.approx(expected["within"], abs=1e-15)
        assert found.across.auroc == pytest.approx(expected["cross"], abs=1e-15)
        assert found.across.pairs / found.pairs == pytest.approx(expected["cross_share"])
        assert found.trap
        assert "lies above that of every subset" in warning(found, 3)


@given(RUNS)
def test_the_weighted_sum_is_the_pooled_value_exactly(rows):
    run, group = of_rows(rows)
    if run.correct.all() or not run.correct.any():
        return
    found = pooling(run, "g", ("a", "b", "c"), group)
    total = sum((Fraction(c.wins) for c in found.crosses), Fraction(0))
    right = [Fraction(t, 10) for t, y in zip(rows[1], rows[0], strict=True) if y]
    wrong = [Fraction(t, 10) for t, y in zip(rows[1], rows[0], strict=True) if not y]
    wins = sum(((r > w) + Fraction(r == w, 2) for r in right for w in wrong), Fraction(0))
    assert total == wins == Fraction(found.within.wins) + Fraction(found.across.wins)
    assert sum(c.pairs for c in found.crosses) == found.pairs == len(right) * len(wrong)
    assert found.pooled == pytest.approx(roc_auc_score(run.correct, run.confidence), abs=1e-12)


def test_instances_outside_every_subset_still_add_up():
    run = drawn(3, 60, digits=1)
    codes = np.arange(60) % 3 - 1
    found = pooling(run, "g", ("a", "b"), codes)
    assert {c.right for c in found.crosses} == {"a", "b", "(none)"}
    assert sum(c.pairs for c in found.crosses) == found.pairs


def test_many_subsets_are_listed_by_themselves_and_still_add_up():
    run = drawn(4, 400, digits=1)
    many = MOST + 1
    found = pooling(run, "g", tuple(map(str, range(many))), np.arange(400) % many)
    assert not found.listed
    assert {(c.right, c.wrong) for c in found.crosses} == {(str(i), str(i)) for i in range(many)}
    assert found.within.wins == sum(c.wins for c in found.crosses)
    assert found.pooled == pytest.approx(roc_auc_score(run.correct, run.confidence), abs=1e-12)


# --- keeping the surest


def test_points_stand_at_thresholds_and_reaches_are_the_longest():
    run = judged([1, 1, 0, 1, 0, 0], ["0.9", "0.9", "0.8", "0.5", "0.5", "0.1"])
    found = selective(run)
    assert [(p.threshold, p.kept, p.right) for p in found.points] == [
        (0.9, 2, 2),
        (0.8, 3, 2),
        (0.5, 5, 3),
        (0.1, 6, 3),
    ]
    assert [(r.percent, r.at and r.at.kept) for r in found.reaches] == [
        (80, 2),
        (90, 2),
        (95, 2),
        (99, 2),
    ]


@given(RUNS)
def test_reaches_are_those_of_brute_force(rows):
    run, _ = of_rows(rows)
    for reach in selective(run).reaches:
        best = None
        for level in sorted(set(run.confidence.tolist()), reverse=True):
            kept = run.correct[run.confidence >= level]
            if Fraction(int(kept.sum()), len(kept)) >= Fraction(reach.percent, 100):
                best = (level, len(kept), int(kept.sum()))
        at = reach.at
        assert (at and (at.threshold, at.kept, at.right)) == best


def test_a_long_curve_is_thinned_and_ends_at_all():
    found = selective(drawn(5, 5000))
    assert len(found.points) <= POINTS
    assert found.points[-1].kept == 5000
    assert all(a.kept < b.kept for a, b in pairwise(found.points))


@given(RUNS)
def test_the_public_curve_tells_no_handful_apart(rows):
    run, _ = of_rows(rows)
    bins = [replace(b, accuracy=None) if 0 < b.n < 5 else b for b in reliability(run)]
    found = coarse_curve(selective(run), bins, 5)
    kept = [0, *(p.kept for p in found.points)]
    assert kept[-1] == len(run.correct)
    inner = [b - a for a, b in pairwise(kept)]
    assert all(step >= 5 for step in inner) or len(found.points) == 1
    ends = np.cumsum([b.n for b in reversed(bins)])
    for place in kept[1:-1]:
        assert all(place == end or abs(place - end) >= 5 for end in ends)
    for reach in found.reaches:
        assert reach.at is None or reach.at in found.points


# --- outside the task


def test_the_rejection_label_is_found_by_low_confidence():
    sought = np.array([1, 1, 0, 0, 0, 0], dtype=bool)
    reads = np.array([0.1, 0.6, 0.3, 0.9, 0.9, 0.6])
    found = scope("oos", Detector(sought, reads, "confidence"))
    # pairs (sought below the other): .1 beats all four; .6 beats two, ties one.
    assert found.auroc == (4 + 2 + 0.5) / 8
    assert (found.n, found.sought) == (6, 2)
    assert {
        r.threshold: (r.flagged, r.caught) for r in found.rows if r.threshold in (0.1, 0.6)
    } == {
        0.1: (1, 1),
        0.6: (4, 2),
    }


def test_a_probability_of_the_label_is_read_upwards():
    sought = np.array([1, 0, 0], dtype=bool)
    found = scope("oos", Detector(sought, np.array([0.9, 0.2, 0.9]), "probability"))
    assert found.auroc == 0.75
    assert found.rows[0] == Flagged(0.95, 0, 0)
    assert found.rows[1] == Flagged(0.9, 2, 1)
    assert scope("oos", Detector(sought[1:], np.array([0.2, 0.9]), "confidence")).auroc is None


def test_the_public_table_hides_a_handful_and_the_step_to_the_next_row():
    rows = [Flagged(0.1, 3, 2), Flagged(0.2, 9, 5), Flagged(0.3, 11, 6), Flagged(0.4, 14, 7)]
    assert [r.caught for r in coarse_rows(rows, 5)] == [None, 5, None, 7]


TASK = 'answers = "choice"\nlabels = ["a", "b", "oos"]\nreject = "oos"\n'
GOLD = "id,answer\n" + "".join(f"q{i},{('a', 'b', 'oos')[i % 3]}\n" for i in range(30))


def test_a_task_that_names_its_rejection_label_has_its_runs_judged_by_it():
    rows = "".join(f"q{i},a,0.{9 - i % 3 * 2}\n" for i in range(30))
    found = graded(f"id,answer,confidence\n{rows}", GOLD, TASK).analysis.scope
    assert (found.label, found.by, found.sought, found.auroc) == ("oos", "confidence", 10, 1.0)
    probabilities = "".join(
        f"q{i},{0.2 if i % 3 == 2 else 0.5},0.1,{0.7 if i % 3 == 2 else 0.4}\n" for i in range(30)
    )
    other = graded(f"id,p:a,p:b,p:oos\n{probabilities}", GOLD, TASK).analysis
    assert (other.scope.by, other.scope.auroc) == ("probability", 1.0)
    assert graded(f"id,answer,confidence\n{rows}", GOLD).analysis.scope is None


def test_a_rejection_label_is_one_of_the_labels():
    with pytest.raises(Mistake, match="reject: 'oos' is not among labels"):
        parse('title = "T"\nanswers = "choice"\nlabels = ["a"]\nreject = "oos"\n', "t")
    assert parse('title = "T"\nreject = "oos"\n', "t").reject == "oos"
    with_label, without = (Task("t", "T", reject=word) for word in ("oos", ""))
    assert change(without, with_label).rescoring == ("reject",)


# --- recalibration


@given(RUNS)
def test_pooling_adjacent_violators_is_scikit_learns(rows):
    run, _ = of_rows(rows)
    theirs = IsotonicRegression(out_of_bounds="clip", y_min=0, y_max=1)
    theirs.fit(run.confidence, run.correct.astype(float))
    at = np.linspace(0, 1, 41)
    assert np.interp(at, *isotonic(run.cells)) == pytest.approx(theirs.predict(at), abs=1e-12)


def test_pooling_at_once_and_one_by_one_agree():
    for seed in range(20):
        cells = drawn(seed, 300, digits=2).cells
        blocks = _one_by_one(cells.right[0].tolist(), cells.size[0].tolist())
        knots, fitted = isotonic(cells)
        assert cells.level[blocks] == pytest.approx(knots[::2])
        assert (np.diff(fitted[::2]) > 0).all()


def test_folds_keep_clusters_whole_and_are_even():
    cluster = np.repeat(np.arange(50), 3)
    run = replace(drawn(6, 150), cluster=cluster)
    fold, many = folds(run, 1)
    assert many == 50
    assert all(len(set(fold[cluster == c])) == 1 for c in range(50))
    assert np.bincount(fold).tolist() == [30] * FOLDS
    assert folds(run, 2)[0].tolist() != fold.tolist()


def test_no_instance_learns_from_its_own_cluster():
    cluster = np.arange(200) // 2
    run = replace(drawn(7, 200), cluster=cluster)
    fold, _ = folds(run, 1)
    mine = np.flatnonzero(fold == 0)
    other = run.correct.copy()
    other[mine] = ~other[mine]
    from grader.analysis.recalibrate import _isotonic, _with  # noqa: PLC0415

    first = _with(run, fold, _isotonic).confidence
    second = _with(replace(run, correct=other), fold, _isotonic).confidence
    assert first[mine].tolist() == second[mine].tolist()


def test_recalibration_makes_bent_confidences_honest():
    found = recalibration(drawn(8, 4000, 4.0), Resampling(0, 1))
    old = {r.measure: r.value for r in found.before}
    new = {r.measure: r.value for r in found.after[0].readings}
    assert new["ece@10"] < old["ece@10"] / 5
    assert new["brier"] < old["brier"]
    assert "With isotonic recalibration ECE falls from" in lesson(found, 3)


def test_thresholded_confidences_lose_hmr_when_made_honest():
    run = drawn(9, 4000)
    sharp = replace(run, confidence=(run.confidence > 0.5).astype(float))
    found = recalibration(sharp, Resampling(0, 1))
    assert "Honest confidences lower HMR here" in lesson(found, 3)


@pytest.mark.parametrize(
    ("hmr", "brier", "says"),
    [
        ((0.8, 0.926), (0.059, 0.061), "a better HMR alone is not a better confidence"),
        ((0.8, 0.801), (0.0591, 0.0592), "a better HMR alone is not a better confidence"),
        ((0.8, 0.8), (0.059, 0.061), "There was little to learn"),
        ((0.8, 0.7), (0.059, 0.059), "There was little to learn"),
        ((0.8, 0.9), (0.059, 0.05), "the run loses by its miscalibration"),
        ((0.8, 0.7), (0.059, 0.05), "Honest confidences lower HMR here"),
    ],
)
def test_a_lesson_never_says_that_nothing_moved_where_hmr_did(hmr, brier, says):
    before, after = (
        tuple(
            Reading(key, value)
            for key, value in (("hmr", h), ("ece@10", 0.1), ("brier", b), ("auroc", 0.9))
        )
        for h, b in zip(hmr, brier, strict=True)
    )
    made = Recalibration(5, before, (Recalibrated("isotonic", after),))
    assert says in lesson(made, 3)


def test_too_few_to_learn_from_is_said():
    found = recalibration(drawn(10, 49), Resampling(0, 1))
    assert (found.after, found.reason) == ((), "49 instances; 50 are needed")
    assert lesson(found, 3) == "Not tried: 49 instances; 50 are needed."


def sharp(seed, n, factor, k=4):
    """Class probabilities that are ``factor`` times as sharp as the classes are drawn by."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 1.5, (n, k))
    honest = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    gold = np.array([rng.choice(k, p=p) for p in honest])
    given_ = np.exp(factor * logits)
    return Classes(given_ / given_.sum(1, keepdims=True), gold)


def test_the_temperature_is_the_sharpness_that_was_put_in():
    assert temperature(sharp(1, 6000, 1.0)) == pytest.approx(1.0, abs=0.06)
    assert temperature(sharp(1, 6000, 3.0)) == pytest.approx(3.0, abs=0.18)


def test_the_temperature_is_where_the_likelihood_is_greatest():
    classes = sharp(2, 300, 2.0)

    def loss(t):
        raised = classes.probabilities ** (1 / t)
        mine = raised / raised.sum(1, keepdims=True)
        return -np.log(mine[np.arange(300), classes.gold]).mean()

    found = temperature(classes)
    assert loss(found) <= min(loss(found * 1.001), loss(found / 1.001))


def test_tempered_confidences_are_the_tempered_probabilities():
    classes = sharp(3, 50, 1.5)
    top = classes.probabilities.max(1)
    raised = classes.probabilities ** (1 / 1.7)
    assert tempered(top, classes, 1.7) == pytest.approx(raised.max(1) / raised.sum(1), abs=1e-12)


def test_a_class_that_is_not_offered_gets_no_share():
    classes = Classes(np.array([[0.8, 0.2, np.nan], [0.5, np.nan, 0.5]]), np.array([0, 2]))
    found = tempered(np.array([0.8, 0.5]), classes, 2.0)
    assert found == pytest.approx([0.8**0.5 / (0.8**0.5 + 0.2**0.5), 0.5])


def test_runs_with_class_probabilities_are_tempered_too():
    classes = sharp(4, 400, 3.0)
    top = classes.probabilities.argmax(1)
    run = Judged(top == classes.gold, classes.probabilities.max(1), classes=classes)
    found = recalibration(run, Resampling(0, 1))
    assert [a.method for a in found.after] == ["isotonic", "temperature"]
    assert found.after[1].temperature == pytest.approx(3, abs=0.6)


# --- reference rows and the front


def test_reference_rows_by_hand():
    run = judged([1, 1, 0, 1], ["0.9", "0.6", "0.8", "0.2"])
    made = confidences(run, np.arange(4), 1)
    assert made["accuracy"].tolist() == [0.75] * 4
    assert made["threshold"].tolist() == [1, 1, 1, 0]  # three are right: the three surest
    found = references(Resampler(run, 0, 1), np.arange(4), (), ())
    rows = {r.key: {x.measure: x.value for x in r.readings} for r in found}
    assert rows["one"] == pytest.approx(
        {"hmr": 0, "accuracy": 0.75, "brier": 0.25, "ece@10": 0.25}, abs=1e-15
    )
    assert rows["half"] == pytest.approx(
        {"hmr": 0.5, "accuracy": 0.75, "brier": 0.25, "ece@10": 0.25}
    )
    assert rows["accuracy"]["ece@10"] == pytest.approx(0, abs=1e-15)
    assert rows["accuracy"]["hmr"] == pytest.approx(2 * 0.25 * 0.75)
    assert rows["threshold"]["brier"] == 0.5
    assert (made["random"] >= 0).all()
    assert confidences(run, np.arange(4), 1)["random"].tolist() == made["random"].tolist()


def test_reference_rows_have_means_over_subsets():
    run = judged([1, 0, 1, 1], ["0.5"] * 4)
    cut = Subsets("g", ("a", "b"), np.array([0, 0, 1, 1]))
    rows = references(Resampler(run, 0, 1), np.arange(4), ("macro(accuracy,g)", "auroc"), (cut,))
    assert {r.measure: r.value for r in rows[0].readings}["macro(accuracy,g)"] == 0.75
    wrong = references(Resampler(judged([1, 1], [1, 1]), 0, 1), np.arange(2), ("auroc", "br"), ())
    undefined = {r.measure: r for r in wrong[0].readings}
    assert (undefined["auroc"].value, undefined["br"].value) == (None, None)
    assert undefined["auroc"].note.startswith("no wrong answers")


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12))
def test_the_front_is_what_nothing_beats(points):
    def beaten(p):
        return any(q[0] >= p[0] and q[1] >= p[1] and q != p for q in points)

    assert list(pareto(points)) == [not beaten(p) for p in points]


# --- the whole


@given(RUNS)
def test_an_analysis_is_the_same_after_the_store_and_in_any_row_order(rows):
    right, tenths, group = rows
    lines = [
        f"q{i},{'x' if y else 'z'},0.{t:02d}\n"
        for i, (y, t) in enumerate(zip(right, tenths, strict=True))
    ]
    gold = "id,answer,subset\n" + "".join(f"q{i},x,s{g}\n" for i, g in enumerate(group))
    toml = "[resampling]\nresamples = 20\n"
    found = graded("id,answer,confidence\n" + "".join(lines), gold, toml).analysis
    again = graded("id,answer,confidence\n" + "".join(lines[::-1]), gold, toml).analysis
    assert read_analysis(analysis_text(found)) == found == again
    text = analysis_text(found)
    assert "NaN" not in text
    assert "Infinity" not in text


def test_an_analysis_of_another_version_is_none():
    assert unread(None, "1") is None
    assert unread('{"version": 0, "analysis": {"ladder": []}}', "1") is None
    assert analysis_text(None) is None


@pytest.mark.parametrize(
    "gate",
    [
        lambda g: fewer(g, ALWAYS),
        lambda g: fewer(g, GUARDED),
        lambda g: at_most(fewer(at_most(fewer(g, GUARDED), 2), GUARDED), 2),
        undivided,
        lambda g: blunt(undivided(g), 1),
    ],
    ids=["always", "guarded", "again", "undivided", "blunt"],
)
def test_what_is_read_later_has_gone_through_the_same_gate(gate):
    gold = "id,answer,subset\n" + "".join(f"q{i},x,s{int(i < 9)}\n" for i in range(300))
    run = "".join(f"q{i},{'xxz'[i % 3]},0.{i % 90 + 10}7\n" for i in range(300))
    found = graded(f"id,answer,confidence\n{run}", gold, "[resampling]\nresamples = 20\n")
    later = replace(found, analysed=unread(analysis_text(found.analysis), "1"))
    assert gate(later).analysis == gate(found).analysis != found.analysis
    assert gate(gate(later)).analysis == gate(gate(found)).analysis
    brief = gate(later).brief
    assert (brief.verdict, brief.selective) == (
        gate(found).analysis.verdict,
        gate(found).analysis.selective,
    )
    assert (brief.ladder, brief.poolings, brief.references) == ((), (), ())
    read = gate(later)
    assert read.analysis is read.brief  # what is read already is not read again


def test_subsets_that_are_called_like_parts_of_an_analysis_are_none():
    names = ['"verdict":{},"poolings":', '","selective":{}', '\\","scope":null']
    cells = ['"' + name.replace('"', '""') + '"' for name in names]
    gold = "id,answer,subset\n" + "".join(f"q{i},x,{cells[i % 3]}\n" for i in range(90))
    lines = (f"q{i},{'xxz'[i % 3]},0.{i + 10}\n" for i in range(90))
    run = "id,answer,confidence\n" + "".join(lines)
    found = graded(run, gold, "[resampling]\nresamples = 20\n").analysis
    assert names[0] == found.poolings[0].crosses[0].right
    brief = read_analysis(analysis_text(found), brief=True)
    assert (brief.verdict, brief.selective) == (found.verdict, found.selective)


def test_the_public_sees_no_decomposition_of_a_small_subset():
    gold = "id,answer,subset\n" + "".join(f"q{i},x,s{int(i < 4)}\n" for i in range(30))
    run = "id,answer,confidence\n" + "".join(f"q{i},{'xz'[i % 2]},0.{i + 10}\n" for i in range(30))
    found = graded(run, gold)
    assert len(found.analysis.poolings) == 1
    assert coarse(found.analysis, found.reliability, 5).poolings == ()
    assert len(coarse(found.analysis, found.reliability, 4).poolings) == 1


# --- real runs


@pytest.mark.parametrize("run", ["tfidf-lr", "tfidf-lr-sharp", "tfidf-nb"])
def test_real_runs_know_what_lies_outside_and_one_is_in_the_pooling_trap(run):
    folder = shared("data", "clinc150")
    gold = (folder / "gold.tsv").read_bytes()
    payload = (folder / "runs" / f"{run}.csv").read_bytes()
    toml = 'primary = "hmr"\nreject = "oos"\n[gold]\nanswer = "label"\nsubsets = ["subset"]\n'
    found = graded(payload, gold, f"{toml}[resampling]\nresamples = 50\n", ("auroc",))
    label = {row.split("\t")[0]: row.split("\t")[1] for row in gold.decode().splitlines()}
    rows = [row.split(",") for row in payload.decode().splitlines()[1:]]
    outside = [label[ident] == "oos" for ident, *_ in rows]
    sure = [float(row[-1]) for row in rows]
    scope_ = found.analysis.scope
    assert scope_.auroc == pytest.approx(roc_auc_score(outside, [-c for c in sure]), abs=1e-12)
    half = next(r for r in scope_.rows if r.threshold == 0.5)
    assert half.flagged == sum(c <= 0.5 for c in sure)
    assert half.caught == sum(c <= 0.5 and o for c, o in zip(sure, outside, strict=True))
    split = found.analysis.poolings[0]
    right = [row[1] == label[row[0]] for row in rows]
    assert split.pooled == pytest.approx(roc_auc_score(right, sure), abs=1e-12)
    assert split.trap == (run == "tfidf-nb")


def test_a_line_without_class_probabilities_keeps_its_confidence():
    """Tempering speaks of classes: a refusal that offers none is left as it was said."""
    classes = Classes(np.array([[np.nan, np.nan], [0.8, 0.2]]), np.array([0, 0]))
    found = tempered(np.array([1.0, 0.8]), classes, 2.0)
    assert found[0] == 1.0
    assert found[1] == pytest.approx(0.8**0.5 / (0.8**0.5 + 0.2**0.5), abs=1e-12)
