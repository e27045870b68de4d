"""grader task kit: what participants are handed."""

from pathlib import Path

import click

from grader.cli._options import FOLDER, database


@click.command("kit")
@click.argument("task", metavar="SLUG|DIR")
@click.option("--out", type=FOLDER, help="The folder to make; by default kit/SLUG.")
@database
def command(task: str, out: Path | None, db: str) -> None:
    """Write the participants' kit of a registered task, or of the task in a folder.

    The task and its ids without gold, a sample run in each format, the rules, and the command
    that checks a run. The same task gives the same bytes.

    \b
        grader task kit digits
    """
    import shlex

    from grader.cli._folder import write_folder
    from grader.cli._task import named
    from grader.errors import Mistake
    from grader.kit import kit

    declared, gold = named(task, db)
    folder = out or Path("kit", declared.slug)
    files = dict(kit(declared, gold))
    try:
        there = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as e:
        raise Mistake(f"{folder} cannot be written: {e.strerror}") from e
    if there:
        raise Mistake(f"{folder} exists already", mend="name another folder with --out")
    write_folder(folder, files)
    sample = next(name for name in files if name not in ("task.toml", "ids.csv"))
    click.echo(f"{folder} holds {', '.join(files)}. Participants check a run with:")
    where, run = (shlex.quote(str(path)) for path in (folder, folder / sample))
    click.echo(f"  grader check {run} --task {where}")
