"""Which pictures a board and a run have."""

from collections.abc import Collection, Iterable, Iterator

from grader.model import Entry
from grader.site.pictures.auroc import auroc
from grader.site.pictures.coverage import curve, curves
from grader.site.pictures.cumulative import cumulative
from grader.site.pictures.forest import forest
from grader.site.pictures.front import front
from grader.site.pictures.headroom import headroom
from grader.site.pictures.heat import heats, why_none
from grader.site.pictures.histogram import histogram
from grader.site.pictures.names import isolated
from grader.site.pictures.picture import Picture
from grader.site.pictures.plane import plane
from grader.site.pictures.reliability import reliability
from grader.site.pictures.rungs import rungs
from grader.site.sheets import Sheet, shown_grading


def of_board(on: Sheet) -> tuple[Picture, ...]:
    """The pictures of a board, as far as its numbers are shown."""
    if on.results.unseen is not None:
        return ()
    made = (forest(on), plane(on), front(on), *heats(on), curves(on))
    return tuple(picture for picture in made if picture)


def missing(on: Sheet, made: Collection[Picture]) -> Iterator[str]:
    """Yield why pictures that other boards have are not there, in sentences."""
    if not made:
        return
    kinds = {picture.kind for picture in made}
    if on.results.task.kind == "interval":
        yield (
            "The runs of this task state intervals, not confidences: there are no rewards, no "
            "front and no accuracy–coverage curves to draw."
        )
        return
    if "plane" not in kinds:
        yield "Rewards stand in the analysis of a run, and no run has one yet."
    for dimension, parts in on.dimensions:
        if why := why_none(on, parts):
            yield f"There is no map of {isolated(dimension)}: {why}."


def of_kinds(drawn: Iterable[Picture], kinds: Collection[str]) -> list[Picture]:
    """The pictures of some kinds."""
    return [picture for picture in drawn if picture.kind in kinds]


def of_run(on: Sheet, entry: Entry) -> tuple[Picture, ...]:
    """The pictures of a run, as far as its numbers are shown; nothing in them is of others."""
    graded, digits = shown_grading(entry), on.results.task.ranking.digits
    if graded is None or graded.waits or on.results.task.kind != "answers":
        return ()
    exact = on.results.counted and not on.results.guarded
    made = [
        reliability(graded.reliability, digits),
        histogram(graded.reliability, None if exact else digits),
    ]
    if (found := graded.analysis) is not None:
        made += [
            rungs(found.ladder, digits),
            cumulative(found.selective, found.ladder, digits),
            curve(found.selective, digits),
            auroc(found.poolings, digits),
            headroom(found.recalibration, digits),
        ]
    return tuple(picture for picture in made if picture)
