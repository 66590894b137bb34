"""Statements that a model proposes, turned into claims or refused. Pure.

A model says which words of the owner it means, about whom, and in which slot they belong. Everything else is read from
those words by our own rules, the same that read a message without a model: how they are meant, whose they are, the day,
the line that memory shows. What the words deny, ask, suppose or tell of another animal is refused, whatever the model
made of it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from domain.offline.extractor.assembly import claims_of
from domain.offline.extractor.quantities import Quantity
from domain.offline.extractor.reading import Draft, Reading, Scene, is_denied
from domain.offline.extractor.scenes import read_scene
from domain.offline.extractor.tone import is_no_report
from domain.pet_mentions import State
from domain.pet_profiles import Utterance
from memory.claims import Claim, Refusal
from memory.text_folding import fold_text
from memory.topics import Topic
from memory.vocabulary import OWNER_SUBJECT

MAX_QUOTE = 200  # characters; a statement is a sentence at most

NOT_SAID = "quote not in the message"
NOT_REPORTED = "no statement"
ANOTHER_PET = "another pet"
ANOTHER_WORD = "word not in the quote"
ANOTHER_NUMBER = "number not in the quote"
DENIED = "denied in the words"
NOT_DENIED = "no denial in the words"

_NEGATES = re.compile(r"不|没|无|未|别|停|断|完|好了|恢复|正常|取消|错|排除|阴性|痊愈|消失")


@dataclass(frozen=True, slots=True)
class Proposal:
    """subject: a pet's id or "owner". quote: the owner's words, as they are.

    names: the words of the quote that fill the slot (a drug, a sign), which must stand there. number: a figure that
    must stand there with its unit.
    """

    subject: str
    attribute: str
    quote: str
    value: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    names: Sequence[str] = ()
    number: float | None = None
    negated: bool = False
    topic: Topic | None = None


def read_message(utterance: Utterance) -> Scene:
    """The message as our rules read it; made once for all proposals about it."""
    return read_scene(utterance, fold_text(utterance.text))


def claim_of(proposal: Proposal, scene: Scene) -> Claim | Refusal:
    """The claim, or why it is none. The caller still grounds it and lets the conflict policy decide."""
    quote = fold_text(proposal.quote[:MAX_QUOTE]).strip()
    start = scene.folded.find(quote) if quote else -1
    if start < 0:
        return Refusal(NOT_SAID, proposal.quote[:MAX_QUOTE])
    end = start + len(quote)
    readings = [one for one in scene.readings if one.start < end and start < one.end]
    reason = _not_reported(readings, scene)
    if not reason:
        reading = max(readings, key=lambda one: min(end, one.end) - max(start, one.start))
        first, last = max(start, reading.start), min(end, reading.end)
        reason = _misread(proposal, reading, scene, first, last)
    return Refusal(reason, proposal.quote) if reason else _claim(proposal, reading, scene, first, last)


def _not_reported(readings: Sequence[Reading], scene: Scene) -> str:
    """Why the words report nothing: they ask, suppose, joke, or speak of somebody else's animal."""
    if is_no_report(scene.folded):
        return NOT_REPORTED
    for reading in readings:
        if not reading.usable:
            return reading.tone.why_not or f"{reading.about.state} animal"
    return "" if readings else NOT_REPORTED


def _misread(proposal: Proposal, reading: Reading, scene: Scene, first: int, last: int) -> str:
    words = scene.folded[first:last]
    if not _is_about(proposal.subject, reading):
        return ANOTHER_PET
    places = [words.find(fold_text(name).strip()) for name in proposal.names]
    if any(place < 0 for place in places):
        return ANOTHER_WORD
    if proposal.number is not None and _quantity(proposal, reading, first, last) is None:
        return ANOTHER_NUMBER
    if proposal.negated:
        return "" if _NEGATES.search(words) else NOT_DENIED
    ends = [place + len(fold_text(name).strip()) for place, name in zip(places, proposal.names, strict=True)]
    denied = (
        is_denied(words[max(0, place - 8) : place], words[stop : stop + 10])
        for place, stop in zip(places, ends, strict=True)
    )
    return DENIED if any(denied) else ""


def _is_about(subject: str, reading: Reading) -> bool:
    """Whether the words may be about this subject: a pet they mean or may mean, the owner where they name no pet."""
    about = reading.about
    if subject == OWNER_SUBJECT:
        return not about.explicit
    if about.state is State.UNCLEAR:
        return not about.candidates or subject in about.candidates
    return subject in about.pets


def _quantity(proposal: Proposal, reading: Reading, first: int, last: int) -> Quantity | None:
    return next(
        (
            one
            for one in reading.quantities()
            if first <= one.start and one.end <= last and abs(one.number - (proposal.number or 0)) < 1e-6  # as written
        ),
        None,
    )


def _claim(proposal: Proposal, reading: Reading, scene: Scene, first: int, last: int) -> Claim | Refusal:
    """The claim in our own wording, with our own reading of figures and days."""
    value = dict(proposal.value)
    if proposal.number is not None and (amount := _quantity(proposal, reading, first, last)) is not None:
        value |= amount.as_value()
    draft = Draft(
        proposal.attribute,
        first,
        last,
        value,
        proposal.negated,
        topic=proposal.topic,
        owner=proposal.subject == OWNER_SUBJECT,
    )
    made = claims_of(reading, [draft], scene)
    fitting = [claim for claim in made if claim.subject in (proposal.subject, None)]
    return fitting[0] if fitting else Refusal(ANOTHER_PET, proposal.quote)
