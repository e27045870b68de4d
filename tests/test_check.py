"""The rules of a run: a specimen for each, and the laws that hold for any file."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from grading import GOLD, MEASURES, RUN, graded, places, refused, task_of, values, walk
from hypothesis import given
from hypothesis import strategies as st

from grader import formats
from grader.check import MENDS, check, records
from grader.grade import grade
from grader.model import Gold, Graded, Problem, Rejected, Run, Standing
from grader.report import report
from grader.scoring import score
from grader.tasks.gold import read_gold
from grader.tasks.standing import dropped

SPECIMENS = Path(__file__).parent / "specimens"
FILES = sorted(p for p in SPECIMENS.iterdir() if p.suffix != ".txt")
NUMBERS = GOLD + "q1,12.5,a\nq2,3,a\nq3,-1000,b\n"
BLOCKS = GOLD + "1,yes,a\n2,no,a\n3,yes,b\n"
GOLD_OF = {
    **dict.fromkeys(("not-numeric", "not-a-bound", "crossed-bounds"), NUMBERS),
    **dict.fromkeys(("bad-block", "bad-nugget", "unknown-source"), BLOCKS),
}
AC = 'confidence = "percent"\n[run]\nsources = {run-a = ["a"]}\n'
ASKED = {
    "not-numeric": 'answers = "numeric"\n',
    **dict.fromkeys(("not-a-bound", "crossed-bounds"), 'kind = "interval"\n'),
    **dict.fromkeys(("bad-block", "bad-nugget", "unknown-source"), AC),
    "wrong-format": '[run]\nformat = "csv"\n',
}
YES_NO = GOLD + "q1,yes,a\nq2,no,a\nq3,yes,b\n"
DROPPED = Standing("dropped", "typo")
CHOICE = 'answers = "choice"\nlabels = ["yes", "no"]\n'


def specimen(path):
    toml = ASKED.get(path.stem, CHOICE)
    measures = () if "interval" in toml else MEASURES
    return refused(path.read_bytes(), GOLD_OF.get(path.stem, YES_NO), toml, measures)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_a_specimen_breaks_its_rule_and_no_other(path):
    assert {p.code for p in specimen(path)} == {path.stem}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_its_sender_is_told_what_stands_beside_it(path):
    told = "\n".join(report(path.name, Rejected(specimen(path)))) + "\n"
    assert told == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_every_code_has_a_specimen_and_a_way_to_mend():
    assert {p.stem for p in FILES} | {*("too-large", "too-many-rows", "too-many-classes")} == set(
        MENDS
    )
    assert all(re.fullmatch(r"[A-Z].+\.", mend) for mend in MENDS.values())


def test_a_file_above_the_limit_is_not_read(monkeypatch):
    whole = (RUN + "q1,yes,0.9\nq2,no,0.8\nq3,yes,0.7\n").encode()
    monkeypatch.setattr(formats, "LIMIT", len(whole))
    assert isinstance(walk(whole, YES_NO), Graded)
    monkeypatch.setattr(formats, "LIMIT", 2**20)
    problems = checked(b"x" * (3 * 2**20), task_of(), gold_like("yes")).problems
    said = "3.0 MiB; the limit is 1 MiB"
    assert problems == (Problem("too-large", said, stops=True),)


def test_more_lines_than_make_sense_are_not_kept():
    """Three instances: 2 × 3 + 1,000 lines are told, whatever the file holds beyond them."""
    problems = refused(b"id,answer,confidence\n" + b"q9,yes,0.5\n" * 50_000, YES_NO)
    told = [p for p in problems if p.code == "too-many-rows"]
    assert [p.line for p in told] == [1008]
    assert told[0].message == "more than 1006 lines, and the task has 3 instances"
    assert len(problems) < 3 * 1006


def test_class_columns_have_a_limit():
    header = ",".join(("id", "answer", *(f"p:{i}" for i in range(1001))))
    body = f"{header}\nq1,yes{',0' * 1001}\n"
    assert [p.code for p in refused(body.encode(), YES_NO, "")] == ["too-many-classes"]


def test_marks_without_end_on_a_letter_are_no_text():
    """Comparing them takes time that grows with the square of their number."""
    many = f"id,answer,confidence\nq1,a{chr(0x301) * 31},0.5\nq2,a{chr(0x301) * 30},0.5\n"
    assert [(p.line, p.code) for p in refused(many.encode(), YES_NO, "") if p.line] == [
        (2, "bad-character")
    ]


def test_a_report_stays_short_whatever_columns_a_sender_makes_up():
    body = "".join(f'{{"k{i}":1,"k{i}":2}}\n' for i in range(500))
    said = list(report("x.jsonl", Rejected(refused(body.encode(), YES_NO))))
    assert len(said) == 1 + 12 + 1 + 1
    assert said[-2] == "    and 488 more in other columns"


# No message depends on what is right: the same file is told the same under another gold.
def checked(payload, task, gold):
    return check(records(payload, task, gold), task, gold)


def gold_like(*answers):
    return Gold(tuple(f"q{i}" for i, _ in enumerate(answers, 1)), tuple((a,) for a in answers))


cells = st.sampled_from(
    [
        *("q1", "q2", "q3", " q3", "Q1", "q4", "", " ", "yes", "no", "Yes", "maybe", "0.5", "1"),
        *("0", "1.5", "-0.0", "1e-400", "1.0000000000000002", "nan", "0,5", "50%", "１", "٣"),
        *('"', '""', '"a"', '"a\nb"', "a\rb", "\0", "\u2028", "é", "p:yes", "null", "1e999999"),
    ]
)
lines = st.one_of(
    st.builds(
        "{},{},{}".format,
        st.sampled_from(["q1", "q2", "q3"]),
        st.sampled_from(["yes", "no"]),
        st.sampled_from(["0.5", "1", "0"]),
    ),
    st.lists(cells, max_size=5).map(",".join),
    st.lists(cells, max_size=5).map("\t".join),
)
headers = st.one_of(
    st.sampled_from(
        [
            *("id,answer,confidence", "id\tanswer\tconfidence", "id,p:yes,p:no", "answer,id"),
            *("id,answer,p:yes,p:no", "id,answer,confidence,p:yes,p:no", "id,answer,confidence,"),
        ]
    ),
    lines,
)
ends = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])
some = st.builds(
    lambda head, body, end: end.join([head, *body]),
    headers,
    st.lists(lines, max_size=5),
    ends,
)
answers_ = st.sampled_from(["yes", "no", "Yes", "maybe"])
sure = st.sampled_from(["0.5", "1", "0", "1.0000000000000002", "-0.0", "1e-400", " 0.25", "0.125"])
whole = st.builds(  # near enough to right that most are accepted where instances may be missing
    lambda ids, answers, sures, end: end.join(
        ["id,answer,confidence", *map(",".join, zip(ids, answers, sures, strict=False))]
    ),
    st.lists(st.sampled_from(["q1", "q2", "q3"]), min_size=1, unique=True),
    st.lists(answers_, min_size=3, max_size=3),
    st.lists(sure, min_size=3, max_size=3),
    ends,
)
tables = st.one_of(some, whole)
json_values = st.recursive(
    st.one_of(
        st.sampled_from(
            [
                *('"q1"', '"q2"', '"q3"', '"yes"', '"no"', "0.5", "1", "1e400", "-0", "true"),
                *("null", '""', "NaN", '"\\ud800"', '"\\u0000"', "[", '"', "01", '"0.5"'),
            ]
        ),
        cells.map('"{}"'.format),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda x: f"[{', '.join(x)}]"),
        st.builds('{{"id": {}}}'.format, inner),
    ),
    max_leaves=4,
)
keys = st.sampled_from(["id", "answer", "confidence", "p:yes", "p:no", " id", "extra", "\\u0069d"])
objects = st.lists(st.tuples(keys, json_values), max_size=6).map(
    lambda pairs: "{" + ", ".join(f'"{k}": {v}' for k, v in pairs) + "}"
)
rows_ = st.builds(
    '{{"id": {}, "answer": {}, "confidence": {}}}'.format,
    st.sampled_from(['"q1"', '"q2"', '"q3"']),
    st.sampled_from(['"yes"', '"no"', "null"]),
    st.sampled_from(["0.5", "1", '"0.1"', "2"]),
)
jsonl = st.builds(
    lambda body, end: end.join(body),
    st.lists(st.one_of(rows_, objects, json_values), min_size=1, max_size=5),
    ends,
)
payloads = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=100).map(lambda t: t.encode(errors="replace")),
    tables.map(str.encode),
    jsonl.map(str.encode),
)
TOMLS = [
    "",
    CHOICE,
    'missing = "leave-out"\nabstain = ["maybe"]\n',
    'missing = "worst"\nconfidence = "percent"\nprecision = 2\n',
    'answers = "normalised"\n[run]\nclasses = {yes = "p:yes", no = "p:no"}\n',
    '[gold]\nid = ["id", "extra"]\n[run]\nid = ["extra", "id"]\n',
]


@pytest.mark.parametrize("toml", TOMLS)
@given(payload=payloads)
def test_any_file_is_a_run_or_problems_that_can_be_told(toml, payload):
    task = task_of(toml)
    found = grade(task, gold_like("yes", "no", "yes"), payload)
    if isinstance(found, Graded):
        assert len(found.scores) == len(task.keys)
        return
    assert found.problems
    physical = len(re.split(rb"\r\n|\r|\n", payload))
    for problem in found.problems:
        assert problem.code in MENDS
        assert problem.message.isprintable()
        assert len(problem.message) < 600
        assert problem.line is None or 1 <= problem.line <= physical
    told = "\n".join(report("run", found))
    assert told.encode()


@pytest.mark.parametrize("toml", TOMLS[:5])
@given(payload=payloads)
def test_what_is_told_does_not_depend_on_what_is_right(toml, payload):
    task = task_of(toml)
    here, there = (
        grade(task, gold_like(*answers), payload) for answers in (("yes",) * 3, ("no",) * 3)
    )
    if isinstance(here, Rejected):
        assert here == there
    else:
        assert here.notices == there.notices


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
@pytest.mark.parametrize("toml", ["", 'answers = "normalised"\n', 'abstain = ["maybe"]\n'])
def test_a_rare_answer_of_the_gold_is_in_no_message(path, toml):
    rare = ("xylographer", "quincunx", "zymurgy")
    found = grade(task_of(toml), gold_like(*rare), path.read_bytes())
    said = found.problems if isinstance(found, Rejected) else found.notices
    assert not [p for p in said for answer in rare if answer in repr(p)]


@given(payload=tables.map(str.encode), random=st.randoms(use_true_random=False))
def test_the_order_of_lines_and_columns_decides_nothing(payload, random):
    """Of files whose every record can be read: same verdict and same scores."""
    raws = list(formats.read(payload))
    if any(isinstance(r, Problem) for r in raws):
        return
    names = random.sample(list(raws[0].fields), len(raws[0].fields)) if raws else []
    mixed = [
        type(raw)(raw.line, {name: raw.fields[name] for name in names})
        for raw in random.sample(raws, len(raws))
    ]
    task, gold = task_of('missing = "leave-out"\n'), gold_like("yes", "no", "yes")
    here, there = (check(formats.gathered(each), task, gold) for each in (raws, mixed))
    assert type(here) is type(there)
    if isinstance(here, Run):
        assert here.answers == there.answers
        assert score(task, gold, here).scores == score(task, gold, there).scores


class TestMistakesAreToldOnce:
    def test_a_field_that_is_no_text_is_not_also_blank(self):
        run = '{"id": null, "answer": ["yes"], "confidence": {}}\n'
        problems = refused(run, YES_NO, 'missing = "leave-out"\n')
        assert places(problems) == [(1, c, "wrong-type") for c in ("id", "answer", "confidence")]

    def test_a_key_missing_on_one_line_hides_nothing_on_the_others(self):
        run = (
            '{"id": "q1", "answer": "yes"}\n'
            '{"id": "q2", "answer": "", "confidence": 0.8}\n'
            '{"answer": "yes", "confidence": 7}\n'
        )
        assert places(refused(run, YES_NO)) == [
            (None, "id", "missing-id"),
            (1, "confidence", "missing-column"),
            (2, "answer", "blank-answer"),
            (3, "id", "missing-column"),
            (3, "confidence", "out-of-range"),
        ]

    def test_an_empty_id_is_neither_unknown_nor_a_duplicate(self):
        run = RUN + "q1,yes,0.9\n,no,0.8\n,yes,0.7\n"
        assert places(refused(run, YES_NO)) == [
            (None, "id", "missing-id"),
            (3, "id", "empty-id"),
            (4, "id", "empty-id"),
        ]

    def test_a_missing_id_may_stand_on_a_line_that_could_not_be_read(self):
        problems = refused(RUN + "q1,yes,0.9\nq2,no\nq3,yes,0.7\n", YES_NO)
        assert places(problems) == [(None, "id", "missing-id"), (3, None, "column-count")]
        assert problems[0].message == (
            "1 of 3 instances is missing: 'q2' (some may stand on lines that could not be read)"
        )

    def test_nothing_is_called_missing_after_the_line_where_reading_stopped(self):
        assert places(refused(RUN + 'q1,yes,2\nq2,"no', YES_NO)) == [
            (2, "confidence", "out-of-range"),
            (3, "answer", "bad-quoting"),
        ]

    def test_many_missing_ids_are_one_problem_with_a_count(self):
        gold = GOLD + "".join(f"q{i},yes,a\n" for i in range(50))
        (problem,) = refused(RUN + "q0,yes,0.9\n", gold)
        assert problem.message.startswith("49 of 50 instances are missing: 'q1', 'q2',")
        assert problem.message.endswith("'q20', …")


class TestMissingInstances:
    RUN = RUN + "q1,yes,0.5\nq3,no,0.25\n"

    def test_worst_is_wrong_at_confidence_1_in_every_part(self):
        found = values(self.RUN, YES_NO, 'missing = "worst"\n')
        assert found["accuracy"] == pytest.approx(1 / 3)
        assert found["brier"] == pytest.approx((0.25 + 1 + 0.0625) / 3)
        assert found["accuracy", "subset=a"] == 0.5
        assert found["confidence", "subset=a"] == 0.75

    def test_leave_out_scores_what_is_there_and_says_how_much(self):
        toml = 'missing = "leave-out"\n'
        found = graded(self.RUN, YES_NO, toml)
        assert (found.n, found.of, found.right) == (2, 3, 1)
        assert {s.n for s in found.scores if s.subset == "all"} == {2}
        assert values(self.RUN, YES_NO, toml)["brier"] == pytest.approx((0.25 + 0.0625) / 2)
        assert [n.message for n in found.notices] == [
            "1 of 3 instances is missing: 'q2'; left out"
        ]

    def test_leave_out_with_an_empty_part_is_undefined_there(self):
        found = values(RUN + "q3,yes,0.5\n", YES_NO, 'missing = "leave-out"\n')
        assert (found["accuracy"], found["accuracy", "subset=a"]) == (1, None)

    @pytest.mark.parametrize("sent", ["q1", "q1\nq2"])
    def test_a_dropped_instance_needs_no_row_and_counts_in_no_score(self, sent):
        task = task_of()
        gold = dropped(read_gold(task, YES_NO.encode(), "g"), ["q2"], Standing("dropped", "typo"))
        run = RUN + "".join(f"{i},yes,0.5\n" for i in (*sent.split(), "q3"))
        found = grade(task, gold, run.encode())
        assert isinstance(found, Graded)
        assert (found.n, found.of, found.right) == (2, 2, 2)
        assert {s.measure: s.value for s in found.scores if s.subset == "all"}["accuracy"] == 1
        assert [n.code for n in found.notices] == ["not-scored"]

    def test_an_unjudged_instance_needs_a_row_and_counts_in_no_score(self):
        gold = Gold(("q1", "q2"), (("yes",), ()), standings=(Standing(), Standing("unjudged")))
        whole = grade(task_of(), gold, (RUN + "q1,yes,0.5\nq2,no,1\n").encode())
        assert isinstance(whole, Graded)
        assert (whole.n, whole.of, whole.right) == (1, 1, 1)
        part = grade(task_of(), gold, (RUN + "q1,yes,0.5\n").encode())
        assert isinstance(part, Rejected)
        assert part.problems[0].code == "missing-id"


class TestColumns:
    MAPPED = (
        '[gold]\nid = ["exam", "no"]\nanswer = "correct"\n'
        '[run]\nid = ["paper", "question"]\nanswer = "choice"\nconfidence = "sure"\n'
    )

    def test_columns_are_mapped_and_ids_composed(self):
        gold = "exam,no,correct\na/b,c,A\na,b/c,B\na\\/b,c,C\n"
        run = "sure,question,paper,choice\n0.5,c,a\\/b,C\n0.5, c ,a/b,A\n0.5,b/c,a,B\n"
        found = graded(run, gold, self.MAPPED)
        assert (found.n, found.right) == (3, 3)

    def test_part_of_a_composed_id_can_be_empty_or_no_text(self):
        gold = "exam,no,correct\na,1,A\n"
        run = (
            '{"paper": "a", "question": 1, "choice": "A", "sure": 1}\n'
            '{"paper": "a", "question": " ", "choice": "A", "sure": 1}\n'
            '{"paper": null, "question": 1, "choice": "A", "sure": 1}\n'
            '{"paper": "a", "question": 1.0, "choice": "A", "sure": 1}\n'
        )
        assert places(refused(run, gold, self.MAPPED)) == [
            (2, "question", "empty-id"),
            (3, "paper", "wrong-type"),
            (4, "paper+question", "unknown-id"),
        ]

    def test_columns_that_are_not_read_are_noticed_and_may_hold_anything(self):
        run = (
            '{"id": "q1", "answer": "yes", "confidence": 1, "why": null}\n'
            '{"id": "q2", "answer": "no", "confidence": 1, "log": [[{}]]}\n'
            '{"id": "q3", "answer": "yes", "confidence": 1}\n'
        )
        found = graded(run, YES_NO)
        assert [(n.code, n.message) for n in found.notices] == [
            ("extra-columns", "not read: 'why', 'log'")
        ]

    def test_ids_and_confidences_are_trimmed_answers_are_not(self):
        run = RUN + " q1 ,yes, 0.9 \nq2, no,0.8\nq3,yes,\t0.7\n"
        assert graded(run, YES_NO).right == 2

    def test_a_long_id_is_not_repeated_whole(self):
        long = "x" * 9999
        problems = refused(RUN + f"{long},yes,1\n{long},yes,1\n", YES_NO, 'missing = "worst"\n')
        assert [p.code for p in problems] == ["unknown-id", "duplicate-id", "unknown-id"]
        assert max(len(p.message) for p in problems) < 100


class TestClasses:
    GOLD = GOLD + "q1,cat,a\nq2,dog,a\n"
    LABELS = 'answers = "choice"\nlabels = ["dog", "cat", "ape"]\n'

    def run(self, payload, toml=""):
        task = task_of(toml)
        found = checked(payload.encode(), task, gold_like("cat", "dog"))
        assert isinstance(found, Run), found
        return found

    def test_the_confidence_is_the_probability_of_the_answer(self):
        found = self.run("id,answer,p:cat,p:dog\nq1,dog,0.75,0.25\nq2,dog,0.4,0.6\n")
        assert found.answers == ("dog", "dog")
        assert found.confidence.tolist() == [0.25, 0.6]
        assert found.probabilities.tolist() == [[0.75, 0.25], [0.4, 0.6]]

    def test_columns_can_be_mapped(self):
        toml = '[run]\nclasses = {dog = "D", cat = "C"}\n'
        found = self.run("id,C,D,E\nq1,0.75,0.25,9\nq2,0.4,0.6,9\n", toml)
        assert found.answers == ("cat", "dog")
        assert found.probabilities.tolist() == [[0.25, 0.75], [0.6, 0.4]]
        assert [n.code for n in found.notices] == ["extra-columns"]

    @pytest.mark.parametrize(
        ("toml", "top"),
        [
            (LABELS, "dog"),
            ('[run]\nclasses = {dog = "p:dog", cat = "p:cat", ape = "p:ape"}\n', "dog"),
            ("", "ape"),
        ],
        ids=["labels", "mapped", "by name where nothing is declared"],
    )
    @pytest.mark.parametrize("order", ["cat,ape,dog", "dog,ape,cat"])
    def test_an_answer_not_given_is_the_top_class_ties_to_the_first_declared(
        self, toml, top, order
    ):
        head = ",".join(f"p:{c}" for c in order.split(","))
        third = "0.3333,0.3333,0.3333"
        found = self.run(f"id,{head}\nq1,{third}\nq2,{third}\n", toml)
        assert found.answers == (top, top)

    def test_a_blank_is_a_class_not_offered(self):
        found = self.run("id,p:cat,p:dog\nq1,1,\nq2, ,1.0\n", self.LABELS)
        assert found.answers == ("cat", "dog")
        np.testing.assert_array_equal(found.probabilities, [[np.nan, 1], [1, np.nan]])

    def test_a_key_left_out_is_a_class_not_offered(self):
        found = self.run('{"id": "q1", "p:cat": 1}\n{"id": "q2", "p:dog": 0.5, "p:cat": 0.5}\n')
        assert found.answers == ("cat", "cat")

    def test_a_class_must_be_offered_and_be_a_number(self):
        run = "id,p:cat,p:dog\nq1,,\nq2,high,1.5\n"
        assert places(refused(run, self.GOLD)) == [
            (2, "p:*", "bad-sum"),
            (3, "p:cat", "not-a-number"),
            (3, "p:dog", "out-of-range"),
        ]

    def test_a_class_that_is_null_is_told_once(self):
        run = '{"id": "q1", "p:cat": 0.5, "p:dog": null}\n{"id": "q2", "p:cat": 1}\n'
        assert places(refused(run, self.GOLD)) == [(1, "p:dog", "wrong-type")]

    @pytest.mark.parametrize(("last", "right"), [("0.2", 1), ("0.201", 1), ("0.1989", 0)])
    def test_rows_add_up_to_1_within_a_thousandth(self, last, right):
        run = f"id,p:ape,p:cat,p:dog\nq1,0.5,0.3,{last}\nq2,0,0,1\n"
        assert isinstance(walk(run, self.GOLD), Graded if right else Rejected)

    def test_rounding_by_the_task_comes_after_the_sum(self):
        third = "0.3333,0.3333,0.3333"
        run = f"id,p:ape,p:cat,p:dog\nq1,{third}\nq2,0.126,0.125,0.749\n"
        found = self.run(run, "precision = 2\n")
        assert found.confidence.tolist() == [0.33, 0.75]

    @pytest.mark.parametrize("answered", [True, False])
    def test_a_confidence_that_disagrees_is_refused(self, answered):
        head = "id,answer,confidence,p:cat,p:dog\nq1,cat,{},0.333,0.667\nq2,dog,1,0,1\n"
        run = head if answered else head.replace("answer", "note").replace("q1,cat", "q1,dog")
        mine = 0.333 if answered else 0.667
        assert isinstance(walk(run.format(mine + 0.001), self.GOLD), Graded)
        problems = refused(run.format(mine + 0.002), self.GOLD)
        assert places(problems) == [(2, "confidence", "two-confidences")]

    def test_a_refusal_has_a_confidence_of_its_own(self):
        run = "id,answer,confidence,p:cat,p:dog\nq1,pass,0.5,0.3,0.7\nq2,dog,1,0,1\n"
        found = self.run(run, 'abstain = ["pass"]\n')
        assert found.confidence.tolist() == [0.5, 1]
        bare = "id,answer,p:cat,p:dog\nq1,pass,0.3,0.7\nq2,dog,0,1\n"
        problems = refused(bare, self.GOLD, 'abstain = ["pass"]\n')
        assert places(problems) == [(2, "answer", "no-probability")]

    def test_a_column_of_a_class_that_is_no_label_is_refused(self):
        run = "id,p:Cat,p:dog,p:ape\nq1,1,0,0\nq2,0,1,0\n"
        (problem,) = refused(run, self.GOLD, self.LABELS)
        assert (problem.line, problem.field, problem.code) == (1, "p:Cat", "not-a-label")
        assert problem.message.endswith("did you mean 'cat'?")

    def test_noise_outside_the_scale_is_counted_once_for_each_answer(self):
        run = "id,p:cat,p:dog\nq1,1.0000000000000002,-1e-17\nq2,0,1\n"
        notices = self.run(run).notices
        assert [(n.code, n.message[:1]) for n in notices] == [("float-noise", "1")]


class TestRefusals:
    @pytest.mark.parametrize(("rule", "counted"), [("exact", 1), ("normalised", 2)])
    def test_a_declared_refusal_is_wrong_and_counted(self, rule, counted):
        toml = f'answers = "{rule}"\nabstain = ["I don\'t know"]\n'
        run = RUN + "q1,I don't know,0.5\nq2,no,0.8\nq3,I  DON'T know,0.5\n"
        found = graded(run, YES_NO, toml)
        assert (found.right, found.abstained) == (1, counted)
        said = {1: "1 refusal, which counts as wrong", 2: "2 refusals, which count as wrong"}
        assert found.notices[0].message == said[counted]

    def test_a_blank_can_be_a_declared_refusal(self):
        found = graded(RUN + "q1,,0.5\nq2,no,0.8\nq3,yes,1\n", YES_NO, 'abstain = [""]\n')
        assert (found.right, found.abstained) == (2, 1)

    def test_a_refusal_needs_to_be_no_label_and_no_number(self):
        pass_ = RUN + "q1,pass,0.5\nq2,no,1\nq3,yes,1\n"
        assert graded(pass_, YES_NO, CHOICE + 'abstain = ["pass"]\n').abstained == 1
        numbers = GOLD + "q1,1,a\n"
        toml = 'answers = "numeric"\nabstain = ["pass"]\n'
        assert graded(RUN + "q1,pass,0.5\n", numbers, toml).abstained == 1


class TestLinesThatLackAField:
    """In JSON a line may lack what others have; beside class probabilities that can be right."""

    REFUSAL = 'abstain = ["pass"]\n'

    def run(self, run, toml=""):
        found = checked(run.encode(), task_of(toml), gold_like("yes", "no"))
        assert isinstance(found, Run), found
        return found

    def test_an_answer_that_is_not_there_is_the_likeliest_class(self):
        found = self.run(
            '{"id": "q1", "answer": "no", "p:yes": 0.75, "p:no": 0.25}\n'
            '{"id": "q2", "p:yes": 0.75, "p:no": 0.25}\n'
        )
        assert found.answers == ("no", "yes")
        assert found.confidence.tolist() == [0.25, 0.75]
        assert found.notices == ()

    @pytest.mark.parametrize(
        ("value", "code"),
        [('""', "blank-answer"), ('" "', "blank-answer"), ("null", "wrong-type")],
    )
    def test_an_answer_that_is_there_and_blank_is_refused(self, value, code):
        run = (
            f'{{"id": "q1", "answer": {value}, "p:yes": 0.75, "p:no": 0.25}}\n'
            '{"id": "q2", "p:yes": 0.75, "p:no": 0.25}\n{"id": "q3", "p:yes": 1}\n'
        )
        assert places(refused(run, YES_NO)) == [(1, "answer", code)]

    def test_one_left_out_is_no_refusal_even_if_a_blank_is_one(self):
        run = '{"id": "q1", "answer": "", "confidence": 0.5}\n{"id": "q2", "p:no": 1}\n'
        found = self.run(run, 'abstain = [""]\n')
        assert found.answers == ("", "no")
        assert [(n.code, n.message) for n in found.notices] == [
            ("abstained", "1 refusal, which counts as wrong")
        ]

    @pytest.mark.parametrize(
        "run",
        [
            "id,answer,confidence,p:yes,p:no\nq1,yes,0.75,0.75,0.25\nq2,no,,0.4,0.6\n",
            (
                '{"id": "q1", "answer": "yes", "confidence": 0.75, "p:yes": 0.75, "p:no": 0.25}\n'
                '{"id": "q2", "answer": "no", "p:yes": 0.4, "p:no": 0.6}\n'
            ),
            (
                '{"id": "q1", "confidence": 0.75, "p:yes": 0.75, "p:no": 0.25}\n'
                '{"id": "q2", "confidence": " ", "p:yes": 0.4, "p:no": 0.6}\n'
            ),
        ],
    )
    def test_a_confidence_that_is_not_there_is_the_probability(self, run):
        assert self.run(run).confidence.tolist() == [0.75, 0.6]

    def test_a_percentage_that_is_not_there_is_not_asked_whether_it_is_meant(self):
        run = "id,answer,confidence,p:yes,p:no\nq1,yes,75,75,25\nq2,no,,40,60\n"
        assert self.run(run, 'confidence = "percent"\n').notices == ()
        below = RUN + "q1,yes,0.5\nq2,no,1\n"
        assert [n.code for n in self.run(below, 'confidence = "percent"\n').notices] == ["scale"]
        above = RUN + "q1,yes,0.5\nq2,no,1.001\n"
        assert self.run(above, 'confidence = "percent"\n').notices == ()

    def test_a_refusal_without_a_probability_takes_the_confidence_of_its_line(self):
        found = self.run(
            '{"id": "q1", "answer": "pass", "confidence": 0.25, "p:yes": 0.5, "p:no": 0.5}\n'
            '{"id": "q2", "answer": "pass", "confidence": 0.125}\n',
            self.REFUSAL,
        )
        assert found.confidence.tolist() == [0.25, 0.125]

    @pytest.mark.parametrize(
        "run",
        [
            "id,answer,p:yes,p:no\nq1,pass,0.5,0.5\nq2,no,0,1\nq3,no,0,1\n",
            "id,answer,confidence,p:yes,p:no\nq1,pass,,0.5,0.5\nq2,no,1,0,1\nq3,no,,0,1\n",
            "id,answer,confidence,p:yes,p:no\nq1,pass,,,\nq2,no,1,0,1\nq3,no,,0,1\n",
        ],
    )
    def test_a_refusal_that_has_neither_is_told_what_it_needs(self, run):
        (problem,) = refused(run, YES_NO, self.REFUSAL)
        assert (problem.line, problem.field, problem.code) == (2, "answer", "no-probability")
        said = "'pass' has no probability: a refusal needs a confidence of its own"
        assert problem.message == said

    def test_a_blank_refusal_that_has_neither_is_told_too(self):
        run = "id,answer,p:yes,p:no\nq1,,0.5,0.5\nq2,no,0,1\nq3,no,0,1\n"
        assert places(refused(run, YES_NO, 'abstain = [""]\n')) == [
            (2, "answer", "no-probability")
        ]

    def test_a_refusal_with_a_probability_has_no_second_confidence(self):
        run = "id,answer,confidence,p:pass,p:no\nq1,pass,{},0.75,0.25\nq2,no,1,0,1\n"
        assert self.run(run.format("0.75"), self.REFUSAL).confidence.tolist() == [0.75, 1]
        found = checked(
            run.format("0.5").encode(),
            task_of(self.REFUSAL),
            gold_like("yes", "no"),
        )
        assert places(found.problems) == [(2, "confidence", "two-confidences")]

    @pytest.mark.parametrize("toml", ["", '[run]\nclasses = {yes = "Y", no = "N"}\n'])
    def test_answers_and_confidences_alone_are_an_ordinary_run(self, toml):
        found = self.run(RUN + "q1,no,0.5\nq2,no,0.25\n", toml)
        assert (found.answers, found.confidence.tolist()) == (("no", "no"), [0.5, 0.25])
        assert found.probabilities.shape == (2, 0)

    def test_some_of_the_mapped_columns_are_not_enough(self):
        run = "id,answer,confidence,Y\nq1,no,0.5,1\nq2,no,0.25,1\nq3,no,0.25,1\n"
        toml = '[run]\nclasses = {yes = "Y", no = "N"}\n'
        assert places(refused(run, YES_NO, toml)) == [(1, "N", "missing-column")]
        assert places(refused("id,answer\nq1,no\n", YES_NO, toml)) == [
            (1, "Y", "missing-column"),
            (1, "N", "missing-column"),
        ]


class TestHints:
    PAIR = '[gold]\nid = ["year", "no"]\n'

    @pytest.mark.parametrize(
        ("ids", "sent", "hint"),
        [
            (("1", "2"), "1.0", "'1'"),
            (("1.0", "2.0"), "1", "'1.0'"),
            (("007", "8"), "7", "'007'"),
            (("q1", "q2"), "q01", "'q1'"),
            (("Doc_1", "Doc_2"), "doc-1", "'Doc_1'"),
            (("a/1", "a/2"), "a/01", "'a/1'"),
            (("0", "1"), "00", "'0'"),
            (("q1", "q2"), "q3", None),
            (("1.5", "2"), "1.50", None),
            (("10", "2"), "1", None),
        ],
    )
    def test_an_id_spelled_otherwise_is_recognised(self, ids, sent, hint):
        gold = GOLD + "".join(f"{i},yes,a\n" for i in ids)
        (problem,) = refused(RUN + f"{sent},yes,1\n", gold, 'missing = "leave-out"\n')
        asked = f"; did you mean {hint}?" if hint else ""
        assert problem.message == f"{sent!r} is no id of this task{asked}"

    @pytest.mark.parametrize("sent", ["2024,01", "2024.0,1", "02024,1.0"])
    def test_each_part_of_an_id_is_recognised(self, sent):
        run = f"year,no,answer,confidence\n{sent},yes,1\n2024,2,yes,1\n"
        gold = "year,no,answer\n2024,1,yes\n2024,2,yes\n"
        problems = refused(run, gold, self.PAIR + '[run]\nid = ["year", "no"]\n')
        assert problems[1].message.endswith("; did you mean '2024/1'?")

    @pytest.mark.parametrize(
        ("head", "absent", "meant"),
        [
            ("ID,answer,confidence", "id", "ID"),
            ("Id,Answer,confidence", "answer", "Answer"),
            ("question_id,answer,confidence", "id", "question_id"),
            ("id of item,answer,confidence", "id", "id of item"),
            ("id,answer,conf", "confidence", "conf"),
            ("id,answer,CONFIDENSE", "confidence", "CONFIDENSE"),
            ("confidence,answer,Note,ID", "id", "ID"),
            ("identity,answer,confidence", "id", None),
        ],
    )
    def test_a_column_named_otherwise_is_recognised(self, head, absent, meant):
        cells = ",".join(["1"] * (head.count(",") + 1))
        problem = next(p for p in refused(f"{head}\n{cells}\n", YES_NO) if p.field == absent)
        hint = f"; did you mean {meant!r}?" if meant else ""
        assert problem.message.endswith(f"there is {', '.join(map(repr, head.split(',')))}{hint}")

    def test_a_key_named_otherwise_on_one_line_is_recognised(self):
        run = (
            '{"id": "q1", "answer": "yes", "confidence": 1}\n'
            '{"ID": "q2", "answer": "yes", "confidence": 1}\n'
        )
        problem = refused(run, YES_NO, 'missing = "leave-out"\n')[0]
        assert (problem.line, problem.message) == (2, "no 'id'; did you mean 'ID'?")

    def test_a_file_without_a_header_is_one_problem(self):
        (problem,) = refused("q1,yes,0.9\nq2,no,0.8\nq3,yes,0.7\n", YES_NO)
        assert (problem.line, problem.code) == (1, "missing-column")
        assert problem.message == (
            "the first line does not look like a header: it has 'q1', 'yes', '0.9'; "
            "wanted are 'id', 'answer', 'confidence'"
        )
        (problem,) = refused('{"a": 1, "b": 2}\n', YES_NO)
        assert problem.message == (
            "no line has any of the keys 'id', 'answer', 'confidence'; there is 'a', 'b'"
        )

    @pytest.mark.parametrize(
        ("field", "mend"),
        [
            ("id", "write every id as a text"),
            ("answer", "write every answer as a text"),
            ("confidence", "write a number"),
            ("p:yes", "write a number"),
        ],
    )
    def test_a_null_is_told_what_to_write_in_its_place(self, field, mend):
        whole = {"id": "q1", "answer": "yes", "confidence": 1, "p:yes": 1, field: None}
        problems = refused(json.dumps(whole), YES_NO, 'missing = "leave-out"\n')
        assert [p.message for p in problems] == [f"{field!r} is null: {mend}"]
        problems = refused(json.dumps(whole | {field: []}), YES_NO, 'missing = "leave-out"\n')
        assert [p.message for p in problems] == [f"{field!r} is a list: {mend}"]


class TestNotices:
    @pytest.mark.parametrize(
        ("toml", "n"),
        [
            ("", 2),
            ('labels = ["yes "]\n', 1),
            ('abstain = ["yes "]\n', 1),
            ('answers = "normalised"\n', 0),
            ('answers = "choice"\nlabels = ["yes ", "\\tno", "yes"]\n', 0),
        ],
    )
    def test_answers_with_outer_spaces_are_noticed_where_spaces_decide(self, toml, n):
        task = task_of(toml)
        run = RUN + "q1,yes ,1\nq2,\tno,1\nq3,yes,1\n"
        found = checked(run.encode(), task, gold_like("yes", "yes", "yes"))
        said = {
            1: ["1 answer begins or ends with a space; it is compared letter for letter"],
            2: ["2 answers begin or end with a space; they are compared letter for letter"],
        }
        assert [m.message for m in found.notices if m.code == "outer-space"] == said.get(n, [])

    def test_one_is_told_in_the_singular(self):
        run = RUN + "q1,yes,1.0000000000000002\n"
        gold = Gold(("q1", "q2"), (("yes",), ("no",)), standings=(Standing(), DROPPED))
        found = checked(run.encode(), task_of(), gold)
        assert [n.message for n in found.notices] == [
            "1 instance of the task does not count",
            "1 confidence within 1e-9 outside the scale was cut",
        ]
        worst = checked(
            (RUN + "q1,yes,1\n").encode(),
            task_of('missing = "worst"\n'),
            gold_like("yes", "no"),
        )
        assert [n.message for n in worst.notices] == [
            "1 of 2 instances is missing: 'q2'; counts as wrong at confidence 1"
        ]
        (problem,) = refused("id,answer,confidence\nq2,yes,1\n", GOLD + "q1,yes,a\n")[:1]
        assert problem.message == "1 of 1 instance is missing: 'q1'"

    def test_several_are_told_in_the_plural(self):
        run = RUN + "q1,yes,1.0000000000000002\nq2,yes,-1e-17\n"
        gold = gold_like("yes", "no")
        gold = replace(gold, standings=(DROPPED, DROPPED))
        found = checked(run.encode(), task_of(), gold)
        assert [n.message for n in found.notices] == [
            "2 instances of the task do not count",
            "2 confidences within 1e-9 outside the scale were cut",
        ]
