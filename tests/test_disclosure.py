"""What is taken, and how, once labels are known to others than organisers: on both databases."""

from datetime import timedelta

import pytest
from click.testing import CliRunner
from conftest import AT
from phased import CLOSES, GOLD, NOON, code, phase, registered, run, runs, send, task_text

from grader import marking, store
from grader.board import rank, visible
from grader.cli import main
from grader.errors import Mistake
from grader.marking import Close, Decision
from grader.model import Disclosure, Receipt, Upload
from grader.revise import Act, update_task
from grader.store.opening import release_gold
from grader.tasks import parse, read_gold

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
TOLD, LATER = CLOSES + 5 * DAY, CLOSES + 6 * DAY
SECRET = {"visible": '"none"', "reveal": f'"{(CLOSES + 30 * DAY).isoformat()}"'}
LENIENT = SECRET | {"late": '"unofficial"'}
EARLY = (
    "labels are known since 2031-06-06 00:00:00 UTC (2031-06-05 12:00:00 AoE) "
    "(results in phase 'formal' handed to teams)"
)
UPDATE = "grader task update DIR, then: grader submit FILE --task t --team NAME"
WHY = Decision("they asked", LATER)
WAIVED = {"waived": ("closed",), "why": "they asked"}


def handed(engine, name="formal", at=TOLD):
    with store.unit(engine) as db:
        store.hand_out(db, "t", name, ["Ants", "Bees"], at)


def released(engine, at=TOLD, slug="t"):
    with store.unit(engine) as db:
        release_gold(db, slug, None, at)


TELLING = pytest.mark.parametrize("tell", [handed, released])


def known(engine, slug="t"):
    with store.reading(engine) as db:
        return store.disclosures(db, slug)


def extend(engine, until, team=None, why=WHY):
    with store.unit(engine) as db:
        return marking.extend(db, "t", Close("formal", until, team), why)


def amend(engine, name, payload, why=WHY):
    return marking.amend(engine, "t", name, Upload("", "", "b.csv", payload, why.at), why)


def updated(engine, *phases, at=LATER):
    text = task_text("".join(phases))
    task = parse(text, "t")
    with store.unit(engine) as db:
        gold = read_gold(task, GOLD, "gold.csv")
        return update_task(db, task, text, gold, Act(at, b"salt" * 8))


def places(engine):
    with store.reading(engine) as db:
        board = rank(visible(store.snapshot(db, LATER, ["t"]), "organisers").tasks[0])
    return {row.entry.slug: row.rank or row.why for row in board.rows}


def test_labels_are_known_from_the_first_handing_out_or_release(engine):
    registered(engine, phase(split='"public"', **SECRET))
    assert known(engine) == ()
    handed(engine, at=TOLD + DAY)
    handed(engine)
    released(engine, LATER + DAY)
    how = "results in phase 'formal' handed to teams"
    assert known(engine) == (
        Disclosure(TOLD, how, "public"),
        Disclosure(LATER + DAY, "release of gold v1"),
    )
    handed(engine, "", TOLD - DAY)  # runs from before there were phases
    assert known(engine)[0] == Disclosure(TOLD - DAY, "results handed to teams")


@TELLING
def test_no_phase_is_extended_once_its_labels_are_known(engine, tell):
    registered(engine, phase(**SECRET))
    tell(engine)
    for team in (None, "Ants"):
        with pytest.raises(
            Mistake, match="nothing was extended: labels are known since 2031-06-06"
        ):
            extend(engine, LATER + DAY, team)
    with store.reading(engine) as db:
        assert store.registered(db, "t").extensions == ()
    extend(engine, LATER + DAY, why=Decision("they asked", TOLD - SECOND))


@TELLING
def test_no_close_is_overlooked_of_a_file_that_came_once_labels_were_known(engine, tell):
    registered(engine, phase(**SECRET))
    send(engine, run(), TOLD - SECOND, **WAIVED)
    tell(engine)
    with pytest.raises(
        Mistake, match="closed cannot be waived: labels are known since 2031-06-06"
    ):
        send(engine, run(), TOLD, team="Bees", **WAIVED)
    with pytest.raises(Mistake, match="closed cannot be waived"):
        send(engine, run(), TOLD, team="Bees", phase="formal", **WAIVED)
    assert send(engine, run(), LATER, **WAIVED).repeated  # what is in is told at any time
    assert isinstance(send(engine, run(7), TOLD - SECOND, team="Bees", **WAIVED), Receipt)
    assert list(places(engine).values()) == [1, 2]


@TELLING
def test_no_run_is_amended_once_its_labels_are_known(engine, tell):
    registered(engine, phase(**SECRET))
    send(engine, run(3))
    tell(engine)
    with pytest.raises(Mistake) as caught:
        amend(engine, "ants-1", run())
    assert str(caught.value).startswith(
        "ants-1 was not amended: labels are known since 2031-06-06"
    )
    assert runs(engine)[0].amendments == ()
    done = amend(engine, "ants-1", run(4), Decision("ids were shifted", TOLD - SECOND))
    assert done.version == 2


def test_what_is_told_is_what_and_when_and_how_the_run_may_be_taken(engine):
    registered(engine, phase(**SECRET))
    handed(engine)
    with pytest.raises(Mistake) as caught:
        extend(engine, LATER + DAY)
    assert str(caught.value).splitlines() == [
        f"nothing was extended: {EARLY}",
        '  late and unranked it is taken with phase.late = "unofficial" in task.toml: ' + UPDATE,
    ]
    updated(engine, phase(**LENIENT))
    with pytest.raises(Mistake, match="unranked it is taken: grader submit FILE --task t --team"):
        extend(engine, LATER + DAY)
    receipt = send(engine, run(), LATER)
    assert {n.code: n.message for n in receipt.notices} == {
        "late": f"{EARLY}: the run is unofficial and not ranked"
    }
    again = send(engine, run(), LATER + DAY)
    assert [n.message for n in again.notices if n.code == "late"] == [
        f"{EARLY}: the run is unofficial and not ranked"
    ]
    assert dict(runs(engine)[0].flags) == {"late": EARLY}
    assert places(engine) == {"ants-1": EARLY}


@TELLING
def test_a_phase_that_opens_once_labels_are_known_takes_runs_and_ranks_none(engine, tell):
    registered(engine, phase(**SECRET))
    send(engine, run(5))
    tell(engine)
    more = phase("second", LATER, LATER + 7 * DAY)
    note, *_ = updated(engine, phase(**SECRET), more, at=TOLD + SECOND).notes
    assert note.startswith("labels are known since 2031-06-06 00:00:00 UTC")
    assert note.endswith(": what comes in to phase 'second' from then on is not ranked")
    receipt = send(engine, run(), LATER)
    assert (receipt.phase, receipt.graded.right) == ("second", 8)
    (found,) = [entry for entry in runs(engine) if entry.phase == "second"]
    assert found.flags["late"].startswith("labels are known since 2031-06-06")
    assert [*places(engine).values()] == [1, found.flags["late"]]
    amend(engine, found.slug, run(6), Decision("it is in no rank", LATER + DAY))
    with store.unit(engine) as db:
        marking.extend(db, "t", Close("second", LATER + 9 * DAY), Decision("more", LATER + DAY))


def test_a_close_that_moves_later_in_the_file_ranks_what_came_before_labels_were_known(engine):
    registered(engine, phase(**LENIENT))
    send(engine, run(5), CLOSES + DAY)
    send(engine, run(), TOLD + DAY, team="Bees")
    handed(engine)
    done = updated(engine, phase(closes=CLOSES + 20 * DAY, **LENIENT))
    assert done.timely == ("ants-1",)
    receipt = send(engine, run(), LATER + DAY, name="copied")
    assert receipt.notices[0].message.startswith(EARLY)
    assert places(engine)["ants-1"] == 1
    assert places(engine)["ants-2"] == EARLY


def test_of_a_part_of_the_gold_the_other_is_not_known(engine):
    registered(engine, phase(split='"public"', **SECRET))
    handed(engine)
    private = phase("final", LATER, LATER + DAY, split='"private"')
    done = updated(engine, phase(split='"public"', **SECRET), private)
    assert done.notes == ()
    send(engine, run(), LATER)
    assert places(engine) == {"ants-1": 1}
    whole = phase("final", LATER, LATER + DAY)
    done = updated(engine, phase(split='"public"', **SECRET), whole)
    assert len(done.notes) == 1
    send(engine, run(7), LATER, team="Bees")
    assert places(engine)["bees-1"].startswith("labels are known")


def test_a_task_that_lost_its_phases_ranks_nothing_on_released_gold(engine):
    registered(engine, phase(**SECRET))
    released(engine)
    (note,) = updated(engine).notes
    assert note.endswith("(release of gold v1): what comes in to 't' from then on is not ranked")
    send(engine, run(), LATER)
    assert places(engine)["ants-1"].startswith("labels are known since")


def test_labels_of_another_task_with_the_same_gold_are_known_too(engine):
    registered(engine, phase(**SECRET))
    text = task_text(phase(**SECRET))
    other = GOLD.replace(b"q6,yes", b"q6,no").replace(b"q7,yes", b"q7,no")
    with store.unit(engine) as db:
        for slug, gold in (("same", GOLD), ("other", other)):
            task = parse(text, slug)
            store.add_task(db, slug, text, read_gold(task, gold, "gold.csv"), b"salt" * 8, AT)
    released(engine, slug="other")  # 6 of 8 labels are the same
    assert known(engine) == ()
    released(engine, slug="same")
    assert known(engine) == (
        Disclosure(TOLD, "release of gold v1 of 'same', whose labels are the same"),
    )
    with pytest.raises(Mistake, match="release of gold v1 of 'same'"):
        extend(engine, LATER + DAY)


def test_until_then_nothing_is_marked_and_a_closed_phase_is_closed(engine):
    registered(engine, phase(**SECRET))
    handed(engine)
    send(engine, run(), NOON)
    assert (dict(runs(engine)[0].flags), places(engine)) == ({}, {"ants-1": 1})
    assert code(send(engine, run(7), LATER)) == "closed"


@pytest.mark.parametrize("until", [LATER, LATER - DAY])
def test_no_phase_is_extended_into_the_past(engine, until):
    registered(engine, phase())
    with pytest.raises(Mistake, match=f"nothing was extended: {until:%Y-%m-%d} 00:00:00 UTC"):
        extend(engine, until)
    extend(engine, LATER + SECOND)
    with store.unit(engine) as db:  # taken back in part: into the past too
        back = Decision("a mistake", LATER)
        assert marking.extend(db, "t", Close("formal", CLOSES + DAY), back).overtaken == ()


def test_the_commands_say_it_and_the_board_shows_why(engine, migrated_url, tmp_path):
    text = task_text(phase(**SECRET))
    registered(engine, phase(**SECRET))
    send(engine, run(5))
    handed(engine)
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "gold.csv").write_bytes(GOLD)
    (tmp_path / "run.csv").write_bytes(run())
    more = phase("second", LATER, LATER + 7 * DAY)
    (tmp_path / "t" / "task.toml").write_text(text + more, encoding="utf-8")

    def invoke(*args, at=LATER):
        said = [*map(str, args), "--db", migrated_url, "--at", at.isoformat()]
        done = CliRunner().invoke(main, said)
        assert "Traceback" not in done.output
        return done.exit_code, done.output

    done, said = invoke("task", "update", tmp_path / "t")
    assert (done, f"note: {EARLY}: what comes in to phase 'second'" in said) == (0, True)
    submit = ("submit", tmp_path / "run.csv", "--task", "t", "--team", "Bees")
    assert invoke(*submit, "--waive", "closed", "--phase", "formal", "--why", "x")[0] == 2
    done, said = invoke(*submit)
    assert (done, "the run is unofficial and not ranked" in said) == (0, True)
    invoke("publish", tmp_path / "site")
    page = (tmp_path / "site" / "t" / "index.html").read_text(encoding="utf-8")
    assert "Received after the close, or once labels were known (unofficial)" in page
    assert "(results in phase &#39;formal&#39; handed to teams)" in page


def test_a_phase_that_is_added_after_runs_came_in_says_what_pages_show_no_more(engine):
    registered(engine)
    send(engine, run(5))
    (note,) = updated(engine, phase("second", LATER, LATER + DAY), at=TOLD).notes
    assert "no subset of fewer than 200 instances" in note
    assert "fewer than 20 right or wrong answers" in note
    # It is said once, and not of phases that are over.
    assert updated(engine, phase("second", LATER, LATER + 2 * DAY), at=TOLD).notes == ()
    assert updated(engine, at=TOLD).notes == ()
    assert updated(engine, phase("second", TOLD - DAY, TOLD), at=LATER).notes == ()
