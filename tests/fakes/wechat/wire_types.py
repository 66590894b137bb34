"""What a handler is given and may answer beside plain JSON."""

import json
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.wechat.answers import Refused


@dataclass
class Call:
    """One request. `appid` is the app that the token belongs to."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    appid: str = ""
    peer: str = "127.0.0.1"

    def json(self) -> dict[str, Any]:
        """The body, which must be a JSON object. Refuses forms and everything else with 47001."""
        try:
            value = json.loads(self.body)
        except ValueError:
            raise Refused(47001) from None
        if not isinstance(value, dict):
            raise Refused(47001)
        return value

    @property
    def escaped(self) -> bool:
        r"""Whether the body hides its Chinese behind \u escapes."""
        return b"\\u" in self.body


@dataclass
class Text:
    """JSON that calls itself text/plain."""

    body: dict[str, Any]


@dataclass
class Image:
    """Raw bytes of a picture."""

    content: bytes
    media_type: str = "image/jpeg"
