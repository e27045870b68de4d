"""Judging a whole run: right answers, refusals, and what a rule may never do."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grader.judge import abstains, judge, matcher, normalise
from grader.model import Gold, Run, Task

PLAIN = Task("t", "T")


def run(*answers):
    return Run(answers, np.ones(len(answers)))


def test_an_answer_is_right_if_it_is_one_of_the_accepted():
    gold = Gold(("1", "2", "3", "4"), (("a", "b"), ("a",), (), ("a",)))
    right, abstained = judge(PLAIN, gold, run("b", "b", "a", None))
    assert right.tolist() == [True, False, False, False]
    assert abstained.tolist() == [False] * 4
    assert (right.dtype, abstained.dtype) == (np.bool_, np.bool_)


def test_a_refusal_is_wrong_whatever_the_gold_says():
    task = replace(PLAIN, answers="normalised", abstain=("I don't know",))
    gold = Gold(("1", "2", "3"), (("i don't know",), ("a",), ()))
    right, abstained = judge(task, gold, run(" I DON'T know ", "a", "I don't know"))
    assert right.tolist() == [False, True, False]
    assert abstained.tolist() == [True, False, True]


@pytest.mark.parametrize(
    ("rule", "answer", "refusal"),
    [
        ("exact", "?", True),
        ("exact", " ?", False),
        ("exact", "？", False),
        ("exact", "", False),
        ("normalised", " ？ ", True),
        ("numeric", "?", True),
        ("choice", "?", True),
    ],
)
def test_a_refusal_is_compared_as_texts_are(rule, answer, refusal):
    task = replace(PLAIN, answers=rule, labels=("A",), abstain=("?",))
    assert abstains(task)(answer) is refusal


def test_nothing_is_a_refusal_unless_declared():
    assert not abstains(PLAIN)("")
    assert not abstains(replace(PLAIN, answers="normalised"))("")


def test_a_run_and_a_gold_of_other_lengths_are_a_bug():
    with pytest.raises(ValueError, match="zip"):
        judge(PLAIN, Gold(("1", "2"), (("a",), ("b",))), run("a"))


@given(text=st.text())
@example(" ")
@example("\t\u3000")
def test_normalisation_never_empties_an_answer(text):
    assert bool(normalise(text)) == bool(text)


@given(text=st.text(), other=st.text())
def test_matching_is_symmetric_and_every_answer_matches_itself(text, other):
    for rule in ("exact", "normalised", "choice"):
        same = matcher(replace(PLAIN, answers=rule, labels=("A",)))
        assert same(text, text)
        assert same(text, other) == same(other, text)


@pytest.mark.parametrize("rule", ["exact", "choice"])
@pytest.mark.parametrize("answer", ["yes ", " yes", "Yes", "yes\u200b"])
def test_exact_is_letter_for_letter(rule, answer):
    assert not matcher(replace(PLAIN, answers=rule))(answer, "yes")


DECIMALS = st.from_regex(r"[+-]?[0-9]{1,9}(\.[0-9]{0,9})?([eE][+-]?[0-9]{1,2})?", fullmatch=True)
SLACK = st.from_regex(r"[0-9]{1,4}(\.[0-9]{1,4})?", fullmatch=True)


@given(one=DECIMALS, other=DECIMALS, tolerance=SLACK)
@example("0.3", "0.1", "0.2")  # in doubles their difference is below 0.2
@example("0.8", "0.7", "0.1")  # and theirs above 0.1
def test_numbers_are_compared_as_fractions_are(one, other, tolerance):
    near = abs(Fraction(one) - Fraction(other)) <= Fraction(tolerance)
    assert matcher(replace(PLAIN, answers="numeric", tolerance=tolerance))(one, other) is near


@pytest.mark.parametrize("answer", ["nan", "inf", "1_0", "１", "0x1", "1/2", "1,5", "", "9" * 401])
def test_what_is_no_plain_number_is_never_near_one(answer):
    assert not matcher(replace(PLAIN, answers="numeric", tolerance="1e9"))(answer, "1")
