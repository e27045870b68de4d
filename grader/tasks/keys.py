"""What task.toml may say: every key, what it may be, and the checks that no type expresses."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields

from grader.judge import number
from grader.measures import UnknownMeasure, find
from grader.model import SAME, Judging, Task
from grader.plural import counted
from grader.tasks import files, phases
from grader.tasks.names import controls

# What each key may be, and its default; the README's table is made of these.
KEYS = {
    "title": "a text of 1 to 200 characters; needed",
    "description": "a text in Markdown; default none",
    "kind": '"answers" (default) or "interval" (gold is a number, a run gives lower and upper)',
    "primary": 'a measure\'s key, or macro(key, dimension); default "hmr", of an interval task '
    '"iscore"',
    "measures": "a list of measures' keys, shown beside the primary, accuracy and Brier; default "
    '["r_o", "r_u", "ece@10", "bias", "auroc", "ks", "nll", "confidence"]; an interval task has '
    'coverage and width instead, and by default ["covgap"]',
    "confidence": '"probability" (0 to 1, the default) or "percent" (0 to 100)',
    "answers": '"exact" (default), "normalised", "choice", "numeric" or "judged" (by people)',
    "labels": "a list of texts: the answers that a choice task allows; default none",
    "tolerance": "a number from 0: how far a numeric answer may be off; default 0",
    "abstain": "a list of answers that decline to answer: always wrong, and counted; default none",
    "reject": "a text: the answer that is right where an instance lies outside the task; default "
    "none",
    "missing": '"reject" (default), "worst" (wrong at confidence 1) or "leave-out"',
    "precision": "a whole number from 0 to 15: decimals that confidences are rounded to; default "
    "no rounding",
    "gold": "a table: [gold]",
    "gold.file": "a file's name in the task's folder; default \"gold.csv\"",
    "gold.id": 'the name of a column, or a list of names that form the id together; default "id"',
    "gold.answer": 'the name of a column; default "answer"',
    "gold.separator": "a text that stands between several accepted answers in one cell; default "
    "none: a cell is one answer",
    "gold.subsets": 'a list of columns, or of {name = "…", values = ["…"]}; default "subset" if '
    "the gold has that column",
    "gold.cluster": "the name of a column: instances that belong together; default none",
    "gold.split": "the name of a column that holds public or private; default none",
    "gold.status": 'the name of a column that says which instances are "dropped" or "unjudged"; '
    "default none: all are scored",
    "run": "a table: [run]",
    "run.id": "the name of a column, or a list of names that form the id together; default "
    "gold.id",
    "run.answer": 'the name of a column; default "answer"',
    "run.confidence": 'the name of a column; default "confidence"',
    "run.classes": 'a table: label = "column of its probability"; default every column p:<class>',
    "run.lower": 'of an interval task: the name of a column; default "lower"',
    "run.upper": 'of an interval task: the name of a column; default "upper"',
    **files.KEYS,
    "interval": "a table, of an interval task: [interval]",
    "interval.level": "a number between 0 and 1: the share of gold values that intervals are to "
    "cover; default 0.9",
    "resampling": "a table: [resampling]",
    "resampling.resamples": "a whole number from 0 to 100000; default 1000",
    "resampling.seed": "a whole number from 0 to 9223372036854775807; default 1",
    "ranking": "a table: [ranking]",
    "ranking.rule": '"all" (every run, the default), "best" (each team\'s best) or "primary" (the '
    "named one)",
    "ranking.min_accuracy": "a number from 0 to 1; default 0",
    "ranking.min_right": "a whole number from 0; default 1",
    "ranking.min_coverage": "a number from 0 to 1: with leave-out, the share to be answered; "
    "default 1",
    "ranking.digits": "a whole number from 1 to 10: decimals shown and compared; default 3",
    "judging": 'a table, where answers = "judged": [judging]',
    "judging.unit": '"answer" (judged once for all runs that give it; default) or "run" (each '
    "run's by itself)",
    "judging.right": 'a list of texts: the labels of a right answer; default ["right"]',
    "judging.wrong": 'a list of texts: those of a wrong one; default ["wrong"]',
    "judging.bad": 'a text: the label of a bad question; default "bad question"',
    "judging.rule": '"majority" (of the judges; default) or "agreed" (all of them)',
    "judging.chair": "the name of a judge whose word decides; default none",
    **phases.KEYS,
}
SUBSET_KEYS = ("name", "values")


def checks(task: Task) -> Iterator[tuple[str, str]]:
    """Yield (key, what is wrong) for every value that its type allows and its meaning does not."""
    yield from _ranges(task)
    yield from _measures(task)
    yield from _answers(task)
    yield from _kind(task)
    yield from _judging(task)
    yield from _columns(task)
    yield from files.checks(task)
    yield from phases.checks(task)


def _ranges(task: Task) -> Iterator[tuple[str, str]]:
    ranking, resampling = task.ranking, task.resampling
    within = {
        "precision": (task.precision or 0, 0, 15),
        "resampling.resamples": (resampling.resamples, 0, 100_000),
        "resampling.seed": (resampling.seed, 0, 2**63 - 1),
        "ranking.min_accuracy": (ranking.min_accuracy, 0, 1),
        "ranking.min_right": (ranking.min_right, 0, 2**31 - 1),
        "ranking.min_coverage": (ranking.min_coverage, 0, 1),
        "ranking.digits": (ranking.digits, 1, 10),
    }
    for key, (value, low, high) in within.items():
        if not low <= value <= high:
            yield key, f"is {value}"
    if not 0 < task.interval.level < 1:
        yield "interval.level", f"is {task.interval.level}"
    if not task.title.strip():
        yield "title", "is blank"
    elif len(task.title) > 200:
        yield "title", f"has {len(task.title)} characters"
    if controls(task.title):
        yield "title", "holds a control character or a line break"


def _measures(task: Task) -> Iterator[tuple[str, str]]:
    dimensions = [d.name for d in task.gold.subsets]
    keys = []
    for place, key in (("primary", task.primary), *(("measures", k) for k in task.measures)):
        try:
            measure = find(key)
        except UnknownMeasure as e:
            yield place, str(e)
            continue
        keys += [measure.key] if place == "measures" else []
        if measure.dimension and measure.dimension not in dimensions:
            yield place, f"{key!r}: {measure.dimension!r} is not in gold.subsets"
        if (measure.needs == "bounds") != (task.kind == "interval"):
            other = {"answers": "interval", "interval": "answers"}[task.kind]
            yield place, f'{key!r} is a measure of tasks of kind = "{other}"'
        if place == "primary" and measure.better == "none":
            yield place, f"{key!r} has no better side and cannot rank"
    yield from _twice("measures", tuple(keys))


def _answers(task: Task) -> Iterator[tuple[str, str]]:
    if task.answers == "choice" and not task.labels:
        yield "labels", 'is empty, and answers = "choice" needs it'
    tolerance = number(task.tolerance)
    if tolerance is None or tolerance < 0:
        yield "tolerance", f"is {task.tolerance!r}"
    elif tolerance and task.answers != "numeric":
        yield "tolerance", 'is given, and means something only with answers = "numeric"'
    if any(not label.strip() for label in task.labels):
        yield "labels", "holds a blank label"
    yield from _twice("labels", task.labels)
    yield from _twice("abstain", task.abstain)
    if task.reject and task.labels and task.reject not in task.labels:
        yield "reject", f"{task.reject!r} is not among labels"
    for label in (c for c in task.run.classes if task.labels and c not in task.labels):
        yield "run.classes", f"{label!r} is not among labels"


def _kind(task: Task) -> Iterator[tuple[str, str]]:
    """Yield what an interval task does not have: no answer is right or wrong with a confidence."""
    if task.kind != "interval":
        return
    plain = Task(task.slug, task.title)
    for key in ("confidence", "answers", "labels", "abstain", "reject", "precision"):
        if getattr(task, key) != getattr(plain, key):
            yield key, 'is given, and means something only with kind = "answers"'
    if task.missing == "worst":
        yield "missing", 'is "worst", and no interval is the worst'
    if task.run.classes:
        yield "run.classes", 'is given, and means something only with kind = "answers"'
    if task.gold.separator:
        yield "gold.separator", "is given, and the gold of an interval task is one number"
    for key in ("min_accuracy", "min_right"):
        if getattr(task.ranking, key) != getattr(plain.ranking, key):
            yield f"ranking.{key}", 'is given, and means something only with kind = "answers"'


def _judging(task: Task) -> Iterator[tuple[str, str]]:
    if task.answers != "judged":
        for key in (f.name for f in fields(Judging)):
            if getattr(task.judging, key) != getattr(Judging(), key):
                said = 'is given, and means something only with answers = "judged"'
                yield f"judging.{key}", said
        return
    labels = task.judging.labels
    for key in (k for k in ("right", "wrong") if not getattr(task.judging, k)):
        yield f"judging.{key}", "is empty"
    if any(not label.strip() or label != label.strip() or controls(label) for label in labels):
        yield "judging.right", "has a blank label, or one with outer spaces or control characters"
    if SAME in labels:
        yield "judging.right", f"{SAME!r} is what judges write for the label of a like answer"
    yield from _twice("judging.right", labels)
    if task.gold.separator or task.labels or task.reject or task.run.classes:
        yield "answers", 'is "judged", and labels, reject, gold.separator or run.classes is given'
    for key in task.keys:
        with suppress(UnknownMeasure):
            if find(key).needs == "classes":
                yield "measures", f"{key!r} needs class probabilities, and answers are judged"


def _columns(task: Task) -> Iterator[tuple[str, str]]:
    gold, run = task.gold, task.run
    named = {
        "gold.id": gold.id,
        "gold.answer": (gold.answer,),
        **({"run.id": run.id} if run.id != gold.id else {}),  # the gold's are said once
        "run.answer": (run.answer,),
        "run.confidence": (run.confidence,),
        "run.lower": (run.lower,),
        "run.upper": (run.upper,),
        "run.classes": tuple(run.classes.values()),
        "gold.subsets": tuple(d.name for d in gold.subsets),
    }
    for key, columns in named.items():
        if key.endswith("id") and not columns:
            yield key, "is empty"
        if any(not c or c != c.strip() or controls(c) for c in columns):
            yield key, "names a column that is blank, or has outer spaces or control characters"
        yield from _twice(key, columns)
    others = (run.answer, *run.id)
    ends = (("run.lower", run.lower, others), ("run.upper", run.upper, (run.lower, *others)))
    for key, column, taken in (
        ("gold.answer", gold.answer, gold.id),
        ("run.answer", run.answer, run.id),
        ("run.confidence", run.confidence, others),
        *(ends if task.kind == "interval" else ()),
    ):
        if column in taken:
            yield key, f"is {column!r}, which another key names too"
    if len(gold.id) != len(run.id):
        yield "run.id", f"has {counted(len(run.id), 'column')}, gold.id has {len(gold.id)}"
    if set(gold.file) & set("/\\") or controls(gold.file) or gold.file in ("", ".", ".."):
        yield "gold.file", f"is {gold.file!r}"
    yield from _subsets(task)


def _subsets(task: Task) -> Iterator[tuple[str, str]]:
    for dimension in task.gold.subsets:
        if set(dimension.name) & set("=()"):
            yield "gold.subsets", f"{dimension.name!r}: a dimension's name may not hold = ( )"
        if dimension.name == "all":
            yield "gold.subsets", "'all' is the name of the whole"
        if any(not v or v != v.strip() or controls(v) for v in dimension.values):
            said = "declares a value that is blank, or has outer spaces or control characters"
            yield "gold.subsets", f"{dimension.name!r} {said}"
        yield from _twice(f"gold.subsets ({dimension.name})", dimension.values)


def _twice(key: str, items: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for item, n in Counter(items).items():
        if n > 1:
            yield key, f"{item!r} stands {n} times"
