"""grader task copy: a task like another one, with its own gold."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, FOLDER, clock, database, output


@click.command("copy")
@click.argument("slug")
@click.argument("new")
@click.option("--gold", required=True, type=FILE, help="The gold of the new task.")
@click.option("--title", metavar="TEXT", help="Its title; by default that of SLUG.")
@click.option(
    "--opens",
    metavar="INSTANT",
    help="Move the phases so that the first opens then: an instant, or a date with AoE.",
)
@click.option("--phases", type=FILE, help="A file of [[phase]] tables in place of the phases.")
@click.option("--out", type=FOLDER, help="The folder in which NEW is made; by default tasks.")
@database
@clock
@output
def command(
    slug: str, new: str, gold: Path, db: str, at: datetime, form: str, **given: Any
) -> None:
    """Register NEW, a task like SLUG with other ids and gold: a formal run like its dry run.

    All but gold, title and dates is taken from SLUG as it is registered. A folder tasks/NEW is
    made, with the task.toml and the gold, from which the task may be updated later.

    \b
        grader task copy quiz-dry quiz --gold formal.csv --opens "2027-05-01 AoE"
    """
    import secrets

    from grader import store
    from grader.cli.task.add import answered, say
    from grader.tasks import contents, parse, read_gold
    from grader.tasks.copying import copied
    from grader.tasks.gold import lines
    from grader.tasks.notes import notes

    folder = _folder(given["out"] or Path("tasks"), new, gold)
    payload = contents(gold)
    with store.unit(store.existing(db)) as connection:
        now = store.registered(connection, slug)
        old = parse(now.config, slug)  # without what was extended since
        task = _task(now.config, old, {**given, "new": new, "file": gold.name, "at": at})
        text = copied(now.config, old, task)
        truth = read_gold(task, payload, str(gold))
        answered(task, truth, gold)
        odd = [*_kept(task, given, folder), *_shared(slug, now.gold, truth)]
        odd += notes(task, truth, lines(payload))
        salt = secrets.token_bytes(32)
        summary = store.add_task(connection, new, text, truth, salt, at)
        store.log(connection, new, f"task copy: from {slug}", "", at)
        _write(folder, {"task.toml": text.encode(), gold.name: payload}, gold)
    say(task, truth, summary, form, odd)
    if form == "text":
        click.echo(f"{folder} holds task.toml and {gold.name}")


def _folder(out: Path, new: str, gold: Path) -> Path:
    """The folder to write; Mistake if the name cannot be one, or something is in the way."""
    from grader.errors import Mistake
    from grader.tasks import slug_of

    folder = out / new
    if slug_of(folder) != new:
        raise Mistake(f"{new!r} is no plain name", mend=f"for example {slug_of(folder)}")
    for name in ("task.toml", gold.name):
        file = folder / name
        if file.exists() and not file.samefile(gold):
            raise Mistake(f"{file} exists already", mend="name another task, or a folder by --out")
    return folder


def _task(config: str, old: Any, given: dict[str, Any]) -> Any:
    """The new task."""
    from grader.errors import Mistake
    from grader.tasks.copying import moved, over, read_phases

    if given["opens"] and given["phases"]:
        raise Mistake("--opens moves the phases that --phases would replace: give one of the two")
    phases = old.phases
    if given["phases"]:
        phases = read_phases(given["phases"], config, old.slug)
    if given["opens"]:
        phases = moved(phases, given["opens"])
    if over(phases, given["at"]):
        raise Mistake(
            f"the phases of {old.slug!r} are over, so {given['new']!r} would take no run",
            mend='give --opens "YYYY-MM-DD AoE", or --phases FILE',
        )
    title = old.title if given["title"] is None else given["title"]
    columns = replace(old.gold, file=given["file"])
    return replace(old, slug=given["new"], title=title, gold=columns, phases=phases)


def _kept(task: Any, given: dict[str, Any], folder: Path) -> list[str]:
    """What is to be noted of a title, and of phases but for their dates, that nobody gave."""
    found = [] if given["title"] is not None else [f"the title {task.title!r}"]
    if not given["phases"]:
        found += [f"phase {p.name!r} (visible: {p.visible})" for p in task.phases]
    mend = f"what should differ, change in {folder}/task.toml, then: grader task update {folder}"
    return [f"kept as it was: {', '.join(found)}; {mend}"] if found else []


def _shared(slug: str, old: Any, new: Any) -> list[str]:
    """What is to be noted of ids that both golds have."""
    if not (both := len({*old.ids} & {*new.ids})):
        return []
    return [f"{both} of {len(new.ids)} ids are also in {slug}: are the questions new?"]


def _write(folder: Path, files: dict[str, bytes], gold: Path) -> None:
    """Write the new files; a failure leaves none of them behind."""
    from grader.cli._files import write
    from grader.errors import Mistake

    done: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            file = folder / name
            if not (file.exists() and file.samefile(gold)):
                write(file, content)
                done.append(file)
    except (Mistake, OSError) as e:
        for file in done:
            file.unlink(missing_ok=True)
        if isinstance(e, Mistake):
            raise
        raise Mistake(f"{folder} cannot be written: {e.strerror}") from e
