"""What owners think of answers."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import UtcDateTime

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "turn_feedback",
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("memory_id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("turn_id", "memory_id"),
    )
    op.create_index("ix_turn_feedback_memory", "turn_feedback", ["memory_id"])
    op.create_index("ix_turn_feedback_household_id", "turn_feedback", ["household_id"])


def downgrade() -> None:
    op.drop_table("turn_feedback")
