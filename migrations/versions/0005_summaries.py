"""Summaries of conversations, what they were made from, and which conversations wait for one.

Revision ID: 0005
Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import Json, UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("conversations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("summarized_at", UtcDateTime(), nullable=True))
        batch_op.add_column(sa.Column("summary_lease_until", UtcDateTime(), nullable=True))
        batch_op.create_index(
            "ix_conversations_unsummarized",
            ["last_at"],
            unique=False,
            sqlite_where=sa.text("summarized_at IS NULL"),
            postgresql_where=sa.text("summarized_at IS NULL"),
        )
    op.create_table(
        "conversation_summaries",
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=False),
        sa.Column("parts", Json(), nullable=False),
        sa.Column("made_by", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("conversation_id"),
    )
    op.create_index(
        "ix_conversation_summaries_owner", "conversation_summaries", ["household_id", "owner_id", "ended_at"]
    )
    op.create_table(
        "summary_sources",
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("source_id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("conversation_id", "kind", "source_id"),
    )
    op.create_index("ix_summary_sources_household_id", "summary_sources", ["household_id"])
    op.create_index("ix_summary_sources_source", "summary_sources", ["source_id"])


def downgrade() -> None:
    op.drop_table("summary_sources")
    op.drop_table("conversation_summaries")
    with op.batch_alter_table("conversations", schema=None) as batch_op:
        batch_op.drop_index("ix_conversations_unsummarized")
        batch_op.drop_column("summary_lease_until")
        batch_op.drop_column("summarized_at")
