"""An analysis as JSON text, and back."""

from dataclasses import asdict, dataclass
from datetime import datetime

from pydantic import TypeAdapter

from grader.model import Analysis, Unread
from grader.store.golds import json_text

VERSION = 3  # grows when the nouns of an analysis change: an older text is then as good as none


@dataclass(frozen=True, slots=True)
class _Stored:
    version: int
    analysis: Analysis


_STORED = TypeAdapter(_Stored)
_CURRENT = f'{{"version":{VERSION},'  # how a text of this version begins


def analysis_text(found: Analysis | None) -> str | None:
    """The text to store; None if nothing was analysed."""
    return None if found is None else json_text({"version": VERSION, "analysis": asdict(found)})


def unread(text: str | None, grading: int, at: datetime) -> Unread | None:
    """The analysis of a stored text; None if it is of another version: ``rescore`` fills it.

    grading  the key of its row, which is made anew whenever a run is graded again
    at       when that was
    """
    source = f"{grading} {at.isoformat()}"
    return Unread(text, read_analysis, source) if text and is_current(text) else None


def read_analysis(text: str) -> Analysis:
    """The analysis of a stored text of this version."""
    return _STORED.validate_json(text).analysis


def is_current(text: str | None) -> bool:
    """Whether a stored text is an analysis of this version."""
    return text is not None and text.startswith(_CURRENT)
