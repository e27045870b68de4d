"""How long a whole campaign takes: judged, scored again, and published.

Three tasks of 40 teams with four runs of 2,000 instances each, without subsets. Runs are stored
beforehand, as they come in one by one over weeks; the rest are the commands of an organiser.
"""

import csv
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from side import Row

from grader import store
from grader.model import Graded, Upload
from grader.tasks import parse, read_gold

TASKS, TEAMS, RUNS, INSTANCES = 3, 40, 4, 2000
WRONG = 8  # different wrong answers to a question
MOST = 180  # seconds
NOON = datetime(2026, 5, 10, 12, tzinfo=UTC)
UNSCORED = Graded((), (), (), INSTANCES, INSTANCES, 0, 0)  # it costs what is measured here
TOML = 'title = "Task {}"\nanswers = "judged"\n'


def _answers(rng: np.random.Generator) -> list[str]:
    """Right in three of five cases; else one of the wrong answers."""
    wrong = rng.integers(WRONG, size=INSTANCES)
    right = rng.random(INSTANCES) < 0.6
    return ["right" if r else f"wrong {w}" for r, w in zip(right, wrong, strict=True)]


def _stored(url: str) -> None:
    """The tasks, teams and runs, which are accepted and still without a score."""
    engine, rng = store.opened(url), np.random.default_rng(1)
    rows = "".join(f"q{i}\n" for i in range(INSTANCES)).encode()
    with store.unit(engine) as db:
        for team in range(TEAMS):
            store.add_team(db, f"Team {team}", str(team), NOON)
        for k in range(TASKS):
            slug, toml = f"task-{k}", TOML.format(k)
            gold = read_gold(parse(toml, slug), b"id\n" + rows, "gold")
            store.add_task(db, slug, toml, gold, bytes(32), NOON)
            for run in range(TEAMS * RUNS):
                sure = rng.random(INSTANCES)
                each = zip(_answers(rng), sure, strict=True)
                text = "".join(f"q{i},{a},{c:.4f}\n" for i, (a, c) in enumerate(each))
                body = f"id,answer,confidence\n{text}".encode()
                sent = Upload(f"Team {run // RUNS}", f"run {run}", "run.csv", body, NOON)
                store.add_run(db, slug, sent, UNSCORED, "", 1)
    engine.dispose()


def _labelled(folder: Path) -> None:
    """Write into each file of the pool what its judge says."""
    for file in folder.rglob("*.csv"):
        with file.open(encoding="utf-8-sig", newline="") as source:
            rows = list(csv.DictReader(source))
        for row in rows:
            row["label"] = "right" if row["answer"] == "right" else "wrong"
        with file.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)


def _parts(folder: Path) -> Iterator[tuple[str, float]]:
    """Yield what is done, and its seconds."""
    url = f"sqlite:///{folder / 'grader.db'}"
    grader = Path(sys.executable).parent / "grader"

    def run(*words: object) -> float:
        start = perf_counter()
        command = [str(grader), *map(str, words), "--db", url]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603, our own tool
        return perf_counter() - start

    _stored(url)
    slugs = [f"task-{k}" for k in range(TASKS)]
    pools = {slug: folder / slug for slug in slugs}
    yield "answers pooled", sum(run("judge", "pool", s, "--out", p) for s, p in pools.items())
    _labelled(folder)
    files = {slug: sorted(pool.rglob("*.csv")) for slug, pool in pools.items()}
    judge = ("--judge", "Judge")
    took = sum(run("judge", "import", slug, *files[slug], *judge) for slug in slugs)
    yield "labels taken in, runs scored", took
    yield "site published", run("publish", folder / "site")


def campaign() -> Row:
    """The whole, with its parts printed above it."""
    with TemporaryDirectory() as made:
        parts = list(_parts(Path(made)))
    for name, seconds in parts:
        print(f"  {name}: {seconds:.1f} s")
    took = sum(seconds for _, seconds in parts)
    work = f"{TASKS} tasks × {TEAMS} teams × {RUNS} runs × {INSTANCES:,} judged and published"
    return Row(work, took, "3 minutes", MOST, took / MOST, "≤ 1 ×", took <= MOST)


ROWS = (campaign,)
