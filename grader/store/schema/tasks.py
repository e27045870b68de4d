"""Tasks, their gold, and what was done to them."""

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    Table,
    Text,
    TypedColumns,
    UniqueConstraint,
)

from grader.model import Status
from grader.store.schema.kinds import METADATA, Moment, one_of


class TaskColumns(TypedColumns):
    id = Column(Integer, primary_key=True)
    slug = Column(Text, nullable=False)
    config = Column(Text, nullable=False)
    created = Column(Moment, nullable=False)
    changed = Column(Moment, nullable=False)


class GoldColumns(TypedColumns):
    """A version, never changed once written. ``n`` instances, ``scored`` of them count.

    ``released`` is the instant from which it is public; NULL while it is secret. ``seen`` maps
    each phase of which the public could see scores under the version before, when this one came,
    to the decimals that were shown; NULL where nobody wrote that down.
    """

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    version = Column(Integer, nullable=False)
    salt = Column(LargeBinary, nullable=False)
    commitment = Column(Text, nullable=False)
    reason = Column(Text, nullable=False)
    registered = Column(Moment, nullable=False)
    n = Column(Integer, nullable=False)
    scored = Column(Integer, nullable=False)
    released = Column(Moment)
    who = Column(Text)
    seen = Column(Text)


class DimensionColumns(TypedColumns):
    """``labels`` and ``counts`` are lists of one length: a value, and its scored instances."""

    gold_id = Column(Integer, ForeignKey("golds.id"), primary_key=True)
    position = Column(Integer, primary_key=True, autoincrement=False)
    name = Column(Text, nullable=False)
    labels = Column(Text, nullable=False)
    counts = Column(Text, nullable=False)


class InstanceColumns(TypedColumns):
    """``answers`` is a list, ``subsets`` maps a dimension to the instance's value in it.

    ``rejected`` lists the answers that were judged wrong; NULL where none is judged.
    """

    gold_id = Column(Integer, ForeignKey("golds.id"), primary_key=True)
    position = Column(Integer, primary_key=True, autoincrement=False)
    ident = Column(Text, nullable=False)
    answers = Column(Text, nullable=False)
    rejected = Column(Text)
    cluster = Column(Text)
    split = Column(Text)
    subsets = Column(Text, nullable=False)
    status = Column(Text, nullable=False)
    reason = Column(Text, nullable=False)
    who = Column(Text, nullable=False)
    decided = Column(Moment)
    post_hoc = Column(Boolean, nullable=False)


class LogColumns(TypedColumns):
    """What was done, as a ``verb`` and the rest of the words."""

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    verb = Column(Text, nullable=False)
    what = Column(Text, nullable=False)
    why = Column(Text, nullable=False)
    who = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


class LogRunColumns(TypedColumns):
    """The runs that a line names, in its order."""

    log_id = Column(Integer, ForeignKey("log.id"), primary_key=True)
    position = Column(Integer, primary_key=True, autoincrement=False)
    run_id = Column(Integer, ForeignKey("runs.id"), nullable=False)


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
    one_of("status", Status, "status"),
)
log = Table("log", METADATA, LogColumns, sqlite_autoincrement=True)
log_runs = Table("log_runs", METADATA, LogRunColumns)
