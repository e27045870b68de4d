"""Which revision a database is at, and how it gets to the newest."""

import os
from functools import cache
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, inspect, text

from grader.data import folder
from grader.errors import Mistake
from grader.store.engine import connect, migrating, reading
from grader.store.faults import address
from grader.store.schema import METADATA

_VERSION = "alembic_version"


@cache
def revisions() -> tuple[str, ...]:
    """Every revision, oldest first: the migrations' file names are ``<revision>_<slug>.py``."""
    files = (folder("migrations") / "versions").glob("[0-9]*_*.py")
    return tuple(sorted(file.name.split("_")[0] for file in files))


def opened(url: str | URL) -> Engine:
    """A database ready for use: an empty one is filled, one at another revision is a Mistake."""
    return _ready(connect(url), new=True)


def existing(url: str) -> Engine:
    """As ``opened``, but that there is none is a Mistake: so a wrong address is noticed."""
    return _ready(connect(url), new=False)


def _ready(engine: Engine, *, new: bool) -> Engine:
    try:
        _foreign(engine)
        found = None
        if new or not _absent(engine):
            with reading(engine) as db:
                found = _revision(db)
        _at_head(engine, found, new=new)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _at_head(engine: Engine, found: str | None, *, new: bool) -> None:
    """Fill an empty database; raises Mistake for one that is not there, or is older."""
    if found is not None:
        if found != revisions()[-1]:
            raise Mistake(
                f"the database {address(engine.url)} was made by an older grader",
                mend="grader db upgrade",
            )
        return
    if not new:
        raise Mistake(
            f"there is no database of grader at {address(engine.url)}",
            "one is made by the first: grader task add DIR, or: grader team add NAME",
            mend="--db or GRADER_DB names another, e.g. --db sqlite:///grader.db",
        )
    _migrate(engine)


def _foreign(engine: Engine) -> None:
    """SQLite takes a file shorter than its header for an empty one, and would write over it."""
    file = str(engine.url.database)
    # os.path says no, where Path raises: of names too long, of folders that may not be entered.
    ours = engine.dialect.name == "sqlite" and os.path.isfile(file)  # noqa: PTH113
    if ours and 0 < Path(file).stat().st_size < 100:
        raise Mistake(f"the database {file} cannot be used: the file is not a database")


def _absent(engine: Engine) -> bool:
    """Is it a file that is not there? Opening it would make it."""
    sqlite = engine.dialect.name == "sqlite"
    return sqlite and not os.path.exists(str(engine.url.database))  # noqa: PTH110, see _foreign


def upgrade(url: str) -> tuple[str | None, str]:
    """Bring a database to the newest revision; the revisions before (None: empty) and after."""
    engine = connect(url)
    try:
        return _migrate(engine)
    finally:
        engine.dispose()


def _migrate(engine: Engine) -> tuple[str | None, str]:
    with migrating(engine) as db:
        found = _revision(db)  # again: another process may have been faster
        if found is None and db.dialect.name == "postgresql":
            _encoding(db)
        if found != revisions()[-1]:
            _alembic(db)
    return found, revisions()[-1]


def _alembic(db: Connection) -> None:
    from alembic import command  # noqa: PLC0415, a quarter of the start-up, once in a year
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    where = str(folder("migrations")).replace("%", "%%")
    config.set_main_option("script_location", where)
    config.attributes["connection"] = db
    command.upgrade(config, "head")


def _revision(db: Connection) -> str | None:
    """The revision of a database of ours; None if it is empty; otherwise a Mistake."""
    tables = set(inspect(db).get_table_names())
    if not tables:
        return None
    where = address(db.engine.url)
    rows = db.execute(text(f"SELECT version_num FROM {_VERSION}")) if _VERSION in tables else None  # noqa: S608
    found = [str(row[0]) for row in rows] if rows is not None else []
    if tables == {_VERSION} and not found:
        return None  # downgraded to nothing
    if len(found) != 1 or not {"tasks", "golds", "runs"} <= tables:
        raise Mistake(
            f"the database {where} belongs to another program; it was not touched",
            mend="give --db or GRADER_DB the address of an empty database",
        )
    if found[0] not in revisions():
        raise Mistake(
            f"the database {where} was made by a newer grader (revision {found[0]}; "
            f"this one knows up to {revisions()[-1]})",
            mend="pip install --upgrade sharedtask-grader",
        )
    if found[0] == revisions()[-1] and (lost := set(METADATA.tables) - tables):
        raise Mistake(
            f"the database {where} lacks the tables {', '.join(sorted(lost))}; "
            "restore it from a backup"
        )
    return found[0]


def _encoding(db: Connection) -> None:
    if (encoding := db.exec_driver_sql("SHOW server_encoding").scalar_one()) != "UTF8":
        raise Mistake(
            f"the database {address(db.engine.url)} holds text as {encoding}, and not as UTF8",
            mend="createdb --encoding UTF8 --template template0 NAME",
        )
