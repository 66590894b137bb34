"""Two clocks of a request: the real one, and the domain's, which dev and test may set with a header.

Dependencies are coroutines even where they await nothing: FastAPI sends plain functions to a thread each.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Depends, Request

from miniprogram_api.faults import DomainTimeRefused
from miniprogram_api.parts import parts_of

DOMAIN_TIME_HEADER = "X-Pawsignal-Now"
EARLIEST, LATEST = datetime(2000, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)


async def real_now() -> datetime:
    """The machine's clock: tokens, idempotency windows, leases, rate limits, the ten minutes of restore."""
    return datetime.now(UTC)


async def domain_now(request: Request) -> datetime:
    """The time of this request's turns, signals, lapses and due dates; aware UTC.

    Raises DomainTimeRefused in production, and for a time without an offset or out of this century.
    """
    given = request.headers.get(DOMAIN_TIME_HEADER)
    if given is None:
        return datetime.now(UTC)
    if not parts_of(request).options.domain_time:
        raise DomainTimeRefused(f"生产环境不接受 {DOMAIN_TIME_HEADER}")
    return _read(given)


def _read(given: str) -> datetime:
    try:
        at = datetime.fromisoformat(given)
    except ValueError:
        raise DomainTimeRefused(f"{DOMAIN_TIME_HEADER} 要写成 ISO 8601，例如 2026-03-01T08:00:00+08:00") from None
    if at.tzinfo is None or at.utcoffset() is None or abs(at.utcoffset() or timedelta()) >= timedelta(days=1):
        raise DomainTimeRefused(f"{DOMAIN_TIME_HEADER} 要带时区，例如 +08:00")
    if not EARLIEST <= at < LATEST:
        raise DomainTimeRefused(f"{DOMAIN_TIME_HEADER} 超出了可用的范围")
    return at.astimezone(UTC)


Now = Annotated[datetime, Depends(domain_now)]
RealNow = Annotated[datetime, Depends(real_now)]
