"""The command line as a first user meets it: answers, exit codes, and no tracebacks."""

import ctypes
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from grader import __version__, store
from grader.cli import Folder, main

TASK = """
title = "Capitals"
primary = "hmr"
measures = ["r_o", "r_u", "ece@10", "auroc"]
"""
GOLD = "id,answer,subset\nq1,Paris,easy\nq2,Rome,easy\nq3,Canberra,hard\nq4,Ottawa,hard\n"
RUN = "id,answer,confidence\nq1,Paris,0.95\nq2,Rome,0.9\nq3,Sydney,0.7\nq4,Ottawa,0.4\n"
BAD = "id,answer,confidence\nq1,Paris,1.5\nq2,Rome,high\nzz,x,0.1\nq1,Paris,0.2\n"
HMR = 2 * 0.3 * 0.75 / (0.3 + 0.75)  # R_O = 1 − 0.7, R_U = (0.95 + 0.9 + 0.4)/3
NINE_EAST = ("--at", "2027-03-01T00:00:00+09:00")


def invoke(*args):
    return CliRunner().invoke(main, [str(a) for a in args])


def answer(*args):
    """The JSON that a command prints."""
    done = invoke(*args, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refused(*args):
    """What a command says of an operator's mistake: exit 2, on stderr alone, no traceback."""
    done = invoke(*args)
    assert done.exit_code == 2, (done.exit_code, done.output)
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 12
    return done.stderr


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with the task ``capitals``, a run and a bad run."""
    task = tmp_path / "tasks" / "capitals"
    task.mkdir(parents=True)
    (task / "task.toml").write_text(TASK, encoding="utf-8")
    (task / "gold.csv").write_text(GOLD, encoding="utf-8")
    (tmp_path / "run.csv").write_text(RUN, encoding="utf-8")
    (tmp_path / "bad.csv").write_text(BAD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRADER_DB", raising=False)
    return tmp_path


@pytest.fixture
def registered(folder, migrated_url, monkeypatch):
    """The task and a team in a database, on each of the two."""
    return begun(folder, migrated_url, monkeypatch)


@pytest.fixture
def fresh(folder, db_url, monkeypatch):
    """The same in a database that the first command made."""
    return begun(folder, db_url, monkeypatch)


def begun(folder, url, monkeypatch):
    monkeypatch.setenv("GRADER_DB", url)
    assert invoke("task", "add", "tasks/capitals").exit_code == 0
    assert invoke("team", "add", "A").exit_code == 0
    return folder


def commands(group, path=()):
    with click.Context(group) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            if isinstance(command, Folder):
                yield from commands(command, (*path, name))
            else:
                yield (*path, name)


COMMANDS = sorted(commands(main))


def test_the_commands_of_the_contract_are_there():
    assert [" ".join(c) for c in COMMANDS] == [
        "campaign add",
        "campaign list",
        "campaign show",
        "campaign update",
        "check",
        "compare",
        "conformal",
        "db upgrade",
        "demo",
        "dispute add",
        "dispute answer",
        "dispute list",
        "export",
        "gold diff",
        "gold drop",
        "gold list",
        "gold release",
        "gold replace",
        "gold restore",
        "gold verify",
        "inbox",
        "init",
        "judge agree",
        "judge import",
        "judge list",
        "judge pool",
        "judge show",
        "phase extend",
        "phase list",
        "publish",
        "rescore",
        "run amend",
        "run audit",
        "run commit",
        "run describe",
        "run download",
        "run flag",
        "run list",
        "run restore",
        "run show",
        "run withdraw",
        "score",
        "submit",
        "task add",
        "task copy",
        "task freeze",
        "task kit",
        "task list",
        "task show",
        "task update",
        "team add",
        "team alias",
        "team erase",
        "team import",
        "team list",
        "team merge",
        "team missing",
        "team rename",
        "team token",
    ]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_each_command_has_help_with_an_example(command):
    done = invoke(*command, "--help")
    assert done.exit_code == 0
    assert f"    grader {' '.join(command)}" in done.stdout


def test_the_walk_from_task_to_site(fresh):
    shown = answer("submit", "run.csv", "--task", "capitals", "--team", "A", "--name", "first")
    assert shown["status"] == "accepted"
    assert shown["run"] == "a-1"
    assert shown["scores"]["all"]["measures"]["hmr"]["value"] == round(HMR, 3)
    whole = answer("run", "show", "capitals", "a-1")["scores"]["all"]["measures"]
    assert whole["hmr"]["value"] == pytest.approx(HMR, abs=1e-12)
    # Of two instances a receipt says nothing: it would say which answers are right.
    small = shown["scores"]["subset=easy"]["measures"]
    assert {m["value"] for m in small.values()} == {None}
    assert {m["note"] for m in small.values()} == {"fewer than 5 instances: not shown"}
    mine = answer("run", "show", "capitals", "a-1")["scores"]["subset=easy"]["measures"]
    assert mine["accuracy"]["value"] == 1
    assert mine["auroc"]["value"] is None
    assert mine["auroc"]["note"] != "fewer than 5 instances: not shown"
    again = answer("submit", "run.csv", "--task", "capitals", "--team", "A", "--name", "first")
    assert (again["repeated"], again["run"], again["received"]) == (True, "a-1", shown["received"])
    listed = answer("run", "list", "capitals")
    assert [(r["run"], r["rank"], r["status"]) for r in listed] == [("a-1", 1, "accepted")]
    assert answer("run", "show", "capitals", "a-1")["sha256"] == shown["sha256"]
    assert answer("task", "list")[0]["runs"] == 1
    assert answer("task", "show", "capitals")["board"][0]["run"] == "a-1"
    at = ("--at", "2027-03-01T00:00:00Z")
    assert answer("publish", "site", *at)["written"] > 5
    assert answer("publish", "site", *at)["written"] == 0
    assert (fresh / "site" / "capitals" / "a-1.html").exists()


def test_the_same_bytes_under_another_name_are_another_run_with_a_notice(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A", "--name", "first")
    other = answer("submit", "run.csv", "--task", "capitals", "--team", "A", "--name", "second")
    assert other["run"] == "a-2"
    assert [n["code"] for n in other["notices"]] == ["same-bytes"]
    assert answer("task", "list")[0]["runs"] == 2


def test_another_team_does_not_learn_that_its_bytes_are_known(registered):
    answer("team", "add", "B")
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    other = answer("submit", "run.csv", "--task", "capitals", "--team", "B")
    assert (other["run"], other["notices"]) == ("b-1", [])


def test_a_refused_run_is_told_everything_and_stored_nowhere(registered):
    done = invoke("submit", "bad.csv", "--task", "capitals", "--team", "A", "--format", "json")
    assert done.exit_code == 1
    said = json.loads(done.stdout)
    assert (said["rejected"], said["total"]) == (True, 5)
    assert {(p["code"], p["line"]) for p in said["problems"]} == {
        ("out-of-range", 2),
        ("not-a-number", 3),
        ("unknown-id", 4),
        ("duplicate-id", 5),
        ("missing-id", None),
    }
    assert all(p["mend"] for p in said["problems"])
    assert answer("run", "list", "capitals") == []
    assert invoke("check", "bad.csv", "--task", "capitals").exit_code == 1
    text = invoke("check", "bad.csv", "--task", "tasks/capitals").stdout
    assert text.splitlines()[0] == "bad.csv: refused, 5 problems"
    assert "Canberra" not in text


def test_check_by_folder_and_by_slug_say_the_same(registered):
    by_folder = invoke("check", "run.csv", "--task", "tasks/capitals")
    by_slug = invoke("check", "run.csv", "--task", "capitals")
    assert by_folder.exit_code == 0
    assert by_folder.stdout == by_slug.stdout == "run.csv: would be accepted, 4 instances\n"
    assert answer("check", "run.csv", "--task", "capitals") == {
        "rejected": False,
        "n": 4,
        "notices": [],
    }


def test_dropping_an_instance_scores_every_run_again(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    drop = ("gold", "drop", "capitals", "q3", "--why", "two answers are right")
    [difference] = answer(*drop)["runs"]
    assert difference["before"] == pytest.approx(HMR, abs=1e-12)
    assert difference["after"] == pytest.approx(2 * 0.75 / 1.75, abs=1e-12)
    assert answer("task", "list")[0] | {"title": ""} == {
        "task": "capitals",
        "title": "",
        "primary": "hmr",
        "gold_version": 2,
        "scored": 3,
        "runs": 1,
    }
    assert "is dropped already: two answers are right" in refused(*drop)
    assert "'q9' is no id" in refused("gold", "drop", "capitals", "q9", "--why", "x")
    last = refused("gold", "drop", "capitals", "q1", "q2", "q4", "--why", "x")
    assert "no scored instance would be left" in last
    (registered / "short.csv").write_text(RUN.replace("q3,Sydney,0.7\n", ""), encoding="utf-8")
    short = answer("submit", "short.csv", "--task", "capitals", "--team", "A")
    assert short["scores"]["all"]["n"] == 3


def test_rescore_gives_the_same_again(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    assert [d["changed"] for d in answer("rescore")] == [0]
    assert [d["changed"] for d in answer("rescore", "capitals")] == [0]


def test_a_held_run_is_safe_and_rescored(registered, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("grader.grade.grade", broken)
        done = invoke("submit", "run.csv", "--task", "capitals", "--team", "A", "--format", "json")
    assert done.exit_code == 70
    held = json.loads(done.stdout)
    assert "ZeroDivisionError" in done.stderr
    assert (held["status"], held["scores"]) == ("held", None)
    assert answer("run", "list", "capitals")[0]["status"] == "held"
    answer("publish", "site")
    assert not (registered / "site" / "capitals" / "a-1.html").exists()
    assert [d["after"] for d in answer("rescore", "capitals")] == [pytest.approx(HMR)]
    assert answer("run", "list", "capitals")[0]["status"] == "accepted"


def test_task_update_takes_what_may_change_and_refuses_the_rest(registered):
    file = registered / "tasks" / "capitals" / "task.toml"
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    file.write_text(TASK.replace("Capitals", "Cities") + "precision = 1\n", encoding="utf-8")
    done = answer("task", "update", "tasks/capitals")
    assert (done["changed"], done["rescored"], done["runs"]) == (
        ["title", "precision"],
        ["precision"],
        1,
    )
    # 0.95 → 1.0 and 0.9, both half to even; 0.7; 0.4
    shown = answer("run", "show", "capitals", "a-1")["scores"]["all"]["measures"]["r_u"]["value"]
    assert shown == pytest.approx((1.0 + 0.9 + 0.4) / 3, abs=1e-12)
    file.write_text(TASK + 'answers = "normalised"\nmissing = "worst"\n', encoding="utf-8")
    said = refused("task", "update", "tasks/capitals")
    assert "answers, missing of 'capitals' may not change" in said
    file.write_text(TASK, encoding="utf-8")
    gold = file.with_name("gold.csv")
    gold.write_text(GOLD.replace("Rome", "Roma"), encoding="utf-8")
    assert "the gold of 'capitals' may not change" in refused("task", "update", "tasks/capitals")


def test_before_the_first_run_everything_may_change(registered):
    file = registered / "tasks" / "capitals" / "task.toml"
    file.write_text(TASK + 'answers = "normalised"\n', encoding="utf-8")
    file.with_name("gold.csv").write_text(GOLD.replace("Rome", "ROME"), encoding="utf-8")
    done = answer("task", "update", "tasks/capitals")
    assert (done["changed"], done["gold_version"]) == (["answers"], 2)
    shown = answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    assert shown["scores"]["all"]["measures"]["accuracy"]["value"] == 0.75


def test_a_withdrawn_run_leaves_the_board_and_the_site(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    assert invoke("run", "withdraw", "capitals", "a-1", "--why", "wrong file").exit_code == 0
    [row] = answer("run", "list", "capitals")
    assert (row["rank"], row["why"]) == (None, "withdrawn: wrong file")
    answer("publish", "site")
    made = registered / "site" / "capitals"
    page = (made / "index.html").read_text(encoding="utf-8")
    assert "wrong file" in page
    assert "0.429" not in page
    assert not list(made.glob("a-1*"))


def test_download_gives_the_bytes_back_and_overwrites_nothing(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    assert invoke("run", "download", "capitals", "a-1").exit_code == 0
    assert (registered / "a-1.csv").read_bytes() == RUN.encode()
    assert "exists already" in refused("run", "download", "capitals", "a-1")


def test_export_writes_every_score(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    rows = json.loads(invoke("export", "capitals", "--format", "json").stdout)["scores"]
    assert len(rows) == 7 * 3
    assert [r["value"] for r in rows if (r["measure"], r["subset"]) == ("hmr", "all")] == [
        pytest.approx(HMR, abs=1e-12)
    ]
    assert invoke("export", "capitals", "--format", "csv", "--out", "x.csv").exit_code == 0
    assert (registered / "x.csv").read_text(encoding="utf-8").count("\n") == 1 + 7 * 3


def test_unknown_things_are_named_with_what_there_is(registered):
    submit = ("submit", "run.csv", "--team", "A", "--task")
    assert "capitals" in refused(*submit, "capital")
    team = refused("submit", "run.csv", "--task", "capitals", "--team", "Aa")
    assert "'Aa'" in team
    assert "grader team" in team
    assert "grader task update" in refused("task", "add", "tasks/capitals")
    assert "'A'" in refused("team", "add", "a ")
    assert "grader run list" in refused("run", "show", "capitals", "a-9")
    assert "Did you mean 'publish'" in refused("publis")


@pytest.mark.parametrize("name", ["A\0B", "", " ", "x" * 300, "a\nb"])
def test_impossible_names_are_refused_alike_on_both_databases(registered, name):
    assert "name" in refused("team", "add", name)
    refused("submit", "run.csv", "--task", "capitals", "--team", "A", "--name", name)
    assert answer("run", "list", "capitals") == []


def test_a_token_is_shown_once_and_not_stored(registered, migrated_url):
    token = answer("team", "add", "B")["token"]
    other = answer("team", "token", "B")["token"]
    assert token != other
    if migrated_url.startswith("sqlite"):
        stored = Path(migrated_url.removeprefix("sqlite:///")).read_bytes()
        assert token.encode() not in stored
        assert other.encode() not in stored


def test_score_and_check_without_a_task_file(folder):
    shown = answer(
        "score", "run.csv", "--gold", "tasks/capitals/gold.csv", "--measures", "hmr,ece@10"
    )
    assert (shown["n"], shown["run"], shown["gold"]) == (4, "run.csv", "tasks/capitals/gold.csv")
    assert set(shown["subsets"]) == {"all", "subset=easy", "subset=hard"}
    hmr = shown["subsets"]["all"]["measures"]["hmr"]
    assert hmr["value"] == pytest.approx(HMR, abs=1e-12)
    assert set(hmr) >= {"value", "low", "high", "note", "details", "signature"}
    assert not (folder / "grader.db").exists()
    assert invoke("score", "bad.csv", "--gold", "tasks/capitals/gold.csv").exit_code == 1
    said = refused("score", "run.csv", "--gold", "tasks/capitals/gold.csv", "--measures", "hmrr")
    assert "did you mean 'hmr'" in said
    assert "gold" in refused("score", "run.csv")
    both = ("--task", "tasks/capitals", "--answers", "exact")
    assert "exclude" in refused("check", "run.csv", *both)


def test_measures_and_draws_may_be_others_than_the_tasks(folder):
    """What is right stays the task's word; what is computed of it need not."""
    args = ("score", "run.csv", "--task", "tasks/capitals")
    found = answer(*args, "--measures", "auroc,br", "--resamples", "0")["subsets"]["all"]
    assert list(found["measures"]) == ["hmr", "accuracy", "brier", "auroc", "br"]
    assert found["measures"]["brier"]["low"] is None
    assert "|resamples:0|" in found["measures"]["hmr"]["signature"]
    again = answer(*args, "--primary", "r_u", "--seed", "7")["subsets"]["all"]["measures"]
    assert next(iter(again)) == "r_u"
    assert "|seed:7|" in again["r_u"]["signature"]
    assert "did you mean 'hmr'" in refused(*args, "--measures", "hmrr")
    assert "resampling.seed" in refused(*args, "--seed", "x")
    for key in ("labels", "missing", "subsets"):
        assert f"--{key} and --task exclude" in refused(*args, f"--{key}", "worst")


def test_score_says_each_interval_or_why_there_is_none(folder):
    """18 of 24 right at equal confidence: HMR needs more wrong ones, accuracy needs none.

    Its ends are (.75 + z²/48 ± z·√(.75·.25/24 + z²/48²)) / (1 + z²/24) with z = 1.96.
    """
    lines = [f"q{i},{'x' if i < 18 else 'y'}" for i in range(24)]
    (folder / "gold.csv").write_text("\n".join(["id,answer", *lines]), encoding="utf-8")
    runs = [f"q{i},x,0.7" for i in range(24)]
    (folder / "run.csv").write_text("\n".join(["id,answer,confidence", *runs]), encoding="utf-8")
    args = ("score", "run.csv", "--gold", "gold.csv", "--measures", "hmr,r_u,confidence")
    found = answer(*args)["subsets"]["all"]["measures"]["accuracy"]
    said = invoke(*args).stdout.splitlines()
    assert f"accuracy 95% interval\t{found['low']:.6f} to {found['high']:.6f}" in said
    assert (found["low"], found["high"]) == pytest.approx((0.5510, 0.8800), abs=5e-5)
    few = "18 right and 6 wrong answers; 10 of each are needed"
    assert f"no 95% interval for hmr, brier, r_u on all: {few}" in said
    assert not any(line.startswith("hmr 95%") for line in said)


def test_a_floor_whose_mean_is_above_its_95_percent_is_explained(folder):
    """Two answers at 0.99: right both with 0.9801, ECE 0.01; else far off, seldom. The mean is
    0.9801·0.01 + 0.0198·0.49 + 0.0001·0.99 = 0.019602."""
    (folder / "gold.csv").write_text("id,answer\na,x\nb,x\n", encoding="utf-8")
    (folder / "run.csv").write_text("id,answer,confidence\na,x,0.99\nb,x,0.99\n", encoding="utf-8")
    said = invoke("score", "run.csv", "--gold", "gold.csv", "--measures", "hmr,ece@10").stdout
    assert "ece@10 floor mean\t0.019602\nece@10 floor 95%\t0.010000\n" in said
    assert "the floor of ece@10 has a mean above its 95% on all: noise seldom gives" in said


def test_interval_runs_and_rejection_labels_without_a_task_file(folder):
    """Widths 3 and 1; the second misses by 3, at 2/(1 − 0.8) a unit."""
    (folder / "gold.csv").write_text("id,answer\na,3\nb,5\n", encoding="utf-8")
    (folder / "ends.csv").write_text("id,lower,upper\na,1,4\nb,1,2\n", encoding="utf-8")
    stated = ("--gold", "gold.csv", "--kind", "interval", "--level", "0.8")
    found = answer("score", "ends.csv", *stated)["subsets"]["all"]["measures"]
    assert found["coverage"]["value"] == 0.5
    assert found["iscore"]["value"] == pytest.approx((3 + (1 + 3 * 2 / 0.2)) / 2, abs=1e-12)
    assert "interval 0.8" in found["iscore"]["signature"]
    bare = invoke("score", "ends.csv", "--gold", "gold.csv")
    assert (bare.exit_code, "mean --kind interval?" in bare.stderr) == (1, True)
    assert answer("check", "ends.csv", *stated) == {"rejected": False, "n": 2, "notices": []}
    assert "--kind interval" in refused("check", "run.csv", *stated[:2], "--level", "0.8")
    for wrong in ("high", "1e400", "1"):
        assert "interval.level: is" in refused("score", "ends.csv", *stated[:4], "--level", wrong)
    assert 'kind: is "intervals"' in refused(
        "score", "ends.csv", *stated[:2], "--kind", "intervals"
    ).replace("'", '"')
    known = ("--gold", "tasks/capitals/gold.csv", "--reject", "Rome")
    assert answer("score", "run.csv", *known)["n"] == 4
    assert "not among labels" in refused("check", "run.csv", *known, "--labels", "Paris,Oslo")


def test_the_command_on_a_run_page_gives_its_numbers_again(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    answer("gold", "drop", "capitals", "q3", "--why", "two answers are right")
    answer("publish", "site")
    page = (registered / "site" / "capitals" / "a-1.html").read_text(encoding="utf-8")
    command = re.search("<code>grader (score .*)</code>", page)[1]
    (registered / "capitals").symlink_to("tasks/capitals")
    again = json.loads(invoke(*shlex.split(unescape(command))).stdout)["subsets"]
    shown = answer("run", "show", "capitals", "a-1")["scores"]

    def values(subsets):
        return {
            (subset, key): found["value"]
            for subset, part in subsets.items()
            for key, found in part["measures"].items()
        }

    assert values(again) == values(shown)
    assert values(again)["all", "hmr"] == pytest.approx(2 * 0.75 / 1.75, abs=1e-12)


def test_unreadable_files_are_said_plainly(folder):
    (folder / "tasks" / "capitals" / "task.toml").write_text("title = ", encoding="utf-8")
    assert "not valid TOML" in refused("task", "add", "tasks/capitals")
    assert "cannot be read" in refused("task", "add", "tasks/nothing")
    (folder / "tasks" / "capitals" / "task.toml").write_text(TASK, encoding="utf-8")
    (folder / "tasks" / "capitals" / "gold.csv").write_text(
        GOLD + "q1,Lyon,easy\n,Nice,easy\n", encoding="utf-8"
    )
    said = refused("task", "add", "tasks/capitals")
    assert "gold.csv:6: duplicate-id: 'q1' is already on line 2" in said
    assert "gold.csv:7: empty-id" in said
    assert "there is no database" in refused("task", "list")


def test_at_must_say_its_offset(folder):
    said = refused("team", "add", "A", "--at", "2027-01-01T00:00:00")
    assert "2026-11-29T12:00:00Z" in said


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A demo made in a folder of its own, under a name that an address must not be read into."""
    name = "a b?%41"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("demo"))
        patch.delenv("GRADER_DB", raising=False)
        assert invoke("demo", "--out", name, *NINE_EAST).exit_code == 0
        return Path(name).resolve()


def test_a_full_walk_at_fixed_instants_gives_the_same_pages(demo, folder):
    assert invoke("demo", "--out", "two", *NINE_EAST).exit_code == 0

    def pages(out):
        site = out / "site"
        return {f.relative_to(site): f.read_bytes() for f in site.rglob("*") if f.is_file()}

    assert pages(demo) == pages(folder / "two")
    assert len(pages(demo)) > 20
    board = pages(demo)[Path("digits/index.html")].decode()
    assert "2027-02-28 15:00" in board


def test_a_demo_stands_in_its_folder_whatever_that_is_called(demo):
    assert (demo / "grader.db").exists()
    assert [p.name for p in demo.parent.iterdir()] == [demo.name]


def test_the_demo_leaves_other_peoples_folders_alone(folder):
    assert "not a demo" in refused("demo", "--out", ".")


def test_what_init_writes_describes_no_task_before_somebody_does(folder):
    assert invoke("init", "new").exit_code == 0
    made = tomllib.loads((folder / "tasks/new/task.toml").read_text())
    assert "description" not in made
    assert made["title"] == "new"


def test_init_overwrites_nothing(folder):
    assert invoke("init", "new").exit_code == 0
    assert "exists already" in refused("init", "new")
    assert "address" in refused("init", "Ünfit")
    sample = "tasks/new/sample-run.csv"
    assert invoke("check", sample, "--task", "tasks/new").exit_code == 0


def test_a_bug_is_called_a_bug(folder, monkeypatch):
    monkeypatch.setattr("grader.tasks.load", lambda _: 1 / 0)
    done = invoke("task", "add", "tasks/capitals")
    assert done.exit_code == 70
    assert "this is a bug in grader" in done.stderr


def test_an_interruption_is_130(folder, monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("grader.tasks.load", interrupted)
    assert invoke("task", "add", "tasks/capitals").exit_code == 130


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="/dev/full and prctl are Linux's")


def humble():
    """Let file permissions bind root too: drop the capabilities that override them."""
    for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


def tool(*command):
    env = {k: v for k, v in os.environ.items() if k != "GRADER_DB"}
    found = shutil.which("grader", path=Path(sys.executable).parent)
    return subprocess.run(
        [found, *command],
        env=env,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=humble if os.getuid() == 0 else None,
    )


@LINUX
@pytest.mark.parametrize(
    "command", [("task", "add", "tasks/capitals"), ("demo",), ("init", "x")], ids=" ".join
)
def test_a_folder_that_cannot_be_written(folder, command):
    folder.chmod(0o555)
    (folder / "tasks").chmod(0o555)
    try:
        done = tool(*command)
    finally:
        folder.chmod(0o755)
        (folder / "tasks").chmod(0o755)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@LINUX
def test_publishing_from_and_into_what_is_read_only(folder):
    assert invoke("task", "add", "tasks/capitals").exit_code == 0
    (folder / "site").mkdir()
    (folder / "site").chmod(0o555)
    (folder / "grader.db").chmod(0o444)
    try:
        into = tool("publish", "site")
        read = tool("task", "list")
        write = tool("team", "add", "A")
    finally:
        (folder / "site").chmod(0o755)
    assert (into.returncode, read.returncode, write.returncode) == (2, 0, 2), into.stderr
    assert "capitals" in read.stdout
    assert "Traceback" not in into.stderr + write.stderr


def test_the_version():
    assert tool("--version").stdout.strip().endswith(__version__)


def test_a_pipe_that_nobody_reads_to_the_end(demo):
    found = shutil.which("grader", path=Path(sys.executable).parent)
    export = f"{found} export digits --format json --db sqlite:///grader.db"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {export} | head -1"],
        cwd=demo,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("{\n", "")


def test_reading_makes_no_database_and_names_the_one_it_looked_for(folder):
    assert "grader.db" in refused("run", "list", "capitals")
    assert "grader.db" in refused("publish", "site")
    assert not (folder / "grader.db").exists()
    (folder / "note.txt").write_text("x", encoding="utf-8")
    assert "not a database" in refused("team", "add", "A", "--db", "sqlite:///note.txt")
    assert (folder / "note.txt").read_text(encoding="utf-8") == "x"


def test_a_site_of_another_database_is_not_published_over(registered):
    answer("publish", "site")
    assert invoke("team", "add", "B", "--db", "sqlite:///other.db").exit_code == 0
    said = refused("publish", "site", "--db", "sqlite:///other.db")
    assert "tasks that this database does not have: capitals" in said
    assert (registered / "site" / "capitals" / "index.html").exists()


def test_publishing_again_without_a_change_writes_nothing(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    answer("publish", "site", "--at", "2027-03-01T00:00:00Z")
    assert answer("publish", "site", "--at", "2027-03-02T00:00:00Z")["written"] == 0


def test_a_reason_needs_words_and_stands(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    assert "needs words" in refused("gold", "drop", "capitals", "q3", "--why", " ")
    assert invoke("run", "withdraw", "capitals", "a-1", "--why", "wrong file").exit_code == 0
    again = refused("run", "withdraw", "capitals", "a-1", "--why", "other")
    assert "withdrawn already: wrong file" in again


def test_a_receipt_says_what_became_of_a_run_that_is_there_already(registered):
    first = ("submit", "run.csv", "--task", "capitals", "--team", " a")
    assert answer(*first)["team"] == "A"
    flagged = answer(*first, "--flag", "primary")
    assert [n["code"] for n in flagged["notices"]] == ["flags"]
    invoke("run", "withdraw", "capitals", "a-1", "--why", "wrong file")
    again = answer(*first)
    assert (again["repeated"], [n["code"] for n in again["notices"]]) == (True, ["withdrawn"])
    assert "wrong file" in again["notices"][0]["message"]


def test_export_overwrites_only_when_told(registered):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    export = ("export", "capitals", "--format", "csv", "--out", "run.csv")
    assert "exists already" in refused(*export)
    assert (registered / "run.csv").read_text(encoding="utf-8") == RUN
    assert invoke(*export, "--force").exit_code == 0


def test_a_table_goes_on_below_where_the_terminal_is_narrow(folder, monkeypatch, capsys):
    from grader.cli import _say  # noqa: PLC0415, the terminal is made up first

    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    _say.table("", ["run", "a" * 12, "b" * 12, "c" * 12], [["trees-1", "0.123", "0.456", "0.789"]])
    printed = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(map(len, printed.splitlines())) <= 40
    assert printed.count("trees-1") == 2
    assert all(number in printed for number in ("0.123", "0.456", "0.789"))


def test_a_withdrawn_or_held_run_that_a_rule_refuses_blocks_nothing(registered, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    with monkeypatch.context() as patch:
        patch.setattr("grader.grade.grade", broken)
        assert invoke("submit", "bad.csv", "--task", "capitals", "--team", "A").exit_code == 70
    assert [d["run"] for d in answer("rescore", "capitals") if d["after"] is not None] == ["a-1"]
    answer("gold", "drop", "capitals", "q3", "--why", "two answers are right")
    assert [r["status"] for r in answer("run", "list", "capitals")] == ["accepted", "held"]


def test_a_held_run_on_which_the_scorer_still_breaks_blocks_nothing(registered, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("grader.grade.grade", broken)
    monkeypatch.setattr("grader.workers.grade", broken)
    invoke("submit", "run.csv", "--task", "capitals", "--team", "A")
    assert answer("gold", "drop", "capitals", "q3", "--why", "bad")["gold"]["version"] == 2
    assert answer("run", "list", "capitals")[0]["status"] == "held"


def test_a_publish_takes_its_snapshot_while_it_alone_has_the_folder(registered, monkeypatch):
    """A withdrawal during a publish is either in it, or in the next: never undone by it."""
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")
    order = []
    publishing = sys.modules["grader.publishing.writer"]
    alone, snapshot = publishing._alone, store.snapshot  # noqa: SLF001

    @contextmanager
    def noted(out):
        with alone(out):
            order.append("alone")
            yield

    def read(*args):
        order.append("snapshot")
        return snapshot(*args)

    monkeypatch.setattr(publishing, "_alone", noted)
    monkeypatch.setattr(store, "snapshot", read)
    answer("publish", "site")
    assert order == ["alone", "snapshot"]


def test_what_was_dropped_stays_dropped_when_the_gold_is_taken_over_again(registered):
    answer("gold", "drop", "capitals", "q1", "--why", "bad")
    gold = registered / "tasks" / "capitals" / "gold.csv"
    gold.write_text(GOLD.replace("Rome", "Roma"), encoding="utf-8")
    assert answer("task", "update", "tasks/capitals")["gold_version"] == 3
    assert answer("task", "list")[0]["scored"] == 3


@pytest.mark.parametrize(
    "given",
    [
        ("check", "run.csv", "--task", "a" * 300),
        ("task", "list", "--db", f"sqlite:///{'a' * 300}"),
        ("task", "list", "--db", "sqlite:///a?b"),
        ("task", "show", "\udcff"),
        ("run", "show", "capitals", "\udcff"),
        ("team", "add", "X", "--at", "0001-01-01T00:00:00+23:00"),
        ("team", "add", "X", "--at", "9999-12-31T23:59:59-23:00"),
        ("score", "run.csv", "--gold", "run.csv", "--precision", "9" * 5000),
        ("init", "../x"),
        ("gold", "drop", "capitals", "q1", "--why", "a\x1b[2J"),
    ],
    ids=lambda given: " ".join(given)[:40].encode("ascii", "replace").decode(),
)
def test_impossible_arguments_are_the_operators_mistake(registered, given):
    refused(*given)


@LINUX
def test_files_are_read_within_their_limit(folder):
    (folder / "huge.csv").touch()
    os.truncate(folder / "huge.csv", 3 * 2**30)
    done = tool("check", "huge.csv", "--task", "tasks/capitals")
    assert (done.returncode, "too-large" in done.stdout) == (1, True)
    assert tool("check", "/dev/zero", "--task", "tasks/capitals").returncode == 1


@LINUX
def test_an_answer_that_cannot_be_printed_is_no_bug(folder):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [shutil.which("grader", path=Path(sys.executable).parent), "team", "add", "X"],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "could not be printed" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_write_that_fails_leaves_nothing_behind(registered, monkeypatch):
    answer("submit", "run.csv", "--task", "capitals", "--team", "A")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    assert "No space left" in refused("run", "download", "capitals", "a-1", "--out", "x.csv")
    assert not [p for p in registered.iterdir() if "x.csv" in p.name]
