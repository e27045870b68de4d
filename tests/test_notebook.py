"""The Python API: arrays in, scores and tables out."""

import math
import subprocess
import sys

import numpy as np
import pytest

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


@pytest.mark.parametrize(
    ("right", "sure", "more", "said"),
    [
        ([1, 0], [0.5], {}, "shape"),
        ([[1]], [[0.5]], {}, "shape"),
        ([1, 2], [0.5, 0.5], {}, "0 and 1"),
        ([1, 0], [0.5, 1.5], {}, "outside"),
        ([1, 0], [0.5, math.nan], {}, "outside"),
        ([1, 0], [0.5, 0.5], {"cluster": [1]}, "cluster"),
        ([1, 0], [0.5, 0.5], {"subsets": {"kind": ["x"]}}, "'kind' has 1 values"),
        ([1, 0], [0.5, 0.5], {"measures": ["hmrr"]}, "did you mean 'hmr'"),
    ],
)
def test_what_cannot_be_scored_is_said(right, sure, more, said):
    with pytest.raises(ValueError, match=said):
        grader.score(right, sure, **more)


def test_importing_the_package_imports_neither_numpy_nor_pandas():
    code = "import sys, grader; print([m for m in ('numpy', 'pandas') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="nothing"):
        grader.nothing  # noqa: B018
