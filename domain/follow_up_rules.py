"""When an owner's words open a follow-up, close it or put it off. Pure: claims and words in, a decision out.

"昨天吐了两次" is worth asking about tomorrow; "去年吐过一次" is not, nor is what the same words say is over.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from memory.claims import Claim
from memory.text_folding import fold_text
from memory.vocabulary import AttributeClass, Certainty, SpeechAct

ASKED_AFTER = timedelta(days=1)  # how a sick pet is, is asked the next day
STILL_NEWS_DAYS = 3  # a symptom that began earlier is no news any more
MOST_A_DAY = 3  # product contract
MOST_PUT_OFF = 3  # "还没好" moves the question on so often; then a vet is the one to ask

_NOT_OVER = re.compile(
    r"(?:还|仍|一直|又|更|越来越)[^,，。;；!！]{0,4}(?:没|不见|不|吐|拉|咳|瘸|疼|痛|烧|抖|严重|厉害|重|差)|没(?:有)?(?:好|恢复|缓解)|不见好|没见好"
    r"|反复|加重|好不了|严重了|恶化"
)
_OVER = re.compile(
    r"(?<!要)(?:好了|好多了|好些了|好点了|好一点了|好转|没事了|没事儿了|恢复|痊愈|康复|正常了|缓解了|消了|退烧了|止住了)"
    r"|(?:不|没有?再|没有?)(?:继续)?(?:吐|拉|咳|喘|瘸|痒|挠|烧|疼|流血|抖)(?:稀|嗽|血)?了?"
)
_STOOL = re.compile(r"(?<![不没未难])成[形型]")
_STOOLS = frozenset({"symptom:diarrhea", "symptom:constipation", "symptom:bloody_stool"})
_ASKS = re.compile(
    r"[?？]|吗|么$|呢$|谁|哪[只个条位]|多少|什么|会不会|能不能|怎么|什么时候|多久|才会?好|要是|如果|等.{0,6}好了"
)
_LONG_AGO = re.compile(r"以前|曾经|从前|小时候|上次|当年|去年|前年|上个?月|过去")


@dataclass(frozen=True, slots=True)
class Unwell:
    """A symptom worth asking about: whose, which slot, and the line that told it."""

    pet_id: str
    attribute: str
    content: str


def symptoms_told(claims: Sequence[Claim], pets: Collection[str], today: date) -> tuple[Unwell, ...]:
    """What the message says is wrong now, one entry a slot. `pets`: ids of the pets that may be asked about."""
    found: dict[tuple[str, str], Unwell] = {}
    for claim in claims:
        if claim.subject in pets and claim.subject is not None and _is_news(claim, today):
            found.setdefault((claim.subject, claim.attribute), Unwell(claim.subject, claim.attribute, claim.content))
    return tuple(found.values())


def says_it_is_over(text: str) -> bool:
    """Whether the words tell that something has got better: 好了, 没再吐. A question or a hope does not."""
    folded = fold_text(text)
    return _OVER.search(folded) is not None and not _NOT_OVER.search(folded) and not _ASKS.search(folded)


def says_it_goes_on(text: str) -> bool:
    """Whether the words tell that it has not: 还在吐, 没好, 更严重了."""
    folded = fold_text(text)
    return _NOT_OVER.search(folded) is not None and not _ASKS.search(folded)


def says_stool_is_well(text: str, attributes: Collection[str]) -> bool:
    """便便成形了, where a follow-up about these slots is one about stool."""
    folded = fold_text(text)
    if _STOOLS.isdisjoint(attributes) or _NOT_OVER.search(folded) or _ASKS.search(folded):
        return False
    return _STOOL.search(folded) is not None


def day_to_ask(today: date, taken: Sequence[date]) -> date | None:
    """The day a new follow-up is meant for: the next one that still has room; None when the next three are full."""
    for later in range(STILL_NEWS_DAYS):
        day = today + ASKED_AFTER + timedelta(days=later)
        if taken.count(day) < MOST_A_DAY:
            return day
    return None


def question_about(name: str) -> str:
    """What is asked."""
    return f"{name}好点了吗？"


def is_past(due_on: date, today: date) -> bool:
    """Whether an open follow-up has outlived its news."""
    return (today - due_on).days > STILL_NEWS_DAYS


def _is_news(claim: Claim, today: date) -> bool:
    said = fold_text(claim.evidence.quote)
    if claim.attribute_class is not AttributeClass.SYMPTOM or claim.negated or claim.certainty is Certainty.QUESTION:
        return False
    if claim.act in (SpeechAct.CORRECTION, SpeechAct.DECISION) or not claim.first_hand:
        return False
    if claim.occurred_on is not None and not 0 <= (today - claim.occurred_on).days <= STILL_NEWS_DAYS:
        return False
    return not _LONG_AGO.search(said) and not says_it_is_over(said)
