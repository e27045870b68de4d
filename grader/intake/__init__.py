"""What happens to an upload, whichever door it came by."""

from grader.intake.receiving import deliver, names, receive

__all__ = ["deliver", "names", "receive"]
