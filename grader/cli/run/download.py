"""grader run download: the bytes of a run, as they were sent."""

from pathlib import Path

import click

from grader.cli._options import FOLDER, database


@click.command("download")
@click.argument("task")
@click.argument("run")
@click.option("--out", type=FOLDER, help="The file to write; by default RUN and its suffix here.")
@database
def command(task: str, run: str, out: Path | None, db: str) -> None:
    """Write the bytes of RUN to a file; an existing file is not overwritten.

    \b
        grader run download digits trees-1 --out trees.csv
    """
    from grader import store
    from grader.cli._files import write

    with store.reading(store.existing(db)) as connection:
        upload = store.payload(connection, task, run)
    file = out or Path(run + Path(upload.filename).suffix)
    write(file, upload.payload)
    click.echo(f"{file}: {len(upload.payload)} bytes")
