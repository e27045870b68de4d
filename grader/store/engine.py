"""Connections and transactions. Everything else in the store works inside one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    NullPool,
    create_engine,
    event,
    func,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError

from grader.errors import Mistake
from grader.store.faults import plainly

_PATIENCE = 30  # seconds to wait for another process to finish writing


def connect(url: str | URL) -> Engine:
    """An engine for a database's address; nothing is opened yet.

    Mistake for an address that is neither ``sqlite:///FILE`` nor ``postgresql://…``, and for
    PostgreSQL without its driver.
    """
    parsed = _parsed(url)
    return _sqlite(parsed) if parsed.get_backend_name() == "sqlite" else _postgres(parsed)


def _parsed(url: str | URL) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is not None:
        if parsed.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
            return parsed.set(drivername="postgresql+psycopg")
        # In memory it would be gone with the command.
        file = parsed.database not in (None, "", ":memory:")
        options = parsed.query or (isinstance(url, str) and "?" in url)
        if parsed.drivername == "sqlite" and file and not options:
            return parsed
    raise Mistake(
        "a database is sqlite:///FILE or postgresql://USER@HOST/NAME, and this is neither",
        mend="for example: --db sqlite:///grader.db",
    )


def _sqlite(url: URL) -> Engine:
    """Without a pool: opening a file is cheap, and no handle is left behind or forked."""
    engine = create_engine(
        url,
        poolclass=NullPool,
        connect_args={"timeout": _PATIENCE, "isolation_level": None},
    )

    @event.listens_for(engine, "connect")
    def _pragmas(dbapi: Any, _: object) -> None:  # noqa: ANN401
        dbapi.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A writer takes the lock first: what it checks still holds when it writes.
        options = connection.get_execution_options()
        if options.get("grader_migrating"):
            # Rebuilding a table drops it, which would cascade to what refers to it.
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
        connection.exec_driver_sql("BEGIN" if options.get("grader_reading") else "BEGIN IMMEDIATE")

    return engine


def _postgres(url: URL) -> Engine:
    given: dict[str, Any] = {"client_encoding": "utf8"}  # whatever the environment says
    if "connect_timeout" not in url.query:
        given["connect_timeout"] = _PATIENCE // 3
    try:
        engine = create_engine(url, poolclass=NullPool, connect_args=given)
    except ImportError as error:
        raise Mistake(
            "PostgreSQL needs a driver that is not installed",
            mend="pip install 'sharedtask-grader[postgres]'",
        ) from error

    @event.listens_for(engine, "connect")
    def _patience(dbapi: Any, _: object) -> None:  # noqa: ANN401
        dbapi.execute("SET timezone = 'UTC'")  # whatever the environment says
        dbapi.execute("SET datestyle = 'ISO'")
        dbapi.execute(f"SET lock_timeout = '{_PATIENCE}s'")
        dbapi.commit()

    return engine


def sqlite_file(path: Path) -> URL:
    """The address of an SQLite file, whatever its name holds."""
    return URL.create("sqlite", database=str(path))


@contextmanager
def unit(engine: Engine) -> Iterator[Connection]:
    """One transaction: kept on leaving, undone by an exception. Nothing else commits.

    Mistake if the database cannot be used (read-only, full, locked, gone), also at the end.
    """
    with plainly(engine.url), engine.begin() as db:
        yield db


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """One transaction that only reads, everything as of one instant; it blocks no writer."""
    with plainly(engine.url), engine.connect() as plain:
        options: dict[str, Any] = {"grader_reading": True}
        if engine.dialect.name == "postgresql":
            options |= {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        db = plain.execution_options(**options)
        with db.begin():
            yield db


@contextmanager
def migrating(engine: Engine) -> Iterator[Connection]:
    """One transaction that may change the tables; only one process is in it at a time."""
    with plainly(engine.url), engine.connect() as plain:
        db = plain.execution_options(grader_migrating=True)
        with db.begin():
            alone(db, "migration")
            yield db
            if db.dialect.name == "sqlite" and (
                broken := db.exec_driver_sql("PRAGMA foreign_key_check").all()
            ):
                raise RuntimeError(f"a migration left rows that refer to nothing: {broken[:3]}")


def alone(db: Connection, what: str) -> None:
    """Until the transaction ends, nobody else is past this line for the same ``what``.

    SQLite has one writer anyhow.
    """
    if db.dialect.name == "postgresql":
        db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended(f"grader {what}", 0))))
