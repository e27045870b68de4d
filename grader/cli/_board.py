"""A board in the terminal, and what is said of a run on it."""

from collections.abc import Sequence
from dataclasses import asdict

import click

from grader.board import score
from grader.cli._say import printable, table, value
from grader.model import About, Results, Row


def say(results: Results, rows: Sequence[Row], keys: Sequence[str], *, received: bool) -> None:
    """Print the rows with some measures, and below them why the unranked ones are not ranked."""
    digits = results.task.ranking.digits
    when = ["received (UTC)"] if received else []
    phase = ["phase"] if any(row.entry.phase for row in rows) else []
    lines = [
        [
            row.rank or "–",
            row.entry.slug,
            row.entry.team,
            row.entry.name,
            *([row.entry.phase] if phase else []),
            *([f"{row.entry.received:%Y-%m-%d %H:%M:%S}"] if received else []),
            *(value(score(row.entry, key), digits) for key in keys),
        ]
        for row in rows
    ]
    if not lines:
        click.echo("no run yet")
        return
    table("", ["rank", "run", "team", "name", *phase, *when, *keys], lines)
    for row in rows:
        if row.rank is None:
            click.echo(printable(f"{row.entry.slug} is not ranked: {row.why}"))


def placed(row: Row) -> dict[str, object]:
    """What there is to say of a run beside its scores, as JSON has it."""
    entry = row.entry
    return {
        "run": entry.slug,
        "team": entry.team,
        "name": entry.name,
        "phase": entry.phase or None,
        "status": "held" if entry.held else "accepted",
        "rank": row.rank,
        "why": row.why or None,
        "received": entry.received.isoformat(),
        "file": entry.filename,
        "size": entry.size,
        "sha256": entry.sha256,
        "flags": dict(entry.flags),
        "about": described(entry.about),
        **({"pseudonym": asdict(entry.pseudonym)} if entry.pseudonym else {}),
    }


def described(about: About) -> dict[str, object]:
    """What a team says of a run, as JSON has it."""
    links, resources = list(about.links), list(about.resources)
    return {"text": about.text or None, "links": links, "resources": resources}


def flagged(row: Row) -> str:
    """A run's flags with their reasons, in words."""
    each = row.entry.flags.items()
    return ", ".join(f"{flag} ({why})" if why else flag for flag, why in each)
