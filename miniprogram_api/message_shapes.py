"""How messages of the log look outside."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from miniprogram_api.examples import MESSAGE_ID

MESSAGE_EXAMPLE: dict[str, Any] = {
    "id": MESSAGE_ID,
    "turn_id": "0199f3c2-1f6a-7cc1-9d0e-5b1a2c3d4e5f",
    "conversation_id": "0199f3c2-1f6a-7cc1-9d0e-5b1a2c3d4e61",
    "role": "user",
    "text": "豆豆今天吐了两次，没精神",
    "pet_id": None,
    "ai_generated": False,
    "said_at": "2026-03-01T12:00:00+00:00",
}


class MessageOut(BaseModel):
    """One message of the log."""

    model_config = ConfigDict(json_schema_extra={"example": MESSAGE_EXAMPLE})

    id: str
    turn_id: str | None
    conversation_id: str
    role: Literal["user", "assistant"]
    text: str
    pet_id: str | None
    ai_generated: bool
    said_at: datetime
