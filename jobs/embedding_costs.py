"""What embedding lines by an endpoint costs their owners, in the numbers of their days."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from sqlmodel import col, select

from domain.owners import Owner, scope_of
from domain.token_budget import embedding_tokens
from domain.token_use import Tokens, note_tokens
from memory.items import MemoryItem
from memory.transactions import Transactions


async def note_embedded(
    transactions: Transactions, items: Sequence[MemoryItem], texts: Sequence[str], model: str, now: datetime
) -> None:
    """Count the texts of these items for their owners. Estimated: one request holds the lines of many owners."""
    by_owner: dict[str, list[str]] = defaultdict(list)
    for item, text in zip(items, texts, strict=True):
        by_owner[item.owner_id].append(text)
    async with transactions.read() as session:
        owners = (await session.exec(select(Owner).where(col(Owner.id).in_(list(by_owner))))).all()
    async with transactions.quick_write() as quick:
        for owner in owners:
            used = {model: Tokens(embedding_tokens(by_owner[owner.id]))}
            await note_tokens(quick, scope_of(owner), "embed", used, now)
