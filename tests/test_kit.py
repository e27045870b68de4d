"""The participants' kit: it says nothing of the gold, its samples pass, and with it `check` speaks
as the door does."""

import gzip
import json
import random
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from test_check import ASKED, CHOICE, FILES, GOLD_OF, YES_NO
from test_cli import folder, invoke, refused, registered  # noqa: F401, fixtures
from test_parcel import zipped

from grader.errors import Mistake
from grader.kit import kit
from grader.model import Gold, Standing, Subsets
from grader.tasks import load, parse, read_gold
from grader.tasks.names import joined, natural, split
from grader.tasks.standing import dropped
from grader.tasks.written import written

TABLES = ["csv", "tsv", "jsonl"]
BINARY = ["forecast.json", "flat.json", "shroom.json"]
LABELS = 'answers = "choice"\nlabels = ["yes", "no"]\n'
TASKS = {
    "exact": ("", TABLES),
    "normalised": ('answers = "normalised"\nabstain = ["an answer"]\n', TABLES),
    "numeric": ('answers = "numeric"\ntolerance = 0.5\n', TABLES),
    "choice": (LABELS, [*TABLES, *BINARY]),
    "abstain": ('answers = "choice"\nlabels = ["?", "b", "c"]\nabstain = ["?"]\n', TABLES),
    "event": (f'{LABELS}[run]\nevent = "no"\n', [*TABLES, *BINARY]),
    "percent": ('confidence = "percent"\n', [*TABLES, "ac.txt"]),
    "percent choice": (f'confidence = "percent"\n{LABELS}', [*TABLES, *BINARY, "ac.txt"]),
    "rounded": ('confidence = "percent"\nprecision = 0\n', [*TABLES, "ac.txt"]),
    "classes": (f'{LABELS}[run]\nclasses = {{yes = "Y", no = "N"}}\n', [*TABLES, *BINARY]),
    "three classes": ('[run]\nclasses = {a = "A", b = "B", c = "C"}\n', TABLES),
    "percent classes": (
        'confidence = "percent"\n[run]\nclasses = {a = "A", b = "B", c = "C"}\n',
        [*TABLES, "ac.txt"],
    ),
    "one format": ('confidence = "percent"\n[run]\nformat = "ac"\n', ["ac.txt"]),
    "cited": ('confidence = "percent"\n[run]\nsources = {r1 = ["one"]}\n', [*TABLES, "ac.txt"]),
    "interval": ('kind = "interval"\n', TABLES),
    "composite": ('[gold]\nid = ["id", "part"]\n[run]\nid = ["Q", "P"]\n', TABLES),
    "columns": ('[run]\nid = "q"\nanswer = "a"\nconfidence = "sure"\n', TABLES),
    "left out": ('missing = "leave-out"\n', TABLES),
}
RARE = ("xylographer", "quincunx", "zymurgy")


def task_of(name):
    return parse(f'title = "A task"\n{TASKS[name][0]}', "t")


def gold_of(task, order=(2, 0, 1), answers=("1", "2", "3")):
    """Three instances in an order of the gold's own."""
    ids = ("q1", "q2", "q10")
    names = [i if len(task.gold.id) == 1 else joined([i, "a/b"]) for i in ids]
    return Gold(
        tuple(names[k] for k in order),
        tuple((answers[k],) for k in order),
        (Subsets("secret", ("hush", "quiet"), np.array([k % 2 for k in order])),),
        tuple(f"cluster{k}" for k in order),
        tuple("private" for _ in order),
        tuple(Standing() for _ in order),
    )


def files_of(name, **how):
    task = task_of(name)
    return dict(kit(task, gold_of(task, **how)))


def put(place, files):
    place.mkdir(parents=True)
    for name, content in files.items():
        (place / name).write_bytes(content)
    return place


@pytest.mark.parametrize("name", TASKS)
def test_every_format_that_suits_has_a_sample_and_each_sample_passes(name, tmp_path):
    files = files_of(name)
    samples = [f for f in files if f.startswith("sample-run.")]
    assert sorted(samples) == sorted(f"sample-run.{ending}" for ending in TASKS[name][1])
    place = put(tmp_path / "t", files)
    for sample in samples:
        done = invoke("check", place / sample, "--task", place, "--format", "json")
        assert json.loads(done.stdout) == {"rejected": False, "n": 3, "notices": []}, sample
    assert f"grader check {samples[0]} --task .\n".encode() in files["README.md"]


@pytest.mark.parametrize("name", TASKS)
def test_it_depends_on_the_ids_and_on_nothing_else_of_the_gold(name):
    files = files_of(name)
    assert files == files_of(name, order=(0, 1, 2), answers=RARE)
    whole = b"".join(files.values())
    assert not [w for w in (*RARE, "hush", "quiet", "secret", "cluster") if w.encode() in whole]


def test_ids_stand_by_name_with_a_blank_answer():
    assert files_of("exact")["ids.csv"] == b"id,answer\nq1,\nq2,\nq10,\n"
    assert files_of("composite")["ids.csv"] == b"id,part,answer\nq1,a/b,\nq2,a/b,\nq10,a/b,\n"
    sample = files_of("composite")["sample-run.csv"].decode().splitlines()
    assert sample[:2] == ["Q,P,answer,confidence", "q1,a/b,an answer,0.75"]


def test_what_a_sample_says_is_made_up():
    lines = files_of("percent classes")["sample-run.csv"].decode().splitlines()
    assert lines[0] == "id,B,C,A,answer,confidence"
    assert lines[1:3] == ["q1,12.5,12.5,75,a,75", "q2,90,5,5,b,90"]


def test_dropped_and_unjudged_instances_are_marked_and_counted(tmp_path):
    task = task_of("exact")
    gold = dropped(gold_of(task), ["q2"], Standing("dropped", "typo"))
    unjudged = replace(gold, standings=(Standing("unjudged"), *gold.standings[1:]))
    place = put(tmp_path / "t", dict(kit(task, unjudged)))
    assert (place / "ids.csv").read_bytes() == (
        b"id,answer,status\nq1,,scored\nq2,,dropped\nq10,,unjudged\n"
    )
    (place / "run.csv").write_text("id,answer,confidence\nq1,a,1\nq10,b,1\n")
    done = invoke("check", place / "run.csv", "--task", place)
    assert done.exit_code == 0
    assert "note: 2 instances of the task do not count\n" in done.stdout


def test_where_no_interval_has_a_number_all_count(tmp_path):
    place = put(tmp_path / "t", files_of("interval"))
    assert all(s.status == "scored" for s in load(place)[2].standings)


@pytest.mark.parametrize("primary", ["macro(hmr,level)", "hmr"])
def test_measures_that_name_a_dimension_are_not_told(primary):
    text = (
        f'title = "T"\nprimary = "{primary}"\nmeasures = ["macro(brier,level)", "ks"]\n'
        '[gold]\nsubsets = ["level"]\ncluster = "c"\nsplit = "s"\n[resampling]\nseed = 99\n'
        '[[phase]]\nname = "final"\nopens = "2027-03-01 AoE"\ncloses = "2027-03-02 AoE"\n'
        'split = "private"\nper_day = 2\nvisible = "none"\nreveal = "2027-04-01T00:00Z"\n'
    )
    task = parse(text, "t")
    files = {name: content.decode() for name, content in kit(task, gold_of(task))}
    said = files["task.toml"]
    assert not [w for w in ("level", "seed", "cluster", "split", "private") if w in said]
    shared = parse(said, "t")
    assert (shared.primary, shared.measures) == ("hmr", ("ks",))
    (phase,) = shared.phases
    assert phase == replace(task.phases[0], split="all")
    rules = files["RULES.md"]
    assert "- opens: 2027-03-01 12:00:00 UTC (2027-03-01 00:00:00 AoE)\n" in rules
    assert "- closes: 2027-03-03 12:00:00 UTC (2027-03-03 00:00:00 AoE)\n" in rules
    assert "- quota: 2 runs a day of UTC; refused files do not count, withdrawn runs do" in rules
    assert "level" not in rules.replace("stated level", "")


def rules_of(name):
    return files_of(name)["RULES.md"].decode()


def codes_in(rules):
    return {line.split("`")[1] for line in rules.splitlines() if line.startswith("- `")}


def test_the_rules_speak_of_what_applies_to_the_task_alone():
    ends, exact = {"not-a-bound", "crossed-bounds"}, codes_in(rules_of("exact"))
    blocks = {"bad-block", "bad-nugget"}
    assert not exact & (ends | blocks | {"unknown-source"})
    assert exact >= {"missing-id", "out-of-range", "bad-sum", "bad-json", "not-text"}
    interval = codes_in(rules_of("interval"))
    assert interval >= ends
    assert not interval & {"out-of-range", "bad-sum", "blank-answer"}
    assert "`-inf`" in rules_of("interval")
    assert "`-inf`" not in rules_of("exact")
    assert codes_in(rules_of("cited")) == exact | blocks | {"unknown-source"}
    assert codes_in(rules_of("left out")) == exact - {"missing-id"}
    one = rules_of("one format")
    assert blocks <= codes_in(one)
    assert "Fields separated by" not in one


def test_the_rules_say_what_is_promised_and_what_is_limited():
    window = 'name = "f"\nopens = "2027-03-01 AoE"\ncloses = "2027-03-02 AoE"\n'
    more = 'grace = 7\nrefused = 3\nlate = "unofficial"\n'
    plain, rich = (
        dict(kit(task, gold_of(task)))["RULES.md"].decode()
        for task in (parse(f'title = "T"\n[[phase]]\n{window}{x}', "t") for x in ("", more))
    )
    assert "- refused files: 3 of a team in an hour are answered\n" in rich
    assert "- refused files: 60 of a team in an hour are answered\n" in plain
    for word in ("sha256sum FILE", "up to 7 minutes after the close", "quota of late runs"):
        assert (word in rich, word in plain) == (True, False)


def test_the_readme_says_where_grader_comes_from():
    assert "`pip install sharedtask-grader`" in files_of("exact")["README.md"].decode()


def test_samples_are_named_as_the_task_asks(tmp_path):
    task = parse(
        f'title = "T"\nconfidence = "percent"\n{LABELS}[run]\nnames = "[Team]-AC-[1-4]"\n', "t"
    )
    files = dict(kit(task, gold_of(task)))
    place = put(tmp_path / "t", files)
    samples = sorted(name for name in files if name.startswith("TEAM-AC-1."))
    assert len(samples) == 7
    for sample in samples:
        assert invoke("check", place / sample, "--task", place).exit_code == 0, sample
    (place / "mine.csv").write_bytes(files["TEAM-AC-1.csv"])
    done = invoke("check", place / "mine.csv", "--task", place)
    assert "'mine.csv' does not follow [Team]-AC-[1-4]: a right name is 'TEAM-AC-1'" in done.stdout
    named = ("check", place / "TEAM-AC-1.csv", "--task", place, "--team", "Ants")
    assert "a right name is 'Ants-AC-1'" in invoke(*named).stdout


KINDS = sorted({(ASKED.get(p.stem, CHOICE), GOLD_OF.get(p.stem, YES_NO)) for p in FILES})


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("door")
    db = f"sqlite:///{place}/grader.db"
    for k, (toml, gold) in enumerate(KINDS):
        names = '[run]\nnames = "[Team]-*"\n'
        text = f'title = "T"\nmeasures = []\n{toml if "[run]" in toml else toml + names}'
        lines = gold.splitlines()
        # The order of the gold is told by nobody.
        mixed = [lines[0], *random.Random(k).sample(lines[1:], len(lines) - 1)]  # noqa: S311
        text += "[resampling]\nresamples = 0\n"
        made = put(
            place / "tasks" / f"t{k}",
            {"task.toml": text.encode(), "gold.csv": "\n".join(mixed).encode()},
        )
        assert invoke("task", "add", made, "--db", db).exit_code == 0
        out = place / "kit" / f"t{k}"
        assert invoke("task", "kit", f"t{k}", "--db", db, "--out", out).exit_code == 0
    assert invoke("team", "add", "Ants", "--db", db).exit_code == 0
    return place


class TestTheDoorAndTheKitSayTheSame:
    """Every specimen, and more, through `submit`, and `check` with the slug and with the kit."""

    def said(self, place, toml_and_gold, file, *form):
        slug, db = f"t{KINDS.index(toml_and_gold)}", f"sqlite:///{place}/grader.db"
        team = ("--team", "Ants", *form)
        return [
            invoke("submit", file, "--task", slug, "--db", db, *team),
            invoke("check", file, "--task", slug, "--db", db, *team),
            invoke("check", file, "--task", place / "kit" / slug, *team),
        ]

    @pytest.mark.parametrize("form", ["text", "json"])
    @pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
    def test_specimens(self, place, path, form):
        kind = (ASKED.get(path.stem, CHOICE), GOLD_OF.get(path.stem, YES_NO))
        found = self.said(place, kind, path, "--format", form)
        assert [done.exit_code for done in found] == [1, 1, 1]
        assert len({done.stdout for done in found}) == 1
        assert path.stem in found[0].stdout

    HEAD = "id,answer,confidence\n"
    MORE: ClassVar = {
        "Ants-all-wrong.csv": (HEAD + "Q1,maybe,2\nq1,yes,x\nq1,,\n").encode(),
        "run.csv": (HEAD + "q1,yes,1\nq2,no,1\nq3,no,1\n").encode(),
        "run.csv.gz": gzip.compress((HEAD + "q1,yes,7\n").encode()),
        "none.csv": HEAD.encode(),
        "Ants-damaged.zip": b"PK\x03\x04",
        "Ants-bundle.zip": zipped(
            **{"Ants-a.csv": HEAD + "q1,yes,1\n", "x/b.csv": HEAD + "q2,no,1\nq2,no,1\n"}
        ),
        "Ants-empty.zip": zipped(),
        "Ants-many.csv": (HEAD + "zz,no,1\n" * 2000).encode(),
        "Ants-binary.csv": b"\0\1\2",
    }

    @pytest.mark.parametrize("form", ["text", "json"])
    @pytest.mark.parametrize("name", MORE)
    def test_more(self, place, name, form):
        file = place / name
        file.write_bytes(self.MORE[name])
        found = self.said(place, (CHOICE, YES_NO), file, "--format", form)
        assert [done.exit_code for done in found] == [1, 1, 1]
        assert len({done.stdout for done in found}) == 1

    def test_an_accepted_run_has_the_notices_that_its_receipt_has(self, place):
        file = place / "Ants-good.csv"
        rows = ("id,answer,confidence,why", "q1,yes,1.0000000000001,x", "q2,no,1,x", "q3,no,1,x")
        file.write_text("\n".join(rows))
        receipt, slug, in_kit = (
            json.loads(done.stdout)
            for done in self.said(place, (CHOICE, YES_NO), file, "--format", "json")
        )
        assert receipt["notices"] == slug["notices"] == in_kit["notices"]
        assert [n["code"] for n in in_kit["notices"]] == ["extra-columns", "float-noise"]


def test_a_file_too_large_for_the_phase_is_told_by_check(tmp_path):
    text = (
        'title = "T"\n'
        '[[phase]]\nname = "a"\nsize = 60\n'
        'opens = "2027-03-01T00:00Z"\ncloses = "2027-03-02T00:00Z"\n'
        '[[phase]]\nname = "b"\nsize = 999\n'
        'opens = "2027-03-03T00:00Z"\ncloses = "2027-03-04T00:00Z"\n'
    )
    task = parse(text, "t")
    place = put(tmp_path / "t", dict(kit(task, gold_of(task))))
    file = place / "sample-run.csv"
    size = len(file.read_bytes())
    assert 60 < size < 999
    for day, large in (("01", True), ("02", False), ("03", False), ("05", False)):
        at = ("--at", f"2027-03-{day}T12:00:00Z")
        done = invoke("check", file, "--task", place, *at)
        assert (done.exit_code == 1) is large, day
        assert (f"too-large: {size} bytes; the phase takes 60" in done.stdout) is large


class TestTheCommand:
    def test_it_makes_a_folder_and_says_the_command_that_checks_a_run(self, registered):  # noqa: F811
        done = invoke("task", "kit", "capitals")
        assert done.exit_code == 0
        command = done.stdout.splitlines()[-1].split()
        assert command == [
            "grader",
            "check",
            "kit/capitals/sample-run.csv",
            "--task",
            "kit/capitals",
        ]
        assert invoke(*command[1:]).exit_code == 0
        by_slug = {p.name: p.read_bytes() for p in (registered / "kit" / "capitals").iterdir()}
        assert invoke("task", "kit", "tasks/capitals", "--out", "other").exit_code == 0
        assert {p.name: p.read_bytes() for p in (registered / "other").iterdir()} == by_slug
        assert not [c for c in by_slug.values() if b"Canberra" in c or b"easy" in c]

    @pytest.mark.usefixtures("registered")
    def test_a_folder_that_is_there_is_left_alone(self):
        assert invoke("task", "kit", "capitals").exit_code == 0
        assert "exists already" in refused("task", "kit", "capitals")

    @pytest.mark.usefixtures("registered")
    def test_a_kit_has_no_gold_to_score_by(self):
        assert invoke("task", "kit", "capitals").exit_code == 0
        assert "has no answers" in refused("score", "run.csv", "--task", "kit/capitals")
        assert "has no answers" in refused("task", "add", "kit/capitals")


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_written_and_read_as_the_same_task(name):
    task = task_of(name)
    assert parse(written(task), "t") == task


def test_every_key_is_written():
    text = r"""
title = "A \"task\" \\ é"
description = "two\nlines\t"
measures = []
[gold]
subsets = [{name = "a", values = ["x", "y"]}, "b"]
separator = "|"
[run]
classes = {"a b" = "c\"d"}
[ranking]
min_accuracy = 0.1
[[phase]]
name = "one"
opens = "2027-03-01 AoE"
closes = "2027-03-02 AoE"
subsets = false
[[phase]]
name = "two"
opens = "2027-03-05 AoE"
closes = "2027-03-06 AoE"
reveal = "2027-03-08T01:02:03.000004+09:00"
size = 5
"""
    task = parse(text, "t")
    assert parse(written(task), "t") == task
    none = parse('title = "T"\n[gold]\nsubsets = []\n', "t")
    assert parse(written(none), "t") == none


def test_numbers_in_names_count_and_composite_ids_come_apart():
    names = ["q10", "q9", "q", "Q1", "q009", "9", "10", "q1a2", "q1a10", "", "é", "q" + "9" * 5000]
    ordered = sorted(random.Random(1).sample(names, len(names)), key=natural)  # noqa: S311
    assert ordered[:4] == ["", "9", "10", "Q1"]
    assert ordered[4:10] == ["q", "q1a2", "q1a10", "q009", "q9", "q10"]
    for parts in (["a", "b"], ["a/b", "c\\"], ["\\/", "/\\", "x"], ["a\nb", "c"]):
        assert split(joined(parts)) == parts


def test_a_gold_says_which_instances_do_not_count():
    task = parse('title = "T"\n[gold]\nstatus = "state"\n', "t")
    gold = read_gold(
        task, b"id,answer,state\na,1,\nb,2,scored\nc,3,dropped\nd,4, unjudged \n", "gold"
    )
    assert [s.status for s in gold.standings] == ["scored", "scored", "dropped", "unjudged"]
    assert gold.scored.tolist() == [True, True, False, False]
    with pytest.raises(Mistake, match="'maybe' is none of scored, dropped and unjudged"):
        read_gold(task, b"id,answer,state\na,1,maybe\n", "gold")
