"""The port to WeChat's servers: sign-in, subscribe messages, and what can go wrong there.

What WeChat answers to a subscribe message is no exception but a `PushResult`: every answer has its consequence.

DomainFault
└── WeChatFault
    ├── WeChatNotConfigured   no appid and secret are set
    ├── WeChatMisconfigured   WeChat does not accept our appid, secret or address; an operator must act
    ├── WeChatCodeRefused     the code is unknown, used or expired
    ├── WeChatPhoneCodeRefused  the same for a phone number's code
    ├── WeChatUserBlocked     WeChat holds this person for a high risk
    ├── WeChatTooOften        a limit of WeChat is reached. Extra: retry_after, seconds
    └── WeChatUnavailable     WeChat did not answer in time, or is busy
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from domain.errors import DomainFault


@dataclass(frozen=True, slots=True)
class WeChatIdentity:
    """Who scanned: `openid` is stable for one mini-program (`appid`) and never leaves the server."""

    appid: str
    openid: str
    unionid: str | None = None


@dataclass(frozen=True, slots=True)
class SubscribeMessage:
    """One subscribe message. `fields` holds every key of the template with its text, already fitted to its limits.

    openid: the plain one. page: of the mini-program, with its query; "" opens nothing.
    """

    openid: str
    template_id: str
    page: str
    fields: Mapping[str, str] = field(default_factory=dict)  # {"thing1": "豆豆", "time3": "2026年3月1日 09:00"}


class PushOutcome(StrEnum):
    """What became of one subscribe message, by what has to follow."""

    SENT = "sent"
    REFUSED = "refused"  # 43101: no grant is left, or the owner switched it off; the ledger goes to 0
    BANNED = "banned"  # 43107: the template is stopped for everybody
    WORDING = "wording"  # 45168: WeChat takes offence at a word; said neutrally it may go out
    INVALID = "invalid"  # 40003, 40037, 41030, 47001, 47003 …: our fault; never sent again as it is
    RETRY_LATER = "retry_later"  # -1, 43108, 45009, 45011, a refused token: surely not sent, may be tried again
    UNKNOWN = "unknown"  # no answer or a 5xx: it may have gone out, so it is not sent again


@dataclass(frozen=True, slots=True)
class PushResult:
    """errcode: WeChat's own, None when it gave none. msgid: as text, for it does not fit a JavaScript number."""

    outcome: PushOutcome
    errcode: int | None = None
    msgid: str | None = None


class SubscribeSender(Protocol):
    """Who carries subscribe messages to WeChat."""

    async def send_subscribe_message(self, message: SubscribeMessage) -> PushResult:
        """Send once, never twice by itself after an unknown outcome. Raises nothing: the result tells."""
        ...


class WeChat(SubscribeSender, Protocol):
    """What WeChat answers. Every call but the sending may raise a WeChatFault."""

    async def code2session(self, code: str) -> WeChatIdentity:
        """The identity behind a `wx.login` code, which works once and for five minutes."""
        ...

    async def phone_number(self, code: str) -> str:
        """The phone number behind a `getPhoneNumber` code, with its country code (+8613800138000)."""
        ...


class WeChatFault(DomainFault):
    code = "wechat_fault"
    detail = "微信服务出错了，请稍后再试"


class WeChatNotConfigured(WeChatFault):
    code = "wechat_not_configured"
    detail = "微信登录还没有配置好"


class WeChatMisconfigured(WeChatFault):
    code = "wechat_misconfigured"
    detail = "微信服务配置有误，我们会尽快处理"


class WeChatCodeRefused(WeChatFault):
    code = "wechat_code_refused"
    detail = "登录凭证无效或已过期，请重新打开小程序"


class WeChatPhoneCodeRefused(WeChatFault):
    code = "wechat_phone_code_refused"
    detail = "手机号授权已失效，请再点一次授权按钮"


class WeChatUserBlocked(WeChatFault):
    code = "wechat_user_blocked"
    detail = "微信暂时限制了这个账号的登录，请在微信里查看原因"


class WeChatTooOften(WeChatFault):
    code = "wechat_too_often"
    detail = "操作太频繁了，请过一分钟再试"


class WeChatUnavailable(WeChatFault):
    code = "wechat_unavailable"
    detail = "微信暂时没有响应，请稍后再试"
