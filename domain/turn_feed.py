"""The live side of a turn's events: whoever follows in this process is woken; everybody else reads the table."""

import asyncio
from dataclasses import dataclass, field

from domain.turn_store import Event

TERMINAL = ("done", "error")


@dataclass(slots=True)
class Feed:
    """Events of one running turn of one owner, published only after they are stored."""

    owner_id: str
    events: list[Event] = field(default_factory=list)
    ended: bool = False
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def publish(self, events: list[Event]) -> None:
        """Show stored events to the followers."""
        self.events.extend(events)
        self.ended = self.ended or any(name in TERMINAL for _, name, _ in events)
        self._changed.set()

    def end(self) -> None:
        """Wake followers although no terminal event came: they look into the table."""
        self.ended = True
        self._changed.set()

    def after(self, seq: int) -> list[Event]:
        """Events with a higher seq."""
        return [event for event in self.events if event[0] > seq]

    async def changed(self, timeout: float) -> bool:
        """Wait until something was published, at most `timeout` seconds. False when nothing came."""
        heard = len(self.events), self.ended
        time_is_up = asyncio.get_running_loop().call_later(timeout, self._changed.set)
        try:
            await self._changed.wait()
        finally:
            time_is_up.cancel()
        self._changed.clear()
        return (len(self.events), self.ended) != heard


class Feeds:
    """The running turns of this process."""

    def __init__(self) -> None:
        self._feeds: dict[str, Feed] = {}

    def open(self, turn_id: str, feed: Feed) -> None:
        """Let the feed of an accepted turn be followed here."""
        self._feeds[turn_id] = feed

    def get(self, turn_id: str, owner_id: str) -> Feed | None:
        """The feed of a turn of this owner that runs here, else None."""
        feed = self._feeds.get(turn_id)
        return feed if feed is not None and feed.owner_id == owner_id else None

    def close(self, turn_id: str) -> None:
        """Forget a finished turn; its followers already hold the feed."""
        feed = self._feeds.pop(turn_id, None)
        if feed is not None:
            feed.end()
