"""The models behind the settings: endpoints in their order, the client over them, what is counted of their calls."""

from collections.abc import Mapping
from typing import cast

from app.adapters.model_client import ModelClient
from app.adapters.model_endpoint import Abilities, EndpointAddress, ModelEndpoint, Patience
from app.adapters.model_requests import Called
from app.adapters.openai_assistant import OpenAIAssistant
from app.adapters.openai_embedder import OpenAIEmbedder
from app.adapters.openai_fact_reader import OpenAIFactReader
from app.adapters.openai_writers import OpenAIWriters
from app.metrics import Metrics
from app.settings import Settings
from domain.model_faults import ModelFault
from domain.token_use import Purpose

__all__ = [
    "ModelFault",
    "OpenAIAssistant",
    "OpenAIEmbedder",
    "OpenAIFactReader",
    "OpenAIWriters",
    "open_embedding_client",
    "open_model_client",
]


def open_model_client(settings: Settings, metrics: Metrics) -> ModelClient:
    """The client of the configured endpoint and its fallback; nothing is sent before somebody asks."""
    patience = Patience(settings.model_connect_seconds, settings.model_read_seconds)
    form = settings.model_json
    abilities = Abilities() if form == "auto" else Abilities(form=form)
    endpoints = [ModelEndpoint(address, patience, abilities) for address in addresses(settings)]
    return ModelClient(endpoints, lambda called: count(metrics, called))


def open_embedding_client(settings: Settings, metrics: Metrics, model: str = "") -> ModelClient:
    """The client of the one endpoint that embeds: vectors of another model could not be compared, so none falls in.

    model: another one than the settings name; at the former address when it is the former one, else at the same.
    """
    own, key = settings.embedding_base_url, settings.embedding_api_key
    if model and model == settings.former_embedding_model and settings.former_embedding_base_url:
        own, key = settings.former_embedding_base_url, settings.former_embedding_api_key
    url = own or settings.openai_base_url
    key = key if own else settings.openai_api_key
    address = EndpointAddress(
        "embeddings", url, key.get_secret_value(), "", embedding_model=model or settings.embedding_model
    )
    patience = Patience(settings.model_connect_seconds, settings.model_read_seconds)
    return ModelClient([ModelEndpoint(address, patience)], lambda called: count(metrics, called))


def addresses(settings: Settings) -> list[EndpointAddress]:
    """The main endpoint, and the other one when one is set."""
    main = EndpointAddress(
        "main",
        settings.openai_base_url,
        settings.openai_api_key.get_secret_value(),
        settings.model,
        settings.small_model,
        settings.embedding_model,
        cast(Mapping[Purpose, str], settings.model_of),
    )
    if not settings.fallback_model:
        return [main]
    key = settings.fallback_api_key.get_secret_value()
    return [main, EndpointAddress("fallback", settings.fallback_base_url, key, settings.fallback_model)]


def count(metrics: Metrics, called: Called) -> None:
    """One call in the counters of Prometheus."""
    metrics.model_calls.labels(called.endpoint, called.purpose, called.outcome).inc()
    metrics.model_seconds.labels(called.purpose).observe(called.seconds)
    for kind, tokens in (("prompt", called.tokens.prompt_tokens), ("completion", called.tokens.completion_tokens)):
        metrics.model_tokens.labels(called.purpose, kind).inc(tokens)
