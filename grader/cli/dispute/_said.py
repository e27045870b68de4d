"""Disputes as commands tell them."""

from typing import Any

import click


def worded(ctx: click.Context, param: click.Parameter, text: str) -> str:
    """A text that says something."""
    if not text.strip():
        raise click.BadParameter("a text needs words", ctx, param)
    return text


def as_json(one: Any) -> dict[str, object]:
    """A dispute as JSON has it."""
    return {
        "number": one.number,
        "instance": one.instance,
        "run": one.run,
        "team": one.team,
        "said": one.said,
        "opened": one.opened.isoformat(),
        "answer": one.answer,
        "answered": one.answered.isoformat() if one.answered else None,
    }
