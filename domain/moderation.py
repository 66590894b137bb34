"""What may be said and shown: WeChat's check of texts and pictures, and what we do when it cannot be asked.

Talk between an owner and us fails open: an answer that could not be checked is given and marked so, for it may be the
one about a poisoned cat. What others will see fails closed: it waits for a verdict. `review` is a doubt, not a no:
the words of pet medicine (blood, poison, euthanasia) raise it all the time.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

import structlog

from domain.errors import DomainFault
from domain.owners import Owner
from domain.wechat import WeChatFault

log = structlog.get_logger(__name__)

MAX_PART = 2500  # characters of one check
OVERLAP = 100  # characters that two parts share, so that a phrase on the seam is seen whole
TEXT_SECONDS = 1.5  # an answer does not wait longer for its verdict
FAILURES, REST_SECONDS = 3, 20.0  # after so many in a row nobody waits for WeChat for a while


class Suggest(StrEnum):
    """What WeChat thinks of a content, from harmless to harmful."""

    PASS = "pass"  # noqa: S105  # WeChat's word
    REVIEW = "review"
    RISKY = "risky"


@dataclass(frozen=True, slots=True)
class Verdict:
    """label: WeChat's number of the kind of harm, 100 for none. trace_id: by which a verdict can be disputed."""

    suggest: Suggest
    label: int = 100
    trace_id: str = ""


class ContentChecker(Protocol):
    """Who judges contents. The person (`openid`, a plain one) must have used the mini-program within two hours."""

    async def check_text(self, openid: str, text: str) -> Verdict:
        """The verdict on at most `MAX_PART` characters. Raises WeChatFault, WeChatNotSeenLately."""
        ...

    async def check_image(self, openid: str, url: str) -> str:
        """Ask for a verdict on a picture that can be fetched at `url`; the trace id by which it will come.

        Raises WeChatFault.
        """
        ...


class WeChatNotSeenLately(WeChatFault):
    """WeChat judges nothing for somebody who has not used the mini-program within two hours."""

    code = "wechat_not_seen_lately"


class WordsNotCleared(DomainFault):
    """Others would see these words, and nobody has judged them harmless."""

    code = "words_not_cleared"
    detail = "这段文字暂时没有通过内容检查，换个写法或稍后再试"


class Moderator:
    """Judges texts of owners who signed in by WeChat."""

    def __init__(
        self, checker: ContentChecker, appid: str, open_identity: Callable[[str], str], seconds: float = TEXT_SECONDS
    ) -> None:
        self._checker = checker
        self._appid = appid
        self._open_identity = open_identity
        self._seconds = seconds
        self._failures = 0
        self._rests_until = 0.0

    def knows(self, owner: Owner) -> bool:
        """Whether this owner can be asked about; one who signed in without WeChat cannot."""
        return owner.appid == self._appid

    async def judge(self, owner: Owner, text: str) -> Verdict | None:
        """The worst verdict on any part of the text; None when there is none in time."""
        loop = asyncio.get_running_loop()
        if not self.knows(owner) or not text.strip() or loop.time() < self._rests_until:
            return None
        openid = self._open_identity(owner.openid)
        try:
            async with asyncio.timeout(self._seconds):
                verdicts = await asyncio.gather(*(self._checker.check_text(openid, part) for part in parts_of(text)))
        except (WeChatFault, TimeoutError) as fault:
            log.warning("text_not_judged", because=type(fault).__name__)
            self._failed(fault)
            return None
        self._failures = 0
        verdict = worst(verdicts)
        if verdict.suggest is not Suggest.PASS:
            log.info("text_judged", suggest=verdict.suggest.value, label=verdict.label, trace=verdict.trace_id)
        return verdict

    def _failed(self, fault: Exception) -> None:
        """Somebody who was not seen lately is no failure of WeChat's."""
        self._failures += not isinstance(fault, WeChatNotSeenLately)
        if self._failures >= FAILURES:
            self._failures, self._rests_until = 0, asyncio.get_running_loop().time() + REST_SECONDS

    async def may_be_shared(self, owner: Owner, text: str) -> bool:
        """Whether others may see this text: only after a verdict that is no doubt."""
        verdict = await self.judge(owner, text)
        return verdict is not None and verdict.suggest is Suggest.PASS


def parts_of(text: str) -> list[str]:
    """The text in parts that WeChat takes, each beginning with the end of the one before."""
    step = MAX_PART - OVERLAP
    return [text[start : start + MAX_PART] for start in range(0, max(len(text) - OVERLAP, 1), step)]


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The one that counts."""
    order = list(Suggest)
    return max(verdicts, key=lambda verdict: order.index(verdict.suggest))


def verdict_of(told: Mapping[str, Any]) -> Verdict:
    """The verdict in an answer or an event; what says nothing clear is a doubt."""
    result = told.get("result")
    result = result if isinstance(result, Mapping) else {}
    word, label = str(result.get("suggest", "")), str(result.get("label", ""))
    suggest = Suggest(word) if word in set(Suggest) else Suggest.REVIEW
    return Verdict(suggest, int(label) if label.isdecimal() else 0, str(told.get("trace_id") or ""))
