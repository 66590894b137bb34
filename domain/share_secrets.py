"""The secrets of a share: its link's token, its passcode, and the short code that lets a vet leave a note.

The token is derived from the share's id with a key of the service: 144 bits that are stored nowhere, so the owner can
be shown the link again. Passcodes and note codes are kept as scrypt hashes (RFC 7914). Pure; hashing takes about 50 ms,
so callers run it off the event loop.
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode

TOKEN_BYTES = 18  # 144 bits, 24 characters of base64url: fits the 32 visible characters of a mini code's scene
NOTE_CODE_DIGITS = 6  # read out across a table; it lives ten minutes and survives few wrong tries
_COST, _BLOCK, _LANES = 2**14, 8, 1  # scrypt's interactive parameters: 16 MiB and about 50 ms a try
_SALT_BYTES = 16
_NOBODYS = "scrypt$" + "00" * _SALT_BYTES + "$" + "00" * 32


def token_of(share_id: str, key: bytes) -> str:
    """The token of a share's link."""
    digest = hmac.new(key, f"vet-share:{share_id}".encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()


def hash_token(token: str) -> str:
    """What the database knows of a token. It has too many bits to be guessed, so a fast hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_note_code() -> str:
    """Six digits."""
    return f"{secrets.randbelow(10**NOTE_CODE_DIGITS):0{NOTE_CODE_DIGITS}d}"


def hash_passcode(passcode: str) -> str:
    """`scrypt$salt$hash`, both in hex."""
    salt = secrets.token_bytes(_SALT_BYTES)
    return f"scrypt${salt.hex()}${_scrypt(passcode, salt).hex()}"


def is_passcode(passcode: str, stored: str | None) -> bool:
    """Whether this is the passcode that was hashed. Without a hash the answer is no, after the same work."""
    _, salt, digest = (stored or _NOBODYS).split("$")
    same = hmac.compare_digest(_scrypt(passcode, bytes.fromhex(salt)), bytes.fromhex(digest))
    return same and stored is not None


def _scrypt(passcode: str, salt: bytes) -> bytes:
    return hashlib.scrypt(passcode.strip().encode(), salt=salt, n=_COST, r=_BLOCK, p=_LANES, dklen=32)
