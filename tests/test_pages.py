"""What boards and run pages say of a made-up task that has everything."""

import posixpath
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from reading import BOARD, cells, elements, files, having, parse, rows, text
from sites import IMAGE, NOON, SCRIPT, exams, snapshot

from grader.board import rank, shown
from grader.site import render

DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def site():
    return files()


@pytest.fixture(scope="module")
def pages(site):
    return {path: parse(body) for path, body in site.items() if path.endswith(".html")}


def test_the_board_leads_with_the_primary_accuracy_and_brier_and_shows_six(pages):
    head = having(having(pages[BOARD], "table", "sortable")[0], "th", "num")[:-1]
    assert [text(h.find(".//code")) for h in head[:3]] == ["hmr", "accuracy", "brier"]
    assert ["extra" in h.get("class") for h in head] == [False] * 6 + [True] * (len(head) - 6)
    assert text(head[0].find(".//span[@title]/span")) == "↑"
    assert text(head[2].find(".//span[@title]/span")) == "↓"
    for row in rows(pages[BOARD]):
        assert ["extra" in c.get("class") for c in cells(row)] == [i > 5 for i in range(len(head))]


def test_ranks_count_the_better_values_and_ties_share_one(pages):
    places = [(int(text(r[0])), float(cells(r)[0].get("data-key"))) for r in rows(pages[BOARD])]
    assert [rank for rank, _ in places] == [
        1 + sum(other > value for _, other in places) for _, value in places
    ]
    assert sorted(text(r.find("th//bdi")) for r in rows(pages[BOARD]) if text(r[0]) == "5") == [
        SCRIPT,
        "Tom & Jerry <3",
    ]


def test_cells_print_the_rounded_value_and_sort_by_it(pages):
    results = exams()
    run = next(e for e in results.entries if e.slug == "run-4")
    row = next(r for r in rows(pages[BOARD]) if text(r.find("th//bdi")) == "東京")
    stored = {s.measure: s.value for s in run.graded.scores if s.subset == "all"}
    printed = dict(zip(results.task.keys, cells(row), strict=True))
    for key in ("hmr", "accuracy", "brier", "bias", "ks"):
        assert text(printed[key]) == printed[key].get("data-key") == f"{stored[key]:.3f}"


def test_undefined_is_a_dash_with_its_reason_and_no_sort_key(pages):
    row = next(r for r in rows(pages[BOARD]) if "all right" in text(r))
    dash = cells(row)[exams().task.keys.index("auroc")]
    why = "no wrong answers: nothing to tell apart"
    assert text(dash) == f"– no value: {why}"
    assert (dash.get("data-key"), dash.get("title")) == ("", why)
    assert any(why in text(item) for item in pages[BOARD].iter("li"))


def test_a_convention_is_marked_where_it_stands_and_explained_below(pages):
    row = next(r for r in rows(pages[BOARD]) if "all right" in text(r))
    assert text(cells(row)[0]) == "1.000†"
    assert cells(row)[0].get("data-key") == "1.000"
    assert cells(row)[0].get("title") == "nothing is wrong: R_O is 1 by convention"
    assert any(cells(row)[0].get("title") in text(item) for item in pages[BOARD].iter("li"))


def test_unranked_rows_stand_apart_with_their_reason(pages):
    why = {
        text(r.find("th/div//bdi")): text(r.find(".//span[@class='why']"))
        for r in rows(pages[BOARD], 1)
    }
    assert set(why) == {"all wrong", "majority", "second thoughts"}
    assert "right answer" in why["all wrong"]
    assert why["second thoughts"] == f"withdrawn: {SCRIPT}"
    assert all(not text(r[0]) for r in rows(pages[BOARD], 1))


def test_a_run_scored_on_fewer_instances_is_marked(pages):
    marked = [r for r in rows(pages[BOARD]) if "fewer" in r[-1].get("class")]
    assert [" ".join(text(r[-1]).split()) for r in marked] == ["150 of 200"]


def test_subsets_are_one_click_away_and_an_empty_one_says_so(site, pages):
    chips = {
        text(e.find("bdi")): e
        for e in elements(pages[BOARD])
        if "chip" in e.get("class", "").split() and e.find("bdi") is not None
    }
    assert (chips["Poetry"].tag, text(chips["Poetry"])) == ("span", "Poetry no instances")
    assert chips["Law"].get("href") == "subset/exam.law.html"
    for value in ("東京", IMAGE):
        page = pages[posixpath.join("exams", chips[value].get("href"))]
        assert text(page.find(".//h1")) == f"script {value}"
        assert "ranks on a subset" in text(page)
    assert not any("poetry" in path for path in site)


def test_a_matrix_has_a_column_for_each_value_of_its_dimension(pages):
    grid = having(pages[BOARD], "details", "matrix")[0].find(".//table")
    head = [text(th.find(".//bdi")) for th in grid.find("thead/tr").findall("th")[1:]]
    assert head == ["Law", "Medicine", "Poetry"]
    run = next(e for e in exams().entries if e.slug == "run-4")
    law = next(s for s in run.graded.scores if (s.measure, s.subset) == ("hmr", "exam=Law"))
    row = next(r for r in grid.findall("tbody/tr") if text(r.find("th//bdi")) == "東京")
    assert text(row.findall("td")[0]) == f"{law.value:.3f}"


def test_a_run_page_has_every_measure_on_every_subset(pages):
    table = having(pages["exams/run-4.html"], "table", "profile")[0]
    named = {text(r.find("th/code")): r.findall("td") for r in table.findall("tbody/tr")}
    assert tuple(named) == exams().task.keys
    assert {len(tds) for tds in named.values()} == {7}
    run = next(e for e in exams().entries if e.slug == "run-4")
    found = {s.subset: s.value for s in run.graded.scores if s.measure == "brier"}
    assert [td.get("data-key") for td in named["brier"]] == [
        "" if found[k] is None else f"{found[k]:.3f}"
        for k in (
            "all",
            *(f"exam={v}" for v in ("Law", "Medicine", "Poetry")),
            *(f"script={v}" for v in ("latin", "東京", IMAGE)),
        )
    ]


def test_a_run_page_does_not_hang_on_other_runs():
    everything, results = snapshot(), exams()
    better = replace(results.entries[0], slug="late-1", team="New", received=NOON + DAY)
    more = replace(results, entries=(better, *results.entries))
    tasks = tuple(more if r.task.slug == "exams" else r for r in everything.tasks)
    before = dict(render(everything))
    after = dict(render(replace(everything, tasks=tasks)))
    mine = [path for path in before if re.match("exams/run-[0-9]", path)]
    assert len(mine) > 2 * len(results.entries)
    assert [path for path in mine if before[path] != after[path]] == []
    assert before[BOARD] != after[BOARD]


def test_the_reliability_diagram_has_its_numbers_beside_it(pages):
    run = next(e for e in exams().entries if e.slug == "run-5")
    page = pages["exams/run-5.html"]
    bins = [b for b in run.graded.reliability if b.n]
    assert [b.n for b in bins if b.n < 5] == [2]
    hidden = sorted(b.n for b in bins)[:2]  # and the next smallest: else the two would be told
    diagram = next(e for e in page.iter("figure") if e.get("id") == "picture-reliability")
    assert len(having(diagram, "circle", "point")) == len(bins) - 2
    table = having(page, "table", "numbers")[0]
    assert [[text(td) for td in r.findall("td")] for r in table.findall("tbody/tr")] == [
        [str(b.n), f"{b.confidence:.3f}"]
        + [f"{b.accuracy:.3f}", *ends(b), shown(b.confidence - b.accuracy, 3)]
        * (b.n not in hidden)
        + ["–"] * 4 * (b.n in hidden)
        for b in bins
    ]


def ends(one):
    """The interval of a share by Brown, Cai and DasGupta 2001, equation 4."""
    k, n, z = one.accuracy * one.n, one.n, 1.959963984540054
    middle = (k + z * z / 2) / (n + z * z)
    half = z * n**0.5 / (n + z * z) * (one.accuracy * (1 - one.accuracy) + z * z / (4 * n)) ** 0.5
    return f"{middle - half:.3f}", f"{middle + half:.3f}"


def test_dropped_instances_are_counted_with_their_reasons(pages):
    assert [
        " ".join(text(i).split()) for i in pages[BOARD].findall(".//ul/li") if "dropped" in text(i)
    ] == [
        f"2 dropped: two right answers {SCRIPT} after scores were seen",
        "1 dropped: a typing error",
    ]


def test_the_index_names_the_leader_with_accuracy_and_brier_beside_it(pages):
    article = pages["index.html"].find(".//article")
    facts = {text(d.find("dt")): " ".join(text(d.find("dd")).split()) for d in article.iter("div")}
    assert facts == {
        "Instances": "200",
        "Runs": "9",
        "Teams": "7",
        "Leader": "Aster · all right",
        "HMR": "1.000†",
        "Accuracy": "1.000",
        "Brier": "0.000",
    }
    assert "2026-03-01 12:00:00 UTC" in text(pages["index.html"].find(".//footer"))


def test_the_index_has_every_ranked_run_at_its_primary_the_best_drawn_last(pages):
    """HMR lies between 0 and 1, which stand at 16 and 324."""
    points = pages["index.html"].find(".//article").findall(".//{*}circle")
    ranked = rank(exams()).ranked[::-1]
    values = [round(row.entry.graded.by_key["hmr", "all"].value, 3) for row in ranked]
    assert [p.get("cx") for p in points] == [f"{round(16 + 308 * v, 1)}" for v in values]
    assert [text(p).strip() for p in points] == [
        f"{row.entry.team} · {row.entry.name}: {v:.3f}"
        for row, v in zip(ranked, values, strict=True)
    ]
    assert [p.get("class") for p in points] == [
        "first" if row.rank == 1 else None for row in ranked
    ]


def test_a_board_says_how_it_ranks_and_against_which_gold(pages):
    said = text(pages[BOARD])
    assert rank(exams()).rule in said
    assert "Version 2, registered 2026-03-01 12:00:00 UTC" in said
    assert "200 of 203 instances are scored" in said
    assert "9f" * 32 in said
    assert rank(exams(), "exam=Law").rule in text(pages["exams/subset/exam.law.html"])
