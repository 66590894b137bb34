"""Pushes: what became of each subscribe message, what owners have allowed, and templates that WeChat has banned."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pushes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("template_id", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("neutral", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("errcode", sa.Integer(), nullable=True),
        sa.Column("msgid", sa.String(), nullable=True),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.Column("leased_until", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("pushes") as batch_op:
        batch_op.create_index(batch_op.f("ix_pushes_msgid"), ["msgid"], unique=False)
        batch_op.create_index("ix_pushes_owner", ["owner_id", "kind", "made_at"], unique=False)
        batch_op.create_index("ix_pushes_state", ["state", "leased_until"], unique=False)

    op.create_table(
        "subscription_grants",
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("template_id", sa.String(), nullable=False),
        sa.Column("remaining", sa.Integer(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("owner_id", "template_id"),
    )
    op.create_table(
        "subscription_answers",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("template_id", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("event_key", sa.String(), nullable=True),
        sa.Column("paired", sa.Boolean(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("owner_id", "event_key"),
    )
    with op.batch_alter_table("subscription_answers") as batch_op:
        batch_op.create_index("ix_subscription_answers_tap", ["owner_id", "template_id", "at"], unique=False)

    op.create_table(
        "stopped_templates",
        sa.Column("template_id", sa.String(), nullable=False),
        sa.Column("errcode", sa.Integer(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("template_id"),
    )
    with op.batch_alter_table("inbox_messages") as batch_op:
        batch_op.add_column(sa.Column("push_id", sa.String(), nullable=True))
        batch_op.create_index(batch_op.f("ix_inbox_messages_push_id"), ["push_id"], unique=False)
        batch_op.create_index("ix_inbox_delivery", ["delivery", "not_before"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("inbox_messages") as batch_op:
        batch_op.drop_index("ix_inbox_delivery")
        batch_op.drop_index(batch_op.f("ix_inbox_messages_push_id"))
        batch_op.drop_column("push_id")
    op.drop_table("stopped_templates")
    op.drop_table("subscription_answers")
    op.drop_table("subscription_grants")
    op.drop_table("pushes")
