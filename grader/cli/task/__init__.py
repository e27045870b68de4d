"""grader task …: a group of commands."""

import click

from grader.cli import Folder


@click.group(cls=Folder, package="grader.cli.task")
def command() -> None:
    """Register tasks, change and show them."""
