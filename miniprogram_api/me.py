"""The owner's own page: who they are, what they allow, and the texts of what can be allowed."""

import re
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field, StrictBool

from domain.errors import DomainFault
from domain.owner_profiles import OwnerChange, QuietHours, change_owner, masked_phone, owner_of, usage_today
from domain.owners import MODEL_PROVIDER, POLICIES, Consent, Owner, consents_of, in_force, set_consent
from domain.owners import Policy as PolicyText
from domain.wechat import WeChatNotConfigured, WeChatPhoneCodeRefused
from memory.item_writes import queue_vectors_of
from memory.revision import touch
from miniprogram_api.deps import Acting, Call, Caller, Looking, SignedIn
from miniprogram_api.examples import AT, OWNER_ID
from miniprogram_api.parts import Parts, parts_of

router = APIRouter(tags=["我的"])

DEV_PHONE = re.compile(r"dev:(1[3-9]\d{9})")
Purpose = Literal["long_term_memory", "model_provider", "push"]


class OutdatedPolicy(DomainFault):
    """Consent was given to a text that is no longer the one in force. Extra: `current_version`."""

    code = "outdated_policy"
    detail = "条款已更新，请阅读新的条款后再确认"


class UsageOut(BaseModel):
    """The owner's local day so far."""

    turns: int
    prompt_tokens: int
    completion_tokens: int


class Me(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": OWNER_ID,
                    "nickname": "小林",
                    "timezone": "Asia/Shanghai",
                    "phone": "138****8000",
                    "quiet_hours": {"from": "22:00", "to": "08:00"},
                    "preferences": {"font": "large"},
                    "created_at": AT,
                    "usage_today": {"turns": 3, "prompt_tokens": 5210, "completion_tokens": 640},
                }
            ]
        }
    )

    id: str
    nickname: str | None
    timezone: str
    phone: str | None
    quiet_hours: QuietHours
    preferences: dict[str, Any]
    created_at: datetime
    usage_today: UsageOut


class MeChange(OwnerChange):
    """Absent means unchanged. `phone_code` is the answer of `getPhoneNumber`; null forgets the number."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"nickname": "小林", "quiet_hours": {"from": "22:30", "to": "07:30"}}]},
    )

    phone_code: str | None = Field(default=None, max_length=200)


class ConsentOut(BaseModel):
    """One purpose; never decided is not granted, and `at` is null then.

    `version` is that of the text that was decided about. `outdated`: it was a yes to an older text, so the owner is to
    be asked again, and until then nothing is allowed.
    """

    purpose: Purpose
    version: str
    granted: bool
    at: datetime | None
    outdated: bool


class Consents(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "items": [
                        {
                            "purpose": "long_term_memory",
                            "version": POLICIES["long_term_memory"].version,
                            "granted": True,
                            "at": AT,
                            "outdated": False,
                        }
                    ]
                }
            ]
        }
    )

    items: list[ConsentOut]


class ConsentChange(BaseModel):
    model_config = ConfigDict(extra="forbid")

    purpose: Purpose = Field(examples=["long_term_memory"])
    version: str = Field(
        pattern=r"^[\w.-]{1,20}$",
        examples=[POLICIES["long_term_memory"].version],
        description="看过的条款版本，见 GET /v1/policies",
    )
    granted: StrictBool = Field(examples=[True])


class Policy(BaseModel):
    purpose: Purpose
    version: str
    text: str


class Policies(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "items": [
                        {
                            "purpose": "push",
                            "version": POLICIES["push"].version,
                            "text": POLICIES["push"].text,
                        }
                    ]
                }
            ]
        }
    )

    items: list[Policy]


async def phone_number(given: MeChange, request: Request, caller: SignedIn) -> str | None:
    """The number behind `phone_code`, asked for before the transaction begins; a double tap is billed once."""
    parts, code = parts_of(request), given.phone_code
    if not code:
        return None
    return await parts.codes_in_use.once(
        f"phone {caller.scope.owner_id}", code, lambda: _phone_number(parts, caller, code)
    )


PhoneNumber = Annotated[str | None, Depends(phone_number)]


@router.get("/me", summary="我的资料")
async def read_me(call: Looking) -> Me:
    """The owner, with the phone number masked."""
    return await _shape(call, await owner_of(call.session, call.scope))


@router.put("/me", summary="修改我的资料")
async def change_me(given: MeChange, number: PhoneNumber, call: Acting) -> Me:
    """Replaces the given fields only."""
    fields = {name: getattr(given, name) for name in given.model_fields_set}
    owner = await change_owner(call.session, call.scope, fields)
    if "phone_code" in fields:
        owner.phone_encrypted = call.parts.keys.seal(number) if number else None
        owner.phone_masked = masked_phone(number) if number else None
    return await _shape(call, owner)


@router.get("/me/consents", summary="我的授权")
async def read_consents(call: Looking) -> Consents:
    """One row a purpose."""
    return await _consents(call)


@router.put("/me/consents", summary="同意或撤回")
async def change_consent(given: ConsentChange, call: Acting) -> Consents:
    """Granting needs the version in force of this purpose's text; withdrawing is always possible."""
    current = POLICIES[given.purpose].version
    if given.granted and given.version != current:
        raise OutdatedPolicy(current_version=current)
    set_consent(call.session, call.scope.owner_id, given.purpose, given.granted, given.version, call.now)
    touch(call.session, call.scope.household_id)
    if given.purpose == MODEL_PROVIDER and call.parts.embeds_elsewhere:
        await queue_vectors_of(call.session, call.scope.owner_id, call.real_now)
    await call.session.flush()
    return await _consents(call)


@router.get("/policies", summary="条款")
async def read_policies() -> Policies:
    """The texts in force; no sign-in needed."""
    return Policies(items=[Policy(purpose=purpose, version=one.version, text=one.text) for purpose, one in _policies()])


def _policies() -> list[tuple[Any, PolicyText]]:
    return list(POLICIES.items())


async def _consents(call: Call) -> Consents:
    decided = await consents_of(call.session, call.scope.owner_id)
    return Consents(items=[_consent(purpose, decided.get(purpose)) for purpose, _ in _policies()])


def _consent(purpose: Any, row: Consent | None) -> ConsentOut:
    granted = row is not None and in_force(purpose, row.granted, row.version)
    return ConsentOut(
        purpose=purpose,
        version=row.version if row else POLICIES[purpose].version,
        granted=granted,
        at=row.at if row else None,
        outdated=row is not None and row.granted and not granted,
    )


async def _phone_number(parts: Parts, caller: Caller, code: str) -> str:
    dev = DEV_PHONE.fullmatch(code) if parts.options.dev_sign_in else None
    if dev is not None:
        return f"+86{dev.group(1)}"
    if parts.wechat is None:
        raise WeChatNotConfigured()
    parts.phone_limits.take(caller.scope.owner_id)
    number = await parts.wechat.phone_number(code)
    if not number:
        raise WeChatPhoneCodeRefused()
    return number


async def _shape(call: Call, owner: Owner) -> Me:
    used = await usage_today(call.session, call.scope, call.now)
    return Me(
        id=owner.id,
        nickname=owner.nickname,
        timezone=owner.timezone,
        phone=owner.phone_masked,
        quiet_hours=QuietHours.between(owner.quiet_from, owner.quiet_to),
        preferences=owner.preferences,
        created_at=owner.created_at,
        usage_today=UsageOut(
            turns=used.turns, prompt_tokens=used.prompt_tokens, completion_tokens=used.completion_tokens
        ),
    )
