"""The care calendar: plans of a whole day, and what was done to plans in chat."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import Json, UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("schedules") as batch:
        batch.add_column(sa.Column("all_day", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("schedules") as batch:
        batch.alter_column("all_day", server_default=None)
    op.create_table(
        "schedule_acts",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("schedule_id", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("before", Json(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["schedule_id"], ["schedules.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("schedule_acts") as batch:
        batch.create_index(batch.f("ix_schedule_acts_household_id"), ["household_id"])
        batch.create_index(batch.f("ix_schedule_acts_schedule_id"), ["schedule_id"])


def downgrade() -> None:
    op.drop_table("schedule_acts")
    with op.batch_alter_table("schedules") as batch:
        batch.drop_column("all_day")
