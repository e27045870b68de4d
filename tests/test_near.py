"""Files near to right ones: written by a format, then changed here and there.

None may end in anything but a run or problems, and a run that is accepted says what another
reading of the same text says. GRADER_EXAMPLES sets how many are tried for each format.
"""

import csv
import io
import json
import os
import re
import tracemalloc
from fractions import Fraction

import pytest
from grading import task_of
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from grader.check import check, records
from grader.errors import Mistake
from grader.formats import FORMATS, gathered
from grader.formats.ac import nuggets
from grader.model import Gold, Problem, Raw, Rejected, Run, Sheet

EXAMPLES = int(os.environ.get("GRADER_EXAMPLES", "50"))
IDS = ("q1", "q2", "7", "D8", 'a"b')
LEAVE = 'missing = "leave-out"\n'
TWO = LEAVE + 'labels = ["yes", "no"]\n'
TOML = {
    **dict.fromkeys(("csv", "tsv", "jsonl"), LEAVE),
    **dict.fromkeys(("shroom", "flat", "forecasts"), TWO),
    "ac": LEAVE + 'confidence = "percent"\n',
}
FORMAT = {f.key: f for f in FORMATS}
GOLD = Gold(IDS, (("yes",),) * len(IDS))


def task_for(key, *, named=True):
    return task_of(TOML[key] + (f'[run]\nformat = "{key}"\n' if named else ""))


def outcome(text, task):
    return check(records(text.encode("utf-8", "replace"), task, GOLD), task, GOLD)


# --- right files

free = st.text(st.sampled_from(list("yn o;,\"\t'<>/:{}[]\\éx\n\r\u2028")), min_size=1, max_size=8)
words = st.one_of(st.sampled_from(["yes", "no", "I don't know; sorry", 'so "called"']), free)
decimals = st.integers(0, 1000).map(lambda n: f"{n // 1000}.{n % 1000:03d}")


@st.composite
def right(draw, key):
    """Records that a format may hold."""
    binary = key in ("shroom", "flat", "forecasts")
    rows = []
    for name in draw(st.lists(st.sampled_from(IDS), unique=True, min_size=1)):
        answer = draw(st.sampled_from(["yes", "no"]) if binary else words.filter(str.strip))
        sure = draw(decimals)
        if key in ("flat", "forecasts"):  # the answer is the likelier label, of equal ones yes
            sure = max(sure, f"{1 - float(sure):.3f}")
            answer = "yes" if sure == "0.500" else answer
        if key == "ac":
            sure = str(float(Fraction(sure) * 100))
        fields = {"id": name, "answer": answer, "confidence": sure}
        rows.append(Raw(len(rows), fields, refuses=key == "ac" and draw(st.booleans())))
    return rows


def written(key, rows):
    try:
        return FORMAT[key].write(task_for(key), rows)
    except Mistake:
        assume(False)  # noqa: FBT003, hypothesis's own


def near_to(key):
    return settings(
        max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck)
    ), right(key)


@pytest.mark.parametrize("key", FORMAT)
def test_what_a_format_writes_it_reads(key):
    how, rows_of = near_to(key)

    @how
    @given(rows_of)
    def law(rows):
        found = outcome(written(key, rows), task_for(key))
        assert isinstance(found, Run), found
        said = {raw.fields["id"]: raw for raw in rows}
        for i, name in enumerate(IDS):
            raw = said.get(name)
            assert found.answers[i] == (raw and raw.fields["answer"])
            if raw is not None:
                scale = 100 if key == "ac" else 1
                sure = Fraction(raw.fields["confidence"]) / scale
                assert found.confidence[i] == pytest.approx(float(sure), abs=1e-15)
            if key == "ac":
                refused = bool(found.refused.size and found.refused[i])
                assert refused == bool(raw and raw.refuses)

    law()


@pytest.mark.parametrize("key", FORMAT)
def test_an_unnamed_format_is_recognised(key):
    rows = [
        Raw(i, {"id": name, "answer": "yes", "confidence": "0.75"})
        for i, name in enumerate(("q1", "q2"))
    ]
    text = FORMAT[key].write(task_for(key), rows)
    assert isinstance(outcome(text, task_for(key, named=False)), Run)
    for other in sorted(set(FORMAT) - {key, *(["jsonl"] if key == "flat" else [])}):
        (problem,) = outcome(text, task_for(other)).problems
        assert (problem.code, problem.line) == ("wrong-format", 1)
        two = task_for(other).labels  # without two labels nothing is taken for a flat object
        name = FORMAT["jsonl" if key == "flat" and not two else key].name
        assert problem.message.startswith(f"the file looks like {name}, and the task takes ")


@pytest.mark.parametrize(
    ("key", "fields", "said"),
    [
        ("ac", {"answer": "a\nb"}, "cannot stand on one line"),
        ("ac", {"confidence": "1;2"}, "cannot stand on one line"),
        ("ac", {"id": "a>b"}, "cannot be a tag"),
        ("flat", {"confidence": "0.25"}, "is not the likelier label"),
        ("forecasts", {"answer": "no", "confidence": "0.5"}, "is not the likelier label"),
        ("shroom", {"answer": "maybe"}, "is not one of the two labels"),
        ("flat", {"confidence": "sure"}, "is no number"),
        ("csv", {"answer": "a\0b"}, "holds what no file may hold"),
        ("jsonl", {"answer": "a\0b"}, "holds what no file may hold"),
        ("ac", {"answer": "a\0b"}, "holds what no file may hold"),
    ],
)
def test_what_a_format_cannot_carry_is_not_written(key, fields, said):
    raw = Raw(1, {"id": "q1", "answer": "yes", "confidence": "0.75", **fields})
    with pytest.raises(Mistake, match=said):
        FORMAT[key].write(task_for(key), [raw])


# --- other readings of the same texts: id → (answer, confidence as a fraction, refusal)


def by_csv(text, delimiter):
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows = [row for row in rows if any(map(str.strip, row))]
    header = [name.strip() for name in rows[0]]
    assert all(len(row) == len(header) for row in rows)
    found = [dict(zip(header, row, strict=True)) for row in rows[1:]]
    if "confidence" not in header:  # a changed header may still name classes
        return None
    return [(r["id"], r["answer"], Fraction(r["confidence"]), False) for r in found]


def once(pairs):
    assert len({key.strip() for key, _ in pairs}) == len(pairs)
    return {key.strip(): value for key, value in pairs}


def loads(text):
    return json.loads(text, parse_float=str, parse_int=str)


def by_jsonl(text):
    if text.lstrip().startswith("["):
        items = json.loads(text, object_pairs_hook=once, parse_float=str, parse_int=str)
    else:
        lines = [line for line in re.split(r"\r\n|\r|\n", text) if line.strip()]
        items = [
            json.loads(x, object_pairs_hook=once, parse_float=str, parse_int=str) for x in lines
        ]
    if any("p" in i or any(k.startswith("p:") for k in i) for i in items):
        return None
    said = {True: "true", False: "false"}
    return [
        (i["id"], said.get(i["answer"], i["answer"]), Fraction(i["confidence"]), False)
        for i in items
    ]


def by_ac(text):
    found, block = [], None
    for line in re.split(r"\r\n|\r|\n", text):
        if line.lstrip().startswith("</") and line.rstrip().endswith(">"):
            found.append(block)
            block = None
        elif (stripped := line.lstrip()).startswith("<") and ">" in line and stripped[1] != ">":
            assert block is None
            tag, _, rest = stripped[1:].partition(">")
            block = [tag.strip(), [rest] if rest.strip() else []]
        elif line.strip():
            block[1].append(line)
    assert block is None
    said = []
    for tag, lines in found:
        answer, _, sure = lines[0].rpartition(";")
        said.append((tag, answer, Fraction(sure) / 100, len(lines) == 1))
    return said


def likelier(p):
    p = Fraction(p)
    return ("yes", p) if p >= Fraction(1, 2) else ("no", 1 - p)


def by_shroom(text):
    found = []
    for item in json.loads(text, object_pairs_hook=once, parse_float=str, parse_int=str):
        (key,) = (k for k in item if k.startswith("p(") and k.endswith(")"))
        p = Fraction(item[key])
        sure = p if item["label"] == key[2:-1] else 1 - p
        found.append((item["id"], item["label"], sure, False))
    return found


def by_flat(text):
    pairs = json.loads(text, object_pairs_hook=list, parse_float=str, parse_int=str)
    return [(name, *likelier(p), False) for name, p in pairs]


def by_forecasts(text):
    items = json.loads(text, object_pairs_hook=once, parse_float=str, parse_int=str)["forecasts"]
    return [(i["id"], *likelier(i["forecast"]), False) for i in items]


OTHER = {
    "csv": lambda text: by_csv(text, ","),
    "tsv": lambda text: by_csv(text, "\t"),
    "jsonl": by_jsonl,
    "ac": by_ac,
    "shroom": by_shroom,
    "flat": by_flat,
    "forecasts": by_forecasts,
}


def spelt(name):
    """An id as AC files spell it: 007, D7 and D007 are 7, and 8 is D8."""
    name = name.strip()
    plain = re.fullmatch(r"D?0*([0-9]+)", name)
    return {"7": "7", "8": "D8"}.get(plain[1], name) if plain else name


def same(run, rows, key):
    ids = [spelt(r[0]) if key == "ac" else r[0].strip() for r in rows]
    assert sorted(ids) == sorted({*ids} & {*IDS})
    said = dict(zip(ids, rows, strict=True))
    for i, name in enumerate(IDS):
        if name not in said:
            assert run.answers[i] is None
            continue
        _, answer, sure, refused = said[name]
        assert run.answers[i] == answer
        assert run.confidence[i] == float(min(max(sure, Fraction(0)), Fraction(1)))
        assert bool(run.refused.size and run.refused[i]) == refused


# --- changes

pieces = st.sampled_from(
    [
        *(";", "<", ">", "/", '"', '""', ",", "\t", "\n", "\r\n", "\r", "{", "}", "[", "]", ":"),
        *("0", "1", "9", ".", "-", "e5", "e-3", " ", "\0", "\\", "\\u0041", "\\ud800", "\ufeff"),
        *("null", "true", "NaN", "q1", "q2", "D", "7", "8", "yes", "no", "id", '"id": "q1", '),
        *(
            "</",
            "<q1>",
            "</q1>",
            "1;r;1;t\n",
            "p(yes)",
            "p(no)",
            '"p": {"yes": 1}, ',
            "é",
            "\u2028",
        ),
        *("forecasts", '"forecasts": [], ', '"q1": 0.5, ', "1.0000000000000002", "%", "\n\n"),
    ]
)


@st.composite
def near(draw, key):
    """A right file changed in up to three places: pieces put in, taken out, or lines moved."""
    text = written(key, draw(right(key)))
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.sampled_from(["in", "out", "over", "twice", "away", "swap"]))
        at = draw(st.integers(0, len(text)))
        n = draw(st.integers(1, 4))
        lines = text.splitlines(keepends=True)
        place = draw(st.integers(0, max(0, len(lines) - 1)))
        if kind in ("in", "over"):
            text = text[:at] + draw(pieces) + text[at + (n if kind == "over" else 0) :]
        elif kind == "out":
            text = text[:at] + text[at + n :]
        elif lines:
            other = draw(st.integers(0, len(lines) - 1))
            if kind == "swap":
                lines[place], lines[other] = lines[other], lines[place]
            else:
                lines[place : place + 1] = [lines[place]] * 2 if kind == "twice" else []
            text = "".join(lines)
    return text


@pytest.mark.parametrize("key", FORMAT)
def test_a_nearly_right_file_is_refused_or_says_what_another_reading_says(key):
    how, _ = near_to(key)

    @how
    @given(near(key))
    def law(text):
        found = outcome(text, task_for(key))
        if isinstance(found, Rejected):
            assert found.problems
            last = 1 + len(re.findall(r"\r\n|\r|\n", text))
            assert all(p.line is None or 1 <= p.line <= last for p in found.problems)
        else:
            rows = OTHER[key](text.removeprefix("\ufeff"))
            if rows is not None:
                same(found, rows, key)
        free_of_names = outcome(text, task_for(key, named=False))
        assert isinstance(free_of_names, Run | Rejected)

    law()


@pytest.mark.parametrize("key", FORMAT)
def test_a_file_of_far_too_many_records_fills_no_memory(key):
    one = [Raw(1, {"id": "q1", "answer": "yes", "confidence": "0.75"})]
    text = FORMAT[key].write(task_for(key), one)
    inner = {"flat": r'"q1": 0.75', "shroom": r"\{.*\}", "forecasts": r'\{"id[^}]*\}'}
    if key in inner:
        item = re.search(inner[key], text)[0]
        text = text.replace(item, ", ".join([item] * 10**5))
    else:
        head, tail = text.split("\n", 1) if key in ("csv", "tsv") else ("", text)
        text = f"{head}\n{tail * 10**5}"
    payload = text.encode()
    tracemalloc.start()
    found = check(records(payload, task_for(key), GOLD), task_for(key), GOLD)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.problems[-1].code == "too-many-rows"
    assert len(found.problems) < 4000
    assert peak < 4 * len(payload) + 2**23


def test_nuggets_are_read_with_the_tags_of_their_blocks():
    text = "<D1>a;5\n 1 ;run; 02 ;so; it is\n</D1>\n<D2>\nb;5\n</D2>\n<D3>c;5\n3;x;4;y\n</D3>\n"
    found = [(tag, n.line, n.number, n.run, n.rank, n.text) for tag, n in nuggets(text)]
    assert found == [("D1", 2, 1, "run", 2, "so; it is"), ("D3", 8, 3, "x", 4, "y")]


def test_gathering_keeps_what_was_said():
    problem = Problem("bad-json", "x", 2)
    sheet = gathered([Raw(1, {"a": "1"}), problem, Raw(3, {"b": "2"}, refuses=True)])
    assert isinstance(sheet, Sheet)
    assert (sheet.lines, sheet.problems, sheet.refusals) == ([1, 3], (problem,), {1})
    assert {k: list(v) for k, v in sheet.columns.items()} == {"a": ["1", None], "b": [None, "2"]}
