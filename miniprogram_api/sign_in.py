"""Signing in with WeChat (or `dev:<name>` in dev and test), rotating and revoking tokens."""

import re

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from sqlalchemy.exc import IntegrityError
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.owners import Owner, sign_in_owner
from domain.wechat import WeChatCodeRefused, WeChatIdentity, WeChatNotConfigured
from domain.word_verdicts import words_written
from miniprogram_api.clock import RealNow
from miniprogram_api.deps import SignedIn
from miniprogram_api.examples import OWNER_ID
from miniprogram_api.faults import RefreshTokenReused
from miniprogram_api.parts import Parts, parts_of
from miniprogram_api.sessions import begin_session, revoke_session, rotate_session
from miniprogram_api.tokens import TokenPair, read_token

router = APIRouter(tags=["登录"])

DEV_CODE = re.compile(r"dev:([\w.-]{1,40})")
DEV_APPID = "dev"

_TOKEN = f"a.{OWNER_ID}.1.1772357400.3q2-7wDe4XyB0m1n"


class WeChatCode(BaseModel):
    """The answer of `wx.login`; `dev:<name>` signs in without WeChat in dev and test."""

    code: str = Field(min_length=1, max_length=200, examples=["dev:xiaolin"])


class RefreshToken(BaseModel):
    refresh_token: str = Field(min_length=1, max_length=200, examples=[_TOKEN.replace("a.", "r.", 1)])


class SignedInOwner(BaseModel):
    id: str = Field(examples=[OWNER_ID])
    nickname: str | None = Field(examples=["小林"])
    timezone: str = Field(examples=["Asia/Shanghai"])


class Tokens(BaseModel):
    """`expires_in` counts the seconds of the access token."""

    access_token: str = Field(examples=[_TOKEN])
    refresh_token: str = Field(examples=[_TOKEN.replace("a.", "r.", 1)])
    expires_in: int = Field(examples=[7200])
    owner: SignedInOwner


@router.post("/auth/wechat", summary="用微信登录")
async def sign_in(given: WeChatCode, request: Request, real_now: RealNow) -> Tokens:
    """WeChat is asked with no transaction open; the first sign-in makes the owner and the household.

    A code that comes twice within seconds answers the same tokens.
    """
    parts = parts_of(request)
    dev = DEV_CODE.fullmatch(given.code) if parts.options.dev_sign_in else None
    if dev is not None:
        return await _begun(parts, WeChatIdentity(DEV_APPID, dev.group(1)), dev.group(1), real_now)
    return await parts.codes_in_use.once("login", given.code, lambda: _by_wechat(parts, given.code, real_now))


@router.post("/auth/refresh", summary="换新的令牌")
async def refresh(given: RefreshToken, request: Request, real_now: RealNow) -> Tokens:
    """The previous refresh token answers the same pair for 60 seconds; an older one revokes the sign-in."""
    parts = parts_of(request)
    token = read_token(parts.keys.tokens, given.refresh_token, "r", real_now)
    async with parts.transactions.write() as session:
        rotated = await rotate_session(session, parts.keys.tokens, token, real_now)
        _note_presence(session, rotated.owner)
    if rotated.owner is None or rotated.pair is None:
        raise RefreshTokenReused()
    return _shape(rotated.owner, rotated.pair)


@router.post("/auth/logout", status_code=204, summary="退出登录")
async def logout(caller: SignedIn, request: Request, real_now: RealNow) -> None:
    """The tokens of this device are dead at once."""
    async with parts_of(request).transactions.write() as session:
        await revoke_session(session, caller.session_id, real_now)


async def _by_wechat(parts: Parts, code: str, real_now: RealNow) -> Tokens:
    if parts.wechat is None:
        raise WeChatNotConfigured()
    identity = await parts.wechat.code2session(code)
    if not identity.openid:
        raise WeChatCodeRefused()
    return await _begun(parts, identity, None, real_now)


async def _begun(parts: Parts, identity: WeChatIdentity, nickname: str | None, real_now: RealNow) -> Tokens:
    try:
        return await _begin(parts, identity, nickname, real_now)
    except IntegrityError:  # two first sign-ins at once on PostgreSQL: the other one made the owner
        return await _begin(parts, identity, nickname, real_now)


async def _begin(parts: Parts, identity: WeChatIdentity, nickname: str | None, real_now: RealNow) -> Tokens:
    openid = parts.keys.seal_identity(identity.openid)
    async with parts.transactions.write() as session:
        owner = await sign_in_owner(session, identity.appid, openid, nickname, real_now)
        _note_presence(session, owner)
        return _shape(owner, begin_session(session, parts.keys.tokens, owner, real_now))


def _note_presence(session: AsyncSession, owner: Owner | None) -> None:
    """WeChat judges words only for somebody who is there: now is the time for those that wait."""
    if owner is not None and owner.appid != DEV_APPID:
        words_written(session, owner.household_id, owner.id)


def _shape(owner: Owner, pair: TokenPair) -> Tokens:
    return Tokens(
        access_token=pair.access_token,
        refresh_token=pair.refresh_token,
        expires_in=pair.expires_in,
        owner=SignedInOwner(id=owner.id, nickname=owner.nickname, timezone=owner.timezone),
    )
