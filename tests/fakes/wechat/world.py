"""The state of the fake: everything it knows, and a clock that only moves when it is told to."""

import random
import string
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

START = 1_780_000_000.0  # Unix seconds; any fixed instant does
APPID, SECRET = "wx0123456789abcdef", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
OPENID = "oFirstPersonOfTheFakeWeChat0"  # 28 characters, as WeChat's are
TEMPLATE_IDS = {key: f"{key:-<43}" for key in ("confirmation", "reminder", "follow_up")}
WORD = string.ascii_letters + string.digits + "_-"


@dataclass
class App:
    """A registered mini-program. `whitelist` None lets every address in."""

    appid: str = APPID
    secret: str = SECRET
    whitelist: set[str] | None = None
    frozen: bool = False
    bound: bool = False  # to an Open Platform account: then answers carry a unionid
    personal: bool = False


@dataclass
class Person:
    """Somebody with WeChat. `last_visit` is when they last opened the mini-program."""

    openid: str
    appid: str = APPID
    unionid: str | None = None
    last_visit: float | None = None
    risk: int = 0
    blocked: bool = False
    session_key: str | None = None
    phone: str = "13812345678"


@dataclass
class Code:
    kind: str  # login, phone
    openid: str
    appid: str
    issued: float
    used: bool = False


@dataclass
class Token:
    family: str  # plain, stable
    issued: float
    ends: float
    dead_at: float | None = None  # replaced or killed


@dataclass
class Template:
    """`keys` are the field names in order; `enums` the lists of its enum fields."""

    id: str
    keys: list[str]
    title: str = "提醒"
    type: int = 2
    enums: dict[str, list[str]] = field(default_factory=dict)
    banned: bool = False


@dataclass
class Sent:
    """A message that reached a phone."""

    openid: str
    template_id: str
    data: dict[str, str]
    msgid: int
    page: str | None
    at: float


@dataclass
class Seen:
    """One request as it came in. Nothing is hidden: only tests look at it."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes
    headers: dict[str, str]


@dataclass
class World:
    """All of it. Ids are drawn from a seeded generator, so two runs look alike."""

    seed: int = 7
    now: float = START
    apps: dict[str, App] = field(default_factory=lambda: {APPID: App()})
    people: dict[str, Person] = field(default_factory=dict)
    codes: dict[str, Code] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    templates: dict[str, Template] = field(default_factory=dict)
    quota: Counter[tuple[str, str]] = field(default_factory=Counter)
    sent: list[Sent] = field(default_factory=list)
    media: dict[str, dict[str, Any]] = field(default_factory=dict)
    links: dict[str, dict[str, Any]] = field(default_factory=dict)
    pages: set[str] = field(
        default_factory=lambda: {"pages/index/index", "pages/inbox/index", "pages/vet/index", "pages/chat/index"}
    )
    banned_words: dict[str, tuple[str, int]] = field(
        default_factory=lambda: {"出售假药": ("risky", 20008), "裸聊": ("risky", 20002), "安乐死": ("review", 21000)}
    )
    sensitive_words: set[str] = field(default_factory=lambda: {"法轮"})
    unreachable: set[str] = field(default_factory=set)  # media addresses that cannot be fetched
    bad_images: set[str] = field(default_factory=set)  # media addresses whose verdict is risky
    counters: Counter[str] = field(default_factory=Counter)
    requests: list[Seen] = field(default_factory=list)
    pending: list[tuple[float, dict[str, Any]]] = field(default_factory=list)  # events to push, when due
    in_flight: Counter[str] = field(default_factory=Counter)
    forced: list[float] = field(default_factory=list)
    overloaded_after: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def word(self, length: int, alphabet: str = WORD) -> str:
        """A seeded word."""
        return "".join(self.random.choice(alphabet) for _ in range(length))

    def person(self, openid: str | None = None, *, appid: str = APPID, **more: Any) -> Person:
        """A person of an app, new or known."""
        openid = openid or f"o{self.word(27)}"
        known = self.people.get(openid)
        if known is None:
            known = self.people[openid] = Person(openid, appid, f"u{self.word(27)}", **more)
        return known

    def visit(self, openid: str) -> None:
        """The person has opened the mini-program just now."""
        self.people[openid].last_visit = self.now

    def code(self, kind: str, openid: str, appid: str = APPID) -> str:
        """A `wx.login` or `getPhoneNumber` code."""
        made = f"0{self.word(31, string.ascii_letters + string.digits)}"
        self.codes[made] = Code(kind, openid, appid, self.now)
        return made

    def template(self, *keys: str, title: str = "提醒", template_id: str | None = None) -> Template:
        """A template of the mini-program."""
        made = Template(template_id or self.word(43), list(keys), title)
        self.templates[made.id] = made
        return made

    def later(self, seconds: float, event: dict[str, Any]) -> None:
        """Push an event when its time has come."""
        self.pending.append((self.now + seconds, event))

    def due(self) -> list[dict[str, Any]]:
        """The events whose time has come; they are handed out once."""
        ready = [event for at, event in self.pending if at <= self.now]
        self.pending = [(at, event) for at, event in self.pending if at > self.now]
        return ready

    def kill_tokens(self) -> None:
        """All tokens are dead at once, as after somebody else's forced refresh."""
        for token in self.tokens.values():
            token.dead_at = min(self.now, token.dead_at or self.now)

    def messages_to(self, openid: str) -> list[Sent]:
        """What reached this phone."""
        return [one for one in self.sent if one.openid == openid]

    def calls(self, path: str) -> int:
        """How often an endpoint was asked."""
        return sum(one.path == path for one in self.requests)

    @contextmanager
    def flying(self, openid: str) -> Iterator[bool]:
        """True when nothing else is being sent to this person."""
        self.in_flight[openid] += 1
        try:
            yield self.in_flight[openid] == 1
        finally:
            self.in_flight[openid] -= 1
