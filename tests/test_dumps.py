"""A database as each released revision left it, brought to the newest one.

``dumps/0001.sql`` is what the first release wrote: a task of 80 instances in 20 clusters, three
runs of two teams, one of them withdrawn.
"""

import json
import sqlite3
from pathlib import Path

import pytest
from alembic import command
from click.testing import CliRunner
from conftest import AT
from sqlalchemy import MetaData, create_engine, func, inspect, select, text
from test_migrations import alembic

from grader import store
from grader.board import rank
from grader.cli import main
from grader.errors import Mistake
from grader.rescore import rescore
from grader.store.engine import migrating
from grader.store.revision import revisions

DUMPS = Path(__file__).parent / "dumps"


def loaded(file, dump):
    db = sqlite3.connect(file)
    db.executescript(dump.read_text(encoding="utf-8"))
    db.close()
    return f"sqlite:///{file}"


def copied(source, target):
    """Put every row of an SQLite database into another database of the same revision."""
    engine = store.connect(target)
    with migrating(engine) as db:
        alembic(db, command.upgrade, "0001")
    old = create_engine(source)
    tables = MetaData()
    tables.reflect(old)
    with old.connect() as reader, engine.begin() as writer:
        there = MetaData()
        there.reflect(writer)
        for table in there.sorted_tables:
            rows = reader.execute(select(tables.tables[table.name])).mappings().all()
            if table.name != "alembic_version" and rows:
                writer.execute(table.insert(), [dict(row) for row in rows])
            if "id" in table.c:
                most = select(func.max(table.c.id)).scalar_subquery()
                writer.execute(select(func.setval(f"{table.name}_id_seq", most)))
    old.dispose()
    engine.dispose()
    return target


@pytest.fixture(params=["sqlite", "postgresql"])
def old_url(request, tmp_path):
    """A database at revision 0001 with data, on each of the two."""
    file = loaded(tmp_path / "old.db", DUMPS / "0001.sql")
    if request.param == "sqlite":
        return file
    return copied(file, request.getfixturevalue("postgres_url"))


def entries(engine):
    with store.reading(engine) as db:
        return store.snapshot(db, AT).tasks[0].entries


def test_a_database_of_the_first_release_is_upgraded_and_rescored(old_url):
    with pytest.raises(Mistake, match="older grader") as said:
        store.opened(old_url)
    assert said.value.mend == "grader db upgrade"
    assert store.upgrade(old_url)[0] == "0001"
    engine = store.opened(old_url)
    before = entries(engine)
    assert [e.slug for e in before] == ["team-a-1", "team-a-2", "team-b-1"]
    assert [e.graded.analysis for e in before] == [None] * 3
    assert before[1].flags == {"withdrawn": "a mistake"}
    with store.unit(engine) as db:
        rescore(db, "old", AT, before)
    after = entries(engine)
    assert all(len(e.graded.analysis.ladder) == 11 for e in after)
    value = {s.measure: s.value for s in before[0].graded.scores if s.subset == "all"}
    again = {s.measure: s.value for s in after[0].graded.scores if s.subset == "all"}
    assert again == pytest.approx(value, abs=1e-12)
    with store.reading(engine) as db:
        board = rank(store.snapshot(db, AT).tasks[0])
    assert {row.entry.slug for row in board.ranked} == {"team-a-1", "team-b-1"}
    engine.dispose()


def test_scores_are_the_same_as_one_text_and_on_the_way_back(old_url):
    rows = text("SELECT * FROM scores ORDER BY grading_id, position")
    engine = store.connect(old_url)
    with engine.begin() as db:
        db.execute(text("UPDATE scores SET value = NULL, note = 'none: é' WHERE position = 1"))
        before = db.execute(rows).all()
    engine.dispose()
    store.upgrade(old_url)
    engine = store.opened(old_url)
    by = {(row.grading_id, row.measure, row.subset): row for row in before}
    held = [s for e in entries(engine) for s in e.graded.scores]
    assert len(held) == len(before)
    for place, entry in enumerate(entries(engine), 1):
        for score in entry.graded.scores:
            row = by.pop((place, score.measure, score.subset))
            assert score == (
                *(row.measure, row.subset, row.n, row.value, row.low, row.high),
                *(row.note, row.no_interval, json.loads(row.details), row.version),
            )
    assert not by
    with migrating(engine) as db:
        alembic(db, command.downgrade, "0004")
        assert db.execute(rows).all() == before
    engine.dispose()


def test_upgrading_says_what_to_rescore_until_it_is(old_url):
    def said():
        done = CliRunner().invoke(main, ["db", "upgrade", "--db", old_url])
        assert done.exit_code == 0, done.output
        return done.stdout.splitlines()

    head = revisions()[-1]
    lacking = "old: 3 runs lack what pages say beside the scores; grader rescore old"
    assert said() == [f"from revision 0001 to {head}", lacking]
    engine = store.opened(old_url)
    with store.unit(engine) as db:
        rescore(db, "old", AT, entries(engine))
    assert said() == [f"already at revision {head}"]
    with engine.begin() as db:
        db.execute(text("UPDATE gradings SET analysis = '{\"version\": 0}' WHERE run_id = 1"))
    assert said()[1] == "old: 1 run lacks what pages say beside the scores; grader rescore old"
    with engine.begin() as db:  # as a run of intervals has none
        db.execute(text("UPDATE gradings SET analysis = NULL, reliability = '[]'"))
    assert said() == [f"already at revision {head}"]
    engine.dispose()


def test_the_log_of_an_older_release_is_read_on_and_is_the_same_on_the_way_back(old_url):
    told = [
        ("run withdraw: team-a-2", ["team-a-2"]),
        ("run flag: team-a-2 primary instead of team-a-1, contrastive", ["team-a-2", "team-a-1"]),
        ("run commit: team-a-1 of Team A", []),
        ("task update: team-a-1 is no longer late", []),
        ("gold drop", []),
        ("phase extend: a: b", []),
    ]
    engine = store.connect(old_url)
    with engine.begin() as db:
        for what, _ in told:
            row = {"what": what, "at": "2026-11-01 15:00:00+00:00"}
            db.execute(
                text(
                    "INSERT INTO log (task_id, what, why, who, at) "
                    "VALUES (1, :what, 'y', 'organiser', :at)"
                ),
                row,
            )
    engine.dispose()
    store.upgrade(old_url)
    engine = store.opened(old_url)
    with store.reading(engine) as db:
        assert [event.what for event in store.history(db, "old")] == [what for what, _ in told]
        for run in ("team-a-1", "team-a-2", "team-b-1"):
            mine = [what for what, named in told if run in named]
            assert [event.what for event in store.history(db, "old", run)] == mine
    with store.unit(engine) as db:
        store.log(db, "old", "run restore: team-a-2", "y", AT, runs_named=["team-a-2"])
    with migrating(engine) as db:
        alembic(db, command.downgrade, "0003")
    with engine.connect() as db:
        whole = db.scalars(text("SELECT what FROM log ORDER BY id")).all()
    assert whole == [*(what for what, _ in told), "run restore: team-a-2"]
    engine.dispose()


def test_and_back_again(old_url):
    store.upgrade(old_url)
    engine = store.opened(old_url)
    with migrating(engine) as db:
        alembic(db, command.downgrade, "0001")
    with engine.connect() as db:
        assert "analysis" not in {c["name"] for c in inspect(db).get_columns("gradings")}
        assert db.scalar(text("SELECT count(*) FROM gradings")) == 3
    engine.dispose()
