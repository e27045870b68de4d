"""Which answers are right."""

import unicodedata

import pytest
from grading import GOLD, RUN, graded, task_of
from hypothesis import given
from hypothesis import strategies as st

from grader.judge import matcher, normalise, number


def right(gold, answer, toml):
    return bool(graded(RUN + f'q1,"{answer}",1\n', GOLD + f'q1,"{gold}",a\n', toml).right)


@given(st.text(max_size=12))
def test_normalising_twice_is_normalising_once(text):
    once = normalise(text)
    assert normalise(once) == once
    assert bool(once) == bool(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The  cat", " the CAT "),
        ("Straße", "STRASSE"),
        ("ﬁne", "fine"),
        ("e\u0301", "é"),
        ("１２", "12"),
        ("a\u00a0b", "a b"),
        ("a\nb", "a b"),
        ("\u212b", "å"),
        ("\u03d3", "\u038e"),
        ("\u1e9e", "ss"),
    ],
)
def test_these_are_equal_when_normalised_and_not_when_exact(one, other):
    assert right(one, other, 'answers = "normalised"\n')
    assert not right(one, other, "")


@pytest.mark.parametrize(("one", "other"), [("a-b", "ab"), ("a.", "a"), ("1", "1.0"), ("é", "e")])
def test_normalising_keeps_punctuation_accents_and_numbers(one, other):
    assert not right(one, other, 'answers = "normalised"\n')


@pytest.mark.parametrize("text", ["-", "...", "?", "\u200b", "\u00ad", "´"])
def test_an_odd_answer_is_still_one(text):
    assert normalise(text)
    assert right(text, text, 'answers = "normalised"\n')


def test_every_accepted_answer_is_right():
    toml = '[gold]\nseparator = "|"\n'
    assert right("yes|yeah", "yeah", toml)
    assert not right("yes|yeah", "yes|yeah", toml)
    listed = '{"id": "q1", "answer": ["yes", 1], "subset": "a"}\n'
    assert graded(RUN + "q1,1,1\n", listed).right == 1


@pytest.mark.parametrize("blank", ["", " "])
def test_an_instance_without_answer_has_no_right_one(blank):
    assert graded(RUN + "q1,yes,1\n", GOLD + f"q1,{blank},a\n").right == 0


@pytest.mark.parametrize(
    ("tolerance", "answer", "close"),
    [
        ("0", "0.30", True),
        ("0", "3e-1", True),
        ("0", " 0.3 ", True),
        ("0", "0.3000000000000000000001", False),
        ("0.1", "0.4", True),
        ("0.1", "0.2", True),
        ("0.1", "0.40000000000000000001", False),
        ("0.1", "-0.3", False),
        ("1e5", "9999e999999", False),
        ("1e5", "1e-999999", True),
    ],
)
def test_numbers_are_compared_exactly(tolerance, answer, close):
    toml = f'answers = "numeric"\ntolerance = "{tolerance}"\n'
    assert right("0.3", answer, toml) is close


def test_the_largest_numbers_equal_themselves():
    same = matcher(task_of('answers = "numeric"\n'))
    assert same("9999e999999", "99990e999998")
    assert not same("9999e999999", "-9999e999999")


@given(st.text(st.sampled_from("0123456789.eE+-_, x１٠∞"), max_size=8))
def test_a_number_is_plain_ascii(text):
    found = number(text)
    if found is not None:
        assert text.isascii()
        assert not set(text) & set("_, x")
        assert found.is_finite()
    assert unicodedata.normalize("NFKC", text) == text or found is None
