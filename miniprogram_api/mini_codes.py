"""The mini code of a share: a picture that a phone in the owner's hand scans to open the record in the mini-program."""

from fastapi import APIRouter, Request, Response

from domain.share_secrets import token_of
from domain.shares import VetShare, live_share
from domain.wechat import WeChatNotConfigured
from miniprogram_api.clock import RealNow
from miniprogram_api.parts import Parts, parts_of

router = APIRouter(prefix="/vet", include_in_schema=False)

JPEG = b"\xff\xd8\xff"


@router.get("/{token}/mini-code")
async def mini_code(token: str, request: Request, real_now: RealNow) -> Response:
    """The code, made when it is first asked for. Whoever has the link may see it; a dead link has none."""
    parts = parts_of(request)
    if parts.mini_links is None:
        raise WeChatNotConfigured()
    async with parts.transactions.quick_read() as quick:
        _, scope = await live_share(quick, token, real_now)
    picture = await parts.mini_links.code(scope.household_id, token, parts.options.vet_page)
    return Response(picture, media_type="image/jpeg" if picture.startswith(JPEG) else "image/png")


def mini_code_url_of(parts: Parts, base: str, share: VetShare) -> str | None:
    """Where the code of a live share is; None without WeChat."""
    return f"{base}/vet/{token_of(share.id, parts.keys.shares)}/mini-code" if parts.mini_links else None
