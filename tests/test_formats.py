"""Bytes in, records out, each with the physical line that it starts on."""

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import formats
from grader.formats import FORMATS, read, unfit
from grader.model import NotText, Problem, Raw, Task


def records(text):
    payload = text.encode() if isinstance(text, str) else text
    return list(read(payload))


def told(text):
    """Line, field, code and message of each problem of a file."""
    found = [r for r in records(text) if isinstance(r, Problem)]
    return [(p.line, p.field, p.code, p.message) for p in found]


def rows(text):
    found = records(text)
    assert all(isinstance(r, Raw) for r in found), found
    return [(r.line, tuple(r.fields.values())) for r in found]


def test_each_format_says_what_it_is():
    assert [f.key for f in FORMATS] == [
        *("ac", "shroom", "forecasts", "flat", "jsonl", "tsv", "csv"),
    ]
    assert [f.key for f in FORMATS if f.table] == ["jsonl", "tsv", "csv"]
    assert all(re.fullmatch(r"[A-Z].+\.", f.about) for f in FORMATS)


def test_lines_have_a_limit_blank_ones_too(monkeypatch):
    monkeypatch.setattr(formats, "LINES", 100)
    for end in ("\n", "\r", "\r\n"):
        for text in (f"id,answer,confidence{end}1,a,1", '{"id": "1", "answer": "a"}', "<1>a;1"):
            within = formats.read_run((text + end * 99).encode(), Task("t", "T"))
            assert "too-many-rows" not in [p.code for p in within.problems]
            above = formats.read_run((text + end * 101).encode(), Task("t", "T"))
            assert [(p.code, p.message, p.stops) for p in above.problems] == [
                ("too-many-rows", "more than 100 lines", True)
            ]


class TestLines:
    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_a_field_of_several_lines_moves_the_next_record(self, end):
        text = end.join(["id,a", 'x,"1', '2"', "", 'y,"3', "", '4"', "z,5", ""])
        assert rows(text) == [
            (2, ("x", f"1{end}2")),
            (5, ("y", f"3{end}{end}4")),
            (8, ("z", "5")),
        ]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
    def test_blank_lines_count_and_are_passed_over(self, end):
        assert rows(end.join(["", "id,a", "", "x,1", "", ""])) == [(4, ("x", "1"))]
        two = end.join(["", '{"a": "1"}', " ", '{"a": "2"}', ""])
        assert rows(two) == [(2, ("1",)), (4, ("2",))]

    @pytest.mark.parametrize("delimiter", [",", "\t"])
    def test_a_line_whose_fields_are_all_blank_is_a_blank_line(self, delimiter):
        text = ",,\nid,a,b\n,,\nx,1,2\n , ,\n,,,,,\n,\n'',,\n".replace(",", delimiter)
        text = text.replace("''", '""')
        assert rows(text + f"y{delimiter}{delimiter}\n") == [
            (4, ("x", "1", "2")),
            (9, ("y", "", "")),
        ]

    def test_a_line_break_within_a_field_ends_no_record(self):
        assert rows("id,a\nx,1\u2028\x0b\x0c\x1c\x85é\n") == [
            (2, ("x", "1\u2028\x0b\x0c\x1c\x85é"))
        ]

    def test_the_header_may_stand_late_and_have_spaces(self):
        (record,) = records("\n\n id , a b \nx,1\n")
        assert (record.line, dict(record.fields)) == (4, {"id": "x", "a b": "1"})

    @pytest.mark.parametrize("delimiter", [",", "\t"])
    def test_a_line_with_another_number_of_fields_is_told_and_the_rest_read(self, delimiter):
        text = "id,a,b\nx,1,2\ny,1\nz\nu,1,2,3\nv,1,2\n".replace(",", delimiter)
        assert [r.line for r in records(text) if isinstance(r, Raw)] == [2, 6]
        assert told(text) == [
            (3, None, "column-count", "2 fields, the header has 3"),
            (4, None, "column-count", "1 field, the header has 3"),
            (5, None, "column-count", "4 fields, the header has 3"),
        ]


class TestQuotes:
    CLOSED = "a quote opened here is never closed, or text follows a closing quote"

    @pytest.mark.parametrize(
        ("text", "line", "field"),
        [
            ('id,a,b\nx,"1,2\n', 2, "a"),
            ('id,a,b\nx,"1"2,3\n', 2, "a"),
            ('id,a,b\n"x"y,1,2\n', 2, "id"),
            ('id,a,b\nx,1,"2"3\n', 2, "b"),
            ('id,a,b\nx,"1\n2","3\n4"5\n', 2, "b"),
            ('id,a,b\n\nx,"1\r\n2",3\r\ny,"4""5",6"7\r\nz,"8""\r\n', 6, "a"),
            ('id,a,b\nx,1,2\ny,1,2,"3\n', 3, None),
            ('id,"a\nx,1\n', 1, None),
            ('id,a\nx,"1\r\n2\n3"\ny,"4\n', 5, "a"),
        ],
    )
    def test_the_line_and_field_where_a_quote_goes_wrong(self, text, line, field):
        assert told(text) == [(line, field, "bad-quoting", self.CLOSED)]

    @pytest.mark.parametrize("field", ["x" * 140_000, "x\n" * 70_000])
    def test_a_field_too_long_is_called_so(self, field):
        said = "a field is longer than 131,072 characters"
        assert told(f'id,a,b\nx,1,2\ny,"{field}",2\n') == [(3, "a", "bad-quoting", said)]

    def test_many_quotes_take_no_long_time(self):
        text = "id,a\nx," + '"a""' * 30_000
        assert [p[:3] for p in told(text)] == [(2, "a", "bad-quoting")]


class TestHeaders:
    def test_a_column_named_twice_stops(self):
        assert told("id,a,a \nx,1,2\n") == [
            (1, None, "duplicate-column", "column 'a' stands twice")
        ]

    def test_columns_without_names_may_be_several(self):
        assert rows("id,,\nx,1,2\n")[0][0] == 2

    def test_a_nul_in_a_name_stops(self):
        said = "a column's name holds a NUL character"
        assert told("id,a\0\nx,1\n") == [(1, None, "bad-character", said)]

    def test_tabs_are_chosen_by_the_first_line(self):
        assert rows("id\ta, b\nx\t1,5\n") == [(2, ("x", "1,5"))]
        assert rows('id,"a\tb"\nx,1\n') == [(2, ("x", "1"))]


class TestJson:
    @pytest.mark.parametrize(
        ("value", "field"),
        [
            ('"x"', "x"),
            ("1.0", "1.0"),
            ("-0", "-0"),
            ("1E400", "1E400"),
            ("9" * 5000, "9" * 5000),
            ("true", "true"),
            ("false", "false"),
            ("null", NotText("null")),
            ('{"a": 1}', NotText("object")),
            ("[]", NotText("list")),
            ('["x", 1, true]', NotText("list", ("x", "1", "true"))),
            ('["x", null, ["y"], {}]', NotText("mixed list", ("x",))),
            ('"\\u00e9"', "é"),
            ('"\\ud83d\\ude42"', "🙂"),
        ],
    )
    def test_values_are_text_as_spelled(self, value, field):
        assert rows(f'{{"a": {value}}}\n') == [(1, (field,))]

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ('{"a": NaN}', "NaN is not a JSON number"),
            ('{"a": -Infinity}', "-Infinity is not a JSON number"),
            ('{"a": 1} x', "Extra data at character 10"),
            ('"a"', "not an object; write one object a line"),
            ("[1]", "not an object; write one object a line"),
            ("{'a': 1}", "Expecting property name enclosed in double quotes at character 2"),
            ('{"a": "x\ty"}', "Invalid control character at at character 9"),
        ],
    )
    def test_a_line_that_is_no_object_says_why_and_the_next_is_read(self, line, said):
        text = f'{{"a": "1"}}\n{line}\n{{"a": "2"}}\n'
        assert told(text) == [(2, None, "bad-json", said)]
        assert [r.line for r in records(text) if isinstance(r, Raw)] == [1, 3]

    @pytest.mark.parametrize("value", ['"\\ud800"', '["\\ud800"]'])
    def test_half_a_character_is_refused(self, value):
        said = "the field holds half a character (a lone surrogate)"
        assert told(f'{{"a": {value}}}\n') == [(1, "a", "bad-character", said)]
        assert told(f'{{"\\ud800": {value}}}\n')[0][1] == "?"

    def test_keys_are_trimmed_before_they_are_compared(self):
        said = "the key 'a' is given twice"
        assert told('{" a": 1, "a ": 2}\n') == [(1, "a", "duplicate-key", said)]
        assert told('{"a": {"b": 1, "b": 2}}\n') == []

    @pytest.mark.parametrize("depth", [50, 300, 450, 900, 5000, 200_000])
    @pytest.mark.parametrize("opened", ["[", '{"b":'])
    def test_deep_nesting_is_no_text_or_refused(self, depth, opened):
        deep = opened * depth + "1" + ("]" if opened == "[" else "}") * depth
        (found,) = records(f'{{"a": {deep}}}\n')
        if isinstance(found, Problem):
            assert (found.line, found.code) == (1, "bad-json")
            assert found.message == "nested too deeply"
        else:
            assert found.fields["a"].kind in ("list", "mixed list", "object")

    @given(
        st.lists(
            st.dictionaries(st.sampled_from("abc"), st.text(max_size=9), min_size=1), min_size=1
        ),
        st.booleans(),
    )
    def test_what_is_written_is_read(self, wanted, escaped):
        lines = [json.dumps(r, ensure_ascii=escaped) for r in wanted]
        if any(map(unfit, ("".join(r.values()) for r in wanted))):
            return
        found = records("\n".join(lines))
        assert [(r.line, dict(r.fields)) for r in found] == list(enumerate(wanted, 1))


fields = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=9)


@given(
    wanted=st.lists(st.tuples(fields, fields), max_size=6),
    delimiter=st.sampled_from(",\t"),
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
)
def test_a_table_that_is_written_is_read_with_its_lines(wanted, delimiter, end, mark):
    held = io.StringIO(newline="")
    writer = csv.writer(held, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    lines = []
    for row in [("id", "a"), *wanted]:
        lines.append(1 + len(re.findall(r"\r\n|\r|\n", held.getvalue())))
        writer.writerow(row)
    found = records(mark + held.getvalue().encode())
    assert [(r.line, tuple(r.fields.values())) for r in found] == [
        (line, row) for line, row in zip(lines[1:], wanted, strict=True) if "".join(row).strip()
    ]


@given(st.binary(max_size=400))
def test_any_bytes_are_records_or_problems(payload):
    found = records(payload)
    assert all(isinstance(r, Raw | Problem) for r in found)
    assert [r.stops for r in found[:-1] if isinstance(r, Problem)].count(True) == 0


class TestText:
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    @pytest.mark.parametrize(
        ("before", "line"),
        [(b"", 1), (b"id\n", 2), (b"id\r\nx\ry\n", 4), (b"\xc3\xa9\n" * 9, 10)],
    )
    def test_a_byte_that_is_not_utf_8_is_named_with_its_line(self, mark, before, line):
        said = "byte 0xFC is not UTF-8: save the file as UTF-8"
        assert told(mark + before + b"\xfcber\n") == [(line, None, "not-utf8", said)]

    @pytest.mark.parametrize(
        "payload", [b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"a\xc3"]
    )
    def test_bytes_that_only_resemble_utf_8_are_refused(self, payload):
        assert [p[2] for p in told(b"id\n" + payload)] == ["not-utf8"]
