"""What an owner thinks of an answer."""

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from domain.turn_feedback import FeedbackKind, take_feedback
from miniprogram_api.deps import Acting
from miniprogram_api.examples import MEMORY_ID, RECORD_ID

router = APIRouter(prefix="/chat", tags=["chat"])


class Feedback(BaseModel):
    """`memory_id` is one of the answer's citations; without it the answer as a whole is meant."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"kind": "wrong", "memory_id": MEMORY_ID}]}
    )

    kind: FeedbackKind
    memory_id: str | None = Field(default=None, max_length=64)


class CorrectionOut(BaseModel):
    """What can be put right: `PUT /memories/{memory_id}`, or the record that the memory is told from."""

    memory_id: str
    content: str
    confidence: float
    trust_lowered: bool
    record_kind: str | None
    record_id: str | None
    hint: str


class FeedbackOut(BaseModel):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "kind": "wrong",
                    "correction": {
                        "memory_id": MEMORY_ID,
                        "content": "豆豆对鸡肉过敏",
                        "confidence": 0.95,
                        "trust_lowered": False,
                        "record_kind": "allergies",
                        "record_id": RECORD_ID,
                        "hint": "这条来自健康档案，请核对后在档案里修改，或直接告诉我正确的情况",
                    },
                }
            ]
        }
    )

    kind: FeedbackKind
    correction: CorrectionOut | None


IN_RECORD = "这条来自健康档案，请核对后在档案里修改，或直接告诉我正确的情况"
IN_MEMORY = "可以直接修改或删除这条记忆，也可以告诉我正确的情况"


@router.post("/turns/{turn_id}/feedback", summary="这条回复有帮助，或用错了记忆")
async def give_feedback(turn_id: str, given: Feedback, call: Acting) -> FeedbackOut:
    """`wrong` lowers the trust in a low-risk memory and says where it is corrected; repeating it changes nothing."""
    correction = await take_feedback(
        call.session, call.scope, turn_id, given.kind, given.memory_id, call.now, call.real_now
    )
    if correction is None:
        return FeedbackOut(kind=given.kind, correction=None)
    item = correction.item
    return FeedbackOut(
        kind=given.kind,
        correction=CorrectionOut(
            memory_id=item.id,
            content=item.content,
            confidence=item.confidence,
            trust_lowered=correction.lowered,
            record_kind=item.record_kind,
            record_id=item.record_id,
            hint=IN_RECORD if item.record_id else IN_MEMORY,
        ),
    )
