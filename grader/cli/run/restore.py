"""grader run restore: put a withdrawn run back."""

from typing import Any

import click

from grader.cli.run._decided import deciding, withdraw


@click.command("restore")
@click.argument("task")
@click.argument("run")
@deciding
def command(task: str, run: str, **given: Any) -> None:
    """Put the withdrawn RUN back on the board of TASK.

    \b
        grader run restore digits trees-1 --why "withdrawn by mistake"
    """
    withdraw(task, run, given, gone=False)
