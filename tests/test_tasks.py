"""task.toml: what it may say, and everything that is wrong with one at once."""

from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import Mistake
from grader.model import Dimension, GoldColumns, Phase, Ranking, Resampling, RunColumns, Task
from grader.tasks import KEYS as EVERY
from grader.tasks import RESERVED, config, contents, declared, load, parse, slug_of
from grader.tasks.update import _FIXED, _SCORES, Change, change

TITLE = 'title = "T"\n'
KEYS = {k: v for k, v in EVERY.items() if k.partition(".")[0] != "phase"}  # see test_phases


def said(text, slug="demo"):
    """The lines of the mistake that a task file is."""
    with pytest.raises(Mistake) as raised:
        parse(text, slug)
    return list(raised.value.said)


def keys_of(lines):
    return [line.strip().split(": ", 1)[0] for line in lines[1:]]


def written(key, value):
    """A task file that sets one key."""
    table, _, inner = key.rpartition(".")
    start = "" if key == "title" else TITLE
    return f"{start}[{table}]\n{inner} = {value}\n" if table else f"{start}{inner} = {value}\n"


# --- defaults and short forms


def test_a_title_is_enough():
    task = parse(TITLE, "demo")
    assert task == Task("demo", "T")
    assert (task.primary, task.answers, task.confidence) == ("hmr", "exact", "probability")
    assert (task.missing, task.precision, task.abstain) == ("reject", None, ())
    assert task.gold == GoldColumns("gold.csv", ("id",), "answer")
    assert task.gold.subsets == (Dimension("subset", optional=True),)
    assert task.run == RunColumns(("id",), "answer", "confidence", {})
    assert task.ranking == Ranking("all", 0.0, 1, 1.0, 3)
    assert task.resampling == Resampling(1000, 1)


def test_a_byte_order_mark_is_no_part_of_the_text():
    assert parse(f"\ufeff{TITLE}", "demo") == Task("demo", "T")


def test_every_key_is_read():
    task = parse(
        """
title = "T"
description = "*D*"
primary = "macro( hmr@2.0 , exam )"
measures = ["ece@15", "hmr@0.50"]
confidence = "percent"
answers = "numeric"
labels = ["1", "2"]
tolerance = 0.25
abstain = ["?"]
missing = "leave-out"
precision = 4
[gold]
file = "g.jsonl"
id = ["exam", "no"]
answer = "right"
separator = "|"
subsets = ["exam", { name = "kind", values = ["a", "b"] }]
cluster = "passage"
split = "part"
[run]
answer = "said"
confidence = "sure"
classes = { 1 = "p1", 2 = "p2" }
[resampling]
resamples = 0
seed = 7
[ranking]
rule = "best"
min_accuracy = 0.5
min_right = 0
min_coverage = 1
digits = 10
""",
        "t",
    )
    assert task == Task(
        slug="t",
        title="T",
        description="*D*",
        primary="macro(hmr@2,exam)",
        measures=("ece@15", "hmr@0.5"),
        confidence="percent",
        answers="numeric",
        labels=("1", "2"),
        tolerance="0.25",
        abstain=("?",),
        missing="leave-out",
        precision=4,
        gold=GoldColumns(
            "g.jsonl",
            ("exam", "no"),
            "right",
            "|",
            (Dimension("exam"), Dimension("kind", ("a", "b"))),
            "passage",
            "part",
        ),
        run=RunColumns(("exam", "no"), "said", "sure", {"1": "p1", "2": "p2"}),
        resampling=Resampling(0, 7),
        ranking=Ranking("best", 0.5, 0, 1.0, 10),
    )


def test_the_ids_of_a_run_are_those_of_the_gold_unless_it_says_otherwise():
    assert parse(f'{TITLE}[gold]\nid = "no"\n', "t").run.id == ("no",)
    assert parse(f'{TITLE}[gold]\nid = ["a", "b"]\n', "t").run.id == ("a", "b")
    both = f'{TITLE}[gold]\nid = "no"\n[run]\nid = "number"\n'
    assert (parse(both, "t").gold.id, parse(both, "t").run.id) == (("no",), ("number",))


@pytest.mark.parametrize(
    ("given", "text"), [("1", "1"), ("0.1", "0.1"), ('"1e-3"', "1e-3"), ("1e-7", "1e-07")]
)
def test_a_tolerance_is_a_number_or_its_text(given, text):
    assert parse(f'{TITLE}answers = "numeric"\ntolerance = {given}\n', "t").tolerance == text


def test_primary_accuracy_and_brier_lead_and_no_key_stands_twice():
    task = parse('title = "T"\nprimary = "ece@10"\nmeasures = ["brier", "hmr", "ece@10"]\n', "t")
    assert task.keys == ("ece@10", "accuracy", "brier", "hmr")


@pytest.mark.parametrize("spelled", ["hmr@2.0", " hmr@2", "hmr@02", "hmr@2.000"])
def test_two_spellings_of_a_measure_are_one(spelled):
    assert parse(f'{TITLE}measures = ["{spelled}"]\n', "t").measures == ("hmr@2",)
    assert parse(f'{TITLE}primary = "{spelled}"\nmeasures = ["hmr@2"]\n', "t").keys == (
        "hmr@2",
        "accuracy",
        "brier",
    )
    assert keys_of(said(f'{TITLE}measures = ["hmr@2", "{spelled}"]\n')) == ["measures"]


@pytest.mark.parametrize(
    "title", ["共有　タスク", "Ünïcode — “quotes”", "👩‍🔬 tasks", "x" * 200, "{{ 7*7 }}", "<b>"]
)
def test_a_title_is_any_text_on_one_line(title):
    assert parse(f'title = "{title}"\n', "t").title == title


# --- every mistake at once


def test_every_mistake_is_said_at_once_with_its_key_and_what_it_may_be():
    lines = said(
        """
title = ""
tite = "x"
primary = "hrm"
measures = ["ece", "hmr", "hmr", "nope@3"]
confidence = "fraction"
labels = ["a", "a"]
precision = 16
missing = "skip"
[gold]
id = 5
anser = "x"
subsets = ["kind", { nam = "x" }]
[runn]
x = 1
[ranking]
digits = 0
min_accuracy = "high"
"""
    )
    assert lines[0] == "task.toml of 'demo': 17 mistakes"
    assert sorted(keys_of(lines)) == sorted(
        [
            "title",
            "tite",
            "primary",
            *["measures"] * 3,
            "confidence",
            "labels",
            "precision",
            "missing",
            "gold.id",
            "gold.anser",
            *["gold.subsets"] * 2,
            "runn",
            "ranking.digits",
            "ranking.min_accuracy",
        ]
    )
    text = "\n".join(lines)
    for hint in (
        "tite: is no key: did you mean 'title'?",
        "runn: is no key: did you mean 'run'?",
        "gold.anser: is no key: did you mean 'gold.answer'?",
        "primary: there is no measure 'hrm': did you mean 'hmr'?",
        "measures: 'ece' needs a number of bins: did you mean 'ece@10'?",
        "'nam' is no key of a subset",
    ):
        assert hint in text
    for key in ("confidence", "missing", "precision", "ranking.digits"):
        line = next(x for x in lines if x.strip().startswith(f"{key}: "))
        assert line.endswith(f"; it may be {KEYS[key]}")


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("titel", "title"),
        ("mesures", "measures"),
        ("subsets", "gold.subsets"),
        ("classes", "run.classes"),
        ("seed", "resampling.seed"),
        ("digits", "ranking.digits"),
        ('"gold.id"', "gold.id"),
    ],
)
def test_a_key_that_is_none_gets_a_guess(path, meant):
    lines = said(f"{TITLE}{path} = 1\n")
    assert f"{path}: is no key: did you mean '{meant}'?" in lines[1]


def test_a_guess_in_the_wrong_table():
    assert "did you mean 'gold.id'" in said(f'{TITLE}[ranking]\nid = "x"\n')[1]
    assert said(f"{TITLE}zzzzzz = 1\n")[1] == "  zzzzzz: is no key"


TABLES = ("gold", "run", "interval", "judging", "resampling", "ranking")
# A wrong type for each key; and for those that have one, values of the right type that are wrong.
WRONG_TYPE = {
    key: {
        "precision": "1.5",
        "tolerance": "true",
        "interval.level": '"0.9"',
        "resampling.resamples": "1.0",
        "resampling.seed": '"1"',
        "ranking.min_accuracy": "true",
        "ranking.min_right": "1.0",
        "ranking.min_coverage": '"all"',
        "ranking.digits": "3.0",
        "labels": '"A"',
        "abstain": "[1]",
        "measures": '"hmr"',
        "gold.subsets": '"kind"',
        "run.classes": '["A"]',
    }.get(key, "5")
    for key in KEYS
}
WRONG_VALUE = {
    "title": ['""', '" "', f'"{"x" * 201}"', r'"a\nb"', r'"a\u0000b"', r'"a\u001bb"'],
    "description": [],  # any text
    "primary": ['"hrm"', '"ece"', '"bias"', '"confidence"', '"macro(hmr, none)"', '"hmr@-1"'],
    "measures": ['["ece"]', '["hmr", "hmr"]', '["macro(hmr, none)"]', '["ece@0"]', '["auroc@2"]'],
    "confidence": ['"Probability"', '""'],
    "answers": ['"fuzzy"'],
    "labels": ['["A", "A"]', '[" "]', '[""]'],
    "tolerance": ['"-1"', '"nan"', "nan", "inf", "-0.5", '"0x1"', "0.5"],
    "abstain": ['["?", "?"]'],
    "reject": [],  # one that is no label is said below
    "missing": ['"zero"', '"leave_out"'],
    "precision": ["-1", "16", "99999999999999999999999999"],
    "gold": ['"gold.csv"', '[[{ file = "g" }]]'],
    "gold.file": ['""', '"."', '".."', '"a/b.csv"', r'"a\\b.csv"', r'"a\u0000"'],
    "gold.id": ["[]", '[""]', '" id"', '["a", "a"]'],
    "gold.answer": ['""', '"answer "', '"id"'],
    "gold.separator": [],  # any text
    "gold.subsets": [
        '["a", "a"]',
        '[""]',
        '["all"]',
        '["a=b"]',
        '["a(b"]',
        '[{ name = "a", values = ["x", "x"] }]',
        '[{ name = "a", values = [" "] }]',
        '[{ name = "a", values = ["x "] }]',
        '[{ values = ["x"] }]',
        '[{ name = "a", value = ["x"] }]',
    ],
    "gold.cluster": [],  # a column that is not there is the gold's mistake
    "gold.split": [],
    "gold.status": [],
    "run": ['"run.csv"'],
    "run.id": ["[]", '["a", "b"]', '""'],
    "run.answer": ['""', '"id"'],
    "run.confidence": ['""', '" c"', '"answer"', '"id"'],
    "run.classes": ['{ A = "p", B = "p" }', '{ A = "" }', "{ A = 1 }"],
    "kind": ['"intervals"'],
    "run.lower": ['""', '" c"'],
    "run.upper": ['""', '" c"'],
    "run.format": ['"xlsx"'],
    "run.event": ['"none"'],
    "run.sources": ['{ " " = [] }', '{ a = ["b"], b = [] }'],
    "run.names": ['"[1-"', '"a/b"'],
    "interval": ["0.9"],
    "interval.level": ["0", "1", "-0.1", "1.5", "nan", "inf"],
    "judging": ['"answer"'],
    "judging.unit": ['"both"'],
    "judging.right": ["[]", '[""]', '["yes", "yes"]'],
    "judging.wrong": ["[]"],
    "judging.bad": ['""'],
    "judging.rule": ['"first"'],
    "judging.chair": ['"A"'],  # answers are not judged
    "resampling": ["1000"],
    "resampling.resamples": ["-1", "100001"],
    "resampling.seed": ["-1", "9223372036854775808"],
    "ranking": ['"all"'],
    "ranking.rule": ['"worst"'],
    "ranking.min_accuracy": ["-0.1", "1.1", "nan", "inf"],
    "ranking.min_right": ["-1", "2147483648"],
    "ranking.min_coverage": ["-0.1", "1.0001", "nan"],
    "ranking.digits": ["0", "11"],
}


def test_a_new_key_is_tested():
    assert set(WRONG_VALUE) == set(KEYS)
    # What is waived in a run stands in no file.
    own = {k for k in leaves(Task("t", "T")) if k not in ("slug", "phases", "waived")}
    assert own | set(TABLES) == set(KEYS)


@pytest.mark.parametrize("when", ["1979-05-27", "07:32:00", "1979-05-27T07:32:00Z"])
@pytest.mark.parametrize("key", KEYS)
def test_a_date_is_no_value_of_any_key(key, when):
    lines = said(written(key, when))
    assert set(keys_of(lines)) == {key}
    assert "is a date or time" in lines[1]


@pytest.mark.parametrize(("key", "value"), WRONG_TYPE.items())
def test_a_value_of_the_wrong_type_is_said_with_its_key(key, value):
    lines = said(written(key, value))
    assert set(keys_of(lines)) == {key}
    assert all(line.endswith(f"; it may be {KEYS[key]}") for line in lines[1:])


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in WRONG_VALUE.items() for value in values]
)
def test_a_value_out_of_range_is_said_with_its_key(key, value):
    lines = said(written(key, value))
    assert {k.split(" (")[0] for k in keys_of(lines)} == {key}
    told = "" if key in ("primary", "measures") else f"; it may be {KEYS[key]}"
    assert all(line.endswith(told) and ("it may be" in line) == bool(told) for line in lines[1:])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("precision", "0"),
        ("precision", "15"),
        ("resampling.resamples", "100000"),
        ("resampling.seed", "9223372036854775807"),
        ("ranking.min_accuracy", "1"),
        ("ranking.min_coverage", "0"),
        ("ranking.min_right", "2147483647"),
        ("ranking.digits", "1"),
        ("ranking.digits", "10"),
    ],
)
def test_the_ends_of_a_range_are_in_it(key, value):
    table, _, inner = key.rpartition(".")
    task = parse(written(key, value), "t")
    assert getattr(getattr(task, table) if table else task, inner) == int(value)


def test_choice_needs_labels_and_classes_are_among_them():
    assert keys_of(said(f'{TITLE}answers = "choice"\n')) == ["labels"]
    text = f'{TITLE}labels = ["A"]\n[run]\nclasses = {{ A = "a", B = "b" }}\n'
    assert keys_of(said(text)) == ["run.classes"]


def test_one_mistake_is_not_said_again_by_what_follows_from_it():
    assert keys_of(said(f'{TITLE}answers = "choice"\nlabels = "A"\n')) == ["labels"]
    assert keys_of(said(f"{TITLE}[gold]\nid = [1]\n")) == ["gold.id"]


def test_a_long_value_is_shown_in_part():
    (line,) = said(f'{TITLE}confidence = "{"x" * 5000}"\n')[1:]
    assert len(line) < 200


# --- hostile TOML


@pytest.mark.parametrize(
    "text",
    [
        "title",
        "title = ",
        'title = "T',
        'title = "T"\ntitle = "U"\n',
        f"{TITLE}[gold]\n[gold]\n",
        f"{TITLE}gold.id = 'a'\n[gold]\nid = 'b'\n",
        f"{TITLE}precision = {'9' * 5000}\n",
        f"{TITLE}precision = 0x{'f' * 5000}\n",
        f"{TITLE}labels = {'[' * 5000}{']' * 5000}\n",
        f"{TITLE}labels = {'[' * 100}{']' * 100}\n",
        f"{TITLE}x = {'{ a = ' * 3000}1{'}' * 3000}\n",
        f"{TITLE}run.classes.{'.'.join('a' * 3000)} = 1\n",
        'title = "a\0b"\n',
        r'title = "\ud800"' + "\n",
        "\ufeff\ufefftitle = 'T'\n",
        "\0",
    ],
)
def test_what_is_no_toml_is_a_mistake(text):
    assert said(text)[0].startswith("task.toml")


@given(text=st.text())
def test_any_text_is_a_task_or_a_mistake(text):
    with suppress(Mistake):
        assert parse(text, "t").title


TREES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(
    top=st.dictionaries(st.sampled_from([k for k in KEYS if "." not in k]), TREES),
    tables=st.dictionaries(st.sampled_from([k for k in KEYS if "." in k]), TREES, max_size=6),
)
def test_any_document_is_a_task_or_a_mistake(top, tables):
    document = {"title": "T", **top}
    for key, value in tables.items():
        table, _, inner = key.partition(".")
        if isinstance(document.setdefault(table, {}), dict):
            document[table][inner] = value
    with suppress(Mistake):
        assert declared(document, "t", "it").slug == "t"


def test_a_slug_is_not_a_key():
    assert keys_of(said(f'{TITLE}slug = "other"\n')) == ["slug"]


# --- files and folders


def folder(tmp_path, toml, gold=b"id,answer\nq1,a\n", name="demo"):
    (tmp_path / name).mkdir()
    (tmp_path / name / "task.toml").write_bytes(toml)
    if gold is not None:
        (tmp_path / name / "gold.csv").write_bytes(gold)
    return tmp_path / name


@pytest.mark.parametrize("toml", [b"\xef\xbb\xbftitle = 'T'\n", b"title = 'T'\r\n", b"title='T'"])
def test_a_folder_is_loaded(tmp_path, toml):
    task, text, gold = load(folder(tmp_path, toml))
    assert (task.slug, task.title) == ("demo", "T")
    assert parse(text, "demo") == task
    assert gold.ids == ("q1",)


@pytest.mark.parametrize(
    ("toml", "line", "byte"),
    [(b"title = 'T'\n# \xe9\n", 2, "0xE9"), ("title = 'T'".encode("utf-16"), 1, "0xFF")],
)
def test_a_task_file_that_is_not_utf8_names_the_line(tmp_path, toml, line, byte):
    with pytest.raises(Mistake, match=rf"task\.toml:{line}: byte {byte}"):
        config(folder(tmp_path, toml))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(Mistake, match=r"gold\.csv cannot be read"):
        load(folder(tmp_path, b"title = 'T'\n", gold=None))
    with pytest.raises(Mistake, match=r"task\.toml cannot be read"):
        load(tmp_path / "nowhere")
    with pytest.raises(Mistake, match="cannot be read"):
        contents(tmp_path)


@pytest.mark.parametrize("name", ["a", "0", "digits", "a-b", "2026-qa", "x" * 60])
def test_a_folder_name_that_can_stand_in_an_address_is_the_slug(tmp_path, name):
    assert slug_of(tmp_path / name) == name


@pytest.mark.parametrize(
    "name",
    ["A", "a_b", "-a", "a-", "a.b", "ü", "１", "a b", "a\n", "x" * 61, *sorted(RESERVED)],
)
def test_a_folder_name_that_cannot_is_a_mistake(tmp_path, name):
    with pytest.raises(Mistake, match="becomes the task's address") as raised:
        slug_of(tmp_path / name)
    assert raised.value.mend.startswith("for example '")
    better = raised.value.mend.removeprefix("for example '").removesuffix("'")
    assert slug_of(tmp_path / better) == better


def test_the_slug_of_a_relative_path_is_the_folder_s_own_name(tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    assert slug_of(type(tmp_path)(".")) == "inner"


# --- what an update may change


def leaves(noun, prefix=""):
    for field in fields(noun):
        value = getattr(noun, field.name)
        if is_dataclass(value):
            yield from leaves(value, f"{prefix}{field.name}.")
        else:
            yield f"{prefix}{field.name}"


PHASE = Phase("a", datetime(2031, 5, 1, tzinfo=UTC), datetime(2031, 6, 1, tzinfo=UTC))
FREE = {
    "phases",
    "waived",
    "slug",
    "title",
    "description",
    "run.names",
    "ranking.rule",
    "ranking.min_accuracy",
    "ranking.min_right",
    "ranking.min_coverage",
    "ranking.digits",
    "judging.rule",  # judgements are resolved again, into another gold version
    "judging.chair",
}


def test_every_field_is_fixed_rescoring_or_free_and_only_one_of_them():
    kinds = [*_FIXED, *_SCORES, *FREE]
    assert sorted(kinds) == sorted(leaves(Task("t", "T")))


CHANGED = {
    "slug": "u",
    "title": "U",
    "description": "D",
    "primary": "brier",
    "measures": ("nll",),
    "confidence": "percent",
    "answers": "normalised",
    "labels": ("A",),
    "tolerance": "1",
    "abstain": ("?",),
    "reject": "oos",
    "missing": "worst",
    "precision": 3,
    "gold.file": "g.tsv",
    "gold.id": ("no",),
    "gold.answer": "label",
    "gold.separator": ";",
    "gold.subsets": (Dimension("kind"),),
    "gold.cluster": "c",
    "gold.split": "s",
    "gold.status": "state",
    "run.id": ("no",),
    "run.answer": "label",
    "run.confidence": "p",
    "run.classes": {"A": "a"},
    "run.lower": "q05",
    "run.upper": "q95",
    "run.format": "csv",
    "run.event": "A",
    "run.sources": {"a": ("b",)},
    "run.names": "[Team]-[1-4]",
    "kind": "interval",
    "interval.level": 0.5,
    "resampling.resamples": 7,
    "resampling.seed": 7,
    "ranking.rule": "best",
    "ranking.min_accuracy": 0.5,
    "ranking.min_right": 7,
    "ranking.min_coverage": 0.5,
    "ranking.digits": 7,
    "phases": (PHASE,),
    "waived": ("missing-id",),
    "judging.unit": "run",
    "judging.right": ("yes",),
    "judging.wrong": ("no",),
    "judging.bad": "odd",
    "judging.rule": "agreed",
    "judging.chair": "A",
}


@pytest.mark.parametrize("key", list(leaves(Task("t", "T"))))
def test_a_change_of_one_key_is_that_change(key):
    old = Task("t", "T")
    table, _, inner = key.rpartition(".")
    if table:
        new = replace(old, **{table: replace(getattr(old, table), **{inner: CHANGED[key]})})
    else:
        new = replace(old, **{inner: CHANGED[key]})
    found = change(old, new)
    assert found.keys == (key,)
    assert (bool(found.fixed), bool(found.rescoring)) == (key in _FIXED, key in _SCORES)
    assert change(new, new) == Change((), (), ())


@pytest.mark.parametrize(
    ("was", "now", "fixed"),
    [
        ({"a": ("b",)}, {"a": ("b", "c")}, False),
        ({"a": ("b",)}, {"a": ("b",), "d": ("e",)}, False),
        ({"a": ("b",)}, {"d": (), "a": ("b",)}, False),
        ({"a": ("b",)}, {"a": ()}, True),
        ({"a": ("b",)}, {"a": (), "b": ()}, True),  # it means another run
        ({"a": ("b",)}, {"b": ("a",)}, True),
        ({"a": (), "b": ()}, {"a": ("c",)}, True),
        ({"a": ()}, {}, True),
        ({}, {"a": ()}, True),  # until then any could be cited
    ],
)
def test_runs_that_may_be_cited_may_be_added(was, now, fixed):
    old, new = (Task("t", "T", run=replace(Task("t", "T").run, sources=s)) for s in (was, now))
    found = change(old, new)
    assert found.keys == ("run.sources",)
    assert found.fixed == (("run.sources",) if fixed else ())


def test_a_different_spelling_is_no_change():
    before = parse(f'{TITLE}measures = ["hmr@2"]\n', "t")
    after = parse(f'# new\n{TITLE}measures = ["hmr@2.0"]\n[gold]\nid = ["id"]\n', "t")
    assert change(before, after).keys == ()


# --- what a newcomer stumbles over


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("labels = [“a”]", 'a text needs straight double quotes: "like this"'),
        ('title = "T”', 'a text needs straight double quotes: "like this"'),
        ("answers = choice", 'a text needs straight double quotes: "like this"'),
        ('measures = ["hmr", ece@10]', 'a text needs straight double quotes: "like this"'),
        ("tolerance = .5", "a number needs a digit before the point: 0.5"),
        ("tolerance = 5.", "a number needs a digit after the point: 1.0"),
        ("tolerance = 0,5", "write a point in a decimal, not a comma: 0.5"),
        ("precision = True", "true and false are written in small letters"),
        ('answers: "exact"', "write = between a key and its value"),
        ('answers = "exact', "a quote is closed on its line"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_syntax_error_shows_its_line_and_how_it_is_written(line, hint, end):
    first, shown, mend = said(f"# é{end}{line}{end}missing = 'worst'{end}")
    assert first.startswith("task.toml is not valid TOML: ")
    assert (shown, mend) == (f"  2: {line}", f"  {hint}")


def test_a_syntax_error_without_a_common_cause_shows_its_line_alone():
    assert said(f"{TITLE}[gold\n")[1:] == ["  2: [gold"]
    assert said(f"{TITLE}description = '''\n")[1:] == []
    (shown,) = said(f"{TITLE}{'a ' * 500}= 1\n")[1:]
    assert len(shown) < 120


def test_a_measure_that_is_wrong_in_two_places_is_said_once():
    text = f'{TITLE}primary = "hrm"\nmeasures = ["hrm", "brier"]\n'
    assert said(text) == [
        "task.toml of 'demo': 1 mistake",
        "  measures (and primary): there is no measure 'hrm': did you mean 'hmr'?",
    ]
    two = said(f'{TITLE}primary = "hrm"\nmeasures = ["aucor"]\n')
    assert keys_of(two) == ["primary", "measures"]


def test_the_number_of_columns_is_told_in_its_right_number():
    lines = said(f'{TITLE}[gold]\nid = ["a", "b"]\n[run]\nid = "a"\n')
    assert lines[1].startswith("  run.id: has 1 column, gold.id has 2;")


DEFAULTS = {
    "primary": '; default "hmr"',
    "measures": 'default ["r_o", "r_u", "ece@10", "bias", "auroc", "ks", "nll", "confidence"]',
    "confidence": '"probability" (0 to 1, the default)',
    "answers": '"exact" (default)',
    "tolerance": "; default 0",
    "missing": '"reject" (default)',
    "precision": "; default no rounding",
    "gold.file": '; default "gold.csv"',
    "gold.id": '; default "id"',
    "gold.answer": '; default "answer"',
    "run.id": "; default gold.id",
    "run.answer": '; default "answer"',
    "run.confidence": '; default "confidence"',
    "run.lower": '; default "lower"',
    "run.upper": '; default "upper"',
    "kind": '"answers" (default)',
    "interval.level": "; default 0.9",
    "judging": "a table",
    "judging.right": '; default ["right"]',
    "judging.wrong": '; default ["wrong"]',
    "judging.bad": '; default "bad question"',
    "resampling.resamples": "; default 1000",
    "resampling.seed": "; default 1",
    "ranking.rule": '"all" (every run, the default)',
    "ranking.min_accuracy": "; default 0",
    "ranking.min_right": "; default 1",
    "ranking.min_coverage": "; default 1",
    "ranking.digits": "; default 3",
}


@pytest.mark.parametrize("key", [key for key in KEYS if key not in (*TABLES, "title")])
def test_every_key_says_its_default(key):
    """The defaults themselves are held by ``test_a_title_is_enough``."""
    assert DEFAULTS.get(key, "default") in KEYS[key]
    assert "; needed" in KEYS["title"]
