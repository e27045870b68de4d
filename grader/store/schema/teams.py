"""Teams."""

from sqlalchemy import Column, Integer, Table, Text, TypedColumns, UniqueConstraint

from grader.store.schema.kinds import METADATA, Moment


class TeamColumns(TypedColumns):
    """``folded`` is what two names must differ in; ``token`` the SHA-256 of the token."""

    id = Column(Integer, primary_key=True)
    name = Column(Text, nullable=False)
    folded = Column(Text, nullable=False)
    slug = Column(Text, nullable=False)
    token = Column(Text)
    created = Column(Moment, nullable=False)


teams = Table(
    "teams",
    METADATA,
    TeamColumns,
    *(UniqueConstraint(column) for column in ("folded", "slug", "token")),
    sqlite_autoincrement=True,
)
