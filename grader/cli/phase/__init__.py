"""grader phase …: a group of commands."""

import click

from grader.cli import Folder


@click.group(cls=Folder, package="grader.cli.phase")
def command() -> None:
    """When a task takes runs, how many, and which deadline moves."""
