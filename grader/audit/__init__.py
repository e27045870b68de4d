"""Runs that say nearly the same, and confidences that look odd: for organisers alone. Pure.

Nothing here is a proof. Two teams may well use the same model; what is listed is worth a question.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.audit.anomalies import Anomaly, anomalies
from grader.audit.pairs import Similarity, equal_errors, similarities, similarity
from grader.audit.responses import Responses, read
from grader.model import Gold, Refusal, Task, Upload

__all__ = [
    "Anomaly",
    "Audit",
    "Responses",
    "Similarity",
    "anomalies",
    "audit",
    "document",
    "equal_errors",
    "read",
    "similarities",
    "similarity",
]


@dataclass(frozen=True, slots=True)
class Audit:
    """What organisers should look at.

    runs      how many could be read
    pairs     every two of them
    odd       what is odd about their confidences
    unread    why others could not be read, by their slug
    """

    runs: int
    pairs: tuple[Similarity, ...]
    odd: tuple[Anomaly, ...]
    unread: Mapping[str, str]

    @property
    def listed(self) -> tuple[Similarity, ...]:
        """The pairs that are worth a question, those of two teams first."""
        return tuple(sorted((p for p in self.pairs if p.why), key=lambda p: not p.across))

    @property
    def others(self) -> tuple[Similarity, ...]:
        """The other pairs of two teams: what is usual in this task."""
        return tuple(p for p in self.pairs if p.across and not p.why)


def audit(task: Task, gold: Gold, uploads: Iterable[tuple[str, Upload]]) -> Audit:
    """Compare stored runs, and look at their confidences."""
    runs, unread = read(task, gold, uploads)
    odd = tuple(found for run in runs for found in anomalies(task, run))
    return Audit(len(runs), tuple(similarities(runs)), odd, unread)


def document(task: str, found: Audit, refused: Iterable[Refusal]) -> dict[str, object]:
    """An audit, and the files that were refused, as JSON has them."""
    return {
        "task": task,
        "runs": found.runs,
        "pairs": len(found.pairs),
        "near_duplicates": [_pair(pair) for pair in found.listed],
        "others_across_teams": {"pairs": len(found.others), **_highest(found.others)},
        "odd": [
            {"run": o.run, "team": o.team, "code": o.code, "message": o.message} for o in found.odd
        ],
        "unread": [{"run": run, "why": why} for run, why in found.unread.items()],
        "refused": [_refusal(r) for r in refused],
    }


def _pair(pair: Similarity) -> dict[str, object]:
    return {
        "runs": [pair.a.run, pair.b.run],
        "teams": [pair.a.team, pair.b.team],
        "across_teams": pair.across,
        "withdrawn": [run.run for run in (pair.a, pair.b) if run.withdrawn],
        "why": list(pair.why),
        "n": pair.n,
        "equal_errors": pair.errors,
        "equal_confidences": pair.equal,
        "order": pair.order,
    }


def _highest(pairs: Sequence[Similarity]) -> dict[str, float | None]:
    """The highest figures of pairs that are not listed."""
    figures = {
        "equal_errors": [pair.errors for pair in pairs],
        "equal_confidences": [pair.equal for pair in pairs],
        "order": [pair.order for pair in pairs],
    }
    return {
        name: max((v for v in values if v is not None), default=None)
        for name, values in figures.items()
    }


def _refusal(refusal: Refusal) -> dict[str, object]:
    return {
        "team": refusal.team,
        "file": refusal.filename,
        "sha256": refusal.sha256,
        "at": refusal.at.isoformat(),
        "codes": dict(refusal.codes),
        "remark": refusal.remark or None,
    }
