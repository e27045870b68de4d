"""Options that several commands share."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(path_type=Path)


class Instant(click.ParamType[datetime]):
    """An ISO 8601 instant with its offset from UTC, or a date with AoE.

    end  whether a date is meant to its last second
    """

    name = "instant"

    def __init__(self, *, end: bool = False) -> None:
        self.end = end

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        from grader.instants import read_instant

        moment = read_instant(value, end=self.end)
        if moment is None:
            said = f"{value!r} is not like 2026-11-29T12:00:00Z or 2026-11-29T12:00:00+09:00"
            what = "a date of the years 1971 to 8999, a time, and Z or an offset"
            self.fail(f"{said}: {what} of at most 14 hours; or a date with AoE", param, ctx)
        return moment


def database(function: F) -> F:
    """--db: the database of the command."""
    return click.option(
        "--db",
        metavar="URL",
        envvar="GRADER_DB",
        default="sqlite:///grader.db",
        show_default=True,
        help="sqlite:///FILE or postgresql://USER@HOST/NAME; also in GRADER_DB.",
    )(function)


def clock(function: F) -> F:
    """--at: the instant the command takes for now."""
    return click.option(
        "--at",
        type=Instant(),
        default=lambda: datetime.now(UTC),
        metavar="INSTANT",
        help="Take this ISO 8601 instant for now, e.g. 2026-11-29T12:00:00Z.",
    )(function)


def output(function: F) -> F:
    """--format: text for people, JSON for scripts."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Text for people, JSON for scripts.",
    )(function)


def about(function: F) -> F:
    """--text, --link, --resource: what a team says of a run."""
    for name, said in (
        ("resource", "A resource that the run used; may be given again."),
        ("link", "A link that belongs to it; may be given again."),
    ):
        function = click.option(f"--{name}", multiple=True, metavar="TEXT", help=said)(function)
    return click.option("--text", default="", metavar="TEXT", help="A description.")(function)


def told(given: Mapping[str, Any]) -> Any:
    """What the options of ``about`` say."""
    from grader.model import About

    return About(given["text"], tuple(given["link"]), tuple(given["resource"]))


def reason(function: F) -> F:
    """--why: the reason, kept in the log and shown."""
    return click.option(
        "--why",
        required=True,
        metavar="TEXT",
        callback=_said,
        help="The reason: logged, and shown on the board.",
    )(function)


def waiver(function: F) -> F:
    """--waive, --why, --phase: what organisers overlook in a file, and why."""
    for name, many, text, said in (
        ("phase", False, "NAME", "The phase that takes it, where closed or not-open is waived."),
        ("why", False, "TEXT", "The reason for --waive: logged, and shown on the board."),
        ("waive", True, "CODE", "Overlook a problem of this code; may be given again."),
    ):
        call = _said if name == "why" else None
        option = click.option(f"--{name}", multiple=many, metavar=text, help=said, callback=call)
        function = option(function)
    return function


def overlooked(given: Mapping[str, Any]) -> dict[str, Any]:
    """What the options of ``waiver`` say, as an upload has it."""
    codes, why, phase = tuple(dict.fromkeys(given["waive"])), given["why"], given["phase"]
    if bool(codes) != (why is not None):
        raise click.UsageError("--waive CODE and --why TEXT go together")
    if phase is not None and not {"closed", "not-open"} & set(codes):
        raise click.UsageError("--phase goes with --waive closed or --waive not-open")
    return {"waived": codes, "why": why or "", "phase": phase or ""}


def _said(ctx: click.Context, param: click.Parameter, why: str | None) -> str | None:
    from grader.store import checked

    if why is None:
        return None
    if not why.strip():
        raise click.BadParameter("a reason needs words", ctx, param)
    return checked("reason", why, 1000)


KEYS = (
    ("kind", "What a run gives: answers, or interval (lower and upper ends)."),
    ("level", "Of intervals: the share of gold values that they are to cover, as 0.9."),
    ("measures", "Keys, separated by commas: hmr,ece@10,brier."),
    ("primary", "The measure that comes first."),
    ("answers", "How answers match: exact, normalised, choice or numeric."),
    ("labels", "The labels of a choice task, separated by commas."),
    ("tolerance", "How far a numeric answer may be off."),
    ("abstain", "An answer that declines to answer."),
    ("confidence", "The scale: probability (0 to 1) or percent (0 to 100)."),
    ("reject", "The answer that is right where an instance lies outside the task."),
    ("missing", "What an absent instance means: reject, worst or leave-out."),
    ("precision", "Decimals that confidences are rounded to."),
    ("subsets", "Gold columns that cut it into subsets, separated by commas."),
    ("resamples", "Resamples of an interval."),
    ("seed", "Seed of the resamples."),
)


def task_keys(function: F) -> F:
    """The keys of a task file as options, for work without one."""
    for key, about in reversed(KEYS):
        function = click.option(f"--{key}", metavar="…", help=about)(function)
    return function
