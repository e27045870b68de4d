"""Interval tasks: the measures, the rules, and the walk from task.toml to the page."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from grading import graded, places, refused, values
from reading import parse as html
from reading import text
from shared_data import shared

from grader.board import printed, shown
from grader.cli import main
from grader.errors import Mistake
from grader.exchange import swap_test
from grader.measures import find
from grader.model import Bounds, Judged, Score, Undefined
from grader.signature import settings
from grader.tasks import parse

KIND = 'kind = "interval"\n'
GOLD = "id,answer,kind\nq1,1,a\nq2,2.5,a\nq3,2,b\nq4,4,b\n"
RUN = "id,lower,upper\nq1,0,1\nq2,1,2\nq3,2,2\nq4,3,5\n"
SUBSETS = '[gold]\nsubsets = ["kind"]\n'


def judged(low, high, gold, level=0.9):
    ends = Bounds(*(np.array(x, dtype=float) for x in (low, high, gold)), level)
    right = (ends.low <= ends.gold) & (ends.gold <= ends.high)
    return Judged(right, np.ones(len(right)), bounds=ends)


def test_the_values_of_the_oracle_come_out():
    case = json.loads(shared("oracles", "oracle.json").read_text(encoding="utf-8"))["intervals"]
    run = judged(case["lo"], case["hi"], case["truth"])
    assert find("coverage")(run).value == case["coverage"]
    assert find("width")(run).value == case["mean_width"]


def test_values_worked_out_by_hand():
    """Widths 1, 1, 0, 2; q2 lies 1/2 above its interval. At level .9, 2/α is 20."""
    found = values(RUN, GOLD, KIND + SUBSETS, ())
    expected = {
        "coverage": "3/4",
        ("coverage", "kind=a"): "1/2",
        ("coverage", "kind=b"): "1",
        "width": "1",
        "covgap": "3/20",
        ("covgap", "kind=b"): "1/10",
        "iscore": "7/2",
        ("iscore", "kind=a"): "6",
        ("iscore", "kind=b"): "1",
    }
    for key, fraction in expected.items():
        if key != "covgap" and "covgap" not in key:
            assert found[key] == pytest.approx(float(Fraction(fraction)), abs=1e-12)
    listed = values(RUN, GOLD, KIND + SUBSETS, ("covgap", "macro(covgap,kind)"))
    for key, fraction in expected.items():
        assert listed[key] == pytest.approx(float(Fraction(fraction)), abs=1e-12)
    assert listed["macro(covgap,kind)"] == pytest.approx((0.4 + 0.1) / 2, abs=1e-12)


def test_the_stated_level_weighs_what_is_missed():
    half = values(RUN, GOLD, f"{KIND}[interval]\nlevel = 0.5\n", ())
    assert half["iscore"] == pytest.approx(1 + 4 * 0.5 / 4, abs=1e-12)


def test_the_interval_score_is_best_for_the_true_quantiles():
    """Of a normal gold the central 90% interval; wider, narrower or moved scores worse."""
    gold = np.random.default_rng(1).normal(0, 1, 20_000)
    z = 1.6448536269514722
    score = find("iscore")

    def of(low, high):
        return score(judged(np.full(20_000, low), np.full(20_000, high), gold)).value

    best = of(-z, z)
    assert best < min(of(-z - 0.3, z + 0.3), of(-z + 0.3, z - 0.3), of(-z + 0.3, z + 0.3))
    assert best == pytest.approx(4.1254, abs=0.05)  # 2·φ(z)/(α/2), Gneiting and Raftery's value


def test_an_endless_width_is_no_number_and_says_so():
    run = RUN.replace("q4,3,5", "q4,3,inf").replace("q1,0,1", "q1,-inf,1")
    found = {(s.measure, s.subset): s for s in graded(run, GOLD, KIND + SUBSETS, ()).scores}
    for key in ("width", "iscore"):
        score = found[key, "all"]
        assert score.value is None
        assert score.note == "infinite: 2 of 4 intervals have an infinite end"
        assert printed(score, 3) == "∞"
    assert found["coverage", "all"].value == 0.75
    huge = judged([-1e308, 0], [1e308, 1], [0, 0])
    with pytest.raises(Undefined, match="infinite: "):
        find("width")(huge)


def test_only_what_is_infinite_is_printed_so():
    assert printed(Score("auroc", "all", 4, None, note="nothing is wrong"), 3) == "–"
    assert printed(None, 3) == "–"
    assert shown(1e300, 2) == "1.00e+300"


def test_coverage_has_an_interval_and_its_gap_none():
    n = 400
    run = "id,lower,upper\n" + "".join(f"q{i},0,{1 if i % 10 else 3}\n" for i in range(n))
    gold = "id,answer\n" + "".join(f"q{i},{2 if i % 10 else 2.5}\n" for i in range(n))
    found = {s.measure: s for s in graded(run, gold, KIND, ("covgap",)).scores}
    half = 1.96 * math.sqrt(0.1 * 0.9 / n)
    assert found["coverage"].value == 0.1
    assert found["coverage"].high - found["coverage"].low == pytest.approx(2 * half, rel=0.12)
    assert found["width"].low < found["width"].value < found["width"].high
    assert found["covgap"].low is None
    assert "interval of coverage" in found["covgap"].no_interval


def test_an_instance_without_a_gold_number_counts_in_no_score():
    """Of q1 to q3 two are covered; widths 1, 1, 0, and 1/2 outside at weight 20."""
    gold = GOLD.replace("q4,4,b", "q4,,b")
    found = {s.measure: s for s in graded(RUN, gold, KIND, ()).scores if s.subset == "all"}
    assert {s.n for s in found.values()} == {3}
    assert found["coverage"].value == pytest.approx(2 / 3, abs=1e-12)
    assert found["iscore"].value == pytest.approx((2 + 10) / 3, abs=1e-12)
    assert [p.code for p in refused(RUN.replace("q4,3,5\n", ""), gold, KIND, ())] == ["missing-id"]
    with pytest.raises(Undefined, match="1 of 2 instances have no gold value"):
        find("iscore")(judged([0, 0], [1, 1], [1, math.nan]))


def test_a_left_out_instance_leaves_the_scores():
    run = RUN.replace("q2,1,2\n", "")
    assert [p.code for p in refused(run, GOLD, KIND, ())] == ["missing-id"]
    found = graded(run, GOLD, f'{KIND}missing = "leave-out"\n', ())
    assert (found.n, found.of, found.right) == (3, 4, 3)
    assert next(s for s in found.scores if s.measure == "coverage").value == 1.0


@pytest.mark.parametrize(
    ("cells", "field", "code"),
    [
        ("inf,inf", "lower", "not-a-bound"),
        ("-inf,-inf", "upper", "not-a-bound"),
        ("0,nan", "upper", "not-a-bound"),
        ("0,Infinity", "upper", "not-a-bound"),
        ("0,", "upper", "not-a-bound"),
        ("0,1e400", "upper", "not-a-bound"),
        ("1_0,12", "lower", "not-a-bound"),
        ("5%,12", "lower", "not-a-bound"),
        ("2,1", "lower", "crossed-bounds"),
        ("inf,1", "lower", "not-a-bound"),
    ],
)
def test_an_end_is_a_number_or_nowhere(cells, field, code):
    run = RUN.replace("q3,2,2", f"q3,{cells}")
    assert places(refused(run, GOLD, KIND, ())) == [(4, field, code)]


@pytest.mark.parametrize("cells", ["-inf,inf", " -inf , +inf ", "-1e3,2", "2,2.0", "-0.0,9"])
def test_ends_that_are_accepted(cells):
    assert values(RUN.replace("q3,2,2", f"q3,{cells}"), GOLD, KIND, ())["coverage"] == 0.75


def test_a_point_may_be_there_and_is_a_number():
    run = "id,lower,upper,answer\nq1,0,1,0.5\nq2,1,2,\nq3,2,2,2\nq4,3,5,4\n"
    assert values(run, GOLD, KIND, ())["coverage"] == 0.75
    assert not graded(run, GOLD, KIND, ()).notices
    bad = run.replace("4\n", "four\n")
    assert (5, "answer", "not-numeric") in places(refused(bad, GOLD, KIND, ()))


def test_its_columns_are_told_when_they_are_not_there():
    (problem,) = refused("id,low,upper\nq1,0,1\nq2,0,1\nq3,0,1\nq4,0,1\n", GOLD, KIND, ())
    assert (problem.code, problem.field) == ("missing-column", "lower")
    assert problem.message.endswith("did you mean 'low'?")
    mapped = f'{KIND}[run]\nlower = "q05"\nupper = "q95"\n'
    assert values(RUN.replace("lower,upper", "q05,q95"), GOLD, mapped, ())["width"] == 1


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('primary = "hmr"\n', "'hmr' is a measure of tasks of kind = \"answers\""),
        ('measures = ["ece@10"]\n', "'ece@10' is a measure of tasks of kind"),
        ('primary = "coverage"\n', "'coverage' has no better side and cannot rank"),
        ('primary = "width"\n', "'width' has no better side and cannot rank"),
        ('answers = "numeric"\n', "answers: is given"),
        ('missing = "worst"\n', 'missing: is "worst"'),
        ("[interval]\nlevel = 1.0\n", "interval.level: is 1.0"),
        ("[ranking]\nmin_accuracy = 0.5\n", "ranking.min_accuracy: is given"),
        ('[run]\nupper = "lower"\n', "run.upper: is 'lower', which another key names too"),
    ],
)
def test_a_task_file_of_intervals_says_what_does_not_fit(toml, said):
    with pytest.raises(Mistake) as raised:
        parse(f'title = "T"\n{KIND}{toml}', "t")
    assert said in str(raised.value)


def test_measures_of_intervals_are_for_interval_tasks():
    with pytest.raises(Mistake, match="'width' is a measure of tasks of kind"):
        parse('title = "T"\nmeasures = ["width"]\n', "t")
    task = parse(f'title = "T"\n{KIND}', "t")
    assert task.keys == ("iscore", "coverage", "width", "covgap")
    assert "answers:interval 0.9|" in settings(task, "v1:9f", "00")


def test_a_gold_of_intervals_is_numbers():
    comma = "has a decimal comma: write a point"
    for cell, said in (("two", "is not a number"), ('"2,5"', comma), ("1e999", "is too large")):
        with pytest.raises(Mistake, match=said):
            values(RUN, GOLD.replace("2.5", cell), KIND, ())


TASK = f'title = "Rain"\nmeasures = ["covgap", "macro(covgap,kind)"]\n{KIND}{SUBSETS}'


def invoke(*args):
    done = CliRunner().invoke(main, [str(a) for a in args])
    assert done.exit_code == 0, done.output
    return done.stdout


def rain():
    """Six instances in each of two kinds; the first run covers 5 and 3, the second is endless."""
    ids = [f"q{i}" for i in range(12)]
    gold = "id,answer,kind\n" + "".join(f"{x},5,{'ab'[i % 2]}\n" for i, x in enumerate(ids))
    missed = {0, 1, 3, 5}
    first = "".join(f"{x},{6 if i in missed else 4},7\n" for i, x in enumerate(ids))
    second = "".join(f"{x},-inf,{'inf' if i else 6}\n" for i, x in enumerate(ids))
    return gold, f"id,lower,upper\n{first}", f"id,lower,upper\n{second}"


@pytest.fixture
def registered(tmp_path, migrated_url, monkeypatch):
    """The task ``rain`` with two runs, on each of the two databases."""
    folder = tmp_path / "rain"
    folder.mkdir()
    gold, first, second = rain()
    (folder / "task.toml").write_text(TASK, encoding="utf-8")
    (folder / "gold.csv").write_text(gold, encoding="utf-8")
    (tmp_path / "first.csv").write_text(first, encoding="utf-8")
    (tmp_path / "second.csv").write_text(second, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GRADER_DB", migrated_url)
    invoke("task", "add", "rain")
    invoke("team", "add", "A")
    for name in ("first", "second"):
        invoke("submit", f"{name}.csv", "--task", "rain", "--team", "A")
    return tmp_path


def test_an_interval_task_from_end_to_end(registered):
    """Kind a: 5 of 6 covered, kind b: 3 of 6. Widths 3 and 1; four missed by 1 at weight 20."""
    said = json.loads(invoke("run", "show", "rain", "a-1", "--format", "json"))["scores"]
    part = {k: {m: s["value"] for m, s in p["measures"].items()} for k, p in said.items()}
    assert part["all"]["coverage"] == pytest.approx(8 / 12)
    assert part["kind=a"]["coverage"] == pytest.approx(5 / 6)
    assert part["kind=b"]["coverage"] == pytest.approx(3 / 6)
    assert part["all"]["width"] == pytest.approx((8 * 3 + 4 * 1) / 12)
    assert part["all"]["iscore"] == pytest.approx((8 * 3 + 4 * (1 + 20)) / 12)
    assert part["all"]["macro(covgap,kind)"] == pytest.approx((0.9 - 5 / 6 + 0.4) / 2)
    endless = json.loads(invoke("run", "show", "rain", "a-2", "--format", "json"))
    width = endless["scores"]["all"]["measures"]["width"]
    assert width["value"] is None
    assert width["note"] == "infinite: 12 of 12 intervals have an infinite end"
    assert endless["why"].startswith("Interval score is undefined: infinite")
    assert "∞" in invoke("task", "show", "rain")
    assert "Infinity" not in invoke("export", "rain", "--format", "json")
    invoke("rescore", "rain")


def test_an_instance_without_a_gold_number_waits_for_one(registered):
    """Nothing could cover a blank: with it counted, 1 of 2 would be covered instead of 1 of 1."""
    (registered / "wait").mkdir()
    (registered / "wait" / "task.toml").write_text(
        'title = "W"\nkind = "interval"\n', encoding="utf-8"
    )
    gold, run = registered / "wait" / "gold.csv", registered / "wait.csv"
    gold.write_text("id,answer\na,3\nb,\n", encoding="utf-8")
    run.write_text("id,lower,upper\na,1,4\nb,1,4\n", encoding="utf-8")
    assert "note: 1 instance has no gold number: it counts in no score" in invoke(
        "task", "add", "wait"
    )
    scored = ("score", "wait.csv", "--task", "wait", "--format", "json")
    found = json.loads(invoke(*scored))["subsets"]["all"]
    assert (found["n"], found["measures"]["coverage"]["value"]) == (1, 1.0)
    assert found["measures"]["iscore"]["value"] == 3.0
    assert json.loads(invoke("check", "wait.csv", "--task", "wait", "--format", "json"))["n"] == 2
    gold.write_text("id,answer\na,3\nb,9\n", encoding="utf-8")
    invoke("task", "update", "wait")
    invoke("submit", "wait.csv", "--task", "wait", "--team", "A")
    shown = json.loads(invoke("run", "show", "wait", "a-1", "--format", "json"))["scores"]["all"]
    assert (shown["n"], shown["measures"]["coverage"]["value"]) == (2, 0.5)


def test_its_pages_show_coverage_and_width_of_every_subset(registered):
    invoke("publish", "site")
    site = registered / "site"
    pages = {p.name: html(p.read_bytes()) for p in site.rglob("*.html")}
    page = text(pages["a-1.html"])
    assert "Stated level" in page
    assert "Reliability" not in page
    rows = {
        text(row.find("th")).split()[-1]: [c.get("data-key") for c in row.findall("td")]
        for row in pages["a-1.html"].findall(".//tr")
        if row.find("th") is not None and row.find("td") is not None
    }
    assert rows["coverage"][:3] == ["0.667", "0.833", "0.500"]
    assert rows["width"][:3] == ["2.333", "2.667", "2.000"]
    assert "∞" in text(pages["a-2.html"])
    assert "the stated level of coverage is 0.9" in text(
        html((site / "rain/index.html").read_bytes())
    )
    assert "right answer" not in text(html((site / "rain/index.html").read_bytes()))
    assert "to cover 0.9 of the gold values" in text(pages["rules.html"])


def test_runs_of_intervals_are_swapped_whole():
    """Widths 1 and 3 against 2 and 5: over the four swaps the sums differ by 3, 1, 1 and 3."""
    a = judged([0, 0], [1, 3], [0, 0])
    b = judged([0, 0], [2, 5], [0, 0])
    assert swap_test(a, b, find("width"), 100, 1) == (0.5, 4)
