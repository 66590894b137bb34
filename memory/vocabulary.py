"""The closed word lists of memory. One word, one meaning; the values are what the API and the database carry."""

from enum import StrEnum


class Tier(StrEnum):
    SHORT = "short"
    CORE = "core"
    LONG = "long"


class Kind(StrEnum):
    FACT = "fact"  # said by the owner, confidence 0.9-1.0
    BELIEF = "belief"  # inferred, 0.3-0.8
    SUMMARY = "summary"
    EVENT = "event"  # a dated happening


class MemoryType(StrEnum):
    SEMANTIC = "semantic"  # a durable fact or preference
    EPISODIC = "episodic"  # what happened when
    PROCEDURAL = "procedural"  # how this owner wants things done


class Risk(StrEnum):
    HIGH = "high"
    LOW = "low"


class MemoryStatus(StrEnum):
    ACTIVE = "active"
    CANDIDATE = "candidate"  # in the observation pool, never served as a fact
    PROVISIONAL = "provisional"  # a danger said with doubt: served, marked 待确认
    SUPERSEDED = "superseded"
    REJECTED = "rejected"
    FADING = "fading"  # marked for deletion, shown as such
    ARCHIVED = "archived"
    DELETED = "deleted"


class Upgrade(StrEnum):
    NONE = "none"
    PENDING = "pending"


class AttributeClass(StrEnum):
    ALLERGY = "allergy"
    CHRONIC_CONDITION = "chronic_condition"
    MEDICATION = "medication"
    VACCINE = "vaccine"
    DEWORMING = "deworming"
    WEIGHT = "weight"
    SYMPTOM = "symptom"
    VISIT = "visit"
    DIET_PREFERENCE = "diet_preference"
    BEHAVIOR = "behavior"
    ACTIVITY = "activity"
    GROOMING = "grooming"
    CONTACT = "contact"
    PREFERENCE = "preference"
    SCHEDULE = "schedule"
    OTHER = "other"


class Source(StrEnum):
    CHAT = "chat"
    OWNER = "owner"  # a form, own words after "记住", an own edit
    SYSTEM = "system"
    VET = "vet"
    IMPORT = "import"


class Certainty(StrEnum):
    """How a statement was worded."""

    PLAIN = "plain"
    HEDGED = "hedged"  # 好像, 可能, 不确定
    HEARSAY = "hearsay"  # 听说, 我妈说, 店员说
    QUESTION = "question"  # asked, joked or supposed: never evidence of more than that it was asked


class SpeechAct(StrEnum):
    """What the owner does with the statement, as far as conflicts care."""

    STATEMENT = "statement"  # 豆豆对鸡肉过敏
    OBSERVATION = "observation"  # 今天偷吃了鸡肉，没事: one happening, not a claim about the rule
    CORRECTION = "correction"  # 说错了 / 不是鸡肉，是牛肉
    DECISION = "decision"  # 以后不用管它过敏了 / 药停了
    KEEP = "keep"  # 记住…: the owner asks for it to be remembered


class Cardinality(StrEnum):
    """How many true values a slot may hold at one time."""

    ONE = "one"  # sex, staple food, the dose of one drug
    MANY = "many"  # several liked toys: different values stand beside each other
    SERIES = "series"  # weights, vaccinations: each has its own day


class Precision(StrEnum):
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    UNKNOWN = "unknown"


class Outcome(StrEnum):
    """What became of one write; every write answers one of these."""

    ADDED = "added"
    MERGED = "merged"
    CANDIDATE = "candidate"
    PROVISIONAL = "provisional"
    SUPERSEDED = "superseded"  # it replaced an older row
    REFUSED = "refused"


class SignalKind(StrEnum):
    CITED = "cited"
    VIEWED = "viewed"
    HIT = "hit"


class ConfirmationStatus(StrEnum):
    PENDING = "pending"
    ACCEPTED = "accepted"
    KEPT = "kept"
    WATCHING = "watching"
    LAPSED = "lapsed"
    VOID = "void"


class ConfirmationKind(StrEnum):
    CHANGE = "change"
    NEW_DANGER = "new_danger"
    MERGE = "merge"
    IMPORT = "import"


OWNER_SUBJECT = "owner"
"""The `subject` of what is about the owner; a pet's id stands for a pet, None for what is unassigned."""
