"""Every table is exported, or is left out for a reason that is written down."""

from sqlmodel import SQLModel

import app.tables
from domain.portability.schema import LEFT_OUT, SECTIONS

SECRET_WORDS = ("openid", "hash", "encrypted", "token", "secret", "sealed")


def test_every_table_is_exported_or_left_out_for_a_reason() -> None:
    assert app.tables.TABLE_MODULES
    exported = {section.table for section in SECTIONS}
    assert exported.isdisjoint(LEFT_OUT)
    assert exported | set(LEFT_OUT) == set(SQLModel.metadata.tables)


def test_no_secret_column_is_exported() -> None:
    for section in SECTIONS:
        columns = set(SQLModel.metadata.tables[section.table].columns.keys()) - section.without
        assert [column for column in columns if any(word in column for word in SECRET_WORDS)] == []


def test_what_is_left_out_of_a_section_exists() -> None:
    for section in SECTIONS:
        assert section.without <= set(SQLModel.metadata.tables[section.table].columns.keys()) | {"household_id"}
