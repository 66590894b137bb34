"""The record a vet sees, put together from rows: pure, from clinical records alone, never from memory's prose.

Every line keeps where it comes from, how sure it is and how exact its date is. What a share leaves out is not in it,
no line carries another pet's name, and a quote that speaks of another pet is withheld.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from domain.ai_labels import IS, MAY_BE, PRODUCER, AiLabel, Certainty
from domain.due_dates import DueDate
from domain.pet_profiles import PetProfile
from domain.pets import Pet, profile_of
from domain.record_columns import RecordColumns
from domain.record_kinds import KINDS, RecordKind
from domain.shares import Section
from domain.vet_other_pets import OtherPets
from domain.vet_questions import OpenQuestion, question_of
from domain.vet_record_rows import RecordRows
from domain.vet_red_flags import red_flag_level
from domain.vet_row_facts import Fact, facts_of, title_of
from domain.weights import kilograms
from memory.items import EvidenceRow
from memory.personal_numbers import mask_numbers
from memory.scope import Scope
from memory.vocabulary import Source

SECTION_OF_KIND: Mapping[str, Section] = {
    "allergies": "alerts",
    "conditions": "conditions",
    "medications": "medications",
    "vaccinations": "prevention",
    "dewormings": "prevention",
    "weights": "growth",
    "visits": "visits",
    "observations": "observations",
    "diets": "diet",
}
MAX_QUOTES = 3  # of one row, the newest; the owner has the rest
MAX_QUOTE = 160  # characters


@dataclass(frozen=True, slots=True)
class Quote:
    """What was said. text: None when it speaks of another pet too, so it is not shown. by: the name a vet gave."""

    text: str | None
    said_on: date
    source: str
    verified: bool
    by: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """One line. on: local date with its precision, None when nobody knows. source: as in the API's vocabulary.

    confidence: verified (a vet whom the owner knows), unverified (a note whose author is not confirmed), doubtful
    (waits for the owner), stated (the owner's word). ai_generated: a model worded it.
    """

    id: str
    kind: str
    title: str
    facts: tuple[Fact, ...]
    note: str | None
    on: date | None
    precision: str
    status: str
    source: str
    confidence: str
    recorded_on: date
    by: str | None
    ai_generated: bool
    quotes: tuple[Quote, ...]
    flag: str | None = None
    weight_kg: float | None = None

    @property
    def denied(self) -> bool:
        """Whether it says that something was looked for and not there."""
        return any(fact.name == "negated" for fact in self.facts)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the animal is. Without the section `identity` only name and species, which tell whose record this is."""

    id: str
    name: str
    species: str
    species_name: str | None = None
    status: str = "active"
    breed: str | None = None
    sex: str | None = None
    neutered: bool | None = None
    born_on: date | None = None
    born_on_precision: str = "unknown"
    microchip: str | None = None


@dataclass(frozen=True, slots=True)
class VetRecord:
    """One pet's record as far as its share goes. `current`: rows in force by kind; `history`: by kind, newest first.

    weight_curve: day and kg of the last year, oldest first. counts: rows of a kind there are at all.
    no_known_allergies: the owner says there are none; None without alerts.
    as_of, entered_at: the day and the instant of the newest entry, None when there is none.
    """

    identity: Identity
    sections: tuple[str, ...]
    made_at: datetime
    as_of: date | None
    entered_at: datetime | None
    no_known_allergies: bool | None
    current: Mapping[str, tuple[Row, ...]]
    red_flags: tuple[Row, ...]
    questions: tuple[OpenQuestion, ...]
    latest_weight: Row | None
    history: Mapping[str, tuple[Row, ...]]
    counts: Mapping[str, int]
    due: tuple[DueDate, ...]
    weight_curve: tuple[tuple[date, float], ...]
    today: date
    quotes_shared: bool

    def shows(self, section: str) -> bool:
        """Whether the share has this part."""
        return section in self.sections

    @property
    def has_ai_text(self) -> bool:
        """Whether any line carries the mark of generated text."""
        parts = (*self.current.values(), self.red_flags, *self.history.values())
        return any(row.ai_generated for part in parts for row in part)

    @property
    def ai_certainty(self) -> Certainty | None:
        """Whether it holds generated words, or may (a machine made rows of what was said in chat); None if not."""
        parts = (*self.current.values(), self.red_flags, *self.history.values())
        told = any(row.source == Source.CHAT.value for part in parts for row in part)
        return IS if self.has_ai_text else MAY_BE if told else None

    @property
    def content_id(self) -> str:
        """Its number: a record that has not changed keeps it."""
        entered = self.entered_at.isoformat() if self.entered_at else ""
        return str(uuid5(NAMESPACE_URL, f"urn:pawsignal:record:{self.identity.id}:{','.join(self.sections)}:{entered}"))

    def ai_label(self, words: Mapping[Certainty, str], producer: str = PRODUCER) -> AiLabel | None:
        """The label of its generated words; None when it holds none. words: the line for people, by certainty."""
        certainty = self.ai_certainty
        return AiLabel(words[certainty], self.content_id, producer, certainty) if certainty else None


def kinds_of(sections: Collection[str]) -> tuple[str, ...]:
    """Record kinds that a share with these sections may show."""
    return tuple(kind for kind, section in SECTION_OF_KIND.items() if section in sections)


def assemble(rows: RecordRows, sections: Sequence[str], scope: Scope, now: datetime, *, quotes: bool) -> VetRecord:
    """Rows in, record out. quotes: whether the owner's own words go along."""
    others = OtherPets(rows.others, (rows.pet.name, *rows.pet.nicknames))

    made: dict[str, Row] = {}  # a drug in use stands on the first screen and in the timeline

    def shaped(kind: str, found: Sequence[RecordColumns]) -> tuple[Row, ...]:
        for row in found:
            if row.id not in made:
                made[row.id] = _row(KINDS[kind], row, rows.evidence.get(row.id, ()), others, scope)
        return tuple(made[row.id] for row in found)

    allowed = kinds_of(sections)
    history = {kind: shaped(kind, found) for kind, found in rows.history.items() if kind in allowed}
    weights = history.get("weights", ())
    recent = shaped("observations", rows.recent) if "alerts" in sections else ()
    profile = profile_of(rows.pet)
    today, newest = scope.local(now).date(), _newest(rows)
    return VetRecord(
        identity=_identity(rows.pet, sections),
        sections=tuple(sections),
        made_at=now,
        as_of=scope.local(newest).date() if newest else None,
        entered_at=newest,
        no_known_allergies=rows.pet.no_known_allergies if "alerts" in sections else None,
        current={kind: _gravest_first(shaped(kind, found)) for kind, found in rows.current.items() if kind in allowed},
        red_flags=_gravest_first(_flagged(recent, profile, today)),
        questions=tuple(
            shown for one in rows.questions if (shown := question_of(one, sections, scope, others)) is not None
        ),
        latest_weight=weights[0] if weights else None,
        history=history,
        counts={kind: count for kind, count in rows.counts.items() if kind in allowed},
        due=tuple(rows.due) if "prevention" in sections else (),
        weight_curve=tuple(
            (scope.local(one.at).date(), kilograms(one.value, one.unit)) for one in reversed(rows.weighings)
        ),
        today=today,
        quotes_shared=quotes,
    )


def _flagged(rows: Sequence[Row], pet: PetProfile, today: date) -> tuple[Row, ...]:
    return tuple(
        replace(row, flag=level)
        for row in rows
        if not row.denied and (level := red_flag_level(row.title, pet, today)) is not None
    )


def _gravest_first(rows: Sequence[Row]) -> tuple[Row, ...]:
    """High risk and emergencies lead, or a short list would hide them behind what is newer; else newest first."""
    grave = Fact("criticality", "high")
    return tuple(sorted(rows, key=lambda row: row.flag != "emergency" and grave not in row.facts))


def _identity(pet: Pet, sections: Sequence[str]) -> Identity:
    if "identity" not in sections:
        return Identity(pet.id, pet.name, pet.species, pet.species_name, pet.status)
    return Identity(
        id=pet.id,
        name=pet.name,
        species=pet.species,
        species_name=pet.species_name,
        status=pet.status,
        breed=pet.breed,
        sex=pet.sex,
        neutered=pet.neutered,
        born_on=pet.born_on,
        born_on_precision=pet.born_on_precision,
        microchip=pet.microchip,
    )


def _row(kind: RecordKind, row: RecordColumns, evidence: Sequence[EvidenceRow], others: OtherPets, scope: Scope) -> Row:
    fields: Any = row  # a row holds its kind's fields by name, and was validated when it came in
    when, precision = kind.happened(fields)
    on = scope.local(when).date() if isinstance(when, datetime) else when
    title = title_of(kind.name, fields)
    return Row(
        id=row.id,
        kind=kind.name,
        title=others.without(title),
        facts=tuple(fact.said_as(others.without) for fact in facts_of(kind.name, fields, title)),
        note=others.without(fields.note) or None if fields.note else None,
        on=on,
        precision="day" if on is not None and precision.value == "unknown" else precision.value,
        status=row.status,
        source=row.source,
        confidence=_confidence(row, fields),
        recorded_on=scope.local(row.recorded_at).date(),
        by=row.recorded_by if row.source == Source.VET.value else None,
        ai_generated=row.source == Source.SYSTEM.value,
        quotes=tuple(_quote(said, others, scope) for said in evidence[-MAX_QUOTES:]),
        weight_kg=kilograms(fields.value, fields.unit) if kind.name == "weights" else None,
    )


def _confidence(row: RecordColumns, fields: Any) -> str:
    if row.status == "provisional":
        return "doubtful"
    if row.source == Source.VET.value:
        return "verified" if row.verified else "unverified"
    return "verified" if row.verified else "stated"


def _quote(said: EvidenceRow, others: OtherPets, scope: Scope) -> Quote:
    text = mask_numbers(said.quote)[:MAX_QUOTE]
    return Quote(
        text=None if others.named_in(said.quote) else text,
        said_on=scope.local(said.said_at).date(),
        source=said.source,
        verified=said.verified,
        by=said.by if said.source == Source.VET.value else None,
    )


def _newest(rows: RecordRows) -> datetime | None:
    parts = (*rows.current.values(), *rows.history.values())
    return max((row.recorded_at for part in parts for row in part), default=None)
