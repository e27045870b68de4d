"""grader run audit: what organisers alone should look at."""

from typing import Any

import click

from grader.cli._options import database, output

COLUMNS = ["run", "and", "because of", "n", "equal errors", "equal confidences", "order"]


@click.command("audit")
@click.argument("task")
@database
@output
def command(task: str, db: str, form: str) -> None:
    """List what is odd about the runs of TASK: for organisers, never published.

    Pairs that say nearly the same, by equal wrong answers (Loevinger's H), equal confidences
    (Cohen's kappa) and their order (Spearman's correlation); confidences of only 0 and 1, or that
    look like another scale; refused files, with what their ids are. A pair is no proof: two teams
    may use the same model.

    \b
        grader run audit digits
    """
    from grader import audit, store
    from grader.cli._say import say_json

    with store.reading(store.existing(db)) as connection:
        now = store.registered(connection, task)
        scored = (
            (run, upload)
            for run, upload in store.uploads(connection, task)
            if not store.is_held(connection, task, run)
        )
        found = audit.audit(now.task, now.gold, scored)
        answer = audit.document(task, found, store.refused(connection, task))
    say_json(answer) if form == "json" else _text(answer)


def _text(found: Any) -> None:
    from grader.cli._say import printable, table
    from grader.plural import counted

    click.echo(f"{counted(found['runs'], 'run')}, {counted(found['pairs'], 'pair')}")
    listed = found["near_duplicates"]
    for across, where in ((True, "across teams"), (False, "within a team")):
        some = [k for k in listed if k["across_teams"] == across]
        click.echo(f"near-duplicates {where}: {len(some) or 'none'}")
        if some:
            table("", COLUMNS, [_row(k) for k in some])
    others = found["others_across_teams"]
    if others["pairs"]:
        said = ", ".join(f"{n} {_shown(others[k])}" for n, k in _FIGURES)
        click.echo(f"highest of the other {counted(others['pairs'], 'pair')} across teams: {said}")
    for o in found["odd"]:
        click.echo(printable(f"{o['run']}: {o['code']}: {o['message']}"))
    for u in found["unread"]:
        click.echo(printable(f"{u['run']} breaks a rule of the task as it is now: {u['why']}"))
    click.echo(f"refused files: {len(found['refused']) or 'none'}")
    if found["refused"]:
        lines = [
            [r["at"], r["team"], r["file"], ", ".join(f"{c} {n}" for c, n in r["codes"].items())]
            for r in found["refused"]
        ]
        table("", ["received", "team", "file", "problems"], lines)
    for r in found["refused"]:
        if r["remark"]:
            click.echo(printable(f"{r['team']}, {r['file']}: {r['remark']}"))


_FIGURES = (
    ("equal errors", "equal_errors"),
    ("equal confidences", "equal_confidences"),
    ("order", "order"),
)


def _row(k: Any) -> list[object]:
    names = [f"{run}{' (withdrawn)' if run in k['withdrawn'] else ''}" for run in k["runs"]]
    return [*names, ", ".join(k["why"]), k["n"], *(_shown(k[key]) for _, key in _FIGURES)]


def _shown(value: float | None) -> str:
    from grader.board import shown

    return shown(value, 3)
