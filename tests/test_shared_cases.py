"""The files of the cases of reading and pairing, as they are: verdicts, lines and exact scores.

GRADER_SHARED names the folder that holds ``cases/``. Without it these tests skip.
"""

import json
import os
from pathlib import Path

import pytest

from grader.grade import grade
from grader.model import Graded, Rejected
from grader.tasks import parse, read_gold

SHARED = os.environ.get("GRADER_SHARED", "")
CASES = Path(SHARED) / "cases"
pytestmark = pytest.mark.skipif(not SHARED, reason="GRADER_SHARED does not name the shared folder")
KINDS = ("CSV", "JSN", "PAIR")
FOUND = sorted(p for p in CASES.glob("*") if p.name.split("-")[0] in KINDS) if SHARED else []
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
    if isinstance(found, Graded):
        agrees(found, side.get("scores", {}))
    else:
        names = {(p.line, p.field) for p in found.problems}
        lines = {p.line for p in found.problems}
        for error in side.get("errors", ()):
            if error["field"] is None or error["line"] is None:
                assert error["line"] in lines
            else:
                assert (error["line"], error["field"]) in names


def agrees(found, scores):
    values = {s.measure: s.value for s in found.scores if s.subset == "all"}
    for key, what in scores.items():
        if key == "n":
            assert found.n == what
        elif isinstance(what, dict) and "value" in what:
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
