"""The pages of a made-up task that has everything: what they say, and what they never do."""

import posixpath
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

import html5lib
import pytest
from sites import HOSTILE, IMAGE, LONG, NOON, SCRIPT, exams, plain, snapshot

from grader.board import shown, visible
from grader.check import MENDS
from grader.measures import MEASURES
from grader.model import Snapshot
from grader.site import render

BOARD = "exams/index.html"


def files(of=None):
    return dict(render(visible(of or snapshot(), "public")))


@pytest.fixture(scope="module")
def site():
    return files()


@pytest.fixture(scope="module")
def pages(site):
    return {path: parse(body) for path, body in site.items() if path.endswith(".html")}


def parse(body: bytes) -> Element:
    """The page as a tree; any error of HTML raises."""
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    return parser.parse(body.decode())


def text(node: Element) -> str:
    return "".join(node.itertext()).strip()


def having(tree: Element, name: str, word: str) -> list[Element]:
    """The elements of a name that are of a class."""
    return [e for e in tree.findall(f".//{{*}}{name}") if word in e.get("class", "").split()]


def elements(tree: Element):
    return (e for e in tree.iter() if isinstance(e.tag, str))


def rows(tree: Element, body: int = 0) -> list[Element]:
    table = having(tree, "table", "sortable")[0]
    found = table.findall("tbody")[body].findall("tr")
    return [row for row in found if row.find("td[@data-key]") is not None]


def cells(row: Element) -> list[Element]:
    return [c for c in row.findall("td") if "num" in c.get("class") and c is not row[-1]]


def test_every_page_is_valid_html_and_has_a_title_and_one_heading(pages):
    assert {"index.html", "measures.html", "rules.html", BOARD, "exams/run-10.html"} <= set(pages)
    for path, tree in pages.items():
        assert text(tree.find("head/title")), path
        assert len(list(tree.iter("h1"))) == 1, path
        ids = [e.get("id") for e in elements(tree) if e.get("id")]
        assert len(ids) == len(set(ids)), path


def test_what_people_typed_is_text_letter_for_letter(pages):
    teams = [text(row.find("th")) for body in (0, 1) for row in rows(pages[BOARD], body)]
    keys = [row.find("th").get("data-key") for body in (0, 1) for row in rows(pages[BOARD], body)]
    names = [text(e) for e in pages[BOARD].iter("bdi")]
    assert teams == keys
    assert set(HOSTILE) <= set(teams) | set(names)
    assert IMAGE in text(pages["exams/run-3.html"].find(".//h1"))
    amended = next(e for e in pages[BOARD].iter("span") if text(e) == "amended")
    assert amended.get("title") == IMAGE
    assert f"not read: {IMAGE}" in text(pages["exams/run-1.html"])


def test_nothing_that_people_typed_becomes_markup(pages):
    for path, tree in pages.items():
        for e in elements(tree):
            tag = e.tag.rpartition("}")[2]
            assert tag not in ("img", "image", "iframe", "object", "form", "base", "style"), path
            for name in e.attrib:
                assert not name.startswith("on"), path
                assert name != "style", path
            if tag == "script":
                assert e.get("src").endswith("static/board.js"), path
                assert not text(e), path


def test_no_page_asks_for_anything_outside(site, pages):
    for path, tree in pages.items():
        for e in elements(tree):
            wanted = e.get("href") if e.tag == "link" else e.get("src")
            assert wanted is None or not urlsplit(wanted).scheme, path
            assert e.get("srcset") is None, path
        policy = tree.find("head/meta[@http-equiv='Content-Security-Policy']").get("content")
        assert policy.startswith("default-src 'none'")
    assert b"url(" not in site["static/site.css"]
    assert b"@import" not in site["static/site.css"]
    for word in (b"fetch", b"eval", b"import", b"XMLHttpRequest"):
        assert word not in site["static/board.js"]


def test_every_link_and_anchor_leads_somewhere(site, pages):
    for path, tree in pages.items():
        for e in elements(tree):
            href = e.get("href") or e.get("src")
            if not href or href == "https://papers.example/1":
                continue
            parts = urlsplit(href)
            assert not parts.scheme, (path, href)
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), parts.path))
            target = target if parts.path else path
            assert target in site, (path, href)
            if parts.fragment:
                assert pages[target].find(f".//*[@id='{parts.fragment}']") is not None, href


def test_the_same_snapshot_gives_the_same_bytes_in_every_process():
    program = (
        "import sys, hashlib; sys.path.insert(0, 'tests'); import sites\n"
        "from grader.site import render\n"
        "print(hashlib.sha256(repr(list(render(sites.snapshot()))).encode()).hexdigest())"
    )
    here = sha256(repr(list(render(snapshot()))).encode()).hexdigest()
    for seed in ("1", "2"):
        said = subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
            text=True,
        )
        assert said.stdout.strip() == here


def test_the_board_leads_with_the_primary_accuracy_and_brier_and_shows_six(pages):
    head = having(pages[BOARD], "table", "sortable")[0].find("thead/tr").findall("th")[3:-1]
    assert [text(h.find("code")) for h in head[:3]] == ["hmr", "accuracy", "brier"]
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
    assert sorted(text(r.find("th")) for r in rows(pages[BOARD]) if text(r[0]) == "5") == [
        SCRIPT,
        "Tom & Jerry <3",
    ]
    assert "shared with 1 other run" in text(pages["exams/run-1.html"])


def test_cells_print_the_rounded_value_and_sort_by_it(pages):
    results = exams()
    run = next(e for e in results.entries if e.slug == "run-4")
    row = next(r for r in rows(pages[BOARD]) if text(r.find("th")) == "東京")
    stored = {s.measure: s.value for s in run.graded.scores if s.subset == "all"}
    printed = dict(zip(results.task.keys, cells(row), strict=True))
    for key in ("hmr", "accuracy", "brier", "bias", "ks"):
        assert text(printed[key]) == printed[key].get("data-key") == f"{stored[key]:.3f}"


def test_undefined_is_a_dash_with_its_reason_and_no_sort_key(pages):
    row = next(r for r in rows(pages[BOARD]) if "all right" in text(r))
    dash = cells(row)[exams().task.keys.index("auroc")]
    why = "no wrong answers: nothing to tell apart"
    assert text(dash) == f"– undefined: {why}"
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
        text(r.find("td/div/a")): text(r.find(".//span[@class='why']"))
        for r in rows(pages[BOARD], 1)
    }
    assert set(why) == {"all wrong", "majority", "second thoughts"}
    assert "right answers" in why["all wrong"]
    assert why["second thoughts"] == f"withdrawn: {SCRIPT}"
    assert all(not text(r[0]) for r in rows(pages[BOARD], 1))


def test_a_run_scored_on_fewer_instances_is_marked(pages):
    marked = [r for r in rows(pages[BOARD]) if "fewer" in r[-1].get("class")]
    assert [" ".join(text(r[-1]).split()) for r in marked] == ["150 of 200"]


def test_a_withdrawn_run_keeps_its_page_without_numbers():
    for viewer in ("public", "organisers"):
        page = parse(dict(render(visible(snapshot(), viewer)))["exams/run-10.html"])
        assert "withdrawn" in text(page)
        assert not re.search(r"\d\.\d{3}", text(page.find(".//main")))
        assert page.find(".//main//table") is None


def test_subsets_are_one_click_away_and_an_empty_one_says_so(site, pages):
    chips = {
        text(e.find("bdi")): e
        for e in elements(pages[BOARD])
        if "chip" in e.get("class", "").split()
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
    head = [text(th.find(".//bdi")) for th in grid.find("thead/tr").findall("th")[2:]]
    assert head == ["Law", "Medicine", "Poetry"]
    run = next(e for e in exams().entries if e.slug == "run-4")
    law = next(s for s in run.graded.scores if (s.measure, s.subset) == ("hmr", "exam=Law"))
    row = next(r for r in grid.findall("tbody/tr") if text(r.find("th")) == "東京")
    assert text(row.findall("td")[1]) == f"{law.value:.3f}"


def test_a_run_page_has_every_measure_on_every_subset(pages):
    table = having(pages["exams/run-4.html"], "table", "profile")[1]
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


def test_the_command_of_a_run_page_names_its_file_whatever_it_is_called(pages):
    for entry in exams().entries[:-1]:
        blocks = having(pages[f"exams/{entry.slug}.html"], "pre", "copy")
        words = shlex.split(text(blocks[0]))
        assert words == [
            "grader",
            "score",
            entry.filename,
            "--gold",
            "exams/gold.csv",
            "--task",
            "exams",
            "--format",
            "json",
        ]
        assert text(blocks[1]).startswith("hmr|")
        assert text(blocks[1]).endswith(entry.settings)
        assert entry.sha256 in text(pages[f"exams/{entry.slug}.html"])


def test_the_reliability_diagram_has_its_numbers_beside_it(pages):
    run = next(e for e in exams().entries if e.slug == "run-5")
    page = pages["exams/run-5.html"]
    bins = [b for b in run.graded.reliability if b.n]
    assert len(having(page, "circle", "point")) == len(bins)
    table = having(page, "details", "bins")[0].find("table")
    assert [[text(td) for td in r.findall("td")] for r in table.findall("tbody/tr")] == [
        [str(b.n), f"{b.confidence:.3f}", f"{b.accuracy:.3f}", shown(b.confidence - b.accuracy, 3)]
        for b in bins
    ]


def test_a_description_loads_nothing_and_runs_nothing(pages):
    prose = having(pages[BOARD], "div", "prose")[0]
    assert [a.get("href") for a in prose.iter("a")] == ["https://papers.example/1"]
    assert "[image: map]" in text(prose)
    assert SCRIPT in text(prose)
    assert text(prose.find("h2")) == "About"


def test_dropped_instances_are_counted_with_their_reasons(pages):
    assert [
        " ".join(text(i).split()) for i in pages[BOARD].findall(".//ul/li") if "dropped" in text(i)
    ] == [
        f"2 dropped: two right answers {SCRIPT} after scores were seen",
        "1 dropped: a typing error",
    ]


def test_help_pages_are_made_from_the_codes_own_tables(pages):
    for key in MEASURES:
        assert pages["measures.html"].find(f".//section[@id='{key}']") is not None
    used = text(pages["measures.html"].find(".//section[@id='ece']"))
    assert "Nothing yet: ece@10" in used
    for code, mend in MENDS.items():
        assert text(pages["rules.html"].find(f".//tr[@id='{code}']")).endswith(mend)


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


def test_no_task_and_no_run_are_said_in_words():
    assert "There are no tasks yet" in files(Snapshot((), NOON))["index.html"].decode()
    assert "No run is ranked yet" in files(Snapshot((plain(),), NOON))["plain/index.html"].decode()


def test_characters_that_html_forbids_do_no_harm():
    results = exams()
    odd = replace(results.entries[0], team="a\x00b\x1b[31m\ud800\ufffe", name="c\x85d")
    body = files(Snapshot((replace(results, entries=(odd,)),), NOON))[BOARD]
    assert "a\ufffdb\ufffd[31m\ufffd\ufffd" in text(parse(body))


def test_a_held_run_is_seen_by_organisers_only():
    results = exams()
    held = replace(results.entries[0], graded=None)
    of = Snapshot((replace(results, entries=(held,)),), NOON)
    assert "exams/run-1.html" not in files(of)
    body = dict(render(visible(of, "organisers")))["exams/run-1.html"]
    assert "has not been scored yet" in text(parse(body))


def test_a_long_name_is_written_out(pages):
    assert LONG in text(pages["exams/run-5.html"].find(".//h1"))
