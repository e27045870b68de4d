"""Runs against each other: from bytes to tables, sentences and boards."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from simulation import expanded
from test_cli import answer, folder, invoke, refused, registered  # noqa: F401, fixtures

from grader.cli import main
from grader.compare import compare, weights
from grader.errors import Mistake
from grader.family import bound, by_id, family, inside, macro_sums, overlap
from grader.measures import find
from grader.model import Comparison, Gold, Judged, Pair, Resampling, Subsets, Task, Versus
from grader.pairwise import shared, tables
from grader.table import PairTable, Same

RNG = np.random.default_rng(7)
N = 120


def run_of(skill, noise, seed):
    """A run that is right with probability ``skill`` and more sure where it is."""
    rng = np.random.default_rng(seed)
    right = rng.random(N) < skill
    sure = np.clip(0.5 + 0.3 * (right - 0.5) + rng.normal(0, noise, N), 0, 1)
    return Judged(right, sure)


RUNS = {"good": run_of(0.8, 0.1, 1), "fair": run_of(0.7, 0.2, 2), "poor": run_of(0.5, 0.3, 3)}
GOLD = Gold(tuple(map(str, range(N))), (("a",),) * N)
TASK = Task("t", "T")
EVERY = np.ones(N, dtype=bool)


def views(**runs):
    return {name: (run, EVERY) for name, run in (runs or RUNS).items()}


def hmr(run):
    over = 1 - run.confidence[~run.correct].mean()
    under = run.confidence[run.correct].mean()
    return 2 * over * under / (over + under)


def test_a_table_has_every_pair_with_its_difference():
    [table] = tables(TASK, GOLD, views(), ())
    assert [(table.names[p.a], table.names[p.b]) for p in table.comparison.pairs] == [
        ("good", "fair"),
        ("good", "poor"),
        ("fair", "poor"),
    ]
    for pair in table.comparison.pairs:
        a, b = (RUNS[table.names[i]] for i in (pair.a, pair.b))
        assert pair.difference == pytest.approx(hmr(a) - hmr(b), abs=1e-12)
        assert pair.low < pair.difference < pair.high
        assert 0 < pair.p <= 1
    assert table.adjusted
    assert table.n == N


def test_runs_are_compared_where_all_were_scored():
    half = EVERY.copy()
    half[N // 2 :] = False
    seen = {"a": (RUNS["good"], half), "b": (RUNS["fair"], EVERY)}
    runs, at = shared(seen, GOLD)
    assert sorted(at) == list(range(N // 2))
    assert [GOLD.ids[i] for i in at] == sorted(GOLD.ids[: N // 2])
    assert [len(r.correct) for r in runs] == [N // 2] * 2
    [table] = tables(TASK, GOLD, seen, ("accuracy",))
    assert table.values == (
        RUNS["good"].correct[half].mean(),
        RUNS["fair"].correct[half].mean(),
    )


def test_a_macro_is_compared_by_its_own_values():
    codes = np.arange(N) % 3
    gold = replace(GOLD, subsets=(Subsets("exam", ("x", "y", "z"), codes),))
    [table] = tables(TASK, gold, views(), ("macro(hmr,exam)",))
    for name, value in zip(table.names, table.values, strict=True):
        run = RUNS[name]
        each = [hmr(run.part(np.flatnonzero(codes == k))) for k in range(3)]
        assert value == pytest.approx(np.mean(each), abs=1e-12)


def test_the_gradient_of_a_macro_is_that_of_small_steps():
    codes = np.arange(N) % 2
    sums = macro_sums(find("hmr").sums, codes, 2)
    at = sums.features(RUNS["fair"]).sum(axis=0)
    slope = sums.gradient(at)
    for i in range(len(at)):
        step = np.zeros(len(at))
        step[i] = 1e-4
        numeric = (sums.value(at + step) - sums.value(at - step)) / 2e-4
        assert slope[i] == pytest.approx(numeric, rel=1e-5, abs=1e-9)


def test_the_parameter_of_hmr_is_the_one_compared():
    table = tables(TASK, GOLD, views(), ("hmr@2", "r_o", "hmr@inf"))
    run = RUNS["good"]
    over = 1 - run.confidence[~run.correct].mean()
    under = run.confidence[run.correct].mean()
    assert table[0].values[0] == pytest.approx(5 * over * under / (4 * over + under), abs=1e-12)
    assert table[0].comparison.pairs != table[1].comparison.pairs
    for made in table:
        measure = bound(made.measure, GOLD, np.arange(N))
        whole = measure.sums.features(run).sum(axis=0)
        assert measure.sums.value(whole) == pytest.approx(made.values[0], abs=1e-12)


def test_a_measure_that_is_no_function_of_sums_has_an_interval_of_its_own_and_no_p():
    [table] = tables(TASK, GOLD, views(), ("auroc",))
    assert not table.adjusted
    assert all(p.p is None and p.low < p.high for p in table.comparison.pairs)
    assert "not adjusted" in table.sentences[0]


def test_hsd_stands_only_beside_means_of_three_runs():
    brier, rewards = tables(TASK, GOLD, views(), ("brier", "hmr"))
    assert len(brier.hsd) == 3
    assert rewards.hsd == ()
    two = {name: views()[name] for name in ("good", "poor")}
    assert tables(TASK, GOLD, two, ("brier",))[0].hsd == ()


def test_identical_runs_are_never_told_apart():
    pair = tables(TASK, GOLD, views(a=RUNS["good"], b=RUNS["good"]), ())[0].comparison.pairs[0]
    assert (pair.difference, pair.p, pair.told_apart) == (0.0, 1.0, False)


@pytest.mark.parametrize(
    ("told", "low", "high"), [(True, 0.01, 0.2), (False, -0.01, 0.2), (False, None, None)]
)
def test_a_sentence_says_what_the_interval_says(told, low, high):
    pair = Pair(0, 1, 0.1, low, high, None if low is None else 0.25, "too few" if not low else "")
    comparison = Comparison((pair,), ((1, 1), (2, 2)), 500, 2.0, (0.7, 0.6), ("", ""))
    same = (Same(0.5, 1000),)
    table = PairTable(find("hmr"), ("a_b", "c & d"), 50, comparison, same, adjusted=True)
    [sentence] = table.sentences
    assert sentence.startswith(
        "On 50 instances a_b has HMR 0.700 and c & d 0.600: difference +0.100"
    )
    if low is None:
        assert sentence.endswith("; too few.")
    else:
        assert ("they differ" in sentence) == told
        assert "500 resamples; adjusted p = 0.250" in sentence
    tex = table.latex()
    assert r"a\_b $-$ c \& d" in tex
    assert tex.count(r"\\") == 2


def test_a_board_says_of_each_row_whether_it_is_told_from_the_one_above():
    found = family(TASK, GOLD, views())
    assert found.slugs == ("good", "fair", "poor")
    assert found.above("good") is None
    assert (found.above("poor").a, found.above("poor").b) == (1, 2)
    assert found.comparison.ranks[0][0] == 1
    direct = compare(shared(views(), GOLD)[0], find("hmr"), 1000, 1)
    assert found.comparison == direct
    alone = family(TASK, GOLD, {"good": views()["good"]})
    assert (alone.comparison, alone.reason) == (None, "there are not two runs to compare")
    binned = family(replace(TASK, primary="ece@10"), GOLD, views())
    assert "no function of sums" in binned.reason
    assert Versus((), None).above("x") is None


def test_the_command_in_text_json_and_latex(registered):  # noqa: F811
    (registered / "other.csv").write_text(
        "id,answer,confidence\nq1,Paris,0.5\nq2,Rome,0.5\nq3,Sydney,0.2\nq4,Ottawa,0.5\n",
        encoding="utf-8",
    )
    for file in ("run.csv", "other.csv"):
        answer("submit", file, "--task", "capitals", "--team", "A")
    stored = answer("compare", "a-1", "a-2", "--task", "capitals", "--measures", "brier,hmr")
    files = answer("compare", "run.csv", "other.csv", "--task", "tasks/capitals")
    assert [t["measure"] for t in stored] == ["brier", "hmr"]
    assert files[0]["pairs"][0]["difference"] == stored[1]["pairs"][0]["difference"]
    assert "10 of each are needed" in files[0]["pairs"][0]["note"]
    assert stored[0]["pairs"][0]["difference"] == pytest.approx(
        (0.05**2 + 0.1**2 + 0.7**2 + 0.6**2) / 4 - (3 * 0.5**2 + 0.2**2) / 4, abs=1e-12
    )
    tex = CliRunner().invoke(
        main, ["compare", "a-1", "a-2", "--task", "capitals", "--format", "latex"]
    )
    assert "\\toprule" in tex.stdout
    assert invoke("compare", "a-1", "a-2", "--task", "capitals").exit_code == 0
    assert "two different runs" in refused("compare", "a-1", "a-1", "--task", "capitals")
    assert "no run 'a-9'" in refused("compare", "a-1", "a-9", "--task", "capitals")
    bad = refused("compare", "run.csv", "bad.csv", "--task", "tasks/capitals")
    assert "bad.csv is refused" in bad
    wrong = refused("compare", "a-1", "a-2", "--task", "capitals", "--measures", "hmrr")
    assert "did you mean 'hmr'" in wrong
    json.dumps(stored, allow_nan=False)


@pytest.mark.parametrize("key", ["ece@10", "ks", "mce@10", "ecedistinct", "smece", "ece@50"])
def test_a_difference_of_calibration_errors_has_no_interval(key):
    """The noise of both would make half of the calibrated pairs different."""
    [table] = tables(replace(TASK, resampling=Resampling(50)), GOLD, views(), (key,))
    for pair in table.comparison.pairs:
        assert (pair.low, pair.p) == (None, None)
        assert pair.reason
        assert not pair.told_apart
    assert not any("they differ" in sentence for sentence in table.sentences)


def test_a_difference_that_is_the_same_everywhere_is_no_equality():
    shifted = Judged(RUNS["poor"].correct, RUNS["poor"].confidence * 0.5 + 0.25)
    flat = Judged(RUNS["poor"].correct, np.full(N, 0.5))
    more = Judged(RUNS["poor"].correct, np.full(N, 0.75))
    [table] = tables(TASK, GOLD, views(a=flat, b=more), ("confidence",))
    [pair] = table.comparison.pairs
    assert (pair.difference, pair.low, pair.p) == (-0.25, None, None)
    assert "the same in every instance" in pair.reason
    [same] = tables(TASK, GOLD, views(a=flat, b=shifted), ("accuracy",))[0].comparison.pairs
    assert (same.p, same.reason) == (1.0, "the two do not differ in this")


def test_a_macro_differs_by_the_difference_of_its_values():
    codes = np.repeat([0, 1], [30, N - 30])
    gold = replace(GOLD, subsets=(Subsets("exam", ("x", "y"), codes),))
    [table] = tables(TASK, gold, views(), ("macro(hmr,exam)",))
    for pair in table.comparison.pairs:
        assert pair.difference == pytest.approx(table.values[pair.a] - table.values[pair.b])
    assert [same.p for same in table.same] == [None, None, None]
    pooled = tables(TASK, gold, views(), ())[0].comparison.pairs[0].difference
    assert abs(pooled - table.comparison.pairs[0].difference) > 1e-6


def test_a_macro_without_instances_in_a_subset_is_undefined_and_says_so():
    gold = replace(GOLD, subsets=(Subsets("exam", ("x", "y"), np.zeros(N, int)),))
    [table] = tables(TASK, gold, views(), ("macro(hmr,exam)",))
    assert table.values == (None, None, None)
    assert all("undefined: exam=y: no instances" in sentence for sentence in table.sentences)
    found = family(replace(TASK, primary="macro(hmr,exam)"), gold, views())
    assert set(found.comparison.reasons) == {"undefined: exam=y: no instances"}
    with pytest.raises(Mistake, match="no dimension 'exam'"):
        tables(TASK, GOLD, views(), ("macro(hmr,exam)",))


def test_a_run_that_is_undefined_is_so_alone():
    """AUROC of a run that is always right; the other pair and the other measure stand."""
    sure = Judged(np.ones(N, dtype=bool), RUNS["good"].confidence)
    seen = views(good=RUNS["good"], sure=sure, poor=RUNS["poor"])
    auroc, brier = tables(TASK, GOLD, seen, ("auroc", "brier"))
    assert [pair.difference is None for pair in auroc.comparison.pairs] == [True, False, True]
    assert auroc.values[1] is None
    assert auroc.cells[0][1].endswith("− –")
    assert "sure: undefined: " in auroc.cells[0][3]
    assert "and sure –; sure: undefined: " in auroc.sentences[0]
    made = auroc.as_json()
    assert made["values"]["sure"] is None
    assert list(made["notes"]) == ["sure"]
    assert [pair["low"] is None for pair in made["pairs"]] == [True, False, True]
    assert "undefined" in made["pairs"][0]["same_system_note"]
    assert "sure: undefined" in auroc.latex()
    assert all(value is not None for value in brier.values)
    assert [p is None for p in brier.hsd] == [False, False, False]
    json.dumps(made, allow_nan=False)


def test_a_macro_of_a_measure_without_sums_is_a_mean_over_subsets_too():
    codes = np.repeat([0, 1], [60, N - 60])
    gold = replace(GOLD, subsets=(Subsets("exam", ("x", "y"), codes),))
    few = replace(TASK, resampling=Resampling(200))
    auroc, pooled = tables(few, gold, views(), ("macro(auroc,exam)", "auroc"))
    for name, value in zip(auroc.names, auroc.values, strict=True):
        each = [find("auroc")(RUNS[name].part(np.flatnonzero(codes == k))).value for k in (0, 1)]
        assert value == pytest.approx(np.mean(each), abs=1e-12)
    assert auroc.comparison.pairs != pooled.comparison.pairs
    at = by_id(EVERY, gold)
    codes, values = codes[at], []
    for weight in next(weights(N, 200, 1)).astype(int):
        drawn = np.repeat(np.arange(N), weight)
        means = [
            np.mean([find("auroc")(run.part(drawn[codes[drawn] == k])).value for k in (0, 1)])
            for run in (RUNS["good"].part(at), RUNS["fair"].part(at))
        ]
        values.append(means[0] - means[1])
    pair = auroc.comparison.pairs[0]
    assert (pair.low, pair.high) == pytest.approx(expanded(values, N), abs=1e-12)


# Families: a board, and each of its subsets.


def part_of(share, seed):
    return np.random.default_rng(seed).random(N) < share


def test_one_run_that_answered_little_does_not_end_the_comparison():
    seen = {"a": (RUNS["good"], part_of(0.95, 1)), "b": (RUNS["fair"], part_of(0.9, 2))}
    alone = family(TASK, GOLD, seen)
    few = np.arange(N) < 5
    found = family(TASK, GOLD, {"few": (RUNS["poor"], few), **seen})
    assert found.n == alone.n == (seen["a"][1] & seen["b"][1]).sum()
    assert found.apart("few").startswith("it answered too few")
    assert (found.apart("a"), found.above("a").difference) == ("", None)
    assert found.comparison.ranks[found.slugs.index("few")] is None
    assert found.above("b").p == alone.above("b").p
    assert found.comparison.critical == alone.comparison.critical
    none = family(TASK, GOLD, {"x": (RUNS["good"], few), "y": (RUNS["fair"], ~few)})
    assert [none.apart(run) for run in "xy"] == [found.apart("few"), ""]
    assert (none.comparison.critical, none.n) == (None, N - 5)
    assert none.comparison.ranks[none.slugs.index("y")] is None


def test_overlap_takes_the_fullest_runs_first():
    ends = {"a": 100, "b": 80, "c": 40, "d": 60}
    scored = {run: np.arange(100) < end for run, end in ends.items()}
    shared_, sparse = overlap(scored)
    assert (shared_.sum(), sparse) == (60, {"c"})
    # 50 of 100 are half; which runs come first changes nothing.
    turned = {run: scored[run] for run in ("c", "d", "b", "a")}
    assert overlap(turned)[1] == {"c"}
    assert overlap({**scored, "e": np.arange(100) >= 50})[1] == {"c", "e"}


def test_a_subset_is_a_family_of_its_own():
    codes = np.arange(N) % 2
    gold = replace(GOLD, subsets=(Subsets("exam", ("x", "y"), codes),))
    assert (inside(gold, "exam=y") == (codes == 1)).all()
    task = replace(TASK, primary="macro(hmr,exam)")
    found = family(task, gold, views(), "exam=y")
    at = by_id(codes == 1, gold)
    assert (found.n, sorted(at)) == (N // 2, list(range(1, N, 2)))
    direct = compare([run.part(at) for run in RUNS.values()], find("hmr"), 1000, 1)
    assert found.comparison == direct
    assert found.comparison != family(task, gold, views()).comparison


def test_a_run_under_the_gate_in_one_subset_is_left_out_of_the_macro_alone():
    codes = np.repeat([0, 1], [30, N - 30])
    gold = replace(GOLD, subsets=(Subsets("exam", ("x", "y"), codes),))
    lucky = Judged(RUNS["fair"].correct | (codes == 0), RUNS["fair"].confidence)
    macro = replace(TASK, primary="macro(accuracy,exam)")
    seen = views(a=RUNS["poor"], b=lucky, c=RUNS["fair"])
    assert set(family(macro, gold, seen).comparison.reasons) == {""}
    found = family(replace(TASK, primary="macro(hmr,exam)"), gold, seen)
    assert found.apart("b") == "exam=x: 30 right and 0 wrong answers; 10 of each are needed"


def test_without_resamples_nothing_is_claimed():
    [table] = tables(replace(TASK, resampling=Resampling(0)), GOLD, views(), ())
    assert [same.p for same in table.same] == [None, None, None]
    assert {p.reason for p in table.comparison.pairs} == {"the task asks for no resamples"}


def test_latex_holds_one_row_a_pair_whatever_runs_are_called():
    names = {"[1em]": RUNS["good"], "a\nb\x1b": RUNS["fair"]}
    tex = tables(TASK, GOLD, views(**names), ())[0].latex()
    assert len(tex.splitlines()) == 8
    assert "{}[1em]" in tex
    assert "\x1b" not in tex


def test_a_macro_can_be_asked_for(folder):  # noqa: F811
    (folder / "other.csv").write_text(
        "id,answer,confidence\nq1,Lima,0.5\nq2,Rome,0.5\nq3,Sydney,0.2\nq4,Ottawa,0.5\n",
        encoding="utf-8",
    )
    args = ("compare", "run.csv", "other.csv", "--task", "tasks/capitals")
    made = answer(*args, "--measures", "macro(accuracy,subset),brier")
    assert [t["measure"] for t in made] == ["macro(accuracy,subset)", "brier"]
    assert made[0]["values"] == {"run.csv": 0.75, "other.csv": 0.5}


def test_an_endless_interval_has_a_sentence_and_so_has_the_least_p(folder):  # noqa: F811
    """Forty instances; 1,000 resamples show nothing below 1/1001."""
    ids = range(40)
    gold = "".join(f"q{i},{i}\n" for i in ids)
    (folder / "g.csv").write_text(f"id,answer\n{gold}", encoding="utf-8")
    for name, wide in (("near", 1), ("far", 9), ("endless", 1)):
        ends = "".join(f"q{i},{i - wide},{i + wide + i % 3}\n" for i in ids)
        if name == "endless":
            ends = ends.replace("q7,6,9\n", "q7,-inf,9\n")
        (folder / name).write_text(f"id,lower,upper\n{ends}", encoding="utf-8")
    args = ("--gold", "g.csv", "--kind", "interval", "--format", "json")
    [table] = answer("compare", "near", "endless", *args[:-2])
    said = table["pairs"][0]["sentence"]
    assert said == (
        "On 40 instances near has Interval score 2.975 and endless ∞, so that they have no "
        "difference: of endless 1 of 40 intervals have an infinite end."
    )
    rows = invoke("compare", "near", "endless", *args[:-2]).stdout
    assert "near − endless\t2.9750 − ∞\t–\t" in rows
    (folder / "far").write_text(
        "id,lower,upper\n" + "".join(f"q{i},{i - 9 - i % 2},{i + 9}\n" for i in ids),
        encoding="utf-8",
    )
    [table] = answer("compare", "near", "far", *args[:-2])
    assert table["pairs"][0]["p"] == pytest.approx(1 / 1001)
    assert "adjusted p ≤ 0.001)" in table["pairs"][0]["sentence"]


def test_two_files_are_compared_with_a_gold_file_alone(folder):  # noqa: F811
    """Where the task declares nothing that its gold does not say, the figures are the same."""
    (folder / "other.csv").write_text(
        "id,answer,confidence\nq1,Lima,0.5\nq2,Rome,0.5\nq3,Sydney,0.2\nq4,Ottawa,0.5\n",
        encoding="utf-8",
    )
    runs = ("compare", "run.csv", "other.csv")
    alone = answer(*runs, "--gold", "tasks/capitals/gold.csv", "--measures", "brier,accuracy")
    whole = answer(*runs, "--task", "tasks/capitals", "--measures", "brier,accuracy")
    assert alone == whole
    assert alone[1]["values"] == {"run.csv": 0.75, "other.csv": 0.5}
    drawn = answer(*runs, "--gold", "tasks/capitals/gold.csv", "--resamples", "30")
    assert [(t["measure"], t["resamples"]) for t in drawn] == [("hmr", 30)]
    assert "needs a task or a gold file" in refused(*runs)
    stored = refused("compare", "a-1", "a-2", "--task", "capitals", "--seed", "3")
    assert "--seed is for files" in stored
    bad = refused("compare", "run.csv", "bad.csv", "--gold", "tasks/capitals/gold.csv")
    assert "grader check bad.csv --gold tasks/capitals/gold.csv" in bad


def test_the_order_of_the_golds_lines_changes_no_comparison():
    order = np.random.default_rng(5).permutation(N)
    mixed = replace(GOLD, ids=tuple(GOLD.ids[i] for i in order))
    turned = {name: (run.part(order), EVERY) for name, run in RUNS.items()}
    here, there = tables(TASK, GOLD, views(), ()), tables(TASK, mixed, turned, ())
    assert here[0].comparison.pairs == there[0].comparison.pairs
    assert here[0].same == there[0].same
