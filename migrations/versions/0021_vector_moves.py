"""Which collection of vectors answers questions, and a move to another one."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import Json, UtcDateTime

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "serving_vectors",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("serving", Json(), nullable=False),
        sa.Column("beside", Json(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("cursor", sa.String(), nullable=True),
        sa.Column("filled", sa.Boolean(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.Column("progress_at", UtcDateTime(), nullable=False),
        sa.Column("worker", sa.String(), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    op.drop_table("serving_vectors")
