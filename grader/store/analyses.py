"""An analysis as JSON text, and back."""

from dataclasses import asdict, dataclass

from pydantic import TypeAdapter

from grader.model import Analysis, Recalibration, Selective, Unread, Verdict
from grader.store.golds import json_text

VERSION = 3  # grows when the nouns of an analysis change: an older text is then as good as none


@dataclass(frozen=True, slots=True)
class _Stored:
    version: int
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class _Parts:
    """The parts of an analysis that boards need of every run."""

    verdict: Verdict
    selective: Selective


@dataclass(frozen=True, slots=True)
class _Brief:
    analysis: _Parts


_STORED = TypeAdapter(_Stored)
_BRIEF = TypeAdapter(_Brief)
_CURRENT = f'{{"version":{VERSION},'  # how a text of this version begins


def analysis_text(found: Analysis | None) -> str | None:
    """The text to store; None if nothing was analysed."""
    return None if found is None else json_text({"version": VERSION, "analysis": asdict(found)})


def unread(text: str | None, source: str) -> Unread | None:
    """The analysis of a stored text; None if it is of another version: ``rescore`` fills it.

    source  that of its grading
    """
    return Unread(text, read_analysis, source) if text and is_current(text) else None


def read_analysis(text: str, *, brief: bool = False) -> Analysis:
    """The analysis of a stored text of this version; ``brief`` its verdict and its curve alone."""
    if not brief:
        return _STORED.validate_json(text).analysis
    found = _BRIEF.validate_json(text).analysis
    untold = Recalibration(0, (), ())
    return Analysis((), found.verdict, (), found.selective, None, untold, ())


def is_current(text: str | None) -> bool:
    """Whether a stored text is an analysis of this version."""
    return text is not None and text.startswith(_CURRENT)
