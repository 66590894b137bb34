"""Nights: the dream diary, and where the last night of each owner ended."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import Json, UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

FADING = sa.text("status = 'fading'")


def upgrade() -> None:
    op.create_table(
        "dreams",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("night_on", sa.Date(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("undone_at", UtcDateTime(), nullable=True),
        sa.Column("lines", Json(), nullable=False),
        sa.Column("changes", Json(), nullable=False),
        sa.Column("counts", Json(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_dreams_owner", "dreams", ["owner_id", "id"])
    op.create_index("ix_dreams_household", "dreams", ["household_id"])
    op.create_table(
        "sleeps",
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("seen_message_id", sa.String(), nullable=True),
        sa.Column("seen_at", UtcDateTime(), nullable=True),
        sa.Column("heard_until", UtcDateTime(), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("dream_id", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("owner_id"),
    )
    op.create_index("ix_sleeps_household_id", "sleeps", ["household_id"])
    op.create_index("ix_conversations_last", "conversations", ["last_at"])
    op.create_index(
        "ix_memory_items_fading", "memory_items", ["expires_at"], sqlite_where=FADING, postgresql_where=FADING
    )


def downgrade() -> None:
    op.drop_index("ix_memory_items_fading", "memory_items")
    op.drop_index("ix_conversations_last", "conversations")
    op.drop_table("sleeps")
    op.drop_table("dreams")
