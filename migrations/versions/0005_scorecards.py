"""scorecards: the scores of a grading are one text"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_TEXTS = ("note", "no_interval", "details")
_NUMBERS = ("value", "low", "high")
_FIELDS = ("measure", "subset", "n", *_NUMBERS, *_TEXTS, "version")
_SCORES = sa.table("scores", *map(sa.column, ("grading_id", "position", *_FIELDS)))
_CARDS = sa.table("scorecards", sa.column("grading_id"), sa.column("body"))
_OF_GRADING = (["grading_id"], ["gradings.id"])


def upgrade():
    op.create_table(
        "scorecards",
        sa.Column("grading_id", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            *_OF_GRADING, name=op.f("fk_scorecards_grading_id_gradings"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("grading_id", name=op.f("pk_scorecards")),
    )
    db = op.get_bind()
    for grading in db.scalars(sa.text("SELECT id FROM gradings")).all():
        of = sa.select(*(_SCORES.c[name] for name in _FIELDS))
        of = of.where(_SCORES.c.grading_id == grading).order_by(_SCORES.c.position)
        rows = [(*row[:8], json.loads(row.details), row.version) for row in db.execute(of)]
        columns = list(zip(*rows, strict=True)) or [()] * len(_FIELDS)
        body = json.dumps(dict(zip(_FIELDS, columns, strict=True)), separators=(",", ":"))
        db.execute(_CARDS.insert().values(grading_id=grading, body=body))
    op.drop_table("scores")


def downgrade():
    op.create_table(
        "scores",
        sa.Column("grading_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        *(sa.Column(name, sa.Text(), nullable=False) for name in ("subset", "measure")),
        sa.Column("n", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Double(), nullable=True) for name in _NUMBERS),
        *(sa.Column(name, sa.Text(), nullable=False) for name in _TEXTS),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "value IS NOT NULL OR note <> ''", name=op.f("ck_scores_undefined_has_reason")
        ),
        *(
            sa.CheckConstraint(
                f"{name} BETWEEN -1e308 AND 1e308", name=op.f(f"ck_scores_{name}_finite")
            )
            for name in ("high", "low", "value")
        ),
        sa.ForeignKeyConstraint(
            *_OF_GRADING, name=op.f("fk_scores_grading_id_gradings"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("grading_id", "position", name=op.f("pk_scores")),
        sa.UniqueConstraint(
            "grading_id", "subset", "measure", name=op.f("uq_scores_grading_id_subset_measure")
        ),
    )
    db = op.get_bind()
    for grading in db.scalars(sa.text("SELECT grading_id FROM scorecards")).all():
        body = db.scalar(sa.select(_CARDS.c.body).where(_CARDS.c.grading_id == grading))
        columns = json.loads(body)
        texts = [json.dumps(each, separators=(",", ":")) for each in columns["details"]]
        rows = zip(*({**columns, "details": texts}[name] for name in _FIELDS), strict=True)
        for position, row in enumerate(rows):
            told = dict(zip(_FIELDS, row, strict=True), grading_id=grading, position=position)
            db.execute(_SCORES.insert().values(told))
    op.drop_table("scorecards")
