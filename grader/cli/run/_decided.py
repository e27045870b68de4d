"""What the commands share that decide something of a run with a reason."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from grader.cli._options import clock, database, output, reason


def deciding(function: Callable[..., Any]) -> Callable[..., Any]:
    """--why, and what every command has that changes a database."""
    for option in (output, clock, database, reason):
        function = option(function)
    return function


def withdraw(task: str, run: str, given: Mapping[str, Any], *, gone: bool) -> None:
    """Withdraw a run, or put it back, and say so."""
    from grader import marking, store
    from grader.cli._say import say_json

    act, said, shown = (
        (
            marking.withdraw,
            "withdrawn",
            "take its pages off the site: its row and this reason stay",
        )
        if gone
        else (marking.restore, "restored", "show it")
    )
    with store.unit(store.existing(given["db"])) as connection:
        act(connection, task, run, marking.Decision(given["why"], given["at"]))
    if given["form"] == "json":
        say_json({"run": run, "withdrawn": gone})
    else:
        click.echo(f"{run} is {said}; publish again to {shown}")
