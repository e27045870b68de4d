"""The Python API: arrays in, scores and tables out."""

import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from grading import GOLD, RUN, graded

import grader

RIGHT = [1, 1, 0, 1, 0, 0]
SURE = [0.9, 0.8, 0.7, 0.6, 0.4, 0.1]


def test_scores_overall_and_in_subsets():
    found = grader.score(RIGHT, SURE, subsets={"kind": ["x", "x", "y", "y", None, "y"]})
    by = {(s.measure, s.subset): s for s in found}
    assert by["accuracy", "all"].value == 0.5
    assert by["r_u", "all"].value == pytest.approx((0.9 + 0.8 + 0.6) / 3, abs=1e-12)
    assert (by["accuracy", "kind=x"].value, by["accuracy", "kind=x"].n) == (1.0, 2)
    assert by["accuracy", "kind=y"].value == pytest.approx(1 / 3)
    assert by["auroc", "kind=x"].value is None
    assert "no wrong answers" in by["auroc", "kind=x"].note


def test_frames_hold_the_scores():
    found = grader.score(RIGHT, SURE, subsets={"kind": list("xxyyyy")}, measures=["hmr", "auroc"])
    table = grader.frame(found)
    assert list(table.index) == ["all", "kind=x", "kind=y"]
    assert table.loc["kind=y", "n"] == 4
    assert math.isnan(table.loc["kind=x", "auroc"])
    long = grader.intervals(found)
    assert len(long) == 6
    assert long.loc[0, "value"] == table.loc["all", "hmr"]


def test_clusters_widen_an_interval():
    rng = np.random.default_rng(3)
    half = rng.random(100) < 0.6
    right, sure = np.repeat(half, 4), np.repeat(rng.random(100), 4)
    alone, together = (
        grader.score(right, sure, measures=["accuracy"], cluster=c)[0]
        for c in (None, np.repeat(np.arange(100), 4))
    )
    assert alone.value == together.value
    assert (together.high - together.low) > 1.5 * (alone.high - alone.low)


def test_intervals_are_scored():
    """Widths 4, 2 and ∞; the second misses 3 by 1, at 2/(1 − 0.8) a unit."""
    low, high, gold = [0, 0, -math.inf], [4, 2, math.inf], [3, 3, 3]
    found = {s.measure: s for s in grader.score_intervals(low, high, gold, level=0.8)}
    assert found["coverage"].value == pytest.approx(2 / 3)
    assert found["covgap"].value == pytest.approx(0.8 - 2 / 3)
    assert (found["width"].value, found["width"].note[:9]) == (None, "infinite:")
    finite = grader.score_intervals(
        *(low[:2], high[:2], gold[:2]),
        level=0.8,
        subsets={"kind": ["x", "y"]},
        measures=["iscore"],
    )
    assert {s.subset: s.value for s in finite} == pytest.approx(
        {"all": 8.0, "kind=x": 4.0, "kind=y": 12.0}, abs=1e-12
    )


def test_class_probabilities_are_scored():
    """Brier over classes: 0.04 + 0.04 and 0.25 + 0.25; without them it is undefined."""
    table, of = [[0.8, 0.2], [0.5, 0.5]], [0, 1]
    found, none = (
        grader.score([1, 0], [0.8, 0.5], measures=["br"], **more)[0]
        for more in ({"classes": (table, of)}, {})
    )
    assert found.value == pytest.approx((0.08 + 0.5) / 2, abs=1e-12)
    assert none.value is None


def test_an_analysis_is_that_of_the_same_run_in_a_file():
    """Through bytes, ids and answers, and through arrays: the same nouns, to the last digit."""
    rng = np.random.default_rng(4)
    n = 120
    sure, kind = rng.integers(1, 100, n) / 100, rng.choice(["x", "y"], n)
    right, far = rng.random(n) < sure, rng.random(n) < 0.1
    told = np.where(far, "out", "a")
    answers = np.where(right, told, "z")
    ids = [f"{i:03}" for i in range(n)]
    gold = GOLD + "".join(map("{},{},{}\n".format, ids, told, kind))
    run = RUN + "".join(map("{},{},{}\n".format, ids, answers, sure))
    filed = graded(run, gold, 'reject = "out"', ("auroc", "macro(hmr,subset)"))
    found = grader.analyse(
        right, sure, subsets={"subset": kind}, outside=far, measures=["auroc", "macro(hmr,subset)"]
    )
    assert replace(found.scope, label="out") == filed.analysis.scope
    assert found.poolings == filed.analysis.poolings
    assert found.ladder == filed.analysis.ladder
    assert found.verdict == filed.analysis.verdict
    assert found.selective == filed.analysis.selective
    assert found.recalibration == filed.analysis.recalibration
    rows = [
        {(r.key, x.measure): x for r in analysis.references for x in r.readings}
        for analysis in (found, filed.analysis)
    ]
    assert len(rows[0]) == 5 * 6
    assert rows[0] == rows[1]


def test_an_analysis_as_tables():
    tables = grader.frames(grader.analyse(RIGHT, SURE, subsets={"kind": list("xxyyyy")}))
    ladder = tables["ladder"].set_index("measure")
    assert ladder.loc["ece@1", "value"] == pytest.approx(abs(sum(SURE) - 3) / 6)
    assert tables["pooling"]["pairs"].sum() == 2 * 9  # all pairs, and their two sums
    assert tables["curve"]["accuracy"].tolist()[:2] == [1.0, 1.0]
    assert tables["references"].set_index("confidences").loc["every confidence ½", "hmr"] == 0.5
    assert "scope" not in tables


def test_importing_the_package_imports_neither_numpy_nor_pandas():
    code = "import sys, grader; print([m for m in ('numpy', 'pandas') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="nothing"):
        grader.nothing  # noqa: B018
