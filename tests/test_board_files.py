"""A board as files for papers and programs, the feed of a task, and its board for a frame."""

import csv
import io
import json
import math
import re
from dataclasses import replace
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from crawling import broken
from pybtex.database import parse_string
from pylatexenc.latex2text import LatexNodes2Text
from reading import having, parse, text
from sites import LONG, NOON, SCRIPT, exams, snapshot
from sites import entry as made_entry
from test_phase_pages import (
    CLOSES,
    COMING,
    DAY,
    DRY,
    NOW,
    OPENS,
    REVEAL,
    formal,
    results,
    secret,
    shown,
)

from grader.board import phased, rank, visible
from grader.board.values import rounded, shown_columns, shown_each
from grader.model import Snapshot
from grader.site import render
from grader.tabular import columns
from grader.tabular.columns import Series
from grader.tabular.parquet import parquet

ATOM = "{http://www.w3.org/2005/Atom}"
NUMBERS = ("value", "low", "high", "floor_mean", "floor_95")
FORMULA = "=HYPERLINK(0)"


@pytest.fixture(scope="module")
def files():
    whole, plain = snapshot().tasks
    first, *rest = whole.entries
    whole = replace(whole, entries=(replace(first, team=FORMULA), *rest))
    return dict(render(visible(Snapshot((whole, plain), NOON), "public")))


@pytest.fixture(scope="module")
def board():
    return json.loads(shown_now()["exams/board.json"])


def shown_now():
    return dict(render(visible(snapshot(), "public")))


def test_csv_and_json_say_the_same_and_pandas_reads_both(files):
    told = json.loads(files["exams/board.json"])
    table = pd.read_csv(
        io.BytesIO(files["exams/board.csv"]), dtype=str, keep_default_na=False, na_values=[]
    )
    assert list(table.columns) == list(told["scores"][0])
    assert len(table) == len(told["scores"]) == 9 * (12 + 6)  # a run: measures, and subsets
    for row, want in zip(table.to_dict("records"), told["scores"], strict=True):
        for key, value in want.items():
            got = row[key]
            if value is None:
                assert got == "", key
            elif isinstance(value, (int, float)):
                assert math.isclose(float(got), value), key
            else:
                assert got in (value, f"'{value}"), key


def test_no_cell_of_csv_is_a_formula(files):
    table = pd.read_csv(io.BytesIO(files["exams/board.csv"]), dtype=str, keep_default_na=False)
    assert f"'{FORMULA}" in set(table["team"])
    texts = [c for c in table.columns if c not in NUMBERS]
    assert not any(table[c].str.startswith(("=", "+", "-", "@", "\t", "\r")).any() for c in texts)
    assert FORMULA in {run["team"] for run in json.loads(files["exams/board.json"])["runs"]}


def test_values_are_those_of_the_board_and_have_its_decimals(board):
    """Each against the snapshot, rounded by hand."""
    (whole, _) = visible(snapshot(), "public").tasks
    assert board["digits"] == 3
    assert [run["run"] for run in board["runs"]] == [r.entry.slug for r in rank(whole).rows]
    known = {
        (entry.slug, s.measure, s.subset): s
        for entry in whole.entries
        for s in (entry.graded.scores if entry.graded else ())
    }
    subset = {row.entry.slug: row.rank for row in rank(whole, "exam=Law").rows}
    for row in board["scores"]:
        score = known[row["run"], row["measure"], row["subset"]]
        want = None if score.value is None else round(score.value, 3)
        assert row["value"] == want
        assert row["n"] == score.n
        if row["subset"] == "exam=Law":
            assert row["rank"] == subset[row["run"]]
    assert {row["subset"] for row in board["scores"]} >= {"all", "exam=Law", "script=東京"}
    withdrawn = next(run for run in board["runs"] if run["run"] == "run-10")
    assert withdrawn["unranked"].startswith("withdrawn")
    assert withdrawn["signature"] is None  # it has the digest of the file
    assert "run-10" not in {row["run"] for row in board["scores"]}


def test_latex_has_a_row_for_each_scored_run_and_its_text_is_the_name(files):
    source = files["exams/board.tex"].decode()
    body = source.split(r"\midrule")[1].split(r"\bottomrule")[0]
    assert len(re.findall(r"\\\\$", body, flags=re.MULTILINE)) == 9
    assert r"\toprule" in source
    body = body.replace(r"\textless{}", "<").replace(r"\textgreater{}", ">")  # unknown to it
    plain = LatexNodes2Text().latex_to_text(body)
    for name in ("Tom & Jerry <3", "{{ 7*7 }}{% raw %}", "東京", LONG):
        assert name in plain


def test_bibtex_reads_the_task_back(files):
    (entry,) = parse_string(files["exams/task.bib"].decode(), "bibtex").entries.values()
    assert entry.key == "exams"
    assert entry.fields["year"] == "2026"
    title = LatexNodes2Text().latex_to_text(entry.fields["title"])
    assert title.startswith("Exam questions")
    assert "9f" * 32 in entry.fields["note"]
    (other,) = parse_string(files["plain/task.bib"].decode(), "bibtex").entries.values()
    assert "year" not in other.fields


def test_hidden_scores_leave_in_no_file():
    hidden = shown(results(formal(visible="none"), entries=(secret(),)))
    assert not [path for path in hidden if path.startswith("exams/board.")]
    assert {"exams/task.bib", "exams/feed.xml", "exams/embed.html"} <= set(hidden)
    page = text(parse(hidden["exams/embed.html"]))
    assert "The scores of this phase are hidden" in page
    assert "board.csv" not in hidden["exams/index.html"].decode()


KINDS = ("csv", "json", "tex", "parquet")


def of_phase(files, slug):
    """The files of a phase, by their kind."""
    names = {kind: f"exams/phase/{slug}/board.{kind}" for kind in KINDS}
    return {kind: files[name] for kind, name in names.items() if name in files}


def test_files_of_a_phase_stay_when_the_next_one_opens():
    pytest.importorskip("pyarrow", reason="Parquet is for who has the extra parquet")
    of = results(DRY, formal(), COMING, entries=(secret(), secret("")))
    before, then, last = (shown(of, at) for at in (OPENS - DAY, NOW, COMING.opens))
    for slug in ("dry-run", "formal", "before"):
        assert list(of_phase(before, slug)) == list(KINDS)
        assert of_phase(before, slug) == of_phase(then, slug)
    assert of_phase(last, "later") == {}  # no run is in
    for files, slug in ((before, "dry-run"), (then, "formal")):
        beside = {kind: files[f"exams/board.{kind}"] for kind in KINDS}
        assert beside == of_phase(files, slug)
    table = pd.read_csv(io.BytesIO(of_phase(last, "dry-run")["csv"]), keep_default_na=False)
    assert set(table["phase"]) == {"Dry run"}
    assert set(table["run"]) == {e.slug for e in exams().entries if e.graded} - {"run-10"}
    first = table[(table["measure"] == "hmr") & (table["subset"] == "all")]
    rows = [row for row in parse(last["exams/phase/dry-run.html"]).iter("tr") if row.get("id")]
    ranks = {row.get("id").removeprefix("run-"): row.find("td").get("data-key") for row in rows}
    assert "1" in ranks.values()
    assert {ranks[run] == rank for run, rank in zip(first["run"], first["rank"], strict=True)} == {
        True
    }


def test_each_phase_links_its_files_and_the_task_the_newest_that_are_seen():
    of = results(DRY, formal(visible="none", reveal=REVEAL), COMING, entries=(secret(),))
    files = shown(of)
    assert not of_phase(files, "formal")
    assert files["exams/board.json"] == of_phase(files, "dry-run")["json"]
    (line,) = having(parse(files["exams/index.html"]), "p", "files")
    assert text(line).startswith("The board of Dry run as CSV, JSON, LaTeX")
    assert line.findall("a")[0].get("href") == "board.csv"
    assert "phase/dry-run.html#files" in [a.get("href") for a in line.iter("a")]
    (own,) = having(parse(files["exams/phase/dry-run.html"]), "p", "files")
    assert own.find("a").get("href") == "../phase/dry-run/board.csv"
    assert not having(parse(files["exams/phase/formal.html"]), "p", "files")
    (line,) = having(parse(shown(of, REVEAL)["exams/index.html"]), "p", "files")
    assert text(line).startswith("This board as CSV")
    assert broken(files) == []


@pytest.mark.parametrize("digits", [1, 2])
def test_no_number_of_a_file_has_more_decimals_than_its_phase(digits):
    told = json.loads(shown(results(replace(DRY, digits=digits)))["exams/board.json"])
    for row in told["scores"]:
        for name in NUMBERS:
            assert row[name] is None or row[name] == round(row[name], digits)


# --- the feed


def feed(body):
    root = ET.fromstring(body)  # noqa: S314, our own
    return root, root.findall(f"{ATOM}entry")


def test_the_feed_is_atom_with_links_that_lead_somewhere(files):
    """What RFC 4287 asks of a feed and of each entry, read by an XML parser."""
    for slug in ("exams", "plain"):
        root, entries = feed(files[f"{slug}/feed.xml"])
        assert root.tag == f"{ATOM}feed"
        for of in (root, *entries):
            assert [len(of.findall(f"{ATOM}{name}")) for name in ("id", "title", "updated")] == [
                *(1, 1, 1)
            ]
            assert re.fullmatch("urn:uuid:[0-9a-f-]{36}", of.findtext(f"{ATOM}id"))
            assert datetime.fromisoformat(of.findtext(f"{ATOM}updated")) <= NOON
            (link,) = of.findall(f"{ATOM}link")
            assert f"{slug}/{link.get('href')}" in files
        assert root.findtext(f"{ATOM}author/{ATOM}name")
        ids = [of.findtext(f"{ATOM}id") for of in (root, *entries)]
        assert len(set(ids)) == len(ids)
    titles = [one.findtext(f"{ATOM}title") for one in feed(files["exams/feed.xml"])[1]]
    assert {"Gold version 1", "Gold version 2"} <= set(titles)
    assert any(title.startswith("Official results") for title in titles)
    about = [one.findtext(f"{ATOM}summary") for one in feed(files["exams/feed.xml"])[1]]
    assert any(SCRIPT in said for said in about)  # as text: it was escaped


def test_the_feed_tells_what_has_happened_and_keeps_its_ids():
    of = results(DRY, formal(reveal=REVEAL), entries=(secret(),))
    told = []
    for at in (NOW, CLOSES, REVEAL):
        root, entries = feed(shown(of, at)["exams/feed.xml"])
        found = {e.findtext(f"{ATOM}title"): e.findtext(f"{ATOM}id") for e in entries}
        told.append((root.findtext(f"{ATOM}id"), found))
        dates = [e.findtext(f"{ATOM}updated") for e in entries]
        assert dates == sorted(dates, reverse=True)
    (one, first), (two, second), (three, third) = told
    assert one == two == three
    assert set(second) - set(first) == {"Phase Formal closed"}
    assert set(third) - set(second) == {"Scores of phase Formal are public"}
    assert {**third, **first} == third


# --- the board for a frame


def test_the_small_board_has_ranked_runs_and_leads_out_of_its_frame(files):
    body = files["exams/embed.html"]
    page = parse(body)
    assert not list(page.iter("nav")) + list(page.iter("script")) + list(page.iter("base"))
    assert {a.get("target") for a in page.iter("a")} == {"_top"}
    (whole,) = (p for r in visible(snapshot(), "public").tasks[:1] for p in phased(r))
    rows = page.findall(".//tbody/tr")
    assert len(rows) == len(rank(whole).ranked) <= 10
    assert b"script-src" not in body
    assert b"default-src 'none'" in body
    many = replace(exams(), entries=tuple(_many()))
    small = dict(render(visible(Snapshot((many,), NOON), "public")))["exams/embed.html"]
    assert len(parse(small).findall(".//tbody/tr")) == 10
    assert "25 ranked runs, the first 10" in text(parse(small))


def _many():
    graded = exams().entries[0].graded
    return (made_entry(f"run-{i}", f"Team {i}", f"r{i}", graded) for i in range(25))


# --- Parquet


def test_parquet_has_the_rows_of_the_table(files):
    pytest.importorskip("pyarrow", reason="Parquet is for who has the extra parquet")
    table = pd.read_parquet(io.BytesIO(files["exams/board.parquet"]))
    told = json.loads(files["exams/board.json"])["scores"]
    assert list(table.columns) == list(told[0])
    assert [str(table[c].dtype) for c in ("n", "value")] == ["int64", "float64"]
    for row, want in zip(table.to_dict("records"), told, strict=True):
        same = {k: None if pd.isna(row[k]) else row[k] for k in want}
        assert same == want
    assert files["exams/board.parquet"] == shown_again(files)


def shown_again(files):
    whole, plain = snapshot().tasks
    first, *rest = whole.entries
    whole = replace(whole, entries=(replace(first, team=FORMULA), *rest))
    again = dict(render(visible(Snapshot((whole, plain), NOON), "public")))
    return again["exams/board.parquet"]


def test_without_the_library_no_parquet_is_written_or_linked(monkeypatch):
    monkeypatch.setattr("grader.site.exports.able", lambda: False)
    made = shown_now()
    assert "exams/board.parquet" not in made
    page = made["exams/index.html"].decode()
    assert "board.parquet" not in page
    assert 'href="board.csv"' in page


def test_the_same_snapshot_gives_the_same_files():
    one, two = shown_now(), shown_now()
    assert {p: b for p, b in one.items() if "board." in p} == {
        p: b for p, b in two.items() if "board." in p
    }


# --- columns as files

COLUMNS = (
    Series("text", "text", ['a"b', "c,d\ne", "=1", "", "é", 'a"b']),
    Series("n", "integer", [1, None, 3, 0, 2**40, 1]),
    Series("x", "double", [0.5, None, 1e-05, 2.0, 1e16, 0.5]),
)


def test_columns_are_read_back_from_csv_as_they_were_but_for_formulas():
    head, *rows = csv.reader(io.StringIO(columns.csv(COLUMNS), newline=""))
    assert head == ["text", "n", "x"]
    assert [row[0] for row in rows] == ['a"b', "c,d\ne", "'=1", "", "é", 'a"b']
    assert [row[1] for row in rows] == ["1", "", "3", "0", "1099511627776", "1"]
    assert [row[2] for row in rows] == ["0.5", "", "1e-05", "2.0", "1e+16", "0.5"]
    assert columns.csv([Series("text", "text", ())]) == '"text"\n'


def test_columns_are_read_back_from_json_and_parquet():
    rows = zip(*(column.cells for column in COLUMNS), strict=True)
    want = [{"text": text, "n": n, "x": x} for text, n, x in rows]
    assert json.loads(f"[{columns.records(COLUMNS)}]") == want
    read = pytest.importorskip("pyarrow.parquet", reason="Parquet is for who has the extra")
    for known in (want, []):
        made = [Series(c.name, c.kind, c.cells[: len(known)]) for c in COLUMNS]
        table = read.read_table(io.BytesIO(parquet(made)))
        table.validate(full=True)
        assert [str(kind) for kind in table.schema.types] == ["string", "int64", "double"]
        assert table.to_pylist() == known


# --- many numbers at once


@pytest.mark.parametrize("digits", [1, 3, 6, 10])
def test_many_numbers_are_those_that_each_alone_is_printed_as(digits):
    """Against decimals, which are exact: halves of the last digit, large and tiny numbers too."""
    rng = np.random.default_rng(digits)
    halves = np.arange(-999, 1000) / 2 / 10**digits
    eighths = np.arange(-99, 100) / 2**7  # exact in binary, so that halves are true ties
    values = [0.0, -0.0, 1e-300, -1e-9, 123456789.5, 1e14 + 0.25, *halves, *eighths]
    values = [*map(float, values), *rng.uniform(-2, 2, 500).tolist(), None]
    unit = Decimal(1).scaleb(-digits)
    want = [None if v is None else float(Decimal(v).quantize(unit, context=FINE)) for v in values]
    got = rounded(values, digits)
    assert got == want
    near = [v for v in values if v is None or abs(v) <= 1]
    for each in ([values, values[::-1]], [near * 20, near[::-1] * 20]):
        texts, numbers = shown_columns(each, digits)
        assert texts == [shown_each(column, digits) for column in each]
        assert [[None if math.isnan(x) else x for x in row] for row in numbers.tolist()] == [
            rounded(column, digits) for column in each
        ]
    assert not any(
        value == 0 and math.copysign(1, value) < 0 for value in got if value is not None
    )


def test_numbers_without_decimals_and_none_at_all():
    assert rounded([1e16, -1.7976931348623157e308, None], 2) == [1e16, -1.80e308, None]
    assert rounded([], 3) == []
    assert shown_columns([[], []], 3)[0] == [[], []]
    assert shown_columns([[2e16] * 9, [2e16 + 8] * 9], 2)[0] == [["2.00e+16"] * 9] * 2
    assert shown_columns([[1.7976931348623157e308]], 2)[0] == [["1.80e+308"]]


FINE = Context(prec=60, rounding=ROUND_HALF_EVEN)
