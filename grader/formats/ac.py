"""Answers with confidences and the nuggets that support them: the AC runs of NTCIR's R2C2."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from grader.errors import Mistake
from grader.formats import Format, Source, gathered, single, stored, unfit
from grader.formats.objects import LINE_END
from grader.model import Problem, Raw, Task

_TAG = re.compile(r"\s*<([^<>/][^<>]*)>(.*)")
_END = re.compile(r"\s*</([^<>]*)>\s*")
_BEGINS = re.compile(r"<[^<>/\r\n][^<>\r\n]*>")
_NUGGET = re.compile(r"([^;]*);([^;]*);([^;]*);(.*)")
_WHOLE = re.compile(r"0*[1-9][0-9]{0,8}")  # from 1
_NUMBER = re.compile(r"D?([0-9]++)(?!\w)")


@dataclass(frozen=True, slots=True)
class Nugget:
    """A piece of evidence: its number in the block, a run and the rank of its passage there."""

    line: int
    number: int
    run: str
    rank: int
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    """A question's block: its tag, and the lines up to its end tag with what stands on them."""

    line: int
    tag: str
    lines: list[tuple[int, str]]


def spelling(name: str) -> str:
    """What two spellings of an id share: no D and no zeros before a number that it begins with.

    >>> spelling("D0001"), spelling("1"), spelling("Data"), spelling("D02-007"), spelling("D2x")
    ('1', '1', 'Data', '2-007', 'D2x')
    """
    found = _NUMBER.match(name)
    return f"{found[1].lstrip('0') or '0'}{name[found.end() :]}" if found else name


def nuggets(text: str) -> Iterator[tuple[str, Nugget]]:
    """Yield the nuggets of an accepted run's text, each with the tag of its block."""
    for block in _blocks(text):
        if isinstance(block, _Block):
            found = (_nugget(line, said, {}) for line, said in _parts(block)[1])
            yield from ((block.tag, n) for n in found if isinstance(n, Nugget))


def _read(source: Source) -> Iterator[Raw | Problem]:
    if source.task is None:
        return
    for block in _blocks(source.text):
        if isinstance(block, Problem):
            yield block
        else:
            yield from _records(block, source.task)


def _blocks(text: str) -> Iterator[_Block | Problem]:
    """Yield each block, and what stands where no block, tag or end tag belongs."""
    block: _Block | None = None
    for line, said in enumerate(LINE_END.split(text), 1):
        if end := _END.fullmatch(said):
            yield from _ended(block, end[1].strip(), line)
            block = None
        elif tag := _TAG.fullmatch(said):
            yield from _left_open(block)
            block = _Block(line, tag[1].strip(), [(line, tag[2])] if tag[2].strip() else [])
        elif block is not None and said.strip():
            block.lines.append((line, said))
        elif said.strip():
            yield _bad(f"{said.strip()[:40]!r} stands outside the blocks", line)
    yield from _left_open(block)


def _ended(block: _Block | None, name: str, line: int) -> Iterator[_Block | Problem]:
    if block is None:
        yield _bad(f"</{name[:40]}> ends no block", line)
        return
    if spelling(name) != spelling(block.tag):
        yield _bad(f"</{name[:40]}> stands where <{block.tag[:40]}> should end", line)
    yield block


def _left_open(block: _Block | None) -> Iterator[_Block | Problem]:
    if block is not None:
        yield _bad(f"<{block.tag[:40]}> has no end tag </{block.tag[:40]}>", block.line)
        yield block


def _parts(block: _Block) -> tuple[tuple[int, str] | None, list[tuple[int, str]]]:
    """The answer's line, if there is one, and the lines after it.

    On a line of its own, what has the form of a nugget is one, and no answer.
    """
    if not block.lines:
        return None, []
    line, said = block.lines[0]
    if line != block.line and _formed(said):
        return None, block.lines
    return block.lines[0], block.lines[1:]


def _formed(said: str) -> bool:
    found = _NUGGET.fullmatch(said)
    return found is not None and all(_WHOLE.fullmatch(found[i].strip()) for i in (1, 3))


def _records(block: _Block, task: Task) -> Iterator[Raw | Problem]:
    """Yield a block's record, and what is wrong with its lines."""
    answer, rest = _parts(block)
    known = task.run.cited
    seen: dict[int, int] = {}
    for line, said in rest:
        found = _nugget(line, said, known)
        if isinstance(found, Problem):
            yield found
        elif (first := seen.setdefault(found.number, line)) != line:
            yield _bad(f"nugget {found.number} is already on line {first}", line, "bad-nugget")
    if answer is None:
        yield _bad(f"<{block.tag[:40]}> has no answer", block.line)
        return
    text, split, confidence = answer[1].rpartition(";")
    if not split:
        said = f"{confidence.strip()[:40]!r} is not answer;confidence"
        yield _bad(said, answer[0])
        return
    run = task.run
    fields = {run.id[0]: block.tag, run.answer: text, run.confidence: confidence}
    yield stored(fields, block.line) or Raw(block.line, fields, refuses=not rest)


def _nugget(line: int, said: str, known: Mapping[str, str]) -> Nugget | Problem:
    found = _NUGGET.fullmatch(said)
    if found is None:
        return _bad(f"{said.strip()[:40]!r} is not number;run;rank;text", line, "bad-nugget")
    number, run, rank, text = (part.strip() for part in found.groups())
    for name, cell in (("number", number), ("rank", rank)):
        if not _WHOLE.fullmatch(cell):
            shown = f"the {name} {cell[:40]!r} is no whole number from 1"
            return _bad(shown, line, "bad-nugget")
    if why := unfit(said):
        return Problem("bad-character", f"the nugget holds {why}", line)
    if not run or not text:
        return _bad(f"the {'run' if not run else 'text'} is blank", line, "bad-nugget")
    if known and run not in known:
        return _bad(f"{run[:60]!r} is no run that may be cited", line, "unknown-source")
    return Nugget(line, int(number), known.get(run, run), int(rank), text)


def _bad(said: str, line: int, code: str = "bad-block") -> Problem:
    return Problem(code, said, line)


def _suits(task: Task) -> str:
    if why := single(task):
        return why
    percent = 'it states confidences from 0 to 100: the task must declare confidence = "percent"'
    return "" if task.confidence == "percent" else percent


def _claims(source: Source) -> bool:
    """A tag begins the file; of a task that takes these files, one begins any early line."""
    named = source.task is not None and source.task.run.format == "ac"
    lines = LINE_END.split(source.start) if named else [source.start]
    return any(_BEGINS.match(line.lstrip()) for line in lines)


def _write(task: Task, records: Sequence[Raw]) -> str:
    """One block for each record; one that does not refuse has a nugget, a sample.

    raises  Mistake, for an id or answer that these files cannot carry
    """
    run = next(iter(task.run.sources), "run")
    lines = []
    for raw in records:
        names = (task.run.id[0], task.run.answer, task.run.confidence)
        tag, answer, confidence = (str(raw.fields[name]) for name in names)
        if not re.fullmatch(r"[^<>/\s](?:[^<>\r\n]*[^<>\s])?", tag):
            raise Mistake(f"the id {tag!r} cannot be a tag")
        if LINE_END.search(answer) or LINE_END.search(confidence) or ";" in confidence:
            raise Mistake(f"the answer or confidence of {tag!r} cannot stand on one line")
        if any(map(unfit, (tag, answer, confidence))):
            raise Mistake(f"the record of {tag!r} holds what no file may hold")
        nugget = [] if raw.refuses else [f"1;{run};1;a nugget that supports the answer"]
        lines += [f"<{tag}>{answer};{confidence}", *nugget, f"</{tag}>"]
    return "".join(chain.from_iterable((line, "\n") for line in lines))


AC = Format(
    name="AC",
    key="ac",
    rank=1,
    claims=_claims,
    read=lambda source: gathered(_read(source), source.most),
    write=_write,
    about="A block for each question: a line <ID>, a line answer;confidence (or both on one line; "
    "the last semicolon counts), lines number;run;rank;nugget, and a line </ID>. A block "
    "without nuggets is a refusal. A number that begins an ID may have a D and zeros in front.",
    suits=_suits,
    spelling=spelling,
)
