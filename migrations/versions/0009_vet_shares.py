"""Shares of a record with a vet, who opened them, and the notes that vets leave."""

import sqlalchemy as sa
from alembic import op

from memory.sqltypes import Json, UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _shares()
    _openings()
    _notes()


def downgrade() -> None:
    for table in ("vet_notes", "vet_share_openings", "vet_shares"):
        op.drop_table(table)


def _shares() -> None:
    op.create_table(
        "vet_shares",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("sections", Json(), nullable=False),
        sa.Column("quotes", sa.Boolean(), nullable=False),
        sa.Column("recipient", sa.String(), nullable=True),
        sa.Column("passcode_hash", sa.String(), nullable=True),
        sa.Column("note_code_hash", sa.String(), nullable=True),
        sa.Column("note_code_until", UtcDateTime(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("paused_until", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("revoked_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token_hash"),
    )
    _index("vet_shares", "household_id", "pet_id", "expires_at")


def _openings() -> None:
    op.create_table(
        "vet_share_openings",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("share_id", sa.String(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("client", sa.String(), nullable=False),
        sa.Column("opened_as", sa.String(), nullable=False),
        sa.Column("sections", Json(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["share_id"], ["vet_shares.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    _index("vet_share_openings", "share_id")


def _notes() -> None:
    op.create_table(
        "vet_notes",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("share_id", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("clinic", sa.String(), nullable=True),
        sa.Column("fields", Json(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("records", Json(), nullable=False),
        sa.Column("left_at", UtcDateTime(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("answered_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    _index("vet_notes", "household_id", "pet_id", "share_id")


def _index(table: str, *columns: str) -> None:
    with op.batch_alter_table(table, schema=None) as batch_op:
        for column in columns:
            batch_op.create_index(batch_op.f(f"ix_{table}_{column}"), [column], unique=False)
