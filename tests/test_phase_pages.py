"""What boards and pages show of phases, and what nobody may read out of them."""

import os
import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner
from conftest import AT
from reading import having, parse, rows, text
from sites import SCRIPT, entry, exams

from grader import export, store
from grader.board import current, phased, rank, visible
from grader.cli import main
from grader.errors import Mistake
from grader.export.comparing import pair_rows
from grader.intake import receive
from grader.model import (
    About,
    Bin,
    Comparison,
    Kept,
    Pair,
    Phase,
    Selective,
    Snapshot,
    Upload,
    Versus,
)
from grader.paired import public, views
from grader.publishing import publish
from grader.report import terms
from grader.site import pages, render
from grader.site.addresses import phases as slugs
from grader.site.comparing import above as against
from grader.site.newest import latest_of
from grader.site.pictures.forest import forest
from grader.site.sheets import sheet
from grader.tasks import parse as parse_task
from grader.tasks import read_gold

DAY = timedelta(days=1)
DRY_OPENS, DRY_CLOSES = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)
OPENS, CLOSES = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)
REVEAL = datetime(2026, 7, 1, tzinfo=UTC)
REVEAL_SAID = "2026-07-01 00:00:00 UTC (2026-06-30 12:00:00 AoE)"
NOW = OPENS + DAY
DRY = Phase("Dry run", DRY_OPENS, DRY_CLOSES)
COMING = Phase("Later", datetime(2027, 1, 1, tzinfo=UTC), datetime(2027, 2, 1, tzinfo=UTC))
MARKS = ("zebra", "Zebra", "stripes")


def secret(phase="Formal"):
    (found,) = (e for e in exams().entries if e.slug == "run-6")
    made = replace(entry("zebra-7", "Zebrafish", "stripes", found.graded), phase=phase)
    return replace(made, received=NOW)


def results(*phases, entries=()):
    """The exams in phases: the runs there are stand in the first, others where they say."""
    found = exams()
    task = replace(found.task, phases=phases)
    old = tuple(replace(e, phase=phases[0].name) for e in found.entries)
    return replace(found, task=task, entries=(*old, *entries))


def shown(of, at=NOW, viewer="public"):
    return dict(render(visible(Snapshot((of,), at), viewer)))


def formal(**keys):
    return Phase("Formal", OPENS, CLOSES, **keys)


@pytest.mark.parametrize("hides", ["none", "own", "teams", "public"])
@pytest.mark.parametrize("viewer", ["public", "participants"])
@pytest.mark.parametrize("at", [NOW, CLOSES + DAY, REVEAL, COMING.opens])
def test_nothing_of_a_hidden_run_is_in_any_file(hides, viewer, at):
    """Neither a mark of it nor a byte that depends on who sent it, what, when, how good it is."""
    run = secret()
    of = results(DRY, formal(visible=hides, reveal=REVEAL), COMING, entries=(run,))
    of = replace(of, entries=of.entries[-2:])
    files = shown(of, at, viewer)
    seen = at >= REVEAL or hides == "public" or (hides, viewer) == ("teams", "participants")
    told = [
        (path, mark)
        for path, body in files.items()
        for mark in (*MARKS, run.sha256)
        if mark in path or mark.encode() in body
    ]
    assert bool(told) == seen, told
    assert ("exams/zebra-7.html" in files) == seen
    other = replace(
        secret(), slug="yak-1", team="Yaks", name="y", filename="y", size=1, sha256="0" * 64
    )
    other = replace(other, graded=exams().entries[0].graded, received=NOW - timedelta(hours=1))
    assert (files == shown(replace(of, entries=(of.entries[0], other)), at, viewer)) != seen
    page = text(parse(files["exams/phase/formal.html"]))
    assert ("1 run is in. The scores of this phase are hidden until 2026-07-01" in page) != seen


def test_until_when_and_how_many_is_all_that_a_hidden_phase_says():
    gone = replace(secret(), slug="zebra-8", flags={"withdrawn": "oops"})
    held = replace(secret(), slug="zebra-9", graded=None)
    phase = formal(visible="none")
    files = shown(results(DRY, phase, entries=(secret(), gone, held)))
    for path in ("exams/index.html", "exams/phase/formal.html"):
        page = parse(files[path])
        assert "2 runs are in." in text(page)
        assert "hidden until the organisers show them" in text(page)
        assert "Teams" not in [text(dt) for dt in page.iter("dt")]
    assert not any("subset/" in path for path in files)
    assert not any("zebra" in path or b"oops" in body for path, body in files.items())


def test_the_gate_is_passed_twice_as_once():
    of = results(
        DRY, formal(visible="none", digits=1, subsets=False), entries=(secret(), secret("Dry run"))
    )
    once = visible(Snapshot((of,), NOW), "public")
    assert visible(once, "public") == once
    assert [part.unseen for part in once.tasks] == [None, 1]


# --- subsets


def test_no_subset_is_spoken_of_before_the_reveal():
    phase = replace(DRY, subsets=False, reveal=REVEAL, split="all")
    before, after = (shown(results(phase), at) for at in (NOW, REVEAL))
    for path, body in before.items():
        if path.endswith(".parquet"):  # packed; its rows are those of the CSV
            continue
        if path.startswith("exams/") or path == "index.html":
            assert "Medicine" not in body.decode(), path
            assert "Poetry" not in body.decode(), path
        assert "subset/" not in path
    assert "exams/subset/exam.law.html" in after
    assert "Medicine" in after["exams/run-3.html"].decode()
    (mean,) = (
        s
        for e in visible(Snapshot((results(phase),), NOW), "public").tasks[0].entries[:1]
        for s in e.graded.scores
        if s.measure == "macro(hmr,exam)"
    )
    assert mean.note == "undefined in a subset"


# --- digits


def test_no_value_has_more_decimals_than_its_phase_shows():
    files = shown(results(replace(DRY, digits=1)))
    for path, body in files.items():
        if path.startswith("exams/") and not path.endswith("/participate.html"):  # it has none
            page = re.sub(rb"<pre.*?</pre>|<path[^>]*>|<svg [^>]*>", b"", body, flags=re.DOTALL)
            assert re.findall(rb"[0-9]\.[0-9]{2,}", page) == [], path
    (seen,) = visible(Snapshot((results(replace(DRY, digits=1)),), NOW), "public").tasks
    for found in (e.graded.analysis for e in seen.entries if e.graded and e.graded.analysis):
        assert (found.poolings, found.scope) == ((), None)
        for one in found.selective.points:
            assert one.accuracy == pytest.approx(round(one.accuracy, 1), abs=1e-12)
    cell = rows(parse(files["exams/index.html"]))[0].find("td[@class='num primary best']")
    assert re.fullmatch("[01].[0-9]", cell.get("data-key"))


def test_what_lies_beyond_the_digits_changes_no_byte():
    """Of two runs that are equal at the digits, whatever else they are, the site is the same."""
    one = results(replace(DRY, digits=1))
    other = replace(one, entries=tuple(map(_blurred, one.entries)))
    assert one != other
    assert shown(one) == shown(other)
    plain = results(DRY)
    blurred = replace(plain, entries=tuple(map(_blurred, plain.entries)))
    assert shown(plain) != shown(blurred)


@pytest.mark.parametrize(
    ("low", "high", "p", "apart"),
    [
        (-0.0491, -0.0021, 0.0432, "yes"),  # printed 0.00, and told apart
        (-0.0491, 0.0021, 0.0532, "no"),
        (0.0021, 0.0491, 0.0472, "yes"),
        (-0.0021, 0.0491, 0.0512, "no"),
    ],
)
def test_who_is_told_apart_is_decided_once_and_before_rounding(low, high, p, apart):
    sign, may = ("≠", ["1", "2"]) if apart == "yes" else ("≈", ["1–2", "1–2"])
    of = results(replace(DRY, digits=2))
    slugs = tuple(row.entry.slug for row in rank(phased(of)[0]).ranked[:2])
    pair = Pair(0, 1, (low + high) / 2, low, high, p)
    ranks = ((1, 1), (2, 2)) if apart == "yes" else ((1, 2), (1, 2))
    versus = {
        "all": Versus(slugs, Comparison((pair,), ranks, 999, 2.0, (0.6, 0.6), ("", "")), n=150)
    }
    of = replace(of, versus=versus, entries=tuple(e for e in of.entries if e.slug in slugs))
    (seen,) = visible(Snapshot((of,), NOW), "public").tasks
    assert visible(Snapshot((seen,), NOW), "public").tasks == (seen,)
    for part in (seen, phased(of)[0]):  # organisers' interval is printed at the same decimals
        on = sheet(part, "dry-run")
        below = against(on).rows[1]
        assert (below.sign, below.ranks) == (sign, may[1])
        assert below.interval == f"{-high + 0:.2f} to {-low + 0:.2f}".replace("-0.00", "0.00")
        assert below.said.startswith("is told" if apart == "yes" else "cannot be told")
        assert [row[4] for row in forest(on).data.rows] == may
        ((*_, last, _),) = pair_rows(part.versus["all"], 2)
        assert last == apart
    body = shown(of)[f"exams/compare/pairs/{slugs[0]}.js"].decode()
    assert f'"{apart}",""]' in body
    assert re.findall("[0-9][.][0-9]{3,}", body) == []


def _blurred(of):
    """The run with values a hair off, and with other counts of right answers."""
    if of.graded is None or of.graded.analysis is None:
        return of

    def near(value):
        return value if value is None else round(value, 1)

    found = of.graded.analysis
    scores = tuple(
        s._replace(value=near(s.value), low=near(s.low), high=near(s.high))
        for s in of.graded.scores
    )
    bins = tuple(replace(b, accuracy=near(b.accuracy)) for b in of.graded.reliability)
    ladder = tuple(replace(r, value=near(r.value)) for r in found.ladder)
    points = tuple(replace(p, right=_least(p)) for p in found.selective.points)
    analysis = replace(
        found, ladder=ladder, poolings=(), selective=replace(found.selective, points=points)
    )
    right = max(of.graded.right - 1, 0)
    graded = replace(of.graded, scores=scores, reliability=bins, analysed=analysis, right=right)
    return replace(of, graded=graded)


def _least(of):
    """The least count of right answers that is told as this one is, at one decimal."""
    told = round(of.right / of.kept, 1)
    return next(k for k in range(of.kept + 1) if round(k / of.kept, 1) == told)


def released(of, at):
    return replace(of, gold=replace(of.gold, released=at))


def test_what_digits_keep_back_is_shown_once_the_gold_is_public():
    """All pictures and counts are there, as in a task of as many decimals without phases."""
    of = released(results(replace(DRY, digits=2)), NOW)
    free = exams()
    free = replace(free, task=replace(free.task, ranking=replace(free.task.ranking, digits=2)))
    before, after = shown(of, NOW - timedelta(seconds=1)), shown(of)
    plain = shown(released(free, NOW))
    files = [p for p in plain if re.fullmatch(r"exams/(run-\d+|picture)/.*", p)]
    assert {"exams/run-4/coverage.csv", "exams/run-4/auroc.svg"} < set(files)
    for path in files:
        assert after[path] == plain[path], path
    why = "Until the gold is public this phase tells values at 2 decimals"
    for run in ("run-3", "run-4"):
        first, now, never = (text(parse(f[f"exams/{run}.html"])) for f in (before, after, plain))
        assert (why in first, why in now, why in never) == (True, False, False)
        right = re.search(r"Right\s*(\d+)", never)[1]
        assert re.search(r"Right\s*(\d+)", now)[1] == right
        assert "Answered" in first
        assert re.search(r"Right\s*\d+\s*Answered", first) is None
        lost = {p for p in files if p.startswith(f"exams/{run}/")} - set(before)
        assert {p.rpartition("/")[2] for p in lost} <= {"auroc.svg", "auroc.csv"}
    assert before["exams/run-4/coverage.csv"] != after["exams/run-4/coverage.csv"]


def test_a_curve_tells_what_its_rounded_accuracies_tell():
    """Nor is a step of fewer than twenty answers shown, also when the phase is over."""
    of = results(replace(DRY, digits=1))
    (entry,) = (e for e in of.entries if e.slug == "run-4")
    points = ((19, 15), (40, 25), (90, 77), (200, 131))  # .625 → .6, .856 → .9, .655 → .7
    found = Selective(200, tuple(Kept(1 - k / 250, k, r, 0.9 * k) for k, r in points), ())
    bins = (Bin(110, 0.5, 0.5), Bin(50, 0.6, 0.9), Bin(40, 0.9, 0.65))
    graded = replace(entry.graded, reliability=bins)
    graded = replace(graded, analysed=replace(graded.analysis, selective=found))
    of = replace(of, entries=(replace(entry, graded=graded),))
    files = shown(of)
    rows_ = files["exams/run-4/coverage.csv"].decode().splitlines()[1:]
    assert rows_ == ["0.8,40,0.2,0.6", "0.6,90,0.5,0.9", "0.2,200,1.0,0.7"]
    # .6·40 = 24, .9·90 = 81 and .7·200 = 140 are right as far as is told: less the surest from
    # the whole 0, 59, 116 and 140 of 200.
    sums = [line.split(",") for line in files["exams/run-4/cumulative.csv"].decode().splitlines()]
    assert [(n, right) for n, _, _, right, _ in sums[1:]] == [
        ("0", "0.0"),
        ("110", "0.3"),
        ("160", "0.6"),
        ("200", "0.7"),
    ]
    (seen,) = visible(Snapshot((of,), NOW), "public").tasks
    assert visible(Snapshot((seen,), NOW), "public").tasks == (seen,)
    (one,) = seen.entries
    assert [r.at and r.at.kept for r in one.graded.analysis.selective.reaches] == [
        90,
        90,
        None,
        None,
    ]


@pytest.mark.parametrize("viewer", ["public", "organisers"])
@pytest.mark.parametrize("keys", [{}, {"digits": 1}, {"subsets": False}])
def test_every_picture_of_a_site_is_shown_on_a_page_of_it(viewer, keys):
    files = shown(results(replace(DRY, **keys)), viewer=viewer)
    pages_ = {path: parse(body) for path, body in files.items() if path.endswith(".html")}
    led = {
        os.path.normpath(Path(path).parent / link.get("href"))
        for path, page in pages_.items()
        for link in page.iter("a")
        if link.get("href")
    }
    made = {p for p in files if re.fullmatch(r"exams/[^/]+/[^/]+\.(svg|csv)", p)}
    assert {"exams/run-4/coverage.svg", "exams/run-4/histogram.csv"} < made
    assert made <= led
    drawn = {e.get("id") for e in pages_["exams/run-4.html"].iter("figure")}
    mine = {Path(p).stem for p in made if p.startswith("exams/run-4/")}
    assert drawn == {f"picture-{name}" for name in mine}
    assert ("auroc" in mine) == (viewer == "organisers" or not keys)


@pytest.mark.parametrize("keys", [{}, {"digits": 1}, {"subsets": False}])
def test_pages_of_a_run_say_no_less_than_if_they_were_given_all_that_is_known(keys, monkeypatch):
    of = results(formal(visible="public", **keys))
    bins = (Bin(80, 0.5, 0.4),)  # at one decimal nobody can say how many are right
    entries = (
        replace(e, graded=e.graded and replace(e.graded, reliability=bins)) for e in of.entries
    )
    task = replace(of.task, ranking=replace(of.task.ranking, digits=1))
    of = replace(of, task=task, entries=tuple(entries))

    def whole(contest, _):
        for on in contest.sheets:
            for one in on.taking_part:
                last = latest_of(on, one)
                yield SimpleNamespace(contest=contest, on=on, entry=one, last=last, key=one.slug)

    alone = shown(of)
    assert len([path for path in alone if path.startswith("exams/run-")]) > 5
    monkeypatch.setattr(pages, "lone", whole)
    assert shown(of) == alone


def test_digits_of_a_phase_decide_who_shares_a_rank():
    twins = tuple(replace(e, phase="Formal", slug=f"{e.slug}-f") for e in exams().entries[:4])
    of = results(DRY, formal(digits=1), entries=twins)
    dry, later = (rank(part) for part in phased(of))
    assert len({row.rank for row in later.ranked}) < len({row.rank for row in dry.ranked[:4]})
    assert "equal at 1 decimals" in later.rule or "equal at 1 decimal" in later.rule


# --- boards of phases


def test_each_phase_is_ranked_by_itself():
    of = results(DRY, formal(), entries=(secret(),))
    dry, later = (rank(part) for part in phased(of))
    assert [row.entry.slug for row in later.ranked] == ["zebra-7"]
    assert later.ranked[0].rank == 1
    assert "zebra-7" not in {row.entry.slug for row in dry.rows}
    whole = rank(of)
    assert whole.rows == (*dry.ranked, *later.ranked, *dry.unranked, *later.unranked)
    assert [part.phase for part in phased(of)] == [DRY, formal()]
    assert phased(phased(of)[0]) == (phased(of)[0],)


@pytest.mark.parametrize("rule", ["best", "primary"])
def test_a_team_is_ranked_once_in_each_phase(rule):
    of = results(DRY, formal())
    mine = [replace(e, team="Ants", flags={"primary": ""}) for e in of.entries[:2]]
    mine.append(replace(mine[0], slug="ants-3", phase="Formal"))
    ranking = replace(of.task.ranking, rule=rule)
    of = replace(of, entries=tuple(mine), task=replace(of.task, ranking=ranking))
    assert [row.entry.phase for row in rank(of).ranked] == ["Dry run", "Formal"]


def test_runs_from_before_there_were_phases_keep_a_board_of_their_own():
    old = secret("")
    strange = replace(secret("Gone"), slug="yak-1", team="Yaks")
    files = shown(results(DRY, formal(), entries=(old, strange)))
    page = parse(files["exams/phase/before.html"])
    assert [text(row.find("th//bdi")) for row in rows(page)] == ["Zebrafish"]
    assert 'href="phase/before.html"' in files["exams/index.html"].decode()
    assert not any("yak" in path or b"Yaks" in body for path, body in files.items())


@pytest.mark.parametrize(
    ("at", "name"),
    [
        (DRY_OPENS - DAY, "Dry run"),
        (DRY_OPENS, "Dry run"),
        (DRY_CLOSES, "Dry run"),
        (OPENS - timedelta(microseconds=1), "Dry run"),
        (OPENS, "Formal"),
        (CLOSES, "Formal"),
        (COMING.opens, "Later"),
        (COMING.closes + DAY, "Later"),
    ],
)
def test_the_page_of_a_task_begins_with_the_phase_that_is_current(at, name):
    of = results(DRY, formal(), COMING, entries=(secret(),))
    assert current(of.task, at).name == name
    files = shown(of, at)
    page = parse(files["exams/index.html"])
    assert text(page.find(".//h2[@id='board']")) == f"Board of {name}"
    table = having(page, "table", "phases")[0]
    assert [text(row.find("th/a")) for row in table.findall("tbody/tr")] == [
        "Dry run",
        "Formal",
        "Later",
    ]
    own = [text(row.find("th/a")) for row in having(table, "tr", "own")]
    assert own == [name]
    subset = "exams/phase/dry-run/subset/exam.law.html"
    assert (subset in files) == (at > COMING.closes)  # before, labels are in use
    for phase, slug in (("Dry run", "dry-run"), ("Formal", "formal"), ("Later", "later")):
        assert text(parse(files[f"exams/phase/{slug}.html"]).find(".//h1")) == f"Phase {phase}"


def test_the_table_of_phases_says_when_and_how_many():
    phase = formal(per_day=3, late="unofficial", visible="none", reveal=REVEAL)
    row = having(parse(shown(results(DRY, phase))["exams/index.html"]), "tr", "own")[0]
    assert (row.get("data-opens"), row.get("data-closes")) == (
        "2026-05-01T00:00:00Z",
        "2026-06-01T00:00:00Z",
    )
    said = [" ".join(text(cell).split()) for cell in row.findall("td")]
    assert said[:2] == [
        "2026-05-01 00:00:00 UTC 2026-04-30 12:00:00 AoE",
        "2026-06-01 00:00:00 UTC 2026-05-31 12:00:00 AoE",
    ]
    assert [t.get("datetime") for t in row.iter("time")] == [
        "2026-05-01T00:00:00Z",
        "2026-06-01T00:00:00Z",
    ]
    assert said[2].startswith("3 runs a day of UTC")
    assert "until 2026-07-01 00:00:00 UTC" in said[3]
    assert said[4] == "taken, unofficial and not ranked"
    assert text(having(row, "span", "state")[0]) == ""  # the script's alone: pages know no clock


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"reveal": REVEAL}, "seen by everybody"),
        ({}, "seen by everybody"),
        (
            {"reveal": REVEAL, "subsets": False},
            f"seen by everybody, on subsets from {REVEAL_SAID}",
        ),
        ({"subsets": False}, "seen by everybody, but not on subsets"),
        (
            {"visible": "teams", "reveal": REVEAL},
            f"seen by the teams until {REVEAL_SAID}, then everybody",
        ),
    ],
)
def test_who_sees_scores_is_said_once(keys, said):
    assert terms(formal(**keys))["scores"] == said


def test_names_of_phases_become_addresses_of_their_own():
    names = ["A b", "a-b", "index", "before", "東京", "con", "Plain"]
    found = slugs(names)
    assert len(set(found)) == len(names)
    assert not {"index", "before", "con"} & set(found)
    assert found[-1] == "plain"
    assert slugs([*names, "Plain!", "A  B"])[:-2] == found  # what comes later moves none
    assert all(re.fullmatch("[a-z0-9.-]+", slug) for slug in found)


def test_late_runs_stand_in_a_table_of_their_own():
    late = replace(secret("Dry run"), flags={"late": ""})
    gone = replace(late, slug="zebra-8", name="gone", flags={"late": "", "withdrawn": "oops"})
    files = shown(results(replace(DRY, late="unofficial"), entries=(late, gone)))
    page = parse(files["exams/index.html"])
    titles = [text(th) for th in having(page, "th", "apartness")]
    assert titles[:2] == ["Not ranked", "Received after the close (unofficial)"]
    bodies = having(page, "table", "sortable")[0].findall("tbody")
    names = [[text(row.find("th/div//bdi")) for row in rows(page, i)] for i in range(3)]
    assert "late" in bodies[2].get("class").split()
    assert names[2] == ["stripes"]
    assert "stripes" not in names[0] + names[1]
    assert "gone" in names[1]
    assert all(text(row[0]) == "" for row in rows(page, 2))


# --- pages of runs


def test_a_run_page_says_why_it_is_on_the_board_or_not():
    ranked = secret()
    late = replace(ranked, slug="zebra-8", flags={"late": "labels are known"})
    files = shown(results(DRY, formal(), entries=(ranked, late)))
    page = parse(files["exams/zebra-7.html"])
    lead = having(page, "p", "lead")[0]
    assert text(lead) == "Its row on the board of Formal · Compare with other runs"
    assert lead.find("a").get("href") == "index.html#run-zebra-7"  # the phase that is on now
    board = parse(files["exams/index.html"])
    assert [text(row[0]) for row in board.iter("tr") if row.get("id") == "run-zebra-7"] == ["1"]
    assert "2026-05-02 00:00:00 UTC 2026-05-01 12:00:00 AoE" in " ".join(text(page).split())
    page = parse(files["exams/zebra-8.html"])
    assert text(having(page, "p", "lead")[0]) == (
        "Not ranked in Formal: labels are known. Its row on the board of Formal · "
        "Compare with other runs"
    )
    assert "late labels are known" in " ".join(text(page).split())
    assert [a.get("href") for a in having(page, "p", "crumbs")[0].iter("a")][-1] == (
        "phase/formal.html"
    )


def test_what_a_team_says_of_a_run_is_text_and_its_links_are_marked():
    links = (
        "https://papers.example/1?a=b&c",
        "javascript:alert(1)",
        "https://x.example/ onclick=y",
    )
    about = About(f"Two lines,\n**not** Markdown {SCRIPT}", links, ("GPU: 4 hours",))
    files = shown(results(DRY, entries=(replace(secret("Dry run"), about=about),)))
    page = parse(files["exams/zebra-7.html"])
    assert text(having(page, "dd", "said")[0]) == about.text
    found = [a for a in page.iter("a") if a.get("rel")]
    assert [(a.get("href"), a.get("rel")) for a in found] == [(links[0], "nofollow noopener")]
    assert all(text_ in text(page) for text_ in (*links, "GPU: 4 hours"))


# --- the site as a whole

CONFIG = f"""
title = "Kinds"
primary = "accuracy"
measures = ["r_o", "ece@10"]
[gold]
split = "part"
subsets = ["kind"]
[resampling]
resamples = 50
[[phase]]
name = "Dry"
opens = "{DRY_OPENS.isoformat()}"
closes = "{DRY_CLOSES.isoformat()}"
split = "public"
late = "unofficial"
digits = 2
[[phase]]
name = "Formal"
opens = "{OPENS.isoformat()}"
closes = "{CLOSES.isoformat()}"
visible = "none"
reveal = "{REVEAL.isoformat()}"
split = "private"
"""
N = 120


def gold():
    return "id,answer,part,kind\n" + "".join(
        f"q{i},x,{'public' if i < 50 else 'private'},{'a' if i % 2 else 'b'}\n" for i in range(N)
    )


def run(right):
    """The first so many of every ten answers are right, with confidences that say so a little."""
    lines = (
        f"q{i},{'x' if i % 10 < right else 'z'},0.{3 + (i * 7) % 5 + (i % 10 < right)}\n"
        for i in range(N)
    )
    return ("id,answer,confidence\n" + "".join(lines)).encode()


def filled(engine):
    task = parse_task(CONFIG, "kinds")
    with store.unit(engine) as db:
        store.add_task(
            db, "kinds", CONFIG, read_gold(task, gold().encode(), "g.csv"), b"salt" * 8, AT
        )
        for name in ("Ants", "Bees"):
            store.add_team(db, name, f"token of {name}", AT)
    for i, (team, at) in enumerate(
        [
            ("Ants", DRY_OPENS),
            ("Bees", DRY_OPENS),
            ("Bees", DRY_CLOSES),
            ("Ants", OPENS),
            ("Bees", OPENS),
        ]
    ):
        receive(engine, "kinds", Upload(team, f"r{i}", "r.csv", run(5 + i % 4), at))
    return engine


def site(engine, at):
    with store.reading(engine) as db:
        return dict(render(public(db, at)))


def test_counts_comparisons_and_exports_are_those_of_the_phase(engine):
    filled(engine)
    files = site(engine, REVEAL)
    dry, later = (parse(files[f"kinds/{p}.html"]) for p in ("phase/dry", "phase/formal"))
    facts = [[text(dd) for dd in having(p, "dl", "facts")[0].iter("dd")] for p in (dry, later)]
    assert facts == [["50", "3", "2"], ["70", "2", "2"]]
    for page, n in ((dry, "50"), (later, "70")):
        assert {text(row[-1]) for row in rows(page)} == {n}
        heads = [text(c) for c in having(page, "details", "matrix")[0].findall(".//thead//span")]
        assert heads == [f"n {int(n) // 2}"] * 2
        assert f"over {n} instances" in text(page)
        assert {text(row.find("th//bdi")) for row in rows(page)} == {"Ants", "Bees"}
    assert "120 of 120 instances are scored; 70 of these are the private part" in text(
        parse(files["kinds/index.html"])
    )
    with store.reading(engine) as db:
        with pytest.raises(Mistake, match="different phases"):
            views(db, "kinds", ["ants-1", "ants-2"])
        assert set(views(db, "kinds", ["ants-1", "bees-1"])[2]) == {"ants-1", "bees-1"}
        frame = export.frame(store.snapshot(db, REVEAL, ["kinds"]).tasks[0])
    ranked = frame[["phase", "run", "rank"]].drop_duplicates().dropna()
    assert ranked.values.tolist() == [
        ["Dry", "bees-1", 1],
        ["Dry", "ants-1", 2],
        ["Formal", "ants-2", 1],
        ["Formal", "bees-3", 2],
    ]


@pytest.fixture(scope="module")
def phased_site(tmp_path_factory):
    engine = store.opened(f"sqlite:///{tmp_path_factory.mktemp('phases')}/grader.db")
    yield engine.url, filled(engine)
    engine.dispose()


@pytest.mark.parametrize("at", [OPENS, REVEAL])
def test_every_page_is_valid_leads_somewhere_and_names_the_zone_of_a_time(phased_site, at):
    files = site(phased_site[1], at)
    for path, body in files.items():
        if not path.endswith(".html"):
            continue
        page = parse(body)
        assert len(list(page.iter("h1"))) == 1, path
        for link in page.iter("a"):
            to = urlsplit(link.get("href"))
            target = os.path.normpath(Path(path).parent / to.path) if to.path else path
            assert target in files, (path, link.get("href"))
        times = re.findall(r"(?<![0-9a-z])\d\d:\d\d(?::\d\d)?(.{4})", text(page), re.DOTALL)
        assert set(times) <= {" UTC", " AoE"}, path
    assert ("kinds/ants-2.html" in files) == (at == REVEAL)


@pytest.fixture
def in_zone(monkeypatch):
    """A function that makes a zone that of this process."""

    def called(zone):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        return datetime.fromtimestamp(NOW.timestamp()).hour  # noqa: DTZ006, that of the zone

    yield called
    monkeypatch.undo()
    time.tzset()


def test_the_same_instant_gives_the_same_bytes_in_any_zone(phased_site, tmp_path, in_zone):
    address = phased_site[0].render_as_string(hide_password=False)
    made = []
    for zone, hour in (("UTC", 0), ("Pacific/Auckland", 12)):
        assert in_zone(zone) == hour
        out = tmp_path / zone.replace("/", "-")
        command = ["publish", str(out), "--db", address, "--at", NOW.isoformat()]
        assert CliRunner().invoke(main, command).exit_code == 0
        files = sorted(p for p in out.rglob("*") if p.is_file())
        made.append({p.relative_to(out).as_posix(): p.read_bytes() for p in files})
    assert made[0] == made[1]
    assert set(made[0]) == {*site(phased_site[1], NOW), "site.json"}


def test_a_phase_that_is_shown_and_hidden_again_leaves_no_file(phased_site, tmp_path):
    publish(site(phased_site[1], REVEAL).items(), tmp_path)
    publish(site(phased_site[1], NOW).items(), tmp_path)
    left = [p for p in tmp_path.rglob("*") if p.is_file()]
    assert not [p for p in left if "bees-3" in p.name or b"bees-3" in p.read_bytes()]
