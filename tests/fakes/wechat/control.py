"""The levers over HTTP: `POST /_fake/<name>` with a JSON body, `GET /_fake/requests`."""

import json
from dataclasses import asdict
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.fakes.wechat import codes, subscribe
from tests.fakes.wechat.wire import WeChatApp
from tests.fakes.wechat.world import World


def control_of(fake: WeChatApp) -> Starlette:
    """An application for everything below /_fake/."""

    async def pull(request: Request) -> JSONResponse:
        given: dict[str, Any] = json.loads(await request.body() or b"{}")
        return JSONResponse(_pulled(fake, request.path_params["name"], given))

    async def requests(_request: Request) -> JSONResponse:
        return JSONResponse([{**asdict(one), "body": one.body.decode("latin-1")} for one in fake.world.requests])

    async def counters(_request: Request) -> JSONResponse:
        return JSONResponse({**fake.world.counters, "sent": len(fake.world.sent)})

    return Starlette(
        routes=[
            Route("/_fake/requests", requests, methods=["GET"]),
            Route("/_fake/counters", counters, methods=["GET"]),
            Route("/_fake/{name}", pull, methods=["POST"]),
        ]
    )


def _pulled(fake: WeChatApp, name: str, given: dict[str, Any]) -> dict[str, Any]:
    world: World = fake.world
    match name:
        case "user":
            return {"openid": world.person(**given).openid}
        case "visit":
            world.visit(given["openid"])
        case "login_code":
            return {"code": world.code("login", given["openid"])}
        case "phone_code":
            return {"code": world.code("phone", given["openid"])}
        case "template":
            return {"id": world.template(*given["keys"]).id}
        case "popup":
            subscribe.answer_popup(world, given["openid"], given["results"])
        case "cancel_user":
            event = {"Event": "user_authorization_cancellation", "FromUserName": "gh_platform"}
            world.later(0, {**event, "OpenID": given["openid"], "AppID": given.get("appid", "")})
        case "push":
            world.later(float(given.get("after", 0)), given["event"])
        case "inject":
            fake.inject(**given)
        case "advance":
            world.now += float(given["seconds"])
        case "kill_tokens":
            world.kill_tokens()
        case "open":
            return {"opened": codes.opened(world, given["link"])}
        case "reset":
            fake.world.__init__()  # type: ignore[misc]  # as new, and still the same object for everybody who holds it
            fake.injections.clear()
        case _:
            return {"unknown": name}
    return {}
