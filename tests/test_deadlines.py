"""A close that moves: who is in time then, on both databases."""

from datetime import timedelta
from hashlib import sha256

import pytest
from click.testing import CliRunner
from conftest import AT
from phased import CLOSES, GOLD, NOON, SECOND, phase, registered, run, runs, send, task_text

from grader import marking, store
from grader.cli import main
from grader.revise import Act, update_task
from grader.tasks import parse, read_gold

DAY, WEEK = timedelta(days=1), timedelta(days=7)
LENIENT = {"late": '"unofficial"'}


def moved(engine, *phases):
    text = task_text("".join(phases))
    task = parse(text, "t")
    with store.unit(engine) as db:
        gold = read_gold(task, GOLD, "gold.csv")
        return update_task(db, task, text, gold, Act(AT, b"salt" * 8))


def late(engine):
    return [entry.slug for entry in runs(engine) if "late" in entry.flags]


def test_late_runs_before_the_new_close_are_in_time(engine):
    registered(engine, phase(**LENIENT))
    send(engine, run())
    for name, at in (("a", CLOSES), ("b", CLOSES + WEEK - SECOND), ("c", CLOSES + WEEK)):
        send(engine, run(), at, name=name)
    assert late(engine) == ["ants-2", "ants-3", "ants-4"]
    done = moved(engine, phase(closes=CLOSES + WEEK, **LENIENT))
    assert (done.timely, done.crowded, done.overtaken) == (("ants-2", "ants-3"), (), ())
    assert late(engine) == ["ants-4"]
    with store.reading(engine) as db:
        said = [event.what for event in store.history(db, "t")]
    assert said[-2:] == [f"run readmit: ants-{n}" for n in (2, 3)]


def test_slots_are_given_to_late_runs_in_the_order_of_reception(engine):
    registered(engine, phase(runs=2, **LENIENT))
    send(engine, run())
    send(engine, run(), CLOSES + DAY, name="sent first")
    send(engine, run(), CLOSES, name="came first")
    send(engine, run(), CLOSES + DAY, team="Bees")
    done = moved(engine, phase(closes=CLOSES + WEEK, runs=2, **LENIENT))
    assert (done.timely, done.crowded) == (("ants-3", "bees-1"), ("ants-2",))
    assert late(engine) == ["ants-2"]


def test_a_close_that_moves_earlier_leaves_runs_in_time(engine):
    registered(engine, phase(**LENIENT))
    for name, at in (("before", NOON - SECOND), ("at", NOON), ("late", CLOSES)):
        send(engine, run(), at, name=name)
    send(engine, run(), NOON, name="gone")
    with store.unit(engine) as db:
        marking.withdraw(db, "t", "ants-4", marking.Decision("wrong", AT))
    assert moved(engine, phase(closes=NOON, **LENIENT)).overtaken == ("ants-2",)
    assert late(engine) == ["ants-3"]


def test_a_late_run_is_no_run_of_another_phase_that_now_has_its_instant(engine):
    registered(engine, phase(**LENIENT))
    send(engine, run(), CLOSES)
    final = phase("final", CLOSES, CLOSES + WEEK)
    assert moved(engine, phase(**LENIENT), final).timely == ()
    assert late(engine) == ["ants-1"]


def test_promised_bytes_are_in_time_when_the_grace_grows(engine):
    registered(engine, phase(grace=1, **LENIENT))
    with store.unit(engine) as db:
        marking.promise(db, "t", "Ants", sha256(run()).hexdigest(), NOON)
    send(engine, run(), CLOSES + 3 * timedelta(minutes=1))
    send(engine, run(right=3), CLOSES + 3 * timedelta(minutes=1), name="not promised")
    assert late(engine) == ["ants-1", "ants-2"]
    assert moved(engine, phase(grace=5, **LENIENT)).timely == ("ants-1",)


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (7, "2 runs received before the new close are in time now: ants-1, ants-2"),
        (1, "1 run received before the new close is in time now: ants-1"),
        (0, ""),
    ],
)
def test_the_command_says_who_is_in_time(engine, tmp_path, migrated_url, days, said):
    registered(engine, phase(runs=9, **LENIENT))
    send(engine, run(), CLOSES)
    send(engine, run(), CLOSES + 2 * DAY, name="two")
    (tmp_path / "t").mkdir()
    text = task_text(phase(closes=CLOSES + days * DAY, runs=8, **LENIENT))
    (tmp_path / "t" / "task.toml").write_text(text, encoding="utf-8")
    (tmp_path / "t" / "gold.csv").write_bytes(GOLD)
    done = CliRunner().invoke(main, ["task", "update", f"{tmp_path}/t", "--db", migrated_url])
    first, *rest = done.output.splitlines()
    assert first == "t: phases changed; publish again to show it"
    assert rest == [said] * bool(said)
