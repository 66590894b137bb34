"""How often a model's summary of an archive was not taken."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("archives") as batch:
        batch.add_column(sa.Column("tries", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("archives") as batch:
        batch.alter_column("tries", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("archives") as batch:
        batch.drop_column("tries")
