"""grader check: what a submission would be told."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, clock, database, output, task_keys


@click.command("check")
@click.argument("run", type=FILE)
@click.option("--task", metavar="DIR|SLUG", help="The task's folder, or a registered task.")
@click.option("--gold", type=FILE, help="A gold file, when there is no task.")
@click.option("--team", metavar="NAME", help="Who sends it, where the task asks for file names.")
@task_keys
@database
@clock
@output
def command(
    run: Path, task: str | None, gold: Path | None, team: str | None, form: str, **keys: Any
) -> None:
    """Check RUN without submitting it: every problem, with its line and how to mend it.

    Says what the door would say, but for quota and deadline; RUN may be packed, as there. Needs
    no database when --task is a folder. Exits 0 if the run would be accepted, 1 if not.

    \b
        grader check my-run.csv --task tasks/digits
        grader check my-run.csv --gold gold.csv --answers normalised
    """
    from grader.cli._say import say_json
    from grader.cli._task import is_folder, named, of_files
    from grader.model import Rejected, Upload
    from grader.parcel import unpacked
    from grader.tasks import contents

    at, db = keys.pop("at"), keys.pop("db")
    teams: tuple[str, ...] = (team,) if team else ()
    if task is not None and gold is None and not is_folder(task):
        declared, its_gold = named(task, db)
        teams = _known(team, db) if team else ()
    else:
        declared, its_gold = of_files(task, gold, keys, "check RUN")
    sent = unpacked(Upload(team or "", "", run.name, contents(run), at))
    if isinstance(sent, tuple):
        found = [(u.filename, _checked(declared, its_gold, u, teams)) for u in sent]
    else:
        found = [(run.name, Rejected((sent,)))]
    if form == "json":
        say_json(_answer(found))
    else:
        _text(run, found)
    raise SystemExit(int(any(isinstance(outcome, Rejected) for _, outcome in found)))


def _known(team: str, db: str) -> tuple[str, ...]:
    """What a file's name may call a registered team."""
    from grader import store
    from grader.tasks.filenames import names

    with store.reading(store.existing(db)) as connection:
        return names(store.team(connection, team))


def _checked(task: Any, gold: Any, upload: Any, teams: tuple[str, ...]) -> Any:
    """A run as the door would read it, or why it would be refused."""
    from grader.admission import measured, misnamed, too_large
    from grader.check import check, records
    from grader.model import Rejected

    at: datetime = upload.received
    phase = measured(task, at)
    if phase and (large := too_large(phase, len(upload.payload))):
        return Rejected((large,))
    outcome = check(records(upload.payload, task, gold), task, gold)
    return misnamed(task, upload.filename, teams, outcome)


def _answer(found: Any) -> object:
    from grader.cli._say import notices
    from grader.model import Rejected
    from grader.receipts import refusal

    said = [
        refusal(outcome)
        if isinstance(outcome, Rejected)
        else {"rejected": False, "n": _n(outcome), "notices": notices(outcome.notices)}
        for _, outcome in found
    ]
    if len(said) == 1:
        return said[0]
    return [{"file": name, **one} for (name, _), one in zip(found, said, strict=True)]


def _n(outcome: Any) -> int:
    return sum(answer is not None for answer in outcome.answers)


def _text(run: Path, found: Any) -> None:
    from grader.cli._say import printable
    from grader.model import Rejected
    from grader.plural import counted
    from grader.report import report

    for k, (file, outcome) in enumerate(found):
        name = str(run) if len(found) == 1 else f"{run}/{file}"
        if k:
            click.echo()
        if isinstance(outcome, Rejected):
            for line in report(name, outcome):
                click.echo(printable(line))
            continue
        many = counted(_n(outcome), "instance")
        click.echo(printable(f"{name}: would be accepted, {many}"))
        for notice in outcome.notices:
            click.echo(printable(f"  note: {notice.message}"))
