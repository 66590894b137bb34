"""What is counted for Prometheus. One registry a process, made by the container, so that tests can have many."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from domain.kpis import TurnNumbers
from memory.kpis import StoreNumbers

KPI_DAYS = 30
KPIS_EVERY = timedelta(minutes=15)  # they count whole tables
NAN = float("nan")
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

__all__ = ["CONTENT_TYPE_LATEST", "Metrics"]


class MemoryGauges:
    """How well memory does, over the last `KPI_DAYS` days; see `pawsignal kpis` for the same as JSON."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def gauge(name: str, text: str, *labels: str) -> Gauge:
            return Gauge(f"pawsignal_memory_{name}", text, labels, registry=registry)

        self.measured_at: datetime | None = None
        self.items = gauge("items", "Served memories", "tier")
        self.archived = gauge("archived_items", "Memories that left everyday recall")
        self.injected_precision = gauge("injected_precision", "Share of recalled memories that replies used")
        self.growth = gauge("growth_per_active_day", "New memories on a day on which a household spoke")
        self.size = gauge("size_per_active_household", "Served memories of a household that spoke")
        self.stale_rate = gauge("stale_rate", "Share of served memories nobody used or spoke of for 180 days")
        self.conflict_rate = gauge("conflict_rate", "Statements under observation for each served memory")
        self.moves = gauge("moves", "What the nightly upgrade did, promotions among it", "move")
        self.refusals = gauge("refusals", "Statements of the newest turns that were not kept", "reason")

    def is_due(self, real_now: datetime) -> bool:
        """Whether the numbers are older than a scrape should show."""
        return self.measured_at is None or real_now - self.measured_at >= KPIS_EVERY

    def show(self, store: StoreNumbers, turns: TurnNumbers, real_now: datetime) -> None:
        """Set all of them."""
        for tier, count in store.tiers.items():
            self.items.labels(tier).set(count)
        self.archived.set(store.archived)
        self.injected_precision.set(turns.injected_precision if turns.injected_precision is not None else NAN)
        self.growth.set(store.growth_per_active_day)
        self.size.set(store.size_per_active_household)
        self.stale_rate.set(store.stale_rate)
        self.conflict_rate.set(store.conflict_rate)
        for labelled, counts in ((self.moves, store.moves), (self.refusals, turns.refused or {})):
            labelled.clear()
            for word, count in counts.items():
                labelled.labels(word).set(count)
        self.measured_at = real_now


class Metrics:
    """Counters and timings. Labels are route templates and closed words: never an id, never a text."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "pawsignal_http_requests", "Answered requests", ("method", "route", "status"), registry=self.registry
        )
        self.request_seconds = Histogram(
            "pawsignal_http_request_seconds",
            "Time to the last byte",
            ("route",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.failures = Counter(
            "pawsignal_unhandled_errors", "Requests that ended in a 500", ("error",), registry=self.registry
        )
        self.wechat_calls = Counter(
            "pawsignal_wechat_calls", "Calls to WeChat by errcode", ("endpoint", "outcome"), registry=self.registry
        )
        self.model_calls = Counter(
            "pawsignal_model_calls",
            "Calls to a model; outcome is ok or why it failed",
            ("endpoint", "purpose", "outcome"),
            registry=self.registry,
        )
        self.model_seconds = Histogram(
            "pawsignal_model_seconds",
            "Time to the end of a model's answer",
            ("purpose",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.model_tokens = Counter(
            "pawsignal_model_tokens", "Tokens used, by kind", ("purpose", "kind"), registry=self.registry
        )
        self.facts_not_kept = Counter(
            "pawsignal_facts_not_kept", "Facts a model read that were not kept", ("reason",), registry=self.registry
        )
        self.memory = MemoryGauges(self.registry)
        self.vector_move = Gauge(
            "pawsignal_vector_move",
            "1 for the state of the move to another embedder",
            ("state",),
            registry=self.registry,
        )
        self.outbox_rows = Gauge("pawsignal_outbox_rows", "Work that waits in the outbox", registry=self.registry)

    def count_wechat(self, endpoint: str, outcome: str) -> None:
        """One call to WeChat: its path, and its errcode, `unsent` or `unanswered`."""
        self.wechat_calls.labels(endpoint, outcome).inc()

    def show_move(self, state: str) -> None:
        """Where the move to another embedder stands."""
        self.vector_move.clear()
        self.vector_move.labels(state).set(1)

    def count_not_kept(self, reasons: Mapping[str, int]) -> None:
        """Facts of a model that were not kept, by reason."""
        for reason, count in reasons.items():
            self.facts_not_kept.labels(reason).inc(count)

    def text(self) -> bytes:
        """The exposition format."""
        return generate_latest(self.registry)
