"""What a run page says beside the scores, had by script: as JSON, as text, and exported."""

import json
from itertools import product
from math import prod

import pytest
from click.testing import CliRunner
from grading import GOLD, RUN, graded

from grader.cli import main
from grader.cli._say import analysis

ROWS = (("q1", "Paris", 0.95), ("q2", "Rome", 0.9), ("q3", "Sydney", 0.7), ("q4", "Ottawa", 0.4))
PAYLOAD = RUN + "".join(f"{i},{a},{c}\n" for i, a, c in ROWS)
ACCEPTED = GOLD + "q1,Paris,easy\nq2,Rome,easy\nq3,Canberra,hard\nq4,Ottawa,hard\n"
HMR = 2 * 0.3 * 0.75 / (0.3 + 0.75)
FEW = "3 right and 1 wrong answers; 10 of each are needed"


@pytest.fixture(scope="module")
def said():
    """The analysis of three right answers and a wrong one."""
    return analysis(graded(PAYLOAD, ACCEPTED, 'reject = "Rome"'), 3)


def invoke(*args):
    done = CliRunner().invoke(main, [str(a) for a in args])
    assert done.exit_code == 0, done.output
    return done.stdout


def near(value):
    return pytest.approx(value, abs=1e-12)


def test_the_ladder_stands_beside_its_floors(said):
    """With one bin the error is |mean confidence − accuracy|; its floor is over 16 outcomes."""
    first = said["ladder"][0]
    sure = [c for _, _, c in ROWS]
    floor = sum(
        prod(c if y else 1 - c for c, y in zip(sure, ys, strict=True)) * abs(sum(sure) - sum(ys))
        for ys in product((0, 1), repeat=4)
    )
    assert (first["measure"], first["value"]) == ("ece@1", near(0.0125))
    assert first["floor_mean"] == near(floor / 4)
    assert first["above_floor"] is False
    assert first["says"].startswith("not distinguishable from calibrated at this n")
    assert len(said["ladder"]) == 11


def test_the_verdict_says_which_way_and_why_there_is_no_interval(said):
    assert said["verdict"] == {
        "r_o": near(0.3),
        "r_u": near(0.75),
        "hmr": near(HMR),
        "difference": near(0.45),
        "low": None,
        "high": None,
        "note": None,
        "no_interval": FEW,
        "says": "trusts its right answers more than it doubts its wrong ones, though nothing says "
        "how surely",
    }


def test_the_pooled_auroc_is_taken_apart(said):
    """Of three pairs two are ahead, both of an easy right answer and the hard wrong one."""
    (found,) = said["pooling"]
    assert (found["dimension"], found["pooled"], found["highest"]) == ("subset", near(2 / 3), 0.0)
    assert found["trap"] is True
    assert found["within"] == {"pairs": 1, "wins": 0.0, "auroc": 0.0}
    assert found["across"] == {"pairs": 2, "wins": 2.0, "auroc": 1.0}
    crosses = {(c["right"], c["wrong"]): (c["pairs"], c["auroc"]) for c in found["crosses"]}
    assert crosses == {
        ("easy", "easy"): (0, None),
        ("easy", "hard"): (2, 1.0),
        ("hard", "easy"): (0, None),
        ("hard", "hard"): (1, 0.0),
    }
    assert "telling subsets apart" in found["says"]


def test_the_curve_and_its_thresholds(said):
    curve = said["selective"]
    read = [(p["threshold"], p["kept"], p["coverage"], p["accuracy"]) for p in curve["points"]]
    assert read == [
        (0.95, 1, 0.25, 1.0),
        (0.9, 2, 0.5, 1.0),
        (0.7, 3, 0.75, near(2 / 3)),
        (0.4, 4, 1.0, 0.75),
    ]
    assert [(r["at_least"], r["kept"]) for r in curve["thresholds"]] == [
        (0.8, 2),
        (0.9, 2),
        (0.95, 2),
        (0.99, 2),
    ]
    wrong = analysis(graded(RUN + "a,x,0.5\n", GOLD + "a,y,s\n"), 3)
    assert {r["threshold"] for r in wrong["selective"]["thresholds"]} == {None}


def test_what_lies_outside_the_task(said):
    """q2 is sought, and less sure than one of the three others."""
    found = said["scope"]
    assert (found["label"], found["by"], found["sought"]) == ("Rome", "confidence", 1)
    assert found["auroc"] == near(1 / 3)
    rows = {r["threshold"]: r for r in found["rows"]}
    assert (rows[0.9]["flagged"], rows[0.9]["caught"]) == (3, 1)
    assert (rows[0.9]["precision"], rows[0.9]["recall"]) == (near(1 / 3), 1.0)
    assert (rows[0.4]["flagged"], rows[0.4]["precision"], rows[0.4]["recall"]) == (1, 0.0, 0.0)
    assert rows[0.05]["precision"] is None
    assert analysis(graded(PAYLOAD, ACCEPTED), 3)["scope"] is None


def test_recalibration_and_reference_rows(said):
    learnt = said["recalibration"]
    assert (learnt["folds"], learnt["reason"]) == (5, "4 instances; 50 are needed")
    (submitted,) = learnt["rows"]
    assert submitted["confidences"] == "as submitted"
    assert submitted["measures"]["hmr"]["value"] == near(HMR)
    rows = {r["key"]: r["measures"] for r in said["references"]}
    assert (rows["one"]["hmr"]["value"], rows["one"]["brier"]["value"]) == (0.0, 0.25)
    assert rows["half"]["hmr"]["value"] == 0.5
    alone = analysis(graded(RUN + "a,x,0.5\n", GOLD + "a,x,s\n"), 3)
    undefined = alone["references"][0]["measures"]["auroc"]
    assert undefined["value"] is None
    assert undefined["note"] == "no wrong answers: nothing to tell apart"


def test_the_reliability_diagram_holds_every_instance(said):
    bins = {(b["above"], b["up_to"]): (b["n"], b["accuracy"]) for b in said["reliability"]}
    assert len(bins) == 10
    full = {(0.3, 0.4): 1, (0.6, 0.7): 0, (0.8, 0.9): 1, (0.9, 1.0): 1}
    assert bins == dict.fromkeys(bins, (0, None)) | {e: (1, y) for e, y in full.items()}


# --- the commands


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gold.csv").write_text(ACCEPTED, encoding="utf-8")
    (tmp_path / "run.csv").write_text(PAYLOAD, encoding="utf-8")
    return tmp_path


def test_score_has_it_beside_the_subsets(folder, said):
    args = ("score", "run.csv", "--gold", "gold.csv", "--reject", "Rome")
    found = json.loads(invoke(*args, "--format", "json"))
    assert list(found) == ["n", "run", "gold", "subsets", "analysis"]
    parts = set(said) - {"references"}  # which has the measures of the task
    assert {p: found["analysis"][p] for p in parts} == {p: said[p] for p in parts}


def test_score_says_it_in_words_when_asked(folder):
    args = ("score", "run.csv", "--gold", "gold.csv", "--reject", "Rome")
    plain, text = invoke(*args), invoke(*args, "--analysis")
    assert text.startswith(plain)
    rest = text.removeprefix(plain)
    assert f"(R_U − R_O +0.450000, {FEW})" in rest
    assert "ece@1\t0.012500\t" in rest
    assert "subset\t(across)\t(across)\t2\t2.000000\t1.000000\n" in rest
    assert "0.800000\t0.900000\t2\t2\t0.500000\t1.000000\n" in rest
    assert "'Rome' is told by low confidence: AUROC 0.333333\n" in rest
    assert "Not tried: 4 instances; 50 are needed.\n" in rest
    assert "every confidence ½\t0.500000\t" in rest
    assert "nan" not in rest
    assert "None" not in rest


def test_a_run_of_intervals_has_none(folder):
    (folder / "gold.csv").write_text("id,answer\na,3\n", encoding="utf-8")
    (folder / "run.csv").write_text("id,lower,upper\na,1,4\n", encoding="utf-8")
    args = ("score", "run.csv", "--gold", "gold.csv", "--kind", "interval")
    assert json.loads(invoke(*args, "--format", "json"))["analysis"] is None
    assert "analysis: none" in invoke(*args, "--analysis")


def test_what_is_stored_is_shown_and_exported(folder, migrated_url, monkeypatch, said):
    monkeypatch.setenv("GRADER_DB", migrated_url)
    (folder / "towns").mkdir()
    (folder / "gold.csv").rename(folder / "towns" / "gold.csv")
    (folder / "towns" / "task.toml").write_text('title = "T"\nreject = "Rome"\n', encoding="utf-8")
    for args in (
        ("task", "add", "towns"),
        ("team", "add", "A"),
        ("submit", "run.csv", "--task", "towns", "--team", "A"),
    ):
        invoke(*args)
    shown = json.loads(invoke("run", "show", "towns", "a-1", "--format", "json"))["analysis"]
    exported = json.loads(invoke("export", "towns", "--format", "json"))
    assert exported["analyses"] == [{"run": "a-1", "team": "A", "name": "run", "analysis": shown}]
    assert {r["run"] for r in exported["scores"]} == {"a-1"}
    assert (shown["verdict"], shown["scope"]) == (said["verdict"], said["scope"])
