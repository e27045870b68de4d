"""The judge commands, as a first user meets them."""

import hashlib
import json

import pytest
from click.testing import CliRunner

from grader.cli import main

TASK = """
title = "Quiz"
answers = "judged"
primary = "accuracy"
measures = ["hmr"]
[resampling]
resamples = 0
"""
AT = ("--at", "2031-05-10T12:00:00Z")
IDS = [f"q{i}" for i in range(8)]


def invoke(*args):
    return CliRunner().invoke(main, [str(a) for a in args])


def text(*args):
    done = invoke(*args)
    assert done.exit_code == 0, done.output
    return done.stdout


def answer(*args):
    return json.loads(text(*args, "--format", "json"))


def refused(*args):
    done = invoke(*args)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def folder(tmp_path, migrated_url, monkeypatch):
    """A judged task with two runs, on each of the two databases."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADER_DB", migrated_url)
    (tmp_path / "quiz").mkdir()
    (tmp_path / "quiz" / "task.toml").write_text(TASK, encoding="utf-8")
    (tmp_path / "quiz" / "gold.csv").write_text("id\n" + "\n".join(IDS) + "\n", encoding="utf-8")
    added = text("task", "add", "quiz", *AT)
    assert "every answer is wrong" not in added
    for team, said in (("Ants", "xxxxxxxx"), ("Bees", "xxxxyyyy")):
        text("team", "add", team, *AT)
        rows = (f"{i},{a},0.{7 + (a == 'y')}\n" for i, a in zip(IDS, said, strict=True))
        (tmp_path / "run.csv").write_text("id,answer,confidence\n" + "".join(rows))
        text("submit", "run.csv", "--task", "quiz", "--team", team, "--name", team, *AT)
    return tmp_path


def fill(folder, name, labels, column=""):
    """Write labels into a file that was handed out, by the answer."""
    file = folder / name
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    filled = [
        line.removesuffix('""') + f'"{labels[line.split(",")[2].strip(chr(34))]}"'
        for line in lines[1:]
    ]
    file.write_text("\n".join([lines[0], *filled]) + "\n", encoding="utf-8")


def test_from_the_pool_to_the_board(folder):
    said = text("judge", "pool", "quiz", "--out", "pool", "--judges", "Anna,Ben", "--double", "1")
    assert said == (
        "Anna: 12 to judge\nBen: 12 to judge\n12 units of 2 runs\n"
        "next: grader judge import quiz FILE … --judge NAME\n"
    )
    before = {f: f.read_bytes() for f in folder.glob("pool/*/*")}
    assert {str(f.relative_to(folder)) for f in before} == {
        "pool/Anna/README.md",
        "pool/Anna/batch-01.csv",
        "pool/Ben/README.md",
        "pool/Ben/batch-01.csv",
    }
    text("judge", "pool", "quiz", "--out", "pool", "--judges", "Anna,Ben", "--double", "1")
    assert before == {f: f.read_bytes() for f in folder.glob("pool/*/*")}
    assert "- `bad question`" in (folder / "pool/Anna/README.md").read_text()
    fill(folder, "pool/Anna/batch-01.csv", {"x": "right", "y": "wrong"})
    said = refused("judge", "pool", "quiz", "--out", "pool", "--judges", "Anna,Ben")
    assert "is there already, and is none of these files" in said
    done = answer("judge", "import", "quiz", "pool/Anna/batch-01.csv", "--judge", "Anna", *AT)
    assert {k: done[k] for k in ("judge", "new", "revised", "same", "left", "undecided")} == {
        "judge": "Anna",
        "new": 12,
        "revised": 0,
        "same": 0,
        "left": 0,
        "undecided": 0,
    }
    assert done["gold"]["version"] == 2
    assert {r["run"]: (r["before"], r["after"], r["rank_after"]) for r in done["runs"]} == {
        "ants-1": (None, 1.0, 1),
        "bees-1": (None, 0.5, 2),
    }
    fill(folder, "pool/Ben/batch-01.csv", {"x": "right", "y": "right"})
    said = text("judge", "import", "quiz", "pool/Ben/batch-01.csv", "--judge", "Ben", *AT)
    assert said.startswith(
        "Ben: 12 new judgements\n4 units left open; one more judge: "
        "grader judge pool quiz --undecided --judges NAME --out DIR\n"
        "judged: 12 of 12 units, 8 decided\nAnna and Ben: 0.667 agreement, κ 0.000 (12 units)\n"
    )
    said = text("judge", "pool", "quiz", "--out", "open", "--judges", "Cleo", "--undecided")
    assert said.startswith("Cleo: 4 to judge\n")
    listed = text("judge", "show", "quiz", "--open")
    assert listed.splitlines()[1] == "q4\ty\topen\tAnna: wrong, Ben: right"
    assert len(listed.splitlines()) == 5


def test_revisions_are_listed_with_their_reasons(folder):
    rows = "id,answer,label\nq0,x,right\nq1,x,\n"
    (folder / "a.csv").write_text(rows)
    said = text("judge", "import", "quiz", "a.csv", "--judge", "Anna", *AT)
    assert said.startswith("Anna: 1 new judgement, 1 row left for later\n")
    said = text("judge", "import", "quiz", "a.csv", "--judge", "Anna", *AT)
    assert said.startswith("Anna: 0 new judgements, 1 as before, 1 row left for later\n")
    assert said.endswith("quiz: the gold is as before\n")
    (folder / "a.csv").write_text(rows.replace("right", "wrong"))
    by = ("judge", "import", "quiz", "a.csv", "--judge", "Anna", *AT)
    assert "--why" in refused(*by)
    text(*by, "--why", "read it again")
    (unit,) = answer("judge", "show", "quiz", "q0")
    assert (unit["answer"], unit["holds"]) == ("x", "wrong")
    assert [(j["label"], j["why"]) for j in unit["judgements"]] == [
        ("right", None),
        ("wrong", "read it again"),
    ]
    (folder / "a.csv").write_text("id,answer,label,fluency\nq0,x,wrong,3\n")
    said = text("judge", "import", "quiz", "a.csv", "--judge", "Anna", "--column", "fluency", *AT)
    assert said.startswith("Anna: 0 new judgements, 1 with further numbers\n")
    (judge,) = answer("judge", "list", "quiz")
    assert (judge["judge"], judge["units"], judge["revisions"]) == ("Anna", 1, 1)
    log = [event["what"] for event in answer("task", "show", "quiz")["log"]]
    assert log == [
        "judge import: 1 judgement of Anna",
        "gold from judgements",
        "judge import: 0 judgements of Anna, 1 changed",
        "gold from judgements",
        "judge import: 0 judgements of Anna, 1 with further numbers",
    ]
    assert "did you mean 'q0'" in refused("judge", "show", "quiz", "Q0")


def test_a_model_has_a_prompt_and_a_pipeline_a_matrix(folder):
    (folder / "prompt.txt").write_text("Is it right?")
    (folder / "m.csv").write_text("id,ants-1,bees-1\nq0,1,1\nq4,1,0\n")
    (folder / "l.jsonl").write_text('{"id": "q0", "answer": "x", "label": "right"}\n')
    by = ("judge", "import", "quiz", "l.jsonl", "--judge", "llm", *AT)
    assert "a model has a prompt" in refused(*by, "--kind", "model")
    assert "a model has a prompt" in refused(*by, "--prompt", "prompt.txt")
    text(*by, "--kind", "model", "--prompt", "prompt.txt")
    text(*by)  # known from then on
    assert "give another name" in refused(*by, "--kind", "model", "--prompt", "ab" * 32)
    done = answer("judge", "import", "quiz", "m.csv", "--judge", "match", "--matrix", *AT)
    assert (done["new"], done["gold"]["version"]) == (3, 3)
    judges = {j["judge"]: (j["kind"], j["prompt"]) for j in answer("judge", "list", "quiz")}
    digest = hashlib.sha256(b"Is it right?").hexdigest()
    assert judges == {"llm": ("model", digest), "match": ("pipeline", None)}
    said = refused("judge", "import", "quiz", "m.csv", "--judge", "match", *AT)
    assert "m.csv:1: missing-column" in said


def test_agreement_is_told_in_text_and_json(folder):
    for judge, wrong in (("Anna", "y"), ("Ben", "z")):
        rows = [f"{i},x,right\n" for i in IDS] + [
            f"{i},y,{'wrong' if wrong == 'y' else 'right'}\n" for i in IDS[4:]
        ]
        (folder / "a.csv").write_text("id,answer,label\n" + "".join(rows))
        text("judge", "import", "quiz", "a.csv", "--judge", judge, *AT)
    (found,) = answer("judge", "agree", "quiz", *AT)
    assert (found["units"], found["judged"], found["decided"]) == (12, 12, 8)
    assert found["coverage"]["bees-1"] == {"decided": 4, "of": 8}
    pair = found["agreement"][1]
    assert pair["raw"] == pytest.approx(8 / 12)
    assert (pair["kappa"], pair["judges"]) == (0.0, ["Anna", "Ben"])
    assert pair["specific"]["right"] == pytest.approx(16 / 20)
    said = text("judge", "agree", "quiz", *AT)
    assert "12 of 12 units judged, 8 decided\n" in said
    assert "Anna and Ben\t12\t0.667\t0.800\t0.000\t–\tκ 0.000\n" in said
    assert "no phase" in refused("judge", "agree", "quiz", "--phase", "x", *AT)


def test_the_other_commands_know_of_waiting_answers(folder):
    listed = text("run", "list", "quiz", *AT)
    assert "ants-1 is not ranked: not all of its answers are judged yet" in listed
    assert "0.000000 to 1.000000  (not all of its answers are judged yet: 8 waiting)" in text(
        "run", "show", "quiz", "ants-1", *AT
    )
    said = text("compare", "ants-1", "bees-1", "--task", "quiz")
    assert "ants-1: not all of its answers are judged yet" in said
    rows = text("export", "quiz", "--format", "csv", *AT).splitlines()
    head, first = (line.replace('"', "").split(",") for line in rows[:2])
    row = dict(zip(head, first, strict=True))
    assert (row["value"], row["least"], row["most"], row["not_judged"]) == ("", "0.0", "1.0", "8")
    assert "2 runs, 1 pair" in text("run", "audit", "quiz")
    said = refused("score", "run.csv", "--task", "quiz")
    assert "are judged" in said
    text("publish", "site", *AT)
    assert "0.000 to 1.000" in (folder / "site/quiz/ants-1.html").read_text()


def test_a_first_user_is_told_what_to_do(folder):
    assert "nobody has judged quiz yet" in text("judge", "list", "quiz")
    assert "a number from 1" in refused("judge", "pool", "quiz", "--out", "p", "--judges", "0")
    assert "two judges" in refused("judge", "pool", "quiz", "--out", "p", "--double", "0.5")
    assert not (folder / "p").exists()
    (folder / "other").mkdir()
    (folder / "other" / "task.toml").write_text('title = "Other"\n')
    (folder / "other" / "gold.csv").write_text("id,answer\n1,a\n")
    text("task", "add", "other", *AT)
    for command in (("pool", "other", "--out", "p"), ("agree", "other"), ("list", "other")):
        assert "are not judged" in refused("judge", *command)
    said = refused("judge", "import", "quiz", "quiz/gold.csv", "--judge", "Anna", *AT)
    assert "missing-column" in said
