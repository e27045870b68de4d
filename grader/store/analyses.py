"""An analysis as JSON text, and back."""

import json
from dataclasses import asdict

from pydantic import TypeAdapter

from grader.model import Analysis
from grader.store.golds import json_text

VERSION = 3  # grows when the nouns of an analysis change: an older text is then as good as none
_ANALYSIS = TypeAdapter(Analysis)


def analysis_text(found: Analysis | None) -> str | None:
    """The text to store; None if nothing was analysed."""
    return None if found is None else json_text({"version": VERSION, "analysis": asdict(found)})


def read_analysis(text: str | None) -> Analysis | None:
    """The analysis of a stored text; None if it is of another version: ``rescore`` fills it."""
    found = _current(text)
    return None if found is None else _ANALYSIS.validate_python(found)


def is_current(text: str | None) -> bool:
    """Whether a stored text is an analysis of this version."""
    return _current(text) is not None


def _current(text: str | None) -> object | None:
    stored = json.loads(text) if text else {}
    return stored["analysis"] if stored.get("version") == VERSION else None
