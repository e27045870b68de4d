"""What teams object to, and who has sent nothing that counts, on both databases."""

import csv
import io
import json
import re
from datetime import timedelta

import pytest
from click.testing import CliRunner
from conftest import AT
from phased import CLOSES, NOON, OPENS, phase, registered, run, runs, send
from sqlalchemy import update

from grader import marking, store
from grader.board import visible
from grader.cli import main
from grader.errors import Mistake
from grader.marking import Decision
from grader.model import Dispute, Registration
from grader.paired import public
from grader.site import render
from grader.store.schema import golds

DAY = timedelta(days=1)
SAID, ANSWERED = "the label of q3 is Vienna, they say", "right: it is Vienna from v2 on"
WHY = Decision("why", AT)


def objection(**keys):
    given = {"instance": None, "run": None, "team": None, "said": SAID, "opened": NOON} | keys
    return Dispute(0, **given)


def dispute(engine, **keys):
    with store.unit(engine) as db:
        return marking.dispute(db, "t", objection(**keys))


def answer(engine, number, text=ANSWERED, at=NOON + DAY):
    with store.unit(engine) as db:
        marking.answer(db, "t", number, text, at)


def disputes(engine, viewer="organisers", at=NOON):
    with store.reading(engine) as db:
        parts = visible(store.snapshot(db, at, ["t"]), viewer).tasks
    return [one for part in parts for one in part.disputes]


def release(engine, at):
    with store.unit(engine) as db:
        db.execute(update(golds).values(released=at))


def test_a_dispute_is_kept_answered_and_logged(engine):
    registered(engine, phase())
    send(engine, run())
    assert dispute(engine, instance="q3", team=" ants") == 1
    assert dispute(engine, run="ants-1", said="they copied") == 2
    assert dispute(engine, instance="q4", run="ants-1") == 3
    answer(engine, 1)
    first = objection(instance="q3", team="Ants")
    assert disputes(engine) == [
        Dispute(1, "q3", None, "Ants", SAID, NOON, ANSWERED, NOON + DAY),
        Dispute(2, None, "ants-1", None, "they copied", NOON),
        Dispute(3, "q4", "ants-1", None, SAID, NOON),
    ]
    assert marking.about(first) == "q3"
    with store.reading(engine) as db:
        log = store.history(db, "t")
        assert store.history(db, "t", "ants-1") == log[1:3]
    assert [(e.what, e.why, e.who) for e in log] == [
        ("dispute add: 1 on q3", SAID, "Ants"),
        ("dispute add: 2 on ants-1", "they copied", "organiser"),
        ("dispute add: 3 on q4 in ants-1", SAID, "organiser"),
        ("dispute answer: 1", ANSWERED, "organiser"),
    ]


def test_no_answer_comes_before_its_question(engine):
    registered(engine, phase())
    dispute(engine, instance="q3")
    with pytest.raises(Mistake, match=r"dispute 1 of 't' is of 2031-"):
        answer(engine, 1, at=NOON - timedelta(seconds=1))
    answer(engine, 1, at=NOON)


def test_a_second_answer_takes_the_place_of_the_first_which_stays_in_the_log(engine):
    registered(engine, phase())
    dispute(engine, instance="q3")
    answer(engine, 1, "no")
    answer(engine, 1, "yes after all", NOON + 2 * DAY)
    (one,) = disputes(engine)
    assert (one.answer, one.answered) == ("yes after all", NOON + 2 * DAY)
    with store.reading(engine) as db:
        assert [e.why for e in store.history(db, "t")][1:] == ["no", "yes after all"]


def test_numbers_count_the_disputes_of_a_task(engine):
    registered(engine, phase())
    with store.unit(engine) as db:
        text, now = store.config(db, "t"), store.registered(db, "t")
        store.add_task(db, "u", text, now.gold, b"salt", AT)
        assert [marking.dispute(db, slug, objection(instance="q1")) for slug in "tutu"] == [
            *(1, 1, 2, 2),
        ]


WRONG = [
    ({}, "is about an instance, a run, or both"),
    ({"instance": "Q3"}, "there is no instance 'Q3' of 't'; did you mean 'q3'?"),
    ({"instance": "q99"}, "there is no instance 'q99' of 't'$"),
    ({"run": "ants-9"}, "there is no run 'ants-9'"),
    ({"instance": "q3", "team": "Wasps"}, "there is no team 'Wasps'"),
    ({"instance": "q3", "said": "x" * 10_001}, "10000 are allowed"),
    ({"instance": "q3", "said": "a\0b"}, "holds a NUL"),
]


def test_what_cannot_be_disputed_is_said_and_not_kept(engine):
    registered(engine, phase())
    send(engine, run())
    for keys, why in WRONG:
        with pytest.raises(Mistake, match=why):
            dispute(engine, **keys)
    with pytest.raises(Mistake, match="there is no dispute 1 of 't'"):
        answer(engine, 1)
    assert disputes(engine) == []


# --- who sees what


def test_texts_are_for_organisers_until_the_gold_is_public_and_whose_they_are_for_good(engine):
    registered(engine, phase())
    dispute(engine, instance="q3", team="Ants")
    answer(engine, 1)
    for viewer in ("public", "participants"):
        assert disputes(engine, viewer) == [
            Dispute(1, "q3", None, None, None, NOON, None, NOON + DAY)
        ]
    release(engine, NOON + DAY)
    (before,) = disputes(engine, "public", NOON + DAY - timedelta(seconds=1))
    (after,) = disputes(engine, "public", NOON + DAY)
    assert (before.said, before.answer) == (None, None)
    assert (after.said, after.answer, after.team) == (SAID, ANSWERED, None)


def test_of_a_run_that_is_hidden_no_dispute_is_seen(engine):
    reveal = f'"{(CLOSES + DAY).isoformat()}"'
    registered(engine, phase(visible='"own"', reveal=reveal))
    send(engine, run())
    dispute(engine, run="ants-1")
    dispute(engine, instance="q3", run="ants-1")
    dispute(engine, instance="q4")
    assert [one.number for one in disputes(engine, "public")] == [3]
    assert [one.number for one in disputes(engine, "public", CLOSES + DAY)] == [1, 2, 3]


def pages(engine, at):
    with store.reading(engine) as db:
        return {name: page.decode(errors="replace") for name, page in render(public(db, at))}


def test_pages_say_that_something_is_disputed_and_texts_once_the_gold_is_public(engine):
    registered(engine, phase("dry"), phase("formal", CLOSES, CLOSES + DAY))
    send(engine, run(), NOON)
    send(engine, run(), CLOSES)
    dispute(engine, instance="q3", team="Bees")
    dispute(engine, run="ants-1", said="<b>they</b> copied")
    answer(engine, 1)
    made = pages(engine, CLOSES)
    task, one, two = (made[f"t/{name}.html"] for name in ("index", "ants-1", "ants-2"))
    assert task.count('id="dispute-') == 2
    assert '<tr id="dispute-1">' in task
    assert "answered <time" in task
    assert 'href="index.html#dispute-2">No. 2</a>: open' in one
    assert "dispute" not in two
    for page in made.values():
        assert not [word for word in (SAID, ANSWERED, "copied", "Bees") if word in page]
    assert "told when the gold is released" in task
    release(engine, CLOSES)
    after = pages(engine, CLOSES)["t/index.html"]
    assert SAID in after
    assert ANSWERED in after
    assert "&lt;b&gt;they&lt;/b&gt; copied" in after
    assert "told when the gold is released" not in after
    assert "Bees" not in after


# --- the commands


def test_disputes_on_the_command_line(engine, migrated_url):
    registered(engine, phase())
    send(engine, run())

    def invoke(*args):
        return CliRunner().invoke(main, [*args, "--db", migrated_url])

    at = ("--at", NOON.isoformat())
    add = ("dispute", "add", "t")
    done = invoke(*add, "--instance", "q3", "--team", "Ants", SAID, *at)
    assert done.stdout == (
        "dispute 1 on q3 is kept; publish again to show it\n  grader dispute answer t 1 '…'\n"
    )
    assert json.loads(invoke(*add, "--run", "ants-1", "no", *at, "--format", "json").stdout) == {
        "task": "t",
        "number": 2,
    }
    assert "2, 2 open; no. 1 on q3; no. 2 on ants-1\n" in invoke("task", "show", "t").stdout
    done = invoke("dispute", "answer", "t", "1", ANSWERED, *at)
    assert done.stdout == "dispute 1 is answered; publish again to show it\n"
    one = {
        "number": 1,
        "instance": "q3",
        "run": None,
        "team": "Ants",
        "said": SAID,
        "opened": NOON.isoformat(),
        "answer": ANSWERED,
        "answered": NOON.isoformat(),
    }
    two = one | {"number": 2, "instance": None, "run": "ants-1", "team": None, "said": "no"}
    two |= {"answer": None, "answered": None}
    listed = ("dispute", "list", "t")
    assert json.loads(invoke(*listed, "--format", "json").stdout) == [one, two]
    assert json.loads(invoke(*listed, "--open", "--format", "json").stdout) == [two]
    assert invoke(*listed).stdout == (
        "dispute\tabout\tof\topened\tanswered\tsaid\tanswer\n"
        f"1\tq3\tAnts\t2031-05-10\t2031-05-10\t{SAID}\t{ANSWERED}\n"
        "2\tants-1\t\t2031-05-10\t\tno\t\n"
    )
    shown = json.loads(invoke("task", "show", "t", "--format", "json").stdout)
    assert shown["disputes"] == [one, two]
    assert "waived" not in shown["task"]
    shown_text = invoke("task", "show", "t").stdout
    assert re.search(r"^disputes +2, 1 open; no\. 2 on ants-1$", shown_text, re.MULTILINE)
    for wrong, why in (
        ((*add, "text"), "give --instance, --run, or both"),
        ((*add, "--instance", "q3", " "), "a text needs words"),
        (("dispute", "answer", "t", "9", "text"), "there is no dispute 9"),
        (("dispute", "list", "u"), "there is no task 'u'"),
    ):
        done = invoke(*wrong)
        assert (done.exit_code, why in done.stderr) == (2, True), done.output
    invoke("dispute", "answer", "t", "2", "no", *at)
    assert invoke(*listed, "--open").stdout == "no open dispute of t\n"


# --- who has sent nothing that counts


def missing(url, *more, form="json"):
    done = CliRunner().invoke(
        main,
        ["team", "missing", "t", *more, "--format", form, "--db", url, "--at", NOON.isoformat()],
    )
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout) if form == "json" else done.stdout


def teams(engine, *names, **said):
    with store.unit(engine) as db:
        for name in names:
            store.add_team(db, name, f"token of {name}", AT)
            store.register(db, name, Registration(**said))


def test_who_has_no_run_that_counts_is_told_with_the_reason(engine, migrated_url):
    late = {"late": '"unofficial"'}
    registered(engine, phase("dry"), phase("formal", CLOSES, CLOSES + DAY, **late))
    teams(engine, "Elsewhere", tracks=("u",))
    teams(engine, "Here", contact="here@example.org", tracks=("u", "t"))
    teams(engine, "Nowhere", "Late", "Withdrawn", "=Refused", "Guest")
    with store.unit(engine) as db:
        store.register(db, "Guest", Registration(tracks=("u",)))
    send(engine, run(), CLOSES, "Ants")
    send(engine, run(), NOON, "Bees")  # of the dry run alone
    send(engine, run(), CLOSES + DAY, "Late")
    send(engine, run(), CLOSES, "Withdrawn")
    with store.unit(engine) as db:
        marking.withdraw(db, "t", "withdrawn-1", WHY)
    send(engine, b"id,answer,confidence\n", NOON, "=Refused")
    send(engine, run() + b"zz,yes,2\nzz,yes,2\n", CLOSES, "=Refused")
    send(engine, run()[:-10], CLOSES + DAY - timedelta(seconds=1), "Guest")
    found = {one["team"]: one for one in missing(migrated_url, "formal")}
    assert {team: (one["contact"], one["why"]) for team, one in found.items()} == {
        "Bees": (None, "nothing came"),
        "Here": ("here@example.org", "nothing came"),
        "Nowhere": (None, "nothing came"),
        "Late": (None, "after the close: late-1"),
        "Withdrawn": (None, "withdrawn: withdrawn-1"),
        "=Refused": (None, "refused files alone"),
        "Guest": (None, "refused files alone"),  # it sent something, so it entered
    }
    refused = found["=Refused"]["refused"]
    assert (refused["at"], refused["file"]) == (CLOSES.isoformat(), "run.csv")
    assert refused["codes"] == {"unknown-id": 2, "duplicate-id": 1, "out-of-range": 2}
    dry = {one["team"]: one["why"] for one in missing(migrated_url)}  # open at noon
    assert dry["Ants"] == "nothing came"
    assert "Bees" not in dry
    assert "Guest" not in dry  # what it sent came in another phase
    lines = list(csv.reader(io.StringIO(missing(migrated_url, "formal", form="csv"))))
    assert lines[0] == ["team", "contact", "why", "last refused", "problems"]
    (mine,) = (line for line in lines if line[0] == "'=Refused")  # a spreadsheet runs nothing
    assert mine[1:4] == ["", "refused files alone", "2031-06-01 00:00:00 UTC"]
    assert set(mine[4].split(", ")) == {"unknown-id 2", "duplicate-id 1", "out-of-range 2"}
    assert ["Here", "here@example.org", "nothing came", "", ""] in lines


def test_a_held_run_counts_and_a_primary_one_may_be_needed(engine, migrated_url, monkeypatch):
    registered(engine, phase(), top='[ranking]\nrule = "primary"\n')
    with monkeypatch.context() as patch:
        patch.setattr("grader.grade.grade", lambda *_: 1 / 0)
        send(engine, run(), flags=("primary",))
    assert runs(engine)[0].held
    send(engine, run(), team="Bees")
    send(engine, run(), team="Bees", name="two")
    (only,) = missing(migrated_url)
    assert (only["team"], only["why"]) == ("Bees", "none is primary: bees-1, bees-2")
    with store.unit(engine) as db:
        marking.mark(db, "t", "bees-2", "primary", WHY)
    assert missing(migrated_url) == []
    assert missing(migrated_url, form="text") == (
        "every team that entered phase formal of t has a run that counts\n"
    )


def test_a_task_without_phases_has_its_missing_teams_and_no_phase(engine, migrated_url):
    registered(engine)
    send(engine, run())
    assert missing(migrated_url, form="text") == (
        "team\tcontact\twhy\tlast refused\tproblems\nBees\t\tnothing came\t\t\n"
    )
    wrong = CliRunner().invoke(main, ["team", "missing", "t", "formal", "--db", migrated_url])
    assert wrong.exit_code == 2
    assert "there is no phase 'formal' of 't'" in wrong.stderr


def test_what_was_refused_before_a_phase_opened_is_not_of_it(engine, migrated_url):
    registered(engine, phase())
    send(engine, b"id\n", OPENS, "Ants")
    assert [one["why"] for one in missing(migrated_url)] == ["refused files alone", "nothing came"]
