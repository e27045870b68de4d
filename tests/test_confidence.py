"""A confidence is the double nearest to its decimal text, on the task's scale."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.confidence import Unreadable, confidences, read_confidence
from grader.model import Task

PROBABILITY = Task("t", "T")
PERCENT = Task("t", "T", confidence="percent")


def read(text, task=PROBABILITY):
    return read_confidence(text, task)[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0.0),
        ("1", 1.0),
        ("-0.0", 0.0),
        ("-0", 0.0),
        ("+0.5", 0.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("00.5", 0.5),
        ("5e-1", 0.5),
        ("50E-2", 0.5),
        ("0.05e+1", 0.5),
        (" 0.5\t", 0.5),
        ("0.1", 0.1),
        ("0.30000000000000004", 0.1 + 0.2),
        ("0.3", 0.3),
        ("1e-400", 0.0),
        ("5e-324", 5e-324),
        ("1e-999999", 0.0),
        ("0e999999", 0.0),
        ("0." + "9" * 390, 1.0),
        ("0." + "0" * 390 + "1", 0.0),
    ],
)
def test_plain_numbers(text, value):
    found = read(text)
    assert found == value
    assert math.copysign(1, found) == 1, "there is no minus zero"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("85", 0.85),
        ("0.1", 0.001),
        ("7", 0.07),
        ("29", 0.29),
        ("57", 0.57),
        ("58", 0.58),
        ("100", 1.0),
        ("1e2", 1.0),
        ("1e-2", 0.0001),
        ("33.3", 0.333),
        ("-0", 0.0),
        ("1e-999999", 0.0),
        ("100.00000001", 1.0),
    ],
)
def test_percentages_are_decimal_text_not_a_division(text, value):
    assert read(text, PERCENT) == value


decimals = st.decimals(0, 1, places=20).map("{:f}".format)
short = st.decimals(0, 100, places=4).map(str)


@given(text=st.one_of(decimals, st.floats(0, 1).map(repr)))
def test_a_probability_is_rounded_once(text):
    assert read(text) == float(Fraction(text)) == float(text)


@given(text=short)
def test_a_percentage_is_rounded_once(text):
    assert read(text, PERCENT) == float(Fraction(text) / 100)


@given(text=st.one_of(decimals, short.map(lambda t: f"{t}e-2")), digits=st.integers(0, 15))
def test_precision_rounds_the_decimal_text_half_to_even(text, digits):
    task = Task("t", "T", precision=digits)
    exact = Fraction(Decimal(text))
    assert read(text, task) == float(Fraction(round(exact * 10**digits), 10**digits))


@pytest.mark.parametrize(
    ("text", "digits", "value"),
    [
        ("0.125", 2, 0.12),
        ("0.375", 2, 0.38),
        ("0.115", 2, 0.12),  # the double is below the half, the text is on it
        ("0.285", 2, 0.28),  # the other way round
        ("0.5", 0, 0.0),
        ("0.50000000000000000001", 0, 1.0),
        ("1e-400", 3, 0.0),
        ("-1e-10", 1, 0.0),
    ],
)
def test_precision_by_hand(text, digits, value):
    found = read(text, Task("t", "T", precision=digits))
    assert (found, math.copysign(1, found)) == (value, 1)


def test_precision_comes_after_the_scale():
    assert read("12.5", Task("t", "T", confidence="percent", precision=2)) == 0.12


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.0000000000000002", 1.0),
        ("1.000000001", 1.0),
        ("-0.000000001", 0.0),
        ("-1e-300", 0.0),
        ("-1e-999999", 0.0),
    ],
)
def test_noise_outside_the_scale_is_cut_and_said(text, value):
    found, noise = read_confidence(text, PROBABILITY)
    assert (found, noise, math.copysign(1, found)) == (value, True, 1)


def test_the_ends_themselves_are_no_noise():
    assert [read_confidence(t, PROBABILITY)[1] for t in ("0", "1", "-0.0", "1.000")] == [False] * 4


@pytest.mark.parametrize("task", [PROBABILITY, PERCENT])
@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "nan", "NaN", "inf", "-Infinity", "1_0", "0x1", "1/2", "1e", "e1", ".", "+"),
        *(
            "0.5.5",
            "0,5",
            "50%",
            "--1",
            "1e5.0",
            "１",
            "０.５",
            "٠",
            "½",
            "0.5f",
            "0.5 0.5",
            "none",
        ),
        *("0." + "3" * 10_000, "1" * 10_000, "1e9999999", "true", "1e-0000001", "0\n.5", "−0.5"),
    ],
)
def test_what_is_no_plain_number_is_refused_shortly(task, text):
    with pytest.raises(Unreadable) as caught:
        read(text, task)
    assert caught.value.code == "not-a-number"
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("task", [PROBABILITY, PERCENT])
@pytest.mark.parametrize(
    "text", ["1e999999", "9999e999999", "-9999e999999", "9" * 399, "-1", "100.01", "1e3", "-0.01"]
)
def test_what_is_outside_is_refused_however_far(task, text):
    with pytest.raises(Unreadable) as caught:
        read(text, task)
    assert caught.value.code == "out-of-range"
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    ("task", "text", "said"),
    [
        (PROBABILITY, "", "is empty; a number from 0 to 1 is needed"),
        (PERCENT, "high", "'high' is not a plain decimal number from 0 to 100"),
        (PROBABILITY, "0,85", "'0,85' has a decimal comma: write 0.85"),
        (PERCENT, "85 %", "'85 %' has a percent sign; write a plain number from 0 to 100"),
        (
            *(PROBABILITY, "85"),
            "85 is not in the range 0 to 1; if it is a percentage, divide by 100",
        ),
        (PROBABILITY, "101", "101 is not in the range 0 to 1"),
        (PROBABILITY, "-0.5", "-0.5 is not in the range 0 to 1"),
        (PERCENT, "101", "101 is not in the range 0 to 100"),
        (PROBABILITY, "1.000000002", "1.000000002 is not in the range 0 to 1"),
    ],
)
def test_the_sender_is_told_what_to_write(task, text, said):
    with pytest.raises(Unreadable) as caught:
        read(text, task)
    assert str(caught.value).startswith(said)


@given(text=st.text(max_size=30), task=st.sampled_from([PROBABILITY, PERCENT]))
def test_any_text_is_a_confidence_or_refused(text, task):
    try:
        found = read(text, task)
    except Unreadable:
        return
    assert 0 <= found <= 1


def one(text, task):
    try:
        return read_confidence(text, task)[0]
    except Unreadable:
        return math.nan


@pytest.mark.parametrize("scale", ["probability", "percent"])
@pytest.mark.parametrize("precision", [None, 2])
@pytest.mark.parametrize(
    "texts",
    [
        ["0.1", "0.3", "0", "1", "0.999999999999999999999", "1.00000000000000000001", "100"],
        ["0.1", "0." + "0" * 500 + "1"],
        ["0.1", "0.5" + "0" * 397, "0.5" + "0" * 398],
        ["0.1", "1_0", "٣", " 0.2", "1e-3", "1e-9999999", "-0.0", "nan", "", "1.2.3", "."],
        ["17.6", "0.07", "57.3", "99.99999999999999999", "100.0000000001", "1.1"],
        [],
    ],
)
def test_a_column_reads_as_its_texts_one_by_one(texts, scale, precision):
    task = Task("t", "T", confidence=scale, precision=precision)
    expected = [one(text, task) for text in texts]
    assert confidences(texts, task).tolist() == pytest.approx(expected, abs=0, rel=0, nan_ok=True)
