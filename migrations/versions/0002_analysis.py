"""analysis"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade():
    op.add_column("gradings", sa.Column("analysis", sa.Text(), nullable=True))


def downgrade():
    op.drop_column("gradings", "analysis")
