"""JSON objects, one a line or in one array."""

import json
import re
from collections.abc import Iterator, Sequence

from grader.errors import Mistake
from grader.formats import Format, Source, gathered, unfit
from grader.formats.objects import DECODER, LINE_END, Broken, Cursor, Pairs, record, why
from grader.model import Problem, Raw, Sheet, Task

_ONE_A_LINE = "write one object a line"
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def _read(source: Source) -> Sheet:
    array = source.start.startswith("[")
    return gathered((_items if array else _lines)(source), source.most)


def _items(source: Source) -> Iterator[Raw | Problem]:
    """Yield the records of an array, each with the line on which it begins."""
    cursor = Cursor(source.text)
    try:
        for line in cursor.items():
            value = cursor.value()
            if isinstance(value, Pairs):
                yield record(value, line, source.task)
            else:
                yield Problem("bad-json", "not an object; write an array of objects", line)
        cursor.end()
    except Broken as e:
        yield e.problem


def _lines(source: Source) -> Iterator[Raw | Problem]:
    begun = False
    for line, text in enumerate(LINE_END.split(source.text), 1):
        if not text.strip():
            continue
        found = _one(text, line, source.task)
        if not begun and _goes_on(found, text, source.text):
            said = f"an object goes on over several lines; {_ONE_A_LINE}"
            yield Problem("bad-json", said, line, stops=True)
            return
        begun = True
        yield found


def _goes_on(found: Raw | Problem, line: str, text: str) -> bool:
    """Is the first line the start of an object that ends on a later one?"""
    if isinstance(found, Raw) or not line.lstrip().startswith("{"):
        return False
    try:
        _, end = DECODER.raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return False
    return end > len(line.lstrip())


def _one(text: str, line: int, task: Task | None) -> Raw | Problem:
    try:
        pairs = DECODER.decode(text)
    except (ValueError, RecursionError) as e:
        return Problem("bad-json", why(e), line)
    if not isinstance(pairs, Pairs):
        return Problem("bad-json", f"not an object; {_ONE_A_LINE}", line)
    return record(pairs, line, task)


def _write(task: Task, records: Sequence[Raw]) -> str:
    texts = {*task.run.id, task.run.answer}
    lines = []
    for raw in records:
        fields = {name: str(cell) for name, cell in raw.fields.items()}
        if any(map(unfit, (*fields, *fields.values()))):
            raise Mistake(f"a record of {task.slug!r} holds what no file may hold")
        pairs = (f"{_said(n)}: {c if _bare(c, n, texts) else _said(c)}" for n, c in fields.items())
        lines.append(f"{{{', '.join(pairs)}}}\n")
    return "".join(lines)


def _bare(cell: str, name: str, texts: set[str]) -> bool:
    return name not in texts and _NUMBER.fullmatch(cell) is not None


def _said(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


JSONL = Format(
    name="JSONL",
    key="jsonl",
    rank=5,
    claims=lambda source: source.start[:1] in ("{", "["),
    read=_read,
    write=_write,
    about="One JSON object a line, or one array of objects. Numbers and true/false are read as "
    "they are spelled; null is no answer. Class probabilities may stand in an object "
    '"p": {"yes": 0.7, "no": 0.3}.',
    table=True,
)
