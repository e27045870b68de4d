"""Pictures of boards and runs: their geometry, their numbers as files, and what they keep back."""

import csv
import io
import itertools
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from reading import files, having, parse, text
from sites import HOSTILE, NOON, entry, exams

from grader.analysis.selective import selective
from grader.board import FEW, rank, score, visible
from grader.measures import find
from grader.model import (
    Bin,
    Cross,
    GoldSummary,
    Graded,
    Intervals,
    Judged,
    Phase,
    Pooling,
    Results,
    Rung,
    Score,
    Selective,
    Snapshot,
    Task,
)
from grader.site.pictures import of_board, of_run
from grader.site.pictures.auroc import auroc
from grader.site.pictures.axes import axis
from grader.site.pictures.coverage import spread
from grader.site.pictures.cumulative import cumulative, sums
from grader.site.pictures.headroom import headroom
from grader.site.pictures.histogram import histogram
from grader.site.pictures.marks import Spot, marked
from grader.site.pictures.plane import contours, on_contour, stretch
from grader.site.pictures.reliability import filled, reliability
from grader.site.pictures.rungs import rungs
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
            *("svg", "title", "desc", "style", "g", "path", "circle", "rect", "text", "tspan"),
        }
        assert path.removesuffix("svg") + "csv" in site


def test_a_picture_on_a_page_is_the_one_of_its_file(site):
    page = site["exams/pictures.html"].decode()
    for path, body in site.items():
        if path.startswith("exams/picture/") and path.endswith(".svg"):
            alone = re.sub("<style>.*?</style>\n", "", body.decode(), flags=re.DOTALL)
            wide, high = map(float, xml(body).get("viewBox").split()[2:])
            size = f'width="{wide}" height="{high}"'
            assert size in alone
            # fifteen units are a rem
            assert alone.replace(size, f'width="{wide / 15:.1f}rem"').strip() in page, path


def test_no_text_of_a_picture_is_smaller_than_nine_pixels():
    sheet = Path("templates/static/pictures.css").read_text(encoding="utf-8")
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", sheet)]
    assert len(sizes) >= 6
    assert min(sizes) * 16 / 15 > 9


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
    for one in runs:
        for key in ("r_o", "r_u", "hmr"):
            assert found[one.slug][key] == f"{score(one, key).value:.3f}"
    made = drawn(public, "plane").drawn
    for mark, row in zip(made.marks, table(site, "exams/picture/plane.csv"), strict=True):
        assert mark.spot.x == made.across.at(float(row["r_o"]))
        assert mark.spot.y == made.up.at(float(row["r_u"]))
        assert (mark.spot.kind == "ranked") == bool(row["rank"])
    span = made.across.high - made.across.low
    assert made.up.high - made.up.low == pytest.approx(span)


@pytest.mark.parametrize("ends", [(0, 1, 0, 1), (0.4, 0.7, 0.6, 0.9), (0.9, 1, 0.1, 0.2)])
def test_a_contour_joins_points_of_one_harmonic_mean_from_edge_to_edge(ends):
    across, up = axis(ends[:2], (0, 1000)), axis(ends[2:], (1000, 0))
    made = contours(across, up, 3)
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


def test_labels_on_planes_keep_off_the_front_and_curves_break_at_theirs(site):
    tree = xml(site["exams/picture/accuracy-hmr.svg"])
    places = having(tree, "path", "ahead")[0].get("d")[1:].split("L")
    corners = [tuple(map(float, place.split())) for place in places]
    labels = having(tree, "text", "halo")
    assert labels
    for one in labels:
        x, y, wide = float(one.get("x")), float(one.get("y")), 4.9 * len(one.text)
        x -= {"end": wide, "mid": wide / 2}.get(one.get("class").split()[-1], 0)
        for (a, b), (c, d) in itertools.pairwise(corners):
            level = min(a, c) < x + wide and max(a, c) > x
            upright = min(b, d) < y and max(b, d) > y - 7
            assert not (level and upright), one.text
    order = [e.get("class") for e in tree.iter()]
    assert order.index("ahead") > max(i for i, c in enumerate(order) if c and "halo" in c)
    assert order.index("point") > order.index("ahead")
    tree = list(xml(site["exams/picture/plane.svg"]).iter())
    at = [i for i, e in enumerate(tree) if e.get("class") == "plate"]
    assert at
    assert all(e.get("class") != "contour" for e in tree[at[0] :])
    for plate, label in ((tree[i], tree[i + 1]) for i in at):
        left, wide = float(plate.get("x")), float(plate.get("width"))
        assert left + wide / 2 == pytest.approx(float(label.get("x")), abs=0.11)
        assert wide > 5 * len(label.text)  # a digit is less than 0.6 of 8.5 wide, a point half


def test_the_label_of_a_curve_makes_way_for_points():
    across, up = axis((0, 1), (0, 300)), axis((0, 1), (300, 0))
    free = {c.level: (c.x, c.y) for c in contours(across, up, 3)}
    assert free["0.5"] == (150.0, 150.0)
    moved = {c.level: c for c in contours(across, up, 3, [Spot(150, 150, "ranked", "")])}
    left, top, right, bottom = moved["0.5"].plate
    assert not (left < 150 < right and top < 150 < bottom)
    x, y = moved["0.5"].x / 300, 1 - moved["0.5"].y / 300
    assert 2 * x * y / (x + y) == pytest.approx(0.5, abs=1e-3)
    assert (moved["0.4"].x, moved["0.4"].y) == free["0.4"]


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
    tree = xml(site["exams/picture/forest.svg"])
    assert not having(tree, "circle", "point")  # it would hide a short interval
    assert [e.get("d").split()[0] for e in having(tree, "path", "value")] == [
        f"M{line.x}" for line in made.lines
    ]
    for group in tree.iter(f"{SVG}g"):
        kinds = [e.get("class") for e in group.iter(f"{SVG}path")]
        assert kinds in (["value"], ["value", "whisker"])  # the interval over the value


def test_labels_hide_nothing_and_the_first_come_first():
    across, up = axis((0, 1), (0, 100)), axis((0, 1), (100, 0))
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
    assert (up.at(0), up.low, up.high) == (85.5, -30, 18)
    assert (first.right, first.wrong) == (48.0, 198.0)
    assert (second.right, second.wrong) == (18.0, 93.0)
    assert (third.right, third.wrong, third.all) == (None, None, 74.2)
    assert made.drawn.untold
    assert all(label.isdigit() for label, _ in up.ticks)


def test_no_word_stands_on_the_bars_of_a_histogram(site):
    found = having(xml(site["exams/run-4/histogram.svg"]), "text", "aside")
    assert [e.text for e in found] == ["↑ right", "↓ wrong"]
    assert [float(e.get("y")) for e in found] == [13.0, 226.0]  # the bars stand from 18 to 198


def test_a_phase_with_digits_of_its_own_tells_no_counts_and_no_finer_interval():
    phase = Phase("dev", NOON, NOON.replace(year=2027), visible="public", digits=1)
    task = replace(exams().task, phases=(phase,))
    runs = tuple(replace(e, phase="dev") for e in exams().entries)
    results = replace(exams(), task=task, entries=runs)
    found = visible(Snapshot((results,), NOON), "public")
    on = next(sheet(part) for part in found.tasks if part.phase)
    made = {p.name: p for p in of_run(on, on.results.entries[3])}
    assert "auroc" not in made
    counts = [row[2:] for row in made["histogram"].data.rows]
    assert ("", "") in counts  # at one decimal of so many answers nobody can say how many
    for row in made["reliability"].data.rows:
        assert all(re.fullmatch(r"-?\d\.\d|", cell) for cell in row[2:]), row
    for bar in made["reliability"].drawn.bars:
        for place in (bar.ends or ()) + ((bar.top,) if bar.top else ()):
            assert (place - 10) % 24 == 0


def test_what_is_hidden_is_not_drawn(public):
    hidden = replace(public.results, unseen=3)
    assert of_board(sheet(hidden)) == ()
    assert "exams/run-10/reliability.svg" not in files()
    for one in public.results.entries:
        shown = {p.name for p in of_run(public, one)}
        assert bool(shown) == ("withdrawn" not in one.flags)


def test_the_heat_map_has_every_run_on_every_subset_with_its_n(site, public):
    runs = [r.entry for r in public.board.rows if "withdrawn" not in r.entry.flags]
    rows = table(site, "exams/picture/heat-exam.csv")
    assert len(rows) == 3 * len(runs)
    for row in rows:
        one = next(e for e in runs if e.slug == row["address"])
        found = public.scores[one.slug].get(("hmr", f"exam={row['subset']}"))
        value = None if found is None else found.value
        assert row["hmr"] == ("" if value is None else f"{value:.3f}")
        assert row["n"] == str(found.n if found else "")
    made = drawn(public, "heat-exam").drawn
    cells = [c for strip in made.strips for c in strip.cells]
    assert {c.shade for c in cells if c.value == "–"} == {0}
    least, most = map(float, made.ends)
    for cell in cells:
        if cell.shade:
            share = (float(cell.value) - least) / (most - least)
            assert cell.shade == min(1 + int(5 * share + 1e-9), 5), cell
    tree = xml(site["exams/picture/heat-script.svg"])
    assert sum(
        e.get("class") in {f"shade-{i}" for i in range(6)} for e in tree.iter()
    ) == 5 + 3 * (len(runs))


def test_a_lower_is_better_measure_has_its_strongest_shade_at_the_least_value():
    results = replace(exams(), task=replace(exams().task, primary="brier"))
    made = drawn(sheet(visible(Snapshot((results,), NOON), "public").tasks[0]), "heat-exam").drawn
    assert float(made.ends[0]) > float(made.ends[1])
    best = [c.value for s in made.strips for c in s.cells if c.value == made.ends[1]]
    assert best
    assert {c.shade for s in made.strips for c in s.cells if c.value in best} == {5}


def test_curves_of_a_board_are_those_of_its_first_runs_and_the_data_is_of_all(site, public):
    ranked = [row.entry for row in public.board.ranked]
    made = drawn(public, "coverage")
    assert [t.name.split()[0] for t in made.drawn.traces] == [
        str(row.rank) for row in public.board.ranked
    ]
    rows = table(site, "exams/picture/coverage.csv")
    assert {r["address"] for r in rows} > {e.slug for e in ranked}
    for one in ranked:
        points = one.graded.analysis.selective.points
        own = [r for r in rows if r["address"] == one.slug]
        assert [int(r["kept"]) for r in own] == [p.kept for p in points]
        assert [r["accuracy"] for r in own] == [f"{p.right / p.kept:.3f}" for p in points]
    (wall,) = having(parse(site["exams/pictures.html"]), "section", "wall-curves")
    assert f"of the best {len(ranked)} ranked runs: compare others." in text(wall)
    assert "compare.html" in [a.get("href") for a in wall.iter("a")]
    tree = xml(site["exams/picture/coverage.svg"])
    styles = [e.get("class") for e in having(tree, "path", "line")]
    assert sorted(styles) == sorted(2 * [f"line line-{i + 1}" for i in range(len(ranked))])


@pytest.mark.parametrize("seed", range(20))
def test_labels_at_the_edge_stand_apart_within_it_and_in_order(seed):
    wanted = np.random.default_rng(seed).uniform(0, 190, 8).tolist()
    found = spread(wanted, 0, 190)
    order = sorted(range(8), key=wanted.__getitem__)
    placed = [found[i] for i in order]
    assert all(b - a >= 10 - 0.11 for a, b in itertools.pairwise(placed))
    assert -0.1 <= placed[0] <= placed[-1] <= 190.1


def test_the_cumulative_curves_add_up_and_their_largest_gap_is_ks():
    # by hand: .2 wrong, .4 right, .6 wrong, .8 right, 1 right
    confidence, right = [0.2, 0.4, 0.6, 0.8, 1.0], [False, True, False, True, True]
    run = Judged(np.array(right), np.array(confidence))
    found = selective(run)
    assert [(s.n, s.confidence, s.right) for s in sums(found, 3)] == [
        (0, 0.0, 0.0),
        (1, 0.04, 0.0),
        (2, 0.12, 0.2),
        (3, 0.24, 0.2),
        (4, 0.4, 0.4),
        (5, 0.6, 0.6),
    ]
    ks = find("ks")(run).value
    assert ks == pytest.approx(0.08)
    made = cumulative(found, [Rung("ks", ks, 0.02, 0.05)], 3)
    assert max(abs(float(r[4])) for r in made.data.rows) == pytest.approx(ks)
    drawn = made.drawn
    assert drawn.widest == (drawn.across.at(0.4), drawn.off.at(0), drawn.off.at(-0.08))
    assert drawn.band == (drawn.off.at(0.05), drawn.off.at(-0.05))
    assert drawn.largest == "0.080"


def test_the_sums_of_a_run_are_told_at_public_points_only(public):
    for one in public.results.entries[:6]:
        found = one.graded.analysis.selective
        steps = [b.n - a.n for a, b in itertools.pairwise(sums(found, 3))]
        assert min(steps) >= FEW
        assert sum(steps) == found.n
    assert cumulative(Selective(9, (), ()), [Rung("ks", 0.1)], 3) is None


def test_the_ladder_puts_each_error_on_one_scale_from_nothing():
    made = rungs([Rung("ece@10", 0.1, 0.02, 0.04), Rung("ks", 0.2, reason="none")], 3).drawn
    assert (made.across.low, made.across.high) == (0.0, 0.2)
    first, second = made.steps
    assert (first.x, first.mean, first.most) == (253.0, 177.0, 196.0)  # 158 + 190 × value / .2
    assert (second.x, second.mean, second.most, second.above) == (348.0, None, None, None)


def test_the_parts_of_an_auroc_have_their_shares_and_average_to_the_pooled_one(public):
    one = next(e for e in public.results.entries if e.slug == "run-4")
    found = one.graded.analysis.poolings[0]
    made = next(p for p in of_run(public, one) if p.name == "auroc")
    group = made.drawn.groups[0]
    within, across = group.parts[:2]
    share = found.within.pairs / found.pairs
    assert within.percent == f"{100 * share:.1f}%"
    assert share * found.within.auroc + (1 - share) * found.across.auroc == pytest.approx(
        found.pooled
    )
    assert within.share + across.share == pytest.approx(60, abs=0.11)
    assert group.pooled == made.drawn.across.at(round(found.pooled, 3))
    listed = {r[1:3]: float(r[4]) for r in made.data.rows[2:] if r[0] == "exam"}
    assert sum(listed.values()) == pytest.approx(100, abs=0.3)


def test_dimensions_of_an_auroc_stand_on_one_scale_each_with_the_pooled_value_of_its_own():
    inside = (Cross("law", "law", 10, 6.0), Cross("=cmd", "=cmd", 10, 5.0))
    first = Pooling(
        "exam", 3, inside, Cross("", "", 20, 11.0), Cross("", "", 30, 21.0), listed=False
    )
    one = Cross("1", "1", 10, 8.0)
    second = Pooling("year", 2, (one,), one, Cross("", "", 0, 0.0))
    made = auroc([first, second], 2)
    across, (top, below) = made.drawn.across, made.drawn.groups
    # 32 of 50 pairs and 8 of 10; the diamonds are 0.55 and 0.7, 0.8 and nothing.
    assert (top.said, below.said) == ("pooled 0.64", "pooled 0.80")
    assert (top.pooled, below.pooled) == (across.at(0.64), across.at(0.8))
    assert [p.value for p in top.parts] == ["0.55", "0.70", "0.60", "0.50"]
    assert [p.value for p in below.parts] == ["0.80", "–", "0.80"]
    assert [p.x for p in below.parts] == [across.at(0.8), None, across.at(0.8)]
    assert (top.top, top.bottom) == (40.0, 112.0)  # a head of 18 below 22, four rows of 18
    assert (below.top, below.bottom) == (136.0, 190.0)  # a gap of 6 and a head, three rows
    assert below.parts[0].y == 145.0
    assert made.about.endswith("pooled it is 0.64, 0.80.")
    assert made.data.rows[3] == ("exam", "=cmd", "=cmd", "0.50", "20.0")
    assert "exam,'=cmd,'=cmd,0.50,20.0\n" in made.data.csv
    assert auroc([], 2) is None


def test_headroom_has_each_measure_before_and_after(public):
    one = next(e for e in public.results.entries if e.slug == "run-3")
    found = one.graded.analysis.recalibration
    made = next(p for p in of_run(public, one) if p.name == "recalibration")
    assert [r[2] for r in made.data.rows] == [
        f"{r.value:.3f}" for each in (found.before, found.after[0].readings) for r in each
    ]
    for panel in made.drawn.panels:
        for stroke in panel.strokes:
            assert stroke.x == panel.across.at(float(stroke.value))
    assert headroom(replace(found, after=()), 3) is None


def test_an_interval_task_says_why_pictures_are_missing():
    task = Task(
        "widths", "Widths", kind="interval", interval=Intervals(level=0.9), primary="iscore"
    )
    run = entry(
        "run-1", "Ants", "one", Graded((Score("iscore", "all", 5, 3.25),), (), (), 5, 5, 3, 0)
    )
    gold = GoldSummary(1, "00" * 32, NOON, "", 5, 5)
    site = files(Snapshot((Results(task, gold, (run,)),), NOON))
    said = text(parse(site["widths/pictures.html"]))
    assert "there are no rewards, no front and no accuracy–coverage curves" in said
    assert [p for p in site if p.startswith("widths/picture/")] == [
        "widths/picture/forest.csv",
        "widths/picture/forest.svg",
    ]
    assert not any(p.startswith("widths/run-1/") for p in site)


def test_more_runs_than_have_names_are_drawn_all_the_same():
    results = exams()
    base = results.entries[3]
    many = tuple(replace(base, slug=f"many-{i}", team=f"Team {i}") for i in range(90))
    on = sheet(visible(Snapshot((replace(results, entries=many),), NOON), "public").tasks[0])
    made = {p.name: p for p in of_board(on)}
    lines = made["forest"].drawn.lines
    assert (len(lines), sum(bool(line.name) for line in lines)) == (90, 60)
    assert made["forest"].drawn.bottom == 26 + 60 * 18 + 30 * 3
    many = tuple(replace(base, slug=f"many-{i}", team=f"Team {i}") for i in range(780))
    on = sheet(visible(Snapshot((replace(results, entries=many),), NOON), "public").tasks[0])
    long = drawn(on, "forest").drawn
    assert long.bottom == 26 + 60 * 18 + 360  # the rest share what 120 of them would take
    assert [line.y for line in (long.lines[60], long.lines[-1])] == [1106.25, 1465.75]
    for name in ("plane", "accuracy-hmr"):
        marks = made[name].drawn.marks
        assert len(marks) == 90
        assert sum(bool(m.label) for m in marks) <= 8
        assert all(m.small == (not m.label and m.spot.kind != "front") for m in marks)
    assert sum(m.small for m in made["plane"].drawn.marks) >= 82
    heat = made["heat-exam"]
    assert (len(heat.drawn.strips), heat.drawn.more, len(heat.data.rows)) == (60, 30, 270)
    assert len(made["coverage"].drawn.traces) == 8
