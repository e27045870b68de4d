"""[[phase]] of a task file: instants with a zone, half-open, in the order of time."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import Mistake
from grader.instants import read_instant, said
from grader.model import Phase
from grader.tasks import parse
from grader.tasks.phases import KEYS
from grader.tasks.update import change

WHOLE = """
title = "T"
[gold]
split = "part"
[[phase]]
name = "dry"
opens = "2031-05-01T02:00+02:00"
closes = 2031-06-01T00:00:00Z
visible = "none"
late = "unofficial"
[[phase]]
name = "formal"
opens = "2031-06-01 AoE"
closes = "2031-06-30 AoE"
split = "private"
runs = 4
per_day = 2
day = "rolling"
refused = 9
size = 1000
visible = "own"
reveal = "2031-08-01T00:00Z"
digits = 2
subsets = false
names = "pseudonyms"
grace = 90
"""


def phase(**keys):
    given = {"name": '"dry"', "opens": '"2031-05-01T00:00Z"', "closes": '"2031-06-01T00:00Z"'}
    lines = (f"{k} = {v}" for k, v in (given | keys).items())
    return "\n".join(["[[phase]]", *lines, ""])


def mistakes(*phases, gold=""):
    with pytest.raises(Mistake) as raised:
        parse(f'title = "T"\n{gold}' + "".join(phases), "t")
    return [line.strip() for line in raised.value.said[1:]]


def at(*when):
    return datetime(*when, tzinfo=UTC)


def test_every_key_of_a_phase_is_read():
    dry, formal = parse(WHOLE, "t").phases
    assert dry == Phase("dry", at(2031, 5, 1), at(2031, 6, 1), visible="none", late="unofficial")
    assert formal == Phase(
        "formal",
        at(2031, 6, 1, 12),
        at(2031, 7, 1, 12),
        split="private",
        runs=4,
        per_day=2,
        day="rolling",
        refused=9,
        size=1000,
        visible="own",
        reveal=at(2031, 8, 1),
        digits=2,
        subsets=False,
        names="pseudonyms",
        grace=90,
    )


def test_a_date_anywhere_on_earth_begins_and_ends_in_utc_minus_12():
    assert read_instant("2031-06-30 AoE") == at(2031, 6, 30, 12)
    assert (
        read_instant("2031-06-30 AoE", end=True)
        == read_instant("2031-07-01 AoE")
        == at(2031, 7, 1, 12)
    )
    assert read_instant("2032-02-28 AoE", end=True) == at(2032, 2, 29, 12)
    assert read_instant("9999-12-31 AoE", end=True) is None


@given(st.datetimes(at(1971, 1, 2).replace(tzinfo=None), at(8999, 1, 1).replace(tzinfo=None)))
def test_an_instant_is_said_in_both_zones_and_read_again(moment):
    moment = moment.replace(tzinfo=UTC, microsecond=0)
    utc, aoe = said(moment).removesuffix(" AoE)").split(" UTC (")
    assert read_instant(f"{utc}Z") == moment == read_instant(f"{aoe}-12:00")


WRONG = {
    "name": ['""', '" a"', '"a\\nb"', f'"{"x" * 61}"', "5"],
    "opens": [
        '"2031-05-01T00:00"',
        '"2031-05-01"',
        '"soon"',
        "5",
        "2031-05-01",
        '"1500-01-01 AoE"',
        '"2031-05-01X12:00Z"',
        '"2031-W18-4T00:00Z"',
        '"20310501T000000Z"',
        '"2031-05-01T00Z"',
        '"2031-05-01T24:01Z"',
        '"2031-04-31T00:00Z"',
        '"2031-05-01T00:00+14:01"',
        '"2031-05-01T00:00-15:00"',
        '"2031-05-01T00:00+02:00:30"',
    ],
    "closes": ['"2031-06-01T00:00"', "2031-06-01T00:00:00", '"2031-05-01T00:00Z"', "true"],
    "split": ['"half"', '"private"'],
    "runs": ["0", '"3"', "1000001"],
    "per_day": ["0", "1.5"],
    "day": ['"local"'],
    "refused": ["0", "true"],
    "size": ["0", "67108865"],
    "visible": ['"all"'],
    "reveal": ['"never"', '"2031-05-01"', '"2031-05-31T23:59:59Z"'],
    "digits": ["0", "11"],
    "subsets": ['"no"', "0"],
    "names": ['"none"', "true"],
    "late": ['"ok"'],
    "grace": ["-1", "10081"],
}


@pytest.mark.parametrize(("key", "value"), [(k, v) for k, values in WRONG.items() for v in values])
def test_a_wrong_value_is_said_with_its_key_and_what_it_may_be(key, value):
    (line,) = mistakes(phase(**{key: value}))
    assert line.startswith(f"phase.{key}: ")
    assert line.endswith(f"; it may be {KEYS[f'phase.{key}']}")


def test_every_key_has_a_wrong_value_above():
    assert {f"phase.{key}" for key in WRONG} | {"phase"} == set(KEYS)


def test_a_date_without_a_zone_is_told_so():
    assert "which names no time zone" in mistakes(phase(closes='"2031-06-01T00:00"'))[0]


def test_an_instant_is_a_date_a_time_and_an_offset():
    noon = at(2031, 5, 1, 12)
    for text in ("2031-05-01T12:00Z", " 2031-05-01 12:00:00Z ", "2031-05-01T12:00:00.000Z"):
        assert read_instant(text) == noon
    assert read_instant("2031-05-02T02:00+14:00") == read_instant("2031-05-01T00:00-1200") == noon


def test_scores_are_revealed_at_the_close_at_the_earliest():
    (told,) = parse('title = "T"\n' + phase(reveal='"2031-06-01T00:00Z"'), "t").phases
    assert told.reveal == told.closes


def test_what_a_phase_needs_is_missing():
    lines = mistakes("[[phase]]\nvisible = 'own'\n")
    assert {line.split(":")[0] for line in lines} == {"phase.name", "phase.opens", "phase.closes"}


def test_an_unknown_key_gets_a_guess():
    (line,) = mistakes(phase(close="1"))
    assert line == "phase.close: is no key: did you mean 'phase.closes'?"


def test_phases_may_touch_and_may_not_overlap():
    second = {"name": '"b"', "opens": '"2031-06-01T00:00Z"', "closes": '"2031-07-01T00:00Z"'}
    assert len(parse('title = "T"\n' + phase() + phase(**second), "t").phases) == 2
    second["opens"] = '"2031-05-31T23:59:59Z"'
    assert mistakes(phase(), phase(**second))[0].startswith("phase.opens: 'b' opens before 'dry'")


def test_a_name_stands_once_whatever_its_case():
    second = {"name": '"DRY"', "opens": '"2031-06-01T00:00Z"', "closes": '"2031-07-01T00:00Z"'}
    assert mistakes(phase(), phase(**second))[0].startswith("phase.name: 'dry' stands 2 times")


def test_only_another_part_of_the_gold_scores_runs_again():
    old = parse(WHOLE, "t")
    longer = parse(WHOLE.replace("06-30 AoE", "07-30 AoE"), "t")
    other = parse(WHOLE.replace('"private"', '"public"'), "t")
    assert change(old, longer).rescoring == ()
    assert change(old, longer).keys == ("phases",)
    assert change(old, other).rescoring == ("phases",)


@pytest.mark.parametrize(
    ("visible", "seen"),
    [("none", ()), ("own", ("own",)), ("teams", ("own", "teams")), ("public", (1, 2, 3))],
)
def test_who_sees_scores_until_the_reveal(visible, seen):
    hidden = Phase("a", at(2031, 5, 1), at(2031, 6, 1), visible=visible)
    told = Phase("a", at(2031, 5, 1), at(2031, 6, 1), visible=visible, reveal=at(2031, 7, 1))
    for viewer in ("own", "teams", "public"):
        allowed = visible == "public" or viewer in seen
        assert hidden.sees(viewer, at(2099, 1, 1)) == allowed
        assert told.sees(viewer, at(2031, 6, 30, 23, 59, 59)) == allowed
        assert told.sees(viewer, at(2031, 7, 1))
