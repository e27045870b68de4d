"""What became of runs when a close moved."""

from collections.abc import Sequence

import click

Runs = Sequence[str]


def as_json(timely: Runs, crowded: Runs, overtaken: Runs) -> dict[str, list[str]]:
    """The slugs of late runs that are in time now or stay late, and of such as stay in time."""
    return {"in_time": list(timely), "no_slot": list(crowded), "after_close": list(overtaken)}


def say(timely: Runs, crowded: Runs, overtaken: Runs) -> None:
    """Print the same in words."""
    from grader.plural import counted

    moved = (
        (timely, "received before the new close {} in time now", "is", "are"),
        (crowded, "{} late: no slot is left", "stays", "stay"),
        (overtaken, "came after the new close and {} in time", "stays", "stay"),
    )
    for names, said, one, many in moved:
        if names:
            told = counted(len(names), "run", said.format(one), said.format(many))
            click.echo(f"{told}: {', '.join(names)}")
