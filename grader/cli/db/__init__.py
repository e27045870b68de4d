"""grader db …: a group of commands."""

import click

from grader.cli import Folder


@click.group(cls=Folder, package="grader.cli.db")
def command() -> None:
    """Look after the database."""
