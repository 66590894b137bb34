"""Tools that write: a note, a weight, a sign, a drug, a shot, a correction. Each becomes a proposal of a statement.

What a proposal may do is decided where every statement's fate is decided; a model adds nothing to it.
"""

import re
from dataclasses import replace

from domain.assistant import ToolResult
from domain.claimed_changes import Deed
from domain.proposed_claims import Proposal, claim_of
from domain.record_kinds import SAFETY_KINDS
from domain.slot_keys import slot_key
from domain.tools.arguments import (
    LogMeasurement,
    LogMedication,
    LogSymptom,
    LogVaccination,
    ProposeCorrection,
    Remember,
)
from domain.tools.tool_turn import OWNER_WORDS, ToolTurn
from domain.turn_context import Written
from domain.turn_writing import tell_written, write_claims
from domain.whole_writes import whole
from memory.claims import Claim, Refusal
from memory.core_card import enter_core
from memory.item_writes import revise_item
from memory.memory_page import item_of
from memory.text_folding import fold_text
from memory.vocabulary import OWNER_SUBJECT, MemoryStatus, Outcome, Tier

NOTE_KEY = 40  # characters of a note's own words that name its slot
SAME_WORDS = 0.8  # share of a quote's characters that stand in a line which says the same
PUT_ON_CARD = "put_on_card"

_MEDICAL = re.compile(r"过敏|绝育|结扎|确诊|诊断|停药|疫苗|驱虫|处方")
_MEDICAL_WORDS = ("allergen", "condition", "drug", "drug_name", "vaccine", "dewormer")
_SAFETY_NAMES = tuple(kind.name for kind in SAFETY_KINDS)
_TOLD = {
    Outcome.ADDED: "已记下",
    Outcome.MERGED: "以前就有，添了一次依据",
    Outcome.SUPERSEDED: "已更新",
    Outcome.PROVISIONAL: "先防着，系统会请主人确认",
    Outcome.CANDIDATE: "档案没有改，放进待观察；需要时系统会请主人确认",
    Outcome.REFUSED: "没有记",
}
_KEPT = (Outcome.ADDED, Outcome.MERGED, Outcome.SUPERSEDED, Outcome.PROVISIONAL)
_NOT_TAKEN = "没有记：{reason}。只能记主人这次明确说过的事，quote 要一字不差地来自主人这次的话。"
_NO_PET = "没有这只宠物。家里有：{names}。"
_USE_OTHERS = "这是医疗信息，不能当小事记：请用 log_symptom、log_medication、log_vaccination 或 propose_correction。"
_KNOWN = "系统已经记过这件事，不用再记。"


async def remember(turn: ToolTurn, given: Remember) -> ToolResult:
    """A small thing in the owner's own words, in the slot of those words."""
    is_owner = fold_text(given.about) in OWNER_WORDS
    pet = None if is_owner else turn.profile(given.about)
    if pet is None and not is_owner:
        return _no_pet(turn)
    if _is_medical(turn, given.quote):
        return _says(_USE_OTHERS)
    subject = OWNER_SUBJECT if pet is None else pet.id
    if (known := _kept_already(turn, subject, given.quote)) is not None:
        if given.place == "card" and known.memory_id:
            await whole(_put_on_card(turn, known.memory_id))
        return _says(_KNOWN)
    key = "".join(fold_text(given.quote).split())[:NOTE_KEY]
    slot = f"owner:{key}" if is_owner else f"other:{key}"
    topic = None if is_owner else given.topic
    result, written = await _write(turn, Proposal(subject, slot, given.quote, topic=topic))
    if given.place == "card" and written is not None and written.memory_id and written.outcome is Outcome.ADDED:
        await whole(_put_on_card(turn, written.memory_id))
    return result


async def log_measurement(turn: ToolTurn, given: LogMeasurement) -> ToolResult:
    """A weight; its unit is the owner's."""
    return await _about_a_pet(turn, given.pet, Proposal("", "weight", given.quote, number=given.value))


async def log_symptom(turn: ToolTurn, given: LogSymptom) -> ToolResult:
    """A sign that was seen, or is gone."""
    slot, value = slot_key("symptom", given.symptom), {"name": given.symptom}
    proposal = Proposal("", slot, given.quote, value, (given.symptom,), negated=given.gone)
    return await _about_a_pet(turn, given.pet, proposal)


async def log_medication(turn: ToolTurn, given: LogMedication) -> ToolResult:
    """A drug that is given, or was stopped."""
    details = {"dose_text": given.dose, "frequency_text": given.frequency}
    value = {"product": given.product, **{key: words for key, words in details.items() if words}}
    slot, names = slot_key("medication", given.product), tuple(value.values())
    proposal = Proposal("", slot, given.quote, value, names, negated=given.stopped)
    return await _about_a_pet(turn, given.pet, proposal)


async def log_vaccination(turn: ToolTurn, given: LogVaccination) -> ToolResult:
    """A shot or a deworming that was given."""
    slot = slot_key(given.kind, given.product)
    proposal = Proposal("", slot, given.quote, {"product": given.product}, (given.product,))
    return await _about_a_pet(turn, given.pet, proposal)


async def propose_correction(turn: ToolTurn, given: ProposeCorrection) -> ToolResult:
    """Something on record that the owner says is otherwise; the policy asks before it changes."""
    key = {"allergy": "substance_name", "condition": "name", "medication": "product"}[given.about]
    slot = slot_key(given.about, given.name)
    proposal = Proposal("", slot, given.quote, {key: given.name}, (given.name,), negated=not given.holds)
    return await _about_a_pet(turn, given.pet, proposal)


def _kept_already(turn: ToolTurn, subject: str, quote: str) -> Written | None:
    """What was kept of these words in this turn: a note would only say the same in another slot."""
    letters = [character for character in fold_text(quote) if "\u4e00" <= character <= "\u9fff"]
    for one in turn.run.answer.written:
        if one.subject == subject and one.outcome in _KEPT:
            line = fold_text(one.content)
            if sum(character in line for character in letters) >= SAME_WORDS * len(letters):
                return one
    return None


async def _about_a_pet(turn: ToolTurn, name: str, proposal: Proposal) -> ToolResult:
    pet = turn.profile(name)
    if pet is None:
        return _no_pet(turn)
    result, _ = await _write(turn, replace(proposal, subject=pet.id))
    return result


async def _write(turn: ToolTurn, proposal: Proposal) -> tuple[ToolResult, Written | None]:
    claim = claim_of(proposal, turn.scene)
    if isinstance(claim, Refusal):
        return _says(_NOT_TAKEN.format(reason=claim.reason)), None
    known = {(one.memory_id, one.outcome) for one in turn.run.answer.written}
    written = await whole(_kept(turn, claim, known))
    if written is None:
        return _says(_NOT_TAKEN.format(reason="原话里看不出来")), None
    if written.outcome is Outcome.REFUSED:
        return _says(_NOT_TAKEN.format(reason=written.reason or "")), written
    if (written.memory_id, written.outcome) in known:
        return _says(_KNOWN), written
    return _says(f"{_TOLD[written.outcome]}：{written.content}"), written


async def _kept(turn: ToolTurn, claim: Claim, known: set[tuple[str | None, Outcome]]) -> Written | None:
    """Write it and tell what is new; None when the words did not carry it. A refusal is for the model alone."""
    written = await write_claims(turn.run, turn.parts, [claim])
    fresh = [one for one in written if one.outcome is not Outcome.REFUSED and (one.memory_id, one.outcome) not in known]
    tell_written(turn.run, fresh)
    turn.hands.written += fresh
    if any(one.confirmation for one in fresh):
        turn.hands.done.add(Deed.PROPOSED)
    return written[-1] if written else None


async def _put_on_card(turn: ToolTurn, memory_id: str) -> None:
    """Let a new note stand on its subject's card if there is room; the life cycle moves it when nobody uses it."""
    run, parts = turn.run, turn.parts
    async with parts.transactions.write(short=True) as session:
        item = await item_of(session, run.scope, memory_id)
        if item.tier != Tier.SHORT.value or item.status != MemoryStatus.ACTIVE.value or item.subject is None:
            return
        card = parts.limits.owner_card if item.subject == OWNER_SUBJECT else parts.limits.pet_card
        now, real_now = run.request.now, parts.real_now()
        if await enter_core(session, run.scope, item, card, _SAFETY_NAMES, now, real_now):
            await revise_item(session, item, "system", PUT_ON_CARD, now, real_now)


def _is_medical(turn: ToolTurn, quote: str) -> bool:
    folded = fold_text(quote)
    place = turn.scene.folded.find(folded.strip())
    readings = [one for one in turn.scene.readings if place < one.end and one.start < place + len(folded)]
    return bool(_MEDICAL.search(folded)) or any(one.has(*_MEDICAL_WORDS) for one in readings)


def _no_pet(turn: ToolTurn) -> ToolResult:
    return _says(_NO_PET.format(names=turn.names))


def _says(text: str) -> ToolResult:
    return ToolResult(text, {})
