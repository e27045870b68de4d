"""What a database error means to the person at the keyboard."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from grader.errors import Mistake, Unavailable

# SQLite's primary result codes; every other one (no such table, a broken rule) is a bug.
_SQLITE = {
    3: "it may not be used: permission denied",
    5: "it is busy: another process has been writing for too long; try again",
    6: "it is busy: another process has been writing for too long; try again",
    8: "it may not be written: the file or its folder is read-only",
    10: "the disk gave an error",
    11: "the file is damaged; restore it from a backup",
    13: "the disk is full",
    14: "it cannot be opened",
    15: "it is busy: another process has been writing for too long; try again",
    23: "it may not be used: permission denied",
    26: "the file is not a database",
}

# PostgreSQL's SQLSTATEs, the longest match first.
_POSTGRES = {
    "25006": "it may not be written: the server is read-only",
    "28": "the server does not let this user in (wrong name or password)",
    "3D": "there is no database of that name on the server",
    "40": "another process was writing the same things; try again",
    "42501": "this user may not do that in this database",
    "53100": "the server's disk is full",
    "53": "the server has no room for another connection or query; try again",
    "55P03": "it is busy: another process has been writing for too long; try again",
    "57": "the server ended the connection; try again",
    "58": "the server's disk gave an error",
    "08": "the connection to the server was lost; try again",
}


def address(url: URL) -> str:
    """The database as a message names it: no password, and no options that may hold one."""
    if url.get_backend_name() == "sqlite":
        return url.database or ""
    bare = URL.create(
        "postgresql", url.username, host=url.host, port=url.port, database=url.database
    )
    return bare.render_as_string()


_SILENT = ("refused", "timeout", "timed out", "no such file", "unreachable", "no route")


@contextmanager
def plainly(url: URL) -> Iterator[None]:
    """Say an error of the operator's kind as a Mistake; let bugs through as they are."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise Mistake(f"{error.object!r} is no text: it holds bytes that are not UTF-8") from error
    except DBAPIError as error:
        why = _sqlite(error.orig, url) if isinstance(error.orig, sqlite3.Error) else _server(error)
        if not why:
            raise
        raise Unavailable(f"the database {address(url)} cannot be used: {why}") from error


def _sqlite(error: sqlite3.Error, url: URL) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest says which kind of it
    path = Path(url.database or "")
    try:
        if code == 14 and path.is_dir():
            return "that is a folder"
        if code == 14 and not path.parent.is_dir():
            return f"there is no folder {path.parent}"
    except OSError as odd:  # a name too long, or a folder that may not be entered
        return str(odd.strerror).lower()
    return _SQLITE.get(code, "")


def _server(error: DBAPIError) -> str:
    state = getattr(error.orig, "sqlstate", None)
    if state is None:  # no answer came from a server
        said = str(error.orig).casefold()
        if error.connection_invalidated or type(error.orig).__name__ == "OperationalError":
            return _unanswered(said)
        return "its address has an option that is unknown" if "connection option" in said else ""
    return next((_POSTGRES[state[:n]] for n in (5, 2) if state[:n] in _POSTGRES), "")


def _unanswered(said: str) -> str:
    """Why a connection failed; the driver gives no code for it, only the server's words."""
    for words, why in (
        ("password", _POSTGRES["28"]),
        ("does not exist", "there is no such database or user on the server"),
        ("pg_hba.conf", _POSTGRES["28"]),
        ("too many", _POSTGRES["53"]),
        ("resolve", "its server's name is not known"),
        ("name or service not known", "its server's name is not known"),
    ):
        if words in said:
            return why
    if any(words in said for words in _SILENT):
        return "no server answers there"
    # The server's own words may be in any language.
    failed = "connection failed" in said or "connection is bad" in said
    return "the server did not accept the connection" if failed else _POSTGRES["08"]
