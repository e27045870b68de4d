"""How fast a run is read, checked and joined to its gold."""

import csv
import io
from collections.abc import Callable

import numpy as np
from side import Row, at_most

from grader.check import check, records
from grader.model import Gold, Run, Task


def joining() -> Row:
    """A run in another order than the gold's, against a loop that checks nothing."""
    n = 10**5
    rng = np.random.default_rng(1)
    sure, right, order = rng.random(n), rng.random(n) < 0.5, rng.permutation(n)
    ids = tuple(f"q{i}" for i in range(n))
    gold, task = Gold(ids, (("yes",),) * n), Task("t", "T")
    rows = (f"{ids[i]},{'yes' if right[i] else 'no'},{sure[i]:.6f}\n" for i in order)
    payload = ("id,answer,confidence\n" + "".join(rows)).encode()

    def ours() -> None:
        assert isinstance(check(records(payload, task, gold), task, gold), Run)

    def bare() -> tuple[list[str], list[float]]:
        lines = csv.reader(io.StringIO(payload.decode(), newline=""))
        next(lines)
        by_id = {name: (answer, float(sure)) for name, answer, sure in lines}
        return [by_id[name][0] for name in ids], [by_id[name][1] for name in ids]

    work = f"a CSV run of {n:,} rows, read, checked and joined"
    return at_most(work, ours, ("a bare csv.reader and a dict", bare), 2)


ROWS: tuple[Callable[[], Row], ...] = (joining,)
