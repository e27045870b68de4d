"""What went wrong at the doors of other software, each with the right outcome."""

import json
import re
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import AT
from phased import CLOSES, NOON, OPENS, SECOND, code, phase, registered, run, runs, send
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from grader import marking, store
from grader.cli import main
from grader.errors import Mistake
from grader.model import PUBLIC, Receipt, Upload
from grader.paired import public
from grader.revise import Act, update_task
from grader.site import render
from grader.tasks import parse, read_gold

HOUR = timedelta(hours=1)


def withdraw(engine, name, at=NOON):
    with store.unit(engine) as db:
        marking.withdraw(db, "t", name, marking.Decision("wrong file", at))


def restore(engine, name, at=NOON):
    with store.unit(engine) as db:
        marking.restore(db, "t", name, marking.Decision("right after all", at))


def pages(engine, at=CLOSES):
    with store.reading(engine) as db:
        return {path: body.decode(errors="replace") for path, body in render(public(db, at))}


# --- what counts against a quota, and when the next one is possible


@pytest.mark.parametrize(
    ("day", "free", "visible"),
    [
        ("utc", datetime(2031, 5, 11, tzinfo=UTC), "own"),
        ("rolling", NOON + 24 * HOUR, "own"),
        ("rolling", NOON + 25 * HOUR, "none"),
    ],
)
def test_a_limit_a_day_says_what_is_used_and_when_it_is_free(engine, day, free, visible):
    registered(engine, phase(per_day=2, day=f'"{day}"', visible=f'"{visible}"'))
    bad = send(engine, run(sure="1.5"))
    assert (bad.slots.used, bad.problems[0].code) == (0, "out-of-range")
    first = send(engine, run())
    withdraw(engine, first.run)
    second = send(engine, run(right=2), NOON + HOUR, name="b")
    assert second.slots.today == (1 if visible == "none" else 2)
    if visible == "none":  # nobody saw a score: the slot is free again
        assert send(engine, run(right=3), NOON + 2 * HOUR, name="c").slots.today == 2
    no = send(engine, run(right=4), NOON + 3 * HOUR, name="d")
    assert code(no) == "quota"
    count = "do not count" if visible == "none" else "count too"
    said = no.problems[0].message
    assert f"2 runs {'a day of UTC' if day == 'utc' else 'in any 24 hours'}" in said
    assert f"refused files do not count, withdrawn runs {count}" in said
    assert "2 in all and 2 of the day are used" in said
    assert f"the next is possible at {free:%Y-%m-%d %H:%M:%S} UTC" in said
    assert no.slots.next == free
    assert code(send(engine, run(right=4), free - SECOND, name="d")) == "quota"
    assert isinstance(send(engine, run(right=4), free, name="d"), Receipt)


def test_a_run_comes_back_only_while_no_later_one_has_its_slot_of_the_day(engine):
    registered(engine, phase(per_day=1, visible='"none"'))
    first = send(engine, run())
    withdraw(engine, first.run)
    send(engine, run(right=2), NOON + HOUR, name="b")
    with pytest.raises(Mistake, match="the slot of ants-1 has been used since") as said:
        restore(engine, first.run)
    assert "grader run withdraw t ANOTHER" in str(said.value)
    send(engine, run(right=3), NOON + 24 * HOUR, name="c")
    withdraw(engine, "ants-2")
    restore(engine, first.run)
    assert [name for r in runs(engine) for name in r.flags] == ["withdrawn"]
    assert {r.slug for r in runs(engine) if not r.flags} == {"ants-1", "ants-3"}


def test_in_any_24_hours_a_run_that_comes_back_may_crowd_out_a_later_one(engine):
    registered(engine, phase(per_day=2, day='"rolling"', visible='"none"'))
    names = [send(engine, run(), name="a").run]
    withdraw(engine, names[0])
    for i, hours in enumerate((20, 23)):
        names.append(send(engine, run(right=i), NOON + hours * HOUR, name=str(i)).run)
    with pytest.raises(Mistake, match="in any 24 hours"):
        restore(engine, names[0])
    withdraw(engine, names[1])
    restore(engine, names[0])


# --- names of files


NAMES = [
    *("../../../tmp/pwn.csv", "/etc/cron.d/pwn", "..\\..\\pwn.csv", ".", ""),
    *("aé東.csv", "x" * 400, "run.csv\r\nX-Injected: 1", "<b>.csv", "a\0\udcff.csv"),
]


def test_whatever_a_file_is_called_it_is_judged_by_its_content(engine, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    registered(engine, phase())
    kept = {}
    for i, filename in enumerate(NAMES):
        receipt = send_as(engine, filename, f"r{i}")
        values = {s.measure: s.value for s in receipt.graded.scores if s.subset == "all"}
        assert values["accuracy"] == 0.5
        kept[filename] = runs(engine)[-1].filename
    for name in kept.values():
        assert name == Path(name).name
        assert name.isprintable()
        assert 0 < len(name) <= 200
    assert kept["<b>.csv"] == "<b>.csv"  # text, and escaped where it is shown
    site = pages(engine)
    assert "&lt;b&gt;.csv" in site["t/ants-9.html"]
    assert not [path for path, body in site.items() if "<b>.csv" in body]
    url = engine.url.render_as_string(hide_password=False)
    for i in (0, 4, 7, 8):
        done = CliRunner().invoke(main, ["run", "download", "t", f"ants-{i + 1}", "--db", url])
        assert done.exit_code == 0, done.output
    new = {path for path in tmp_path.rglob("*") if path.name != "grader.db"} - set(before)
    assert {path.parent for path in new} == {tmp_path}
    assert all(path.read_bytes() == run(4) for path in new if path.suffix == ".csv")
    assert len(new) == 4


def send_as(engine, filename, name):
    from grader.intake import receive  # noqa: PLC0415

    return receive(engine, "t", Upload("Ants", name, filename, run(4), NOON))


# --- the address of a withdrawn run


def test_the_address_of_a_withdrawn_run_is_never_anothers(engine):
    registered(engine, phase())
    gone = send(engine, run(), name="gone").run
    withdraw(engine, gone)
    other = send(engine, run(right=3, sure="0.123"), team="Bees", name="theirs").run
    again = send(engine, run(right=2), name="again").run
    assert len({gone, other, again}) == 3
    made = pages(engine)
    assert not [path for path in made if gone in path]
    row = re.search(f'<tr id="run-{gone}".*?</tr>', made["t/index.html"], re.DOTALL)[0]
    assert "wrong file" in row
    assert not [word for word in ("Bees", "theirs", "0.375", f"{gone}.html") if word in row]


# --- times


def test_pages_and_answers_are_the_same_in_any_zone_and_every_time_has_one(
    sqlite_url, tmp_path, monkeypatch
):
    engine = store.opened(sqlite_url)
    registered(engine, phase(reveal='"2031-07-01T00:00Z"', grace=30))
    send(engine, run())
    send(engine, run(right=2), NOON + HOUR, name="two")
    withdraw(engine, "ants-2")
    engine.dispose()
    said = {}
    at = ("--db", sqlite_url, "--at", "2031-07-02T00:00:00Z")
    try:
        for zone in ("UTC", "Pacific/Auckland", "America/Los_Angeles"):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            out = tmp_path / zone.replace("/", "-")
            commands = (
                ("publish", str(out)),
                ("phase", "list", "t"),
                ("run", "show", "t", "ants-1"),
            )
            told = [CliRunner().invoke(main, [*command, *at]).stdout for command in commands]
            files = {f.relative_to(out): f.read_bytes() for f in out.rglob("*") if f.is_file()}
            said[zone] = files, told[1:]
    finally:
        monkeypatch.undo()
        time.tzset()
    assert said["UTC"] == said["Pacific/Auckland"] == said["America/Los_Angeles"]
    files, told = said["UTC"]
    bodies = [body.decode() for path, body in files.items() if path.suffix == ".html"]
    times = [
        (clock[0], plain[clock.end() : clock.end() + 30])
        for body in (*bodies, *told)
        for plain in [re.sub(r"<[^>]*>", "", body)]
        for clock in re.finditer(r"\b\d{1,2}:\d\d(:\d\d)?\b", plain)
    ]
    assert len(times) > 5
    assert not [t for t in times if not re.match(r"\s*(UTC|AoE|Z|[+-]\d\d:\d\d)", t[1])]
    assert not [body for body in bodies if re.search(r"\d\s*[ap]m\b", body)]


# --- rules that both databases enforce


STATEMENTS = [
    "DELETE FROM teams WHERE name = 'Ants'",
    "DELETE FROM tasks",
    "UPDATE aliases SET team_id = 999",
    "UPDATE commitments SET team_id = 999",
    "UPDATE commitments SET task_id = 999",
    "UPDATE refusals SET team_id = 999",
    "UPDATE refusals SET task_id = 999",
]


def test_nothing_refers_to_a_team_or_task_that_is_not_there(engine):
    registered(engine, phase(grace=5))
    with store.unit(engine) as db:
        store.add_alias(db, "Ants", "ANT", AT)
        marking.promise(db, "t", "Ants", "ab" * 32, NOON)
    send(engine, run(sure="1.5"))
    for statement in STATEMENTS:
        with pytest.raises(IntegrityError), store.unit(engine) as db:
            db.execute(text(statement))


# --- ids of another gold


def gold(ids):
    lines = b"".join(b"%s,yes\n" % i.encode() for i in ids)
    return read_gold(parse('title = "G"\n', "g"), b"id,answer\n" + lines, "g")


def test_of_which_gold_ids_are_is_known_whatever_their_number(engine):
    many = [f"e{i}" for i in range(1000)]
    registered(engine, phase())
    with store.unit(engine) as db:
        for slug, ids in (("dry", ["d1", "d2", "d3"]), ("large", many), ("twin", ["d1", "d2"])):
            store.add_task(db, slug, 'title = "G"\n', gold(ids), b"salt" * 8, AT)
        store.add_gold(db, "dry", gold(["x1", "d2"]), "again", b"salt" * 8, AT)
        store.add_gold(db, "t", gold(["q0"]), "fewer", b"salt" * 8, AT)

    def remark(ids):
        with store.reading(engine) as db:
            return store.elsewhere(db, "t", ids)

    def of(found, all_, task):
        return f"{found} of {all_} ids that are not in the gold are of the {task}"

    assert remark([]) == remark(["zz"]) == ""
    assert remark(["d1", "d2", "d3"]) == of(3, 3, "task 'dry'")
    # Also what only an earlier version of that gold held; each id once; half is enough.
    assert remark(["x1", "d3"]) == of(2, 2, "task 'dry'")
    assert remark(["d1", "zz"] * 7) == of(1, 2, "task 'dry'")
    assert remark(["d1", "zz", "yy"]) == ""
    # The earlier gold of this very task.
    assert remark(["q1", "q2", "zz"]) == of(2, 3, "earlier gold of this task")
    # More than either database takes in one query, and what no gold could hold.
    huge = [*many, *(f"z{i}" for i in range(1000, 100_000))]
    assert remark(many) == of(1000, 1000, "task 'large'")
    assert remark(huge) == ""
    assert remark(["d1\0", "\udcff", "d" * 10_000, "d3"]) == ""
    assert remark(["d1\0", "\udcff", "d3", "d2"]) == of(2, 4, "task 'dry'")


def test_a_refused_file_is_kept_with_what_its_ids_are(engine):
    registered(engine, phase())
    with store.unit(engine) as db:
        store.add_task(db, "dry", 'title = "G"\n', gold([f"d{i}" for i in range(8)]), b"salt", AT)
    bad = json.dumps([{"id": "d1\0\ud800", "answer": "yes", "confidence": 2}]).encode()
    for k, body in enumerate((run(), run().replace(b"q", b"d"), bad, b"", b"\xff", b"x,y\n1,2\n")):
        send(engine, body, NOON + k * SECOND)
    with store.reading(engine) as db:
        kept = store.refused(db, "t")
    assert len(kept) == 5
    assert [bool(r.remark) for r in kept] == [True, False, False, False, False]
    assert all(r.codes and r.team == "Ants" for r in kept)


# --- a task file that changes while there are runs


def revised(engine, *phases, top=""):
    from phased import GOLD, task_text  # noqa: PLC0415

    text_ = task_text("".join(phases), top)
    task = parse(text_, "t")
    with store.unit(engine) as db:
        act = Act(CLOSES, b"salt" * 8)
        return update_task(db, task, text_, read_gold(task, GOLD, "gold.csv"), act)


def test_a_deadline_moves_without_scoring_anything_again(engine, monkeypatch):
    registered(engine, phase(runs=1))
    send(engine, run())
    before = runs(engine)
    monkeypatch.setattr("grader.workers.grade", lambda *_: pytest.fail("scored again"))
    later = CLOSES + 48 * HOUR
    done = revised(engine, phase(closes=later, runs=2, visible='"own"', digits=1))
    assert (done.change.keys, done.change.rescoring, done.differences) == (("phases",), (), ())
    assert runs(engine) == before
    assert send(engine, run(right=2), later - SECOND, name="two").phase == "formal"
    assert code(send(engine, run(right=3), later, name="three")) == "closed"


@pytest.mark.parametrize("also", ["run", "promise"])
def test_a_phase_that_holds_something_keeps_its_name(engine, also):
    registered(engine, phase(grace=5), phase("next", CLOSES, CLOSES + HOUR))
    if also == "run":
        send(engine, run())
    else:
        with store.unit(engine) as db:
            marking.promise(db, "t", "Ants", "ab" * 32, NOON)
    second = phase("next", CLOSES, CLOSES + HOUR)
    for phases in ((phase("final"), second), (second,), ()):
        with pytest.raises(Mistake, match="'formal', and there would be no such phase"):
            revised(engine, *phases)
    assert revised(engine, phase(grace=5)).change.keys == ("phases",)
    third = phase("third", CLOSES, CLOSES + HOUR)
    assert revised(engine, phase(grace=5), third).change.keys == ("phases",)
    assert all(r.phase == "formal" for r in runs(engine))


def test_phases_may_come_to_a_task_that_has_runs(engine):
    registered(engine)
    first = send(engine, run(), OPENS)
    assert first.phase == ""
    assert revised(engine, phase()).differences == ()
    assert [(r.phase, r.graded is not None) for r in runs(engine)] == [("", True)]
    assert send(engine, run(right=3), name="two").phase == "formal"


def test_another_part_of_the_gold_scores_the_phase_again(engine):
    registered(engine, phase(split='"public"'))
    send(engine, run(right=4))
    done = revised(engine, phase(split='"private"'))
    assert done.change.rescoring == ("phases",)
    (entry,) = runs(engine)
    assert {
        s.value for s in entry.graded.scores if (s.measure, s.subset) == ("accuracy", "all")
    } == {
        0.2  # of the five private instances one of the first four
    }


def test_who_chooses_the_best_run_from_now_on_has_scores_to_choose_by(engine):
    registered(engine, phase())
    send(engine, run())
    done = revised(engine, phase(), top='[ranking]\nrule = "best"\n')
    assert done.change.rescoring == ("ranking.rule",)
    (entry,) = runs(engine)
    assert PUBLIC in {s.subset for s in entry.graded.scores}


def test_a_change_of_flags_or_words_leaves_the_log_whole(engine):
    registered(engine, phase())
    name = send(engine, run()).run
    withdraw(engine, name)
    restore(engine, name)
    with pytest.raises(Mistake, match="is not withdrawn"):
        restore(engine, name)
    withdraw(engine, name)
    with pytest.raises(Mistake, match="withdrawn already: wrong file"):
        withdraw(engine, name)
    with store.reading(engine) as db:
        logged = [(e.what, e.why) for e in store.history(db, "t")]
    off, on = (f"run {verb}: ants-1" for verb in ("withdraw", "restore"))
    assert logged == [(off, "wrong file"), (on, "right after all"), (off, "wrong file")]
    assert replace(runs(engine)[0], flags={}).flags == {}
