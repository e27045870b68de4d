"""Runs, their bytes and their scores."""

from typing import Literal

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    Text,
    TypedColumns,
    UniqueConstraint,
)

from grader.model import Flag
from grader.store.schema.kinds import METADATA, Moment, one_of


class PayloadColumns(TypedColumns):
    """Bytes by their SHA-256, zlib-compressed; ``size`` is that of the bytes themselves."""

    sha256 = Column(Text, primary_key=True)
    size = Column(BigInteger, nullable=False)
    body = Column(LargeBinary, nullable=False)


class RunColumns(TypedColumns):
    """``number`` counts a team's runs in a task from 1; ``slug`` is minted from it.

    ``content`` is the digest of the run as it was read, whatever the order of its lines; NULL
    for a run that has not been read since there are such digests. ``about``: what its team says
    of it, a JSON object; NULL for nothing. ``waived`` lists the codes of problems that
    organisers overlook in it; NULL for none.
    """

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    team_id = Column(Integer, ForeignKey("teams.id"), nullable=False)
    phase = Column(Text, nullable=False)
    name = Column(Text, nullable=False)
    number = Column(Integer, nullable=False)
    slug = Column(Text, nullable=False)
    sha256 = Column(Text, ForeignKey("payloads.sha256"), nullable=False)
    filename = Column(Text, nullable=False)
    received = Column(Moment, nullable=False)
    status = Column(Text, nullable=False)
    content = Column(Text)
    about = Column(Text)
    waived = Column(Text)


class RunFlagColumns(TypedColumns):
    run_id = Column(Integer, ForeignKey("runs.id"), primary_key=True)
    flag = Column(Text, primary_key=True)
    why = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


class GradingColumns(TypedColumns):
    """A run scored under a gold version; lists as text. ``analysis`` is NULL: none was made."""

    id = Column(Integer, primary_key=True)
    run_id = Column(Integer, ForeignKey("runs.id"), nullable=False)
    gold_id = Column(Integer, ForeignKey("golds.id"), nullable=False)
    n = Column(Integer, nullable=False)
    of = Column(Integer, nullable=False)
    right = Column(Integer, nullable=False)
    abstained = Column(Integer, nullable=False)
    reliability = Column(Text, nullable=False)
    notices = Column(Text, nullable=False)
    settings = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)
    analysis = Column(Text)


class ScorecardColumns(TypedColumns):
    """All scores of a grading, as one text: they are written, read and removed together."""

    grading_id = Column(Integer, ForeignKey("gradings.id", ondelete="CASCADE"), primary_key=True)
    body = Column(Text, nullable=False)


class ViewColumns(TypedColumns):
    """A graded run as measures see it, packed; of another ``form`` it is not read."""

    grading_id = Column(Integer, ForeignKey("gradings.id", ondelete="CASCADE"), primary_key=True)
    form = Column(Text, nullable=False)
    body = Column(LargeBinary, nullable=False)


payloads = Table("payloads", METADATA, PayloadColumns)
runs = Table(
    "runs",
    METADATA,
    RunColumns,
    UniqueConstraint("task_id", "team_id", "phase", "name", "sha256"),
    UniqueConstraint("task_id", "team_id", "number"),
    UniqueConstraint("task_id", "slug"),
    one_of("status", Literal["accepted", "held"], "status"),
    sqlite_autoincrement=True,
)
run_flags = Table("run_flags", METADATA, RunFlagColumns, one_of("flag", Flag, "flag"))
gradings = Table(
    "gradings",
    METADATA,
    GradingColumns,
    UniqueConstraint("run_id", "gold_id"),
    sqlite_autoincrement=True,
)
views = Table("views", METADATA, ViewColumns)
scorecards = Table("scorecards", METADATA, ScorecardColumns)
