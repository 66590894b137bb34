"""What only the HTTP floor refuses. `code` is the stable word; the text is Chinese for owners.

ApiFault
├── NotSignedIn             no token, a wrong one, an expired or revoked one
│   └── RefreshTokenReused  an old refresh token came back: its session is revoked
├── ClientTooOld            X-Client-Version is below the configured minimum
├── TooManyRequests         extra: retry_after, whole seconds
├── PasscodeNeeded          a shared record that only opens with its passcode
├── DomainTimeRefused       X-Pawsignal-Now in production, or a time that cannot be read
├── BadCursor
├── BodyTooLarge
├── BadText                 lone surrogates, numbers that are none, control characters in an address
├── BodyUnreadable          not JSON
├── PushRefused             a message push that WeChat has not signed
└── StorageUnavailable      the disk is full or the database locked. extra: alerts, when a message was to be stored
"""

from domain.errors import DomainFault


class ApiFault(DomainFault):
    code = "api_fault"


class NotSignedIn(ApiFault):
    code = "not_signed_in"
    detail = "请先登录"


class RefreshTokenReused(NotSignedIn):
    code = "refresh_token_reused"
    detail = "登录已失效，请重新登录"


class ClientTooOld(ApiFault):
    code = "client_too_old"
    detail = "小程序版本太旧了，请更新后再使用"


class TooManyRequests(ApiFault):
    code = "too_many_requests"
    detail = "操作太频繁了，请稍等一下再试"


class PasscodeNeeded(ApiFault):
    code = "passcode_needed"
    detail = "这份档案需要口令"


class DomainTimeRefused(ApiFault):
    code = "domain_time_refused"
    detail = "不接受指定的时间"


class BadCursor(ApiFault):
    code = "bad_cursor"
    detail = "翻页标记无效，请从第一页重新开始"


class BodyTooLarge(ApiFault):
    code = "body_too_large"
    detail = "提交的内容太大了"


class BadText(ApiFault):
    code = "bad_text"
    detail = "内容里有无法识别的字符"


class BodyUnreadable(ApiFault):
    code = "body_unreadable"
    detail = "提交的内容不是有效的 JSON"


class PushRefused(ApiFault):
    code = "push_refused"
    detail = "签名不对"


class StorageUnavailable(ApiFault):
    code = "storage_unavailable"
    detail = "暂时存不下新的内容，请稍后再试；已经保存的都还在"
