"""What a board's page draws and says beside its numbers."""

from dataclasses import replace

import pytest
from crowd import crowd
from reading import BOARD, cells, files, having, parse, rows, text
from sites import NARROW, NOON, exams

from grader.board import visible
from grader.model import Bin, Snapshot
from grader.site import render, sheets
from grader.site.analyses import reference_rows
from grader.site.boards import board
from grader.site.sparks import spark


@pytest.fixture(scope="module")
def site():
    return files()


@pytest.fixture(scope="module")
def page(site):
    return parse(site[BOARD])


def row(page, slug):
    return next(r for r in rows(page) if r.get("id") == f"run-{slug}")


def test_the_board_comes_before_what_else_the_task_is(site):
    body = site[BOARD].decode()
    order = ["<h1>", "facts line", 'class="rule"', 'class="stands"', "switcher", "controls"]
    order += ["<table", "</table>", 'id="subsets"', 'id="about"', 'id="gold"']
    at = [body.index(word) for word in order]
    assert at == sorted(at)


def test_above_the_board_stands_what_it_stands_on(page):
    told = having(page, "dl", "stands")[0]
    assert [(text(d.find("dt")), text(d.find("dd"))) for d in told.findall("div")] == [
        ("Gold", "version 2"),
        ("As of", "2026-03-01 12:00:00 UTC"),
        ("Signature", "hmr|version:1|answers:exact|scale:probability|gold:v2:9f"),
    ]


def test_a_strip_has_its_value_and_interval_on_the_axis_of_its_column(page):
    head = having(page, "th", "primary")[0]
    assert [text(end) for end in having(head, "span", "ends")[0]] == ["0", "1"]
    narrow = next(r for r in rows(page) if text(r[-1]).startswith(str(NARROW)))
    cell = cells(narrow)[0]
    value = float(cell.get("data-key"))
    # Of 100 units 2 stay free at each end.
    low, at, high = (round(2 + 96 * x) for x in (0.061, value, 0.988))
    assert cell.find(".//{*}path").get("d") == f"M{at} 0V8M{low} 4H{high}"
    wide = cells(row(page, "run-4"))[0]
    at = round(2 + 96 * float(wide.get("data-key")))
    assert wide.find(".//{*}path").get("d") == f"M{at} 0V8"
    dash = next(c for c in cells(row(page, "run-7")) if "undefined" in c.get("class"))
    assert dash.find(".//{*}svg") is None


def test_a_calibration_error_stands_beside_its_floor_from_zero():
    snapshot = visible(crowd(3), "public")
    page = parse(dict(render(snapshot))["crowd/index.html"])
    ece = list(snapshot.tasks[0].task.keys).index("ece@10")
    for each in rows(page):
        entry = next(e for e in snapshot.tasks[0].entries if f"run-{e.slug}" == each.get("id"))
        made = next(s for s in entry.graded.scores if s.measure == "ece@10")
        noise, _ = cells(each)[ece].findall(".//{*}path")
        ends = having(having(page, "th", "num")[ece], "span", "ends")[0]
        low, high = (float(text(end)) for end in ends)
        assert low == 0
        assert noise.get("d") == f"M2 4H{2 + 96 * round(made.floor_95, 3) / high:.0f}"


def test_reference_rows_have_axes_of_their_own():
    (contest,) = sheets.contests(visible(Snapshot((exams(),), exams().gold.registered), "public"))
    made, table = reference_rows(contest.now), board(contest.now)
    assert [one.axis for one in made.columns] != [one.axis for one in table.columns]
    for one in made.columns:
        assert list(map(bool, one.strips.value)) == list(map(bool, one.cells.sorts))


def test_a_small_diagram_shows_the_bins_that_may_be_told(page):
    run = next(e for e in exams().entries if e.slug == "run-5")
    bins = [b for b in run.graded.reliability if b.n]
    cell = having(row(page, "run-5"), "td", "spark")[0]
    points = having(cell, "path", "dots")[0].get("d")
    assert points.count("M") == len(bins) - 2  # one is of two instances, and the next smallest
    about = text(cell.find(".//{*}desc"))
    assert about.partition(": ")[2].count(" at ") == len(bins) - 2
    assert cell.find(".//{*}title").text == (
        f"Accuracy is below confidence in {int(cell.get('data-key')) * (len(bins) - 2) / 100:.0f} "
        f"of {len(bins) - 2} bins"
    )
    assert spark([Bin(2, 0.5, None), Bin(0, 0.0, 0.0)], 3) is None


def test_marks_of_a_row_are_chips_with_their_reasons(page):
    def chips(slug):
        return {text(e): e.get("title") for e in having(row(page, slug), "span", "flag")}

    assert chips("run-6") == {"leave-out": "scored on 150 of 200 instances"}
    assert chips("run-7") == {"convention": "nothing is wrong: R_O is 1 by convention"}
    assert set(chips("run-3")) == {"amended", "primary"}


def test_a_rank_has_its_interval_and_the_line_above_it_a_sign():
    snapshot = visible(crowd(4, compared=True), "public")
    found = rows(parse(dict(render(snapshot))["crowd/index.html"]))
    ranges = [text(having(r, "small", "may")[0]) for r in found]
    assert ranges == ["1–2", "1–3", "2–4", "3–4"]
    assert not having(found[0], "span", "against")
    for each in found[1:]:
        said = text(having(each, "span", "against")[0])
        # A difference of .010 ± .012 is none.
        assert said.startswith("≈ cannot be told from the row above: less it -0.010")


def test_bounds_of_what_is_not_judged_yet_stand_last_and_draw_nothing():
    made = exams()
    entry = made.entries[3]
    waiting = {"least": 0.25, "most": 0.5, "not judged": 7}
    scores = tuple(
        s._replace(value=None, note="7 answers are not judged yet", details=waiting)
        if (s.measure, s.subset) == ("hmr", "all")
        else s
        for s in entry.graded.scores
    )
    entry = replace(entry, graded=replace(entry.graded, scores=scores, analysed=None))
    snapshot = Snapshot((replace(made, entries=(entry, *made.entries[:3])),), NOON)
    page = parse(files(snapshot)[BOARD])
    cell = cells(next(r for r in rows(page, 1) if r.get("id") == "run-run-4"))[0]
    assert text(cell) == "0.250 to 0.500†"
    assert cell.get("data-key") == ""
    assert cell.find(".//{*}svg") is None
