"""All calls under `/v1`. A new group of calls is one more line here."""

from fastapi import APIRouter, Depends, FastAPI

from miniprogram_api import (
    access_log,
    archives,
    calendars,
    cards,
    care,
    chat,
    chat_search,
    confirmations,
    dreams,
    erasures,
    feedback,
    follow_ups,
    inbox,
    insights,
    me,
    memories,
    pets,
    photos,
    portability,
    reviews,
    schedules,
    shares,
    sign_in,
    subscriptions,
)
from miniprogram_api.clock import domain_now
from miniprogram_api.deps import require_recent_client
from miniprogram_api.errors import PROBLEM_RESPONSES
from miniprogram_api.records import records_router


def include_v1(app: FastAPI) -> None:
    """Every call checks the client's version and refuses a domain time it may not have.

    Each group is the application's own: at every request a router asks all that are nested in it whether they have
    changed, which took longer than finding the call.
    """
    for part in _parts():
        app.include_router(
            part,
            prefix="/v1",
            dependencies=[Depends(require_recent_client), Depends(domain_now)],
            responses=PROBLEM_RESPONSES,
        )


def _parts() -> tuple[APIRouter, ...]:
    return (
        chat.router,  # first, because calls are matched in this order and this one is made most
        sign_in.router,
        me.router,
        access_log.router,
        erasures.router,
        portability.router,
        pets.router,
        records_router(),
        cards.router,
        archives.router,
        care.router,
        insights.router,
        schedules.router,
        calendars.router,
        chat_search.router,
        feedback.router,
        memories.router,
        confirmations.router,
        dreams.router,
        reviews.router,
        follow_ups.router,
        inbox.router,
        photos.router,
        subscriptions.router,
        shares.router,
    )
