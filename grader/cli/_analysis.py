"""What a run page says of a run beside its scores, as text."""

from collections.abc import Iterator
from typing import Any

import click

_TITLES = {
    "ladder": "calibration errors and their floors",
    "pooling": "where AUROC comes from: right answers of one subset against wrong ones of another",
    "thresholds": "the most answers that can be kept at an accuracy",
    "curve": "accuracy and coverage of the surest answers",
    "scope": "instances outside the task",
    "recalibration": "with confidences learnt on other instances",
    "references": "the same answers with other confidences",
}
_DIGITS, _STEPS = 6, 10


def say(found: Any, digits: int) -> None:
    """Print an analysis; ``digits`` are those of its sentences."""
    from grader.analysis.document import tables

    if found is None:
        click.echo("\nanalysis: none: it is about answers with confidences, and here are none")
        return
    made = tables(found, digits)
    click.echo(f"\nverdict: {_verdict(made['verdict'][0])}")
    made["curve"] = _thinned(made["curve"])
    after = dict(_sentences(found, digits))
    for name, title in _TITLES.items():
        if made[name]:
            click.echo("")
            _table(title, made[name])
        if name in after:
            click.echo(after[name])


def _verdict(row: dict[str, Any]) -> str:
    spread = row["no_interval"] or f"95% interval {row['low']:.6f} to {row['high']:.6f}"
    note = f"; {row['note']}" if row["note"] else ""
    return f"{row['says']} (R_U − R_O {row['difference']:+.6f}, {spread}{note})"


def _sentences(found: Any, digits: int) -> Iterator[tuple[str, str]]:
    """Yield what is to be said below a table, by its name."""
    from grader.analysis.pooling import warning
    from grader.analysis.recalibrate import said

    if said_of := " ".join(filter(None, (warning(p, digits) for p in found.poolings))):
        yield "pooling", said_of
    if found.scope:
        by = "low confidence" if found.scope.by == "confidence" else "the label's probability"
        value = _cell(found.scope.auroc)
        yield "scope", f"{found.scope.label!r} is told by {by}: AUROC {value}"
    yield "recalibration", said(found.recalibration, digits)


def _thinned(curve: list[Any]) -> list[Any]:
    """The points at each tenth of coverage, the last at all; JSON has every one."""
    kept, reached = [], 0
    for point in curve:
        if (tenth := int(point["coverage"] * _STEPS + 1e-9)) > reached:
            kept.append(point)
            reached = tenth
    return kept


def _table(title: str, rows: list[Any]) -> None:
    from grader.cli._say import table

    columns = [c for c in rows[0] if any(row[c] is not None for row in rows)]
    click.echo(f"{title}:")
    table("", columns, [[_cell(row[c]) for c in columns] for row in rows])


def _cell(value: object) -> str:
    from grader.board import shown

    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None or isinstance(value, float):
        return shown(value, _DIGITS)
    return str(value)
