"""What participants are handed: the task without its gold, samples, rules, and how to check a run.

Nothing in it depends on what is right, in which subset an instance is, or the gold's order.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import replace

from grader.errors import Mistake
from grader.measures import find
from grader.model import Gold, GoldColumns, Resampling, Task
from grader.rulebook import rules
from grader.samples import parts, samples
from grader.tasks.names import natural
from grader.tasks.written import written
from grader.version import __version__

IDS = "ids.csv"


def kit(task: Task, gold: Gold) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of each file. The same task and ids always give the same.

    Dropped and unjudged instances are marked: checks say how many do not count.

    raises  Mistake, if no sample can be written of the task
    """
    shared = public(task, gold)
    runs = {sample.file: sample.text for sample in samples(shared, gold)}
    if not runs:
        raise Mistake(f"no run of {task.slug!r} can be written as a sample: look at its ids")
    said = {
        "task.toml": f"# What `grader check` needs of the task.\n{written(shared)}",
        IDS: _ids(shared, gold),
        **runs,
        "RULES.md": "".join(f"{line}\n" for line in rules(shared, task.phases)),
        "README.md": _readme(task, next(iter(runs)), len(gold.ids)),
    }
    yield from ((name, text.encode()) for name, text in said.items())


def public(task: Task, gold: Gold) -> Task:
    """The task as participants may know it: without subsets, clusters, splits and seed."""
    keys = [key for key in task.measures if not find(key).dimension]
    taken = (*task.gold.id, task.gold.answer)
    status = next(n for n in ("status", "standing", "counts", "_") if n not in taken)
    marked = any(s.status != "scored" for s in gold.standings)
    plain = Task("", "", primary="iscore" if task.kind == "interval" else "hmr")
    hidden = bool(find(task.primary).dimension)
    return replace(
        task,
        primary=plain.primary if hidden else task.primary,
        measures=tuple(keys),
        gold=GoldColumns(
            IDS, task.gold.id, task.gold.answer, subsets=(), status=status if marked else ""
        ),
        resampling=Resampling(),
        phases=tuple(replace(phase, split="all") for phase in task.phases),
    )


def _ids(task: Task, gold: Gold) -> str:
    """The ids by name, with a blank answer, and how each stands if not all count."""
    columns, status = task.gold, task.gold.status
    standings = {i: s.status for i, s in zip(gold.ids, gold.standings, strict=False)}
    held = io.StringIO(newline="")
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow([*columns.id, columns.answer, *([status] if status else [])])
    for name in sorted(gold.ids, key=natural):
        writer.writerow([*parts(task, name), "", *([standings[name]] if status else [])])
    return held.getvalue()


def _readme(task: Task, sample: str, n: int) -> str:
    return f"""# Kit of {task.slug}

- `task.toml` and `{IDS}`: the task and its {n} ids, for `grader check`
- `{sample}` and its like: sample runs, one for each format that the task takes; their answers
  and confidences are made up
- `RULES.md`: what a run must be, and when runs are taken

Check a run before you send it, with Python 3.11 or newer and `grader`, which is installed by
`pip install sharedtask-grader`; this kit was made with its version {__version__}. In this folder:

    grader check {sample} --task .

It says what the organisers' door would say, but for deadline and quota.
"""
