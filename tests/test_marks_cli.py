"""Flags, withdrawals, promises, descriptions, aliases, phases and the audit, as commands."""

import hashlib
import json
import re

import pytest
from click.testing import CliRunner

from grader import store
from grader.cli import main

TASK = """
title = "Capitals"
primary = "accuracy"
measures = ["hmr"]
[resampling]
resamples = 0
"""
DRY, END = "2031-05-01T00:00:00Z", "2031-06-01T00:00:00Z"
PHASES = f"""
[[phase]]
name = "dry run"
opens = "2031-04-01T00:00:00Z"
closes = "{DRY}"
[[phase]]
name = "formal"
opens = "{DRY}"
closes = "2031-05-31 AoE"
runs = 5
per_day = 3
grace = 90
late = "unofficial"
visible = "own"
reveal = "2031-06-10T12:00:00+02:00"
"""
CLOSES = "2031-06-01T12:00:00Z"  # the last day of May is over where it ends last
NOON, BEFORE = "2031-05-10T12:00:00Z", "2031-04-10T12:00:00Z"
IDS = [f"q{i}" for i in range(60)]
GOLD = "id,answer\n" + "".join(f"{i},yes\n" for i in IDS)
AT = ("--at", NOON)


def run(right=30, sure=lambda i: f"0.{70 - i}", said="no"):
    rows = (f"{n},{'yes' if i < right else said},{sure(i)}\n" for i, n in enumerate(IDS))
    return "id,answer,confidence\n" + "".join(rows)


def invoke(*args):
    return CliRunner().invoke(main, [str(a) for a in args])


def text(*args):
    done = invoke(*args)
    assert done.exit_code == 0, done.output
    return done.stdout


def answer(*args):
    return json.loads(text(*args, "--format", "json"))


def refused(*args):
    """What a command says of an operator's mistake: exit 2, on stderr alone, no traceback."""
    done = invoke(*args)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def folder(tmp_path, migrated_url, monkeypatch):
    """The task ``capitals`` with two phases and two teams, on each of the two databases."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADER_DB", migrated_url)
    task = tmp_path / "capitals"
    task.mkdir()
    (task / "task.toml").write_text(TASK + PHASES, encoding="utf-8")
    (task / "gold.csv").write_text(GOLD, encoding="utf-8")
    text("task", "add", "capitals", "--at", BEFORE)
    for team in ("Ants", "Bees"):
        text("team", "add", team, "--at", BEFORE)
    return tmp_path


def sent(folder, body=None, at=NOON, team="Ants", name="one", *more):
    file = folder / "run.csv"
    file.write_text(body or run(), encoding="utf-8")
    return answer(
        *("submit", file, "--task", "capitals", "--team", team, "--name", name, "--at", at), *more
    )["run"]


def shown(name):
    return answer("run", "show", "capitals", name, *AT)


def listed():
    return {r["run"]: r for r in answer("run", "list", "capitals", *AT)}


# --- flags


def test_the_primary_flag_moves_within_a_team_and_a_phase(folder):
    dry = sent(folder, at=BEFORE)
    one, two = sent(folder), sent(folder, name="two")
    other = sent(folder, team="Bees")
    flag = ("run", "flag", "capitals")
    for name in (dry, one, other):
        done = answer(*flag, name, "primary", "--why", "their mail", *AT)
        assert done == {"run": name, "flags": {"primary": "their mail"}, "instead_of": []}
    assert text(*flag, two, "primary", "--why", "a later mail", *AT) == (
        "ants-3 is primary instead of ants-2; publish again to show it\n"
    )
    flags = {name: r["flags"] for name, r in listed().items()}
    assert flags == {
        dry: {"primary": "their mail"},
        one: {},
        two: {"primary": "a later mail"},
        other: {"primary": "their mail"},
    }
    assert f"{two} is primary (a later mail)" in text("run", "list", "capitals")
    # Runs of different phases are not ranked together.
    assert [(r["phase"], r["rank"]) for r in listed().values()] == [
        ("dry run", 1),
        ("formal", 1),
        ("formal", 1),
        ("formal", 1),
    ]


def test_a_run_is_primary_or_contrastive_and_a_flag_comes_off(folder, migrated_url):
    name = sent(folder, None, NOON, "Ants", "one", "--flag", "contrastive")
    flag = ("run", "flag", "capitals", name)
    done = answer(*flag, "primary", "--why", "a mail", *AT)
    assert done["flags"] == {"primary": "a mail"}
    answer(*flag, "baseline", "--why", "ours", *AT)
    done = answer(*flag, "contrastive", "--why", "no, this", *AT)
    assert done["flags"] == {"contrastive": "no, this", "baseline": "ours"}
    assert (shown(name)["rank"], shown(name)["why"]) == (None, "a baseline")
    off = (*flag, "baseline", "--remove", "--why", "theirs", *AT)
    assert text(*off) == "ants-1 is no longer baseline; publish again to show it\n"
    assert shown(name)["rank"] == 1
    assert "is not baseline" in refused(*off)
    again = refused(*flag, "contrastive", "--why", "again", *AT)
    assert "is contrastive already" in again
    assert "grader run show capitals ants-1" in again
    with store.reading(store.existing(migrated_url)) as db:
        logged = [event.what for event in store.history(db, "capitals")]
    assert logged == [
        "run flag: ants-1 primary instead of contrastive",
        "run flag: ants-1 baseline",
        "run flag: ants-1 contrastive instead of primary",
        "run flag: ants-1 no longer baseline",
    ]


WRONG = [
    (("flag", "capitals", "ants-1", "late", "--why", "x"), "'late' is not one of"),
    (("flag", "capitals", "ants-1", "primary"), "Missing option '--why'"),
    (("flag", "capitals", "ants-1", "primary", "--why", " "), "needs words"),
    (("flag", "capitals", "ants-9", "primary", "--why", "x"), "there is no run 'ants-9'"),
    (("flag", "capital", "ants-1", "primary", "--why", "x"), "did you mean 'capitals'"),
    (("flag", "capitals", "ants-1", "primary", "--why", "x\0y"), "U+0000"),
    (("flag", "capitals", "ants-1", "primary", "--why", "x" * 1001), "1000 are allowed"),
    (("withdraw", "capitals", "ants-1", "--why", "x\0y"), "U+0000"),
    (("restore", "capitals", "ants-1", "--why", "x"), "is not withdrawn"),
    (("restore", "capitals", "ants-9", "--why", "x"), "there is no run 'ants-9'"),
    (("describe", "capitals", "ants-1"), "or else --clear"),
    (("describe", "capitals", "ants-1", "--clear", "--text", "x"), "or else --clear"),
    (("describe", "capitals", "ants-9", "--text", "x"), "there is no run 'ants-9'"),
    (("commit", "capitals", "--team", "Ants"), "one of the two"),
    (("commit", "capitals", "--team", "Ants", "--sha256", "abc"), "'abc' is no SHA-256"),
    (("commit", "capitals", "--team", "Wasps", "--sha256", "ab" * 32), "no team 'Wasps'"),
    (("commit", "capitals", "no.csv", "--team", "Ants"), "does not exist"),
    (("audit", "capital"), "did you mean 'capitals'"),
]


def test_wrong_uses_are_said_plainly_and_change_nothing(folder):
    sent(folder)
    before = shown("ants-1")
    said = {
        given: " ".join(refused("run", *given).replace("│", " ").split()) for given, _ in WRONG
    }
    assert [(given, said[given]) for given, why in WRONG if why not in said[given]] == []
    assert shown("ants-1") == before


# --- withdrawn and back


def test_a_withdrawn_run_comes_back_with_its_rank(folder):
    name = sent(folder)
    withdraw = ("run", "withdraw", "capitals", name, "--why", "wrong file", *AT)
    assert answer(*withdraw) == {"run": name, "withdrawn": True}
    assert (listed()[name]["rank"], listed()[name]["why"]) == (None, "withdrawn: wrong file")
    page = text("run", "show", "capitals", name)
    assert re.search("^board +not ranked: withdrawn: wrong file$", page, re.MULTILINE)
    assert re.search("^phase +formal$", page, re.MULTILINE)
    restore = ("run", "restore", "capitals", name, "--why", "right after all", *AT)
    assert text(*restore) == "ants-1 is restored; publish again to show it\n"
    assert (listed()[name]["rank"], listed()[name]["flags"]) == (1, {})
    assert re.search("^board +rank 1$", text("run", "show", "capitals", name), re.MULTILINE)
    assert answer(*withdraw)["withdrawn"]
    assert answer(*restore) == {"run": name, "withdrawn": False}


# --- promises


def test_a_promised_file_is_in_time_within_the_grace(folder):
    body = run(right=40)
    (folder / "late.csv").write_text(body, encoding="utf-8")
    digest = hashlib.sha256(body.encode()).hexdigest()
    commit = ("run", "commit", "capitals", "late.csv", "--team", " ants")
    assert answer(*commit, *AT) == {
        "team": "Ants",
        "sha256": digest,
        "phase": "formal",
        "in_time_before": "2031-06-01T13:30:00+00:00",
    }
    other = "AB" * 32
    said = text("run", "commit", "capitals", "--sha256", other, "--team", "Ants", *AT)
    assert f"sha256   {other.lower()}" in said
    assert "before 2031-06-01 13:30:00 UTC (2031-06-01 01:30:00 AoE)" in said
    for at, why, mend in (
        (CLOSES, "no phase of 'capitals' is open", "submit RUN --task capitals --team Ants"),
        (BEFORE, "has no grace", "submit RUN --task capitals --team Ants"),
        ("2031-03-01T00:00:00Z", "opens at 2031-04-01", "phase list capitals"),
    ):
        told = refused(*commit, "--at", at)
        assert why in told
        assert f"grader {mend}" in told
    name = sent(folder, body, "2031-06-01T13:29:59Z")
    assert (listed()[name]["flags"], listed()[name]["rank"]) == ({}, 1)
    late = sent(folder, run(), "2031-06-01T13:29:59Z", name="two")
    assert listed()[late]["why"] == "received after the close"


def test_a_task_without_phases_needs_no_promise(folder):
    (folder / "capitals" / "task.toml").write_text(TASK, encoding="utf-8")
    answer("task", "update", "capitals")
    said = refused("run", "commit", "capitals", "--sha256", "ab" * 32, "--team", "Ants")
    assert "no phase of 'capitals' is open: nothing needs to be promised" in said
    assert text("phase", "list", "capitals") == (
        "capitals has no phases: runs are taken at any time\n"
        "reveals  all of the labels' 60 bits in time: 9 numbers of each of any number of runs\n"
        "warning: whoever sends enough runs learns the labels. A [[phase]] with runs = N limits\n"
        "them; the task.toml that grader init writes has its other keys\n"
    )
    assert answer("phase", "list", "capitals") == []


# --- what a team says of a run

LONG = "é" * 10_000


def test_a_description_is_kept_shown_and_taken_off(folder):
    name = sent(folder)
    given = (
        *("--text", LONG, "--link", " https://a.example/x?y=1#z ", "--link", "http://b.example"),
        *("--resource", "WordNet 3.1", "--resource", "100 GPU hours"),
    )
    about = {
        "text": LONG,
        "links": ["https://a.example/x?y=1#z", "http://b.example"],
        "resources": ["WordNet 3.1", "100 GPU hours"],
    }
    describe = ("run", "describe", "capitals", name)
    assert answer(*describe, *given, *AT) == {"run": name, "about": about}
    assert shown(name)["about"] == listed()[name]["about"] == about
    page = text("run", "show", "capitals", name)
    assert "https://a.example/x?y=1#z, http://b.example" in page
    assert "WordNet 3.1; 100 GPU hours" in page
    said = text(*describe, "--text", "two\nlines", *AT)
    assert said == "ants-1 is described; publish again to show it\n"
    none = {"text": None, "links": [], "resources": []}
    assert shown(name)["about"] == none | {"text": "two\nlines"}
    assert answer(*describe, "--clear", *AT)["about"] == none
    assert shown(name)["about"] == none


UNSAYABLE = [
    ("--text", "best\0run", "the description holds a NUL"),
    ("--text", "half \udcff", "half a character"),
    ("--text", "x" * 10_001, "the description has 10001 characters, and 10000 are allowed"),
    ("--link", "javascript:alert(1)", "is no link"),
    ("--link", "JavaScript://example/%0aalert(1)", "is no link"),
    ("--link", "data:text/html,x", "is no link"),
    ("--link", "//a.example", "is no link"),
    ("--link", "a.example", "is no link"),
    ("--link", "https://", "is no link"),
    ("--link", "https://[x", "is no link"),
    ("--link", 'https://a.example/" onclick="x', "is no link"),
    ("--link", "https://a.example/\nX: 1", "U+000A"),
    ("--link", "https://a.example/\0", "U+0000"),
    ("--link", "https://a.example/" + "x" * 2000, "2000 are allowed"),
    ("--link", " ", "the link is empty"),
    ("--resource", "a\0b", "U+0000"),
    ("--resource", "x" * 2001, "2000 are allowed"),
    ("--resource", "", "the resource is empty"),
]


def test_what_cannot_be_said_of_a_run_is_refused_alike_on_both_databases(folder):
    name = sent(folder)
    describe = ("run", "describe", "capitals", name)
    answer(*describe, "--text", "before", *AT)
    said = [(refused(*describe, option, given, *AT), why) for option, given, why in UNSAYABLE]
    assert [(told, why) for told, why in said if why not in told] == []
    assert shown(name)["about"]["text"] == "before"
    links = [part for i in range(51) for part in ("--link", f"https://a.example/{i}")]
    assert "at most 50 links" in refused(*describe, *links, *AT)
    assert len(answer(*describe, *links[:100], *AT)["about"]["links"]) == 50


# --- the log


def test_what_was_done_is_read_in_the_log_of_the_task_and_of_the_run(folder):
    one, two = sent(folder), sent(folder, run(right=20), name="two")
    assert answer("task", "show", "capitals")["log"] == shown(one)["log"] == []
    assert "logged" not in text("run", "show", "capitals", one)
    by = ("capitals", one)
    answer("run", "withdraw", *by, "--why", "a wrong file", *AT)
    answer("run", "restore", *by, "--why", "the right one", "--at", "2031-05-10T13:00:00+01:00")
    answer("run", "flag", "capitals", two, "primary", "--why", "a mail", *AT)
    answer("run", "flag", *by, "primary", "--why", "another mail", *AT)
    answer("run", "describe", *by, "--text", "x", "--resource", "y", *AT)
    answer("run", "describe", *by, "--clear", *AT)
    commit = ("run", "commit", "capitals", "--sha256", "AB" * 32, "--team", "ants", *AT)
    answer(*commit)
    answer(*commit)  # twice is once
    at = "2031-05-10T12:00:00+00:00"
    log = [
        ("run withdraw: ants-1", "a wrong file"),
        ("run restore: ants-1", "the right one"),
        ("run flag: ants-2 primary", "a mail"),
        ("run flag: ants-1 primary instead of ants-2", "another mail"),
        ("run describe: ants-1 text, resources", ""),
        ("run describe: ants-1 no longer", ""),
        (f"run commit: {'ab' * 32} of Ants", ""),
    ]
    lines = [{"at": at, "what": what, "why": why, "who": "organiser"} for what, why in log]
    task = answer("task", "show", "capitals")
    assert task["log"] == lines
    assert [p["opens"] for p in task["task"]["phases"]] == [
        "2031-04-01T00:00:00+00:00",
        "2031-05-01T00:00:00+00:00",
    ]
    assert shown(one)["log"] == [*lines[:2], *lines[3:6]]
    assert shown(two)["log"] == lines[2:4]
    said = text("run", "show", "capitals", one)
    line = "2031-05-10 12:00:00 UTC\trun withdraw: ants-1\ta wrong file\torganiser\n"
    assert line in said
    assert line in text("task", "show", "capitals")
    for i in range(4):
        answer("run", "describe", *by, "--text", str(i), *AT)
    said = text("task", "show", "capitals")
    assert "1 older lines of the log: --format json\nlogged\twhat\twhy\twho\n" in said
    assert line not in said
    assert said.count("\torganiser\n") == 10


# --- aliases


def test_an_alias_names_its_team_everywhere(folder):
    assert answer("team", "alias", "ants", "ANT", *AT) == {"team": "Ants", "aliases": ["ANT"]}
    assert text("team", "alias", "ANT", "Team 4", *AT) == "Ants is also ANT, Team 4\n"
    assert sent(folder, team="ant") == "ants-1"
    listed_ = {t["team"]: t["aliases"] for t in answer("team", "list")}
    assert listed_ == {"Ants": ["ANT", "Team 4"], "Bees": []}
    assert "Ants\tants\t2031-04-10\tANT, Team 4" in text("team", "list")
    assert answer("team", "token", "team  4")["team"] == "Ants"


NO_ALIAS = [
    ("bees", "there is already a team 'Bees'"),
    ("ANTS", "there is already a team 'Ants'"),
    ("A\0B", "U+0000"),
    ("a\nb", "U+000A"),
    (" ", "the alias is empty"),
    ("x" * 101, "100 are allowed"),
    ("\udcff", "U+DCFF"),
]


def test_an_alias_that_cannot_be_is_refused_alike_on_both_databases(folder):
    said = [(refused("team", "alias", "Ants", alias), why) for alias, why in NO_ALIAS]
    assert [(told, why) for told, why in said if why not in told] == []
    assert [t["aliases"] for t in answer("team", "list")] == [[], []]
    assert "there is no team" in refused("team", "alias", "Wasps", "W")


# --- phases


def test_phases_are_told_in_text_and_json(folder):
    dry, formal = answer("phase", "list", "capitals", *AT)
    assert (dry["phase"], dry["open"], formal["open"]) == ("dry run", False, True)
    shown_of = formal.pop("reveals")
    assert (shown_of["runs"], shown_of["too_much"], shown_of["why"]) == (5, True, None)
    assert shown_of["share"] == 1  # of so few labels
    assert formal == {
        "phase": "formal",
        "opens": "2031-05-01T00:00:00+00:00",
        "closes": "2031-06-01T12:00:00+00:00",
        "open": True,
        "split": "all",
        "runs": 5,
        "per_day": 3,
        "day": "utc",
        "refused": 60,
        "size": None,
        "visible": "own",
        "reveal": "2031-06-10T10:00:00+00:00",
        "digits": None,
        "subsets": True,
        "names": "teams",
        "late": "unofficial",
        "grace": 90,
        "extensions": [],
    }
    said = text("phase", "list", "capitals", *AT)
    assert "dry run (closed)" in said
    assert "formal (open)" in said
    assert "2031-06-01 12:00:00 UTC (2031-06-01 00:00:00 AoE)" in said
    assert "5 runs in all and 3 runs a day of UTC" in said
    assert "promised files 90 minutes longer" in said
    assert re.search(r"reveals +up to all of the labels' [0-9]+ bits to a team: 5 runs", said)
    assert said.count("warning: that is more than 1%") == 2
    for at, first, second in (
        ("2031-03-31T23:59:59Z", "to come", "to come"),
        ("2031-04-01T00:00:00Z", "open", "to come"),
        (DRY, "closed", "open"),
        (CLOSES, "closed", "closed"),
    ):
        said = text("phase", "list", "capitals", "--at", at)
        assert f"dry run ({first})" in said
        assert f"formal ({second})" in said
    assert "did you mean 'capitals'" in refused("phase", "list", "capital")


# --- the audit


def test_the_audit_lists_what_organisers_should_look_at(folder):
    sent(folder)
    noisy = sent(folder, run(sure=lambda i: f"0.{99 - i * 37 % 89}"), team="Bees")
    answer("run", "withdraw", "capitals", noisy, "--why", "oops", *AT)
    sent(folder, team="Bees", name="the same")
    sent(folder, run(right=33, sure=lambda _: "1", said="never"), team="Bees", name="bold")
    dry = folder / "dry"
    dry.mkdir()
    (dry / "task.toml").write_text('title = "Dry"\n', encoding="utf-8")
    (dry / "gold.csv").write_text(GOLD.replace("q", "d"), encoding="utf-8")
    text("task", "add", "dry", *AT)
    (folder / "wrong.csv").write_text(run().replace("q", "d"), encoding="utf-8")
    submit = ("submit", "wrong.csv", "--task", "capitals", "--team", "Ants", *AT)
    assert invoke(*submit).exit_code == 1
    found = answer("run", "audit", "capitals")
    assert (found["runs"], found["pairs"], found["unread"]) == (4, 6, [])
    pairs = {tuple(k["runs"]): k for k in found["near_duplicates"]}
    assert {runs: (k["across_teams"], k["withdrawn"], k["why"]) for runs, k in pairs.items()} == {
        ("ants-1", noisy): (True, [noisy], ["errors"]),
        ("ants-1", "bees-2"): (True, [], ["content", "errors", "confidences", "order"]),
        (noisy, "bees-2"): (False, [noisy], ["errors"]),
    }
    assert pairs["ants-1", "bees-2"]["equal_errors"] == pytest.approx(1, abs=1e-12)
    assert pairs["ants-1", "bees-2"]["order"] == pytest.approx(1, abs=1e-12)
    assert [(o["run"], o["code"]) for o in found["odd"]] == [("bees-3", "only-0-and-1")]
    # Both are wrong on 27 of 60, never in the same words: (0 − .5 · .45) / (.45 − .5 · .45)
    assert found["others_across_teams"]["pairs"] == 1
    assert found["others_across_teams"]["equal_errors"] == pytest.approx(-1, abs=1e-12)
    (no,) = found["refused"]
    assert (no["team"], no["file"]) == ("Ants", "wrong.csv")
    assert no["codes"] == {"missing-id": 1, "unknown-id": 60}
    assert no["remark"] == "60 of 60 ids that are not in the gold are of the task 'dry'"
    said = text("run", "audit", "capitals")
    assert f"ants-1\t{noisy} (withdrawn)\terrors\t60\t1.000" in said
    assert "near-duplicates across teams: 2\n" in said
    assert "near-duplicates within a team: 1\n" in said
    assert "bees-3: only-0-and-1: " in said
    assert "Ants, wrong.csv: 60 of 60 ids" in said


def test_a_held_run_is_left_out_of_the_audit(folder, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("grader.grade.grade", lambda *_: 1 / 0)
        (folder / "run.csv").write_text(run(), encoding="utf-8")
        held = invoke("submit", "run.csv", "--task", "capitals", "--team", "Ants", *AT)
    assert held.exit_code == 70
    assert text("run", "audit", "capitals") == (
        "0 runs, 0 pairs\n"
        "near-duplicates across teams: none\n"
        "near-duplicates within a team: none\n"
        "refused files: none\n"
    )


def test_nothing_of_the_audit_is_seen_by_teams_or_the_public(folder):
    """Not on the site, not in an export, not in a receipt, not in the report of a refused file."""
    later = ("--at", "2031-07-01T00:00:00Z")  # all is revealed
    (folder / "dry").mkdir()
    (folder / "dry" / "task.toml").write_text('title = "Dry"\n', encoding="utf-8")
    (folder / "dry" / "gold.csv").write_text(GOLD.replace("q", "d"), encoding="utf-8")
    text("task", "add", "dry", *AT)
    (folder / "wrong.csv").write_text(run().replace("q", "d"), encoding="utf-8")
    submit = ("submit", "wrong.csv", "--task", "capitals", "--team", "Ants", *AT)
    told = [invoke(*submit).stdout, invoke(*submit, "--format", "json").stdout]
    (folder / "copy.csv").write_text(run(), encoding="utf-8")
    sent(folder)
    submit = ("submit", "copy.csv", "--task", "capitals", "--team", "Bees", *AT)
    told += [text(*submit), json.dumps(answer(*submit))]
    assert answer("run", "audit", "capitals")["near_duplicates"]
    text("publish", "site", *later)
    told += [text("export", "capitals", "--format", form) for form in ("csv", "json")]
    told += [
        f.read_bytes().decode(errors="replace")
        for f in (folder / "site").rglob("*")
        if f.is_file()
    ]
    digest = hashlib.sha256((folder / "wrong.csv").read_bytes()).hexdigest()
    words = ("near-duplicate", "equal_errors", "equal errors", "Loevinger", "of the task 'dry'")
    for body in told:
        assert not [word for word in (*words, digest) if word in body]
    published = told[4:]
    assert not [body for body in published if "wrong.csv" in body or "unknown-id 60" in body]
    assert len(told) > 15
