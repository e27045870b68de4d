"""Sharp bounds while answers wait: every way to judge them, tried one by one."""

from dataclasses import replace
from hashlib import sha256
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import Mistake
from grader.grade import grade
from grader.measures import MEASURES, find
from grader.model import Gold, Judged, Undefined
from grader.signature import settings
from grader.tasks import parse, read_gold
from grader.unjudged import MOST, NOT_JUDGED, extremes

KEYS = [
    f"{key}@{m.parameter.example}" if m.parameter and m.parameter.required else key
    for key, m in MEASURES.items()
    if m.needs in ("confidence", "order")
]
PARTED = [*KEYS, "ece@3", "mce@3", "eceorder@3", "hmr@2", "hmr@0", "hmr@inf", "selacc@30"]


def waiting(draw_right, draw_waiting, sure):
    waits = np.array(draw_waiting)
    return Judged(np.array(draw_right) & ~waits, np.array(sure), waiting=waits)


def every_way(judged):
    """The run in each of the ways in which what waits can be judged."""
    for way in product((False, True), repeat=int(judged.waiting.sum())):
        right = judged.correct.copy()
        right[judged.waiting] = way
        yield Judged(right, judged.confidence)


def tried(measure, judged):
    found = []
    for way in every_way(judged):
        try:
            found.append(measure(way).value)
        except Undefined:
            continue
    return found


@st.composite
def runs(draw):
    n = draw(st.integers(1, 6))
    levels = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 0.95, 1.0])
    sure = draw(st.lists(st.one_of(levels, st.floats(0, 1)), min_size=n, max_size=n))
    flags = st.lists(st.booleans(), min_size=n, max_size=n)
    return waiting(draw(flags), draw(flags), sure)


@given(runs())
def test_bounds_are_the_extremes_over_every_way_to_judge(judged):
    measures = [find(key) for key in PARTED]
    found = extremes(measures, judged)
    for measure in measures:
        values = tried(measure, judged)
        if not values:
            assert measure.key not in found
            continue
        least, most = found[measure.key].least, found[measure.key].most
        assert least == pytest.approx(min(values), abs=1e-9), measure.key
        assert most == pytest.approx(max(values), abs=1e-9), measure.key


def test_many_waiting_answers_have_bounds_but_where_ties_cut_bins():
    rng = np.random.default_rng(3)
    n = MOST + 1
    judged = waiting([False] * n, [True] * n, rng.random(n))
    found = extremes([find(key) for key in KEYS], judged)
    assert set(KEYS) - set(found) == {"ecemass@10", "smece"}


TOML = """
title = "T"
answers = "judged"
measures = ["accuracy", "ece@10", "auroc", "macro(hmr,part)"]
abstain = ["?"]
gold.subsets = ["part"]
"""
RUN = b"id,answer,confidence\na,Rome ,0.9\nb,Oslo,0.4\nc,?,0.3\nd,Bern,0.6\n"


def judged_gold(**changes):
    task = parse(TOML, "t")
    gold = read_gold(task, b"id,part\na,x\nb,x\nc,y\nd,y\n", "gold")
    assert gold.rejected == ((), (), (), ())
    return task, replace(gold, **changes)


def values(found):
    return {(s.measure, s.subset): s for s in found.scores}


def test_a_run_nobody_has_judged_has_bounds():
    task, gold = judged_gold()
    scores = values(grade(task, gold, RUN))
    # The refusal at 0.3 is wrong; the others may be anything. All right: R_O 0.7, R_U 1.9/3.
    hmr = scores["hmr", "all"]
    assert (hmr.value, hmr.note, hmr.waiting) == (None, NOT_JUDGED, 3)
    # Best: 0.9 right alone or with others; worst: 0.4 right, 0.9 and 0.6 wrong.
    over, under = 1 - (0.9 + 0.6 + 0.3) / 3, 0.4
    assert hmr.extremes[0] == pytest.approx(2 * over * under / (over + under))
    best = [(1 - 0.3, 1.9 / 3), (1 - 0.7 / 2, 0.75), (1 - 1.3 / 3, 0.9), (1 - 2.2 / 4, 1.0)]
    assert hmr.extremes[1] == pytest.approx(max(2 * o * u / (o + u) for o, u in best))
    assert scores["accuracy", "all"].extremes == (0, 0.75)
    inside = [scores["hmr", "part=x"].extremes, scores["hmr", "part=y"].extremes]
    macro = scores["macro(hmr,part)", "all"]
    assert macro.extremes == pytest.approx(tuple(map(np.mean, zip(*inside, strict=True))))
    assert scores["accuracy", "part=y"].extremes == (0, 0.5)


def test_what_waits_elsewhere_leaves_a_judged_subset_alone():
    known = {"answers": (("Rome",), (), (), ()), "rejected": ((), ("Oslo",), (), ())}
    task, gold = judged_gold(**known)
    scores = values(grade(task, gold, RUN))
    assert scores["accuracy", "part=x"].value == 0.5
    assert scores["accuracy", "part=y"].extremes == (0, 0.5)
    assert scores["accuracy", "all"].extremes == (0.25, 0.5)


def test_all_judged_is_scored_as_by_an_answer_key():
    known = {"answers": (("Rome",), (), (), ()), "rejected": ((), ("Oslo",), (), ("Bern",))}
    task, gold = judged_gold(**known)
    found = grade(task, gold, RUN)
    plain = parse(TOML.replace('"judged"', '"exact"'), "t")
    key = Gold(gold.ids, known["answers"], gold.subsets)
    other = grade(plain, key, RUN.replace(b"Rome ", b"Rome"))
    assert found.scores == other.scores
    assert found.analysis == other.analysis
    assert found.reliability == other.reliability


def test_a_run_judged_by_itself_is_known_by_its_bytes():
    mine = sha256(RUN).hexdigest()
    known = {"answers": ((mine,), (), (), ()), "rejected": ((), (mine,), (), (mine,))}
    task, gold = judged_gold(**known)
    task = replace(task, judging=replace(task.judging, unit="run"))
    assert values(grade(task, gold, RUN))["accuracy", "all"].value == 0.25
    again = values(grade(task, gold, RUN + b"\n"))
    assert again["accuracy", "all"].extremes == (0, 0.75)


def test_the_unit_of_a_judged_task_is_in_its_signature():
    task, _ = judged_gold()
    apart = replace(task, judging=replace(task.judging, unit="run"))
    assert "|answers:judged by answer|" in "|" + settings(task, "v1:9f", "cafe")
    assert settings(apart, "v1:9f", "cafe") == settings(task, "v1:9f", "cafe").replace(
        "by answer", "by run"
    )


@pytest.mark.parametrize(
    ("toml", "key"),
    [
        ('labels = ["A"]', "answers"),
        ('measures = ["br"]', "measures"),
        ('judging.right = ["wrong"]', "judging.right"),
        ('judging.bad = " odd"', "judging.right"),
        ("judging.wrong = []", "judging.wrong"),
    ],
)
def test_what_a_judged_task_may_not_say(toml, key):
    with pytest.raises(Mistake) as said:
        parse(f'title = "T"\nanswers = "judged"\n{toml}\n', "t")
    assert f"  {key}: " in str(said.value)
