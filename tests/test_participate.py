"""The page that says how to take part: what it shows would be taken, and none of it is gold."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from reading import files, having, parse, text
from sites import HOSTILE, IMAGE, NOON, exams
from test_cli import invoke
from test_kit import TASKS

from grader.kit import kit
from grader.model import Gold, GoldSummary, Phase, Results, RunColumns, Snapshot
from grader.tasks import parse as parse_task


def page(task):
    of = Results(task, GoldSummary(1, "00" * 32, NOON, "", 3, 3), ())
    return parse(files(Snapshot((of,), NOON))[f"{task.slug}/participate.html"])


def task_of(name):
    return parse_task(f'title = "A task"\n{TASKS[name][0]}', "t")


def shown(tree):
    """The examples."""
    places = [*having(tree, "figure", "example"), *having(tree, "details", "example")]
    return ["".join(pre.itertext()) for e in places for pre in having(e, "pre", "copy")]


@pytest.mark.parametrize("name", TASKS)
def test_the_examples_would_be_taken_and_a_wrong_one_is_refused_as_it_says(name, tmp_path):
    task, place = task_of(name), tmp_path / "t"
    tree = page(task)
    ids = tuple(f"q{i}/b" if name == "composite" else f"q{i}" for i in (1, 2, 3))
    place.mkdir()
    for file, body in kit(task, Gold(ids, (("?",),) * 3)):
        (place / file).write_bytes(body)
    examples = shown(tree)
    assert len(examples) == len(TASKS[name][1])
    for example in examples:
        (tmp_path / "run").write_text(example)
        done = invoke("check", tmp_path / "run", "--task", place, "--format", "json")
        assert json.loads(done.stdout) == {"rejected": False, "n": 3, "notices": []}, example
    said = [text(e) for e in having(tree, "pre", "copy") if "duplicate-id" in text(e)]
    assert bool(said) == ("csv" in TASKS[name][1])
    if said:
        wrong = tmp_path / "sample-run.csv"
        wrong.write_text(examples[0] + examples[0].splitlines()[-1] + "\n")
        done = invoke("check", wrong, "--task", place)
        assert done.exit_code == 1
        assert said == [done.stdout.replace(f"{tmp_path}/", "").strip()]


def test_columns_are_called_as_the_task_calls_them_and_are_text():
    columns = RunColumns(("q",), IMAGE, HOSTILE[0], {"yes": "P(yes)", "no": HOSTILE[2]})
    tree = page(replace(task_of("exact"), run=columns))
    rows = tree.find(".//table").findall("tbody/tr")
    assert [text(row.find("th")) for row in rows] == ["q", IMAGE, HOSTILE[0], "P(yes)", HOSTILE[2]]
    assert [text(row.find("td")) for row in rows[-2:]] == [
        "the probability of yes, from 0 to 1",
        "the probability of no, from 0 to 1",
    ]


def test_a_task_that_takes_no_table_shows_no_columns():
    tree = page(task_of("one format"))
    assert tree.find(".//table") is None
    assert "AC" in text(having(tree, "figure", "example")[0].find("figcaption"))


def test_phases_stand_with_both_zones_quota_and_who_sees_what_when():
    opens = NOON
    phase = Phase(
        f"Formal {IMAGE}",
        opens,
        opens + timedelta(days=1),
        runs=2,
        visible="own",
        reveal=opens + timedelta(days=9),
        size=5000,
        grace=30,
    )
    tree = page(replace(task_of("exact"), phases=(phase,)))
    table = having(tree, "table", "phases")[0]
    said = " ".join(text(table).split())
    assert "2026-03-01 12:00:00 UTC 2026-03-01 00:00:00 AoE" in said
    assert "2026-03-02 12:00:00 UTC 2026-03-02 00:00:00 AoE" in said
    assert "2 runs in all" in said
    assert "seen by the team that sent the run until 2026-03-10 12:00:00 UTC" in said
    more = {text(d.find("dt")): text(d.find("dd")) for d in tree.findall(".//dl/div")}
    assert more["Largest"] == "5,000 bytes"
    assert "up to 30 minutes after the close" in more["Promises"]
    assert "no phases" not in text(tree)
    assert "no phases" in text(page(task_of("exact")))


def test_it_says_which_measure_ranks_and_what_else_is_shown():
    tree = parse(files()["exams/participate.html"])
    after = list(tree.iter())
    scores = after[next(i for i, e in enumerate(after) if e.get("id") == "scores") :]
    chips = [e for e in scores if "measures.html#" in e.get("href", "")]
    assert len(chips) == len(exams().task.keys)
    assert text(chips[0]).startswith("HMR")
    assert text(chips[0]).endswith("ranks")
    assert "an accuracy of 0.2" in text(tree)


def test_no_run_and_no_subset_changes_it():
    """It hangs on what the task declares and on how many instances there are."""
    every, none = exams(), replace(exams(), entries=())
    address = "exams/participate.html"
    one, other = (files(Snapshot((of,), NOON))[address] for of in (every, none))
    main = [body.decode().partition("<footer>")[0] for body in (one, other)]
    cut = [body.partition('<nav class="tasknav"')[2].partition("</nav>")[2] for body in main]
    assert cut[0] == cut[1]
    assert len(cut[0]) > 2000
