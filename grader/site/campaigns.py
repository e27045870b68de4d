"""A campaign as its page needs it: its tasks in order, and each team's official runs in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grader.board import lead, official
from grader.model import Campaign, Measure, Member, Row
from grader.site.cells import Cell, cell
from grader.site.frozen import Official
from grader.site.frozen import official as official_of
from grader.site.sheets import Contest, Sheet


@dataclass(frozen=True, slots=True)
class Stage:
    """A task of a campaign, and its boards; None while it is not registered."""

    member: Member
    contest: Contest | None

    @property
    def sheet(self) -> Sheet | None:
        """The board that the task's page begins with."""
        return self.contest.now if self.contest else None


@dataclass(frozen=True, slots=True)
class Column:
    """A task in the results, the measure that it ranks by, and its frozen results.

    What stands in it is of the newest gold; frozen results are on pages of their own.
    """

    stage: Stage
    sheet: Sheet
    measure: Measure
    frozen: tuple[Official, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A team's official run in a task: its row, and its primary score as printed."""

    row: Row
    cell: Cell


@dataclass(frozen=True, slots=True)
class Line:
    """A team, and its place in each column; None where it has no run."""

    team: str
    places: tuple[Place | None, ...]


@dataclass(frozen=True, slots=True)
class Programme:
    """A campaign with its tasks in order; ``columns`` and ``lines`` are its results.

    Dry runs are in ``stages`` alone.
    """

    campaign: Campaign
    stages: tuple[Stage, ...]
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]

    @property
    def slug(self) -> str:
        return self.campaign.slug

    @property
    def formal(self) -> tuple[Stage, ...]:
        """The tasks that count."""
        return tuple(stage for stage in self.stages if not stage.member.dry_run)

    @property
    def dry(self) -> tuple[Stage, ...]:
        return tuple(stage for stage in self.stages if stage.member.dry_run)

    @property
    def runs(self) -> int:
        """How many runs are in the boards that the tasks' pages begin with, seen or not."""
        return sum(stage.sheet.runs for stage in self.formal if stage.sheet)

    @property
    def frozen(self) -> tuple[Column, ...]:
        """The tasks that have frozen results."""
        return tuple(column for column in self.columns if column.frozen)

    @property
    def hidden(self) -> tuple[Column, ...]:
        """The tasks whose scores are hidden."""
        return tuple(c for c in self.columns if c.sheet.results.unseen is not None)


def programmes(
    campaigns: Sequence[Campaign], contests: Sequence[Contest]
) -> tuple[Programme, ...]:
    """The campaigns with the boards of their tasks.

    contests  what the page's readers may see
    """
    known = {contest.slug: contest for contest in contests}
    return tuple(_programme(campaign, known) for campaign in campaigns)


def _programme(campaign: Campaign, known: Mapping[str, Contest]) -> Programme:
    stages = tuple(Stage(member, known.get(member.slug)) for member in campaign.tasks)
    columns = tuple(
        Column(stage, stage.sheet, lead(stage.sheet.results), official_of(stage.contest))
        for stage in stages
        if stage.contest and stage.sheet and not stage.member.dry_run
    )
    standing = [official(column.sheet.board) for column in columns]
    teams = {team for rows in standing for team in rows}
    lines = tuple(
        Line(
            team,
            tuple(
                _place(column, rows[team]) if team in rows else None
                for column, rows in zip(columns, standing, strict=True)
            ),
        )
        for team in sorted(teams, key=lambda name: (name.casefold(), name))
    )
    return Programme(campaign, stages, columns, lines)


def _place(column: Column, row: Row) -> Place:
    """An unranked run's score is shown where it is a baseline's; else the reason stands there."""
    results = column.sheet.results
    scores = column.sheet.scores[row.entry.slug]
    shown = row.rank is not None or "baseline" in row.entry.flags
    found = scores.get((column.measure.key, "all")) if shown else None
    return Place(row, cell(found, results.task.ranking.digits))


def places(made: Sequence[Programme]) -> Mapping[str, tuple[Programme, Member]]:
    """The campaign that a task belongs to, and what it is in it; by the task's slug."""
    return {stage.member.slug: (p, stage.member) for p in made for stage in p.stages}
