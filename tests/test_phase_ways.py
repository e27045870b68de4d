"""How pages lead from phase to phase, what they show while one is hidden, and as of when."""

from dataclasses import replace
from datetime import timedelta

import pytest
from crawling import broken, links
from reading import having, parse, rows, text
from sites import exams, with_past
from test_phase_pages import (
    CLOSES,
    COMING,
    DAY,
    DRY,
    DRY_CLOSES,
    NOW,
    OPENS,
    REVEAL,
    formal,
    results,
    secret,
    shown,
)

from grader.board import rank, visible
from grader.model import Comparison, Gold, OpenGold, Pair, Snapshot, Versus
from grader.site import frozen, render
from grader.site.newest import latest
from grader.site.sheets import contests
from grader.site.teams import sides

LAW = "exams/subset/exam.law.html"
HIDDEN = formal(visible="none", reveal=REVEAL)


def words(node):
    return " ".join(text(node).split())


def chips(body, by="Phases"):
    """The phases or subsets that a page leads to: chip, where it leads, whether it is here."""
    page = parse(body)
    for nav in page.iter("nav"):
        if nav.get("aria-label") == by:
            return [(words(a), a.get("href"), a.get("aria-current")) for a in nav.iter("a")]
    return None


def ways_from(files, path):
    """Where the links of a page lead."""
    return {f"{to}#{name}" if name else to for at, _, to, name in links(files) if at == path}


def tab(body):
    """The tab of the task's navigation that is marked, and how."""
    (nav,) = having(parse(body), "nav", "tasknav")
    (found,) = (a for a in nav.iter("a") if a.get("aria-current"))
    return text(found), found.get("aria-current")


def test_every_board_leads_to_the_boards_of_the_other_phases():
    files = shown(results(DRY, HIDDEN, COMING, entries=(secret(), secret(""))))
    said = ["Dry run closed", "Formal open, scores hidden", "Later to come"]
    assert chips(files["exams/index.html"]) == [
        (said[0], "phase/dry-run.html", None),
        (said[1], "index.html", "page"),
        (said[2], "phase/later.html", None),
        ("Before there were phases", "phase/before.html", None),
    ]
    dry, now = (
        [c[2] for c in chips(files[f"exams/phase/{p}.html"])] for p in ("dry-run", "formal")
    )
    assert dry == ["page", None, None, None]
    assert now == [None, "true", None, None]  # the board has an address of its own
    assert chips(files["exams/phase/dry-run.html"])[1][1] == "../index.html"
    over = shown(results(DRY, formal(), entries=(secret(),)), CLOSES)
    subset = over["exams/subset/exam.law.html"]
    assert chips(subset)[1] == ("Formal closed", "../index.html", "true")
    past = over["exams/phase/dry-run/subset/exam.law.html"]
    for path, first, law in (
        ("index", "page", None),
        ("phase/formal", "true", None),
        ("subset/exam.law", None, "page"),
        ("phase/dry-run", "page", None),
        ("phase/dry-run/subset/exam.law", None, "page"),
    ):
        found = chips(over[f"exams/{path}.html"], "Subsets")
        assert [found[0][2], found[1][2], found[2][2]] == [first, law, None], path
    assert [chip[1:] for chip in chips(past)] == [
        ("../../../phase/dry-run.html", "true"),
        ("../../../index.html", None),
    ]
    assert chips(shown(results(DRY))["exams/index.html"]) is None  # there is no other
    for body in (
        files["exams/phase/dry-run.html"],
        files["exams/phase/formal.html"],
        subset,
        past,
    ):
        assert tab(body) == ("Board", "true")
    assert tab(files["exams/index.html"]) == ("Board", "page")


def test_a_phase_that_is_past_has_boards_of_its_subsets():
    of = results(DRY, formal(reveal=REVEAL, visible="none"), entries=(secret(),))
    files = shown(of, CLOSES)
    past = "exams/phase/dry-run/subset/exam.law.html"
    assert {p.split("/subset/")[0] for p in files if "/subset/" in p} == {"exams/phase/dry-run"}
    page = parse(files[past])
    assert text(page.find(".//title")).startswith("exam: Law · Dry run · ")
    crumbs = [a.get("href") for a in having(page, "p", "crumbs")[0].iter("a")]
    assert crumbs[1:] == ["../../../../exams/index.html", "../../../../exams/phase/dry-run.html"]
    alone = parse(shown(results(DRY), CLOSES)[LAW])
    tables = [[words(row) for row in rows(body)] for body in (page, alone)]
    assert tables[0] == tables[1]  # what it was while it was the current one
    assert len(tables[0]) > 5
    for path in ("exams/phase/dry-run.html", "exams/run-1.html", past):
        assert past in ways_from(files, path)
    assert "exams/phase/dry-run.html" in ways_from(files, past)
    assert broken(files) == []
    revealed = shown(of, REVEAL)
    assert files[past] != revealed[past]  # its neighbour has scores now
    assert LAW in revealed
    assert broken(revealed) == []


def test_while_scores_are_hidden_pictures_and_the_small_board_are_of_the_phase_before():
    of = results(DRY, HIDDEN, entries=(secret(),))
    before, files = shown(of, DRY_CLOSES + DAY), shown(of)
    drawn = {p for p in before if p.startswith("exams/picture/")}
    assert len(drawn) > 5
    assert {p for p in files if p.startswith("exams/picture/")} == drawn
    assert {p for p in drawn if files[p] != before[p]} == set()
    page = parse(files["exams/pictures.html"])
    assert "The scores of Formal are hidden until 2026-07-01" in words(page)
    lead = having(page, "p", "lead")[0]
    assert "of Dry run" in words(lead)
    assert lead.find("a").get("href") == "phase/dry-run.html#board"
    small, first = (parse(f["exams/embed.html"]) for f in (files, before))
    assert words(small.find(".//caption")).startswith("Phase Dry run. ")
    assert words(small.find(".//tbody")) == words(first.find(".//tbody"))
    assert "The scores of Formal are hidden." in words(small)
    assert small.findall(".//a")[-1].get("href") == "phase/dry-run.html"
    for path, to in (
        ("exams/index.html", "phase/dry-run.html"),
        ("exams/phase/formal.html", "../phase/dry-run.html"),
    ):
        (notice,) = having(parse(files[path]), "p", "withdrawn")
        assert words(notice).endswith("The newest board with scores: Dry run.")
        assert notice.find("a").get("href") == to
    assert broken(files) == []
    home = parse(files["index.html"])
    assert words(having(home, "p", "takes")[0]) == (
        "Formal takes runs until 2026-06-01 00:00:00 UTC 2026-05-31 12:00:00 AoE"
    )
    assert "exams/phase/dry-run.html" in [a.get("href") for a in home.iter("a")]


def test_the_pictures_of_a_phase_lead_to_its_subsets_and_are_of_those_with_values():
    of, heat = results(DRY, HIDDEN, entries=(secret(),)), "exams/picture/heat-exam.svg"
    over, now = shown(of, CLOSES), shown(of)  # nothing is scored on the labels any more; still
    assert "exams/phase/dry-run.html#subsets" in ways_from(over, "exams/pictures.html")
    assert broken(over) == []
    assert heat in over
    assert heat not in now
    why = (
        "no run has a value to show (fewer than 200 instances, or 20 right or 20 wrong: not shown)"
    )
    said = words(parse(now["exams/pictures.html"])).replace("\u2068", "").replace("\u2069", "")
    assert f"There is no map of exam: {why}." in said
    assert "There is no map of" not in words(parse(over["exams/pictures.html"]))


def test_no_phase_that_is_hidden_or_to_come_stands_in_for_another():
    dry, entries = replace(DRY, visible="none", reveal=REVEAL), (secret(),)
    files = shown(results(dry, HIDDEN, COMING, entries=entries))
    assert not [p for p in files if p.startswith("exams/picture/")]
    (notice,) = having(parse(files["exams/index.html"]), "p", "withdrawn")
    assert notice.find("a") is None
    first = shown(results(dry, HIDDEN, COMING, entries=(*entries, secret(""))))
    (notice,) = having(parse(first["exams/index.html"]), "p", "withdrawn")
    assert notice.find("a").get("href") == "phase/before.html"


@pytest.mark.parametrize(
    ("at", "said", "third"),
    [
        (OPENS - DAY, "No phase is open: Formal takes runs from 2026-05-01 00:00:00 UTC", "while"),
        (OPENS, "Formal takes runs until 2026-06-01 00:00:00 UTC", "while a phase is open"),
        (CLOSES, "All phases are closed: Formal took runs until 2026-06-01", "are closed"),
    ],
)
def test_how_to_take_part_begins_with_the_phase_that_takes_runs(at, said, third):
    page = parse(shown(results(DRY, formal()), at)["exams/participate.html"])
    first = having(page, "p", "withdrawn")[0]
    assert words(first).startswith(said)
    assert "AoE" in words(first)
    step = having(page, "ol", "steps")[0].findall("li")[2]
    assert third in words(step)
    assert ("open" in words(step)) == (at < CLOSES)


# --- as of when


def footers(files):
    """What pages of the task say of the instant, by path; those of runs by themselves."""
    found = {}
    for path, body in files.items():
        if path.endswith(".html") and not path.endswith("embed.html"):
            found[path] = words(parse(body).find(".//footer")).partition(" AoE")[0]
    return found


def test_data_are_as_of_the_last_that_a_page_tells():
    now = with_past(exams())
    assert {len(now.versions), len(now.releases)} == {2, 1}
    at = NOW + 9 * DAY
    (release,) = now.releases
    for days, changed in (
        (1, {"releases": (replace(release, at=NOW + DAY),)}),
        (
            2,
            {
                "releases": (
                    replace(release, errata=(replace(release.errata[0], at=NOW + 2 * DAY),)),
                )
            },
        ),
        (3, {"versions": (now.versions[0], replace(now.versions[1], registered=NOW + 3 * DAY))}),
        (4, {"golds": (OpenGold(Gold((), ()), "9f" * 32, "00", NOW + 4 * DAY),)}),
    ):
        of = visible(Snapshot((replace(now, **changed),), at), "public")
        assert latest(contests(of)[0].sheets) == NOW + days * DAY
    said = footers(dict(render(of)))
    when = "Data as of 2026-05-06 00:00:00 UTC."  # the gold is public since
    assert said["exams/index.html"] == said["measures.html"] == when
    assert said["exams/run-1.html"] == "Data as of 2026-03-01 12:00:00 UTC."


def test_runs_that_are_only_counted_are_said_to_be_newer_and_not_by_how_much():
    files = shown(results(DRY, HIDDEN, entries=(secret(),)))
    said = footers(files)
    assert (
        said["exams/index.html"]
        == said["index.html"]
        == ("Data as of 2026-03-01 12:00:00 UTC; runs whose scores are hidden may be newer.")
    )
    assert said["exams/run-1.html"] == "Data as of 2026-03-01 12:00:00 UTC."
    later = replace(secret(), received=NOW + timedelta(hours=1))
    assert shown(results(DRY, HIDDEN, entries=(later,)), NOW) == files
    none = footers(shown(results(DRY, HIDDEN)))
    assert none["exams/index.html"] == "Data as of 2026-03-01 12:00:00 UTC."


# --- frozen results and runs of no phase


def test_runs_of_no_phase_have_a_heading_and_the_newest_phase_is_first():
    of = results(DRY, formal(), entries=(secret(), secret("")))
    of = replace(of, entries=(*of.entries, replace(secret(""), slug="zebra-8", team="Z")))
    seen = visible(Snapshot((of,), NOW), "public")
    asked = tuple(replace(p, versus={"all": Versus((), None, "too few")}) for p in seen.tasks)
    page = parse(dict(render(replace(seen, tasks=asked)))["exams/compare.html"])
    heads = [words(h) for h in page.iter("h2")]
    assert heads[-1] == "Each row against the row above it: before there were phases"
    whole = with_past(exams())
    (release,) = whole.releases
    (first,) = (b for b in release.frozen.boards if b.subset == "all")
    boards = tuple(replace(first, phase=name) for name in ("dev", "test", ""))
    made = replace(release, frozen=replace(release.frozen, boards=boards))
    assert [p.board.phase for p in frozen.wholes(made)] == ["test", "dev", ""]
    assert contests(Snapshot((of,), NOW))[0].shown.name == "Formal"


def test_what_a_gold_version_moved_among_runs_of_no_phase_has_a_heading():
    def phased(of):
        task = replace(of.task, phases=(DRY,))
        return replace(of, task=task, earlier=tuple(map(phased, of.earlier)))

    page = parse(dict(render(Snapshot((phased(with_past(exams())),), NOW)))["exams/versions.html"])
    heads = [words(h) for h in page.iter("h3")]
    assert heads == ["Before there were phases", "Dry run", "Before there were phases"]


# --- the ranks that a run may have


def test_beside_its_rank_a_run_has_those_that_it_may_have():
    (seen,) = visible(Snapshot((exams(),), NOW), "public").tasks
    order = [row.entry.slug for row in rank(seen).ranked]
    ranges = {slug: (place, place + 2) for place, slug in enumerate(order, 1)}
    ranges[order[-1]] = None  # left out of the comparison
    ranges[order[0]] = (1, 4)
    alone = next(r for r in rank(seen).ranked if r.rank == 3)
    ranges[alone.entry.slug] = (3, 3)
    none = Comparison((), tuple(ranges.values()), 1000, 2.0, adjacent=True)
    pairs = tuple(Pair(i, i + 1, 0.1, 0.0, 0.2, 0.3, "") for i in range(len(order) - 1))
    made = replace(none, pairs=pairs, reasons=("",) * len(order), values=(0.5,) * len(order))
    asked = replace(seen, versus={"all": Versus(tuple(order), made, n=150)})
    (contest,) = contests(Snapshot((asked,), NOW))
    said = {
        line.entry.slug: line.ranks
        for side in sides((contest,))
        for showing in side.showings
        for line in showing.lines
    }
    assert said[order[0]] == "1–4"
    assert said[alone.entry.slug] == said[order[-1]] == ""
    assert said[order[3]] == "4–6"
    files = dict(render(Snapshot((asked,), NOW)))
    leaders = having(parse(files["index.html"]), "ul", "leaders")[0]
    assert words(leaders.find("li")).endswith("may rank 1–4")
    places = [
        words(td)
        for p in files
        if p.startswith("team/")
        for td in having(parse(files[p]), "td", "num")
    ]
    assert f"1 of {len(order)}, may be 1–4" in places
