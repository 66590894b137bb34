"""A WeChat for development: it takes subscribe messages into a list instead of to phones, and signs nobody in."""

from collections import deque

import structlog

from domain.push_fields import accepts
from domain.wechat import PushOutcome, PushResult, SubscribeMessage, WeChatIdentity, WeChatNotConfigured

log = structlog.get_logger(__name__)

KEPT = 200  # messages; older ones are forgotten, none is written to disk
INVALID_ARGUMENT = 47003  # WeChat's errcode for a field that is empty or too long


class DevWeChat:
    """Takes what WeChat would take. `sent` holds the messages, oldest first."""

    def __init__(self) -> None:
        self.sent: deque[SubscribeMessage] = deque(maxlen=KEPT)
        self._count = 0

    async def code2session(self, code: str) -> WeChatIdentity:
        """Raises WeChatNotConfigured: development signs in with `dev:<name>`."""
        raise WeChatNotConfigured()

    async def phone_number(self, code: str) -> str:
        """Raises WeChatNotConfigured."""
        raise WeChatNotConfigured()

    async def send_subscribe_message(self, message: SubscribeMessage) -> PushResult:
        """Keep the message, unless WeChat would refuse its fields."""
        if not message.fields or not all(accepts(key, value) for key, value in message.fields.items()):
            return PushResult(PushOutcome.INVALID, INVALID_ARGUMENT)
        self._count += 1
        self.sent.append(message)
        log.info("push_kept", template=message.template_id, messages=self._count)
        return PushResult(PushOutcome.SENT, 0, str(self._count))
