"""grader team …: a group of commands."""

import click

from grader.cli import Folder


@click.group(cls=Folder, package="grader.cli.team")
def command() -> None:
    """Register teams, rename, merge and erase them."""
