"""A campaign in the terminal and as JSON."""

from collections.abc import Collection

import click

from grader.cli._say import mapping, printable, table
from grader.model import Campaign


def answer(campaign: Campaign, known: Collection[str]) -> dict[str, object]:
    """A campaign as JSON has it; ``known`` are the slugs of the registered tasks."""
    return {
        "campaign": campaign.slug,
        "title": campaign.title,
        "description": campaign.description,
        "tasks": [
            {
                "task": member.slug,
                "track": member.track or None,
                "language": member.language or None,
                "subtask": member.subtask or None,
                "dry_run": member.dry_run,
                "registered": member.slug in known,
            }
            for member in campaign.tasks
        ],
    }


def say(campaign: Campaign, known: Collection[str]) -> None:
    """Print a campaign and its tasks, and which are still to be registered."""
    mapping({"campaign": campaign.slug, "title": campaign.title})
    rows = [
        [member.slug, ", ".join(member.kind), "yes" if member.dry_run else "no"]
        for member in campaign.tasks
    ]
    table("", ["task", "what", "dry run"], rows)
    if missing := [member.slug for member in campaign.tasks if member.slug not in known]:
        click.echo(printable(f"not registered yet: {', '.join(missing)}; grader task add DIR"))
