"""The stored summaries of the eight archives of each pet."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import Json, UtcDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

STALE = sa.text("stale_at IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "archives",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("summary", sa.String(), nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.Column("made_from", Json(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=True),
        sa.Column("stale_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("household_id", "subject", "topic"),
    )
    op.create_index(
        "ix_archives_stale", "archives", ["stale_at", "owner_id"], sqlite_where=STALE, postgresql_where=STALE
    )


def downgrade() -> None:
    op.drop_table("archives")
