"""grader gold …: a group of commands."""

import click

from grader.cli import Folder


@click.group(cls=Folder, package="grader.cli.gold")
def command() -> None:
    """Change what counts in the gold, and see what that does."""
