"""What the paper that proposed HMR prints, and its argument against binned errors."""

from fractions import Fraction

import numpy as np
import pytest

from grader.measures import find
from grader.model import Judged

RIGHT = (1, 1, 0, 1, 1, 0, 1, 1, 1)
# X; Y trusts a right answer less, Z trusts a wrong one more, W does both: each is worse than X.
RUNS = {
    "X": (0.4, 0.4, 0.4, 0.6, 0.6, 0.6, 0.8, 0.8, 0.8),
    "Y": (0.4, 0.4, 0.4, 0.6, 0.6, 0.6, 0.7, 0.8, 0.8),
    "Z": (0.4, 0.4, 0.6, 0.6, 0.6, 0.6, 0.8, 0.8, 0.8),
    "W": (0.4, 0.4, 0.6, 0.6, 0.6, 0.6, 0.7, 0.8, 0.8),
}
KEYS = ("hmr", "eceorder@3", "mceorder@3", "ks")
PRINTED = {
    "X": (".557", ".178", ".267", ".178"),
    "Y": (".551", ".189", ".267", ".189"),
    "Z": (".489", ".156", ".200", ".156"),
    "W": (".485", ".167", ".233", ".167"),
}


def value(key, run, right=RIGHT):
    return find(key)(Judged(np.array(right, dtype=np.bool_), np.array(RUNS[run]))).value


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("place", range(4), ids=KEYS)
def test_the_printed_digits_come_out(run, place):
    assert f"{value(KEYS[place], run):.3f}" == f"0{PRINTED[run][place]}"


@pytest.mark.parametrize(
    ("run", "over", "under"),
    [  # 1 less the mean over the two wrong answers, the mean over the seven right ones
        ("X", Fraction(1, 2), Fraction(44, 70)),
        ("Y", Fraction(1, 2), Fraction(43, 70)),
        ("Z", Fraction(2, 5), Fraction(44, 70)),
        ("W", Fraction(2, 5), Fraction(43, 70)),
    ],
)
def test_hmr_by_hand(run, over, under):
    assert value("r_o", run) == pytest.approx(float(over), abs=1e-12)
    assert value("r_u", run) == pytest.approx(float(under), abs=1e-12)
    by_hand = 2 * over * under / (over + under)
    assert value("hmr", run) == pytest.approx(float(by_hand), abs=1e-12)


@pytest.mark.parametrize("worse", ["Y", "Z", "W"])
def test_hmr_brier_and_nll_see_that_a_run_is_worse(worse):
    assert value("hmr", worse) < value("hmr", "X")
    assert value("brier", worse) > value("brier", "X")
    assert value("nll", worse) > value("nll", "X")


@pytest.mark.parametrize("key", ["eceorder@3", "mceorder@3", "ks"])
@pytest.mark.parametrize("worse", ["Z", "W"])
def test_calibration_errors_praise_a_run_that_is_worse(key, worse):
    assert value(key, worse) < value(key, "X")


@pytest.mark.parametrize("key", ["eceorder@3", "mceorder@3"])
def test_calibration_errors_praise_less_trust_in_a_right_answer_too(key, monkeypatch):
    """One answer of three right at .5, two of three at .6 and .7; then a right .5 becomes .4."""
    right = (1, 0, 0, 1, 1, 0, 1, 1, 0)
    monkeypatch.setitem(RUNS, "before", (0.5, 0.5, 0.5, 0.6, 0.6, 0.6, 0.7, 0.7, 0.7))
    monkeypatch.setitem(RUNS, "after", (0.4, 0.5, 0.5, 0.6, 0.6, 0.6, 0.7, 0.7, 0.7))
    assert value(key, "after", right) < value(key, "before", right)
    assert value("hmr", "after", right) < value("hmr", "before", right)


def test_so_does_ks(monkeypatch):
    """.9 right and .9 wrong drift by .8 of 2; with the right one at .5 by no more than .5."""
    monkeypatch.setitem(RUNS, "before", (0.9, 0.9))
    monkeypatch.setitem(RUNS, "after", (0.5, 0.9))
    assert value("ks", "before", (1, 0)) == pytest.approx(0.4, abs=1e-12)
    assert value("ks", "after", (1, 0)) == pytest.approx(0.25, abs=1e-12)
    assert value("hmr", "after", (1, 0)) < value("hmr", "before", (1, 0))
