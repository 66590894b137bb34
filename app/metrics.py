"""What is counted for Prometheus. One registry a process, made by the container, so that tests can have many."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)

__all__ = ["CONTENT_TYPE_LATEST", "Metrics"]


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
        self.outbox_rows = Gauge("pawsignal_outbox_rows", "Work that waits in the outbox", registry=self.registry)

    def count_wechat(self, endpoint: str, outcome: str) -> None:
        """One call to WeChat: its path, and its errcode, `unsent` or `unanswered`."""
        self.wechat_calls.labels(endpoint, outcome).inc()

    def text(self) -> bytes:
        """The exposition format."""
        return generate_latest(self.registry)
