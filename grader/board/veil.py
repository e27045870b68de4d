"""Boards under pseudonyms: nothing on them says who sent a run."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time

from grader.model import About, Entry, Flag, Graded, Results

_NOBODY = "run:under a pseudonym"  # in a signature, where the digest of a run's bytes stands


def veiled(results: Results) -> Results:
    """The results of a phase with its teams' pseudonyms, and nothing that leads to a team.

    Of a run stay its scores, its marks without their reasons, and the day on which it came. The
    order of runs is that of pseudonyms, so it tells neither names nor who came first; what stood
    beside runs was made with their names, and goes. A run without a pseudonym is not shown.
    """
    if results.veiled:  # its gold may have been opened since, with names
        return replace(results, itemised=(), namings=())
    runs = sorted(_runs(results.entries), key=lambda entry: entry.team)  # of a team, as they came
    found = replace(results, entries=tuple(runs), veiled=True, namings=(), itemised=())
    bare = replace(found, versus={}, beside={}, earlier=(), dropped=(), witness=None)
    return replace(bare, since=None, closed=None)


def unveiled(results: Results) -> Results:
    """The results of a phase that has no pseudonyms, or has them no more."""
    runs = (replace(e, pseudonym=None) if e.pseudonym else e for e in results.entries)
    return replace(results, entries=tuple(runs))


def without_names(results: Results, at: datetime) -> Results:
    """The results without frozen ones of runs that go by pseudonyms by then."""
    hidden = {phase.name for phase in results.task.phases if phase.veiled(at)}
    kept = (r for r in results.releases if not any(run.phase in hidden for run in r.frozen.runs))
    return replace(results, releases=tuple(kept))


def _runs(entries: tuple[Entry, ...]) -> Iterator[Entry]:
    for entry in entries:
        known = entry.pseudonym
        if known is None:
            continue
        flags: dict[Flag, str] = dict.fromkeys(entry.flags, "")
        yield Entry(
            slug=known.run,
            team=known.team,
            name=f"run {known.run.rpartition('-')[2]}",
            phase=entry.phase,
            filename="",
            size=0,
            sha256="",
            received=datetime.combine(entry.received.astimezone(UTC), time(), UTC),
            flags=flags,
            graded=entry.graded and _graded(entry.graded),
            settings=_settings(entry.settings),
            about=About(),
            team_slug=known.team_slug,
        )


def _graded(graded: Graded) -> Graded:
    """What came out, without what its file was like."""
    return replace(graded, notices=(), content="")


def _settings(tail: str) -> str:
    """The end of a signature without the digest of the run's bytes, and what was overlooked."""
    kept = (part for part in tail.split("|") if not part.startswith("waived:"))
    return "|".join(_NOBODY if part.startswith("run:") else part for part in kept)
