"""What the domain refuses, as one small tree. `code` is the stable word clients see; the text is Chinese for owners.

DomainFault
├── NotFound
│   ├── UnknownPet
│   ├── UnknownRecord
│   └── UnknownTurn
├── StaleVersion
├── TurnInProgress
├── TurnTextChanged        the same client_msg_id came with another text
├── IdempotencyKeyReused   the same key came with another body
├── TooMany                a limit of the household is reached
└── Implausible            a value that cannot be right (a 45 kg cat), asked back
"""

from typing import Any


class DomainFault(Exception):
    """Root of what the domain refuses."""

    code = "domain_fault"
    detail = "操作没有成功"

    def __init__(self, detail: str | None = None, **extra: Any) -> None:
        self.detail = detail or self.detail
        self.extra = extra
        super().__init__(self.detail)


class NotFound(DomainFault):
    code = "not_found"
    detail = "没有找到"


class UnknownPet(NotFound):
    code = "unknown_pet"
    detail = "没有找到这只宠物"


class UnknownRecord(NotFound):
    code = "unknown_record"
    detail = "没有找到这条档案"


class UnknownTurn(NotFound):
    code = "unknown_turn"
    detail = "没有找到这次对话"


class StaleVersion(DomainFault):
    """Extra: `current_version`."""

    code = "stale_version"
    detail = "内容已在别处修改，请刷新后再试"


class TurnInProgress(DomainFault):
    """Extra: `turn_id` of the running one."""

    code = "turn_in_progress"
    detail = "上一条消息还在回复中，请稍等"


class TurnTextChanged(DomainFault):
    code = "client_msg_id_reused"
    detail = "同一条消息编号对应了不同的内容"


class IdempotencyKeyReused(DomainFault):
    code = "idempotency_key_reused"
    detail = "同一个幂等键对应了不同的请求内容"


class TooMany(DomainFault):
    code = "too_many"
    detail = "数量已达上限"


class Implausible(DomainFault):
    code = "implausible_value"
    detail = "这个数值看起来不太对，请核对后再填"
