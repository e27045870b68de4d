"""Many runs graded at once, in as many processes as the machine has processors."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import chain, islice

from grader.grade import grade, overlooking
from grader.model import Gold, Graded, Rejected, Task, Upload
from grader.processors import crew, processors

ENOUGH = 40_000  # instances of all runs from which starting processes is worth its half second
_AHEAD = 2  # files that wait for each process: no more of them are in memory at once

Named = tuple[str, Upload]


@dataclass(frozen=True, slots=True)
class Broken:
    """The scorer broke on a run: a bug, and what it said."""

    error: Exception


Outcome = Graded | Rejected | Broken


def graded(
    task: Task, gold: Gold, runs: Iterable[Named], workers: int | None = None
) -> Iterator[tuple[str, Upload, Outcome]]:
    """Yield each run with what ``grade`` says of it, in the order given.

    The same for any number of ``workers``: by default GRADER_WORKERS, or one for each processor
    that this process may use.
    """
    many = workers or processors()
    runs = iter(runs)
    first = list(islice(runs, -(-ENOUGH // max(len(gold.ids), 1))))
    every = chain(first, runs)
    if many == 1 or len(first) * len(gold.ids) < ENOUGH:
        for slug, upload in every:
            yield slug, upload, _outcome(task, gold, upload)
        return
    yield from _spread(task, gold, every, many)


def _spread(
    task: Task, gold: Gold, runs: Iterator[Named], many: int
) -> Iterator[tuple[str, Upload, Outcome]]:
    waiting: deque[tuple[str, Upload, Future[Outcome]]] = deque()
    # Spawned, not forked: a child shares no connection to the database.
    with crew(many, "spawn", _prepare, task, gold) as pool:
        for slug, upload in chain(islice(runs, many * _AHEAD)):
            waiting.append((slug, upload, pool.submit(_one, upload)))
        while waiting:
            slug, upload, future = waiting.popleft()
            yield slug, upload, future.result()
            for name, more in islice(runs, 1):
                waiting.append((name, more, pool.submit(_one, more)))


_against: tuple[Task, Gold]


def _prepare(task: Task, gold: Gold) -> None:
    """What a process keeps, instead of being told with each run."""
    global _against  # noqa: PLW0603, a process is told once
    _against = task, gold


def _one(upload: Upload) -> Outcome:
    return _outcome(*_against, upload)


def _outcome(task: Task, gold: Gold, upload: Upload) -> Outcome:
    try:
        return grade(overlooking(task, upload.waived), gold, upload.payload, upload.phase)
    except Exception as error:  # noqa: BLE001, who asks decides what a bug means
        return Broken(error)
