"""Cells of rows and columns: each as it would be by itself, with the numbers that boards show."""

from fractions import Fraction

import html5lib
import pytest

from grader.board import shown
from grader.data import folder
from grader.measures import find
from grader.measures.intervals import ENDLESS
from grader.model import Score
from grader.site.cells import Cell, cell, cells, joined
from grader.site.environment import environment
from grader.site.strips import column
from grader.site.tables import said_of

FLOORS = {"floor mean": 0.0123, "floor 95%": 0.0344}
NOTED = "no interval is sound here"
NAMES = {"why": "no_interval"}


def score(value, low=None, high=None, **more):
    return Score("m", "all", 9, value, low, high, **{NAMES.get(k, k): v for k, v in more.items()})


@pytest.mark.parametrize(
    ("one", "made"),
    [
        (None, Cell()),
        (score(0.12345), Cell("0.123")),
        (score(0.5, 0.25, 0.75), Cell("0.500", low="0.250", high="0.750")),
        (score(0.5, 0.25), Cell("0.500")),
        (score(0.5, None, 0.75), Cell("0.500")),
        (score(-0.0), Cell("0.000")),
        (score(-0.0004, -0.5, -0.0001), Cell("0.000", low="-0.500", high="0.000")),
        (score(2e15), Cell("2.000e+15")),
        (score(0.5, note="a convention"), Cell("0.500", "†", "a convention")),
        (score(0.5, why=NOTED), Cell("0.500", no_span=NOTED)),
        (score(None, note="no right answer"), Cell("–", "–", "no right answer")),
        (score(None), Cell("–", "–", "no reason was given")),
        (
            score(None, details={"least": 0.1, "most": 0.2}),
            Cell("0.100 to 0.200", "†", "no reason was given"),
        ),
        (score(0.5, details={"n of the bin": 7}), Cell("0.500", bin=7)),
        (score(0.5, details={"clipped": 0}), Cell("0.500")),
        (
            score(0.0344, details=FLOORS),
            Cell(
                "0.034",
                floor="0.034",
                within=True,
                noise="floor: mean 0.0123, 95% 0.0344; "
                "not distinguishable from calibrated at this n",
            ),
        ),
        (
            score(0.5, details={"floor mean": 0.012, "floor 95%": 0.034}),
            Cell(
                "0.500",
                floor="0.034",
                noise="floor: mean 0.012, 95% 0.034; above what noise gives",
            ),
        ),
    ],
)
def test_a_cell_is_what_its_score_says(one, made):
    assert cell(one, 3) == made


def test_cells_together_are_those_of_each_alone_whatever_stands_beside_them():
    plain = [score(x / 7, x / 9, x / 5) for x in range(8)]
    odd = [None, score(None), score(-1.5, -2.5, 0.5), score(2e15), score(0.5, details=FLOORS)]
    for some in (plain, plain + odd, odd + plain, odd, []):
        assert cells(some, 3) == [cell(one, 3) for one in some]
        assert [c.text for c in cells(some, 2)] == [
            "" if one is None else shown(one.value, 2) for one in some
        ]


def test_a_cell_says_its_interval_by_its_sign_and_sorts_by_its_value():
    made = column(find("hmr"), [*SCORES.values(), score(-1.0, -2.0, 0.5), score(1.0, 0.5, 2)], 1)
    assert made.cells.spans[-2:] == ["-2.0 to 0.5", "0.5–2.0"]
    assert made.cells.sorts == ["", "", "", "-0.5", "0.5", "2.0e+15", "0.5", "-1.0", "1.0"]
    assert list(map(bool, made.strips.value)) == list(map(bool, made.cells.sorts))


def test_a_cell_says_its_interval_and_why_it_has_none():
    tables = environment(folder("templates")).globals["tables"]
    each = [
        score(0.5, 0.25, 0.75, note="a convention"),
        score(0.5, why=NOTED, note="a convention"),
        score(None, why=NOTED, note="no right answer"),
    ]
    made = tables.beside([column(find("hmr"), each, 2)], [])
    assert [_title(html) for html in made] == [
        "95% interval 0.25–0.75; a convention",
        f"no interval: {NOTED}; a convention",
        "no right answer",
    ]
    made = [tables.score(cell(one, 2), spans=True) for one in each]
    assert [_title(html) for html in made] == [
        "a convention",
        f"a convention; no interval: {NOTED}",
        "no right answer",
    ]


def _title(html):
    (cell,) = html5lib.parseFragment(html, container="tr", namespaceHTMLElements=False)
    return cell.get("title")


def test_what_cells_have_to_say_stands_below_their_table_once_each():
    ece = [
        cell(each, 1)
        for each in (
            score(1.0, why="fails 0 of 12: 10 are needed"),
            score(2.0, why="fails 3 of 1,024: 10 are needed"),
            score(2.0, why=NOTED, note="a convention"),
            score(0.5, 0.25, 0.75, note="a convention"),
            score(None, note="no right answer", why="undefined"),
        )
    ]
    hmr = [cell(score(1.0, why="fails 7 of 12: 10 are needed"), 1)] * 3
    told = said_of([(find("ece@10"), joined(ece)), (find("hmr"), joined(hmr))])
    assert [(one.mark, one.measure.key, one.note, one.cells) for one in told] == [
        ("†", "ece@10", "a convention", 2),
        ("–", "ece@10", "no right answer", 1),
        ("", "ece@10", "fails … of …: 10 are needed", 2),
        ("", "ece@10", NOTED, 1),
        ("", "hmr", "fails 7 of 12: 10 are needed", 3),
    ]


HOSTILE = "\"><b title='x'>&amp;%s{{ 1 }}</b>"
SCORES = {
    "undefined": score(None, note=HOSTILE),
    "endless": score(None, note=ENDLESS + HOSTILE),
    "open": score(None, note=HOSTILE, details={"least": -0.1, "most": 0.2}),
    "noted": score(-0.5, -1.0, 0.25, note=HOSTILE),
    "unsound": score(0.5, why=HOSTILE),
    "large": score(2e15, 1e15, 3e15, note=HOSTILE),
    "floor": score(0.5, note=HOSTILE, details={**FLOORS, "n of the bin": 1234}),
}


@pytest.mark.parametrize("name", SCORES)
def test_what_a_score_says_stands_in_its_cell_as_text(name):
    tables = environment(folder("templates")).globals["tables"]
    made = column(find("hmr"), [SCORES[name]], 3)
    one = made.cells.each[0]
    parser = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False)
    for html in (tables.score(one, spans=True), *tables.beside([made], [])):
        (row,) = parser.parseFragment(html, container="tr")
        assert row.tag == "td"
        assert HOSTILE in row.get("title")
        assert "b" not in {element.tag for element in row.iter()}
        assert "".join(row.itertext()).startswith(one.text)


@pytest.mark.parametrize(
    ("values", "digits"),
    [
        ([1e-10, 2e-10], 10),
        ([1.2345678901, 1.2345678902, 1.2345678909], 10),
        ([1e12, 1e12 + 0.0001220703125], 5),
        ([1e12, 1e12 + 0.001, 1e12 + 0.004], 3),
        ([-1e15, 1e15, 3e15], 3),
    ],
)
def test_strips_stand_where_their_values_are_on_the_axis_however_near_or_large_these_are(
    values, digits
):
    made = column(find("iscore"), [score(value) for value in values], digits)
    low, high = Fraction(made.axis.low), Fraction(made.axis.high)
    numbers = [Fraction(float(text)) for text in made.cells.text]
    assert low <= min(numbers) < max(numbers) <= high
    for number, place in zip(numbers, made.strips.value, strict=True):
        assert abs(2 + (number - low) / (high - low) * 96 - int(place)) <= 0.51


def test_the_best_is_one_of_those_that_are_ranked():
    each = [score(0.5), None, score(0.6001), score(0.6002), score(0.7), score(0.6)]
    assert column(find("hmr"), each, 3, 4).cells.best == [False, False, True, True, False, False]
    assert column(find("hmr"), each, 3, 1).cells.best == [False] * 6


def test_strips_of_a_column_with_floors_begin_at_none():
    floors = {"floor mean": 0.44, "floor 95%": 0.45}
    each = [score(0.5), score(0.52, details=floors)]
    assert column(find("ece@10"), each, 3).axis.ends == ("0", "0.6")
    assert column(find("ece@10"), each[:1] * 2, 3).axis.low > 0
