"""The files of the cases, as they are: verdicts, lines, exact scores and ranks.

GRADER_SHARED names the folder that holds ``cases/``. Without it these tests skip.
"""

import gzip
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import AT
from test_board import TASK, entry, graded, results

from grader import store
from grader.board import printed, rank, score
from grader.grade import grade
from grader.intake import deliver
from grader.model import Graded, Receipt, Rejected, Upload
from grader.tasks import parse, read_gold

SHARED = os.environ.get("GRADER_SHARED", "")
CASES = Path(SHARED) / "cases"
pytestmark = pytest.mark.skipif(not SHARED, reason="GRADER_SHARED does not name the shared folder")
KINDS = ("CSV", "JSN", "PAIR")
FOUND = sorted(p for p in CASES.glob("*") if p.name.split("-")[0] in KINDS) if SHARED else []
NOT_SAID = {"run_cr.csv"}  # either verdict, and of what is told only what it must not be
KEYS = ("accuracy", "brier", "nll", "ks", "auroc", "hmr", "ece@10", "mce@10")


def outcome(folder, run, toml=""):
    gold = next(folder.glob("gold.*"))
    task = parse(f'title = "T"\nmeasures = {list(KEYS)}\n{toml}', "t")
    return grade(task, read_gold(task, gold.read_bytes(), gold.name), (folder / run).read_bytes())


def runs(folder):
    return sorted(p.name for p in folder.iterdir() if not p.name.startswith(("gold", "expected")))


def expected(folder, run):
    """What is expected of one run of a case."""
    expect = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["expect"]
    for names, what in expect.items():
        if isinstance(what, dict) and run in names.split(", "):
            return what
    return expect


@pytest.mark.parametrize(
    ("folder", "run"), [pytest.param(f, r, id=f"{f.name}-{r}") for f in FOUND for r in runs(f)]
)
def test_a_case_ends_as_it_should(folder, run):
    what = expected(folder, run)
    found = outcome(folder, run)
    verdict = what.get("verdict", "either")
    assert verdict in ("accept", "reject", "either"), verdict
    if verdict != "either":
        assert isinstance(found, Graded if verdict == "accept" else Rejected), found
    side = what.get("if_accept" if isinstance(found, Graded) else "if_reject", what)
    side = side.get(run, side)
    if isinstance(found, Graded):
        said = scores(side, run)
        assert said or run in NOT_SAID
        agrees(found, said)
    else:
        assert side.get("errors") or run in NOT_SAID
        assert run in NOT_SAID or len(found.problems) <= side.get("max_errors", 10)
        names = {(p.line, p.field) for p in found.problems}
        lines = {p.line for p in found.problems}
        for error in side.get("errors", ()):
            if error["field"] is None or error["line"] is None:
                assert error["line"] in lines
            else:
                assert (error["line"], error["field"]) in names


def scores(side, run):
    """What a case says of scores; where conventions differ, that of a task which says nothing."""
    if "accept_values" not in side:
        return side.get("scores", {})
    values = side["accept_values"][f"{run}:accuracy"]
    return {"accuracy": next(v for v in values if v["convention"] in ("exact", "any"))}


def agrees(found, scores):
    values = {s.measure: s.value for s in found.scores if s.subset == "all"}
    for key, what in scores.items():
        if key == "n":
            assert found.n == what
        elif key == "right_ids":
            assert found.right == len(what)
        else:
            name = f"{key}@{what['bins']}" if "bins" in what else key
            assert values[name] == pytest.approx(what["value"], abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_every_case_of_a_kind_is_here(kind):
    listed = (CASES / "index.tsv").read_text(encoding="utf-8").splitlines()
    names = {line.split("\t")[0] for line in listed if line.startswith(f"{kind}-")}
    assert names == {f.name for f in FOUND if f.name.startswith(f"{kind}-")}
    assert names


def test_a_mac_archive_is_its_run():
    found = outcome(CASES / "HTTP-02", "mac.zip")
    assert isinstance(found, Graded)
    assert (found.n, found.right) == (3, 3)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ("latin1.csv", "byte 0xE3 is not UTF-8: save the file as UTF-8"),
        ("book.csv", "the file looks like a spreadsheet (.xlsx): export it as CSV"),
        ("bin.csv", "the file holds binary data, not text"),
        ("pdf.csv", "the file looks like a PDF document: send the table itself as CSV"),
    ],
)
def test_files_that_are_no_text_have_one_message(run, said):
    (problem,) = outcome(CASES / "HTTP-10", run).problems
    assert problem.message == said
    assert problem.line == (3 if run == "latin1.csv" else None)


def test_a_large_run_is_taken(sqlite_url):
    folder = CASES / "HTTP-12"
    toml = 'title = "T"\nprimary = "accuracy"\nmeasures = []\n[resampling]\nresamples = 0\n'
    task = parse(toml, "t")
    gold = read_gold(task, gzip.decompress((folder / "gold.csv.gz").read_bytes()), "gold.csv")
    engine = store.opened(sqlite_url)
    with store.unit(engine) as db:
        store.add_task(db, "t", toml, gold, b"salt" * 8, AT)
        store.add_team(db, "Ants", "token", AT)
    sent = Upload("Ants", "large", "run.csv.gz", (folder / "run.csv.gz").read_bytes(), AT)
    ((_, outcome),) = deliver(engine, "t", sent)
    assert isinstance(outcome, Receipt)
    assert (outcome.graded.n, outcome.graded.right) == (120_000, 120_000)


@pytest.mark.parametrize("case", ["BRD-02", "BRD-03", "BRD-05"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_board_stands_as_it_should(case, order):
    given = json.loads((CASES / case / "board.json").read_text(encoding="utf-8"))
    steps = json.loads((CASES / case / "expected.json").read_text(encoding="utf-8"))
    expect = steps["expect"]["steps"][0]["expect"]
    key = "ece@10" if given["metric"] == "ece" else given["metric"]
    lines = [entry(r["team"], r["team"], of(key, r["value"])) for r in given["rows"][::order]]
    board = rank(results(*lines, task=replace(TASK, primary=key)))
    found = [(row.entry.team, row.rank) for row in board.rows]
    ranks = expect["ranks"]
    if isinstance(ranks, dict):  # equal ones stand by name
        assert found == sorted(ranks.items(), key=lambda team: (team[1], team[0]))
    else:
        assert found == list(zip(expect["order"], ranks, strict=True))
    shown = {row.entry.team: printed(score(row.entry, key), 3) for row in board.rows}
    for row in given["rows"]:
        value = row["value"]
        assert shown[row["team"]] == ("–" if value is None else f"{value:.3f}")


def of(key, value):
    """A grading that has this value."""
    return graded(value, key) if key != "accuracy" else graded(0.5, accuracy=value)


@pytest.mark.parametrize("which", [0, 1])
def test_a_seed_beyond_31_bits_is_kept_and_used(engine, which):
    folder = CASES / "DB-10"
    seed = json.loads((folder / "values.json").read_text(encoding="utf-8"))["seeds"][which]
    toml = f'title = "T"\n[resampling]\nresamples = 20\nseed = {seed}\n'
    gold = read_gold(parse(toml, "t"), (folder / "gold.csv").read_bytes(), "gold.csv")
    with store.unit(engine) as db:
        store.add_task(db, "t", toml, gold, b"salt" * 8, AT)
        store.add_team(db, "Ants", "token", AT)
    sent = Upload("Ants", "one", "run.csv", (folder / "run.csv").read_bytes(), AT)
    ((_, outcome),) = deliver(engine, "t", sent)
    assert isinstance(outcome, Receipt)
    with store.reading(engine) as db:
        now = store.snapshot(db, AT, ["t"]).tasks[0]
    assert now.task.resampling.seed == seed
    assert f"seed:{seed}|" in now.entries[0].settings
