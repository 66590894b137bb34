"""Faults on demand: what goes wrong between a handler and the caller, and how often."""

from dataclasses import dataclass

AFTER_COMMIT = ("timeout_after_commit", "reset_mid_body")
SHAPES = ("malformed_json", "empty_body", "missing_errcode", "extra_fields", "errcode_as_string", "text_plain", "bom")
HANGS = ("timeout_before", "timeout_after_commit")


@dataclass
class Injection:
    """`kind` happens to calls of `endpoint` whose body holds `match`, `times` times, to this `share` of them.

    Kinds: errcode:<n>, system_busy, http_502, http_200_html, timeout_before, timeout_after_commit, slow:<seconds>,
    reset_mid_body, malformed_json, empty_body, missing_errcode, extra_fields, errcode_as_string, text_plain, bom,
    token_invalid_once, token_invalid_always, rate_limit:<n>/min, stale_replica.
    """

    endpoint: str
    kind: str
    times: float = 1
    match: str = ""
    share: float = 1.0
    used: int = 0
    window: float = 0.0

    def __post_init__(self) -> None:
        if self.kind in ("token_invalid_always", "stale_replica") or self.kind.startswith("rate_limit"):
            self.times = float("inf")

    @property
    def name(self) -> str:
        """The kind without its number."""
        return self.kind.partition(":")[0]

    @property
    def number(self) -> float:
        """The number of `errcode:<n>`, `slow:<s>` or `rate_limit:<n>/min`."""
        return float(self.kind.partition(":")[2].removesuffix("/min"))

    def wants(self, path: str, body: bytes, draw: float) -> bool:
        """Whether this call is meant; `draw` is a random number below 1."""
        meant = path == self.endpoint and self.match.encode() in body
        return meant and self.times > 0 and draw < self.share

    def errcode(self, now: float) -> int | None:
        """The error this fault answers, if it is one."""
        if self.name == "errcode":
            return int(self.number)
        if self.name == "system_busy":
            return -1
        if self.name.startswith("token_invalid"):
            return 40001
        if self.name == "rate_limit":
            self.used = self.used + 1 if now - self.window < 60 else 1
            self.window = now if self.used == 1 else self.window
            return 45011 if self.used > self.number else None
        return None
