"""Photos of pets."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import UtcDateTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "photos",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=True),
        sa.Column("file_key", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("trace_id", sa.String(), nullable=True),
        sa.Column("checks", sa.Integer(), nullable=False),
        sa.Column("check_at", UtcDateTime(), nullable=True),
        sa.Column("judged_at", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_photos_household", "photos", ["household_id", "id"])
    op.create_index("ix_photos_waiting", "photos", ["status", "check_at"])
    for column in ("file_key", "pet_id", "trace_id"):
        op.create_index(f"ix_photos_{column}", "photos", [column])


def downgrade() -> None:
    op.drop_table("photos")
