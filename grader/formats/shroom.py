"""A list of labels and the probability of one of them, as SemEval's SHROOM has it."""

import json
import re
from collections.abc import Iterator, Sequence

from grader.formats import Format, Source, gathered
from grader.formats.binary import completed, event, probabilities, suits, written
from grader.formats.objects import Broken, Cursor, Pairs, record
from grader.model import Problem, Raw, Task

_P = re.compile(r"p\((.+)\)", re.DOTALL)
_BEGINS = re.compile(r'\[\s*\{(?:[^{}"]|"(?:[^"\\]|\\.)*+")*?"p\([^"]+\)"\s*:')


def _read(source: Source) -> Iterator[Raw | Problem]:
    task = source.task
    if task is None:
        return
    cursor, with_id = Cursor(source.text), False
    try:
        for line in cursor.items():
            item = cursor.value()
            found = _item(item, line, task)
            with_id = with_id or not isinstance(item, Pairs) or "id" in dict(item)
            if not with_id:
                said = "the items have no 'id': a list that is read by position is not taken"
                yield Problem("missing-column", said, line, task.run.id[0], stops=True)
                return
            yield found
        cursor.end()
    except Broken as e:
        yield e.problem


def _item(item: object, line: int, task: Task) -> Raw | Problem:
    """An item in the task's columns, with whatever else it says."""
    if not isinstance(item, Pairs):
        return Problem("bad-json", "not an object; write an array of objects", line)
    found = record(item, line, task)
    if isinstance(found, Problem):
        return found
    stated = [(key, match[1]) for key in found.fields if (match := _P.fullmatch(key))]
    if len(stated) != 1:
        said = f"{len(stated)} keys p(LABEL); one is needed, for example 'p({event(task)})'"
        return Problem("missing-column", said, line, f"p({event(task)})")
    ((key, label),) = stated
    if label not in task.labels:
        said = f"{key[:60]!r} is of none of the task's labels: {', '.join(task.labels)}"
        return Problem("not-a-label", said, line, key)
    for needed in ("id", "label"):
        if needed not in found.fields:
            return Problem("missing-column", f"no {needed!r}", line, needed)
    run, mine = task.run, found.fields
    fields = {run.id[0]: mine["id"], run.answer: mine["label"]}
    fields |= probabilities(task, label, mine[key])
    beside = {name: cell for name, cell in mine.items() if name not in ("id", "label", key)}
    return completed(fields, beside, task, line)


def _write(task: Task, records: Sequence[Raw]) -> str:
    label = event(task)
    items = []
    for name, answer, p in (written(task, raw, label) for raw in records):
        said = [json.dumps(text, ensure_ascii=False) for text in (name, answer, f"p({label})")]
        items.append(f'{{"id": {said[0]}, "label": {said[1]}, {said[2]}: {p}}}')
    return f"[{', '.join(items)}]\n"


SHROOM = Format(
    name="SHROOM JSON",
    key="shroom",
    rank=2,
    claims=lambda source: _BEGINS.match(source.start) is not None,
    read=lambda source: gathered(_read(source), source.most),
    write=_write,
    about='One JSON list of {"id": …, "label": …, "p(LABEL)": …}: the answer, and the probability '
    "of the label named in the parentheses, whichever the answer is.",
    suits=suits,
)
