"""Every kind of page, tested by axe-core in Chromium, light and dark."""

import re
from functools import cache

import pytest
from browsing import address, quiet, violations, written
from reading import files
from sites import NOON, plain

from grader.board import visible
from grader.model import Snapshot
from grader.site import render


@cache
def kinds():
    """A page of each template, by the words that its address is made of."""
    found = {}
    for path in sorted(files()):
        if path.endswith(".html"):
            found.setdefault(_kind(path), path)
    return tuple(found.values())


def _kind(path):
    task, *rest = path.split("/")
    if not rest:
        return path
    if len(rest) == 1:
        return "a task's " + ("run" if re.search(r"-\d+\.html$", rest[0]) else rest[0])
    return "a " + (task if task in ("campaign", "team") else rest[0])


def test_every_kind_of_page_is_among_them():
    assert {"index.html", "measures.html", "exams/index.html"} <= set(kinds())
    assert any("/subset/" in path for path in kinds())


@pytest.mark.parametrize("path", kinds())
def test_axe_finds_nothing(page, made_up, path):
    page.goto(address(made_up, path))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert not violations(page), scheme


def test_axe_finds_nothing_where_a_line_on_top_says_who_may_read_a_page(page, tmp_path):
    seen = visible(Snapshot((plain(),), NOON), "organisers")
    made = dict(render(seen, "For organisers only"))
    site = written(made, tmp_path)
    paths = ("index.html", "plain/index.html", "plain/embed.html", "plain/participate.html")
    for path in paths:
        page.goto(address(site, path))
        assert page.get_by_text("For organisers only").is_visible()
        assert not violations(page), path


def test_axe_would_find_something(page, made_up):
    page.goto(address(made_up, "index.html"))
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    page.evaluate("document.querySelector('h1').style.color = 'rgb(200, 200, 200)'")
    page.evaluate("document.querySelector('h1').style.background = 'white'")
    assert {name for name, _ in violations(page)} == {"button-name", "color-contrast"}


# A script that looks at sizes is asked between one frame and the next.
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.mark.parametrize("path", kinds())
def test_no_page_is_wider_than_its_window(page, made_up, path):
    page.goto(address(made_up, path))
    for width, size in ((360, "100%"), (360, "200%"), (1280, "200%")):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
        page.evaluate(DRAWN)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, size


def test_no_value_stays_below_names_that_do_not_scroll(page, made_up):
    for path in ("exams/index.html", "exams/subset/exam.law.html"):
        page.goto(address(made_up, path))
        for width, size in ((360, "100%"), (360, "200%"), (320, "200%")):
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
            page.evaluate(DRAWN)
            assert page.evaluate(REACHED), (path, width, size)


# Whether the first value is on top of what stands where it is, once it was scrolled to.
REACHED = """() => {
  const cell = document.querySelector(".board td.primary");
  cell.scrollIntoView({block: "center", inline: "end"});
  const box = cell.getBoundingClientRect();
  return cell.contains(document.elementFromPoint(box.right - 6, box.top + box.height / 2));
}"""


HEADS = """() => [...document.querySelectorAll("table")].map(table => new Set(
  [...table.querySelectorAll("thead th")].map(head => getComputedStyle(head).fontWeight)))
  .filter(weights => weights.size).map(weights => [...weights].join())"""


def test_all_heads_of_columns_are_bold(page, made_up):
    found = set()
    for path in kinds():
        page.goto(address(made_up, path))
        found |= {weight if weight in ("600", "700") else path for weight in page.evaluate(HEADS)}
    assert found == {"600", "700"}  # the small board in another page's frame has a browser's bold


# The least size of a letter of the pictures of a page.
LETTERS = """() => {
  const size = e => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().d
  const upright = [...document.querySelectorAll(".picture text:not([transform])")]
  return Math.min(...upright.map(size))
}"""


@pytest.mark.parametrize("path", ["exams/pictures.html", "exams/run-4.html"])
def test_letters_of_pictures_can_be_read_and_grow_with_text(page, made_up, path):
    page.goto(address(made_up, path))
    page.set_viewport_size({"width": 360, "height": 800})
    least = page.evaluate(LETTERS)
    assert least >= 9
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.evaluate(DRAWN)
    assert page.evaluate(LETTERS) == pytest.approx(2 * least, rel=0.01)


def test_pictures_and_their_numbers_are_whole_on_paper(page, made_up):
    page.goto(address(made_up, "exams/pictures.html"))
    page.emulate_media(media="print")
    millimetre = 96 / 25.4
    page.set_viewport_size({"width": int(182 * millimetre), "height": int(269 * millimetre)})
    page.evaluate(DRAWN)
    boxes = page.locator(".picture").evaluate_all("all => all.map(e => e.getBoundingClientRect())")
    assert len(boxes) >= 5
    assert max(box["height"] for box in boxes) <= 215 * millimetre + 1
    assert max(box["width"] for box in boxes) <= 182 * millimetre
    beyond = ".bins, .bins .scroll", "all => all.map(e => e.scrollWidth - e.clientWidth)"
    assert max(page.locator(beyond[0]).evaluate_all(beyond[1])) <= 0


def test_nothing_is_to_be_pressed_that_needs_a_script(browser, made_up):
    with quiet(browser, java_script_enabled=False) as page:
        for path in kinds():
            page.goto(address(made_up, path))
            assert page.locator("main").is_visible()
            inputs = "input:visible:not(.fold, .spans)"
            dead = page.locator(f"button:enabled:visible, {inputs}, select:visible")
            assert dead.count() == 0, path
