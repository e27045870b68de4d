"""The names that a task asks of runs' files."""

import pytest
from click.testing import CliRunner

from grader.cli import main
from grader.tasks.filenames import fits, malformed

R2C2 = "[Team]-AC-[1-4]"


@pytest.mark.parametrize(
    "name",
    ["THUIR-AC-1", "THUIR-AC-4.txt", "THUIR-AC-2.txt.gz", "thuir-AC-3.zip", "R. U. (x)-AC-1.csv"],
)
def test_a_right_name_fits(name):
    assert fits(R2C2, name, ("THUIR", "thuir", "R. U. (x)")) == ""


@pytest.mark.parametrize(
    "name",
    [
        *("THUIR-AC-5", "THUIR-AC-0.txt", "THUIR-AC-12", "Other-AC-1", "THUIR-ac-1", "-AC-1"),
        *("THUIR-AC-1.a.b.c", "xTHUIR-AC-1", "THUIR-AC-1x", "THUIR-AC-1\n", ""),
    ],
)
def test_a_wrong_name_is_answered_with_a_right_one(name):
    said = fits(R2C2, name, ("THUIR", "thuir"))
    assert said == f"{name!r} does not follow {R2C2}: a right name is 'THUIR-AC-1'"
    assert fits(R2C2, said.rsplit("'")[-2], ("THUIR", "thuir")) == ""


@pytest.mark.parametrize(
    ("pattern", "name", "right"),
    [
        ("run*", "run", True),
        ("run*", "run-7.final.csv", True),
        ("run*", "arun", False),
        ("*[8-12]", "x10.csv", True),
        ("*[8-12]", "x13.csv", False),
        ("a.b", "a.b", True),
        ("a.b", "axb", False),
        ("a.b", "a.b.csv", True),
        ("[Team]", "anyone.csv", True),
        ("[Team]", ".csv", True),  # with its extension it is a name
    ],
)
def test_patterns_with_no_team_known(pattern, name, right):
    assert (fits(pattern, name) == "") is right


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("[team]", "neither [Team] nor a range"),
        ("[4-1]", "neither [Team] nor a range"),
        ("[1-]", "neither [Team] nor a range"),
        ("[01-2]", "neither [Team] nor a range"),
        ("[]", "neither [Team] nor a range"),
        ("[1-4", "a bracket without its other"),
        ("a]", "a bracket without its other"),
        ("a/b", "holds a slash"),
        (" ", "is blank"),
        ("a\tb", "a control character"),
        ("***", "more than two *"),
        ("[Team][Team]", "more than once"),
        ("x" * 101, "101 characters"),
    ],
)
def test_a_malformed_pattern_is_told(pattern, said):
    assert said in malformed(pattern)


@pytest.mark.parametrize("pattern", [R2C2, "run", "*", "[Team]*-[0-9999]*", "(a|b)+"])
def test_a_sound_pattern_is_not(pattern):
    assert malformed(pattern) == ""


def test_a_long_name_is_answered():
    assert fits("*a[Team]*b", "a" * 255)


def test_only_the_last_part_of_a_path_is_its_name():
    assert fits("[Team]-AC-[1-4]", "x/THUIR-AC-2.txt", ["THUIR"]) == ""
    assert fits("x*", "x/THUIR-AC-2.txt").startswith("'THUIR-AC-2.txt' does not follow")


def test_check_asks_for_the_name(tmp_path):
    folder = tmp_path / "t"
    folder.mkdir()
    (folder / "task.toml").write_text('title = "T"\n[run]\nnames = "[Team]-[1-2]"\n')
    (folder / "gold.csv").write_text("id,answer\nq1,yes\n")
    body = "id,answer,confidence\nq1,yes,{}\n"
    for name, sure, code, said in (
        ("Any-2.csv", 1, 0, "would be accepted"),
        ("Any-3.csv", 1, 1, "Any-3.csv: bad-name: 'Any-3.csv' does not follow [Team]-[1-2]"),
        ("Any-3.csv", 2, 1, "refused, 2 problems"),
    ):
        (tmp_path / name).write_text(body.format(sure))
        done = CliRunner().invoke(main, ["check", str(tmp_path / name), "--task", str(folder)])
        assert done.exit_code == code, done.output
        assert said in done.output


def test_a_team_is_known_in_any_case_and_the_rest_is_not():
    assert fits(R2C2, "ASH-AC-1.txt", ("Ash",)) == ""
    assert fits(R2C2, "ash-AC-1.txt", ("Ash",)) == ""
    assert fits(R2C2, "Ash-ac-1.txt", ("Ash",))
