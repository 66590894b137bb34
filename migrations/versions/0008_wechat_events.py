"""The events that WeChat has pushed."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import UtcDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "wechat_events",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("dedupe_key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=True),
        sa.Column("received_at", UtcDateTime(), nullable=False),
        sa.Column("available_at", UtcDateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done_at", UtcDateTime(), nullable=True),
        sa.Column("given_up", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("dedupe_key"),
    )
    op.create_index("ix_wechat_events_due", "wechat_events", ["done_at", "available_at"])


def downgrade() -> None:
    op.drop_table("wechat_events")
