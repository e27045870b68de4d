"""What each team is handed before the public board: its own runs, instance by instance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from grader import store
from grader.board import early as as_revealed
from grader.board import field_of, itemising, limits_of, official, phased, rank, seen, visible
from grader.errors import Mistake
from grader.itemising import itemised
from grader.marking import Decision
from grader.model import (
    Field,
    Itemised,
    Parcel,
    Portion,
    Results,
    Snapshot,
    Team,
    Withheld,
)
from grader.releasing.closing import entangled, pending
from grader.store import Connection


@dataclass(frozen=True, slots=True)
class _Phase:
    """A phase that teams may be told of: its runs by slug, and the official ones by team."""

    results: Results
    items: Mapping[str, Itemised]
    field: Mapping[str, Itemised]
    why: str  # why nothing is told of the field
    embargo: datetime | None  # when everybody sees it; None: nobody said
    early: bool


def parcels(
    db: Connection, at: datetime, name: str | None = None, *, early: bool = False
) -> tuple[tuple[Parcel, ...], tuple[Withheld, ...]]:
    """A parcel for each team that has a run in a phase of which teams may be told.

    Erased teams have none, nor has one whose runs are all withdrawn.

    name     the only team, if one is meant
    early    whether phases that are over are told of before their reveal
    returns  the parcels, and what no team is told of yet
    raises   Mistake, for an unknown team, or if there is nothing to hand out
    """
    teams = [team for team in store.teams(db) if not team.erased]
    if name is not None:
        wanted = _wanted(db, teams, name)
        teams = [team for team in teams if team.slug == wanted]
    phases, withheld = _phases(db, at, early=early)
    made = (_parcel(team, phases, withheld, at) for team in teams)
    found = tuple(parcel for parcel in made if parcel.portions)
    if not found:
        said = dict.fromkeys(f"  {one.task}: {one.why}" for one in withheld)
        whom = "no team" if name is None else repr(name)
        raise Mistake(
            f"there is nothing to hand out: {whom} has a run that may be told of by then",
            *said,
            mend="grader phase list TASK; with --early, phases that are over may be told of "
            "before their reveal",
        )
    return found, tuple(withheld)


def _wanted(db: Connection, teams: list[Team], name: str) -> str:
    by_slug = [team.slug for team in teams if team.slug == name]
    try:
        slug = by_slug[0] if by_slug else store.team(db, name).slug
    except Mistake as no:  # one that was added now would have no run
        raise Mistake(*no.said, mend="grader team list") from no
    if slug not in {team.slug for team in teams}:
        raise Mistake(f"{name!r} was erased: nobody is there to be told", mend="grader team list")
    return slug


def _phases(db: Connection, at: datetime, *, early: bool) -> tuple[list[_Phase], list[Withheld]]:
    found: list[_Phase] = []
    withheld: list[Withheld] = []
    for results in store.snapshot(db, at).tasks:
        if not results.entries:
            continue
        waits, _ = entangled(db, results.task.slug, at)
        for part in phased(results):
            shown = as_revealed(part, at) if early else part
            split = part.phase.split if part.phase else "all"
            why = [*pending(results, at, split), *waits] or [itemising(shown.phase, "own", at)]
            if any(why):
                name = part.phase.name if part.phase else ""
                withheld.append(Withheld(part.task.slug, part.task.title, name, "; ".join(why)))
            elif part.entries:
                found.append(_phase(db, shown, at, part.phase.reveal if part.phase else None))
    return found, withheld


def _phase(db: Connection, results: Results, at: datetime, embargo: datetime | None) -> _Phase:
    now = store.registered(db, results.task.slug)
    runs = (entry for entry in results.entries if entry.graded and "withdrawn" not in entry.flags)
    each = {entry.slug: itemised(db, now.task, now.gold, entry.slug) for entry in runs}
    items = {slug: one for slug, one in each.items() if one is not None}
    why = itemising(results.phase, "teams", at) or _moved(db, results, at)
    public = visible(Snapshot((results,), at), "participants").tasks[0]
    rows = official(rank(public))
    ranked = {
        team: items[row.entry.slug]
        for team, row in rows.items()
        if row.rank is not None and row.entry.slug in items
    }
    early = results.phase is not None and results.phase.reveal != embargo
    results = replace(results, disputes=public.disputes)
    return _Phase(results, items, {} if why else ranked, why, embargo, early)


def _moved(db: Connection, results: Results, at: datetime) -> str:
    """Why the field is not told again; empty: it is what it was, or was not told yet.

    Who was told it before and after one run changed would know that run's answers.
    """
    slug, phase = results.task.slug, results.phase.name if results.phase else ""
    first = store.first_handed_out(db, slug, phase, at)
    if first is None:
        return ""
    later = any(first < entry.received <= at for entry in results.entries)
    if not later and not store.moved_since(db, slug, first, at):
        return ""
    when = f"{first:%Y-%m-%d %H:%M:%S} UTC"
    return f"it was told on {when}, and runs have changed since: the two would tell which"


def _parcel(team: Team, phases: list[_Phase], withheld: list[Withheld], at: datetime) -> Parcel:
    mine = [(phase, p) for phase in phases for p in _portion(team, phase, at)]
    known = [phase.embargo for phase, _ in mine if phase.embargo is not None]
    embargo = max(known) if known and max(known) > at else None
    return Parcel(team, tuple(p for _, p in mine), tuple(withheld), embargo)


def _portion(team: Team, phase: _Phase, at: datetime) -> Iterator[Portion]:
    """Yield the portion of a team, if it has a run in the phase."""
    of = phase.results
    limits = limits_of(of, at)
    mine = [
        replace(entry, graded=seen(entry.graded, of.phase, "own", at, limits))
        for entry in of.entries
        if entry.team == team.name and entry.slug in phase.items and entry.graded is not None
    ]
    if mine:
        results = Results(of.task, of.gold, tuple(mine), phase=of.phase, disputes=of.disputes)
        told = Field(0, why=phase.why) if phase.why else field_of(phase.field, team.name)
        runs = tuple((entry, phase.items[entry.slug]) for entry in mine)
        yield Portion(results, runs, told, phase.early)


def handed(db: Connection, found: Sequence[Parcel], decision: Decision) -> None:
    """Keep what teams were handed, and log it of phases that had not been revealed."""
    each: dict[tuple[str, str, bool], list[str]] = {}
    for parcel in found:
        for portion in parcel.portions:
            task, phase = portion.results.task.slug, portion.results.phase
            key = task, phase.name if phase else "", portion.early
            each.setdefault(key, []).append(parcel.team.name)
    for (task, name, early), teams in each.items():
        store.hand_out(db, task, name, teams, decision.at)
        if early:
            whom = teams[0] if len(teams) == 1 else f"{len(teams)} teams"
            what = f"publish early: {name} to {whom}"
            store.log(db, task, what, decision.why, decision.at)
