"""First tables: households, pets, records, turns, memory, and the full-text index of each database."""

import sqlalchemy as sa
from alembic import op

from memory.search_documents import POSTGRES_INDEX, SQLITE_INDEX
from memory.sqltypes import Json, UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "households",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "job_runs",
        sa.Column("job", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("local_on", sa.Date(), nullable=False),
        sa.Column("lease_until", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("job", "subject", "local_on"),
    )
    op.create_table(
        "confirmations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("old", Json(), nullable=True),
        sa.Column("new", Json(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("candidate_id", sa.String(), nullable=False),
        sa.Column("established_id", sa.String(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("lapses_at", UtcDateTime(), nullable=False),
        sa.Column("asked_again_at", UtcDateTime(), nullable=True),
        sa.Column("answered_at", UtcDateTime(), nullable=True),
        sa.Column("answered_by", sa.String(), nullable=True),
        sa.Column("answer", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("confirmations", schema=None) as batch_op:
        batch_op.create_index("ix_confirmations_household", ["household_id", "status"], unique=False)
        batch_op.create_index(
            "ux_confirmations_open",
            ["household_id", "subject", "attribute"],
            unique=True,
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )

    op.create_table(
        "conversations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("last_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("conversations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_conversations_household_id"), ["household_id"], unique=False)
        batch_op.create_index("ix_conversations_owner_last", ["owner_id", "last_at"], unique=False)

    op.create_table(
        "evidence",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("target_kind", sa.String(), nullable=False),
        sa.Column("target_id", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.Column("conversation_id", sa.String(), nullable=True),
        sa.Column("quote", sa.String(), nullable=False),
        sa.Column("said_at", UtcDateTime(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("evidence", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_evidence_household_id"), ["household_id"], unique=False)
        batch_op.create_index("ix_evidence_message", ["message_id"], unique=False)
        batch_op.create_index("ix_evidence_target", ["target_kind", "target_id"], unique=False)

    op.create_table(
        "memory_items",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=True),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("attribute_class", sa.String(), nullable=False),
        sa.Column("value", Json(), nullable=False),
        sa.Column("negated", sa.Boolean(), nullable=False),
        sa.Column("certainty", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("memory_type", sa.String(), nullable=False),
        sa.Column("risk", sa.String(), nullable=False),
        sa.Column("weight_level", sa.Integer(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("tier", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("upgrade", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("locked", sa.Boolean(), nullable=False),
        sa.Column("protected", sa.Boolean(), nullable=False),
        sa.Column("record_kind", sa.String(), nullable=True),
        sa.Column("record_id", sa.String(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("premises", Json(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_from_precision", sa.String(), nullable=False),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("learned_at", UtcDateTime(), nullable=False),
        sa.Column("retired_at", UtcDateTime(), nullable=True),
        sa.Column("expires_at", UtcDateTime(), nullable=True),
        sa.Column("snoozed_until", UtcDateTime(), nullable=True),
        sa.Column("last_evidence_at", UtcDateTime(), nullable=False),
        sa.Column("last_used_at", UtcDateTime(), nullable=True),
        sa.Column("cited", sa.Integer(), nullable=False),
        sa.Column("viewed", sa.Integer(), nullable=False),
        sa.Column("hit", sa.Integer(), nullable=False),
        sa.Column("score", sa.Float(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("status_before", sa.String(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("memory_items", schema=None) as batch_op:
        batch_op.create_index("ix_memory_items_class", ["household_id", "attribute_class"], unique=False)
        batch_op.create_index("ix_memory_items_dated", ["household_id", "valid_from"], unique=False)
        batch_op.create_index(
            "ix_memory_items_recurring",
            ["household_id"],
            unique=False,
            sqlite_where=sa.text("value LIKE '%\"recurrence\"%'"),
            postgresql_where=sa.text("value LIKE '%\"recurrence\"%'"),
        )
        batch_op.create_index("ix_memory_items_slot", ["household_id", "subject", "attribute"], unique=False)
        batch_op.create_index("ix_memory_items_status", ["household_id", "status", "tier"], unique=False)
        batch_op.create_index(
            "ux_memory_items_record",
            ["record_kind", "record_id"],
            unique=True,
            sqlite_where=sa.text("record_id IS NOT NULL"),
            postgresql_where=sa.text("record_id IS NOT NULL"),
        )

    op.create_table(
        "outbox",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("payload", Json(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("available_at", UtcDateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_due", ["available_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_outbox_household_id"), ["household_id"], unique=False)

    op.create_table(
        "owners",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("appid", sa.String(), nullable=False),
        sa.Column("openid", sa.String(), nullable=False),
        sa.Column("nickname", sa.String(), nullable=True),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("quiet_from", sa.Time(), nullable=False),
        sa.Column("quiet_to", sa.Time(), nullable=False),
        sa.Column("preferences", Json(), nullable=False),
        sa.Column("phone_encrypted", sa.String(), nullable=True),
        sa.Column("phone_masked", sa.String(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("appid", "openid"),
    )
    with op.batch_alter_table("owners", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_owners_household_id"), ["household_id"], unique=False)

    op.create_table(
        "pets",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("nicknames", Json(), nullable=False),
        sa.Column("species", sa.String(), nullable=False),
        sa.Column("species_name", sa.String(), nullable=True),
        sa.Column("breed", sa.String(), nullable=True),
        sa.Column("sex", sa.String(), nullable=False),
        sa.Column("neutered", sa.Boolean(), nullable=True),
        sa.Column("born_on", sa.Date(), nullable=True),
        sa.Column("born_on_precision", sa.String(), nullable=False),
        sa.Column("microchip", sa.String(), nullable=True),
        sa.Column("photo", sa.String(), nullable=True),
        sa.Column("no_known_allergies", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("pets", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pets_household_id"), ["household_id"], unique=False)

    op.create_table(
        "search_documents",
        sa.Column("rowid", sa.Integer(), nullable=False),
        sa.Column("doc_id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("tokens", sa.String(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("rowid"),
    )
    with op.batch_alter_table("search_documents", schema=None) as batch_op:
        batch_op.create_index("ix_search_documents_doc", ["doc_id"], unique=True)
        batch_op.create_index("ix_search_documents_kind", ["household_id", "kind"], unique=False)

    op.create_table(
        "tombstones",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=True),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("value_hash", sa.String(), nullable=False),
        sa.Column("deleted_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("tombstones", schema=None) as batch_op:
        batch_op.create_index("ix_tombstones_slot", ["household_id", "subject", "attribute"], unique=False)

    op.create_table(
        "turns",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=True),
        sa.Column("message_id", sa.String(), nullable=True),
        sa.Column("client_msg_id", sa.String(), nullable=False),
        sa.Column("body_hash", sa.String(), nullable=False),
        sa.Column("temporary", sa.Boolean(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("lease_until", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("answer", Json(), nullable=True),
        sa.Column("trace", Json(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("owner_id", "client_msg_id"),
    )
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_turns_household_id"), ["household_id"], unique=False)
        batch_op.create_index(
            "ux_turns_running",
            ["owner_id"],
            unique=True,
            sqlite_where=sa.text("status = 'running'"),
            postgresql_where=sa.text("status = 'running'"),
        )

    op.create_table(
        "allergies",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("substance", sa.String(), nullable=False),
        sa.Column("category", sa.String(), nullable=False),
        sa.Column("reaction", sa.String(), nullable=True),
        sa.Column("criticality", sa.String(), nullable=False),
        sa.Column("verification_status", sa.String(), nullable=False),
        sa.Column("onset_on", sa.Date(), nullable=True),
        sa.Column("onset_on_precision", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("allergies", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_allergies_attribute"), ["attribute"], unique=False)
        batch_op.create_index(batch_op.f("ix_allergies_household_id"), ["household_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_allergies_pet_id"), ["pet_id"], unique=False)

    op.create_table(
        "conditions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("stage", sa.String(), nullable=True),
        sa.Column("clinical_status", sa.String(), nullable=False),
        sa.Column("onset_on", sa.Date(), nullable=True),
        sa.Column("onset_on_precision", sa.String(), nullable=False),
        sa.Column("ended_on", sa.Date(), nullable=True),
        sa.Column("ended_on_precision", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("conditions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_conditions_attribute"), ["attribute"], unique=False)
        batch_op.create_index(batch_op.f("ix_conditions_household_id"), ["household_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_conditions_pet_id"), ["pet_id"], unique=False)

    op.create_table(
        "consents",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("granted", sa.Boolean(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("consents", schema=None) as batch_op:
        batch_op.create_index("ix_consents_owner", ["owner_id", "purpose"], unique=False)

    op.create_table(
        "dewormings",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("product", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=True),
        sa.Column("given_on", sa.Date(), nullable=True),
        sa.Column("given_on_precision", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("dewormings", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_dewormings_attribute"), ["attribute"], unique=False)
        batch_op.create_index(batch_op.f("ix_dewormings_household_id"), ["household_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_dewormings_pet_id"), ["pet_id"], unique=False)

    op.create_table(
        "diets",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("food", sa.String(), nullable=False),
        sa.Column("brand", sa.String(), nullable=True),
        sa.Column("amount", sa.String(), nullable=True),
        sa.Column("frequency", sa.String(), nullable=True),
        sa.Column("prescription", sa.Boolean(), nullable=False),
        sa.Column("started_on", sa.Date(), nullable=True),
        sa.Column("started_on_precision", sa.String(), nullable=False),
        sa.Column("ended_on", sa.Date(), nullable=True),
        sa.Column("ended_on_precision", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("diets", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_diets_attribute"), ["attribute"], unique=False)
        batch_op.create_index(batch_op.f("ix_diets_household_id"), ["household_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_diets_pet_id"), ["pet_id"], unique=False)

    op.create_table(
        "idempotency_keys",
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("body_hash", sa.String(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("response", Json(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("owner_id", "key"),
    )
    op.create_table(
        "inbox_messages",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("dedupe_key", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("body", sa.String(), nullable=False),
        sa.Column("link", Json(), nullable=False),
        sa.Column("not_before", UtcDateTime(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("read_at", UtcDateTime(), nullable=True),
        sa.Column("delivery", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("owner_id", "dedupe_key"),
    )
    with op.batch_alter_table("inbox_messages", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_inbox_messages_household_id"), ["household_id"], unique=False)
        batch_op.create_index("ix_inbox_owner", ["owner_id", "id"], unique=False)

    op.create_table(
        "medications",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("product", sa.String(), nullable=False),
        sa.Column("ingredient", sa.String(), nullable=True),
        sa.Column("dose_text", sa.String(), nullable=True),
        sa.Column("frequency_text", sa.String(), nullable=True),
        sa.Column("started_on", sa.Date(), nullable=True),
        sa.Column("started_on_precision", sa.String(), nullable=False),
        sa.Column("ended_on", sa.Date(), nullable=True),
        sa.Column("ended_on_precision", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("medications", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_medications_attribute"), ["attribute"], unique=False)
        batch_op.create_index(batch_op.f("ix_medications_household_id"), ["household_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_medications_pet_id"), ["pet_id"], unique=False)

    op.create_table(
        "memory_versions",
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("snapshot", Json(), nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["memory_items.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item_id", "version"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("conversation_id", sa.String(), nullable=False),
        sa.Column("turn_id", sa.String(), nullable=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=True),
        sa.Column("ai_generated", sa.Boolean(), nullable=False),
        sa.Column("said_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["conversation_id"], ["conversations.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.create_index("ix_messages_conversation", ["conversation_id", "id"], unique=False)

    op.create_table(
        "observations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("unit", sa.String(), nullable=True),
        sa.Column("severity", sa.String(), nullable=True),
        sa.Column("negated", sa.Boolean(), nullable=False),
        sa.Column("occurred_at", UtcDateTime(), nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("observations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_observations_attribute"), ["attribute"], unique=False)
        batch_op.create_index(batch_op.f("ix_observations_household_id"), ["household_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_observations_pet_id"), ["pet_id"], unique=False)

    op.create_table(
        "record_versions",
        sa.Column("record_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("record_kind", sa.String(), nullable=False),
        sa.Column("snapshot", Json(), nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("record_id", "version"),
    )
    with op.batch_alter_table("record_versions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_record_versions_household_id"), ["household_id"], unique=False)

    op.create_table(
        "schedules",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=True),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("starts_at", UtcDateTime(), nullable=False),
        sa.Column("timezone", sa.String(), nullable=False),
        sa.Column("rrule", sa.String(), nullable=True),
        sa.Column("remind_before_minutes", Json(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("schedules", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_schedules_household_id"), ["household_id"], unique=False)

    op.create_table(
        "sign_in_sessions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner_id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("rotated_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("revoked_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["owners.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("sign_in_sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sign_in_sessions_owner_id"), ["owner_id"], unique=False)

    op.create_table(
        "signals",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("item_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("once_key", sa.String(), nullable=False),
        sa.Column("local_on", sa.Date(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["item_id"], ["memory_items.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("item_id", "kind", "once_key"),
    )
    with op.batch_alter_table("signals", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_signals_household_id"), ["household_id"], unique=False)

    op.create_table(
        "turn_events",
        sa.Column("turn_id", sa.String(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("event", sa.String(), nullable=False),
        sa.Column("data", Json(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("turn_id", "seq"),
    )
    op.create_table(
        "vaccinations",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("product", sa.String(), nullable=False),
        sa.Column("antigens", Json(), nullable=False),
        sa.Column("given_on", sa.Date(), nullable=True),
        sa.Column("given_on_precision", sa.String(), nullable=False),
        sa.Column("lot_number", sa.String(), nullable=True),
        sa.Column("clinic", sa.String(), nullable=True),
        sa.Column("reaction", sa.String(), nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("vaccinations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_vaccinations_attribute"), ["attribute"], unique=False)
        batch_op.create_index(batch_op.f("ix_vaccinations_household_id"), ["household_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_vaccinations_pet_id"), ["pet_id"], unique=False)

    op.create_table(
        "visits",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("clinic", sa.String(), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("diagnosis", sa.String(), nullable=True),
        sa.Column("treatment", sa.String(), nullable=True),
        sa.Column("visited_on", sa.Date(), nullable=True),
        sa.Column("visited_on_precision", sa.String(), nullable=False),
        sa.Column("next_on", sa.Date(), nullable=True),
        sa.Column("next_on_precision", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("visits", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_visits_attribute"), ["attribute"], unique=False)
        batch_op.create_index(batch_op.f("ix_visits_household_id"), ["household_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_visits_pet_id"), ["pet_id"], unique=False)

    op.create_table(
        "weights",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("household_id", sa.String(), nullable=False),
        sa.Column("pet_id", sa.String(), nullable=False),
        sa.Column("attribute", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("verified", sa.Boolean(), nullable=False),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("recorded_by", sa.String(), nullable=False),
        sa.Column("valid_from", UtcDateTime(), nullable=True),
        sa.Column("valid_to", UtcDateTime(), nullable=True),
        sa.Column("supersedes", sa.String(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("measured_at", UtcDateTime(), nullable=True),
        sa.Column("note", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["household_id"], ["households.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["pet_id"], ["pets.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("weights", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_weights_attribute"), ["attribute"], unique=False)
        batch_op.create_index(batch_op.f("ix_weights_household_id"), ["household_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_weights_pet_id"), ["pet_id"], unique=False)

    dialect = op.get_bind().dialect.name
    for statement in SQLITE_INDEX if dialect == "sqlite" else (POSTGRES_INDEX,):
        op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE search_fts")
    with op.batch_alter_table("weights", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_weights_pet_id"))
        batch_op.drop_index(batch_op.f("ix_weights_household_id"))
        batch_op.drop_index(batch_op.f("ix_weights_attribute"))

    op.drop_table("weights")
    with op.batch_alter_table("visits", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_visits_pet_id"))
        batch_op.drop_index(batch_op.f("ix_visits_household_id"))
        batch_op.drop_index(batch_op.f("ix_visits_attribute"))

    op.drop_table("visits")
    with op.batch_alter_table("vaccinations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_vaccinations_pet_id"))
        batch_op.drop_index(batch_op.f("ix_vaccinations_household_id"))
        batch_op.drop_index(batch_op.f("ix_vaccinations_attribute"))

    op.drop_table("vaccinations")
    op.drop_table("turn_events")
    with op.batch_alter_table("signals", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_signals_household_id"))

    op.drop_table("signals")
    with op.batch_alter_table("sign_in_sessions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sign_in_sessions_owner_id"))

    op.drop_table("sign_in_sessions")
    with op.batch_alter_table("schedules", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_schedules_household_id"))

    op.drop_table("schedules")
    with op.batch_alter_table("record_versions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_record_versions_household_id"))

    op.drop_table("record_versions")
    with op.batch_alter_table("observations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_observations_pet_id"))
        batch_op.drop_index(batch_op.f("ix_observations_household_id"))
        batch_op.drop_index(batch_op.f("ix_observations_attribute"))

    op.drop_table("observations")
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.drop_index("ix_messages_conversation")

    op.drop_table("messages")
    op.drop_table("memory_versions")
    with op.batch_alter_table("medications", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_medications_pet_id"))
        batch_op.drop_index(batch_op.f("ix_medications_household_id"))
        batch_op.drop_index(batch_op.f("ix_medications_attribute"))

    op.drop_table("medications")
    with op.batch_alter_table("inbox_messages", schema=None) as batch_op:
        batch_op.drop_index("ix_inbox_owner")
        batch_op.drop_index(batch_op.f("ix_inbox_messages_household_id"))

    op.drop_table("inbox_messages")
    op.drop_table("idempotency_keys")
    with op.batch_alter_table("diets", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_diets_pet_id"))
        batch_op.drop_index(batch_op.f("ix_diets_household_id"))
        batch_op.drop_index(batch_op.f("ix_diets_attribute"))

    op.drop_table("diets")
    with op.batch_alter_table("dewormings", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_dewormings_pet_id"))
        batch_op.drop_index(batch_op.f("ix_dewormings_household_id"))
        batch_op.drop_index(batch_op.f("ix_dewormings_attribute"))

    op.drop_table("dewormings")
    with op.batch_alter_table("consents", schema=None) as batch_op:
        batch_op.drop_index("ix_consents_owner")

    op.drop_table("consents")
    with op.batch_alter_table("conditions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_conditions_pet_id"))
        batch_op.drop_index(batch_op.f("ix_conditions_household_id"))
        batch_op.drop_index(batch_op.f("ix_conditions_attribute"))

    op.drop_table("conditions")
    with op.batch_alter_table("allergies", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_allergies_pet_id"))
        batch_op.drop_index(batch_op.f("ix_allergies_household_id"))
        batch_op.drop_index(batch_op.f("ix_allergies_attribute"))

    op.drop_table("allergies")
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.drop_index(
            "ux_turns_running",
            sqlite_where=sa.text("status = 'running'"),
            postgresql_where=sa.text("status = 'running'"),
        )
        batch_op.drop_index(batch_op.f("ix_turns_household_id"))

    op.drop_table("turns")
    with op.batch_alter_table("tombstones", schema=None) as batch_op:
        batch_op.drop_index("ix_tombstones_slot")

    op.drop_table("tombstones")
    with op.batch_alter_table("search_documents", schema=None) as batch_op:
        batch_op.drop_index("ix_search_documents_kind")
        batch_op.drop_index("ix_search_documents_doc")

    op.drop_table("search_documents")
    with op.batch_alter_table("pets", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_pets_household_id"))

    op.drop_table("pets")
    with op.batch_alter_table("owners", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_owners_household_id"))

    op.drop_table("owners")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_outbox_household_id"))
        batch_op.drop_index("ix_outbox_due")

    op.drop_table("outbox")
    with op.batch_alter_table("memory_items", schema=None) as batch_op:
        batch_op.drop_index(
            "ux_memory_items_record",
            sqlite_where=sa.text("record_id IS NOT NULL"),
            postgresql_where=sa.text("record_id IS NOT NULL"),
        )
        batch_op.drop_index("ix_memory_items_status")
        batch_op.drop_index("ix_memory_items_slot")
        batch_op.drop_index(
            "ix_memory_items_recurring",
            sqlite_where=sa.text("value LIKE '%\"recurrence\"%'"),
            postgresql_where=sa.text("value LIKE '%\"recurrence\"%'"),
        )
        batch_op.drop_index("ix_memory_items_dated")
        batch_op.drop_index("ix_memory_items_class")

    op.drop_table("memory_items")
    with op.batch_alter_table("evidence", schema=None) as batch_op:
        batch_op.drop_index("ix_evidence_target")
        batch_op.drop_index("ix_evidence_message")
        batch_op.drop_index(batch_op.f("ix_evidence_household_id"))

    op.drop_table("evidence")
    with op.batch_alter_table("conversations", schema=None) as batch_op:
        batch_op.drop_index("ix_conversations_owner_last")
        batch_op.drop_index(batch_op.f("ix_conversations_household_id"))

    op.drop_table("conversations")
    with op.batch_alter_table("confirmations", schema=None) as batch_op:
        batch_op.drop_index(
            "ux_confirmations_open",
            sqlite_where=sa.text("status = 'pending'"),
            postgresql_where=sa.text("status = 'pending'"),
        )
        batch_op.drop_index("ix_confirmations_household")

    op.drop_table("confirmations")
    op.drop_table("job_runs")
    op.drop_table("households")
