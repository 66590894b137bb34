"""The port to WeChat's servers, as far as sign-in needs it, and what can go wrong there.

DomainFault
└── WeChatFault
    ├── WeChatNotConfigured   no appid and secret are set
    ├── WeChatCodeRefused     the code is unknown, used or expired
    └── WeChatUnavailable     WeChat did not answer in time, or is busy
"""

from dataclasses import dataclass
from typing import Protocol

from domain.errors import DomainFault


@dataclass(frozen=True, slots=True)
class WeChatIdentity:
    """Who scanned: `openid` is stable for one mini-program (`appid`) and never leaves the server."""

    appid: str
    openid: str
    unionid: str | None = None


class WeChat(Protocol):
    """What WeChat answers. Every call may raise a WeChatFault."""

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


class WeChatCodeRefused(WeChatFault):
    code = "wechat_code_refused"
    detail = "登录凭证无效或已过期，请重新打开小程序"


class WeChatUnavailable(WeChatFault):
    code = "wechat_unavailable"
    detail = "微信暂时没有响应，请稍后再试"
