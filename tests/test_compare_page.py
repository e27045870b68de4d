"""Runs beside each other, in a browser: what is shown, that names are text, by keyboard alone."""

import csv
import io
import json
from dataclasses import replace
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from browsing import address, quiet, violations, written
from reading import files
from sites import HOSTILE, NOON, entry, exams, judged

from grader.board import rank, visible
from grader.model import (
    Comparison,
    GoldSummary,
    Graded,
    Intervals,
    Pair,
    Phase,
    Results,
    Score,
    Snapshot,
    Task,
    Versus,
)
from grader.site import render

PAGE = "exams/compare.html"


def compared(slugs, told, reasons=None):
    """A comparison in which every pair differs by .1 but for those that are told."""
    pairs = []
    for a, b in combinations(range(len(slugs)), 2):
        found = told.get((slugs[a], slugs[b]), (0.1, 0.05, 0.15, 0.012, ""))
        pairs.append(Pair(a, b, *found))
    none = (None,) * len(slugs)
    empty = ("",) * len(slugs)
    made = Comparison(tuple(pairs), none, 1000, 2.0, (0.5,) * len(slugs), reasons or empty)
    return Versus(tuple(slugs), made, n=150)


def results():
    """The exams with comparisons; in Law run-5 and run-4 stand the other way round."""
    found = exams()
    (seen,) = visible(Snapshot((found,), NOON), "public").tasks
    order = [row.entry.slug for row in rank(seen).ranked]
    at, law = [order.index(slug) for slug in ("run-4", "run-5")], list(order)
    law[at[0]], law[at[1]] = law[at[1]], law[at[0]]
    first, second = sorted(("run-4", "run-5"), key=order.index)
    few = (0.0, None, None, None, "the two differ in too few instances")
    whole = compared(order, {("run-1", "run-2"): few, (first, second): (0.2, -0.1, 0.5, 0.3, "")})
    part = compared(law, {(second, first): (0.25, 0.125, 0.375, 0.0001, "")})
    return replace(found, versus={"all": whole, "exam=Law": part}), (first, second)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return written(files(Snapshot((results()[0],), NOON)), tmp_path_factory.mktemp("compare"))


@pytest.fixture
def shown(page, site):
    def at(runs=None):
        page.goto("about:blank")
        page.goto(address(site, PAGE + ("" if runs is None else f"#runs={runs}")))
        return page

    return at


def grid(page, label):
    """The texts of a table, row by row, without what stands small below a value."""
    return page.evaluate(
        """label => Array.from(document.querySelectorAll(`[aria-label='${label}'] tr`), row =>
             Array.from(row.cells, cell => { const c = cell.cloneNode(true);
               c.querySelectorAll('small, .unseen').forEach(e => e.remove());
               return c.textContent.trim().replace(/\\s+/g, ' ') }))""",
        label,
    )


def value(slug, key, subset="all"):
    (entry,) = (e for e in exams().entries if e.slug == slug)
    (found,) = (s for s in entry.graded.scores if (s.measure, s.subset) == (key, subset))
    return f"{found.value:.3f}"


def test_the_first_two_of_the_board_stand_beside_each_other_at_first(shown):
    page = shown()
    head, *rows = grid(page, "Scores")
    (seen,) = visible(Snapshot((exams(),), NOON), "public").tasks
    first, second = (row.entry for row in rank(seen).ranked[:2])
    assert head[1:] == [f"{e.team} · {e.name}" for e in (first, second)]
    for row, key in zip(rows, ("hmr", "accuracy", "brier"), strict=False):
        told = [cell.strip("†") for cell in row[1:]]
        assert told == [value(e.slug, key) for e in (first, second)]
    assert rows[0][0] == "HMR ↑"
    assert rows[-1] == ["Scored instances", "200", "200"]


def test_the_address_says_which_and_hostile_names_are_text(shown):
    page = shown("run-5,run-3,run-1")
    head = grid(page, "Scores")[0]
    for text, slug in zip(head[1:], ("run-5", "run-3", "run-1"), strict=True):
        (entry,) = (e for e in exams().entries if e.slug == slug)
        assert text == f"{entry.team} · {entry.name}"
        assert {entry.team, entry.name} & set(HOSTILE)
    assert page.locator("#compare img, #compare script").count() == 0
    drawn = page.locator("#reliability + .overlaid svg")
    assert drawn.locator("g.slot:not(.whom)").count() == 3
    assert drawn.locator("> title").text_content() == "Reliability diagrams of 3 runs"
    bins = next(e for e in exams().entries if e.slug == "run-1").graded.reliability
    told = [b for b in bins if b.n >= 5]
    assert drawn.locator("g.slot-3:not(.whom) .mark-of").count() in (len(told), len(told) - 1)
    dashes = {
        page.evaluate(
            "s => getComputedStyle(document.querySelector(s)).strokeDasharray",
            f".overlay .slot-{slot} .line",
        )
        for slot in (1, 2, 3)
    }
    assert len(dashes) == 3
    shapes = {drawn.locator(f"g.slot-{k} .mark-of").first.get_attribute("d") for k in (1, 2, 3)}
    assert len(shapes) == 3


def test_a_pair_is_told_the_way_the_board_has_it_and_turned_where_a_subset_has_it_otherwise(shown):
    first, second = results()[1]
    page = shown(f"{second},{first}")
    (pair,) = grid(page, "Differences")[1:]
    names = {e.slug: f"{e.team} · {e.name}" for e in exams().entries}
    assert pair == [
        f"{names[first]} less {names[second]}",
        "0.200",
        "0.300",
        "no",
    ]
    cell = page.locator("[aria-label='Differences'] td").first
    assert cell.locator(".span").text_content() == "-0.100 to 0.500"
    # 0 stands in the middle of 96, and 0.5, the farthest end, 46 from it.
    drawn = [path.get_attribute("d") for path in cell.locator(".strip path").all()]
    assert drawn == ["M0 6H96", "M48 0V12", "M38.8 6H94.0", "M66.4 1V11"]
    law = next(row for row in grid(page, "By subset") if row[0].startswith("exam Law"))
    assert law[1:] == [
        value(second, "hmr", "exam=Law"),
        value(first, "hmr", "exam=Law"),
        "-0.250 ≠",
    ]
    cell = page.locator("[aria-label='By subset'] tr", has_text="Law").locator("td").last
    assert cell.locator(".span").text_content() == "-0.375 to -0.125"
    assert "adjusted p <0.001" in cell.text_content()


def test_a_reason_names_a_run_by_its_team_and_name(page, tmp_path):
    order = results()[0].versus["all"].slugs
    why = tuple("9 right and 0 wrong answers" if slug == "run-2" else "" for slug in order)
    unsound = {("run-1", "run-2"): (0.1, None, None, None, "")}
    made = replace(exams(), versus={"all": compared(order, unsound, why)})
    here = written(files(Snapshot((made,), NOON)), tmp_path)
    page.goto(address(here, PAGE + "#runs=run-1,run-2"))
    (pair,) = grid(page, "Differences")[1:]
    named = pair[-1].replace("\u2068", "").replace("\u2069", "")
    assert named == "Tom & Jerry <3 · same answers: 9 right and 0 wrong answers"


def test_why_two_are_not_told_apart_or_not_compared(shown):
    page = shown("run-1,run-2,run-8")
    said = [row[-1] for row in grid(page, "Differences")[1:]]
    few, none = "the two differ in too few instances", "not compared: only ranked runs are"
    assert said == [few, none, none]


def test_another_measure_by_subset_has_no_differences(shown):
    page = shown("run-3,run-4")
    page.select_option("#measure", label="Brier")
    head, first, *_ = grid(page, "By subset")
    assert len(head) == 3
    assert first[1:] == [value(slug, "brier", "exam=Law") for slug in ("run-3", "run-4")]
    assert page.evaluate("document.activeElement.id") == "measure"


def test_the_measure_of_the_subsets_is_in_the_address(shown):
    page = shown("run-3,run-4&by=macro(hmr%2Cexam)")
    picked = page.locator("#measure option:checked")
    assert picked.inner_text() == "HMR, mean over exam"
    page.select_option("#measure", label="ECE @10")
    assert page.evaluate("location.hash") == "#runs=run-3,run-4&by=ece%4010"
    page.reload()
    assert picked.inner_text() == "ECE @10"
    page.evaluate("location.hash = '#runs=run-3,run-4&by=brier'")
    page.wait_for_function("document.getElementById('measure').value === '2'")
    assert grid(page, "By subset")[1][1:] == [
        value(slug, "brier", "exam=Law") for slug in ("run-3", "run-4")
    ]
    page.get_by_role("button", name="Remove").last.click()
    assert page.evaluate("location.hash") == "#runs=run-3&by=brier"
    for by in ("hmr", "nothing", "%", "__proto__"):
        page = shown("run-3,run-4&by=" + by)
        assert picked.inner_text() == "HMR"
    page.select_option("#measure", label="Brier")
    page.select_option("#measure", label="HMR")
    assert page.evaluate("location.hash") == "#runs=run-3,run-4"


def test_runs_are_found_added_and_removed_by_keyboard_alone(shown):
    page = shown("run-3")
    assert page.locator("#scores").count() == 0
    page.locator("#find").focus()
    page.keyboard.type("tom jerry")
    assert page.locator(".listed button").all_text_contents() == [
        "Tom & Jerry <3 · same answers rank 5"
    ]
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#scores")
    assert page.evaluate("location.hash") == "#runs=run-3,run-2"
    assert page.evaluate("document.activeElement.id") == "find"
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#runs=run-3"
    assert page.locator("#scores").count() == 0


def test_the_fourth_run_leaves_the_focus_on_the_way_to_remove_it(shown):
    page = shown("run-1,run-2,run-3")
    page.locator("#find").fill("東京")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("[aria-label='Scores'] thead th").nth(4).wait_for()
    held = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert held == "Remove 東京 · ' onmouseover='x"


def test_four_at_most_and_what_is_not_there_is_said(shown):
    page = shown("run-1,run-2,run-3,run-4,run-5,nobody-1,run-1,__proto__")
    assert len(grid(page, "Scores")[0]) == 5
    said = page.locator("[role=status]").text_content()
    assert said.startswith("Not shown: 4 that are not here")
    assert page.locator(".listed button").count() == 0
    assert not violations(page)
    page.set_viewport_size({"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.evaluate("location.hash = '#runs=run-4,run-6'")
    page.locator("#scores ~ .scroll th", has_text="Aster").first.wait_for()
    assert grid(page, "Scores")[0][1:] == ["東京 · ' onmouseover='x", "Aster · a\u202eb"]


def test_without_script_each_row_stands_against_the_one_above(browser, site):
    with quiet(browser, java_script_enabled=False) as page:
        page.goto(address(site, PAGE))
        assert page.locator("noscript p").is_visible()
        assert page.get_by_text("Each row against the row above it").count() == 1
        rows = page.locator(".static tbody tr")
        assert rows.count() == len(results()[0].versus["all"].slugs)
        assert rows.nth(1).is_visible()


def test_with_script_each_row_against_the_one_above_is_closed_and_is_not_printed(shown):
    page = shown()
    title = page.get_by_role("heading", name="Each row against the row above it")
    assert title.is_visible()
    assert not page.locator(".static .scroll").is_visible()
    page.emulate_media(media="print")
    assert not title.is_visible()
    page.emulate_media(media="screen")
    title.click()
    assert page.locator(".static .scroll").is_visible()


def fits(page, label):
    """Whether a table needs no scrolling in its box."""
    box = page.get_by_role("region", name=label, exact=True)
    return box.evaluate("box => box.scrollWidth <= box.clientWidth")


def test_four_runs_fit_a_narrow_page_by_their_marks_and_a_legend_names_these(shown):
    page = shown("run-4,run-5,run-6,run-3")
    assert not page.locator(".whose").is_visible()
    page.set_viewport_size({"width": 360, "height": 700})
    names = {e.slug: f"{e.team} · {e.name}" for e in exams().entries}
    legend = page.locator(".whose li")
    assert legend.all_text_contents() == [
        names[slug] for slug in ("run-4", "run-5", "run-6", "run-3")
    ]
    marks = page.locator("[aria-label='Scores'] thead .swatch .mark-of")
    for i in range(4):
        mark = legend.nth(i).locator(".mark-of").get_attribute("d")
        assert marks.nth(i).get_attribute("d") == mark
    assert page.locator(".swatch [transform]").count() == 0  # lost in heads that are printed again
    assert fits(page, "Scores")
    assert fits(page, "Differences")
    assert fits(page, "Accuracy in each bin")
    assert page.locator("[aria-label='Differences'] tbody th").first.bounding_box()["width"] < 100


def test_of_bins_without_accuracy_it_says_why(shown):
    page = shown("run-4,run-5")
    table = page.get_by_role("region", name="Accuracy in each bin")
    assert "–" in table.locator("td").evaluate_all("all => all.map(e => e.firstChild?.data)")
    said = page.locator("#reliability + .overlaid .key").inner_text()
    assert said == "–: not shown: too few answers, or withheld with such a bin."


def phased(names, of):
    """The exams in phases that are open; ``of`` tells of a run's number which phase it is of."""
    found = exams()
    phases = tuple(Phase(name, NOON, NOON.replace(year=2027)) for name in names)
    entries = tuple(
        replace(e, phase=of(i)) for i, e in enumerate(found.entries) if i < 4 and of(i)
    )
    return replace(found, task=replace(found.task, phases=phases), entries=entries)


def test_the_only_phase_is_named_and_where_no_subset_is_shown_it_says_why(page, tmp_path):
    open_one = phased(("Dry <b>",), lambda i: "Dry <b>" if i > 1 else "")
    here = written(files(Snapshot((open_one,), NOON)), tmp_path)
    page.goto(address(here, PAGE))
    assert page.locator("#scores").inner_text() == "Scores: Dry <b>"
    assert page.locator(".picker p").first.inner_text() == "Phase Dry <b>"
    title = "Each row against the row above it: Dry <b>"
    assert page.get_by_role("heading", name=title).count() <= 1
    # No subset has 200 of the 200 instances, and one has none.
    why = "fewer than 200 instances, or 20 right or 20 wrong: not shown"
    said = page.locator("#subsets + p").inner_text()
    assert said == f"No subset has a value here: {why}; no instances."
    assert page.get_by_role("region", name="By subset").count() == 0
    # Both runs are chosen: there is nothing to choose from.
    assert page.locator(".picked li").count() == 2
    assert not page.get_by_label("Find a run to add").is_visible()
    assert page.get_by_role("status").inner_text() == ""
    page.get_by_role("button", name="Remove").last.click()
    assert page.get_by_label("Find a run to add").is_visible()
    assert page.get_by_role("status").inner_text() == "1 run to choose from."
    page.locator(".listed button").click()
    assert page.evaluate("document.activeElement.textContent") == "Remove"


@pytest.mark.parametrize(("runs", "listed"), [(22, 20), (23, 12)])
def test_up_to_twenty_runs_are_listed(page, tmp_path, runs, listed):
    found = exams()
    like = next(e for e in found.entries if e.slug == "run-4")
    many = tuple(replace(like, slug=f"team{i:02}-1", team=f"Team {i}") for i in range(runs))
    here = written(files(Snapshot((replace(found, entries=many),), NOON)), tmp_path)
    page.goto(address(here, PAGE))
    assert page.locator(".listed li").count() == listed
    left = runs - 2
    more = "." if listed == left else f", {left - listed} of them not listed: type to find them."
    assert page.get_by_role("status").inner_text() == f"{left} runs to choose from{more}"


def data(made, name):
    """What a script hands to the page."""
    call = made[f"exams/compare/{name}"].decode()
    assert "<" not in call
    text = call[len("compared(") : call.rindex(");")]
    return json.loads(f"[{text}]")


def test_what_is_read_of_a_run_hangs_on_no_other():
    every = exams()
    less = replace(every, entries=every.entries[:4])
    one, other = (files(Snapshot((of,), NOON)) for of in (every, less))
    for slug in ("run-1", "run-3"):
        assert one[f"exams/compare/{slug}.js"] == other[f"exams/compare/{slug}.js"]
    assert one["exams/compare/data.js"] != other["exams/compare/data.js"]


def test_of_a_large_board_neighbours_are_compared_and_it_says_so():
    found = exams()
    like = next(e for e in found.entries if e.slug == "run-4")
    slugs = [f"team{i:02}-1" for i in range(63)]
    many = tuple(replace(like, slug=slug, team=slug, flags={}) for slug in slugs)
    none, empty = (None,) * 63, ("",) * 63
    pairs = tuple(Pair(i, i + 1, 0.1, 0.05, 0.15, 0.012) for i in range(62))
    made = Comparison(pairs, none, 0, 5.0, (0.5,) * 63, empty, adjacent=True)
    of = replace(found, entries=many, versus={"all": Versus(tuple(slugs), made, n=150)})
    out = files(Snapshot((of,), NOON))
    for slug, below in pairwise(slugs):
        told = data(out, f"pairs/{slug}.js")[2]
        assert told == {below: {"0": ["0.100", "0.050 to 0.150", "0.012", "yes", ""]}}
    assert f"exams/compare/pairs/{slugs[-1]}.js" not in out
    (board,) = data(out, "data.js")[2]
    assert board["compares"] == "neighbours among so many ranked runs"
    assert board["family"] == ["HMR", 150, "", "bound"]


def test_hidden_and_withdrawn_runs_are_not_to_be_chosen():
    found = exams()
    phase = Phase("Formal", NOON, NOON.replace(year=2027), visible="none")
    entries = tuple(replace(e, phase="Formal") for e in found.entries)
    hidden = replace(found, task=replace(found.task, phases=(phase,)), entries=entries)
    assert not [
        path
        for path in files(Snapshot((hidden,), NOON))
        if "compare" in path and "static" not in path
    ]
    (board,) = data(files(Snapshot((found,), NOON)), "data.js")[2]
    assert "run-10" not in [run[0] for run in board["runs"]]


def test_the_phase_is_that_of_the_runs(page, tmp_path):
    names = ("Dry", "Formal")
    two = phased(names, lambda i: names[i > 1])
    here = written(files(Snapshot((two,), NOON)), tmp_path)
    for runs, name in (("run-3,run-4", "Formal"), ("run-1,run-2", "Dry")):
        page.goto("about:blank")
        page.goto(address(here, PAGE + f"#runs={runs}"))
        assert page.locator(".picked li").count() == 2
        assert page.get_by_label("Phase").locator("option:checked").inner_text() == name
        assert page.locator("#scores").inner_text() == f"Scores: {name}"


def curve_of(seed, skill, push, threshold, n=200):
    """How many answers of a run are at least so sure, and how many of these are right, in 1."""
    run = judged(seed, n, skill, push)
    kept = run.confidence >= threshold - 1e-9
    return int(kept.sum()), run.correct[kept].mean()


def saved(page, section, kind, folder):
    """The file that a link below a picture saves."""
    with page.expect_download() as found:
        page.locator(f"#{section} + .overlaid .files a", has_text=kind).click()
    to = folder / found.value.suggested_filename
    found.value.save_as(to)
    return to


def lines(path):
    """The rows of a CSV file by its head."""
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode())))


def test_curves_of_chosen_runs_are_those_of_their_pages(shown, site, tmp_path):
    page = shown("run-4,run-5")
    before = page.url
    path = saved(page, "coverage", "CSV", tmp_path)
    assert path.name == "coverage-run-4-run-5.csv"
    rows = lines(path)
    made = {"run-4": (4, 0.65, 0.4), "run-5": (5, 0.6, 1.3)}
    names = {e.slug: (e.team, e.name) for e in exams().entries}
    for slug, run in made.items():
        own = [row for row in rows if row["address"] == slug]
        assert {(row["team"].lstrip("'"), row["run"].lstrip("'")) for row in own} == {
            tuple(text.lstrip("'") for text in names[slug])
        }
        for row in own:
            kept, accuracy = curve_of(*run, float(row["confidence from"]))
            assert int(row["kept"]) == kept
            assert (row["coverage"], row["accuracy"]) == (f"{kept / 200:.3f}", f"{accuracy:.3f}")
        told = lines(site / f"exams/{slug}/coverage.csv")
        assert own == [
            {"team": row["team"], "run": row["run"], "address": slug, **point}
            for row, point in zip(own, told, strict=True)
        ]
    drawn = page.locator("#coverage + .overlaid svg")
    assert drawn.locator("> title").text_content() == "Accuracy–coverage curves of 2 runs"
    least = np.floor(10 * min(float(row["accuracy"]) for row in rows) - 1e-9) / 10
    for slot, slug in enumerate(made, 1):
        line = drawn.locator(f".slot-{slot}:not(.whom) .line").get_attribute("d")
        places = [tuple(map(float, p.split())) for p in line[1:].split("L")]
        wanted = [
            (44 + 240 * float(r["coverage"]), 12 + 240 * (1 - float(r["accuracy"])) / (1 - least))
            for r in rows
            if r["address"] == slug
        ]
        assert np.allclose(places, wanted, atol=0.051)
    # The table has the first point of each tenth of coverage.
    for row in grid(page, "Accuracy at coverages")[1:]:
        for slug, cell in zip(made, row[1:], strict=True):
            own = [r for r in rows if r["address"] == slug]
            low = float(row[0])
            inside = [r["accuracy"] for r in own if low <= float(r["coverage"]) < low + 0.1]
            assert cell == (inside[0] if inside else "")
    assert page.url == before


def test_a_curve_of_many_points_is_thinned_and_says_nothing_new():
    seen = visible(Snapshot((exams(),), NOON), "organisers")
    made = dict(render(seen))
    told = list(csv.reader(made["exams/run-4/coverage.csv"].decode().splitlines()))[1:]
    curve = data(made, "run-4.js")[2]["curve"]
    assert 10 < len(curve) < len(told)
    assert all(int(b[1]) - int(a[1]) >= 200 / 50 for a, b in pairwise(curve[:-1]))
    assert [row for row in told if row in curve] == curve
    assert curve[-1] == told[-1]


FORMULA = '=HYPERLINK("x"),1'


def test_pictures_are_saved_as_shown_and_stand_alone(page, tmp_path):
    found = exams()
    typed = {"run-4": FORMULA, "run-5": "'tis \x1b"}
    entries = tuple(replace(e, team=typed.get(e.slug, e.team)) for e in found.entries)
    here = written(files(Snapshot((replace(found, entries=entries),), NOON)), tmp_path / "site")
    page.goto(address(here, PAGE + "#runs=run-4,run-5,run-3"))
    for section in ("reliability", "coverage"):
        picture = saved(page, section, "SVG", tmp_path)
        assert picture.name == f"{section}-run-4-run-5-run-3.svg"
        tree = ET.fromstring(picture.read_bytes())  # noqa: S314, our own file
        svg = "{http://www.w3.org/2000/svg}"
        assert tree.tag == svg + "svg"
        assert [e.tag for e in tree[:3]] == [svg + "title", svg + "desc", svg + "rect"]
        assert tree[2].get("fill") == page.evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        named = {e.text for e in tree.iter(svg + "title")}
        assert f"\u2068{FORMULA}\u2069 · \u2068' onmouseover='x\u2069" in named
        assert not [e for e in tree.iter() if e.get("class") or e.get("style")]
        assert all(e.get("stroke") and e.get("fill") for e in tree.iter(svg + "path"))
        assert all(e.get("font-size") and e.get("fill") for e in tree.iter(svg + "text"))
        runs = [e for e in tree.findall(svg + "g") if e.find(svg + "title") is not None]
        strokes = {(e.find(svg + "path").get("stroke")) for e in runs}
        dashes = {(e.find(svg + "path").get("stroke-dasharray")) for e in runs}
        assert len(runs) == len(strokes) == len(dashes) == 3
        teams = [row["team"] for row in lines(saved(page, section, "CSV", tmp_path))]
        assert list(dict.fromkeys(teams))[:2] == ["'" + FORMULA, "''tis \x1b"]
    bins = lines(tmp_path / "reliability-run-4-run-5-run-3.csv")
    run = judged(4, 200, 0.65, 0.4)
    for row in (r for r in bins if r["address"] == "run-4"):
        low, high = map(float, row["confidence"].split(" – "))
        # Bins are open below, but for the first.
        inside = (run.confidence > low - (not low)) & (run.confidence <= high)
        assert int(row["n"]) == inside.sum()
        assert row["accuracy"] in ("", f"{run.correct[inside].mean():.3f}")
    assert any(row["accuracy"] for row in bins)


def test_long_names_stay_within_a_picture(shown):
    page = shown("run-4,run-5,run-3")
    ends = page.locator(".overlaid .whom text").evaluate_all(
        """all => all.map(text => { const box = text.getBBox();
             return box.x + box.width - text.ownerSVGElement.viewBox.baseVal.width })"""
    )
    assert len(ends) == 6
    assert max(ends) <= 0


def test_a_picture_is_saved_by_keyboard(shown):
    page = shown("run-4,run-5")
    page.locator("#coverage + .overlaid .files a").first.focus()
    with page.expect_download() as found:
        page.keyboard.press("Enter")
    assert found.value.suggested_filename == "coverage-run-4-run-5.svg"


def test_a_run_without_a_curve_is_named_with_the_reason(page, tmp_path):
    found = exams()
    none = tuple(
        replace(e, graded=replace(e.graded, analysed=None)) if e.slug == "run-4" else e
        for e in found.entries
    )
    here = written(files(Snapshot((replace(found, entries=none),), NOON)), tmp_path / "one")
    page.goto(address(here, PAGE + "#runs=run-4,run-5"))
    section = page.locator("#coverage + .overlaid")
    assert section.locator("g.slot-2:not(.whom)").count() == 1
    assert section.locator("g.slot-1").count() == 0
    assert section.locator("svg > title").text_content() == "Accuracy–coverage curves of 1 run"
    said = page.locator("#coverage + .overlaid + .key").inner_text()
    assert said == "東京 · ' onmouseover='x has none: none of its answers is scored."
    # At one decimal curves are drawn of rounded accuracies.
    blunt = Phase("Dry", NOON, NOON.replace(year=2027), digits=1)
    of = phased(("Dry",), lambda _: "Dry")
    of = replace(of, task=replace(of.task, phases=(blunt,)))
    here = written(files(Snapshot((of,), NOON)), tmp_path / "blunt")
    page.goto(address(here, PAGE + "#runs=run-3,run-4"))
    title = page.locator("#coverage + .overlaid svg > title").text_content()
    assert title == "Accuracy–coverage curves of 2 runs"


def test_runs_of_intervals_have_no_curves(page, tmp_path):
    task = Task(
        "exams", "Widths", kind="interval", interval=Intervals(level=0.9), primary="iscore"
    )
    scores = (Score("iscore", "all", 5, 3.25),)
    runs = tuple(
        entry(f"run-{i}", team, "one", Graded(scores, (), (), 5, 5, 3, 0))
        for i, team in enumerate(("Ants", "Bees"))
    )
    gold = GoldSummary(1, "00" * 32, NOON, "", 5, 5)
    here = written(files(Snapshot((Results(task, gold, runs),), NOON)), tmp_path)
    page.goto(address(here, PAGE))
    assert page.locator("#scores").count() == 1
    assert page.locator("#coverage, #reliability, .overlaid").count() == 0
