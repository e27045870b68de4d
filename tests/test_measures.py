"""Laws that every measure obeys: a new measure is tested by existing."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss, roc_auc_score

from grader.measures import MEASURES, UnknownMeasure, find
from grader.model import Bounds, Classes, Judged, Undefined, once

ARGUMENTS = {
    "count": ("1", "3", "10", "97"),
    "weight": ("0", "0.5", "2", "inf"),
    "percent": ("0.1", "50", "80", "100"),
}
NEAR = 1e-12


def bound(family):
    """A family without parameter as it is; else with some parameters bound."""
    wanted = MEASURES[family].parameter
    if wanted is None:
        return [family]
    return [family] * (not wanted.required) + [f"{family}@{a}" for a in ARGUMENTS[wanted.kind]]


KEYS = [key for family in MEASURES for key in bound(family)]
confidences = st.one_of(
    st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0]),
    st.floats(0, 1),
    st.sampled_from([5e-324, 1e-200, 1e-16, 1 - 2**-53]),
)
rows = st.lists(st.tuples(st.booleans(), confidences), min_size=1, max_size=30)
every = pytest.mark.parametrize("key", KEYS)


def judged(pairs):
    right, sure = zip(*pairs, strict=True) if pairs else ((), ())
    return Judged(np.array(right, dtype=np.bool_), np.array(sure, dtype=np.float64))


def found(key, pairs):
    """What a measure finds; None where it is undefined, for which it must have a reason."""
    try:
        return find(key)(judged(pairs))
    except Undefined as why:
        return None if str(why) else pytest.fail(f"{key} is undefined and does not say why")


def value(key, pairs):
    it = found(key, pairs)
    return None if it is None else it.value


@every
@given(pairs=rows)
def test_a_value_is_finite_and_within_its_bounds(key, pairs):
    low, high = find(key).bounds
    it = value(key, pairs)
    assert it is None or low - NEAR <= it <= high + NEAR


@every
@given(pairs=rows, random=st.randoms(use_true_random=False))
def test_order_does_not_matter_unless_the_note_says_that_it_did(key, pairs, random):
    here, there = found(key, pairs), found(key, random.sample(pairs, len(pairs)))
    assert (here is None) == (there is None)
    if here is None:
        return
    assert here.note == there.note
    if "gold order" in here.note:
        assert key.partition("@")[0] in ("eceorder", "mceorder")
    else:
        assert here.value == pytest.approx(there.value, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("key", ["eceorder@2", "mceorder@2"])
def test_gold_order_decides_where_a_boundary_cuts_a_tie_and_it_is_noted(key):
    mixed = [(True, 0.5), (False, 0.5), (True, 0.5), (False, 0.5)]
    sorted_ = [(True, 0.5), (True, 0.5), (False, 0.5), (False, 0.5)]
    assert [value(key, mixed), value(key, sorted_)] == [0, 0.5]
    assert "gold order" in found(key, mixed).note
    assert found(key, [(True, 0.5), (False, 0.25)]).note == ""
    assert found(key, [(True, 0.5)]).note == "fewer instances than bins"


# Those that follow the ranking one instance at a time see how many there are.
STEPS = ("order", "aurc", "augrc", "selacc")


@pytest.mark.parametrize("key", [k for k in KEYS if not any(s in k for s in STEPS)])
@given(pairs=rows, times=st.integers(2, 3))
def test_a_copy_of_every_instance_changes_nothing(key, pairs, times):
    here, there = found(key, pairs), found(key, [p for p in pairs for _ in range(times)])
    if here is not None:
        assert there.value == pytest.approx(here.value, rel=1e-9, abs=1e-12)


@every
def test_without_instances_it_is_undefined_and_says_why(key):
    with pytest.raises(Undefined, match="no instances"):
        find(key)(judged([]))


@every
def test_it_leaves_its_input_alone_and_answers_the_same_twice(key):
    given_ = judged([(True, 0.9), (False, 0.4), (True, 0.4)])
    classes = Classes(np.array([[0.9, 0.1], [0.4, 0.6], [0.4, np.nan]]), np.array([0, 1, -1]))
    bounds = Bounds(np.zeros(3), np.ones(3), np.array([0.5, 2.0, 0.0]))
    given_ = replace(given_, classes=classes, bounds=bounds)
    for part in (given_, classes, bounds):
        for array in vars(part).values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
    assert find(key)(given_) == find(key)(given_)


@pytest.mark.parametrize("family", MEASURES)
def test_it_documents_itself(family):
    measure = MEASURES[family]
    assert measure.key == family
    assert re.fullmatch(r"[a-z][a-z_]*", family)
    assert measure.title
    assert re.fullmatch(r"[A-Z0-9].*\.", measure.about), "a sentence for readers"
    text = measure.fn.__doc__
    assert re.search(r"[Uu]ndefined", text), "when it is undefined"
    assert re.search(r"in \[-?\d, \d\]|from 0 to", text), "its range"


@every
def test_a_key_names_its_measure_and_finds_it_again(key):
    measure = find(key)
    assert measure.key == key
    assert find(measure.key) is measure
    assert find(f" {key} ").key == key
    family, at, argument = key.partition("@")
    assert list(measure.params.values()) == ([float(argument)] if at else [])
    if at:
        assert measure.title == f"{MEASURES[family].title} @{argument}"


@pytest.mark.parametrize(
    ("written", "key", "bound_to"),
    [
        ("hmr@0.1", "hmr@0.1", 0.1),
        ("hmr@2.0", "hmr@2", 2.0),
        ("hmr@0.50", "hmr@0.5", 0.5),
        ("hmr@0.000001", "hmr@0.000001", 1e-6),
        ("hmr@100000", "hmr@100000", 1e5),
        ("hmr@00", "hmr@0", 0.0),
    ],
)
def test_one_weight_has_one_spelling(written, key, bound_to):
    measure = find(written)
    assert (measure.key, measure.params) == (key, {"beta": bound_to})
    assert find(measure.key).key == key


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("ece", "'ece' needs a number of bins: did you mean 'ece@10'?"),
        ("ece@", "'ece@' needs a number of bins: did you mean 'ece@10'?"),
        ("ece@0", "'ece@0' needs a number of bins: did you mean 'ece@10'?"),
        ("ece@1.5", "'ece@1.5' needs a number of bins: did you mean 'ece@10'?"),
        ("ece@１", "'ece@１' needs a number of bins: did you mean 'ece@10'?"),
        ("ece@-1", "'ece@-1' needs a number of bins: did you mean 'ece@10'?"),
        ("hmr@", "'hmr@' needs a weight beta: did you mean 'hmr@2'?"),
        ("hmr@-1", "'hmr@-1' needs a weight beta: did you mean 'hmr@2'?"),
        ("hmr@nan", "'hmr@nan' needs a weight beta: did you mean 'hmr@2'?"),
        ("brier@2", "'brier@2': brier takes no parameter: did you mean 'brier'?"),
        ("breir", "there is no measure 'breir': did you mean 'brier'?"),
        ("ECE@10", "there is no measure 'ECE@10': did you mean 'ece@10'?"),
        ("HMR", "there is no measure 'HMR': did you mean 'hmr'?"),
        ("", f"there is no measure ''; there are {', '.join(MEASURES)}"),
        ("macro(zzz,exam)", f"there is no measure 'zzz'; there are {', '.join(MEASURES)}"),
        ("macro(ece,exam)", "'ece' needs a number of bins: did you mean 'ece@10'?"),
    ],
)
def test_a_key_that_names_nothing_says_what_was_meant(key, said):
    with pytest.raises(UnknownMeasure) as caught:
        find(key)
    assert str(caught.value) == said


def test_a_macro_is_the_measure_over_a_dimension():
    measure = find("macro( ece@10 , exam )")
    assert (measure.key, measure.dimension, measure.params) == (
        "macro(ece@10,exam)",
        "exam",
        {"bins": 10},
    )
    assert measure.title == "ECE @10, mean over exam"
    assert measure.better == find("ece@10").better


# The three axioms: nothing that makes a run's confidences worse may make its score better.
shifts = st.lists(st.floats(0, 1), min_size=30, max_size=30)
KEEPING = ("hmr", "acchmr", "r_o", "r_u", "brier", "nll")


def worse(pairs, by, *, right, wrong):
    """Right instances trusted less, wrong ones trusted more."""
    return [
        (y, c * (1 - b) if y and right else c + (1 - c) * b if not y and wrong else c)
        for (y, c), b in zip(pairs, by, strict=False)
    ]


@pytest.mark.parametrize("key", [k for k in KEYS if k.partition("@")[0] in KEEPING])
@pytest.mark.parametrize(("right", "wrong"), [(True, False), (False, True), (True, True)])
@settings(max_examples=50)
@given(pairs=rows, by=shifts)
def test_a_worse_confidence_never_scores_better(key, right, wrong, pairs, by):
    before, after = value(key, pairs), value(key, worse(pairs, by, right=right, wrong=wrong))
    if find(key).better == "higher":
        assert after <= before + NEAR
    else:
        assert after >= before - NEAR


@given(pairs=rows)
def test_hmr_lies_between_its_rewards_and_its_ends_are_they(pairs):
    over, under = value("r_o", pairs), value("r_u", pairs)
    for key in bound("hmr"):
        assert min(over, under) - NEAR <= value(key, pairs) <= max(over, under) + NEAR
    assert (value("hmr@0", pairs), value("hmr@inf", pairs)) == (over, under)
    assert value("hmr@1", pairs) == value("hmr", pairs)
    assert value("acchmr", pairs) == value("accuracy", pairs) * value("hmr", pairs)


@pytest.mark.parametrize(
    ("pairs", "note", "rewards"),
    [
        ([(True, 0.25)], "nothing is wrong: R_O is 1 by convention", (1, 0.25)),
        ([(False, 0.25)], "nothing is right: R_U is 1 by convention", (0.75, 1)),
    ],
)
def test_an_empty_side_is_1_by_convention_and_noted(pairs, note, rewards):
    assert (value("r_o", pairs), value("r_u", pairs)) == rewards
    for key in ("hmr", "hmr@2", "acchmr"):
        assert found(key, pairs).note == note
    assert found("hmr@0", pairs).note == found("r_o", pairs).note


def test_a_run_that_is_wrong_everywhere_without_confidence_has_a_perfect_hmr():
    """Why HMR never stands alone."""
    nothing = [(False, 0.0)] * 3
    assert (value("hmr", nothing), value("acchmr", nothing)) == (1, 0)


@given(pairs=rows)
def test_ece_is_no_larger_than_mce_nor_smaller_than_the_bias(pairs):
    for bins in ARGUMENTS["count"]:
        assert value(f"ece@{bins}", pairs) <= value(f"mce@{bins}", pairs) + NEAR
        assert value(f"ece@{bins}", pairs) >= abs(value("bias", pairs)) - NEAR
    assert value("ece@1", pairs) == pytest.approx(abs(value("bias", pairs)), abs=NEAR)
    assert value("ks", pairs) >= abs(value("bias", pairs)) - NEAR


@pytest.mark.parametrize("bins", [3, 7, 10, 15, 49, 100, 1000])
def test_a_confidence_on_an_edge_falls_into_the_bin_below(bins):
    """Each edge m/M and its upper neighbour are in different bins; 0 joins the first."""
    for m in range(1, bins):
        edge = m / bins
        pairs = [(True, edge), (False, float(np.nextafter(edge, 2)))]
        assert found(f"ece@{bins}", pairs).details == {"bins used": 2}
    assert found(f"ece@{bins}", [(True, 0.0), (True, 1 / bins)]).details == {"bins used": 1}


def test_every_instance_is_in_a_bin():
    assert value("ece@10", [(True, 0.0), (True, 0.0), (True, 1.0), (True, 1.0)]) == 0.5


def test_the_largest_gap_comes_with_the_size_of_its_bin():
    pairs = [(True, 0.95), (True, 0.95), (False, 0.35), (False, 0.45), (False, 0.45)]
    assert value("mce@10", pairs) == pytest.approx(0.45, abs=NEAR)
    assert found("mce@10", pairs).details == {"n of the bin": 2}


def test_nll_counts_what_it_clips_in_the_details_and_notes_it_without_a_number():
    pairs = [(False, 1.0), (True, 1.0), (True, 0.5), (True, 2**-52)]
    it = found("nll", pairs)
    assert it.details == {"clipped": 2}
    assert it.note == "some probabilities were clipped to [2^-52, 1-2^-52]"
    assert it.value == pytest.approx((52 + 0 + 1 + 52) / 4 * math.log(2), abs=1e-10)
    assert found("nll", [(True, 0.5)]).note == ""


@pytest.mark.parametrize("right", [True, False])
def test_auroc_is_undefined_on_one_side_and_says_which(right):
    why = "no wrong answers" if right else "no right answers"
    with pytest.raises(Undefined, match=why):
        find("auroc")(judged([(right, 0.9), (right, 0.1)]))


@settings(max_examples=50)
@given(pairs=rows)
def test_agrees_with_scikit_learn_where_both_define_a_measure_alike(pairs):
    right, sure = (list(x) for x in zip(*pairs, strict=True))
    assume(0 < sum(right) < len(right))
    theirs = {
        "accuracy": accuracy_score(right, [True] * len(right)),
        "brier": brier_score_loss(right, sure),
        "auroc": roc_auc_score(right, sure),
        "nll": log_loss(right, sure),
    }
    ours = {key: value(key, pairs) for key in theirs}
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-10)


def test_what_two_ask_of_a_run_is_found_once():
    asked = []

    @once
    def found(run, bins, *, times=1):
        asked.append((run.confidence[0], bins, times))
        return bins * times

    one, two = judged([(True, 0.1)]), judged([(True, 0.2)])
    values = found(one, 1), found(one, 1), found(one, 2), found(one, 2, times=3), found(two, 1)
    assert values == (1, 1, 2, 6, 1)
    assert asked == [(0.1, 1, 1), (0.1, 2, 1), (0.1, 2, 3), (0.2, 1, 1)]
