"""grader judge import: take in what a judge says."""
# ruff: noqa: N999, the command has that name

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, clock, database, output


@click.command("import")
@click.argument("slug")
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--judge", required=True, metavar="NAME", help="Who says it; shown on the board.")
@click.option("--kind", type=click.Choice(["person", "model", "pipeline"]), help="What judges.")
@click.option("--prompt", metavar="FILE|SHA256", help="Of a model: its prompt, kept as a digest.")
@click.option("--matrix", is_flag=True, help="A table of which runs are correct where.")
@click.option("--column", "columns", multiple=True, metavar="NAME", help="A number to keep.")
@click.option("--why", default="", metavar="TEXT", help="Of a change of mind: the reason.")
@database
@clock
@output
def command(
    slug: str, files: tuple[Path, ...], db: str, at: datetime, form: str, **given: Any
) -> None:
    """Take in the labels of FILES, all or none: what is wrong is said at once, with its line.

    A row is known by its unit, or where that column is missing by id and answer (where each run
    is judged by itself by id and run). Blank labels are left for later. The same again changes
    nothing; another label than before is a revision, needs --why, and both are kept.

    With --matrix a table with the columns run, id and correct (1 or 0), or an id and a column for
    each run. What then holds by the task's rule becomes a new gold version if it is another one,
    and every run is scored again.

    \b
        grader judge import quiz pool/Anna/*.csv --judge Anna
        grader judge import quiz labels.jsonl --judge llm-1 --kind model --prompt prompt.txt
        grader judge import quiz correct.csv --judge matcher --matrix
    """
    import secrets

    from grader import store
    from grader.cli._say import progress
    from grader.judging.known import File
    from grader.rescore import Act
    from grader.resolving import Delivery, take
    from grader.tasks import contents

    brought = tuple(File(str(file), contents(file)) for file in files)
    with progress("scoring again", None) as step, store.unit(store.existing(db)) as connection:
        judge = _judge(connection, slug, given)
        columns = tuple(dict.fromkeys(name.strip() for name in given["columns"]))
        delivery = Delivery(judge, brought, columns, given["matrix"], given["why"].strip())
        done = take(connection, slug, delivery, Act(at, secrets.token_bytes(32), step))
    _say(slug, done, form)


def _judge(db: Any, slug: str, given: dict[str, Any]) -> Any:
    """Who judges: as known before, unless something else is said."""
    import re
    from hashlib import sha256

    from grader import store
    from grader.errors import Mistake
    from grader.model import Judge
    from grader.tasks import contents

    name, kind, prompt = given["judge"], given["kind"], given["prompt"]
    mine = store.folded(name)
    known = next((j for j in store.judges(db, slug) if store.folded(j.name) == mine), None)
    if known is not None and kind is None and prompt is None:
        return known
    kind = kind or (known.kind if known else "pipeline" if given["matrix"] else "person")
    digest = prompt or (known.prompt if known else "")
    if prompt and not re.fullmatch("[0-9a-fA-F]{64}", prompt):
        digest = sha256(contents(Path(prompt))).hexdigest()
    if (kind == "model") != bool(digest):
        said = "a model has a prompt, and nobody else: give --kind model and --prompt FILE"
        raise Mistake(said)
    return Judge(name, kind, digest.lower())


def _say(slug: str, done: Any, form: str) -> None:
    from grader.board import shown
    from grader.cli._differences import as_json
    from grader.cli._differences import say as say_differences
    from grader.cli._say import printable, say_json
    from grader.plural import counted
    from grader.verdicts import agreed

    found = done.resolved
    gold = found.adopted and found.adopted.gold
    if form == "json":
        names = ("new", "revised", "added", "same", "left", "units", "judged", "decided")
        counts = {name: getattr(done, name) for name in names}
        answer = {"task": slug, "judge": done.judge.name, **counts, "undecided": done.undecided}
        answer["agreement"] = [agreed(one) for one in done.agreements]
        answer |= {"dropped": list(found.dropped), "restored": list(found.restored)}
        answer["gold"] = gold and {"version": gold.version, "commitment": gold.commitment}
        say_json(answer | {"runs": as_json(found.adopted.differences) if gold else []})
        return
    said = f"{done.judge.name}: {counted(done.new, 'new judgement')}"
    said += f", {done.revised} changed" if done.revised else ""
    said += f", {done.added} with further numbers" if done.added else ""
    said += f", {done.same} as before" if done.same else ""
    said += f", {counted(done.left, 'row')} left for later" if done.left else ""
    click.echo(printable(said))
    for what, names in (("dropped", found.dropped), ("counted again", found.restored)):
        if names:
            click.echo(printable(f"{what} as the judges say: {', '.join(names)}"))
    if done.undecided:
        by = f"grader judge pool {slug} --undecided --judges NAME --out DIR"
        click.echo(f"{counted(done.undecided, 'unit')} left open; one more judge: {by}")
    click.echo(f"judged: {done.judged} of {counted(done.units, 'unit')}, {done.decided} decided")
    for one in done.agreements:
        told = f"{shown(one.raw, 3)} agreement, κ {shown(one.coefficient, 3)}"
        click.echo(printable(f"{' and '.join(one.judges)}: {told} ({counted(one.n, 'unit')})"))
    if gold is None:
        click.echo(f"{slug}: the gold is as before")
        return
    click.echo(f"{slug}: gold v{gold.version}, {gold.scored} scored of {gold.n}; publish again")
    say_differences(found.adopted.differences, form)
