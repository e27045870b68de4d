"""The boards of subsets: reference rows, the front, comparisons; what the public sees of them."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from conftest import AT
from reading import having, parse, text
from sites import exams

from grader import paired, store
from grader.board import rank, score, visible
from grader.family import beside, inside
from grader.intake import receive
from grader.model import Beside, Comparison, Pair, Reference, Snapshot, Upload, Versus
from grader.paired import public, views
from grader.site import render
from grader.tasks import parse as parse_task
from grader.tasks import read_gold

KINDS = {"a": 60, "b": 40, "c": 3, "d": 3}
CONFIG = """
title = "Kinds"
measures = ["r_o", "ece@10", "nll"]
[gold]
subsets = ["kind"]
[resampling]
resamples = 100
"""
HMR = 'primary = "hmr"\n'
MACRO = 'primary = "macro(hmr,kind)"\n'


def gold():
    kinds = [kind for kind, n in KINDS.items() for _ in range(n)]
    lines = [f"q{i:03},x,{kind}" for i, kind in enumerate(kinds)]
    return "\n".join(["id,answer,kind", *lines]).encode()


def run(skill, seed):
    rng = np.random.default_rng(seed)
    right = rng.random(sum(KINDS.values())) < skill
    sure = np.clip(0.4 + 0.3 * right + rng.normal(0, 0.15, len(right)), 0, 1).round(3)
    lines = [
        f"q{i:03},{'x' if y else 'z'},{c}"
        for i, (y, c) in enumerate(zip(right, sure, strict=True))
    ]
    return "\n".join(["id,answer,confidence", *lines]).encode()


def fill(engine):
    config = HMR + CONFIG
    task = parse_task(config, "kinds")
    with store.unit(engine) as db:
        store.add_task(db, "kinds", config, read_gold(task, gold(), "gold"), b"salt" * 8, AT)
        for i in range(4):
            store.add_team(db, f"Team {i}", f"token {i}", AT)
    for i, skill in enumerate((0.8, 0.7, 0.6, 0.5)):
        came = AT + timedelta(minutes=i)
        receive(engine, "kinds", Upload(f"Team {i}", "run", "r.csv", run(skill, i), came))


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    engine = store.opened(f"sqlite:///{tmp_path_factory.mktemp('boards')}/grader.db")
    fill(engine)
    yield engine
    engine.dispose()


@pytest.fixture(scope="module")
def snapshot(stored):
    with store.reading(stored) as db:
        return public(db, AT)


def page(snapshot, address):
    return parse(dict(render(snapshot))[address])


def lines(body):
    return [[text(cell) for cell in row] for row in body.findall("tr")]


def test_each_board_is_compared_from_one_reading_of_each_run(engine, monkeypatch):
    fill(engine)
    seen = []

    def counted(db, slug, runs):
        seen.append(len(runs))
        return read(db, slug, runs)

    read = store.stored_views
    monkeypatch.setattr(store, "stored_views", counted)
    monkeypatch.delattr(paired, "viewed")  # what was kept with the scores is read, no upload
    with store.reading(engine) as db:
        results = public(db, AT).tasks[0]
    assert seen == [4]
    assert set(results.versus) == {"all", "kind=a", "kind=b", "kind=c", "kind=d"}
    assert [results.versus[f"kind={kind}"].n for kind in "ab"] == [60, 40]
    for subset in ("all", "kind=a", "kind=b"):
        ranked = tuple(row.entry.slug for row in rank(results, subset).ranked)
        assert results.versus[subset].slugs == ranked
    # Three instances: the public sees no value there, so there is nothing to compare.
    assert results.versus["kind=c"].comparison is None
    assert set(results.beside) == {"kind=a", "kind=b"}


def test_a_subset_page_has_references_front_and_comparison(snapshot):
    results = snapshot.tasks[0]
    found = page(snapshot, "kinds/subset/kind.a.html")
    best = rank(results, "kind=a").ranked[0].entry
    [body] = having(found, "tbody", "compared")
    assert best.team in text(having(found, "details", "compared")[0])
    half = next(row for row in body.findall("tr") if "every confidence ½" in text(row))
    accuracy = score(best, "accuracy", "kind=a").value
    # HMR, accuracy, Brier and R_O of a run that always says ½.
    values = [text(cell) for cell in half.findall("td")][:4]
    assert values == ["0.500", f"{accuracy:.3f}", "0.250", "0.500"]
    always = next(row for row in body.findall("tr") if "every confidence 1" in text(row))
    assert [text(cell) for cell in always.findall("td")][2] == f"{1 - accuracy:.3f}"
    assert "On the accuracy–HMR front" in text(found)
    [table] = having(found, "details", "versus")
    rows = lines(table.find(".//tbody"))
    assert len(rows) == 4
    pair = results.versus["kind=a"].comparison.pairs[0]
    assert rows[1][3] == f"{-pair.difference:.3f}"
    assert rows[1][4] == f"{-pair.high:.3f} to {-pair.low:.3f}"
    assert "over 60 instances that all compared runs were scored on" in text(table)
    assert "each board is a family of comparisons of its own" in text(table)
    marks = [text(e)[0] for e in having(found, "span", "against")]
    assert marks == ["≠" if row[6] == "yes" else "≈" for row in rows[1:]]


def test_a_row_that_is_not_compared_says_why_and_so_does_the_one_below(snapshot):
    [results] = snapshot.tasks
    found = results.versus["kind=a"]
    reasons = ("", "too few", "", "")
    pairs = tuple(
        p._replace(low=None, high=None, p=None, reason="too few") if 1 in (p.a, p.b) else p
        for p in found.comparison.pairs
    )
    changed = replace(found.comparison, pairs=pairs, reasons=reasons)
    versus = {**results.versus, "kind=a": replace(found, comparison=changed)}
    shown = replace(snapshot, tasks=(replace(results, versus=versus),))
    table = having(page(shown, "kinds/subset/kind.a.html"), "details", "versus")[0]
    verdicts = [row[6] for row in lines(table.find(".//tbody"))]
    assert verdicts[1:3] == ["not compared: too few", "not compared: the row above: too few"]
    assert verdicts[3] in ("yes", "no")
    marks = [text(e) for e in having(page(shown, "kinds/subset/kind.a.html"), "span", "against")]
    assert len(marks) == 1  # the two that were not compared have none
    assert marks[0][0] == ("≠" if verdicts[3] == "yes" else "≈")
    assert "without a sign the two were not compared" in text(
        page(shown, "kinds/subset/kind.a.html")
    )
    assert "without a sign" not in text(page(snapshot, "kinds/subset/kind.a.html"))


def test_the_front_of_a_subset_is_of_its_own_values(snapshot):
    results = snapshot.tasks[0]
    for subset, address in (("kind=a", "kind.a"), ("kind=b", "kind.b")):
        points = {
            row.entry.team: tuple(
                round(score(row.entry, key, subset).value, 3) for key in ("accuracy", "hmr")
            )
            for row in rank(results, subset).ranked
        }
        kept = {
            team
            for team, (x, y) in points.items()
            if not any(a >= x and b >= y and (a, b) != (x, y) for a, b in points.values())
        }
        body = page(snapshot, f"kinds/subset/{address}.html")
        [listed] = [p for p in having(body, "p", "key") if "front" in text(p)]
        assert {text(a).split(" · ")[0] for a in listed.iter("a")} == kept


def test_a_subset_of_a_few_instances_says_nothing(snapshot):
    files = dict(render(snapshot))
    subsets = [p for p in files if "subset/" in p]
    assert subsets == ["kinds/subset/kind.a.html", "kinds/subset/kind.b.html"]
    whole = parse(files["kinds/index.html"])
    chips = [(text(e), e.tag) for e in whole.iter() if "chip" in e.get("class", "").split()]
    assert chips == [
        ("Whole task 106", "a"),
        ("a 60", "a"),
        ("b 40", "a"),
        ("c 3, no values", "span"),
        ("d 3, no values", "span"),
    ]
    for body in (whole, parse(files["kinds/team-0-1.html"])):
        ways = [a.get("href") for a in body.iter("a") if "subset/" in a.get("href")]
        assert set(ways) == {"subset/kind.a.html", "subset/kind.b.html"}


def test_a_table_without_values_is_not_drawn_and_says_why(snapshot):
    [results] = snapshot.tasks
    runs = tuple(
        replace(
            e,
            graded=replace(
                e.graded,
                scores=tuple(
                    s if s.subset == "all" else s._replace(value=None, note="not told")
                    for s in e.graded.scores
                ),
            ),
        )
        for e in results.entries
    )
    files = dict(render(replace(snapshot, tasks=(replace(results, entries=runs),))))
    found = parse(files["kinds/index.html"])
    assert not having(found, "details", "matrix")
    assert "HMR by kind: no run has a value to show." in text(found)
    assert "HMR: not told (16 times)" in " ".join(text(found).split())  # 4 runs × 4 subsets
    assert not [p for p in files if "heat" in p or "subset/" in p]


def test_the_reference_rows_of_a_subset_are_of_the_answers_there(stored):
    with store.reading(stored) as db:
        task, known, seen = views(db, "kinds", ["team-0-1"])
    [(judged, counted)] = seen.values()
    made = beside(task, known, (judged, counted), "team-0-1", "kind=b")
    at = np.flatnonzero(inside(known, "kind=b"))
    right, sure = judged.correct[at], judged.confidence[at]
    least = np.sort(sure)[len(at) - right.sum()]
    assert made.n == 40
    assert made.smallest == min((sure >= least).sum(), (sure < least).sum())
    over = 1 - (sure >= least)[~right].mean()
    under = (sure >= least)[right].mean()
    row = next(r for r in made.references if r.key == "threshold")
    value = next(r.value for r in row.readings if r.measure == "hmr")
    assert value == pytest.approx(2 * over * under / (over + under), abs=1e-12)


def test_the_public_sees_no_comparison_over_a_few_instances():
    pair = Pair(0, 1, 0.1, None, None, None, "too few")
    found = Comparison((pair,), (None, None), 10, None, (0.6, 0.5), ("", ""))
    rows = tuple(Reference(key, ()) for key in ("one", "threshold"))
    results = replace(
        exams(),
        versus={f"exam={n}": Versus(("a", "b"), found, n=n) for n in (4, 5)},
        beside={f"n={n}": Beside("a", n, least, rows) for n, least in ((4, 4), (9, 4), (10, 5))},
    )
    organisers = visible(Snapshot((results,), AT), "organisers").tasks[0]
    assert (organisers.versus, organisers.beside) == (results.versus, results.beside)
    seen = visible(Snapshot((results,), AT), "public")
    [shown] = seen.tasks
    assert shown.versus["exam=4"] == Versus(
        ("a", "b"), None, "they share fewer than 5 instances", 4
    )
    assert shown.versus["exam=5"] == results.versus["exam=5"]
    assert {s: [r.key for r in made.references] for s, made in shown.beside.items()} == {
        "n=9": ["one"],
        "n=10": ["one", "threshold"],
    }
    assert visible(seen, "public") == seen


def test_a_macro_ranks_its_parts_by_what_it_is_a_mean_of(stored):
    with store.reading(stored) as db:
        task, known, seen = views(db, "kinds", ["team-0-1", "team-1-1"])
    task = parse_task(MACRO + CONFIG, "kinds")
    view = seen["team-0-1"]
    made = beside(task, known, view, "team-0-1", "kind=a")
    assert {r.measure for r in made.references[0].readings} >= {"hmr", "accuracy", "nll"}
    assert not any("macro" in r.measure for r in made.references[0].readings)
