"""Scores as tables: nothing lost, nothing that a spreadsheet would run."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader import export
from grader.board import rank, visible
from grader.model import Entry, GoldSummary, Graded, Results, Score, Snapshot, Task

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)
COLUMNS = [
    "task",
    "rank",
    "team",
    "name",
    "run",
    "phase",
    "received",
    "sha256",
    "unranked",
    "subset",
    "measure",
    "n",
    "value",
    "low",
    "high",
    "floor_mean",
    "floor_95",
    "note",
    "signature",
]


def entry(slug, team="A", *scores, name="first", flags=None):
    graded = Graded(scores, (), (), 4, 4, 3, 0) if scores else None
    return Entry(
        slug, team, name, "", "a.csv", 9, "f" * 64, AT, flags or {}, graded, "gold:v1|run:0"
    )


def results(*entries, primary="hmr"):
    task = Task("demo", "Demo", primary=primary)
    return Results(task, GoldSummary(1, "0" * 64, AT, "", 4, 4), entries)


def hmr(value, **keys):
    return Score("hmr", "all", 4, value, **keys)


def rows(text):
    """The table as a reader of CSV sees it, every cell a text."""
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def listed(text):
    """The rows of the JSON."""
    return json.loads(text, parse_constant=pytest.fail)["scores"]


# --- CSV


def test_one_row_for_each_run_subset_and_measure():
    run = entry("run-1", "A", hmr(0.5, note="why"), Score("brier", "kind=x", 2, 0.25, 0.1, 0.4))
    first, second = rows(export.csv(results(run)))
    assert list(first) == COLUMNS
    assert first == {
        "task": "demo",
        "rank": "1",
        "team": "A",
        "name": "first",
        "run": "run-1",
        "phase": "",
        "received": "2026-05-01T12:00:00+00:00",
        "sha256": "f" * 64,
        "unranked": "",
        "subset": "all",
        "measure": "hmr",
        "n": "4",
        "value": "0.5",
        "low": "",
        "high": "",
        "floor_mean": "",
        "floor_95": "",
        "note": "why",
        "signature": "hmr|version:1|gold:v1|run:0",
    }
    assert (second["subset"], second["n"], second["low"], second["high"]) == (
        "kind=x",
        "2",
        "0.1",
        "0.4",
    )


@given(values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_values_keep_every_bit(values):
    entries = [entry(f"r{i}", f"t{i}", Score("x", "all", 1, v)) for i, v in enumerate(values)]
    table = rows(export.csv(results(*entries)))
    back = {row["run"]: float(row["value"]) for row in table}
    told = {row["run"]: row["value"] for row in listed(export.as_json(results(*entries)))}
    for i, v in enumerate(values):
        assert back[f"r{i}"].hex() == v.hex()
        assert float(told[f"r{i}"]).hex() == v.hex()


FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    '=HYPERLINK("x")',
    "=",
    "-",
    "+1,2",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_that_a_spreadsheet_would_run_is_neutralised(text):
    run = entry("run-1", text, hmr(-0.25, note=text), name=text)
    withdrawn = entry("run-2", "B", hmr(0.5), flags={"withdrawn": text})
    table = rows(export.csv(results(run, withdrawn)))
    assert len(table) == 2
    assert {table[0][c] for c in ("team", "name", "note")} == {f"'{text}"}
    assert table[0]["value"] == "-0.25"
    for row in table:
        for column, cell in row.items():
            assert not cell.startswith(("=", "+", "@", "\t", "\r")), column
            assert not cell.startswith("-") or column == "value"


TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)


@given(team=TEXTS, note=TEXTS)
def test_any_text_stays_in_its_cell(team, note):
    table = rows(export.csv(results(entry("run-1", team, hmr(0.5, note=note)))))
    assert len(table) == 1
    marks = ("=", "+", "-", "@", "\t", "\r", "\n")
    for cell, text in ((table[0]["team"], team), (table[0]["note"], note)):
        assert cell == (f"'{text}" if text.startswith(marks) else text)
    assert table[0]["value"] == "0.5"


@pytest.mark.parametrize("team", ["NA", "nan", "null", "None", "007", "1e5", "True", "", "東京"])
def test_a_team_of_any_name_survives(team):
    text = export.csv(results(entry("run-1", team, hmr(0.5))))
    assert rows(text)[0]["team"] == team
    frame = pd.read_csv(io.StringIO(text), dtype={"team": "str"}, keep_default_na=False)
    assert frame["team"].tolist() == [team]
    assert listed(export.as_json(results(entry("run-1", team, hmr(0.5)))))[0]["team"] == team
    assert export.frame(results(entry("run-1", team, hmr(0.5))))["team"].tolist() == [team]


def test_undefined_is_an_empty_cell_with_its_reason():
    (row,) = rows(export.csv(results(entry("run-1", "A", hmr(None, note="nothing is wrong")))))
    assert (row["value"], row["rank"], row["note"]) == ("", "", "nothing is wrong")
    assert row["unranked"] == "HMR is undefined: nothing is wrong"


def test_nought_is_not_undefined():
    ks = Score("ks", "all", 4, 0.0)
    (row,) = rows(export.csv(results(entry("run-1", "A", ks), primary="ks")))
    assert (row["value"], row["rank"]) == ("0.0", "1")


def test_no_runs_are_a_table_with_a_header():
    assert export.csv(results()).count("\n") == 1
    assert list(export.frame(results()).columns) == COLUMNS
    assert listed(export.as_json(results())) == []


# --- order, and what is seen


def test_rows_stand_in_the_order_of_the_board():
    runs = results(
        entry("r1", "C", hmr(0.5)),
        entry("r2", "B", hmr(None)),
        entry("r3", "A", hmr(0.5)),
        entry("r4", "D", hmr(0.9)),
        entry("r5", "E", hmr(0.7), flags={"baseline": ""}),
        entry("r6", "F"),
    )
    board = rank(runs)
    order = [r.entry.slug for r in (*board.ranked, *board.unranked) if r.entry.graded]
    assert order == ["r4", "r3", "r1", "r2", "r5"]
    assert [row["run"] for row in rows(export.csv(runs))] == order
    assert [row["run"] for row in listed(export.as_json(runs))] == order
    assert export.frame(runs)["run"].tolist() == order
    assert [row["rank"] for row in rows(export.csv(runs))] == ["1", "2", "2", "", ""]


def test_what_the_public_may_not_see_is_in_no_export():
    runs = results(entry("r1", "A", hmr(0.123456789), flags={"withdrawn": "x"}), entry("r2", "B"))
    seen = visible(Snapshot((runs,), AT), "public").tasks[0]
    assert rows(export.csv(seen)) == []
    assert listed(export.as_json(seen)) == []


# --- JSON and the frame


def test_json_is_letter_for_letter_and_undefined_is_null():
    team = "=1+1 \"'\t\n東京\u2028<b>"
    run = entry("run-1", team, hmr(None, note="@x"), Score("ks", "all", 4, -0.25, 0.1, None))
    text = export.as_json(results(run))
    first, second = found = listed(text)
    assert [list(row) for row in found] == [COLUMNS] * 2
    assert [row["team"] for row in found] == [team, team]
    assert (first["value"], first["note"], first["rank"]) == (None, "@x", None)
    assert (second["value"], second["low"], second["high"]) == (-0.25, 0.1, None)
    assert (second["n"], second["unranked"]) == (4, "HMR is undefined: @x")
    assert text.endswith("}\n")
    assert "東京" in text


def test_what_no_score_may_be_is_refused_loudly():
    with pytest.raises(ValueError, match="JSON compliant"):
        export.as_json(results(entry("run-1", "A", hmr(float("nan")))))


def test_the_frame_has_types():
    frame = export.frame(results(entry("r1", "A", hmr(None)), entry("r2", "B", hmr(0.5))))
    assert [str(frame[c].dtype) for c in ("rank", "n", "value", "low")] == [
        "Int64",
        "int64",
        "float64",
        "float64",
    ]
    assert frame["rank"].tolist() == [1, pd.NA]
    assert pd.isna(frame["value"]).tolist() == [False, True]


def test_the_csv_says_what_the_frame_says():
    runs = results(entry("r1", "A", hmr(1 / 3), Score("ks", "kind=x", 2, None, note="n")))
    runs = replace(runs, entries=(*runs.entries, entry("r2", "B", hmr(2 / 3))))
    frame = export.frame(runs)
    back = pd.read_csv(
        io.StringIO(export.csv(runs)), keep_default_na=False, na_values={"value": [""]}
    )
    assert back["value"].equals(frame["value"])
    for column in ("task", "team", "run", "subset", "measure", "note", "signature"):
        assert back[column].tolist() == frame[column].tolist()
