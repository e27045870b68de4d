"""grader check: what a submission would be told."""

from pathlib import Path

import click

from grader.cli._options import FILE, database, output, task_keys


@click.command("check")
@click.argument("run", type=FILE)
@click.option("--task", metavar="DIR|SLUG", help="The task's folder, or a registered task.")
@click.option("--gold", type=FILE, help="A gold file, when there is no task.")
@task_keys
@database
@output
def command(
    run: Path, task: str | None, gold: Path | None, db: str, form: str, **keys: str | None
) -> None:
    """Check RUN without submitting it: every problem, with its line and how to mend it.

    Needs no database when --task is a folder. Exits 0 if the run would be accepted, 1 if not.

    \b
        grader check my-run.csv --task tasks/digits
        grader check my-run.csv --gold gold.csv --answers normalised
    """
    from grader.check import check, records
    from grader.cli._say import notices, printable, rejected, say_json
    from grader.cli._task import is_folder, of_files
    from grader.model import Rejected
    from grader.plural import counted
    from grader.tasks import contents

    payload = contents(run)
    if task is not None and gold is None and not is_folder(task):
        from grader import store

        with store.reading(store.existing(db)) as connection:
            found = store.registered(connection, task)
        declared, its_gold = found.task, found.gold
    else:
        declared, its_gold = of_files(task, gold, keys, "check RUN")
    outcome = check(records(payload, declared, its_gold), declared, its_gold)
    if isinstance(outcome, Rejected):
        raise SystemExit(rejected(str(run), outcome, form))
    n = sum(a is not None for a in outcome.answers)
    if form == "json":
        say_json({"rejected": False, "n": n, "notices": notices(outcome.notices)})
        return
    click.echo(printable(f"{run}: would be accepted, {counted(n, 'instance')}"))
    for notice in outcome.notices:
        click.echo(printable(f"  note: {notice.message}"))
