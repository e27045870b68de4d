"""Teams, what else they are called, and what they sent that is no run."""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    TypedColumns,
    UniqueConstraint,
)

from grader.store.schema.kinds import METADATA, Moment


class TeamColumns(TypedColumns):
    """``folded`` is what two names must differ in; ``token`` the SHA-256 of the token.

    ``tracks`` lists the tasks that it entered; ``consent`` says whether its runs may be archived,
    and ``consented`` since when it is so; NULL where nobody ever said.
    All of a person is gone from an ``erased`` one.
    """

    id = Column(Integer, primary_key=True)
    name = Column(Text, nullable=False)
    folded = Column(Text, nullable=False)
    slug = Column(Text, nullable=False)
    token = Column(Text)
    created = Column(Moment, nullable=False)
    affiliation = Column(Text)
    contact = Column(Text)
    tracks = Column(Text)
    consent = Column(Boolean)
    consented = Column(Moment)
    erased = Column(Moment)


class AliasColumns(TypedColumns):
    """Another name of a team; ``folded`` is no other team's or alias's."""

    folded = Column(Text, primary_key=True)
    team_id = Column(Integer, ForeignKey("teams.id"), nullable=False)
    name = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


class CommitmentColumns(TypedColumns):
    """The SHA-256 of bytes that a team promised to send, before they came."""

    task_id = Column(Integer, ForeignKey("tasks.id"), primary_key=True)
    team_id = Column(Integer, ForeignKey("teams.id"), primary_key=True)
    phase = Column(Text, primary_key=True)
    sha256 = Column(Text, primary_key=True)
    at = Column(Moment, nullable=False)


class RefusalColumns(TypedColumns):
    """An upload that was refused: its digest, and ``codes``, how often each problem was found."""

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    team_id = Column(Integer, ForeignKey("teams.id"), nullable=False)
    filename = Column(Text, nullable=False)
    sha256 = Column(Text, nullable=False)
    codes = Column(Text, nullable=False)
    remark = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


teams = Table(
    "teams",
    METADATA,
    TeamColumns,
    *(UniqueConstraint(column) for column in ("folded", "slug", "token")),
    sqlite_autoincrement=True,
)
aliases = Table("aliases", METADATA, AliasColumns)
commitments = Table("commitments", METADATA, CommitmentColumns)
refusals = Table(
    "refusals",
    METADATA,
    RefusalColumns,
    Index(None, "task_id", "team_id", "at"),
    sqlite_autoincrement=True,
)
