"""What the settings decide: the options of each floor, and the parts of jobs that need a database alone."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from app.database import Database
from app.secret_keys import SecretKeys
from app.settings import Settings
from domain.model_chores import Writers
from domain.night import NightParts
from jobs.consolidate import archives_of
from jobs.retention import Kept
from jobs.upgrade_memory import UpgradeParts
from memory.core_budget import Limits
from memory.scoring import Thresholds
from memory.upgrade import UpgradeRules
from miniprogram_api.parts import ApiOptions, PushOptions
from miniprogram_api.wechat_crypto import PushKey


def machine_clock() -> datetime:
    """The real clock, aware UTC."""
    return datetime.now(UTC)


def options_of(settings: Settings) -> ApiOptions:
    """What the settings decide about the HTTP floor."""
    return ApiOptions(
        dev_sign_in=settings.env != "production",
        domain_time=settings.env != "production",
        min_client_version=settings.min_client_version,
        public_url=settings.public_url.rstrip("/"),
        pet_card=Limits(items=settings.max_core_items, chars=settings.max_core_chars),
        owner_card=Limits(items=settings.max_core_items, chars=settings.max_owner_card_chars),
        upgrade=rules_of(settings),
        upgrade_at=settings.upgrade_at,
        push=_push_options(settings),
        vet_page=settings.wechat_vet_page,
        ai_producer=settings.ai_producer,
    )


def night_parts_of(
    settings: Settings,
    database: Database,
    keys: SecretKeys,
    real_now: Callable[[], datetime] = machine_clock,
    writers: Writers | None = None,
) -> NightParts:
    """What a night works with; it needs the database and the key of the tombstones. writers: a model's, if any."""
    return NightParts(
        transactions=database,
        real_now=real_now,
        tombstone_key=keys.tombstones,
        writers=writers,
        archives=archives_of(database, writers),
        rules=options_of(settings).upgrade,
        most_a_turn=settings.max_memories_a_turn,
    )


def upgrade_parts_of(
    settings: Settings,
    database: Database,
    real_now: Callable[[], datetime] = machine_clock,
    writers: Writers | None = None,
) -> UpgradeParts:
    """What the nightly upgrade works with; it needs the database alone. writers: a model's, if any."""
    options = options_of(settings)
    return UpgradeParts(
        transactions=database,
        real_now=real_now,
        pet_card=options.pet_card,
        owner_card=options.owner_card,
        rules=options.upgrade,
        max_short=settings.max_short_items,
        max_topic=settings.max_topic_entries,
        at=options.upgrade_at,
        writers=writers,
    )


def kept_of(settings: Settings) -> Kept:
    """How long each class of data stays."""
    return Kept(
        turn_events=timedelta(days=settings.keep_turn_events_days),
        traces=timedelta(days=settings.keep_traces_days),
        inbox=timedelta(days=settings.keep_inbox_days),
        pushes=timedelta(days=settings.keep_pushes_days),
        access_log=timedelta(days=settings.keep_access_log_days),
    )


def rules_of(settings: Settings) -> UpgradeRules:
    """What the settings decide about the nightly upgrade, and about what an owner is told of it."""
    return UpgradeRules(
        Thresholds(
            core_score=settings.core_score,
            core_citations=settings.core_citations,
            pending_score=settings.pending_score,
            pending_days=settings.pending_days,
            short_days=settings.short_days,
        )
    )


def _push_options(settings: Settings) -> PushOptions | None:
    token, key = settings.wechat_token.get_secret_value(), settings.wechat_encoding_aes_key.get_secret_value()
    if not token or not settings.wechat_appid:
        return None
    return PushOptions(token, PushKey(key, settings.wechat_appid) if key else None)
