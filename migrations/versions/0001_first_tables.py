"""first tables"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "payloads",
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_payloads")),
    )
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
        sa.UniqueConstraint("slug", name=op.f("uq_tasks_slug")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "teams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=True),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("folded", name=op.f("uq_teams_folded")),
        sa.UniqueConstraint("slug", name=op.f("uq_teams_slug")),
        sa.UniqueConstraint("token", name=op.f("uq_teams_token")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "golds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("registered", sa.DateTime(timezone=True), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("scored", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_golds_task_id_tasks")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_golds")),
        sa.UniqueConstraint("task_id", "version", name=op.f("uq_golds_task_id_version")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_log_task_id_tasks")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_log")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.CheckConstraint("status IN ('accepted', 'held')", name=op.f("ck_runs_status")),
        sa.ForeignKeyConstraint(
            ["sha256"], ["payloads.sha256"], name=op.f("fk_runs_sha256_payloads")
        ),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_runs_task_id_tasks")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_runs_team_id_teams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
        sa.UniqueConstraint("task_id", "slug", name=op.f("uq_runs_task_id_slug")),
        sa.UniqueConstraint(
            "task_id", "team_id", "number", name=op.f("uq_runs_task_id_team_id_number")
        ),
        sa.UniqueConstraint(
            "task_id",
            "team_id",
            "phase",
            "name",
            "sha256",
            name=op.f("uq_runs_task_id_team_id_phase_name_sha256"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "dimensions",
        sa.Column("gold_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("labels", sa.Text(), nullable=False),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["gold_id"], ["golds.id"], name=op.f("fk_dimensions_gold_id_golds")
        ),
        sa.PrimaryKeyConstraint("gold_id", "position", name=op.f("pk_dimensions")),
    )
    op.create_table(
        "gradings",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("gold_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("of", sa.Integer(), nullable=False),
        sa.Column("right", sa.Integer(), nullable=False),
        sa.Column("abstained", sa.Integer(), nullable=False),
        sa.Column("reliability", sa.Text(), nullable=False),
        sa.Column("notices", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["gold_id"], ["golds.id"], name=op.f("fk_gradings_gold_id_golds")),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_gradings_run_id_runs")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_gradings")),
        sa.UniqueConstraint("run_id", "gold_id", name=op.f("uq_gradings_run_id_gold_id")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "instances",
        sa.Column("gold_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("ident", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=False),
        sa.Column("cluster", sa.Text(), nullable=True),
        sa.Column("split", sa.Text(), nullable=True),
        sa.Column("subsets", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("decided", sa.DateTime(timezone=True), nullable=True),
        sa.Column("post_hoc", sa.Boolean(), nullable=False),
        sa.CheckConstraint(
            "status IN ('scored', 'dropped', 'unjudged')", name=op.f("ck_instances_status")
        ),
        sa.ForeignKeyConstraint(
            ["gold_id"], ["golds.id"], name=op.f("fk_instances_gold_id_golds")
        ),
        sa.PrimaryKeyConstraint("gold_id", "position", name=op.f("pk_instances")),
        sa.UniqueConstraint("gold_id", "ident", name=op.f("uq_instances_gold_id_ident")),
    )
    op.create_table(
        "run_flags",
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("flag", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "flag IN ('primary', 'contrastive', 'baseline', 'late', "
            "'amended', 'waived', 'withdrawn')",
            name=op.f("ck_run_flags_flag"),
        ),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=op.f("fk_run_flags_run_id_runs")),
        sa.PrimaryKeyConstraint("run_id", "flag", name=op.f("pk_run_flags")),
    )
    op.create_table(
        "scores",
        sa.Column("grading_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("subset", sa.Text(), nullable=False),
        sa.Column("measure", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("low", sa.Double(), nullable=True),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("no_interval", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "value IS NOT NULL OR note <> ''", name=op.f("ck_scores_undefined_has_reason")
        ),
        sa.CheckConstraint("high BETWEEN -1e308 AND 1e308", name=op.f("ck_scores_high_finite")),
        sa.CheckConstraint("low BETWEEN -1e308 AND 1e308", name=op.f("ck_scores_low_finite")),
        sa.CheckConstraint("value BETWEEN -1e308 AND 1e308", name=op.f("ck_scores_value_finite")),
        sa.ForeignKeyConstraint(
            ["grading_id"],
            ["gradings.id"],
            name=op.f("fk_scores_grading_id_gradings"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("grading_id", "position", name=op.f("pk_scores")),
        sa.UniqueConstraint(
            "grading_id", "subset", "measure", name=op.f("uq_scores_grading_id_subset_measure")
        ),
    )


def downgrade():
    op.drop_table("scores")
    op.drop_table("run_flags")
    op.drop_table("instances")
    op.drop_table("gradings")
    op.drop_table("dimensions")
    op.drop_table("runs")
    op.drop_table("log")
    op.drop_table("golds")
    op.drop_table("teams")
    op.drop_table("tasks")
    op.drop_table("payloads")
