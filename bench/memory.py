"""One piece of work in a process of its own: seconds, peak bytes above its start, bytes read.

    python bench/memory.py intervals | grade | grade-fewer

The peak is the process's largest resident set, less what it was when everything was imported
and nothing yet read; the gold counts as part of the work.
"""

import resource
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from grader.grade import grade
from grader.measures import MEASURES, find
from grader.model import Gold, Graded, Judged, Subsets
from grader.resample import Resampler
from grader.tasks import parse

SUBSETS = 20
KEYS = [
    f"{key}@{m.parameter.example}" if m.parameter and m.parameter.required else key
    for key, m in MEASURES.items()
    if m.needs in ("confidence", "order") and key != "smece"
]


def peak() -> int:
    """The largest resident set so far, in bytes.

    On Linux the resource module's figure begins with that of the process that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text(encoding="ascii").splitlines()
        return int(next(x for x in lines if x.startswith("VmHWM")).split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def intervals(n: int) -> tuple[float, int]:
    """All intervals of n continuous confidences: seconds, and bytes of the arrays."""
    rng = np.random.default_rng(1)
    sure = rng.random(n)
    judged = Judged(rng.random(n) < 0.2 + 0.6 * sure, sure)
    start = perf_counter()
    part = Resampler(judged, 1000, 1)
    for measure in map(find, KEYS):
        value = measure(judged).value
        part.interval(measure, value, part.floor(measure))
    return perf_counter() - start, sure.nbytes


def grading(n: int) -> tuple[float, int]:
    """A run of n rows from its bytes to its scores: seconds, and bytes of the file."""
    rng = np.random.default_rng(1)
    sure = rng.random(n)
    right = rng.random(n) < 0.2 + 0.6 * sure
    task = parse(f'title = "T"\nmeasures = {KEYS}\n', "t")
    gold = Gold(
        tuple(f"q{i}" for i in range(n)),
        (("yes",),) * n,
        (Subsets("subset", tuple(f"s{i}" for i in range(SUBSETS)), np.arange(n) % SUBSETS),),
    )
    payload = bytearray(b"id,answer,confidence\n")
    for i, (y, c) in enumerate(zip(right, sure, strict=True)):
        payload += f"q{i},{'yes' if y else 'no'},{c:.8f}\n".encode()
    payload = bytes(payload)
    del right, sure
    start = perf_counter()
    assert isinstance(grade(task, gold, payload), Graded)
    return perf_counter() - start, len(payload)


def main(work: str) -> None:
    """Do the work and print the three numbers."""
    works = {
        "intervals": lambda: intervals(10**6),
        "grade": lambda: grading(10**6),
        "grade-fewer": lambda: grading(10**5),
    }
    before = peak()
    seconds, size = works[work]()
    print(seconds, peak() - before, size)


if __name__ == "__main__":
    main(sys.argv[1])
