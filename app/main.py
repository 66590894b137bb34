"""The ASGI application: `uvicorn --factory app.main:create_app`."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import structlog
from fastapi import FastAPI
from starlette.middleware import Middleware

from app import health
from app.adapters.wechat_http import WeChatHttp
from app.container import Container, open_container
from app.logging import configure_logging
from app.scheduler import stop
from app.settings import Settings
from app.wechat_doctor import tell_mismatches
from miniprogram_api import calendars, mini_codes, photos, wechat_callback
from miniprogram_api.door import Door, Seen
from miniprogram_api.errors import add_error_handlers, describe_problems
from miniprogram_api.router import include_v1
from miniprogram_api.try_page import try_page
from miniprogram_api.vet_pages import vet_pages

log = structlog.get_logger("pawsignal.http")

TITLE = "PawSignal 宠爱信号"
DESCRIPTION = """宠物照护助手的后端接口。

- 登录：`Authorization: Bearer <access_token>`；`dev`/`test` 环境可用 `dev:<name>` 登录。
- 错误都是 `application/problem+json`：`code` 不变，`detail` 可以直接给主人看。
- 列表：`?limit=&cursor=` → `{"items": [...], "next_cursor": ...}`。
- 新建类请求可带 `Idempotency-Key`：同一个键和内容 24 小时内只生效一次。
- `X-Client-Version` 低于最低版本时得到 426；`dev`/`test` 可用 `X-Pawsignal-Now` 指定业务时间。
"""

OpenContainer = Callable[[Settings], AbstractAsyncContextManager[Container]]


def create_app(settings: Settings | None = None, open_parts: OpenContainer = open_container) -> FastAPI:
    """The application. Its parts are opened when it starts and stand in `app.state.container`."""
    chosen = settings or Settings()
    if not structlog.is_configured():  # the command line has done it; uvicorn and others have not
        configure_logging(chosen.log_level)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with open_parts(chosen) as container:
            app.state.container = container
            await container.turns.recover(only_process=chosen.embedded)
            scheduler = container.scheduler()
            scheduler.start()
            checking = asyncio.create_task(_check_wechat(container))
            try:
                yield
            finally:
                checking.cancel()
                await stop(scheduler)
                await container.turns.close()

    app = FastAPI(title=TITLE, description=DESCRIPTION, version="1", lifespan=lifespan, redoc_url=None)
    app.user_middleware.insert(0, Middleware(Door, observe=lambda seen: _observe(app, seen)))
    add_error_handlers(app)
    app.include_router(wechat_callback.router)  # first: routes are tried in order, and this one comes in storms
    app.include_router(health.router)
    include_v1(app)
    app.include_router(photos.media)
    app.include_router(mini_codes.router)
    app.include_router(calendars.feed_router)
    app.include_router(try_page.router)
    app.include_router(vet_pages.router)
    describe_problems(app)
    return app


async def _check_wechat(container: Container) -> None:
    """Tell the operator what is wrong with the templates. Tests ask for it themselves."""
    if isinstance(container.wechat, WeChatHttp) and container.settings.env != "test":
        await tell_mismatches(container.templates, container.wechat.templates)


def _observe(app: FastAPI, seen: Seen) -> None:
    """Count and log one answered request."""
    container: Container | None = getattr(app.state, "container", None)
    if container is not None:
        container.metrics.requests.labels(seen.method, seen.route, str(seen.status)).inc()
        container.metrics.request_seconds.labels(seen.route).observe(seen.seconds)
    if seen.failure is not None:
        if container is not None:
            container.metrics.failures.labels(type(seen.failure).__name__).inc()
        log.error("request_failed", **_told(seen), exc_info=seen.failure)
        return
    log.info("request", **_told(seen))


def _told(seen: Seen) -> dict[str, object]:
    return {
        "request_id": seen.request_id,
        "method": seen.method,
        "route": seen.route or "(none)",
        "status": seen.status,
        "ms": round(seen.seconds * 1000, 1),
    }
