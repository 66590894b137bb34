"""Signatures and encryption of WeChat's message push. Values in, values out.

AES-256-CBC with the first half of the key as IV, padded to 32 bytes (not 16); the plaintext is 16 random bytes, the
length of the message in 4 bytes, the message, and the appid.
"""

import hmac
from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from hashlib import sha1

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES256
from cryptography.hazmat.primitives.ciphers.modes import CBC

PAD_TO = 32
RANDOM_BYTES, LENGTH_BYTES = 16, 4
HEAD = RANDOM_BYTES + LENGTH_BYTES


class BadPush(Exception):
    """What came was not made by WeChat for this mini-program."""


def signature_of(*parts: str) -> str:
    """What WeChat writes under these parts (the push token is one of them), in whatever order."""
    return sha1("".join(sorted(parts)).encode(), usedforsecurity=False).hexdigest()  # WeChat's choice of hash


def check_signature(given: str, *parts: str) -> None:
    """Raises BadPush unless `given` is the signature of these parts; takes the same time either way."""
    if not hmac.compare_digest(given.encode(), signature_of(*parts).encode()):
        raise BadPush("the signature is wrong")


class PushKey:
    """The EncodingAESKey of the console: 43 characters that stand for 32 bytes. Raises ValueError for another text."""

    def __init__(self, encoded: str, appid: str) -> None:
        self._key = b64decode(f"{encoded}=", validate=True)
        if len(self._key) != 32:
            raise ValueError("an EncodingAESKey has 43 letters and digits")
        self._appid = appid.encode()

    def open(self, encrypted: str) -> bytes:
        """The message inside. Raises BadPush for what is damaged or meant for another app."""
        try:
            sealed = b64decode(encrypted, validate=True)
        except (BadBase64, ValueError):
            raise BadPush("no base64") from None
        if not sealed or len(sealed) % PAD_TO:
            raise BadPush("the length is wrong")
        decryptor = self._cipher().decryptor()
        plain = decryptor.update(sealed) + decryptor.finalize()
        padding = plain[-1]
        if not 1 <= padding <= PAD_TO or plain[-padding:] != bytes([padding]) * padding:
            raise BadPush("the padding is wrong")
        plain = plain[:-padding]
        end = HEAD + int.from_bytes(plain[RANDOM_BYTES:HEAD], "big")
        if len(plain) < HEAD or end > len(plain):
            raise BadPush("the message is cut off")
        if not hmac.compare_digest(plain[end:], self._appid):
            raise BadPush("it is for another app")
        return plain[HEAD:end]

    def seal(self, message: bytes, random_bytes: bytes) -> str:
        """An answer, encrypted. `random_bytes`: 16 fresh ones."""
        plain = random_bytes + len(message).to_bytes(LENGTH_BYTES, "big") + message + self._appid
        padding = PAD_TO - len(plain) % PAD_TO
        encryptor = self._cipher().encryptor()
        sealed = encryptor.update(plain + bytes([padding]) * padding) + encryptor.finalize()
        return b64encode(sealed).decode()

    def _cipher(self) -> "Cipher[CBC]":
        return Cipher(AES256(self._key), CBC(self._key[:16]))
