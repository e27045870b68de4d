"""grader judge pool: hand answers out to judges."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, FOLDER, database, output

_NUMBER = click.IntRange(1)


@click.command("pool")
@click.argument("slug")
@click.option("--out", type=FOLDER, required=True, help="A new folder: one for each judge in it.")
@click.option("--judges", default="1", show_default=True, metavar="N|NAMES", help="Who judges.")
@click.option(
    "--double",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="SHARE",
    help="The share of instances that two judges judge.",
)
@click.option("--depth", type=_NUMBER, help="Runs of each team in a phase, primary ones first.")
@click.option("--budget", type=_NUMBER, help="Units at most, of first runs first.")
@click.option("--batch", type=_NUMBER, help="Units to a file.")
@click.option("--context", type=FILE, help="A table by id that helps to judge: the questions.")
@click.option("--column", "asked", multiple=True, metavar="NAME", help="A number to ask for.")
@click.option("--phase", default="", metavar="NAME", help="Runs of this phase alone.")
@click.option("--undecided", is_flag=True, help="What the judges left open, for one more.")
@click.option("--jsonl", is_flag=True, help="JSON Lines in place of CSV.")
@database
@output
def command(slug: str, out: Path, form: str, db: str, **given: Any) -> None:
    """Write the answers of SLUG that still need a judge, blind, for each judge into a folder.

    Answers of accepted runs that are not withdrawn; refusals are not judged. Equal answers to a
    question are judged once, or with judging.unit = "run" each run's with what supports it. A
    judge gets all answers to a question. Nothing in the files or their names tells whose an
    answer is. The same data give the same files.

    Judges write a label into each row, or `same` where the answer is that in `like answer`.
    Blank rows may be judged later.

    \b
        grader judge pool quiz --out pool --judges Anna,Ben --double 0.3 --context questions.csv
        grader judge pool quiz --out open --judges Chair --undecided
    """
    from grader import store
    from grader.cli._say import printable, say_json
    from grader.judging.handing import handed

    request = _request(given)
    with store.reading(store.existing(db)) as connection:
        done = handed(connection, slug, request)
    _write(out, done.files)
    parts = {judge: len(mine) for judge, mine in done.pool.parts.items()}
    if form == "json":
        pool = done.pool
        answer = {"task": slug, "units": len(pool.units), "runs": list(pool.runs), "judges": parts}
        more = {"beyond_budget": pool.beyond, "need_another_judge": pool.wanting}
        say_json(answer | more | {"files": sorted(done.files), "notes": list(done.notes)})
        return
    for judge, many in parts.items():
        click.echo(printable(f"{judge}: {many or 'nothing'} to judge"))
    for note in done.notes:
        click.echo(printable(note))
    if done.files:
        click.echo(f"next: grader judge import {slug} FILE … --judge NAME")


def _request(given: dict[str, Any]) -> Any:
    from grader.cli._task import listed
    from grader.errors import Mistake
    from grader.judging.handing import Request
    from grader.judging.known import File
    from grader.judging.pool import Plan
    from grader.judging.sheets import OURS
    from grader.tasks import contents

    who = given["judges"].strip()
    names = [f"judge-{i}" for i in range(1, int(who) + 1)] if who.isdecimal() else listed(who)
    if not names or len(names) > 1000:
        raise Mistake("--judges is a number from 1 to 1000, or names separated by commas")
    asked = tuple(name.strip() for name in given["asked"])
    if wrong := [n for n in asked if not n or n in OURS or asked.count(n) > 1]:
        raise Mistake(f"--column {wrong[0]!r} is blank, given twice, or a column of every file")
    context = given["context"] and File(str(given["context"]), contents(given["context"]))
    numbers = (given[name] for name in ("double", "depth", "budget", "undecided"))
    plan = Plan(tuple(names), *numbers)
    return Request(plan, given["phase"], context, asked, given["batch"], given["jsonl"])


def _write(out: Path, files: Mapping[str, bytes]) -> None:
    """Write new files; equal ones may be there, others are not written over or beside."""
    from grader.cli._files import write
    from grader.errors import Mistake

    try:
        there = {str(f.relative_to(out)): f for f in out.rglob("*") if f.is_file()}
        for name, file in there.items():
            if files.get(name) != file.read_bytes():
                raise Mistake(
                    f"{file} is there already, and is none of these files: they are judged one by "
                    "one",
                    mend="name a new folder with --out",
                )
        for name, content in files.items():
            if name not in there:
                (out / name).parent.mkdir(parents=True, exist_ok=True)
                write(out / name, content)
    except OSError as e:
        raise Mistake(f"{out} cannot be written: {e.strerror}") from e
