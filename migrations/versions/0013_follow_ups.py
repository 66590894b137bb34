"""Follow-ups, and finding the lines that hold for a time only."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import Json, UtcDateTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

OPEN = sa.text("status = 'open'")
TEMPORARY = sa.text("expires_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "follow_ups",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attributes", Json(), nullable=False),
        sa.Column("about", sa.String(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.Column("due_on", sa.Date(), nullable=False),
        sa.Column("put_off", sa.Integer(), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=True),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_follow_ups_household_id", "follow_ups", ["household_id"])
    op.create_index("ix_follow_ups_owner", "follow_ups", ["owner_id", "status"])
    op.create_index("ix_follow_ups_due", "follow_ups", ["due_on"], sqlite_where=OPEN, postgresql_where=OPEN)
    op.create_index(
        "ux_follow_ups_open",
        "follow_ups",
        ["owner_id", "pet_id"],
        unique=True,
        sqlite_where=OPEN,
        postgresql_where=OPEN,
    )
    op.create_index(
        "ix_memory_items_temporary",
        "memory_items",
        ["household_id"],
        sqlite_where=TEMPORARY,
        postgresql_where=TEMPORARY,
    )


def downgrade() -> None:
    op.drop_index("ix_memory_items_temporary", "memory_items")
    op.drop_table("follow_ups")
