"""What the sender of a file is answered: JSON for scripts, text to paste into a mail."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from grader.board import printed, shown
from grader.instants import said
from grader.model import Graded, Notice, Receipt, Rejected, Score, Slots
from grader.report import mend, quota, report
from grader.signature import signature


def answer(outcome: Receipt | Rejected) -> dict[str, object]:
    """A receipt or a refusal as the contract of `submit --format json` has it."""
    return refusal(outcome) if isinstance(outcome, Rejected) else _receipt(outcome)


def answers(outcomes: Sequence[tuple[str, Receipt | Rejected]]) -> object:
    """The same of each run of a file, with its file name; of a file that is one run, by itself."""
    if len(outcomes) == 1:
        return answer(outcomes[0][1])
    return [{"file": name, **answer(outcome)} for name, outcome in outcomes]


def lines(outcomes: Sequence[tuple[str, Receipt | Rejected]]) -> Iterator[str]:
    """Yield the report of a file: each run's verdict and receipt, a blank line between them."""
    for k, (name, outcome) in enumerate(outcomes):
        if k:
            yield ""
        if isinstance(outcome, Rejected):
            yield from map(printable, report(name, outcome))
            continue
        if len(outcomes) > 1:
            yield printable(f"{name}: {_status(outcome)}")
        yield from _text(outcome)


def refusal(no: Rejected) -> dict[str, object]:
    """Everything that is wrong with a file, and how to mend it."""
    problems = [
        {
            "code": p.code,
            "line": p.line,
            "field": p.field,
            "message": p.message,
            "mend": mend(p.code),
        }
        for p in no.problems
    ]
    said = {"rejected": True, "total": len(problems), "problems": problems}
    return said | ({"slots": slots_of(no.slots)} if no.slots else {})


def _receipt(receipt: Receipt) -> dict[str, object]:
    graded, slots = receipt.graded, slots_of(receipt.slots)
    return {
        "status": _status(receipt),
        "task": receipt.task,
        "team": receipt.team,
        "name": receipt.name,
        "run": receipt.run,
        "received": receipt.received.isoformat(),
        "sha256": receipt.sha256,
        "phase": receipt.phase or None,
        "next_slot": slots["next"] if slots else None,
        "slots": slots,
        "repeated": receipt.repeated,
        "notices": notices(receipt.notices),
        "scores": scores(graded, receipt.settings, receipt.digits) if graded else None,
        "hidden": receipt.hidden or None,
        **({"known_as": asdict(receipt.known_as)} if receipt.known_as else {}),
    }


def _status(receipt: Receipt) -> str:
    return "held" if receipt.held else "accepted"


def _text(receipt: Receipt) -> Iterator[str]:
    graded, status = receipt.graded, _status(receipt)
    told = {
        "status": f"{status}{' before: this is the first receipt' if receipt.repeated else ''}",
        "task": receipt.task,
        "team": receipt.team,
        "run": f"{receipt.run} ({receipt.name})",
        "received": said(receipt.received) if receipt.phase else _utc(receipt.received),
        "sha256": receipt.sha256,
    }
    if receipt.phase:
        told["phase"] = receipt.phase
    if receipt.slots:
        told["quota"] = quota(receipt.slots)
    if receipt.known_as:
        told["known as"] = f"{receipt.known_as.team}, {receipt.known_as.run}"
    if receipt.hidden:
        told["scores"] = receipt.hidden
    for s in graded.scores if graded else ():
        if s.subset == "all":
            told[s.measure] = spelled(s, receipt.digits)
    yield from pairs(told)
    for notice in receipt.notices:
        yield printable(f"note: {notice.message}")
    if receipt.held:
        yield "The scorer broke on this run. The run is safe; nothing needs to be sent again."
        yield f"Organisers: grader rescore {receipt.task}"


def _utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


def pairs(said: Mapping[str, object]) -> Iterator[str]:
    """Yield names and values, one a line.

    >>> list(pairs({"task": "t", "hmr": 0.5}))
    ['task  t', 'hmr   0.5']
    """
    wide = max(map(len, said), default=0)
    for name, given in said.items():
        yield f"{name:<{wide}}  {printable(str(given))}"


def slots_of(found: Slots | None) -> dict[str, object] | None:
    """What a team may still send, as JSON has it."""
    if found is None:
        return None
    return {
        "rule": found.rule,
        "used": found.used,
        "today": found.today,
        "next": found.next.isoformat() if found.next else None,
        "why": found.why or None,
    }


def printable(text: str) -> str:
    """A line whose control characters cannot move the reader's cursor."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def notices(found: Sequence[Notice]) -> list[dict[str, str]]:
    return [{"code": n.code, "message": n.message} for n in found]


def scores(graded: Graded, settings: str, digits: int | None = None) -> dict[str, Any]:
    """A run's scores as the contract of `score --format json` has them.

    ``digits`` rounds the values: with all digits a sender could read the gold out of a score.
    """

    def to(value: float | None) -> float | None:
        return value if value is None or digits is None else round(value, digits)

    subsets: dict[str, Any] = {}
    for s in graded.scores:
        part = subsets.setdefault(s.subset, {"n": s.n, "measures": {}})
        part["measures"][s.measure] = {
            "value": to(s.value),
            "low": to(s.low),
            "high": to(s.high),
            "note": s.note or None,
            "no_interval": s.no_interval or None,
            "details": dict(s.details) if digits is None else {},
            "signature": signature(s, settings),
            **({"not_judged": s.waiting} if s.waiting else {}),
            **({"least": to(s.extremes[0]), "most": to(s.extremes[1])} if s.extremes else {}),
        }
    return subsets


def spelled(score: Score, digits: int) -> str:
    """A score in words: its value and what decided it, or why there is none.

    While answers are not judged, how far it may still go, and how many wait.
    """
    text = printed(score, digits)
    if score.value is None and score.extremes:
        return f"{text}  ({score.note}: {score.waiting} waiting)"
    if score.value is None and text != "∞":
        return f"undefined ({score.note})"
    return text + "".join(f"  ({said})" for said in (_floor(score, digits), score.note) if said)


def _floor(score: Score, digits: int) -> str:
    """The floor of a calibration error in words; empty for other measures."""
    if score.floor_95 is None:
        return ""
    floor = f"floor {shown(score.floor_mean, digits)}, 95% {shown(score.floor_95, digits)}"
    return floor if score.above_floor else f"{floor}: not distinguishable from calibrated"
