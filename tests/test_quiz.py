"""The campaign of tasks/quiz from registration to the tables of the paper, on both databases.

Every number is computed again here from the text of the runs and the labels of the judges.
"""

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from scipy.stats import kendalltau
from sklearn.metrics import cohen_kappa_score

from grader.cli import main

QUIZ = Path(__file__).parents[1] / "tasks" / "quiz"
BAD, OPEN = "0008", {("0004", "gallium"), ("0005", "the penguin")}


@pytest.fixture
def call(migrated_url, tmp_path, monkeypatch):
    """A command, as its printed JSON, or as text."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADER_DB", migrated_url)

    def called(*words, code=0, form="json"):
        given = [*words, "--format", "json"] if form == "json" else list(words)
        done = CliRunner().invoke(main, given)
        assert done.exit_code == code, done.output
        return json.loads(done.stdout) if form == "json" else done.output

    return called


def answers(run):
    """Each question's answer and confidence, refusals as None, read by a pattern of its own."""
    text = (QUIZ / "runs" / f"{run}.txt").read_text(encoding="utf-8")
    blocks = re.findall(r"<(\d{4})>\n(.*);(\d+)\n((?:\d+;.*\n)*)</\1>", text)
    assert len(blocks) == 24
    return {q: (a if nuggets else None, int(c) / 100) for q, a, c, nuggets in blocks}


def labels(judge):
    rows = read(QUIZ / "judged" / f"{judge}.csv")
    return {(row["id"], row["answer"]): row["label"] for row in rows}


def decided():
    """The labels after the chair: the judges' where they agree."""
    first, second = labels("judge-1"), labels("judge-2")
    assert {unit for unit in first if first[unit] != second[unit]} == OPEN
    assert {unit[0] for unit in first if first[unit] == "bad question"} == {BAD}
    return {**first, **labels("chair")}


def hmr(run, said, without=(BAD,)):
    """HMR by its definition, from the text."""
    right, wrong = [], []
    for question, (answer, sure) in answers(run).items():
        if question in without:
            continue
        correct = answer is not None and said[question, answer] == "right"
        (right if correct else wrong).append(sure)
    over, under = 1 - sum(wrong) / len(wrong), sum(right) / len(right)
    return 2 * over * under / (over + under)


RUNS = ("ASH-AC-1", "ASH-AC-2", "BIRCH-AC-1", "BIRCH-AC-2", "CEDAR-AC-1", "ELM-AC-1")


def registered(call):
    call("task", "add", str(QUIZ), "--at", "2027-04-01T12:00:00Z")
    call("campaign", "add", str(QUIZ / "campaign.toml"), "--at", "2027-04-01T12:00:00Z")
    call("team", "import", str(QUIZ / "teams.csv"), "--at", "2027-04-02T12:00:00Z")


def submit(call, run, at, code=0):
    file, team = str(QUIZ / "runs" / f"{run}.txt"), run.split("-", maxsplit=1)[0]
    return call("submit", file, "--task", "quiz", "--team", team, "--at", at, code=code)


def submitted(call):
    for run in RUNS[:-1]:
        receipt = submit(call, run, "2027-05-10T12:00:00Z")
        assert receipt["status"] == "accepted"
        assert receipt["scores"] is None
        assert receipt["hidden"].startswith("scores of phase 'formal' are hidden until 2027-07-01")
    refused = submit(call, RUNS[-1], "2027-05-16T20:00:00Z", code=1)
    assert [p["code"] for p in refused["problems"]] == ["closed"]
    extend = ("phase", "extend", "quiz", "formal", "--team", "Elm", "--until", "2027-05-16 AoE")
    call(*extend, "--why", "their cluster was down", "--at", "2027-05-14T10:00:00Z")
    assert submit(call, RUNS[-1], "2027-05-16T20:00:00Z")["status"] == "accepted"


def judged(call, folder):
    """Pool, fill in and import, judge by judge; the chair gets what the others left open."""
    both = "Judge 1,Judge 2"
    context = ("--context", str(QUIZ / "questions.csv"))
    pool = ("judge", "pool", "quiz", "--out")
    call(*pool, "pool", "--judges", both, "--double", "1", *context, form="text")
    for judge, name, day in (("judge-1", "Judge 1", "20"), ("judge-2", "Judge 2", "21")):
        assert filled(folder / "pool" / name, judge) == set(labels(judge))
        yield imported(call, f"pool/{name}", name, day)
    call(*pool, "open", "--judges", "Chair", "--undecided", form="text")
    assert filled(folder / "open" / "Chair", "chair") == OPEN
    yield imported(call, "open/Chair", "Chair", "22")


def filled(folder, judge):
    """Write a judge's labels into the files that were handed out; which answers these ask for."""
    said, asked = labels(judge), set()
    for file in folder.glob("*.csv"):
        rows = read(file)
        for row in rows:
            assert not any(run in "".join(row.values()) for run in RUNS)
            asked.add((row["id"], row["answer"]))
            row["label"] = said[row["id"], row["answer"]]
        with file.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return asked


def imported(call, folder, name, day):
    files = [str(file) for file in sorted(Path(folder).glob("*.csv"))]
    at = f"2027-05-{day}T12:00:00Z"
    return call("judge", "import", "quiz", *files, "--judge", name, "--at", at)


def agreed(call, said):
    """What is told of two judges, beside scikit-learn's kappa and scipy's tau."""
    judges = {"Judge 1": labels("judge-1"), "Judge 2": labels("judge-2")}
    (found,) = call("judge", "agree", "quiz", "--at", "2027-05-23T12:00:00Z")
    pair = next(p for p in found["agreement"] if p["judges"] == [*judges] and "kappa" in p)
    units = sorted(judges["Judge 1"])
    assert (pair["units"], pair["raw"]) == (69, pytest.approx(67 / 69))
    each = ([of[unit] for unit in units] for of in judges.values())
    assert pair["kappa"] == pytest.approx(cohen_kappa_score(*each))
    boards = {board["judge"]: board for board in found["boards"]}
    rule = [round(hmr(run, said), 3) for run in RUNS]
    for judge, of in judges.items():
        alone = [round(hmr(run, of), 3) for run in RUNS]
        assert boards[judge]["tau"] == pytest.approx(kendalltau(alone, rule).statistic)


def handed(call, said):
    """Each team's folder has right and wrong of its own runs alone."""
    early = ("--for", "participants", "--early", "--why", "mailed to teams")
    done = call("publish", "results", *early, "--at", "2027-06-01T12:00:00Z")
    assert set(done["folders"]) == {"Ash", "Birch", "Cedar", "Elm"}
    for team, place in done["folders"].items():
        tables = {file.stem: read(file) for file in Path(place).glob("quiz/*.csv")}
        mine = [run for run in RUNS if run.startswith(team.upper())]
        assert sorted({row["run"] for rows in tables.values() for row in rows}) == mine
        for row in (row for rows in tables.values() for row in rows):
            label = said.get((row["id"], row["answer"]), "wrong")  # a refusal
            assert row["result"] == ("dropped" if row["id"] == BAD else label)


def disputed(call):
    about = ("--instance", "0009", "--team", "Birch", "--at", "2027-06-02T12:00:00Z")
    call("dispute", "add", "quiz", "Our answer was right until 2023.", *about)
    call("dispute", "answer", "quiz", "1", "Of today.", "--at", "2027-06-03T12:00:00Z")
    (one,) = call("dispute", "list", "quiz")
    assert (one["instance"], one["team"], one["answer"]) == ("0009", "Birch", "Of today.")


def stored(call, measure="hmr"):
    """The primary of each run, by its name, as the export has it."""
    document = json.loads(call("export", "quiz", "--format", "json", form="text"))
    wanted = (r for r in document["scores"] if (r["measure"], r["subset"]) == (measure, "all"))
    return {row["name"]: row["value"] for row in wanted}


def near(expected):
    return {run: found if found is None else pytest.approx(found) for run, found in expected}


def test_the_story(call, tmp_path):
    registered(call)
    submitted(call)
    missing = call("team", "missing", "quiz", "--at", "2027-05-17T12:00:00Z")
    told = json.dumps(missing)
    assert [team for team in ("Ash", "Birch", "Cedar", "Elm", "Fir") if team in told] == ["Fir"]
    said = decided()
    for step, _ in enumerate(judged(call, tmp_path), start=1):
        under = labels("judge-1") if step == 1 else said
        waits = {
            run
            for run in RUNS
            if step == 2 and OPEN & {(q, a[0]) for q, a in answers(run).items()}
        }
        assert stored(call) == near((r, None if r in waits else hmr(r, under)) for r in RUNS)
    agreed(call, said)
    handed(call, said)
    disputed(call)
    call("task", "freeze", "quiz", "--why", "results", "--at", "2027-07-02T12:00:00Z")
    drop = ("gold", "drop", "quiz", "0012", "--why", "two names", "--at", "2027-07-10T12:00:00Z")
    call(*drop)
    last = near((run, hmr(run, said, (BAD, "0012"))) for run in RUNS)
    assert stored(call) == last
    release = ("gold", "release", "quiz", "--why", "the campaign is over", "--yes")
    key = call(*release, "--at", "2027-08-01T12:00:00Z")["gold"]
    call("publish", "site", "--at", "2027-08-02T12:00:00Z")
    found = ("--key", key["key"], "--commitment", key["commitment"])
    assert "as committed" in call("gold", "verify", "site/quiz/gold/v5.csv", *found, form="text")
    assert frozen(tmp_path) == {run: f"{hmr(run, said):.3f}" for run in RUNS}
    overview = ("export", "quiz-2027", "--overview", "paper", "--at", "2027-08-02T12:00:00Z")
    call(*overview, form="text")
    assert paper(tmp_path) == last


def frozen(folder):
    """HMR of the runs as the frozen board shows it."""
    found = json.loads((folder / "site/quiz/release/v1.json").read_text(encoding="utf-8"))
    names = {run["run"]: run["name"] for run in found["runs"]}
    board = next(board for board in found["boards"] if board["subset"] == "all")
    return {names[row["run"]]: row["scores"]["hmr"]["shown"] for row in board["rows"]}


def paper(folder):
    """HMR of the runs as the table of scores for the paper has it."""
    tables = folder / "paper" / "quiz" / "formal"
    names = {row["run"]: row["name"] for row in read(tables / "runs.csv")}
    wanted = (
        r for r in read(tables / "scores.csv") if (r["measure"], r["subset"]) == ("hmr", "all")
    )
    return {names[row["run"]]: float(row["value"]) for row in wanted}


def read(file):
    return list(csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines()))
