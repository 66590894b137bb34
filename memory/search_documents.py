"""What full-text search looks into: one row of tokens for each memory and each message. Derived, rebuilt any time.

The tokens are those of `memory.fulltext`. The first one names the household and what kind of text it is, so the
full-text index itself never leaves the household. SQLite keeps an FTS5 index beside the table by triggers; PostgreSQL
an expression index. Scores are computed in our code, so both databases rank alike.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ForeignKey, Index, delete, text
from sqlmodel import Field, SQLModel, col
from sqlmodel.ext.asyncio.session import AsyncSession

from memory.appends import drop_appended
from memory.fulltext import DocTokens, doc_tokens, tokenize
from memory.prepared import Quick, Statement, by_dialect, insert_of

MEMORY = "m"
MESSAGE = "s"

SQLITE_INDEX: tuple[str, ...] = (
    "CREATE VIRTUAL TABLE search_fts USING fts5(tokens, content='search_documents', content_rowid='rowid', "
    "tokenize='unicode61', detail='none')",
    "CREATE TRIGGER search_documents_added AFTER INSERT ON search_documents BEGIN "
    "INSERT INTO search_fts(rowid, tokens) VALUES (new.rowid, new.tokens); END",
    "CREATE TRIGGER search_documents_gone AFTER DELETE ON search_documents BEGIN "
    "INSERT INTO search_fts(search_fts, rowid, tokens) VALUES ('delete', old.rowid, old.tokens); END",
)
POSTGRES_INDEX = (
    "CREATE INDEX ix_search_documents_vector ON search_documents "
    "USING gin ((array_to_tsvector(string_to_array(tokens, ' '))))"
)


class SearchDocument(SQLModel, table=True):
    """`doc_id` is the id of the memory or message; `tokens` are joined by spaces, the scope token first.

    Rows are replaced, never updated, so the two triggers are all that keeps FTS5 in step.
    """

    __tablename__ = "search_documents"
    __table_args__ = (
        Index("ix_search_documents_doc", "doc_id", unique=True),
        Index("ix_search_documents_kind", "household_id", "kind"),
    )

    rowid: int | None = Field(default=None, primary_key=True)
    doc_id: str
    household_id: str = Field(sa_column_args=[ForeignKey("households.id", ondelete="CASCADE")])
    kind: str
    tokens: str
    length: int  # tokens without the scope token


def scope_token(kind: str, household_id: str) -> str:
    """The token every document of this household and kind carries, and no other."""
    return kind + household_id.replace("-", "")


def document_of(kind: str, doc_id: str, household_id: str, content: str) -> dict[str, Any]:
    """The row of `SearchDocument` that makes `content` findable."""
    tokens = tokenize(content)
    return {
        "doc_id": doc_id,
        "household_id": household_id,
        "kind": kind,
        "tokens": " ".join([scope_token(kind, household_id), *tokens]),
        "length": len(tokens),
    }


_ADD = insert_of(SearchDocument)


async def add_documents(quick: Quick, documents: Sequence[dict[str, Any]]) -> None:
    """Make these texts findable (rows of `document_of`)."""
    await quick.run_many(by_dialect(_ADD, quick), documents)


async def forget_documents(session: AsyncSession, doc_ids: list[str]) -> None:
    """Make these memories or messages unfindable, also what waits to be written in this transaction."""
    drop_appended(session, SearchDocument, "doc_id", doc_ids)
    await session.exec(delete(SearchDocument).where(col(SearchDocument.doc_id).in_(doc_ids)))


FTS_STATEMENTS: dict[str, str] = {
    "postgresql": "SELECT doc_id, tokens FROM search_documents "
    "WHERE array_to_tsvector(string_to_array(tokens, ' ')) @@ CAST(:query AS tsquery) ORDER BY rowid DESC LIMIT :limit",
    "sqlite": "SELECT d.doc_id, d.tokens FROM search_fts f JOIN search_documents d ON d.rowid = f.rowid "
    "WHERE search_fts MATCH :query ORDER BY f.rowid DESC LIMIT :limit",
}
"""By dialect: candidates for the bind `query` (see `find_candidates`), newest first, at most `limit`."""

READ_WHOLE = 64  # documents; so few are read faster than the index looks up one question (0.1 beside 0.3 to 1.5 ms)

_OF_KIND = "FROM search_documents WHERE household_id = :household_id AND kind = :kind"
_STATEMENTS = {dialect: Statement(text(statement)) for dialect, statement in FTS_STATEMENTS.items()}
_COUNT = Statement(text(f"SELECT count(*) {_OF_KIND}"))  # our own constant
_ALL = Statement(text(f"SELECT doc_id, tokens {_OF_KIND} ORDER BY rowid DESC"))  # our own constant


async def find_candidates(
    quick: Quick, kind: str, household_id: str, tokens: Sequence[str], limit: int
) -> tuple[list[DocTokens], int]:
    """Documents of this household and kind with any of the tokens, newest first, and how many it has at all.

    Tokens hold letters and digits only (see `memory.fulltext`).
    """
    household = {"household_id": household_id, "kind": kind}
    count = (await quick.rows(_COUNT, household))[0][0]
    if count <= READ_WHOLE:
        wanted = set(tokens)
        docs = [(row[0], row[1].split(" ")[1:]) for row in await quick.rows(_ALL, household)] if count else []
        return [doc_tokens(*doc) for doc in docs if not wanted.isdisjoint(doc[1])][:limit], count
    asked = match_query(quick.dialect_name, scope_token(kind, household_id), tokens, all_of_them=False)
    rows = await quick.rows(_STATEMENTS[quick.dialect_name], {"query": asked, "limit": limit})
    return [doc_tokens(row[0], row[1].split(" ")[1:]) for row in rows], count


def match_query(dialect: str, scope: str, tokens: Sequence[str], all_of_them: bool) -> str:
    """What the full-text index is asked: documents of this scope token with all or any of the tokens."""
    if dialect == "postgresql":
        words = (" & " if all_of_them else " | ").join(f"'{token}'" for token in tokens)
        return f"'{scope}' & ({words})"
    words = (" AND " if all_of_them else " OR ").join(f'"{token}"' for token in tokens)
    return f'"{scope}" AND ({words})'
