"""phases: aliases, commitments, refusals, what a run says and says of itself"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade():
    op.create_table(
        "aliases",
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_aliases_team_id_teams")),
        sa.PrimaryKeyConstraint("folded", name=op.f("pk_aliases")),
    )
    op.create_table(
        "commitments",
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("phase", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["task_id"], ["tasks.id"], name=op.f("fk_commitments_task_id_tasks")
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_commitments_team_id_teams")
        ),
        sa.PrimaryKeyConstraint(
            "task_id", "team_id", "phase", "sha256", name=op.f("pk_commitments")
        ),
    )
    op.create_table(
        "refusals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("filename", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("codes", sa.Text(), nullable=False),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["tasks.id"], name=op.f("fk_refusals_task_id_tasks")),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_refusals_team_id_teams")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refusals")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        op.f("ix_refusals_task_id_team_id_at"), "refusals", ["task_id", "team_id", "at"]
    )
    op.add_column("runs", sa.Column("content", sa.Text(), nullable=True))
    op.add_column("runs", sa.Column("about", sa.Text(), nullable=True))


def downgrade():
    op.drop_column("runs", "about")
    op.drop_column("runs", "content")
    op.drop_index(op.f("ix_refusals_task_id_team_id_at"), table_name="refusals")
    op.drop_table("refusals")
    op.drop_table("commitments")
    op.drop_table("aliases")
