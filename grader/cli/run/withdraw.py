"""grader run withdraw: take a run off the board."""

from typing import Any

import click

from grader.cli.run._decided import deciding, withdraw


@click.command("withdraw")
@click.argument("task")
@click.argument("run")
@deciding
def command(task: str, run: str, **given: Any) -> None:
    """Take RUN off the board of TASK. Its bytes and its page's address stay.

    \b
        grader run withdraw digits trees-1 --why "wrong file"
    """
    withdraw(task, run, given, gone=True)
