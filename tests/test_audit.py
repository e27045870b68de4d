"""Runs that say nearly the same: what the figures are, and that honest systems are not listed."""

import csv
import io
import json
import tomllib
from collections import Counter
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from shared_data import shared
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

from grader.audit import Responses, anomalies, equal_errors, read, similarities, similarity
from grader.model import Task, Upload
from grader.tasks import load, parse, read_gold

AT = datetime(2031, 5, 10, tzinfo=UTC)
DIGITS = Path(__file__).parents[1] / "tasks" / "digits"
N = 400
RNG = np.random.default_rng(7)


def flags(many, of=N):
    """An array whose first ``many`` are true."""
    return np.arange(of) < many


def responses(answers, right, sure, name="a", team="A"):
    everything = np.ones(len(sure), dtype=bool)
    answers, right, sure = np.asarray(answers), np.asarray(right), np.asarray(sure, dtype=float)
    how = {"withdrawn": False, "counted": everything, "content": name}
    return Responses(name, team, answers=answers, right=right, sure=sure, **how)


def codes(run, task=None):
    return [found.code for found in anomalies(task or Task("t", "T"), run)]


def made(task, gold, payloads, **flags_of):
    """What runs say, of their bytes by name; each is a team of its own."""
    uploads = [
        (name, Upload(name, name, "f", body, AT, flags_of.get(name, ())))
        for name, body in payloads.items()
    ]
    return read(task, gold, uploads)


# --- the figures


def test_equal_errors_by_hand():
    # 30% and 40% wrong, a quarter in the same words: (.25 − .12) / (.3 − .12)
    mine, theirs = flags(120), flags(160)
    assert equal_errors(flags(100), mine, theirs) == pytest.approx(13 / 18, abs=1e-12)
    assert equal_errors(flags(120), mine, theirs) == pytest.approx(1, abs=1e-12)
    assert equal_errors(flags(48), mine, theirs) == pytest.approx(0, abs=1e-12)


def test_equal_errors_of_two_labels_are_phi_over_its_greatest():
    mine, theirs = RNG.random(N) < 0.3, RNG.random(N) < 0.2
    most = matthews_corrcoef(np.sort(mine), np.sort(theirs))
    phi = matthews_corrcoef(mine, theirs)
    assert equal_errors(flags(N), mine, theirs) == pytest.approx(phi / most, abs=1e-9)


@pytest.mark.parametrize(("mine", "theirs"), [(19, 100), (100, 19), (N, 100), (100, N)])
def test_with_few_wrong_answers_or_nothing_right_nothing_is_said(mine, theirs):
    assert equal_errors(flags(N), flags(mine), flags(theirs)) is None


def test_kappa_and_correlation_are_those_of_other_libraries():
    sure = np.round(RNG.random(N), 1)
    other = np.where(RNG.random(N) < 0.6, sure, np.round(RNG.random(N), 1))
    found = similarity(
        responses(flags(N), flags(300), sure), responses(flags(N), flags(300), other)
    )
    labels = [list(map(str, levels)) for levels in (sure, other)]
    assert found.equal == pytest.approx(cohen_kappa_score(*labels), abs=1e-12)
    assert found.order == pytest.approx(spearmanr(sure, other).statistic, abs=1e-12)


def test_a_constant_has_no_order_and_two_of_the_same_are_no_news():
    constant, other = (
        responses(flags(N), flags(300), [0.5] * N),
        responses(flags(N), flags(300), sure_of()),
    )
    assert (similarity(constant, constant).equal, similarity(constant, constant).order) == (
        None,
        None,
    )
    assert similarity(constant, other).order is None
    assert similarity(constant, other).equal == 0


def sure_of():
    return np.linspace(0, 1, N)


def test_only_instances_that_both_answered_count():
    gold_text = b"id,answer\n" + b"".join(b"q%d,yes\n" % i for i in range(100))
    task = parse('title = "T"\nmissing = "leave-out"\n', "t")
    gold = read_gold(task, gold_text, "g")

    def rows(of, wrong):
        lines = (f"q{i},{'no' if i in wrong else 'yes'},0.{i % 10}" for i in of)
        return ("id,answer,confidence\n" + "\n".join(lines) + "\n").encode()

    payloads = {"a": rows(range(80), range(30)), "b": rows(range(10, 100), range(10, 30))}
    (a, b), unread = made(task, gold, payloads)
    found = similarity(a, b)
    assert (found.n, unread) == (70, {})
    assert found.errors == 1  # on 10 to 79 both are wrong on 10 to 29, and right on the others
    assert found.equal == 1


# --- honest runs, and copies of them


def digits():
    task, _, gold = load(DIGITS)
    sent = tomllib.loads((DIGITS / "runs.toml").read_text(encoding="utf-8"))["run"]
    uploads = [
        (
            run["file"],
            Upload(run["team"], run["name"], "f", (DIGITS / run["file"]).read_bytes(), AT),
        )
        for run in sent
    ]
    runs, unread = read(task, gold, uploads)
    assert (len(runs), unread) == (13, {})
    return task, runs


# The same answers with other confidences: one system each.
SAME = [
    {"forest", "forest-thresholded"},
    {"logistic", "logistic-sharpened", "logistic-temperature"},
    {"neighbours", "neighbours-constant"},
]


def test_honest_systems_are_not_listed_and_one_system_sent_again_is():
    _, runs = digits()
    pairs = list(similarities(runs))
    assert len(pairs) == 13 * 12 // 2
    listed = {frozenset(Path(s.run).stem for s in (k.a, k.b)) for k in pairs if k.why}
    assert listed == {frozenset(p) for same in SAME for p in combinations(same, 2)}
    assert not [k for k in pairs if k.why and k.across]
    # How far the others stay below what is listed.
    rest = [k for k in pairs if not k.why]
    assert max(k.errors for k in rest) < 0.75
    assert max(k.equal for k in rest if k.equal is not None) < 0.25
    assert max(k.order for k in rest if k.order is not None) < 0.91


def test_a_copy_is_listed_with_noise_on_its_confidences_or_with_other_answers():
    _, runs = digits()
    both = Counter()
    for run in runs:
        noise = np.clip(run.sure + RNG.normal(0, 0.1, len(run.sure)), 0, 1)
        assert "errors" in similarity(run, responses(run.answers, run.right, noise)).why
        kept = np.unique(run.sure).size > 1
        for _ in range(5):
            other = RNG.random(len(run.sure)) < 0.05
            answers = np.where(
                other, (run.answers + RNG.integers(1, 10, len(other))) % 10, run.answers
            )
            right = np.where(other, RNG.random(len(other)) < 0.02, run.right)
            assert (
                "confidences" in similarity(run, responses(answers, right, run.sure)).why
            ) == kept
            both["errors" in similarity(run, responses(answers, right, noise)).why] += 1
    assert both[True] >= 60  # of 65: with both at once a few escape


def exams():
    """Eleven language models: ids, answers as they are, their confidences, right answers."""
    folder = shared("data", "lifeeval")
    keys = [(r["qset"], r["question_id"]) for r in tsv(folder / "gold.tsv")]
    right = {(r["qset"], r["question_id"]): r["correct"] for r in tsv(folder / "gold.tsv")}
    for path in sorted((folder / "runs").iterdir()):
        rows = {(r["qset"], r["question_id"]): r for r in tsv(path)}
        yield [
            ("/".join(k), rows[k]["answer"], rows[k].get(rows[k]["answer"]), right[k])
            if k in rows
            else ("/".join(k), "", "0", right[k])
            for k in keys
        ]


def hallucinations(part):
    folder = shared("data", "shroom2024")
    gold = {r["id"]: r["label"] for r in tsv(folder / "gold" / f"{part}.tsv")}
    for path in sorted((folder / "runs" / part).iterdir()):
        rows = {str(r["id"]): r for r in json.loads(path.read_bytes())}
        yield [
            (
                i,
                rows[i]["label"],
                str(min(p, 1) if rows[i]["label"] == "Hallucination" else 1 - min(p, 1)),
                y,
            )
            for i, y in gold.items()
            for p in [rows[i]["p(Hallucination)"]]
        ]


def tsv(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), delimiter="\t"))


@pytest.mark.parametrize("part", ["exams", "test.model-agnostic", "test.model-aware"])
def test_language_models_are_not_listed(part):
    """The nearest are two prompts of one model by one team."""
    known, runs = {}, []
    for k, rows in enumerate(exams() if part == "exams" else hallucinations(part)):
        answers = [known.setdefault(answer, len(known)) for _, answer, _, _ in rows]
        right = [answer == y for _, answer, _, y in rows]
        sure = [min(max(float(c), 0), 1) if c else 1 for _, _, c, _ in rows]
        runs.append(responses(answers, right, sure, f"r{k}", f"T{k}"))
    pairs = list(similarities(runs))
    assert len(pairs) == (55 if part == "exams" else 10)
    assert [k.why for k in pairs if k.why] == []
    assert max(k.errors for k in pairs) < (0.67 if part == "exams" else 0.875)
    assert [codes(run) for run in runs] == [[]] * len(runs)


def test_of_the_intent_runs_the_sharpened_one_is_listed():
    folder = shared("data", "clinc150")
    task = parse(
        'title = "I"\n[gold]\nfile = "gold.tsv"\nanswer = "label"\nsubsets = ["subset"]\n', "c"
    )
    gold = read_gold(task, (folder / "gold.tsv").read_bytes(), "gold.tsv")
    files = {path.stem: path.read_bytes() for path in (folder / "runs").iterdir()}
    runs, _ = made(task, gold, files)
    listed = [{k.a.run, k.b.run} for k in similarities(runs) if k.why]
    assert listed == [{"tfidf-lr", "tfidf-lr-sharp"}]


# --- what is read


def small(toml, gold, **runs):
    task = parse(f'title = "T"\n{toml}', "t")
    payloads = {name: text.encode() for name, text in runs.items()}
    return made(task, read_gold(task, gold.encode(), "g"), payloads)


@pytest.mark.parametrize(
    ("answers", "mine", "theirs", "same"),
    [
        ("exact", "No", "no", False),
        ("normalised", "No", " no", True),
        ("numeric", "1.50", "15e-1", True),
        ("numeric", "0", "0.0", True),
        ("numeric", "1.5", "1.6", False),
    ],
)
def test_answers_are_the_same_where_the_task_holds_them_for_the_same(answers, mine, theirs, same):
    gold = "id,answer\nq1,7\n"
    rows = {k: f"id,answer,confidence\nq1,{v},0.5\n" for k, v in (("a", mine), ("b", theirs))}
    (a, b), _ = small(f'answers = "{answers}"\n', gold, **rows)
    assert (a.answers[0] == b.answers[0]) == same


def test_of_intervals_the_ends_are_compared():
    gold = "id,answer\n" + "".join(f"q{i},{i}\n" for i in range(60))

    def rows(width, shift=0):
        lines = (f"q{i},{i + shift},{i + shift + width(i)}" for i in range(60))
        return "id,lower,upper\n" + "\n".join(lines) + "\n"

    runs = {
        "a": rows(lambda i: 1 + i / 9, 0.5),
        "b": rows(lambda i: 1 + i / 9, 0.5),
        "c": rows(lambda i: 1 + 7 * i % 60, 0.25),
        "d": rows(lambda _: 2),
    }
    (a, b, c, d), unread = small('kind = "interval"\n', gold, **runs)
    assert unread == {}
    assert similarity(a, b).why == ("content", "confidences", "order")
    assert similarity(a, c).why == ()
    assert list(anomalies(parse('title = "T"\nkind = "interval"\n', "t"), d)) == []


def test_a_run_that_breaks_a_rule_by_now_is_named():
    runs = {
        "good": "id,answer,confidence\nq1,yes,0.5\n",
        "bad": "id,answer,confidence\nq1,yes,2\n",
    }
    read_, unread = small("", "id,answer\nq1,yes\n", **runs)
    assert [s.run for s in read_] == ["good"]
    assert list(unread) == ["bad"]
    assert "not in the range" in unread["bad"]


# --- confidences that look odd


def test_what_is_said_of_confidences():
    task, runs = digits()
    found = {Path(o.run).stem: o.code for run in runs for o in anomalies(task, run)}
    assert found == {"forest-thresholded": "only-0-and-1"}


def test_a_smaller_scale_is_told():
    right, sure = flags(300), np.linspace(0.2, 1, N)[::-1]
    assert codes(responses(right, right, sure)) == []
    assert codes(responses(right, right, sure / 100)) == ["small-scale"]
    (found,) = anomalies(
        parse('title = "T"\nconfidence = "percent"\n', "t"), responses(right, right, sure / 100)
    )
    assert "none is above 1 of 100, though 0.750" in found.message
    # Low confidences are no fault where few answers are right.
    assert codes(responses(flags(40), flags(40), sure / 10)) == []
    assert codes(responses(flags(N), flags(300), np.zeros(N))) == ["only-0-and-1"]


def test_the_probability_of_one_label_is_told():
    yes = RNG.random(N) < 0.5
    p = np.where(yes, RNG.uniform(0.5, 1, N), RNG.uniform(0, 0.5, N))
    right = RNG.random(N) < 0.8
    assert "of-one-answer" in codes(responses(yes, right, p))
    assert "of-one-answer" in codes(responses(~yes, right, p))
    assert codes(responses(yes, right, np.where(yes, p, 1 - p))) == []
    assert codes(responses(yes, right, np.full(N, 0.5))) == []
    three = np.where(flags(30), 2, yes)
    assert "of-one-answer" not in codes(responses(three, right, p))


def test_confidences_upside_down_are_told():
    right = RNG.random(N) < 0.7
    sure = np.clip(np.where(right, 0.8, 0.6) + RNG.normal(0, 0.15, N), 0, 1)
    answers = RNG.integers(0, 9, N)
    assert codes(responses(answers, right, sure)) == []
    assert codes(responses(answers, right, 1 - sure)) == ["upside-down"]
    assert codes(responses(answers, right, RNG.random(N))) == []
    assert codes(responses(answers, flags(19), np.where(flags(19), 0.1, 0.9))) == []
