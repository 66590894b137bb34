"""The nightly upgrade: the score's parts, and when each memory is to be looked at again."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import Json, UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

REVIEWED = sa.text("review_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("memory_items", sa.Column("score_parts", Json(), nullable=True))
    op.add_column("memory_items", sa.Column("review_at", UtcDateTime(), nullable=True))
    op.execute("UPDATE memory_items SET review_at = learned_at WHERE status IN ('active', 'provisional', 'candidate')")
    for name, columns in (
        ("ix_memory_items_due", ["review_at", "owner_id"]),
        ("ix_memory_items_review", ["owner_id", "review_at"]),
    ):
        op.create_index(name, "memory_items", columns, unique=False, sqlite_where=REVIEWED, postgresql_where=REVIEWED)


def downgrade() -> None:
    op.drop_index("ix_memory_items_review", "memory_items")
    op.drop_index("ix_memory_items_due", "memory_items")
    op.drop_column("memory_items", "review_at")
    op.drop_column("memory_items", "score_parts")
