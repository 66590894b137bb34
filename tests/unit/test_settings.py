"""Settings that must not be run with are refused in one sentence."""

from typing import Any

import pytest

from app.settings import Settings, UnsafeSettings

PRODUCTION = {"env": "production", "wechat_appid": "wx1", "wechat_secret": "s"}
SECRET = "Vq3fTz81-kdL0wPnX6sYbHuJr52CmEgA"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (PRODUCTION | {"secret_key": "short"}, "at least 32 characters"),
        (PRODUCTION | {"secret_key": "x" * 64}, "different characters"),
        (PRODUCTION | {"secret_key": "secret" * 10}, "different characters"),
        ({"public_url": "javascript:alert(1)"}, "PAWSIGNAL_PUBLIC_URL"),
        ({"public_url": "paw.example"}, "PAWSIGNAL_PUBLIC_URL"),
        ({"public_url": "https://"}, "PAWSIGNAL_PUBLIC_URL"),
        ({"database_url": "mysql://db/paw"}, "PAWSIGNAL_DATABASE_URL"),
        ({"database_url": "paw.db"}, "PAWSIGNAL_DATABASE_URL"),
    ],
)
def test_unsafe_settings_are_refused_in_a_sentence(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UnsafeSettings, match=told) as refused:
        Settings(_env_file=None, **given)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "given",
    [
        PRODUCTION | {"secret_key": SECRET},
        {"public_url": "https://paw.example"},
        {"database_url": "postgresql://paw@db/paw"},
        {"database_url": "postgresql+asyncpg://paw@db/paw"},
        {"database_url": "sqlite+aiosqlite:////tmp/paw.db"},
    ],
)
def test_good_settings_are_taken(given: dict[str, Any]) -> None:
    Settings(_env_file=None, **given)
