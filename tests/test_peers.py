"""Agreement with another library where it defines the same, and why not where it does not."""

import numpy as np
import probcal.metrics as probcal
import pytest

from grader.measures import find
from grader.model import Classes, Judged


def run(seed, n=500):
    rng = np.random.default_rng(seed)
    sure = rng.random(n)
    return Judged(rng.random(n) < sure**1.5, sure)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("bins", [5, 10, 15])
def test_binned_errors_are_probcals_away_from_edges(seed, bins):
    judged = run(seed)
    right = judged.correct.astype(float)
    theirs = probcal.ece(right, judged.confidence, n_bins=bins, strategy="width")
    assert find(f"ece@{bins}")(judged).value == pytest.approx(float(theirs), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_brier_nll_and_ks_are_probcals(seed):
    judged = run(seed)
    right = judged.correct.astype(float)
    brier = probcal.brier_score(right, judged.confidence)
    assert find("brier")(judged).value == pytest.approx(float(brier), abs=1e-12)
    loss = probcal.log_loss(right, judged.confidence)
    assert find("nll")(judged).value == pytest.approx(float(loss), abs=1e-12)
    drift = probcal.ecce(right, judged.confidence).stat_max
    assert find("ks")(judged).value == pytest.approx(float(drift), abs=1e-12)


def test_at_an_edge_ours_is_closed_on_the_right():
    """0.5 belongs to (0.4, 0.5] here, as in Guo et al.; bins closed on the left put it above.

    By hand: {0.45 right, 0.5 wrong} in one bin, {0.55 right} in the next: (|0.95 − 1| + 0.45)/3.
    """
    judged = Judged(np.array([True, False, True]), np.array([0.45, 0.5, 0.55]))
    assert find("ece@10")(judged).value == pytest.approx(0.5 / 3, abs=1e-12)


def of(table, gold):
    """One instance with these class probabilities; the answer is the likeliest class."""
    p = np.array([table])
    answer = int(p[0].argmax())
    right = np.array([answer == gold])
    return Judged(right, p.max(axis=1), classes=Classes(p, np.array([gold])))


def test_nbr_improves_when_a_right_answer_loses_confidence():
    """The HMR paper's example 3: .6 on the right class against .5, squared errors .32 and .30."""
    sure, less = of([0.6, 0.4, 0, 0, 0, 0], 0), of([0.5, *[0.1] * 5], 0)
    assert find("nbr")(sure).value == pytest.approx(0.16, abs=1e-12)
    assert find("nbr")(less).value == pytest.approx(0.15, abs=1e-12)
    assert find("hmr")(less).value < find("hmr")(sure).value


def test_nbr_improves_when_a_wrong_answer_gains_confidence():
    """By hand: .4² + .7² + .3² = .74 and .46² + .56² + .1² = .5352, halved."""
    less, sure = of([0.4, 0.3, 0.3], 1), of([0.46, 0.44, 0.1], 1)
    assert find("nbr")(less).value == pytest.approx(0.37, abs=1e-12)
    assert find("nbr")(sure).value == pytest.approx(0.2676, abs=1e-12)
    assert find("hmr")(sure).value < find("hmr")(less).value
