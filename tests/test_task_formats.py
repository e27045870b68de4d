"""The formats of real shared tasks, by hand: what is read, and what is said where it is wrong."""

import pytest
from grading import graded, places, refused, task_of

from grader.check import check, records
from grader.errors import Mistake
from grader.model import Gold, Rejected, Run

GOLD = Gold(("1", "2", "3"), (("yes",), ("no",), ("yes",)))
PERCENT = 'confidence = "percent"\nmissing = "leave-out"\n'
TWO = 'labels = ["yes", "no"]\nmissing = "leave-out"\n'


def outcome(text, toml, gold=GOLD):
    task = task_of(toml)
    return check(records(text.encode(), task, gold), task, gold)


def run(text, toml, gold=GOLD):
    found = outcome(text, toml, gold)
    assert isinstance(found, Run), found
    return found


def told(text, toml, gold=GOLD):
    found = outcome(text, toml, gold)
    assert isinstance(found, Rejected), found
    return [(p.line, p.code, p.message) for p in found.problems]


class TestAc:
    BOTH = (
        "<D0001>An answer; with a semicolon;85\n1;TEAM-PG-1;3;a nugget; with semicolons\n"
        "</D0001>\n\n<D0002>\nI don't know;5\n</D0002>\n"
    )

    def test_answers_split_at_the_last_semicolon_on_either_line(self):
        found = run(self.BOTH, PERCENT)
        assert found.answers == ("An answer; with a semicolon", "I don't know", None)
        assert found.confidence.tolist() == [0.85, 0.05, 1]
        assert found.refused.tolist() == [False, True, False]

    def test_a_refusal_is_wrong_and_counted_whatever_it_says(self):
        text = "<1>yes;90\n1;r;1;t\n</1>\n<2>no;90\n</2>\n<3>yes;12.5\n</3>\n"
        gold = "id,answer,subset\n1,yes,a\n2,no,a\n3,yes,a\n"
        found = graded(text, gold, 'confidence = "percent"\n')
        assert (found.n, found.right, found.abstained) == (3, 1, 2)
        assert [n.message for n in found.notices] == ["2 refusals, which count as wrong"]

    def test_a_refusal_need_not_be_a_label(self):
        toml = PERCENT + 'answers = "choice"\nlabels = ["yes", "no"]\n'
        assert run("<1>I pass;9\n</1>\n", toml).answers[0] == "I pass"
        assert [p[:2] for p in told("<1>I pass;9\n1;r;1;t\n</1>\n", toml)] == [(1, "not-a-label")]

    @pytest.mark.parametrize("tag", ["1", "D1", "D0001", "0001", " D1 "])
    def test_a_tag_is_the_id_in_any_padding(self, tag):
        assert run(f"<{tag}>yes;5\n</D01>\n", PERCENT).answers[0] == "yes"

    def test_gold_ids_that_share_a_spelling_match_only_exactly(self):
        gold = Gold(("1", "D1", "D02"), (("a",),) * 3)
        assert run("<D1>x;5\n</D1>\n<1>y;5\n</1>\n<2>z;5\n</2>\n", PERCENT, gold).answers == (
            *("y", "x", "z"),
        )
        assert [p[:2] for p in told("<D01>x;5\n</D01>\n", PERCENT, gold)] == [(1, "unknown-id")]

    @pytest.mark.parametrize(
        ("tag", "gold"),
        [("v1.5", "v1.05"), ("q10-7", "q10-007"), ("2x", "D2x"), ("2-7", "D2-07"), ("a1", "Da1")],
    )
    def test_only_a_number_that_begins_an_id_may_be_padded(self, tag, gold):
        gold = Gold((gold,), (("a",),))
        assert told(f"<{tag}>x;5\n</{tag}>\n", PERCENT, gold)[0][:2] == (1, "unknown-id")

    def test_the_number_may_go_on_as_something_else(self):
        gold = Gold(("D02-007", "0"), (("a",), ("b",)))
        text = "<2-007>x;5\n</2-007>\n<D000>y;5\n</0>\n"
        assert run(text, PERCENT, gold).answers == ("x", "y")

    def test_one_id_in_two_spellings_is_there_twice(self):
        assert told("<1>x;5\n</1>\n<D1>y;5\n</D1>\n", PERCENT) == [
            (3, "duplicate-id", "'1' is already on line 1")
        ]

    @pytest.mark.parametrize(
        ("text", "problems"),
        [
            ("<1>a;5\n1;r;1;t\n", [(1, "bad-block", "<1> has no end tag </1>")]),
            ("<1>a;5\n<2>b;5\n</2>\n", [(1, "bad-block", "<1> has no end tag </1>")]),
            ("<1>a;5\n</2>\n", [(2, "bad-block", "</2> stands where <1> should end")]),
            ("</1>\n<1>a;5\n</1>\n", None),
            ("<1>a;5\n</1>\n</1>\n", [(3, "bad-block", "</1> ends no block")]),
            ("<1>a;5\n</1>\nb;6\n", [(3, "bad-block", "'b;6' stands outside the blocks")]),
            ("<1>\n</1>\n", [(1, "bad-block", "<1> has no answer")]),
            ("<1>\n1;r;1;t\n</1>\n", [(1, "bad-block", "<1> has no answer")]),
            ("<1>an answer\n</1>\n", [(1, "bad-block", "'an answer' is not answer;confidence")]),
            ("<1>a;5\nb\n</1>\n", [(2, "bad-nugget", "'b' is not number;run;rank;text")]),
            ("<1>a;5\n1;r;1; \n</1>\n", [(2, "bad-nugget", "the text is blank")]),
            ("<1>a;5\n1; ;1;t\n</1>\n", [(2, "bad-nugget", "the run is blank")]),
            ("<1>a;5\n1;r;-1;t\n</1>\n", [(2, "bad-nugget", "the rank '-1' is no whole number")]),
            ("<1>a;5\n1;r;1;t\n1;r;2;t\n</1>\n", [(3, "bad-nugget", "nugget 1 is already on")]),
            ("<1>a;101\n</1>\n", [(1, "out-of-range", "101 is not in the range 0 to 100")]),
            ("<1>a;high\n</1>\n", [(1, "not-a-number", "'high' is not a plain decimal")]),
            ("<1> ;5\n</1>\n", [(1, "blank-answer", "the answer is blank")]),
        ],
    )
    def test_what_fits_nothing_is_told_with_its_line(self, text, problems):
        if problems is None:  # it does not begin with a tag: the task must name the format
            toml = PERCENT + '[run]\nformat = "ac"\n'
            assert told(text, toml) == [(1, "bad-block", "</1> ends no block")]
            return
        found = told(text, PERCENT)
        assert len(found) == len(problems)
        for (line, code, message), (at, of, said) in zip(found, problems, strict=True):
            assert (line, code) == (at, of)
            assert message.startswith(said)

    def test_nuggets_may_have_to_cite_known_runs(self):
        toml = PERCENT + '[run.sources]\nTEAM-PG-1 = ["team1"]\nother = []\n'
        text = "<1>a;5\n1;{};1;t\n</1>\n"
        for name in ("TEAM-PG-1", "team1", " other "):
            assert run(text.format(name), toml).answers[0] == "a"
        assert told(text.format("Other"), toml) == [
            (2, "unknown-source", "'Other' is no run that may be cited")
        ]

    def test_an_answer_that_is_a_nugget_stands_on_the_tags_line(self):
        assert run("<1>1;r;1;85\n</1>\n", PERCENT).answers[0] == "1;r;1"

    def test_a_task_of_probabilities_refuses_it_with_the_reason(self):
        ((line, code, message),) = told("<1>a;5\n</1>\n", "")
        assert (line, code) == (1, "wrong-format")
        assert 'must declare confidence = "percent"' in message


class TestShroom:
    def test_the_probability_is_of_the_label_in_parentheses(self):
        text = (
            '[\n{"id": 1, "label": "no", "p(yes)": 0.1},\n {"p(no)": "0.3", "label": "no", '
            '"id": "2"}, {"id": 3, "label": "yes", "p(yes)": 1.0000000000000002, "model": "x"}]'
        )
        found = run(text, TWO)
        assert found.answers == ("no", "no", "yes")
        assert found.confidence.tolist() == [0.9, 0.3, 1]
        assert found.labels == ("yes", "no")
        assert found.probabilities.tolist() == [[0.1, 0.9], [0.7, 0.3], [1, 0]]
        assert [n.message for n in found.notices] == [
            "not read: 'model'",
            "1 confidence within 1e-9 outside the scale was cut",
        ]

    @pytest.mark.parametrize(
        ("items", "problems"),
        [
            ('{"label": "no", "p(yes)": 0.1}', [(1, "missing-column")]),
            ('{"id": 1, "label": "no", "p(yes)": 0.1},\n{"label": "no", "p(yes)": 0}', None),
            ('{"id": 1, "label": "no", "p(yes)": 0.1},\n7', [(2, "bad-json")]),
            ('{"id": 1, "label": "no", "p(yes)": 1.5}', [(1, "out-of-range")]),
            ('{"id": 1, "label": "no", "p(yes)": "x"}', [(1, "not-a-number")]),
            ('{"id": 1, "label": "no", "p(yes)": null}', [(1, "wrong-type")]),
            ('{"id": 1, "label": "maybe", "p(yes)": 0.1}', [(1, "no-probability")]),
            ('{"id": 1, "label": "no", "p(maybe)": 0.1}', [(1, "not-a-label")]),
            ('{"id": 1, "label": "no", "p(yes)": 0, "p(no)": 1}', [(1, "missing-column")]),
            ('{"id": 1, "label": "no", "p(yes)": 0, "p(yes)": 1}', [(1, "duplicate-key")]),
            ('{"id": 1, "label": "no", "p(yes)": 0},\n\n{"id": 2', [(3, "bad-json")]),
            ('{"id": 1, "label": "no", "p(yes)": 0}] x [', [(1, "bad-json")]),
        ],
    )
    def test_what_is_wrong_is_told_with_its_line(self, items, problems):
        found = [p[:2] for p in told(f"[{items}]", TWO)]
        assert found == ([(2, "missing-column")] if problems is None else problems)

    @pytest.mark.parametrize(
        ("beside", "problem"),
        [
            ('"confidence": 0.8', (1, "two-confidences", "confidence 0.8 is not the answer's")),
            ('"answer": "yes"', (1, "duplicate-key", "'answer' is 'yes', and by the other keys")),
            ('"p:yes": 0.2', (1, "duplicate-key", "'p:yes' is '0.2', and by the other keys")),
            ('"p:no": "x"', (1, "duplicate-key", "'p:no' is 'x', and by the other keys it is")),
            ('"p": {"yes": 0.9, "no": 0.1}', (1, "duplicate-key", "'p:yes' is '0.9', and by")),
            ('"p:maybe": 0.1', (1, "bad-sum", "probabilities add up to 1.1")),
        ],
    )
    def test_what_an_item_says_twice_is_the_same(self, beside, problem):
        item = '{"id": 1, "label": "no", "p(yes)": 0.1, %s}'
        ((line, code, message),) = told(f"[{item % beside}]", TWO)
        assert ((line, code), message.startswith(problem[2])) == (problem[:2], True), message
        for right in ('"confidence": 0.9005', '"answer": " no "', '"p": {"no": 0.9, "yes": 0.1}'):
            found = run(f"[{item % right}]", TWO)
            assert (found.answers[0], found.confidence[0]) == ("no", 0.9)


class TestFlat:
    def test_the_likelier_label_answers_and_ties_go_to_the_first(self):
        text = '{"1": 0.7,\n "2": 2e-1, "3": 0.5}'
        found = run(text, TWO)
        assert found.answers == ("yes", "no", "yes")
        assert found.confidence.tolist() == [0.7, 0.8, 0.5]
        other = run(text, TWO + '[run]\nevent = "no"\n')
        assert other.answers == ("no", "yes", "yes")
        assert other.confidence.tolist() == [0.7, 0.8, 0.5]

    def test_percents(self):
        found = run('{"1": 85, "2": 0.5}', TWO + 'confidence = "percent"\n')
        assert (found.answers, found.confidence.tolist()) == (
            ("yes", "no", None),
            [0.85, 0.995, 1],
        )

    def test_a_record_that_begins_with_a_number_is_no_flat_object(self):
        text = '{"confidence": 0.9, "id": "1", "answer": "no"}\n'
        assert run(text, TWO).answers == ("no", None, None)
        assert run('{"p:yes": 0.2, "p:no": 0.8, "id": 1}\n', TWO).answers == ("no", None, None)

    @pytest.mark.parametrize(
        ("text", "problems"),
        [
            ('{"1": 0.7,\n"2": 0.1,\n"1": 0.7}', [(3, "duplicate-id")]),
            ('{"1": 0.7,\n"2": null}', [(2, "wrong-type")]),
            ('{"1": 0.7,\n"9": 0.5}', [(2, "unknown-id")]),
            ('{"1": 0.7,\n" ": 0.5}', [(2, "empty-id")]),
            ('{"1": 0.7,\n"2": -0.5}', [(2, "out-of-range")]),
            ('{"1": 0.7,\n"2": NaN}', [(2, "bad-json")]),
            ('{"1": 0.7,\n2: 0.1}', [(2, "bad-json")]),
            ('{"1": 0.7,\n}', [(2, "bad-json")]),
            ('{"1": 0.7}\n{"2": 0.1}', [(2, "bad-json")]),
        ],
    )
    def test_what_is_wrong_is_told_with_its_line(self, text, problems):
        assert [p[:2] for p in told(text, TWO)] == problems

    def test_named_it_needs_no_number_first(self):
        toml = TWO + '[run]\nformat = "flat"\n'
        assert [p[:2] for p in told('{"1": null,\n"2": 0.1}', toml)] == [(1, "wrong-type")]


class TestForecasts:
    def test_other_keys_are_ignored_with_a_notice(self):
        text = (
            '{"organization": "x", "forecasts": [\n{"id": "1", "forecast": 0.25, "reasoning": ""},'
            '\n{"id": "2",\n"forecast": 1}], "model": {"a": [1]}}'
        )
        found = run(text, TWO)
        assert found.answers == ("no", "yes", None)
        assert found.confidence.tolist() == [0.75, 1, 1]
        assert [n.message for n in found.notices][:2] == [
            "not read: 'reasoning'",
            "not read beside the forecasts: 'organization', 'model'",
        ]
        late = text.replace('"forecast": 1', '"forecast": 2')
        assert [p[:2] for p in told(late, TWO)] == [(3, "out-of-range")]

    def test_what_a_forecast_says_twice_is_the_same(self):
        item = '{"forecasts": [{"id": "1", "forecast": 0.2, %s}]}'
        for beside, code in (
            ('"answer": "yes", "confidence": 0.9', "two-confidences"),
            ('"confidence": 0.2', "two-confidences"),
            ('"confidence": "high"', "not-a-number"),
            ('"answer": "maybe"', "no-probability"),
            ('"p:yes": 0.9', "duplicate-key"),
            ('"p:no": 0.2', "duplicate-key"),
        ):
            assert [p[:2] for p in told(item % beside, TWO)] == [(1, code)], beside
        for beside, answer, sure in (
            ('"confidence": 0.8', "no", 0.8),
            ('"answer": "yes", "confidence": 0.2', "yes", 0.2),
            ('"p:yes": 0.2001', "no", 0.8),
        ):
            found = run(item % beside, TWO)
            assert (found.answers[0], found.confidence[0]) == (answer, sure)

    def test_what_percents_say_twice_may_differ_by_a_tenth(self):
        item = '{"forecasts": [{"id": "1", "forecast": 20, "p:no": %s}]}'
        toml = TWO + 'confidence = "percent"\n'
        assert run(item % 80.1, toml).confidence[0] == 0.8
        assert [p[1] for p in told(item % 80.2, toml)] == ["duplicate-key"]

    def test_forecasts_come_once_with_id_and_forecast(self):
        item = '{"id": "1", "forecast": 0.25}'
        assert [p[:2] for p in told(f'{{"forecasts": [{item}],\n"forecasts": []}}', TWO)] == [
            (2, "duplicate-key")
        ]
        text = f'{{"forecasts": [{item},\n{{"id": "2"}},\n{{"forecast": 1}}]}}'
        assert [p[:2] for p in told(text, TWO)] == [(2, "missing-column"), (3, "missing-column")]


class TestTables:
    def test_class_probabilities_in_an_object(self):
        gold = "id,answer,subset\nq1,yes,a\nq2,no,a\n"
        text = (
            '{"id": "q1", "p": {"yes": 0.7, "no": %s}}\n'
            '{"id": "q2", "p": {"yes": 0.4, "no": 0.6}}\n'
        )
        found = graded(text % "0.3", gold)
        assert (found.n, found.right) == (2, 2)
        mapped = '[run]\nclasses = {yes = "Y", no = "N"}\n'
        assert graded(text % "0.3", gold, mapped).right == 2
        for wrong, code in (("0.2", "bad-sum"), ('"x"', "not-a-number"), ("null", "wrong-type")):
            assert [(p.line, p.code) for p in refused(text % wrong, gold)] == [(1, code)]
        twice = text.replace('"no": %s', '"yes": 0.3')
        assert (1, "p:yes", "duplicate-key") in places(refused(twice, gold))

    def test_items_of_one_line_are_told_apart(self):
        item = '{"id": 1, "answer": "a", "confidence": 1}'
        text = f"[{item}, {item}]"
        assert told(text, 'missing = "leave-out"\n') == [
            (1, "duplicate-id", "'1' is already there, as item 1")
        ]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_any_end_of_line_counts_once_in_an_array(self, end):
        lines = ["[", '{"id": 1, "answer": "a",', '"confidence": 1},', "", '{"id": 9}', "]"]
        found = told(end.join(lines), 'missing = "leave-out"\n')
        assert {p[0] for p in found} == {5}

    def test_what_comes_before_a_field_that_is_too_long_is_told_too(self):
        text = f"id,answer,confidence\n1,yes,9\n2,{'x' * 140_000},1\n"
        assert [p[:2] for p in told(text, "")] == [(2, "out-of-range"), (3, "bad-quoting")]


LONG = 200_000
HOSTILE = {
    "spaces": " " * LONG + "x",
    "semicolons": ";" * LONG,
    "zeros": "0" * LONG + "x",
    "points": "0.0" * (LONG // 3),
    "tags": "<a" * (LONG // 2),
    "quotes": '"a' * (LONG // 2),
    "braces": '{,"p(' * (LONG // 5),
    "backslashes": "\\" * LONG,
    "marks": "a\u0301" * (LONG // 2),
}


@pytest.mark.parametrize("line", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(
    ("toml", "frames"),
    [
        (PERCENT, ["<1>\nyes;85\n{}\n</1>\n", "<1>\n{}\n</1>\n", "<1>yes;85\n</1>\n{}\n"]),
        (PERCENT, ["<{}>yes;85\n</1>\n", "<1>yes;85\n</{}>\n", "<1>yes;{}\n</1>\n"]),
        (TWO, ['[{{"id": "1", "label": "yes", "p(yes)": 1{}', '[{{"id": "{}", "p(yes)": 1}}]']),
        (TWO, ['{{"forecasts": [{}', '{{"forecasts": [{{"id": "{}", "forecast": 1}}]}}']),
        (TWO + '[run]\nformat = "forecasts"\n', ['{{{}"forecasts": []', "{{{}"]),
        (TWO, ['{{"1": 0.5, {}', '{{"{}": 0.5}}']),
        ("", ["id,answer,confidence\n1,yes,{}\n", "id,answer,confidence\n{},yes,1\n"]),
        ("", ["{}", "id\tanswer\tconfidence\n1\tyes\t{}\n"]),
        ("", ['{{"id": "{}"}}', '{{"id": "1", "answer": "a", "confidence": {}}}', "[{}"]),
    ],
    ids=["ac", "ac tags", "shroom", "forecasts", "named", "flat", "csv", "tsv", "json"],
)
def test_a_long_line_is_answered(toml, frames, line):
    """Where reading took quadratic time, this would not end."""
    for frame in frames:
        assert told(frame.format(line), toml)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('[run]\nformat = "ac"\n', 'must declare confidence = "percent"'),
        ('[run]\nformat = "flat"\n', "must declare exactly two"),
        ('labels = ["a", "b", "c"]\n[run]\nformat = "shroom"\n', "must declare exactly two"),
        ('labels = ["a", "b"]\n[run]\nformat = "forecasts"\nid = ["x", "y"]\n', "one id column"),
        ('[run]\nformat = "xlsx"\n', "run.format: is 'xlsx'"),
        ('labels = ["a", "b"]\n[run]\nevent = "c"\n', "run.event: 'c' is not among labels"),
        ('[run.sources]\na = ["b"]\nb = []\n', "run.sources: 'b' stands for two runs"),
        ('[run.sources]\n"a;b" = []\n', "run.sources: names a run that is blank"),
        ('[run]\nnames = "[1-"\n', "run.names: has a bracket without its other"),
    ],
)
def test_a_task_that_cannot_be_read_so_is_refused(toml, said):
    with pytest.raises(Mistake, match="mistake") as e:
        task_of(toml)
    assert said in str(e.value)


def test_records_that_share_a_line_are_told_apart_by_their_ids():
    found = [m for _, _, m in told('{"1": 7, "2": 0.5, "3": -1, "x": 0.5}', TWO)]
    assert [m.split(":")[0] for m in found if "range" in m] == ["'1'", "'3'"]
    assert [m for m in found if m.startswith("'x' is no id of this task")]
    twice = '{"forecasts": [{"id": "1", "forecast": 0.1}, {"id": "1", "forecast": 0.2}]}'
    assert "'1' is already there, as item 1" in [m for _, _, m in told(twice, TWO)]
