"""What an operator did wrong, said with the command that mends it."""


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
