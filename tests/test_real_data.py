"""Real gold and runs from outside the repository, every value worked out again in exact rationals.

GRADER_SHARED names the folder that holds ``data/``. Without it these tests skip; with it a file
that is not there is a failure.
"""

import csv
import gzip
import io
import json
import math
import os
from bisect import bisect_left
from collections import Counter, defaultdict
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from grader.board import rank, score
from grader.check import check, records
from grader.grade import grade
from grader.model import Entry, GoldSummary, Graded, Rejected, Results
from grader.tasks import parse, read_gold

SHARED = os.environ.get("GRADER_SHARED", "")
DATA = Path(SHARED) / "data"
pytestmark = pytest.mark.skipif(
    not SHARED, reason="GRADER_SHARED does not name the folder of real data"
)


def table(file):
    text = file.read_bytes().decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t"))


def value(graded, key, subset="all"):
    return next(s for s in graded.scores if (s.measure, s.subset) == (key, subset))


# --- the measures over again, from (right, confidence) pairs in exact rationals


def double(text):
    """The float64 nearest to a decimal text, exactly: what the measures are defined on."""
    return Fraction(float(text))


def mean(items):
    return Fraction(sum(items), len(items)) if items else None


def r_o(pairs):
    wrong = mean([c for y, c in pairs if not y])
    return Fraction(1) if wrong is None else 1 - wrong


def r_u(pairs):
    right = mean([c for y, c in pairs if y])
    return Fraction(1) if right is None else right


def hmr(pairs):
    over, under = r_o(pairs), r_u(pairs)
    return 2 * over * under / (over + under) if over + under else Fraction(0)


def brier(pairs):
    return mean([(c - y) ** 2 for y, c in pairs])


def ece(pairs, bins):
    edges = [Fraction(m / bins) for m in range(1, bins + 1)]  # the doubles, as is defined
    gaps = defaultdict(Fraction)
    for y, c in pairs:
        gaps[bisect_left(edges, c)] += c - y
    return sum(map(abs, gaps.values())) / len(pairs)


def ks(pairs):
    drift, worst = Fraction(0), Fraction(0)
    by_level = defaultdict(Fraction)
    for y, c in pairs:
        by_level[c] += c - y
    for level in sorted(by_level):
        drift += by_level[level]
        worst = max(worst, abs(drift))
    return worst / len(pairs)


def again(pairs):
    return {
        "accuracy": mean([Fraction(y) for y, _ in pairs]),
        "confidence": mean([c for _, c in pairs]),
        "r_o": r_o(pairs),
        "r_u": r_u(pairs),
        "hmr": hmr(pairs),
        "brier": brier(pairs),
        "ece@10": ece(pairs, 10),
        "ks": ks(pairs),
    }


def agree(graded, subset, pairs):
    for key, exact in again(pairs).items():
        found = value(graded, key, subset)
        assert found.value == pytest.approx(float(exact), abs=1e-12, rel=0), (key, subset)
        assert found.n == len(pairs)


# --- clinc150: intents in ten domains, and requests that are in none

CLINC = """
title = "Intents"
primary = "hmr"
measures = ["confidence", "r_o", "r_u", "ece@10", "ks", "auroc"]
[gold]
file = "gold.tsv"
answer = "label"
subsets = ["subset"]
"""
# Whether an out-of-scope request is "oos" in the gold (no run ever says so) or has no right
# answer at all, every answer to it is wrong: the scores are the same, and both are tried.


def clinc(payload):
    task = parse(CLINC, "clinc150")
    return task, read_gold(task, payload, "gold.tsv")


@pytest.mark.parametrize("run", ["tfidf-lr", "tfidf-lr-sharp", "tfidf-nb"])
def test_clinc150(run):
    folder = DATA / "clinc150"
    task, gold = clinc((folder / "gold.tsv").read_bytes())
    payload = (folder / "runs" / f"{run}.csv").read_bytes()
    graded = grade(task, gold, payload)
    assert isinstance(graded, Graded)
    rows = table(folder / "gold.tsv")
    sent = {r["id"]: r for r in csv.DictReader(io.StringIO(payload.decode(), newline=""))}
    pairs = defaultdict(list)
    for row in rows:
        mine = sent[row["id"]]
        pair = int(mine["answer"] == row["label"]), double(mine["confidence"])
        pairs["all"].append(pair)
        pairs[f"subset={row['subset']}"].append(pair)
    assert len(pairs["all"]) == 5500
    assert {s.subset for s in graded.scores} == set(pairs)
    assert len(pairs) - 1 == 11
    for subset in ("all", "subset=travel", "subset=banking"):
        agree(graded, subset, pairs[subset])
    assert (graded.n, graded.of, graded.right) == (5500, 5500, sum(y for y, _ in pairs["all"]))
    assert sum(b.n for b in graded.reliability) == 5500


@pytest.mark.parametrize("run", ["tfidf-lr", "tfidf-lr-sharp", "tfidf-nb"])
@pytest.mark.parametrize("blank", [False, True], ids=["oos", "no right answer"])
def test_out_of_scope_is_one_by_convention_and_says_so(run, blank):
    folder = DATA / "clinc150"
    payload = (folder / "gold.tsv").read_bytes()
    if blank:
        payload = payload.replace(b"\toos\t", b"\t\t")
    task, gold = clinc(payload)
    graded = grade(task, gold, (folder / "runs" / f"{run}.csv").read_bytes())
    there = "subset=out_of_scope"
    under = value(graded, "r_u", there)
    assert (under.n, under.value) == (1000, 1.0)
    assert "by convention" in under.note
    assert "by convention" in value(graded, "hmr", there).note
    assert value(graded, "accuracy", there).value == 0
    assert value(graded, "r_u").note == ""
    auroc = value(graded, "auroc", there)
    assert auroc.value is None
    assert auroc.note


def test_clinc150_runs_say_nothing_else_where_the_gold_is_out_of_scope():
    for file in ("tfidf-lr", "tfidf-lr-sharp", "tfidf-nb"):
        text = (DATA / "clinc150" / "runs" / f"{file}.csv").read_bytes().decode()
        assert all(row["answer"] != "oos" for row in csv.DictReader(io.StringIO(text)))


# --- lifeeval: eleven systems over three exams

LIFEEVAL = """
title = "Exams"
primary = "{primary}"
measures = ["hmr", "confidence", "r_o", "r_u", "ece@10", "ks"]
answers = "choice"
labels = ["A", "B", "C", "D", "E"]
missing = "{missing}"
[gold]
file = "gold.tsv"
id = ["qset", "question_id"]
answer = "correct"
subsets = ["qset"]
[run]
classes = {{ A = "A", B = "B", C = "C", D = "D", E = "E" }}
[ranking]
min_coverage = 0.9
digits = 6
"""
SYSTEMS = (
    "Meta-Llama-3.1-70B-Instruct",
    "Meta-Llama-3.1-8B-Instruct",
    "claude-3-7-sonnet-20250219",
    "claude-3-haiku-20240307",
    "claude-sonnet-4-20250514",
    "deepseek-r1",
    "deepseek-v3",
    "gemini-2.5-flash",
    "gemini-2.5-pro",
    "gpt-4o",
    "o3-2025-04-16",
)
POOLED = (
    "deepseek-v3",
    "o3-2025-04-16",
    "claude-sonnet-4-20250514",
    "claude-3-haiku-20240307",
    "claude-3-7-sonnet-20250219",
    "gemini-2.5-flash",
    "gpt-4o",
    "gemini-2.5-pro",
    "deepseek-r1",
    "Meta-Llama-3.1-70B-Instruct",
    "Meta-Llama-3.1-8B-Instruct",
)
MACRO = (
    "claude-sonnet-4-20250514",
    "o3-2025-04-16",
    "deepseek-v3",
    "claude-3-7-sonnet-20250219",
    "claude-3-haiku-20240307",
    "gpt-4o",
    "gemini-2.5-pro",
    "gemini-2.5-flash",
    "deepseek-r1",
    "Meta-Llama-3.1-70B-Instruct",
    "Meta-Llama-3.1-8B-Instruct",
)
OPTIONS = "ABCDE"
EXAMS = ("sat_en", "lsat_ar_test", "sciq_test")
SLACK = Fraction(1, 1000)


def exams(missing="reject", primary="hmr"):
    task = parse(LIFEEVAL.format(missing=missing, primary=primary), "lifeeval")
    return task, read_gold(task, (DATA / "lifeeval" / "gold.tsv").read_bytes(), "gold.tsv")


def lifeeval(system):
    """The rows of a run with their physical lines."""
    return list(enumerate(table(DATA / "lifeeval" / "runs" / f"{system}.tsv"), 2))


def offered(row):
    return {k: Fraction(row[k]) for k in OPTIONS if row[k].strip()}


def faults(system):
    """What is wrong with a run, as {code: lines}, from the task's rules and nothing else."""
    found = defaultdict(list)
    for line, row in lifeeval(system):
        given = offered(row)
        if not given or abs(sum(given.values()) - 1) > SLACK:
            found["bad-sum"].append(line)
        if not row["answer"].strip():
            found["blank-answer"].append(line)
            continue
        if row["answer"] not in OPTIONS:
            found["not-a-label"].append(line)
        if given and row["answer"] not in given:
            found["no-probability"].append(line)
    ids = {(row["qset"], row["question_id"]) for _, row in lifeeval(system)}
    if any((r["qset"], r["question_id"]) not in ids for r in table(DATA / "lifeeval/gold.tsv")):
        found["missing-id"].append(None)
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_lifeeval_files_are_refused_with_their_lines(system):
    task, gold = exams()
    payload = (DATA / "lifeeval" / "runs" / f"{system}.tsv").read_bytes()
    rejected = grade(task, gold, payload)
    assert isinstance(rejected, Rejected)
    said = defaultdict(list)
    for problem in rejected.problems:
        said[problem.code].append(problem.line)
    assert said == faults(system)


def test_the_fault_of_one_file_by_eye():
    task, gold = exams()
    rejected = grade(task, gold, (DATA / "lifeeval/runs/gpt-4o.tsv").read_bytes())
    (problem,) = rejected.problems
    assert (problem.line, problem.code) == (1102, "bad-sum")
    assert "0.98" in problem.message


def test_the_absent_question_is_named():
    task, gold = exams()
    rejected = grade(task, gold, (DATA / "lifeeval/runs/o3-2025-04-16.tsv").read_bytes())
    (problem,) = [p for p in rejected.problems if p.code == "missing-id"]
    assert "'lsat_ar_test/64'" in problem.message


def mended(system):
    """The usable rows as a file, and their (right, confidence) pairs by exam.

    A row whose answer is no option, or has no probability, has no confidence: it is taken out, as
    ``leave-out`` allows. One whose probabilities only do not add up is divided by their sum,
    because the order of its options still says what the system meant.
    """
    gold = {(r["qset"], r["question_id"]): r["correct"] for r in table(DATA / "lifeeval/gold.tsv")}
    lines, pairs = ["qset\tquestion_id\tanswer\tA\tB\tC\tD\tE"], defaultdict(list)
    for _, row in lifeeval(system):
        given, answer = offered(row), row["answer"]
        total = sum(given.values())
        if answer not in given or not total:
            continue
        scaled = given if abs(total - 1) <= SLACK else {k: p / total for k, p in given.items()}
        texts = {k: repr(float(p)) for k, p in scaled.items()}
        cells = [texts.get(k, "") for k in OPTIONS]
        lines.append("\t".join([row["qset"], row["question_id"], answer, *cells]))
        right = int(gold[row["qset"], row["question_id"]] == answer)
        pairs[row["qset"]].append((right, double(texts[answer])))
    return "\n".join(lines).encode(), pairs


@pytest.fixture(scope="module")
def repaired():
    return {system: mended(system) for system in SYSTEMS}


@pytest.mark.parametrize("system", SYSTEMS)
def test_lifeeval_says_the_same_as_objects_of_probabilities(system, repaired):
    """As JSON with an object ``p``, and gzipped: the same answers, confidences and classes."""
    task, gold = exams("leave-out")
    payload = repaired[system][0]
    lines = []
    for row in csv.DictReader(io.StringIO(payload.decode()), delimiter="\t"):
        p = ", ".join(f'"{k}": {row[k]}' for k in OPTIONS if row[k])
        names = {k: row[k] for k in ("qset", "question_id", "answer")}
        lines.append(f'{json.dumps(names)[:-1]}, "p": {{{p}}}}}')
    packed = gzip.compress(f"[{', '.join(lines)}]".encode())
    plain, other = (check(records(each, task, gold), task, gold) for each in (payload, packed))
    assert (plain.answers, plain.labels) == (other.answers, other.labels)
    assert (plain.confidence == other.confidence).all()
    assert np.array_equal(plain.probabilities, other.probabilities, equal_nan=True)
    assert sum(a is not None for a in plain.answers) == len(lines)


def entry(number, system, graded):
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Entry(f"run-{number}", system, system, "", "r.tsv", 1, "0" * 64, at, {}, graded, "")


def board(primary, repaired):
    task, gold = exams("leave-out", primary)
    entries = tuple(
        entry(i, system, grade(task, gold, repaired[system][0]))
        for i, system in enumerate(SYSTEMS, 1)
    )
    summary = GoldSummary(1, "", datetime(2026, 1, 1, tzinfo=UTC), "", 1436, 1436)
    return Results(task, summary, entries)


def test_lifeeval_repaired_is_scored(repaired):
    results = board("hmr", repaired)
    for run in results.entries:
        pairs = repaired[run.team][1]
        whole = [pair for exam in EXAMS for pair in pairs[exam]]
        agree(run.graded, "all", whole)
        for exam in EXAMS:
            agree(run.graded, f"qset={exam}", pairs[exam])
        assert (run.graded.n, run.graded.of) == (len(whole), 1436)
        left = [n.message for n in run.graded.notices if n.code == "missing"]
        assert bool(left) == (len(whole) < 1436)
        assert all(said.startswith(f"{1436 - len(whole)} of 1436 ") for said in left)


def test_pooled_and_macro_hmr_rank_the_systems_differently(repaired):
    pooled, macro = {}, {}
    for system, (_, pairs) in repaired.items():
        pooled[system] = hmr([pair for exam in EXAMS for pair in pairs[exam]])
        macro[system] = sum(hmr(pairs[exam]) for exam in EXAMS) / 3
    orders = {}
    for primary, exact in (("hmr", pooled), ("macro(hmr,qset)", macro)):
        results = board(primary, repaired)
        for run in results.entries:
            found = score(run, primary)
            assert found.value == pytest.approx(float(exact[run.team]), abs=1e-12, rel=0)
        shown = rank(results)
        assert shown.unranked == ()
        assert [row.rank for row in shown.ranked] == list(range(1, 12))
        orders[primary] = [row.entry.team for row in shown.ranked]
        assert orders[primary] == sorted(exact, key=exact.get, reverse=True)
    assert orders["hmr"] == list(POOLED)
    assert orders["macro(hmr,qset)"] == list(MACRO)


# --- shroom2024: hallucination detection, with float noise in the confidences

SHROOM = """
title = "Hallucinations"
primary = "hmr"
measures = ["confidence", "r_o", "r_u", "ece@10", "ks"]
answers = "choice"
labels = ["Hallucination", "Not Hallucination"]
[gold]
file = "gold.tsv"
answer = "label"
subsets = [{ name = "task", values = ["DM", "MT", "PG"] }]
"""
RUNS = (
    "gpt-3.5-turbo-v1-2024-01-10",
    "gpt-4-0125-preview-v13-2024-01-28",
    "gpt-4-1106-preview-v10-2024-01-21",
    "gpt-4-1106-preview-v4-persona-2024-01-14",
    "gpt-4-v13-2024-02-02",
)


def sure(item):
    """The confidence in the label, exactly as far as the file spells it."""
    p = Decimal(item["p(Hallucination)"])
    return p if item["label"] == "Hallucination" else 1 - p


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("setting", ["model-agnostic", "model-aware"])
def test_shroom2024(setting, run):
    folder = DATA / "shroom2024"
    task = parse(SHROOM, "shroom")
    golds = folder / "gold" / f"test.{setting}.tsv"
    gold = read_gold(task, golds.read_bytes(), "gold.tsv")
    payload = (folder / "runs" / f"test.{setting}" / f"{run}.json").read_bytes()
    items = json.loads(payload, parse_float=str, parse_int=str)
    graded = grade(task, gold, payload)
    assert isinstance(graded, Graded), graded.problems[:3]
    sent = {i["id"]: i for i in items}
    pairs = defaultdict(list)
    for row in table(golds):
        item = sent[row["id"]]
        kept = double(min(max(sure(item), Decimal(0)), Decimal(1)))
        pair = int(item["label"] == row["label"]), kept
        pairs["all"].append(pair)
        pairs[f"task={row['task']}"].append(pair)
    assert set(pairs) == {"all", "task=DM", "task=MT", "task=PG"}
    for subset, mine in pairs.items():
        agree(graded, subset, mine)
    outside = sum(not 0 <= sure(i) <= 1 for i in items)
    said = [n.message for n in graded.notices if n.code == "float-noise"]
    assert [int(text.split()[0]) for text in said] == ([outside] if outside else [])


VALIDATION = '[{"label": "Hallucination", "p(Hallucination)": 0.8}]'


def test_a_list_by_position_is_refused_with_the_reason():
    folder = DATA / "shroom2024"
    task = parse(SHROOM, "shroom")
    gold = read_gold(task, (folder / "gold/test.model-aware.tsv").read_bytes(), "gold.tsv")
    (problem,) = grade(task, gold, VALIDATION.encode()).problems
    assert (problem.line, problem.code) == (1, "missing-column")
    assert "read by position" in problem.message


def test_shroom2024_carries_float_noise():
    count = Counter()
    for file in (DATA / "shroom2024" / "runs").rglob("*.json"):
        items = json.loads(file.read_text(encoding="utf-8"), parse_float=str, parse_int=str)
        count.update(i["p(Hallucination)"] for i in items)
    assert count["1.0000000000000002"] > 1000
    assert math.nextafter(1, 2) == float("1.0000000000000002")
