"""The order of the lines of a gold or a run moves no bit of what is said of it."""

import numpy as np
import pytest
from grading import coded, graded, task_of

from grader.grade import viewed
from grader.measures import MEASURES, find
from grader.pairwise import tables
from grader.tasks import read_gold

N = 120
ORDER = np.random.default_rng(9).permutation(N)
KEYS = tuple(
    f"{m.key}@{m.parameter.example}" if m.parameter and m.parameter.required else m.key
    for m in MEASURES.values()
    if m.needs != "order"  # those depend on the order of the gold by definition
)
BOUNDS = tuple(key for key in KEYS if find(key).needs == "bounds")
ANSWERS = tuple(key for key in KEYS if key not in BOUNDS)
SETTINGS = "[resampling]\nresamples = 12\n[gold]\n"
COLUMNS = {"alone": 'subsets = ["part"]\n', "clusters": 'subsets = ["part"]\ncluster = "page"\n'}


def ordered(header, lines, order):
    return "\n".join([header, *(lines[i] for i in order)]) + "\n"


def gold_lines(answers):
    """Ids that do not sort as they count; pages lie inside parts."""
    return [f"q{i},{a},s{(i // 2) % 3},page{i // 2}" for i, a in enumerate(answers)]


def answered(seed, digits):
    """A gold of three classes, and a run that states a probability of each."""
    said = np.random.default_rng(seed).dirichlet((2, 1, 1), N).round(digits)
    said[:, 0] = (1 - said[:, 1] - said[:, 2]).round(digits)
    return [f"q{i},{'abc'[p.argmax()]},{','.join(map(str, p))}" for i, p in enumerate(said)]


def bounded(seed):
    at = np.random.default_rng(seed).normal(0, 1, (N, 2))
    at.sort(axis=1)
    return [f"q{i},{low},{high}" for i, (low, high) in enumerate(at)]


LABELS = np.random.default_rng(1).choice(list("abc"), N, p=[0.5, 0.25, 0.25])
VALUES = np.random.default_rng(2).normal(0, 1, N)
KINDS = {
    "continuous": ("id,answer,p:a,p:b,p:c", LABELS, lambda seed: answered(seed, 6), "", ANSWERS),
    "few levels": ("id,answer,p:a,p:b,p:c", LABELS, lambda seed: answered(seed, 1), "", ANSWERS),
    "intervals": ("id,lower,upper", VALUES, bounded, 'kind = "interval"\n', BOUNDS),
}


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("kind", KINDS)
def test_scores_and_analyses(kind, columns):
    header, answers, made, toml, keys = KINDS[kind]
    lines, gold = made(3), gold_lines(answers)
    toml = toml + SETTINGS + COLUMNS[columns]
    every = (*keys, *(f"macro({key},part)" for key in keys))
    here, there, turned = (
        graded(
            ordered(header, lines, mine), ordered("id,answer,part,page", gold, golds), toml, every
        )
        for mine, golds in ((range(N), range(N)), (ORDER, range(N)), (range(N), ORDER))
    )
    assert here == there
    by_name = {(s.measure, s.subset): s for s in here.scores}
    assert by_name == {(s.measure, s.subset): s for s in turned.scores}
    assert here.reliability == turned.reliability
    if kind != "intervals":
        assert here.analysis.recalibration.after
        for name in ("ladder", "verdict", "selective", "recalibration", "references"):
            assert getattr(here.analysis, name) == getattr(turned.analysis, name), name


@pytest.mark.parametrize("columns", COLUMNS)
@pytest.mark.parametrize("kind", KINDS)
def test_comparisons(kind, columns):
    header, answers, made, toml, keys = KINDS[kind]
    toml = toml + SETTINGS + COLUMNS[columns]
    found = []
    for order in (range(N), ORDER):
        task = task_of(toml, keys)
        lines = ordered("id,answer,part,page", gold_lines(answers), order)
        gold = read_gold(task, coded(lines), "gold")
        seen = {
            name: viewed(task, gold, coded(ordered(header, made(seed), range(N))))
            for name, seed in (("x", 3), ("y", 4), ("z", 5))
        }
        found.append(tables(task, gold, seen, keys))
    for one, other in zip(*found, strict=True):
        assert one.comparison == other.comparison, one.measure.key
        assert (one.same, one.hsd) == (other.same, other.hsd), one.measure.key
