"""A measure read on a run of which only the confidences were changed."""

from grader.floor import Floor
from grader.model import Found, Measure, Reading


def reading(measure: Measure, found: Found, floor: Floor | None) -> Reading:
    """What a measure found, beside its floor if it has one."""
    ends = (floor.mean, floor.q95) if floor else (None, None)
    return Reading(measure.key, found.value, found.note, *ends)
