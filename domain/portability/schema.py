"""What an export holds, table by table, and what it leaves out with the reason. A test keeps it complete."""

from dataclasses import dataclass

FORMAT, VERSION = "pawsignal-export", 1
"""What `export.json` says of itself; a reader refuses a version it does not know."""


@dataclass(frozen=True, slots=True)
class Section:
    """One table under its name in the file. without: columns that are secret or only bookkeeping."""

    name: str
    table: str
    without: frozenset[str] = frozenset()


def _section(name: str, table: str | None = None, *without: str) -> Section:
    return Section(name, table or name, frozenset({"household_id", *without}))


RECORD_SECTIONS: tuple[Section, ...] = tuple(
    _section(kind)
    for kind in (
        "allergies",
        "conditions",
        "medications",
        "vaccinations",
        "dewormings",
        "weights",
        "visits",
        "observations",
        "diets",
    )
)

SECTIONS: tuple[Section, ...] = (
    _section("owners", None, "appid", "openid", "phone_encrypted"),
    _section("consents"),
    _section("pets"),
    *RECORD_SECTIONS,
    _section("record_versions"),
    _section("conversations", None, "summary_lease_until"),
    _section("messages"),
    _section("turns", None, "body_hash", "lease_until", "cancel_requested", "trace", "answer", "client_msg_id"),
    _section("memories", "memory_items", "review_at"),
    _section("memory_versions"),
    _section("evidence"),
    _section("signals", None, "once_key"),
    _section("confirmations"),
    _section("conversation_summaries"),
    _section("archives", None, "stale_at"),
    _section("dreams"),
    _section("hunches"),
    _section("follow_ups"),
    _section("schedules", None, "remind_at"),
    _section("schedule_acts"),
    _section("turn_feedback"),
    _section("inbox", "inbox_messages", "delivery", "push_id", "not_before", "dedupe_key"),
    _section("photos", None, "file_key", "trace_id", "checks", "check_at"),
    _section("vet_notes"),
    _section("vet_shares", None, "token_hash", "passcode_hash", "note_code_hash", "note_code_until", "tries"),
    _section("vet_share_openings"),
)
"""In the order of the file: what others point at comes first."""

LEFT_OUT: dict[str, str] = {
    "access_log": "of the account itself, read at GET /v1/me/access-log; every export adds to it",
    "households": "an empty shell around the owner",
    "search_documents": "made from messages and memories",
    "summary_sources": "made from messages and memories",
    "turn_events": "the stream of answers that stand among the messages",
    "token_uses": "numbers of what models used, without a word",
    "tombstones": "keyed hashes of what was deleted",
    "outbox": "work of the service",
    "sleeps": "work of the service",
    "serving_vectors": "work of the service",
    "idempotency_keys": "work of the service",
    "job_runs": "work of the service",
    "erasures": "receipts of accounts that are gone",
    "sign_in_sessions": "secrets of sign-ins",
    "calendar_tokens": "secrets of calendar feeds",
    "pushes": "what was handed to WeChat",
    "subscription_answers": "what was handed to WeChat",
    "subscription_grants": "what was handed to WeChat",
    "stopped_templates": "what was handed to WeChat",
    "wechat_events": "what WeChat handed over",
    "wechat_tokens": "secrets of the service",
    "word_verdicts": "what WeChat thinks of words that stand elsewhere in the file",
}
"""Tables that no export holds, and why."""
