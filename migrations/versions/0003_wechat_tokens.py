"""The WeChat access token that all processes share."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "wechat_tokens",
        sa.Column("appid", sa.String(), nullable=False),
        sa.Column("sealed", sa.String(), nullable=True),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=True),
        sa.Column("fetching_until", UtcDateTime(), nullable=True),
        sa.Column("refetched_at", UtcDateTime(), nullable=True),
        sa.Column("forced_at", UtcDateTime(), nullable=True),
        sa.Column("forced_on", sa.Date(), nullable=True),
        sa.Column("forced_times", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("appid"),
    )


def downgrade() -> None:
    op.drop_table("wechat_tokens")
