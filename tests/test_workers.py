"""Runs graded in several processes: the same answers in the same order as in one."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pytest

from grader import workers
from grader.errors import Mistake
from grader.model import Rejected, Upload
from grader.processors import crew, processors
from grader.tasks import parse, read_gold
from grader.workers import Broken, graded

AT = datetime(2031, 5, 1, tzinfo=UTC)


@pytest.fixture
def task():
    return parse('title = "T"\n[resampling]\nresamples = 50\n', "t")


@pytest.fixture
def gold(task):
    rows = "".join(f"q{i},a\n" for i in range(40))
    return read_gold(task, f"id,answer\n{rows}".encode(), "gold")


def runs(many=7):
    for seed in range(many):
        rng = np.random.default_rng(seed)
        rows = "".join(f"q{i},{rng.choice(['a', 'b'])},{rng.random():.3f}\n" for i in range(40))
        text = f"id,answer,confidence\n{rows}" if seed != 3 else "id,answer,confidence\nq0,a,0.5\n"
        yield f"r-{seed}", Upload("T", "r", "r.csv", text.encode(), AT)


def test_any_number_of_processes_says_the_same(task, gold, monkeypatch):
    monkeypatch.setattr(workers, "ENOUGH", 80)
    alone = list(graded(task, gold, runs(), 1))
    assert [slug for slug, _, _ in alone] == [f"r-{seed}" for seed in range(7)]
    assert [isinstance(found, Rejected) for _, _, found in alone] == [s == 3 for s in range(7)]
    assert list(graded(task, gold, runs(), 2)) == alone


def test_few_runs_start_no_process(task, gold, monkeypatch):
    monkeypatch.setattr(workers, "_spread", None)
    assert len(list(graded(task, gold, runs(3), 8))) == 3


def test_a_broken_scorer_is_told_of_its_run_alone(task, gold, monkeypatch):
    def broken(*_):
        raise RuntimeError("a bug")

    monkeypatch.setattr(workers, "grade", broken)
    found = [outcome for _, _, outcome in graded(task, gold, runs(2), 1)]
    assert all(isinstance(f, Broken) and str(f.error) == "a bug" for f in found)


def test_files_are_read_as_they_are_needed(task, gold, monkeypatch):
    monkeypatch.setattr(workers, "ENOUGH", 80)
    read = []

    def lazily():
        for slug, upload in runs(20):
            read.append(slug)
            yield slug, upload

    every = graded(task, gold, lazily(), 1)
    next(every)
    assert len(read) == 2  # 80 instances
    every.close()


def test_the_environment_says_how_many(task, gold, monkeypatch):
    monkeypatch.setattr(workers, "ENOUGH", 80)
    monkeypatch.setattr(workers, "_spread", lambda *given: iter([given[-1]]))
    monkeypatch.setenv("GRADER_WORKERS", "3")
    assert list(graded(task, gold, runs())) == [3]


@pytest.mark.parametrize("text", ["two", "-1", "1.5", "9999", "٣", "1" * 5000])
def test_a_number_of_workers_that_is_none_is_a_mistake(monkeypatch, text):
    monkeypatch.setenv("GRADER_WORKERS", text)
    with pytest.raises(Mistake, match="GRADER_WORKERS"):
        processors()
    monkeypatch.setenv("GRADER_WORKERS", "3")
    assert processors() == 3


_HELPED = """
import os, sys, time
from grader.processors import crew
with crew(2, sys.argv[1], tuple) as pool:
    pool.submit(os.getpid).result()
    busy = pool.submit(time.sleep, 120)
    print("helped", flush=True)
    busy.result()
"""


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("how", ["fork", "spawn"])
def test_no_process_outlives_the_one_that_it_helps(how, end):
    script = [sys.executable, "-c", _HELPED, how]
    with subprocess.Popen(script, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == b"helped\n"
        one.send_signal(end)
        # What is printed to ends when nobody is left who could print: they all have it.
        assert one.communicate(timeout=30) == (b"", None)


def test_a_helper_that_is_killed_is_no_bug():
    with pytest.raises(Mistake, match="memory"), crew(1, "spawn", tuple) as pool:
        pool.submit(os._exit, 9).result()
