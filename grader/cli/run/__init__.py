"""grader run …: a group of commands."""

import click

from grader.cli import Folder


@click.group(cls=Folder, package="grader.cli.run")
def command() -> None:
    """List, show, fetch, flag, amend and withdraw runs."""
