"""campaign: registration, judging, discretion, releases and disputes"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def _number(name="id", *, nullable=False):
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _text(name, *, nullable=False):
    return sa.Column(name, sa.Text(), nullable=nullable)


def _moment(name, *, nullable=False):
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _of(table, column, target):
    name = op.f(f"fk_{table}_{column}_{target}")
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=name)


def _key(table):
    return sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}"))


def _table(name, *columns, **of):
    """A table with a key, and the tables that its columns are of."""
    targets = (_of(name, column, target) for column, target in of.items())
    op.create_table(name, _number(), *columns, *targets, _key(name), sqlite_autoincrement=True)


_FLAGS = ("primary", "contrastive", "baseline", "late", "amended", "waived", "withdrawn")


def _flags(names):
    """What a run may be marked as. SQLite changes no check: the table is made anew."""
    words = ", ".join(f"'{name}'" for name in names)
    check = sa.CheckConstraint(f"flag IN ({words})", name=op.f("ck_run_flags_flag"))
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint(op.f("ck_run_flags_flag"), "run_flags", type_="check")
        op.create_check_constraint(op.f("ck_run_flags_flag"), "run_flags", check.sqltext)
        return
    op.create_table(
        "run_flags_new",
        _number("run_id"),
        _text("flag"),
        _text("why"),
        _moment("at"),
        check,
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_run_flags_run_id_runs")),
        sa.PrimaryKeyConstraint("run_id", "flag", name=op.f("pk_run_flags")),
    )
    op.execute("INSERT INTO run_flags_new SELECT run_id, flag, why, at FROM run_flags")
    op.drop_table("run_flags")
    op.rename_table("run_flags_new", "run_flags")


def _verbs():
    """Part the lines of the log into a verb and the rest."""
    op.add_column("log", _text("verb", nullable=True))
    db = op.get_bind()
    for line, said in db.execute(sa.text("SELECT id, what FROM log")).all():
        verb, _, rest = said.partition(": ")
        change = "UPDATE log SET verb = :verb, what = :what WHERE id = :line"
        db.execute(sa.text(change), {"line": line, "verb": verb, "what": rest})
    if db.dialect.name != "sqlite":
        op.alter_column("log", "verb", nullable=False)
        return
    # SQLite changes no column: the table is made anew.
    op.create_table(
        "log_new",
        _number(),
        _number("task_id"),
        *(_text(name) for name in ("verb", "what", "why", "who")),
        _moment("at"),
        _of("log", "task_id", "tasks"),
        _key("log"),
        sqlite_autoincrement=True,
    )
    op.execute("INSERT INTO log_new SELECT id, task_id, verb, what, why, who, at FROM log")
    op.drop_table("log")
    op.rename_table("log_new", "log")


def _named():
    """Say which runs the lines of the log name."""
    op.create_table(
        "log_runs",
        _number("log_id"),
        _number("position"),
        _number("run_id"),
        _of("log_runs", "log_id", "log"),
        _of("log_runs", "run_id", "runs"),
        sa.PrimaryKeyConstraint("log_id", "position", name=op.f("pk_log_runs")),
    )
    db = op.get_bind()
    found = db.execute(sa.text("SELECT task_id, slug, id FROM runs"))
    runs = {(task, slug): run for task, slug, run in found}
    lines = "SELECT id, task_id, what FROM log WHERE verb LIKE 'run %' AND verb <> 'run commit'"
    for line, task, said in db.execute(sa.text(lines)).all():
        words = re.split("[, ]+", said)
        mine = dict.fromkeys(runs[task, word] for word in words if (task, word) in runs)
        for i, run in enumerate(mine):
            row = {"line": line, "i": i, "run": run}
            db.execute(sa.text("INSERT INTO log_runs VALUES (:line, :i, :run)"), row)


def upgrade():
    _flags((*_FLAGS[:4], "extended", *_FLAGS[4:]))
    for name in ("affiliation", "contact", "tracks"):
        op.add_column("teams", _text(name, nullable=True))
    op.add_column("teams", sa.Column("consent", sa.Boolean(), nullable=True))
    for name in ("consented", "erased"):
        op.add_column("teams", _moment(name, nullable=True))
    _verbs()
    _named()
    op.add_column("golds", _moment("released", nullable=True))
    for name in ("who", "seen"):
        op.add_column("golds", _text(name, nullable=True))
    op.add_column("instances", _text("rejected", nullable=True))
    op.add_column("runs", _text("waived", nullable=True))
    _table(
        "campaigns",
        _text("slug"),
        _text("config"),
        _moment("created"),
        _moment("changed"),
        sa.UniqueConstraint("slug", name=op.f("uq_campaigns_slug")),
    )
    _table(
        "extensions",
        _number("task_id"),
        _text("phase"),
        _number("team_id", nullable=True),
        _moment("closes"),
        _text("why"),
        _moment("at"),
        task_id="tasks",
        team_id="teams",
    )
    _table(
        "amendments",
        _number("run_id"),
        _text("sha256"),
        _text("filename"),
        _text("why"),
        _moment("at"),
        sa.ForeignKeyConstraint(
            ["sha256"], ["payloads.sha256"], name=op.f("fk_amendments_sha256_payloads")
        ),
        run_id="runs",
    )
    _table(
        "handouts",
        _number("task_id"),
        _text("phase"),
        _number("team_id"),
        _moment("at"),
        task_id="tasks",
        team_id="teams",
    )
    _table(
        "releases",
        _number("task_id"),
        _text("name"),
        _number("gold_id"),
        _number("log_id"),
        _text("document"),
        _text("why"),
        _moment("at"),
        sa.UniqueConstraint("task_id", "name", name=op.f("uq_releases_task_id_name")),
        task_id="tasks",
        gold_id="golds",
        log_id="log",
    )
    _table(
        "disputes",
        _number("task_id"),
        _number("number"),
        _text("ident", nullable=True),
        _number("run_id", nullable=True),
        _number("team_id", nullable=True),
        _text("said"),
        _moment("opened"),
        _text("answer", nullable=True),
        _moment("answered", nullable=True),
        sa.UniqueConstraint("task_id", "number", name=op.f("uq_disputes_task_id_number")),
        task_id="tasks",
        run_id="runs",
        team_id="teams",
    )
    _table(
        "judges",
        _number("task_id"),
        _text("name"),
        _text("folded"),
        _text("kind"),
        _text("prompt"),
        _moment("at"),
        sa.UniqueConstraint("task_id", "folded", name=op.f("uq_judges_task_id_folded")),
        sa.CheckConstraint("kind IN ('person', 'model', 'pipeline')", name=op.f("ck_judges_kind")),
        task_id="tasks",
    )
    _table(
        "judgements",
        _number("task_id"),
        _number("judge_id"),
        *(_text(name) for name in ("ident", "answer", "run", "label", "columns", "why")),
        _moment("at"),
        task_id="tasks",
        judge_id="judges",
    )
    op.create_index(op.f("ix_judgements_task_id"), "judgements", ["task_id"])

    op.create_table(
        "views",
        _number("grading_id"),
        _text("form"),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["grading_id"],
            ["gradings.id"],
            name=op.f("fk_views_grading_id_gradings"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("grading_id", name=op.f("pk_views")),
    )


def downgrade():
    op.execute("DELETE FROM run_flags WHERE flag = 'extended'")
    _flags(_FLAGS)
    op.drop_index(op.f("ix_judgements_task_id"), table_name="judgements")
    for table in (
        "views",
        "judgements",
        "judges",
        "disputes",
        "releases",
        "handouts",
        "amendments",
        "extensions",
        "campaigns",
        "log_runs",
    ):
        op.drop_table(table)
    op.execute("UPDATE log SET what = verb || CASE what WHEN '' THEN '' ELSE ': ' || what END")
    op.drop_column("log", "verb")
    op.drop_column("runs", "waived")
    op.drop_column("instances", "rejected")
    for name in ("seen", "who", "released"):
        op.drop_column("golds", name)
    for name in ("erased", "consented", "consent", "tracks", "contact", "affiliation"):
        op.drop_column("teams", name)
