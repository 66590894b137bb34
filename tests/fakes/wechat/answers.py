"""Error answers as WeChat gives them. HTTP is always 200; `errmsg` is for people and ends in a rid."""

from typing import Any

from tests.fakes.wechat.world import World

MESSAGES: dict[int, str] = {
    -1: "system error",
    40001: "invalid credential, access_token is invalid or not latest, could get access_token by getStableAccessToken",
    40002: "invalid grant_type",
    40003: "invalid openid",
    40013: "invalid appid",
    40014: "invalid access_token",
    40029: "invalid code",
    40037: "invalid template_id",
    40097: "invalid args",
    40125: "invalid appsecret",
    40129: "invalid scene",
    40163: "code been used",
    40164: "invalid ip",
    40165: "invalid weapp pagepath",
    40169: "invalid length for scene, or the data is not json string",
    40212: "invalid query",
    40226: "high risk user, login blocked",
    41001: "access_token missing",
    41002: "appid missing",
    41004: "appsecret missing",
    41008: "missing code",
    41030: "invalid page",
    42001: "access_token expired",
    43002: "require POST method",
    43101: "user refuse to accept the msg",
    43104: "appid is not match with openid",
    43107: "the subscription capability is banned",
    43108: "concurrent sends to one user",
    44002: "empty post data",
    44991: "reach max api per minute quota limit",
    45009: "reach max api daily quota limit",
    45011: "api minute-quota reach limit, must slower, retry next minute",
    45015: "response out of time limit or subscription is canceled",
    45168: "data contains sensitive words",
    47001: "data format error",
    47003: "argument invalid",
    50002: "user limited",
    40243: "appsecret frozen",
    48001: "api unauthorized",
    61010: "code is expired",
    85401: "expire interval out of range",
    85403: "link not found",
    87009: "invalid signature",
    87014: "risky content",
    87020: "repeat request",
}


class Refused(Exception):
    """A handler refuses: the answer is `{errcode, errmsg}`."""

    def __init__(self, errcode: int, text: str | None = None) -> None:
        super().__init__(errcode)
        self.errcode, self.text = errcode, text


def refusal(world: World, errcode: int, text: str | None = None) -> dict[str, Any]:
    """The body of an error answer."""
    said = text or MESSAGES.get(errcode, "error")
    return {"errcode": errcode, "errmsg": f"{said} rid: {rid(world)}"}


def rid(world: World) -> str:
    """Three groups of eight hex digits."""
    return "-".join(world.word(8, "0123456789abcdef") for _ in range(3))


def fine(**more: Any) -> dict[str, Any]:
    """A success that says so."""
    return {"errcode": 0, "errmsg": "ok", **more}
