"""Agreement against published worked examples and other libraries."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau
from sklearn.metrics import cohen_kappa_score

from grader.board import concordance
from grader.board.concordance import tau_b
from grader.judging.agreement import agreements, of_all, of_pair
from grader.model import Judge, Score, Unit

AB = ("A", "B")


def labelled(columns, names="ABCD"):
    """What judges said of units, from a text a judge; a dot is nothing."""
    found = {}
    for name, column in zip(names, columns, strict=False):
        for i, label in enumerate(column):
            if label != ".":
                found.setdefault(Unit(str(i), "x"), {})[name] = label
    return found


def crossed(table, names):
    """What two judges said of units, from how often each pair of labels came up."""
    pairs = [
        (a, b)
        for a, row in zip(names, table, strict=True)
        for b, n in zip(names, row, strict=True)
        for _ in range(n)
    ]
    return {Unit(str(i), "x"): {"A": a, "B": b} for i, (a, b) in enumerate(pairs)}


def test_kappa_of_cohen_1960():
    """Table 1: 200 cases, .70 observed and .41 expected by chance, kappa .492."""
    table = [[88, 14, 18], [10, 40, 10], [2, 6, 12]]
    found = of_pair(AB, crossed(table, "123"), "123")
    assert found.raw == pytest.approx(0.70)
    assert found.coefficient == pytest.approx((0.70 - 0.41) / (1 - 0.41), abs=1e-12)
    assert round(found.coefficient, 3) == 0.492
    assert (found.n, found.kind, found.why) == (200, "kappa", "")


@pytest.mark.parametrize(
    ("table", "kappa", "positive", "negative"),
    [([[40, 9], [6, 45]], 0.70, 0.84, 0.86), ([[80, 10], [5, 5]], 0.32, 0.91, 0.40)],
)
def test_specific_agreement_of_the_paradox(table, kappa, positive, negative):
    """Feinstein and Cicchetti 1990: two tables agree in .85, and hardly alike beyond chance."""
    found = of_pair(AB, crossed(table, "+-"), "+-")
    assert found.raw == pytest.approx(0.85)
    assert round(found.coefficient, 2) == kappa
    assert {k: round(v, 2) for k, v in found.specific.items()} == {"+": positive, "-": negative}
    (a, b), (c, d) = table
    assert found.specific["+"] == pytest.approx(float(Fraction(2 * a, 2 * a + b + c)))
    assert found.said == {"+": 2 * a + b + c, "-": 2 * d + b + c}


def test_alpha_of_krippendorff_2011():
    """Computing Krippendorff's Alpha-Reliability, part C: four observers, nominal .743."""
    data = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    found = of_all("ABCD", labelled(data), "12345")
    assert round(found.coefficient, 3) == 0.743
    assert (found.n, found.kind) == (11, "alpha")  # of the twelfth unit but one spoke
    # By hand: of 2 observers of 4 units with ab, aa, bb, aa.
    small = of_all("AB", labelled(["aaba", "baba"]), "ab")
    disagreed, by_chance = 2 / 8, 2 * 5 * 3 / (8 * 7)
    assert small.coefficient == pytest.approx(1 - disagreed / by_chance)


def test_specific_agreement_of_several_judges_is_of_all_their_pairs():
    found = of_all("ABC", labelled(["aab", "aab", "ab."]), "abc")
    # Units aaa, aab and bb: 3, 1 and 1 pairs that agree of 3, 3 and 1.
    assert found.raw == pytest.approx(5 / 7)
    # Of ordered pairs that begin with a: 6 of 6, and 2 of 4.
    assert found.specific["a"] == pytest.approx(8 / 10)
    assert found.specific["b"] == pytest.approx(2 / 4)
    assert found.specific["c"] is None


def test_what_is_undefined_is_none_with_a_reason():
    none = of_pair(AB, labelled(["a.", ".a"]), "ab")
    assert (none.n, none.raw, none.coefficient) == (0, None, None)
    assert "no unit" in none.why
    for found in (
        of_pair(AB, labelled(["aa", "aa"]), "ab"),
        of_all("AB", labelled(["aa"] * 2), "ab"),
    ):
        assert (found.raw, found.coefficient) == (1, None)
        assert "all said the same" in found.why


LABELS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=20
)


@given(LABELS)
def test_kappa_is_that_of_scikit_learn(pairs):
    one, other = zip(*pairs, strict=True)
    found = of_pair(AB, labelled([one, other]), "abc")
    if len({*one, *other}) == 1:
        assert found.coefficient is None
    else:
        expected = cohen_kappa_score(one, other)
        assert found.coefficient == pytest.approx(expected, abs=1e-12)


NUMBERS = st.integers(0, 4).map(lambda i: i / 4)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=12))
def test_tau_b_is_that_of_scipy(pairs):
    one, other = zip(*pairs, strict=True)
    expected = float(kendalltau(one, other).statistic)
    found = tau_b(one, other)
    assert found is None if math.isnan(expected) else found == pytest.approx(expected, abs=1e-12)


def test_orders_are_those_of_the_printed_values():
    def pair(a, b):
        return Score("hmr", "all", 9, a), Score("hmr", "all", 9, b)

    runs = {"a": pair(0.5001, 0.1), "b": pair(0.5004, 0.2), "c": pair(0.7, 0.3)}
    assert concordance(runs, 4)[0] == pytest.approx(1)
    # At three decimals a and b are tied: 2 concordant pairs of 2 and of 3.
    assert concordance(runs, 3)[0] == pytest.approx(2 / math.sqrt(2 * 3))
    found, why = concordance({"a": pair(0.5, None), "b": pair(0.5, 0.2)}, 3)
    assert (found, why) == (None, "there are not two runs to put in an order")
    tied = {k: pair(0.5, 0.1) for k in "abc"}
    assert concordance(tied, 3) == (None, "under one of the two all runs are equal")


def test_the_chair_and_machines_stand_beside_the_agreement_of_people():
    judges = [Judge("A"), Judge("B"), Judge("C", "model", "ab"), Judge("D")]
    labels = labelled(["aab", "abb", "aaa", ".b."])
    found = list(agreements(judges, judges[:3], labels, "ab"))
    assert [one.judges for one in found if one.kind == "alpha"] == [("A", "B", "C"), ("A", "B")]
    pairs = {one.judges: one.n for one in found if one.kind == "kappa"}
    assert pairs == {
        ("A", "B"): 3,
        ("A", "C"): 3,
        ("A", "D"): 1,
        ("B", "C"): 3,
        ("B", "D"): 1,
        ("C", "D"): 1,
    }
