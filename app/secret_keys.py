"""Keys: one secret of the service, and a sub-key for each purpose, so that no key is used for two things.

Without PAWSIGNAL_SECRET_KEY (dev and test only) a secret is made once and kept in the data folder, readable by its
owner alone.
"""

import os
import secrets
from base64 import urlsafe_b64encode
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.data_folder import PRIVATE_FILE, PRIVATE_FOLDER, DataFolderUnavailable
from app.settings import Settings

SECRET_FILE = "secret.key"  # noqa: S105  # the name of a file, not a secret
SECRET_BYTES = 32


class SealBroken(Exception):
    """A sealed value was not sealed with this secret, or was changed."""


class SecretKeys:
    """Everything that is derived from the service's secret."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self.tokens = self.derive("tokens")
        self.idempotency = self.derive("idempotency")
        self.calendars = self.derive("calendars")
        self.tombstones = self.derive("tombstones")
        self.turns = self.derive("turns")
        self.media = self.derive("media")
        self.shares = self.derive("shares")
        self.words = self.derive("words")
        self._identities = AESSIV(self.derive("identities", 64))
        self._contacts = Fernet(urlsafe_b64encode(self.derive("contacts")))

    def derive(self, purpose: str, length: int = 32) -> bytes:
        """`length` bytes that belong to this purpose alone (HKDF-SHA256)."""
        return HKDF(SHA256(), length, salt=b"pawsignal", info=purpose.encode()).derive(self._secret)

    def seal_identity(self, identity: str) -> str:
        """A WeChat id, encrypted so that the same id always gives the same text and can be looked up."""
        return self._identities.encrypt(identity.encode(), None).hex()

    def open_identity(self, sealed: str) -> str:
        """The WeChat id again. Raises SealBroken."""
        try:
            return self._identities.decrypt(bytes.fromhex(sealed), None).decode()
        except (InvalidTag, ValueError) as error:
            raise SealBroken("this identity was sealed with another secret") from error

    def seal(self, text: str) -> str:
        """A contact detail, encrypted differently each time."""
        return self._contacts.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """The contact detail again. Raises SealBroken."""
        try:
            return self._contacts.decrypt(sealed.encode()).decode()
        except InvalidToken as error:
            raise SealBroken("this contact was sealed with another secret") from error


def load_keys(settings: Settings) -> SecretKeys:
    """The keys of this service: from the setting, or from the secret kept in the data folder.

    Raises DataFolderUnavailable when it cannot be kept there.
    """
    configured = settings.secret_key.get_secret_value()
    if configured:
        return SecretKeys(configured.encode())
    try:
        return SecretKeys(_kept_secret(settings.data_dir))
    except OSError as error:
        raise DataFolderUnavailable(
            f"The secret cannot be kept in {settings.data_dir / SECRET_FILE} ({error.strerror}). "
            "Check its owner and free space, or set PAWSIGNAL_SECRET_KEY."
        ) from error


def _kept_secret(folder: Path) -> bytes:
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    path = folder / SECRET_FILE
    fresh = folder / f".{SECRET_FILE}.{os.getpid()}"
    if not path.exists():
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
        try:
            os.link(fresh, path)  # whoever links first wins; two starts at once agree on one secret
        except FileExistsError:
            pass
        finally:
            fresh.unlink()
    return path.read_bytes()
