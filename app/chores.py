"""The model's chores for commands that run a night by hand; a service opens them with its container."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.database import Database
from app.metrics import Metrics
from app.settings import Settings
from domain.model_chores import Writers
from domain.token_use import DailyTokens


@asynccontextmanager
async def opened_writers(settings: Settings, database: Database) -> AsyncIterator[Writers | None]:
    """The small model as a writer while the command runs; None in basic mode."""
    if not settings.has_model:
        yield None
        return
    from app.models import OpenAIWriters, open_model_client  # a second of import, here only

    client = open_model_client(settings, Metrics())
    try:
        budget = DailyTokens(settings.daily_tokens_soft, settings.daily_tokens_hard)
        yield OpenAIWriters(client, database, budget)
    finally:
        await client.close()
