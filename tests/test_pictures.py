"""Pictures of boards and runs: their geometry, their numbers as files, and what they keep back."""

import csv
import io
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from reading import files, having, parse, text
from sites import HOSTILE, NOON, exams

from grader.board import rank, score, visible
from grader.model import Bin, Phase, Snapshot
from grader.site.pictures import of_board, of_run
from grader.site.pictures.axes import axis
from grader.site.pictures.marks import Spot, marked
from grader.site.pictures.plane import contours, on_contour, stretch
from grader.site.pictures.reliability import filled, histogram, reliability
from grader.site.sheets import sheet
from grader.spreadsheet import unguarded

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def site():
    return files()


@pytest.fixture(scope="module")
def public():
    return sheet(visible(Snapshot((exams(),), NOON), "public").tasks[0])


def table(site, path):
    rows = list(csv.reader(io.StringIO(site[path].decode())))
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def drawn(public, name):
    return next(p for p in of_board(public) if p.name == name)


def xml(body):
    return ET.fromstring(body)  # noqa: S314, our own file


def numbers(path):
    return [float(x) for x in re.findall(r"-?[\d.]+", path)]


def test_every_picture_alone_is_xml_with_a_title_a_description_and_a_style(site):
    found = {path: body for path, body in site.items() if path.endswith(".svg")}
    found.pop("static/icon.svg")
    assert {"exams/picture/plane.svg", "exams/run-4/reliability.svg"} <= set(found)
    for path, body in found.items():
        tree = xml(body)
        assert tree.tag == f"{SVG}svg", path
        assert tree.get("role") == "img"
        assert tree.find(f"{SVG}title").text, path
        assert tree.find(f"{SVG}desc").text, path
        ids = [e.get("id") for e in tree.iter() if e.get("id")]
        assert tree.get("aria-labelledby").split() == ids, path
        style = tree.find(f"{SVG}style").text
        assert "prefers-color-scheme: dark" in style
        assert "var(" not in style
        assert {e.tag.removeprefix(SVG) for e in tree.iter()} <= {
            *("svg", "title", "desc", "style", "g", "path", "circle", "rect", "text"),
        }
        assert path.removesuffix("svg") + "csv" in site


def test_a_picture_on_a_page_is_the_one_of_its_file(site):
    page = site["exams/pictures.html"].decode()
    for path, body in site.items():
        if path.startswith("exams/picture/") and path.endswith(".svg"):
            alone = re.sub("<style>.*?</style>\n", "", body.decode(), flags=re.DOTALL)
            assert alone.strip() in page, path


def test_names_in_pictures_are_text_and_harm_no_file(public):
    results = exams()
    odd = replace(results.entries[0], team="a\x00b\x1b[31m\ud800\ufffe", name="=1+1\x85")
    made = files(Snapshot((replace(results, entries=(odd, *results.entries[1:])),), NOON))
    for path, body in made.items():
        if path.endswith(".svg"):
            xml(body)
    row = next(r for r in table(made, "exams/picture/forest.csv") if r["address"] == "run-1")
    assert row["team"] == "a\ufffdb\ufffd[31m\ufffd\ufffd"
    assert row["run"] == "'=1+1\ufffd"
    assert unguarded(row["run"]) == "=1+1\ufffd"


def test_the_page_names_every_run_whatever_it_is_called(site):
    names = [text(e) for e in parse(site["exams/pictures.html"]).iter("bdi")]
    assert set(HOSTILE) <= set(names)


def test_the_plane_has_every_run_that_has_numbers_where_its_rewards_are(site, public):
    found = {r["address"]: r for r in table(site, "exams/picture/plane.csv")}
    runs = [e for e in exams().entries if "withdrawn" not in e.flags]
    assert set(found) == {e.slug for e in runs}
    for entry in runs:
        row = found[entry.slug]
        for key in ("r_o", "r_u", "hmr"):
            assert row[key] == f"{score(entry, key).value:.3f}"
    made = drawn(public, "plane").drawn
    for mark, row in zip(made.marks, table(site, "exams/picture/plane.csv"), strict=True):
        assert mark.spot.x == made.across.at(float(row["r_o"]))
        assert mark.spot.y == made.up.at(float(row["r_u"]))
        assert (mark.spot.kind == "ranked") == bool(row["rank"])
    span = made.across.high - made.across.low
    assert made.up.high - made.up.low == pytest.approx(span)


@pytest.mark.parametrize("ends", [(0, 1, 0, 1), (0.4, 0.7, 0.6, 0.9), (0.9, 1, 0.1, 0.2)])
def test_a_contour_joins_points_of_one_harmonic_mean_from_edge_to_edge(ends):
    across, up = axis(*ends[:2], 0, 1000), axis(*ends[2:], 1000, 0)
    made = contours(across, up)
    assert len(made) >= 2
    for one in made:
        level = float(one.level)
        xs, ys = numbers(one.path)[::2], numbers(one.path)[1::2]
        for x, y in zip(xs, ys, strict=True):
            a = ends[0] + (ends[1] - ends[0]) * x / 1000
            b = ends[2] + (ends[3] - ends[2]) * (1000 - y) / 1000
            assert 2 * a * b / (a + b) == pytest.approx(level, abs=3e-4)
        for x, y in ((xs[0], ys[0]), (xs[-1], ys[-1])):
            assert min(x, y, 1000 - x, 1000 - y) == pytest.approx(0, abs=0.1)
        low, high = stretch(level, across, up)
        for way in (low, (low + high) / 2, high):
            a, b = on_contour(level, way)
            assert 2 / (1 / a + 1 / b) == pytest.approx(level, rel=1e-12)


def test_the_front_is_what_no_ranked_run_beats(site):
    rows = table(site, "exams/picture/accuracy-hmr.csv")
    ranked = [r for r in rows if r["rank"]]
    assert len(ranked) < len(rows)
    points = {r["address"]: (float(r["accuracy"]), float(r["hmr"])) for r in ranked}

    def beaten(one):
        return any(
            other[0] >= one[0] and other[1] >= one[1] and other != one for other in points.values()
        )

    ahead = {slug for slug, point in points.items() if not beaten(point)}
    assert {r["address"] for r in rows if r["front"] == "yes"} == ahead
    tree = xml(site["exams/picture/accuracy-hmr.svg"])
    marks = [e.get("d") for e in having(tree, "path", "point")]
    assert len(marks) == len(ahead)


def test_the_forest_has_every_ranked_run_with_its_interval(site, public):
    rows = table(site, "exams/picture/forest.csv")
    ranked = rank(exams()).ranked
    assert [(r["rank"], r["address"]) for r in rows] == [
        (str(row.rank), row.entry.slug) for row in ranked
    ]
    made = drawn(public, "forest").drawn
    for row, line, cells in zip(ranked, made.lines, rows, strict=True):
        found = score(row.entry, "hmr")
        assert cells["hmr"] == f"{found.value:.3f}"
        assert line.x == made.across.at(float(cells["hmr"]))
        ends = [line.low, line.high]
        if found.low is None:
            assert ends == [None, None]
            assert cells["low"] == cells["high"] == ""
        else:
            assert ends == [made.across.at(float(cells[key])) for key in ("low", "high")]
            assert (cells["low"], cells["high"]) == ("0.061", "0.988")
    assert [line.y for line in made.lines[:2]] == [35.0, 53.0]


def test_labels_hide_nothing_and_the_first_come_first():
    across, up = axis(0, 1, 0, 100), axis(0, 1, 100, 0)
    spots = [Spot(50, 50, "ranked", "", ("first",)), Spot(54, 50, "ranked", "", ("second",))]
    first, second = marked(spots, across, up)
    assert (first.label, first.anchor, first.tx) == ("first", "end", 45)  # right is a point
    assert (second.label, second.anchor, second.tx) == ("second", "start", 59)
    crowd = marked([Spot(50, 50, "ranked", "", ("name",))] * 200, across, up)
    assert sum(bool(m.label) for m in crowd) == 4  # one on each side
    beyond = marked([Spot(-9, -9, "ranked", "")] * 60 + spots, across, up)
    assert not any(m.label for m in beyond)


def test_a_bin_has_its_published_interval_and_its_place():
    bins = [Bin(0, 0.0, 0.0)] * 5 + [Bin(10, 0.55, 0.5), Bin(4, 0.65, None)]
    bins += [Bin(0, 0.0, 0.0)] * 3
    made = reliability(bins, 4)
    assert made.data.rows == (
        ("0.5 – 0.6", "10", "0.5500", "0.5000", "0.2366", "0.7634", "0.0500"),
        ("0.6 – 0.7", "4", "0.6500", "", "", "", ""),
    )
    first, second = made.drawn.bars
    assert (first.x, first.cx, first.top, first.level) == (164.0, 176.0, 130.0, 118.0)
    assert first.ends == (round(10 + 240 * 0.7634, 1), round(10 + 240 * 0.2366, 1))
    assert (second.top, second.ends) == (None, None)
    assert (first.depth, second.depth) == (44.0, 17.6)
    assert "not shown" in second.said
    assert [f.ends for f in filled(bins, 1)] == [(0.2, 0.8), None]
    assert reliability([Bin(0, 0.0, 0.0)], 3) is None


def test_the_histogram_counts_right_upwards_and_wrong_downwards():
    made = histogram([Bin(40, 0.3, 0.25), Bin(20, 0.8, 0.9), Bin(3, 0.9, None)])
    assert [row[1:] for row in made.data.rows] == [
        ("40", "10", "30"),
        ("20", "18", "2"),
        ("3", "", ""),
    ]
    first, second, third = made.drawn.columns
    up = made.drawn.up
    assert (up.at(0), up.low, up.high) == (77.5, -30, 18)
    assert (first.right, first.wrong) == (40.0, 190.0)
    assert (second.right, second.wrong) == (10.0, 85.0)
    assert (third.right, third.wrong, third.all) == (None, None, 66.2)
    assert made.drawn.untold
    assert all(label.isdigit() for label, _ in up.ticks)


def test_a_phase_with_digits_of_its_own_has_no_counts_and_no_finer_interval():
    phase = Phase("dev", NOON, NOON.replace(year=2027), visible="public", digits=1)
    task = replace(exams().task, phases=(phase,))
    runs = tuple(replace(e, phase="dev") for e in exams().entries)
    results = replace(exams(), task=task, entries=runs)
    found = visible(Snapshot((results,), NOON), "public")
    on = next(sheet(part) for part in found.tasks if part.phase)
    made = {p.name: p for p in of_run(on, on.results.entries[3])}
    assert "histogram" not in made
    for row in made["reliability"].data.rows:
        assert all(re.fullmatch(r"-?\d\.\d|", cell) for cell in row[2:]), row
    for bar in made["reliability"].drawn.bars:
        for place in (bar.ends or ()) + ((bar.top,) if bar.top else ()):
            assert (place - 10) % 24 == 0


def test_what_is_hidden_is_not_drawn(public):
    hidden = replace(public.results, unseen=3)
    assert of_board(sheet(hidden)) == ()
    assert "exams/run-10/reliability.svg" not in files()
    for entry in public.results.entries:
        shown = {p.name for p in of_run(public, entry)}
        assert bool(shown) == ("withdrawn" not in entry.flags)
