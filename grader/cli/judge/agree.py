"""grader judge agree: how far judges agree, and what it does to the board."""

from datetime import datetime
from typing import Any

import click

from grader.cli._options import clock, database, output


@click.command("agree")
@click.argument("slug")
@click.option("--phase", metavar="NAME", help="Of this phase alone; by default of all.")
@database
@clock
@output
def command(slug: str, phase: str | None, db: str, at: datetime, form: str) -> None:
    """Say how SLUG was judged: coverage, agreement, and the board under each judge alone.

    Agreement on the labels of units that two judges judged: the share of pairs of judgements that
    agree, in all and by label, and beyond chance Cohen's kappa of two judges and Krippendorff's
    alpha of all. Under each judge the ranked runs are scored on the instances of which the judge
    judged every answer, beside the rule's scores on these; Kendall's tau-b says how far the two
    orders agree. Further numbers are averaged, and each run is compared with the one above it.

    \b
        grader judge agree quiz
    """
    from grader import store
    from grader.board import phased
    from grader.cli._say import say_json
    from grader.errors import Mistake
    from grader.judging.stored import judged
    from grader.judging.witness import witnessed

    with store.reading(store.existing(db)) as connection:
        judged(connection, slug)
        parts = phased(store.snapshot(connection, at, [slug]).tasks[0])
        names = [part.phase.name if part.phase else "" for part in parts]
        if phase is not None and phase not in names:
            raise Mistake(f"there is no phase {phase!r}", mend=f"grader phase list {slug}")
        found = [
            witnessed(connection, p)
            for p, n in zip(parts, names, strict=True)
            if phase in (None, n)
        ]
    if form == "json":
        say_json([_answer(results) for results in found])
        return
    for results in found:
        _text(results, title=len(found) > 1)


def _answer(results: Any) -> dict[str, Any]:
    from grader.verdicts import document

    phase = results.phase.name if results.phase else None
    return {"task": results.task.slug, "phase": phase, **document(results.witness)}


def _text(results: Any, *, title: bool) -> None:
    from grader.cli._say import table
    from grader.verdicts import tables

    if title:
        click.echo(f"phase {results.phase.name}" if results.phase else "before the phases")
    for made in tables(results.witness, results.task.ranking.digits):
        if made.rows:
            click.echo(made.title)
            table("", made.columns, made.rows)
        for note in made.notes:
            click.echo(note)
