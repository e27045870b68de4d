"""Where a decision about a team is written down."""

from collections.abc import Sequence


def logged(tasks: Sequence[str]) -> str:
    """The tasks in whose logs it stands, in words."""
    if not tasks:
        return "the reason is in no log: the team entered no task and sent nothing"
    return f"the reason is in the log of {', '.join(tasks)}"
