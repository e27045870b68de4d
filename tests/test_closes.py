"""The board as of the close of a phase: what it was, and what of it may be told."""

from dataclasses import replace
from datetime import timedelta

import pytest
from conftest import AT
from phased import CLOSES, GOLD, NOON, OPENS, SECOND, phase, registered, runs, send, task_text
from reading import having, parse, text
from sqlalchemy import update
from test_versions import answering, dropping, replacing

from grader import marking, store
from grader.board import visible
from grader.freezing import frozen
from grader.marking import Close, Decision
from grader.model import (
    Amendment,
    Entry,
    GoldSummary,
    Graded,
    Mark,
    Named,
    Phase,
    Pseudonym,
    Ranking,
    Release,
    Results,
    Score,
    Since,
    Snapshot,
    Task,
    Upload,
    Version,
)
from grader.paired import everything, public
from grader.rescore import Act, rescore
from grader.revise import update_task
from grader.site import render
from grader.site.history import courses
from grader.site.sheets import contests
from grader.store.schema import golds
from grader.tasks import parse as parse_task
from grader.tasks import read_gold

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LATER, REVEAL = CLOSES + 30 * DAY, CLOSES + 10 * DAY
TOP = 'primary = "accuracy"\nmeasures = ["hmr"]\n'
GONE = "sent by mistake"
SAME = "as on the board before"
NEW = "not ranked on the board before"
# Of eight answers five, four and one are right.
AS_SENT = [("ants-1", 1, "0.625", ""), ("bees-1", 2, "0.500", ""), ("cees-1", 3, "0.125", "")]
FORMAL = Phase("formal", OPENS, CLOSES)
HIDDEN = replace(FORMAL, visible="none", reveal=REVEAL)


def scored(right, of=8):
    counts = (right / of, None, None, "", "", {"right": float(right)})
    return Graded((Score("accuracy", "all", of, *counts),), (), (), of, of, right, 0)


def entry(team, right, number=1, at=NOON, *, flags=(), of=8):
    slug = f"{team.lower()}-{number}"
    given = dict.fromkeys(flags, "")
    tail = f"gold:v1|run:sha256:{slug}|seed:1"
    graded = scored(right, of)
    return Entry(slug, team, f"run {number}", "formal", "", 1, slug, at, given, graded, tail)


def put(run, flag, at):
    return Mark(run, flag, on=True, at=at)


def off(run, flag, at):
    return Mark(run, flag, on=False, at=at)


def results(*entries, over=FORMAL, marks=(), **ranking):
    task = Task(
        *("t", "T"),
        primary="accuracy",
        measures=("hmr",),
        phases=(over,),
        ranking=Ranking(**ranking),
    )
    gold = GoldSummary(1, "9f", AT, "", 8, 8)
    known = entries or (entry("Ants", 5), entry("Bees", 4), entry("Cees", 1))
    first = Version(1, AT, "", "", "9f", 8, 8)
    return Results(task, gold, known, versions=(first,), since=Since(tuple(marks)))


def corrected(was, entries, at=CLOSES + DAY, **seen):
    """The results once there is a second version of the gold."""
    second = Version(2, at, "a typing error", "", "8f", 8, 8, seen=seen)
    old = replace(was, versions=(), since=None)
    known = (*was.versions, second)
    gold = replace(was.gold, version=2, registered=at)
    return replace(was, gold=gold, entries=entries, versions=known, earlier=(old,))


def withdrawn(of, run, at):
    """The results with one more run withdrawn."""
    entries = (
        replace(e, flags={**e.flags, "withdrawn": GONE}) if e.slug == run else e
        for e in of.entries
    )
    marks = (*of.since.marks, put(run, "withdrawn", at))
    return replace(of, entries=tuple(entries), since=replace(of.since, marks=marks))


def seen(of, at=LATER, viewer="public"):
    """What a viewer sees of them, also after it has gone through the gate again."""
    once = visible(Snapshot((of,), at), viewer)
    twice = visible(once, viewer)
    assert [part.closed for part in twice.tasks] == [part.closed for part in once.tasks]
    assert all(part.since is None for part in once.tasks)
    return twice


def boards(snapshot):
    """The boards of the history by their names, and of each (run, rank, value, movement)."""
    (contest,) = contests(snapshot)
    found = [board for course in courses(contest) for board in course.boards]
    return {b.name: b for b in found}, {b.name: told(b) for b in found}


def told(board):
    return [(one.slug, one.rank, one.cell.text, one.said) for one in board.lines]


def test_a_phase_has_a_board_of_its_close_from_the_close_on():
    assert list(boards(seen(results(), CLOSES - SECOND))[1]) == ["As it stands"]
    found, rows = boards(seen(results(), CLOSES))
    assert list(rows) == ["As it stands", "At the close"]
    assert rows["At the close"] == AS_SENT
    assert found["As it stands"].same


def test_a_gold_that_is_corrected_after_the_close_moves_what_came_after_it():
    was = results()
    now = (entry("Ants", 3), entry("Bees", 6), entry("Cees", 3))
    found, rows = boards(seen(corrected(was, now, formal=3)))
    assert (found["At the close"].version, found["As it stands"].version) == (1, 2)
    assert rows["At the close"] == AS_SENT
    assert rows["As it stands"] == [
        ("bees-1", 1, "0.750", "up 1 from rank 2"),
        ("ants-1", 2, "0.375", "down 1 from rank 1"),
        ("cees-1", 2, "0.375", "up 1 from rank 3"),
    ]


@pytest.mark.parametrize("when", [CLOSES, CLOSES - DAY])
def test_one_that_was_corrected_by_the_close_is_that_of_its_board(when):
    now = (entry("Ants", 3), entry("Bees", 6), entry("Cees", 3))
    found, rows = boards(seen(corrected(results(), now, when, formal=3)))
    assert found["At the close"].version == 2
    assert rows["At the close"][0] == ("bees-1", 1, "0.750", "")
    assert found["As it stands"].same


def test_a_run_that_is_withdrawn_after_the_close_keeps_its_row_without_numbers():
    shown = seen(withdrawn(results(), "bees-1", CLOSES + DAY))
    found, rows = boards(shown)
    assert rows["At the close"] == [AS_SENT[0], AS_SENT[2], ("bees-1", None, "", "")]
    assert rows["As it stands"] == [
        ("ants-1", 1, "0.625", SAME),
        ("cees-1", 2, "0.125", "up 1 from rank 3"),
        ("bees-1", None, "", "was on the board before"),
    ]
    assert [b.lines[-1].why for b in found.values()] == [f"withdrawn: {GONE}"] * 2
    assert "0.5" not in repr(shown)


def test_of_a_run_that_had_no_rank_at_the_close_and_is_withdrawn_since_no_number_stays():
    aside = (entry("Ants", 5), entry("Bees", 4, flags=("baseline",)), entry("Cees", 1))
    shown = seen(withdrawn(results(*aside), "bees-1", CLOSES + DAY))
    assert "0.5" not in repr(shown)
    found, rows = boards(shown)
    assert [row[:2] for row in rows["At the close"]] == [("ants-1", 1), ("cees-1", 2)]
    assert found["At the close"].unranked == {"bees-1": f"withdrawn: {GONE}"}


def test_what_was_withdrawn_before_the_close_was_not_on_its_board():
    gone = withdrawn(results(), "ants-1", NOON + SECOND)
    marks = put("bees-1", "withdrawn", NOON), off("bees-1", "withdrawn", LATER)
    back = replace(gone, since=Since((*gone.since.marks, *marks)))
    _, rows = boards(seen(back))
    assert rows["At the close"] == [("cees-1", 1, "0.125", "")]
    assert rows["As it stands"] == [
        ("bees-1", 1, "0.500", NEW),
        ("cees-1", 2, "0.125", "down 1 from rank 1"),
    ]


def test_a_run_that_went_and_came_after_the_close_was_on_its_board():
    marks = [made("ants-1", "withdrawn", CLOSES + DAY) for made in (put, off)]
    found, rows = boards(seen(results(marks=marks)))
    assert rows["At the close"] == AS_SENT
    assert found["As it stands"].same


def test_late_runs_are_not_on_it_and_those_of_a_longer_close_are_new_after_it():
    late = entry("Ants", 6, 2, CLOSES + HOUR, flags=("late",))
    longer = entry("Bees", 7, 2, CLOSES, flags=("extended",))
    last = entry("Cees", 8, 2, CLOSES - SECOND)
    _, rows = boards(seen(results(*results().entries, late, longer, last)))
    assert rows["At the close"] == [
        ("cees-2", 1, "1.000", ""),
        ("ants-1", 2, "0.625", ""),
        ("bees-1", 3, "0.500", ""),
        ("cees-1", 4, "0.125", ""),
    ]
    assert rows["As it stands"][:3] == [
        ("cees-2", 1, "1.000", SAME),
        ("bees-2", 2, "0.875", NEW),
        ("ants-1", 3, "0.625", "down 1 from rank 2"),
    ]
    assert "ants-2" not in {run for name in rows for run, *_ in rows[name]}


def test_marks_are_those_of_then():
    runs_ = (entry("Ants", 5), entry("Ants", 6, 2, flags=("primary",)), entry("Bees", 1))
    marks = [
        put("bees-1", "primary", NOON),
        put("ants-2", "primary", CLOSES + DAY),
        off("ants-1", "primary", CLOSES + DAY),
        off("bees-1", "primary", CLOSES + DAY),
        put("bees-1", "baseline", CLOSES + DAY),
    ]
    _, rows = boards(seen(results(*runs_, marks=marks, rule="primary")))
    assert rows["At the close"] == [("ants-1", 1, "0.625", ""), ("bees-1", 2, "0.125", "")]
    assert [row[:2] for row in rows["As it stands"]] == [
        ("ants-2", 1),
        ("ants-1", None),
        ("bees-1", None),
    ]


def test_a_file_that_was_amended_since_is_not_taken_for_the_one_of_then():
    was = results()
    mended = replace(
        was.entries[1],
        sha256="new",
        settings="gold:v1|run:sha256:new|seed:1",
        amendments=(Amendment("bees-1", "run.csv", "shifted", CLOSES + DAY),),
    )
    now = replace(was, entries=(was.entries[0], mended, was.entries[2]))
    found, rows = boards(seen(now))
    assert rows["At the close"] == []
    assert found["At the close"].why == (
        "The run 'run 1' of 'Bees' was amended since: what the file that it had then scores under "
        "gold version 1 is not kept."
    )
    assert found["As it stands"].first
    # Under an earlier gold the scores of the old file are kept.
    old = replace(mended, graded=was.entries[1].graded, settings=was.entries[1].settings)
    past = replace(was, entries=(was.entries[0], old, was.entries[2]))
    later = corrected(past, now.entries, formal=3)
    assert boards(seen(later))[1]["At the close"] == AS_SENT
    # And a file that was amended by the close is that of then.
    before = replace(mended, amendments=(Amendment("bees-1", "run.csv", "shifted", CLOSES),))
    on_time = replace(was, entries=(was.entries[0], before, was.entries[2]))
    assert boards(seen(on_time))[1]["At the close"] == AS_SENT


def test_a_board_by_what_was_not_measured_then_is_not_told():
    other = replace(results().task, primary="ks", measures=("accuracy",))
    now = tuple(
        replace(e, graded=replace(e.graded, scores=(Score("ks", "all", 8, 0.2),)))
        for e in results().entries
    )
    was = replace(results(), task=other)
    found, rows = boards(seen(corrected(was, now, formal=3)))
    assert (rows["At the close"], len(rows["As it stands"])) == ([], 3)
    assert "Runs were not scored under gold version 1 by" in found["At the close"].why


def test_of_scores_that_are_hidden_nothing_is_told_before_they_are_shown():
    of = withdrawn(results(over=HIDDEN), "ants-1", CLOSES + DAY)
    for viewer in ("public", "participants"):
        hidden = seen(of, REVEAL - SECOND, viewer)
        assert hidden.tasks[0].closed is None
        assert "ants-1" not in repr(hidden)
        assert boards(hidden) == ({}, {})
    assert boards(seen(results(over=HIDDEN), REVEAL))[1]["At the close"] == AS_SENT


@pytest.mark.parametrize("known", [False, True])
def test_a_run_that_is_withdrawn_before_anybody_saw_it_moves_nobody(known):
    of = withdrawn(results(over=HIDDEN), "bees-1", REVEAL if known else REVEAL - SECOND)
    rows = boards(seen(of))[1]["At the close"]
    third = ("cees-1", 3 if known else 2, "0.125", "")
    assert rows == [AS_SENT[0], third, *[("bees-1", None, "", "")] * known]


def test_scores_under_a_gold_that_nobody_saw_wait_for_its_release():
    now = (entry("Ants", 4, of=7), entry("Bees", 3, of=7), entry("Cees", 1, of=7))
    of = corrected(results(over=HIDDEN), now)
    shown = seen(of)
    found, rows = boards(shown)
    assert found["At the close"].why == (
        "The scores under gold version 1 were not public while it stood; they are shown when the "
        "gold is released."
    )
    assert found["At the close"].closed.board is None
    assert rows["As it stands"][0] == ("ants-1", 1, "0.571", "")
    assert "0.625" not in repr(shown)
    free = replace(of, gold=replace(of.gold, released=LATER + SECOND))
    assert boards(seen(free)) == (found, rows)
    assert boards(seen(free, LATER + SECOND))[1]["At the close"] == AS_SENT


def test_it_has_no_more_decimals_than_were_shown_then():
    now = (entry("Ants", 4, of=7), entry("Bees", 4, of=7), entry("Cees", 1, of=7))
    shown = seen(corrected(results(), now, formal=1))
    _, rows = boards(shown)
    # 5/8, 4/8 and 1/8 at one decimal
    assert [row[:3] for row in rows["At the close"]] == [
        ("ants-1", 1, "0.6"),
        ("bees-1", 2, "0.5"),
        ("cees-1", 3, "0.1"),
    ]
    assert "0.625" not in repr(shown)


def test_under_pseudonyms_there_is_none_before_the_reveal():
    masked = replace(HIDDEN, visible="public", names="pseudonyms")
    entries = tuple(
        replace(e, pseudonym=Pseudonym(f"Team {i}", f"team_{i}", f"team_{i}-1"))
        for i, e in enumerate(results().entries)
    )
    of = withdrawn(results(*entries, over=masked), "bees-1", CLOSES + DAY)
    shown = seen(of, REVEAL - SECOND)
    assert list(boards(shown)[1]) == ["As it stands"]
    assert "bees-1" not in repr(shown)
    assert boards(seen(of, REVEAL))[1]["At the close"][0] == AS_SENT[0]


def test_each_phase_has_its_own():
    opens = CLOSES + 40 * DAY
    second = Phase("second", opens, opens + DAY)
    of = results(*results().entries, replace(entry("Ants", 1, 2, opens), phase="second"))
    of = replace(of, task=replace(of.task, phases=(FORMAL, second)))
    (contest,) = contests(seen(of, opens + 2 * DAY))
    assert {one.phase: told(one.boards[-1]) for one in courses(contest)} == {
        "formal": AS_SENT,
        "second": [("ants-2", 1, "0.125", "")],
    }
    (early,) = contests(seen(of, opens + HOUR))
    assert [[b.name for b in one.boards] for one in courses(early)] == [
        ["As it stands"],
        ["As it stands", "At the close"],
    ]


def test_results_frozen_before_a_run_was_withdrawn_have_its_row_without_numbers():
    of = results()
    (part,) = visible(Snapshot((of,), LATER), "public").tasks
    numbers = {e.slug: i for i, e in enumerate(of.entries)}
    names = {numbers[e.slug]: Named(e.slug, e.team, e.name) for e in of.entries}
    release = Release("v1", CLOSES + DAY, "official", frozen((part,), numbers), names)
    gone = withdrawn(replace(of, releases=(release,)), "bees-1", CLOSES + 2 * DAY)
    found, rows = boards(seen(gone))
    assert list(rows) == ["As it stands", "v1", "At the close"]
    whole, _ = boards(seen(replace(of, releases=(release,))))
    assert [line.slug for line in whole["v1"].lines] == ["ants-1", "bees-1", "cees-1"]
    assert rows["v1"][-1] == ("bees-1", None, "", "")
    assert found["v1"].lines[-1].why == f"withdrawn: {GONE}"
    assert rows["v1"][:2] == [("ants-1", 1, "0.625", SAME), ("cees-1", 3, "0.125", SAME)]
    assert rows["As it stands"][1] == ("cees-1", 2, "0.125", "up 1 from rank 3")


# --- In a database


def filled(engine, *phases):
    registered(engine, *phases, top=TOP)
    with store.unit(engine) as db:
        store.add_team(db, "Cees", "token of Cees", AT)
    for team, right in (("Ants", {0, 1, 2, 3, 4}), ("Bees", {2, 3, 4, 5}), ("Cees", {7})):
        send(engine, answering(right), team=team)


def marked(engine, act, *said, at):
    with store.unit(engine) as db:
        act(db, "t", *said, Decision(GONE, at))


def history(engine, at=LATER, see=public):
    with store.reading(engine) as db:
        return boards(see(db, at))


def test_what_the_log_says_of_runs_is_read_as_it_was_meant(engine):
    filled(engine, phase())
    for run, kind in (("ants-1", "primary"), ("ants-1", "contrastive"), ("bees-1", "baseline")):
        marked(engine, marking.mark, run, kind, at=NOON)
    marked(engine, marking.unmark, "bees-1", "baseline", at=NOON + SECOND)
    send(engine, answering({0}), name="two", flags=("primary",))
    marked(engine, marking.mark, "ants-1", "primary", at=NOON)
    for act in (marking.withdraw, marking.restore):
        marked(engine, act, "cees-1", at=CLOSES)
    with store.unit(engine) as db:
        rescore(db, "t", CLOSES + DAY, runs(engine))
    dropping(engine, "q0", at=CLOSES + 2 * DAY)
    with store.reading(engine) as db:
        (early,) = store.with_past(db, store.snapshot(db, NOON)).tasks
        (whole,) = store.with_past(db, store.snapshot(db, LATER)).tasks
    assert early.since is None  # no phase is over
    assert [(m.run, m.flag, m.on) for m in whole.since.marks] == [
        ("ants-1", "primary", True),
        ("ants-1", "contrastive", True),
        ("ants-1", "primary", False),
        ("bees-1", "baseline", True),
        ("bees-1", "baseline", False),
        ("ants-1", "primary", True),
        ("ants-1", "contrastive", False),
        ("ants-2", "primary", False),
        ("cees-1", "withdrawn", True),
        ("cees-1", "withdrawn", False),
    ]
    assert {m.at for m in whole.since.marks} == {NOON, NOON + SECOND, CLOSES}
    every = ("ants-1", "ants-2", "bees-1", "cees-1")
    assert whole.since.scored == {(1, run): CLOSES + DAY for run in every}


def test_the_past_of_a_phase_is_told_as_it_was(engine):
    """With q0 and q1 turned Ants keep three of five, and Bees, who said no to both, have six."""
    filled(engine, phase(late='"unofficial"'))
    with store.unit(engine) as db:
        marking.extend(db, "t", Close("formal", CLOSES + DAY, "Bees"), Decision("mail", NOON))
    send(engine, answering(set(range(6))), CLOSES + HOUR, "Ants", "late")
    send(engine, answering({0}), CLOSES + HOUR, "Bees", "by the longer close")
    with store.unit(engine) as db:
        rescore(db, "t", CLOSES + DAY, runs(engine))
    found, rows = history(engine)
    assert (rows["At the close"], found["At the close"].closed.scored) == (AS_SENT, 3)
    turned = GOLD.decode().replace("q0,yes", "q0,no").replace("q1,yes", "q1,no")
    replacing(engine, turned, at=CLOSES + 2 * DAY)
    marked(engine, marking.withdraw, "cees-1", at=CLOSES + 3 * DAY)
    mended = Upload("", "", "mended.csv", answering(set(range(2, 8))), CLOSES + 4 * DAY)
    marking.amend(engine, "t", "ants-1", mended, Decision("shifted", mended.received))
    found, rows = history(engine)
    assert rows["At the close"] == [*AS_SENT[:2], ("cees-1", None, "", "")]
    # Amended Ants are right on all; Bees' later run on none but q1.
    assert rows["As it stands"] == [
        ("ants-1", 1, "1.000", SAME),
        ("bees-1", 2, "0.750", SAME),
        ("bees-2", 3, "0.125", NEW),
        ("cees-1", None, "", "was on the board before"),
    ]


def test_what_was_hidden_then_is_for_organisers_until_the_gold_is_released(engine):
    hidden = {"visible": '"none"', "reveal": f'"{REVEAL.isoformat()}"'}
    filled(engine, phase(**hidden))
    dropping(engine, "q6", at=CLOSES + DAY)
    assert history(engine, REVEAL - SECOND) == ({}, {})
    assert history(engine)[1]["At the close"] == []
    for at in (CLOSES, LATER):
        assert history(engine, at, everything)[1]["At the close"] == AS_SENT
    with store.unit(engine) as db:
        db.execute(update(golds).values(released=LATER))
    _, rows = history(engine)
    assert rows["At the close"] == AS_SENT
    assert rows["As it stands"][0] == ("ants-1", 1, "0.714", SAME)  # 5/7


def test_a_phase_that_is_shown_in_more_decimals_since_had_fewer_then(engine):
    filled(engine, phase(digits=1))
    dropping(engine, "q6", at=CLOSES + DAY)
    after = task_text(phase(), TOP)
    task = parse_task(after, "t")
    with store.unit(engine) as db:
        update_task(db, task, after, read_gold(task, GOLD, "g"), Act(LATER, b"s" * 32))
    _, rows = history(engine)
    assert [row[2] for row in rows["At the close"]] == ["0.6", "0.5", "0.1"]
    assert [row[2] for row in rows["As it stands"]] == ["0.714", "0.571", "0.143"]


def test_a_close_that_moves_for_all_moves_the_board_and_its_page_says_what_it_is(engine):
    filled(engine, phase(late='"unofficial"'))
    send(engine, answering(set(range(6))), CLOSES + HOUR, "Ants", "late")
    with store.unit(engine) as db:
        close = Close("formal", CLOSES + 2 * DAY)
        marking.extend(db, "t", close, Decision("mail", CLOSES + 2 * HOUR))
        rescore(db, "t", CLOSES + 3 * DAY, runs(engine))
    assert list(history(engine, CLOSES + DAY)[1]) == ["As it stands"]
    with store.reading(engine) as db:
        page = dict(render(public(db, LATER)))["t/history.html"]
    now, then = having(parse(page), "section", "board-of")
    assert [text(s.find("h3")) for s in (now, then)] == ["As it stands", "At the close"]
    assert now.find(".//table") is None
    assert "those of the board before" in text(now)
    assert "Under gold version 1, which stood then" in text(then)
    assert "4 of them were scored again under it since" in text(then)
    cells = [[text(td) for td in row.findall("td")] for row in then.findall(".//tbody/tr")]
    assert cells == [["1", "0.750"], ["2", "0.625"], ["3", "0.500"], ["4", "0.125"]]
