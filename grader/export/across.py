"""The results of a campaign: each team's official run in each of its tasks, as one table."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from grader.board import current, lead, official, printed, rank, score
from grader.model import Campaign, Member, Overview, Row
from grader.tabular.sheet import Cell, Column, Table, Told, told

_COLUMNS = (
    Column("address", "the team's slug", "key"),
    Column("task", "its slug", "key"),
    Column("team", "its name as it is now"),
    Column("track", "of the task, as the campaign has it"),
    Column("language", "likewise"),
    Column("subtask", "likewise"),
    Column("phase", "the one that the task's page begins with"),
    Column("run", "the ranked one that the team named primary, else its best"),
    Column("name", "what the team calls it"),
    Column("primary", "the measure that ranks the task"),
    Column("rank", "on the task's board; empty if it has none", "number"),
    Column("value", "of the primary; empty of a run without a rank that is no baseline", "number"),
    Column("unranked", "why it has no rank"),
    Column("gold", "the version that the value stands on"),
    Column("frozen", "as what official results were frozen, separated by semicolons"),
)


def across(found: Sequence[Overview], of: Campaign, at: datetime) -> tuple[Table, Table]:
    """The table with a row for each team and task, and as a paper prints it: a row for each team.

    Of a task with phases, the one that its page begins with, if it has runs.
    """
    members = {member.slug: member for member in of.tasks}
    now = [one for one in found if one.results.phase == current(one.results.task, at)]
    standing = [official(rank(one.results)) for one in now]
    teams = sorted({team for rows in standing for team in rows}, key=lambda t: (t.casefold(), t))
    rows = tuple(
        _row(one, members[one.results.task.slug], rows[team])
        for team in teams
        for one, rows in zip(now, standing, strict=True)
        if team in rows
    )
    shown = {"team": "l", "task": "l", "run": "l", "rank": "r", "value": "r"}
    title = "Results: each team's official run in each task"
    long = Table("results", title, _COLUMNS, rows, shown)
    return long, _crossed(title, now, standing, teams)


def _row(one: Overview, member: Member, row: Row) -> tuple[Cell, ...]:
    results, entry = one.results, row.entry
    return (
        one.addresses.get(entry.team, ""),
        results.task.slug,
        entry.team,
        member.track,
        member.language,
        member.subtask,
        results.phase.name if results.phase else "",
        entry.slug,
        entry.name,
        lead(results).key,
        row.rank,
        _value(one, row),
        row.why,
        f"v{results.gold.version}",
        "; ".join(release.name for release in results.releases),
    )


def _value(one: Overview, row: Row) -> Told:
    """An unranked run's score is told where it is a baseline's."""
    results = one.results
    digits = results.task.ranking.digits
    if row.rank is None and "baseline" not in row.entry.flags:
        return told(None, digits)
    scored = score(row.entry, lead(results).key)
    return Told(scored.value if scored else None, printed(scored, digits))


def _crossed(
    title: str,
    now: Sequence[Overview],
    standing: Sequence[Mapping[str, Row]],
    teams: Sequence[str],
) -> Table:
    """Rank and score of each team's official run, two columns a task."""
    columns = [Column("team", "", title="Team")]
    for one in now:
        slug, primary = one.results.task.slug, lead(one.results)
        columns += [Column(f"{slug} #", "", title=f"{one.results.task.title} #")]
        columns += [Column(slug, "", title=f"{primary.title} (gold v{one.results.gold.version})")]
    rows: list[tuple[Cell, ...]] = []
    for team in teams:
        cells: list[Cell] = [team]
        for one, of in zip(now, standing, strict=True):
            cells += [of[team].rank, _value(one, of[team])] if team in of else ["", ""]
        rows.append(tuple(cells))
    shown = {column.name: "r" for column in columns} | {"team": "l"}
    return Table("results", title, tuple(columns), tuple(rows), shown)
