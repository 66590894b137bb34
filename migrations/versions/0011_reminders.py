"""Reminders of plans, and the subscriptions of calendar apps."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import UtcDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("schedules") as batch:
        batch.add_column(sa.Column("remind_at", UtcDateTime(), nullable=True))
        batch.create_index(batch.f("ix_schedules_remind_at"), ["remind_at"])
    op.execute("UPDATE schedules SET remind_at = created_at WHERE status = 'active'")  # the next run works out the time
    op.create_table(
        "calendar_tokens",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    with op.batch_alter_table("calendar_tokens") as batch:
        batch.create_index(batch.f("ix_calendar_tokens_household_id"), ["household_id"])
        batch.create_index(batch.f("ix_calendar_tokens_owner_id"), ["owner_id"])


def downgrade() -> None:
    op.drop_table("calendar_tokens")
    with op.batch_alter_table("schedules") as batch:
        batch.drop_index(batch.f("ix_schedules_remind_at"))
        batch.drop_column("remind_at")
