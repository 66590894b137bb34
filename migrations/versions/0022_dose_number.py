"""Which dose of its series a vaccination was."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("vaccinations") as batch:
        batch.add_column(sa.Column("dose_number", sa.Integer(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("vaccinations") as batch:
        batch.drop_column("dose_number")
