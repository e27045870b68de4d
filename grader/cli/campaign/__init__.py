"""grader campaign …: a group of commands."""

import click

from grader.cli import Folder


@click.group(cls=Folder, package="grader.cli.campaign")
def command() -> None:
    """Group tasks under one team list, one page and one table of results."""
