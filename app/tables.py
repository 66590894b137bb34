"""Every table of the project, imported once so that `SQLModel.metadata` is whole."""

from app.adapters import wechat_token_rows
from domain import (
    allergies,
    conditions,
    dewormings,
    diets,
    inbox,
    medications,
    observations,
    owners,
    pets,
    pushes,
    record_versions,
    schedule_trail,
    schedules,
    subscriptions,
    turns,
    vaccinations,
    visits,
    wechat_events,
    weights,
)
from jobs import job_runs
from memory import confirmations, dreams, items, messages, outbox, search_documents, signals, summaries, tombstones
from memory.consolidation import runs as sleep_runs
from miniprogram_api import idempotency

TABLE_MODULES = (
    allergies,
    conditions,
    confirmations,
    dewormings,
    diets,
    dreams,
    idempotency,
    inbox,
    items,
    job_runs,
    medications,
    messages,
    observations,
    outbox,
    owners,
    pets,
    pushes,
    record_versions,
    schedule_trail,
    schedules,
    search_documents,
    signals,
    sleep_runs,
    subscriptions,
    summaries,
    tombstones,
    turns,
    vaccinations,
    visits,
    wechat_events,
    wechat_token_rows,
    weights,
)
