"""grader judge …: a group of commands."""

import click

from grader.cli import Folder


@click.group(cls=Folder, package="grader.cli.judge")
def command() -> None:
    """Hand answers out to judges, take their labels in, and say how far they agree."""
