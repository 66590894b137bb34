"""The whole way from a message to its claims."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from domain.dates import TimeReading, find_times
from domain.offline.extractor.allergies import find_allergies
from domain.offline.extractor.assembly import claims_of
from domain.offline.extractor.clauses import Clause, split_clauses
from domain.offline.extractor.clinic import find_clinic
from domain.offline.extractor.diet import find_diet
from domain.offline.extractor.growth import find_growth
from domain.offline.extractor.habits import find_habits
from domain.offline.extractor.illnesses import find_conditions, find_signs
from domain.offline.extractor.medicines import find_medicines
from domain.offline.extractor.owner_facts import find_owner_facts
from domain.offline.extractor.plans import find_plans
from domain.offline.extractor.prevention import find_prevention
from domain.offline.extractor.reading import Draft, Reading, Scene
from domain.offline.extractor.tone import Tone, is_no_report, tones_of
from domain.offline.extractor.wordlist import Hit, known_words
from domain.pet_mentions import About, Follower, State
from domain.pet_profiles import Utterance
from memory.claims import Claim, Refusal
from memory.text_folding import fold_text

MAX_READ_CHARS = 4000  # what a message may hold; more is not read
Rule = Callable[[Reading, Scene], Iterator[Draft]]

# In this order: an earlier rule takes its words away from the later ones.
RULES: tuple[Rule, ...] = (
    find_owner_facts,
    find_allergies,
    find_prevention,
    find_conditions,
    find_medicines,
    find_clinic,
    find_plans,
    find_growth,
    find_habits,
    find_signs,
    find_diet,
)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a message says. `clarify`: something was said of one of several pets and it is unclear of which one."""

    claims: tuple[Claim, ...] = ()
    clarify: bool = False
    refusals: tuple[Refusal, ...] = ()


def extract(utterance: Utterance) -> Extraction:
    """The claims of one owner message. Pure and linear in the length of the message."""
    folded = fold_text(utterance.text[:MAX_READ_CHARS])
    reason = is_no_report(folded)
    if reason:
        return Extraction(refusals=(Refusal(reason, utterance.text[:40]),))
    scene = read_scene(utterance, folded)
    claims: list[Claim] = []
    refusals: list[Refusal] = []
    for reading in scene.readings:
        refusal = _refused(reading, scene)
        if refusal:
            refusals.append(refusal)
            continue
        claims.extend(claims_of(reading, _drafts(reading, scene), scene))
    kept = _without_repeats(claims)
    return Extraction(tuple(kept), any(claim.subject is None for claim in kept), tuple(refusals))


def _drafts(reading: Reading, scene: Scene) -> list[Draft]:
    return [draft for rule in RULES for draft in rule(reading, scene)]


def _refused(reading: Reading, scene: Scene) -> Refusal | None:
    quote = scene.utterance.text[reading.start : reading.end]
    if not reading.tone.usable:
        return Refusal(reading.tone.why_not, quote)
    if reading.about.state in (State.STRANGER, State.GENERAL):
        return Refusal(f"{reading.about.state} animal", quote)
    return None


def read_scene(utterance: Utterance, folded: str) -> Scene:
    """The message cut into readings: clauses with their pets, tone, words and times."""
    clauses = split_clauses(folded)
    tones = tones_of(clauses)
    abouts = Follower(folded, utterance).follow([(clause.start, clause.end) for clause in clauses])
    masked = _masked(folded, abouts)
    times = find_times(utterance.text[:MAX_READ_CHARS], utterance.now)
    hits = list(known_words().find(masked))
    readings = [_reading(about, clauses[about.clause], tones[about.clause], masked, hits, times) for about in abouts]
    return Scene(utterance, folded, _joined(readings, masked))


def _reading(
    about: About, clause: Clause, tone: Tone, masked: str, hits: list[Hit], times: tuple[TimeReading, ...]
) -> Reading:
    end = about.end if tone.text_end is None else min(about.end, clause.start + tone.text_end)
    inside = [hit for hit in hits if about.start <= hit.start and hit.end <= end]
    when = tuple(time for time in times if about.start <= time.start < max(end, about.start + 1))
    return Reading(about, masked[about.start : end], tone, inside, clause.sentence, when)


def _masked(folded: str, abouts: list[About]) -> str:
    """Names blanked, so that 馒头 is a pet and no food."""
    letters = list(folded)
    for about in abouts:
        for mention in about.mentions:
            if mention.kind == "name":
                letters[mention.start : mention.end] = "\x00" * (mention.end - mention.start)
    return "".join(letters)


_ADDS_A_DOSE = re.compile(
    r"^(?:一天|每天|每日|一日|早晚|早上|晚上|早中晚|每次|一次|先吃|连吃|连续|吃[一二两三四五六七\d]|打[一二两三四五六七\d]|各|半|[一二两三四五六七\d.]+\s?(?:mg|ml|片|粒|颗|滴|支|个?单位|毫升|毫克)|隔天|睡前|饭后|饭前|疗程)"
)


def _joined(readings: list[Reading], masked: str) -> list[Reading]:
    """A clause that only adds a dose or a rhythm belongs to the medicine before it."""
    joined: list[Reading] = []
    for reading in readings:
        last = joined[-1] if joined else None
        if last and _continues(last, reading):
            about = replace(last.about, end=reading.about.end, mentions=last.about.mentions + reading.about.mentions)
            joined[-1] = Reading(
                about,
                masked[about.start : reading.end],
                last.tone,
                last.hits + reading.hits,
                last.sentence,
                last.times + reading.times,
            )
        else:
            joined.append(reading)
    return joined


def _continues(last: Reading, reading: Reading) -> bool:
    if (
        not (last.tone.usable and reading.tone.usable)
        or reading.about.explicit
        or last.about.pets != reading.about.pets
    ):
        return False
    if not last.has("drug", "drug_word"):
        return False
    names_it = len(reading.hits) == 1 and reading.hits[0].family == "drug" and not last.has("drug")
    only_dose = _ADDS_A_DOSE.search(reading.text) is not None and not reading.hits
    return only_dose or (names_it and len(reading.text) <= len(reading.hits[0].word.text) + 3)


def _without_repeats(claims: list[Claim]) -> list[Claim]:
    """The same slot said twice in one message is one claim, unless value, polarity or day differ."""
    kept: dict[tuple[object, ...], Claim] = {}
    for claim in claims:
        number = claim.value.get("number")
        key = (claim.subject, claim.attribute, claim.negated, number, claim.occurred_on)
        kept.setdefault(key, claim)
    return list(kept.values())
