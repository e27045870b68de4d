"""Who may see what, and who stands where. Both are pure functions of what is stored."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Literal

from grader.analysis.coarse import coarse
from grader.measures import find, within
from grader.measures.intervals import ENDLESS
from grader.model import (
    PUBLIC,
    Beside,
    Board,
    Entry,
    Graded,
    Measure,
    Results,
    Row,
    Score,
    Snapshot,
    Task,
    Versus,
)

FEW = 5
LARGE = 1e15  # a width this large has no decimals any more
Viewer = Literal["public", "organisers"]


def visible(snapshot: Snapshot, viewer: Viewer) -> Snapshot:
    """The part of a snapshot that a viewer may see: the only gate to pages and exports.

    Organisers see all. The public sees no held runs, of a withdrawn one only that it was, and
    nothing that speaks of fewer than FEW instances (a bin, a subset, what two runs share): it
    would say which answers are right.
    """
    if viewer == "organisers":
        return snapshot
    return replace(snapshot, tasks=tuple(_public_results(r) for r in snapshot.tasks))


def _public_results(results: Results) -> Results:
    return replace(
        results,
        entries=tuple(_public(results.entries)),
        versus={subset: _of_many(found) for subset, found in results.versus.items()},
        beside={s: _rows_of_many(made) for s, made in results.beside.items() if made.n >= FEW},
    )


def _of_many(found: Versus) -> Versus:
    if found.comparison is None or found.n >= FEW:
        return found
    return replace(found, comparison=None, reason=f"they share fewer than {FEW} instances")


def _rows_of_many(made: Beside) -> Beside:
    """The reference rows, without the threshold's if one side of it is small."""
    if made.smallest >= FEW:
        return made
    return replace(made, references=tuple(r for r in made.references if r.key != "threshold"))


def _public(entries: Iterable[Entry]) -> Iterator[Entry]:
    for entry in entries:
        if "withdrawn" in entry.flags:
            yield replace(entry, graded=None)
        elif entry.graded is not None:
            yield replace(entry, graded=_coarse(entry.graded))


def _coarse(graded: Graded) -> Graded:
    bins = tuple(replace(b, accuracy=None) if 0 < b.n < FEW else b for b in graded.reliability)
    scores = tuple(_of_enough(s) for s in graded.scores)
    analysis = graded.analysis and coarse(graded.analysis, bins, FEW)
    return replace(graded, reliability=bins, scores=scores, analysis=analysis)


def _of_enough(score: Score) -> Score:
    if score.subset != "all" and 0 < score.n < FEW:
        why = f"fewer than {FEW} instances: not shown"
        return replace(score, value=None, low=None, high=None, note=why, details={})
    if score.details.get("n of the bin", FEW) < FEW:
        kept = {k: v for k, v in score.details.items() if k != "n of the bin"}
        return replace(score, details=kept)
    return score


def shown(value: float | None, digits: int) -> str:
    """A value as every page shows it: fixed decimals, no minus zero; a dash if undefined.

    From LARGE on the decimals are those of a power of ten.

    >>> shown(0.12345, 3), shown(-0.0001, 3), shown(None, 3)
    ('0.123', '0.000', '–')
    """
    if value is None:
        return "–"
    text = f"{value:.{digits}{'f' if abs(value) < LARGE else 'e'}}"
    return text.removeprefix("-") if float(text) == 0 else text


def printed(score: Score | None, digits: int) -> str:
    """A score as every page shows it: ∞ where it is undefined because a width is infinite."""
    if score is None or score.value is not None or not score.note.startswith(ENDLESS):
        return shown(score.value if score else None, digits)
    return "∞"


def lead(results: Results, subset: str = "all") -> Measure:
    """The measure that ranks a subset: the primary; for a part, what a macro is a mean of."""
    primary = find(results.task.primary)
    return primary if subset == "all" else within(primary)


def score(entry: Entry, key: str, subset: str = "all") -> Score | None:
    """A run's score; None if the run was not scored on it."""
    if entry.graded is None:
        return None
    return next((s for s in entry.graded.scores if s.measure == key and s.subset == subset), None)


def rank(results: Results, subset: str = "all") -> Board:
    """The board of a task, or of one subset: ranks 1 2 2 4, and the unranked with the reason.

    Values equal at the shown precision share a rank and stand in the order of team and run
    name. Undefined values have no rank.
    """
    measure = lead(results, subset)
    digits = results.task.ranking.digits
    better = 1 if measure.better == "lower" else -1
    ranked: list[tuple[float, Entry]] = []
    unranked: list[Row] = []
    best = _best(results) if results.task.ranking.rule == "best" else None
    for entry in sorted(results.entries, key=_by_name):
        found = score(entry, measure.key, subset)
        why = _unranked(results, entry) or _second(results, entry, best)
        if why or found is None or found.value is None:
            unranked.append(Row(entry, None, why or _undefined(measure, found)))
        else:
            ranked.append((better * float(shown(found.value, digits)), entry))
    ranked.sort(key=lambda place: place[0])
    values = [value for value, _ in ranked]
    rows = tuple(Row(entry, values.index(value) + 1) for value, entry in ranked)
    return Board(subset, rows, tuple(unranked), rule(results, subset))


def _by_name(entry: Entry) -> tuple[str, str, str, datetime, str]:
    return entry.team.casefold(), entry.team, entry.name, entry.received, entry.slug


def _undefined(measure: Measure, found: Score | None) -> str:
    return f"{measure.title} is undefined: {found.note if found else 'no score'}"


def _second(results: Results, entry: Entry, best: set[str] | None) -> str:
    """Why a run that may be ranked is not its team's best one; empty if it is, or no matter."""
    if best is None or entry.slug in best:
        return ""
    measure = lead(results)
    found = score(entry, measure.key)
    if found is None or found.value is None:
        return _undefined(measure, found)
    return "not the team's best run"


def _unranked(results: Results, entry: Entry) -> str:
    """Why a run may not be ranked, whatever its value; empty if it may."""
    return next(_reasons(results, entry), "")


def _reasons(results: Results, entry: Entry) -> Iterator[str]:
    ranking, graded = results.task.ranking, entry.graded
    if "withdrawn" in entry.flags:
        yield f"withdrawn: {entry.flags['withdrawn']}"
    if graded is None:
        yield "held: it has not been scored yet"
        return
    if not graded.n:
        yield "no instance was scored"
        return
    accuracy = score(entry, "accuracy")
    share = accuracy.value if accuracy and accuracy.value is not None else 0.0
    if "baseline" in entry.flags:
        yield "a baseline"
    if "late" in entry.flags:
        yield "received after the close"
    if graded.right < ranking.min_right and results.task.kind == "answers":
        yield f"{graded.right} right answers, {ranking.min_right} needed to be ranked"
    if share < ranking.min_accuracy:
        yield f"accuracy {share:.6g}, {ranking.min_accuracy:g} needed to be ranked"
    if results.task.missing == "leave-out" and graded.n / graded.of < ranking.min_coverage:
        yield f"answered {graded.n} of {graded.of}, {_percent(ranking.min_coverage)} needed"
    if ranking.rule == "primary" and not _is_primary(results, entry):
        yield "not the team's primary run"


def _percent(share: float) -> str:
    return f"{share * 100:.10g}%"


def _is_primary(results: Results, entry: Entry) -> bool:
    """Whether a run is the last that its team named primary."""
    named = [e for e in results.entries if e.team == entry.team and "primary" in e.flags]
    return bool(named) and max(named, key=lambda e: e.received) == entry


def _best(results: Results) -> set[str]:
    """The slug of each team's best run that may be ranked; among equals the earliest.

    Best overall; where the gold has a public part, best on that: the private one chooses nothing.
    """
    measure = lead(results)
    sign = 1 if measure.better == "lower" else -1
    digits = results.task.ranking.digits
    found: dict[str, tuple[float, datetime, int, str]] = {}
    for place, entry in enumerate(results.entries):
        s = score(entry, measure.key, PUBLIC) or score(entry, measure.key)
        if s is None or s.value is None or _unranked(results, entry):
            continue
        value = sign * float(shown(s.value, digits))
        mine = (value, entry.received, place, entry.slug)
        found[entry.team] = min(found.get(entry.team, mine), mine)
    return {slug for *_, slug in found.values()}


def rule(results: Results, subset: str = "all") -> str:
    """The ranking rule in words, printed on every board."""
    said = ordering(results.task, lead(results, subset))
    if subset == "all":
        return said
    return f"{said[:-1]}; ranks on a subset are another ranking than the overall one."


def ordering(task: Task, measure: Measure) -> str:
    """How runs are ranked by a measure, in words."""
    ranking = task.ranking
    runs = {
        "all": "Every run has its own row",
        "best": "Each team is ranked by its best run overall",
        "primary": "Each team is ranked by the run it last named primary",
    }[ranking.rule]
    parts = [
        f"{runs}, ordered by {measure.title} ({measure.better} is better)",
        f"values equal at {ranking.digits} decimals share a rank",
    ]
    right = f"{ranking.min_right} right answer{'' if ranking.min_right == 1 else 's'}"
    needs = [right] if task.kind == "answers" else []
    needs += [f"an accuracy of {ranking.min_accuracy:g}"] if ranking.min_accuracy else []
    if task.missing == "leave-out":
        needs.append(f"{_percent(ranking.min_coverage)} of the instances answered")
    if task.kind == "interval":
        parts.append(f"the stated level of coverage is {task.interval.level:g}")
    if needs:
        parts.append(f"to be ranked a run needs at least {' and '.join(needs)}")
    return "; ".join(parts) + "."
