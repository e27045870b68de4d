"""Campaigns, and what organisers decide and publish in them."""

from sqlalchemy import Column, ForeignKey, Integer, Table, Text, TypedColumns, UniqueConstraint

from grader.store.schema.kinds import METADATA, Moment


class CampaignColumns(TypedColumns):
    """``config`` is the text of campaign.toml, which names the campaign's tasks."""

    id = Column(Integer, primary_key=True)
    slug = Column(Text, nullable=False)
    config = Column(Text, nullable=False)
    created = Column(Moment, nullable=False)
    changed = Column(Moment, nullable=False)


class ExtensionColumns(TypedColumns):
    """A phase of a task closes later, for one team or for all (NULL)."""

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    phase = Column(Text, nullable=False)
    team_id = Column(Integer, ForeignKey("teams.id"))
    closes = Column(Moment, nullable=False)
    why = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


class AmendmentColumns(TypedColumns):
    """The bytes that a run had until its file was amended."""

    id = Column(Integer, primary_key=True)
    run_id = Column(Integer, ForeignKey("runs.id"), nullable=False)
    sha256 = Column(Text, ForeignKey("payloads.sha256"), nullable=False)
    filename = Column(Text, nullable=False)
    why = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


class HandoutColumns(TypedColumns):
    """A team was handed its results in a phase instance by instance."""

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    phase = Column(Text, nullable=False)
    team_id = Column(Integer, ForeignKey("teams.id"), nullable=False)
    at = Column(Moment, nullable=False)


class ReleaseColumns(TypedColumns):
    """Official results, as JSON that nothing moves any more.

    ``log_id`` is the line of the log that says so: errata come after it.
    """

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    name = Column(Text, nullable=False)
    gold_id = Column(Integer, ForeignKey("golds.id"), nullable=False)
    log_id = Column(Integer, ForeignKey("log.id"), nullable=False)
    document = Column(Text, nullable=False)
    why = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


class DisputeColumns(TypedColumns):
    """``number`` counts a task's disputes from 1; ``answer`` is NULL while it is open."""

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    number = Column(Integer, nullable=False)
    ident = Column(Text)
    run_id = Column(Integer, ForeignKey("runs.id"))
    team_id = Column(Integer, ForeignKey("teams.id"))
    said = Column(Text, nullable=False)
    opened = Column(Moment, nullable=False)
    answer = Column(Text)
    answered = Column(Moment)


campaigns = Table(
    "campaigns", METADATA, CampaignColumns, UniqueConstraint("slug"), sqlite_autoincrement=True
)
extensions = Table("extensions", METADATA, ExtensionColumns, sqlite_autoincrement=True)
amendments = Table("amendments", METADATA, AmendmentColumns, sqlite_autoincrement=True)
handouts = Table("handouts", METADATA, HandoutColumns, sqlite_autoincrement=True)
releases = Table(
    "releases",
    METADATA,
    ReleaseColumns,
    UniqueConstraint("task_id", "name"),
    sqlite_autoincrement=True,
)
disputes = Table(
    "disputes",
    METADATA,
    DisputeColumns,
    UniqueConstraint("task_id", "number"),
    sqlite_autoincrement=True,
)
