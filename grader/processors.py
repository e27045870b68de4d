"""How much is done at once."""

import os
import re

from grader.errors import Mistake

_MOST = 1024  # more are a slip


def processors() -> int:
    """How many processes or threads work: GRADER_WORKERS, or one for each processor there is.

    Nothing that is found hangs on it. Mistake, if the variable says no number.
    """
    text = os.environ.get("GRADER_WORKERS", "")
    if text not in ("", "0"):
        if not re.fullmatch("[0-9]{1,4}", text) or not 0 < int(text) <= _MOST:
            raise Mistake(f"GRADER_WORKERS is {text[:40]!r}: a number from 1 to {_MOST} is meant")
        return int(text)
    if hasattr(os, "sched_getaffinity"):  # macOS has none
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
