"""What a board weighs, with everything that it loads."""

import gzip
import posixpath

import crowd
from reading import elements, parse

from grader.data import folder


def loaded(page):
    """The files that a browser asks for with a page."""
    for e in elements(parse(page)):
        if e.get("rel") in ("stylesheet", "icon") or e.get("src"):
            name = posixpath.normpath(posixpath.join("crowd", e.get("href") or e.get("src")))
            yield (folder("templates") / name).read_bytes()


def test_a_board_of_fifty_runs_weighs_less_than_100_kb():
    page = crowd.page(crowd.crowd(50, 10, compared=True))
    files = list(loaded(page))
    assert len(files) == 4  # a style sheet, two scripts, an icon
    assert page.count(b"<tr id=") == 50
    assert page.count(b"</th>") > 50 * 2  # beside the board a table of its subsets
    assert sum(len(gzip.compress(each)) for each in (page, *files)) < 100_000


def test_larger_boards_grow_no_faster_than_their_rows():
    sizes = [len(gzip.compress(crowd.page(crowd.crowd(runs)))) for runs in (100, 200, 400)]
    assert sizes[2] - sizes[1] < 2.2 * (sizes[1] - sizes[0])
