"""Why organisers decide something."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Decision:
    """Why organisers decide something, and when."""

    why: str
    at: datetime
