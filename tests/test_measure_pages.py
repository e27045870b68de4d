"""What the page of measures says: formulas, numbers that come out, and claims that hold."""

import re

import numpy as np
import pytest
from browsing import address
from reading import elements, files, parse, text

from grader.measures import MEASURES, find
from grader.model import Bounds, Classes, Judged
from grader.site.formulas import math

LEVEL = 0.8
NEEDS_MORE = ("classes", "bounds")


@pytest.fixture(scope="module")
def page():
    return parse(files()["measures.html"])


def section(page, name):
    return page.find(f".//section[@id='{name}']")


def grid(page, name):
    return [[text(c) for c in row] for row in section(page, name).findall(".//tbody/tr")]


def head(page, name):
    return [text(c) for c in section(page, name).findall(".//thead/tr/th")]


def judged(right, sure):
    return Judged(np.array(right, dtype=np.bool_), np.array(sure, dtype=np.float64))


def five(page):
    rows = grid(page, "answers")
    return judged([row[2] == "yes" for row in rows], [float(row[1]) for row in rows])


def classes(page):
    rows = grid(page, "classes")
    names = head(page, "classes")[1:4]
    given = np.array([[float(cell) for cell in row[1:4]] for row in rows])
    gold = np.array([names.index(row[4]) for row in rows])
    return lines(given, gold)


def lines(given, gold):
    """A run that answers the likeliest class."""
    top = given.argmax(axis=1)
    right, sure = top == gold, given.max(axis=1)
    return Judged(right, sure, classes=Classes(given, gold))


def intervals(page):
    low, high, gold = np.array([[float(c) for c in r[1:]] for r in grid(page, "intervals")]).T
    return Judged(
        (low <= gold) & (gold <= high), np.ones(4), bounds=Bounds(low, high, gold, LEVEL)
    )


def twenty(high, low):
    """Ten answers of which nine are right, and ten of which three are."""
    return judged([1] * 9 + [0] + [1] * 3 + [0] * 7, [high] * 10 + [low] * 10)


def test_every_measure_has_a_formula_and_a_number_by_hand_that_comes_out(page):
    on = {
        "answers": five(page),
        "classes": classes(page),
        "intervals": intervals(page),
        "honest": twenty(0.9, 0.3),
        "pushed": twenty(1.0, 0.0),
    }
    for key in MEASURES:
        entry = section(page, key)
        assert entry.find(".//{*}math") is not None, key
        assert {"Range", "Undefined", "Source"} <= {text(e) for e in entry.findall(".//dt")}, key
        numbers = [e for e in elements(entry) if e.get("data-of")]
        assert key in {e.get("data-of").split("@")[0] for e in numbers}
        for e in numbers:
            value = find(e.get("data-of"))(on[e.get("data-on", "answers")]).value
            assert text(e) == f"{value:.3f}", e.attrib


def test_the_table_of_less_trust_is_true_and_calibration_errors_praise_the_worse_run(page):
    keys = ("ece@2", "mce@2", "ecemass@1", "eceorder@1", "mceorder@1", "smece", "ks")
    keys += ("hmr", "brier", "nll")
    before, after = judged((1, 0), (0.9, 0.9)), judged((1, 0), (0.6, 0.9))
    rows = grid(page, "less-trust")
    assert [row[0] for row in rows] == ["right 0.9, wrong 0.9", "right 0.6, wrong 0.9"]
    for row, run in zip(rows, (before, after), strict=True):
        assert row[1:] == [f"{find(key)(run).value:.3f}" for key in keys]
    fallen = [float(rows[1][i]) < float(rows[0][i]) for i in range(1, len(keys) + 1)]
    assert fallen == [True] * 8 + [False] * 2  # the eighth is HMR, where less is worse


def test_the_table_of_more_trust_is_true_and_measures_of_classes_praise_the_worse_run(page):
    keys = ("br", "nbr", "nllc", "cwece@1", "hmr", "brier")
    rows = grid(page, "more-trust")
    found = []
    for row in rows:
        given = np.array([[float(p) for p in re.findall(r"[0-9.]+", row[0])]])
        found.append(lines(given, np.array([1])))
    # HMR of one wrong answer alone: R_U is 1 by convention.
    for row, run in zip(rows, found, strict=True):
        assert row[1:] == [f"{find(key)(run).value:.3f}" for key in keys]
    assert all(float(b) < float(a) for a, b in zip(rows[0][1:6], rows[1][1:6], strict=True))
    assert float(rows[1][6]) > float(rows[0][6])


def said(page):
    """What is said of trust, by measure."""
    return {
        key: e.get("data-keeps")
        for key in MEASURES
        for e in elements(section(page, key))
        if e.get("data-keeps")
    }


def test_of_every_measure_that_looks_at_confidences_it_is_said_whether_trust_counts(page):
    silent = {"accuracy", "confidence", "bias", "ecedistinct"}
    silent |= {key for key, m in MEASURES.items() if m.needs == "bounds"}
    assert set(said(page)) == set(MEASURES) - silent


KEYS = ("r_o", "r_u", "hmr", "hmr@2", "acchmr", "brier", "nll", "auroc", "aurc", "eaurc", "augrc")


def test_what_is_said_never_to_get_better_does_not(page):
    keys = (*KEYS, "selacc@50")
    assert {key.split("@")[0] for key in keys} == {k for k, v in said(page).items() if v == "yes"}
    rng = np.random.default_rng(11)
    for _ in range(200):
        n = int(rng.integers(3, 9))
        right = rng.random(n) < 0.5
        right[:2] = True, False
        sure = rng.integers(0, 11, n) / 10
        worse, at = sure.copy(), rng.integers(n)
        worse[at] = rng.integers(0, 11) / 10
        if (worse[at] > sure[at]) == right[at]:
            continue
        for key in keys:
            measure = find(key)
            one, two = (measure(judged(right, c)).value for c in (sure, worse))
            sign = 1 if measure.better == "higher" else -1
            assert sign * (two - one) <= 1e-12, (key, right, sure, worse)


@pytest.mark.parametrize("source", [r"\frac{1", "a}", "{a"])
def test_a_formula_with_a_wrong_brace_is_refused(source):
    with pytest.raises((ValueError, IndexError)):
        math(source)


def test_signs_are_escaped():
    assert "<mo>&lt;</mo>" in math("a < b")
    assert "<mtext>&lt;i&gt;</mtext>" in math(r"\text{<i>}")


def test_no_formula_is_cut_on_a_narrow_page(page_of_measures):
    cut = page_of_measures.evaluate(
        "() => Array.from(document.querySelectorAll('.formula'))"
        ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.closest('section').id)"
    )
    assert cut == []
    script = (
        "Array.from(document.querySelectorAll('mfrac'), e => e.getBoundingClientRect().height)"
    )
    heights = page_of_measures.evaluate(script)
    assert min(heights) > 20  # drawn as fractions, one above the other


@pytest.fixture
def page_of_measures(browser, made_up):
    made = browser.new_page(viewport={"width": 360, "height": 800})
    made.goto(address(made_up, "measures.html"))
    yield made
    made.close()


def test_no_table_is_cut_on_a_wide_page_and_the_way_to_each_measure_stands_first(page_of_measures):
    page_of_measures.set_viewport_size({"width": 1280, "height": 800})
    cut = page_of_measures.evaluate(
        "() => Array.from(document.querySelectorAll('.scroll'))"
        ".filter(e => e.scrollWidth > e.clientWidth).map(e => e.closest('section').id)"
    )
    assert cut == []
    ways = page_of_measures.get_by_role("navigation", name="On this page").get_by_role("link")
    assert ways.last.bounding_box()["y"] < 500
