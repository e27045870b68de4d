"""The tables. Types chosen to mean the same on SQLite and PostgreSQL.

A list or mapping is JSON text in ASCII: the same bytes on both databases, floats exact.
Text that is compared has a limit set where it comes in, so no index row grows too long.
"""

from datetime import UTC, datetime
from typing import Any, Literal, get_args

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypedColumns,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator

from grader.model import Flag, Status

METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class Moment(TypeDecorator[datetime]):
    """A point in time. SQLite forgets the zone, so it is written and read as UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _: Any) -> datetime | None:  # noqa: ANN401
        if value is not None and value.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, _: Any) -> datetime | None:  # noqa: ANN401
        return value and (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC))


def _one_of(column: str, literal: Any, name: str) -> CheckConstraint:  # noqa: ANN401
    words = ", ".join(f"'{word}'" for word in get_args(literal))
    return CheckConstraint(f"{column} IN ({words})", name=name)


def _finite(column: str) -> CheckConstraint:
    """NULL passes. On PostgreSQL NaN is above every number; SQLite would turn it into NULL."""
    return CheckConstraint(f"{column} BETWEEN -1e308 AND 1e308", name=f"{column}_finite")


class TaskColumns(TypedColumns):
    id = Column(Integer, primary_key=True)
    slug = Column(Text, nullable=False)
    config = Column(Text, nullable=False)
    created = Column(Moment, nullable=False)
    changed = Column(Moment, nullable=False)


class GoldColumns(TypedColumns):
    """A version, never changed once written. ``n`` instances, ``scored`` of them count."""

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    version = Column(Integer, nullable=False)
    salt = Column(LargeBinary, nullable=False)
    commitment = Column(Text, nullable=False)
    reason = Column(Text, nullable=False)
    registered = Column(Moment, nullable=False)
    n = Column(Integer, nullable=False)
    scored = Column(Integer, nullable=False)


class DimensionColumns(TypedColumns):
    """``labels`` and ``counts`` are lists of one length: a value, and its scored instances."""

    gold_id = Column(Integer, ForeignKey("golds.id"), primary_key=True)
    position = Column(Integer, primary_key=True, autoincrement=False)
    name = Column(Text, nullable=False)
    labels = Column(Text, nullable=False)
    counts = Column(Text, nullable=False)


class InstanceColumns(TypedColumns):
    """``answers`` is a list, ``subsets`` maps a dimension to the instance's value in it."""

    gold_id = Column(Integer, ForeignKey("golds.id"), primary_key=True)
    position = Column(Integer, primary_key=True, autoincrement=False)
    ident = Column(Text, nullable=False)
    answers = Column(Text, nullable=False)
    cluster = Column(Text)
    split = Column(Text)
    subsets = Column(Text, nullable=False)
    status = Column(Text, nullable=False)
    reason = Column(Text, nullable=False)
    who = Column(Text, nullable=False)
    decided = Column(Moment)
    post_hoc = Column(Boolean, nullable=False)


class TeamColumns(TypedColumns):
    """``folded`` is what two names must differ in; ``token`` the SHA-256 of the token."""

    id = Column(Integer, primary_key=True)
    name = Column(Text, nullable=False)
    folded = Column(Text, nullable=False)
    slug = Column(Text, nullable=False)
    token = Column(Text)
    created = Column(Moment, nullable=False)


class PayloadColumns(TypedColumns):
    """Bytes by their SHA-256, zlib-compressed; ``size`` is that of the bytes themselves."""

    sha256 = Column(Text, primary_key=True)
    size = Column(BigInteger, nullable=False)
    body = Column(LargeBinary, nullable=False)


class RunColumns(TypedColumns):
    """``number`` counts a team's runs in a task from 1; ``slug`` is minted from it."""

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


class ScoreColumns(TypedColumns):
    """value is NULL where the measure is undefined; note then says why. Never NaN."""

    grading_id = Column(Integer, ForeignKey("gradings.id", ondelete="CASCADE"), primary_key=True)
    position = Column(Integer, primary_key=True, autoincrement=False)
    subset = Column(Text, nullable=False)
    measure = Column(Text, nullable=False)
    n = Column(Integer, nullable=False)
    value = Column(Double)
    low = Column(Double)
    high = Column(Double)
    note = Column(Text, nullable=False)
    no_interval = Column(Text, nullable=False)
    details = Column(Text, nullable=False)
    version = Column(Integer, nullable=False)


class LogColumns(TypedColumns):
    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    what = Column(Text, nullable=False)
    why = Column(Text, nullable=False)
    who = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


tasks = Table("tasks", METADATA, TaskColumns, UniqueConstraint("slug"), sqlite_autoincrement=True)
golds = Table(
    "golds",
    METADATA,
    GoldColumns,
    UniqueConstraint("task_id", "version"),
    sqlite_autoincrement=True,
)
dimensions = Table("dimensions", METADATA, DimensionColumns)
instances = Table(
    "instances",
    METADATA,
    InstanceColumns,
    UniqueConstraint("gold_id", "ident"),
    _one_of("status", Status, "status"),
)
teams = Table(
    "teams",
    METADATA,
    TeamColumns,
    *(UniqueConstraint(column) for column in ("folded", "slug", "token")),
    sqlite_autoincrement=True,
)
payloads = Table("payloads", METADATA, PayloadColumns)
runs = Table(
    "runs",
    METADATA,
    RunColumns,
    UniqueConstraint("task_id", "team_id", "phase", "name", "sha256"),
    UniqueConstraint("task_id", "team_id", "number"),
    UniqueConstraint("task_id", "slug"),
    _one_of("status", Literal["accepted", "held"], "status"),
    sqlite_autoincrement=True,
)
run_flags = Table("run_flags", METADATA, RunFlagColumns, _one_of("flag", Flag, "flag"))
gradings = Table(
    "gradings",
    METADATA,
    GradingColumns,
    UniqueConstraint("run_id", "gold_id"),
    sqlite_autoincrement=True,
)
scores = Table(
    "scores",
    METADATA,
    ScoreColumns,
    UniqueConstraint("grading_id", "subset", "measure"),
    *(_finite(column) for column in ("value", "low", "high")),
    CheckConstraint("value IS NOT NULL OR note <> ''", name="undefined_has_reason"),
)
log = Table("log", METADATA, LogColumns, sqlite_autoincrement=True)
