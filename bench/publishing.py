"""How long a large site takes to publish: first, and again after one more run came in.

One task of 1,000 ranked runs of 2,000 instances each in 20 subsets. Runs are stored beforehand,
graded by as many processes as there are processors, with few resamples: pages are as long as with
many. What is measured is the command of an organiser, a process of its own.
"""

import subprocess
import sys
from datetime import UTC, datetime
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from side import Row

from grader import store
from grader.model import Graded, Upload
from grader.signature import settings
from grader.tasks import parse, read_gold
from grader.workers import graded

RUNS, TEAM, INSTANCES = 1000, 4, 2000  # a team sends four
DIMENSIONS, VALUES = 4, 5
STEPS = (RUNS // 4, RUNS // 2, RUNS)
FIRST, AGAIN = 20.0, 3.0  # seconds
LINEAR = 1.2  # times as long as growth by the number of runs is still that
NOON = datetime(2026, 5, 10, 12, tzinfo=UTC)
NAMES = [f"d{k}" for k in range(DIMENSIONS)]
TOML = 'title = "Large"\n[resampling]\nresamples = 100\n[gold]\nsubsets = {}\n'.format(
    str(NAMES).replace("'", '"')
)


def _golden() -> tuple[bytes, np.ndarray]:
    """A gold file, and its answers as whole numbers."""
    rng = np.random.default_rng(1)
    answers = rng.integers(4, size=INSTANCES)
    cuts = rng.integers(VALUES, size=(INSTANCES, DIMENSIONS))
    rows = "".join(
        f"q{i},{a},{','.join(map(str, c))}\n"
        for i, (a, c) in enumerate(zip(answers, cuts, strict=True))
    )
    return f"id,answer,{','.join(NAMES)}\n{rows}".encode(), answers


def _sent(number: int, answers: np.ndarray) -> Upload:
    """A run: the more often right the later it came, and sure of itself in its own way."""
    rng = np.random.default_rng([2, number])
    chance = np.clip(rng.beta(3, 2, INSTANCES) + 0.1 * number / RUNS, 0.01, 0.99)
    right = rng.random(INSTANCES) < chance
    said = np.where(right, answers, (answers + 1) % 4)
    sure = np.clip(chance + rng.normal(0, 0.1), 0, 1)
    text = "".join(f"q{i},{a},{c:.4f}\n" for i, (a, c) in enumerate(zip(said, sure, strict=True)))
    body = f"id,answer,confidence\n{text}".encode()
    return Upload(f"Team {number // TEAM}", f"run {number}", "run.csv", body, NOON)


def _stored(url: str, first: int, end: int) -> None:
    """Put runs into the database, graded, as they would have come in one by one."""
    engine, (gold_file, answers) = store.opened(url), _golden()
    task = parse(TOML, "large")
    gold = read_gold(task, gold_file, "gold")
    with store.unit(engine) as db:
        if not first:
            store.add_task(db, "large", TOML, gold, bytes(32), NOON)
        for team in range(-(-first // TEAM), -(-end // TEAM)):
            store.add_team(db, f"Team {team}", str(team), NOON)
        counted = store.registered(db, "large").counted("")
    runs = ((str(number), _sent(number, answers)) for number in range(first, end))
    for _, upload, outcome in graded(task, gold, runs):
        if not isinstance(outcome, Graded):
            raise TypeError(f"{upload.name} was not graded: {outcome}")
        with store.unit(engine) as db:
            tail = settings(task, counted, sha256(upload.payload).hexdigest())
            store.add_run(db, "large", upload, outcome, tail, 1)
    engine.dispose()


def _published(url: str, out: Path) -> float:
    """The seconds of a publish."""
    grader = Path(sys.executable).parent / "grader"
    start = perf_counter()
    command = [str(grader), "publish", str(out), "--db", url]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603, our own tool
    return perf_counter() - start


@cache
def _taken() -> tuple[dict[int, float], float]:
    """The seconds of a first publish by the number of runs, and of one after one more came in."""
    took, before = {}, 0
    with TemporaryDirectory() as made:
        url = f"sqlite:///{made}/grader.db"
        for many in STEPS:
            _stored(url, before, many)
            took[many] = _published(url, Path(made) / f"site-{many}")
            before = many
        _stored(url, RUNS, RUNS + 1)
        return took, _published(url, Path(made) / f"site-{RUNS}")


def _within(work: str, took: float, most: float) -> Row:
    share = took / most
    return Row(work, took, f"{most:g} s", most, share, "≤ 1 ×", share <= 1)


def first() -> Row:
    """All pages."""
    work = f"{RUNS:,} runs × {INSTANCES:,} in {DIMENSIONS * VALUES} subsets published"
    return _within(work, _taken()[0][RUNS], FIRST)


def again() -> Row:
    """The pages of other runs stay."""
    return _within("the same site after one more run", _taken()[1], AGAIN)


def _grown(many: int) -> Row:
    took, few = _taken()[0], STEPS[0]
    times, most = took[many] / took[few], LINEAR * many / few
    work, base = f"{many:,} runs published", f"{few} runs"
    return Row(work, took[many], base, took[few], times, f"≤ {most:g} ×", times <= most)


ROWS = (first, again, partial(_grown, STEPS[1]), partial(_grown, STEPS[2]))
