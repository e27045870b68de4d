"""Forecasts of binary questions, as ForecastBench has them."""

import json
import re
from collections.abc import Iterator, Sequence

from grader.formats import Format, Source, gathered
from grader.formats.binary import completed, event, likelier, probabilities, suits
from grader.formats.objects import Broken, Cursor, Pairs, record
from grader.model import Notice, Problem, Raw, Task

_KEY = re.compile(r'[{,]\s*"forecasts"\s*:')


def _claims(source: Source) -> bool:
    """An object begins that has the key in its first characters, before any of the task's columns.

    Of a task that takes such files the key may stand anywhere.
    """
    task, start = source.task, source.start
    if task is None or not start.startswith("{"):
        return False
    if task.run.format == "forecasts":
        return _KEY.search(source.text) is not None
    found, run = _KEY.search(start), task.run
    before = start[: found.start()] if found else ""
    columns = (*run.id, run.answer, run.confidence)
    return found is not None and not any(f'"{name}"' in before for name in columns)


def _read(source: Source) -> Iterator[Raw | Problem | Notice]:
    task = source.task
    if task is None:
        return
    cursor, extra, seen = Cursor(source.text), [], False
    try:
        for line, key in cursor.members():
            if key != "forecasts":
                cursor.value()
                extra.append(key)
            elif seen:
                yield Problem("duplicate-key", "the key 'forecasts' is given twice", line, key)
                cursor.value()
            else:
                seen = True
                yield from (_item(cursor.value(), at, task) for at in cursor.items())
        cursor.end()
    except Broken as e:
        yield e.problem
        return
    if not seen:
        yield Problem("missing-column", "no 'forecasts'", 1, "forecasts")
    if extra:
        said = ", ".join(repr(key[:40]) for key in dict.fromkeys(extra[:10]))
        yield Notice("extra-columns", f"not read beside the forecasts: {said}")


def _item(item: object, line: int, task: Task) -> Raw | Problem:
    """A forecast in the task's columns, with whatever else it says."""
    if not isinstance(item, Pairs):
        return Problem("bad-json", "not an object; write an array of objects", line)
    found = record(item, line, task)
    if isinstance(found, Problem):
        return found
    mine = found.fields
    for needed in ("id", "forecast"):
        if needed not in mine:
            return Problem("missing-column", f"no {needed!r}", line, needed)
    fields = {task.run.id[0]: mine["id"]}
    fields |= probabilities(task, event(task), mine["forecast"])
    beside = {key: cell for key, cell in mine.items() if key not in ("id", "forecast")}
    return completed(fields, beside, task, line)


def _write(task: Task, records: Sequence[Raw]) -> str:
    pairs = (likelier(task, raw, event(task)) for raw in records)
    items = (f'{{"id": {json.dumps(n, ensure_ascii=False)}, "forecast": {p}}}' for n, p in pairs)
    return f'{{"forecasts": [{", ".join(items)}]}}\n'


FORECASTS = Format(
    name="forecasts JSON",
    key="forecasts",
    rank=3,
    claims=_claims,
    read=lambda source: gathered(_read(source), source.most),
    write=_write,
    about='One JSON object {"forecasts": [{"id": …, "forecast": …}]}: the probability of the '
    "label that the task names; the answer is the likelier label, unless one is given. "
    "Other keys are ignored.",
    suits=suits,
)
