import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config, main
from conftest import AT, ROOT
from sqlalchemy import inspect, make_url, text

from grader import store
from grader.errors import Mistake
from grader.store import revision
from grader.store.engine import migrating
from grader.store.schema import METADATA

HEADS = ("0001", "0002", "0003", "0004", "0005")


def alembic(db, action, *arguments):
    """Run an alembic command as pyproject.toml sets it up, on an open transaction."""
    config = Config(toml_file=str(ROOT / "pyproject.toml"), stdout=StringIO())
    config.attributes["connection"] = db
    action(config, *arguments)


def tables(engine):
    with engine.connect() as db:
        return set(inspect(db).get_table_names())


@contextmanager
def nobody():
    """Without the rights of root, whom no file mode stops."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def migrated_url(own_url):
    """One whose tables are changed here."""
    return own_url


@pytest.fixture
def open_folder():
    """A folder that every user can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def test_models_match_migrations(engine):
    with migrating(engine) as db:
        alembic(db, command.check)


def test_checks_of_the_models_are_those_of_the_migrations(engine):
    # `alembic check` does not look at CHECK constraints.
    def checks():
        with engine.connect() as db:
            found = inspect(db)
            return {
                table: {c["name"]: c["sqltext"] for c in found.get_check_constraints(table)}
                for table in METADATA.tables
            }

    migrated = checks()
    with engine.begin() as db:
        METADATA.drop_all(db)
        METADATA.create_all(db)
    assert checks() == migrated
    assert sum(map(len, migrated.values())) == 4


def test_alembic_reads_the_address_from_the_environment(db_url, monkeypatch):
    monkeypatch.setenv("GRADER_DB", db_url)
    monkeypatch.setattr(sys, "path", sys.path[:])  # alembic puts the folder there
    monkeypatch.chdir(ROOT)
    for action in (["upgrade", "head"], ["check"]):
        main(action)
    store.existing(db_url).dispose()


def test_down_to_nothing_and_up_again(filled, migrated_url):
    with migrating(filled) as db:
        alembic(db, command.downgrade, "base")
    assert tables(filled) - {"sqlite_sequence"} == {"alembic_version"}
    engine = store.opened(migrated_url)
    assert tables(engine) == {*METADATA.tables, "alembic_version"}
    with store.unit(engine) as db:
        assert store.slugs(db) == ()
        if db.dialect.name == "postgresql":
            kinds = "SELECT count(*) FROM pg_type WHERE typtype = 'e'"
            assert db.scalar(text(kinds)) == 0
    engine.dispose()


def test_upgrade_says_from_where_to_where(db_url):
    head = revision.revisions()[-1]
    assert store.upgrade(db_url) == (None, head)
    assert store.upgrade(db_url) == (head, head)


def test_head_by_file_names_is_head_by_alembic(engine):
    with engine.connect() as db:
        assert db.scalar(text("SELECT version_num FROM alembic_version")) == HEADS[-1]
    assert revision.revisions() == HEADS


def test_opening_needs_no_alembic(tmp_path):
    store.opened(f"sqlite:///{tmp_path}/g.db").dispose()
    code = (
        "import sys\nfrom grader import store\n"
        f"store.opened('sqlite:///{tmp_path}/g.db')\nsys.exit('alembic' in sys.modules)"
    )
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    assert subprocess.run([sys.executable, "-c", code], env=env, check=False).returncode == 0


def test_four_processes_may_be_the_first_at_once(db_url):
    code = f"from grader import store\nstore.opened({db_url!r}).dispose()"
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    started = [subprocess.Popen([sys.executable, "-c", code], env=env) for _ in range(4)]
    assert [process.wait(60) for process in started] == [0, 0, 0, 0]
    store.opened(db_url).dispose()


def test_an_older_database_names_the_command(migrated_url, monkeypatch):
    monkeypatch.setattr(revision, "revisions", lambda: (*HEADS, "0006"))
    with pytest.raises(Mistake, match="older grader") as said:
        store.opened(migrated_url)
    assert said.value.mend == "grader db upgrade"


@pytest.mark.parametrize("call", [store.opened, store.upgrade])
def test_a_newer_database_says_to_upgrade_the_package(engine, migrated_url, call):
    with engine.begin() as db:
        db.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Mistake, match=r"newer grader.*9999") as said:
        call(migrated_url)
    assert said.value.mend == "pip install --upgrade sharedtask-grader"


@pytest.mark.parametrize("call", [store.opened, store.upgrade])
@pytest.mark.parametrize("version", [None, "0001", "8c1f"])
def test_a_database_of_another_program_is_not_touched(db_url, call, version):
    engine = store.connect(db_url)
    with engine.begin() as db:
        db.execute(text("CREATE TABLE tasks (title TEXT)"))
        if version:
            db.execute(text("CREATE TABLE alembic_version (version_num TEXT)"))
            db.execute(text("INSERT INTO alembic_version VALUES (:v)"), {"v": version})
    before = tables(engine)
    with pytest.raises(Mistake, match="another program; it was not touched"):
        call(db_url)
    assert tables(engine) == before
    engine.dispose()


def test_a_database_that_lost_a_table_says_which(engine, migrated_url):
    with engine.begin() as db:
        db.execute(text("DROP TABLE run_flags"))
    with pytest.raises(Mistake, match="lacks the tables run_flags"):
        store.opened(migrated_url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "grader.db",
        "mysql://u:secret@h/d",
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:///grader.db?mode=ro",
        "postgresql://u:secret@h:port/d",
        "secret",
    ],
)
def test_an_address_of_neither_kind(url):
    with pytest.raises(Mistake, match="sqlite:///FILE or postgresql://") as said:
        store.connect(url)
    assert "secret" not in str(said.value)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_postgresql_goes_through_psycopg_3(scheme):
    engine = store.connect(f"{scheme}://user@nowhere.invalid/grader")
    assert (engine.dialect.name, engine.dialect.driver) == ("postgresql", "psycopg")
    engine.dispose()


def test_postgresql_without_its_driver_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Mistake) as said:
        store.connect("postgresql://localhost/grader")
    assert said.value.mend == "pip install 'sharedtask-grader[postgres]'"


def test_no_server_answers():
    with pytest.raises(Mistake, match="no server answers there") as said:
        store.opened("postgresql://user:secret@127.0.0.1:1/grader")
    assert str(said.value).startswith(
        "the database postgresql://user@127.0.0.1:1/grader cannot be used"
    )


@pytest.mark.parametrize("wrong", ["database", "username"])
def test_a_server_that_lets_nobody_in(postgres_url, wrong):
    url = make_url(postgres_url).set(**{"password": "secret", wrong: "no_such_one"})
    with pytest.raises(Mistake, match=r"no_such_one.* cannot be used: ") as said:
        store.opened(url.render_as_string(hide_password=False))
    assert "secret" not in str(said.value)
    assert "\n" not in str(said.value)


def test_a_file_that_is_no_database(tmp_path):
    file = tmp_path / "gold.csv"
    file.write_text("id,answer\n" * 200)
    with pytest.raises(Mistake, match=r"gold\.csv cannot be used: the file is not a database"):
        store.opened(f"sqlite:///{file}")
    assert file.read_text() == "id,answer\n" * 200


def test_a_missing_folder_and_a_folder(tmp_path):
    with pytest.raises(Mistake, match=f"there is no folder {tmp_path}/missing"):
        store.opened(f"sqlite:///{tmp_path}/missing/grader.db")
    with pytest.raises(Mistake, match="that is a folder"):
        store.opened(f"sqlite:///{tmp_path}")


def test_a_read_only_folder(open_folder):
    open_folder.chmod(0o555)
    with nobody(), pytest.raises(Mistake, match="cannot be opened"):
        store.opened(f"sqlite:///{open_folder}/grader.db")
    assert list(open_folder.iterdir()) == []


def test_a_read_only_database_can_be_read_and_not_written(open_folder):
    url = f"sqlite:///{open_folder}/grader.db"
    store.opened(url).dispose()
    (open_folder / "grader.db").chmod(0o444)
    open_folder.chmod(0o555)
    with nobody():
        engine = store.opened(url)
        with store.reading(engine) as db:
            assert store.slugs(db) == ()
        with pytest.raises(Mistake, match="read-only"), store.unit(engine) as db:
            store.add_team(db, "A", "t", AT)


def test_a_full_disk(sqlite_url):
    engine = store.opened(sqlite_url)

    def fill():
        with store.unit(engine) as db:
            db.execute(text("PRAGMA max_page_count = 1"))
            for i in range(1000):
                store.add_team(db, f"team {i}", f"t{i}", AT)

    with pytest.raises(Mistake, match="the disk is full"):
        fill()
    with store.unit(engine) as db:
        assert store.teams(db) == ()


def test_a_reader_that_stays_too_long_stops_a_commit(sqlite_url, tmp_path):
    engine = store.opened(sqlite_url)
    reader = sqlite3.connect(tmp_path / "grader.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM teams").fetchall()

    def write():
        with store.unit(engine) as db:
            db.execute(text("PRAGMA busy_timeout = 10"))
            store.add_team(db, "A", "t", AT)

    with pytest.raises(Mistake, match="busy"):
        write()
    reader.close()
    with store.unit(engine) as db:
        assert store.teams(db) == ()


def test_a_lost_connection(postgres_url):
    engine = store.opened(postgres_url)
    other = store.connect(postgres_url)

    def lose():
        with store.unit(engine) as db:
            pid = db.scalar(text("SELECT pg_backend_pid()"))
            with other.begin() as killer:
                killer.execute(text(f"SELECT pg_terminate_backend({pid})"))
            store.teams(db)

    with pytest.raises(Mistake, match="connection"):
        lose()
    with store.unit(engine) as db:
        assert store.teams(db) == ()
    engine.dispose()
    other.dispose()


def test_a_read_only_server(postgres_url):
    engine = store.opened(postgres_url)

    def write():
        with store.unit(engine) as db:
            db.execute(text("SET TRANSACTION READ ONLY"))
            store.add_team(db, "A", "t", AT)

    with pytest.raises(Mistake, match="read-only"):
        write()
    engine.dispose()


def test_a_database_that_loses_letters_is_refused(postgres_url):
    name = f"{make_url(postgres_url).database}_ascii"
    plain = make_url(postgres_url).set(database=name)
    server = store.connect(postgres_url).execution_options(isolation_level="AUTOCOMMIT")
    with server.connect() as db:
        db.execute(
            text(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
        )
    try:
        with pytest.raises(Mistake, match="holds text as SQL_ASCII"):
            store.opened(plain.render_as_string(hide_password=False))
    finally:
        with server.connect() as db:
            db.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        server.dispose()


def test_a_migration_cannot_leave_rows_that_refer_to_nothing(sqlite_url, config, gold):
    engine = store.opened(sqlite_url)
    with store.unit(engine) as db:
        store.add_task(db, "demo", config, gold, b"s", AT)
    with pytest.raises(RuntimeError, match="refer to nothing"), migrating(engine) as db:
        db.execute(text("DELETE FROM tasks"))
    with store.unit(engine) as db:
        assert store.slugs(db) == ("demo",)
