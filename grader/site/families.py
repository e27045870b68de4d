"""Families of measures: those of one definition, which have an entry on the page of measures."""

import re
from collections.abc import Iterable, Sequence

from grader.measures import MEASURES
from grader.model import Measure
from grader.site.sheets import Sheet, measures


def family(measure: Measure) -> str:
    """The key of a measure's entry on the measures page.

    >>> from grader.measures import find
    >>> family(find("macro(ece@10,exam)")), family(find("hmr"))
    ('ece', 'hmr')
    """
    return re.split("[@,]", measure.key.removeprefix("macro("))[0]


def families() -> tuple[Measure, ...]:
    return tuple(MEASURES.values())


def floored(measures: Iterable[Measure]) -> bool:
    """Whether some of the measures are calibration errors, which have a floor."""
    return any(measure.gate == "floor" for measure in measures)


def users(sheets: Sequence[Sheet], key: str) -> tuple[tuple[Sheet, tuple[str, ...]], ...]:
    """The tasks that use a family of measures, each with the keys it uses."""
    found = ((on, [m.key for m in measures(on.results) if family(m) == key]) for on in sheets)
    return tuple((on, tuple(keys)) for on, keys in found if keys)
