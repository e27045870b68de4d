"""Files for judges, made of stored runs."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from grader import store
from grader.errors import Mistake
from grader.judging.known import File
from grader.judging.pool import Plan, Pool, pooled, told
from grader.judging.resolution import Tally, votes_of
from grader.judging.sheets import Binding, Context, context_of, files, guide
from grader.judging.stored import accepted, judged
from grader.judging.units import Replies, replies, support
from grader.model import Gold, Task, Unit, Upload
from grader.plural import counted
from grader.store import Connection

GUIDE = "README.md"
_RISKY = re.compile(r'[<>:"/\\|?*]+')  # what some file systems take for something else
_DEVICE = re.compile(r"(?i:con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")  # no files on Windows
_LONGEST = 60  # letters of a folder's name: with a number within 255 bytes


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: how much and for whom, of which phase, and what the files hold."""

    plan: Plan
    phase: str = ""
    context: File | None = None
    asked: tuple[str, ...] = ()
    batch: int | None = None
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Handed:
    """The files by their paths, how many units each judge gets, and what to note."""

    files: Mapping[str, bytes]
    pool: Pool
    notes: tuple[str, ...]


def handed(db: Connection, slug: str, request: Request) -> Handed:
    """The files of each judge, blind: no team, run or file is named in them or by them.

    The same data give the same bytes.

    raises  Mistake, for a task that is not judged, an unknown phase, or two judges of one name
    """
    now = judged(db, slug)
    if request.phase and now.task.phase(request.phase) is None:
        raise Mistake(f"there is no phase {request.phase!r}", mend=f"grader phase list {slug}")
    salt = store.blinding(db, slug)
    plan = replace(request.plan, judges=_names(db, slug, request.plan.judges))
    context, note = Context(), ""
    if request.context is not None:
        file = request.context
        context, note = context_of(now.task, now.gold, file.payload, file.name)
    runs, unread = replies(now.task, now.gold, _accepted(db, slug, request.phase))
    tally = Tally(now.task.judging, votes_of(now.task.judging, store.judgements(db, slug)))
    pool = pooled(runs, now.gold, tally, plan, salt)
    nuggets = _nuggets(now.task, now.gold, runs, pool.units)
    binding = Binding(salt, context, request.asked, request.batch, request.lines, nuggets)
    made: dict[str, bytes] = {}
    folders = _folders(plan.judges)
    for judge, mine in pool.parts.items():
        before = [unit for unit, votes in tally.votes.items() if judge in votes]
        for name, content in files(mine, before, binding):
            made[f"{folders[judge]}/{name}"] = content
        if mine:
            said = guide(now.task, judge, request.asked)
            made[f"{folders[judge]}/{GUIDE}"] = said.encode()
    notes = [*told(pool), *([note] if note else [])]
    if unread:
        notes.append(f"{counted(len(unread), 'run')} cannot be read: {', '.join(unread)}")
    return Handed(made, pool, tuple(notes))


def _names(db: Connection, slug: str, judges: Sequence[str]) -> tuple[str, ...]:
    """Judges as they are known already, where they are; Mistake if two of them are one."""
    known = {store.folded(judge.name): judge.name for judge in store.judges(db, slug)}
    names = [store.checked("judge's name", name, 100) for name in judges]
    if len({store.folded(name) for name in names}) < len(names):
        raise Mistake(f"two of the judges have one name: {', '.join(names)}")
    return tuple(known.get(store.folded(name), name) for name in names)


def _folders(judges: Sequence[str]) -> dict[str, str]:
    """The folder of each judge, a name that every file system takes, and no two alike.

    >>> list(_folders("Anna,../../etc,<b>x</b>,CON,com1.txt,.,..,ANNA/".split(",")).values())
    ['Anna', 'etc', 'b-x-b', 'judge-CON', 'judge-com1.txt', 'judge', 'judge-2', 'ANNA-2']
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for judge in judges:
        plain = _RISKY.sub("-", judge)[:_LONGEST].strip(". -") or "judge"
        plain = f"judge-{plain}" if _DEVICE.fullmatch(plain) else plain
        name, k = plain, 1
        while store.folded(name) in taken:
            k += 1
            name = f"{plain}-{k}"
        taken.add(store.folded(name))
        found[judge] = name
    return found


def _accepted(db: Connection, slug: str, phase: str) -> Iterator[tuple[str, Upload]]:
    """Yield the runs that are pooled: not held, not withdrawn."""
    for run, upload in store.uploads(db, slug):
        if accepted(db, slug, run, upload) and phase in ("", upload.phase):
            yield run, upload


def _nuggets(
    task: Task, gold: Gold, runs: Iterable[Replies], units: Sequence[Unit]
) -> dict[Unit, tuple[str, ...]] | None:
    """What supports each answer, where each run's is judged by itself; None if nothing does."""
    if task.judging.unit != "run" or task.run.format not in ("", "ac"):
        return None
    wanted, found = set(units), dict[Unit, tuple[str, ...]]()
    for run in runs:
        mine = [u for u in run.units if u is not None and u in wanted and u not in found]
        texts = support(gold, run.sent) if mine else {}
        found |= {u: texts[u.id] for u in mine if u.id in texts}
    return found or None
