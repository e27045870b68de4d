"""What a door answers in a task with phases: in time, late, promised, too many, hidden."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from zipfile import ZipFile

import pytest
from conftest import AT
from phased import (
    CLOSES,
    GOLD,
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
from grader.errors import Mistake
from grader.intake import deliver
from grader.model import Receipt, Rejected, Upload
from grader.receipts import answer, lines
from grader.report import quota
from grader.rescore import entries, rescore
from grader.revise import Act, update_task
from grader.tasks import parse, read_gold


@pytest.mark.parametrize(
    ("at", "answer"),
    [(OPENS - SECOND, "not-open"), (OPENS, ""), (CLOSES - SECOND, ""), (CLOSES, "closed")],
)
def test_a_phase_is_half_open_at_the_door(engine, at, answer):
    registered(engine, phase())
    outcome = send(engine, run(), at)
    if answer:
        assert code(outcome) == answer
        assert runs(engine) == ()
    else:
        assert (outcome.phase, outcome.received) == ("formal", at)


def test_ten_at_once_get_the_three_slots_there_are(engine):
    registered(engine, phase(per_day=3))
    payloads = [run(sure=f"0.{i}5") for i in range(10)]
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda p: send(engine, p, name=str(p[-9:])), payloads))
    taken = [a for a in answers if isinstance(a, Receipt)]
    assert len(taken) == len(runs(engine)) == 3
    assert [code(a) for a in answers if isinstance(a, Rejected)] == ["quota"] * 7
    assert code(send(engine, run(sure="0.99"), name="eleventh")) == "quota"
    # Another team has its own, and the next day of UTC brings new ones.
    assert send(engine, run(), team="Bees").slots.used == 1
    midnight = datetime(2031, 5, 11, tzinfo=UTC)
    assert answers[0].slots.next is None or answers[0].slots.next in (NOON, midnight)
    assert send(engine, run(sure="0.98"), midnight, name="tomorrow").slots.today == 1


def test_a_file_sent_twice_uses_one_slot_also_after_the_close(engine):
    registered(engine, phase(runs=1))
    first = send(engine, run())
    for at in (NOON + SECOND, CLOSES + SECOND):
        again = send(engine, run(), at)
        assert (again.run, again.received, again.repeated) == (first.run, NOON, True)
    assert len(runs(engine)) == 1
    assert code(send(engine, run(right=3), NOON + SECOND)) == "quota"


def test_two_at_the_same_instant_are_one_run(engine):
    registered(engine, phase(runs=1))
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: send(engine, run()), range(2)))
    assert len({receipt.run for receipt in both}) == len(runs(engine)) == 1
    assert sorted(receipt.repeated for receipt in both) == [False, True]


def test_equal_content_is_told_to_its_team_alone(engine):
    registered(engine, phase())
    send(engine, run(), name="one")
    told = {n.code: n.message for n in send(engine, run(order=-1), name="two").notices}
    assert told == {"same-content": "the same content, in other lines, as your run 'one'"}
    told = {n.code: n.message for n in send(engine, run(), name="three").notices}
    assert "'one'" in told["same-bytes"]
    assert send(engine, run(), team="Bees", name="one").notices == ()
    assert send(engine, run(sure="0.50"), team="Bees", name="b").notices[0].code == "same-content"
    assert send(engine, run(sure="0.51"), team="Bees", name="c").notices == ()


def test_refused_files_use_no_slot_and_have_a_limit_of_their_own(engine):
    registered(engine, phase(runs=1, refused=2))
    for bad in (run(sure="1.6"), run(sure="1.5")):
        outcome = send(engine, bad)
        assert outcome.problems[0].code == "out-of-range"
        assert (outcome.slots.used, outcome.slots.next) == (0, NOON)
    third = send(engine, bad, NOON + SECOND)
    assert code(third) == "too-many-refused"
    assert "2031-05-10 13:00:00 UTC" in third.problems[0].message
    assert code(send(engine, run(), NOON + SECOND)) == "too-many-refused"
    assert isinstance(send(engine, run(), NOON + timedelta(hours=1)), Receipt)
    with store.reading(engine) as db:
        kept = store.refused(db, "t")
    assert [(r.team, r.filename, dict(r.codes)) for r in kept] == [
        ("Ants", "run.csv", {"out-of-range": 8})
    ] * 2


def test_a_late_run_is_unofficial_and_unranked(engine):
    registered(engine, phase(late='"unofficial"', runs=1))
    send(engine, run(right=4))
    late = send(engine, run(), CLOSES, name="late")
    assert [n.code for n in late.notices] == ["late"]
    from grader.board import rank  # noqa: PLC0415

    with store.reading(engine) as db:
        board = rank(store.snapshot(db, CLOSES, ["t"]).tasks[0])
    assert [row.entry.name for row in board.ranked] == ["run"]
    assert [(row.entry.name, row.why) for row in board.unranked] == [
        ("late", "received after the close")
    ]


def test_promised_bytes_come_in_time(engine):
    registered(engine, phase(grace=60), phase("next", CLOSES, CLOSES + timedelta(days=9)))
    digest = "5d0aae4a8e4f0ddf5d4b9b4b5c14a47a1c0a6f1f3b7d9d6a2a1b3c4d5e6f7a8b"
    with store.unit(engine) as db:
        kept = marking.promise(db, "t", "Ants", sha256(run()).hexdigest(), CLOSES - SECOND)
        marking.promise(db, "t", "Ants", digest, CLOSES - SECOND)
        marking.promise(db, "t", "Ants", digest, CLOSES - SECOND)
    assert kept.name == "formal"
    receipt = send(engine, run(), CLOSES + timedelta(minutes=59))
    assert receipt.phase == "formal"
    assert [n.code for n in receipt.notices] == ["committed"]
    assert runs(engine)[0].flags == {}
    # Other bytes, another team, or after the grace: the phase that is open by then.
    assert send(engine, run(right=1), CLOSES + SECOND, name="b").phase == "next"
    assert send(engine, run(), CLOSES + SECOND, team="Bees").phase == "next"
    bundled = send(engine, run(right=2), CLOSES + SECOND, name="c", bundle=digest)
    assert bundled.phase == "formal"


def test_nothing_is_promised_when_no_phase_is_open_or_has_grace(engine):
    registered(engine, phase())
    for at, said in ((NOON, "has no grace"), (CLOSES, "closed at")):
        with store.unit(engine) as db, pytest.raises(Mistake, match=said):
            marking.promise(db, "t", "Ants", "ab" * 32, at)


@pytest.mark.parametrize("visible", ["none", "own", "teams", "public"])
def test_a_receipt_shows_what_its_team_may_see(engine, visible):
    registered(engine, phase(visible=f'"{visible}"', digits=1, subsets="false"))
    receipt = send(engine, run())
    assert (receipt.graded is None) == (visible == "none")
    assert ("hidden until" in receipt.hidden) == (visible == "none")
    assert not receipt.held
    assert receipt.digits == 1
    if visible in ("own", "teams"):
        assert {s.subset for s in receipt.graded.scores} == {"all"}


def test_after_the_reveal_a_repeated_receipt_has_the_scores(engine):
    registered(engine, phase(visible='"none"', reveal='"2031-07-01T00:00Z"'))
    assert "2031-07-01 00:00:00 UTC (2031-06-30 12:00:00 AoE)" in send(engine, run()).hidden
    assert send(engine, run(), datetime(2031, 7, 1, tzinfo=UTC)).graded is not None


@pytest.mark.parametrize("visible", ["none", "public"])
def test_withdrawing_frees_the_slot_only_where_nothing_was_seen(engine, visible):
    registered(engine, phase(visible=f'"{visible}"', runs=1))
    first = send(engine, run())
    with store.unit(engine) as db:
        marking.withdraw(db, "t", first.run, marking.Decision("wrong file", NOON))
    second = send(engine, run(right=2), NOON + SECOND, name="better")
    if visible == "public":
        assert code(second) == "quota"
        with store.unit(engine) as db:
            marking.restore(db, "t", first.run, marking.Decision("right after all", NOON))
    else:
        assert (second.slots.used, second.slots.next) == (1, None)
        with store.unit(engine) as db, pytest.raises(Mistake, match="has been used since"):
            marking.restore(db, "t", first.run, marking.Decision("right after all", NOON))


def test_the_part_of_the_gold_that_a_phase_names_counts(engine):
    registered(
        engine,
        phase(split='"public"'),
        phase("end", CLOSES, CLOSES + timedelta(days=9), split='"private"'),
    )
    public, private = send(engine, run(right=4)), send(engine, run(right=4), CLOSES)
    got = {
        r.phase: {s.measure: (s.value, s.n) for s in r.graded.scores if s.subset == "all"}
        for r in (public, private)
    }
    # q0, q1, q2 are public and right; of the five private ones only q3 is.
    assert got["formal"]["accuracy"] == (1.0, 3)
    assert got["end"]["accuracy"] == (0.2, 5)
    with store.unit(engine) as db:
        again = rescore(db, "t", NOON, entries(db, "t", NOON))
    assert [d.changed for d in again] == [0, 0]


def test_best_is_chosen_on_the_public_part(engine):
    from grader.board import rank  # noqa: PLC0415

    top = 'primary = "accuracy"\n[ranking]\nrule = "best"\n'
    registered(engine, phase(), top=top)
    hidden = run(right=8).replace(b"q0,yes", b"q0,no")  # 2 of 3 public, 7 of 8 in all
    open_ = run(right=3)  # all 3 public, 3 of 8 in all
    send(engine, hidden, name="hidden")
    send(engine, open_, name="open")
    with store.reading(engine) as db:
        board = rank(store.snapshot(db, NOON, ["t"]).tasks[0])
    assert [row.entry.name for row in board.ranked] == ["open"]
    assert [row.why for row in board.unranked] == ["not the team's best run"]


@pytest.mark.parametrize("part", ["all", "private", "public"])
def test_a_subset_called_split_keeps_no_team_from_a_rank(engine, part):
    """The score that chooses has a name of its own, whatever subsets are called."""
    from grader.board import rank, visible  # noqa: PLC0415

    top = 'primary = "accuracy"\n[ranking]\nrule = "best"\n'
    text = (
        task_text(phase(split=f'"{part}"'), top)
        .replace('"part"', '"split"')
        .replace('"kind"', '"split"')
    )
    task = parse(text, "t")
    gold = read_gold(task, GOLD.replace(b"part", b"split"), "gold.csv")
    with store.unit(engine) as db:
        store.add_task(db, "t", text, gold, b"salt" * 8, AT)
        store.add_team(db, "Ants", "token", AT)
    send(engine, run(right=8).replace(b"q0,yes", b"q0,no"), name="hidden")
    receipt = send(engine, run(right=4), name="open")  # all 3 public, 1 of 5 private
    assert {s.subset for s in receipt.graded.scores} <= {"all", "split=public", "split=private"}
    with store.reading(engine) as db:
        whole = store.snapshot(db, NOON, ["t"])
    boards = [rank(visible(whole, viewer).tasks[0]) for viewer in ("organisers", "public")]
    assert [[row.entry.name for row in board.ranked] for board in boards] == [["open"]] * 2
    assert [row.why for row in boards[1].unranked] == ["not the team's best run"]


def test_a_run_that_is_there_gets_its_receipt_whatever_files_are_called_now(engine):
    registered(engine, phase())
    first = send(engine, run())
    named = task_text(phase()) + '[run]\nnames = "[Team]-[1-4]"\n'
    with store.unit(engine) as db:
        gold = read_gold(parse(named, "t"), GOLD, "gold.csv")
        update_task(db, parse(named, "t"), named, gold, Act(NOON, b"salt" * 8))
    again = send(engine, run(), NOON + SECOND)
    assert (again.run, again.repeated) == (first.run, True)
    with store.reading(engine) as db:
        assert store.refused(db, "t") == ()
    assert code(send(engine, run(right=3), NOON + SECOND, name="new")) == "bad-name"


@pytest.mark.parametrize("at", [NOON, CLOSES])
def test_an_archive_that_is_not_taken_is_a_refused_file_as_any_other(engine, at):
    registered(engine, phase(runs=3, refused=1, size=2000))
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        for i in range(101):
            archive.writestr(f"r{i}.csv", run(sure=f"0.{i:03}"))
    sent = Upload("Ants", "", "all.zip", held.getvalue(), at)
    ((name, no),) = deliver(engine, "t", sent)
    assert name == "all.zip"
    with store.reading(engine) as db:
        kept = [(r.filename, r.sha256, dict(r.codes)) for r in store.refused(db, "t")]
    if at == CLOSES:
        assert (code(no), kept) == ("closed", [])
        return
    assert code(no) == "bad-archive"
    assert no.slots.used == 0
    assert "  quota: 3 runs in all; " in "\n".join(lines([(name, no)]))
    assert kept == [("all.zip", sha256(held.getvalue()).hexdigest(), {"bad-archive": 1})]
    assert code(send(engine, run())) == "too-many-refused"


def test_every_answer_says_how_many_runs_are_used_and_when_the_next_is_possible(engine):
    later = CLOSES + timedelta(days=1)
    end = later + timedelta(days=1)
    registered(engine, phase(runs=2), phase("next", later, end, per_day=1))
    early = send(engine, run(), OPENS - SECOND)
    assert code(early) == "not-open"
    assert (early.slots.used, early.slots.next, early.slots.now) == (0, OPENS, False)
    first = send(engine, run())
    assert quota(first.slots).endswith("count too: 1 used in all; the next now")
    between = CLOSES + SECOND
    shut, again = send(engine, run(right=2), between), send(engine, run(), between)
    assert code(shut) == "closed"
    assert again.run == first.run
    for said in (shut.slots, again.slots):
        assert (said.used, said.next) == (1, None)
        assert quota(said).endswith("count too: 1 used in all; the phase is closed")
    daily = send(engine, run(right=3), later, name="c").slots
    assert quota(daily).endswith("1 used in all, 1 of the day; none is possible before the close")
    back = send(engine, run(), end)
    assert (back.phase, back.slots.used, back.slots.rule) == ("formal", 1, first.slots.rule)
    assert answer(shut)["slots"]["why"] == answer(back)["slots"]["why"] == "the phase is closed"


def test_a_file_larger_than_the_phase_takes(engine):
    registered(engine, phase(size=len(run())))
    assert isinstance(send(engine, run()), Receipt)
    assert code(send(engine, run() + b"\n", name="b")) == "too-large"


def test_ids_of_another_task_are_remarked_for_organisers_alone(engine):
    registered(engine, phase())
    text = 'title = "Dry"\n'
    task = parse(text, "dry")
    gold = read_gold(task, b"id,answer\n" + b"".join(b"d%d,yes\n" % i for i in range(8)), "g")
    with store.unit(engine) as db:
        store.add_task(db, task.slug, text, gold, b"salt" * 8, AT)
    outcome = send(engine, run().replace(b"q", b"d"))
    assert "dry" not in repr(outcome).replace("'run.csv'", "")
    with store.reading(engine) as db:
        (kept,) = store.refused(db, "t")
    assert kept.remark == "8 of 8 ids that are not in the gold are of the task 'dry'"


def test_aliases_name_their_team_and_no_other(engine):
    registered(engine, phase())
    with store.unit(engine) as db:
        store.add_alias(db, "ants", "ANT", AT)
    assert send(engine, run(), team="ant").team == "Ants"
    for name, alias in (("Bees", "ant"), ("Bees", "ants"), ("Ants", "bees")):
        with store.unit(engine) as db, pytest.raises(Mistake, match="already a team"):
            store.add_alias(db, name, alias, AT)
    with store.unit(engine) as db, pytest.raises(Mistake, match="an alias of 'Ants'"):
        store.add_team(db, "Ant", "token", AT)


def test_a_repeated_late_run_is_told_that_it_is_unofficial(engine):
    registered(engine, phase(late='"unofficial"'))
    for _ in range(2):
        late = send(engine, run(), CLOSES)
        assert [n.code for n in late.notices] == ["late"]
    assert late.repeated


def test_another_run_of_the_same_name_is_told(engine):
    registered(engine, phase())
    first = send(engine, run())
    second = send(engine, run(right=3))
    assert [(n.code, first.run in n.message) for n in second.notices] == [("same-name", True)]
    assert send(engine, run(right=2), team="Bees").notices == ()
