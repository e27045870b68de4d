"""What happens to an upload, whichever door it came by."""

from grader.intake.receiving import deliver, receive

__all__ = ["deliver", "receive"]
