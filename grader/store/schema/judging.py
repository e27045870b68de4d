"""Judges, and what they said."""

from typing import Literal

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    TypedColumns,
    UniqueConstraint,
)

from grader.store.schema.kinds import METADATA, Moment, one_of


class JudgeColumns(TypedColumns):
    """``folded`` is what two names must differ in; ``prompt`` a model's digest, or empty."""

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    name = Column(Text, nullable=False)
    folded = Column(Text, nullable=False)
    kind = Column(Text, nullable=False)
    prompt = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


class JudgementColumns(TypedColumns):
    """What a judge said of a unit; the last row of a judge and unit stands, older ones stay.

    ``run`` is the SHA-256 of a run's bytes where the unit is of a run, else empty. ``columns``
    is a JSON object of further numbers.
    """

    id = Column(Integer, primary_key=True)
    task_id = Column(Integer, ForeignKey("tasks.id"), nullable=False)
    judge_id = Column(Integer, ForeignKey("judges.id"), nullable=False)
    ident = Column(Text, nullable=False)
    answer = Column(Text, nullable=False)
    run = Column(Text, nullable=False)
    label = Column(Text, nullable=False)
    columns = Column(Text, nullable=False)
    why = Column(Text, nullable=False)
    at = Column(Moment, nullable=False)


judges = Table(
    "judges",
    METADATA,
    JudgeColumns,
    UniqueConstraint("task_id", "folded"),
    one_of("kind", Literal["person", "model", "pipeline"], "kind"),
    sqlite_autoincrement=True,
)
judgements = Table(
    "judgements", METADATA, JudgementColumns, Index(None, "task_id"), sqlite_autoincrement=True
)
