"""Alembic: one line of history, one head, the same on SQLite and PostgreSQL."""
