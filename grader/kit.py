"""What participants are handed: the task without its gold, samples, rules, and how to check a run.

Nothing in it depends on what is right, in which subset an instance is, or the gold's order.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from grader.check import check, records
from grader.errors import Mistake
from grader.formats import FORMATS, Format
from grader.judge import abstains
from grader.measures import find
from grader.model import Gold, GoldColumns, Raw, Rejected, Resampling, Task
from grader.rulebook import rules
from grader.tasks.filenames import example
from grader.tasks.names import natural, split
from grader.tasks.written import written
from grader.version import __version__

IDS = "ids.csv"


def kit(task: Task, gold: Gold) -> Iterator[tuple[str, bytes]]:
    """Yield the name and bytes of each file. The same task and ids always give the same.

    Dropped and unjudged instances are marked: checks say how many do not count.

    raises  Mistake, if no sample can be written of the task
    """
    shared = public(task, gold)
    samples = dict(sample_runs(shared, gold))
    if not samples:
        raise Mistake(f"no run of {task.slug!r} can be written as a sample: look at its ids")
    said = {
        "task.toml": f"# What `grader check` needs of the task.\n{written(shared)}",
        IDS: _ids(shared, gold),
        **samples,
        "RULES.md": "".join(f"{line}\n" for line in rules(shared, task.phases)),
        "README.md": _readme(task, next(iter(samples)), len(gold.ids)),
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
        writer.writerow([*_parts(task, name), "", *([standings[name]] if status else [])])
    return held.getvalue()


def _parts(task: Task, name: str) -> list[str]:
    return split(name) if len(task.gold.id) > 1 else [name]


def sample_runs(task: Task, gold: Gold) -> Iterator[tuple[str, str]]:
    """Yield a run in every format that the task takes and can be written in, and its file's name.

    Answers and confidences are made up; each run would be accepted.
    """
    made = [_sample(task, name, k) for k, name in enumerate(sorted(gold.ids, key=natural))]
    stem = example(task.run.names) if task.run.names else "sample-run"
    for form in FORMATS[::-1]:
        if task.run.format not in ("", form.key) or form.suits(task):
            continue
        try:
            text = form.write(task, made)
        except Mistake:  # it cannot carry these ids or answers
            continue
        found = check(records(text.encode(), task, gold), task, gold)
        if not isinstance(found, Rejected):
            yield f"{stem}.{_ending(form, text)}", text


def _ending(form: Format, text: str) -> str:
    kind = "json" if text.startswith(("{", "[")) else "txt"
    return form.key if form.table else f"{form.key[:8]}.{kind}"


def _sample(task: Task, name: str, k: int) -> Raw:
    """A record for the k-th id by name."""
    run = task.run
    fields = dict(zip(run.id, _parts(task, name), strict=True))
    if task.kind == "interval":
        return Raw(k, fields | {run.lower: "0", run.upper: "1"})
    answer, sure = _answer(task, k), Decimal("0.75")
    classes = {label: column for label, column in run.classes.items() if label != answer}
    if answer in run.classes:
        other = (Decimal(1) - sure) / max(len(classes), 1)
        other = other.quantize(Decimal("1e-6")) if classes else other
        sure = 1 - other * len(classes)
        fields |= {column: _scaled(task, other) for column in classes.values()}
        fields[run.classes[answer]] = _scaled(task, sure)
    return Raw(k, fields | {run.answer: answer, run.confidence: _scaled(task, sure)})


def _scaled(task: Task, p: Decimal) -> str:
    scaled = p * (100 if task.confidence == "percent" else 1)
    return f"{scaled.normalize():f}"


def _answer(task: Task, k: int) -> str:
    """An answer that the task allows and that does not decline, whatever is right."""
    if task.answers == "numeric":
        return "0"
    declines = abstains(task)
    known: Sequence[str] = task.labels or tuple(task.run.classes)
    able = [
        x for x in known if not declines(x) and (not task.run.classes or x in task.run.classes)
    ]
    if known:
        return (able or known)[k % min(2, len(able or known))]
    return next(x for x in ("an answer", "my answer", "some answer", "?") if not declines(x))


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
