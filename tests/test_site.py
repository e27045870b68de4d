"""What every page of the site is and never does, whatever people typed."""

import posixpath
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from reading import BOARD, elements, files, having, parse, rows, text
from sites import HOSTILE, IMAGE, LONG, NOON, SCRIPT, exams, plain, snapshot

from grader.board import visible
from grader.check import MENDS
from grader.measures import MEASURES
from grader.model import Snapshot
from grader.site import render
from grader.site.addresses import parts, phases
from grader.store.names import minted
from grader.tasks import is_address

# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
WINDOWS = {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(10))} | {
    f"lpt{n}" for n in range(10)
}


@pytest.fixture(scope="module")
def site():
    return files()


@pytest.fixture(scope="module")
def pages(site):
    return {path: parse(body) for path, body in site.items() if path.endswith(".html")}


def test_every_page_is_valid_html_and_has_a_title_and_one_heading(pages):
    assert {"index.html", "measures.html", "rules.html", BOARD, "exams/run-9.html"} <= set(pages)
    for path, tree in pages.items():
        assert text(tree.find("head/title")), path
        assert len(list(tree.iter("h1"))) == 1, path
        ids = [e.get("id") for e in elements(tree) if e.get("id")]
        assert len(ids) == len(set(ids)), path


def test_a_caption_is_the_first_or_the_last_of_its_figure(pages):
    for path, page in pages.items():
        for figure in page.iter("figure"):
            inside = [child.tag for child in figure]
            assert "figcaption" not in inside[1:-1], path


def test_what_people_typed_is_text_letter_for_letter(pages):
    teams = [text(row.find("th//bdi")) for body in (0, 1) for row in rows(pages[BOARD], body)]
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
                assert e.get("src").endswith(".js"), path
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
    scripts = [path for path in site if path.startswith("static/") and path.endswith(".js")]
    assert len(scripts) > 1
    for word in (b"fetch(", b"eval(", b"import(", b"XMLHttpRequest", b"innerHTML"):
        assert not [path for path in scripts if word in site[path]]


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
            if parts.fragment.startswith("runs="):  # what is chosen there
                for run in parts.fragment.removeprefix("runs=").split(","):
                    assert posixpath.join(posixpath.dirname(target), f"compare/{run}.js") in site
            elif parts.fragment:
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
            cwd=Path(__file__).parent.parent,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
            text=True,
        )
        assert said.stdout.strip() == here


def test_a_withdrawn_run_keeps_its_row_and_has_no_page():
    for viewer in ("public", "organisers"):
        site = dict(render(visible(snapshot(), viewer)))
        assert "exams/run-9.html" in site
        assert [path for path in site if "run-10" in path] == []
        row = next(r for r in parse(site[BOARD]).iter("tr") if r.get("id") == "run-run-10")
        assert "withdrawn" in text(row)
        assert not re.search(r"\d\.\d{3}", text(row))
        assert [a.get("href") for a in row.iter("a")] == [f"../team/{row.get('data-team')}.html"]


def test_no_two_addresses_differ_in_case_alone_and_none_is_a_device(site):
    assert len({path.casefold() for path in site}) == len(site)
    for path in site:
        for name in path.split("/"):
            assert name.split(".")[0].casefold() not in WINDOWS, path
            assert not name.endswith((".", " ")), path


@pytest.mark.parametrize("typed", ["CON", "con", "Aux", "nul", "COM1", "lpt9", "com0"])
def test_names_of_devices_are_no_addresses(typed):
    values = (("Law", 1), ("law", 2), (typed, 3))
    made = [p.slug for p in parts([(typed, values), (f"{typed}-", values)])]
    made += [*phases([typed, f"{typed} ", "x"]), minted(typed, ()), minted(f"{typed}!", ())]
    assert [slug for slug in made if slug.split(".")[0].casefold() in WINDOWS] == []
    assert len(set(made[:6])) == 6
    assert not is_address(typed.lower())


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
            *(f"--drop={drop.id}" for drop in exams().gold.drops),
            "--format",
            "json",
        ]
        assert text(blocks[1]).startswith("hmr|")
        assert text(blocks[1]).endswith(entry.settings)
        assert entry.sha256 in text(pages[f"exams/{entry.slug}.html"])


def test_a_description_loads_nothing_and_runs_nothing(pages):
    prose = having(pages[BOARD], "div", "prose")[0]
    assert [a.get("href") for a in prose.iter("a")] == ["https://papers.example/1"]
    assert "[image: map]" in text(prose)
    assert SCRIPT in text(prose)
    assert text(prose.find("h2")) == "About"


def test_help_pages_are_made_from_the_codes_own_tables(pages):
    for key in MEASURES:
        assert pages["measures.html"].find(f".//section[@id='{key}']") is not None
    used = text(pages["measures.html"].find(".//section[@id='ece']"))
    assert "Nothing yet: ece@10" in used
    for code, mend in MENDS.items():
        assert text(pages["rules.html"].find(f".//tr[@id='{code}']")).endswith(mend)


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
