"""Which tests hold the shared cases: each case stands in the table, and each test exists."""

import ast
import os
from pathlib import Path

import pytest

SHARED = os.environ.get("GRADER_SHARED", "")
HERE = Path(__file__).parent
READ = ("test_shared_cases.test_a_case_ends_as_it_should",)
BOARD = "test_shared_cases.test_a_board_stands_as_it_should"
TESTS = {
    **dict.fromkeys(
        (
            *("CSV-01", "CSV-04", "CSV-07", "CSV-09", "CSV-11", "CSV-12", "CSV-15", "CSV-17"),
            *("CSV-18", "JSN-01", "JSN-03", "JSN-06", "JSN-07"),
            *("PAIR-01", "PAIR-03", "PAIR-06", "PAIR-09", "PAIR-11", "PAIR-13"),
        ),
        READ,
    ),
    "HTTP-02": ("test_shared_cases.test_a_mac_archive_is_its_run",),
    "HTTP-04": ("test_intake_cases.test_whatever_a_file_is_called_it_is_judged_by_its_content",),
    "HTTP-07": (
        "test_phased_intake.test_a_file_sent_twice_uses_one_slot_also_after_the_close",
        "test_phased_intake.test_two_at_the_same_instant_are_one_run",
        "test_phased_intake.test_equal_content_is_told_to_its_team_alone",
    ),
    "HTTP-10": ("test_shared_cases.test_files_that_are_no_text_have_one_message",),
    "HTTP-12": ("test_shared_cases.test_a_large_run_is_taken",),
    "BRD-02": (BOARD, "test_pages.test_undefined_is_a_dash_with_its_reason_and_no_sort_key"),
    "BRD-03": (BOARD,),
    "BRD-05": (BOARD, "test_board.test_inside_a_tie_teams_stand_by_name_and_their_runs_by_theirs"),
    "BRD-08": ("test_phased_intake.test_a_phase_is_half_open_at_the_door",),
    "BRD-09": (
        "test_intake_cases.test_pages_and_answers_are_the_same_in_any_zone_and_every_time_has_one",
    ),
    "BRD-11": ("test_intake_cases.test_a_limit_a_day_says_what_is_used_and_when_it_is_free",),
    "DB-02": (
        "test_store.test_a_name_that_cannot_be_says_why",
        "test_marks_cli.test_what_cannot_be_said_of_a_run_is_refused_alike_on_both_databases",
    ),
    "DB-04": ("test_phased_intake.test_ten_at_once_get_the_three_slots_there_are",),
    "DB-06": (
        "test_intake_cases.test_the_address_of_a_withdrawn_run_is_never_anothers",
        "test_store.test_a_number_is_never_given_twice",
    ),
    "DB-08": (
        "test_intake_cases.test_nothing_refers_to_a_team_or_task_that_is_not_there",
        "test_migrations.test_down_to_nothing_and_up_again",
    ),
    "DB-10": (
        "test_shared_cases.test_a_seed_beyond_31_bits_is_kept_and_used",
        "test_store.test_sizes_beyond_31_bits_are_kept",
        "test_store.test_a_run_name_that_cannot_be_is_refused",
        "test_marks_cli.test_a_description_is_kept_shown_and_taken_off",
    ),
}
NOT_BUILT = {"HTTP-08": "no server takes a token yet"}
KINDS = {case.split("-")[0] for case in TESTS}


@pytest.mark.parametrize("name", sorted({name for names in TESTS.values() for name in names}))
def test_a_test_that_holds_a_case_exists(name):
    module, function = name.split(".")
    tree = ast.parse((HERE / f"{module}.py").read_text(encoding="utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.skipif(not SHARED, reason="GRADER_SHARED does not name the shared folder")
def test_every_case_is_in_the_table():
    index = (Path(SHARED) / "cases" / "index.tsv").read_text(encoding="utf-8").splitlines()
    cases = {line.split("\t")[0] for line in index[1:]}
    assert {case for case in cases if case.split("-")[0] in KINDS} == {*TESTS, *NOT_BUILT}
