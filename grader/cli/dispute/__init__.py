"""grader dispute …: a group of commands."""

import click

from grader.cli import Folder


@click.group(cls=Folder, package="grader.cli.dispute")
def command() -> None:
    """Keep what teams object to, and what is answered."""
