"""The demo task: complete, consistent, and what its generator makes."""

import csv
import math
import re
import subprocess
import sys
import tomllib
from collections import Counter
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "tasks" / "digits"
RUNS = sorted((FOLDER / "runs").glob("*.csv"))
HEADER = ["id", "answer", "confidence"]

# Another processor or another release of the numeric libraries may round otherwise, and a
# network's training carries that on. So a run made again may differ in this share of its rows:
# another answer, or a confidence further off than NEAR.
NEAR, SHARE = 0.05, 0.05


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def records(path):
    header, *body = rows(path)
    return [dict(zip(header, row, strict=True)) for row in body]


GOLD = records(FOLDER / "gold.csv")
TASK = tomllib.loads((FOLDER / "task.toml").read_text(encoding="utf-8"))
SENT = tomllib.loads((FOLDER / "runs.toml").read_text(encoding="utf-8"))["run"]


def test_the_folder_is_small_and_complete():
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    shipped = [path for path in files if "__pycache__" not in path.parts]
    assert sum(path.stat().st_size for path in shipped) < 1_000_000
    assert {"README.md", "broken.csv", "generate.py", "gold.csv", "runs.toml", "task.toml"} <= {
        path.name for path in shipped
    }
    assert len(RUNS) >= 10


def test_gold_is_half_of_the_digits_under_ids_that_say_nothing():
    assert len(GOLD) == 1797 - 1797 // 2 == 899
    assert [row["id"] for row in GOLD] == [f"d{i:04d}" for i in range(1, 900)]
    answers = "".join(row["answer"] for row in GOLD)
    # In the bundle the digits often come as 0123456789; shuffled, neighbours are unrelated.
    successors = sum((int(a) + 1) % 10 == int(b) for a, b in pairwise(answers))
    assert successors < 0.2 * 899


def test_every_label_stands_in_every_subset_so_none_gives_it_away():
    labels = TASK["labels"]
    assert labels == list("0123456789")
    for dimension in TASK["gold"]["subsets"]:
        seen = Counter((row[dimension["name"]], row["answer"]) for row in GOLD)
        assert set(seen) == {(value, label) for value in dimension["values"] for label in labels}
        size = Counter(row[dimension["name"]] for row in GOLD)
        assert all(seen[value, label] < size[value] / 4 for value, label in seen)


def test_half_of_the_pictures_are_clean_and_the_inks_are_thirds():
    quality = Counter(row["quality"] for row in GOLD)
    assert quality == {"clean": 449, "noisy": 150, "shifted": 150, "occluded": 150}
    assert all(abs(n - 899 / 3) < 10 for n in Counter(row["ink"] for row in GOLD).values())


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_run_answers_the_gold_in_plain_decimals(path):
    header, *body = rows(path)
    assert header == HEADER
    assert [row[0] for row in body] == [row["id"] for row in GOLD]
    assert {row[1] for row in body} == set("0123456789")
    assert all(re.fullmatch(r"0\.[0-9]{6}|1\.000000", row[2]) for row in body)


def test_the_list_of_runs_names_every_file_once():
    assert sorted(FOLDER / run["file"] for run in SENT) == RUNS
    assert len({(run["team"], run["name"]) for run in SENT}) == len(SENT)
    assert len({run["team"] for run in SENT}) >= 5
    assert all(set(run) <= {"team", "name", "file", "flag"} for run in SENT)
    flagged = {run["file"]: run["flag"] for run in SENT if "flag" in run}
    assert flagged == {"runs/neighbours-constant.csv": "baseline"}


def right(name):
    """(was it right, how sure) per instance, from the files alone."""
    gold = {row["id"]: row["answer"] for row in GOLD}
    said = records(FOLDER / "runs" / f"{name}.csv")
    return [(row["answer"] == gold[row["id"]], float(row["confidence"])) for row in said]


def hmr(claims):
    wrong = [sure for hit, sure in claims if not hit]
    hits = [sure for hit, sure in claims if hit]
    over, under = 1 - sum(wrong) / len(wrong), sum(hits) / len(hits)
    return 2 * over * under / (over + under)


def brier(claims):
    return sum((sure - hit) ** 2 for hit, sure in claims) / len(claims)


def ece(claims):
    """Ten bins closed on the right, found in decimals."""
    gaps = [Decimal(0)] * 10
    for hit, sure in claims:
        text = Decimal(f"{sure:.6f}")
        gaps[max(math.ceil(10 * text), 1) - 1] += text - hit
    return float(sum(abs(gap) for gap in gaps)) / len(claims)


def auroc(claims):
    hits = [sure for hit, sure in claims if hit]
    wrong = [sure for hit, sure in claims if not hit]
    won = sum((a > b) + (a == b) / 2 for a in hits for b in wrong)
    return won / (len(hits) * len(wrong))


@pytest.mark.parametrize(("name", "hits"), [("neighbours", 786), ("forest", 749)])
def test_two_accuracies_counted_by_other_means(name, hits):
    # Counted with sort, join and awk.
    assert sum(hit for hit, _ in right(name)) == hits


def test_the_readme_says_what_the_files_say():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 25
    cells = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    told = {row[0]: row[1:6] for row in cells[1:]}
    assert set(told) == {path.stem for path in RUNS}
    for name, values in told.items():
        claims = right(name)
        accuracy = sum(hit for hit, _ in claims) / len(claims)
        found = (accuracy, hmr(claims), ece(claims), brier(claims), auroc(claims))
        assert values == [f"{value:.3f}" for value in found], name


def test_accuracies_spread():
    shares = {path.stem: sum(hit for hit, _ in right(path.stem)) / 899 for path in RUNS}
    assert min(shares.values()) < TASK["ranking"]["min_accuracy"] < 0.75
    assert sum(0.75 <= share <= 0.98 for share in shares.values()) >= 10


def test_the_same_answers_with_three_faults_of_confidence():
    said = {
        name: [row["answer"] for row in records(FOLDER / "runs" / f"{name}.csv")]
        for name in ("logistic", "logistic-sharpened", "logistic-temperature")
    }
    assert said["logistic"] == said["logistic-sharpened"] == said["logistic-temperature"]
    assert brier(right("logistic-temperature")) < brier(right("logistic"))
    assert brier(right("logistic")) < brier(right("logistic-sharpened"))


def test_the_faults_are_there():
    sure = {path.stem: [c for _, c in right(path.stem)] for path in RUNS}
    assert set(sure["neighbours"]) <= {0.2, 0.4, 0.6, 0.8, 1.0}
    assert set(sure["forest-thresholded"]) == {0.0, 1.0}
    assert len(set(sure["neighbours-constant"])) == 1
    assert hmr(right("forest-thresholded")) > hmr(right("forest")) + 0.1
    assert brier(right("forest-thresholded")) > brier(right("forest")) + 0.1


def test_the_broken_run_has_its_mistakes():
    body = rows(FOLDER / "broken.csv")[1:]
    ids = [row[0] for row in body]
    known = {row["id"] for row in GOLD}
    assert set(ids) - known == {"d9999"}
    assert [i for i, n in Counter(ids).items() if n > 1] == ["d0027"]
    assert sorted(known - set(ids)) == ["d0024", "d0028", *(f"d0{i}" for i in range(895, 900))]
    assert {row[1] for row in body} - set("0123456789") == {"eight"}
    plain = re.compile(r"0\.[0-9]{6}|1\.000000")
    odd = [(line, row[2]) for line, row in enumerate(body, 2) if not plain.fullmatch(row[2])]
    assert odd == [(5, "1.3"), (9, "87%"), (13, "sure"), (17, "")]


def test_the_generator_makes_these_files(tmp_path):
    subprocess.run([sys.executable, str(FOLDER / "generate.py"), str(tmp_path)], check=True)
    made = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.csv")}
    assert len(made) == len(RUNS) + 2
    assert (tmp_path / "gold.csv").read_bytes() == (FOLDER / "gold.csv").read_bytes()
    for path in RUNS:
        again, committed = rows(tmp_path / "runs" / path.name), rows(path)
        assert [row[0] for row in again] == [row[0] for row in committed]
        differing = sum(
            new[1] != old[1] or abs(float(new[2]) - float(old[2])) > NEAR
            for new, old in zip(again[1:], committed[1:], strict=True)
        )
        assert differing <= SHARE * len(GOLD), path.name
