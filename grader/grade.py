"""The whole walk from bytes to scores, pure: no disk, no database, no clock."""

import json
from collections.abc import Collection
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from traceback import format_exc

from grader.check import WAIVABLE, check, records
from grader.check.layout import Layout
from grader.measures import find
from grader.model import (
    PUBLIC,
    BoolArray,
    Gold,
    Graded,
    Judged,
    Rejected,
    Resampling,
    Run,
    Score,
    Standing,
    Task,
    Upload,
)
from grader.scoring import score, seen

STRANGERS = 500  # unknown ids that are looked for elsewhere


def checked(task: Task, gold: Gold, payload: bytes) -> Run | Rejected:
    """A run in gold order, with the digest of its bytes, or everything that is wrong with it."""
    found = check(records(payload, task, gold), task, gold)
    if isinstance(found, Rejected):
        return found
    return replace(found, digest=sha256(payload).hexdigest())


def overlooking(task: Task, codes: Collection[str]) -> Task:
    """The task as it is for a run in which organisers overlook problems of these codes.

    Those of doors change nothing here.
    """
    waived = tuple(code for code in WAIVABLE if code in codes)
    if not waived:
        return task
    missing = "worst" if "missing-id" in waived and task.missing == "reject" else task.missing
    return replace(task, waived=waived, missing=missing)


def viewed(
    task: Task, gold: Gold, payload: bytes, phase: str = "", *, dropped: bool = False
) -> tuple[Judged, BoolArray] | Rejected:
    """A run as measures see it, whole and in gold order, and which of its instances count.

    dropped  whether those count too that are dropped, as far as the run answered them
    """
    match checked(task, gold, payload):
        case Rejected() as no:
            return no
        case run:
            part = part_of(task, undropped(gold) if dropped else gold, phase)
            return seen(task, part, run)[:2]


def undropped(gold: Gold) -> Gold:
    """The gold with every dropped instance back."""
    back = (Standing() if s.status == "dropped" else s for s in gold.standings)
    return replace(gold, standings=tuple(back))


def grade(task: Task, gold: Gold, payload: bytes, phase: str = "") -> Graded | Rejected:
    """Read, check, judge and score a run. The same bytes always give the same scores.

    A run answers all instances; those count that are in its phase's part of the gold.
    """
    match checked(task, gold, payload):
        case Rejected() as no:
            return no
        case run:
            part = part_of(task, gold, phase)
            found = score(task, part, run)
            scores = (*found.scores, *_choosing(task, part, run))
            whole = seen(task, part_of(task, undropped(gold), phase), run)[:2]
            return replace(found, scores=scores, content=content(run), view=whole)


def attempt(
    task: Task, gold: Gold, sent: Upload, phase: str
) -> tuple[Graded | Rejected | str, tuple[str, ...]]:
    """Grade an upload as a door does, overlooking what organisers waive, where it is needed.

    returns  its scores, or all that is wrong with it, or if the scorer broke the traceback: the
             sender's bytes are worth more than our bug; and the codes of what is overlooked in it
    """
    found = _tried(task, gold, sent, phase)
    if not isinstance(found, Rejected):
        return found, ()
    wrong = {problem.code for problem in found.problems} & set(sent.waived)
    codes = tuple(code for code in WAIVABLE if code in wrong)
    return (_tried(overlooking(task, codes), gold, sent, phase) if codes else found), codes


def _tried(task: Task, gold: Gold, sent: Upload, phase: str) -> Graded | Rejected | str:
    try:
        return grade(task, gold, sent.payload, phase)
    except Exception:  # noqa: BLE001, whatever it is, the run is held
        return format_exc()


def part_of(task: Task, gold: Gold, phase: str) -> Gold:
    """The gold of which the part counts that a phase names; all of it without a phase."""
    found = task.phase(phase)
    return replace(gold, part=found.split) if found else gold


def _choosing(task: Task, gold: Gold, run: Run) -> tuple[Score, ...]:
    """The primary on the public part: a team's best run is chosen by nothing else."""
    if not gold.splits or task.ranking.rule != "best":
        return ()
    plain = replace(task, measures=(), resampling=Resampling(resamples=0))
    found = score(plain, replace(gold, part="public"), run).scores
    primary = find(task.primary).key
    return tuple(
        s._replace(subset=PUBLIC) for s in found if (s.subset, s.measure) == ("all", primary)
    )


def content(run: Run) -> str:
    """The digest of what a run says, in gold order: the same for any order of its lines."""
    told = json.dumps([run.answers, run.labels, run.refused.tolist()], ensure_ascii=True).encode()
    digest = sha256(told)
    for numbers in (run.confidence, run.probabilities, run.bounds):
        digest.update(numbers.astype("<f8").tobytes())
    return digest.hexdigest()


def strangers(task: Task, gold: Gold, payload: bytes) -> tuple[str, ...]:
    """The first ids of a file that are none of the gold's."""
    known = set(gold.ids)
    names = Layout(task, gold, records(payload, task, gold)).ids
    return tuple(islice((name for name in names if name and name not in known), STRANGERS))
