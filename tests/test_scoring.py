"""Measures over subsets: whom they count, and what a signature says."""

import math
from collections import defaultdict
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from hashlib import sha256

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as settings_of
from hypothesis import strategies as st

from grader import __version__
from grader.measures import MEASURES, find
from grader.model import (
    Dimension,
    Gold,
    GoldColumns,
    Judged,
    Notice,
    Resampling,
    Run,
    Score,
    Standing,
    Subsets,
    Task,
    Undefined,
)
from grader.scoring import score
from grader.signature import settings, signature

ALL = tuple(
    f"{key}@{m.parameter.example}" if m.parameter and m.parameter.required else key
    for key, m in MEASURES.items()
)
TASK = Task(
    "t",
    "T",
    primary="hmr",
    measures=(*ALL, "hmr@2", "macro(hmr,kind)"),
    gold=GoldColumns(subsets=(Dimension("kind"), Dimension("size"))),
)
# Six instances, their subsets, and one run that answers all of them.
#   right:      y  n  y  y  n  n
#   confidence: .9 .8 .5 .6 .3 .1
IDS = tuple("abcdef")
KIND = ("x", "x", "y", "y", "y", None)
SIZE = ("big", None, "big", "small", "small", "small")
RIGHT = (True, False, True, True, False, False)
SURE = ("0.9", "0.8", "0.5", "0.6", "0.3", "0.1")


def codes(values, names):
    return np.array([names.index(v) if v else -1 for v in values])


def gold(kinds=("x", "y"), standings=()):
    subsets = (
        Subsets("kind", kinds, codes(KIND, kinds)),
        Subsets("size", ("big", "small"), codes(SIZE, ("big", "small"))),
    )
    return Gold(IDS, (("right",),) * 6, subsets, standings=standings)


def run(left_out=""):
    answers = [
        None if i in left_out else "right" if y else "wrong"
        for i, y in zip(IDS, RIGHT, strict=True)
    ]
    sure = [1.0 if i in left_out else float(c) for i, c in zip(IDS, SURE, strict=True)]
    return Run(tuple(answers), np.array(sure))


def found(graded, key, subset="all"):
    (one,) = [s for s in graded.scores if (s.measure, s.subset) == (key, subset)]
    return one


def value(graded, key, subset="all"):
    return found(graded, key, subset).value


def pairs(ids):
    return [(y, Fraction(c)) for i, y, c in zip(IDS, RIGHT, SURE, strict=True) if i in ids]


def hmr(those):
    wrong = [c for y, c in those if not y]
    right = [c for y, c in those if y]
    over = 1 - sum(wrong) / Fraction(len(wrong)) if wrong else Fraction(1)
    under = sum(right) / Fraction(len(right)) if right else Fraction(1)
    return 2 * over * under / (over + under)


def brier(those):
    return sum((c - y) ** 2 for y, c in those) / len(those)


MEMBERS = {"all": "abcdef", "kind=x": "ab", "kind=y": "cde", "size=big": "ac", "size=small": "def"}

# --- subsets


def test_a_subset_is_scored_as_if_it_were_the_gold():
    graded = score(TASK, gold(), run())
    assert {s.subset for s in graded.scores} == set(MEMBERS)
    for subset, ids in MEMBERS.items():
        those = pairs(ids)
        assert value(graded, "hmr", subset) == pytest.approx(float(hmr(those)), abs=1e-12)
        assert value(graded, "brier", subset) == pytest.approx(float(brier(those)), abs=1e-12)
        assert value(graded, "accuracy", subset) == sum(y for y, _ in those) / len(those)
        assert found(graded, "hmr", subset).n == len(ids)


def test_every_measure_on_a_subset_is_that_measure_on_its_rows():
    graded = score(TASK, gold(), run())
    for subset, ids in MEMBERS.items():
        mask = [i in ids for i in IDS]
        judged = Judged(np.array(RIGHT)[mask], np.array([float(c) for c in SURE])[mask])
        for key in ALL:
            mine = found(graded, key, subset)
            alone = measured(find(key), judged)
            assert (mine.value, mine.note) == (alone.value, alone.note)
            assert alone.details.items() <= mine.details.items()


def measured(measure, judged):
    try:
        return measure(judged)
    except Undefined as why:
        return Score(measure.key, "", 0, None, note=str(why))


def test_the_whole_is_not_a_mean_of_its_parts():
    graded = score(TASK, gold(), run())
    parts = [value(graded, "hmr", f"kind={k}") for k in "xy"]
    sizes = [found(graded, "hmr", f"kind={k}").n for k in "xy"]
    whole = value(graded, "hmr")
    assert whole == pytest.approx(float(hmr(pairs("abcdef"))), abs=1e-12)
    assert abs(whole - sum(parts) / 2) > 0.01
    assert abs(whole - np.average(parts, weights=sizes)) > 0.01


def test_every_key_is_scored_once_on_each_subset_and_a_macro_on_the_whole():
    graded = score(TASK, gold(), run())
    places = defaultdict(list)
    for s in graded.scores:
        places[s.measure].append(s.subset)
    assert list(places) == list(TASK.keys)
    for key, subsets in places.items():
        assert subsets == (["all"] if key.startswith("macro") else list(MEMBERS))


def test_what_a_grading_counts():
    notice = Notice("extra-columns", "not read: 'x'")
    graded = score(TASK, gold(), replace(run(), notices=(notice,)))
    assert (graded.n, graded.of, graded.right, graded.abstained) == (6, 6, 3, 0)
    assert graded.notices == (notice,)
    # by tenths: .1 wrong, .3 wrong, .5 right, .6 right, .8 wrong, .9 right
    assert [b.n for b in graded.reliability] == [1, 0, 1, 0, 1, 1, 0, 1, 1, 0]
    assert [b.accuracy for b in graded.reliability if b.n] == [0, 0, 1, 1, 0, 1]


# --- macro


def test_a_macro_is_the_unweighted_mean_over_a_dimension():
    one = found(score(TASK, gold(), run()), "macro(hmr,kind)")
    mean = (hmr(pairs("ab")) + hmr(pairs("cde"))) / 2
    assert one.value == pytest.approx(float(mean), abs=1e-12)
    assert (one.subset, one.n, one.details) == ("all", 5, {"subsets": 2})


def test_a_macro_is_undefined_where_one_subset_is():
    task = replace(TASK, measures=("auroc", "macro(auroc,kind)", "macro(auroc,size)"))
    graded = score(task, gold(), run())
    assert value(graded, "macro(auroc,kind)") == pytest.approx((1 + 1) / 2)
    one = found(graded, "macro(auroc,size)")  # both of size=big are right
    assert one.value is None
    assert "size=big" in one.note
    assert one.note in one.no_interval
    assert value(graded, "auroc", "size=small") == 1


def test_a_macro_says_which_convention_it_stands_on():
    task = replace(TASK, measures=("macro(r_o,size)",))
    one = found(score(task, gold(), run()), "macro(r_o,size)")
    assert one.value == pytest.approx((1 + 1 - 0.2) / 2)  # big: nothing is wrong
    assert one.note.startswith("size=big: nothing is wrong")


def test_a_macro_over_a_dimension_without_subsets_is_undefined():
    bare = Gold(IDS, (("right",),) * 6, (Subsets("kind", (), np.full(6, -1)),))
    one = found(score(TASK, bare, run()), "macro(hmr,kind)")
    assert (one.value, one.note) == (None, "the dimension has no subset")


def test_a_dimension_that_begins_like_another_is_another():
    extra = Subsets("kinds", ("z",), np.array([-1, -1, -1, -1, -1, 0]))
    both = replace(gold(), subsets=(*gold().subsets, extra))
    one = found(score(TASK, both, run()), "macro(hmr,kind)")
    assert one.details == {"subsets": 2}


def test_an_empty_declared_subset_says_so_and_is_in_no_mean():
    graded = score(TASK, gold(("x", "y", "none here")), run())
    for key in ALL:
        one = found(graded, key, "kind=none here")
        assert (one.n, one.value, one.note) == (0, None, "no instances")
        assert "no instances" in one.no_interval
    macro = found(graded, "macro(hmr,kind)")
    assert macro.value is None
    assert macro.note == "undefined in kind=none here: no instances"
    for subset, ids in MEMBERS.items():
        assert value(graded, "brier", subset) == pytest.approx(float(brier(pairs(ids))), abs=1e-12)


# --- missing rows, drops


def test_worst_counts_a_missing_instance_as_wrong_at_confidence_one():
    graded = score(replace(TASK, missing="worst"), gold(), run("ac"))
    those = [(i not in "ac" and y, Fraction(1) if i in "ac" else c) for i, (y, c) in both()]
    assert value(graded, "hmr") == pytest.approx(float(hmr(those)), abs=1e-12)
    assert value(graded, "brier") == pytest.approx(float(brier(those)), abs=1e-12)
    assert value(graded, "accuracy") == 1 / 6
    assert (graded.n, graded.of, graded.right) == (4, 6, 1)
    assert [found(graded, "hmr", s).n for s in MEMBERS] == [6, 2, 3, 2, 3]
    assert value(graded, "brier", "size=big") == 1  # both left out


def both():
    return list(zip(IDS, pairs("abcdef"), strict=True))


def test_leave_out_scores_what_is_there():
    graded = score(replace(TASK, missing="leave-out"), gold(), run("ac"))
    assert value(graded, "hmr") == pytest.approx(float(hmr(pairs("bdef"))), abs=1e-12)
    assert value(graded, "accuracy") == 0.25
    assert (graded.n, graded.of, graded.right) == (4, 6, 1)
    assert [found(graded, "hmr", s).n for s in MEMBERS] == [4, 1, 2, 0, 3]
    assert found(graded, "brier", "size=big").note == "no instances"


def test_to_leave_everything_out_is_undefined_not_nought():
    graded = score(replace(TASK, missing="leave-out"), gold(), run("abcdef"))
    assert (graded.n, graded.of, graded.right, graded.reliability) == (0, 6, 0, ())
    assert all(s.value is None and s.note for s in graded.scores)


@pytest.mark.parametrize("status", ["dropped", "unjudged"])
@pytest.mark.parametrize("missing", ["reject", "worst", "leave-out"])
@pytest.mark.parametrize("sent", [True, False])
def test_what_does_not_count_is_in_no_score(status, missing, sent):
    standings = tuple(Standing(status) if i in "bd" else Standing() for i in IDS)
    graded = score(
        replace(TASK, missing=missing), gold(standings=standings), run("" if sent else "bd")
    )
    assert (graded.n, graded.of, graded.right) == (4, 4, 2)
    for subset, ids in MEMBERS.items():
        those = pairs([i for i in ids if i not in "bd"])
        assert found(graded, "hmr", subset).n == len(those)
        assert value(graded, "hmr", subset) == pytest.approx(float(hmr(those)), abs=1e-12)
    assert sum(b.n for b in graded.reliability) == 4


def test_refusals_are_wrong_and_counted_where_they_count():
    task = replace(TASK, abstain=("?",))
    standings = tuple(Standing("dropped") if i == "b" else Standing() for i in IDS)
    sent = Run(("?", "?", "right", "right", "?", "wrong"), run().confidence)
    graded = score(task, gold(standings=standings), sent)
    assert (graded.abstained, graded.right) == (2, 2)


@settings_of(max_examples=20)
@given(
    left_out=st.sets(st.sampled_from(IDS)),
    gone=st.sets(st.sampled_from(IDS), max_size=5),
    missing=st.sampled_from(["worst", "leave-out"]),
)
def test_a_smaller_gold_gives_the_same_scores_as_drops_do(left_out, gone, missing):
    task = replace(TASK, missing=missing, resampling=Resampling(20))
    standings = tuple(Standing("dropped") if i in gone else Standing() for i in IDS)
    keep = [k for k, i in enumerate(IDS) if i not in gone]
    whole, sent = gold(), run("".join(left_out))
    small = Gold(
        tuple(IDS[k] for k in keep),
        tuple(whole.answers[k] for k in keep),
        tuple(replace(s, codes=s.codes[keep]) for s in whole.subsets),
    )
    fewer = Run(tuple(sent.answers[k] for k in keep), sent.confidence[keep])
    assert score(task, gold(standings=standings), sent) == score(task, small, fewer)


# --- what every score says


def test_no_value_is_nan_and_every_undefined_one_has_a_reason():
    for missing in ("worst", "leave-out"):
        graded = score(replace(TASK, missing=missing), gold(("x", "y", "z")), run("ace"))
        for s in graded.scores:
            assert (s.value is None) <= bool(s.note)
            assert s.value is None or math.isfinite(s.value)
            assert (s.low is None) == bool(s.no_interval)
            assert s.low is None or s.low <= s.value <= s.high
            assert s.version == find(s.measure).version


# --- signatures

READING = sha256(
    b'[[], [], {"answer": "answer", "classes": {}, "confidence": "confidence", '
    b'"event": "", "format": "", "id": ["id"], "lower": "lower", "upper": "upper"}]'
).hexdigest()[:12]
SETTING = {"gold": "v1:9f", "run": "c0ffee"}


def tail(task=TASK, **keys):
    return settings(task, **{**SETTING, **keys})


def test_a_signature_in_full():
    task = replace(TASK, answers="numeric", tolerance="0.5", precision=3, missing="worst")
    task = replace(task, gold=replace(task.gold, cluster="doc"))
    said = signature(Score("ece@10", "all", 6, 0.5, version=2), tail(task))
    assert said == (
        "ece@10|version:2|answers:numeric±0.5|scale:probability|missing:worst|precision:3|"
        f"cluster:doc|reading:{READING}|gold:v1:9f|run:sha256:c0ffee|resamples:1000|seed:1|grader:{__version__}|"
        f"numpy:{np.__version__}"
    )


def changed(key, new, task=TASK):
    table, _, inner = key.rpartition(".")
    if table:
        return replace(task, **{table: replace(getattr(task, table), **{inner: new})})
    return replace(task, **{inner: new})


# What is done with answers and confidences. Which of them there are, and what they are called,
# is said by the digests of gold and run; the rest changes no number.
QUOTED = {
    "answers": ("normalised", "answers:exact"),
    "confidence": ("percent", "scale:probability"),
    "missing": ("worst", "missing:reject"),
    "precision": (0, "precision:full"),
    "gold.cluster": ("doc", "cluster:none"),
    "abstain": (("?",), f"reading:{READING}"),
    "labels": (("A",), f"reading:{READING}"),
    "run.id": (("no",), f"reading:{READING}"),
    "run.answer": ("label", f"reading:{READING}"),
    "run.confidence": ("p", f"reading:{READING}"),
    "run.classes": ({"A": "a"}, f"reading:{READING}"),
    "run.lower": ("q05", f"reading:{READING}"),
    "run.upper": ("q95", f"reading:{READING}"),
    "run.format": ("ac", f"reading:{READING}"),
    "run.event": ("yes", f"reading:{READING}"),
    "kind": ("interval", "answers:exact"),
    "resampling.resamples": (7, "resamples:1000"),
    "resampling.seed": (7, "seed:1"),
}
UNQUOTED = {
    "slug": "u",
    "title": "U",
    "description": "D",
    "primary": "brier",
    "measures": ("nll",),
    "tolerance": "1",  # answers are not numeric
    "interval.level": 0.5,  # no intervals
    "reject": "oos",  # no score reads it
    "gold.file": "g.tsv",
    "gold.id": ("no",),
    "gold.answer": "label",
    "gold.separator": ";",
    "gold.subsets": (),
    "gold.split": "s",
    "gold.status": "status",  # which instances count is said by the gold's digest
    "run.names": "*",
    "run.sources": {"A": ("B",)},
    "phases": (),  # the part that counts is said beside the gold: test_phased_intake
    "ranking.rule": "best",
    "ranking.min_accuracy": 0.5,
    "ranking.min_right": 7,
    "ranking.min_coverage": 0.5,
    "ranking.digits": 7,
    "judging.unit": "run",  # answers are not judged: test_unjudged
    "judging.right": ("yes",),  # what judges said is in the gold
    "judging.wrong": ("no",),
    "judging.bad": "odd",
    "judging.rule": "agreed",
    "judging.chair": "A",
}


def leaves(noun, prefix=""):
    for field in fields(noun):
        inner = getattr(noun, field.name)
        if is_dataclass(inner):
            yield from leaves(inner, f"{prefix}{field.name}.")
        else:
            yield f"{prefix}{field.name}"


def test_every_field_of_a_task_is_in_the_signature_or_is_known_not_to_be():
    ends = {"waived"}  # a field at the end, of runs in which something is overlooked alone
    assert set(QUOTED) | set(UNQUOTED) | ends == set(leaves(TASK))
    assert tail(replace(TASK, waived=("unknown-id",))) == f"{tail()}|waived:unknown-id"
    assert not set(QUOTED) & set(UNQUOTED)


@pytest.mark.parametrize("key", QUOTED)
def test_a_setting_that_changes_a_number_changes_its_field_and_no_other(key):
    new, field = QUOTED[key]
    before, after = tail().split("|"), tail(changed(key, new)).split("|")
    differ = [a for a, b in zip(before, after, strict=True) if a != b]
    assert differ == [field]


@pytest.mark.parametrize("key", UNQUOTED)
def test_any_other_setting_changes_no_signature(key):
    assert tail(changed(key, UNQUOTED[key])) == tail()


def test_gold_run_and_tolerance_are_in_the_signature():
    assert tail(gold="v2:9f").replace("v2", "v1") == tail()
    assert tail(run="cafe") != tail()
    numeric = replace(TASK, answers="numeric")
    assert tail(numeric) != tail(replace(numeric, tolerance="0.1"))
    assert signature(Score("hmr", "all", 1, 1.0), "x") != signature(
        Score("ks", "all", 1, 1.0), "x"
    )
