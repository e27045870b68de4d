"""grader score: the measures of a run, with no database."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from grader.cli._options import FILE, output, task_keys


@click.command("score")
@click.argument("run", type=FILE)
@click.option("--gold", type=FILE, help="The gold file; by default that of --task.")
@click.option("--task", metavar="DIR", help="The task's folder.")
@click.option("--drop", multiple=True, metavar="ID", help="An instance that does not count.")
@click.option("--waive", multiple=True, metavar="CODE", help="A problem that is overlooked.")
@click.option("--analysis", is_flag=True, help="Say what a run page says beside it.")
@task_keys
@output
def command(run: Path, gold: Path | None, task: str | None, form: str, **keys: Any) -> None:
    """Score RUN against a gold file: every measure, overall and per subset, with signatures.

    Needs no database. Exits 1 if the run is refused. With --analysis also what a run page says
    beside the scores: calibration at every resolution, the verdict, what recalibration would
    give, and more. JSON has that always.

    \b
        grader score my-run.csv --gold gold.csv --measures hmr,accuracy,brier,ece@10
        grader score my-run.csv --task tasks/digits --format json
    """
    from hashlib import sha256

    from grader.cli._say import rejected
    from grader.cli._task import of_files
    from grader.grade import grade, overlooking
    from grader.model import Rejected, Standing
    from grader.signature import settings
    from grader.tasks import contents
    from grader.tasks.standing import dropped

    drop, waive, beside = (keys.pop(name) for name in ("drop", "waive", "analysis"))
    payload = contents(run)
    declared, its_gold = of_files(task, gold, keys, "score RUN")
    its_gold = dropped(its_gold, drop, Standing("dropped", "--drop"))
    declared = overlooking(declared, _waivable(waive))
    graded = grade(declared, its_gold, payload)
    if isinstance(graded, Rejected):
        if task is None and declared.kind == "answers":
            _hint(payload)
        raise SystemExit(rejected(str(run), graded, form))
    tail = settings(declared, _version(drop), sha256(payload).hexdigest())
    digits = declared.ranking.digits
    if form == "json":
        named = gold or Path(str(task)) / declared.gold.file
        _json({"run": str(run), "gold": str(named)}, graded, tail, digits)
        return
    _text(graded, tail)
    if beside:
        _beside(graded.analysis, digits)


def _waivable(codes: Sequence[str]) -> Sequence[str]:
    """The codes; Mistake if one of them cannot be overlooked."""
    from grader.check import WAIVABLE
    from grader.errors import Mistake

    for code in codes:
        if code not in WAIVABLE:
            raise Mistake(f"{code!r} cannot be waived here; these can: {', '.join(WAIVABLE)}")
    return codes


def _hint(payload: bytes) -> None:
    """Ask whether a run whose first line names the ends of intervals is one of intervals."""
    import re

    if {b"lower", b"upper"} <= set(re.findall(rb"\w+", payload[:10_000].partition(b"\n")[0])):
        click.echo("the run has lower and upper: did you mean --kind interval?", err=True)


def _beside(found: Any, digits: int) -> None:
    from grader.cli._analysis import say

    say(found, digits)


def _json(files: dict[str, str], graded: Any, tail: str, digits: int) -> None:
    from grader.cli._say import analysis, say_json, scores

    whole = scores(graded, tail)
    said = {"n": whole["all"]["n"], **files, "subsets": whole}
    say_json(said | {"analysis": analysis(graded, digits)})


def _version(drop: tuple[str, ...]) -> str:
    """The gold of a signature: a file has no version, and its digest would give answers away."""
    from hashlib import sha256

    ids = "\n".join(sorted(set(drop)))
    return f"file less {sha256(ids.encode()).hexdigest()[:12]}" if drop else "file"


def _text(graded: Any, tail: str) -> None:
    from grader.cli._say import printable, table
    from grader.signature import signature

    subsets = list(dict.fromkeys(s.subset for s in graded.scores))
    by_key = {(s.measure, s.subset): s for s in graded.scores}
    sizes = {s.subset: s.n for s in graded.scores}
    keys = dict.fromkeys(s.measure for s in graded.scores)
    rows = [row for key in keys for row in _rows(key, [by_key.get((key, s)) for s in subsets])]
    table("", ["measure", *subsets], [["n", *(sizes[s] for s in subsets)], *rows])
    said = {(s.measure, s.note): s.subset for s in reversed(graded.scores) if s.note}
    for (measure, note), subset in reversed(said.items()):
        click.echo(printable(f"{measure} on {subset}: {note}"))
    for where, why in _bare(graded.scores).items():
        click.echo(printable(f"no 95% interval for {where}: {why}"))
    for key in keys:
        alike = [s.subset for s in graded.scores if s.measure == key and s.above_floor is False]
        if alike:
            click.echo(
                printable(f"{key} is not distinguishable from calibrated on {', '.join(alike)}")
            )
        odd = [s for s in graded.scores if s.measure == key and _seldom(s.floor_mean, s.floor_95)]
        if odd:
            where = ", ".join(s.subset for s in odd)
            why = "noise seldom gives an error there, but then a large one"
            click.echo(printable(f"the floor of {key} has a mean above its 95% on {where}: {why}"))
    for notice in graded.notices:
        click.echo(printable(f"note: {notice.message}"))
    click.echo(f"signature: {signature(graded.scores[0], tail)}")
    click.echo("  of the others: their key in its place, and their version as JSON has it")


def _bare(scores: Sequence[Any]) -> dict[str, str]:
    """The measures and subsets whose value has no interval, and why; alike ones together."""
    keys: dict[tuple[str, str], list[str]] = {}
    for s in scores:
        if s.value is not None and s.no_interval:
            keys.setdefault((s.subset, s.no_interval), []).append(s.measure)
    subsets: dict[tuple[str, str], list[str]] = {}
    for (subset, why), measures in keys.items():
        subsets.setdefault((", ".join(measures), why), []).append(subset)
    return {f"{of} on {', '.join(where)}": why for (of, why), where in subsets.items()}


def _seldom(mean: float | None, most: float | None) -> bool:
    """Whether fewer than one run in twenty makes up the mean of a floor, as at certainty."""
    return mean is not None and most is not None and mean > most + 1e-9


def _rows(key: str, each: Sequence[Any]) -> Iterator[list[str]]:
    """Yield a measure's values on every subset, their intervals, of calibration errors floors."""
    from grader.board import shown
    from grader.cli._say import value

    yield [key, *(value(score, 6) for score in each)]
    ends = [(s.low, s.high) if s else (None, None) for s in each]
    if any(low is not None for low, _ in ends):
        said = ("–" if a is None else f"{shown(a, 6)} to {shown(b, 6)}" for a, b in ends)
        yield [f"{key} 95% interval", *said]
    floors = [(s.floor_mean, s.floor_95) if s else (None, None) for s in each]
    if any(most is not None for _, most in floors):
        yield [f"{key} floor mean", *(shown(mean, 6) for mean, _ in floors)]
        yield [f"{key} floor 95%", *(shown(most, 6) for _, most in floors)]
