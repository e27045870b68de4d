"""Conformal quantiles: exact values, the guarantee by simulation, and the command."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from shared_data import shared

from grader.cli import main
from grader.conformal import binned, edges, equalised, kth_score, place, raised, scores, widened


def test_the_values_of_the_oracle_come_out():
    cases = json.loads(shared("oracles", "oracle.json").read_text(encoding="utf-8"))["conformal"]
    assert len(cases) == 9
    for case in cases:
        found, alpha = np.array([float(s) for s in case["scores"]]), Fraction(case["alpha"])
        assert place(len(found), alpha) == case["k"], case["id"]
        assert kth_score(found, alpha) == float(case["q"]), case["id"]


def test_a_float_alpha_would_ask_for_one_score_too_many():
    """125 × (1 − 0.176) is 103 exactly, and above it in floats."""
    assert math.ceil(125 * (1 - 0.176)) == 104
    assert place(124, Fraction("0.176")) == 103
    assert place(99, Fraction("0.1")) == 90
    assert place(9, Fraction(1, 3)) == 7
    assert place(0, Fraction(1, 2)) == 1
    assert kth_score(np.empty(0), Fraction(1, 2)) == math.inf


@pytest.mark.parametrize("alpha", ["0", "1", "-0.1"])
def test_an_alpha_outside_is_no_alpha(alpha):
    with pytest.raises(ValueError, match="alpha"):
        place(9, Fraction(alpha))


def test_scores_are_distances_to_the_nearer_end():
    low, high = np.array([0.0, 0.0, 0.0, -np.inf]), np.array([4.0, 4.0, 4.0, np.inf])
    assert scores(low, high, np.array([1.0, 6.0, -3.0, 9.0])).tolist() == [-1, 2, 3, -np.inf]


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=40),
    st.integers(1, 6),
    st.integers(1, 8),
)
def test_bins_are_few_and_full_enough(attribute, most, least):
    values = np.array(attribute, dtype=float)
    cuts = edges(values, most, least)
    size = np.bincount(binned(values, cuts), minlength=len(cuts) + 1)
    assert len(size) == len(cuts) + 1 <= most
    assert len(cuts) == 0 or size.min() >= least
    assert list(cuts) == sorted(set(cuts))


def test_groups_get_the_coverage_that_all_together_would_hide():
    """A quiet and a loud group. Pooled, the one is covered too often, the other too seldom."""
    rng = np.random.default_rng(5)
    alpha, spread = Fraction("0.1"), np.array([1.0, 5.0])

    def drawn(n):
        group = rng.integers(0, 2, n)
        return group, rng.normal(0, spread[group])

    pooled, equal = np.zeros(2), np.zeros(2)
    for _ in range(100):
        group, gold = drawn(400)
        found = scores(np.full(400, -1.0), np.ones(400), gold)
        by = equalised(found, group.tolist(), alpha)
        fresh, truth = drawn(2000)
        for wide, add in (
            (np.full(2000, kth_score(found, alpha)), pooled),
            (np.array([by[g][1] for g in fresh.tolist()]), equal),
        ):
            low, high = widened(np.full(2000, -1.0), np.ones(2000), wide)
            hit = (low <= truth) & (truth <= high)
            add += [hit[fresh == g].mean() / 100 for g in (0, 1)]
    assert pooled[0] > 0.99
    assert pooled[1] < 0.82
    assert equal == pytest.approx([0.9, 0.9], abs=0.012)
    assert (equal > 0.895).all()


def test_intervals_widen_shrink_and_never_cross():
    low, high = np.array([0.0, 0.0, 0.0, -np.inf]), np.array([2.0, 2.0, 2.0, 5.0])
    by = np.array([1.0, -0.5, -3.0, -np.inf])
    lower, upper = widened(low, high, by)
    assert lower[:3].tolist() == [-1.0, 0.5, 1.0]
    assert upper[:3].tolist() == [3.0, 1.5, 1.0]
    assert lower[3] == -np.inf


CALIBRATION = "id,lower,upper,answer,kind,size\n" + "".join(
    f"c{i},0,1,{1 + i},{'ab'[i % 2]},{i}\n" for i in range(20)
)
RUN = "id,lower,upper,kind,size\nq1,0,1,a,3\nq2,-inf,1,b,15\nq3,0,1,c,99\n"


def invoke(tmp_path, *args):
    (tmp_path / "split.csv").write_text(CALIBRATION, encoding="utf-8")
    (tmp_path / "run.csv").write_text(RUN, encoding="utf-8")
    return CliRunner().invoke(main, ["conformal", str(tmp_path / "split.csv"), *map(str, args)])


def test_the_command_prints_a_quantile_for_each_group(tmp_path):
    """Scores 0…19. All: k = ceil(21·0.9) = 19, the 19th is 18. Even and odd: k = 10 of 10."""
    done = invoke(tmp_path, "--alpha", "0.1", "--format", "json")
    assert json.loads(done.stdout) == {
        "alpha": "1/10",
        "groups": [{"group": "all", "n": 20, "k": 19, "quantile": 18.0, "note": None}],
    }
    done = invoke(tmp_path, "--alpha", "0.1", "--by", "kind")
    assert done.stdout == "group\tn\tk\twiden by\na\t10\t10\t18.0\nb\t10\t10\t19.0\n"
    done = invoke(tmp_path, "--alpha", "0.5", "--by", "size", "--bins", 2, "--min-bin", 5)
    lines = "(-inf, 9.0]\t10\t6\t5.0\n(9.0, inf]\t10\t6\t15.0\n"
    assert done.stdout == f"group\tn\tk\twiden by\n{lines}"
    done = invoke(tmp_path, "--alpha", "0.01", "--by", "kind", "--format", "json")
    assert [g["quantile"] for g in json.loads(done.stdout)["groups"]] == [None, None]


def test_the_command_widens_a_run(tmp_path):
    """A group that calibration never saw can only be covered by everything."""
    out = tmp_path / "wider.csv"
    done = invoke(
        *(tmp_path, "--alpha", "0.1", "--by", "kind"),
        *("--apply", tmp_path / "run.csv", "--out", out),
    )
    assert done.exit_code == 0, done.output
    assert out.read_text(encoding="utf-8") == (
        "id,lower,upper,kind,size\nq1,-18.0,19.0,a,3\nq2,-inf,20.0,b,15\nq3,-inf,inf,c,99\n"
    )
    assert done.stdout.endswith(
        "3 lines written\nnote: 1 line is of the group 'c', which calibration never saw: "
        "only an infinite interval keeps the promise\n"
    )


def test_a_quantile_has_few_digits_and_never_covers_less(tmp_path):
    """0.58 beyond the end, as decimals; 20.8 and 21.38 are 0.5799999999999983 apart as floats."""
    split = tmp_path / "own.csv"
    split.write_text("lower,upper,answer\n0,20.8,21.38\n", encoding="utf-8")
    done = CliRunner().invoke(main, ["conformal", str(split), "--alpha", "0.5"])
    assert done.stdout == "group\tn\tk\twiden by\nall\t1\t1\t0.58\n"
    for value in np.random.default_rng(3).normal(0, 100, 500).tolist():
        assert value <= raised(value) <= value + 1e-8 * abs(value)


def test_a_file_that_is_there_is_not_written_over(tmp_path):
    out = tmp_path / "wider.csv"
    out.write_text("mine", encoding="utf-8")
    done = invoke(tmp_path, "--alpha", "0.1", "--apply", tmp_path / "run.csv", "--out", out)
    assert (done.exit_code, out.read_text(encoding="utf-8")) == (2, "mine")
    assert "name another file with --out" in done.stderr
    assert "--force" not in done.stderr


def test_a_run_in_jsonl_is_widened_whatever_its_other_columns_hold(tmp_path):
    """A list has no place in CSV; a null and a key that is not there are empty cells."""
    run, out = tmp_path / "run.jsonl", tmp_path / "wider.csv"
    run.write_text(
        '{"id": "q1", "lower": 0, "upper": 1, "kind": "a", "log": {"t": [1]}, "by": null}\n'
        '{"id": "q2", "lower": 0, "upper": 1, "kind": "z", "note": "x"}\n',
        encoding="utf-8",
    )
    given = ("--alpha", "0.1", "--by", "kind", "--apply", run, "--out", out)
    said = json.loads(invoke(tmp_path, *given, "--format", "json").stdout)
    assert (said["unseen"], said["left_out"]) == ({"z": 1}, ["log"])
    assert out.read_text(encoding="utf-8") == (
        "id,lower,upper,kind,by,note\nq1,-18.0,19.0,a,,\nq2,-inf,inf,z,,x\n"
    )
    out.unlink()
    assert "note: the column 'log' is left out" in invoke(tmp_path, *given).stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--alpha", "2"), "no number between 0 and 1"),
        (("--alpha", "0.1", "--bins", "3"), "there is no --by"),
        (
            ("--alpha", "0.1", "--by", "colour"),
            "has no column 'colour': add it; there are id, lower, upper, answer, kind, size",
        ),
        (("--alpha", "0.1", "--by", "kind", "--bins", "2"), "'kind' is 'a', and no number"),
        (("--alpha", "0.1", "--out", "x.csv"), "go together"),
    ],
)
def test_the_command_says_what_is_wrong_with_its_arguments(tmp_path, args, said):
    done = invoke(tmp_path, *args)
    assert done.exit_code == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
