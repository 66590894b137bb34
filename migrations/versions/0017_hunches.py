"""Nights that left something open, and what is only suspected so far."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import Json, UtcDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("sleeps", schema=None) as batch_op:
        batch_op.add_column(sa.Column("again_at", UtcDateTime(), nullable=True))
    op.create_table(
        "hunches",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("sources", Json(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("memory_id", sa.String(), nullable=True),
        sa.Column("found_at", UtcDateTime(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ux_hunches_key", "hunches", ["household_id", "subject", "key"], unique=True)
    op.create_index("ix_hunches_status", "hunches", ["household_id", "status"])


def downgrade() -> None:
    op.drop_table("hunches")
    with op.batch_alter_table("sleeps", schema=None) as batch_op:
        batch_op.drop_column("again_at")
