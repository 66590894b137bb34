"""What the HTTP floor needs of the container: real parts chosen by `app`, seen from here as protocols."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from typing import Protocol, cast

from fastapi import Request

from domain.ai_labels import PRODUCER
from domain.chat_turn import ChatTurns
from domain.files import FileStore
from domain.mini_links import MiniLinks
from domain.moderation import Moderator
from domain.push_messages import Template
from domain.wechat import WeChat
from domain.wechat_events import EventBatches
from memory.core_budget import Limits
from memory.transactions import Transactions
from memory.upgrade import DEFAULT_RULES, UpgradeRules
from miniprogram_api.codes_in_use import CodesInUse
from miniprogram_api.rate_limits import RateLimits
from miniprogram_api.wechat_crypto import PushKey


class Keys(Protocol):
    """Sub-keys of the service's secret, each for one purpose."""

    @property
    def tokens(self) -> bytes: ...

    @property
    def idempotency(self) -> bytes: ...

    @property
    def calendars(self) -> bytes: ...

    @property
    def tombstones(self) -> bytes: ...

    @property
    def shares(self) -> bytes: ...

    @property
    def media(self) -> bytes: ...

    def seal_identity(self, identity: str) -> str: ...

    def seal(self, text: str) -> str: ...


VET_PAGE = "pages/vet/index"  # of the mini-program, where a mini code of a share leads


@dataclass(frozen=True, slots=True)
class PushOptions:
    """How WeChat's message push is checked. key None: pushes are plain."""

    token: str
    key: PushKey | None = None


@dataclass(frozen=True, slots=True)
class ApiOptions:
    """What settings decide about the HTTP floor.

    dev_sign_in: a code `dev:<name>` signs in without WeChat. domain_time: X-Pawsignal-Now is accepted.
    min_client_version: "" accepts every client. upgrade, upgrade_at: the rules of the nightly upgrade and the time of
    the owner's clock at which it runs. push None: no message push is taken.
    ai_producer: who answers for generated words, as their label names it.
    public_url: where the service is reached from outside; "" means as the
    request was addressed.
    """

    dev_sign_in: bool
    domain_time: bool
    min_client_version: str
    pet_card: Limits
    owner_card: Limits
    upgrade: UpgradeRules = DEFAULT_RULES
    upgrade_at: time = time(3, 30)
    push: PushOptions | None = None
    vet_page: str = VET_PAGE
    public_url: str = ""
    ai_producer: str = PRODUCER


class Parts(Protocol):
    """The container, as far as routes may know it."""

    @property
    def transactions(self) -> Transactions: ...

    @property
    def keys(self) -> Keys: ...

    @property
    def wechat(self) -> WeChat | None: ...

    @property
    def templates(self) -> Sequence[Template]: ...

    @property
    def options(self) -> ApiOptions: ...

    @property
    def rate_limits(self) -> RateLimits: ...

    @property
    def files(self) -> FileStore: ...

    @property
    def events(self) -> EventBatches: ...

    @property
    def mini_links(self) -> MiniLinks | None: ...

    @property
    def codes_in_use(self) -> CodesInUse: ...

    @property
    def moderator(self) -> Moderator | None: ...

    @property
    def phone_limits(self) -> RateLimits: ...

    @property
    def vet_limits(self) -> RateLimits: ...

    @property
    def turns(self) -> ChatTurns: ...

    @property
    def embeds_elsewhere(self) -> bool:
        """Whether texts are embedded by somebody else's service, so that consent decides about vectors."""
        ...


def parts_of(request: Request) -> Parts:
    """The container of the running app."""
    return cast("Parts", request.app.state.container)
