import os

from alembic import context
from sqlalchemy.types import TypeDecorator

from grader.store.engine import connect, migrating
from grader.store.schema import METADATA


def plain(kind, thing, _):
    """Write a type of ours as the type it wraps: a migration imports nothing from grader."""
    return f"sa.{thing.impl!r}" if kind == "type" and isinstance(thing, TypeDecorator) else False


def run(connection):
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        render_as_batch=connection.dialect.name == "sqlite",
        render_item=plain,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    engine = connect(os.environ.get("GRADER_DB", "sqlite:///grader.db"))
    try:
        with migrating(engine) as connection:
            run(connection)
    finally:
        engine.dispose()
