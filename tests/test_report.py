"""What a sender reads about a refused file."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.check import MENDS
from grader.model import Problem, Rejected
from grader.report import RANGES, lines, report, where


def told(*problems):
    return list(report("run.csv", Rejected(problems)))


def bad(line, field="confidence", code="not-a-number", message="'x' is no number"):
    return Problem(code, message, line, field)


def test_one_problem_is_said_with_its_line_and_how_to_mend_it():
    assert told(bad(3)) == [
        "run.csv: refused, 1 problem",
        "  run.csv:3: not-a-number: 'x' is no number",
        f"    → {MENDS['not-a-number']}",
    ]


def test_a_problem_of_the_whole_file_has_no_line():
    assert where("run.csv", Problem("missing-id", "2 are missing")) == "run.csv"
    assert told(Problem("missing-id", "2 are missing"))[1] == (
        "  run.csv: missing-id: 2 are missing"
    )


def test_three_are_said_one_by_one_and_more_as_ranges():
    assert [x.split(": ")[0] for x in told(bad(2), bad(4), bad(5))[1:4]] == [
        "  run.csv:2",
        "  run.csv:4",
        "  run.csv:5",
    ]
    assert told(*(bad(n) for n in (2, 4, 5, 6, 9))) == [
        "run.csv: refused, 5 problems",
        "  run.csv:2: not-a-number: 'x' is no number",
        "    and likewise on lines 4–6, 9 (4 more)",
        f"    → {MENDS['not-a-number']}",
    ]


def test_problems_without_a_line_are_said_one_by_one():
    problems = [Problem("missing-id", f"{n} are missing") for n in range(4)]
    assert told(*problems)[1:5] == [f"  run.csv: missing-id: {n} are missing" for n in range(4)]


def test_each_code_is_mended_once_in_the_order_of_the_first():
    said = told(bad(2), bad(3, code="unknown-id"), bad(4), bad(5, code="unknown-id"))
    assert [x for x in said if x.startswith("    → ")] == [
        f"    → {MENDS['not-a-number']}",
        f"    → {MENDS['unknown-id']}",
    ]
    assert said[0] == "run.csv: refused, 4 problems"


def test_every_missing_column_is_named():
    columns = [f"p:{c}" for c in "ABCDE"]
    problems = [bad(1, c, "missing-column", f"no column {c!r}") for c in columns]
    said = "\n".join(told(*problems))
    assert all(f"no column {c!r}" in said for c in columns)


def test_columns_are_grouped_apart():
    said = told(*(bad(n, c) for n in range(2, 8) for c in ("p:A", "p:B")))
    assert said.count("    and likewise on lines 3–7 (5 more)") == 2


def test_an_unheard_code_has_some_advice_all_the_same():
    assert told(bad(2, code="new"))[-1] == "    → Mend the line."


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([4], "line 4"),
        ([4, 4], "line 4"),
        ([4, 5], "lines 4–5"),
        ([9, 3, 8, 7, 12], "lines 3, 7–9, 12"),
        (range(2, 302), "lines 2–301"),
    ],
)
def test_lines_are_said_as_ranges(numbers, text):
    assert lines(numbers) == text


@given(numbers=st.sets(st.integers(1, 60), min_size=2))
def test_ranges_hold_every_line_and_no_other(numbers):
    text = lines(sorted(numbers))
    parts = text.removeprefix("lines ").split(", ")
    held = {
        n
        for first, last in re.findall(r"(\d+)(?:–(\d+))?", ", ".join(parts))
        for n in range(int(first), int(last or first) + 1)
    }
    if "…" in parts:
        assert len(parts) == RANGES + 1
        assert held < numbers
        assert held == {n for n in numbers if n <= max(held)}
    else:
        assert held == numbers


def test_the_lines_of_a_group_and_its_first_add_up_to_the_total():
    problems = [bad(n) for n in range(2, 12)]
    first, _, likewise, _ = told(*problems)
    assert first == "run.csv: refused, 10 problems"
    assert likewise == "    and likewise on lines 3–11 (9 more)"
