"""Phases that organisers extend, for one team or for all, on both databases."""

from datetime import timedelta
from hashlib import sha256

import pytest
from click.testing import CliRunner
from conftest import AT
from phased import (
    CLOSES,
    NOON,
    OPENS,
    SECOND,
    code,
    phase,
    registered,
    run,
    runs,
    send,
    task_text,
)

from grader import marking, store
from grader.board import visible
from grader.cli import main
from grader.errors import Mistake
from grader.marking import Close, Decision
from grader.model import Extension, Rejected
from grader.revise import Act, update_task
from grader.tasks import parse

DAY, WEEK = timedelta(days=1), timedelta(days=7)
LENIENT = {"late": '"unofficial"'}
FIRE = Decision("a fire in their building", CLOSES + timedelta(hours=1))
DOWN = Decision("the server was down", CLOSES + timedelta(hours=2))


def extend(engine, until, team=None, name="formal", why=FIRE):
    with store.unit(engine) as db:
        return marking.extend(db, "t", Close(name, until, team), why)


def flags(engine):
    return {entry.slug: dict(entry.flags) for entry in runs(engine)}


def results(engine, viewer="organisers"):
    with store.reading(engine) as db:
        return visible(store.snapshot(db, NOON, ["t"]), viewer).tasks[0]


def log(engine):
    with store.reading(engine) as db:
        return [(event.what, event.why) for event in store.history(db, "t")]


def notices(receipt):
    return {notice.code: notice.message for notice in receipt.notices}


# --- who is in time


def test_a_phase_that_is_extended_for_a_team_is_open_to_that_team_alone(engine):
    registered(engine, phase(runs=3))
    done = extend(engine, CLOSES + WEEK, " ants ")
    assert done.extension == Extension("formal", "Ants", CLOSES, CLOSES + WEEK, FIRE.why, FIRE.at)
    send(engine, run(), CLOSES - SECOND, name="before")
    first = send(engine, run(), CLOSES, name="at the close")
    last = send(engine, run(), CLOSES + WEEK - SECOND, name="last")
    assert code(send(engine, run(), CLOSES + WEEK, name="too late")) == "closed"
    assert code(send(engine, run(), CLOSES, team="Bees")) == "closed"
    assert flags(engine) == {
        "ants-1": {},
        "ants-2": {"extended": FIRE.why},
        "ants-3": {"extended": FIRE.why},
    }
    assert notices(first)["extended"] == (
        "phase 'formal' closed at 2031-06-01 00:00:00 UTC (2031-05-31 12:00:00 AoE), and is open "
        "to your team until 2031-06-08 00:00:00 UTC (2031-06-07 12:00:00 AoE): it is in time"
    )
    assert (last.slots.used, last.slots.why) == (3, "none is left")


def test_the_day_of_a_quota_goes_on_in_an_extension(engine):
    registered(engine, phase(per_day=1))
    extend(engine, CLOSES + DAY + SECOND, "Ants")
    send(engine, run(), CLOSES)
    full = send(engine, run(), CLOSES + SECOND, name="two")
    assert code(full) == "quota"
    assert full.slots.next == CLOSES + DAY  # which the file's close would have cut off


def test_a_phase_that_is_extended_for_all_is_open_to_all_and_marks_nobody(engine):
    registered(engine, phase())
    extend(engine, CLOSES + DAY)
    receipts = [send(engine, run(), CLOSES, team=team) for team in ("Ants", "Bees")]
    assert code(send(engine, run(), CLOSES + DAY, name="late")) == "closed"
    assert flags(engine) == {"ants-1": {}, "bees-1": {}}
    assert not any("extended" in notices(receipt) for receipt in receipts)
    assert results(engine).task.phases[0].closes == CLOSES + DAY
    with store.reading(engine) as db:
        now = store.registered(db, "t")
    assert now.task.phases[0].closes == CLOSES + DAY
    assert parse(now.config, "t").phases[0].closes == CLOSES


def test_of_two_extensions_the_one_that_was_decided_last_stands(engine):
    registered(engine, phase())
    extend(engine, CLOSES + WEEK)
    extend(engine, CLOSES + DAY, why=DOWN)
    extend(engine, CLOSES + 2 * DAY, "Ants")
    assert results(engine).extensions == (
        Extension("formal", None, CLOSES, CLOSES + DAY, DOWN.why, DOWN.at),
        Extension("formal", "Ants", CLOSES + DAY, CLOSES + 2 * DAY, FIRE.why, FIRE.at),
    )
    assert code(send(engine, run(), CLOSES + DAY, team="Bees")) == "closed"
    send(engine, run(), CLOSES + DAY)
    send(engine, run(), CLOSES, name="by that of all")
    assert [list(marks) for marks in flags(engine).values()] == [["extended"], []]
    extend(engine, CLOSES + WEEK, why=DOWN)  # that of the team ends before it: it says nothing
    assert [one.team for one in results(engine).extensions] == [None]


def test_a_promise_holds_within_the_grace_after_the_extended_close(engine):
    registered(engine, phase(grace=60))
    extend(engine, CLOSES + DAY, "Ants")
    digest = sha256(run()).hexdigest()
    with store.unit(engine) as db:
        assert marking.promise(db, "t", "Ants", digest, CLOSES).closes == CLOSES + DAY
        with pytest.raises(Mistake, match="closed"):
            marking.promise(db, "t", "Bees", digest, CLOSES)
    last = CLOSES + DAY + timedelta(minutes=60)
    assert code(send(engine, run(), last)) == "closed"
    assert "committed" in notices(send(engine, run(), last - SECOND))
    assert flags(engine) == {"ants-1": {}}  # the promise let it in, not the extension


# --- late runs


def test_late_runs_of_a_team_are_in_time_by_its_extension_as_far_as_it_has_slots(engine):
    registered(engine, phase(runs=2, **LENIENT))
    send(engine, run())
    for team, name, at in (
        ("Ants", "second", CLOSES + DAY),
        ("Ants", "first", CLOSES),
        ("Bees", "other", CLOSES),
    ):
        send(engine, run(), at, team, name)
    done = extend(engine, CLOSES + WEEK, "Ants")
    assert (done.runs.timely, done.runs.crowded, done.overtaken) == (("ants-3",), ("ants-2",), ())
    assert flags(engine) == {
        "ants-1": {},
        "ants-2": {"late": ""},
        "ants-3": {"extended": FIRE.why},
        "bees-1": {"late": ""},
    }
    until = "2031-06-08 00:00:00 UTC (2031-06-07 12:00:00 AoE)"
    assert log(engine) == [
        (f"phase extend: formal for team Ants to {until}", FIRE.why),
        ("run readmit: ants-3", FIRE.why),
    ]
    with store.reading(engine) as db:
        assert [e.what for e in store.history(db, "t", "ants-3")] == ["run readmit: ants-3"]


def test_an_extension_for_all_readmits_the_late_runs_of_all(engine):
    registered(engine, phase(**LENIENT))
    for team, at in (("Ants", CLOSES), ("Bees", CLOSES + DAY - SECOND)):
        send(engine, run(), at, team)
    send(engine, run(), CLOSES + DAY, name="two")
    done = extend(engine, CLOSES + DAY)
    assert done.runs.timely == ("ants-1", "bees-1")
    assert flags(engine) == {"ants-1": {}, "bees-1": {}, "ants-2": {"late": ""}}


def test_a_run_that_is_graded_while_its_phase_is_extended_is_in_time(engine, monkeypatch):
    registered(engine, phase(**LENIENT))
    from grader.grade import grade  # noqa: PLC0415, it is replaced below

    done = []

    def slow(*given):
        if not done:
            done.append(extend(engine, CLOSES + DAY, "Ants"))
        return grade(*given)

    monkeypatch.setattr("grader.grade.grade", slow)
    receipt = send(engine, run(), CLOSES)
    assert list(notices(receipt)) == ["extended"]
    assert flags(engine) == {"ants-1": {"extended": FIRE.why}}


# --- taken back


def test_an_extension_that_is_taken_back_leaves_the_runs_that_came_in_by_it(engine):
    registered(engine, phase(**LENIENT))
    extend(engine, CLOSES + WEEK, "Ants")
    send(engine, run(), CLOSES + DAY)
    send(engine, run(), CLOSES, name="two")
    done = extend(engine, CLOSES + DAY, "Ants", why=DOWN)
    assert (done.until, done.overtaken) == (CLOSES + WEEK, ("ants-1",))
    assert next(marking.notice(done)) == "Phase 'formal' of 'T' closes earlier than was said"
    extend(engine, CLOSES, "Ants", why=DOWN)
    assert results(engine).extensions == ()
    send(engine, run(), CLOSES, name="three")
    assert [list(marks) for marks in flags(engine).values()] == [["extended"]] * 2 + [["late"]]


# --- what cannot be

REFUSED = [
    (("formal", CLOSES - SECOND, None), "closes by the task's file at 2031-06-01 00:00:00 UTC"),
    (("formal", CLOSES, None), "closes at 2031-06-01 00:00:00 UTC .* already"),
    (("formal", CLOSES, "Ants"), "closes for 'Ants' at 2031-06-01 00:00:00 UTC .* already"),
    (("formal", CLOSES + DAY + SECOND, None), "'late' opens before 'formal' closes"),
    (("formal", CLOSES + DAY + SECOND, "ants"), "for 'Ants' 'late' opens before 'formal' closes"),
    (("late", CLOSES + WEEK, None), "'late' is revealed before it closes"),
    (("late", CLOSES + WEEK, "Ants"), "for 'Ants' 'late' is revealed before it closes"),
    (("formel", CLOSES + DAY, None), "there is no phase 'formel' of it"),
    (("Formal", CLOSES + DAY, None), "did you mean 'formal'"),
    (("formal", CLOSES + DAY, "Wasps"), "no team 'Wasps'"),
]


def test_what_cannot_be_extended_is_said_with_what_to_do_and_changes_nothing(engine):
    late = phase(
        "late", CLOSES + DAY, CLOSES + 2 * DAY, reveal=f'"{(CLOSES + 3 * DAY).isoformat()}"'
    )
    registered(engine, phase(), late)
    for (name, until, team), why in REFUSED:
        with pytest.raises(Mistake, match=why) as said:
            extend(engine, until, team, name)
        assert said.value.mend
    assert (results(engine).extensions, log(engine)) == ((), [])
    extend(engine, CLOSES + DAY)  # up to the next phase's first instant
    with pytest.raises(Mistake, match="closes for all teams at 2031-06-02"):
        extend(engine, CLOSES, "Ants")
    moved(engine)
    with pytest.raises(Mistake, match="it has no phases"):
        extend(engine, CLOSES)


# --- beside the task's file


def moved(engine, *phases):
    text = task_text("".join(phases))
    task = parse(text, "t")
    with store.unit(engine) as db:
        gold = store.registered(db, "t").gold
        return update_task(db, task, text, gold, Act(AT, b"salt" * 8))


def test_a_file_that_says_the_same_changes_no_phase_that_was_extended(engine):
    registered(engine, phase())
    extend(engine, CLOSES + DAY)
    assert moved(engine, phase()).change.keys == ()
    assert results(engine).task.phases[0].closes == CLOSES + DAY


def test_a_later_close_in_the_file_holds_and_an_earlier_one_does_not_undo_an_extension(engine):
    registered(engine, phase(**LENIENT))
    extend(engine, CLOSES + 2 * DAY)
    extend(engine, CLOSES + 3 * DAY, "Ants")
    for team in ("Ants", "Bees"):
        send(engine, run(), CLOSES + 2 * DAY, team)
    done = moved(engine, phase(closes=CLOSES - DAY, **LENIENT))
    assert (done.change.keys, done.timely, done.overtaken) == (("phases",), (), ())
    assert [one.before for one in results(engine).extensions] == [CLOSES - DAY, CLOSES + 2 * DAY]
    done = moved(engine, phase(closes=CLOSES + WEEK, **LENIENT))
    assert (done.timely, results(engine).extensions) == (("bees-1",), ())
    done = moved(engine, phase(closes=CLOSES, **LENIENT))  # now the extensions hold again
    assert done.overtaken == ("bees-1",)


def test_a_file_whose_phases_collide_with_extensions_is_refused(engine):
    registered(engine, phase())
    extend(engine, CLOSES + WEEK, "Ants")
    after = phase("after", CLOSES + DAY, CLOSES + 2 * WEEK)
    with pytest.raises(Mistake, match="for 'Ants' 'after' opens before 'formal' closes"):
        moved(engine, phase(), after)
    assert len(results(engine).task.phases) == 1
    moved(engine, phase(), phase("after", CLOSES + WEEK, CLOSES + 2 * WEEK))


# --- who is told


def test_the_public_hears_of_what_was_extended_for_all_alone(engine):
    registered(engine, phase())
    extend(engine, CLOSES + DAY, why=DOWN)
    extend(engine, CLOSES + WEEK, "Ants")
    for viewer in ("public", "participants"):
        seen = results(engine, viewer)
        assert [one.team for one in seen.extensions] == [None]
        assert seen.phase.closes == CLOSES + DAY
        assert FIRE.why not in repr(seen)
    send(engine, run(), CLOSES + DAY)
    assert results(engine, "public").entries[0].flags == {"extended": FIRE.why}


NOTICE = """
To mail:

Phase 'formal' of 'T' is open longer

For: {whom}
Until now it closed at: 2031-06-01 00:00:00 UTC (2031-05-31 12:00:00 AoE)
It now closes at: 2031-06-03 12:00:00 UTC (2031-06-03 00:00:00 AoE)
Reason: mail was down
"""


def invoke(*args):
    return CliRunner().invoke(main, [str(a) for a in args])


@pytest.mark.parametrize("team", [None, "Ants"])
def test_the_command_prints_the_notice_and_the_list_shows_it(engine, migrated_url, team):
    registered(engine, phase(**LENIENT))
    send(engine, run(), CLOSES)
    db, at = ("--db", migrated_url), ("--at", "2031-06-01T01:00:00Z")
    only = ("--team", team) if team else ()
    why = ("--why", "mail was down")
    done = invoke(
        "phase", "extend", "t", "formal", "--until", "2031-06-02 AoE", *only, *why, *db, *at
    )
    assert done.exit_code == 0, done.output
    whom = "team Ants" if team else "all teams"
    assert done.stdout == (
        f"t: phase formal closes for {whom} at 2031-06-03 12:00:00 UTC (2031-06-03 00:00:00 AoE)"
        "; publish again to show it\n"
        "1 run received before the new close is in time now: ants-1\n"
        f"{NOTICE.format(whom=whom)}"
    )
    listed = invoke("phase", "list", "t", *db, *at).stdout
    old = "2031-06-01 00:00:00 UTC (2031-05-31 12:00:00 AoE)"
    new = "2031-06-03 12:00:00 UTC (2031-06-03 00:00:00 AoE)"
    shown = f"for Ants   until {new}" if team else f"extended   from {old}"
    assert f"closes     {old if team else new}\n{shown}: mail was down\n" in listed
    assert f"formal ({'closed' if team else 'open'})" in listed
    wrong = invoke("phase", "extend", "t", "formal", "--until", "2031-06-02", *why, *db)
    assert wrong.exit_code == 2
    assert "is not like" in wrong.stderr
    assert "or a date with AoE" in wrong.stderr
    assert invoke("phase", "list", "t", *db, "--at", "2031-06-02 AoE").exit_code == 0


def test_a_run_whose_slot_nobody_used_comes_back_after_the_close(engine):
    # Of a phase that shows nothing a withdrawn run uses no slot; its instant is no matter.
    registered(engine, phase(runs=1, visible='"none"'))
    extend(engine, CLOSES + WEEK, "Ants")
    send(engine, run(), CLOSES)
    extend(engine, CLOSES, "Ants", why=DOWN)
    with store.unit(engine) as db:
        marking.withdraw(db, "t", "ants-1", FIRE)
        marking.restore(db, "t", "ants-1", FIRE)
    assert flags(engine) == {"ants-1": {"extended": FIRE.why}}


def test_a_file_too_early_is_no_late_one(engine):
    registered(engine, phase())
    extend(engine, CLOSES + DAY, "Ants")
    assert code(send(engine, run(), OPENS - SECOND)) == "not-open"
    assert isinstance(send(engine, run(), CLOSES + DAY), Rejected)
