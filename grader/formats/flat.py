"""One object of ids and probabilities."""

import json
import re
from collections.abc import Iterator, Sequence

from grader.formats import Format, Source, gathered, stored
from grader.formats.binary import event, likelier, probabilities, suits
from grader.formats.objects import Broken, Cursor, field
from grader.model import Problem, Raw, Task

_MEMBER = re.compile(r'[{,]\s*"((?:[^"\\]|\\.)*+)"\s*:\s*(-?[0-9][0-9.eE+-]*\s*|)')


def _claims(source: Source) -> bool:
    """An object begins with a number, no text, list or object follows, and no key is a column.

    Only in a task of two labels. Of a task that takes such files the values may be anything.
    """
    task, start, at, numbers = source.task, source.start, 0, 0
    if task is None or not start.startswith("{"):
        return False
    run, named = task.run, task.run.format == "flat"
    if suits(task) and not named:
        return False
    columns = {*run.id, run.answer, run.confidence, *run.classes.values()}
    while member := _MEMBER.match(start, at):
        if member[1].strip() in columns:
            return False
        if not member[2] and (not numbers or start[member.end() :][:1] in ('"', "{", "[")):
            return named
        numbers, at = numbers + 1, member.end()
    return named or numbers > 0


def _read(source: Source) -> Iterator[Raw | Problem]:
    task = source.task
    if task is None:
        return
    cursor = Cursor(source.text)
    try:
        for line, name in cursor.members():
            given = probabilities(task, event(task), field(cursor.value()))
            fields = {task.run.id[0]: name, **given}
            yield stored(fields, line) or Raw(line, fields)
        cursor.end()
    except Broken as e:
        yield e.problem


def _write(task: Task, records: Sequence[Raw]) -> str:
    pairs = (likelier(task, raw, event(task)) for raw in records)
    lines = [f"{json.dumps(name, ensure_ascii=False)}: {p}" for name, p in pairs]
    return f"{{{', '.join(lines)}}}\n"


FLAT = Format(
    name="flat JSON",
    key="flat",
    rank=4,
    claims=_claims,
    read=lambda source: gathered(_read(source), source.most),
    write=_write,
    about="One JSON object of ids and probabilities, all of one label that the task names; the "
    "answer is the likelier label.",
    suits=suits,
)
