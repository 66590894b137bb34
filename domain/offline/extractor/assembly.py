"""From drafts to claims: the subject's name, the day, the wording, what the slot's catalogue says."""

from collections.abc import Iterable
from datetime import date

from domain.attributes import spec_of
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.pet_mentions import MentionKind, State
from memory.claims import Claim, Evidence
from memory.vocabulary import OWNER_SUBJECT, Certainty, Kind, Precision

_CONFIDENCE = {Certainty.PLAIN: 0.95, Certainty.HEDGED: 0.6, Certainty.HEARSAY: 0.5, Certainty.QUESTION: 0.3}
_NEVER_DATED = frozenset({"weight_goal", "age", "birth_date", "sex"})


def claims_of(reading: Reading, drafts: Iterable[Draft], scene: Scene) -> list[Claim]:
    """One claim for each draft and pet that the clause is about; the subject is None when it is unclear which."""
    claims: list[Claim] = []
    for draft in drafts:
        subjects: tuple[str | None, ...]
        if draft.owner:
            subjects = (OWNER_SUBJECT,)
        else:
            subjects = reading.about.pets or ((None,) if reading.about.state is State.UNCLEAR else ())
        claims.extend(_claim(draft, subject, reading, scene) for subject in subjects)
    return claims


def _claim(draft: Draft, subject: str | None, reading: Reading, scene: Scene) -> Claim:
    spec = spec_of(draft.attribute)
    certainty = draft.certainty or reading.tone.certainty
    on, precision = _when(draft, reading, scene, spec.kind)
    quote = scene.utterance.text[draft.start : draft.end]
    return Claim(
        subject=subject,
        attribute=draft.attribute,
        attribute_class=draft.cls or spec.attribute_class,
        topic=draft.topic or spec.topic,
        content=_content(draft, subject, reading, scene),
        evidence=Evidence(quote, draft.start, draft.end),
        value=dict(draft.value),
        negated=draft.negated,
        certainty=certainty,
        act=draft.act or reading.tone.act,
        kind=spec.kind,
        memory_type=spec.memory_type,
        confidence=_CONFIDENCE[certainty],
        weight_level=spec.weight_level,
        occurred_on=on,
        occurred_on_precision=precision,
        first_hand=reading.tone.first_hand,
    )


def _when(draft: Draft, reading: Reading, scene: Scene, kind: Kind) -> tuple[date | None, Precision]:
    """The day of the clause, or the day told just before it for the same pet."""
    if draft.on:
        return draft.on, Precision.DAY
    if draft.attribute in _NEVER_DATED and draft.attribute != "birth_date":
        return None, Precision.UNKNOWN
    for source in (reading, scene.previous_of(reading)):
        if source is None or source.about.pets != reading.about.pets:
            continue
        dated = [time for time in source.times if time.on is not None]
        unsupported = any(not time.supported for time in source.times)
        if dated:
            last = dated[-1] if draft.attribute.startswith(("vaccine", "deworming")) else dated[0]
            return last.on, last.precision
        if unsupported:
            return None, Precision.UNKNOWN
    if draft.attribute == "weight":
        return scene.now.date(), Precision.DAY
    return None, Precision.UNKNOWN


def _content(draft: Draft, subject: str | None, reading: Reading, scene: Scene) -> str:
    """The owner's words of the clause with the subject's name in them."""
    line = _line(draft, subject, reading, scene)
    return f"{line}（{draft.about}）" if draft.about else line


def _line(draft: Draft, subject: str | None, reading: Reading, scene: Scene) -> str:
    text = scene.utterance.text[draft.start : draft.end].strip()
    if draft.owner:
        return text if text.startswith(("我", "主人")) else f"主人：{text}"
    name = next((pet.name for pet in scene.utterance.pets if pet.id == subject), None)
    if name is None:
        return f"（未说明是哪只）{text}"
    for mention in reading.about.mentions:
        if draft.start <= mention.start and mention.end <= draft.end and subject in mention.pets:
            left, right = mention.start - draft.start, mention.end - draft.start
            original = scene.utterance.text[draft.start : draft.end]
            if name in original and len(mention.pets) == 1 and mention.kind is MentionKind.NAME:
                return text
            return f"{original[:left]}{name}{original[right:]}".strip()
    return text if name in text else f"{name}{text}"
