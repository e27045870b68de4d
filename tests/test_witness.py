"""How a task was judged: what organisers see, and what of it the public may."""

import re

import pytest
from judging import NOON, Judge, gold, registered, said, send

from grader import store
from grader.board import FEW, visible
from grader.board.judges import enough_judged
from grader.judging.witness import witnessed
from grader.model import Graded, Score
from grader.paired import public
from grader.site import render

MANY = [f"q{i}" for i in range(30)]
TOML = """
title = "Quiz"
answers = "judged"
primary = "accuracy"
measures = ["hmr"]
[resampling]
resamples = 0
[judging]
chair = "Chair"
"""


def verdicts(wrong=(), of=MANY, answer="a", right="right"):
    return [(i, answer, "wrong" if i in wrong else right) for i in of]


@pytest.fixture
def quiz(engine, request):
    """Three runs that differ in ten answers each; all answer 30 questions."""
    many = getattr(request, "param", 0)
    registered(engine, ids=MANY, toml=TOML.replace("resamples = 0", f"resamples = {many}"))
    send(engine, ["a"] * 30, ids=MANY)
    send(engine, ["b"] * 10 + ["a"] * 20, team="Bees", name="two", ids=MANY)
    send(engine, ["a"] * 20 + ["c"] * 10, team="Bees", name="three", ids=MANY)
    return engine


def judged(engine, judge, *rows, **more):
    return said(engine, judge, *[row for part in rows for row in part], **more)


def of_all(wrong=()):
    """The labels of every answer: b and c are wrong, but for those of ids that are given."""
    return (
        *verdicts(wrong),
        *verdicts(MANY[:10], MANY[:10], "b"),
        *verdicts(MANY[20:], MANY[20:], "c"),
    )


def told(engine, viewer="organisers", at=NOON):
    with store.reading(engine) as db:
        if viewer == "public":
            (results,) = public(db, at).tasks
        else:
            results = witnessed(db, store.snapshot(db, at, ["quiz"]).tasks[0])
    return results.witness


def test_coverage_counts_units_and_each_runs_answers(quiz):
    found = told(quiz)
    assert (found.units, found.judged, found.decided, found.judges) == (50, 0, 0, ())
    assert [c.of for c in found.covered.values()] == [30, 30, 30]
    judged(quiz, "Anna", verdicts(of=MANY[:25]))
    judged(quiz, "Ben", verdicts(MANY[:1], of=MANY[:2]))
    found = told(quiz)
    assert (found.judged, found.decided) == (25, 24)
    assert {run: c.decided for run, c in found.covered.items()} == {
        "ants-1": 24,
        "bees-1": 15,
        "bees-2": 19,
    }
    assert found.judges == ((Judge("Anna"), 25), (Judge("Ben"), 2))
    assert {a.kind: a.n for a in found.agreements} == {"alpha": 2, "kappa": 2}
    assert [(b.judge, b.n, b.why) for b in found.boards] == [
        ("Anna", 0, "no run is ranked yet"),
        ("Ben", 0, "no run is ranked yet"),
    ]


def test_a_board_under_one_judge_is_on_the_instances_that_the_judge_judged(quiz):
    judged(quiz, "Anna", of_all())
    mine = [row for row in of_all(MANY[10:16]) if row[0] < "q2"]  # q0, q1 and q10 … q19
    judged(quiz, "Ben", mine, why="")
    judged(quiz, "Chair", verdicts(of=MANY[10:16]))
    found = told(quiz)
    anna, ben, chair = found.boards
    assert (anna.n, ben.n, chair.n) == (30, 12, 6)
    shown = {run: tuple(s.value for s in pair) for run, pair in ben.values.items()}
    # Ben has six of q10 … q19 wrong, which the chair says are right; b is wrong on q0 and q1.
    assert shown == {
        "ants-1": (6 / 12, 1.0),
        "bees-1": (4 / 12, 10 / 12),
        "bees-2": (6 / 12, 1.0),
    }
    assert ben.tau == pytest.approx(1)
    whole = {run: pair[0].value for run, pair in anna.values.items()}
    assert whole == {"ants-1": 1.0, "bees-1": 20 / 30, "bees-2": 20 / 30}
    assert anna.telling == dict.fromkeys(whole, 0)
    # The rule on Ben's twelve differs from the board in 18, Ben from the rule there in six.
    assert set(ben.telling.values()) == {6}
    taus = {c.judges: (c.n, c.tau) for c in found.concordances}
    assert taus["Anna", "Ben"] == (12, pytest.approx(1))
    assert taus["Anna", "Chair"] == (6, None)


def test_the_public_sees_no_board_that_tells_of_few_instances(quiz):
    judged(quiz, "Anna", of_all())
    judged(quiz, "Ben", of_all(MANY[12:13]))  # one answer of all three runs
    judged(quiz, "Chair", verdicts(of=MANY[12:13]))
    everything, found = told(quiz), told(quiz, "public")
    assert {b.judge: set(b.values) for b in everything.boards}["Ben"] == {
        "ants-1",
        "bees-1",
        "bees-2",
    }
    anna, ben, chair = found.boards
    assert set(anna.values) == {"ants-1", "bees-1", "bees-2"}
    assert (ben.n, ben.values, ben.tau) == (30, {}, None)
    assert (chair.n, chair.why) == (0, f"fewer than {FEW} instances: not shown")
    assert [c.judges for c in found.concordances] == [("Anna", "Ben")]
    assert found.concordances[0].values == {}
    assert found.concordances[0].tau is None
    assert {a.judges for a in found.agreements} == {("Anna", "Ben")}


def test_two_judges_who_differ_in_one_answer_are_not_shown_beside_each_other(quiz):
    judged(quiz, "Anna", of_all(MANY[10:16]))
    judged(quiz, "Ben", of_all(MANY[10:17]))
    judged(quiz, "Chair", verdicts(of=MANY[10:17]))
    anna, ben = told(quiz).boards[:2]
    assert set(anna.telling.values()) == {6}
    assert set(ben.telling.values()) == {1}
    shown = {b.judge: len(b.values) for b in told(quiz, "public").boards}
    assert shown == {"Anna": 3, "Ben": 0, "Chair": 3}


def test_what_is_shown_goes_through_the_gate_again_unchanged(quiz):
    judged(quiz, "Anna", of_all())
    judged(quiz, "Ben", of_all(MANY[10:16]))
    judged(quiz, "Dan", of_all())
    with store.reading(quiz) as db:
        seen = public(db, NOON)
    again = visible(seen, "public")
    assert again.tasks[0].witness == seen.tasks[0].witness
    ben = next(b for b in seen.tasks[0].witness.boards if b.judge == "Ben")
    assert len(ben.values) == 3
    assert all(c.tau is not None for c in seen.tasks[0].witness.concordances)


@pytest.mark.parametrize("quiz", [200], indirect=True)
def test_further_numbers_are_averaged_and_compared(quiz):
    head = "id,answer,label,fluency"
    rows = [(*row, "4" if row[1] == "a" else "1") for row in of_all()]
    judged(quiz, "Anna", rows, head=head, columns=("fluency",))
    # Another judge's number of an answer counts as much.
    judged(quiz, "Ben", [("q20", "c", "wrong", "3")], head=head, columns=("fluency",))
    (column,) = told(quiz).columns
    means = {run: (m.n, m.value) for run, m in column.means.items()}
    assert list(means) == ["ants-1", "bees-2", "bees-1"]
    assert means == {
        "ants-1": (30, 4.0),
        "bees-2": (30, pytest.approx((20 * 4 + 9 + 2) / 30)),
        "bees-1": (30, 3.0),
    }
    pair = column.versus.above("bees-2")
    assert pair.difference == pytest.approx(4 - 91 / 30)
    assert pair.low < pair.difference < pair.high
    few = [(*row, "2") for row in verdicts(of=MANY[:4])]
    judged(quiz, "Dan", few, head="id,answer,label,width", columns=("width",))
    assert {c.name: set(c.means) for c in told(quiz).columns}["width"] == {"ants-1", "bees-2"}
    shown = {c.name: c for c in told(quiz, "public").columns}
    assert shown["width"].means == {}
    assert shown["width"].versus.comparison is None
    assert shown["fluency"].means == column.means


def test_dropped_questions_count_in_agreement_alone(quiz):
    bad = [("q12", "a", "bad question")]
    judged(quiz, "Anna", [r for r in of_all() if r[:2] != ("q12", "a")], bad)
    judged(quiz, "Ben", [r for r in of_all() if r[:2] != ("q12", "a")], bad)
    assert gold(quiz).scored.sum() == 29
    found = told(quiz)
    assert (found.units, found.judged) == (49, 49)
    assert [b.n for b in found.boards] == [29, 29]
    kappa = next(a for a in found.agreements if a.kind == "kappa")
    assert (kappa.n, kappa.coefficient) == (50, 1.0)
    assert kappa.said["bad question"] == 2
    shown = next(a for a in told(quiz, "public").agreements if a.kind == "kappa")
    assert "bad question" not in {**shown.said, **shown.specific}  # said of one answer alone
    assert shown.said == {}  # or its count would follow from theirs


PHASES = """
[[phase]]
name = "hidden"
opens = "2031-05-01T00:00Z"
closes = "2031-06-01T00:00Z"
visible = "none"
reveal = "2031-07-01T00:00Z"
digits = 2
"""


def test_of_a_hidden_phase_nothing_is_told_and_later_its_digits(engine):
    registered(engine, PHASES, ids=MANY, toml=TOML)
    send(engine, ["a"] * 30, ids=MANY)
    send(engine, ["b"] * 10 + ["a"] * 20, team="Bees", ids=MANY)
    judged(engine, "Anna", verdicts(MANY[:7]), verdicts(MANY[:10], MANY[:10], "b"))
    judged(engine, "Ben", verdicts(MANY[:14]), verdicts(MANY[:10], MANY[:10], "b"))
    judged(engine, "Chair", verdicts(MANY[:7]))
    assert told(engine, "public") is None
    later = NOON.replace(month=7)
    found = told(engine, "public", later)
    ben = next(b for b in found.boards if b.judge == "Ben")
    # Of the second run both have ten wrong, Ben four more.
    assert {run: tuple(s.value for s in pair) for run, pair in ben.values.items()} == {
        "ants-1": (0.53, 0.77)
    }
    assert all(a.said == {} for a in found.agreements)
    values = [s.value for b in found.boards for pair in b.values.values() for s in pair]
    assert values == [round(v, 2) for v in values]


def bounded(subset, n, waiting, abstained=0, measure="accuracy"):
    details = {"not judged": float(waiting), "least": 0.1, "most": 0.9} if waiting else {}
    return Score(measure, subset, n, None if waiting else 0.5, details=details)


@pytest.mark.parametrize(
    ("scores", "abstained", "hidden"),
    [
        ([("all", 20, 20)], 0, set()),  # nobody judged any
        ([("all", 20, 18)], 2, set()),  # what is known are refusals
        ([("all", 20, 17)], 0, {"all"}),
        ([("all", 20, 14)], 2, {"all"}),
        ([("all", 20, 15)], 0, set()),
        ([("all", 20, 2), ("k=a", 10, 1), ("k=b", 10, 1)], 0, set()),
        ([("all", 20, 9), ("k=a", 10, 8), ("k=b", 10, 1)], 0, {"k=a", "all"}),
        ([("all", 30, 9), ("k=a", 10, 6), ("k=b", 10, 7), ("k=c", 10, 0)], 0, {"k=a", "k=b"}),
        ([("all", 20, 10), ("k=a", 10, 10), ("k=b", 10, 0)], 0, set()),
        # Any of the refusals may be in the subset.
        ([("all", 40, 10), ("k=a", 10, 3), ("k=b", 30, 7)], 5, {"k=a", "all"}),
    ],
)
def test_bounds_that_tell_of_few_judged_answers_are_not_shown(scores, abstained, hidden):
    each = tuple(bounded(*score) for score in scores)
    macro = bounded("all", 20, 5, measure="macro(accuracy,k)")
    graded = Graded((*each, macro), (), (), 20, 20, 7, abstained)
    found = enough_judged(graded)
    gone = {s.subset for s in found.scores[:-1] if s.waiting and s.extremes is None}
    assert gone == hidden
    assert found.right == (0 if "all" in hidden else 7)
    parts = {part for part in hidden if "=" in part}
    assert (found.scores[-1].extremes is None) == bool(parts or "all" in hidden)
    said = "its bounds would tell of fewer than 5 judged answers: not shown"
    assert {s.subset for s in found.scores[:-1] if s.note} == hidden
    assert {s.note for s in found.scores} <= {"", said}


def test_a_task_that_is_not_judged_has_no_witness(engine, config, task, gold):
    with store.unit(engine) as db:
        store.add_task(db, "demo", config, gold, b"salt" * 8, NOON)
    with store.reading(engine) as db:
        assert public(db, NOON).tasks[0].witness is None


def test_the_page_tells_no_label_of_an_instance(quiz):
    judged(quiz, "Anna", of_all())
    judged(quiz, "Ben", of_all(MANY[10:16]))
    judged(quiz, "Dan", of_all(MANY[10:11]))
    with store.reading(quiz) as db:
        pages = dict(render(public(db, NOON)))
    page = pages["quiz/judging.html"].decode()
    assert b'href="judging.html"' in pages["quiz/index.html"]
    assert "κ" in page
    assert "Kendall" in page
    text = re.sub(r"<[^>]*>", " ", page)
    assert not [name for name in MANY if re.search(rf"\b{name}\b", text)]
