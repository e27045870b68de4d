"""What people hand over in a notebook: what works, and a plain ValueError for the rest."""

import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

import grader
from grader.model import Resampling

HALF = [0.5, 0.5]
FEW = Resampling(0, 1)


def hmr(correct, confidence, **more):
    found = grader.score(correct, confidence, measures=["hmr"], resampling=FEW, **more)
    return {s.subset: s.value for s in found}


WANTED = {"all": pytest.approx(2 * 0.6 * 0.8 / 1.4, abs=1e-12)}  # R_O = 1 − 0.4, R_U = 0.8


@pytest.mark.parametrize(
    "correct",
    [
        [True, False],
        [1, 0],
        [1.0, 0.0],
        np.array([True, False], dtype=object),
        np.array([np.True_, 0], dtype=object),
        np.array([1, 0], dtype=np.uint8),
        pd.Series([True, False], dtype="boolean"),
        pd.Series([1, 0], index=["a", "b"], dtype="Int64"),
        (True, False),
    ],
    ids=repr,
)
def test_what_is_right_may_be_written_in_many_ways(correct):
    assert hmr(correct, [0.8, 0.4]) == WANTED


@pytest.mark.parametrize(
    "confidence",
    [
        np.array([0.8, 0.4], dtype=object),
        [Decimal("0.8"), Decimal("0.4")],
        pd.Series([0.8, 0.4], dtype="Float64"),
        np.array([0.8, 9, 0.4])[::2],
    ],
    ids=repr,
)
def test_confidences_may_be_written_in_many_ways(confidence):
    assert hmr([1, 0], confidence) == WANTED


def test_noise_beyond_an_end_counts_as_the_end():
    found = grader.score([1, 0], [1 + 1e-12, -1e-12], measures=["brier", "nll"], resampling=FEW)
    assert found[0].value == 0.0
    with pytest.raises(ValueError, match=r"is 1\.00000001 at place 0"):
        grader.score([1, 0], [1 + 1e-8, 0.5])


def test_rows_are_taken_as_they_stand_and_never_joined():
    right, sure = pd.Series([1, 0], index=[7, 8]), pd.Series([0.8, 0.4], index=[7, 8])
    assert hmr(right, sure) == WANTED
    assert hmr(right, sure.to_numpy()) == WANTED
    with pytest.raises(ValueError, match="correct and confidence have different indexes"):
        grader.score(right, sure[::-1])
    with pytest.raises(ValueError, match="correct and cluster have different indexes"):
        grader.score(right, sure, cluster=pd.Series([1, 2]))
    with pytest.raises(ValueError, match="correct and 'kind' have different indexes"):
        grader.score(right, sure, subsets={"kind": pd.Series(["x", "y"])})


def test_subsets_may_be_a_frame_and_have_gaps():
    kinds = pd.DataFrame({"kind": ["x", None, pd.NA, math.nan], "half": [1, 1, 2, 2]})
    found = grader.score([1, 0, 0, 0], [0.8, 0.4, 0.4, 0.4], subsets=kinds, measures=["accuracy"])
    assert {s.subset: (s.n, s.value) for s in found} == {
        "all": (4, 0.25),
        "kind=x": (1, 1.0),
        "half=1": (2, 0.5),
        "half=2": (2, 0.0),
    }


def test_no_instances_are_undefined_and_have_no_analysis():
    (found,) = grader.score([], [], measures=["hmr"])
    assert (found.value, found.n, found.note) == (None, 0, "no instances")
    with pytest.raises(ValueError, match="no instances"):
        grader.analyse([], [])


TABLE = [[0.5, 0.5], [1.0, math.nan]]


@pytest.mark.parametrize(
    ("right", "sure", "more", "said"),
    [
        ([1, 0], [0.5], {}, "correct has 2 values for 1 instances"),
        ([[1, 0]], HALF, {}, r"correct has shape \(1, 2\): give \(n,\)"),
        ([1, 0], [[0.5], [0.5]], {}, r"confidence has shape \(2, 1\)"),
        (pd.DataFrame({"a": [1, 0]}), HALF, {}, r"correct has shape \(2, 1\)"),
        ([1, 0], [[0.5], [0.5, 0.5]], {}, "confidence is ragged"),
        (1, 0.5, {}, "shape"),
        (None, None, {}, "shape"),
        ((y for y in (1, 0)), HALF, {}, "shape"),
        ([1, 2], HALF, {}, "correct holds more than 0 and 1"),
        ([1, None], HALF, {}, "missing value"),
        ([1, math.nan], HALF, {}, "missing value"),
        (pd.Series([True, pd.NA], dtype="boolean"), HALF, {}, "missing value"),
        (["yes", "no"], HALF, {}, "correct holds what is no number"),
        (["1", "0"], HALF, {}, "correct holds what is no number"),
        ([1, 0], ["0.5", "0.5"], {}, "confidence holds what is no number"),
        ([1, 0], [0.5, "0.5"], {}, "confidence holds what is no number"),
        ([1, 0], [0.5, 0.5j], {}, "confidence holds what is no number"),
        ([1, 0], [0.5, {}], {}, "confidence holds what is no number"),
        ([1, 0], [0.5, 10**400], {}, "confidence holds what is no number"),
        ([1, 0], [0.5, None], {}, "confidence has no value at place 1, counted from 0: give"),
        ([1, 0], [0.5, math.inf], {}, "confidence is inf at place 1"),
        ([1, 0], pd.Series([0.5, pd.NA], dtype="Float64"), {}, "no value at place 1"),
        (
            [1, 0],
            [80, 40],
            {},
            r"is 80.0 at place 0.*\(2 such in all\).*percentages, divide by 100",
        ),
        ([1, 0], [0.6, 0.5], {"classes": (TABLE, [1, 1])}, "contradict .* place 0.* right at 0.6"),
        ([1, 1], HALF, {"classes": (TABLE, [0, 1])}, "contradict .* place 1.* probability 0$"),
        ([1, 0], HALF, {"cluster": [1]}, "cluster has 1 values for 2 instances"),
        ([1, 0], HALF, {"cluster": [1, math.nan]}, "cluster has no value at place 1"),
        ([1, 0], HALF, {"cluster": [None, "a"]}, "cluster has no value at place 0"),
        ([1, 0], HALF, {"cluster": 3}, "cluster is no list"),
        ([1, 0], HALF, {"cluster": np.array([[1], [2]])}, "cluster has another shape"),
        ([1, 0], HALF, {"subsets": {"kind": np.array([["x"], ["y"]])}}, "'kind' has another sh"),
        ([1, 0], HALF, {"subsets": {"kind": 3}}, "'kind' is no list"),
        ([1, 0], HALF, {"subsets": ["x", "y"]}, "subsets is no mapping"),
        ([1, 0], HALF, {"measures": []}, "at least one key"),
        ([1, 0], HALF, {"measures": "hmr"}, "a list of keys"),
        ([1, 0], HALF, {"measures": [None]}, "a list of keys"),
        ([1, 0], HALF, {"resampling": Resampling(-1, 1)}, "resamples are from 0"),
        ([1, 0], HALF, {"resampling": Resampling(10, -1)}, "the seed from 0"),
        ([1, 0], HALF, {"classes": (TABLE, [0])}, "the gold class has 1 values for 2"),
        ([1, 0], HALF, {"classes": (TABLE, [0, 2])}, "no column of probabilities"),
        ([1, 0], HALF, {"classes": ([0.5, 0.5], [0, 1])}, r"give \(n, classes\)"),
        ([1, 0], HALF, {"classes": ([[0.5, 0.4], [1, 0]], [0, 1])}, "does not add up to 1"),
        ([1, 0], HALF, {"classes": ([[1.5, -0.5], [1, 0]], [0, 1])}, r"is 1.5 at place \(0, 0\)"),
    ],
)
def test_what_cannot_be_scored_is_said(right, sure, more, said):
    with pytest.raises(ValueError, match=said):
        grader.score(right, sure, **more)


@pytest.mark.parametrize(
    ("low", "high", "gold", "level", "said"),
    [
        ([2], [1], [1], 0.9, "lower is above upper"),
        ([math.nan], [1], [1], 0.9, "missing"),
        ([math.inf], [math.inf], [1], 0.9, "wrong side"),
        (
            [0, 0],
            [1, 1],
            [1, math.inf],
            0.9,
            "gold is inf at place 1, counted from 0: give finite",
        ),
        ([0, 0], [1], [1], 0.9, "lower has 2 values for 1"),
        ([0], [1], [1], 1.0, "level is 1.0"),
        ([0], [1], ["1"], 0.9, "gold holds what is no number"),
    ],
)
def test_what_is_no_interval_is_said(low, high, gold, level, said):
    with pytest.raises(ValueError, match=said):
        grader.score_intervals(low, high, gold, level=level)


def test_an_instance_without_a_gold_number_counts_in_no_score():
    """Of the two that are left one is covered; widths 1 and 3."""
    ends = ([0, 0, 5], [1, 9, 8], [1, math.nan, 9])
    kinds = {"kind": ["x", "y", "x"]}
    found = grader.score_intervals(*ends, subsets=kinds, measures=["coverage", "width"])
    assert [(s.subset, s.n, s.value) for s in found] == [
        ("all", 2, 0.5),
        ("kind=x", 2, 0.5),
        ("kind=y", 0, None),
        ("all", 2, 2.0),
        ("kind=x", 2, 2.0),
        ("kind=y", 0, None),
    ]


def test_a_refusal_may_have_a_confidence_that_no_class_has():
    found = grader.score([1, 0], [0.5, 0.6], classes=(TABLE, [1, 0]), measures=["br"])
    assert found[0].value == pytest.approx(0.25)  # (1/4 + 1/4 + 0) / 2


def test_what_is_there_is_listed_and_each_table_says_what_it_is_made_of():
    assert set(grader.__all__) <= set(dir(grader))
    scores, analysis = grader.score([1, 0], HALF), grader.analyse([1, 0], HALF)
    for make in (grader.frame, grader.intervals):
        with pytest.raises(TypeError, match=r"takes what grader\.score gives"):
            make(analysis)
    for wrong in (scores, None):
        with pytest.raises(TypeError, match=r"takes what grader\.analyse gives"):
            grader.frames(wrong)
