"""How boards came about: as they were frozen, as they stand, and what moved between."""

from dataclasses import replace
from datetime import timedelta

import pytest
from reading import files, having, parse, text
from sites import IMAGE, NOON, SCRIPT, exams, plain, unspanned

from grader.board import rank, visible
from grader.freezing import frozen
from grader.model import Named, Phase, Release, Snapshot

PAGE = "exams/history.html"
SAME = "as on the board before"
LATER = NOON + timedelta(days=9)
KEPT = ("run-1", "run-3", "run-4", "run-5", "run-6")


def release(name, of, days, phases=()):
    """The results as they would have been frozen."""
    (seen,) = visible(Snapshot((of,), NOON), "public").tasks
    numbers = {e.slug: i for i, e in enumerate(of.entries)}
    names = {numbers[e.slug]: Named(e.slug, e.team, e.name) for e in of.entries}
    at = NOON + timedelta(days=days)
    return Release(name, at, f"because {SCRIPT}", frozen((seen,), numbers), names)


def ranks(of):
    (seen,) = visible(Snapshot((of,), NOON), "public").tasks
    return {row.entry.slug: row.rank for row in rank(seen).ranked}


@pytest.fixture(scope="module")
def past():
    """Results of five runs; then with others' scores; then one is withdrawn and one is new."""
    found = exams()
    every = {e.slug: e for e in found.entries}
    old = replace(found, entries=tuple(every[slug] for slug in KEPT))
    turned = (*KEPT[1:], KEPT[0])
    mixed = tuple(
        replace(every[slug], graded=every[other].graded)
        for slug, other in zip(KEPT, turned, strict=True)
    )
    then = replace(found, entries=mixed)
    gone = replace(mixed[2], flags={"withdrawn": "sent by mistake"})
    now = replace(found, entries=(*mixed[:2], gone, *mixed[3:], every["run-7"]))
    return old, then, now


@pytest.fixture(scope="module")
def page(past):
    old, then, now = past
    releases = (release(IMAGE, old, 1), release("v2", then, 2))
    return parse(files(Snapshot((replace(now, releases=releases),), LATER))[PAGE])


def told(section):
    """The rows of a board: run, rank, what moved in words, and what else stands there."""
    found = {}
    for row in section.findall(".//tbody/tr"):
        cells = [text(td) for td in row.findall("td")]
        moved = row.find("td/span[@class='unseen']")
        found[tuple(map(text, row.iter("bdi")))] = (
            cells[0],
            moved is not None and text(moved),
            cells[-1],
        )
    return found


def test_boards_stand_newest_first_each_with_what_moved_since_the_one_before(past, page):
    old, then, now = past
    boards = having(page, "section", "board-of")
    assert [text(s.find("h2")) for s in boards] == ["As it stands", "v2", IMAGE]
    names = {e.slug: (e.team, e.name) for e in now.entries}
    for section, before, after in ((boards[0], then, now), (boards[1], old, then)):
        was, here, rows = ranks(before), ranks(after), told(section)
        for slug in set(here) - {"run-7", "run-4"}:
            up = was[slug] - here[slug]
            words = f"{'up' if up > 0 else 'down'} {abs(up)} from rank {was[slug]}"
            assert rows[names[slug]][:2] == (str(here[slug]), words if up else SAME)
    first = told(boards[2])
    kept = {str(rank) for slug, rank in ranks(old).items() if slug != "run-4"}
    assert {rank for rank, _, _ in first.values() if rank} == kept
    assert not any(moved for _, moved, _ in first.values())


def test_some_went_up_and_some_down(page):
    signs = [text(e) for e in page.iter("span") if e.get("aria-hidden") and e.get("title")]
    assert {sign[0] for sign in signs if sign} >= {"↑", "↓", "n"}


def test_a_new_run_is_called_new_and_a_withdrawn_one_has_no_number(page):
    now = having(page, "section", "board-of")[0]
    new = next(r for r in now.findall(".//tbody/tr") if "all right" in text(r))
    assert text(new.find("td/span[@class='unseen']")) == "not ranked on the board before"
    (left,) = having(now, "tr", "left")
    assert "withdrawn: sent by mistake" in text(left.find("th"))
    assert left.find(".//a") is None
    assert [text(td) for td in left.findall("td")][::2] == ["", ""]
    assert text(left.findall("td")[1]) == "was on the board before"


def test_no_board_has_a_number_of_a_run_that_is_withdrawn_since(page, past):
    *_, now = past
    gone = now.entries[2]
    for section in having(page, "section", "board-of"):
        rows = [r for r in section.findall(".//tbody/tr") if gone.name in text(r)]
        assert [text(td) for row in rows for td in row.findall("td") if text(td).strip()] in (
            ["was on the board before"],
            [],
        )
        assert all("withdrawn: sent by mistake" in text(row) for row in rows)
        assert len(rows) == 1


def test_a_board_like_the_one_before_is_not_printed_again(past):
    _, then, _ = past
    of = replace(then, releases=(release("v1", then, 1),))
    tree = parse(files(Snapshot((of,), LATER))[PAGE])
    now, old = having(tree, "section", "board-of")
    assert now.find(".//table") is None
    assert "those of the board before" in text(now)
    assert len(told(old)) == len(ranks(then))


def test_phases_have_courses_of_their_own_and_a_hidden_one_has_none():
    found = exams()
    one = Phase("Dry run", NOON - timedelta(days=9), NOON - timedelta(days=8))
    two = Phase("Formal", NOON - timedelta(days=7), NOON - timedelta(days=6))
    three = Phase("Zebra", NOON - timedelta(days=5), NOON, visible="none")
    entries = tuple(
        replace(e, phase=(one, two, three)[i % 3].name) for i, e in enumerate(found.entries[:6])
    )
    task = replace(found.task, phases=(one, two, three))
    made = files(Snapshot((replace(found, task=task, entries=entries),), NOON))
    tree = parse(made[PAGE])
    assert [text(h) for h in tree.iter("h2")] == ["Formal", "Dry run"]
    assert {text(h) for h in tree.iter("h3")} == {"As it stands"}
    assert "2026-02-23 12:00:00 UTC 2026-02-23 00:00:00 AoE" in " ".join(text(tree).split())
    assert not having(tree, "td", "moved")


def test_a_task_without_releases_and_phases_has_no_history():
    made = files(Snapshot((exams(), plain()), NOON))
    assert PAGE not in made
    assert b"history.html" not in made["exams/versions.html"]


def test_why_values_have_no_interval_stands_below_the_board_that_has_them(past):
    old, then, _ = past
    of = replace(unspanned(then, f"too few {IMAGE}"), releases=(release("v1", old, 1),))
    today, frozen = having(parse(files(Snapshot((of,), LATER))[PAGE]), "section", "board-of")
    (legend,) = having(today, "div", "legend")
    many = len(ranks(then))
    assert f"HMR: too few {IMAGE} ({many} times)" in " ".join(text(legend).split())
    assert "too few" not in text(frozen)
