"""What an operator did wrong, said with the command that mends it."""

from datetime import datetime


class Mistake(Exception):  # noqa: N818, it is theirs, not ours
    """An operator's mistake: a few plain lines, exit code 2, never a traceback.

    >>> print(Mistake("there is no task 'x'", mend="grader task list"))
    there is no task 'x'
      grader task list
    """

    def __init__(self, *said: str, mend: str = "") -> None:
        super().__init__(*said)
        self.said = said
        self.mend = mend

    def __str__(self) -> str:
        return "\n".join((*self.said, *([f"  {self.mend}"] if self.mend else [])))


class Unavailable(Mistake):
    """The database cannot be used now: the same again may do later."""


def not_before(at: datetime, last: datetime, what: str) -> None:
    """Raise a Mistake if a record would be dated before the instant of what it changes."""
    if at < last:
        raise Mistake(
            f"{what} is of {last:%Y-%m-%d %H:%M:%S} UTC, and this would be of "
            f"{at:%Y-%m-%d %H:%M:%S} UTC: nothing was changed",
            mend="leave --at away, or give a later instant",
        )
