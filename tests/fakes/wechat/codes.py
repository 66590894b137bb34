"""Mini codes, URL links and schemes."""

import re
import struct
import zlib
from typing import Any

from tests.fakes.wechat.answers import Refused, fine
from tests.fakes.wechat.wire_types import Call, Image
from tests.fakes.wechat.world import World

SCENE = re.compile(r"[0-9A-Za-z!#$'()*+,/:;=?@\-._~]+")  # `&` is listed as allowed and refused in the field
MINUTE, LONGEST_DAYS = 60, 30


def mini_code(world: World, call: Call) -> Image:
    """A picture that depends on the scene alone. Failures are JSON with an odd content type."""
    body = call.json()
    scene = body.get("scene")
    if not isinstance(scene, str) or not 1 <= len(scene) <= 32:
        raise Refused(40169)
    if not SCENE.fullmatch(scene):
        raise Refused(40129)
    for name in ("env_version", "page"):
        if body.get(name) == "":
            raise Refused(40097)
    if body.get("env_version", "release") not in ("release", "trial", "develop"):
        raise Refused(40097)
    page = body.get("page")
    if page and (page.startswith("/") or "?" in page):
        raise Refused(41030)
    if page and body.get("check_path", True) and page not in world.pages:
        raise Refused(41030)
    world.counters["mini_codes"] += 1
    return Image(_picture(f"{page}?{scene}"), "image/png")


def url_link(world: World, call: Call) -> dict[str, Any]:
    """A link that opens the mini-program for up to thirty days."""
    return fine(url_link=f"https://wxaurl.cn/{_link(world, call, call.json())}")


def scheme(world: World, call: Call) -> dict[str, Any]:
    """The same as a weixin:// address."""
    body = call.json()
    key = _link(world, call, {**body, **(body.get("jump_wxa") or {})})
    return fine(openlink=f"weixin://dl/business/?t={key}")


def query_link(world: World, call: Call) -> dict[str, Any]:
    """What a link leads to."""
    key = str(call.json().get("url_link", "")).rpartition("/")[2]
    if key not in world.links:
        raise Refused(85403)
    return fine(url_link_info=world.links[key])


def opened(world: World, link: str) -> dict[str, Any] | None:
    """What somebody who taps the link sees: path and query, or None when it is over."""
    found = world.links.get(re.split(r"[/=]", link)[-1])
    return found if found is not None and found["expire_time"] > world.now else None


def _link(world: World, call: Call, body: dict[str, Any]) -> str:
    if world.apps[call.appid].personal:
        raise Refused(48001)
    path = str(body.get("path") or "")
    if path and path not in world.pages:
        raise Refused(40165)
    if len(str(body.get("query") or "")) > 1024:
        raise Refused(40212)
    if body.get("expire_type", 0) == 1:
        seconds = float(body.get("expire_interval", 0)) * 86_400
    else:
        seconds = float(body.get("expire_time", 0)) - world.now
    if not MINUTE <= seconds <= LONGEST_DAYS * 86_400:
        raise Refused(85401)
    key = world.word(10)
    world.links[key] = {
        "appid": call.appid,
        "path": path,
        "query": body.get("query") or "",
        "create_time": int(world.now),
        "expire_time": int(world.now + seconds),
        "env_version": body.get("env_version", "release"),
    }
    return key


def _picture(of: str) -> bytes:
    """A tiny PNG whose pixels are a checksum of what it stands for."""
    row = b"\x00" + struct.pack(">I", zlib.crc32(of.encode()))
    header = struct.pack(">IIBBBBB", 4, 1, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(row)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
