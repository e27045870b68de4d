"""grader run download: the bytes of a run, as they were sent."""

from pathlib import Path

import click

from grader.cli._options import FOLDER, database


@click.command("download")
@click.argument("task")
@click.argument("run")
@click.option("--out", type=FOLDER, help="The file to write; by default RUN and its suffix here.")
@click.option("--version", type=int, metavar="N", help="Of an amended run: 1 is what was sent.")
@database
def command(task: str, run: str, out: Path | None, version: int | None, db: str) -> None:
    """Write the bytes of RUN to a file; an existing file is not overwritten.

    Of an amended run it is the newest file, unless --version names an earlier one.

    \b
        grader run download digits trees-1 --out trees.csv
    """
    from grader import store
    from grader.cli._files import write

    with store.reading(store.existing(db)) as connection:
        filename, payload = store.file_version(connection, task, run, version)
    file = out or Path(run + Path(filename).suffix)
    write(file, payload)
    click.echo(f"{file}: {len(payload)} bytes")
