"""One secret, one sub-key a purpose."""

import stat
from pathlib import Path

import pytest

from app.secret_keys import SECRET_FILE, SealBroken, SecretKeys, load_keys
from app.settings import Settings

SECRET = b"s" * 32


def settings(folder: Path, **given: object) -> Settings:
    return Settings(env="test", data_dir=folder, _env_file=None, **given)


def test_no_two_purposes_share_a_key() -> None:
    keys = SecretKeys(SECRET)
    derived = [keys.tokens, keys.idempotency, keys.tombstones, keys.turns, keys.derive("another")]
    assert len(set(derived)) == len(derived)
    assert SecretKeys(SECRET).tokens == keys.tokens
    assert SecretKeys(b"t" * 32).tokens != keys.tokens


def test_an_identity_is_sealed_the_same_way_each_time_and_a_contact_never() -> None:
    keys = SecretKeys(SECRET)
    assert keys.seal_identity("oABC") == keys.seal_identity("oABC") != keys.seal_identity("oABD")
    assert keys.open_identity(keys.seal_identity("oABC")) == "oABC"
    assert keys.seal("13812345678") != keys.seal("13812345678")
    assert keys.open(keys.seal("13812345678")) == "13812345678"


def test_what_another_secret_sealed_cannot_be_opened() -> None:
    keys, other = SecretKeys(SECRET), SecretKeys(b"t" * 32)
    with pytest.raises(SealBroken):
        other.open(keys.seal("13812345678"))
    with pytest.raises(SealBroken):
        other.open_identity(keys.seal_identity("oABC"))
    with pytest.raises(SealBroken):
        keys.open_identity("no hex at all")


def test_without_a_setting_one_secret_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    first, again = load_keys(settings(tmp_path / "new")), load_keys(settings(tmp_path / "new"))
    assert first.tokens == again.tokens
    assert stat.S_IMODE((tmp_path / "new" / SECRET_FILE).stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "new").iterdir()] == [SECRET_FILE]


def test_a_configured_secret_leaves_no_file(tmp_path: Path) -> None:
    load_keys(settings(tmp_path, secret_key="x" * 32))
    assert list(tmp_path.iterdir()) == []
