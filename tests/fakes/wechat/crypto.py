"""Signatures and encryption of the message push, written from the manual and from nothing else."""

import base64
import hashlib
import struct
from collections.abc import Callable

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

BLOCK = 32


def digest(*parts: str) -> str:
    """sha1 of the parts in order of their characters."""
    return hashlib.sha1("".join(sorted(parts)).encode(), usedforsecurity=False).hexdigest()


def lock(key43: str, appid: str, message: bytes, prefix: bytes, spoil: Callable[[bytes], bytes] | None = None) -> str:
    """Encrypt; `spoil` may change the padded plaintext first, for adversarial pushes."""
    plain = prefix + struct.pack("!I", len(message)) + message + appid.encode()
    missing = BLOCK - len(plain) % BLOCK
    padded = plain + bytes((missing,)) * missing
    if spoil is not None:
        padded = spoil(padded)
    machine = _machine(key43).encryptor()
    return base64.b64encode(machine.update(padded) + machine.finalize()).decode()


def unlock(key43: str, text: str) -> tuple[bytes, bytes, str]:
    """The random prefix, the message and the appid."""
    machine = _machine(key43).decryptor()
    padded = machine.update(base64.b64decode(text)) + machine.finalize()
    plain = padded[: -padded[-1]]
    (length,) = struct.unpack("!I", plain[16:20])
    return plain[:16], plain[20 : 20 + length], plain[20 + length :].decode()


def _machine(key43: str) -> Cipher[modes.CBC]:
    raw = base64.b64decode(key43 + "=")
    return Cipher(algorithms.AES256(raw), modes.CBC(raw[:16]))
