"""Gold files: every problem with its line, and what a good one comes out as."""

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from grader.cli import main
from grader.errors import Mistake
from grader.grade import grade
from grader.model import (
    Dimension,
    Gold,
    GoldColumns,
    Graded,
    Resampling,
    RunColumns,
    Standing,
    Task,
)
from grader.tasks import read_gold
from grader.tasks.gold import lines
from grader.tasks.notes import notes
from grader.tasks.standing import dropped

PLAIN = Task("t", "T")


def columns(**keys):
    return replace(PLAIN, gold=replace(PLAIN.gold, **keys))


def read(body, task=PLAIN):
    return read_gold(task, body.encode() if isinstance(body, str) else body, "gold.csv")


def said(body, task=PLAIN):
    """(line, code) of each problem, in the order in which they are said."""
    with pytest.raises(Mistake) as raised:
        read(body, task)
    lines = [text.split(":", 3) for text in raised.value.said[1:] if text.startswith("gold.csv:")]
    return [(int(line), code.strip()) for _, line, code, _ in lines]


def jsonl(*records):
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


# --- ids and answers


def test_ids_and_answers_are_text_in_the_order_of_the_file():
    gold = read("id,answer\n 007 ,yes\nNA,null\n1e5, two words \nTrue,True\n")
    assert gold.ids == ("007", "NA", "1e5", "True")
    assert gold.answers == (("yes",), ("null",), (" two words ",), ("True",))
    assert gold.scored.tolist() == [True] * 4
    assert (gold.subsets, gold.clusters, gold.splits, gold.version) == ((), (), (), 1)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("comma", [",", "\t", ";"])
def test_the_same_gold_however_it_is_written(end, mark, comma):
    rows = ["id", "answer"], ["q1", "a"], ["q2", "b"]
    body = mark + end.join(comma.join(r) for r in rows)
    assert read(body) == read("id,answer\nq1,a\nq2,b\n")


def test_a_blank_answer_is_no_right_answer():
    assert read("id,answer\nq1,\nq2,  \nq3,a\n").answers == ((), (), ("a",))
    body = jsonl(
        {"id": 1, "answer": None},
        {"id": 2, "answer": []},
        {"id": 3, "answer": ["", " ", "a"]},
        {"id": 4, "answer": "  "},
    )
    assert read(body).answers == ((), (), ("a",), ())


def test_several_answers_by_a_separator_or_a_list():
    assert read("id,answer\nq1,a|b c||\n", columns(separator="|")).answers == (("a", "b c"),)
    assert read("id,answer\nq1,a|b\n").answers == (("a|b",),)
    body = jsonl({"id": "q1", "answer": ["a", "b|c"]}, {"id": "q2", "answer": 1.50})
    assert read(body, columns(separator="|")).answers == (("a", "b|c"), ("1.5",))


@pytest.mark.parametrize("given", ['"yes, no"', '"say ""hi"""', '"two\nlines"'])
def test_a_quoted_answer_is_one_answer(given):
    text = given[1:-1].replace('""', '"')
    assert read(f"id,answer\nq1,{given}\nq2,b\n").answers == ((text,), ("b",))


def test_lines_are_physical():
    assert said('id,answer\nq1,"two\nlines"\nq1,a\n') == [(4, "duplicate-id")]


def test_ids_of_several_columns_are_joined_and_kept_apart():
    task = columns(id=("exam", "no"))
    gold = read("exam,no,answer\na,1,x\na,2,x\nb,1,x\n", task)
    assert gold.ids == ("a/1", "a/2", "b/1")
    apart = read("exam,no,answer\na/b,c,x\na,b/c,x\na\\,b/c,x\na/b\\,c,x\n", task)
    assert len(set(apart.ids)) == 4
    assert said("exam,no,answer\na,1,x\na, 1 ,x\n", task) == [(3, "duplicate-id")]


@given(
    ids=st.lists(
        st.tuples(st.text("ab/\\", min_size=1), st.text("ab/\\", min_size=1)),
        min_size=1,
        unique=True,
    )
)
def test_two_composite_ids_are_never_the_same(ids):
    body = jsonl(*({"a": a, "b": b, "answer": "x"} for a, b in ids))
    assert len(set(read(body, columns(id=("a", "b"))).ids)) == len(ids)


# --- problems


def test_ids_that_are_empty_or_stand_twice_are_named_with_their_lines():
    body = "id,answer\nq1,a\n,b\n  ,c\nq1,d\n q1 ,e\n"
    assert said(body) == [
        (3, "empty-id"),
        (4, "empty-id"),
        (5, "duplicate-id"),
        (6, "duplicate-id"),
    ]
    with pytest.raises(Mistake, match="'q1' is already on line 2"):
        read(body)


def test_a_null_id_is_empty():
    assert said(jsonl({"id": None, "answer": "a"}, {"id": ["x"], "answer": "a"})) == [
        (1, "empty-id"),
        (2, "empty-id"),
    ]


def test_all_problems_of_a_line_are_said():
    task = replace(
        columns(subsets=(Dimension("kind", ("a",)),), cluster="c", split="s"),
        answers="choice",
        labels=("A",),
    )
    assert said("id,answer,kind,c,s\n,B,z,,half\n", task) == [
        (2, "empty-id"),
        (2, "bad-answer"),
        (2, "bad-subset"),
        (2, "empty-cell"),
        (2, "bad-split"),
    ]


def test_a_column_that_is_not_there_is_named_once():
    task = columns(answer="label", subsets=(Dimension("kind"),), cluster="doc")
    assert said("id,answer\nq1,a\n", task) == [(1, "missing-column")] * 3
    with pytest.raises(Mistake, match="no column 'label'; the file has 'id', 'answer'"):
        read("id,answer\nq1,a\n", task)
    assert said(jsonl({"id": 1, "answer": "a"}, {"id": 2}, {"id": 3})) == [(2, "missing-column")]


def test_a_macro_needs_its_dimension_even_where_it_is_there_by_default():
    task = replace(PLAIN, primary="macro(hmr,subset)")
    assert said("id,answer\nq1,a\n", task) == [(1, "missing-column")]
    assert read("id,answer,subset\nq1,a,x\n", task).subsets[0].values == ("x",)


@pytest.mark.parametrize("body", ["", "\n\n", "id,answer\n", "\ufeff"])
def test_a_gold_without_rows_is_a_mistake(body):
    assert [code for _, code in said(body)] == ["no-rows"]


def test_what_cannot_be_read_is_said_with_its_line():
    assert said(b"id,answer\nq1,a\nq2,n\xe3o\n") == [(3, "not-utf8")]
    assert said("id,answer\nq1,a,b\nq2\n") == [(2, "column-count"), (3, "column-count")]
    assert said('{"id": 1, "answer": "a"}\n{"id": 2\n') == [(2, "bad-json")]


def test_a_gold_of_a_hundred_problems_says_forty_and_counts_the_rest():
    body = "id,answer\n" + "q1,a\n" * 101
    with pytest.raises(Mistake) as raised:
        read(body)
    first, *lines, last = raised.value.said
    assert first == "the gold has 100 problems"
    assert len(lines) == 40
    assert lines[0].startswith("gold.csv:3: duplicate-id")
    assert last == "… and 60 more"
    with pytest.raises(Mistake, match=r"^the gold has 1 problem\n"):
        read("id,answer\nq1,a\nq1,a\n")


def test_an_answer_that_the_task_does_not_know_is_a_mistake():
    choice = replace(PLAIN, answers="choice", labels=("A", "B"))
    assert said("id,answer\nq1,A\nq2,a\nq3,\nq4,C\n", choice) == [
        (3, "bad-answer"),
        (5, "bad-answer"),
    ]
    numeric = replace(PLAIN, answers="numeric")
    body = "id,answer\nq1,1.5\nq2,1e3\nq3,one\nq4,nan\nq5, 7 \nq6,1_0\nq7,inf\n"
    assert said(body, numeric) == [(n, "bad-answer") for n in (4, 5, 7, 8)]
    assert said(jsonl({"id": 1, "answer": {"a": 1}})) == [(1, "bad-answer")]


@pytest.mark.parametrize(
    ("answers", "answer", "refused"),
    [
        ("exact", "I don't know", True),
        ("exact", "i don't know", False),
        ("normalised", " i DON'T  know", True),
        ("normalised", "I know", False),
    ],
)
def test_a_refusal_is_no_right_answer(answers, answer, refused):
    task = replace(PLAIN, answers=answers, abstain=("I don't know",))
    body = f"id,answer\nq1,{answer}\n"
    if refused:
        assert said(body, task) == [(2, "bad-answer")]
    else:
        assert read(body, task).answers == ((answer,),)


# --- subsets, clusters, splits


def test_values_come_in_the_order_of_the_gold_and_a_blank_one_is_in_no_subset():
    (subsets,) = read("id,answer,subset\n1,a,z\n2,a,a\n3,a,\n4,a, \n5,a, z \n").subsets
    assert (subsets.name, subsets.values) == ("subset", ("z", "a"))
    assert subsets.codes.tolist() == [0, 1, -1, -1, 0]


def test_declared_values_come_in_declared_order_and_may_be_empty():
    task = columns(subsets=(Dimension("kind", ("b", "none here", "a")),))
    (subsets,) = read("id,answer,kind\n1,x,a\n2,x,\n3,x,b\n", task).subsets
    assert subsets.values == ("b", "none here", "a")
    assert subsets.codes.tolist() == [2, -1, 0]
    assert said("id,answer,kind\n1,x,a\n2,x,c\n3,x,A\n", task) == [
        (3, "bad-subset"),
        (4, "bad-subset"),
    ]


def test_several_dimensions_cut_the_same_gold():
    task = columns(subsets=(Dimension("exam"), Dimension("kind")))
    one, two = read("id,answer,kind,exam\n1,x,a,p\n2,x,b,p\n", task).subsets
    assert (one.name, one.codes.tolist(), two.name, two.codes.tolist()) == (
        "exam",
        [0, 0],
        "kind",
        [0, 1],
    )


def test_the_subset_column_is_there_only_if_a_record_has_it():
    body = jsonl({"id": 1, "answer": "a"}, {"id": 2, "answer": "b", "subset": "s"})
    (subsets,) = read(body).subsets
    assert (subsets.values, subsets.codes.tolist()) == (("s",), [-1, 0])
    swapped = jsonl({"id": 2, "answer": "b", "subset": "s"}, {"id": 1, "answer": "a"})
    assert read(swapped).subsets[0].codes.tolist() == [0, -1]
    assert read(jsonl({"id": 1, "answer": "a"})).subsets == ()


@pytest.mark.parametrize("value", ["a\rb", "a\nb", "a\tb", "\x1b[31m", "a\u2028b"])
def test_a_subset_is_named_by_one_plain_line(value):
    assert said(jsonl({"id": 1, "answer": "a", "subset": value})) == [(1, "bad-subset")]


def test_a_subset_is_a_text():
    body = jsonl({"id": 1, "answer": "a", "subset": ["x"]}, {"id": 2, "answer": "a", "subset": 7})
    assert said(body) == [(1, "bad-subset")]
    assert read(jsonl({"id": 2, "answer": "a", "subset": 7})).subsets[0].values == ("7",)


def test_clusters_and_splits():
    task = columns(cluster="doc", split="part")
    gold = read("id,answer,doc,part\n1,a,d1,public\n2,a, d1 , private \n3,a,d2,public\n", task)
    assert gold.clusters == ("d1", "d1", "d2")
    assert gold.splits == ("public", "private", "public")
    assert said("id,answer,doc,part\n1,a,,public\n2,a,d,secret\n3,a,d,\n", task) == [
        (2, "empty-cell"),
        (3, "bad-split"),
        (4, "empty-cell"),
    ]


# --- drops

WHEN = datetime(2026, 3, 1, tzinfo=UTC)
DROP = Standing("dropped", "two right answers", "chair", WHEN, post_hoc=True)


def test_a_dropped_instance_stays_known_and_does_not_count():
    gold = read("id,answer\nq1,a\nq2,b\nq3,c\n")
    new = dropped(gold, ["q2"], DROP)
    assert (new.ids, new.answers) == (gold.ids, gold.answers)
    assert new.scored.tolist() == [True, False, True]
    assert new.standings == (Standing(), DROP, Standing())
    assert (gold.version, new.version) == (1, 2)
    assert gold.scored.all()


def test_a_gold_that_lists_no_standings_can_lose_an_instance():
    gold = Gold(("q1", "q2"), (("a",), ("b",)))
    assert dropped(gold, ["q2"], DROP).scored.tolist() == [True, False]


def test_an_id_named_twice_is_dropped_once():
    gold = dropped(read("id,answer\nq1,a\nq2,b\n"), ["q1", "q1"], DROP)
    assert gold.scored.tolist() == [False, True]


def test_nothing_is_dropped_if_one_id_is_wrong():
    gold = dropped(read("id,answer\nq1,a\nq2,b\n"), ["q1"], DROP)
    with pytest.raises(Mistake) as raised:
        dropped(gold, ["q2", "q9", "q1", " q2"], DROP)
    text = str(raised.value)
    assert "'q9' is no id of this task" in text
    assert "' q2' is no id of this task" in text
    assert "'q1' is dropped already: two right answers" in text
    assert gold.scored.tolist() == [False, True]


# --- a gold handed in as a run

CELLS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"))
NUMBERS = st.from_regex(r"[+-]?[0-9]{1,5}(\.[0-9]{0,5})?([eE][+-]?[0-9]{1,3})?", fullmatch=True)
RULES = {
    "exact": (CELLS, {}),
    "normalised": (CELLS, {}),
    "choice": (st.sampled_from(["A", "b", "ü", " x"]), {"labels": ("A", "b", "ü", " x")}),
    "numeric": (NUMBERS, {"tolerance": "0"}),
}


@pytest.mark.parametrize("rule", RULES)
@given(data=st.data())
def test_gold_against_itself_scores_one(rule, data):
    answers, keys = RULES[rule]
    task = replace(PLAIN, answers=rule, resampling=Resampling(0), **keys)
    given = data.draw(st.lists(answers.filter(str.strip), min_size=1, max_size=8))
    gold = read(jsonl(*({"id": i, "answer": a} for i, a in enumerate(given))), task)
    run = jsonl(*({"id": i, "answer": a, "confidence": 1} for i, a in enumerate(given)))
    graded = grade(task, gold, run.encode())
    assert isinstance(graded, Graded), graded
    values = {s.measure: s.value for s in graded.scores}
    assert (graded.right, values["accuracy"], values["hmr"], values["brier"]) == (
        len(given),
        1,
        1,
        0,
    )


def test_every_one_of_several_accepted_answers_is_right():
    gold = read("id,answer\n1,a|b\n2,a|b\n3,a|b\n", columns(separator="|"))
    run = b"id,answer,confidence\n1,a,1\n2,b,1\n3,a|b,1\n"
    assert grade(PLAIN, gold, run).right == 2


def test_a_gold_with_other_column_names_meets_a_run_with_its_own():
    task = replace(
        PLAIN,
        gold=GoldColumns(id=("no",), answer="label"),
        run=RunColumns(("number",), "said", "sure"),
    )
    gold = read("no,label\n1,a\n2,b\n", task)
    assert grade(task, gold, b"said,number,sure\nb,2,0.5\na,1,0.5\n").right == 2


# --- hints


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["q1,q2"], "'q1,q2' is no id of this task; give ids one by one, without commas: q1 q2"),
        (["q1, q9"], "'q1, q9' is no id of this task; give ids one by one, without commas: q1 q9"),
        (["Q01"], "'Q01' is no id of this task; did you mean 'q1'?"),
        (["x,y"], "'x,y' is no id of this task"),
    ],
)
def test_an_id_to_drop_that_is_none_gets_a_hint_and_an_example(names, said):
    gold = read("id,answer\nq1,a\nq2,b\n")
    with pytest.raises(Mistake) as raised:
        dropped(gold, names, DROP)
    assert raised.value.said == (
        "nothing was dropped:",
        f"  {said}",
        "  an id of this task is 'q1'",
    )


def test_an_id_of_several_columns_is_shown_with_how_it_is_joined():
    gold = read("exam,no,answer\n2024,1,x\n2024,2,x\n", columns(id=("exam", "no")))
    with pytest.raises(Mistake) as raised:
        dropped(gold, ["2024/01", "1"], DROP)
    assert raised.value.said[1:] == (
        "  '2024/01' is no id of this task; did you mean '2024/1'?",
        "  '1' is no id of this task",
        "  an id of this task is '2024/1' (the parts of an id are joined by '/')",
    )


def test_no_example_is_given_where_every_id_is_known():
    gold = dropped(read("id,answer\nq1,a\nq2,b\n"), ["q1"], DROP)
    with pytest.raises(Mistake) as raised:
        dropped(gold, ["q1"], DROP)
    assert len(raised.value.said) == 2


def test_a_gold_column_named_otherwise_is_recognised():
    with pytest.raises(Mistake, match="the file has 'ID', 'answer'; did you mean 'ID'"):
        read("ID,answer\nq1,a\n")
    with pytest.raises(Mistake) as raised:
        read("q1,a\nq2,b\n")
    assert raised.value.said == (
        "the gold has 1 problem",
        (
            "gold.csv:1: missing-column: the first line does not look like a header: it has 'q1', "
            "'a'; wanted are 'id', 'answer'"
        ),
    )


# --- what is odd about a gold that is accepted


def odd(body, task=PLAIN):
    return list(notes(task, read(body, task), lines(body.encode())))


def test_a_gold_without_oddities_has_no_notes():
    assert odd("id,answer,subset\nq1,a b,x\nq2,c,y\n") == []


def test_outer_spaces_are_noted_with_the_first_line_where_they_decide():
    body = 'id,answer\nq1,"two\nlines"\nq2, a\nq3,b\nq4,"c "\n'
    assert odd(body) == [
        (
            "2 gold answers begin or end with a space (the first: line 4): "
            "only an answer with that space matches them"
        )
    ]
    one = "id,answer\nq1,a \n"
    said = (
        "1 gold answer begins or ends with a space ({}): only an answer with that space matches it"
    )
    assert odd(one) == [said.format("line 2")]
    assert list(notes(PLAIN, read(one))) == [said.format("'q1'")]
    assert odd(one, replace(PLAIN, answers="normalised")) == []
    assert odd(one, replace(PLAIN, answers="choice", labels=("a ",))) == []
    assert odd("id,answer\nq1, 1\n", replace(PLAIN, answers="numeric")) == []
    assert odd("id,answer\nq1,a | b\n", columns(separator="|")) == []


def test_a_cell_that_looks_like_a_list_is_noted():
    body = 'id,answer\nq1,a\nq2,"[""b"", ""c""]"\n'
    said = "1 gold answer starts with '[' (line 3): a list of answers is read only in JSONL"
    assert odd(body) == [said]
    assert (
        odd(jsonl({"id": "q1", "answer": ["b", "c"]}, {"id": "q2", "answer": ["[a", "b"]})) == []
    )
    assert odd("id,answer\nq1,[a]\n", replace(PLAIN, answers="choice", labels=("[a]",))) == []


def test_a_bar_without_a_separator_is_noted_once():
    body = "id,answer\nq1,a\nq2,b|c\nq3,d|e\n"
    assert odd(body) == [
        (
            "2 gold answers hold '|' (the first: line 3) and gold.separator is not declared: "
            "each is one answer"
        )
    ]
    assert odd(body, columns(separator="|")) == []
    assert odd(body, columns(separator=";")) == []
    assert odd(jsonl({"id": "q1", "answer": ["a|b", "c"]})) == []


def test_instances_without_a_right_answer_are_noted():
    assert odd("id,answer\nq1,\nq2,b\n") == [
        "1 instance has no right answer: every answer is wrong there"
    ]
    assert odd("id,answer\nq1,\nq2, \n") == [
        "2 instances have no right answer: every answer is wrong there"
    ]


def test_empty_subsets_and_instances_in_none_are_noted():
    task = columns(subsets=(Dimension("quality", ("x", "y", "z")), Dimension("kind")))
    assert odd("id,answer,quality,kind\nq1,a,y,\nq2,b,,k\nq3,c, ,k\n", task) == [
        "no instance has quality=x: a macro over quality is undefined",
        "no instance has quality=z: a macro over quality is undefined",
        "2 instances are in no subset of 'quality': the cell is blank",
        "1 instance is in no subset of 'kind': the cell is blank",
    ]
    whole = read("id,answer,kind,quality\nq1,a,k,x\nq2,b,k,y\nq3,c,k,z\n", task)
    assert list(notes(task, whole)) == []
    assert list(notes(task, dropped(whole, ["q3"], DROP))) == [
        "no instance has quality=z: a macro over quality is undefined"
    ]


def test_task_add_says_them(tmp_path):
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "task.toml").write_text('title = "T"\n', encoding="utf-8")
    (folder / "gold.csv").write_text("id,answer\nq1,a\nq2,\nq3, b\nq4,c|d\n", encoding="utf-8")
    said = [
        "1 instance has no right answer: every answer is wrong there",
        (
            "1 gold answer begins or ends with a space (line 4): only an answer with that space "
            "matches it"
        ),
        "1 gold answer holds '|' (line 5) and gold.separator is not declared: it is one answer",
    ]
    add = ["task", "add", str(folder), "--db"]
    text = CliRunner().invoke(main, [*add, f"sqlite:///{tmp_path}/text.db"])
    assert [x for x in text.output.splitlines() if x.startswith("note: ")] == [
        f"note: {note}" for note in said
    ]
    found = CliRunner().invoke(main, [*add, f"sqlite:///{tmp_path}/json.db", "--format", "json"])
    told = json.loads(found.output)
    assert (told["notes"], told["without_answer"], told["n"]) == (said, 1, 4)
