"""grader run flag: what a run is to its team."""

from typing import Any

import click

from grader.cli.run._decided import deciding


@click.command("flag")
@click.argument("task")
@click.argument("run")
@click.argument("kind", type=click.Choice(["primary", "contrastive", "baseline"]))
@click.option("--remove", is_flag=True, help="Take the flag off.")
@deciding
def command(task: str, run: str, kind: Any, *, remove: bool, form: str, **given: Any) -> None:
    """Mark RUN of TASK as primary, contrastive or baseline.

    A team has one primary run in a phase: the flag moves. A run is primary or contrastive, not
    both. A baseline is shown and not ranked.

    \b
        grader run flag digits trees-2 primary --why "their mail of 3 March"
    """
    from grader import marking, store
    from grader.cli._say import say_json

    before: tuple[str, ...] = ()
    decision = marking.Decision(given["why"], given["at"])
    with store.unit(store.existing(given["db"])) as connection:
        if remove:
            marking.unmark(connection, task, run, kind, decision)
        else:
            before = marking.mark(connection, task, run, kind, decision)
        flags = store.flags(connection, task, run)
    if form == "json":
        shown = {str(flag): why for flag, why in flags.items()}
        say_json({"run": run, "flags": shown, "instead_of": list(before)})
        return
    instead = f" instead of {', '.join(before)}" if before else ""
    verb = "is no longer" if remove else "is"
    click.echo(f"{run} {verb} {kind}{instead}; publish again to show it")
