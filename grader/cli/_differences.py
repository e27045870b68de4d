"""What re-scoring changed, run by run."""

from collections.abc import Sequence
from dataclasses import asdict

import click

from grader.cli._say import say_json, table
from grader.plural import counted
from grader.rescore import Difference


def as_json(differences: Sequence[Difference]) -> list[dict[str, object]]:
    return [asdict(d) for d in differences]


def say(differences: Sequence[Difference], form: str) -> None:
    """Print each run's primary value before and after."""
    if form == "json":
        say_json(as_json(differences))
        return
    changed = [d for d in differences if d.changed]
    click.echo(f"{counted(len(differences), 'run')} scored again, {len(changed)} changed")
    if changed:
        rows = [[d.run, d.name, _shown(d.before), _shown(d.after), d.changed] for d in changed]
        table("", ["run", "name", "before", "after", "values changed"], rows)


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.6f}"
