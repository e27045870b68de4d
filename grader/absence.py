"""Which teams entered a task and have sent nothing that counts, and why not. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from grader.model import Entry, Refusal, Results, Team


@dataclass(frozen=True, slots=True)
class Absent:
    """A team without a run that counts, why, and the last of its files that was refused."""

    team: Team
    why: str
    refused: Refusal | None


def absent(
    results: Results, teams: Iterable[Team], refused: Sequence[Refusal]
) -> Iterator[Absent]:
    """Yield the teams that entered a task and have no run in it that counts, or no primary one.

    A team entered what it registered for, and that to which it sent something; one of which
    nobody knows what it entered, every task. Held runs count, late and withdrawn ones do not.

    results  of a phase, or of a task without any
    refused  all files of the task that were refused: those count that came from the opening of
             the phase until that of the next
    """
    files = [file for file in refused if _within(results, file)]
    for team in teams:
        runs = [entry for entry in results.entries if entry.team == team.name]
        mine = [file for file in files if file.team == team.name]
        tracks = team.registration.tracks
        entered = not tracks or results.task.slug in tracks or runs or mine
        if entered and not team.erased and (why := _why(results, runs, mine)):
            yield Absent(team, why, mine[-1] if mine else None)


def _within(results: Results, file: Refusal) -> bool:
    phase = results.phase
    if phase is None:
        return True
    later = (other.opens for other in results.task.phases if other.opens > phase.opens)
    until = next(later, None)
    return phase.opens <= file.at and (until is None or file.at < until)


def _why(results: Results, runs: Sequence[Entry], files: Sequence[Refusal]) -> str:
    """Why nothing of a team counts; empty if something does."""
    there = [entry for entry in runs if "withdrawn" not in entry.flags]
    timely = [entry for entry in there if "late" not in entry.flags]
    primary = results.task.ranking.rule == "primary"
    if any("primary" in entry.flags or not primary for entry in timely):
        return ""
    for what, some in (
        ("none is primary", timely),
        ("after the close", there),
        ("withdrawn", runs),
    ):
        if some:
            return f"{what}: {', '.join(entry.slug for entry in some)}"
    return "refused files alone" if files else "nothing came"
