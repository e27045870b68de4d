"""Exact values, computed elsewhere in rational arithmetic, that the measures must reproduce."""

import json
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from grading import GOLD, RUN, places, refused, values
from shared_data import shared

from grader.measures import MEASURES, find
from grader.model import Judged, Undefined
from grader.resample import Resampler

RATIONAL, LOGARITHM, SMOOTH = 1e-12, 1e-10, 2e-6
OURS = {  # what the oracle calls our families
    "accuracy": "accuracy",
    "mean_conf": "confidence",
    "R_O": "r_o",
    "R_U": "r_u",
    "hmr": "hmr",
    "hmr_beta": "hmr",
    "ece_width": "ece",
    "mce_width": "mce",
    "ece_mass_order": "eceorder",
    "mce_mass_order": "mceorder",
    "ks": "ks",
    "brier": "brier",
    "nll_clip_2^-52": "nll",
    "auroc": "auroc",
    "aurc": "aurc",
    "e_aurc": "eaurc",
    "augrc": "augrc",
    "sel_acc": "selacc",
    "smece": "smece",
    "ece_distinct": "ecedistinct",
    "ece_mass_avg": "ecemass",
}
# The oracle's other values: measures that are not here, or are by design computed otherwise.
ELSEWHERE = {
    *("n", "mce_distinct", "nll_unclipped", "ece_floor_mean", "ece_floor_q95"),
    *("ks_literal_order", "ks_literal_max_over_tie_orders"),
}


def key_of(theirs):
    name, _, argument = theirs.partition(":")
    if not argument:
        return OURS[name]
    times = 100 if name == "sel_acc" else 1
    weight = argument if argument == "inf" else f"{float(Fraction(argument) * times):g}"
    return f"{OURS[name]}@{weight}"


def value(key, conf, correct):
    judged = Judged(np.array(correct, dtype=np.bool_), np.array(conf, dtype=np.float64))
    try:
        return find(key)(judged).value
    except Undefined:
        return None


def same(key, found, expected):
    if expected is None or found is None:
        return found is expected
    off = {"nll": LOGARITHM, "smece": SMOOTH}.get(key, RATIONAL)
    return math.isclose(found, expected, rel_tol=0, abs_tol=off)


@pytest.fixture(scope="module")
def oracle():
    return json.loads(shared("oracles", "oracle.json").read_text(encoding="utf-8"))


def blocks(oracle):
    """Every case, and every subset of a case, with its confidences and outcomes."""
    for case in oracle["cases"]:
        yield case["id"], case["conf"], case["correct"], case
        for part, block in case.get("per_subset", {}).items():
            inside = [i for i, s in enumerate(case["subset"]) if s == part]
            conf, right = ([case[k][i] for i in inside] for k in ("conf", "correct"))
            yield f"{case['id']}/{part}", conf, right, {"expected": block}


def test_every_value_of_the_oracle_comes_out(oracle):
    compared: Counter[str] = Counter()
    wrong = []
    for name, conf, right, case in blocks(oracle):
        for theirs, expected in case["expected"].items():
            if theirs.partition(":")[0] in ELSEWHERE:
                continue
            key = key_of(theirs)
            found = value(key, conf, right)
            compared[key.partition("@")[0]] += 1
            if not same(key, found, expected):
                wrong.append((name, key, found, expected))
    assert not wrong
    # Nothing is passed over: 27 cases and 4 subsets, each with everything that is listed here.
    assert len(oracle["cases"]) == 27
    each = {"ece": 7, "mce": 7, "hmr": 5, "eceorder": 4, "mceorder": 4, "ecemass": 4, "selacc": 6}
    assert compared == {family: 31 * each.get(family, 1) for family in set(OURS.values())}


def test_the_oracle_s_fractions_are_its_values(oracle):
    compared = 0
    for case in oracle["cases"]:
        for theirs, fraction in case.get("exact", {}).items():
            if theirs.partition(":")[0] in OURS and fraction is not None:
                found = value(key_of(theirs), case["conf"], case["correct"])
                assert found == pytest.approx(float(Fraction(fraction)), abs=RATIONAL)
                compared += 1
    assert (
        compared == 27 * 48 - 5
    )  # NLL and smooth ECE are not rational, and five AUROCs are undefined


def test_every_measure_here_is_in_the_oracle_or_follows_from_what_is():
    """Those of classes and of intervals have oracles, and tests, of their own."""
    own = {"br", "nbr", "nllc", "cwece", "coverage", "width", "iscore", "covgap"}
    assert set(MEASURES) - set(OURS.values()) == {"bias", "acchmr"} | own


def test_floors_of_small_cases_are_enumerated_exactly(oracle):
    compared = 0
    for case in oracle["cases"]:
        judged = Judged(np.array(case["correct"], bool), np.array(case["conf"], float))
        for bins in (10, 15):
            expected = case["expected"].get(f"ece_floor_mean:{bins}")
            if expected is not None and len(case["conf"]) <= 10:
                floor = Resampler(judged, 100, 1).floor(find(f"ece@{bins}"))
                q95 = case["expected"][f"ece_floor_q95:{bins}"]
                assert (floor.mean, floor.q95) == pytest.approx((expected, q95), abs=RATIONAL)
                compared += 1
    assert compared >= 20


def test_what_the_oracle_refuses_is_refused(oracle):
    """Each as a run whose gold says yes where the case says right."""
    seen = {}
    for case in oracle["reject"]:
        right = case["correct"] or [1]
        gold = GOLD + "".join(f"q{i},{'yes' if y else 'no'},a\n" for i, y in enumerate(right))
        run = RUN + "".join(f"q{i},yes,{c}\n" for i, c in enumerate(case["conf"]))
        if case["expect"] == "accept as 0":
            assert values(run, gold)["confidence"] == 0.25
            seen[case["id"]] = ["accepted"]
        else:
            seen[case["id"]] = [code for _, _, code in places(refused(run, gold))]
    assert seen == {
        "n0": ["no-rows"],
        "nan": ["not-a-number"],
        "inf": ["not-a-number"],
        "percent": ["out-of-range"] * 3,
        "range_hi": ["out-of-range"],
        "range_lo": ["out-of-range"],
        "neg_zero": ["accepted"],
        "empty_field": ["not-a-number"],
        "length": ["missing-id"],
    }


# The project's own: small inputs, each value worked out by hand as a fraction.
BY_HAND = [
    ("one right", [(1, 0.75)], {"hmr": "6/7", "r_o": "1", "brier": "1/16", "ks": "1/4"}),
    ("one wrong", [(0, 0.75)], {"hmr": "2/5", "r_u": "1", "brier": "9/16", "ks": "3/4"}),
    ("worst", [(1, 0), (0, 1)], {"hmr": "0", "brier": "1", "ece@10": "1", "auroc": "0"}),
    ("perfect", [(1, 1), (0, 0)], {"hmr": "1", "brier": "0", "ece@10": "0", "auroc": "1"}),
    (
        "two and two",
        [(1, 0.9), (1, 0.6), (0, 0.6), (0, 0.3)],
        {
            "accuracy": "1/2",
            "confidence": "3/5",
            "bias": "1/10",
            "r_o": "11/20",
            "r_u": "3/4",
            "hmr": "33/52",
            "hmr@2": "165/236",
            "hmr@0.5": "165/284",
            "acchmr": "33/104",
            "auroc": "7/8",
            "brier": "31/200",
            "ks": "1/8",
            "ece@10": "3/20",
            "mce@10": "3/10",
            "ece@2": "1/10",
            "mce@2": "3/10",
        },
    ),
    (
        "all tied",
        [(1, 0.5)] * 2 + [(0, 0.5)] * 2,
        {"ece@10": "0", "ks": "0", "auroc": "1/2", "eceorder@2": "1/2", "mceorder@4": "1/2"},
    ),
    (
        "edges of ten bins",
        [(1, 0.1), (0, 0.2), (0, 0.3), (1, 0.7)],
        {"ece@10": "17/40", "mce@10": "9/10", "ece@1": "7/40"},
    ),
    (
        "0.1 + 0.2 is above the edge 3/10",
        [(1, 0.1 + 0.2), (0, 0.3)],
        {"ece@10": "1/2", "mce@10": "7/10"},
    ),
    (
        "opposite errors cancel in one bin only",
        [(1, 0.25), (0, 0.75)],
        {"ece@1": "0", "ece@2": "3/4", "mce@2": "3/4", "ks": "3/8", "bias": "0"},
    ),
    (
        "fewer instances than bins",
        [(1, 0.2), (0, 0.4), (1, 0.8)],
        {"ece@100": "7/15", "eceorder@10": "7/15"},
    ),
    (
        "ties of right and wrong",
        [(1, 0.8), (1, 0.8), (0, 0.8), (1, 0.2), (0, 0.2)],
        {"auroc": "7/12", "ks": "3/25", "hmr": "6/11"},
    ),
    ("seven of nine", [(1, 0.5)] * 7 + [(0, 0.5)] * 2, {"hmr": "1/2", "ece@15": "5/18"}),
]


@pytest.mark.parametrize(
    ("pairs", "expected"), [x[1:] for x in BY_HAND], ids=[x[0] for x in BY_HAND]
)
def test_fractions_worked_out_by_hand(pairs, expected):
    right, conf = zip(*pairs, strict=True)
    for key, fraction in expected.items():
        assert value(key, conf, right) == pytest.approx(float(Fraction(fraction)), abs=RATIONAL), (
            key
        )
