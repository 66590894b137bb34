"""The label on words that a machine may have made: a line for people, seven fields for programs. Pure.

Source: 人工智能生成合成内容标识办法 (in force since 2025-09-01), articles 4 and 5, and GB 45438-2025. The line holds AI
or 人工智能 and 生成 or 合成; a file's metadata is a JSON object of strings under the key AIGC. docs/ai-labels.md tells
what carries them.
"""

import json
from dataclasses import dataclass
from typing import Any, Literal

PRODUCER = "PawSignal"  # until an operator names itself (PAWSIGNAL_AI_PRODUCER)
KEY = "AIGC"

Certainty = Literal["1", "2"]
IS: Certainty = "1"
MAY_BE: Certainty = "2"

ANSWER = "AI生成，不能代替兽医诊断"
EXPORT = "标有 ai_generated 的内容、归档摘要和整理日记由人工智能生成（AI生成），仅供参考，不能代替兽医诊断。"
CALENDAR = "日程和到期由宠爱信号整理，部分文字可能由人工智能生成（AI生成），不能代替兽医的安排。"


@dataclass(frozen=True, slots=True)
class AiLabel:
    """content_id: the number of what is labelled, the same each time it leaves unchanged. producer: name or code."""

    text: str
    content_id: str
    producer: str = PRODUCER
    certainty: Certainty = IS

    @property
    def fields(self) -> dict[str, str]:
        """The seven fields. Who makes it also hands it out, so both numbers are the same."""
        return {
            "Label": self.certainty,
            "ContentProducer": self.producer,
            "ProduceID": self.content_id,
            "ReservedCode1": "",
            "ContentPropagator": self.producer,
            "PropagateID": self.content_id,
            "ReservedCode2": "",
        }

    @property
    def metadata(self) -> str:
        """What goes into the metadata of a file: one line of JSON."""
        return json.dumps({KEY: self.fields}, ensure_ascii=False)

    def as_json(self) -> dict[str, Any]:
        """Line and fields together, as `ai_label` in an answer or an export."""
        return {"text": self.text, KEY: self.fields}
