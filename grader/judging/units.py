"""What is to be judged: the answers that stored runs give, each once."""

import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.formats.ac import AC, nuggets
from grader.formats.text import decoded
from grader.grade import checked, overlooking
from grader.judge import declined
from grader.model import Gold, Problem, Rejected, Run, Task, Unit, Upload

_KEY = 16  # hex digits: of 10⁶ units two share a key once in 10⁷ tasks


@dataclass(frozen=True, slots=True)
class Replies:
    """What a stored run answers: a unit for each instance, in gold order.

    None stands where there is nothing to judge: no answer, or a refusal.
    """

    run: str
    sent: Upload
    units: tuple[Unit | None, ...]

    @property
    def team(self) -> str:
        return self.sent.team


def replies(
    task: Task, gold: Gold, uploads: Iterable[tuple[str, Upload]]
) -> tuple[tuple[Replies, ...], dict[str, str]]:
    """What stored runs answer, read from their bytes one at a time.

    returns  the runs, and why others could not be read, by their slug
    """
    found: list[Replies] = []
    unread: dict[str, str] = {}
    for slug, upload in uploads:
        match checked(overlooking(task, upload.waived), gold, upload.payload):
            case Rejected() as no:
                unread[slug] = no.problems[0].message
            case run:
                found.append(Replies(slug, upload, units(task, gold, run)))
    return tuple(found), unread


def units(task: Task, gold: Gold, run: Run) -> tuple[Unit | None, ...]:
    """What is to be judged of a run, in gold order; None where it gives no answer or refuses."""
    declines = declined(task, run).tolist()
    mine = run.digest if task.judging.unit == "run" else ""
    return tuple(
        None if answer is None or no else Unit(name, answer.strip(), mine)
        for name, answer, no in zip(gold.ids, run.answers, declines, strict=True)
    )


def distinct(runs: Iterable[Replies]) -> tuple[Unit, ...]:
    """The units of runs, each once, in the order in which they come."""
    return tuple(dict.fromkeys(u for run in runs for u in run.units if u is not None))


def key(salt: bytes, unit: Unit) -> str:
    """What a judge knows a unit by: says nothing of it to who has not the salt."""
    return _digest(salt, ["unit", unit.id, unit.answer, unit.run])[:_KEY]


def shuffled(salt: bytes, ids: Sequence[str]) -> tuple[str, ...]:
    """Ids in an order that hangs on nothing but themselves and the salt."""
    return tuple(sorted(ids, key=lambda name: _digest(salt, ["instance", name])))


def _digest(salt: bytes, parts: Sequence[str]) -> str:
    return hmac.digest(salt, json.dumps(parts).encode("ascii"), "sha256").hex()


def support(gold: Gold, sent: Upload) -> Mapping[str, tuple[str, ...]]:
    """The texts of the nuggets that support each answer of an AC run, by id.

    Whose passages they are of is left out: teams like to cite runs of their own.
    """
    text = decoded(sent.payload)
    if isinstance(text, Problem) or AC.spelling is None:
        return {}
    spelt = {AC.spelling(name): name for name in gold.ids}
    known, found = set(gold.ids), dict[str, list[str]]()
    for tag, nugget in nuggets(text):
        name = tag if tag in known else spelt.get(AC.spelling(tag), tag)
        found.setdefault(name, []).append(nugget.text)
    return {name: tuple(texts) for name, texts in found.items()}
