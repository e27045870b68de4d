"""grader score: the measures of a run, with no database."""

from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, output, task_keys


@click.command("score")
@click.argument("run", type=FILE)
@click.option("--gold", type=FILE, help="The gold file; by default that of --task.")
@click.option("--task", metavar="DIR", help="The task's folder.")
@click.option("--drop", multiple=True, metavar="ID", help="An instance that does not count.")
@task_keys
@output
def command(
    run: Path,
    gold: Path | None,
    task: str | None,
    drop: tuple[str, ...],
    form: str,
    **keys: str | None,
) -> None:
    """Score RUN against a gold file: every measure, overall and per subset, with signatures.

    Needs no database. Exits 1 if the run is refused.

    \b
        grader score my-run.csv --gold gold.csv --measures hmr,accuracy,brier,ece@10
        grader score my-run.csv --task tasks/digits --format json
    """
    from hashlib import sha256

    from grader.cli._say import rejected, say_json, scores
    from grader.cli._task import of_files
    from grader.grade import grade
    from grader.model import Rejected, Standing
    from grader.scoring import settings
    from grader.tasks import contents
    from grader.tasks.gold import dropped

    payload = contents(run)
    declared, its_gold = of_files(task, gold, keys, "score RUN")
    its_gold = dropped(its_gold, drop, Standing("dropped", "--drop"))
    graded = grade(declared, its_gold, payload)
    if isinstance(graded, Rejected):
        raise SystemExit(rejected(str(run), graded, form))
    tail = settings(declared, _version(drop), sha256(payload).hexdigest())
    if form == "json":
        named = gold or Path(str(task)) / declared.gold.file
        whole = scores(graded, tail)
        n = whole["all"]["n"]
        say_json({"n": n, "run": str(run), "gold": str(named), "subsets": whole})
        return
    _text(graded, tail)


def _version(drop: tuple[str, ...]) -> str:
    """The gold of a signature: a file has no version, and its digest would give answers away."""
    from hashlib import sha256

    ids = "\n".join(sorted(set(drop)))
    return f"file less {sha256(ids.encode()).hexdigest()[:12]}" if drop else "file"


def _text(graded: Any, tail: str) -> None:
    from grader.cli._say import printable, table, value
    from grader.scoring import signature

    subsets = list(dict.fromkeys(s.subset for s in graded.scores))
    by_key = {(s.measure, s.subset): s for s in graded.scores}
    sizes = {s.subset: s.n for s in graded.scores}
    rows = [
        [key, *(value(by_key.get((key, subset)), 6) for subset in subsets)]
        for key in dict.fromkeys(s.measure for s in graded.scores)
    ]
    table("", ["measure", *subsets], [["n", *(sizes[s] for s in subsets)], *rows])
    said = {(s.measure, s.note): s.subset for s in reversed(graded.scores) if s.note}
    for (measure, note), subset in reversed(said.items()):
        click.echo(printable(f"{measure} on {subset}: {note}"))
    for notice in graded.notices:
        click.echo(printable(f"note: {notice.message}"))
    click.echo(f"signature: {signature(graded.scores[0], tail)}")
    click.echo("  of the others: their key in its place, and their version as JSON has it")
