"""Which pictures a board and a run have."""

from grader.model import Entry
from grader.site.pictures.forest import forest
from grader.site.pictures.front import front
from grader.site.pictures.picture import Picture
from grader.site.pictures.plane import plane
from grader.site.pictures.reliability import histogram, reliability
from grader.site.sheets import Sheet, shown_grading


def of_board(on: Sheet) -> tuple[Picture, ...]:
    """The pictures of a board, as far as its numbers are shown."""
    if on.results.unseen is not None:
        return ()
    made = (forest(on), plane(on), front(on))
    return tuple(picture for picture in made if picture)


def of_run(on: Sheet, entry: Entry) -> tuple[Picture, ...]:
    """The pictures of a run, as far as its numbers are shown; nothing in them is of others.

    Where a phase has digits of its own, there is none that is made of counts of right answers.
    """
    graded, digits = shown_grading(entry), on.results.task.ranking.digits
    if graded is None or graded.waits or on.results.task.kind != "answers":
        return ()
    counted = on.phase is None or on.phase.digits is None
    made = (
        reliability(graded.reliability, digits),
        histogram(graded.reliability) if counted else None,
    )
    return tuple(picture for picture in made if picture)
