"""What the tables are made of: types that mean the same on SQLite and PostgreSQL."""

from datetime import UTC, datetime
from typing import Any, get_args

from sqlalchemy import CheckConstraint, DateTime, MetaData
from sqlalchemy.types import TypeDecorator

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


def one_of(column: str, literal: Any, name: str) -> CheckConstraint:  # noqa: ANN401
    words = ", ".join(f"'{word}'" for word in get_args(literal))
    return CheckConstraint(f"{column} IN ({words})", name=name)
