"""grader export: the scores of a task as a table."""

from datetime import datetime
from pathlib import Path

import click

from grader.cli._options import FOLDER, clock, database


@click.command("export")
@click.argument("task")
@click.option("--format", "form", type=click.Choice(["csv", "json"]), required=True)
@click.option("--out", type=FOLDER, help="The file to write; by default the terminal.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@database
@clock
def command(task: str, form: str, out: Path | None, *, force: bool, db: str, at: datetime) -> None:
    """Write every score of TASK, one row for each run, subset and measure.

    JSON has these rows under "scores", and under "analyses" what the page of each run says beside
    them; CSV has the scores alone.

    In CSV a text that begins with = + - @ a tab or a carriage return gets a ' in front, so that
    no spreadsheet runs it. JSON keeps texts letter for letter.

    \b
        grader export digits --format csv --out digits.csv
    """
    from grader import store
    from grader.board import visible
    from grader.cli._files import write
    from grader.export import as_json, csv, frame
    from grader.plural import counted

    with store.reading(store.existing(db)) as connection:
        results = visible(store.snapshot(connection, at, [task]), "organisers").tasks[0]
    text = csv(results) if form == "csv" else as_json(results)
    if out is None:
        click.echo(text, nl=False)
        return
    write(out, text.encode(), over=force)
    click.echo(f"{out}: {counted(len(frame(results)), 'score')}", err=True)
