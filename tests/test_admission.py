"""When a run is taken, and how many: half-open phases, days of UTC and of 24 hours, promises."""

from datetime import UTC, datetime, timedelta

import pytest

from grader.admission import Entrance, entrance, exhausted, slots, too_large, too_many_refused
from grader.model import Past, Phase, Problem, Sent, Task

OPENS, CLOSES = datetime(2031, 5, 1, tzinfo=UTC), datetime(2031, 6, 1, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DRY = Phase("dry", OPENS, CLOSES)
FORMAL = Phase("formal", CLOSES, datetime(2031, 7, 1, tzinfo=UTC))
NOBODY = Past()


def task(*phases):
    return Task("t", "T", phases=phases)


def sent(*instants, **keys):
    return Past(tuple(Sent("dry", moment, **keys) for moment in instants))


def day(number, hour=12):
    return datetime(2031, 5, number, hour, tzinfo=UTC)


def test_a_task_without_phases_takes_runs_at_any_time():
    assert entrance(task(), OPENS, (), NOBODY) == Entrance(None)


@pytest.mark.parametrize(
    ("at", "code"),
    [(OPENS - SECOND, "not-open"), (OPENS, ""), (CLOSES - SECOND, ""), (CLOSES, "closed")],
)
def test_a_phase_is_half_open(at, code):
    found = entrance(task(DRY), at, (), NOBODY)
    assert found == Entrance(DRY) if not code else found.code == code


def test_the_message_names_the_instants_in_both_zones():
    early = entrance(task(DRY), OPENS - SECOND, (), NOBODY)
    assert early.message == (
        "phase 'dry' opens at 2031-05-01 00:00:00 UTC (2031-04-30 12:00:00 AoE); "
        "it came in at 2031-04-30 23:59:59 UTC (2031-04-30 11:59:59 AoE)"
    )
    gap = Phase("formal", CLOSES + timedelta(days=1), CLOSES + timedelta(days=9))
    late = entrance(task(DRY, gap), CLOSES, (), NOBODY)
    assert late.message.startswith("phase 'dry' closed at 2031-06-01 00:00:00 UTC")
    assert late.message.endswith(
        "phase 'formal' opens at 2031-06-02 00:00:00 UTC (2031-06-01 12:00:00 AoE)"
    )


def test_adjacent_phases_leave_no_instant_out_and_none_in_both():
    both = task(DRY, FORMAL)
    assert entrance(both, CLOSES - timedelta(microseconds=1), (), NOBODY) == Entrance(DRY)
    assert entrance(both, CLOSES, (), NOBODY) == Entrance(FORMAL)


def test_a_late_run_is_unofficial_where_the_phase_says_so():
    lenient = Phase("dry", OPENS, CLOSES, late="unofficial")
    assert entrance(task(lenient), CLOSES, (), NOBODY) == Entrance(lenient, late=True)
    # Before the first opening there is nothing to be late for; an open phase comes first.
    assert entrance(task(lenient), OPENS - SECOND, (), NOBODY).code == "not-open"
    assert entrance(task(lenient, FORMAL), CLOSES, (), NOBODY) == Entrance(FORMAL)


def test_promised_bytes_are_in_time_while_the_grace_lasts():
    kind = Phase("dry", OPENS, CLOSES, grace=60)
    both = task(kind, FORMAL)
    promised = Past(committed=frozenset({("dry", "ab")}))
    hour = timedelta(hours=1)
    assert entrance(both, CLOSES, ("ab",), promised) == Entrance(kind, committed=True)
    assert entrance(both, CLOSES + hour - SECOND, ("x", "ab"), promised).phase == kind
    assert entrance(both, CLOSES + hour, ("ab",), promised) == Entrance(FORMAL)
    assert entrance(both, CLOSES, ("cd",), promised) == Entrance(FORMAL)
    other = Past(committed=frozenset({("formal", "ab")}))
    assert entrance(task(kind), CLOSES, ("ab",), other).code == "closed"


def test_a_day_of_utc_ends_at_midnight_whatever_the_offset():
    phase = Phase("dry", OPENS, CLOSES, per_day=2)
    past = sent(day(3, 1), day(3, 23))
    found = slots(phase, past, day(3, 23) + SECOND)
    assert (found.used, found.today, found.next) == (2, 2, day(4, 0))
    assert exhausted(found, day(3, 23) + SECOND).code == "quota"
    assert exhausted(slots(phase, past, day(4, 0)), day(4, 0)) is None
    assert slots(phase, past, day(4, 0)).today == 0


def test_a_rolling_day_is_any_24_hours():
    phase = Phase("dry", OPENS, CLOSES, per_day=2, day="rolling")
    past = sent(day(3, 1), day(3, 20))
    assert slots(phase, past, day(3, 21)).next == day(4, 1)
    assert exhausted(slots(phase, past, day(4, 1) - SECOND), day(4, 1) - SECOND) is not None
    assert exhausted(slots(phase, past, day(4, 1)), day(4, 1)) is None
    assert "in any 24 hours" in slots(phase, past, day(3, 21)).rule


def test_the_refusal_names_the_rule_what_is_used_and_the_next_instant():
    phase = Phase("dry", OPENS, CLOSES, runs=4, per_day=2)
    found = slots(phase, sent(day(3, 1), day(3, 2)), day(3, 3))
    assert exhausted(found, day(3, 3)).message == (
        "4 runs in all and 2 runs a day of UTC; refused files do not count, withdrawn runs count "
        "too: 2 in all and 2 of the day are used; the next is possible at "
        "2031-05-04 00:00:00 UTC (2031-05-03 12:00:00 AoE)"
    )


def test_all_used_means_no_next_one():
    phase = Phase("dry", OPENS, CLOSES, runs=2)
    found = slots(phase, sent(day(3), day(4)), day(5))
    assert (found.next, found.why) == (None, "none is left")
    assert exhausted(found, day(5)).message.endswith("are used; none is left")


def test_the_last_day_of_a_phase_has_no_next_one():
    phase = Phase("dry", OPENS, CLOSES, per_day=1)
    found = slots(phase, sent(day(31, 1)), day(31, 2))
    assert (found.next, found.why) == (None, "none is possible before the close")


def test_a_withdrawn_run_frees_its_slot_only_where_nobody_saw_a_score():
    gone = sent(day(3), withdrawn=True)
    for visible, used in (("none", 0), ("own", 1), ("teams", 1), ("public", 1)):
        phase = Phase("dry", OPENS, CLOSES, runs=1, visible=visible)
        assert slots(phase, gone, day(4)).used == used
    revealed = Phase("dry", OPENS, CLOSES, runs=1, visible="none", reveal=day(4))
    assert slots(revealed, gone, day(4) - SECOND).used == 0
    assert slots(revealed, gone, day(4)).used == 1


def test_late_runs_and_other_phases_count_for_themselves():
    phase = Phase("dry", OPENS, CLOSES, runs=1, late="unofficial")
    late = CLOSES + SECOND
    assert exhausted(slots(phase, sent(day(3)), late, late=True), late) is None
    assert exhausted(slots(phase, sent(late, late=True), late, late=True), late).code == "quota"
    elsewhere = Past((Sent("formal", day(3)),))
    assert slots(phase, elsewhere, day(4)).used == 0


def test_promised_bytes_need_a_slot_too():
    phase = Phase("dry", OPENS, CLOSES, runs=1, grace=60)
    assert exhausted(slots(phase, NOBODY, CLOSES), CLOSES) is None
    assert exhausted(slots(phase, sent(day(3)), CLOSES), CLOSES).code == "quota"


def test_no_limit_is_no_limit():
    found = slots(DRY, sent(*[day(3)] * 50), day(3))
    assert (found.used, found.next) == (50, day(3))
    assert exhausted(found, day(3)) is None


def test_refused_files_have_a_limit_an_hour():
    phase = Phase("dry", OPENS, CLOSES, refused=2)
    past = Past(refused=(day(3, 1), day(3, 2), day(3, 2) + timedelta(minutes=30)))
    assert too_many_refused(phase, past, day(3, 2) + timedelta(minutes=59)).message.endswith(
        "the next one at 2031-05-03 03:00:00 UTC (2031-05-02 15:00:00 AoE)"
    )
    assert too_many_refused(phase, past, day(3, 3)) is None


def test_the_largest_file_is_still_read():
    phase = Phase("dry", OPENS, CLOSES, size=1000)
    assert too_large(phase, 1000) is None
    assert isinstance(too_large(phase, 1001), Problem)
    assert too_large(DRY, 10**9) is None


@pytest.mark.parametrize("kind", ["utc", "rolling"])
def test_what_was_stamped_later_and_came_first_counts_too(kind):
    phase = Phase("dry", OPENS, CLOSES, per_day=1, day=kind)
    past = sent(day(3, 12))
    for at in (day(3, 12) - SECOND, day(3, 1)):
        found = slots(phase, past, at)
        assert (found.today, exhausted(found, at).code) == (1, "quota")
        assert found.next == (day(4, 0) if kind == "utc" else day(4, 12))
    before = day(2, 12)  # another day of UTC, and just not within 24 hours
    assert exhausted(slots(phase, past, before), before) is None


def test_no_24_hours_hold_more_than_the_limit():
    phase = Phase("dry", OPENS, CLOSES, per_day=2, day="rolling")
    past = sent(day(3, 1), day(3, 20), day(4, 10))
    # With one more at 4 May 0:30 there would be three from 3 May 20:00 to 4 May 10:00.
    at = day(4, 0)
    assert slots(phase, past, at).next == day(4, 20)
    assert exhausted(slots(phase, past, day(4, 20)), day(4, 20)) is None


def test_refused_files_that_are_stamped_earlier_count_too():
    phase = Phase("dry", OPENS, CLOSES, refused=1)
    past = Past(refused=(day(3, 12),))
    assert too_many_refused(phase, past, day(3, 12) - SECOND).code == "too-many-refused"
    assert too_many_refused(phase, past, day(3, 11)) is None


def test_a_day_that_ends_after_the_grace_has_no_next_one():
    phase = Phase("dry", OPENS, CLOSES, per_day=1, grace=60)
    at = CLOSES + SECOND
    found = slots(phase, sent(at), at)
    assert (found.next, found.why) == (None, "none is possible before the close")
