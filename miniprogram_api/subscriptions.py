"""What may be pushed: which templates to ask the owner for, and what they tapped."""

from typing import Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from domain.push_messages import Template
from domain.subscriptions import GrantAnswer, GrantSource, remaining, stopped_templates
from domain.tap_ledger import Tap, note_tap
from memory.prepared import quick_of
from miniprogram_api.deps import Call, Looking
from miniprogram_api.idempotent import OnlyOnce

router = APIRouter(prefix="/subscriptions", tags=["消息"])

TEMPLATE_ID = "dev-confirmation"
MOST_TEMPLATES = 5  # a popup asks for at most so many; a phone reports no more at once


class TemplateOut(BaseModel):
    """One template. `remaining` is how many messages are still allowed, as far as we know."""

    template_id: str
    key: Literal["confirmation", "reminder", "follow_up"]
    title: str
    remaining: int


class Templates(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "items": [
                        {"template_id": TEMPLATE_ID, "key": "confirmation", "title": "档案变更待确认", "remaining": 1}
                    ]
                }
            ]
        }
    )

    items: list[TemplateOut]


class Grants(BaseModel):
    """The result of `wx.requestSubscribeMessage`, by template id; ids that are not in use any more are passed over."""

    model_config = ConfigDict(extra="forbid")

    results: dict[str, Literal["accept", "acceptWithAudio", "acceptWithAlert", "reject", "ban", "filter"]] = Field(
        min_length=1, max_length=MOST_TEMPLATES, examples=[{TEMPLATE_ID: "accept"}]
    )


@router.get("/templates", summary="可以订阅的消息")
async def list_templates(call: Looking) -> Templates:
    """What to ask for, most important first. Empty while WeChat is not set up."""
    return await _templates(call)


@router.post("/grants", summary="上报订阅结果", status_code=201)
async def report_grants(given: Grants, once: OnlyOnce) -> Templates:
    """One accept allows one message. Send an `Idempotency-Key`: the same report is then counted once."""
    answer: dict[str, Any] = await once(lambda: _record(once.call, given))
    return Templates.model_validate(answer)


async def _record(call: Call, given: Grants) -> Templates:
    known = {template.template_id for template in call.parts.templates}
    for template_id, tapped in given.results.items():
        if template_id in known:
            answer = GrantAnswer.ACCEPT if tapped.startswith("accept") else GrantAnswer(tapped)
            tap = Tap(call.scope.owner_id, template_id, answer, GrantSource.PHONE, call.real_now)
            await note_tap(await quick_of(call.session), tap)
    return await _templates(call)


async def _templates(call: Call) -> Templates:
    stopped = await stopped_templates(call.session)
    asked = [template for template in call.parts.templates if template.template_id not in stopped]
    return Templates(items=[await _shape(call, template) for template in asked])


async def _shape(call: Call, template: Template) -> TemplateOut:
    left = await remaining(call.session, call.scope.owner_id, template.template_id)
    return TemplateOut.model_validate(
        {"template_id": template.template_id, "key": template.key, "title": template.title, "remaining": left}
    )
