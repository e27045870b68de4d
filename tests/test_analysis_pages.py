"""What pages say of a run's analysis, and what a board shows beside its ranked rows."""

from dataclasses import replace

import pytest
from reading import BOARD, cells, files, having, parse, rows, text
from sites import NARROW, NOON, exams

from grader.analysis.references import TITLES, pareto
from grader.board import FEW, rank, score, visible
from grader.model import Scope, Snapshot
from grader.model.analysis import Flagged
from grader.site import render


@pytest.fixture(scope="module")
def pages():
    return {path: parse(body) for path, body in files().items() if path.endswith(".html")}


def of(slug):
    return next(e for e in exams().entries if e.slug == slug)


def lines(table):
    return [[text(cell) for cell in row] for row in table.findall("tbody/tr")]


def figure(page, name):
    return next(e for e in page.iter("figure") if e.get("id") == f"picture-{name}")


def under(page, heading):
    """The first table after the heading with this id that is none of a picture."""
    seen = False
    for e in page.iter():
        seen = seen or e.get("id") == heading
        if seen and e.tag == "table" and e.get("class") != "numbers":
            return e
    raise AssertionError(heading)


def test_a_run_page_says_which_way_the_run_errs(pages):
    found = of("run-3").graded.analysis.verdict
    said = " ".join(text(having(pages["exams/run-3.html"], "p", "verdict")[0]).split())
    assert f"R_O {found.r_o:.3f}, R_U {found.r_u:.3f}" in said
    assert f"95% interval {found.low:.3f} to {found.high:.3f}" in said
    assert "It trusts its right answers more than it doubts its wrong ones: R_O" in said
    bias = score(of("run-3"), "bias")
    assert f"overconfident: mean confidence less accuracy is {bias.value:.3f}. It" in said
    certain = " ".join(text(having(pages["exams/run-7.html"], "p", "verdict")[0]).split())
    assert "no interval: 200 right and 0 wrong answers" in certain
    assert "nothing is wrong: R_O is 1 by convention" in certain


def with_score(slug, key, **changes):
    """The page of a run one of whose scores on all instances is changed."""
    entry = of(slug)
    scores = tuple(
        s._replace(**changes) if (s.measure, s.subset) == (key, "all") else s
        for s in entry.graded.scores
    )
    made = replace(entry, graded=replace(entry.graded, scores=scores))
    whole = Snapshot((replace(exams(), entries=(made,)),), NOON)
    return parse(files(whole)[f"exams/{slug}.html"])


def test_the_first_numbers_of_a_run_stand_with_their_intervals():
    facts = having(with_score("run-3", "hmr", value=0.5, low=0.41, high=0.62), "dl", "figures")
    first = next(e for e in facts[0].iter() if e.tag == "dd")
    assert text(first).split() == ["0.500", "0.410–0.620"]


@pytest.mark.parametrize(
    ("value", "low", "high", "says"),
    [
        (
            0.083,
            0.05,
            0.12,
            (
                "is overconfident: mean confidence less accuracy is 0.083, 95% "
                "interval 0.050 to 0.120."
            ),
        ),
        (
            -0.083,
            -0.12,
            -0.05,
            (
                "is underconfident: mean confidence less accuracy is -0.083, 95% "
                "interval -0.120 to -0.050."
            ),
        ),
        (0.083, -0.01, 0.12, "is neither surely over- nor surely underconfident: mean"),
        (0.0004, 0.0001, 0.0007, "is neither over- nor underconfident: mean"),
    ],
)
def test_a_run_page_says_by_bias_whether_a_run_is_overconfident(value, low, high, says):
    page = with_score("run-3", "bias", value=value, low=low, high=high)
    said = " ".join(text(having(page, "p", "verdict")[0]).split())
    assert f"On the whole this run {says}" in said


def test_the_ladder_shows_each_error_its_floor_and_what_that_means(pages):
    found = of("run-3").graded.analysis.ladder
    shown = lines(under(pages["exams/run-3.html"], "ladder"))
    assert [row[1:4] for row in shown] == [
        [f"{r.value:.3f}", f"{r.mean:.3f}", f"{r.q95:.3f}"] for r in found
    ]
    for rung, row in zip(found, shown, strict=True):
        assert row[4].startswith("above" if rung.above else "not distinguishable")
    drawn = figure(pages["exams/run-3.html"], "ladder")
    assert len(having(drawn, "circle", "point")) == sum(r.above for r in found)
    assert len(having(drawn, "circle", "open")) == sum(not r.above for r in found)


def test_the_curve_has_a_dot_for_each_public_point(pages):
    results = visible(Snapshot((exams(),), NOON), "public").tasks[0]
    for entry in results.entries[:6]:
        found = entry.graded.analysis.selective
        dots = having(figure(pages[f"exams/{entry.slug}.html"], "coverage"), "circle", "dot")
        assert (
            len(dots) == len(found.points) < len(of(entry.slug).graded.analysis.selective.points)
        )
        assert all(p.kept >= FEW for p in found.points)
        beside = having(pages[f"exams/{entry.slug}.html"], "div", "abreast")[0]
        assert [row[0] for row in lines(having(beside, "table", "ladder")[0])] == [
            "80%",
            "90%",
            "95%",
            "99%",
        ]
        # A threshold between those that are shown may keep more: no page says that there is none.
        assert f"the {len(found.points)} thresholds that are shown" in text(beside)
        assert "at no threshold" not in text(beside)


def test_a_run_whose_whole_curve_is_shown_says_so_of_thresholds_that_there_are_none():
    results = visible(Snapshot((exams(),), NOON), "organisers").tasks[0]
    entry = next(e for e in results.entries if e.slug == "run-3")
    page = parse(dict(render(Snapshot((results,), NOON)))[f"exams/{entry.slug}.html"])
    missed = [reach.percent for reach in entry.graded.analysis.selective.reaches if not reach.at]
    rows = lines(having(having(page, "div", "abreast")[0], "table", "ladder")[0])
    assert [row[0] for row in rows if row[-1] == "at no threshold"] == [f"{p}%" for p in missed]
    assert missed
    assert "thresholds that are shown" not in text(page)


def test_the_pairs_of_subsets_stand_in_a_matrix(pages):
    found = of("run-4").graded.analysis.poolings
    page = pages["exams/run-4.html"]
    tables = having(page, "table", "pairs")
    assert len(tables) == len(found) == 2
    law = next(c for c in found[0].crosses if (c.right, c.wrong) == ("Law", "Medicine"))
    assert lines(tables[0])[0][2].split() == [
        f"{law.auroc:.3f}",
        f"{100 * law.pairs / found[0].pairs:.1f}%",
    ]


def test_recalibration_is_marked_as_analysis(pages):
    page = pages["exams/run-3.html"]
    assert "analysis, not ranked" in [text(e) for e in having(page, "span", "flag")]
    found = of("run-3").graded.analysis.recalibration
    shown = lines(under(page, "recalibration"))
    assert shown[0] == ["as submitted", *map(printed, found.before)]
    assert shown[1][1:] == [*map(printed, found.after[0].readings)]
    noise = {r.measure: r.floor_95 for r in found.before}
    assert noise["hmr"] is None
    assert 0 < noise["ece@10"] < 0.17


def printed(reading):
    """A reading as its cell has it: a calibration error with its floor."""
    if reading.floor_95 is None:
        return f"{reading.value:.3f}"
    where = "floor" if reading.value > reading.floor_95 else "within floor"
    return f"{reading.value:.3f} {where} {reading.floor_95:.3f}"


def test_reference_rows_stand_on_the_run_page_and_on_the_board(pages):
    shown = lines(under(pages["exams/run-4.html"], "comparison"))
    assert [row[0] for row in shown] == ["this run", *TITLES.values()]
    run = of("run-4")
    assert shown[0][1:3] == [f"{score(run, k).value:.3f}" for k in ("hmr", "accuracy")]
    body = having(pages[BOARD], "tbody", "compared")[0]
    leader = rank(exams()).ranked[0].entry
    assert leader.name in text(having(pages[BOARD], "details", "compared")[0])
    assert [text(r.find("th")) for r in body.findall("tr")] == [*TITLES.values()]
    assert not having(pages["exams/subset/exam.law.html"], "tbody", "compared")


def test_the_front_is_marked_and_listed(pages):
    ranked = rank(exams()).ranked
    points = [
        tuple(round(score(row.entry, key).value, 3) for key in ("accuracy", "hmr"))
        for row in ranked
    ]
    kept = [r.entry.name for r, on in zip(ranked, pareto(points), strict=True) if on]
    marked = [text(r.find("th/div/a")) for r in rows(pages[BOARD]) if having(r, "span", "front")]
    assert marked == kept
    assert 0 < len(kept) < len(ranked)
    listed = next(p for p in having(pages[BOARD], "p", "key") if "front" in text(p))
    assert [text(a.findall("bdi")[1]) for a in listed.iter("a")] == kept


def test_the_board_shows_the_interval_of_the_primary_only(pages):
    row = next(r for r in rows(pages[BOARD]) if text(r[-1]).startswith(str(NARROW)))
    assert [text(s) for s in having(row, "small", "span")] == ["0.061–0.988"]
    assert cells(row)[0].get("data-key") == text(cells(row)[0]).removesuffix(" 0.061–0.988")


def test_a_run_page_shows_every_interval_or_why_there_is_none(pages):
    wide = having(pages["exams/run-6.html"], "table", "profile")[0]
    assert len(having(wide, "small", "span")) >= 9
    narrow = having(pages["exams/run-4.html"], "table", "profile")[0]
    assert not having(narrow, "small", "span")
    told = [td.get("title") for td in narrow.iter("td") if td.get("title")]
    assert "no interval: noise explains it" in told
    (legend,) = having(pages["exams/run-4.html"], "div", "legend")
    assert "noise explains it" in "".join(legend.itertext())


def test_what_lies_outside_the_task_has_a_table():
    results = exams()
    entry = results.entries[3]
    rows_ = (Flagged(0.1, 3, 2), Flagged(0.5, 40, 30))
    made = replace(
        entry.graded.analysis, scope=Scope("<oos>", "confidence", 200, 50, 0.875, rows_)
    )
    changed = replace(entry, graded=replace(entry.graded, analysed=made))
    page = parse(
        files(Snapshot((replace(results, entries=(changed,)),), NOON))["exams/run-4.html"]
    )
    assert lines(under(page, "scope")) == [
        ["0.1", "3", "too few more to be shown"],
        ["0.5", "40", "30", "60.0%", "75.0%"],
    ]
    assert "<oos>" in text(page)
    assert "AUROC of 0.875" in text(page)


def test_a_run_that_was_not_analysed_has_a_page_all_the_same():
    results = exams()
    bare = tuple(replace(e, graded=replace(e.graded, analysed=None)) for e in results.entries)
    made = files(Snapshot((replace(results, entries=bare),), NOON))
    assert not having(parse(made["exams/run-3.html"]), "p", "verdict")
    assert not having(parse(made[BOARD]), "tbody", "compared")


def test_an_analysis_stands_without_pictures_while_answers_wait_for_judges():
    entry = of("run-3")
    scores = (
        entry.graded.scores[0]._replace(details={"not judged": 1.0}),
        *entry.graded.scores[1:],
    )
    waits = replace(entry, graded=replace(entry.graded, scores=scores))
    assert waits.graded.waits
    page = parse(files(Snapshot((replace(exams(), entries=(waits,)),), NOON))["exams/run-3.html"])
    assert not [e for e in page.iter("figure") if "auroc" in e.get("id", "")]
    assert "Pooled" in text(page.find(".//section[@class='dimension']"))
